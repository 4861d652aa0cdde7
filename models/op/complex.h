// Complex numbers as pairs of real values: what operators on them mean, for every front end.
#pragma once

#include "models/op/op.h"

namespace gg {

template <class Node>
struct Complex {
  Node re, im;
};

/// The formulas, over what makes instructions by `unary(Op, x)` and `binary(Op, a, b)`.
template <class Emitter, class Node>
struct ComplexFormulas {
  using Pair = Complex<Node>;
  Emitter& e;

  /// An operator that acts on both parts alike.
  Pair alike(Op op, Pair x, Pair y) const { return {e.binary(op, x.re, y.re), e.binary(op, x.im, y.im)}; }
  /// `times`: the product of real values, which may be one of matrices.
  template <class Times>
  Pair product(Pair x, Pair y, Times times) const {
    return {e.binary(Op::Subtract, times(x.re, y.re), times(x.im, y.im)), e.binary(Op::Add, times(x.re, y.im), times(x.im, y.re))};
  }
  Pair product(Pair x, Pair y) const {
    return product(x, y, [&](Node a, Node b) { return e.binary(Op::Multiply, a, b); });
  }
  Pair quotient(Pair x, Pair y) const {
    const Pair above = product(x, conjugate(y));
    const Node size = square(y);
    return {e.binary(Op::Divide, above.re, size), e.binary(Op::Divide, above.im, size)};
  }
  Pair conjugate(Pair z) const { return {z.re, e.unary(Op::Negate, z.im)}; }
  Node square(Pair z) const { return e.binary(Op::Add, e.binary(Op::Multiply, z.re, z.re), e.binary(Op::Multiply, z.im, z.im)); }
  Node length(Pair z) const { return e.unary(Op::Sqrt, square(z)); }
  Pair polar(Node length, Node angle) const {
    return {e.binary(Op::Multiply, length, e.unary(Op::Cosine, angle)), e.binary(Op::Multiply, length, e.unary(Op::Sine, angle))};
  }
  Pair exponential(Pair z) const { return polar(e.unary(Op::Exponential, z.re), z.im); }
  Node angle(Pair z) const { return e.binary(Op::Atan2, z.im, z.re); }
  Pair logarithm(Pair z) const { return {e.unary(Op::Log, length(z)), angle(z)}; }
};

}  // namespace gg
