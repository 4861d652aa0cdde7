// What a certificate assumes: free inputs as anchors, with the facts that its assumptions give, and values taken as given.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "models/base/text.h"
#include "models/op/custom_calls.h"
#include "prover/checker/anchor.h"
#include "prover/checker/check.h"
#include "prover/checker/translate.h"

namespace gg::checker {
namespace {

// A bound of a range; what is no number is no bound.
double bound(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) throw Rejected{"'" + text + "' is no bound of a range"};
  return value;
}

// What the certificate assumes of an input.
void assume(Anchor& a, const std::optional<gg::Range>& range, bool finite) {
  const bool ranged = range.has_value();
  const double lo = ranged ? range->lo : 0, hi = ranged ? range->hi : 0;
  if (is_float(a.type)) {
    std::uint8_t set = finite ? Classes::kReal : Classes::kEverything;
    if (ranged && finite) {
      if (lo > 0) set = Classes::kPos;
      else if (lo >= 0) set = Classes::kZero | Classes::kPos;
      else if (hi < 0) set = Classes::kNeg;
      else if (hi <= 0) set = Classes::kNeg | Classes::kZero;
    }
    a.classes = Classes(set);
    if (ranged && finite) a.bounds = {Rational::of(lo), Rational::of(hi)};
  } else if (ranged && a.type != ElementType::Pred) {  // half open; lo == hi is a constant
    const double last = lo == hi ? hi : std::ceil(hi) - 1;
    if (lo > -1e18) a.lo = std::max(a.lo, sized(static_cast<std::int64_t>(std::ceil(std::min(lo, 1e18)))));
    if (last < 1e18) a.hi = std::min(a.hi, sized(static_cast<std::int64_t>(std::max(last, -1e18)) + 1) - 1);
  }
}

}  // namespace

// Free inputs as anchors; facts about them only from the list of assumptions.
void Check::inputs() {
  if (case_.relation.recorded) reject("its inputs are those of one recorded run, and so are its programs: nothing is proved of others");
  bool finite = false;
  const auto& free = case_.relation.free;
  std::vector<std::optional<gg::Range>> ranges(free.size());
  for (const Assumption& a : certificate_.assumptions) {
    if (a.kind == AssumptionKind::FiniteInputs) {
      finite = true;
    } else if (a.kind == AssumptionKind::InputRange) {
      range(a, ranges);
    } else if (a.kind == AssumptionKind::InBounds) {
      in_bounds(a);
    } else if (a.kind == AssumptionKind::InRange) {
      in_range(a);
    } else if (a.kind == AssumptionKind::MaskIsMinusInfinity) {
      if (!masks_.emplace(a.arguments[1], MaskLine{bound(a.arguments[0]), false}).second) reject("two lines for the mask '" + a.arguments[1] + "'");
      assumed_.push_back({a.kind, {a.arguments[1] + "=" + a.arguments[0]}});
    } else if (a.kind == AssumptionKind::Literal) {
      read_literal(a);
    } else {
      if (a.kind == AssumptionKind::Equal) equal(a);
      assumed_.push_back(a);
    }
  }
  const bool order = std::find(assumed_.begin(), assumed_.end(), Assumption{AssumptionKind::PointToPointOrder, {}}) != assumed_.end();
  if (has_transfers(case_) != order) {
    reject(order ? "it assumes an order of transfers, of which there are none" : "sends and recvs were matched: point-to-point-order is missing");
  }
  std::vector<Assumption> read;  // as this reading of the texts has it
  std::ranges::copy_if(certificate_.assumptions, std::back_inserter(read), [](const Assumption& a) { return info(a.kind).by == StatedBy::Reading; });
  if (read != case_.stated) reject("it was made with other meanings of custom calls, or other constants that the texts do not show");
  if (finite) assumed_.insert(assumed_.begin(), {AssumptionKind::FiniteInputs, {}});
  for (std::size_t k = 0; k < free.size(); ++k) {
    Anchor a = anchor_of(free[k].name, free[k].type.element, free[k].type.dims);
    assume(a, ranges[k], finite);
    if (const auto bounds = in_bounds_.find(k); bounds != in_bounds_.end()) {
      a.lo = std::max(a.lo, sized(bounds->second.lo));
      a.hi = std::min(a.hi, sized(bounds->second.hi));
    }
    names_.inputs.push_back(static_cast<std::uint32_t>(t_.anchors.size()));
    t_.anchors.push_back(std::move(a));
  }
  for (int s = 0; s < 2; ++s) {
    const auto& bodies = s == 0 ? case_.relation.sequential_inputs : case_.relation.distributed_inputs;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const FlatValue v = sides_[s].flat().inputs[k];
      Operands reads;
      reads.read = [&](int input, const std::vector<Index>& index) {
        return checker::read(t_, names_.inputs[static_cast<std::size_t>(input)], index);
      };
      Translator body(t_, *case_.arena, as_indices(t_, sides_[s].variables(v)), reads);
      sides_[s].conclude(v, body.value(bodies[k].root));
    }
  }
}

