// The printer's options: widened types and literals, SPMD modules as replicas, custom calls written out.
#include "models/hlo/printer.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"
#include "tests/unit/text.h"

namespace gg {
namespace {

std::string add(const std::string& name) {
  return name + " { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n";
}

TEST(PrintHlo, OneInstruction) {
  const Module module = parse_hlo(
      "HloModule m\nENTRY e { a = f32[4,2]{0,1} parameter(0), sharding={replicated}\n"
      "ROOT b = f32[2,4] transpose(a), dimensions={1,0}, metadata={op_name=\"t\"} }",
      "");
  EXPECT_EQ("%a = f32[4,2]{0,1} parameter(0), sharding={replicated}", print_instruction(module, 0));
  EXPECT_EQ("%b = f32[2,4]{1,0} transpose(%a), dimensions={1,0}, metadata={op_name=\"t\"}",
            print_instruction(module, 1));
  PrintOptions options;
  options.metadata = false;
  EXPECT_EQ("%b = f32[2,4]{1,0} transpose(%a), dimensions={1,0}", print_instruction(module, 1, options));
}

TEST(PrintHlo, CalleesFirst) {
  const std::string text =
      print_hlo(parse_hlo("HloModule m\nENTRY e { a = f32[2] parameter(0) z = f32[] constant(0)\n"
                          "ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=add }\n" +
                              add("add"),
                          ""));
  EXPECT_LT(text.find("%add ("), text.find("ENTRY %e ("));
  EXPECT_TRUE(has(text, "HloModule m, entry_computation_layout={(f32[2]{0})->f32[]}\n"));
}

TEST(PrintHlo, StackFramesBecomeSourceLines) {
  const Module module = parse_hlo(
      "HloModule m\nFileNames\n1 \"a.py\"\nFileLocations\n1 {file_name_id=1 line=7}\nStackFrames\n1 "
      "{file_location_id=1}\n"
      "ENTRY e { ROOT a = f32[] parameter(0), metadata={op_name=\"x\" stack_frame_id=1} }",
      "");
  EXPECT_EQ("%a = f32[] parameter(0), metadata={op_name=\"x\" source_file=\"a.py\" source_line=7}",
            print_instruction(module, 0));
  EXPECT_EQ(7, parse_hlo(print_hlo(module), "").source(0)->line);
}

TEST(PrintHlo, WhatAnOpaqueCallSaysIsKept) {
  ParseOptions options;
  options.opaque_targets = {"f"};
  options.opaque_batch_dims = {{"f", {}}};
  const auto notes = [&](const std::string& text) {
    const Module module = parse_hlo(text, "m.hlo", options);
    return module.attributes(module.computation(module.entry()).root).text(Attr::CallNotes);
  };
  const std::string head = "HloModule m\nENTRY e {\n  x = f32[4,4]{1,0} parameter(0)\n  ROOT r = f32[4,4]";
  for (const std::string call : {"{0,1} custom-call(x), custom_call_target=\"f\", operand_layout_constraints={f32[4,4]{0,1}}", "{1,0} custom-call(x), custom_call_target=\"f\", frontend_attributes={k=\"1 \\\" 2\"}"}) {
    const std::string text = head + call + "\n}\n";
    EXPECT_NE(notes(text), "");
    EXPECT_EQ(notes(print_hlo(parse_hlo(text, "m.hlo", options))), notes(text)) << call;
  }
}

TEST(PrintWidened, TypesAndLiteralsAreF64) {
  const Module module = parse_hlo(R"(HloModule m
ENTRY e {
  a = bf16[2] parameter(0)
  k = f32[] constant(0.1)
  h = bf16[] convert(k)
  i = s32[] constant(16777217)
  f = f32[] convert(i)
  n = s32[2] convert(a)
  c = f32[2] convert(a)
  ROOT t = (bf16[2], bf16[], f32[], s32[2]) tuple(a, h, f, n)
})",
                                  "");
  PrintOptions options;
  options.widen = true;
  const std::string text = print_hlo(module, options);
  EXPECT_FALSE(has(text, "f32["));
  EXPECT_FALSE(has(text, "bf16["));
  EXPECT_TRUE(has(text, "%k = f64[] constant(0.10000000149011612)"));
  EXPECT_TRUE(has(text, "%h = f64[] constant(0.10009765625)"));  // a converted constant is rounded
  EXPECT_TRUE(has(text, "%f = f64[] constant(16777216)"));
  EXPECT_TRUE(has(text, "%n = s32[2]{0} convert(%a)"));
  EXPECT_TRUE(has(text, "%c = f64[2]{0} convert(%a)"));
  parse_hlo(text, "widened");
}

TEST(PrintWidened, BitsAreThoseOfTheTypeThatWasWritten) {
  PrintOptions options;
  options.widen = true;
  const std::string text = print_hlo(parse_hlo(R"(HloModule m

ENTRY %main (x: f32[3], n: u32[3]) -> (u32[3], f32[3], bf16[3,2], s32[3]) {
  %x = f32[3]{0} parameter(0)
  %n = u32[3]{0} parameter(1)
  %bits = u32[3]{0} bitcast-convert(%x)
  %value = f32[3]{0} bitcast(%n)
  %halves = bf16[3,2]{1,0} bitcast-convert(%x)
  %signed = s32[3]{0} bitcast(%n)
  ROOT %r = (u32[3], f32[3], bf16[3,2], s32[3]) tuple(%bits, %value, %halves, %signed)
}
)",
                                               "bits"),
                                     options);
  for (const char* line : {"%bits.part0 = f32[3]{0} convert(%x)", "%bits = u32[3]{0} bitcast-convert(%bits.part0)",
                           "%value.part0 = f32[3]{0} bitcast-convert(%n)", "%value = f64[3]{0} convert(%value.part0)",
                           "%halves.part1 = bf16[3,2]{1,0} bitcast-convert(%halves.part0)",
                           "%signed = s32[3]{0} bitcast-convert(%n)"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n"
                                                  << text;
  }
  parse_hlo(text, "widened");
}

TEST(PrintAsReplicas, PartitionsBecomeReplicas) {
  const Module module = parse_hlo("HloModule m, num_partitions=4\n" + add("add") + R"(ENTRY e {
  a = f32[4] parameter(0), sharding={devices=[4]<=[4]}
  p = u32[] partition-id()
  q = u32[] replica-id()
  r = f32[4] all-reduce(a), channel_id=1, replica_groups=[2,2]<=[2,2]T(1,0), use_global_device_ids=true, to_apply=add
  s = f32[4] all-reduce(r), channel_id=1, replica_groups={{0}}, to_apply=add
  t = f32[4] collective-permute(s), channel_id=2, source_target_pairs={{0,1},{1,2}}
  ROOT o = (f32[4], u32[], u32[]) tuple(t, p, q)
})",
                                  "");
  PrintOptions options;
  options.as_replicas = true;
  const std::string text = print_hlo(module, options);
  EXPECT_TRUE(has(text, "replica_count=4"));
  EXPECT_FALSE(has(text, "num_partitions"));
  EXPECT_FALSE(has(text, "channel_id"));
  EXPECT_FALSE(has(text, "use_global_device_ids"));
  EXPECT_FALSE(has(text, "sharding"));
  EXPECT_TRUE(has(text, "%p = u32[] replica-id()"));
  EXPECT_TRUE(has(text, "%q = u32[] constant(0)"));
  EXPECT_TRUE(has(text, "replica_groups={{0,2},{1,3}}"));
  EXPECT_TRUE(has(text, "all-reduce(%r), replica_groups={{0,1,2,3}}")) << text;  // the one replica on all partitions
  EXPECT_TRUE(has(text, "source_target_pairs={{0,1},{1,2}}"));
  parse_hlo(text, "replicas");
}

