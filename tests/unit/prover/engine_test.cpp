// What the engine proves and, one change away, what it must not: each idea of distribution once.
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

const std::string kDp = "channel_id=2, replica_groups={{0,2},{1,3}}, use_global_device_ids=true";

TEST(Engine, RowParallelDot) {
  const PairText p{R"(
  x = f32[4,8] parameter(0)
  w = f32[8,6] parameter(1)
  ROOT y = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)",
                   R"(
  x = f32[2,4] parameter(0)
  w = f32[4,6] parameter(1)
  d = f32[2,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT y = f32[2,6] all-reduce(d), )" +
                       kTp + R"(, to_apply=add
)",
                   R"([[["dp"],["tp"]], [["tp"],[]]])", R"([[["dp"],[]]])"};
  expect_proved(p);
  expect_unproved(p, "all-reduce(d), " + kTp + ", to_apply=add", "copy(d)");
  expect_unproved(p, kTp, kDp);
  expect_unproved(p, "{{0,1},{2,3}}", "{{0,1,2,3}}");
  expect_unproved(p, "to_apply=add", "to_apply=max");
}

TEST(Engine, ColumnParallelDotAndGather) {
  const PairText p{R"(
  x = f32[4,8] parameter(0)
  w = f32[8,6] parameter(1)
  y = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = f32[4,6] tanh(y)
)",
                   R"(
  x = f32[2,8] parameter(0)
  w = f32[8,3] parameter(1)
  d = f32[2,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[2,3] tanh(d)
  ROOT g = f32[2,6] all-gather(t), )" +
                       kTp + R"(, dimensions={1}
)",
                   R"([[["dp"],[]], [[],["tp"]]])", R"([[["dp"],[]]])"};
  expect_proved(p);
  expect_unproved(p, "{{0,1},{2,3}}", "{{1,0},{3,2}}");
  expect_unproved(p, kTp, kDp);
  expect_unproved(p, "tanh(d)", "negate(d)");
}

TEST(Engine, VocabularyParallelEmbedding) {
  const PairText p{R"(
  w = f32[8,4] parameter(0)
  t = s32[6] parameter(1)
  ROOT y = f32[6,4] gather(w, t), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}
)",
                   R"(
  w = f32[4,4] parameter(0)
  t = s32[6] parameter(1)
  table = s32[4] constant({0, 4, 0, 4})
  pid = u32[] partition-id()
  one = s32[1] dynamic-slice(table, pid), dynamic_slice_sizes={1}
  scalar = s32[] reshape(one)
  offset = s32[6] broadcast(scalar), dimensions={}
  local = s32[6] subtract(t, offset)
  zero = s32[] constant(0)
  zeros = s32[6] broadcast(zero), dimensions={}
  four = s32[] constant(4)
  fours = s32[6] broadcast(four), dimensions={}
  above = pred[6] compare(local, zeros), direction=GE
  below = pred[6] compare(local, fours), direction=LT
  mine = pred[6] and(above, below)
  rows = f32[6,4] gather(w, local), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}
  mask = pred[6,4] broadcast(mine), dimensions={0}
  nothing = f32[] constant(0)
  nothings = f32[6,4] broadcast(nothing), dimensions={}
  part = f32[6,4] select(mask, rows, nothings)
  ROOT y = f32[6,4] all-reduce(part), )" +
                       kTp + R"(, to_apply=add
)",
                   R"([[["tp"],[]], [[]]])", R"([[[],[]]])", R"({"1": [0, 8]})"};
  expect_proved(p);
  expect_unproved(p, "{0, 4, 0, 4}", "{0, 3, 0, 3}");
  expect_unproved(p, "direction=LT", "direction=LE");
  expect_unproved(p, kTp, kDp);
  expect_unproved(p, "select(mask, rows, nothings)", "copy(rows)");
}

