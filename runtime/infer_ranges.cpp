// Default ranges of inputs (architecture.md, section 5). A backward walk over the sequential program asks of every value
// what its users need: integers that index a dimension (or are compared with an iota along it) its extent; floats that
// reach a square root, logarithm or power through a chain of operators that keep signs, that they are not negative. The
// latter is only believed where a trial run shows that [0, 1] makes more output elements finite.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/base/check.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"
#include "runtime/reads.h"
#include "runtime/value.h"

namespace gg {
namespace {

constexpr std::int64_t kDefaultExtent = 8;
constexpr std::size_t kMaxTrials = 64;

/// What the users of one array leaf need of its values.
struct Demand {
  std::int64_t extent = 0;  ///< smallest indexed extent; 0 = none
  bool not_negative = false;

  void add(const Demand& other) {
    if (other.extent > 1 && (extent == 0 || other.extent < extent)) extent = other.extent;
    not_negative = not_negative || other.not_negative;
  }
};
using Demands = std::vector<Demand>;

/// How an operator hands the demand on its result to its operands.
struct Flow {
  Op op;
  unsigned extent;        ///< bit k: operand k; bit 31: all operands
  unsigned not_negative;  ///< the same
};
constexpr unsigned kAll = 0x80000000U;
constexpr std::array kFlows = {
    Flow{Op::Convert, 1, 1},       Flow{Op::Copy, 1, 1},        Flow{Op::Reshape, 1, 1},    Flow{Op::Bitcast, 1, 1},
    Flow{Op::Broadcast, 1, 1},     Flow{Op::Transpose, 1, 1},   Flow{Op::Slice, 1, 1},      Flow{Op::Reverse, 1, 1},
    Flow{Op::Concatenate, kAll, kAll}, Flow{Op::Pad, 3, 3},     Flow{Op::DynamicSlice, 1, 1}, Flow{Op::Gather, 1, 1},
    Flow{Op::DynamicUpdateSlice, 3, 3}, Flow{Op::Select, 6, 6}, Flow{Op::Clamp, 2, 2},      Flow{Op::Add, 3, 3},
    Flow{Op::Subtract, 1, 1},      Flow{Op::Maximum, 3, 0},     Flow{Op::Minimum, 3, 3},    Flow{Op::Multiply, 0, 3},
    Flow{Op::Divide, 0, 3},        Flow{Op::Reduce, 1, 1},      Flow{Op::Sqrt, 0, 1},       Flow{Op::OptimizationBarrier, 1, 1},
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
    for (std::size_t leaf = 0; leaf < std::min(into.size(), from.size()); ++leaf) into[leaf].add(from[leaf]);
  }

  std::vector<Demands> instruction(InstructionId id, const Demands& result) {
    const auto ids = module_.operands(id);
    std::vector<Demands> operands(ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) operands[k].resize(array_leaves(module_.type(ids[k])));
    structure(id, result, operands);
    elementwise(id, result, operands);
    indexing(id, operands);
    return operands;
  }

  void structure(InstructionId id, const Demands& result, std::vector<Demands>& operands) {
    const Attributes& attributes = module_.attributes(id);
    const Op op = module_[id].op;
    if (op == Op::Tuple) {
      std::size_t next = 0;
      for (Demands& operand : operands) {
        for (Demand& leaf : operand) leaf.add(result.at(next++));
      }
    } else if (op == Op::GetTupleElement) {
      const auto& elements = module_.type(module_.operands(id)[0]).elements;
      const auto index = static_cast<std::size_t>(attributes.integer(Attr::Index));
      std::size_t first = 0;
      for (std::size_t k = 0; k < index; ++k) first += array_leaves(elements[k]);
      for (std::size_t k = 0; k < result.size(); ++k) operands[0].at(first + k).add(result[k]);
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
      ComputationList branches = attributes.computations(Attr::Branches);
      for (const Attr attr : {Attr::TrueComputation, Attr::FalseComputation}) {
        const auto& more = attributes.computations(attr);
        branches.insert(branches.end(), more.begin(), more.end());
      }
      for (std::size_t k = 0; k < branches.size(); ++k) operands.at(k + 1) = computation(branches[k], result).at(0);
    }
  }

