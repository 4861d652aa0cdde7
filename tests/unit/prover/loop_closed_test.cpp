// Loops without a partner: accumulations, pieces written one after the other, rotated buffers, unrolled programs.
#include "tests/unit/prover/loop_pairs.h"

namespace gg::loops {
namespace {

const std::string kSum = R"(
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
)";

std::string counted(const std::string& type, const std::string& body, const std::string& trips) {
  return kSum + "body {\n  p = " + type + " parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n" +
         "  one = s32[] constant(1)\n  next = s32[] add(i, one)\n  zero = s32[] constant(0)\n" + body + "}\n" +
         "condition {\n  p = " + type + " parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  n = s32[] constant(" + trips +
         ")\n  ROOT c = pred[] compare(i, n), direction=LT\n}\n";
}

// A contraction summed up in four steps on each rank.
Pair accumulation() {
  const std::string type = "(s32[], f32[4,6], f32[4,8], f32[8,6])";
  const std::string body = R"(
  acc = f32[4,6] get-tuple-element(p), index=1
  x = f32[4,8] get-tuple-element(p), index=2
  w = f32[8,6] get-tuple-element(p), index=3
  two = s32[] constant(2)
  at = s32[] multiply(i, two)
  xs = f32[4,2] dynamic-slice(x, zero, at), dynamic_slice_sizes={4,2}
  ws = f32[2,6] dynamic-slice(w, at, zero), dynamic_slice_sizes={2,6}
  d = f32[4,6] dot(xs, ws), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  more = f32[4,6] add(acc, d)
  ROOT t = )" + type + " tuple(next, more, x, w)\n";
  return {R"(
ENTRY main {
  x = f32[4,16] parameter(0)
  w = f32[16,6] parameter(1)
  ROOT y = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)",
          counted(type, body, "4") + R"(
ENTRY main {
  x = f32[4,8] parameter(0)
  w = f32[8,6] parameter(1)
  start = s32[] constant(0)
  none = f32[] constant(0)
  zeros = f32[4,6] broadcast(none), dimensions={}
  t = )" + type +
              R"( tuple(start, zeros, x, w)
  l = )" + type +
              R"( while(t), condition=condition, body=body
  part = f32[4,6] get-tuple-element(l), index=1
  ROOT y = f32[4,6] all-reduce(part), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=sum
}
)",
          R"([[[],["tp"]],[["tp"],[]]])", "[[[],[]]]"};
}

std::string changed(Pair p, const std::string& from, const std::string& to) {
  p.distributed = with(p.distributed, from, to);
  return verdict(p);
}

TEST(ClosedLoops, Accumulation) {
  EXPECT_EQ(verdict(accumulation()), "proved") << why(accumulation());
  EXPECT_EQ(changed(accumulation(), "n = s32[] constant(4)", "n = s32[] constant(3)"), "unknown");
  EXPECT_EQ(changed(accumulation(), "n = s32[] constant(4)", "n = s32[] constant(5)"), "unknown");  // the last slice twice
  EXPECT_EQ(changed(accumulation(), "none = f32[] constant(0)", "none = f32[] constant(1)"), "unknown");
  EXPECT_EQ(changed(accumulation(), "at = s32[] multiply(i, two)", "at = s32[] add(i, two)"), "unknown");
  EXPECT_EQ(changed(accumulation(), "add(acc, d)", "subtract(acc, d)"), "unknown");
  EXPECT_EQ(changed(accumulation(), "add(acc, d)", "add(d, d)"), "unknown");
  EXPECT_EQ(changed(accumulation(), "ROOT y = f32[4,6] all-reduce(part), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=sum",
                    "ROOT y = f32[4,6] copy(part)"),
            "unknown");
}

