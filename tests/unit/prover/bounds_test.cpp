// Bounds of reals (docs/certificate.md, section 5): the best of noise that is made of logarithms of numbers up to 1 is a join, and one change
// of a bound away it may meet NaN.
#include "prover/certificate.h"
#include "prover/checker/checker.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

const std::string kRegion = R"(best { a = f32[] parameter(0)  i = s32[] parameter(1)  b = f32[] parameter(2)  j = s32[] parameter(3)
  more = pred[] compare(a, b), direction=GT
  own = pred[] compare(a, a), direction=NE
  first = pred[] or(more, own)
  c = f32[] select(first, a, b)
  same = pred[] compare(a, b), direction=EQ
  before = pred[] compare(i, j), direction=LT
  tie = pred[] and(same, before)
  take = pred[] or(first, tie)
  k = s32[] select(take, i, j)
  ROOT r = (f32[], s32[]) tuple(c, k) }
)";

// x - log(-log(w)) of `columns` columns, where `noise` makes w of u; @ is the type of all.
std::string noisy(const std::string& columns, const std::string& noise) {
  const std::string text = R"(
  least = f32[] constant(-inf)
  none = s32[] constant(0)
  half = f32[] constant(0.5)
  h = @ broadcast(half), dimensions={}
  x = @ parameter(0)
  u = @ parameter(1)
)" + noise + R"(
  l = @ log(w)
  n = @ negate(l)
  m = @ log(n)
  y = @ subtract(x, m)
)";
  std::string typed;
  for (const char c : text) typed += c == '@' ? "f32[" + columns + "]" : std::string(1, c);
  return typed;
}

PairText sampled(const std::string& noise, const std::string& range) {
  return {noisy("8", noise) + R"(
  i = s32[8] iota(), iota_dimension=0
  s = (f32[], s32[]) reduce(y, i, least, none), dimensions={0}, to_apply=best
  ROOT k = s32[] get-tuple-element(s), index=1
)",
          noisy("4", noise) + R"(
  own = s32[4] iota(), iota_dimension=0
  table = s32[4] constant({0, 4, 0, 4})
  pid = u32[] partition-id()
  entry = s32[1] dynamic-slice(table, pid), dynamic_slice_sizes={1}
  first = s32[] reshape(entry)
  firsts = s32[4] broadcast(first), dimensions={}
  i = s32[4] add(own, firsts)
  s = (f32[], s32[]) reduce(y, i, least, none), dimensions={0}, to_apply=best
  v = f32[] get-tuple-element(s), index=0
  k = s32[] get-tuple-element(s), index=1
  v1 = f32[1] reshape(v)
  k1 = s32[1] reshape(k)
  vs = f32[2] all-gather(v1), )" +
              kTp + R"(, dimensions={0}
  ks = s32[2] all-gather(k1), )" +
              kTp + R"(, dimensions={0}
  r = (f32[], s32[]) reduce(vs, ks, least, none), dimensions={0}, to_apply=best
  ROOT q = s32[] get-tuple-element(r), index=1
)",
          R"([[["tp"]], [["tp"]]])", R"([[]])", R"({"1": )" + range + "}"};
}

bool proved(const PairText& p) {
  Case c = load_pair(p, kRegion);
  const ProofResult r = prove(c);
  return r.proved && check_certificate(print_certificate(*r.certificate), "test", c).accepted;
}

TEST(Bounds, LogarithmsOfNumbersUpToOne) {
  const std::string plain = "  w = @ copy(u)";
  EXPECT_TRUE(proved(sampled(plain, "[0, 1]")));
  EXPECT_TRUE(proved(sampled(plain, "[0.25, 0.5]")));
  EXPECT_FALSE(proved(sampled(plain, "[0, 1.25]")));  // log(-log(u)) of a negative number
  EXPECT_FALSE(proved(sampled(plain, "[-0.25, 1]")));
}

TEST(Bounds, OfSumsAndDifferences) {
  const std::string sum = "  p = @ multiply(u, h)\n  w = @ add(p, h)";
  EXPECT_TRUE(proved(sampled(sum, "[0, 1]")));
  EXPECT_TRUE(proved(sampled(sum, "[-1, 1]")));
  EXPECT_FALSE(proved(sampled(sum, "[0, 1.5]")));
  const std::string difference = "  p = @ multiply(u, h)\n  w = @ subtract(h, p)";
  EXPECT_TRUE(proved(sampled(difference, "[-1, 1]")));
  EXPECT_FALSE(proved(sampled(difference, "[-1.5, 1]")));
  EXPECT_FALSE(proved(sampled(difference, "[-1, 1.5]")));
}

TEST(Bounds, OfMaximaAndFunctions) {
  const std::string larger = "  w = @ maximum(u, h)";
  EXPECT_TRUE(proved(sampled(larger, "[-3, 1]")));
  EXPECT_FALSE(proved(sampled(larger, "[-3, 2]")));
  EXPECT_TRUE(proved(sampled("  w = @ logistic(u)", "[-3, 3]")));
  EXPECT_TRUE(proved(sampled("  p = @ tanh(u)\n  g = @ multiply(p, h)\n  w = @ add(g, h)", "[-3, 3]")));
  EXPECT_FALSE(proved(sampled("  p = @ tanh(u)\n  w = @ add(p, h)", "[-3, 3]")));
  EXPECT_FALSE(proved(sampled("  w = @ tanh(u)", "[-3, 3]")));
}

}  // namespace
}  // namespace gg
