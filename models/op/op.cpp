// The operator table, made from ops.def and op_attributes.def, and the checks that come before every type rule.
#include "models/op/op.h"

#include <algorithm>
#include <array>

#include "models/base/check.h"
#include "models/op/rules.h"
#include "models/rank/digits.h"

namespace gg {

namespace {

constexpr OpInfo kOperators[] = {
#define OP(Enum, name, least, most, type, body, traits) \
  {Op::Enum, name, least, most, &type, body, OpTraits::traits, #type, #body},
#include "models/op/ops.def"
#undef OP
};

constexpr bool Required = true;
constexpr bool Optional = false;
constexpr OpAttribute kOpAttributes[] = {
#define TAKES(op, attr, required) {Op::op, Attr::attr, required},
#include "models/op/op_attributes.def"
#undef TAKES
};

constexpr bool operators_in_enum_order() {
  for (std::size_t k = 0; k < std::size(kOperators); ++k) {
    if (static_cast<std::size_t>(kOperators[k].op) != k || kOperators[k].name.empty()) return false;
  }
  return true;
}
constexpr bool names_are_unique() {
  for (std::size_t a = 0; a < std::size(kOperators); ++a) {
    for (std::size_t b = a + 1; b < std::size(kOperators); ++b) {
      if (kOperators[a].name == kOperators[b].name) return false;
    }
  }
  return true;
}
constexpr bool operand_counts_are_sane() {
  for (const OpInfo& row : kOperators) {
    if (row.least_operands < 0 || (row.most_operands != -1 && row.most_operands < row.least_operands)) return false;
  }
  return true;
}
constexpr bool attributes_follow_operators() {
  for (std::size_t k = 1; k < std::size(kOpAttributes); ++k) {
    if (kOpAttributes[k - 1].op > kOpAttributes[k].op) return false;
  }
  return true;
}
constexpr bool attributes_are_unique() {
  for (std::size_t a = 0; a < std::size(kOpAttributes); ++a) {
    for (std::size_t b = a + 1; b < std::size(kOpAttributes); ++b) {
      if (kOpAttributes[a].op == kOpAttributes[b].op && kOpAttributes[a].attr == kOpAttributes[b].attr) return false;
    }
  }
  return true;
}
static_assert(operators_in_enum_order(), "ops.def is indexed by Op");
static_assert(names_are_unique(), "two operators share a name");
static_assert(operand_counts_are_sane(), "an operator has an impossible operand count");
static_assert(attributes_follow_operators(), "op_attributes.def must follow the order of ops.def");
static_assert(attributes_are_unique(), "op_attributes.def lists an attribute twice");

/// Operators by name, sorted at compile time.
constexpr auto kByName = [] {
  std::array<std::uint8_t, std::size(kOperators)> order{};
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint8_t>(k);
  std::sort(order.begin(), order.end(),
            [](std::uint8_t a, std::uint8_t b) { return kOperators[a].name < kOperators[b].name; });
  return order;
}();

}  // namespace

std::span<const OpInfo> operators() { return kOperators; }

const OpInfo& info(Op op) { return kOperators[static_cast<std::size_t>(op)]; }

Body opaque(Arena&, const Call& call, int) {
  throw TypeError{DiagCode::UnsupportedForm, std::string(info(call.op).name) + " has no body"};
}
Body structure(Arena& arena, const Call& call, int leaf) { return opaque(arena, call, leaf); }

bool has_body(Op op) { return info(op).body != opaque && info(op).body != structure; }

std::optional<Op> find_op(std::string_view name) {
  const auto place = std::lower_bound(kByName.begin(), kByName.end(), name,
                                      [](std::uint8_t k, std::string_view key) { return kOperators[k].name < key; });
  if (place == kByName.end() || kOperators[*place].name != name) return std::nullopt;
  return kOperators[*place].op;
}

std::span<const OpAttribute> attributes_of(Op op) {
  const auto* first = std::lower_bound(std::begin(kOpAttributes), std::end(kOpAttributes), op,
                                       [](const OpAttribute& row, Op key) { return row.op < key; });
  const auto* last = first;
  while (last != std::end(kOpAttributes) && last->op == op) ++last;
  return {first, last};
}

std::optional<OpAttribute> find_attribute(Op op, std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const OpAttribute& row : attributes_of(op)) {
    if (info(row.attr).name == name) return row;
  }
  return std::nullopt;
}

Type infer_type(const Call& call) {
  const OpInfo& row = info(call.op);
  const auto count = static_cast<std::int64_t>(call.operands.size());
  if (count < row.least_operands || (row.most_operands >= 0 && count > row.most_operands)) {
    std::string wanted = std::to_string(row.least_operands);
    if (row.most_operands < 0) wanted = "at least " + wanted;
    throw TypeError{DiagCode::BadOperand, std::string(row.name) + " takes " + wanted +
                                              (row.least_operands == 1 ? " operand" : " operands") + ", not " +
                                              std::to_string(count)};
  }
  for (const OpAttribute& attribute : attributes_of(call.op)) {
    if (attribute.required && !call.attributes->has(attribute.attr)) {
      throw TypeError{DiagCode::MissingAttribute,
                      std::string(row.name) + " needs the attribute '" + std::string(info(attribute.attr).name) + "'"};
    }
  }
  return row.type(call);
}

Body make_body(Arena& arena, const Call& call, int leaf) {
  const OpInfo& row = info(call.op);
  if (!has_body(call.op)) return row.body(arena, call, leaf);  // throws
  const Type type = infer_type(call);
  const LeafTypes leaves = type.leaves();
  GG_CHECK(leaf >= 0 && static_cast<std::size_t>(leaf) < leaves.size(), "no result leaf " + std::to_string(leaf));
  const Type& array = *leaves[static_cast<std::size_t>(leaf)];
  if (array.is_array() && std::find(array.dims.begin(), array.dims.end(), 0) != array.dims.end()) {
    // Nobody reads an element of it.
    return {array.element, call.digits != nullptr ? lifted_extents(*call.digits, array.dims) : array.dims, arena.unknown(array.element)};
  }
  return row.body(arena, call, leaf);
}

}  // namespace gg
