// Verification of modules that the parser accepts: signatures of called computations, several problems in one report.
#include "models/ir/verify.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

Module unverified(const std::string& text) {
  ParseOptions options;
  options.verify = false;
  return parse_hlo(text, "in.hlo", options);
}

/// The messages of all problems.
std::vector<std::string> problems(const std::string& text) {
  std::vector<std::string> out;
  try {
    verify(unverified(text));
  } catch (const InputError& error) {
    for (const Diag& diag : error.diags()) out.push_back(std::string(info(diag.code).id) + " " + diag.message);
  }
  return out;
}

const std::string kHead =
    "HloModule m\n"
    "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
    "addi { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n"
    "lt { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n"
    "neg { a = f32[2] parameter(0) ROOT b = f32[2] negate(a) }\n"
    "one { a = f32[] parameter(0) ROOT b = f32[] negate(a) }\n"
    "argmax { a = f32[] parameter(0) i = s32[] parameter(1) b = f32[] parameter(2) j = s32[] parameter(3)\n"
    "  m = f32[] maximum(a, b) k = s32[] maximum(i, j) ROOT t = (f32[], s32[]) tuple(m, k) }\n"
    "ENTRY e { x = f32[2] parameter(0) z = f32[] constant(0) p = pred[] constant(true) n = s32[] constant(0)\n"
    "  xi = s32[2] parameter(1)\n";

std::string with(const std::string& line) { return kHead + "ROOT r = " + line + " }"; }

TEST(Verify, AcceptsAgreeingSignatures) {
  for (const char* line : {
           "f32[] reduce(x, z), dimensions={0}, to_apply=add",
           "(f32[], s32[]) reduce(x, xi, z, n), dimensions={0}, to_apply=argmax",
           "f32[2] call(x), to_apply=neg",
           "f32[2] conditional(p, x, x), true_computation=neg, false_computation=neg",
           "f32[2] conditional(n, x, x, x), branch_computations={neg, neg, neg}",
           "f32[2] map(x), dimensions={0}, to_apply=one",
           "f32[2] map(x, x), dimensions={0}, to_apply=add",
           "f32[2] sort(x), dimensions={0}, to_apply=lt",
           "f32[2] all-reduce(x), replica_groups={}, to_apply=add",
       }) {
    EXPECT_TRUE(problems(with(line)).empty()) << line << ": " << problems(with(line))[0];
  }
}

TEST(Verify, RefusesOtherSignatures) {
  for (const char* line : {
           "f32[] reduce(x, z), dimensions={0}, to_apply=addi",
           "f32[] reduce(x, z), dimensions={0}, to_apply=one",
           "f32[] reduce(x, z), dimensions={0}, to_apply=lt",
           "(s32[], f32[]) reduce(xi, x, n, z), dimensions={0}, to_apply=argmax",
           "f32[2] call(x), to_apply=one",
           "f32[2] call(), to_apply=neg",
           "f32[2] fusion(x), kind=kLoop, calls=add",
           "f32[2] conditional(p, x, x), true_computation=neg, false_computation=one",
           "f32[2] conditional(n, x, x), branch_computations={neg, lt}",
           "f32[2] map(x), dimensions={0}, to_apply=lt",
           "f32[2] sort(x), dimensions={0}, to_apply=add",
           "(f32[2], s32[2]) sort(x, xi), dimensions={0}, to_apply=lt",
           "f32[2] all-reduce(x), replica_groups={}, to_apply=addi",
           "f32[2] call(x), to_apply={neg, neg}",
           "f32[2] while(x), condition=lt, body=neg",
           "f32[2] while(x), condition=neg, body=neg",
       }) {
    const auto found = problems(with(line));
    ASSERT_EQ(1U, found.size()) << line;
    EXPECT_EQ("GG-T005", found[0].substr(0, 7)) << line << ": " << found[0];
  }
}

TEST(Verify, ReportsAllProblemsOfDistinctInstructions) {
  const auto found = problems(
      "HloModule m\nENTRY e { x = f32[2] parameter(0)\n a = f32[3] negate(x)\n b = f32[4] negate(x)\n"
      " c = f32[3] negate(x)\n d = f32[5] custom-call(x), custom_call_target=\"AwsNeuronTransferWithStaticRing\"\n"
      " ROOT k = f32[2] constant({...}) }");
  ASSERT_EQ(4U, found.size());  // c repeats the signature of a
  EXPECT_EQ("GG-T001", found[0].substr(0, 7));
  EXPECT_EQ("GG-P005", found[3].substr(0, 7));
}

TEST(Verify, AtMostTwentyOfAKind) {
  std::string text = "HloModule m\nENTRY e { x = f32[2] parameter(0)\n";
  for (int k = 3; k < 60; ++k) text += "a" + std::to_string(k) + " = f32[" + std::to_string(k) + "] negate(x)\n";
  EXPECT_EQ(20U, problems(text + "}").size());
}

TEST(Verify, UnsupportedCallsOfAHandMadeModule) {
  ParseOptions lenient;
  lenient.opaque_targets = {"magic"};
  const Module module = parse_hlo(
      "HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] custom-call(x), custom_call_target=\"magic\" }",
      "", lenient);
  EXPECT_EQ(std::vector<InstructionId>{1}, unsupported_calls(module, {}));
  EXPECT_THROW(verify(module), InputError);
  verify(module, {{"magic"}, false});
}

}  // namespace
}  // namespace gg
