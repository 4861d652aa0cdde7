#include "prover/term/sigmoid.h"

namespace gg::prover {

std::optional<TermId> sigmoid(Terms& t, ScalarFn f, TermId x) {
  if (!t.sigmoids_by_exponentials || (f != ScalarFn::Logistic && f != ScalarFn::Tanh)) return std::nullopt;
  const std::int64_t c = f == ScalarFn::Tanh ? 2 : 1;
  const TermId power = t.fn(ScalarFn::Exp, ElementType::F64, std::array{t.scale(t.q.of(-c), x)});
  return t.add(t.scale(t.q.of(c), t.pow(t.add(TermId::One, power), t.q.of(-1))), t.lit(t.q.of(1 - c)));
}

}  // namespace gg::prover
