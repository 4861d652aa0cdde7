// What bad values tell of messages: two that carry each other's value are exchanged, copies within one program are none.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/pinpoint/views.h"
#include "tests/pinpoint/pair.h"

namespace gg::pinpoint {
namespace {

/// The halves of both inputs change places; the outputs do too in the distributed program.
const char* const kToldSequential =
    "x: f32[4], w: f32[4]) -> (f32[4], f32[4]) {\n %x0 = f32[2] slice(%x), slice={[0:2]}\n %x1 = f32[2] slice(%x), slice={[2:4]}\n"
    " %w0 = f32[2] slice(%w), slice={[0:2]}\n %w1 = f32[2] slice(%w), slice={[2:4]}\n %a = f32[4] concatenate(%x1, %x0), dimensions={0}\n"
    " %b = f32[4] concatenate(%w1, %w0), dimensions={0}\n ROOT %r = (f32[4], f32[4]) tuple(%a, %b)\n";
const char* const kToldDistributed =
    "x: f32[2], w: f32[2]) -> (f32[2], f32[2]) {\n"
    " %a = f32[2] collective-permute(%w), channel_id=1, source_target_pairs={{0,1},{1,0}}\n"
    " %b = f32[2] collective-permute(%x), channel_id=2, source_target_pairs={{0,1},{1,0}}\n"
    " %c = f32[2] copy(%a)\n %d = f32[2] copy(%b)\n ROOT %r = (f32[2], f32[2]) tuple(%c, %d)\n";

TEST(Told, CopiesWithinAProgramBringNoMessages) {
  Case c = make_pair(kToldSequential, kToldDistributed, R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]], [["tp"]]])", 2);
  infer_ranges(c);
  const InputSet inputs = draw_inputs(c.relation, 42, 0);
  const Budget budget;
  Views views(c, inputs, NumberMode::Real, budget, nullptr);
  View& view = views.original();
  ASSERT_EQ(view.trace.wrong_outputs().size(), 2U);
  std::set<std::string> exchanged;
  for (const Repair& repair : told_repairs(view.context, views.kin(view), true)) {
    if (repair.diagnosis == Diagnosis::SwappedOperands) exchanged.insert(repair.edit);
  }
  EXPECT_EQ(exchanged, std::set<std::string>{"exchange the messages of %a and %b"});
}

}  // namespace
}  // namespace gg::pinpoint