// A scan that returns what it saw at each step, over sharded columns.
Pair stacked() {
  const auto program = [](const std::string& n) {
    const std::string type = "(s32[], f32[" + n + "], f32[5," + n + "], f32[5," + n + "])";
    return counted(type, "  c = f32[" + n + R"(] get-tuple-element(p), index=1
  ys = f32[5,)" + n + R"(] get-tuple-element(p), index=2
  w = f32[5,)" + n + R"(] get-tuple-element(p), index=3
  w1 = f32[1,)" + n + "] dynamic-slice(w, i, zero), dynamic_slice_sizes={1," +
                             n + R"(}
  w2 = f32[)" + n + R"(] reshape(w1)
  s = f32[)" + n + R"(] add(c, w2)
  d = f32[)" + n + R"(] tanh(s)
  d1 = f32[1,)" + n + R"(] reshape(d)
  zs = f32[5,)" + n + R"(] dynamic-update-slice(ys, d1, i, zero)
  ROOT t = )" + type + " tuple(next, d, zs, w)\n",
                   "5") +
           R"(
ENTRY main {
  c = f32[)" +
           n + R"(] parameter(0)
  w = f32[5,)" +
           n + R"(] parameter(1)
  start = s32[] constant(0)
  none = f32[] constant(0)
  zeros = f32[5,)" +
           n + R"(] broadcast(none), dimensions={}
  t = )" + type +
           R"( tuple(start, c, zeros, w)
  l = )" + type +
           R"( while(t), condition=condition, body=body
  ROOT y = f32[5,)" +
           n + "] get-tuple-element(l), index=2\n}\n";
  };
  return {program("4"), program("2"), R"([[["tp"]],[[],["tp"]]])", R"([[[],["tp"]]])"};
}

TEST(ClosedLoops, Stack) {
  EXPECT_EQ(verdict(stacked()), "proved") << why(stacked());
  EXPECT_EQ(changed(stacked(), "dynamic-update-slice(ys, d1, i, zero)", "dynamic-update-slice(ys, d1, next, zero)"), "unknown");
  EXPECT_EQ(changed(stacked(), "dynamic-update-slice(ys, d1, i, zero)", "dynamic-update-slice(ys, w1, i, zero)"), "unknown");
  EXPECT_EQ(changed(stacked(), "n = s32[] constant(5)", "n = s32[] constant(4)"), "unknown");  // the last one stays zero
  Pair p = stacked();
  p.distributed = with(p.distributed, "none = f32[] constant(0)", "none = f32[] constant(7)");
  EXPECT_EQ(verdict(p), "proved");  // all of it is written
  Pair reversed = stacked();
  for (std::string* text : {&reversed.sequential, &reversed.distributed})
    *text = with(with(*text, "  one = s32[]", "  last = s32[] constant(4)\n  back = s32[] subtract(last, i)\n  one = s32[]"), "d1, i, zero", "d1, back, zero");
  EXPECT_EQ(verdict(reversed), "proved") << why(reversed);
  EXPECT_EQ(changed(reversed, "d1, back, zero", "d1, i, zero"), "unknown");
}

// Blocks of rows written one after the other, where the sequential program has no loop.
TEST(ClosedLoops, BlocksOfRows) {
  const std::string type = "(s32[], f32[6,4], f32[6,4])";
  const std::string body = R"(
  ys = f32[6,4] get-tuple-element(p), index=1
  x = f32[6,4] get-tuple-element(p), index=2
  two = s32[] constant(2)
  at = s32[] multiply(i, two)
  xs = f32[2,4] dynamic-slice(x, at, zero), dynamic_slice_sizes={2,4}
  r = f32[2,4] tanh(xs)
  zs = f32[6,4] dynamic-update-slice(ys, r, at, zero)
  ROOT t = )" + type + " tuple(next, zs, x)\n";
  const Pair p{R"(
ENTRY main {
  x = f32[6,8] parameter(0)
  ROOT y = f32[6,8] tanh(x)
}
)",
               counted(type, body, "3") + R"(
ENTRY main {
  x = f32[6,4] parameter(0)
  start = s32[] constant(0)
  none = f32[] constant(0)
  zeros = f32[6,4] broadcast(none), dimensions={}
  t = )" + type + R"( tuple(start, zeros, x)
  l = )" + type + R"( while(t), condition=condition, body=body
  ROOT y = f32[6,4] get-tuple-element(l), index=1
}
)",
               R"([[[],["tp"]]])", R"([[[],["tp"]]])"};
  EXPECT_EQ(verdict(p), "proved") << why(p);
  EXPECT_EQ(changed(p, "n = s32[] constant(3)", "n = s32[] constant(2)"), "unknown");
  EXPECT_EQ(changed(p, "dynamic-update-slice(ys, r, at, zero)", "dynamic-update-slice(ys, r, i, zero)"), "unknown");
}

