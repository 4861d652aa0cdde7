// Pieces side by side, each the same function of its number, as this function of the place: what a program takes apart (the parts of a gathered
// tensor) and puts together again.
#include <algorithm>
#include <bit>

#include "prover/engine/engine.h"
#include "prover/term/piecewise_steps.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMaxPieces = 16;
constexpr std::uint32_t kMaxJoined = 400;  ///< size of the term

/// Do all branches of a case read the same values? Parts of a buffer of several tensors do not. (Reads in integers are not counted.)
bool alike(const Terms& t, TermId id, std::optional<std::uint32_t>& reads) {
  if (t[id].kind == Kind::Case) return alike(t, t.kid(id, 1), reads) && alike(t, t.kid(id, 2), reads);
  if (!reads) reads = t[id].reads;
  return t[id].sort != Sort::Real || *reads == t[id].reads;
}

/// One term over `number` that is each of these at its number.
std::optional<TermId> function_of(Terms& t, LinId number, const std::vector<TermId>& values) {
  const auto steps = steps_between(constants_in(t, values[0]), constants_in(t, values[1]));
  if (!steps) return std::nullopt;
  TermId whole = moved(t, values[0], *steps, number);
  if (t[whole].sort == Sort::Int) {
    const std::int64_t now = t[t.as_lin(at_value(t, whole, number, 1))].c0, more = t[t.as_lin(values[1])].c0 - now;
    whole = t.integer(t.axpy(more, number, t.as_lin(whole)));
  }
  for (std::size_t k = 0; k < values.size(); ++k)
    if (at_value(t, whole, number, static_cast<std::int64_t>(k)) != values[k]) return std::nullopt;
  return whole;
}

}  // namespace

/// A case of pieces of one dimension as one function of the place in it.
std::optional<Step> Engine::as_pieces(std::span<const std::int64_t> extents, TermId t) {
  const TermId shape = t_.content(t).second;
  if (t_[shape].kind != Kind::Case || t_[t].size > kMaxJoined || (t_[t].flags & kHasUnknown) != 0 || !t_.index_guard(t_.kid(shape, 0))) return std::nullopt;
  const VarSet on = t_[t_.kid(shape, 0)].free;
  const auto v = static_cast<VarId>(std::countr_zero(on));
  std::optional<std::uint32_t> reads;
  if (v >= extents.size() || on != bit(v) || !alike(t_, shape, reads)) return std::nullopt;
  const LinId place = t_.var(v, extents[v]);
  for (std::int64_t count = 2; count <= std::min(kMaxPieces, extents[v]); ++count) {
    if (extents[v] % count != 0) continue;
    const std::int64_t length = extents[v] / count;
    std::vector<TermId> values;
    Step step{t, {}, 0, {v}, {{}}};
    for (std::int64_t k = 0; k < count; ++k) {
      values.push_back(t_.substitute(t, Terms::Map(v, t_.offset(t_.var(v, length), k * length))));
      step.starts[0].push_back(k * length);
    }
    if (std::ranges::any_of(values, [&](TermId value) { return t_[t_.content(value).second].kind == Kind::Case; })) continue;
    const Fresh number = t_.fresh(count);
    const auto whole = function_of(t_, number[0], values);
    if (!whole) return std::nullopt;
    Terms::Map map;
    map.set(v, t_.mod(place, length));
    map.set(t_[t_.terms(number[0])[0].atom].var, t_.div(place, length));
    step.after = t_.substitute(*whole, map);
    return step;
  }
  return std::nullopt;
}

bool Engine::join_pieces(std::span<const std::int64_t> extents, TermId t, bool deep, std::vector<Step>& steps) {
  const TermId now = steps.empty() ? t : steps.back().after;
  if (auto step = as_pieces(extents, now)) {
    steps.push_back(*std::move(step));
    return improve(t, deep, steps);
  }
  const auto whole = join_reads(now);
  if (whole) steps.push_back({*whole, {}, 0});
  return whole.has_value();
}

}  // namespace gg::prover
