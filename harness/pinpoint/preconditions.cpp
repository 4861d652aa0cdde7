// Preconditions confirmed by runs (harness/pinpoint/preconditions.h).
#include "harness/pinpoint/preconditions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>

#include <fmt/format.h>

#include "harness/pinpoint/bounds.h"
#include "harness/pinpoint/inline.h"
#include "models/ir/kinds.h"
#include "runtime/value.h"
#include "runtime/divergence.h"

namespace gg::pinpoint {
namespace {

constexpr int kDraws = 6;              ///< that must agree
constexpr std::size_t kMaxInputs = 4;  ///< counted inputs that are tried
constexpr int kMostDraws = 40;        ///< made to find some that keep a bound
constexpr double kBoundable = 2e7;     ///< operations of a pair whose bounds are tried
constexpr double kGrid = 1024;         ///< floats are moved to multiples of 1/1024, so that equal sums are equal exactly
constexpr std::array kAll = {Circumstance::EqualSums, Circumstance::SameValues, Circumstance::SameBlocks, Circumstance::NothingMasked};

/// The input leaf of which a value is a function, if it is one of a single leaf and constants.
struct Source {
  enum class Kind : std::uint8_t { Constant, Leaf, Other } kind = Kind::Constant;
  std::size_t leaf = 0;
};

/// The first leaf of each parameter.
std::map<InstructionId, std::size_t> first_leaves(const Module& module) {
  std::map<InstructionId, std::size_t> first;
  std::size_t leaf = 0;
  for (const InstructionId parameter : module.computation(module.entry()).parameters) {
    first[parameter] = leaf;
    leaf += array_leaf_types(module.type(parameter)).size();
  }
  return first;
}

Source combined(const Module& module, InstructionId id, const std::map<InstructionId, Source>& known) {
  const OpTraits traits = info(module[id].op).traits;
  const bool plain = traits == OpTraits::Elementwise || DivergenceTrace::moves(module[id].op) || is_constant(module, id);
  Source result;
  for (const InstructionId operand : module.operands(id)) {
    const Source& from = known.at(operand);
    if (from.kind == Source::Kind::Constant) continue;
    if (from.kind == Source::Kind::Other || (result.kind == Source::Kind::Leaf && result.leaf != from.leaf)) return {Source::Kind::Other, 0};
    result = from;
  }
  return plain ? result : Source{Source::Kind::Other, 0};
}

bool adds(const Module& module, InstructionId reduce) {
  const auto& region = module.computation(module.attributes(reduce).computations(Attr::ToApply).at(0));
  return module[region.root].op == Op::Add;
}

/// Leaves of which the module computes a sum of nothing else.
std::set<std::size_t> summed_leaves(const Module& module) {
  const auto first = first_leaves(module);
  const Computation& entry = module.computation(module.entry());
  std::map<InstructionId, Source> known;
  std::set<std::size_t> leaves;
  for (InstructionId id = entry.first; id < entry.first + entry.count; ++id) {
    const auto operands = module.operands(id);
    const Op op = module[id].op;
    Source source{Source::Kind::Other, 0};
    if (op == Op::Parameter && module.type(id).is_array()) {
      source = {Source::Kind::Leaf, first.at(id)};
    } else if (op == Op::GetTupleElement && is_parameter(module, operands[0]) && module.type(id).is_array()) {
      std::size_t leaf = first.at(operands[0]);
      const auto index = static_cast<std::size_t>(module.attributes(id).integer(Attr::Index));
      const auto& parts = module.type(operands[0]).elements;
      for (std::size_t k = 0; k < index; ++k) leaf += array_leaf_types(parts[k]).size();
      source = {Source::Kind::Leaf, leaf};
    } else if (op != Op::Parameter) {
      source = combined(module, id, known);
      if (op == Op::Reduce && operands.size() == 2 && adds(module, id) && known.at(operands[0]).kind == Source::Kind::Leaf) {
        leaves.insert(known.at(operands[0]).leaf);
      }
    }
    known[id] = source;
  }
  return leaves;
}

const Placement* even_blocks(const Case& c, std::size_t input) {
  const FreeInput& free = c.relation.free[input];
  const auto leaf = static_cast<std::size_t>(free.leaf);
  if (leaf >= c.relation.input_placements.size()) return nullptr;
  const Placement& placement = c.relation.input_placements[leaf];
  if (placement.kind != Placement::Kind::Tiled || placement.dims.size() != free.type.dims.size()) return nullptr;
  for (const DimPlacement& dim : placement.dims) {
    if (!dim.segments.empty() || dim.chunk || dim.pad != 0 || dim.stride != 0 || dim.interleave != 0) return nullptr;
  }
  return &placement;
}

std::int64_t axis_size(const Case& c, const std::string& name) {
  for (const MeshAxis& axis : c.relation.mesh.axes) {
    if (axis.name == name) return axis.size;
  }
  return 1;
}

/// Elements of an input by the coordinate of the ranks that hold them over `axes`, each list in row-major order.
std::vector<std::vector<std::size_t>> blocks_over(const Case& c, std::size_t input, const std::vector<std::string>& axes) {
  const Placement* placement = even_blocks(c, input);
  const IntList& dims = c.relation.free[input].type.dims;
  if (placement == nullptr) return {};
  std::map<std::int64_t, std::vector<std::size_t>> blocks;
  const auto count = static_cast<std::size_t>(c.relation.free[input].type.count());
  for (std::size_t element = 0; element < count; ++element) {
    std::int64_t key = 0;
    auto rest = static_cast<std::int64_t>(element);
    for (std::size_t d = dims.size(); d-- > 0;) {
      const std::int64_t at = rest % dims[d];
      rest /= dims[d];
      std::int64_t parts = 1;
      for (const std::string& axis : placement->dims[d].axes) parts *= axis_size(c, axis);
      if (dims[d] % parts != 0) return {};
      std::int64_t coordinate = at / (dims[d] / parts);
      for (auto axis = placement->dims[d].axes.rbegin(); axis != placement->dims[d].axes.rend(); ++axis) {
        const std::int64_t size = axis_size(c, *axis), digit = coordinate % size;
        coordinate /= size;
        if (std::find(axes.begin(), axes.end(), *axis) != axes.end()) key = key * size + digit;
      }
    }
    blocks[key].push_back(element);
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [key, elements] : blocks) result.push_back(std::move(elements));
  return result;
}

/// Values as whole numbers of a step, with the bounds of the range.
struct Steps {
  double step = 1;
  std::int64_t lo = 0, hi = 0;
  std::vector<std::int64_t> values;
};

Steps steps_of(const Buffer& buffer, const Range& range) {
  Steps s;
  if (buffer.storage() == Storage::Double) {
    s.step = 1 / kGrid;
    s.lo = static_cast<std::int64_t>(std::ceil(range.lo * kGrid));
    s.hi = static_cast<std::int64_t>(std::floor(range.hi * kGrid));
    for (const double x : buffer.as<double>()) {
      s.values.push_back(std::clamp(static_cast<std::int64_t>(std::clamp(std::floor(x * kGrid), -1e15, 1e15)), s.lo, std::max(s.lo, s.hi)));
    }
  } else {
    s.lo = static_cast<std::int64_t>(range.lo);
    s.hi = static_cast<std::int64_t>(range.hi) - 1;
    for (const std::int64_t x : buffer.as<std::int64_t>()) s.values.push_back(std::clamp(x, s.lo, std::max(s.lo, s.hi)));
  }
  return s;
}

void store(const Steps& s, Buffer& buffer) {
  for (std::size_t k = 0; k < s.values.size(); ++k) {
    if (buffer.storage() == Storage::Double) buffer.as<double>()[k] = static_cast<double>(s.values[k]) * s.step;
    else buffer.as<std::int64_t>()[k] = s.values[k];
  }
}

/// Elements are raised or lowered, each by as much as its range allows, until every block has the sum of the first.
bool equal_sums(Steps& s, const std::vector<std::vector<std::size_t>>& blocks) {
  if (s.lo >= s.hi) return false;
  const auto sum = [&](const std::vector<std::size_t>& block) {
    std::int64_t total = 0;
    for (const std::size_t element : block) total += s.values[element];
    return total;
  };
  const std::int64_t wanted = sum(blocks[0]);
  for (const auto& block : blocks) {
    std::int64_t missing = wanted - sum(block);
    for (const std::size_t element : block) {
      std::int64_t& value = s.values[element];
      const std::int64_t change = std::clamp(missing, s.lo - value, s.hi - value);
      value += change;
      missing -= change;
    }
    if (missing != 0) return false;
  }
  return true;
}

void same_values(Steps& s, const std::vector<std::vector<std::size_t>>& blocks, bool shuffled, std::uint64_t seed) {
  std::vector<std::int64_t> values;
  for (const std::size_t element : blocks[0]) values.push_back(s.values[element]);
  std::mt19937_64 random(seed);
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    if (shuffled) {
      for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[random() % k]);
    }
    for (std::size_t k = 0; k < values.size(); ++k) s.values[blocks[b][k]] = values[k];
  }
}