TEST(Engine, ReduceScatterThenGather) {
  const PairText p{R"(
  x = f32[4,8] parameter(0)
  w = f32[8,6] parameter(1)
  y = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT e = f32[4,6] exponential(y)
)",
                   R"(
  x = f32[4,4] parameter(0)
  w = f32[4,6] parameter(1)
  d = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[2,6] reduce-scatter(d), )" +
                       kTp + R"(, dimensions={0}, to_apply=add
  e = f32[2,6] exponential(s)
  ROOT g = f32[4,6] all-gather(e), channel_id=3, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, dimensions={0}
)",
                   R"([[[],["tp"]], [["tp"],[]]])", R"([[[],[]]])"};
  expect_proved(p);
  expect_unproved(p, "channel_id=3, replica_groups={{0,1},{2,3}}", "channel_id=3, replica_groups={{1,0},{3,2}}");
  expect_unproved(p, "exponential(s)", "sine(s)");
}

TEST(Engine, MeanOverTheBatch) {
  const PairText p{R"(
  x = f32[8,3] parameter(0)
  zero = f32[] constant(0)
  s = f32[3] reduce(x, zero), dimensions={0}, to_apply=add
  c = f32[] constant(0.125)
  cs = f32[3] broadcast(c), dimensions={}
  ROOT m = f32[3] multiply(s, cs)
)",
                   R"(
  x = f32[4,3] parameter(0)
  zero = f32[] constant(0)
  s = f32[3] reduce(x, zero), dimensions={0}, to_apply=add
  c = f32[] constant(0.25)
  cs = f32[3] broadcast(c), dimensions={}
  m = f32[3] multiply(s, cs)
  h = f32[] constant(0.5)
  hs = f32[3] broadcast(h), dimensions={}
  half = f32[3] multiply(m, hs)
  ROOT r = f32[3] all-reduce(half), )" +
                       kDp + R"(, to_apply=add
)",
                   R"([[["dp"],[]]])", R"([[[]]])"};
  expect_proved(p);
  expect_unproved(p, "constant(0.5)", "constant(1)");
  expect_unproved(p, kDp, kTp);
  expect_unproved(p, "dimensions={0}, to_apply=add", "dimensions={0}, to_apply=max");
}

// A masked mean whose weights are divided before the sum, or after it: the count may be zero, the weights are not negative. Is it
// above zero? (Of what is not finite itself nothing is claimed.)
PairText masked_mean(const std::string& ranges) {
  return {R"(
  m = f32[8] parameter(0)
  k = f32[8] parameter(1)
  x = f32[8,3] parameter(2)
  zero = f32[] constant(0)
  n = f32[] reduce(m, zero), dimensions={0}, to_apply=add
  ns = f32[8] broadcast(n), dimensions={}
  share = f32[8] divide(m, ns)
  shares = f32[8,3] broadcast(share), dimensions={0}
  p = f32[8,3] multiply(shares, x)
  y = f32[3] reduce(p, zero), dimensions={0}, to_apply=add
  zs = f32[3] broadcast(zero), dimensions={}
  ROOT above = pred[3] compare(y, zs), direction=GT
)",
          R"(
  m = f32[4] parameter(0)
  k = f32[4] parameter(1)
  x = f32[4,3] parameter(2)
  zero = f32[] constant(0)
  n = f32[] reduce(m, zero), dimensions={0}, to_apply=add
  all = f32[] all-reduce(n), )" +
              kDp + R"(, to_apply=add
  ms = f32[4,3] broadcast(m), dimensions={0}
  p = f32[4,3] multiply(ms, x)
  s = f32[3] reduce(p, zero), dimensions={0}, to_apply=add
  t = f32[3] all-reduce(s), )" +
              kDp + R"(, to_apply=add
  ns = f32[3] broadcast(all), dimensions={}
  y = f32[3] divide(t, ns)
  zs = f32[3] broadcast(zero), dimensions={}
  ROOT above = pred[3] compare(y, zs), direction=GT
)",
          R"([[["dp"]], [["dp"]], [["dp"],[]]])", R"([[[]]])", ranges};
}

