// What is given: free inputs, values that the caller takes as given, literals that are taken as other numbers.
#include <algorithm>
#include <cmath>

#include "models/base/text.h"
#include "models/ir/mask_flow.h"
#include "prover/engine/engine.h"

namespace gg::prover {

void Engine::make_inputs() {
  bool floats = false;
  for (const FreeInput& input : case_.relation.free) {
    Anchor a;
    a.kind = AnchorKind::Input;
    a.extents = input.type.dims;
    a.sort = sort_of(input.type.element);
    a.owner = static_cast<std::uint32_t>(inputs_.size());
    // The range of a partial input is that of the whole value: it says nothing of a summand.
    const bool ranged = input.range.origin == Range::Origin::Given && input.combined_by.empty() && a.sort != Sort::Bool;
    const std::string name = "x" + std::to_string(inputs_.size());
    if (ranged) assumptions_.push_back({AssumptionKind::InputRange, {name, shortest(input.range.lo), shortest(input.range.hi)}});
    if (a.sort == Sort::Int) {
      const auto [lo, hi] = t_.integer_bounds(input.type.element);
      a.lo = lo;
      a.hi = hi;
      if (ranged) {
        a.lo = std::max(lo, static_cast<std::int64_t>(std::ceil(input.range.lo)));
        a.hi = std::min(hi, static_cast<std::int64_t>(std::ceil(std::max(input.range.hi, input.range.lo + 1))) - 1);
      }
    } else if (a.sort == Sort::Real) {
      floats = true;
      a.attributes.finite = a.attributes.below_inf = true;
      if (ranged) a.bounds = {t_.q.of_double(input.range.lo), t_.q.of_double(input.range.hi)};
      a.attributes.nonnegative = ranged && input.range.lo >= 0;
      a.attributes.positive = ranged && input.range.lo > 0;
      a.attributes.nonzero = ranged && (input.range.lo > 0 || input.range.hi < 0);
    }
    for (const Assumption& premise : in_bounds_) {
      if (premise.kind != AssumptionKind::InBounds || premise.arguments[0] != name) continue;
      a.lo = std::max<std::int64_t>(a.lo, std::stoll(premise.arguments[1]));
      a.hi = std::min<std::int64_t>(a.hi, std::stoll(premise.arguments[2]) - 1);
      assumptions_.push_back(premise);
    }
    inputs_.push_back(t_.add_anchor(std::move(a)));
  }
  if (floats) assumptions_.insert(assumptions_.begin(), {AssumptionKind::FiniteInputs, {}});
  assumptions_.insert(assumptions_.end(), case_.stated.begin(), case_.stated.end());
  if (has_transfers(case_)) assumptions_.push_back({AssumptionKind::PointToPointOrder, {}});
}

/// An index of the sequential program lies where that does not raise.
void Engine::assume_in_range(const Side& side, Anchor& a, const AnchorPlace& place) {
  const Instance instance = side.flat.instance(side.flat.nodes[place.place.node]);
  for (const Assumption& premise : in_bounds_) {
    if (premise.kind != AssumptionKind::InRange || !side.times.empty() || place.place.frame != 0 || !instance.path.empty() || premise.arguments[2] != side.module->name_of(instance.instruction)) continue;
    std::int64_t lo = std::stoll(premise.arguments[0]), hi = std::stoll(premise.arguments[1]) - 1;
    if (place.coef != RatId::One) std::tie(lo, hi) = std::pair(-hi, -lo);
    a.lo = std::max(a.lo, lo);
    a.hi = std::min(a.hi, hi);
    assumptions_.push_back(premise);
  }
}

/// Values that the caller assumes to be parts of sequential ones.
void Engine::make_equal() {
  for (const Assumption& a : options_.equal) {
    EqualValues values = equal_values(case_, a);
    equal_.emplace(values.distributed, std::move(values));
    assumptions_.push_back(a);
  }
}

void Engine::read_literals(const std::vector<LiteralReading>& readings) {
  for (const LiteralReading& reading : readings) {
    const auto& [negative, root, p, q] = reading.form;
    TermId term = t_.lit(t_.q.of(p, q));
    if (root) term = t_.pow(term, t_.q.of(1, 2));
    importer_.read_as(reading.type, reading.value, negative ? t_.scale(t_.q.of(-1), term) : term);
    assumptions_.push_back(assumption_of(reading));
  }
}

/// The literal of a mask (models/ir/mask_flow.h).
bool Engine::is_mask(Side& side, std::uint32_t node, TermId t) {
  if (!side.masks[node] || !t_.is_lit(t)) return false;
  saw_mask = true;
  if (!masks) return false;
  const std::string where = side.which == Which::Sequential ? "S " : "D ";
  const double literal = *mask_literal(*side.module, side.flat.nodes[node].instruction);
  assumptions_.push_back({AssumptionKind::MaskIsMinusInfinity, {shortest(literal), where + name_of(side, node)}});
  return true;
}

}  // namespace gg::prover
