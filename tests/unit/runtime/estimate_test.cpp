// Estimated work of a pair, and the number type that it chooses.
#include <gtest/gtest.h>

#include "case_builder.h"
#include "runtime/differential.h"

namespace gg {
namespace {

Case product_case(const std::string& size) {
  const std::string type = "f32[" + size + "," + size + "]";
  const std::string text = "HloModule m\nENTRY %main (x: " + type + ", y: " + type + ") -> " + type + " {\n  %x = " + type +
                           " parameter(0)\n  %y = " + type + " parameter(1)\n  ROOT %r = " + type +
                           " dot(%x, %y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n";
  return test::make_case(text, text, R"({"mesh": [["a", 1]], "inputs": [[[], []], [[], []]], "outputs": [[[], []]]})");
}

TEST(Estimate, CountsProducts) {
  const double small = estimated_operations(product_case("16"));
  EXPECT_GE(small, 2 * 16 * 16 * 16);
  EXPECT_LE(small, 8 * 16 * 16 * 16);
  EXPECT_EQ(affordable_mode(product_case("16")), NumberMode::Real);
  EXPECT_EQ(affordable_mode(product_case("1024")), NumberMode::F64);
}

std::string counted_loop(const std::string& count) {
  return R"(HloModule m
%body (s: (s32[], f32[8])) -> (s32[], f32[8]) {
  %s = (s32[], f32[8]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %x = f32[8] get-tuple-element(%s), index=1
  %one = s32[] constant(1)
  %n = s32[] add(%i, %one)
  %e = f32[8] exponential(%x)
  ROOT %t = (s32[], f32[8]) tuple(%n, %e)
}
%condition (s: (s32[], f32[8])) -> pred[] {
  %s = (s32[], f32[8]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %n = s32[] constant()" +
         count + R"()
  ROOT %p = pred[] compare(%i, %n), direction=LT
}
ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8] parameter(0)
  %zero = s32[] constant(0)
  %t = (s32[], f32[8]) tuple(%zero, %x)
  %w = (s32[], f32[8]) while(%t), condition=%condition, body=%body
  ROOT %r = f32[8] get-tuple-element(%w), index=1
}
)";
}

TEST(Estimate, LoopsCountAsOftenAsTheirBound) {
  const std::string relation = R"({"mesh": [["a", 1]], "inputs": [[[]]], "outputs": [[[]]]})";
  const double once = estimated_operations(test::make_case(counted_loop("1"), counted_loop("1"), relation));
  const double often = estimated_operations(test::make_case(counted_loop("1000"), counted_loop("1000"), relation));
  EXPECT_GT(often, 900 * once);
  EXPECT_GE(once, 2 * 8 * 10);
}

}  // namespace
}  // namespace gg
