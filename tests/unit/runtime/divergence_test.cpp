// The trace of a pair: what distributed values are, where the first bad ones stand, what a value in their place would be.
#include "runtime/divergence.h"

#include <gtest/gtest.h>

#include "case_builder.h"

namespace gg {
namespace {

using test::make_case;

const char* const kLayers = R"(HloModule s
ENTRY %main (x: f32[4,6], w: f32[6,8]) -> f32[4,8] {
  %x = f32[4,6] parameter(0)
  %w = f32[6,8] parameter(1)
  %h = f32[4,8] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %y = f32[4,8] tanh(%h)
}
)";

/// Rows of w over two ranks; `result` is an instruction over %h, %all.
std::string distributed(const std::string& middle, const std::string& result) {
  return R"(HloModule d, num_partitions=2
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main (x: f32[4,3], w: f32[3,8]) -> f32[4,8] {
  %x = f32[4,3] parameter(0)
  %w = f32[3,8] parameter(1)
  %h = f32[4,8] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)" + middle +
         "  ROOT %y = f32[4,8] " + result + "\n}\n";
}

const char* const kAll =
    "  %all = f32[4,8] all-reduce(%h), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum\n";
const char* const kLayersRelation = R"({"mesh": [["tp", 2]], "inputs": [[[], ["tp"]], [["tp"], []]], "outputs": [[[], []]]})";

struct Traced {
  Case c;
  InputSet inputs;
  std::unique_ptr<DivergenceTrace> trace;
  explicit Traced(const std::string& text) : c(make_case(kLayers, text, kLayersRelation)) {
    infer_ranges(c);
    inputs = draw_inputs(c.relation, 42, 0);
    trace = std::make_unique<DivergenceTrace>(c, inputs, NumberMode::F64, Budget{});
  }
  InstructionId named(const std::string& name) const {
    for (InstructionId id = 0; id < c.distributed->size(); ++id) {
      if (c.distributed->name_of(id) == name) return id;
    }
    return kNone;
  }
  ValueId value(const std::string& name) const { return trace->first_values().at(named(name)); }
};

TEST(Divergence, RightPairsHaveNoSource) {
  const Traced t(distributed(kAll, "tanh(%all)"));
  EXPECT_TRUE(t.trace->wrong_outputs().empty());
  EXPECT_TRUE(t.trace->sources().empty());
  const auto& partial = t.trace->state(t.value("h")).match;
  ASSERT_TRUE(partial);
  EXPECT_EQ(partial->partial, std::vector<int>{0});
  EXPECT_EQ(t.trace->anchor_name(*partial), "main/%h");
}

TEST(Divergence, TheSourceIsWhereGoodOperandsBecomeBad) {
  const Traced t(distributed(kAll, "tanh(%h)"));
  EXPECT_FALSE(t.trace->wrong_outputs().empty());
  ASSERT_EQ(t.trace->sources().size(), 1U);
  EXPECT_EQ(t.trace->sources()[0], t.value("y"));
}

TEST(Divergence, FirstValuesNameEveryInstructionThatRan) {
  const Traced t(distributed(kAll, "tanh(%all)"));
  const auto values = t.trace->first_values();
  for (const char* name : {"h", "all", "y"}) {
    ASSERT_TRUE(values.count(t.named(name))) << name;
    EXPECT_EQ(t.trace->first_value({}, t.named(name), 0), values.at(t.named(name))) << name;
  }
}

TEST(Divergence, WhatWouldBeASequentialValue) {
  const Traced t(distributed(kAll, "tanh(%h)"));
  RunOptions options;
  options.mode = NumberMode::F64;
  Case& c = const_cast<Case&>(t.c);
  const RunResult right = PairRunner(c).run_sequential(t.inputs, options);
  const std::vector<double> y = test::values(right.outputs.at(0));
  std::vector<double> both = y, negative, same(2 * y.size(), 0.5), other;
  both.insert(both.end(), y.begin(), y.end());
  for (const double v : both) {
    negative.push_back(-v);
    other.push_back(v + 0.25);
  }
  const ValueId id = t.value("y");
  EXPECT_TRUE(t.trace->would_match(id, test::doubles(both)));
  EXPECT_TRUE(t.trace->would_match(id, test::doubles(negative)));
  EXPECT_FALSE(t.trace->would_match(id, test::doubles(other)));
  EXPECT_FALSE(t.trace->would_match(id, test::doubles(same)));
}

}  // namespace
}  // namespace gg
