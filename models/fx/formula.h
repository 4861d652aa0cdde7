// Arithmetic on nodes, for operators that are formulas.
#pragma once

#include "models/fx/types.h"

namespace gg::fx {

inline Value done(NodeId node) { return Value::tensor(node); }

/// The first result of an operator that has several.
template <Lowering kAll>
Value first(Operation& call) {
  return kAll(call).items[0];
}

/// Strides, paddings and factors that the text gives: products with extents stay within 64 bits.
constexpr std::int64_t kMostStep = std::int64_t{1} << 14;

/// What undoes a permutation.
std::vector<std::int64_t> inverse(const std::vector<std::int64_t>& permutation);
/// Argument k as one number for each of `count` dimensions: a single one serves all. None: `absent`.
std::vector<std::int64_t> each_dimension(Operation& call, std::size_t k, std::size_t count, const std::vector<std::int64_t>& absent);

/// Arithmetic on nodes of the result's type, which is a float, or of another one.
struct Formula {
  Operation& call;
  Emitter& e;
  ElementType type;
  explicit Formula(Operation& c) : Formula(c, c.element()) {}
  Formula(Operation& c, ElementType t) : call(c), e(c.e), type(t) {
    if (!is_float(call.element())) call.refuse("of integers");
  }
  NodeId n(double value) const { return e.number(type, value); }
  /// A Python number among the arguments.
  NodeId arg(std::size_t k) const { return call.operand(k, call.element()); }
  NodeId add(NodeId a, NodeId b) const { return e.binary(Op::Add, a, b); }
  NodeId sub(NodeId a, NodeId b) const { return e.binary(Op::Subtract, a, b); }
  NodeId mul(NodeId a, NodeId b) const { return e.binary(Op::Multiply, a, b); }
  NodeId div(NodeId a, NodeId b) const { return e.binary(Op::Divide, a, b); }
  NodeId max(NodeId a, NodeId b) const { return e.binary(Op::Maximum, a, b); }
  NodeId min(NodeId a, NodeId b) const { return e.binary(Op::Minimum, a, b); }
  NodeId exp(NodeId x) const { return e.unary(Op::Exponential, x); }
  NodeId log(NodeId x) const { return e.unary(Op::Log, x); }
  NodeId log1p(NodeId x) const { return e.unary(Op::LogPlusOne, x); }
  NodeId abs(NodeId x) const { return e.unary(Op::Abs, x); }
  NodeId neg(NodeId x) const { return e.unary(Op::Negate, x); }
  NodeId tanh(NodeId x) const { return e.unary(Op::Tanh, x); }
  NodeId sigmoid(NodeId x) const { return e.unary(Op::Logistic, x); }
  NodeId less(NodeId a, NodeId b) const { return e.compare("LT", a, b); }
  NodeId at_most(NodeId a, NodeId b) const { return e.compare("LE", a, b); }
  NodeId equal(NodeId a, NodeId b) const { return e.compare("EQ", a, b); }
  NodeId nan(NodeId x) const { return e.compare("NE", x, x); }
  NodeId both(NodeId a, NodeId b) const { return e.binary(Op::And, a, b); }
  NodeId select(NodeId condition, NodeId a, NodeId b) const { return e.select(condition, a, b); }
};

}  // namespace gg::fx
