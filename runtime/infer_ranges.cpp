// Ranges that inputs are drawn from where none is given. They are no premises: a proof that needs one states it
// (models/pair/index_uses.h), and draws look outside too. Integers lie in what they index, or in the iota that they are compared
// with; floats that reach a square root, logarithm or power through a chain of operators that keep signs (a backward walk over
// the sequential program) mostly in [0, 1], where a trial run shows that this makes more output elements finite.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "models/base/check.h"
#include "models/pair/index_uses.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"
#include "models/body/reads.h"
#include "runtime/value.h"

namespace gg {
namespace {

constexpr std::int64_t kDefaultExtent = 8;
constexpr std::size_t kMaxTrials = 64;

/// Do the users of each array leaf need its values not to be negative?
using Demands = std::vector<char>;

/// Operators that hand the demand on their result on to their operands.
struct Flow {
  Op op;
  unsigned operands;  ///< bit k: operand k; bit 31: all of them
};
constexpr unsigned kAll = 0x80000000U;
constexpr std::array kFlows = {
    Flow{Op::Convert, 1},   Flow{Op::Copy, 1},         Flow{Op::Reshape, 1},      Flow{Op::Bitcast, 1},   Flow{Op::Broadcast, 1},
    Flow{Op::Transpose, 1}, Flow{Op::Slice, 1},        Flow{Op::Reverse, 1},      Flow{Op::Concatenate, kAll}, Flow{Op::Pad, 3},
    Flow{Op::DynamicSlice, 1}, Flow{Op::Gather, 1},    Flow{Op::DynamicUpdateSlice, 3}, Flow{Op::Select, 6}, Flow{Op::Clamp, 2},
    Flow{Op::Add, 3},       Flow{Op::Subtract, 1},     Flow{Op::Minimum, 3},      Flow{Op::Multiply, 3},  Flow{Op::Divide, 3},
    Flow{Op::Reduce, 1},    Flow{Op::Sqrt, 1},         Flow{Op::OptimizationBarrier, 1},
};
constexpr std::array kNeedNotNegative = {Op::Sqrt, Op::Rsqrt, Op::Log, Op::Power};

class Backward {
 public:
  explicit Backward(const Module& module) : module_(module) {}

  /// Demands on the parameters' leaves, given those on the root's.
  std::vector<Demands> computation(ComputationId id, const Demands& root) {
    const Computation& c = module_.computation(id);
    std::vector<Demands> demands(c.count);
    for (std::uint32_t i = 0; i < c.count; ++i) demands[i].resize(array_leaves(module_.type(c.first + i)));
    merge(demands[c.root - c.first], root);
    std::vector<Demands> parameters(c.parameters.size());
    for (std::uint32_t i = c.count; i-- > 0;) {
      const InstructionId current = c.first + i;
      std::vector<Demands> operands = instruction(current, demands[i]);
      if (module_[current].op == Op::Parameter) {
        parameters.at(static_cast<std::size_t>(module_.attributes(current).integer(Attr::Parameter))) = demands[i];
      }
      const auto ids = module_.operands(current);
      for (std::size_t k = 0; k < operands.size(); ++k) merge(demands[ids[k] - c.first], operands[k]);
    }
    return parameters;
  }

 private:
  static void merge(Demands& into, const Demands& from) {
    for (std::size_t leaf = 0; leaf < std::min(into.size(), from.size()); ++leaf) into[leaf] |= from[leaf];
  }

  std::vector<Demands> instruction(InstructionId id, const Demands& result) {
    const auto ids = module_.operands(id);
    std::vector<Demands> operands(ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) operands[k].resize(array_leaves(module_.type(ids[k])));
    structure(id, result, operands);
    elementwise(id, result, operands);
    return operands;
  }

  void structure(InstructionId id, const Demands& result, std::vector<Demands>& operands) {
    const Attributes& attributes = module_.attributes(id);
    const Op op = module_[id].op;
    if (op == Op::Tuple) {
      std::size_t next = 0;
      for (Demands& operand : operands) {
        for (char& leaf : operand) leaf |= result.at(next++);
      }
    } else if (op == Op::GetTupleElement) {
      const std::size_t first = first_leaf(module_.type(module_.operands(id)[0]), attributes.integer(Attr::Index));
      for (std::size_t k = 0; k < result.size(); ++k) operands[0].at(first + k) |= result[k];
    } else if (op == Op::Call || op == Op::Fusion) {
      const auto& callee = attributes.computations(attributes.has(Attr::Calls) ? Attr::Calls : Attr::ToApply);
      operands = computation(callee.at(0), result);
    } else if (op == Op::While) {
      // What the state must be before the loop: what it must be after, and for the body, twice round.
      Demands state = result;
      for (int round = 0; round < 2; ++round) {
        merge(state, computation(attributes.computations(Attr::Body).at(0), state).at(0));
      }
      merge(state, computation(attributes.computations(Attr::Condition).at(0), {}).at(0));
      operands[0] = state;
    } else if (op == Op::Conditional) {
      const ComputationList branches = branches_of(module_, id);
      for (std::size_t k = 0; k < branches.size(); ++k) operands.at(k + 1) = computation(branches[k], result).at(0);
    }
  }

