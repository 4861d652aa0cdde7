// Shards that a table of constants permutes (prover/term/permuted.h).
#include "prover/term/permuted.h"

#include "prover/engine/engine.h"

namespace gg::prover {

/// Rows that each rank has elsewhere, all of them together each row once (zigzag): one read by the places of all ranks.
std::optional<TermId> Engine::permuted_shard(TermId t) {
  const auto whole = join_reads(t);
  const TermId read = whole ? t_.content(*whole).second : TermId::Unknown;
  if (t_[read].kind != Kind::Read) return std::nullopt;
  for (const LinId l : t_.index_of(read)) {
    const std::vector<LinTerm> list = t_.term_list(l);
    if (list.size() == 1 && t_[list[0].atom].kind == AtomKind::Table && inverse_table(t_.table_values(t_[list[0].atom].arg2))) return whole;
  }
  return std::nullopt;
}

}  // namespace gg::prover
