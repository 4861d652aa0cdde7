// Proofs case by case (engine/split.cpp) and masks as minus infinity; one change away from each, what must not be proved.
// Every proof counts only with the checker.
#include "prover/checker/checker.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

/// Assumptions of the accepted proof; a failure if there is none.
std::vector<Assumption> accepted(const PairText& p) {
  Case c = load_pair(p);
  const ProofResult r = prove(c);
  EXPECT_TRUE(r.proved) << (r.outputs.empty() ? "" : r.outputs[0].text);
  if (!r.certificate) return {};
  const CheckResult checked = check_certificate(print_certificate(*r.certificate), "", c);
  EXPECT_TRUE(checked.accepted) << checked.problem;
  return checked.assumptions;
}

// y[i] = x[i-1] + x[i], the first one alone; rows over tp, the row before the shard from the neighbour.
const PairText kHalo{R"(
  x = f32[8,3] parameter(0)
  zero = f32[] constant(0)
  padded = f32[9,3] pad(x, zero), padding=1_0x0_0
  before = f32[8,3] slice(padded), slice={[0:8], [0:3]}
  ROOT y = f32[8,3] add(before, x)
)",
                     R"(
  x = f32[4,3] parameter(0)
  last = f32[1,3] slice(x), slice={[3:4], [0:3]}
  edge = f32[1,3] collective-permute(last), channel_id=1, source_target_pairs={{0,1},{2,3}}
  padded = f32[5,3] concatenate(edge, x), dimensions={0}
  before = f32[4,3] slice(padded), slice={[0:4], [0:3]}
  ROOT y = f32[4,3] add(before, x)
)",
                     R"([[["tp"],[]]])", R"([[["tp"],[]]])"};

TEST(Cases, Halo) {
  accepted(kHalo);
  expect_unproved(kHalo, "{{0,1},{2,3}}", "{{1,0},{3,2}}");
  expect_unproved(kHalo, "{{0,1},{2,3}}", "{{0,1}}");
  expect_unproved(kHalo, "slice={[3:4]", "slice={[2:3]");
  expect_unproved(kHalo, "slice={[0:4]", "slice={[1:5]");
}

// So many rows that they are not looked at one by one: the first, the last, and those between.
PairText many_rows() {
  PairText p = kHalo;
  const std::pair<std::string, std::string> sizes[] = {{"[8,3]", "[16384,3]"}, {"[9,3]", "[16385,3]"}, {"[0:8]", "[0:16384]"}, {"[4,3]", "[8192,3]"}, {"[5,3]", "[8193,3]"}, {"[3:4]", "[8191:8192]"}, {"[0:4]", "[0:8192]"}};
  for (std::string* text : {&p.sequential, &p.distributed}) {
    for (const auto& [from, to] : sizes)
      for (std::size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size())) text->replace(at, from.size(), to);
  }
  return p;
}

TEST(Cases, HaloOfManyRows) {
  const PairText p = many_rows();
  accepted(p);
  expect_unproved(p, "{{0,1},{2,3}}", "{{1,0},{3,2}}");
  expect_unproved(p, "slice={[8191:8192]", "slice={[8190:8191]");
  expect_unproved(p, "slice={[0:8192]", "slice={[1:8193]");
}

// Rows in blocks of two over ranks, the last block or the last ranks with padding: OP over the rows that there are.
PairText uneven_rows(const std::string& rows, const std::string& axes, const std::string& groups, const std::string& op, const std::string& none) {
  const std::string fold = ", dimensions={0}, to_apply=" + op;
  return {"  x = f32[" + rows + R"(,6] parameter(0)
  none = f32[] constant()" +
              none + R"()
  ROOT y = f32[6] reduce(x, none))" +
              fold + "\n",
          R"(
  x = f32[2,6] parameter(0)
  pid = u32[] partition-id()
  table = s32[4] constant({)" +
              std::string(axes == "[\"dp\"]" ? "0, 0, 2, 2" : "0, 2, 4, 6") + R"(})
  one = s32[1] dynamic-slice(table, pid), dynamic_slice_sizes={1}
  start = s32[] reshape(one)
  first = s32[2,6] broadcast(start), dimensions={}
  own = s32[2,6] iota(), iota_dimension=0
  row = s32[2,6] add(own, first)
  count = s32[] constant()" +
              rows + R"()
  limit = s32[2,6] broadcast(count), dimensions={}
  here = pred[2,6] compare(row, limit), direction=LT
  none = f32[] constant()" +
              none + R"()
  nones = f32[2,6] broadcast(none), dimensions={}
  kept = f32[2,6] select(here, x, nones)
  s = f32[6] reduce(kept, none))" +
              fold + R"(
  ROOT y = f32[6] all-reduce(s), channel_id=1, replica_groups=)" +
              groups + ", use_global_device_ids=true, to_apply=" + op + "\n",
          "[[" + axes + ",[]]]", "[[[]]]"};
}