TEST(Engine, InverseOfACount) {
  const std::string weights = R"({"0": [0, 1], "1": [0, 1]})";
  const PairText p = masked_mean(weights);
  expect_proved(p);
  EXPECT_FALSE(proof_of(masked_mean(R"({"0": [-1, 1], "1": [0, 1]})")).proved);  // weights that cancel
  expect_unproved(p, "broadcast(all)", "broadcast(n)");
  expect_unproved(p, "reduce(m, zero)", "reduce(k, zero)");
  PairText other = p;  // the count of another mask may be zero where this one is not
  other.sequential = replaced(other.sequential, "reduce(m, zero)", "reduce(k, zero)");
  expect_unproved(other, "reduce(m, zero)", "reduce(k, zero)");
}

/// The values of pairs with their signs: one on the diagonal and minus one elsewhere.
const std::string kSigned = R"(
  x = f32[8,8] parameter(0)
  i = s32[8,8] iota(), iota_dimension=0
  j = s32[8,8] iota(), iota_dimension=1
  same = pred[8,8] compare(i, j), direction=EQ
  eye = f32[8,8] convert(same)
  two = f32[] constant(2)
  twos = f32[8,8] broadcast(two), dimensions={}
  one = f32[] constant(1)
  ones = f32[8,8] broadcast(one), dimensions={}
  twice = f32[8,8] multiply(eye, twos)
  sign = f32[8,8] subtract(twice, ones)
  product = f32[8,8] multiply(sign, x))";

// Signs of pairs, one on the diagonal and minus one elsewhere: twice a diagonal less one, or by a comparison.
TEST(Engine, SignsOfPairs) {
  const PairText p{kSigned + R"(
  ROOT y = f32[8,8] logistic(product)
)",
                   R"(
  x = f32[4,8] parameter(0)
  rank = u32[] partition-id()
  two = u32[] constant(2)
  dp = u32[] divide(rank, two)
  place = s32[] convert(dp)
  four = s32[] constant(4)
  first = s32[] multiply(place, four)
  offset = s32[4,8] broadcast(first), dimensions={}
  own = s32[4,8] iota(), iota_dimension=0
  i = s32[4,8] add(own, offset)
  j = s32[4,8] iota(), iota_dimension=1
  same = pred[4,8] compare(i, j), direction=EQ
  one = f32[] constant(1)
  ones = f32[4,8] broadcast(one), dimensions={}
  less = f32[] constant(-1)
  others = f32[4,8] broadcast(less), dimensions={}
  sign = f32[4,8] select(same, ones, others)
  product = f32[4,8] multiply(sign, x)
  ROOT y = f32[4,8] logistic(product)
)",
                   R"([[["dp"],[]]])", R"([[["dp"],[]]])"};
  expect_proved(p);
  expect_unproved(p, "constant(-1)", "constant(-2)");
  expect_unproved(p, "select(same, ones, others)", "select(same, others, ones)");
  expect_unproved(p, "direction=EQ", "direction=GE");
  expect_unproved(p, "constant(4)", "constant(3)");
}

// Rows of two blocks by columns of the other one: none belongs together, so that the sign of all pairs is minus one.
TEST(Engine, SignsOfAnotherBlock) {
  const PairText p{kSigned + R"(
  y = f32[8,8] logistic(product)
  ROOT z = f32[4,4] slice(y), slice={[0:4], [4:8]}
)",
                   R"(
  x = f32[8,8] parameter(0)
  block = f32[4,4] slice(x), slice={[0:4], [4:8]}
  less = f32[] constant(-1)
  sign = f32[4,4] broadcast(less), dimensions={}
  product = f32[4,4] multiply(sign, block)
  ROOT z = f32[4,4] logistic(product)
)",
                   R"([[[],[]]])", R"([[[],[]]])"};
  expect_proved(p);
  expect_unproved(p, "constant(-1)", "constant(1)");
  expect_unproved(p, "constant(-1)", "constant(-2)");
  PairText beside = p;  // a pair of the first row of one block and the last column of the other belongs together
  for (std::string* text : {&beside.sequential, &beside.distributed}) *text = replaced(*text, "[4:8]", "[3:7]");
  EXPECT_FALSE(proof_of(beside).proved);
}

