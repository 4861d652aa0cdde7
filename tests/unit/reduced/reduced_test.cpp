// Verdicts of pairs that are too large to be run: a defect is refuted at reduced shapes only with the divergent operator
// alone at full shape; right pairs, and harmless changes of them, never are.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/decide/decide.h"
#include "models/base/file.h"
#include "tests/unit/text.h"

namespace gg {
namespace {

const char* const kSequential = R"(HloModule s
ENTRY %main (x: f32[65536,16384], w: f32[16384,32768], v: f32[32768,16384]) -> f32[65536,16384] {
  %x = f32[65536,16384] parameter(0)
  %w = f32[16384,32768] parameter(1)
  %v = f32[32768,16384] parameter(2)
  %h = f32[65536,32768] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %t = f32[65536,32768] tanh(%h)
  %y = f32[65536,16384] dot(%t, %v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %o = f32[65536,16384] subtract(%y, %x)
}
)";

const char* const kDistributed = R"(HloModule d, num_partitions=4
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
%most (c: f32[], d: f32[]) -> f32[] {
  %c = f32[] parameter(0)
  %d = f32[] parameter(1)
  ROOT %m = f32[] maximum(%c, %d)
}
ENTRY %main (x: f32[65536,16384], w: f32[16384,8192], v: f32[8192,16384]) -> f32[65536,16384] {
  %x = f32[65536,16384] parameter(0)
  %w = f32[16384,8192] parameter(1)
  %v = f32[8192,16384] parameter(2)
  %h = f32[65536,8192] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %t = f32[65536,8192] tanh(%h)
  %y = f32[65536,16384] dot(%t, %v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %r = f32[65536,16384] all-reduce(%y), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%sum
  ROOT %o = f32[65536,16384] subtract(%r, %x)
}
)";

const char* const kRelation = R"({"mesh": [["tp", 4]], "inputs": [[[], []], [[], ["tp"]], [["tp"], []]], "outputs": [[[], []]]})";

struct Outcome {
  Report report;
  std::string line;
};

Outcome check(const std::string& distributed, const std::string& command = "check", const std::string& sequential = kSequential,
              const std::string& relation = kRelation) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "reduced_pair";
  std::filesystem::create_directories(folder);
  write_file((folder / "sequential.hlo").string(), sequential);
  write_file((folder / "distributed.hlo").string(), distributed);
  write_file((folder / "relation.json").string(), relation);
  Case c = load_case(folder.string());
  Options options;
  options.command = command;
  options.witness = (folder / "witness").string();
  Report report = decide(c, options, {true, command == "check"});
  std::string line = verdict_line(report);
  return {std::move(report), std::move(line)};
}

std::string notes(const Report& report) {
  std::string text;
  for (const std::string& note : report.notes) text += note + "\n";
  return text;
}

TEST(Reduced, RightPairIsProved) {
  const Outcome outcome = check(kDistributed);
  EXPECT_EQ(outcome.report.verdict, Verdict::Proved) << notes(outcome.report);
  EXPECT_NE(outcome.line.find("shapes=reduced"), std::string::npos) << outcome.line;
}

TEST(Reduced, DefectsAreRefutedAtFullShape) {
  const std::string defects[] = {
      replaced(kDistributed, "to_apply=%sum", "to_apply=%most"),
      replaced(kDistributed, "subtract(%r, %x)", "subtract(%x, %r)"),
      replaced(kDistributed, "replica_groups={{0,1,2,3}}", "replica_groups={{0,1},{2,3}}"),
      replaced(kDistributed, "subtract(%r, %x)", "subtract(%y, %x)"),
      replaced(kDistributed, "dot(%t, %v)", "dot(%h, %v)"),
  };
  for (const std::string& defect : defects) {
    const Outcome outcome = check(defect);
    EXPECT_EQ(outcome.report.verdict, Verdict::Refuted) << notes(outcome.report) << defect;
    EXPECT_NE(outcome.line.find("shapes=reduced"), std::string::npos) << outcome.line;
    EXPECT_NE(notes(outcome.report).find("at full shape, on drawn operands"), std::string::npos);
    EXPECT_TRUE(outcome.report.explained.divergent.has_value());
  }
}

// (t + 1e30 h) - 1e30 h: of 128 bits too few are left to find what follows from it among the sequential values.
TEST(Reduced, WhatCancelsIsConfirmed) {
  const auto cancelling = [](const std::string& text, const std::string& shape) {
    const std::string lines = "  %k = f32[] constant(1e30)\n  %ks = " + shape + " broadcast(%k), dimensions={}\n  %b = " + shape + " multiply(%h, %ks)\n  %p = " + shape +
                              " add(%t, %b)\n  %c = " + shape + " subtract(%p, %b)\n  %y = ";
    return replaced(replaced(text, "  %y = ", lines), "dot(%t, %v)", "dot(%c, %v)");
  };
  const std::string sequential = cancelling(kSequential, "f32[65536,32768]"), right = cancelling(kDistributed, "f32[65536,8192]");
  EXPECT_EQ(check(right, "check", sequential).report.verdict, Verdict::Proved);
  const Outcome outcome = check(replaced(right, "to_apply=%sum", "to_apply=%most"), "check", sequential);
  EXPECT_EQ(outcome.report.verdict, Verdict::Refuted) << notes(outcome.report);
}

// A mean by literal against a mean by count: kept literals differ at reduced shapes, the pair is right.
const char* const kMean = R"(HloModule s
%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}
ENTRY %main (x: f32[1048576,65536]) -> f32[65536] {
  %x = f32[1048576,65536] parameter(0)
  %zero = f32[] constant(0)
  %total = f32[65536] reduce(%x, %zero), dimensions={0}, to_apply=%add
  %n = f32[] constant(1048576)
  %all = f32[65536] broadcast(%n), dimensions={}
  ROOT %mean = f32[65536] divide(%total, %all)
}
)";

