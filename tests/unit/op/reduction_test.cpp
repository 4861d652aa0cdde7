// Reduce and reduce-window: every monoid, variadic ones, windows with padding, strides and dilations.
#include "op_case.h"

namespace gg::testing {
namespace {

class Reduction : public ::testing::TestWithParam<OpCase> {};
TEST_P(Reduction, Values) { check(GetParam()); }

OpCase monoid(const std::string& name, const std::string& element, const std::string& op, Values in, double init,
              double out) {
  return {name,
          {element + "[" + std::to_string(in.size()) + "]", element + "[]"},
          element + "[] reduce(%p0, %p1), dimensions={0}, to_apply=%f",
          {std::move(in), {init}},
          {{out}},
          binary("f", element + "[]", op)};
}

std::vector<OpCase> monoids_of_reduction() {
  return {monoid("Add", "f32", "add", {1, 2, 3}, 10, 16),
          monoid("Multiply", "f32", "multiply", {2, 3, 4}, 1, 24),
          monoid("Maximum", "f32", "maximum", {1, 5, 3}, -kInf, 5),
          monoid("MaximumBelowInit", "f32", "maximum", {1, 5, 3}, 7, 7),
          monoid("Minimum", "s32", "minimum", {4, -2, 3}, 100, -2),
          monoid("And", "pred", "and", {1, 0, 1}, 1, 0),
          monoid("Or", "pred", "or", {0, 0, 1}, 0, 1),
          monoid("Xor", "u8", "xor", {1, 3, 4}, 0, 6),
          monoid("AddWraps", "u8", "add", {200, 100}, 0, 44),
          monoid("Empty", "f32", "add", {}, 3, 3)};
}

INSTANTIATE_TEST_SUITE_P(Monoids, Reduction, ::testing::ValuesIn(monoids_of_reduction()), case_name);

std::vector<OpCase> reduce_of_reduction() {
  return {
      OpCase{"Rows",
             {"f32[2,3]", "f32[]"},
             "f32[2] reduce(%p0, %p1), dimensions={1}, to_apply=%f",
             {{1, 2, 3, 4, 5, 6}, {0}},
             {{6, 15}},
             binary("f", "f32[]", "add")},
      OpCase{"Columns",
             {"f32[2,3]", "f32[]"},
             "f32[3] reduce(%p0, %p1), dimensions={0}, to_apply=%f",
             {{1, 2, 3, 4, 5, 6}, {0}},
             {{5, 7, 9}},
             binary("f", "f32[]", "add")},
      OpCase{"OuterAndInner",
             {"f32[2,2,2]", "f32[]"},
             "f32[2] reduce(%p0, %p1), dimensions={0,2}, to_apply=%f",
             {{1, 2, 3, 4, 5, 6, 7, 8}, {0}},
             {{14, 22}},
             binary("f", "f32[]", "add")},
      OpCase{"NoDimension",
             {"f32[2]", "f32[]"},
             "f32[2] reduce(%p0, %p1), dimensions={}, to_apply=%f",
             {{1, 2}, {10}},
             {{11, 12}},
             binary("f", "f32[]", "add")},
      OpCase{"SwappedRegion",
             {"f32[3]", "f32[]"},
             "f32[] reduce(%p0, %p1), dimensions={0}, to_apply=%f",
             {{1, 2, 3}, {0}},
             {{6}},
             "%f (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
             "  ROOT %r = f32[] add(%b, %a)\n}\n\n"},
      OpCase{"PromotedRegion",
             {"bf16[3]", "bf16[]"},
             "bf16[] reduce(%p0, %p1), dimensions={0}, to_apply=%f",
             {{1, 2, 3}, {0}},
             {{6}},
             "%f (a: bf16[], b: bf16[]) -> bf16[] {\n  %a = bf16[] parameter(0)\n  %b = bf16[] parameter(1)\n"
             "  %x = f32[] convert(%a)\n  %y = f32[] convert(%b)\n  %s = f32[] add(%x, %y)\n"
             "  ROOT %r = bf16[] convert(%s)\n}\n\n"},
      OpCase{"RegionThroughACall",
             {"f32[2]", "f32[]"},
             "f32[] reduce(%p0, %p1), dimensions={0}, to_apply=%g",
             {{1, 2}, {0}},
             {{3}},
             binary("f", "f32[]", "add") +
                 "%g (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
                 "  ROOT %r = f32[] call(%a, %b), to_apply=%f\n}\n\n"},
      OpCase{
          "VariadicIndependent",
          {"f32[3]", "s32[3]", "f32[]", "s32[]"},
          "(f32[], s32[]) reduce(%p0, %p1, %p2, %p3), dimensions={0}, to_apply=%f",
          {{1, 2, 3}, {5, 4, 9}, {0}, {0}},
          {{6}, {9}},
          "%f (a: f32[], b: s32[], c: f32[], d: s32[]) -> (f32[], s32[]) {\n  %a = f32[] parameter(0)\n"
          "  %b = s32[] parameter(1)\n  %c = f32[] parameter(2)\n  %d = s32[] parameter(3)\n"
          "  %s = f32[] add(%a, %c)\n  %m = s32[] maximum(%b, %d)\n  ROOT %r = (f32[], s32[]) tuple(%s, %m)\n}\n\n"},
      OpCase{"Lifted",
             {"f32[2]", "f32[]"},
             "f32[] reduce(%p0, %p1), dimensions={0}, to_apply=%f",
             {{1, 2, 3, 4}, {0, 10}},
             {{3, 17}},
             binary("f", "f32[]", "add"),
             1,
             2}};
}

INSTANTIATE_TEST_SUITE_P(Reduce, Reduction, ::testing::ValuesIn(reduce_of_reduction()), case_name);

std::vector<OpCase> reduce_window_of_reduction() {
  return {OpCase{"CumulativeSum",
                 {"f32[4]", "f32[]"},
                 "f32[4] reduce-window(%p0, %p1), window={size=4 pad=3_0}, to_apply=%f",
                 {{1, 2, 3, 4}, {0}},
                 {{1, 3, 6, 10}},
                 binary("f", "f32[]", "add")},
          OpCase{"MaxPool",
                 {"f32[6]", "f32[]"},
                 "f32[3] reduce-window(%p0, %p1), window={size=2 stride=2}, to_apply=%f",
                 {{1, 5, 2, 3, 7, 4}, {-kInf}},
                 {{5, 3, 7}},
                 binary("f", "f32[]", "maximum")},
          OpCase{"PaddingGivesTheInitialValue",
                 {"f32[2]", "f32[]"},
                 "f32[4] reduce-window(%p0, %p1), window={size=2 pad=2_1}, to_apply=%f",
                 {{1, 2}, {100}},
                 {{100, 101, 103, 102}},
                 binary("f", "f32[]", "add")},
          OpCase{"WindowDilated",
                 {"f32[4]", "f32[]"},
                 "f32[2] reduce-window(%p0, %p1), window={size=2 rhs_dilate=2}, to_apply=%f",
                 {{1, 2, 3, 4}, {0}},
                 {{4, 6}},
                 binary("f", "f32[]", "add")},
          OpCase{"BaseDilated",
                 {"f32[3]", "f32[]"},
                 "f32[4] reduce-window(%p0, %p1), window={size=2 lhs_dilate=2}, to_apply=%f",
                 {{1, 2, 3}, {0}},
                 {{1, 2, 2, 3}},
                 binary("f", "f32[]", "add")},
          OpCase{"TwoDimensions",
                 {"f32[2,3]", "f32[]"},
                 "f32[1,2] reduce-window(%p0, %p1), window={size=2x2}, to_apply=%f",
                 {{1, 2, 3, 4, 5, 6}, {0}},
                 {{12, 16}},
                 binary("f", "f32[]", "add")}};
}

INSTANTIATE_TEST_SUITE_P(ReduceWindow, Reduction, ::testing::ValuesIn(reduce_window_of_reduction()), case_name);

const char kArgMax[] =
    "%f (a: f32[], b: s32[], c: f32[], d: s32[]) -> (f32[], s32[]) {\n  %a = f32[] parameter(0)\n"
    "  %b = s32[] parameter(1)\n  %c = f32[] parameter(2)\n  %d = s32[] parameter(3)\n"
    "  %g = pred[] compare(%a, %c), direction=GE\n  %s = f32[] select(%g, %a, %c)\n"
    "  %m = s32[] select(%g, %b, %d)\n  ROOT %r = (f32[], s32[]) tuple(%s, %m)\n}\n\n";

TEST(ReductionForms, ArgMaxHasNoBody) {
  const OpCase c{"",
                 {"f32[3]", "s32[3]", "f32[]", "s32[]"},
                 "(f32[], s32[]) reduce(%p0, %p1, %p2, %p3), dimensions={0}, to_apply=%f",
                 {},
                 {},
                 kArgMax};
  EXPECT_NE(reason_of(c).find("computation is not one of"), std::string::npos);
}

TEST(ReductionForms, SubtractionIsNoMonoid) {
  const OpCase c{"",
                 {"f32[3]", "f32[]"},
                 "f32[] reduce(%p0, %p1), dimensions={0}, to_apply=%f",
                 {},
                 {},
                 binary("f", "f32[]", "subtract")};
  EXPECT_NE(reason_of(c).find("computation is not one of"), std::string::npos);
}

// convert(a) + convert(b) through a narrower type loses bits: no addition in f32.
TEST(ReductionForms, NarrowingRegionIsNoMonoid) {
  const OpCase c{"",
                 {"f32[3]", "f32[]"},
                 "f32[] reduce(%p0, %p1), dimensions={0}, to_apply=%f",
                 {},
                 {},
                 "%f (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
                 "  %x = bf16[] convert(%a)\n  %y = bf16[] convert(%b)\n  %s = bf16[] add(%x, %y)\n"
                 "  ROOT %r = f32[] convert(%s)\n}\n\n"};
  EXPECT_NE(reason_of(c).find("computation is not one of"), std::string::npos);
}

}  // namespace
}  // namespace gg::testing
