#include "models/ir/mask_flow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/ir/mask_shift.h"

namespace gg {
namespace {

constexpr unsigned kAll = ~0U;

/// What a value is to a mask's literal.
enum class Role : std::uint8_t {
  Literal,  ///< the literal at all places
  Masked,   ///< the literal at some places, or beside a maximum: exp makes it nearly zero
  Maximum,  ///< of masked values
  Shifted,  ///< a masked value minus a maximum: no number in a row that is masked as a whole
  Weight,   ///< exp of shifted values: nearly zero at some places
  Sum       ///< of weights, or a continuous function of such sums: its limit is that of the program
};
constexpr std::array kRoles = {Role::Literal, Role::Masked, Role::Maximum, Role::Shifted, Role::Weight, Role::Sum};
constexpr unsigned bit(Role role) { return 1U << static_cast<unsigned>(role); }

/// Operators that only move elements, and of which operands (bit k: operand k).
struct Moves {
  Op op;
  unsigned operands;
};
constexpr std::array kMoves = {
    Moves{Op::Broadcast, 1},
    Moves{Op::Convert, 1},
    Moves{Op::Copy, 1},
    Moves{Op::Reshape, 1},
    Moves{Op::Bitcast, 1},
    Moves{Op::Transpose, 1},
    Moves{Op::Slice, 1},
    Moves{Op::Reverse, 1},
    Moves{Op::ReducePrecision, 1},
    Moves{Op::DynamicSlice, 1},
    Moves{Op::Gather, 1},
    Moves{Op::AllGather, kAll},
    Moves{Op::AllToAll, kAll},
    Moves{Op::CollectivePermute, 1},
    Moves{Op::CollectiveBroadcast, 1},
};

/// Elements of several operands side by side: which of them are values.
constexpr std::array kJoins = {
    Moves{Op::Select, 6},
    Moves{Op::Concatenate, kAll},
    Moves{Op::Pad, 3},
    Moves{Op::DynamicUpdateSlice, 3},
};

constexpr std::array kContinuous = {
    Op::Abs,
    Op::Add,
    Op::Atan2,
    Op::Cbrt,
    Op::Clamp,
    Op::Convolution,
    Op::Cosine,
    Op::Divide,
    Op::Dot,
    Op::Erf,
    Op::Exponential,
    Op::ExponentialMinusOne,
    Op::Log,
    Op::LogPlusOne,
    Op::Logistic,
    Op::Maximum,
    Op::Minimum,
    Op::Multiply,
    Op::Negate,
    Op::Power,
    Op::Rsqrt,
    Op::Sine,
    Op::Sqrt,
    Op::Subtract,
    Op::Tanh,
};

template <std::size_t kCount>
bool has(const std::array<Moves, kCount>& table, Op op, std::size_t operand) {
  const auto* row = std::find_if(table.begin(), table.end(), [&](const Moves& m) { return m.op == op; });
  return row != table.end() && operand < 32 && (row->operands >> operand & 1U) != 0;
}

class Flow {
 public:
  Flow(const Module& module, const FlatProgram& flat, const std::vector<bool>& masks)
      : module_(module), flat_(flat), masks_(masks), facts_(shift_facts(module, flat, masks)), roles_(flat.nodes.size(), 0) {
    for (std::uint32_t node = 0; node < flat_.nodes.size(); ++node) {
      if (masks_[node]) roles_[node] = bit(Role::Literal);
      for (std::size_t k = 0; k < flat_.nodes[node].operand_count; ++k) {
        for (const Role role : kRoles) {
          if ((roles_[operand(node, k)] & bit(role)) == 0) continue;
          if (const auto now = result(node, k, role)) roles_[node] |= bit(*now);
        }
      }
    }
  }

  /// By node: in which of the roles that it has all its uses are allowed.
  std::vector<unsigned> allowed() const {
    std::vector<unsigned> may(flat_.nodes.size(), kAll);
    for (const FlatValue v : flat_.outputs) may[v.node] &= bit(Role::Sum);
    for (std::uint32_t node = static_cast<std::uint32_t>(flat_.nodes.size()); node-- > 0;) {  // users before operands
      if (may[node] == kAll) continue;                                                        // no output hangs on it
      for (std::size_t k = 0; k < flat_.nodes[node].operand_count; ++k) {
        unsigned here = 0;
        for (const Role role : kRoles) {
          if ((roles_[operand(node, k)] & bit(role)) == 0) continue;  // no literal comes here so
          const auto now = result(node, k, role);
          if (now && (may[node] & bit(*now)) != 0) here |= bit(role);
        }
        may[operand(node, k)] &= here;
      }
    }
    return may;
  }

