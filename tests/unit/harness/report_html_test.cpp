// The page: one self-contained file, everything escaped, outputs, assumptions and notes of a proved pair told too.
#include <gtest/gtest.h>

#include "harness/report/report.h"
#include "tests/unit/text.h"

namespace gg {
namespace {

Report proved() {
  Report r;
  r.case_name = "tp-<mlp>";
  r.verdict = Verdict::Proved;
  r.outputs.push_back({0, "loss&co", OutputState::Proved, ""});
  r.assumptions.push_back({AssumptionKind::FiniteInputs, {}});
  r.notes.push_back("range [0, 4) given: ids");
  return r;
}

TEST(ReportHtml, ProvedPairTellsOutputsAssumptionsAndNotes) {
  const std::string page = to_html({proved()});
  EXPECT_TRUE(has(page, "<code>loss&amp;co</code>"));
  EXPECT_TRUE(has(page, "<td class=\"proved\">proved</td>"));
  EXPECT_TRUE(has(page, "assumes <code>finite-inputs</code>"));
  EXPECT_TRUE(has(page, "range [0, 4) given: ids"));
  EXPECT_FALSE(has(page, "tp-<mlp>")) << "names are escaped";
}

TEST(ReportHtml, IsSelfContained) {
  const std::string page = to_html({proved(), proved()});
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "http"));
  EXPECT_FALSE(has(page, "url("));
  EXPECT_TRUE(has(page, "prefers-color-scheme:dark"));
}

TEST(ReportHtml, DifferenceAndRepairAreMarked) {
  Report r = proved();
  r.verdict = Verdict::Refuted;
  r.outputs[0] = {0, "loss", OutputState::Differs, "expected 1 < 2"};
  r.explained.hypotheses.push_back({"insert an all-reduce", true, "proof", {"- %y = f32[] tanh(%x)", "+ %y = f32[] tanh(%s)"}});
  r.explained.story.push_back({"%y = f32[] tanh(%x)", "", "", "blamed", {0, 1e9, -1}});
  const std::string page = to_html({r});
  EXPECT_TRUE(has(page, "<td class=\"refuted\">differs</td><td>expected 1 &lt; 2</td>"));
  EXPECT_TRUE(has(page, "<span class=\"d\">- %y") && has(page, "<span class=\"a\">+ %y"));
  EXPECT_TRUE(has(page, "<tr class=\"blamed\">"));
  EXPECT_TRUE(has(page, "rank 1: 1e+09 units of rounding"));
}

}  // namespace
}  // namespace gg
