// The catalogue of one-instruction defects: every kind occurs, every mutant is a well-formed module that differs in one
// instruction, the order is fixed, and what each kind writes is what its name says.
#include "models/mutation/mutate.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "models/ir/verify.h"

namespace gg {
namespace {

constexpr const char* kProgram = R"(HloModule all_kinds, num_partitions=4

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

%max (c: f32[], d: f32[]) -> f32[] {
  %c = f32[] parameter(0)
  %d = f32[] parameter(1)
  ROOT %m = f32[] maximum(%c, %d)
}

ENTRY %main (x: f32[3,3], y: f32[3,3]) -> (f32[3], f32[6,3], pred[3,3], f32[2,3], s32[]) {
  %x = f32[3,3]{1,0} parameter(0)
  %y = f32[3,3]{1,0} parameter(1)
  %half = f32[] constant(0.5)
  %halves = f32[3,3]{1,0} broadcast(%half), dimensions={}
  %scaled = f32[3,3]{1,0} multiply(%x, %halves)
  %all = f32[3,3]{1,0} all-reduce(%scaled), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=%sum
  %moved = f32[3,3]{1,0} collective-permute(%all), channel_id=1, source_target_pairs={{0,1},{1,2}}
  %less = f32[3,3]{1,0} subtract(%moved, %y)
  %copied = f32[3,3]{1,0} copy(%less)
  %wide = f32[6,3]{1,0} all-gather(%copied), channel_id=1, replica_groups={{0,1},{2,3}}, dimensions={0}, use_global_device_ids=true
  %turned = f32[3,3]{1,0} transpose(%copied), dimensions={1,0}
  %zero = f32[] constant(0)
  %rows = f32[3]{0} reduce(%turned, %zero), dimensions={1}, to_apply=%sum
  %part = f32[2,3]{1,0} slice(%turned), slice={[0:2], [0:3]}
  %where = pred[3,3]{1,0} compare(%x, %y), direction=LT
  %table = s32[4]{0} constant({0, 3, 6, 9})
  %rank = u32[] partition-id()
  %entry = s32[1]{0} dynamic-slice(%table, %rank), dynamic_slice_sizes={1}
  %offset = s32[] reshape(%entry)
  %one = s32[] constant(1)
  %next = s32[] add(%offset, %one)
  ROOT %r = (f32[3]{0}, f32[6,3]{1,0}, pred[3,3]{1,0}, f32[2,3]{1,0}, s32[]) tuple(%rows, %wide, %where, %part, %next)
}
)";

/// Lines of a module's text.
std::vector<std::string> lines_of(const Module& module) {
  std::vector<std::string> lines;
  std::istringstream text(print_hlo(module));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The lines of `mutant` that differ from those of `module`.
std::vector<std::string> changed_lines(const Module& module, const Module& mutant) {
  const auto before = lines_of(module);
  const auto after = lines_of(mutant);
  EXPECT_EQ(before.size(), after.size());
  std::vector<std::string> changed;
  for (std::size_t k = 0; k < std::min(before.size(), after.size()); ++k) {
    if (before[k] != after[k]) changed.push_back(after[k]);
  }
  return changed;
}

/// The instruction that this edit makes, as printed; "" if it does not apply.
std::string edited(const Module& module, const std::string& description) {
  for (const Edit& edit : edits(module)) {
    if (to_string(module, edit) == description) return print_instruction(apply(module, edit), edit.instruction);
  }
  return "";
}

TEST(Mutate, EveryKindApplies) {
  const Module module = parse_hlo(kProgram, "zoo");
  std::set<Defect> kinds;
  for (const Edit& edit : edits(module)) kinds.insert(edit.defect);
  for (int kind = 0; kind <= static_cast<int>(Defect::SwapDimensions); ++kind) {
    EXPECT_EQ(kinds.count(static_cast<Defect>(kind)), 1U) << "kind " << kind;
  }
}

TEST(Mutate, OrderIsFixedAndDescriptionsAreDistinct) {
  const Module module = parse_hlo(kProgram, "zoo");
  const Module again = parse_hlo(kProgram, "zoo");
  const auto first = edits(module);
  const auto second = edits(again);
  ASSERT_EQ(first.size(), second.size());
  std::set<std::string> seen;
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_EQ(first[k].defect, second[k].defect);
    EXPECT_EQ(first[k].instruction, second[k].instruction);
    EXPECT_EQ(print_hlo(apply(module, first[k])), print_hlo(apply(again, second[k])));
    EXPECT_TRUE(seen.insert(to_string(module, first[k])).second) << to_string(module, first[k]);
    if (k == 0) continue;
    const auto place = [](const Edit& e) { return std::pair(e.instruction, static_cast<int>(e.defect)); };
    EXPECT_LT(place(first[k - 1]), place(first[k])) << k;
  }
}

TEST(Mutate, EveryMutantVerifiesAndDiffersInOneInstruction) {
  const Module module = parse_hlo(kProgram, "zoo");
  for (const Edit& edit : edits(module)) {
    SCOPED_TRACE(to_string(module, edit));
    const Module mutant = apply(module, edit);
    EXPECT_NO_THROW(verify(mutant));
    EXPECT_NO_THROW(parse_hlo(print_hlo(mutant), "mutant"));
    ASSERT_EQ(mutant.size(), module.size());
    EXPECT_EQ(changed_lines(module, mutant).size(), 1U);
    for (InstructionId id = 0; id < module.size(); ++id) {
      EXPECT_EQ(mutant.type(id), module.type(id));
      EXPECT_EQ(mutant.name_of(id), module.name_of(id));
      EXPECT_EQ(mutant[id].line, module[id].line);
    }
  }
}

TEST(Mutate, TwoEditsInARowVerify) {
  const Module module = parse_hlo(kProgram, "zoo");
  for (const Edit& edit : edits(module)) {
    const Module once = apply(module, edit);
    for (const Edit& more : edits(once)) EXPECT_NO_THROW(verify(apply(once, more))) << to_string(once, more);
  }
}

TEST(Mutate, CollectivesAsNamed) {
  const Module module = parse_hlo(kProgram, "zoo");
  EXPECT_EQ(edited(module, "drop-collective at %all"), "%all = f32[3,3]{1,0} copy(%scaled)");
  EXPECT_EQ(edited(module, "drop-collective at %moved"), "%moved = f32[3,3]{1,0} copy(%all)");
  EXPECT_EQ(edited(module, "drop-collective at %wide"), "") << "an all-gather changes the type";
  EXPECT_NE(edited(module, "reduce-max at %all").find("to_apply=%max"), std::string::npos);
  EXPECT_NE(edited(module, "regroup-collective at %all").find("{{0,3},{2,1}}"), std::string::npos);
  EXPECT_NE(edited(module, "reorder-group at %wide").find("{{1,0},{3,2}}"), std::string::npos);
  EXPECT_EQ(edited(module, "reorder-group at %all"), "") << "the order inside a group means nothing to a reduction";
  EXPECT_NE(edited(module, "reverse-permute at %moved").find("{{1,0},{2,1}}"), std::string::npos);
  EXPECT_NE(edited(module, "add-collective at %copied").find("all-reduce(%less)"), std::string::npos);
}

TEST(Mutate, LiteralsAsNamed) {
  const Module module = parse_hlo(kProgram, "zoo");
  EXPECT_EQ(edited(module, "scale-literal at %half"), "%half = f32[] constant(1)");
  EXPECT_EQ(edited(module, "scale-literal at %zero"), "") << "twice zero is no change";
  EXPECT_EQ(edited(module, "shift-table at %table"), "%table = s32[4]{0} constant({3, 6, 9, 0})");
  EXPECT_EQ(edited(module, "shift-literal at %one"), "%one = s32[] constant(2)");
}

TEST(Mutate, OperandsAsNamed) {
  const Module module = parse_hlo(kProgram, "zoo");
  EXPECT_EQ(edited(module, "swap-operands at %less"), "%less = f32[3,3]{1,0} subtract(%y, %moved)");
  EXPECT_NE(edited(module, "shift-slice at %part").find("[1:3]"), std::string::npos);
  EXPECT_NE(edited(module, "flip-compare at %where").find("direction=LE"), std::string::npos);
  EXPECT_NE(edited(module, "swap-dimensions at %rows").find("dimensions={0}"), std::string::npos);
}

TEST(Mutate, EmptyWhereNothingApplies) {
  const Module module = parse_hlo(
      "HloModule m\n\nENTRY %e (x: f32[2]) -> f32[2] {\n  %x = f32[2] parameter(0)\n"
      "  ROOT %n = f32[2] negate(%x)\n}\n",
      "plain");
  EXPECT_TRUE(edits(module).empty());
}

}  // namespace
}  // namespace gg
