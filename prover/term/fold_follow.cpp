// A binder that only stands in a form that a guard bounds: the form takes its place (certificate.md, F3). So a running sum that a window reaches back
// over, sum_(b < n, b+i >= n-1) x[b+i-(n-1)], is sum_(b < n, b <= i) x[b].
#include "prover/term/fold_builder.h"
#include "prover/term/form_walk.h"

namespace gg::prover {

std::optional<TermId> FoldBuilder::follow() {
  for (const TermId g : t_.conjuncts(guard_)) {
    if (t_[g].kind != Kind::Ge) continue;
    for (std::size_t k = 0; k < ids_.size(); ++k) {
      const std::int64_t last = extents_[k] - 1;
      for (const bool up : {true, false}) {  // 0 <= b + rest, or b + rest <= 0
        const LinId form = up ? t_.lin(g) : t_.scale(-1, t_.lin(g)), rest = t_.axpy(-1, vars_[k], form);
        if (((t_[rest].free & set_) != 0) || t_[rest].free == 0 || (up ? t_[rest].hi > 0 : t_[rest].lo < -last)) continue;
        LinVisitor inside(t_, bit(ids_[k]));
        inside.term(body_);
        const bool only = std::ranges::all_of(inside.lins, [&](LinId l) {
          return (t_[l].free & bit(ids_[k])) == 0 || (t_[t_.axpy(-1, form, l)].free & (t_[rest].free | bit(ids_[k]))) == 0;
        });
        if (!only || (t_[body_].free & bit(ids_[k])) == 0) continue;
        t_.count(LemmaId::FormFollowed);
        const Fresh fresh = t_.fresh(extents_[k]);
        const LinId value = t_.axpy(-1, rest, up ? fresh[0] : t_.offset(fresh[0], -last));
        return replace(k, value, fresh, t_.ge(up ? t_.offset(t_.scale(-1, value), last) : value), TermId::Unknown);
      }
    }
  }
  return std::nullopt;
}

}  // namespace gg::prover
