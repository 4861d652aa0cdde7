// Values that are zero but where a condition on data holds (a token and the experts that it is not routed to): what is computed
// with them is related, and one change away it is not.
#include "prover/certificate.h"
#include "prover/checker/checker.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

// Rows of experts, columns of tokens: `rows` of them, from the one that `first` computes.
std::string routed(const std::string& rows, const std::string& first) {
  const std::string m = "[" + rows + ",4]";
  return "  zero = f32[] constant(0)\n  x = f32[4] parameter(0)\n  w = f32" + m + " parameter(1)\n  e = s32[4] parameter(2)\n" + first + "  row = s32" + m +
         " iota(), iota_dimension=0\n  firsts = s32" + m + " broadcast(first), dimensions={}\n  expert = s32" + m +
         " add(row, firsts)\n  own = s32" + m + " broadcast(e), dimensions={1}\n  chosen = pred" + m +
         " compare(expert, own), direction=EQ\n  hot = f32" + m + " convert(chosen)\n  xs = f32" + m +
         " broadcast(x), dimensions={1}\n  one = f32[] constant(1)\n  ones = f32" + m + " broadcast(one), dimensions={}\n";
}

// Sequential: tanh(x w) of all experts, then the choice. Distributed: tokens are chosen first. Gradients of tanh after that.
PairText routed_pair() {
  return {routed("4", "  first = s32[] constant(0)\n") + R"(
  h = f32[4,4] multiply(xs, w)
  a = f32[4,4] tanh(h)
  left = f32[4,4] subtract(ones, a)
  g = f32[4,4] multiply(hot, xs)
  m = f32[4,4] multiply(g, left)
  n = f32[4,4] multiply(m, a)
  s = f32[4,4] add(m, n)
  y = f32[4] reduce(s, zero), dimensions={1}, to_apply=add
  ROOT z = f32[4] exponential(y)
)",
          routed("2", R"(
  table = s32[4] constant({0, 2, 0, 2})
  pid = u32[] partition-id()
  entry = s32[1] dynamic-slice(table, pid), dynamic_slice_sizes={1}
  first = s32[] reshape(entry)
)") + R"(
  sent = f32[2,4] multiply(hot, xs)
  h = f32[2,4] multiply(sent, w)
  a = f32[2,4] tanh(h)
  left = f32[2,4] subtract(ones, a)
  m = f32[2,4] multiply(sent, left)
  n = f32[2,4] multiply(m, a)
  s = f32[2,4] add(m, n)
  y = f32[2] reduce(s, zero), dimensions={1}, to_apply=add
  e1 = f32[2] exponential(y)
  ROOT z = f32[4] all-gather(e1), )" +
              kTp + R"(, dimensions={0}
)",
          R"([[[]], [["tp"],[]], [[]]])", R"([[[]]])", R"({"2": [0, 4]})"};
}

TEST(Choices, GoOutsideOfWhatIsComputedWithThem) {
  const PairText p = routed_pair();
  expect_proved(p);
  Case c = load_pair(p);
  const ProofResult r = prove(c);
  ASSERT_TRUE(r.certificate.has_value());
  const std::string text = print_certificate(*r.certificate);
  EXPECT_NE(text.find("s3[{x2[v1]},v1]!"), std::string::npos) << text;  // zero for all other experts
  const CheckResult checked = check_certificate(text, "certificate", c);
  EXPECT_TRUE(checked.accepted) << checked.problem;
}

TEST(Choices, NearMisses) {
  const PairText p = routed_pair();
  expect_unproved(p, "{0, 2, 0, 2}", "{0, 1, 0, 1}");  // the experts of another rank
  expect_unproved(p, "{0, 2, 0, 2}", "{2, 0, 2, 0}");
  expect_unproved(p, "direction=EQ", "direction=LE");                                          // more than one expert
  expect_unproved(p, "m = f32[2,4] multiply(sent, left)", "m = f32[2,4] multiply(xs, left)");  // not zero elsewhere
  expect_unproved(p, "n = f32[2,4] multiply(m, a)", "n = f32[2,4] multiply(m, left)");
  expect_unproved(p, "s = f32[2,4] add(m, n)", "s = f32[2,4] add(left, n)");
  expect_unproved(p, "a = f32[2,4] tanh(h)", "a = f32[2,4] cosine(h)");
  expect_unproved(p, "ones = f32[2,4] broadcast(one)", "ones = f32[2,4] broadcast(zero)");
}