  void elementwise(InstructionId id, const Demands& result, std::vector<Demands>& operands) const {
    const Op op = module_[id].op;
    const auto ids = module_.operands(id);
    const bool square = op == Op::Multiply && ids[0] == ids[1];
    for (const Flow& flow : kFlows) {
      if (flow.op != op || result.empty()) continue;
      for (std::size_t k = 0; k < operands.size(); ++k) {
        const auto takes = [&](unsigned mask) { return mask == kAll || (k < 8 && (mask >> k & 1U) != 0); };
        Demand demand;
        if (takes(flow.extent)) demand.extent = result[0].extent;
        if (takes(flow.not_negative) && !square) demand.not_negative = result[0].not_negative;
        for (Demand& leaf : operands[k]) leaf.add(demand);
      }
    }
    if (std::find(kNeedNotNegative.begin(), kNeedNotNegative.end(), op) != kNeedNotNegative.end()) {
      operands[0].at(0).not_negative = true;
    }
  }

  void indexing(InstructionId id, std::vector<Demands>& operands) const {
    const Attributes& attributes = module_.attributes(id);
    const auto ids = module_.operands(id);
    const Op op = module_[id].op;
    const auto dim = [&](std::size_t k, std::int64_t d) { return module_.type(ids[k]).dims.at(static_cast<std::size_t>(d)); };
    if (op == Op::Gather) {
      for (const std::int64_t d : attributes.ints(Attr::StartIndexMap)) {
        const std::int64_t size = attributes.ints(Attr::SliceSizes).at(static_cast<std::size_t>(d));
        operands[1].at(0).add({dim(0, d) - size + 1, false});
      }
    } else if (op == Op::Scatter) {
      const std::size_t indices = (ids.size() - 1) / 2;
      for (const std::int64_t d : attributes.ints(Attr::ScatterDims)) operands[indices].at(0).add({dim(0, d), false});
    } else if (op == Op::DynamicSlice || op == Op::DynamicUpdateSlice) {
      const std::size_t first = op == Op::DynamicSlice ? 1 : 2;
      for (std::size_t k = first; k < ids.size(); ++k) {
        const auto d = static_cast<std::int64_t>(k - first);
        const std::int64_t size = op == Op::DynamicSlice ? module_.type(id).dims.at(k - first) : dim(1, d);
        operands[k].at(0).add({dim(0, d) - size + 1, false});
      }
    } else if (op == Op::Compare) {
      for (const std::size_t k : {0U, 1U}) operands[k].at(0).add({iota_extent(ids[1 - k]), false});
    }
  }

  /// Extent of the iota that this value is, up to layout and conversion; 0 if it is none.
  std::int64_t iota_extent(InstructionId id) const {
    for (int steps = 0; steps < 64; ++steps) {
      const Op op = module_[id].op;
      if (op == Op::Iota) {
        const auto d = static_cast<std::size_t>(module_.attributes(id).integer(Attr::IotaDimension));
        return module_.type(id).dims.at(d);
      }
      constexpr std::array kThrough = {Op::Convert, Op::Copy, Op::Reshape, Op::Broadcast, Op::Transpose, Op::Bitcast};
      if (std::find(kThrough.begin(), kThrough.end(), op) == kThrough.end()) return 0;
      id = module_.operands(id)[0];
    }
    return 0;
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

void infer_ranges(Case& c, const Case* reduced) {
  const Module& module = *c.sequential;
  Backward backward(module);
  const auto parameters = backward.computation(module.entry(), {});
  Demands leaves;
  for (const Demands& parameter : parameters) leaves.insert(leaves.end(), parameter.begin(), parameter.end());
  GG_CHECK(leaves.size() == c.relation.sequential_inputs.size(), "one body a parameter leaf");
  auto& free = c.relation.free;
  Demands wanted(free.size());
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const auto reads = operands_read(*c.arena, c.relation.sequential_inputs[leaf].root, free.size());
    for (std::size_t k = 0; k < free.size(); ++k) {
      if (reads[k]) wanted[k].add(leaves[leaf]);
    }
  }
  std::vector<std::size_t> candidates;
  for (std::size_t k = 0; k < free.size(); ++k) {
    Range& range = free[k].range;
    if (range.origin != Range::Origin::Default) continue;
    const ElementType type = free[k].type.element;
    if (type == ElementType::Pred) {
      range = {0, 2, Range::Origin::Default};
    } else if (is_integral(type)) {
      const std::int64_t extent = wanted[k].extent;
      range = {0, static_cast<double>(extent > 1 ? extent : kDefaultExtent),
               extent > 1 ? Range::Origin::Inferred : Range::Origin::Default};
    } else {
      range = {-1, 1, Range::Origin::Default};
      if (reduced != nullptr) range = reduced->relation.free.at(k).range;
      if (reduced == nullptr && wanted[k].not_negative) candidates.push_back(k);
    }
  }
  try_not_negative(c, candidates);
}

}  // namespace gg