  void elementwise(InstructionId id, const Demands& result, std::vector<Demands>& operands) const {
    const Op op = module_[id].op;
    const auto ids = module_.operands(id);
    const bool square = op == Op::Multiply && ids[0] == ids[1];
    for (const Flow& flow : kFlows) {
      if (flow.op != op || result.empty() || result[0] == 0 || square) continue;
      for (std::size_t k = 0; k < operands.size(); ++k) {
        if (flow.operands != kAll && (k >= 8 || (flow.operands >> k & 1U) == 0)) continue;
        std::fill(operands[k].begin(), operands[k].end(), char{1});
      }
    }
    if (std::find(kNeedNotNegative.begin(), kNeedNotNegative.end(), op) != kNeedNotNegative.end()) operands[0].at(0) = 1;
  }

  const Module& module_;
};

/// Elements of the sequential outputs that are not finite, on the plain draw.
std::int64_t not_finite(const Case& c, Executor& executor) {
  constexpr std::uint64_t kTrialSeed = 1;
  RunOptions options;
  options.mode = NumberMode::F64;
  const InputSet inputs = draw_inputs(c.relation, kTrialSeed, 0);
  const RunResult result = executor.run(shared_sequential_inputs(c, inputs, options.mode), options);
  std::int64_t count = 0;
  for (const Buffer& output : result.outputs) {
    if (output.storage() != Storage::Double) continue;
    for (const double value : output.as<double>()) count += std::isfinite(value) ? 0 : 1;
  }
  return count;
}

/// Tries [0, 1] for each candidate on its own, keeping what makes more elements finite.
void try_not_negative(Case& c, const std::vector<std::size_t>& candidates) {
  if (candidates.empty()) return;
  Executor executor(*c.sequential_bodies, nullptr);
  try {
    std::int64_t best = not_finite(c, executor);
    for (std::size_t k = 0; k < candidates.size() && k < kMaxTrials && best != 0; ++k) {
      Range& range = c.relation.free[candidates[k]].range;
      const Range old = range;
      range = {0, 1, Range::Origin::Inferred};
      const std::int64_t now = not_finite(c, executor);
      if (now < best) {
        best = now;
      } else {
        range = old;
      }
    }
  } catch (const RuntimeFailure&) {
    // The program cannot be run here; the run itself will say why.
  }
}

}  // namespace

namespace {

/// The free float inputs that must not be negative for the sequential program, as far as the walk sees.
std::vector<std::size_t> not_negative(Case& c) {
  const auto& free = c.relation.free;
  const auto parameters = Backward(*c.sequential).computation(c.sequential->entry(), {});
  Demands leaves;
  for (const Demands& parameter : parameters) leaves.insert(leaves.end(), parameter.begin(), parameter.end());
  GG_CHECK(leaves.size() == c.relation.sequential_inputs.size(), "one body a parameter leaf");
  std::vector<bool> wanted(free.size());
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    if (leaves[leaf] == 0) continue;
    const auto reads = operands_read(*c.arena, c.relation.sequential_inputs[leaf].root, free.size());
    for (std::size_t k = 0; k < free.size(); ++k) wanted[k] = wanted[k] || reads[k];
  }
  std::vector<std::size_t> candidates;
  for (std::size_t k = 0; k < free.size(); ++k) {
    if (wanted[k] && !is_integral(free[k].type.element) && free[k].range.origin == Range::Origin::Default) candidates.push_back(k);
  }
  return candidates;
}

/// Range, corners and premise of an integer input.
void infer_integer(FreeInput& input, const IndexUses& uses) {
  input.in_bounds = in_bounds(input, uses);
  const auto core = uses.indexed ? uses.indexed : uses.matched;
  if (input.range.origin == Range::Origin::Default) {
    input.range = {0, static_cast<double>(kDefaultExtent), Range::Origin::Default};
    if (core && core->hi > core->lo) {
      const std::int64_t lo = is_signed(input.type.element) ? core->lo : std::max<std::int64_t>(core->lo, 0);
      input.range = {static_cast<double>(lo), static_cast<double>(core->hi + 1), Range::Origin::Inferred};
    }
  }
  std::set<std::int64_t> corners(uses.compared.begin(), uses.compared.end());
  if (core) corners.insert({core->lo, core->hi});
  const bool given = input.range.origin == Range::Origin::Given;
  std::erase_if(corners, [&](std::int64_t value) {
    const auto real = static_cast<double>(value);
    const bool outside = given ? real < input.range.lo || real >= std::max(input.range.hi, input.range.lo + 1)
                               : input.in_bounds && (value < input.in_bounds->lo || value > input.in_bounds->hi);
    return outside || wrap_to(input.type.element, value) != value;
  });
  input.corners.assign(corners.begin(), corners.end());
}

}  // namespace

void infer_ranges(Case& c, const Case* reduced) {
  const std::vector<IndexUses> uses = index_uses(c);
  auto& free = c.relation.free;
  const std::vector<std::size_t> candidates = reduced == nullptr ? not_negative(c) : std::vector<std::size_t>{};
  for (std::size_t k = 0; k < free.size(); ++k) {
    Range& range = free[k].range;
    const ElementType type = free[k].type.element;
    if (is_integral(type) && type != ElementType::Pred) {
      infer_integer(free[k], uses[k]);
    } else if (range.origin == Range::Origin::Default) {
      range = type == ElementType::Pred ? Range{0, 2, Range::Origin::Default} : Range{-1, 1, Range::Origin::Default};
      if (reduced != nullptr && type != ElementType::Pred) range = reduced->relation.free.at(k).range;
    }
  }
  try_not_negative(c, candidates);
}

}  // namespace gg
