// Which pairs are run before a proof is searched, and that the report of a refuted one is the same in either order.
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/decide/decide.h"
#include "harness/decide/evidence.h"

namespace gg {
namespace {

Case example(const char* name) { return load_case(std::string(GG_SOURCE_DIR) + "/examples/" + name); }

Options check() {
  Options options;
  options.command = "check";
  options.witness = (std::filesystem::temp_directory_path() / "gg-run-first").string();
  return options;
}

TEST(RunFirst, WhatSeemsToDifferAndNothingElse) {
  Case wrong = example("sp-norm-grad-unreduced"), right = example("sp-norm-grad");
  EXPECT_TRUE(run_first(wrong, check(), {}));
  EXPECT_FALSE(run_first(right, check(), {}));
  EXPECT_FALSE(run_first(wrong, check(), {true, false})) << "no proof is asked for";
  Options options = check();
  options.certificate = "kept.cert";
  EXPECT_FALSE(run_first(wrong, options, {})) << "what a proof says is asked for";
  options = check();
  options.run_shapes = "reduced";
  EXPECT_FALSE(run_first(wrong, options, {}));
}

TEST(RunFirst, TheReportIsTheSameInEitherOrder) {
  const auto report = [](bool proof_first) {
    Case c = example("sp-norm-grad-unreduced");
    Options options = check();
    if (proof_first) options.certificate = options.witness + ".cert";  // not written: nothing is proved
    Report r = decide(c, options, {});
    std::filesystem::remove_all(options.witness);
    return r;
  };
  const Report early = report(false), late = report(true);
  EXPECT_EQ(early.verdict, Verdict::Refuted);
  EXPECT_EQ(late.verdict, Verdict::Refuted);
  EXPECT_EQ(early.notes, late.notes);
  ASSERT_EQ(early.outputs.size(), late.outputs.size());
  for (std::size_t k = 0; k < early.outputs.size(); ++k) EXPECT_EQ(early.outputs[k].text, late.outputs[k].text);
  ASSERT_EQ(early.explained.findings.size(), late.explained.findings.size());
  for (std::size_t k = 0; k < early.explained.findings.size(); ++k) EXPECT_EQ(early.explained.findings[k].text, late.explained.findings[k].text);
}

}  // namespace
}  // namespace gg