TEST(Cases, UnevenRows) {
  const auto check = [](const PairText& p, const std::string& rows) {
    accepted(p);
    expect_unproved(p, "direction=LT", "direction=LE");
    expect_unproved(p, "select(here, x, nones)", "select(here, nones, x)");
    expect_unproved(p, "constant(" + rows + ")\n", "constant(1)\n");
  };
  const std::string dp = "[\"dp\"]", both = "[\"dp\",\"tp\"]", pairs = "{{0,2},{1,3}}", all = "{{0,1,2,3}}";
  for (const auto& [op, none] : {std::pair{"add", "0"}, std::pair{"max", "-inf"}}) {
    check(uneven_rows("3", dp, pairs, op, none), "3");
    check(uneven_rows("5", both, all, op, none), "5");
    check(uneven_rows("6", both, all, op, none), "6");
  }
  expect_unproved(uneven_rows("3", dp, pairs, "max", "-inf"), "select(here, x, nones)", "multiply(x, x)");
  PairText zeros = uneven_rows("3", dp, pairs, "max", "-inf");  // zero is not the least value
  expect_unproved(zeros, "nones = f32[2,6] broadcast(none)", "zero = f32[] constant(0)\n  nones = f32[2,6] broadcast(zero)");
}

// The same rows: logarithm of the sum of exponentials, the padding as -inf before the maximum is subtracted.
TEST(Cases, UnevenLogsumexp) {
  PairText p = uneven_rows("3", "[\"dp\"]", "{{0,2},{1,3}}", "max", "-inf");
  const auto more = [](const std::string& x, const std::string& n, const std::string& sum) {
    return "  ms = f32[" + n + ",6] broadcast(m), dimensions={1}\n  d = f32[" + n + ",6] subtract(" + x + ", ms)\n  e = f32[" + n +
           ",6] exponential(d)\n  zero = f32[] constant(0)\n  t = f32[6] reduce(e, zero), dimensions={0}, to_apply=add\n" + sum +
           "  l = f32[6] log(all)\n  ROOT y = f32[6] add(m, l)\n";
  };
  p.sequential = replaced(p.sequential, "ROOT y", "m") + more("x", "3", "  all = f32[6] copy(t)\n");
  p.distributed = replaced(p.distributed, "ROOT y", "m") +
                  more("kept", "2", "  all = f32[6] all-reduce(t), channel_id=2, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, to_apply=add\n");
  accepted(p);
  expect_unproved(p, "subtract(kept, ms)", "subtract(x, ms)");
  expect_unproved(p, "direction=LT", "direction=LE");
  expect_unproved(p, "direction=LT", "direction=EQ");
  expect_unproved(p, "broadcast(m)", "broadcast(s)");  // each rank's own maximum
  expect_unproved(p, "constant(-inf)", "constant(0)");
  expect_unproved(p, "all = f32[6] all-reduce(t), channel_id=2, replica_groups={{0,2},{1,3}}", "all = f32[6] all-reduce(t), channel_id=2, replica_groups={{0,1},{2,3}}");
}

