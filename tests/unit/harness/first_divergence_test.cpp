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

// Of a value whose sum stands further down, no reduction is missing: what is wrong is how often a replicated summand is counted by it. Where it stands behind a root, it is.
TEST(FirstDivergence, NothingIsMissingBeforeWhatIsSummedLater) {
  const auto program = [](const std::string& header, int size, const std::string& end) {
    const std::string x = "f32[" + std::to_string(size) + "]";
    return "HloModule m" + header + "\n%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %s = f32[] add(%a, %b)\n}\nENTRY %main (x: " + x + ", w: f32[]) -> f32[] {\n  %x = " + x + " parameter(0)\n  %w = f32[] parameter(1)\n  %z = f32[] constant(0)\n  %t = f32[] reduce(%x, %z), dimensions={0}, to_apply=%sum\n" + end + "}\n";
  };
  const std::string reduced = "), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum\n";
  const std::string relation = R"({"mesh": [["tp", 2]], "inputs": [[["tp"]], "replicated"], "outputs": ["replicated"]})";
  const auto said = [&](const std::string& sequential, const std::string& distributed) {
    Case bad = test::make_case(program("", 8, sequential), program(", num_partitions=2", 4, distributed), relation);
    const DifferentialResult result = run_pair(bad, {});
    return first_divergence(bad, *result.witness, {});
  };
  const std::string right = "  %e = f32[] sine(%w)\n  %u = f32[] add(%t, %e)\n  ROOT %r = f32[] tanh(%u)\n";
  const auto counted = said(right, "  %e = f32[] sine(%w)\n  %u = f32[] add(%t, %e)\n  %g = f32[] all-reduce(%u" + reduced + "  ROOT %r = f32[] tanh(%g)\n");
  ASSERT_TRUE(counted);
  EXPECT_FALSE(counted->missing) << counted->text;
  EXPECT_EQ(counted->text.find("missing"), std::string::npos) << counted->text;
  const std::string root = "  %e = f32[] exponential(%t)\n  %u = f32[] add(%e, %w)\n  ROOT %r = f32[] tanh(%u)\n";
  const auto late = said(root, "  %e = f32[] exponential(%t)\n  %u = f32[] add(%e, %w)\n  %g = f32[] all-reduce(%u" + reduced + "  ROOT %r = f32[] tanh(%g)\n");
  ASSERT_TRUE(late);
  EXPECT_TRUE(late->missing) << late->text;
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
