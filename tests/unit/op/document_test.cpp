// The operator page: complete, deterministic, and readable where it matters.

#include <gtest/gtest.h>

#include "models/base/file.h"
#include "models/op/custom_calls.h"
#include "models/op/examples.h"

namespace gg {
namespace {

TEST(Document, EveryTypeRuleHasItsSentence) {
  for (const OpInfo& row : operators())
    EXPECT_FALSE(describe_type_rule(row.type_rule_name).empty()) << row.type_rule_name;
  for (const CustomCall& row : custom_calls())
    EXPECT_FALSE(describe_type_rule(row.type_rule_name).empty()) << row.target;
}

TEST(Document, EveryBodyHasAnExampleThatTypesAndBuilds) {
  Arena arena;
  for (const OpInfo& row : operators()) {
    if (!has_body(row.op) || row.op == Op::CustomCall) continue;
    const auto example = example_of(arena, row.op);
    ASSERT_NE(example, nullptr) << row.name;
    EXPECT_EQ(infer_type(example->call()), example->result) << row.name;
    EXPECT_NO_THROW(make_body(arena, example->call())) << row.name;
  }
}

TEST(Document, PageNamesEverything) {
  const std::string page = print_ops_markdown();
  EXPECT_EQ(page, print_ops_markdown());
  for (const OpInfo& row : operators()) EXPECT_NE(page.find("## " + std::string(row.name) + "\n"), std::string::npos);
  for (const CustomCall& row : custom_calls()) EXPECT_NE(page.find("## " + std::string(row.target)), std::string::npos);
  EXPECT_NE(page.find("x0[i, j, l] * x1[i, l, k]"), std::string::npos) << page;
}

TEST(Document, OpsPageIsCurrent) {
  const std::string page = read_file(GG_SOURCE_DIR "/docs/ops.md");
  EXPECT_EQ(page.substr(0, page.find("\n## Compared with XLA\n")), print_ops_markdown())  // behind it: what tests/xla/random.sh measured
      << "after a change of the tables: gg-harness ops > docs/ops.md";
}

}  // namespace
}  // namespace gg