// Prefix sums: within the shard, plus the sums of the shards before.
const PairText kPrefix{R"(
  x = f32[8] parameter(0)
  zero = f32[] constant(0)
  ROOT y = f32[8] reduce-window(x, zero), window={size=8 pad=7_0}, to_apply=add
)",
                       R"(
  x = f32[4] parameter(0)
  zero = f32[] constant(0)
  own = f32[4] reduce-window(x, zero), window={size=4 pad=3_0}, to_apply=add
  sum = f32[] reduce(x, zero), dimensions={0}, to_apply=add
  one = f32[1] reshape(sum)
  all = f32[2] all-gather(one), )" +
                           kTp + R"(, dimensions={0}
  iota = s32[2] iota(), iota_dimension=0
  id = u32[] partition-id()
  two = u32[] constant(2)
  tp = u32[] remainder(id, two)
  here = s32[] convert(tp)
  wide = s32[2] broadcast(here), dimensions={}
  earlier = pred[2] compare(iota, wide), direction=LT
  none = f32[2] broadcast(zero), dimensions={}
  kept = f32[2] select(earlier, all, none)
  before = f32[] reduce(kept, zero), dimensions={0}, to_apply=add
  shift = f32[4] broadcast(before), dimensions={}
  ROOT y = f32[4] add(own, shift)
)",
                       R"([[["tp"]]])", R"([[["tp"]]])"};

TEST(Cases, PrefixSums) {
  accepted(kPrefix);
  expect_unproved(kPrefix, "direction=LT", "direction=LE");
  expect_unproved(kPrefix, "direction=LT", "direction=GT");
  expect_unproved(kPrefix, "window={size=4 pad=3_0}", "window={size=4 pad=0_3}");
  expect_unproved(kPrefix, "remainder(id, two)", "divide(id, two)");
}

// Two stages of a pipeline: rank 0 of tp doubles, rank 1 takes the result and applies tanh; the others' values are bubbles.
const PairText kPipeline{R"(
  x = f32[3] parameter(0)
  twice = f32[3] add(x, x)
  s = f32[3] sine(twice)
  ROOT y = f32[3] tanh(s)
)",
                         R"(
  x = f32[3] parameter(0)
  id = u32[] partition-id()
  two = u32[] constant(2)
  tp = u32[] remainder(id, two)
  zero = u32[] constant(0)
  first = pred[] compare(tp, zero), direction=EQ
  is_first = pred[3] broadcast(first), dimensions={}
  twice = f32[3] add(x, x)
  done = f32[3] sine(twice)
  nothing = f32[] constant(0)
  none = f32[3] broadcast(nothing), dimensions={}
  stage0 = f32[3] select(is_first, done, none)
  moved = f32[3] collective-permute(stage0), channel_id=1, source_target_pairs={{0,1},{2,3}}
  stage1 = f32[3] tanh(moved)
  result = f32[3] select(is_first, none, stage1)
  ROOT y = f32[3] all-reduce(result), )" +
                             kTp + R"(, to_apply=add
)",
                         "[[[]]]", "[[[]]]"};

TEST(Cases, Pipeline) {
  accepted(kPipeline);
  expect_unproved(kPipeline, "{{0,1},{2,3}}", "{{1,0},{3,2}}");
  expect_unproved(kPipeline, "select(is_first, none, stage1)", "select(is_first, stage1, none)");
  expect_unproved(kPipeline, "direction=EQ", "direction=NE");
}

// Microbatches that were computed one by one, put into a table by literal places: a scalar of all of them has no index to look at
// case by case, and its sum is too long to be written out but for the microbatches.
const PairText kTable{R"(
  x = f32[2,40] parameter(0)
  t = f32[2,40] tanh(x)
  q = f32[2,40] multiply(t, t)
  zero = f32[] constant(0)
  ROOT y = f32[] reduce(q, zero), dimensions={0,1}, to_apply=add
)",
                      R"(
  x = f32[2,40] parameter(0)
  first = f32[1,40] slice(x), slice={[0:1], [0:40]}
  second = f32[1,40] slice(x), slice={[1:2], [0:40]}
  a = f32[1,40] tanh(first)
  b = f32[1,40] tanh(second)
  zero = f32[] constant(0)
  none = f32[2,40] broadcast(zero), dimensions={}
  i = s32[] constant(0)
  j = s32[] constant(1)
  one = f32[2,40] dynamic-update-slice(none, a, i, i)
  both = f32[2,40] dynamic-update-slice(one, b, j, i)
  q = f32[2,40] multiply(both, both)
  ROOT y = f32[] reduce(q, zero), dimensions={0,1}, to_apply=add
)",
                      "[[[],[]]]", "[[]]"};

