// Scans over a shard of a sequence: the state handed on from rank to rank, or corrected afterwards; and what must stay unproved.
#include "tests/unit/prover/loop_pairs.h"

namespace gg::loops {
namespace {

// h = STEP of (h, a[i], x[i]), ys[i] = h; N steps.
const std::string kScan = R"(
NAMEbody {
  p = (s32[], f32[4], f32[N,4], f32[N,4], f32[N,4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  h = f32[4] get-tuple-element(p), index=1
  ys = f32[N,4] get-tuple-element(p), index=2
  a = f32[N,4] get-tuple-element(p), index=3
  x = f32[N,4] get-tuple-element(p), index=4
  one = s32[] constant(1)
  next = s32[] add(i, one)
  zero = s32[] constant(0)
  a1 = f32[1,4] dynamic-slice(a, i, zero), dynamic_slice_sizes={1,4}
  a2 = f32[4] reshape(a1)
  x1 = f32[1,4] dynamic-slice(x, i, zero), dynamic_slice_sizes={1,4}
  x2 = f32[4] reshape(x1)
  decayed = f32[4] multiply(a2, h)
  more = f32[4] add(decayed, x2)
  new = f32[4] STEP(more)
  row = f32[1,4] reshape(new)
  all = f32[N,4] dynamic-update-slice(ys, row, i, zero)
  ROOT t = (s32[], f32[4], f32[N,4], f32[N,4], f32[N,4]) tuple(next, new, all, a, x)
}
NAMEcondition {
  p = (s32[], f32[4], f32[N,4], f32[N,4], f32[N,4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(N)
  ROOT c = pred[] compare(i, n), direction=LT
}
)";
const std::string kUnshifted = R"(
ENTRY main {
  a = f32[6,4] parameter(0)
  x = f32[6,4] parameter(1)
  start = s32[] constant(0)
  z = f32[] constant(0)
  h = f32[4] broadcast(z), dimensions={}
  ys = f32[6,4] broadcast(z), dimensions={}
  t = (s32[], f32[4], f32[6,4], f32[6,4], f32[6,4]) tuple(start, h, ys, a, x)
  w = (s32[], f32[4], f32[6,4], f32[6,4], f32[6,4]) while(t), condition=condition, body=body
  ROOT y = f32[6,4] get-tuple-element(w), index=2
}
)";
const std::string kHandedOn = R"(
ENTRY main {
  a = f32[3,4] parameter(0)
  x = f32[3,4] parameter(1)
  start = s32[] constant(0)
  z = f32[] constant(0)
  h = f32[4] broadcast(z), dimensions={}
  ys = f32[3,4] broadcast(z), dimensions={}
  t0 = (s32[], f32[4], f32[3,4], f32[3,4], f32[3,4]) tuple(start, h, ys, a, x)
  w0 = (s32[], f32[4], f32[3,4], f32[3,4], f32[3,4]) while(t0), condition=condition, body=body
  y0 = f32[3,4] get-tuple-element(w0), index=2
  last1 = f32[1,4] slice(y0), slice={[2:3], [0:4]}
  last = f32[4] reshape(last1)
  enter = f32[4] collective-permute(last), channel_id=1, source_target_pairs={{0,1}}
  t1 = (s32[], f32[4], f32[3,4], f32[3,4], f32[3,4]) tuple(start, enter, ys, a, x)
  w1 = (s32[], f32[4], f32[3,4], f32[3,4], f32[3,4]) while(t1), condition=condition, body=body
  y1 = f32[3,4] get-tuple-element(w1), index=2
  rank = u32[] partition-id()
  first = u32[] constant(0)
  is0 = pred[] compare(rank, first), direction=EQ
  is = pred[3,4] broadcast(is0), dimensions={}
  ROOT y = f32[3,4] select(is, y0, y1)
}
)";
// From zero everywhere, then + (product of the factors so far) * what the rank before ended with.
const std::string kCorrected = R"(
times {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT r = f32[] multiply(p, q)
}
ENTRY main {
  a = f32[3,4] parameter(0)
  x = f32[3,4] parameter(1)
  start = s32[] constant(0)
  z = f32[] constant(0)
  one = f32[] constant(1)
  h = f32[4] broadcast(z), dimensions={}
  ys = f32[3,4] broadcast(z), dimensions={}
  t0 = (s32[], f32[4], f32[3,4], f32[3,4], f32[3,4]) tuple(start, h, ys, a, x)
  w0 = (s32[], f32[4], f32[3,4], f32[3,4], f32[3,4]) while(t0), condition=condition, body=body
  y0 = f32[3,4] get-tuple-element(w0), index=2
  end = f32[4] get-tuple-element(w0), index=1
  enter = f32[4] collective-permute(end), channel_id=1, source_target_pairs={{0,1}}
  decay = f32[3,4] reduce-window(a, one), window={size=3x1 pad=2_0x0_0}, to_apply=times
  enters = f32[3,4] broadcast(enter), dimensions={1}
  more = f32[3,4] multiply(decay, enters)
  ROOT y = f32[3,4] add(y0, more)
}
)";

std::string scan(const std::string& name, const std::string& n, const std::string& step) {
  return with(with(with(kScan, "NAME", name), "[N,", "[" + n + ","), "STEP", step);
}

Pair pair(const std::string& distributed, const std::string& step, const std::string& other_step) {
  const auto whole = [&](const std::string& n, const std::string& s) { return with(scan("", n, s), "constant(N)", "constant(" + n + ")"); };
  return {whole("6", step) + kUnshifted, whole("3", other_step) + distributed, R"([[["tp"],[]],[["tp"],[]]])", R"([[["tp"],[]]])"};
}
Pair pair(const std::string& distributed, const std::string& step) { return pair(distributed, step, step); }

TEST(ShiftedLoops, HandedOn) {
  EXPECT_EQ(verdict(pair(kHandedOn, "tanh")), "proved") << why(pair(kHandedOn, "tanh"));
  EXPECT_EQ(verdict(pair(kHandedOn, "copy")), "proved") << why(pair(kHandedOn, "copy"));
}

TEST(ShiftedLoops, Corrected) { EXPECT_EQ(verdict(pair(kCorrected, "copy")), "proved") << why(pair(kCorrected, "copy")); }

TEST(ShiftedLoops, NearMisses) {
  for (const std::string step : {"tanh", "copy"}) {
    const auto changed = [&](const std::string& from, const std::string& to) { return verdict(pair(with(kHandedOn, from, to), step)); };
    EXPECT_EQ(changed("{[2:3], [0:4]}", "{[1:2], [0:4]}"), "unknown");  // not the last state
    EXPECT_EQ(changed("{{0,1}}", "{{0,0}}"), "unknown");                // handed on to itself
    EXPECT_EQ(changed("{{0,1}}", "{{1,0}}"), "unknown");
    EXPECT_EQ(changed("tuple(start, enter,", "tuple(start, h,"), "unknown");    // starts with zero again
    EXPECT_EQ(changed("select(is, y0, y1)", "select(is, y1, y0)"), "unknown");  // the other round
    EXPECT_EQ(changed("constant(0)\n  is0", "constant(1)\n  is0"), "unknown");
    EXPECT_EQ(changed("select(is, y0, y1)", "add(y1, ys)"), "proved");  // rank 0 begins with zero in both rounds
    EXPECT_EQ(verdict(pair(with(with(kHandedOn, "tuple(start, h,", "tuple(start, h0,"), "  t0 =", "  h0 = f32[4] negate(h)\n  t0 ="), step)), "proved");
  }
  EXPECT_EQ(verdict(pair(kHandedOn, "tanh", "copy")), "unknown");
  EXPECT_EQ(verdict(pair(kHandedOn, "tanh", "negate")), "unknown");
}

TEST(ShiftedLoops, NearMissesOfCorrections) {
  const auto changed = [&](const std::string& from, const std::string& to) { return verdict(pair(with(kCorrected, from, to), "copy")); };
  EXPECT_EQ(verdict(pair(kCorrected, "tanh")), "unknown");                            // not linear
  EXPECT_EQ(verdict(pair(kCorrected, "negate")), "unknown");                          // other factors
  EXPECT_EQ(changed("pad=2_0x0_0", "pad=1_1x0_0"), "unknown");                        // one factor too many
  EXPECT_EQ(changed("{size=3x1 pad=2_0x0_0}", "{size=2x1 pad=1_0x0_0}"), "unknown");  // two factors at most
  EXPECT_EQ(changed("{{0,1}}", "{{1,0}}"), "unknown");
  EXPECT_EQ(changed("multiply(decay, enters)", "add(decay, enters)"), "unknown");
  EXPECT_EQ(changed("multiply(p, q)", "add(p, q)"), "unknown");
  EXPECT_EQ(changed("one = f32[] constant(1)", "one = f32[] constant(2)"), "unknown");
  EXPECT_EQ(changed("add(y0, more)", "subtract(y0, more)"), "unknown");
}

}  // namespace
}  // namespace gg::loops
