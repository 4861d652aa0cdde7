// Circumstances under which a pair that differs agrees: found where they are, not offered where they are not.
#include "harness/pinpoint/preconditions.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/decide/decide.h"
#include "harness/options/options.h"
#include "tests/pinpoint/pair.h"

namespace gg::pinpoint {
namespace {

const char* const kSequentialMean =
    "l: f32[4], m: f32[4]) -> f32[] {\n %lm = f32[4] multiply(%l, %m)\n %s = f32[] reduce(%lm, %zero), dimensions={0}, to_apply=%sum\n"
    " %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n ROOT %q = f32[] divide(%s, %n)\n";
const char* const kTwoShards = R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[]], "ranges": {"1": [0.25, 1]})";

std::vector<Precondition> offered(Case& c) {
  const DifferentialResult run = run_pair(c, {});
  EXPECT_TRUE(run.differing);
  return run.differing ? preconditions(c, *run.witness, *run.differing, {}) : std::vector<Precondition>{};
}

TEST(Preconditions, MeanOfMeansHoldsForEqualCounts) {
  Case c = make_pair(kSequentialMean,
                     "l: f32[2], m: f32[2]) -> f32[] {\n %lm = f32[2] multiply(%l, %m)\n %s = f32[] reduce(%lm, %zero), dimensions={0}, to_apply=%sum\n"
                     " %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n %q = f32[] divide(%s, %n)\n %two = f32[] constant(2)\n"
                     " %a = f32[] AR(%q)\n ROOT %r = f32[] divide(%a, %two)\n",
                     kTwoShards, 2);
  const auto found = offered(c);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].circumstance, Circumstance::EqualSums);
  EXPECT_EQ(found[0].text, "the sum of m is the same on all tp ranks");
  EXPECT_EQ(found[0].axes, std::vector<std::string>{"tp"});
  EXPECT_GE(found[0].draws, 5);
}

TEST(Preconditions, DividingByAllElementsHoldsIfNothingIsMasked) {
  Case c = make_pair(kSequentialMean,
                     "l: f32[2], m: f32[2]) -> f32[] {\n %lm = f32[2] multiply(%l, %m)\n %s = f32[] reduce(%lm, %zero), dimensions={0}, to_apply=%sum\n"
                     " %a = f32[] AR(%s)\n %four = f32[] constant(4)\n ROOT %r = f32[] divide(%a, %four)\n",
                     kTwoShards, 2);
  const auto found = offered(c);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].circumstance, Circumstance::NothingMasked);
  EXPECT_TRUE(found[0].axes.empty());
}

TEST(Preconditions, AnotherRanksMaskHoldsIfAllAreTheSame) {
  Case c = make_pair(
      "l: f32[4], m: f32[4]) -> (f32[4], f32[]) {\n %y = f32[4] multiply(%l, %m)\n"
      " %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n ROOT %t = (f32[4], f32[]) tuple(%y, %n)\n",
      "l: f32[2], m: f32[2]) -> (f32[2], f32[]) {\n %p = f32[2] collective-permute(%m), channel_id=2, source_target_pairs={{0,1},{1,0}}\n"
      " %y = f32[2] multiply(%l, %p)\n %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n %a = f32[] AR(%n)\n"
      " ROOT %t = (f32[2], f32[]) tuple(%y, %a)\n",
      R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]], []], "ranges": {"1": [0, 1]})", 2);
  const auto found = offered(c);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].circumstance, Circumstance::SameBlocks);
}

TEST(Preconditions, PositionsOfTheOwnBlockHoldWhileCapacityIsNotExceeded) {
  Case c = make_pair(
      "x: f32[4], t: s32[4]) -> f32[4] {\n %f = f32[4] convert(%t)\n"
      " %c = f32[4] reduce-window(%f, %zero), window={size=4 pad=3_0}, to_apply=%sum\n %at = s32[4] convert(%c)\n"
      " %two = s32[] constant(2)\n %cap = s32[4] broadcast(%two), dimensions={}\n %keep = pred[4] compare(%at, %cap), direction=LE\n"
      " %z = f32[4] broadcast(%zero), dimensions={}\n ROOT %y = f32[4] select(%keep, %x, %z)\n",
      "x: f32[2], t: s32[2]) -> f32[2] {\n %f = f32[2] convert(%t)\n"
      " %c = f32[2] reduce-window(%f, %zero), window={size=2 pad=1_0}, to_apply=%sum\n %at = s32[2] convert(%c)\n"
      " %two = s32[] constant(2)\n %cap = s32[2] broadcast(%two), dimensions={}\n %keep = pred[2] compare(%at, %cap), direction=LE\n"
      " %z = f32[2] broadcast(%zero), dimensions={}\n ROOT %y = f32[2] select(%keep, %x, %z)\n",
      R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]]], "ranges": {"1": [0, 2]})", 2);
  DifferentialOptions options;
  options.seeds = 40;
  const DifferentialResult run = run_pair(c, options);
  ASSERT_TRUE(run.differing);
  const auto found = preconditions(c, *run.witness, *run.differing, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].circumstance, Circumstance::BoundKept);
  EXPECT_EQ(found[0].text, "%at stays at most 2 everywhere (%keep)");
}