 private:
  std::uint32_t operand(std::uint32_t node, std::size_t k) const { return flat_.operands(flat_.nodes[node])[k].node; }
  Op op(std::uint32_t node) const { return module_[flat_.nodes[node].instruction].op; }
  bool is(std::uint32_t node, Role role) const { return (roles_[node] & bit(role)) != 0; }
  bool float_result(std::uint32_t node) const {
    const LeafTypes leaves = module_.type(flat_.nodes[node].instruction).leaves();
    return std::all_of(leaves.begin(), leaves.end(), [](const Type* type) { return is_float(type->element); });
  }

  /// Nothing but minus infinity, or the literal of a mask, at all places?
  bool lowest(std::uint32_t node) const { return facts_[node].constant && facts_[node].shift.empty(); }
  bool near(std::uint32_t node) const {
    const Shift& shift = facts_[node].shift;
    return shift.empty() || (shift.lo >= -kMaskShift && shift.hi <= kMaskShift);
  }

  /// The role of the result where operand k has this one; nothing where a mask's literal may not be used so.
  std::optional<Role> result(std::uint32_t node, std::size_t k, Role role) const {
    const Op own = op(node);
    const bool jumps = !float_result(node);  // comparisons, integers
    if (jumps) return std::nullopt;
    if (role == Role::Sum && !has(kMoves, own, k) && !has(kJoins, own, k)) return continuous(node) ? std::optional(role) : std::nullopt;
    if (has(kMoves, own, k)) return role;
    if (has(kJoins, own, k)) return joined(node, k, role);
    switch (own) {
      case Op::Add: return role == Role::Maximum ? logarithm(operand(node, 1 - k)) : summand(node, k, role);
      case Op::Subtract: return difference(node, k, role);
      case Op::Negate:
      case Op::Multiply: return role == Role::Weight ? std::optional(role) : std::nullopt;
      case Op::Divide: return role == Role::Weight && k == 0 ? std::optional(role) : std::nullopt;
      case Op::Maximum: return maximum(operand(node, 1 - k), role);
      case Op::Exponential: return role == Role::Shifted && near(operand(node, 0)) ? std::optional(Role::Weight) : std::nullopt;
      case Op::Dot:
        if (role != Role::Weight) return std::nullopt;
        return several(node, Attr::LhsContractingDims) ? Role::Sum : role;
      case Op::Convolution: return role == Role::Weight ? std::optional(Role::Sum) : std::nullopt;
      case Op::Reduce:
      case Op::ReduceWindow:
      case Op::AllReduce:
      case Op::ReduceScatter: return reduced(node, k, role);
      default: return std::nullopt;
    }
  }

  /// A function without jumps, which is NaN where an argument is: nothing that is no number becomes one behind a sum.
  bool continuous(std::uint32_t node) const {
    if (const auto how = reducer(module_, flat_.nodes[node].instruction)) return *how == Op::Add || *how == Op::Maximum || *how == Op::Minimum;
    return std::find(kContinuous.begin(), kContinuous.end(), op(node)) != kContinuous.end();
  }

  /// A selection that another value takes part in puts the literal at some places.
  std::optional<Role> joined(std::uint32_t node, std::size_t k, Role role) const {
    if (role != Role::Literal) return role;
    if (op(node) == Op::Select && same_everywhere(operand(node, 0))) return std::nullopt;
    for (std::size_t other = 0; other < flat_.nodes[node].operand_count; ++other) {
      if (other != k && has(kJoins, op(node), other) && !lowest(operand(node, other))) return Role::Masked;
    }
    return Role::Literal;
  }

  /// A condition that the text decides, for all places and ranks at once.
  bool same_everywhere(std::uint32_t condition) const {
    if (!facts_[condition].uniform) return false;
    const Attributes& attributes = module_.attributes(flat_.nodes[source(condition)].instruction);
    if (op(source(condition)) != Op::Constant || !attributes.has(Attr::Literal)) return true;
    const std::vector<Scalar>& values = attributes.literal().values;
    return std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s == values[0]; });
  }

  std::optional<Role> summand(std::uint32_t node, std::size_t k, Role role) const {
    if (role == Role::Masked || role == Role::Shifted) return role;
    if (role != Role::Weight) return std::nullopt;
    const std::uint32_t other = operand(node, 1 - k);
    return is(other, Role::Weight) || is(other, Role::Sum) ? Role::Sum : Role::Weight;
  }

  /// Of maximum + log(sum of weights), which does not hang on the maximum.
  std::optional<Role> logarithm(std::uint32_t other) const {
    const std::uint32_t log = source(other);
    if (op(log) == Op::Log && is(source(operand(log, 0)), Role::Sum)) return Role::Sum;
    return std::nullopt;
  }

