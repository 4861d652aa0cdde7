// Flattening: calls, tuples and barriers vanish, instances keep their call paths.
#include "models/ir/flatten.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

/// `main/c1/%n(main/%x:0)` for each node.
std::vector<std::string> describe(const Module& module, const FlatProgram& program) {
  std::vector<std::string> out;
  auto name = [&](std::uint32_t node) { return to_string(module, program.instance(program.nodes[node])); };
  for (std::uint32_t k = 0; k < program.nodes.size(); ++k) {
    std::string text = name(k) + "(";
    for (const FlatValue& value : program.operands(program.nodes[k])) {
      text += name(value.node) + ":" + std::to_string(value.leaf) + " ";
    }
    out.push_back(text + ")");
  }
  return out;
}

TEST(Flatten, CallsTuplesAndBarriers) {
  const Module module = parse_hlo(R"(HloModule m
pair { p = f32[2] parameter(0)
  q = f32[2] negate(p)
  ROOT t = (f32[2], f32[2]) tuple(q, p) }
ENTRY main {
  y = f32[2] parameter(1)
  x = f32[2] parameter(0)
  c1 = (f32[2], f32[2]) call(x), to_apply=pair
  bar = (f32[2], f32[2]) opt-barrier(c1)
  a = f32[2] get-tuple-element(bar), index=0
  c2 = (f32[2], f32[2]) fusion(a), kind=kLoop, calls=pair
  b = f32[2] get-tuple-element(c2), index=1
  s = f32[2] add(b, y)
  ROOT out = ((f32[2], f32[2]), f32[2]) tuple(c2, s)
})",
                                  "");
  const FlatProgram program = flatten(module);
  EXPECT_EQ((std::vector<std::string>{"main/%x()", "main/%y()", "main/c1/%q(main/%x:0 )", "main/c2/%q(main/c1/%q:0 )",
                                      "main/%s(main/c1/%q:0 main/%y:0 )"}),
            describe(module, program));
  EXPECT_EQ((std::vector<FlatValue>{{0, 0}, {1, 0}}), program.inputs);
  EXPECT_EQ((std::vector<FlatValue>{{3, 0}, {2, 0}, {4, 0}}), program.outputs);
}

TEST(Flatten, TupleParametersAndLoops) {
  const Module module = parse_hlo(R"(HloModule m
cond { p = (s32[], (f32[2], f32[])) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  ROOT lt = pred[] compare(i, i), direction=LT }
body { p = (s32[], (f32[2], f32[])) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = (f32[2], f32[]) get-tuple-element(p), index=1
  f = f32[] get-tuple-element(n), index=1
  v = f32[2] broadcast(f), dimensions={}
  m = (f32[2], f32[]) tuple(v, f)
  ROOT t = (s32[], (f32[2], f32[])) tuple(i, m) }
ENTRY main {
  p = (s32[], (f32[2], f32[])) parameter(0)
  w = (s32[], (f32[2], f32[])) while(p), condition=cond, body=body
  n = (f32[2], f32[]) get-tuple-element(w), index=1
  ROOT r = f32[] get-tuple-element(n), index=1
})",
                                  "");
  const FlatProgram program = flatten(module);
  EXPECT_EQ((std::vector<std::string>{"main/%p()", "main/%w(main/%p:0 main/%p:1 main/%p:2 )"}),
            describe(module, program));
  EXPECT_EQ((std::vector<FlatValue>{{1, 2}}), program.outputs);
  const FlatProgram body = flatten(module, 1);
  EXPECT_EQ(3U, body.inputs.size());
  EXPECT_EQ((std::vector<FlatValue>{{0, 0}, {1, 0}, {0, 2}}), body.outputs);
}

TEST(Flatten, ExponentialCallsAreRefused) {
  std::string text = "HloModule m\nf0 { ROOT a = f32[] parameter(0) }\n";
  for (int k = 1; k <= 40; ++k) {
    const std::string callee = "f" + std::to_string(k - 1);
    text += "f" + std::to_string(k) + " { a = f32[] parameter(0) b = f32[] call(a), to_apply=" + callee +
            "\nROOT c = f32[] call(b), to_apply=" + callee + " }\n";
  }
  EXPECT_THROW(parse_hlo(text + "ENTRY e { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=f40 }", ""), InputError);
  const Module module = parse_hlo(text + "ENTRY e { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=f10 }", "");
  const auto inlined = (std::int64_t{1} << 10) * (1 + 3) - 3;  // three lines a computation, f0 has one
  EXPECT_EQ(inlined + 2, count_instances(module, module.entry()));
}

TEST(Flatten, BranchesAreWrittenOut) {
  const Module module = parse_hlo(R"(HloModule m
flip { p = f32[2] parameter(0)
  ROOT n = f32[2] negate(p) }
ENTRY main {
  x = f32[2] parameter(0)
  k = s32[] parameter(1)
  c = f32[2] conditional(k, x, x, x), branch_computations={flip, flip, flip}
  ROOT s = f32[2] add(c, x)
})",
                                  "");
  EXPECT_EQ((std::vector<std::string>{"main/%x()", "main/%k()", "main/c@0/%n(main/%x:0 )", "main/c@1/%n(main/%x:0 )", "main/c@2/%n(main/%x:0 )",
                                      "main/%c(main/%k:0 main/c@0/%n:0 main/c@1/%n:0 main/c@2/%n:0 )", "main/%s(main/%c:0 main/%x:0 )"}),
            describe(module, flatten(module)));
  EXPECT_EQ((std::vector<std::string>{"main/%x()", "main/%k()", "main/%c(main/%k:0 main/%x:0 main/%x:0 main/%x:0 )", "main/%s(main/%c:0 main/%x:0 )"}),
            describe(module, flatten(module, Branches::Kept)));
}

}  // namespace
}  // namespace gg
