// Whole modules: both styles, forward references, source tables, headers, what is kept.
#include "models/hlo/parser.h"

#include <gtest/gtest.h>

#include "models/hlo/printer.h"
#include "tests/fuzz/compare.h"

namespace gg {
namespace {

constexpr const char* kPercent =
    R"(HloModule jit_step, is_scheduled=true, input_output_alias={ {1}: (1, {}, must-alias) }, entry_computation_layout={(f32[4,2]{1,0}, f32[2]{0})->(f32[4]{0}, f32[2]{0})}, allow_spmd_sharding_propagation_to_parameters={false,false}, num_partitions=4, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=4]>}}

FileNames
1 "train.py"
2 "nets \"v2\".py"

FunctionNames
1 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=12 end_line=12 column=1 end_column=2}
2 {file_name_id=2 function_name_id=1 line=34 end_line=34 column=1 end_column=2}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

ENTRY %main (x: f32[4,2], y: f32[2]) -> (f32[4], f32[2]) {
  %x = f32[4,2]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}
  %y = f32[2]{0} parameter(1)
  %zero = f32[] constant(0)
  %sums = f32[4]{0} reduce(%x, %zero), dimensions={1}, to_apply=%add, metadata={op_name="jit(step)/reduce[a=\"}\"]" stack_frame_id=2}
  %all = f32[4]{0} all-reduce(%sums), channel_id=3, replica_groups=[1,4]<=[4], use_global_device_ids=true, to_apply=%add, metadata={op_name="psum" source_file="a b.py" source_line=7}
  %again = f32[4]{0} all-reduce(%sums), channel_id=4, replica_groups=[1,4]<=[4], use_global_device_ids=true, to_apply=%add
  ROOT %out = (f32[4]{0}, f32[2]{0}) tuple(%all, /*index=1*/%y)
}
)";

constexpr const char* kBare = R"(HloModule m

add.1 {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum.2 = f32[] add(f32[] a, f32[] b)
}

ENTRY main.3 {
  x = f32[4,2]{1,0} parameter(0)
  zero = f32[] constant(0)   // a comment
  ROOT r = f32[4]{0} reduce(f32[4,2]{1,0} x, f32[] zero), dimensions={1}, to_apply=add.1
}
)";

InstructionId find(const Module& module, std::string_view name) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module.name_of(id) == name) return id;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(ParseHlo, PercentStyle) {
  const Module module = parse_hlo(kPercent, "step.hlo");
  EXPECT_EQ("jit_step", module.name);
  EXPECT_EQ(4, module.num_partitions);
  EXPECT_FALSE(module.replica_count);
  ASSERT_EQ(2U, module.computations().size());
  EXPECT_EQ("main", module.string(module.computation(module.entry()).name));
  ASSERT_EQ(1U, module.aliases.size());
  EXPECT_EQ(1, module.aliases[0].output_leaf);
  EXPECT_EQ(1, module.aliases[0].input_leaf);
  const InstructionId all = find(module, "all");
  EXPECT_EQ(Op::AllReduce, module[all].op);
  EXPECT_EQ(3, module[all].channel);
  EXPECT_TRUE(module.attributes(all).flag(Attr::HasChannel));
  EXPECT_EQ(module[all].attributes, module[find(module, "again")].attributes);
  EXPECT_EQ((std::vector<std::int64_t>{0, 1, 2, 3}), module.attributes(all).groups().groups.at(0));
  EXPECT_EQ("{devices=[4,1]<=[4]}", module.string(module[find(module, "x")].sharding));
  EXPECT_EQ(module.computation_of(all), module.entry());
}

TEST(ParseHlo, PlacesAndSources) {
  const Module module = parse_hlo(kPercent, "step.hlo");
  const InstructionId sums = find(module, "sums");
  EXPECT_EQ("step.hlo", module.where(sums).file);
  EXPECT_EQ(28U, module.where(sums).line);
  EXPECT_EQ(3U, module.where(sums).column);
  EXPECT_EQ("jit(step)/reduce[a=\"}\"]", module.op_name(sums));
  ASSERT_TRUE(module.source(sums));
  EXPECT_EQ("nets \"v2\".py", module.source(sums)->file);
  EXPECT_EQ(34, module.source(sums)->line);
  const auto other = module.source(find(module, "all"));
  ASSERT_TRUE(other);
  EXPECT_EQ("a b.py", other->file);
  EXPECT_EQ(7, other->line);
  EXPECT_FALSE(module.source(find(module, "zero")));
  EXPECT_EQ("", module.op_name(find(module, "zero")));
}

