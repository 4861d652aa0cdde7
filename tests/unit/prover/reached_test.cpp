// Values that lie several definitions above what a term reads, fewer along one way than along another.
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

// A softmax whose rows are sums of two functions, from which the distributed program subtracts another number than the maximum of the row.
std::string softmax(const std::string& rows, const std::string& least) {
  std::string text = R"(
  x = f32[N,8] parameter(0)
  t = f32[N,8] tanh(x)
  u = f32[N,8] sine(x)
  a = f32[N,8] add(t, u)
  least = f32[] constant()" +
                     least + R"()
  m = f32[N] reduce(a, least), dimensions={1}, to_apply=max
  mm = f32[N,8] broadcast(m), dimensions={0}
  d = f32[N,8] subtract(a, mm)
  e = f32[N,8] exponential(d)
  zero = f32[] constant(0)
  s = f32[N] reduce(e, zero), dimensions={1}, to_apply=add
  ss = f32[N,8] broadcast(s), dimensions={0}
  ROOT p = f32[N,8] divide(e, ss)
)";
  for (std::size_t at = text.find("[N"); at != std::string::npos; at = text.find("[N")) text.replace(at + 1, 1, rows);
  return text;
}

const PairText kSoftmax{softmax("4", "-inf"), softmax("2", "1.5"), R"([[["dp"],[]]])", R"([[["dp"],[]]])"};

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
