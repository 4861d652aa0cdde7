// What the report says of a difference when runs are dear: the search is at reduced shapes, the answer about the pair as
// given; and no shortage of time or memory takes the verdict away.
#include "harness/explain/explain.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "models/base/progress.h"
#include "tests/pinpoint/pair.h"

namespace gg {
namespace {

Case contracted(int n) {
  const std::string full = std::to_string(n), half = std::to_string(n / 2);
  const std::string dims = "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
  const auto body = [&](const std::string& k) {
    return "x: f32[" + full + "," + k + "], w: f32[" + k + "," + full + "]) -> f32[" + full + "," + full + "] {\n %d = f32[" + full + "," +
           full + "] dot(%x, %w), " + dims + " ROOT %y = f32[" + full + "," + full + "] tanh(%d)\n";
  };
  Case c = pinpoint::make_pair(body(full), body(half), R"("inputs": [[[],["tp"]], [["tp"],[]]], "outputs": [[[],[]]])", 2);
  c.hashes = {std::string(64, '0'), std::string(64, '1'), std::string(64, '2')};
  infer_ranges(c);
  return c;
}

Options options_of(const Case& c, const std::string& folder) {
  Options options;
  options.command = "check";
  options.seeds = 1;
  options.witness = (std::filesystem::temp_directory_path() / folder).string();
  return with_number_type(options, c);
}

DifferentialResult differing(Case& c, const Options& options) {
  DifferentialOptions differential;
  differential.mode = number_mode(options);
  differential.seeds = 1;
  return run_pair(c, differential);
}

TEST(Explain, LargePairIsSearchedAtReducedShapes) {
  Case c = contracted(640);
  const Options options = options_of(c, "gg-explain-large");
  ASSERT_EQ(options.dtype, "f64");
  DifferentialResult run = differing(c, options);
  ASSERT_TRUE(run.differing);
  Explanation report;
  explain_difference(c, run, options, report);
  EXPECT_FALSE(run.witness) << "the large inputs are given back";
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].instruction, "d");
  EXPECT_EQ(report.findings[0].diagnosis, "GG-D001");
  ASSERT_FALSE(report.hypotheses.empty());
  EXPECT_EQ(report.hypotheses[0].confirmed, "proof");
  ASSERT_FALSE(report.hypotheses[0].diff.empty());
  EXPECT_NE(report.hypotheses[0].diff[0].find("f32[640,640]"), std::string::npos) << report.hypotheses[0].diff[0];
  EXPECT_LT(std::filesystem::file_size(options.witness + "/inputs.safetensors"), 100'000U);
  std::filesystem::remove_all(options.witness);
}

TEST(Explain, EditsThatOthersMakeNeedlessAreLeftOut) {
  Case c = load_case(std::string(GG_SOURCE_DIR) + "/examples/vocab-embedding-unmasked");
  infer_ranges(c);
  const Options options = options_of(c, "gg-explain-needless");
  DifferentialResult run = differing(c, options);
  ASSERT_TRUE(run.differing);
  Explanation report;
  explain_difference(c, run, options, report);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_LE(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].diagnosis, "GG-D014") << report.findings[0].text;
  std::filesystem::remove_all(options.witness);
}

TEST(Explain, NoTimeLeavesAFinding) {
  Case c = contracted(8);
  Options options = options_of(c, "gg-explain-no-time");
  DifferentialResult run = differing(c, options);
  ASSERT_TRUE(run.differing);
  progress().over = true;
  Explanation report;
  explain_difference(c, run, options, report);
  progress().over = false;
  EXPECT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(report.hypotheses.empty());
  EXPECT_FALSE(report.notes.empty());
  std::filesystem::remove_all(options.witness);
}

}  // namespace
}  // namespace gg
