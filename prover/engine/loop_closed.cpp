// Closed forms of carries that are written piece by piece or accumulated.
#include <algorithm>

#include "prover/engine/loop.h"

namespace gg::prover {

/// The carry with an anchor at every time, if its result at t is itself but for one piece or one more summand.
void LoopSearch::close(Carry& c) {
  TermId result = c.result;
  std::vector<std::pair<TermId, int>> marks;
  const auto [coef, update] = t_.content(result);
  if (t_[update].kind == Kind::Read && !reads(update, *c.anchor)) {
    // A sequential update is an anchor of the body.
    const auto definition = t_.definition(update, TermId::True);
    if (!definition || !reads(*definition, *c.anchor)) return;
    marks.emplace_back(update, 1);
    result = t_.scale(coef, *definition);
  }
  const auto form = closed_form(c, result);
  if (!form || reads(*form, *c.anchor)) return;
  const auto leaf = static_cast<std::uint32_t>(&c - carries_.data());
  const std::ptrdiff_t refusals = e_.refused(e_.name_of(side_, node_), leaf);
  if (refusals > 1) return;
  c.leaf.closed = *form;
  c.leaf.marks = std::move(marks);
  if (refusals == 1) c.leaf.split = e_.small_cases(*form, result, c.extents);
}

/// Closed forms of all carries; one may read only carries that have none.
void LoopSearch::close_all() {
  for (Carry& c : carries_)
    if (c.anchor && trips_ > 0) close(c);
  for (Carry& c : carries_)
    if (c.leaf.closed && reads_carry(*c.leaf.closed, [](const Carry& o) { return o.leaf.closed.has_value(); })) c.leaf.closed.reset();
}

std::optional<TermId> LoopSearch::closed_form(const Carry& c, TermId result) {
  const TermId self = own(c, now());
  const auto [coef, shape] = t_.content(result);
  if (t_[shape].kind == Kind::Case) {
    const TermId g = t_.kid(shape, 0), a = t_.scale(coef, t_.kid(shape, 1)), b = t_.scale(coef, t_.kid(shape, 2));
    if (!t_.index_guard(g)) return std::nullopt;
    if (b == self) return written(c, g, a);
    if (a == self) return written(c, t_.negate(g), b);
    return std::nullopt;
  }
  // A sum of what hangs on the carry itself is no closed form worth having.
  const FlatValue input = body_.inputs[static_cast<std::size_t>(&c - carries_.data())];
  std::size_t uses = 0;
  for (const FlatNode& node : body_.nodes) {
    const auto operands = body_.operands(node);
    uses += static_cast<std::size_t>(std::count(operands.begin(), operands.end(), input));
  }
  return uses == 1 ? gathered(c, result, self) : std::nullopt;
}

/// `guard ? update : itself`, where the guard says at which time an index is written.
std::optional<TermId> LoopSearch::written(const Carry& c, TermId guard, TermId update) {
  if (reads(update, *c.anchor)) return std::nullopt;
  const std::vector<TermId> all = t_.conjuncts(guard);
  std::optional<LinId> when;
  std::vector<TermId> others;
  for (const TermId g : all) {
    const auto pinned = t_[g].kind == Kind::Eq && !when ? t_.pinned(t_.lin(g), bit(position_)) : std::nullopt;
    if (pinned) when = pinned->second;
    else others.push_back(g);
  }
  if (!when) {  // 0 <= X - w*t < w
    for (std::size_t i = 0; i < all.size() && !when; ++i) {
      for (std::size_t j = 0; j < all.size() && !when; ++j) {
        if (i == j || t_[all[i]].kind != Kind::Ge || t_[all[j]].kind != Kind::Ge) continue;
        const LinId low = t_.lin(all[i]), both = t_.add(low, t_.lin(all[j]));
        if (!t_.is_num(both)) continue;
        const std::int64_t w = t_[both].c0 + 1;
        const LinId x = t_.axpy(w, now(), low);
        if ((t_[x].free & bit(position_)) != 0 || w < 1) continue;
        when = t_.div(x, w);
        others = without(without(all, std::max(i, j)), std::min(i, j));
      }
    }
  }
  if (!when || (t_[*when].free & bit(position_)) != 0) return std::nullopt;
  std::vector<TermId> past{t_.ge(*when), t_.ge(t_.axpy(-1, *when, t_.offset(t_.var(position_, trips_ + 1), -1)))};
  for (const TermId g : others) past.push_back(at_time(g, *when));
  const TermId written_then = t_.conj(past);
  return t_.choose(written_then, at_time(t_.assume(update, guard), *when), c.initial);
}

/// itself + f(t), max(itself, f(t)), min(itself, f(t)): folds over the past.
std::optional<TermId> LoopSearch::gathered(const Carry& c, TermId result, TermId self) {
  const TermNode n = t_[result];
  std::vector<TermId> others;
  ScalarFn op = ScalarFn::Add;
  bool found = false;
  if (n.kind == Kind::Poly && n.sort == Sort::Real) {
    for (const Summand& s : t_.summands(result)) {
      const std::vector<Factor> f = t_.factors(s.mono);
      const bool is_self = f.size() == 1 && f[0].term == self && f[0].exp == RatId::One && s.coef == RatId::One;
      if (is_self && !found) found = true;
      else others.push_back(t_.monomial(s.coef, s.mono));
    }
  } else if (n.kind == Kind::Fn && n.sort == Sort::Real &&
             (static_cast<ScalarFn>(n.op) == ScalarFn::Max || static_cast<ScalarFn>(n.op) == ScalarFn::Min)) {
    op = static_cast<ScalarFn>(n.op);
    for (std::size_t k = 0; k < n.n; ++k) {
      if (t_.kid(result, k) == self && !found) found = true;
      else others.push_back(t_.kid(result, k));
    }
  }
  if (!found || others.empty()) return std::nullopt;
  const TermId more = op == ScalarFn::Add ? t_.add(others) : others.size() == 1 ? others[0]
                                                                                : t_.extremum(op, others);
  if (reads(more, *c.anchor)) return std::nullopt;
  const Fresh vars = t_.fresh(trips_);
  const TermId past = t_.ge(t_.axpy(-1, vars[0], t_.offset(t_.var(position_, trips_ + 1), -1)));
  const TermId fold = t_.fold(op, vars, past, at_time(more, vars[0]));
  return op == ScalarFn::Add ? t_.add(c.initial, fold) : t_.extremum(op, std::vector<TermId>{c.initial, fold});
}

}  // namespace gg::prover