TEST(Cases, ScalarOfATable) {
  accepted(kTable);
  expect_unproved(kTable, "(one, b, j, i)", "(one, b, i, i)");
  expect_unproved(kTable, "(one, b, j, i)", "(one, a, j, i)");
  expect_unproved(kTable, "slice={[1:2]", "slice={[0:1]");
  expect_unproved(kTable, "multiply(both, both)", "multiply(both, one)");
}

// Rank r of tp holds the chunks r and 3-r of four; a condition on the row, a sum over all rows, rows put back in order.
const PairText kChunks{R"(
  x = f32[8,3] parameter(0)
  rows = s32[8,3] iota(), iota_dimension=0
  five = s32[] constant(5)
  fives = s32[8,3] broadcast(five), dimensions={}
  early = pred[8,3] compare(rows, fives), direction=LT
  e = f32[8,3] exponential(x)
  zero = f32[] constant(0)
  zeros = f32[8,3] broadcast(zero), dimensions={}
  kept = f32[8,3] select(early, e, zeros)
  sum = f32[3] reduce(kept, zero), dimensions={0}, to_apply=add
  sums = f32[8,3] broadcast(sum), dimensions={1}
  ROOT y = f32[8,3] multiply(kept, sums)
)",
                       R"(
  x = f32[8,3] parameter(0)
  id = u32[] partition-id()
  two = u32[] constant(2)
  six = u32[] constant(6)
  none = u32[] constant(0)
  tp = u32[] remainder(id, two)
  low = u32[] multiply(tp, two)
  high = u32[] subtract(six, low)
  a = f32[2,3] dynamic-slice(x, low, none), dynamic_slice_sizes={2,3}
  b = f32[2,3] dynamic-slice(x, high, none), dynamic_slice_sizes={2,3}
  own = f32[4,3] concatenate(a, b), dimensions={0}
  i = u32[2,3] iota(), iota_dimension=0
  lows = u32[2,3] broadcast(low), dimensions={}
  highs = u32[2,3] broadcast(high), dimensions={}
  p = u32[2,3] add(i, lows)
  q = u32[2,3] add(i, highs)
  rows = u32[4,3] concatenate(p, q), dimensions={0}
  five = u32[] constant(5)
  fives = u32[4,3] broadcast(five), dimensions={}
  early = pred[4,3] compare(rows, fives), direction=LT
  e = f32[4,3] exponential(own)
  zero = f32[] constant(0)
  zeros = f32[4,3] broadcast(zero), dimensions={}
  kept = f32[4,3] select(early, e, zeros)
  all = f32[8,3] all-gather(kept), )" +
                           kTp + R"(, dimensions={0}
  sum = f32[3] reduce(all, zero), dimensions={0}, to_apply=add
  sums = f32[8,3] broadcast(sum), dimensions={1}
  y0 = f32[8,3] multiply(all, sums)
  first = f32[2,3] slice(y0), slice={[0:2], [0:3]}
  middle = f32[4,3] slice(y0), slice={[4:8], [0:3]}
  last = f32[2,3] slice(y0), slice={[2:4], [0:3]}
  ROOT y = f32[8,3] concatenate(first, middle, last), dimensions={0}
)",
                       "[[[],[]]]", "[[[],[]]]"};

TEST(Cases, TwoChunksAShard) {
  accepted(kChunks);
  expect_unproved(kChunks, "six = u32[] constant(6)", "six = u32[] constant(4)");
  expect_unproved(kChunks, "concatenate(p, q)", "concatenate(q, p)");
  expect_unproved(kChunks, "concatenate(p, q)", "concatenate(p, p)");
  expect_unproved(kChunks, "concatenate(first, middle, last)", "concatenate(first, last, middle)");
}

