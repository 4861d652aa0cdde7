// How much work one run of a pair is (estimated_operations of runtime/differential.h), and the number type that it
// affords.
#include <algorithm>
#include <cmath>
#include <optional>

#include "models/ir/kinds.h"
#include "models/ir/structure.h"
#include "runtime/differential.h"
#include "runtime/instruction.h"
#include "runtime/plans.h"

namespace gg {
namespace {

/// Beyond this many operations a run of balls takes longer than a user waits: three draws at 12 to 40 ns each.
constexpr double kAffordable = 6e7, kTraceable = 1e9;
constexpr double kUnplanned = 16;  ///< operations an element of an operator without a body (ordered folds)
constexpr double kCompared = 150;  ///< of a sort's comparison, which runs a computation: 0.3 us, measured at 100,000 elements
constexpr double kStep = 200;      ///< of every instruction of a loop, once a trip, whatever it does: a microsecond or two

class Estimate {
 public:
  Estimate(BodyTable& bodies, PlanStore& plans) : module_(bodies.module()), runner_(bodies, nullptr, &plans) {}

  double entry() { return computation(module_.entry()); }

 private:
  /// Each computation once, however often it is called (verify: calls are not nested deeper than a limit).
  double computation(ComputationId id) {
    std::optional<double>& known = known_[id];
    if (known) return *known;
    const Computation& c = module_.computation(id);
    double sum = 0;
    for (std::uint32_t i = 0; i < c.count; ++i) sum += instruction(c.first + i);
    known_[id] = sum;
    return sum;
  }

  double instruction(InstructionId id) {
    switch (structure_of(module_, id)) {
      case Structure::Parameter:
      case Structure::Join:
      case Structure::Element:
      case Structure::Token: return 0;
      case Structure::Call: return computation(callee_of(module_, id));
      case Structure::Loop: {
        const ComputationId body = body_of(module_, id), condition = condition_of(module_, id);
        const double steps = kStep * (module_.computation(body).count + module_.computation(condition).count);
        return trips(condition) * (computation(body) + computation(condition) + steps);
      }
      case Structure::Branches: {
        double most = 0;
        for (const ComputationId branch : branches_of(module_, id)) most = std::max(most, computation(branch));
        return most;
      }
      case Structure::None: break;
    }
    return plain(id);
  }

  /// The largest integer that the condition compares with: what a counted loop counts to.
  double trips(ComputationId condition) const {
    const Computation& c = module_.computation(condition);
    std::int64_t most = 1;
    for (std::uint32_t i = 0; i < c.count; ++i) {
      const InstructionId id = c.first + i;
      if (!is_constant(module_, id) || !module_.type(id).is_array() || !is_integral(module_.type(id).element)) continue;
      for (const Scalar& value : module_.attributes(id).literal().values) most = std::max(most, value.integer);
    }
    constexpr std::int64_t kMostTrips = 1'000'000;  // beyond: an infinite bound, not a count
    return static_cast<double>(std::min(most, kMostTrips));
  }

  double plain(InstructionId id) {
    const Prepared& prepared = runner_.prepare(id);
    if (prepared.same_buffer) return 0;
    std::vector<Operand> operands;
    double elements = 0;
    for (std::size_t k = 0; k < prepared.operand_types.size(); ++k) {
      operands.push_back({nullptr, prepared.operand_types[k], prepared.operand_extents[k]});
      elements += static_cast<double>(element_count(prepared.operand_extents[k]));
    }
    if (is_sort(module_, id)) return kCompared * comparisons(id, prepared);
    double sum = 0;
    for (const Body* body : prepared.bodies) {
      sum += body == nullptr ? kUnplanned * elements
                             : operations(runner_.plans().get(runner_.bodies().arena(), *body, operands));
    }
    return sum;
  }

  /// n log n of every line.
  double comparisons(InstructionId id, const Prepared& prepared) const {
    const auto& extents = prepared.operand_extents[0];
    const auto digits = extents.size() - module_.type(module_.operands(id)[0]).dims.size();
    const auto along = static_cast<double>(extents[digits + static_cast<std::size_t>(module_.attributes(id).ints(Attr::BroadcastDims)[0])]);
    return static_cast<double>(element_count(extents)) * std::log2(std::max(along, 2.0));
  }

  const Module& module_;
  InstructionRunner runner_;
  std::vector<std::optional<double>> known_ = std::vector<std::optional<double>>(module_.computations().size());
};

}  // namespace

double estimated_operations(const Case& c) {
  // A sequential program with manual regions has values of all ranks and collectives over them.
  BodyTable& sequential = c.manual_bodies ? *c.manual_bodies : *c.sequential_bodies;
  KeptByRuns& kept = kept_by_runs(c);
  if (!kept.operations) kept.operations = Estimate(sequential, kept.plans).entry() + Estimate(*c.distributed_bodies, kept.plans).entry();
  return *kept.operations;
}

NumberMode affordable_mode(const Case& c) {
  return estimated_operations(c) > kAffordable ? NumberMode::F64 : NumberMode::Real;
}

NumberMode trace_mode(const Case& c) {
  return estimated_operations(c) > kTraceable ? NumberMode::F64 : NumberMode::Real256;
}

}  // namespace gg
