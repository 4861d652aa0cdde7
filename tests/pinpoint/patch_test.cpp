// Patches, the reach of an edit, and the table of diagnoses.
#include <gtest/gtest.h>

#include <set>

#include "harness/pinpoint/pinpoint.h"
#include "harness/pinpoint/reach.h"
#include "harness/report/diagnosis.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "models/ir/verify.h"

namespace gg::pinpoint {
namespace {

Module module_of(const std::string& text) { return parse_hlo(text, "test.hlo"); }

InstructionId find(const Module& m, std::string_view name) {
  for (InstructionId id = 0; id < m.size(); ++id) {
    if (m.name_of(id) == name) return id;
  }
  ADD_FAILURE() << "no instruction " << name;
  return 0;
}

const char* const kChain = R"(HloModule m, num_partitions=2
ENTRY %main (x: f32[4], w: f32[4]) -> f32[4] {
  %x = f32[4] parameter(0)
  %w = f32[4] parameter(1)
  %a = f32[4] multiply(%x, %w)
  %b = f32[4] tanh(%a)
  %c = f32[4] add(%b, %w)
  ROOT %d = f32[4] subtract(%c, %a)
}
)";

TEST(Patch, NothingChangesNothing) {
  const Module m = module_of(kChain);
  EXPECT_EQ(print_hlo(*patched(m, {})), print_hlo(m));
}

TEST(Patch, InsertsBeforeTheFirstUserAndReroutesAllButItself) {
  const Module m = module_of(kChain);
  Patch patch;
  const Ref negated = patch.add({Op::Negate, Type::array(ElementType::F32, {4}), {}, {{find(m, "a"), false}}, std::nullopt, false});
  patch.reroutes.push_back({find(m, "a"), negated, std::nullopt});
  const Module after = *patched(m, patch);
  EXPECT_NO_THROW(verify(after));
  const InstructionId made = find(after, "mend_negate");
  EXPECT_EQ(after.operands(made)[0], find(after, "a"));
  EXPECT_EQ(after.operands(find(after, "b"))[0], made);
  EXPECT_EQ(after.operands(find(after, "d"))[1], made);
}

TEST(Patch, TheRootCanBeReplacedAndWhatNobodyReadsGoes) {
  const Module m = module_of(kChain);
  Patch patch;
  patch.reroutes.push_back({find(m, "d"), {find(m, "b"), false}, std::nullopt});
  const Module after = *patched(m, patch);
  EXPECT_EQ(after.name_of(after.computation(after.entry()).root), "b");
  EXPECT_EQ(after.size(), 4U);  // parameters stay
}

TEST(Patch, OneUserAlone) {
  const Module m = module_of(kChain);
  Patch patch;
  patch.reroutes.push_back({find(m, "a"), {find(m, "x"), false}, find(m, "d")});
  const Module after = *patched(m, patch);
  EXPECT_EQ(after.operands(find(after, "d"))[1], find(after, "x"));
  EXPECT_EQ(after.operands(find(after, "b"))[0], find(after, "a"));
}

TEST(Patch, ALaterValueMovesForwardButNoCycle) {
  const Module m = module_of(kChain);
  Patch later;
  Changed change = unchanged(m, find(m, "b"));
  change.operands[0] = {find(m, "c"), false};
  later.changed.push_back(change);
  EXPECT_FALSE(patched(m, later));  // c reads b
  const Module n = module_of(R"(HloModule m
ENTRY %main (x: f32[4]) -> (f32[4], f32[4]) {
  %x = f32[4] parameter(0)
  %b = f32[4] tanh(%x)
  %c = f32[4] negate(%x)
  ROOT %t = (f32[4], f32[4]) tuple(%b, %c)
}
)");
  Patch forward;
  Changed reads = unchanged(n, find(n, "b"));
  reads.operands[0] = {find(n, "c"), false};
  forward.changed.push_back(reads);
  const Module after = *patched(n, forward);
  EXPECT_LT(find(after, "c"), find(after, "b"));
}

TEST(Patch, ReducersAreFoundOrMade) {
  const Module m = module_of(kChain);
  Patch patch;
  Attributes attributes;
  ReplicaGroups groups;
  groups.groups = {{0, 1}};
  attributes.set(Attr::ReplicaGroups, groups);
  attributes.set(Attr::UseGlobalDeviceIds, true);
  attributes.set(Attr::HasChannel, true);
  const Ref sum = patch.add({Op::AllReduce, Type::array(ElementType::F32, {4}), attributes, {{find(m, "a"), false}}, Reducer{Op::Add, ElementType::F32}, true});
  patch.reroutes.push_back({find(m, "a"), sum, std::nullopt});
  const Module once = *patched(m, patch);
  EXPECT_NO_THROW(verify(once));
  EXPECT_EQ(once.computations().size(), 2U);
  EXPECT_GE(once[find(once, "mend_all-reduce")].channel, 1);
  Patch again;
  Attributes more = attributes;
  const Ref second = again.add({Op::AllReduce, Type::array(ElementType::F32, {4}), more, {{find(once, "b"), false}}, Reducer{Op::Add, ElementType::F32}, true});
  again.reroutes.push_back({find(once, "b"), second, std::nullopt});
  const Module twice = *patched(once, again);
  EXPECT_NO_THROW(verify(twice));
  EXPECT_EQ(twice.computations().size(), 2U);  // the region of the first is used
  EXPECT_NO_THROW(verify(module_of(print_hlo(twice))));
}

TEST(Reach, HoldsWhatAnEditReaches) {
  const Module m = module_of(kChain);
  Patch patch;
  Changed change = unchanged(m, find(m, "c"));
  change.op = Op::Subtract;
  patch.changed.push_back(change);
  const Module after = *patched(m, patch);
  const auto reach = reach_of(m, after);
  ASSERT_TRUE(reach);
  EXPECT_NO_THROW(verify(reach->module));
  std::set<std::string> frontier;
  for (const InstructionId id : reach->frontier) frontier.insert(std::string(m.name_of(id)));
  EXPECT_EQ(frontier, (std::set<std::string>{"a", "b", "w"}));
  EXPECT_EQ(reach->changed, std::vector<bool>{true});
  EXPECT_EQ(reach->module.size(), 5U);
}

TEST(Reach, AnotherRootIsAChangeEvenOfAKeptValue) {
  const Module m = module_of(kChain);
  Patch patch;
  patch.reroutes.push_back({find(m, "d"), {find(m, "b"), false}, std::nullopt});
  EXPECT_EQ(reach_of(m, *patched(m, patch))->changed, std::vector<bool>{true});
}

TEST(Reach, CalledComputationsCount) {
  const auto text = [](const char* op) {
    return std::string(R"(HloModule m
%f (p: f32[4]) -> f32[4] {
  %p = f32[4] parameter(0)
  ROOT %q = f32[4] )") +
           op + R"((%p)
}
ENTRY %main (x: f32[4]) -> (f32[4], f32[4]) {
  %x = f32[4] parameter(0)
  %e = f32[4] exponential(%x)
  %y = f32[4] call(%e), to_apply=%f
  ROOT %t = (f32[4], f32[4]) tuple(%e, %y)
}
)";
  };
  const Module m = module_of(text("tanh")), same = module_of(text("tanh")), other = module_of(text("sine"));
  EXPECT_EQ(reach_of(m, same)->changed, (std::vector<bool>{false, false}));
  EXPECT_EQ(reach_of(m, other)->changed, (std::vector<bool>{false, true}));
}

TEST(Diff, OnlyChangedLines) {
  const Module m = module_of(kChain);
  Patch patch;
  Changed change = unchanged(m, find(m, "c"));
  change.op = Op::Subtract;
  patch.changed.push_back(change);
  const auto lines = hlo_diff(m, *patched(m, patch));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].substr(0, 4), "- %c");
  EXPECT_EQ(lines[1].substr(0, 4), "+ %c");
}

TEST(Diagnoses, AreNumberedInOrder) {
  int number = 1;
  for (const auto& row : diagnoses()) {
    const std::string id = "GG-D" + std::string(number < 10 ? "00" : "0") + std::to_string(number);
    EXPECT_EQ(row.id, id);
    EXPECT_EQ(info(row.diagnosis).id, id);
    EXPECT_FALSE(row.title.empty());
    EXPECT_EQ(row.text.back(), '.');
    ++number;
  }
}

}  // namespace
}  // namespace gg::pinpoint