TEST(Preconditions, NothingIsOfferedForAMissingReduction) {
  Case c = make_pair(kSequentialMean,
                     "l: f32[2], m: f32[2]) -> f32[] {\n %lm = f32[2] multiply(%l, %m)\n %s = f32[] reduce(%lm, %zero), dimensions={0}, to_apply=%sum\n"
                     " %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n %a = f32[] AR(%n)\n ROOT %q = f32[] divide(%s, %a)\n",
                     kTwoShards, 2);
  EXPECT_TRUE(offered(c).empty());
}

TEST(Preconditions, CountedAreInputsOfWhichSumsAreTaken) {
  const auto counted = [](const std::string& body, const std::string& ranges) {
    const std::string one = "x: f32[4], t: s32[4]) -> f32[] {\n " + body;
    Case c = make_pair(one, one, R"("inputs": [[[]], [[]]], "outputs": [[]], "ranges": )" + ranges, 2);
    return counted_inputs(c);
  };
  const std::string sum = "ROOT %r = f32[] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n";
  const std::string product = "%f = f32[4] convert(%t)\n %p = f32[4] multiply(%x, %f)\n ROOT %r = f32[] reduce(%p, %zero), dimensions={0}, to_apply=%sum\n";
  const std::string labels =
      "%c = s32[] constant(3)\n %b = s32[4] broadcast(%c), dimensions={}\n %e = pred[4] compare(%t, %b), direction=NE\n"
      " %f = f32[4] convert(%e)\n ROOT %r = f32[] reduce(%f, %zero), dimensions={0}, to_apply=%sum\n";
  const std::string largest = "%low = f32[] constant(-inf)\n ROOT %r = f32[] reduce(%x, %low), dimensions={0}, to_apply=%max\n";
  EXPECT_EQ(counted(sum, R"({"0": [0, 1]})"), std::vector<std::size_t>{0});
  EXPECT_TRUE(counted(sum, "{}").empty());
  EXPECT_TRUE(counted(sum, R"({"0": [-1, 1]})").empty());
  EXPECT_TRUE(counted(product, R"({"0": [0, 1]})").empty());
  EXPECT_TRUE(counted(largest, R"({"0": [0, 1]})").empty());
  EXPECT_EQ(counted(labels, R"({"1": [0, 8]})"), std::vector<std::size_t>{1});
}

TEST(Preconditions, InputsAreAlteredWithinTheirRange) {
  const std::string one = "x: f32[2,4], t: s32[4]) -> f32[2,4] {\n ROOT %y = f32[2,4] negate(%x)\n";
  const std::string part = "x: f32[2,2], t: s32[2]) -> f32[2,2] {\n ROOT %y = f32[2,2] negate(%x)\n";
  Case c = make_pair(one, part, R"("inputs": [[[],["tp"]], [["tp"]]], "outputs": [[[],["tp"]]], "ranges": {"0": [0.25, 1], "1": [0, 2]})", 2);
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    InputSet inputs = draw_inputs(c.relation, seed, 0);
    ASSERT_TRUE(satisfy(c, 0, Circumstance::EqualSums, {"tp"}, inputs));
    const auto x = inputs.free[0].as<double>();
    EXPECT_EQ(x[0] + x[1] + x[4] + x[5], x[2] + x[3] + x[6] + x[7]);
    EXPECT_TRUE(std::all_of(x.begin(), x.end(), [](double v) { return v >= 0.25 && v <= 1; }));
    ASSERT_TRUE(satisfy(c, 1, Circumstance::EqualSums, {"tp"}, inputs));
    const auto t = inputs.free[1].as<std::int64_t>();
    EXPECT_EQ(t[0] + t[1], t[2] + t[3]);
    ASSERT_TRUE(satisfy(c, 1, Circumstance::SameBlocks, {"tp"}, inputs));
    EXPECT_TRUE(t[0] == t[2] && t[1] == t[3]);
    EXPECT_FALSE(satisfy(c, 0, Circumstance::EqualSums, {"dp"}, inputs));
  }
  InputSet inputs = draw_inputs(c.relation, 1, 0);
  RangeList(c.relation).set("x", 3, 3, {});
  EXPECT_FALSE(satisfy(c, 0, Circumstance::EqualSums, {"tp"}, inputs));
  EXPECT_FALSE(satisfy(c, 0, Circumstance::NothingMasked, {}, inputs));
}

TEST(Preconditions, StandBesideTheRepairInReports) {
  Case c = load_case(GG_SOURCE_DIR "/examples/masked-loss-grad-mean-of-means");
  Options options;
  options.command = "check";
  options.witness = (std::filesystem::temp_directory_path() / "gg-precondition-witness").string();
  const Report report = decide(c, options, {});
  ASSERT_FALSE(report.explained.hypotheses.empty());
  ASSERT_EQ(report.explained.preconditions.size(), 1U);
  EXPECT_EQ(report.explained.preconditions[0].kind, "equal-sums");
  EXPECT_NE(to_text(report).find("note: or: holds if the sum of m.1 is the same on all dp ranks (agrees on"), std::string::npos);
  EXPECT_NE(to_json(report).find("\"kind\": \"equal-sums\""), std::string::npos);
  EXPECT_NE(to_html({report}).find("holds if the sum of m.1"), std::string::npos);
  std::filesystem::remove_all(options.witness);
}

}  // namespace
}  // namespace gg::pinpoint
