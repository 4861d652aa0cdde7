// Shards that a table of constants permutes (prover/term/permuted.h).
#include "prover/term/permuted.h"

#include "prover/engine/engine.h"

namespace gg::prover {

/// Rows that each rank has elsewhere, all of them together each row once (zigzag): one read by the places of all ranks.
std::vector<Step> Engine::permuted_shard(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const auto whole = join_reads(t);
  const TermId read = whole ? t_.content(*whole).second : TermId::Unknown;
  if (t_[read].kind != Kind::Read) return {};
  for (const LinId l : t_.index_of(read)) {
    const std::vector<LinTerm> list = t_.term_list(l);
    if (list.size() == 1 && t_[list[0].atom].kind == AtomKind::Table && inverse_table(t_.table_values(t_[list[0].atom].arg2))) return {{*whole, {}, 0, rank_cases(side, extents_of(side, node, leaf).all, t)}};
  }
  return {};
}

}  // namespace gg::prover
