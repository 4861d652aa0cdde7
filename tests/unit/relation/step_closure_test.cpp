// Which outputs hold the relation of the inputs that they feed.
#include <gtest/gtest.h>

#include "models/hlo/parser.h"
#include "models/relation/relation.h"

namespace gg {
namespace {

std::string program(const std::string& p, const std::string& n) {
  return "HloModule m, num_partitions=4\nENTRY %main (w: " + p + ", x: " + n + ") -> (" + p + ", " + n + ") {\n  %w = " + p +
         " parameter(0)\n  %x = " + n + " parameter(1)\n  ROOT %t = (" + p + ", " + n + ") tuple(%w, %x)\n}\n";
}

std::optional<StepClosure> closure(const std::string& inputs, const std::string& outputs, const std::string& next) {
  const Module sequential = parse_hlo(program("f32[8,4]", "f32[5]"), "seq.hlo");
  const Module distributed = parse_hlo(program("f32[4,4]", "f32[5]"), "dist.hlo");
  Arena arena;
  const Relation r = read_relation(arena, R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": )" + inputs + R"(, "outputs": )" + outputs + next + "}", "relation.json", sequential, distributed);
  return step_closure(arena, r);
}

const std::string kIn = R"([[["dp"],[]], [[]]])";

TEST(StepClosure, NothingFeedsTheNextStep) { EXPECT_FALSE(closure(kIn, kIn, "").has_value()); }

TEST(StepClosure, Closed) {
  const auto c = closure(kIn, kIn, R"(, "next": {"0": 0, "1": 1})");
  ASSERT_TRUE(c.has_value());
  EXPECT_TRUE(c->closed);
}

TEST(StepClosure, OtherShardingIsOpen) {
  const auto c = closure(kIn, R"([[["tp"],[]], [[]]])", R"(, "next": {"0": 0, "1": 1})");
  ASSERT_TRUE(c.has_value());
  EXPECT_FALSE(c->closed);
  EXPECT_EQ(c->open, std::vector<int>{0});
}

}  // namespace
}  // namespace gg
