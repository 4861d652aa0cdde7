// Values that lie several definitions above what a term reads, fewer along one way than along another.
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

// A softmax whose rows are sums of two functions, from which the distributed program subtracts another number than the maximum of the row.
const PairText kSoftmax{R"(
  x = f32[4,8] parameter(0)
  t = f32[4,8] tanh(x)
  u = f32[4,8] sine(x)
  a = f32[4,8] add(t, u)
  low = f32[] constant(-inf)
  m = f32[4] reduce(a, low), dimensions={1}, to_apply=max
  mm = f32[4,8] broadcast(m), dimensions={0}
  d = f32[4,8] subtract(a, mm)
  e = f32[4,8] exponential(d)
  zero = f32[] constant(0)
  s = f32[4] reduce(e, zero), dimensions={1}, to_apply=add
  ss = f32[4,8] broadcast(s), dimensions={0}
  ROOT p = f32[4,8] divide(e, ss)
)",
                        R"(
  x = f32[2,8] parameter(0)
  t = f32[2,8] tanh(x)
  u = f32[2,8] sine(x)
  a = f32[2,8] add(t, u)
  least = f32[] constant(1.5)
  m = f32[2] reduce(a, least), dimensions={1}, to_apply=max
  mm = f32[2,8] broadcast(m), dimensions={0}
  d = f32[2,8] subtract(a, mm)
  e = f32[2,8] exponential(d)
  zero = f32[] constant(0)
  s = f32[2] reduce(e, zero), dimensions={1}, to_apply=add
  ss = f32[2,8] broadcast(s), dimensions={0}
  ROOT p = f32[2,8] divide(e, ss)
)",
                        R"([[["dp"],[]]])", R"([[["dp"],[]]])"};

TEST(Reached, DefinitionsAreOpenedOneByOne) {
  const ProofResult r = proof_of(kSoftmax);
  EXPECT_TRUE(r.proved);
  for (const Island& island : r.islands) EXPECT_EQ(island.instance.find("%p"), std::string::npos);  // it is the sequential value
  expect_unproved(kSoftmax, "constant(1.5)", "constant(inf)");
  expect_unproved(kSoftmax, "constant(0)", "constant(1)");
  expect_unproved(kSoftmax, "reduce(e, zero)", "reduce(a, zero)");
  expect_unproved(kSoftmax, "subtract(a, mm)", "subtract(t, mm)");
  expect_unproved(kSoftmax, "divide(e, ss)", "divide(d, ss)");
}

}  // namespace
}  // namespace gg
