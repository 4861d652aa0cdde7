// Who meets in loops and branches, and which of them owe something.
#include "models/ir/control_flow.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

constexpr const char* kProgram = R"(HloModule m, num_partitions=4
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
sum { p = f32[] parameter(0)
  ROOT q = f32[] all-reduce(p), channel_id=1, replica_groups={{0,1},{2},{3}}, use_global_device_ids=true, to_apply=add }
send { p = f32[] parameter(0)
  s = f32[] call(p), to_apply=sum
  ROOT q = f32[] collective-permute(s), channel_id=1, source_target_pairs={{1,3},{2,2}} }
skip { ROOT p = f32[] parameter(0) }
go { v = f32[] parameter(0)
  ROOT c = pred[] compare(v, v), direction=LT }
inner { v = f32[] parameter(0)
  f = pred[] compare(v, v), direction=LT
  ROOT c = f32[] conditional(f, v, v), true_computation=send, false_computation=skip }
ENTRY main {
  x = f32[] parameter(0)
  f = pred[] parameter(1)
  plain = f32[] conditional(f, x, x), true_computation=skip, false_computation=skip
  one = f32[] conditional(f, x, x), true_computation=skip, false_computation=sum
  loop = f32[] while(x), condition=go, body=inner
  both = f32[] conditional(f, x, x), true_computation=inner, false_computation=inner
  ROOT r = f32[] add(one, both)
})";

InstructionId named(const Module& module, const std::string& name) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module.name_of(id) == name) return id;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(ControlFlow, GroupsAndPairsLinkRanks) {
  const Module module = parse_hlo(kProgram, "");
  ControlFlow flow(module, {1, 4});
  EXPECT_TRUE(flow.meetings(named(module, "plain")).empty());
  EXPECT_EQ(flow.meetings(named(module, "one")), (Meetings{{0, 1}}));
  EXPECT_EQ(flow.meetings(named(module, "loop")), (Meetings{{0, 1, 3}}));
  EXPECT_EQ(to_string(flow.meetings(named(module, "loop"))), "ranks {0, 1, 3} meet in it");
}

TEST(ControlFlow, DutiesByInstance) {
  const Module module = parse_hlo(kProgram, "");
  std::vector<std::string> names;
  for (const Duty& duty : ControlFlow(module, {1, 4}).all()) names.push_back((duty.loop ? "loop " : "branch ") + to_string(module, duty.instance));
  EXPECT_EQ(names, (std::vector<std::string>{"branch main/%one", "loop main/%loop", "branch main/loop/%c", "branch main/%both",
                                             "branch main/both@0/%c", "branch main/both@1/%c"}));
}

TEST(ControlFlow, IterationsAreNoPartOfAName) {
  EXPECT_EQ(without_iterations("main/while.5#3/%while.7#12"), "main/while.5/%while.7");
  EXPECT_EQ(without_iterations("main/c@1/%d"), "main/c@1/%d");
}

}  // namespace
}  // namespace gg
