// The larger of two integer maxima over neighbouring boxes (docs/certificate.md, F7).
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"

namespace gg::checker {

std::optional<Index> larger_by(Terms& t, Index difference) {
  const std::vector<Part> parts = t[difference].parts;
  if (parts.size() != 2 || !same(t[difference].c0, 0)) return std::nullopt;
  for (const Part& p : parts)
    if (t[p.atom].kind != AtomKind::Data || !same(magnitude(p.coef), 1)) return std::nullopt;
  const auto valued = [&](const Part& p, bool turned) {
    const Value v = t[p.atom].value;
    return (p.coef < 0) != turned ? minus(t, v) : v;
  };
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {  // a - b
    const Value a = valued(parts[k], false), b = valued(parts[1 - k], true);
    if (const auto whole = join(t, ScalarFn::Max, a, b)) return sub(t, to_index(t, *whole), to_index(t, b));
  }
  return std::nullopt;
}

}  // namespace gg::checker
