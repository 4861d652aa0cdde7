// Defects inside and behind the loop of a scanned pair that is too large to be run.
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/decide/decide.h"
#include "harness/explain/reached.h"
#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "tests/unit/text.h"

namespace gg {
namespace {

std::string everywhere(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

// 64 layers h + tanh(h w) v; the values of all layers are stacked. WIDTH: of a shard of w and v.
const char* const kProgram = R"(HloModule HEADER
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
%condition (q: STATE) -> pred[] {
  %q = STATE parameter(0)
  %i = s32[] get-tuple-element(%q), index=0
  %n = s32[] constant(64)
  ROOT %more = pred[] compare(%i, %n), direction=LT
}
%body (p: STATE) -> STATE {
  %p = STATE parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %h = f32[32768,8192] get-tuple-element(%p), index=1
  %w = f32[64,8192,WIDTH] get-tuple-element(%p), index=2
  %v = f32[64,WIDTH,8192] get-tuple-element(%p), index=3
  %ys = f32[64,32768,8192] get-tuple-element(%p), index=4
  %zero = s32[] constant(0)
  %wi = f32[1,8192,WIDTH] dynamic-slice(%w, %i, %zero, %zero), dynamic_slice_sizes={1,8192,WIDTH}
  %w1 = f32[8192,WIDTH] reshape(%wi)
  %vi = f32[1,WIDTH,8192] dynamic-slice(%v, %i, %zero, %zero), dynamic_slice_sizes={1,WIDTH,8192}
  %v1 = f32[WIDTH,8192] reshape(%vi)
  %u = f32[32768,WIDTH] dot(%h, %w1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %t = f32[32768,WIDTH] tanh(%u)
  %y = f32[32768,8192] dot(%t, %v1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
REDUCE
  %o = f32[32768,8192] add(%h, %r)
  %entry = f32[1,32768,8192] reshape(%o)
  %put = f32[64,32768,8192] dynamic-update-slice(%ys, %entry, %i, %zero, %zero)
  %one = s32[] constant(1)
  %j = s32[] add(%i, %one)
  ROOT %next = STATE tuple(%j, %o, %w, %v, %put)
}
ENTRY %main (x: f32[32768,8192], ws: f32[64,8192,WIDTH], vs: f32[64,WIDTH,8192]) -> (f32[32768,8192], f32[64,32768,8192]) {
  %x = f32[32768,8192] parameter(0)
  %ws = f32[64,8192,WIDTH] parameter(1)
  %vs = f32[64,WIDTH,8192] parameter(2)
  %start = s32[] constant(0)
  %nothing = f32[] constant(0)
  %empty = f32[64,32768,8192] broadcast(%nothing), dimensions={}
  %state = STATE tuple(%start, %x, %ws, %vs, %empty)
  %loop = STATE while(%state), condition=%condition, body=%body
  %last = f32[32768,8192] get-tuple-element(%loop), index=1
  %all = f32[64,32768,8192] get-tuple-element(%loop), index=4
  %more = f32[32768,8192] subtract(%last, %x)
  %xs = f32[64,32768,8192] broadcast(%x), dimensions={1,2}
  %grown = f32[64,32768,8192] subtract(%all, %xs)
  ROOT %both = (f32[32768,8192], f32[64,32768,8192]) tuple(%more, %grown)
}
)";

std::string program(bool distributed) {
  std::string text = replaced(kProgram, "HEADER", distributed ? "d, num_partitions=4" : "s");
  text = replaced(text, "REDUCE",
                  distributed ? "  %r = f32[32768,8192] all-reduce(%y), channel_id=1, replica_groups={{0,1,2,3}}, "
                                "use_global_device_ids=true, to_apply=%sum"
                              : "  %r = f32[32768,8192] copy(%y)");
  text = everywhere(text, "STATE", "(s32[], f32[32768,8192], f32[64,8192,WIDTH], f32[64,WIDTH,8192], f32[64,32768,8192])");
  return everywhere(text, "WIDTH", distributed ? "4096" : "16384");
}

const char* const kLoopRelation = R"({"mesh": [["tp", 4]], "inputs": [[[], []], [[], [], ["tp"]], [[], ["tp"], []]],
  "outputs": [[[], []], [[], [], []]]})";

Report check_loop(const std::string& distributed) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "reduced_loop";
  std::filesystem::create_directories(folder);
  write_file((folder / "sequential.hlo").string(), program(false));
  write_file((folder / "distributed.hlo").string(), distributed);
  write_file((folder / "relation.json").string(), kLoopRelation);
  Case c = load_case(folder.string());
  Options options;
  options.command = "check_loop";
  options.witness = (folder / "witness").string();
  return decide(c, options, {true, true});
}

std::string line_and_notes(const Report& report) {
  std::string text = verdict_line(report) + "\n";
  for (const std::string& note : report.notes) text += note + "\n";
  return text;
}

TEST(ReducedLoop, RightPairIsProved) {
  const Report report = check_loop(program(true));
  EXPECT_EQ(report.verdict, Verdict::Proved) << line_and_notes(report);
}

TEST(ReducedLoop, DefectsInsideAreRefuted) {
  const std::string right = program(true);
  for (const auto& [from, to] : {std::pair("to_apply=%sum", "to_apply=%most"), std::pair("add(%h, %r)", "add(%h, %y)"),
                                 std::pair("dot(%t, %v1)", "dot(%u, %v1)"), std::pair("reshape(%o)", "reshape(%r)")}) {
    const Report report = check_loop(replaced(right, from, to));
    EXPECT_EQ(report.verdict, Verdict::Refuted) << to << "\n"
                                                << line_and_notes(report);
    EXPECT_NE(line_and_notes(report).find("shapes=reduced"), std::string::npos) << line_and_notes(report);
  }
}

// What counts iterations: the slices of the second one are others, and they are near; what they compute is far.
TEST(ReducedLoop, DefectsOfTheCounterAreRefuted) {
  const std::string right = program(true);
  for (const char* step : {"2", "3"}) {
    const Report report = check_loop(replaced(right, "%one = s32[] constant(1)", "%one = s32[] constant(" + std::string(step) + ")"));
    EXPECT_EQ(report.verdict, Verdict::Refuted) << step << "\n"
                                                << line_and_notes(report);
  }
}

// What edits reach, leaf by leaf: the counter reaches the second iteration's slices, not the first one's.
TEST(ReducedLoop, EditsReachLeaves) {
  const Module module = parse_hlo(program(true), "distributed.hlo");
  const auto named = [&](const std::string& computation, const std::string& name) {
    for (InstructionId id = 0; id < module.size(); ++id) {
      const auto& home = module.computation(module.computation_of(id));
      if (module.name_of(id) == name && module.string(home.name) == computation) return id;
    }
    ADD_FAILURE() << name;
    return InstructionId{0};
  };
  const auto reached = [&](const std::vector<InstructionId>& edits, const std::string& computation, const std::string& name, bool first) {
    const Reached anywhere(module, edits);
    const InstructionId id = named(computation, name);
    return first ? Reached::first(module, edits, anywhere).holds(id, 0) : anywhere.holds(id, 0);
  };
  const std::vector<InstructionId> counter = {named("body", "one")}, input = {named("main", "x")}, stack = {named("body", "entry")};
  EXPECT_FALSE(reached(counter, "body", "wi", true));
  EXPECT_TRUE(reached(counter, "body", "wi", false));
  EXPECT_TRUE(reached(counter, "condition", "more", false));
  EXPECT_TRUE(reached(counter, "main", "last", true));  // another number of iterations
  EXPECT_TRUE(reached(input, "body", "u", true));
  EXPECT_FALSE(reached(input, "body", "wi", false));
  EXPECT_FALSE(reached(input, "body", "j", false));
  EXPECT_TRUE(reached(stack, "main", "grown", true));
  EXPECT_FALSE(reached(stack, "main", "more", false));
  EXPECT_FALSE(reached(stack, "body", "o", false));
  const Reached near(module, counter);
  EXPECT_EQ(near.distance(named("body", "j"), 0), 1U);
  EXPECT_EQ(near.distance(named("body", "i"), 0), 1U);
  EXPECT_EQ(near.distance(named("body", "wi"), 0), 2U);
  EXPECT_EQ(near.distance(named("body", "zero"), 0), kNone);
}

TEST(ReducedLoop, DefectsBehindItAreRefuted) {
  const std::string right = program(true);
  for (const auto& [from, to] : {std::pair("subtract(%last, %x)", "subtract(%x, %last)"),
                                 std::pair("subtract(%all, %xs)", "subtract(%xs, %all)"),
                                 std::pair("subtract(%all, %xs)", "add(%all, %xs)")}) {
    const Report report = check_loop(replaced(right, from, to));
    EXPECT_EQ(report.verdict, Verdict::Refuted) << to << "\n"
                                                << line_and_notes(report);
  }
}

TEST(ReducedLoop, HarmlessChangesAreNotRefuted) {
  const std::string right = program(true);
  for (const auto& [from, to] : {std::pair("add(%h, %r)", "add(%r, %h)"), std::pair("add(%i, %one)", "add(%one, %i)"),
                                 std::pair("%o = f32[32768,8192] add(%h, %r)",
                                           "%g = f32[32768,8192] negate(%r)\n  %o = f32[32768,8192] subtract(%h, %g)")}) {
    const Report report = check_loop(replaced(right, from, to));
    EXPECT_NE(report.verdict, Verdict::Refuted) << to << "\n"
                                                << line_and_notes(report);
  }
}

}  // namespace
}  // namespace gg