TEST(Engine, GradientOfAWeight) {
  const PairText p{R"(
  x = f32[8,5] parameter(0)
  g = f32[8,6] parameter(1)
  ROOT dw = f32[5,6] dot(x, g), lhs_contracting_dims={0}, rhs_contracting_dims={0}
)",
                   R"(
  x = f32[4,5] parameter(0)
  g = f32[4,3] parameter(1)
  d = f32[5,3] dot(x, g), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT dw = f32[5,3] all-reduce(d), )" +
                       kDp + R"(, to_apply=add
)",
                   R"([[["dp"],[]], [["dp"],["tp"]]])", R"([[[],["tp"]]])"};
  expect_proved(p);
  expect_unproved(p, kDp, kTp);
  expect_unproved(p, "{{0,2},{1,3}}", "{{0,1,2,3}}");
}

TEST(Engine, HeadsArePermuted) {
  const PairText p{R"(
  x = f32[4,12] parameter(0)
  r = f32[4,4,3] reshape(x)
  t = f32[4,4,3] transpose(r), dimensions={1,0,2}
  ROOT e = f32[4,4,3] tanh(t)
)",
                   R"(
  x = f32[4,6] parameter(0)
  e = f32[4,6] tanh(x)
  r = f32[4,2,3] reshape(e)
  ROOT t = f32[2,4,3] transpose(r), dimensions={1,0,2}
)",
                   R"([[[],["tp"]]])", R"([[["tp"],[],[]]])"};
  expect_proved(p);
  PairText other = p;
  other.distributed = replaced(other.distributed, "r = f32[4,2,3] reshape(e)", "q = f32[4,3,2] reshape(e)\n  r = f32[4,2,3] transpose(q), dimensions={0,2,1}");
  EXPECT_FALSE(proof_of(other).proved);
}

TEST(Engine, TwoMicrobatchesARank) {
  const PairText p{R"(
  x = f32[8,5] parameter(0)
  zero = f32[] constant(0)
  ROOT s = f32[5] reduce(x, zero), dimensions={0}, to_apply=add
)",
                   R"(
  x = f32[4,5] parameter(0)
  zero = f32[] constant(0)
  first = f32[1,5] slice(x), slice={[0:1], [0:5]}
  second = f32[3,5] slice(x), slice={[1:4], [0:5]}
  a = f32[5] reduce(first, zero), dimensions={0}, to_apply=add
  b = f32[5] reduce(second, zero), dimensions={0}, to_apply=add
  s = f32[5] add(a, b)
  ROOT r = f32[5] all-reduce(s), )" +
                       kDp + R"(, to_apply=add
)",
                   R"([[["dp"],[]]])", R"([[[]]])"};
  PairText even = p;
  even.distributed = replaced(replaced(replaced(replaced(p.distributed, "f32[1,5]", "f32[2,5]"), "[0:1]", "[0:2]"), "f32[3,5]", "f32[2,5]"), "[1:4]", "[2:4]");
  expect_proved(even);
  expect_unproved(even, "[2:4]", "[1:3]");
  expect_unproved(even, "add(a, b)", "add(a, a)");
  expect_unproved(even, kDp, kTp);
}