void Check::equal(const Assumption& a) {
  try {
    EqualValues values = equal_values(case_, a);
    if (!equal_.emplace(values.distributed, std::move(values)).second) reject("two assumptions about '" + a.arguments[1] + "'");
  } catch (const InputError& error) {
    reject(error.diags().front().message);
  }
}

std::size_t Check::input_of(const Assumption& a) {
  const std::string& name = a.arguments[0];
  const auto k = name.empty() ? std::nullopt : whole_number(std::string_view(name).substr(1));
  if (k && name == "x" + std::to_string(*k) && *k >= 0 && static_cast<std::size_t>(*k) < case_.relation.free.size()) return static_cast<std::size_t>(*k);
  reject("a range is assumed of '" + name + "', which is no input");
}

// A range that the relation gives, or one that is listed as given by nobody.
void Check::range(const Assumption& a, std::vector<std::optional<gg::Range>>& ranges) {
  const std::size_t k = input_of(a);
  const FreeInput& input = case_.relation.free[k];
  const gg::Range range{bound(a.arguments[1]), bound(a.arguments[2]), gg::Range::Origin::Given};
  const bool given = input.range.origin == gg::Range::Origin::Given;
  if (range.lo > range.hi) reject("the range of input '" + input.name + "' is empty");
  if (!input.combined_by.empty()) reject("input '" + input.name + "' is partial: a range is one of the whole value, not of its summands");
  if (given && (input.range.lo != range.lo || input.range.hi != range.hi)) {
    reject("the range assumed of input '" + input.name + "' is not the one given");
  }
  if (ranges[k]) reject("two ranges of input '" + input.name + "'");
  ranges[k] = range;
  const char* end = is_integral(input.type.element) && range.lo != range.hi ? ")" : "]";
  assumed_.push_back({given ? AssumptionKind::InputRange : AssumptionKind::RangeNotGiven,
                      {input.name, "[" + a.arguments[1] + "," + a.arguments[2] + end}});
}

// Derived again from the bodies: no other bounds are accepted.
void Check::in_bounds(const Assumption& a) {
  const std::size_t k = input_of(a);
  if (uses_.empty()) uses_ = index_uses(case_);
  const bool near = in_bounds_assumption(case_, k, uses_[k]) == a;
  if (!near && in_bounds_assumption(case_, k, uses_[k], Ends::Both) != a) reject("'" + to_string(a) + "' does not follow from what the sequential program indexes");
  in_bounds_[k] = *(near ? gg::in_bounds : bounds_from_end)(case_.relation.free[k], uses_[k]);
  assumed_.push_back({a.kind, {case_.relation.free[k].name, "[" + a.arguments[1] + "," + a.arguments[2] + ")", a.arguments[3]}});
}

bool Check::assumes(const Program& p, FlatValue v) const {
  const Attributes& a = p.module().attributes(p.instruction(v.node));
  if (!a.has(Attr::OpaqueBatchDims) || is_library_function(a.text(Attr::CustomCallTarget))) return true;
  const auto has = [&](AssumptionKind kind) {
    return std::find(assumed_.begin(), assumed_.end(), Assumption{kind, {a.text(Attr::CustomCallTarget)}}) != assumed_.end();
  };
  return has(AssumptionKind::OpaquePure) && (a.ints(Attr::OpaqueBatchDims).empty() || has(AssumptionKind::BatchDims));
}

}  // namespace gg::checker
