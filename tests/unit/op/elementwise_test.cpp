// Elementwise operators: each once, with the edge values of its element types.
#include "op_case.h"

namespace gg::testing {
namespace {

class Elementwise : public ::testing::TestWithParam<OpCase> {};
TEST_P(Elementwise, Values) { check(GetParam()); }

OpCase pair(const std::string& name, const std::string& op, const std::string& element, Values a, Values b, Values out,
            double tolerance = 0) {
  const std::string type = element + "[" + std::to_string(a.size()) + "]";
  return {name, {type, type}, type + " " + op + "(%p0, %p1)", {std::move(a), std::move(b)}, {std::move(out)}, "", 1, 1, tolerance};
}

std::vector<OpCase> unary_of_elementwise() {
  return {
      unary("Abs", "abs", "f32", {-1.5, 0, -kInf, kNan}, {1.5, 0, kInf, kNan}),
      unary("AbsLowest", "abs", "s8", {-128, -1, 5}, {-128, 1, 5}),
      unary("Ceil", "ceil", "f32", {-1.5, -0.5, 2, 2.1}, {-1, 0, 2, 3}), unary("Copy", "copy", "f32", {1, 2}, {1, 2}),
      unary("Cosine", "cosine", "f64", {0, 1}, {1, 0.54030230586813972}, kTiny),
      unary("Erf", "erf", "f64", {0, 0.5, -kInf}, {0, 0.52049987781304654, -1}, kTiny),
      unary("Exponential", "exponential", "f64", {0, 1, -kInf}, {1, 2.718281828459045, 0}, kTiny),
      unary("ExponentialMinusOne", "exponential-minus-one", "f64", {0, 1e-20, -kInf}, {0, 1e-20, -1}, kTiny),
      unary("Floor", "floor", "f32", {-1.5, -0.5, 2, 2.9}, {-2, -1, 2, 2}),
      unary("Log", "log", "f64", {1, 0, -1}, {0, -kInf, kNan}, kTiny),
      unary("LogPlusOne", "log-plus-one", "f64", {0, 1e-20, -1}, {0, 1e-20, -kInf}, kTiny),
      unary("Logistic", "logistic", "f64", {0, kInf, -kInf, 1}, {0.5, 1, 0, 0.73105857863000488}, kTiny),
      unary("Negate", "negate", "f32", {0, 1.5, -kInf}, {-0.0, -1.5, kInf}),
      unary("NegateLowest", "negate", "s32", {-2147483648.0, 7}, {-2147483648.0, -7}),
      unary("NegateUnsigned", "negate", "u8", {1, 0}, {255, 0}), unary("NotPred", "not", "pred", {0, 1}, {1, 0}),
      unary("NotBits", "not", "u8", {0, 3}, {255, 252}),
      unary("Rsqrt", "rsqrt", "f64", {4, 0, -1}, {0.5, kInf, kNan}, kTiny),
      unary("Sign", "sign", "f32", {-3, 0, 2, kNan}, {-1, 0, 1, kNan}),
      unary("SignInteger", "sign", "s32", {-3, 0, 2}, {-1, 0, 1}),
      unary("Sine", "sine", "f64", {0, 1}, {0, 0.8414709848078965}, kTiny),
      unary("Sqrt", "sqrt", "f64", {4, 0, -1}, {2, 0, kNan}, kTiny),
      unary("Tanh", "tanh", "f64", {0, kInf, 1}, {0, 1, 0.76159415595576485}, kTiny)};
}

INSTANTIATE_TEST_SUITE_P(Unary, Elementwise, ::testing::ValuesIn(unary_of_elementwise()), case_name);

std::vector<OpCase> binary_of_elementwise() {
  return {pair("AddWraps", "add", "s8", {127, 1}, {1, 2}, {-128, 3}),
          pair("AddPredIsOr", "add", "pred", {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 1}),
          pair("AddInfinities", "add", "f32", {kInf, 1}, {-kInf, 2}, {kNan, 3}),
          pair("And", "and", "u8", {12, 255}, {10, 1}, {8, 1}),
          pair("DivideTruncates", "divide", "s32", {-7, 7, 5, -2147483648.0}, {2, -2, 0, -1},
               {-3, -3, -1, -2147483648.0}),
          pair("DivideFloats", "divide", "f32", {1, 1, 0}, {4, 0, 0}, {0.25, kInf, kNan}),
          pair("Maximum", "maximum", "f32", {1, kNan, -kInf}, {2, 0, -5}, {2, kNan, -5}),
          pair("MaximumUnsigned", "maximum", "u8", {200, 1}, {100, 2}, {200, 2}),
          pair("Minimum", "minimum", "s32", {1, -4}, {2, -5}, {1, -5}),
          pair("MultiplyWraps", "multiply", "u8", {16, 3}, {16, 5}, {0, 15}),
          pair("MultiplyPredIsAnd", "multiply", "pred", {0, 1, 1}, {1, 0, 1}, {0, 0, 1}),
          pair("Or", "or", "s32", {12, 1}, {10, 2}, {14, 3}),
          pair("Power", "power", "f64", {2, 9, -2, 0}, {10, 0.5, 3, 0}, {1024, 3, -8, 1}, kTiny),
          pair("RemainderSignOfDividend", "remainder", "s32", {-7, 7, 5}, {2, -2, 0}, {-1, 1, 5}),
          pair("RemainderFloats", "remainder", "f32", {-7.5, 7.5}, {2, -2}, {-1.5, 1.5}),
          pair("ShiftLeft", "shift-left", "s32", {1, 1, 3}, {4, 32, 31}, {16, 0, -2147483648.0}),
          pair("ShiftRightArithmetic", "shift-right-arithmetic", "s32", {-8, -8, 8}, {1, 40, 40},
               {-4, -1, 0}),
          pair("ShiftRightLogical", "shift-right-logical", "u8", {128, 128}, {7, 8}, {1, 0}),
          pair("ShiftRightLogicalSigned", "shift-right-logical", "s8", {-1, -128}, {1, 7}, {127, 1}),
          pair("Subtract", "subtract", "f32", {1, kInf}, {3, kInf}, {-2, kNan}),
          pair("Xor", "xor", "pred", {0, 1, 1}, {1, 0, 1}, {1, 1, 0})};
}

INSTANTIATE_TEST_SUITE_P(Binary, Elementwise, ::testing::ValuesIn(binary_of_elementwise()), case_name);

OpCase compare(const std::string& direction, Values expected) {
  return {"Compare" + direction,
          {"f32[5]", "f32[5]"},
          "pred[5] compare(%p0, %p1), direction=" + direction,
          {{1, 2, 3, kNan, 0}, {2, 2, 2, 1, -0.0}},
          {std::move(expected)}};
}

std::vector<OpCase> others_of_elementwise() {
  return {
      compare("EQ", {0, 1, 0, 0, 1}), compare("NE", {1, 0, 1, 1, 0}), compare("GE", {0, 1, 1, 0, 1}),
      compare("GT", {0, 0, 1, 0, 0}), compare("LE", {1, 1, 0, 0, 1}), compare("LT", {1, 0, 0, 0, 0}),
      OpCase{"CompareUnsigned",
             {"u8[2]", "u8[2]"},
             "pred[2] compare(%p0, %p1), direction=GT, type=UNSIGNED",
             {{200, 1}, {100, 2}},
             {{1, 0}}},
      OpCase{"CompareTotalOrderOfIntegers",
             {"s32[2]", "s32[2]"},
             "pred[2] compare(%p0, %p1), direction=LT, type=TOTALORDER",
             {{-1, 3}, {1, 2}},
             {{1, 0}}},
      OpCase{"ClampByScalars",
             {"f32[]", "f32[4]", "f32[]"},
             "f32[4] clamp(%p0, %p1, %p2)",
             {{-1}, {-2, 0.5, 3, kNan}, {1}},
             {{-1, 0.5, 1, kNan}}},
      OpCase{"ClampByArrays",
             {"s32[3]", "s32[3]", "s32[3]"},
             "s32[3] clamp(%p0, %p1, %p2)",
             {{0, 5, 2}, {-3, 6, 9}, {1, 7, 1}},
             {{0, 6, 1}}},
      OpCase{"ClampMixedBounds",
             {"s32[2]", "s32[2]", "s32[]"},
             "s32[2] clamp(%p0, %p1, %p2)",
             {{0, 5}, {-3, 9}, {6}},
             {{0, 6}}},
      OpCase{"ConvertToPred", {"f32[4]"}, "pred[4] convert(%p0)", {{0, -0.5, 2, kNan}}, {{0, 1, 1, 1}}},
      OpCase{"ConvertToSigned",
             {"f32[5]"},
             "s8[5] convert(%p0)",
             {{-1.9, 1.9, 300, -kInf, kNan}},
             {{-1, 1, 127, -128, 0}}},
      OpCase{"ConvertWraps", {"s32[2]"}, "u8[2] convert(%p0)", {{-1, 257}}, {{255, 1}}},
      OpCase{"ConvertToFloat", {"u8[2]"}, "f32[2] convert(%p0)", {{255, 0}}, {{255, 0}}},
      OpCase{"IsFinite", {"f32[4]"}, "pred[4] is-finite(%p0)", {{1, kInf, -kInf, kNan}}, {{1, 0, 0, 0}}},
      OpCase{"SelectElements",
             {"pred[3]", "f32[3]", "f32[3]"},
             "f32[3] select(%p0, %p1, %p2)",
             {{1, 0, 1}, {1, kNan, 3}, {4, 5, kNan}},
             {{1, 5, 3}}},
      OpCase{"SelectByScalar",
             {"pred[]", "f32[2]", "f32[2]"},
             "f32[2] select(%p0, %p1, %p2)",
             {{0}, {1, 2}, {3, 4}},
             {{3, 4}}},
      OpCase{"EmptyArray", {"f32[0,3]", "f32[0,3]"}, "f32[0,3] add(%p0, %p1)", {{}, {}}, {{}}},
      OpCase{"Scalar", {"f32[]", "f32[]"}, "f32[] add(%p0, %p1)", {{1}, {2}}, {{3}}},
      OpCase{"MapInlinesItsRegion",
             {"f32[2,2]", "f32[2,2]"},
             "f32[2,2] map(%p0, %p1), dimensions={0,1}, to_apply=%f",
             {{1, 2, 3, 4}, {10, 20, 30, 40}},
             {{11, 24, 39, 56}},
             "%f (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
             "  %s = f32[] multiply(%a, %a)\n  ROOT %r = f32[] add(%s, %b)\n}\n\n"},
      OpCase{"MapToAnotherType",
             {"f32[2]", "f32[2]"},
             "pred[2] map(%p0, %p1), dimensions={0}, to_apply=%f",
             {{1, 2}, {2, 1}},
             {{1, 0}},
             "%f (a: f32[], b: f32[]) -> pred[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
             "  ROOT %r = pred[] compare(%a, %b), direction=LT\n}\n\n"}};
}

INSTANTIATE_TEST_SUITE_P(Others, Elementwise, ::testing::ValuesIn(others_of_elementwise()), case_name);

TEST(ElementwiseForms, TotalOrderOfRawFloatsHasNoBody) {
  const OpCase c{"", {"f32[2]", "f32[2]"}, "pred[2] compare(%p0, %p1), direction=LT, type=TOTALORDER", {}, {}};
  EXPECT_NE(reason_of(c).find("TOTALORDER"), std::string::npos);
}

TEST(ElementwiseForms, EveryElementwiseOperatorHasItsScalarFunction) {
  Attributes compare;
  compare.set(Attr::Direction, std::string("EQ"));
  for (const OpInfo& row : operators()) {
    if (row.body_name != "elementwise_body" && row.op != Op::Compare) continue;
    const auto fn = scalar_of(row.op, compare);
    ASSERT_TRUE(fn.has_value()) << row.name;
    EXPECT_EQ(info(*fn).arity, row.least_operands) << row.name;
  }
}

}  // namespace
}  // namespace gg::testing
