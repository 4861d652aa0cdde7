// Sigmoids by exponentials (certificate.md, P5), where only one of the programs has them as such.
#include "prover/term/store.h"

namespace gg::prover {

/// logistic(x) or tanh(x) as c (1 + exp(-c x))^-1 - (c - 1), c = 1 or 2.
std::optional<TermId> Terms::sigmoid(ScalarFn f, TermId x) {
  if (!sigmoids_by_exponentials || (f != ScalarFn::Logistic && f != ScalarFn::Tanh)) return std::nullopt;
  const std::int64_t c = f == ScalarFn::Tanh ? 2 : 1;
  const TermId below = pow(add(TermId::One, exp_of(scale(q.of(-c), x))), q.of(-1));
  return add(scale(q.of(c), below), lit(q.of(1 - c)));
}

}  // namespace gg::prover