  std::optional<Role> difference(std::uint32_t node, std::size_t k, Role role) const {
    const std::uint32_t other = operand(node, 1 - k);
    if (role == Role::Weight || (role == Role::Shifted && k == 0)) return role;
    if (k == 1) return role == Role::Maximum && near(operand(node, 1)) ? std::optional(Role::Shifted) : std::nullopt;
    if (is(other, Role::Maximum) && near(other)) return Role::Shifted;
    return role == Role::Literal ? std::nullopt : std::optional(Role::Masked);
  }

  /// A maximum with one number is a clip, but for minus infinity, or the first value of a maximum of masked values.
  std::optional<Role> maximum(std::uint32_t other, Role role) const {
    if (role == Role::Literal) return is(other, Role::Maximum) ? std::optional(Role::Maximum) : std::nullopt;
    if (role != Role::Masked && role != Role::Maximum) return std::nullopt;
    if (facts_[other].constant && !lowest(other)) return std::nullopt;
    if (role == Role::Masked && is(other, Role::Literal)) return std::nullopt;
    return Role::Maximum;
  }

  std::optional<Role> reduced(std::uint32_t node, std::size_t k, Role role) const {
    const auto how = reducer(module_, flat_.nodes[node].instruction);
    const bool starts = op(node) == Op::Reduce || op(node) == Op::ReduceWindow;  // with a first value
    const std::size_t half = flat_.nodes[node].operand_count / 2;
    if (how == Op::Add) {
      if (role != Role::Weight || (starts && k >= half)) return std::nullopt;
      return op(node) != Op::Reduce || several(node, Attr::BroadcastDims) ? Role::Sum : role;
    }
    if (how != Op::Maximum) return std::nullopt;
    if (!starts) return role == Role::Masked || role == Role::Maximum ? std::optional(Role::Maximum) : std::nullopt;
    const std::uint32_t other = operand(node, k < half ? k + half : k - half);
    if (k >= half) return role == Role::Literal && is(other, Role::Masked) ? std::optional(Role::Maximum) : std::nullopt;
    const bool fits = (role == Role::Masked || role == Role::Maximum) && lowest(other);
    return fits ? std::optional(Role::Maximum) : std::nullopt;
  }

  /// Are there several elements along these dimensions of the first operand?
  bool several(std::uint32_t node, Attr dimensions) const {
    const Type& type = module_.type(module_.operands(flat_.nodes[node].instruction)[0]);
    std::int64_t count = 1;
    for (const std::int64_t d : module_.attributes(flat_.nodes[node].instruction).ints(dimensions)) count *= type.dims[static_cast<std::size_t>(d)];
    return count > 1;
  }

  /// Where the elements come from, behind moves.
  std::uint32_t source(std::uint32_t node) const {
    while (has(kMoves, op(node), 0)) node = operand(node, 0);
    return node;
  }

  const Module& module_;
  const FlatProgram& flat_;
  const std::vector<bool>& masks_;
  std::vector<ShiftFact> facts_;
  std::vector<unsigned> roles_;  ///< those that a value has
};

}  // namespace

std::optional<double> mask_literal(const Module& module, InstructionId id) {
  const Attributes& attributes = module.attributes(id);
  if (module[id].op != Op::Constant || !attributes.has(Attr::Literal) || !is_float(module.type(id).element)) return std::nullopt;
  const std::vector<Scalar>& values = attributes.literal().values;
  if (values.empty() || !(values[0].real <= kMaskLiteral) || !std::isfinite(values[0].real)) return std::nullopt;
  const bool splat = std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s == values[0]; });
  return splat ? std::optional(values[0].real) : std::nullopt;
}

std::vector<bool> mask_candidates(const Module& module, const FlatProgram& flat) {
  std::vector<bool> candidates;
  for (const FlatNode& node : flat.nodes) candidates.push_back(mask_literal(module, node.instruction).has_value());
  return candidates;
}

std::vector<bool> mask_constants(const Module& module, const FlatProgram& flat, std::vector<bool> assumed) {
  for (bool changed = true; changed;) {
    changed = false;
    if (std::find(assumed.begin(), assumed.end(), true) == assumed.end()) break;
    const std::vector<unsigned> may = Flow(module, flat, assumed).allowed();
    for (std::size_t node = 0; node < assumed.size(); ++node) {
      const bool used = may[node] != kAll;
      if (!assumed[node] || (used && (may[node] & bit(Role::Literal)) != 0)) continue;
      assumed[node] = false;
      changed = true;
    }
  }
  return assumed;
}

}  // namespace gg
