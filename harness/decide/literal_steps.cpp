#include "harness/decide/literal_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "models/ir/control_flow.h"
#include "models/ir/finite_tests.h"
#include "models/ir/kinds.h"
#include "models/op/facts.h"
#include "runtime/compare.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

constexpr int kStepDraws = 48;
constexpr std::array<int, 3> kStepRegimes = {kRepeated, kHalves, 0};  ///< equal numbers meet, halves are where programs round, plain ones
constexpr double kStep = 0x1p-8;                                      ///< of the element: more than a literal makes, by its rounding, of what it is multiplied with or added to
constexpr double kBeside = 0x1p-18;                                   ///< of the largest element of the output, which others may be what is left of where they cancel

/// Is it the literal that the premise speaks of?
bool is_named(const Assumption& literal, const Scalar& s) {
  const std::string& said = literal.arguments.at(0);  // f32:0.024390243=1/41
  const std::size_t colon = said.find(':');
  if (colon == std::string::npos || !is_float(s.type) || info(s.type).name != said.substr(0, colon)) return false;
  const double number = std::strtod(said.c_str() + colon + 1, nullptr);
  return s.real == number || s.real == static_cast<double>(static_cast<float>(number));
}

/// By instruction: does it hang on one of these literals?
std::vector<bool> behind_literals(const Module& module, const std::vector<Assumption>& literals) {
  std::vector<bool> behind(module.size());
  const auto is_one = [&](const Scalar& s) { return std::any_of(literals.begin(), literals.end(), [&](const Assumption& a) { return is_named(a, s); }); };
  for (bool more = true; more;) {  // parameters of computations stand before those who call them
    more = false;
    for (InstructionId id = 0; id < module.size(); ++id) {
      const auto operands = module.operands(id);
      const ComputationList called = computations_of(module, id);
      const bool reads = std::any_of(operands.begin(), operands.end(), [&](InstructionId operand) { return behind[operand]; });
      for (std::size_t k = 0; reads && k < called.size(); ++k) {
        for (const InstructionId parameter : module.computation(called[k]).parameters) more = more || !behind[parameter], behind[parameter] = true;
      }
      if (behind[id]) continue;
      const bool holds = has_values(module, id) && std::any_of(module.attributes(id).literal().values.begin(), module.attributes(id).literal().values.end(), is_one);
      behind[id] = holds || reads || std::any_of(called.begin(), called.end(), [&](ComputationId callee) { return behind[module.computation(callee).root]; });
      more = more || behind[id];
    }
  }
  return behind;
}

/// Compared elements of an output that are a step apart, by place.
std::vector<bool> apart(const ClaimedValues& values) {
  const auto compared = values.compared.as<std::int64_t>();
  std::vector<bool> result(compared.size());
  if (values.integral) {
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = compared[k] != 0 && values.sequential.as<std::int64_t>()[k] != values.distributed.as<std::int64_t>()[k];
    return result;
  }
  const auto a = values.sequential.as<double>(), b = values.distributed.as<double>();
  double largest = 1;
  for (std::size_t k = 0; k < result.size(); ++k) {
    if (std::isfinite(a[k]) && std::isfinite(b[k])) largest = std::max({largest, std::abs(a[k]), std::abs(b[k])});
  }
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = compared[k] != 0 && std::isfinite(a[k]) && std::isfinite(b[k]) && std::abs(a[k] - b[k]) > std::max(kStep * std::max(std::abs(a[k]), std::abs(b[k])), kBeside * largest);
  return result;
}

}  // namespace

std::size_t steps_behind_literals(const Case& c, const std::vector<Assumption>& assumptions) {
  std::vector<Assumption> literals;
  std::copy_if(assumptions.begin(), assumptions.end(), std::back_inserter(literals), [](const Assumption& a) { return a.kind == AssumptionKind::Literal; });
  std::size_t found = 0;
  for (const Module* module : {&*c.sequential, &*c.distributed}) {
    if (literals.empty()) break;
    const std::vector<bool> behind = behind_literals(*module, literals);
    const auto steps = [&](InstructionId id) {
      const Op op = (*module)[id].op;
      return compares_floats(*module, id) || scalar_of(op, module->attributes(id)) == ScalarFn::Sign || rounds_to_integers(op) || makes_integers(*module, id);
    };
    for (InstructionId id = 0; id < module->size(); ++id) found += behind[id] && steps(id) ? 1 : 0;
  }
  return found;
}

std::optional<LiteralStep> step_by_literals(Case& c, const Budget& budget) {
  try {
    PairRunner runner(c);
    OutputClaims claims(c);
    for (int draw = 0; draw < kStepDraws; ++draw) {
      const int round = draw / static_cast<int>(kStepRegimes.size());
      const InputSet inputs = draw_inputs(c.relation, 3000 + static_cast<std::uint64_t>(round), kStepRegimes[static_cast<std::size_t>(draw) % kStepRegimes.size()] + round);
      const PairRun printed = runner.run(inputs, {.mode = NumberMode::F64, .budget = budget});
      std::optional<PairRun> rounded;
      for (std::size_t output = 0; output < c.relation.outputs.size(); ++output) {
        const std::vector<bool> first = apart(claims.values(output, printed, NumberMode::F64));
        if (std::find(first.begin(), first.end(), true) == first.end()) continue;
        if (!rounded) rounded = runner.run(inputs, {.mode = NumberMode::Model, .budget = budget});
        const std::vector<bool> second = apart(claims.values(output, *rounded, NumberMode::Model));
        std::size_t both = 0;
        for (std::size_t k = 0; k < first.size(); ++k) both += first[k] && second[k] ? 1 : 0;
        if (both != 0) return LiteralStep{output, both};
      }
    }
  } catch (const RuntimeFailure&) {  // what it would take away is told of by its number alone
  }
  return std::nullopt;
}

}  // namespace gg
