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

}  // namespace
}  // namespace gg::loops