// A weight that goes around the ring until it is home again; each step is added up where it is needed.
TEST(ClosedLoops, RotatedBuffer) {
  const std::string type = "(s32[], f32[8,3])";
  const std::string body = R"(
  w = f32[8,3] get-tuple-element(p), index=1
  v = f32[8,3] collective-permute(w), channel_id=1, source_target_pairs={{0,1},{1,0}}
  ROOT t = )" + type + " tuple(next, v)\n";
  const Pair p{R"(
ENTRY main {
  x = f32[4,8] parameter(0)
  w = f32[8,6] parameter(1)
  ROOT y = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)",
               counted(type, body, "4") + R"(
ENTRY main {
  x = f32[4,8] parameter(0)
  w = f32[8,3] parameter(1)
  start = s32[] constant(0)
  t = )" + type + R"( tuple(start, w)
  l = )" + type + R"( while(t), condition=condition, body=body
  home = f32[8,3] get-tuple-element(l), index=1
  ROOT y = f32[4,3] dot(x, home), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)",
               R"([[[],[]],[[],["tp"]]])", R"([[[],["tp"]]])"};
  EXPECT_EQ(verdict(p), "proved") << why(p);
  EXPECT_EQ(changed(p, "n = s32[] constant(4)", "n = s32[] constant(3)"), "unknown");  // one step short
  EXPECT_EQ(changed(p, "{{0,1},{1,0}}", "{{0,1}}"), "unknown");                        // zeros arrive
}

// x = tanh(x w[i]), four layers, as a scan and written out.
std::string scanned(const std::string& rows) {
  const std::string type = "(s32[], f32[" + rows + ",4], f32[4,4,4])";
  return counted(type, "  x = f32[" + rows + R"(,4] get-tuple-element(p), index=1
  w = f32[4,4,4] get-tuple-element(p), index=2
  w1 = f32[1,4,4] dynamic-slice(w, i, zero, zero), dynamic_slice_sizes={1,4,4}
  w2 = f32[4,4] reshape(w1)
  h = f32[)" + rows + R"(,4] dot(x, w2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[)" + rows + R"(,4] tanh(h)
  ROOT t = )" + type + " tuple(next, y, w)\n",
                 "4") +
         "ENTRY main {\n  x = f32[" + rows + R"(,4] parameter(0)
  w = f32[4,4,4] parameter(1)
  start = s32[] constant(0)
  t = )" +
         type + R"( tuple(start, x, w)
  l = )" +
         type + R"( while(t), condition=condition, body=body
  ROOT y = f32[)" +
         rows + ",4] get-tuple-element(l), index=1\n}\n";
}

std::string written_out(const std::string& rows) {
  std::string text = "ENTRY main {\n  x0 = f32[" + rows + ",4] parameter(0)\n  w = f32[4,4,4] parameter(1)\n";
  for (int k = 0; k < 4; ++k) {
    const std::string n = std::to_string(k), m = std::to_string(k + 1);
    text += "  a" + n + " = f32[1,4,4] slice(w), slice={[" + n + ":" + m + "], [0:4], [0:4]}\n  b" + n + " = f32[4,4] reshape(a" + n + ")\n  h" + n +
            " = f32[" + rows + ",4] dot(x" + n + ", b" + n + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  " + (k == 3 ? "ROOT " : "") + "x" +
            m + " = f32[" + rows + ",4] tanh(h" + n + ")\n";
  }
  return text + "}\n";
}

TEST(ClosedLoops, ScanAndUnrolled) {
  const std::string inputs = R"([[["tp"],[]],[[],[],[]]])", outputs = R"([[["tp"],[]]])";
  EXPECT_EQ(verdict({scanned("4"), written_out("2"), inputs, outputs}), "proved");
  EXPECT_EQ(verdict({written_out("4"), scanned("2"), inputs, outputs}), "proved");
  EXPECT_EQ(verdict({scanned("4"), with(written_out("2"), "slice={[2:3]", "slice={[1:2]"), inputs, outputs}), "unknown");
  EXPECT_EQ(verdict({scanned("4"), with(written_out("2"), "tanh(h2)", "negate(h2)"), inputs, outputs}), "unknown");
  EXPECT_EQ(verdict({written_out("4"), with(scanned("2"), "n = s32[] constant(4)", "n = s32[] constant(3)"), inputs, outputs}), "unknown");
}

}  // namespace
}  // namespace gg::loops