TEST(ParseHlo, BareStyleWithOperandTypes) {
  const Module module = parse_hlo(kBare, "");
  EXPECT_EQ("add.1", module.string(module.computation(0).name));
  EXPECT_EQ(Op::Reduce, module[module.computation(module.entry()).root].op);
}

/// As XLA prints since 2026 (jaxlib 0.11): elements of tuples without an instruction, orders by another name, topk with a word on ties.
TEST(ParseHlo, ElementsOfTuples) {
  const char* text = R"(HloModule m
ENTRY main {
  t = (f32[2], (s32[], f32[3])) parameter(0)
  a = f32[2] add(%t#0, f32[2] t#0)
  ROOT b = f32[3] negate(t#1#1)
})";
  const Module module = parse_hlo(text, "");
  const auto operands = module.operands(find(module, "a"));
  EXPECT_EQ(Op::GetTupleElement, module[operands[0]].op);
  EXPECT_EQ(operands[0], operands[1]);
  EXPECT_EQ("f32[3]", to_string(module.type(module.operands(find(module, "b"))[0])));
  EXPECT_EQ("", testing::difference(module, parse_hlo(print_hlo(module), "printed")));
  for (const char* operand : {"t#2", "t#", "t#-1", "t#0#0", "t#1"}) {
    const std::string wrong = "HloModule m\nENTRY main {\n  t = (f32[2], (s32[], f32[3])) parameter(0)\n  ROOT a = f32[2] negate(" + std::string(operand) + ")\n}";
    EXPECT_THROW(parse_hlo(wrong, ""), InputError) << operand;
  }
}

TEST(ParseHlo, OrdersOfComparisons) {
  const auto type = [](const std::string& words) {
    const Module module = parse_hlo("HloModule m\nENTRY main {\n  x = f32[2] parameter(0)\n  ROOT c = pred[2] compare(x, x), direction=LT" + words + "\n}", "");
    return module.attributes(find(module, "c")).text(Attr::CompareType);
  };
  EXPECT_EQ("TOTALORDER", type(", order=TOTAL"));
  EXPECT_EQ("TOTALORDER", type(", type=TOTALORDER"));
  EXPECT_EQ("FLOAT", type(", order=PARTIAL"));
  EXPECT_THROW(type(", order=SOME"), InputError);
  EXPECT_NO_THROW(parse_hlo("HloModule m\nENTRY main {\n  x = f32[8] parameter(0)\n  ROOT c = (f32[2], s32[2]) topk(x), k=2, largest=true, is_stable=true\n}", ""));
}

TEST(ParseHlo, RoundTrips) {
  for (const char* text : {kPercent, kBare}) {
    const Module module = parse_hlo(text, "");
    const std::string printed = print_hlo(module);
    const Module again = parse_hlo(printed, "printed");
    EXPECT_EQ("", testing::difference(module, again));
    EXPECT_EQ(printed, print_hlo(again));
  }
}

TEST(ParseHlo, ForwardReferencesToComputations) {
  const Module module = parse_hlo(R"(HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  ROOT y = f32[2] call(x), to_apply=f
}
f {
  p = f32[2] parameter(0)
  ROOT q = f32[2] negate(p)
})",
                                  "");
  EXPECT_EQ("main", module.string(module.computation(module.entry()).name));
  const InstructionId q = find(module, "q");
  EXPECT_EQ("f", module.string(module.computation(module.computation_of(q)).name));
  EXPECT_EQ("main", module.string(module.computation(module.computation_of(0)).name));
  EXPECT_EQ("", testing::difference(module, parse_hlo(print_hlo(module), "")));
}