std::string told(Circumstance circumstance, const std::string& input, const std::vector<std::string>& axes) {
  const std::string ranks = fmt::format("{} ranks", fmt::join(axes, ", "));
  switch (circumstance) {
    case Circumstance::EqualSums: return fmt::format("the sum of {} is the same on all {}", input, ranks);
    case Circumstance::SameValues: return fmt::format("all {} have the same values of {}, in any order", ranks, input);
    case Circumstance::SameBlocks: return fmt::format("{} is the same on all {}", input, ranks);
    case Circumstance::NothingMasked: return fmt::format("every element of {} is 1", input);
    case Circumstance::BoundKept: break;
  }
  return "";
}

class Confirmer {
 public:
  Confirmer(Case& c, const InputSet& differing, const DrawOutcome& outcome, const DifferentialOptions& options)
      : case_(c), differing_(differing), outcome_(outcome), options_(options) {}

  bool holds(std::size_t input, Circumstance circumstance, const std::vector<std::string>& axes) {
    for (int draw = 0; draw < kDraws; ++draw) {
      InputSet inputs = draw_inputs(case_.relation, options_.seed + 5001 + static_cast<std::uint64_t>(draw), draw % 2);
      if (!satisfy(case_, input, circumstance, axes, inputs) || !agrees(inputs)) return false;
    }
    return true;
  }