TEST(PrintAsReplicas, ReplicasTimesPartitions) {
  const Module module = parse_hlo("HloModule m, replica_count=2, num_partitions=3\n" + add("add") + R"(ENTRY e {
  a = f32[4] parameter(0)
  p = u32[] partition-id()
  p.part0 = u32[] replica-id()
  ROOT r = f32[4] all-reduce(a), replica_groups={{0,1}}, to_apply=add
})",
                                  "");
  PrintOptions options;
  options.as_replicas = true;
  const std::string text = print_hlo(module, options);
  EXPECT_TRUE(has(text, "replica_count=6"));
  EXPECT_TRUE(has(text, "= u32[] remainder("));
  EXPECT_TRUE(has(text, "%p.part0 = u32[] divide("));
  EXPECT_TRUE(has(text, "replica_groups={{0,3},{1,4},{2,5}}")) << text;
  parse_hlo(text, "replicas");
}

TEST(PrintExpanded, NeuronCustomCalls) {
  const Module module = parse_hlo(R"(HloModule m
ENTRY e {
  x = f32[8,3,2] parameter(0)
  w = f16[8] parameter(1)
  eps = f32[] constant(1e-5)
  y = f16[8,3,2] custom-call(x, w, eps), custom_call_target="AwsNeuronRmsNorm", backend_config="0"
  ROOT z = f16[8,3,2] custom-call(y), custom_call_target="AwsNeuronTransferWithStaticRing"
})",
                                  "");
  PrintOptions options;
  options.expand_custom_calls = true;
  const std::string text = print_hlo(module, options);
  EXPECT_FALSE(has(text, "custom-call"));
  EXPECT_TRUE(has(text, "to_apply=%sum_f32"));
  EXPECT_TRUE(has(text, "ROOT %z = f16[8,3,2]{2,1,0} copy(%y)"));
  EXPECT_TRUE(has(text, "%y = f16[8,3,2]{2,1,0} convert("));
  parse_hlo(text, "expanded");
  options.widen = true;
  const std::string wide = print_hlo(module, options);
  EXPECT_TRUE(has(wide, "to_apply=%sum_f64"));
  parse_hlo(wide, "expanded and widened");
}

}  // namespace
}  // namespace gg