TEST(Engine, SoftmaxSumOfPieces) {
  const PairText p{R"(
  x = f32[4,8] parameter(0)
  low = f32[] constant(-inf)
  m = f32[4] reduce(x, low), dimensions={1}, to_apply=max
  mb = f32[4,8] broadcast(m), dimensions={0}
  d = f32[4,8] subtract(x, mb)
  e = f32[4,8] exponential(d)
  zero = f32[] constant(0)
  ROOT s = f32[4] reduce(e, zero), dimensions={1}, to_apply=add
)",
                   R"(
  x = f32[4,4] parameter(0)
  low = f32[] constant(-inf)
  m = f32[4] reduce(x, low), dimensions={1}, to_apply=max
  mb = f32[4,4] broadcast(m), dimensions={0}
  d = f32[4,4] subtract(x, mb)
  e = f32[4,4] exponential(d)
  zero = f32[] constant(0)
  s = f32[4] reduce(e, zero), dimensions={1}, to_apply=add
  all = f32[4] all-reduce(m), )" +
                       kTp + R"(, to_apply=max
  back = f32[4] subtract(m, all)
  scale = f32[4] exponential(back)
  own = f32[4] multiply(s, scale)
  ROOT r = f32[4] all-reduce(own), channel_id=3, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add
)",
                   R"([[[],["tp"]]])", R"([[[]]])"};
  expect_proved(p);
  expect_unproved(p, "multiply(s, scale)", "copy(s)");
  expect_unproved(p, "all-reduce(m), " + kTp + ", to_apply=max", "copy(m)");
}

TEST(Engine, ForeignValueIsAnIslandOnly) {
  const PairText p{R"(
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  a = f32[4] tanh(x)
  b = f32[4] sine(y)
  ROOT t = (f32[4], f32[4]) tuple(a, b)
)",
                   R"(
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  a = f32[4] tanh(x)
  b = f32[4] cosine(y)
  ROOT t = (f32[4], f32[4]) tuple(a, b)
)",
                   R"([[[]], [[]]])", R"([[[]], [[]]])"};
  const ProofResult r = proof_of(p);
  EXPECT_FALSE(r.proved);
  ASSERT_EQ(r.outputs.size(), 2U);
  EXPECT_TRUE(r.outputs[0].proved);
  EXPECT_FALSE(r.outputs[1].proved);
  ASSERT_FALSE(r.islands.empty());
  EXPECT_NE(r.islands[0].instance.find("%b"), std::string::npos);
}

// A value that takes too many steps is an island like others: what does not hang on it is proved.
TEST(Engine, ValueBeyondItsStepsIsAnIsland) {
  const PairText p{R"(
  x = f32[4,8] parameter(0)
  w = f32[8,6] parameter(1)
  t = f32[4,8] tanh(x)
  y = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = (f32[4,8], f32[4,6]) tuple(t, y)
)",
                   R"(
  x = f32[2,4] parameter(0)
  w = f32[4,6] parameter(1)
  t = f32[2,4] tanh(x)
  d = f32[2,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[2,6] all-reduce(d), )" +
                       kTp + R"(, to_apply=add
  ROOT r = (f32[2,4], f32[2,6]) tuple(t, y)
)",
                   R"([[["dp"],["tp"]], [["tp"],[]]])", R"([[["dp"],["tp"]], [["dp"],[]]])"};
  expect_proved(p);
  Case c = load_pair(p);
  ProverOptions few;
  few.value_steps = 8;
  const ProofResult found = prove(c, few);
  ASSERT_EQ(found.outputs.size(), 2U);
  EXPECT_TRUE(found.outputs[0].proved);
  EXPECT_FALSE(found.outputs[1].proved);
  ASSERT_FALSE(found.islands.empty());
  EXPECT_EQ(found.islands[0].distributed_form, "step limit");
}

TEST(Engine, SameCertificateEveryTime) {
  const PairText p{"x = f32[4] parameter(0)\n ROOT a = f32[4] tanh(x)\n", "x = f32[2] parameter(0)\n ROOT a = f32[2] tanh(x)\n",
                   R"([[["tp"]]])", R"([[["tp"]]])"};
  const ProofResult a = proof_of(p), b = proof_of(p);
  ASSERT_TRUE(a.certificate && b.certificate);
  EXPECT_EQ(print_certificate(*a.certificate), print_certificate(*b.certificate));
}

}  // namespace
}  // namespace gg