  /// Bounds of the sequential program under which the pair agrees, on draws that keep them.
  std::vector<Precondition> kept_bounds() {
    const std::vector<Bound> all = bounds(*case_.sequential);
    if (all.empty() || estimated_operations(case_) > kBoundable) return {};
    std::vector<int> agreed(all.size(), 0);
    const std::vector<bool> here_too = kept(case_, all, differing_, options_.budget);
    for (std::size_t k = 0; k < all.size(); ++k) agreed[k] = here_too[k] ? -1 : 0;  // the pair differs although it is kept
    const auto settled = [](int n) { return n < 0 || n >= kDraws; };
    for (int draw = 0; draw < kMostDraws && !std::all_of(agreed.begin(), agreed.end(), settled); ++draw) {
      const InputSet inputs = draw_inputs(case_.relation, options_.seed + 6001 + static_cast<std::uint64_t>(draw), 0);
      const std::vector<bool> here = kept(case_, all, inputs, options_.budget);
      std::optional<bool> same;
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (!here[k] || settled(agreed[k])) continue;
        if (!same) same = agrees(inputs);
        agreed[k] = *same ? agreed[k] + 1 : -1;
      }
    }
    std::vector<Precondition> result;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (agreed[k] < kDraws) continue;
      result.push_back({Circumstance::BoundKept, std::string(case_.sequential->name_of(all[k].compare)), {}, all[k].text, agreed[k]});
    }
    return result;
  }

 private:
  /// All outputs agree, and those that differed before are compared.
  bool agrees(const InputSet& inputs) {
    DifferentialOptions options = options_;
    options.agreement_only = true;
    const DrawOutcome now = run_once(case_, inputs, options);
    if (now.failure || !now.differences.empty()) return false;
    return std::all_of(outcome_.differences.begin(), outcome_.differences.end(), [&](const Difference& d) {
      const OutputOutcome& output = now.outputs[static_cast<std::size_t>(d.output)];
      return output.agreement == Agreement::Agrees && output.compared > 0;
    });
  }

  Case& case_;
  const InputSet& differing_;
  const DrawOutcome& outcome_;
  const DifferentialOptions& options_;
};

}  // namespace