TEST(ParseHlo, ControlFlow) {
  const char* text = R"(HloModule m
cond { p = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  v = f32[2] get-tuple-element(p), index=1
  w = f32[2] add(v, v)
  ROOT t = (s32[], f32[2]) tuple(j, w) }
yes { a = f32[2] parameter(0)
  ROOT b = f32[2] negate(a) }
no { ROOT a = f32[2] parameter(0) }
ENTRY main {
  x = f32[2] parameter(0)
  z = s32[] constant(0)
  t = (s32[], f32[2]) tuple(z, x)
  loop = (s32[], f32[2]) while(t), condition=cond, body=body, backend_config={"known_trip_count":{"n":"3"}}
  v = f32[2] get-tuple-element(loop), index=1
  c = pred[] parameter(1)
  k = s32[] parameter(2)
  d = f32[2] conditional(c, v, x), true_computation=yes, false_computation=no
  ROOT e = f32[2] conditional(k, v, x, d), branch_computations={yes, no, yes}
})";
  const Module module = parse_hlo(text, "");
  EXPECT_EQ(3U, module.attributes(find(module, "e")).computations(Attr::Branches).size());
  EXPECT_EQ("", testing::difference(module, parse_hlo(print_hlo(module), "")));
}

TEST(ParseHlo, DefaultLayoutsAreOneType) {
  const Module module = parse_hlo(R"(HloModule m
ENTRY e { a = f32[2,3]{1,0} parameter(0)
  b = f32[2,3] negate(a)
  ROOT c = f32[2,3]{0,1} copy(b) })",
                                  "");
  EXPECT_EQ(module[0].type, module[1].type);
  EXPECT_NE(module[1].type, module[2].type);
  EXPECT_EQ(module.type(1), module.type(2));
}

TEST(ParseHlo, ShardingAnnotationsAreCopies) {
  const Module module = parse_hlo(R"(HloModule m
ENTRY e { a = f32[4] parameter(0)
  b = f32[4] custom-call(a), custom_call_target="Sharding", sharding={devices=[2]<=[2]}
  ROOT c = f32[4] custom-call(b), custom_call_target="xla.sdy.FuncResultSharding", custom_call_has_side_effect=true
})",
                                  "");
  EXPECT_EQ(Op::Copy, module[1].op);
  EXPECT_EQ("{devices=[2]<=[2]}", module.string(module[1].sharding));
  EXPECT_EQ(Op::Copy, module[2].op);
}

TEST(ParseHlo, OpaqueTargetsOnRequest) {
  const char* text = R"(HloModule m
ENTRY e { a = f32[4] parameter(0)
  ROOT b = f32[4] custom-call(a), custom_call_target="magic", api_version=API_VERSION_ORIGINAL, backend_config="{\"a\": 1}"
})";
  EXPECT_THROW(parse_hlo(text, ""), InputError);
  ParseOptions options;
  options.opaque_targets = {"magic"};
  const Module module = parse_hlo(text, "", options);
  EXPECT_EQ("{\"a\": 1}", module.attributes(1).text(Attr::BackendConfig));
  EXPECT_EQ("", testing::difference(module, parse_hlo(print_hlo(module), "", options)));
}

TEST(ParseHlo, ElidedConstantsOnRequest) {
  const char* text = "HloModule m\nENTRY e { ROOT a = f32[4,4] constant({...}) }";
  ParseOptions options;
  options.allow_elided = true;
  const Module module = parse_hlo(text, "", options);
  EXPECT_FALSE(module.attributes(0).has(Attr::Literal));
  EXPECT_EQ("", testing::difference(module, parse_hlo(print_hlo(module), "", options)));
}

TEST(ParseHlo, ConstantsMayRepeatTheirTypeAndSpanLines) {
  const Module module = parse_hlo(
      "HloModule m\nENTRY e { a = s32[2,2] constant(s32[2,2] {\n {1, 2},\n {3, 4} })\n"
      "ROOT b = s32[2,2] negate(a) }",
      "");
  EXPECT_EQ(4, module.attributes(0).literal().values.at(3).integer);
  EXPECT_EQ(5U, module.where(1).line);
}

TEST(ParseHlo, WindowsLineEndsAndOddSpacing) {
  std::string text = kBare;
  std::string with_returns;
  for (const char c : text) with_returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ("", testing::difference(parse_hlo(text, ""), parse_hlo(with_returns, "")));
  parse_hlo("HloModule m ENTRY e{ROOT a=f32[]parameter(0)}", "");
  parse_hlo("// dump\n/* of */ HloModule m\n\nENTRY e {\n  ROOT a = f32[] parameter(0)\n}, execution_thread=\"main\"\n",
            "");
}

TEST(ParseHlo, NamesAreScopedByComputation) {
  parse_hlo(
      "HloModule m\nf { x = f32[] parameter(0) }\ng { x = f32[] parameter(0) }\nENTRY x { ROOT x = f32[] parameter(0) "
      "}",
      "");
}

}  // namespace
}  // namespace gg
