// Floats kept as double: functions against the C library and IEEE's special values, rounding in F32 and Model modes.
#include <gtest/gtest.h>

#include "tests/unit/numbers/support.h"

namespace gg::test {
namespace {

using enum ElementType;

double rounded(ScalarFn fn, ElementType type, NumberMode mode, std::initializer_list<double> arguments) {
  return apply_to<double>(fn, {type, mode}, type, arguments);
}

TEST(Doubles, FunctionsAreTheLibrarys) {
  for (const double x : {-2.5, -0.5, 0.0, 0.3, 1.0, 7.25, 700.0}) {
    EXPECT_EQ(f64(ScalarFn::Exp, {x}), std::exp(x));
    EXPECT_EQ(f64(ScalarFn::Expm1, {x}), std::expm1(x));
    EXPECT_EQ(f64(ScalarFn::Tanh, {x}), std::tanh(x));
    EXPECT_EQ(f64(ScalarFn::Erf, {x}), std::erf(x));
    EXPECT_EQ(f64(ScalarFn::Sin, {x}), std::sin(x));
    EXPECT_EQ(f64(ScalarFn::Cos, {x}), std::cos(x));
    EXPECT_EQ(f64(ScalarFn::Tan, {x}), std::tan(x));
    EXPECT_EQ(f64(ScalarFn::Cbrt, {x}), std::cbrt(x));
    EXPECT_EQ(f64(ScalarFn::Floor, {x}), std::floor(x));
    EXPECT_EQ(f64(ScalarFn::Ceil, {x}), std::ceil(x));
    EXPECT_EQ(f64(ScalarFn::Log1p, {std::fabs(x)}), std::log1p(std::fabs(x)));
    EXPECT_EQ(f64(ScalarFn::Log, {std::fabs(x)}), std::log(std::fabs(x)));
    EXPECT_EQ(f64(ScalarFn::Sqrt, {std::fabs(x)}), std::sqrt(std::fabs(x)));
    EXPECT_EQ(f64(ScalarFn::Rsqrt, {std::fabs(x)}), 1 / std::sqrt(std::fabs(x)));
    EXPECT_EQ(f64(ScalarFn::Remainder, {x, 0.75}), std::fmod(x, 0.75));
    EXPECT_EQ(f64(ScalarFn::Atan2, {x, -1.5}), std::atan2(x, -1.5));
    EXPECT_EQ(f64(ScalarFn::Power, {std::fabs(x), 1.5}), std::pow(std::fabs(x), 1.5));
    EXPECT_NEAR(f64(ScalarFn::Logistic, {x}), 1 / (1 + std::exp(-x)), 1e-16);
  }
  EXPECT_EQ(f64(ScalarFn::Logistic, {-720}), std::exp(-720));
  EXPECT_EQ(f64(ScalarFn::Logistic, {800}), 1.0);
}

TEST(Doubles, SpecialValues) {
  EXPECT_EQ(f64(ScalarFn::Divide, {1, -0.0}), -kInf);  // doubles have two zeros
  EXPECT_TRUE(std::signbit(f64(ScalarFn::Negate, {0.0})));
  EXPECT_TRUE(std::signbit(f64(ScalarFn::Sign, {-0.0})));
  EXPECT_TRUE(std::isnan(f64(ScalarFn::Sign, {kNaN})));
  EXPECT_EQ(f64(ScalarFn::Sign, {-0.25}), -1.0);
  for (const ScalarFn fn : {ScalarFn::Max, ScalarFn::Min}) {
    EXPECT_TRUE(std::isnan(f64(fn, {kNaN, 1})));
    EXPECT_TRUE(std::isnan(f64(fn, {1, kNaN})));
  }
  EXPECT_EQ(f64(ScalarFn::Max, {-kInf, 2}), 2.0);
  EXPECT_EQ(f64(ScalarFn::Min, {kInf, 2}), 2.0);
  EXPECT_TRUE(std::isnan(f64(ScalarFn::Clamp, {0, kNaN, 3})));
  EXPECT_EQ(f64(ScalarFn::Clamp, {2, 5, 1}), 1.0);
  EXPECT_EQ(f64(ScalarFn::RoundEven, {2.5}), 2.0);
  EXPECT_EQ(f64(ScalarFn::RoundEven, {-3.5}), -4.0);
  EXPECT_EQ(f64(ScalarFn::RoundAfz, {2.5}), 3.0);
  EXPECT_EQ(f64(ScalarFn::RoundAfz, {-2.5}), -3.0);
  EXPECT_EQ(f64(ScalarFn::Abs, {-kInf}), kInf);
  const auto compare = [](ScalarFn fn, double a, double b) {
    return apply_to<std::int64_t>(fn, {Pred, NumberMode::F64}, F64, {a, b});
  };
  EXPECT_EQ(compare(ScalarFn::CompareNe, kNaN, kNaN), 1);
  EXPECT_EQ(compare(ScalarFn::CompareEq, kNaN, kNaN), 0);
  EXPECT_EQ(compare(ScalarFn::CompareEq, 0.0, -0.0), 1);
  EXPECT_EQ(compare(ScalarFn::CompareLt, 1, 2), 1);
  EXPECT_EQ(compare(ScalarFn::CompareGe, kNaN, 2), 0);
  const auto finite = [](double a) {
    return apply_to<std::int64_t>(ScalarFn::IsFinite, {Pred, NumberMode::F64}, F64, {a});
  };
  EXPECT_EQ(finite(1e308), 1);
  EXPECT_EQ(finite(kInf), 0);
  EXPECT_EQ(finite(kNaN), 0);
}

TEST(Doubles, RoundAsTheModeSays) {
  const double third = 1.0 / 3;
  EXPECT_EQ(rounded(ScalarFn::Divide, F32, NumberMode::F64, {1, 3}), third);
  EXPECT_EQ(rounded(ScalarFn::Divide, F64, NumberMode::F32, {1, 3}), static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(rounded(ScalarFn::Divide, F32, NumberMode::Model, {1, 3}), static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(rounded(ScalarFn::Divide, F64, NumberMode::Model, {1, 3}), third);
  EXPECT_EQ(rounded(ScalarFn::Divide, BF16, NumberMode::Model, {1, 3}), 0.333984375);
  EXPECT_EQ(rounded(ScalarFn::Divide, BF16, NumberMode::F32, {1, 3}), static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(rounded(ScalarFn::Add, F16, NumberMode::Model, {2048, 1}), 2048);
  EXPECT_EQ(rounded(ScalarFn::Multiply, F16, NumberMode::Model, {60000, 2}), kInf);
  EXPECT_EQ(rounded(ScalarFn::Multiply, F32, NumberMode::F32, {1e38, 10}), kInf);
  EXPECT_EQ(accumulation_type(BF16, NumberMode::Model), F32);
  EXPECT_EQ(accumulation_type(F16, NumberMode::Model), F32);
  EXPECT_EQ(accumulation_type(F32, NumberMode::Model), F32);
  EXPECT_EQ(accumulation_type(F64, NumberMode::Model), F64);
  EXPECT_EQ(accumulation_type(S8, NumberMode::Model), S8);
  EXPECT_EQ(accumulation_type(BF16, NumberMode::Real), BF16);
}

TEST(Doubles, Converts) {
  const auto to = [](ElementType type, double x) {
    return apply_to<std::int64_t>(ScalarFn::Convert, {type, NumberMode::F64}, F64, {x});
  };
  EXPECT_EQ(to(S32, -2.9), -2);
  EXPECT_EQ(to(S32, kNaN), 0);
  EXPECT_EQ(to(S32, 1e30), INT32_MAX);
  EXPECT_EQ(to(S32, -1e30), INT32_MIN);
  EXPECT_EQ(to(S64, 0x1p63), INT64_MAX);
  EXPECT_EQ(to(S64, -kInf), INT64_MIN);
  EXPECT_EQ(to(U64, 0x1p63), INT64_MIN);
  EXPECT_EQ(to(U64, kInf), -1);
  EXPECT_EQ(to(U64, -1), 0);
  EXPECT_EQ(to(U8, 256), 255);
  EXPECT_EQ(to(S4, -9), -8);
  EXPECT_EQ(to(Pred, 0.1), 1);
  EXPECT_EQ(to(Pred, -0.0), 0);
  EXPECT_EQ(to(Pred, kNaN), 1);
  const auto from = [](ElementType type, std::int64_t x, Rounding rounding) {
    return apply_to<double>(ScalarFn::Convert, rounding, type, {x});
  };
  EXPECT_EQ(from(U64, -1, {F64, NumberMode::F64}), 0x1p64);
  EXPECT_EQ(from(S64, -1, {F64, NumberMode::F64}), -1.0);
  EXPECT_EQ(from(S32, 16777217, {F32, NumberMode::F64}), 16777217.0);
  EXPECT_EQ(from(S32, 16777217, {F32, NumberMode::Model}), 16777216.0);
  // 2^60 + 2^36 + 1 is above half way between two f32 numbers, but not once it has been rounded to double.
  const std::int64_t once = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
  EXPECT_EQ(from(S64, once, {F32, NumberMode::Model}), 0x1p60 + 0x1p37);
  EXPECT_EQ(from(S64, -once, {F32, NumberMode::Model}), -0x1p60 - 0x1p37);
  EXPECT_EQ(from(U64, INT64_MIN + (std::int64_t{1} << 39) + 1, {F32, NumberMode::F32}), 0x1p63 + 0x1p40);
  const auto floats = [](ElementType type, NumberMode mode, double x) {
    return apply_to<double>(ScalarFn::Convert, {type, mode}, F64, {x});
  };
  EXPECT_EQ(floats(BF16, NumberMode::Model, 1.0 / 3), 0.333984375);
  EXPECT_EQ(floats(BF16, NumberMode::F64, 1.0 / 3), 1.0 / 3);
  EXPECT_EQ(floats(F8E4M3FN, NumberMode::Model, 448), 448);
}

}  // namespace
}  // namespace gg::test
