// Windows that begin before their array, or end behind it, count its places (certificate.md, F16).
#include <algorithm>

#include "prover/term/fold_builder.h"
#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

/// The indices of reads that have one of the variables, in conditions and in integers of the data as well.
class ReadForms {
 public:
  ReadForms(const Terms& terms, VarSet set) : t_(terms), set_(set) {}
  void term(TermId id) {
    if ((t_[id].free & set_) == 0 || !seen_.insert(raw(id)).second) return;
    for_each_part(
        t_, id, [&](TermId part) { term(part); }, [&](LinId l, bool counts) {
      if (counts && (t_[l].free & set_) != 0) list.push_back(l);
      data(l); });
  }
  std::vector<LinId> list;

 private:
  void data(LinId l) {
    for_each_part(
        t_, l, [&](TermId part) { term(part); }, [&](LinId inside) { data(inside); });
  }

  const Terms& t_;
  VarSet set_;
  std::unordered_set<std::uint32_t> seen_;
};

/// The variables of a form outside of what integers of the data read.
VarSet plain(const Terms& t, LinId form) {
  VarSet result = 0;
  for (const LinTerm& s : t.terms(form)) result |= t[s.atom].kind == AtomKind::Data ? 0 : t[s.atom].free;
  return result;
}

std::int64_t multiple_of(const Terms& t, LinId form, VarSet variable) {
  for (const LinTerm& s : t.terms(form))
    if (t[s.atom].kind == AtomKind::Var && t[s.atom].free == variable) return s.coef;
  return 0;
}

}  // namespace

/// fold_{b < n, b + R >= 0} f(b + R) with R <= 0, over the places k = b + R from 0 on: k <= n-1 + R; fold_{b < n, b <= R} f(b - R) with R < n over
/// k = b - R + max R: k >= max R - R. Then running sums of all spellings are one.
std::optional<TermId> FoldBuilder::count_places() {
  std::optional<ReadForms> reads;
  for (const TermId g : t_.conjuncts(guard_)) {
    for (std::size_t k = 0; t_[g].kind == Kind::Ge && k < ids_.size(); ++k) {
      const VarSet b = bit(ids_[k]);
      const std::int64_t sign = multiple_of(t_, t_.lin(g), b), n = extents_[k];
      const LinId rest = sign == 1 || sign == -1 ? t_.axpy(-sign, vars_[k], t_.lin(g)) : LinId::Zero;
      if (t_.is_num(rest) || (t_[rest].free & b) != 0 || t_[rest].data || t_[rest].hi > (sign == 1 ? 0 : n - 1)) continue;
      const std::int64_t last = sign == 1 ? n - 1 + t_[rest].hi : t_[rest].hi;
      if (last < 0) continue;
      if (!reads) {
        reads.emplace(t_, set_);
        reads->term(guard_);
        reads->term(body_);
      }
      const Fresh fresh = t_.fresh(last + 1);
      const LinId from = t_.sub(fresh[0], sign == 1 ? rest : t_.offset(t_.scale(-1, rest), last));  // b
      const Terms::Map map(ids_[k], from);
      const auto has = [&](LinId form) { return (t_[form].free & b) != 0; };
      const auto counts = [&](LinId form) { return !has(form) || (plain(t_, t_.substitute(form, map)) & t_[rest].free) == 0; };
      if (std::none_of(reads->list.begin(), reads->list.end(), has) || !std::all_of(reads->list.begin(), reads->list.end(), counts)) continue;
      t_.count(LemmaId::WindowOfPlaces);
      return replace(k, from, fresh, sign == 1 ? t_.ge(t_.offset(t_.scale(-1, from), n - 1)) : t_.ge(from), TermId::Unknown);
    }
  }
  return std::nullopt;
}

}  // namespace gg::prover