// Softmax over masked columns, split over tp; masked columns are left out where they are summed.
PairText masked(const std::string& literal, const std::string& direction) {
  const std::string mask = R"(
  rows = s32[4,4] iota(), iota_dimension=0
  columns = s32[4,4] iota(), iota_dimension=1
  open = pred[4,4] compare(rows, columns), direction=)" +
                           direction;
  return {R"(
  x = f32[4,4] parameter(0)
  low = f32[] constant()" +
              literal + R"()
  lows = f32[4,4] broadcast(low), dimensions={})" +
              mask + R"(
  s = f32[4,4] select(open, x, lows)
  least = f32[] constant(-inf)
  top = f32[4] reduce(s, least), dimensions={1}, to_apply=max
  tops = f32[4,4] broadcast(top), dimensions={0}
  shifted = f32[4,4] subtract(s, tops)
  e = f32[4,4] exponential(shifted)
  zero = f32[] constant(0)
  z = f32[4] reduce(e, zero), dimensions={1}, to_apply=add
  zs = f32[4,4] broadcast(z), dimensions={0}
  q = f32[4,4] divide(e, zs)
  ROOT y = f32[4,4] dot(q, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)",
          R"(
  x = f32[4,4] parameter(0)
  none = f32[] constant(0)
  nones = f32[4,4] broadcast(none), dimensions={})" +
              mask + R"(
  e = f32[4,4] exponential(x)
  kept = f32[4,4] select(open, e, nones)
  z = f32[4] reduce(kept, none), dimensions={1}, to_apply=add
  zs = f32[4,4] broadcast(z), dimensions={0}
  q = f32[4,4] divide(kept, zs)
  ROOT y = f32[4,4] dot(q, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)",
          "[[[],[]]]", "[[[],[]]]"};
}

TEST(Masks, AreNamed) {
  const auto assumptions = accepted(masked("-1e9", "GE"));
  ASSERT_EQ(assumptions.size(), 2U);
  EXPECT_EQ(to_string(assumptions[1]), "mask-is-minus-infinity(S main/%low=-1e+09)");
}

TEST(Masks, AreOnlyVeryNegative) { EXPECT_FALSE(proof_of(masked("-100", "GE")).proved); }

/// The first row would have no column: under the assumption its maximum is not finite.
TEST(Masks, EveryRowKeepsAColumn) { EXPECT_FALSE(proof_of(masked("-1e9", "GT")).proved); }

TEST(Masks, AreNotTakenWhereTheyCount) {
  PairText p = masked("-1e9", "GE");
  const std::string last = "ROOT y = f32[4,4] dot(q, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  p.sequential = replaced(p.sequential, last, last.substr(5) + "\n  ROOT y2 = f32[4,4] add(y, lows)");
  p.distributed = replaced(p.distributed, last, last.substr(5) +
                                                    "\n  low = f32[] constant(-1e9)\n  lows = f32[4,4] broadcast(low), dimensions={}\n"
                                                    "  ROOT y2 = f32[4,4] add(y, lows)");
  EXPECT_FALSE(proof_of(p).proved);
}

// The certificate's own forms: what a split line may not be.
TEST(Cases, LinesOfTheCertificate) {
  Case c = load_pair(kHalo);
  const ProofResult r = prove(c);
  ASSERT_TRUE(r.certificate.has_value());
  const auto verdict = [&](const std::string& split) {
    Certificate changed = *r.certificate;
    bool found = false;
    for (std::string& line : changed.lines) {
      if (line.rfind("output 0", 0) != 0) continue;
      found = true;
      line = line.substr(0, line.find(" split")) + split;
    }
    EXPECT_TRUE(found);
    return check_certificate(print_certificate(changed), "", c);
  };
  EXPECT_TRUE(verdict("").accepted);  // cases of one short variable each need no line
  EXPECT_TRUE(verdict(" split v0,v1").accepted);
  EXPECT_FALSE(verdict(" split v1,v0").accepted);
  EXPECT_FALSE(verdict(" split v1,v1").accepted);
  EXPECT_FALSE(verdict(" split v1,v9").accepted);
  EXPECT_TRUE(verdict(" split v0,v1@0@1").accepted);  // a row, and the other three
  EXPECT_TRUE(verdict(" split v0,v1@0").accepted);
  for (const char* cuts : {"@1", "@0@1@1", "@0@3@2", "@0@4", "@0@9"}) EXPECT_FALSE(verdict(std::string(" split v0,v1") + cuts).accepted) << cuts;
}

}  // namespace
}  // namespace gg
