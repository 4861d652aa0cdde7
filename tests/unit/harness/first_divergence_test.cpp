// A place from a trace alone.
#include "harness/explain/first_divergence.h"

#include <gtest/gtest.h>

#include "tests/unit/runtime/case_builder.h"

namespace gg {
namespace {

std::string total(const std::string& header, int size) {
  const std::string x = "f32[" + std::to_string(size) + "]";
  return "HloModule m" + header + R"(
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main (x: )" +
         x + R"() -> f32[1] {
  %x = )" +
         x + R"( parameter(0)
  %z = f32[] constant(0)
  %t = f32[] reduce(%x, %z), dimensions={0}, to_apply=%sum
  ROOT %r = f32[1] reshape(%t)
}
)";
}

TEST(FirstDivergence, NamesThePartialSumBeforeTheMissingReduction) {
  Case bad = test::make_case(total("", 8), total(", num_partitions=2", 4), R"({"mesh": [["tp", 2]], "inputs": [[["tp"]]], "outputs": [[[]]]})");
  const DifferentialResult result = run_pair(bad, {});
  ASSERT_TRUE(result.witness);
  const auto blame = first_divergence(bad, *result.witness, {});
  ASSERT_TRUE(blame);
  EXPECT_EQ(bad.distributed->name_of(blame->instruction), "t");
  EXPECT_TRUE(blame->missing) << blame->text;
}

}  // namespace
}  // namespace gg
