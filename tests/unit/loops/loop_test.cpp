// Loops: scans in lockstep, backwards, with stacks, accumulations, against unrolled programs; and what must stay unproved.
#include "tests/unit/prover/loop_pairs.h"

namespace gg::loops {
namespace {

// x = x + tanh(x a[i]) b[i] over stacked weights, `LAYERS` layers; tensor-parallel over the inner dimension.
const std::string kSequential = R"(
body {
  p = (s32[], f32[4,8], f32[LAYERS,8,16], f32[LAYERS,16,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4,8] get-tuple-element(p), index=1
  a = f32[LAYERS,8,16] get-tuple-element(p), index=2
  b = f32[LAYERS,16,8] get-tuple-element(p), index=3
  one = s32[] constant(1)
  next = s32[] add(i, one)
  zero = s32[] constant(0)
  layer = s32[] INDEX
  a1 = f32[1,8,16] dynamic-slice(a, layer, zero, zero), dynamic_slice_sizes={1,8,16}
  a2 = f32[8,16] reshape(a1)
  b1 = f32[1,16,8] dynamic-slice(b, layer, zero, zero), dynamic_slice_sizes={1,16,8}
  b2 = f32[16,8] reshape(b1)
  h = f32[4,16] dot(x, a2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  r = f32[4,16] tanh(h)
  y = f32[4,8] dot(r, b2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[4,8] add(x, y)
  ROOT t = (s32[], f32[4,8], f32[LAYERS,8,16], f32[LAYERS,16,8]) tuple(next, z, a, b)
}
condition {
  p = (s32[], f32[4,8], f32[LAYERS,8,16], f32[LAYERS,16,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(TRIPS)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[4,8] parameter(0)
  a = f32[LAYERS,8,16] parameter(1)
  b = f32[LAYERS,16,8] parameter(2)
  start = s32[] constant(0)
  t = (s32[], f32[4,8], f32[LAYERS,8,16], f32[LAYERS,16,8]) tuple(start, x, a, b)
  w = (s32[], f32[4,8], f32[LAYERS,8,16], f32[LAYERS,16,8]) while(t), condition=condition, body=body
  ROOT y = f32[4,8] get-tuple-element(w), index=1
}
)";
const std::string kDistributed = R"(
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
body {
  p = (s32[], f32[4,8], f32[LAYERS,8,8], f32[LAYERS,8,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4,8] get-tuple-element(p), index=1
  a = f32[LAYERS,8,8] get-tuple-element(p), index=2
  b = f32[LAYERS,8,8] get-tuple-element(p), index=3
  one = s32[] constant(STEP)
  next = s32[] add(i, one)
  zero = s32[] constant(0)
  layer = s32[] INDEX
  a1 = f32[1,8,8] dynamic-slice(a, layer, zero, zero), dynamic_slice_sizes={1,8,8}
  a2 = f32[8,8] reshape(a1)
  b1 = f32[1,8,8] dynamic-slice(b, layer, zero, zero), dynamic_slice_sizes={1,8,8}
  b2 = f32[8,8] reshape(b1)
  h = f32[4,8] dot(x, a2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  r = f32[4,8] tanh(h)
  y0 = f32[4,8] dot(r, b2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[4,8] all-reduce(y0), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=sum
  z = f32[4,8] add(x, y)
  ROOT t = (s32[], f32[4,8], f32[LAYERS,8,8], f32[LAYERS,8,8]) tuple(next, z, a, b)
}
condition {
  p = (s32[], f32[4,8], f32[LAYERS,8,8], f32[LAYERS,8,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(BOUND)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[4,8] parameter(0)
  a = f32[LAYERS,8,8] parameter(1)
  b = f32[LAYERS,8,8] parameter(2)
  start = s32[] constant(START)
  t = (s32[], f32[4,8], f32[LAYERS,8,8], f32[LAYERS,8,8]) tuple(start, x, a, b)
  w = (s32[], f32[4,8], f32[LAYERS,8,8], f32[LAYERS,8,8]) while(t), condition=condition, body=body
  ROOT y = f32[4,8] get-tuple-element(w), index=1
}
)";

struct Scan {
  std::string layers = "5", trips = "5", step = "1", bound = "5", start = "0";
  std::string sequential_index = "copy(i)", index = "copy(i)";
};

Pair scan(const Scan& s) {
  Pair p{kSequential, kDistributed, R"([[[],[]],[[],[],["tp"]],[[],["tp"],[]]])", "[[[],[]]]"};
  p.sequential = with(with(with(p.sequential, "LAYERS", s.layers), "TRIPS", s.trips), "INDEX", s.sequential_index);
  p.distributed = with(with(p.distributed, "LAYERS", s.layers), "BOUND", s.bound);
  p.distributed = with(with(with(p.distributed, "STEP", s.step), "START", s.start), "INDEX", s.index);
  return p;
}

TEST(Loops, ForwardScan) { EXPECT_EQ(verdict(scan({})), "proved") << why(scan({})); }

TEST(Loops, CostDoesNotHangOnTheTripCount) {
  const Scan s{.layers = "100000", .trips = "100000", .bound = "100000"};
  EXPECT_EQ(verdict(scan(s)), "proved");
}

TEST(Loops, OneAndNoIteration) {
  EXPECT_EQ(verdict(scan({.layers = "1", .trips = "1", .bound = "1"})), "proved");
  EXPECT_EQ(verdict(scan({.trips = "0", .bound = "0"})), "proved");
  EXPECT_EQ(verdict(scan({.trips = "0", .bound = "1"})), "unknown");
  EXPECT_EQ(verdict(scan({.trips = "-3", .bound = "0"})), "proved");  // no iteration either
}

TEST(Loops, Counters) {
  EXPECT_EQ(verdict(scan({.bound = "6"})), "unknown");  // another trip count
  EXPECT_EQ(verdict(scan({.bound = "4"})), "unknown");
  EXPECT_EQ(verdict(scan({.start = "1"})), "unknown");  // starts late
  EXPECT_EQ(verdict(scan({.step = "2"})), "unknown");   // every other layer
  EXPECT_EQ(verdict(scan({.step = "0"})), "unknown");   // never ends
  EXPECT_EQ(verdict(scan({.step = "-1"})), "unknown");  // wraps after 2^31
}

TEST(Loops, ShiftedCounter) {
  Pair p = scan({.bound = "8", .start = "3", .index = "subtract(i, three)"});
  p.distributed = with(p.distributed, "  zero = s32[] constant(0)\n", "  zero = s32[] constant(0)\n  three = s32[] constant(3)\n");
  EXPECT_EQ(verdict(p), "proved") << why(p);
  EXPECT_EQ(verdict({p.sequential, with(p.distributed, "three = s32[] constant(3)", "three = s32[] constant(2)"), p.inputs, p.outputs}),
            "unknown");
  const std::string down = with(with(with(with(p.distributed, "constant(8)", "constant(2)"), "start = s32[] constant(3)", "start = s32[] constant(7)"),
                                     "one = s32[] constant(1)", "one = s32[] constant(-1)"),
                                "direction=LT", "direction=GT");
  const Pair counted_down{p.sequential, with(with(down, "constant(3)", "constant(7)"), "subtract(i, three)", "subtract(three, i)"), p.inputs, p.outputs};
  EXPECT_EQ(verdict(counted_down), "proved") << why(counted_down);
}

TEST(Loops, NotEqualAsCondition) {
  Pair p = scan({});
  p.distributed = with(p.distributed, "direction=LT", "direction=NE");
  EXPECT_EQ(verdict(p), "proved");
  p.distributed = with(p.distributed, "one = s32[] constant(1)", "one = s32[] constant(3)");  // jumps over 5
  EXPECT_EQ(verdict(p), "unknown");
}

TEST(Loops, BackwardScan) {
  Pair p = scan({.sequential_index = "subtract(last, i)", .index = "subtract(last, i)"});
  const auto last = [](const std::string& text, const std::string& n) {
    return with(text, "  zero = s32[] constant(0)\n", "  zero = s32[] constant(0)\n  last = s32[] constant(" + n + ")\n");
  };
  EXPECT_EQ(verdict({last(p.sequential, "4"), last(p.distributed, "4"), p.inputs, p.outputs}), "proved");
  EXPECT_EQ(verdict({last(p.sequential, "4"), last(p.distributed, "3"), p.inputs, p.outputs}), "unknown");  // clamped at 0
  EXPECT_EQ(verdict({last(p.sequential, "4"), last(p.distributed, "5"), p.inputs, p.outputs}), "unknown");
  const Pair forward = scan({.index = "copy(i)"});
  EXPECT_EQ(verdict({last(p.sequential, "4"), forward.distributed, p.inputs, p.outputs}), "unknown");  // not reversed
}

TEST(Loops, NearMisses) {
  const Pair p = scan({});
  const auto changed = [&](const std::string& from, const std::string& to) {
    return verdict({p.sequential, with(p.distributed, from, to), p.inputs, p.outputs});
  };
  EXPECT_EQ(changed("z = f32[4,8] add(x, y)", "z = f32[4,8] add(x, y0)"), "unknown");  // no all-reduce
  EXPECT_EQ(changed("z = f32[4,8] add(x, y)", "z = f32[4,8] add(y, y)"), "unknown");
  EXPECT_EQ(changed("tuple(next, z, a, b)\n", "tuple(next, x, a, b)\n"), "unknown");                                                                                                                                  // nothing happens
  EXPECT_EQ(changed("  start = s32[]", "  x1 = f32[4,8] negate(x)\n  start = s32[]"), "proved");                                                                                                                      // unused
  EXPECT_EQ(verdict({p.sequential, with(with(p.distributed, "  start = s32[]", "  x1 = f32[4,8] negate(x)\n  start = s32[]"), "tuple(start, x, a, b)", "tuple(start, x1, a, b)"), p.inputs, p.outputs}), "unknown");  // wrong initial value
  EXPECT_EQ(changed("dynamic-slice(b, layer, zero, zero)", "dynamic-slice(b, next, zero, zero)"), "unknown");                                                                                                         // the next layer's
}

}  // namespace
}  // namespace gg::loops
