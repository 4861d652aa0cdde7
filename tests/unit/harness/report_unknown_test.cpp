// A report of unknown: short, one line an output or reason, terms only where asked for.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/report/report.h"
#include "tests/unit/text.h"

namespace gg {
namespace {

Report open() {
  Report r;
  r.arguments = "step";
  r.reason = Reason::NoLemma;
  for (int k = 0; k < 40; ++k) {
    const bool proved = k < 10;
    r.outputs.push_back({k, "out." + std::to_string(k), proved ? OutputState::Related : OutputState::Agrees,
                         proved ? "" : k % 2 == 0 ? "step limit: distributed (+ s1 s2)  sequential s3"
                                                  : "distributed (+ s1 s2)  sequential s3"});
    r.islands.push_back({"main/%dot." + std::to_string(k), std::string(5000, 'd'), "main/%add.7 = (+ s1 s2)", {k}});
    r.islands.back().place = Blame{"dot", {"main"}, "dot", "train.py:12", "distributed", "f.hlo", 7, 3, "%dot = f32[] dot(%x, %y)"};
    r.notes.push_back("note " + std::to_string(k));
  }
  return r;
}

TEST(ReportUnknown, HasAtMostTwentyFiveLines) {
  const std::string text = to_text(open());
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 25) << text;
  EXPECT_TRUE(has(text, "40 outputs: 30 agrees (out.10, out.11, out.12, ...), 10 related\n")) << text;
  EXPECT_TRUE(has(text, "output 10 (out.10) (and 14 more): step limit\n")) << text;
  EXPECT_TRUE(has(text, "output 11 (out.11) (and 14 more): no relation was found\n")) << text;
  EXPECT_TRUE(has(text, "f.hlo:7:3: note: no relation for main/%dot.0")) << text;
  EXPECT_TRUE(has(text, "note: from train.py:12\n")) << text;
  EXPECT_TRUE(has(text, "the nearest in form is main/%add.7\n")) << text;
  EXPECT_TRUE(has(text, "39 dot\n")) << text;
  EXPECT_TRUE(has(text, "more notes in --json and --html\n")) << text;
  EXPECT_TRUE(has(text, "next: gg-harness reduce step -o smaller\n")) << text;
  EXPECT_FALSE(has(text, "ddd")) << "terms are for -v";
}

TEST(ReportUnknown, TermsAreWrappedAndCut) {
  const std::string text = to_text(open(), true);
  EXPECT_TRUE(has(text, "distributed: ddd"));
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (text[at] == ' ') longest = std::max(longest, end - at);
    at = end + 1;
  }
  EXPECT_LE(longest, 140U);
}

TEST(ReportUnknown, ThePageSaysTheSame) {
  const std::string page = to_html({open()});
  EXPECT_TRUE(has(page, "<h3>What is not decided</h3>"));
  EXPECT_TRUE(has(page, "the nearest in form is main/%add.7"));
}

TEST(ReportUnknown, EveryReasonHasAdviceAndANextCommand) {
  for (const Reason reason : all_reasons()) {
    Report r;
    r.arguments = "step";
    r.reason = reason;
    EXPECT_FALSE(advice_of(reason).empty()) << to_string(reason);
    EXPECT_TRUE(has(to_text(r), "next: gg-harness ")) << to_string(reason);
  }
}

}  // namespace
}  // namespace gg