const char* const kCounted = R"(HloModule d, num_partitions=4
%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}
ENTRY %main (x: f32[262144,65536]) -> f32[65536] {
  %x = f32[262144,65536] parameter(0)
  %zero = f32[] constant(0)
  %part = f32[65536] reduce(%x, %zero), dimensions={0}, to_apply=%add
  %total = f32[65536] all-reduce(%part), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add
  %one = f32[] constant(1)
  %ones = f32[262144] broadcast(%one), dimensions={}
  %count = f32[] reduce(%ones, %zero), dimensions={0}, to_apply=%add
  %n = f32[] all-reduce(%count), channel_id=2, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add
  %all = f32[65536] broadcast(%n), dimensions={}
  ROOT %mean = f32[65536] divide(%total, %all)
}
)";

TEST(Reduced, DifferencesOfOneFloatModeDoNotCount) {
  const std::string relation = R"({"mesh": [["dp", 4]], "inputs": [[["dp"], []]], "outputs": [[[]]]})";
  const Outcome run = check(kCounted, "run", kMean, relation);
  EXPECT_EQ(run.report.verdict, Verdict::Unknown) << run.line;
  EXPECT_EQ(run.report.reason, Reason::Unconfirmed);
  EXPECT_NE(notes(run.report).find("with the float literals rewritten that are made of sizes it agrees"), std::string::npos) << notes(run.report);
  EXPECT_NE(check(kCounted, "check", kMean, relation).report.verdict, Verdict::Refuted);
  // A defect beside it shows in both modes.
  const Outcome wrong = check(replaced(kCounted, "divide(%total", "divide(%part"), "run", kMean, relation);
  EXPECT_NE(notes(wrong.report).find("the pair differs at reduced shapes"), std::string::npos) << notes(wrong.report);
}

// Without a proof of the repaired program nothing says that the rest of the pair matches.
TEST(Reduced, RunAloneRefutesNothing) {
  const Outcome outcome = check(replaced(kDistributed, "to_apply=%sum", "to_apply=%most"), "run");
  EXPECT_EQ(outcome.report.verdict, Verdict::Unknown);
  EXPECT_EQ(outcome.report.reason, Reason::Unconfirmed);
}

TEST(Reduced, HarmlessChangesAreNotRefuted) {
  const std::string same[] = {
      replaced(kDistributed, "  ROOT %o = f32[65536,16384] subtract(%r, %x)",
               "  %n = f32[65536,16384] negate(%x)\n  ROOT %o = f32[65536,16384] add(%n, %r)"),
      replaced(kDistributed, "  ROOT %o = f32[65536,16384] subtract(%r, %x)",
               "  %again = f32[65536,16384] all-reduce(%r), channel_id=2, replica_groups={{0,1,2,3}}, "
               "use_global_device_ids=true, to_apply=%most\n  ROOT %o = f32[65536,16384] subtract(%again, %x)"),
  };
  for (const std::string& text : same) {
    const Outcome outcome = check(text);
    EXPECT_NE(outcome.report.verdict, Verdict::Refuted) << notes(outcome.report);
  }
}

}  // namespace
}  // namespace gg