// Where cos(0) = 1 is added up, it matters which tokens were sent; where what follows is zero again, it does not.
TEST(Choices, FunctionsThatAreNotZeroAtZero) {
  PairText p = routed_pair();
  p.sequential = replaced(p.sequential, "tanh(h)", "cosine(h)");
  expect_unproved(p, "tanh(h)", "tanh(h)");
  p.distributed = replaced(p.distributed, "tanh(h)", "cosine(h)");
  expect_proved(p);
  p.sequential = replaced(p.sequential, "add(m, n)", "add(m, a)");
  expect_unproved(p, "add(m, n)", "add(m, a)");
}

// 0 * inf is NaN: of a factor that may be infinite nothing is said.
TEST(Choices, InfiniteFactors) {
  PairText p = routed_pair();
  p.sequential = replaced(p.sequential, "tanh(h)", "log(h)");
  p.distributed = replaced(p.distributed, "tanh(h)", "log(h)");
  expect_unproved(p, "log(h)", "log(h)");
}

// 5 rows on 2 ranks, looked up under a clamp: the last rank has a row of padding, and one token that its guard leaves.
PairText looked_up(const std::string& rows) {
  return {R"(
  w = f32[5,2] parameter(0)
  e = s32[4] parameter(1)
  ROOT y = f32[4,2] gather(w, e), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}
)",
          R"(
  w = f32[3,2] parameter(0)
  e = s32[4] parameter(1)
  table = s32[4] constant({0, 3, 0, 3})
  pid = u32[] partition-id()
  entry = s32[1] dynamic-slice(table, pid), dynamic_slice_sizes={1}
  first = s32[] reshape(entry)
  firsts = s32[4] broadcast(first), dimensions={}
  local = s32[4] subtract(e, firsts)
  zero = s32[] constant(0)
  zeros = s32[4] broadcast(zero), dimensions={}
  two = s32[] constant(2)
  twos = s32[4] broadcast(two), dimensions={}
  above = pred[4] compare(local, zeros), direction=GE
  below = pred[4] compare(local, twos), direction=LE
  mine = pred[4] and(above, below)
  low = s32[4] maximum(local, zeros)
  at = s32[4] minimum(low, twos)
  found = f32[4,2] gather(w, at), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}
  mask = pred[4,2] broadcast(mine), dimensions={0}
  nothing = f32[] constant(0)
  nothings = f32[4,2] broadcast(nothing), dimensions={}
  part = f32[4,2] select(mask, found, nothings)
  ROOT y = f32[4,2] all-reduce(part), )" +
              kTp + R"(, to_apply=add
)",
          R"([[{"axes": ["tp"], "pad": 6}, []], [[]]])", R"([[[],[]]])", R"({"1": [0, )" + rows + "]}"};
}

TEST(Choices, RowsUnderAClamp) {
  const PairText p = looked_up("5");
  expect_proved(p);
  EXPECT_FALSE(proof_of(looked_up("6")).proved);  // a token that is looked up in the padding
  expect_unproved(p, "{0, 3, 0, 3}", "{0, 2, 0, 2}");
  expect_unproved(p, "below = pred[4] compare(local, twos), direction=LE", "below = pred[4] compare(local, twos), direction=LT");
  expect_unproved(p, "minimum(low, twos)", "minimum(low, zeros)");
  expect_unproved(p, "above = pred[4] compare(local, zeros), direction=GE", "above = pred[4] compare(local, zeros), direction=GT");
  expect_unproved(p, "select(mask, found, nothings)", "copy(found)");
}

}  // namespace
}  // namespace gg
