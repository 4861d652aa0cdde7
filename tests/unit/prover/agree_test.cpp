// What the search takes for equal, the checker does as well: pairs of which it once refused the certificate, and their twins that must stay unproved.
#include "tests/unit/prover/loop_pairs.h"

namespace gg::loops {
namespace {

// tanh is taken of x as often as a counter of this type goes from 0 to beyond LIMIT by steps of STEP.
Pair counted(const std::string& type, const std::string& step, const std::string& limit, const std::string& direction) {
  const auto program = [&](const std::string& integer, const std::string& n) {
    std::string text = R"(
condition {
  p = (INT[], f32[N]) parameter(0)
  i = INT[] get-tuple-element(p), index=0
  k = INT[] constant(LIMIT)
  ROOT c = pred[] compare(i, k), direction=DIR
}
body {
  p = (INT[], f32[N]) parameter(0)
  i = INT[] get-tuple-element(p), index=0
  x = f32[N] get-tuple-element(p), index=1
  s = INT[] constant(STEP)
  j = INT[] add(i, s)
  y = f32[N] tanh(x)
  ROOT t = (INT[], f32[N]) tuple(j, y)
}
ENTRY main {
  x = f32[N] parameter(0)
  z = INT[] constant(0)
  t = (INT[], f32[N]) tuple(z, x)
  w = (INT[], f32[N]) while(t), condition=condition, body=body
  ROOT y = f32[N] get-tuple-element(w), index=1
}
)";
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"INT", integer}, {"[N]", "[" + n + "]"}, {"LIMIT", limit}, {"STEP", step}, {"DIR", direction}}) text = with(text, from, to);
    return text;
  };
  return {program(type, "4"), program("s32", "2"), R"([[["tp"]]])", R"([[["tp"]]])"};
}

// A counter that wraps around runs on; one that stays in its type counts.
TEST(Agree, CountersThatWrap) {
  EXPECT_EQ(verdict(counted("s8", "50", "100", "LT")), "proved");
  EXPECT_EQ(verdict(counted("s8", "50", "120", "LT")), "unknown");  // 0, 50, 100, -106
  EXPECT_EQ(verdict(counted("u8", "1", "254", "LE")), "proved");
  EXPECT_EQ(verdict(counted("u8", "1", "255", "LE")), "unknown");  // for ever
}

const std::string kSums = R"(
sum { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] add(a, b) }
sum8 { a = s8[] parameter(0)  b = s8[] parameter(1)  ROOT r = s8[] add(a, b) }
)";
const std::string kAll = "channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true";

// Of which places the counts of flags up to them are the same: a difference of two sums.
TEST(Agree, CountsThatAreCompared) {
  const Pair counts{kSums + R"(
ENTRY main {
  b = s32[4] parameter(0)
  z = s32[] constant(0)
  c = s32[4] reduce-window(b, z), window={size=4 pad=3_0}, to_apply=sum
  i = s32[4,4] broadcast(c), dimensions={0}
  j = s32[4,4] broadcast(c), dimensions={1}
  ROOT r = pred[4,4] compare(i, j), direction=EQ
}
)",
                    kSums + R"(
ENTRY main {
  b = s32[2] parameter(0)
  z = s32[] constant(0)
  c = s32[2] reduce-window(b, z), window={size=2 pad=1_0}, to_apply=sum
  k = s32[2] iota(), iota_dimension=0
  id = u32[] partition-id()
  d = s32[] convert(id)
  ds = s32[2] broadcast(d), dimensions={}
  before = pred[2] compare(k, ds), direction=LT
  last = s32[1] slice(c), slice={[1:2]}
  lasts = s32[2] all-gather(last), )" +
                        kAll + R"(, dimensions={0}
  zs = s32[2] broadcast(z), dimensions={}
  those = s32[2] select(before, lasts, zs)
  more = s32[] reduce(those, z), dimensions={0}, to_apply=sum
  ms = s32[2] broadcast(more), dimensions={}
  own = s32[2] add(c, ms)
  i = s32[2,4] broadcast(own), dimensions={0}
  whole = s32[4] all-gather(own), )" +
                        kAll + R"(, dimensions={0}
  j = s32[2,4] broadcast(whole), dimensions={1}
  ROOT r = pred[2,4] compare(i, j), direction=EQ
}
)",
                    R"([[["tp"]]])", R"([[["tp"], []]])"};
  EXPECT_EQ(verdict(counts), "proved") << why(counts);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"add(c, ms)", "add(c, c)"}, {"slice={[1:2]}", "slice={[0:1]}"}, {"direction=LT", "direction=LE"}}) {
    Pair wrong = counts;
    wrong.distributed = with(wrong.distributed, from, to);
    EXPECT_EQ(verdict(wrong), "unknown") << to;
  }
}

