// What a value is on each rank, as one function of the rank: where every rank's is the same term but for constants in the indices of reads.
// Rounds of a ring are such: a rank meets all blocks, each rank in another order, and what it makes of all of them has no order.
#include <algorithm>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"
#include "prover/term/piecewise_steps.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr std::uint32_t kMaxForms = 400;      ///< size of a value of which ranks have other forms of indices
constexpr std::uint64_t kFormSteps = 20'000;  ///< for one of them
constexpr std::size_t kMaxTerms = 16;         ///< of a sum that is a fold: the checker writes no longer ones out

/// Reads of one value whose indices, from case to case, stay, or go round: v + c or c - v modulo the number n of cases, times a step.
std::optional<TermId> going_round(Terms& t, const Cases& cases, const std::vector<TermId>& values) {
  if (cases.vars.size() != 1 || !cases.starts[0].empty()) return std::nullopt;
  const auto [coef, first] = t.content(values[0]);
  if (t[first].kind != Kind::Read) return std::nullopt;
  std::vector<std::vector<std::int64_t>> constants(t.index_of(first).size());  // by index, in each case
  for (const TermId value : values) {
    const TermId read = t.content(value).second;
    if (t[read].kind != Kind::Read || t.anchor_of(read) != t.anchor_of(first)) return std::nullopt;
    const std::vector<LinId> index = t.index_of(read);
    for (std::size_t d = 0; d < index.size(); ++d) constants[d].push_back(t[index[d]].c0);
  }
  const std::int64_t n = cases.extents[0];
  const LinId v = t.var(cases.vars[0], n);
  std::vector<LinId> index = t.index_of(first);
  for (std::size_t d = 0; d < index.size(); ++d) {
    const auto [low, high] = std::minmax_element(constants[d].begin(), constants[d].end());
    if (*low == *high) continue;
    const std::int64_t least = *low, step = (*high - least) / (n - 1);
    if (step < 1) return std::nullopt;
    const std::int64_t from = (constants[d][0] - least) / step, next = (constants[d][1] - least) / step;
    const LinId place = t.mod(t.offset(t.scale(next == (from + 1) % n ? 1 : -1, v), from + (next == (from + 1) % n ? 0 : n)), n);
    index[d] = t.axpy(step, place, t.offset(index[d], least - constants[d][0]));
  }
  const TermId whole = t.scale(coef, t.read(t.anchor_of(first), index));
  for (std::int64_t c = 0; c < cases.count; ++c)
    if (cases.at(t, whole, c) != values[static_cast<std::size_t>(c)]) return std::nullopt;
  return whole;
}

}  // namespace

/// One term over the variables of the cases that is each of these values in its case, or nothing.
std::optional<TermId> one_function(Terms& t, const Cases& cases, const std::vector<TermId>& values) {
  if (values.size() < 2 || static_cast<std::int64_t>(values.size()) != cases.count) return std::nullopt;
  const Constants first = constants_in(t, values[0]);
  TermId whole = values[0];
  std::int64_t next = 1;  // the case in which variable k alone is one
  for (std::size_t k = 0; k < cases.vars.size(); next *= cases.pieces(k++)) {
    if (!cases.starts[k].empty() || next >= cases.count) return std::nullopt;
    const auto steps = steps_between(first, constants_in(t, values[static_cast<std::size_t>(next)]));
    if (!steps) return std::nullopt;
    whole = moved(t, whole, *steps, t.var(cases.vars[k], cases.extents[k]));
  }
  for (std::int64_t c = 0; c < cases.count; ++c)
    if (cases.at(t, whole, c) != values[static_cast<std::size_t>(c)]) return std::nullopt;
  return whole;
}

std::optional<Combination> combination(Terms& t, TermId id) {
  const TermNode n = t[id];
  Combination all{static_cast<ScalarFn>(n.op), RatId::One, {}};
  if (n.kind == Kind::Poly) {
    all.fn = ScalarFn::Add;
    for (const Summand& s : t.summands(id)) {
      if (!all.parts.empty() && s.coef != all.coef) return std::nullopt;
      all.coef = s.coef;
      all.parts.push_back(t.monomial(RatId::One, s.mono));
    }
  } else if (n.kind == Kind::Fn && (all.fn == ScalarFn::Max || all.fn == ScalarFn::Min)) {
    for (std::size_t k = 0; k < n.n; ++k) all.parts.push_back(t.kid(id, k));
  }
  return all.parts.size() < 2 ? std::nullopt : std::optional(std::move(all));
}

/// A sum, or an extremum, of what differs by equal steps of the constants in the indices of reads, as a fold: x[0] + x[1] + x[2].
std::optional<TermId> as_fold(Terms& t, TermId id) {
  const auto whole = combination(t, id);
  if (!whole || whole->parts.size() > kMaxTerms) return std::nullopt;
  const std::vector<TermId>& parts = whole->parts;
  std::vector<Constants> all;
  for (const TermId part : parts) {
    if (t[part].reads != t[parts[0]].reads || t[part].kind != t[parts[0]].kind) return std::nullopt;
    all.push_back(constants_in(t, part));
    if (all.back().size() != all[0].size()) return std::nullopt;
  }
  std::vector<std::size_t> order(parts.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a] < all[b]; });
  const auto steps = steps_between(all[order[0]], all[order[1]]);
  if (!steps) return std::nullopt;
  const Fresh number = t.fresh(static_cast<std::int64_t>(parts.size()));
  const TermId element = moved(t, parts[order[0]], *steps, number[0]);
  for (std::size_t k = 0; k < order.size(); ++k)
    if (at_value(t, element, number[0], static_cast<std::int64_t>(k)) != parts[order[k]]) return std::nullopt;
  return t.scale(whole->coef, t.fold(whole->fn, number, TermId::True, element));
}

/// A value with forms of the rank that go round (the block that has come in a round of a ring), rank by rank: what is one read, or one function
/// of the rank, is taken as that.
std::optional<bool> Engine::improve_as_one(const Cases& cases, TermId t, bool deep, std::vector<Step>& steps) {
  if (cases.vars.empty() || t_[t].size > kMaxForms) return std::nullopt;
  try {
    const StepBudget budget(t_, kFormSteps);
    std::vector<TermId> own;
    for (std::int64_t c = 0; c < cases.count; ++c) own.push_back(cases.at(t_, t, c));
    std::vector<TermId> values = own;
    Step step{t, {}, 0, cases.vars};
    if (!improve_cases(values, deep, step.marks)) {
      values = own;
      step.marks.clear();
    }
    const auto one = one_function(t_, cases, values);
    const auto whole = one ? one : going_round(t_, cases, values);
    if (!whole || *whole == t || t_[*whole].size > t_[t].size) return std::nullopt;
    step.after = *whole;
    mark_cases(step);
    steps.push_back(std::move(step));
    return trivial(*whole);
  } catch (const TermLimit&) {
    return std::nullopt;
  }
}

}  // namespace gg::prover
