// Sides of minima, maxima, clamps and selections, and the draws of reduced pairs that visit both.
#include "runtime/sides.h"

#include <gtest/gtest.h>

#include <cmath>

#include "case_builder.h"
#include "runtime/differential.h"

namespace gg {
namespace {

using test::make_case;

/// One replicated f32[8] input over two ranks; bodies are instructions over %x ending in ROOT.
Case replicated(const std::string& sequential, const std::string& distributed, const std::string& more = "") {
  const auto program = [](const std::string& header, const std::string& body) {
    return "HloModule m" + header + R"(
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8] parameter(0)
  %zero = f32[] constant(0)
  %one = f32[] constant(1)
  %hundred = f32[] constant(100)
)" + body + "}\n";
  };
  return make_case(program("", sequential), program(", num_partitions=2", distributed),
                   R"({"mesh": [["tp", 2]], "inputs": [[[]]], "outputs": [[[]]])" + more + "}");
}

Sides taken_by(const std::string& body, int regime = 0) {
  Case c = replicated(body, body);
  infer_ranges(c);
  return sides_taken(c, draw_inputs(c.relation, 42, regime), Budget{});
}

TEST(Sides, OfAMinimum) {
  const std::string body = "  %limit = f32[8] broadcast(%hundred), dimensions={}\n  ROOT %y = f32[8] minimum(%x, %limit)\n";
  const Sides plain = taken_by(body);
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_EQ(plain.begin()->second, 0);
  EXPECT_TRUE(one_sided(plain));
  const Sides large = taken_by(body, kAmplified + 5);
  EXPECT_EQ(large.size(), 2U);
  EXPECT_FALSE(one_sided(large));
}

TEST(Sides, OfAClampWithScalarBounds) {  // the lower bound is reached, the upper one is not
  EXPECT_TRUE(one_sided(taken_by("  ROOT %y = f32[8] clamp(%zero, %x, %hundred)\n")));
  EXPECT_FALSE(one_sided(taken_by("  ROOT %y = f32[8] clamp(%zero, %x, %hundred)\n", kAmplified + 5)));
}

TEST(Sides, OfASelection) {
  const std::string body = R"(  %limit = f32[8] broadcast(%LIMIT), dimensions={}
  %p = pred[8] compare(%x, %limit), direction=GT
  %n = f32[8] negate(%x)
  ROOT %y = f32[8] select(%p, %x, %n)
)";
  const auto with = [&](const std::string& limit) { return std::string(body).replace(body.find("LIMIT"), 5, limit); };
  EXPECT_FALSE(one_sided(taken_by(with("zero"))));
  const Sides never = taken_by(with("hundred"));
  ASSERT_EQ(never.size(), 1U);
  EXPECT_EQ(never.begin()->second, 1);
}

TEST(Sides, EqualOperandsTakeNone) { EXPECT_TRUE(taken_by("  ROOT %y = f32[8] maximum(%x, %x)\n").empty()); }

TEST(Sides, ProgramsWithoutAnyAreNotOneSided) {
  const Sides none = taken_by("  ROOT %y = f32[8] negate(%x)\n");
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(one_sided(none));
}

// A clip of the norm: x * min(1, 100 / sum x^2). The wrong program takes the sum of the absolute values.
std::string clip(const std::string& norm) {
  return "  %q = f32[8] " + norm + R"(
  %n = f32[] reduce(%q, %zero), dimensions={0}, to_apply=%sum
  %d = f32[] divide(%hundred, %n)
  %m = f32[] minimum(%one, %d)
  %f = f32[8] broadcast(%m), dimensions={}
  ROOT %y = f32[8] multiply(%x, %f)
)";
}

DifferentialResult run(Case& c, bool both_sides) {
  infer_ranges(c);
  DifferentialOptions options;
  options.both_sides = both_sides;
  return run_pair(c, options);
}

TEST(BothSides, FindWhatLiesBeforeASleepingClip) {
  Case c = replicated(clip("multiply(%x, %x)"), clip("abs(%x)"));
  const DifferentialResult plain = run(c, false);
  EXPECT_FALSE(plain.differing);
  EXPECT_EQ(plain.draws.size(), 3U);
  const DifferentialResult both = run(c, true);
  ASSERT_TRUE(both.differing);
  EXPECT_GE(both.differing->regime, kAmplified);
  ASSERT_TRUE(both.witness);
  EXPECT_EQ(both.witness->regime, both.differing->regime);
  // The witness alone shows it again.
  EXPECT_FALSE(run_once(c, *both.witness, {}).differences.empty());
}

TEST(BothSides, RightPairsAgree) {
  Case c = replicated(clip("multiply(%x, %x)"), clip("multiply(%x, %x)"));
  const DifferentialResult both = run(c, true);
  EXPECT_FALSE(both.differing);
  EXPECT_GT(both.draws.size(), 3U);
  EXPECT_EQ(both.outputs.at(0).agreement, Agreement::Agrees);
}

TEST(BothSides, GivenRangesAreNotLeft) {
  Case c = replicated(clip("multiply(%x, %x)"), clip("abs(%x)"), R"(, "ranges": {"0": [-1, 1]})");
  const DifferentialResult both = run(c, true);
  EXPECT_FALSE(both.differing);
  EXPECT_EQ(both.draws.size(), 3U);
}

TEST(BothSides, NoFurtherDrawsWhereBothAreTaken) {
  const std::string body = "  %z = f32[8] broadcast(%zero), dimensions={}\n  ROOT %y = f32[8] maximum(%x, %z)\n";
  Case c = replicated(body, body);
  EXPECT_EQ(run(c, true).draws.size(), 3U);
}

// exp(exp(x)) overflows nothing at 113 bits with a wide exponent but at 4096 * 4096: such draws are not counted.
TEST(BothSides, DrawsWithoutFiniteElementsEnd) {
  const std::string body = R"(  %e = f32[8] exponential(%x)
  %f = f32[8] exponential(%e)
  %g = f32[8] exponential(%f)
  %h = f32[8] exponential(%g)
  %limit.0 = f32[] constant(1e30)
  %limit = f32[8] broadcast(%limit.0), dimensions={}
  %o = f32[8] minimum(%g, %limit)
  ROOT %y = f32[8] subtract(%h, %o)
)";
  Case c = replicated(body, body);
  const DifferentialResult both = run(c, true);
  EXPECT_FALSE(both.differing);
  EXPECT_FALSE(both.stopped);
}

}  // namespace
}  // namespace gg
