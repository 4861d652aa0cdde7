// Defects of control flow: each kind is made, is a well-formed module, and hangs where its decision is the rank's number.
#include "models/mutation/control.h"

#include <gtest/gtest.h>

#include <set>

#include "models/hlo/parser.h"
#include "models/ir/control_flow.h"
#include "models/ir/verify.h"

namespace gg {
namespace {

constexpr const char* kControlled = R"(HloModule m, num_partitions=2
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
ENTRY main {
  x = f32[4] parameter(0)
  ar = f32[4] all-reduce(x), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add
  ag = f32[8] all-gather(ar), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, dimensions={0}
  cp = f32[4] collective-permute(x), channel_id=3, source_target_pairs={{0,1}}
  alone = f32[4] all-reduce(x), channel_id=1, replica_groups={{0},{1}}, use_global_device_ids=true, to_apply=add
  ROOT t = (f32[8], f32[4], f32[4]) tuple(ag, cp, alone)
})";

TEST(Control, EveryEditIsAWellFormedModuleWithADuty) {
  const Module module = parse_hlo(kControlled, "");
  std::set<std::string> kinds;
  const std::vector<ControlEdit> all = control_edits(module, {1, 2});
  EXPECT_EQ(all.size(), 16U);  // the all-gather changes its operand's shape: it has no used branch
  for (const ControlEdit& edit : all) {
    const std::string text = to_string(module, edit);
    kinds.insert(text.substr(0, text.find(' ')));
    EXPECT_EQ(text.find("alone"), std::string::npos);
    const Module mutant = apply(module, {1, 2}, edit);
    verify(mutant);
    EXPECT_EQ(ControlFlow(mutant, {1, 2}).all().size(), 1U) << text;
  }
  EXPECT_EQ(kinds.size(), 6U);
}

}  // namespace
}  // namespace gg
