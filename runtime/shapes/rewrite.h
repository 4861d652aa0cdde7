// Writing the reduced programs: types, attributes and literals at the new sizes.
#pragma once

#include <array>
#include <map>
#include <tuple>

#include "runtime/shapes/collect.h"
#include "runtime/shapes/reduce.h"

namespace gg {

/// What becomes of the literals: by use the new values of the constant, where they change.
struct LiteralPlan {
  /// (side, user, operand) -> new values, of floats the bits of a double; user kNone = the instruction `operand` itself as a root.
  std::map<std::tuple<std::uint8_t, InstructionId, std::uint32_t>, std::vector<std::int64_t>> values;
  /// Where floats are rewritten: by side and instruction the constant whose one float it is, or kNone; and all uses.
  std::array<std::vector<InstructionId>, 2> float_literals;
  std::vector<LiteralUse> float_uses;
  std::vector<LiteralChange> changes;
  std::vector<std::string> text;  ///< for the report
};

/// After solve: the module at its new sizes.
Module rewrite_module(const Constraints& constraints, const Case& c, std::size_t program, const LiteralPlan& plan);

/// The relation at the new sizes, as text.
std::string rewrite_relation(const Constraints& constraints, const Case& c,
                             const std::map<std::size_t, std::pair<SizeExpr, SizeExpr>>& ranges);

}  // namespace gg
