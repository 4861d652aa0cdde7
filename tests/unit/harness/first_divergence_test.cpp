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

// On each rank one number is the sequential one, and the larger of the two by chance: no maximum is missing where none was taken.
TEST(FirstDivergence, NoMaximumIsMissingWhereNoneIsTaken) {
  const auto mean = [](const std::string& header, const std::string& op) {
    return "HloModule m" + header + "\nENTRY %main (x: f32[4]) -> f32[4] {\n  %x = f32[4] parameter(0)\n  %e = f32[4] exponential(%x)\n" + op + "  ROOT %r = f32[4] tanh(%d)\n}\n";
  };
  const std::string scaled =
      "  %p = u32[] partition-id()\n  %f = f32[] convert(%p)\n  %h = f32[] constant(0.5)\n  %o = f32[] constant(1)\n  %s = f32[] multiply(%f, %h)\n"
      "  %t = f32[] subtract(%o, %s)\n  %b = f32[4] broadcast(%t), dimensions={}\n  %g = f32[4] multiply(%e, %b)\n  %d = f32[4] sine(%g)\n";
  Case bad = test::make_case(mean("", "  %d = f32[4] sine(%e)\n"), mean(", num_partitions=2", scaled), R"({"mesh": [["tp", 2]], "inputs": ["replicated"], "outputs": ["replicated"]})");
  const DifferentialResult result = run_pair(bad, {});
  ASSERT_TRUE(result.witness);
  const auto blame = first_divergence(bad, *result.witness, {});
  ASSERT_TRUE(blame);
  EXPECT_FALSE(blame->missing) << blame->text;
  EXPECT_EQ(blame->text.find("maximum"), std::string::npos) << blame->text;
}

}  // namespace
}  // namespace gg