// The sum over all places k of k * k - k, modulo 2^8: folds of products of places.
TEST(Agree, SumsOfSquares) {
  const auto program = [](const std::string& n, const std::string& place, const std::string& whole) {
    return with(with(kSums + R"(
ENTRY main {
  p = s8[N] parameter(0)
  k = s32[N] iota(), iota_dimension=0
PLACE  b = s8[N] convert(at)
  sq = s8[N] multiply(b, b)
  d = s8[N] subtract(sq, b)
  z = s8[] constant(0)
  s = s8[] reduce(d, z), dimensions={0}, to_apply=sum8
)" + whole + R"(  a = s8[N] broadcast(t), dimensions={}
  ROOT r = s8[N] xor(p, a)
}
)",
                     "[N]", "[" + n + "]"),
                "PLACE", place);
  };
  Pair squares{program("6", "  at = s32[6] copy(k)\n", "  t = s8[] copy(s)\n"),
               program("3", R"(  id = u32[] partition-id()
  rank = s32[] convert(id)
  n = s32[] constant(3)
  o = s32[] multiply(rank, n)
  os = s32[3] broadcast(o), dimensions={}
  at = s32[3] add(k, os)
)",
                       "  t = s8[] all-reduce(s), " + kAll + ", to_apply=sum8\n"),
               R"([[["tp"]]])", R"([[["tp"]]])"};
  EXPECT_EQ(verdict(squares), "proved") << why(squares);
  Pair wrong = squares;
  wrong.distributed = with(wrong.distributed, "subtract(sq, b)", "subtract(sq, sq)");
  EXPECT_EQ(verdict(wrong), "unknown");
  wrong = squares;
  wrong.distributed = with(wrong.distributed, "constant(3)", "constant(2)");
  EXPECT_EQ(verdict(wrong), "unknown");
}

// A row of a table of two rows, of which each rank has one, by an index that is limited to them: neither below nor above its own is its own.
TEST(Agree, BetweenTwoEnds) {
  const std::string gather = "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}";
  const Pair table{R"(
ENTRY main {
  w = f32[2] parameter(0)
  i = s32[4] parameter(1)
  z = s32[] constant(0)
  zs = s32[4] broadcast(z), dimensions={}
  o = s32[] constant(1)
  os = s32[4] broadcast(o), dimensions={}
  at = s32[4] clamp(zs, i, os)
  ROOT r = f32[4] gather(w, at), )" +
                       gather + "\n}\n",
                   R"(
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
ENTRY main {
  w = f32[1] parameter(0)
  i = s32[4] parameter(1)
  id = u32[] partition-id()
  d = s32[] convert(id)
  ds = s32[4] broadcast(d), dimensions={}
  z = s32[] constant(0)
  zs = s32[4] broadcast(z), dimensions={}
  o = s32[] constant(1)
  os = s32[4] broadcast(o), dimensions={}
  at = s32[4] clamp(zs, i, os)
  own = s32[4] subtract(at, ds)
  above = pred[4] compare(own, zs), direction=GE
  below = pred[4] compare(own, zs), direction=LE
  both = pred[4] and(above, below)
  here = s32[4] clamp(zs, own, zs)
  g = f32[4] gather(w, here), )" +
                       gather + R"(
  f = f32[] constant(0)
  fs = f32[4] broadcast(f), dimensions={}
  s = f32[4] select(both, g, fs)
  ROOT r = f32[4] all-reduce(s), )" +
                       kAll + R"(, to_apply=add
}
)",
                   R"([[["tp"]], "replicated"])", R"(["replicated"])"};
  EXPECT_EQ(verdict(table), "proved") << why(table);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"direction=LE", "direction=LT"}, {"direction=GE", "direction=LE"}, {"subtract(at, ds)", "subtract(ds, at)"}, {"and(above", "or(above"}}) {
    Pair other = table;
    other.distributed = with(other.distributed, from, to);
    EXPECT_EQ(verdict(other), to == "subtract(ds, at)" ? "proved" : "unknown") << to;
  }
}

// The first of the smallest: of the largest negatives, by the value that all ranks find and the place at which each has it.
TEST(Agree, FirstOfTheSmallest) {
  const auto joins = [](const std::string& order) {
    return R"(
first {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  before = pred[] compare(a, b), direction=)" +
           order + R"(
  nan = pred[] compare(a, a), direction=NE
  or = pred[] or(before, nan)
  v = f32[] select(or, a, b)
  same = pred[] compare(a, b), direction=EQ
  less = pred[] compare(i, j), direction=LT
  and = pred[] and(same, less)
  own = pred[] or(or, and)
  at = s32[] select(own, i, j)
  ROOT r = (f32[], s32[]) tuple(v, at)
}
max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }
least { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] minimum(a, b) }
)";
  };
  const Pair smallest{joins("LT") + R"(
ENTRY main {
  x = f32[6] parameter(0)
  n = f32[6] negate(x)
  k = s32[6] iota(), iota_dimension=0
  h = f32[] constant(inf)
  z = s32[] constant(0)
  f = (f32[], s32[]) reduce(n, k, h, z), dimensions={0}, to_apply=first
  v = f32[] get-tuple-element(f), index=0
  ROOT r = s32[] get-tuple-element(f), index=1
}
)",
                      joins("GT") + R"(
