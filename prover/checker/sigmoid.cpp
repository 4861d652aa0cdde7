// Sigmoids by exponentials (docs/certificate.md, section 4, P5).
#include "prover/checker/number.h"
#include "prover/checker/scalar.h"

namespace gg::checker {

Value sigmoid(Terms& t, ScalarFn fn, Value x) {
  const Rational twice = fn == ScalarFn::Tanh ? 2 : 1;
  const Value inverse = power(t, sum(t, number(t, 1), exponential(t, scaled(t, -twice, x))), -1);
  return sum(t, scaled(t, twice, inverse), number(t, Rational(1) - twice));
}

}  // namespace gg::checker