std::string_view to_string(Circumstance circumstance) {
  switch (circumstance) {
    case Circumstance::EqualSums: return "equal-sums";
    case Circumstance::SameValues: return "same-values";
    case Circumstance::SameBlocks: return "same-blocks";
    case Circumstance::NothingMasked: return "nothing-masked";
    case Circumstance::BoundKept: return "bound-kept";
  }
  return "";
}

std::vector<std::size_t> counted_inputs(const Case& c) {
  const std::set<std::size_t> leaves = summed_leaves(inlined(*c.sequential));
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < c.relation.free.size(); ++k) {
    const FreeInput& input = c.relation.free[k];
    const bool stated = is_integral(input.type.element) || input.range.origin != Range::Origin::Default;
    if (leaves.count(static_cast<std::size_t>(input.leaf)) != 0 && stated && input.range.lo >= 0) result.push_back(k);
  }
  return result;
}

bool satisfy(const Case& c, std::size_t input, Circumstance circumstance, const std::vector<std::string>& axes, InputSet& inputs) {
  const Range& range = c.relation.free[input].range;
  Buffer& buffer = inputs.free[input];
  if (circumstance == Circumstance::BoundKept) return false;
  if (circumstance == Circumstance::NothingMasked) {
    const bool floats = buffer.storage() == Storage::Double;
    if (range.lo > 1 || (floats ? range.hi < 1 : range.hi <= 1)) return false;
    if (floats) std::fill(buffer.as<double>().begin(), buffer.as<double>().end(), 1.0);
    else std::fill(buffer.as<std::int64_t>().begin(), buffer.as<std::int64_t>().end(), std::int64_t{1});
    return true;
  }
  const auto blocks = blocks_over(c, input, axes);
  if (blocks.size() < 2) return false;
  Steps s = steps_of(buffer, range);
  if (circumstance == Circumstance::EqualSums && !equal_sums(s, blocks)) return false;
  if (circumstance != Circumstance::EqualSums) same_values(s, blocks, circumstance == Circumstance::SameValues, inputs.seed);
  store(s, buffer);
  return true;
}

std::vector<Precondition> preconditions(Case& c, const InputSet& differing, const DrawOutcome& outcome, const DifferentialOptions& options) {
  std::vector<Precondition> result;
  std::vector<std::size_t> inputs = counted_inputs(c);
  inputs.resize(std::min(inputs.size(), kMaxInputs));
  Confirmer confirmer(c, differing, outcome, options);
  for (const std::size_t input : inputs) {
    const Placement* placement = even_blocks(c, input);
    std::vector<std::vector<std::string>> choices;
    std::vector<std::string> all;
    for (std::size_t d = 0; placement != nullptr && d < placement->dims.size(); ++d) {
      for (const std::string& axis : placement->dims[d].axes) {
        choices.push_back({axis});
        all.push_back(axis);
      }
    }
    if (all.size() > 1) choices.push_back(all);
    if (choices.empty()) choices.emplace_back();
    const std::size_t before = result.size();
    for (const Circumstance circumstance : kAll) {
      for (const auto& axes : choices) {
        if (circumstance == Circumstance::NothingMasked && &axes != &choices.front()) continue;
        if (!confirmer.holds(input, circumstance, axes)) continue;
        const std::vector<std::string> where = circumstance == Circumstance::NothingMasked ? std::vector<std::string>{} : axes;
        const std::string& name = c.relation.free[input].name;
        result.push_back({circumstance, name, where, told(circumstance, name, where), kDraws});
        break;
      }
      if (result.size() != before) break;
    }
  }
  for (Precondition& bound : confirmer.kept_bounds()) result.push_back(std::move(bound));
  return result;
}

}  // namespace gg::pinpoint
