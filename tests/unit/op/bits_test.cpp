// Operators on bits and those written with other functions: written-out values, edge values first.
#include "op_case.h"

namespace gg::testing {
namespace {

class Bits : public ::testing::TestWithParam<OpCase> {};
TEST_P(Bits, Values) { check(GetParam()); }

OpCase bitcast(const std::string& name, const std::string& from, const std::string& to, Values in, Values out) {
  return {name, {from}, to + " bitcast-convert(%p0)", {std::move(in)}, {std::move(out)}};
}

std::vector<OpCase> counts_of_bits() {
  return {unary("PopcntS8", "popcnt", "s8", {-1, 0, 5, -128}, {8, 0, 2, 1}),
          unary("PopcntU32", "popcnt", "u32", {4294967295.0, 1, 0}, {32, 1, 0}),
          unary("PopcntS64", "popcnt", "s64", {-1, 3}, {64, 2}),
          unary("ClzS32", "count-leading-zeros", "s32", {0, 1, -1, 65535}, {32, 31, 0, 16}),
          unary("ClzU8", "count-leading-zeros", "u8", {0, 1, 128, 255}, {8, 7, 0, 0}),
          unary("ClzS64", "count-leading-zeros", "s64", {0, 1, -5}, {64, 63, 0})};
}

INSTANTIATE_TEST_SUITE_P(Counts, Bits, ::testing::ValuesIn(counts_of_bits()), case_name);

std::vector<OpCase> bitcast_convert_of_bits() {
  return {
      bitcast("SignedToUnsigned", "s8[3]", "u8[3]", {-1, 0, -128}, {255, 0, 128}),
      bitcast("UnsignedToSigned", "u32[2]", "s32[2]", {4294967295.0, 7}, {-1, 7}),
      bitcast("Split", "u32[2]", "u8[2,4]", {0x01020384, 255}, {0x84, 3, 2, 1, 255, 0, 0, 0}),
      bitcast("SplitNegative", "s32[1]", "s16[1,2]", {-2}, {-2, -1}),
      bitcast("Join", "u8[2,4]", "u32[2]", {0x84, 3, 2, 1, 255, 0, 0, 0}, {0x01020384, 255}),
      bitcast("JoinSigned", "s16[1,2]", "s32[1]", {-2, -1}, {-2}),
      bitcast("SplitNibbles", "u8[1]", "u4[1,2]", {0xa3}, {3, 10}),
      bitcast("F32", "u32[7]", "f32[7]",
              {0, 1, 0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x7f7fffff},
              {0, 0x1p-149, 1, -1, kInf, kNan, 0x1.fffffep127}),
      bitcast("F32Random", "u32[2]", "f32[2]", {0x3f800001, 0x00800000}, {1.00000011920928955078125, 0x1p-126}),
      bitcast("F64", "s64[4]", "f64[4]", {4607182418800017408.0, 1, 4503599627370496.0, 9218868437227405312.0},
              {1, 0x1p-1074, 0x1p-1022, kInf}),
      bitcast("BF16", "u16[4]", "bf16[4]", {0x3f80, 0xff80, 1, 0x4049}, {1, -kInf, 0x1p-133, 3.140625}),
      bitcast("F16", "s16[4]", "f16[4]", {0x3c00, -32768 + 0x3c00, 1, 0x7bff}, {1, -1, 0x1p-24, 65504}),
      bitcast("F8E4M3FN", "u8[4]", "f8e4m3fn[4]", {0x38, 0x7e, 0xff, 1}, {1, 448, kNan, 0x1p-9}),
      bitcast("F8E5M2", "u8[4]", "f8e5m2[4]", {0x3c, 0x7b, 0xfc, 1}, {1, 57344, -kInf, 0x1p-16}),
      bitcast("F8E4M3FNUZ", "u8[3]", "f8e4m3fnuz[3]", {0x40, 0x80, 0x7f}, {1, kNan, 240}),
      bitcast("Same", "f32[2]", "f32[2]", {1.5, kNan}, {1.5, kNan})};
}

INSTANTIATE_TEST_SUITE_P(BitcastConvert, Bits, ::testing::ValuesIn(bitcast_convert_of_bits()), case_name);

std::vector<OpCase> precision_of_bits() {
  return {OpCase{"ReduceIsIdentityOverReals",
                 {"f32[2]"},
                 "f32[2] reduce-precision(%p0), exponent_bits=8, mantissa_bits=7",
                 {{1.1, 3}},
                 {{1.1, 3}}},
          OpCase{"Stochastic",
                 {"f32[2]", "u32[2]"},
                 "bf16[2] stochastic-convert(%p0, %p1)",
                 {{1.5, -2}, {7, 4000000000.0}},
                 {{1.5, -2}}}};
}

INSTANTIATE_TEST_SUITE_P(Precision, Bits, ::testing::ValuesIn(precision_of_bits()), case_name);

std::vector<OpCase> functions_of_bits() {
  return {
      unary("Acos", "acos", "f64", {1, -1, 0, 2}, {0, 3.1415926535897931, 1.5707963267948966, kNan}, kTiny),
      unary("Acosh", "acosh", "f64", {1, 2, 0}, {0, 1.3169578969248166, kNan}, kTiny),
      unary("Asin", "asin", "f64", {1, -1, 0.5, 2}, {1.5707963267948966, -1.5707963267948966, 0.52359877559829893, kNan},
            kTiny),
      unary("Asinh", "asinh", "f64", {0, 1e-20, -1, 2}, {0, 1e-20, -0.88137358701954305, 1.4436354751788103}, kTiny),
      unary("Atanh", "atanh", "f64", {0, 1, -0.5}, {0, kInf, -0.54930614433405489}, kTiny),
      unary("Cbrt", "cbrt", "f64", {27, -8, 0}, {3, -2, 0}, kTiny),
      unary("Cosh", "cosh", "f64", {0, 1, -kInf}, {1, 1.5430806348152437, kInf}, kTiny),
      unary("RoundAfz", "round-nearest-afz", "f32", {0.5, -0.5, 1.5, 2.5, -2.5, 2.4}, {1, -1, 2, 3, -3, 2}),
      unary("RoundEven", "round-nearest-even", "f32", {0.5, -0.5, 1.5, 2.5, -2.5, 2.6}, {0, 0, 2, 2, -2, 3}),
      unary("Sinh", "sinh", "f64", {0, 1e-20, -1}, {0, 1e-20, -1.1752011936438014}, kTiny),
      unary("Tan", "tan", "f64", {0, 1}, {0, 1.5574077246549022}, kTiny),
      OpCase{"Atan2",
             {"f64[4]", "f64[4]"},
             "f64[4] atan2(%p0, %p1)",
             {{0, 1, -1, 0}, {-1, 0, -1, 0}},
             {{3.1415926535897931, 1.5707963267948966, -2.3561944901923448, 0}},
             "",
             1,
             1,
             kTiny}};
}

INSTANTIATE_TEST_SUITE_P(Functions, Bits, ::testing::ValuesIn(functions_of_bits()), case_name);

}  // namespace
}  // namespace gg::testing