ENTRY main {
  x = f32[3] parameter(0)
  l = f32[] constant(-inf)
  m = f32[] reduce(x, l), dimensions={0}, to_apply=max
  all = f32[] all-reduce(m), )" +
                          kAll + R"(, to_apply=max
  has = pred[] compare(m, all), direction=EQ
  k = s32[3] iota(), iota_dimension=0
  z = s32[] constant(0)
  f = (f32[], s32[]) reduce(x, k, l, z), dimensions={0}, to_apply=first
  at = s32[] get-tuple-element(f), index=1
  id = u32[] partition-id()
  d = s32[] convert(id)
  n = s32[] constant(3)
  o = s32[] multiply(d, n)
  place = s32[] add(at, o)
  far = s32[] constant(1073741824)
  s = s32[] select(has, place, far)
  ROOT r = s32[] all-reduce(s), )" +
                          kAll + R"(, to_apply=least
}
)",
                      R"([[["tp"]]])", R"(["replicated"])"};
  EXPECT_EQ(verdict(smallest), "proved") << why(smallest);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"constant(3)", "constant(2)"}, {"select(has, place, far)", "select(has, at, far)"}, {"constant(1073741824)", "constant(2)"}}) {
    Pair wrong = smallest;
    wrong.distributed = with(wrong.distributed, from, to);
    EXPECT_EQ(verdict(wrong), "unknown") << to;
  }
}

// A causal softmax whose columns are padded and spread: each row has its first column, so what it sums up to is positive.
TEST(Agree, RowsOfATriangle) {
  const std::string regions = R"(
max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
)";
  const Pair softmax{regions + R"(
ENTRY main {
  q = f32[3,2] parameter(0)
  s = f32[3,3] dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  i = s32[3,3] iota(), iota_dimension=0
  j = s32[3,3] iota(), iota_dimension=1
  g = pred[3,3] compare(i, j), direction=GE
  l = f32[] constant(-inf)
  ls = f32[3,3] broadcast(l), dimensions={}
  w = f32[3,3] select(g, s, ls)
  m = f32[3] reduce(w, l), dimensions={1}, to_apply=max
  ms = f32[3,3] broadcast(m), dimensions={0}
  d = f32[3,3] subtract(w, ms)
  e = f32[3,3] exponential(d)
  z = f32[] constant(0)
  t = f32[3] reduce(e, z), dimensions={1}, to_apply=add
  ts = f32[3,3] broadcast(t), dimensions={0}
  p = f32[3,3] divide(e, ts)
  ROOT r = f32[3,2] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)",
                     regions + R"(
ENTRY main {
  q = f32[3,2] parameter(0)
  z = f32[] constant(0)
  wide = f32[4,2] pad(q, z), padding=0_1x0_0
  id = u32[] partition-id()
  rank = s32[] convert(id)
  two = s32[] constant(2)
  o = s32[] multiply(rank, two)
  zero = s32[] constant(0)
  k = f32[2,2] dynamic-slice(wide, o, zero), dynamic_slice_sizes={2,2}
  s = f32[3,2] dot(q, k), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  i = s32[3,2] iota(), iota_dimension=0
  j0 = s32[3,2] iota(), iota_dimension=1
  os = s32[3,2] broadcast(o), dimensions={}
  j = s32[3,2] add(j0, os)
  g = pred[3,2] compare(i, j), direction=GE
  n = s32[] constant(3)
  ns = s32[3,2] broadcast(n), dimensions={}
  there = pred[3,2] compare(j, ns), direction=LT
  l = f32[] constant(-inf)
  ls = f32[3,2] broadcast(l), dimensions={}
  w0 = f32[3,2] select(g, s, ls)
  w = f32[3,2] select(there, w0, ls)
  m0 = f32[3] reduce(w, l), dimensions={1}, to_apply=max
  m = f32[3] all-reduce(m0), )" +
                         kAll +
                         R"(, to_apply=max
  ms = f32[3,2] broadcast(m), dimensions={0}
  d = f32[3,2] subtract(w0, ms)
  e = f32[3,2] exponential(d)
  zs = f32[3,2] broadcast(z), dimensions={}
  e1 = f32[3,2] select(there, e, zs)
  t0 = f32[3] reduce(e1, z), dimensions={1}, to_apply=add
  t = f32[3] all-reduce(t0), )" +
                         kAll +
                         R"(, to_apply=add
  ts = f32[3,2] broadcast(t), dimensions={0}
  p = f32[3,2] divide(e, ts)
  p1 = f32[3,2] select(there, p, zs)
  r0 = f32[3,2] dot(p1, k), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = f32[3,2] all-reduce(r0), )" +
                         kAll + R"(, to_apply=add
}
)",
                     R"(["replicated"])", R"(["replicated"])"};
  EXPECT_EQ(verdict(softmax), "proved") << why(softmax);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"reduce(e1, z)", "reduce(e, z)"}, {"direction=GE", "direction=GT"}, {"select(there, p, zs)", "select(there, e, zs)"}}) {
    Pair other = softmax;
    other.distributed = with(other.distributed, from, to);
    EXPECT_EQ(verdict(other), to == "reduce(e, z)" ? "proved" : "unknown") << to;
  }
}

}  // namespace
}  // namespace gg::loops
