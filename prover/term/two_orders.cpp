// Sums with a maximum of two numbers and the size of their difference: logaddexp, softplus (certificate.md, P9).
#include <algorithm>

#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr std::size_t kFewOrdered = 8;  ///< of a sum without a logarithm in which both extrema are looked for

}  // namespace

/// Where x >= y, max(x, y) is x and |x - y| is x - y, infinities included; else they are y and y - x. Neither may be NaN. If the sum is one
/// term in both orders, it is this term.
std::optional<TermId> Terms::in_both_orders(TermId whole, const std::vector<Summand>& list) {
  const auto alone = [&](const Summand& s) {
    const std::vector<Factor> f = factors(s.mono);
    return f.size() == 1 && f[0].exp == RatId::One && (*this)[f[0].term].kind == Kind::Fn ? std::optional(f[0].term) : std::nullopt;
  };
  const auto is = [&](const Summand& s, std::initializer_list<ScalarFn> of) {
    const auto f = alone(s);
    return f && std::ranges::find(of, static_cast<ScalarFn>((*this)[*f].op)) != of.end();
  };
  const auto some = [&](ScalarFn f) { return std::ranges::any_of(list, [&](const Summand& s) { return is(s, {f}); }); };
  if (!some(ScalarFn::Log) && (list.size() > kFewOrdered || !some(ScalarFn::Max) || !some(ScalarFn::Min))) return std::nullopt;
  for (const Summand& s : list) {
    if (!is(s, {ScalarFn::Max, ScalarFn::Min}) || (*this)[*alone(s)].n != 2) continue;
    const TermId extremum = *alone(s), x = kid(extremum, 0), y = kid(extremum, 1);
    if (!attributes(x).ordered || !attributes(y).ordered) continue;
    if (const TermId known = store_->orders_memo.get(raw(whole)); known != TermId::Unknown) return known == whole ? std::nullopt : std::optional(known);
    store_->orders_memo.set(raw(whole), whole);
    const bool max = static_cast<ScalarFn>((*this)[extremum].op) == ScalarFn::Max;
    const TermId difference = add(x, scale(q.of(-1), y)), opposite = scale(q.of(-1), difference);
    const auto ordered = [&](bool first) {
      SmallMap<TermId> by;
      by.add(raw(extremum), first == max ? x : y);
      by.add(raw(opaque_fn(max ? ScalarFn::Min : ScalarFn::Max, Sort::Real, 0, std::array{x, y})), first == max ? y : x);
      for (const TermId d : {difference, opposite}) by.set(raw(opaque_fn(ScalarFn::Abs, Sort::Real, 0, std::array{d})), first ? difference : opposite);
      return exchange(whole, std::move(by));
    };
    const TermId one = ordered(true);
    if (one != ordered(false)) continue;
    count(LemmaId::InBothOrders);
    store_->orders_memo.set(raw(whole), one);
    return one;
  }
  return std::nullopt;
}

}  // namespace gg::prover
