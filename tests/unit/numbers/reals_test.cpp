// Elementary functions of both real types against written-out values (mpmath), against each other, and special values.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/numbers/support.h"

namespace gg::test {
namespace {

struct Reference {
  ScalarFn fn;
  double x, y;
  std::int64_t scale;
  std::vector<double> parts;
};

const std::vector<Reference>& references() {
  static const std::vector<Reference> kReferences = {
#define REFERENCE(fn, x, y, scale, ...) {ScalarFn::fn, x, y, scale, __VA_ARGS__},
#include "tests/unit/numbers/reference_values.inc"
#undef REFERENCE
  };
  return kReferences;
}

template <class R>
class Reals : public testing::Test {};
using RealTypes = testing::Types<Real113, Real226>;
TYPED_TEST_SUITE(Reals, RealTypes);

template <class R>
constexpr std::int64_t kBits = sizeof(R) == sizeof(Real113) ? 113 : 226;

/// 2^k as a product of doubles.
template <class R>
R times_power_of_two(R value, std::int64_t k) {
  for (; k != 0;) {
    const std::int64_t step = std::clamp<std::int64_t>(k, -1000, 1000);
    value = real<R>(ScalarFn::Multiply, {value, RealOps<R>::from_double(std::ldexp(1.0, static_cast<int>(step)))});
    k -= step;
  }
  return value;
}

TYPED_TEST(Reals, AgreeWithWrittenOutValues) {
  using R = TypeParam;
  int rows = 0;
  for (const Reference& row : references()) {
    if (std::llabs(row.scale) > 3'000'000) continue;  // see HugeExponents
    R expected{};
    for (std::size_t k = row.parts.size(); k-- > 0;) {
      expected = real<R>(ScalarFn::Add, {expected, RealOps<R>::from_double(row.parts[k])});
    }
    const R x = RealOps<R>::from_double(row.x), y = RealOps<R>::from_double(row.y);
    const bool binary = info(row.fn).arity == 2;
    const R value = binary ? real<R>(row.fn, {x, y}) : real<R>(row.fn, {x});
    // power loses as many bits at 226 as y log x has before the point.
    const std::int64_t lost = row.fn == ScalarFn::Power && kBits<R> == 226 ? 20 : 6;
    EXPECT_LT(difference_bits(times_power_of_two(value, -row.scale), expected), -kBits<R> + lost)
        << info(row.fn).name << " of " << row.x << " and " << row.y << " gives " << RealOps<R>::to_string(value, 40);
    ++rows;
  }
  EXPECT_GT(rows, 200);
}

/// Arguments of every size and sign that a function takes.
std::vector<std::array<double, 2>> random_arguments(ScalarFn fn) {
  std::mt19937_64 random(7);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(random() >> 11U), -53);
  };
  const bool positive = fn == ScalarFn::Log || fn == ScalarFn::Sqrt || fn == ScalarFn::Rsqrt || fn == ScalarFn::Power;
  std::vector<std::array<double, 2>> out;
  for (int k = 0; k < 150; ++k) {
    const double size = std::exp2(uniform(-40, k % 3 == 0 ? 12 : 3));
    double x = uniform(0.5, 1) * size;
    if (!positive && k % 2 != 0) x = -x;
    if (fn == ScalarFn::Log1p && x <= -1) x = -1 / (1 - x);
    out.push_back({x, uniform(-9, 9)});
  }
  return out;
}

TEST(RealTypesAgree, OnRandomArguments) {
  for (const ScalarFn fn :
       {ScalarFn::Exp, ScalarFn::Expm1, ScalarFn::Log, ScalarFn::Log1p, ScalarFn::Logistic, ScalarFn::Tanh,
        ScalarFn::Erf, ScalarFn::Sin, ScalarFn::Cos, ScalarFn::Tan, ScalarFn::Sqrt, ScalarFn::Rsqrt, ScalarFn::Cbrt,
        ScalarFn::Power, ScalarFn::Atan2, ScalarFn::Remainder, ScalarFn::Divide}) {
    for (const auto& [x, y] : random_arguments(fn)) {
      Real113 narrow{};
      Real226 wide{};
      if (info(fn).arity == 2) {
        narrow = real<Real113>(fn, {RealOps<Real113>::from_double(x), RealOps<Real113>::from_double(y)});
        wide = real<Real226>(fn, {RealOps<Real226>::from_double(x), RealOps<Real226>::from_double(y)});
      } else {
        narrow = real<Real113>(fn, {RealOps<Real113>::from_double(x)});
        wide = real<Real226>(fn, {RealOps<Real226>::from_double(x)});
      }
      if (RealOps<Real113>::exponent(narrow) < -900 || RealOps<Real113>::exponent(narrow) > 900) continue;
      // The 113-bit value as a sum of three doubles is exact.
      double high = 0, low = 0, rest = 0, none = 0;
      RealOps<Real113>::to_pair(narrow, high, low);
      const Real113 pair = RealOps<Real113>::from_pair(high, low);
      RealOps<Real113>::to_pair(RealOps<Real113>::subtract(narrow, pair), rest, none);
      const Real226 widened =
          real<Real226>(ScalarFn::Add, {RealOps<Real226>::from_pair(high, low), RealOps<Real226>::from_double(rest)});
      EXPECT_LT(difference_bits(widened, wide), -107) << info(fn).name << " of " << x << " and " << y;
      const double expected = RealOps<Real226>::to_double(wide);
      EXPECT_NEAR(high, expected, std::fabs(expected) * 0x1p-52);
      const double in_double = info(fn).arity == 2 ? f64(fn, {x, y}) : f64(fn, {x});
      const bool sensitive = fn == ScalarFn::Power || fn == ScalarFn::Tan || fn == ScalarFn::Sin || fn == ScalarFn::Cos;
      EXPECT_NEAR(in_double, expected, std::fabs(expected) * (sensitive ? 1e-11 : 1e-14)) << info(fn).name << " " << x;
    }
  }
}

TYPED_TEST(Reals, HugeExponents) {
  using R = TypeParam;
  const R tiny = real<R>(ScalarFn::Exp, {RealOps<R>::from_double(-30000)});
  EXPECT_EQ(RealOps<R>::exponent(tiny), -43281);
  EXPECT_EQ(RealOps<R>::to_string(tiny, 17), "1.4640061544963268e-13029");
  EXPECT_EQ(RealOps<R>::to_double(tiny), 0.0);
  const R back = real<R>(ScalarFn::Log, {tiny});
  EXPECT_LT(difference_bits(back, RealOps<R>::from_double(-30000)), -kBits<R> + 3);
  // e^-(2^38) is about 2^-(3.97e11); beyond 2^40 in the exponent there is only zero and infinity.
  const R smallest = real<R>(ScalarFn::Exp, {RealOps<R>::from_double(-0x1p38)});
  EXPECT_EQ(RealOps<R>::exponent(smallest), -396564993199);
  EXPECT_EQ(real_of_doubles<R>(ScalarFn::Exp, {-0x1p41}), 0.0);
  EXPECT_EQ(real_of_doubles<R>(ScalarFn::Exp, {0x1p41}), kInf);
  R square = RealOps<R>::from_double(0x1p1000);
  for (int k = 0; k < 31; ++k) square = real<R>(ScalarFn::Multiply, {square, square});
  EXPECT_EQ(RealOps<R>::to_double(square), kInf);
  EXPECT_FALSE(RealOps<R>::is_finite(square));
}

TYPED_TEST(Reals, SpecialValues) {
  using R = TypeParam;
  struct Case {
    ScalarFn fn;
    std::vector<double> x;
    double expected;
  };
  const double pi = 3.141592653589793;
  const std::vector<Case> cases = {
      {ScalarFn::Add, {kInf, -kInf}, kNaN},
      {ScalarFn::Add, {kInf, 1}, kInf},
      {ScalarFn::Multiply, {kInf, 0}, kNaN},
      {ScalarFn::Multiply, {-kInf, 2}, -kInf},
      {ScalarFn::Divide, {1, 0}, kInf},
      {ScalarFn::Divide, {-1, 0}, -kInf},
      {ScalarFn::Divide, {1, -0.0}, kInf},
      {ScalarFn::Divide, {0, 0}, kNaN},
      {ScalarFn::Divide, {kInf, 0}, kInf},
      {ScalarFn::Divide, {-kInf, 0}, -kInf},
      {ScalarFn::Divide, {1, kInf}, 0},
      {ScalarFn::Divide, {kInf, kInf}, kNaN},
      {ScalarFn::Divide, {kNaN, 0}, kNaN},
      {ScalarFn::Subtract, {kInf, kInf}, kNaN},
      {ScalarFn::Exp, {kInf}, kInf},
      {ScalarFn::Exp, {-kInf}, 0},
      {ScalarFn::Exp, {0}, 1},
      {ScalarFn::Expm1, {-kInf}, -1},
      {ScalarFn::Expm1, {kInf}, kInf},
      {ScalarFn::Expm1, {0}, 0},
      {ScalarFn::Log, {0}, -kInf},
      {ScalarFn::Log, {-0.0}, -kInf},
      {ScalarFn::Log, {-1}, kNaN},
      {ScalarFn::Log, {1}, 0},
      {ScalarFn::Log, {kInf}, kInf},
      {ScalarFn::Log1p, {-1}, -kInf},
      {ScalarFn::Log1p, {-2}, kNaN},
      {ScalarFn::Log1p, {kInf}, kInf},
      {ScalarFn::Logistic, {kInf}, 1},
      {ScalarFn::Logistic, {-kInf}, 0},
      {ScalarFn::Logistic, {0}, 0.5},
      {ScalarFn::Tanh, {kInf}, 1},
      {ScalarFn::Tanh, {-kInf}, -1},
      {ScalarFn::Tanh, {1e9}, 1},
      {ScalarFn::Erf, {kInf}, 1},
      {ScalarFn::Erf, {-30}, -1},
      {ScalarFn::Erf, {-kInf}, -1},
      {ScalarFn::Sin, {kInf}, kNaN},
      {ScalarFn::Cos, {0}, 1},
      {ScalarFn::Sin, {0}, 0},
      {ScalarFn::Tan, {0}, 0},
      {ScalarFn::Sqrt, {-1}, kNaN},
      {ScalarFn::Sqrt, {0}, 0},
      {ScalarFn::Sqrt, {kInf}, kInf},
      {ScalarFn::Sqrt, {9}, 3},
      {ScalarFn::Sqrt, {0x1p-1000}, 0x1p-500},
      {ScalarFn::Rsqrt, {0}, kInf},
      {ScalarFn::Rsqrt, {-0.0}, kInf},
      {ScalarFn::Rsqrt, {kInf}, 0},
      {ScalarFn::Rsqrt, {16}, 0.25},
      {ScalarFn::Cbrt, {-27}, -3},
      {ScalarFn::Cbrt, {-kInf}, -kInf},
      {ScalarFn::Power, {0, 0}, 1},
      {ScalarFn::Power, {kNaN, 0}, 1},
      {ScalarFn::Power, {1, kNaN}, 1},
      {ScalarFn::Power, {0, -3}, kInf},
      {ScalarFn::Power, {0, 2}, 0},
      {ScalarFn::Power, {-8, 1.0 / 3}, kNaN},
      {ScalarFn::Power, {-2, 3}, -8},
      {ScalarFn::Power, {-2, -2}, 0.25},
      {ScalarFn::Power, {2, kInf}, kInf},
      {ScalarFn::Power, {2, -kInf}, 0},
      {ScalarFn::Power, {0.5, kInf}, 0},
      {ScalarFn::Power, {-1, kInf}, 1},
      {ScalarFn::Power, {-kInf, 3}, -kInf},
      {ScalarFn::Power, {-kInf, 2}, kInf},
      {ScalarFn::Power, {kInf, -1}, 0},
      {ScalarFn::Power, {-1, 1e30}, 1},
      {ScalarFn::Power, {-2, 101}, -0x1p101},
      {ScalarFn::Power, {10, -1}, 0.1},
      {ScalarFn::Atan2, {0, -1}, pi},
      {ScalarFn::Atan2, {0, 1}, 0},
      {ScalarFn::Atan2, {-kInf, kInf}, -pi / 4},
      {ScalarFn::Atan2, {kInf, -kInf}, 3 * pi / 4},
      {ScalarFn::Atan2, {5, 0}, pi / 2},
      {ScalarFn::Atan2, {1, -kInf}, pi},
      {ScalarFn::Atan2, {-1, kInf}, 0},
      {ScalarFn::Atan2, {-3, -kInf}, -pi},
      {ScalarFn::Remainder, {-7, 3}, -1},
      {ScalarFn::Remainder, {7, -3}, 1},
      {ScalarFn::Remainder, {5.5, 0.75}, 0.25},
      {ScalarFn::Remainder, {1, 0}, kNaN},
      {ScalarFn::Remainder, {kInf, 2}, kNaN},
      {ScalarFn::Remainder, {3, kInf}, 3},
      {ScalarFn::Remainder, {0x1p200, 3}, 1},
      {ScalarFn::Remainder, {0, 3}, 0},
      {ScalarFn::Floor, {-0.5}, -1},
      {ScalarFn::Floor, {2}, 2},
      {ScalarFn::Floor, {-2.5}, -3},
      {ScalarFn::Floor, {1e300}, 1e300},
      {ScalarFn::Floor, {-kInf}, -kInf},
      {ScalarFn::Ceil, {-0.5}, 0},
      {ScalarFn::Ceil, {2.25}, 3},
      {ScalarFn::Ceil, {1e-300}, 1},
      {ScalarFn::RoundAfz, {2.5}, 3},
      {ScalarFn::RoundAfz, {-2.5}, -3},
      {ScalarFn::RoundAfz, {0.49999999999999994}, 0},
      {ScalarFn::RoundAfz, {-0.5}, -1},
      {ScalarFn::RoundEven, {2.5}, 2},
      {ScalarFn::RoundEven, {3.5}, 4},
      {ScalarFn::RoundEven, {-2.5}, -2},
      {ScalarFn::RoundEven, {-3.5}, -4},
      {ScalarFn::RoundEven, {0.5}, 0},
      {ScalarFn::RoundEven, {-1.75}, -2},
      {ScalarFn::Sign, {-3}, -1},
      {ScalarFn::Sign, {0}, 0},
      {ScalarFn::Sign, {kNaN}, kNaN},
      {ScalarFn::Abs, {-kInf}, kInf},
      {ScalarFn::Negate, {0}, 0},
      {ScalarFn::Max, {kNaN, 1}, kNaN},
      {ScalarFn::Max, {1, kNaN}, kNaN},
      {ScalarFn::Min, {kNaN, 1}, kNaN},
      {ScalarFn::Min, {1, kNaN}, kNaN},
      {ScalarFn::Max, {-kInf, 2}, 2},
      {ScalarFn::Clamp, {0, 5, 3}, 3},
      {ScalarFn::Clamp, {0, -5, 3}, 0},
      {ScalarFn::Clamp, {2, 5, 1}, 1},
      {ScalarFn::Clamp, {0, kNaN, 3}, kNaN},
      {ScalarFn::Clamp, {kNaN, 1, 3}, kNaN},
      {ScalarFn::Clamp, {0, 1, kNaN}, kNaN},
  };
  for (const Case& c : cases) {
    double value = 0;
    if (c.x.size() == 1) value = real_of_doubles<R>(c.fn, {c.x[0]});
    if (c.x.size() == 2) value = real_of_doubles<R>(c.fn, {c.x[0], c.x[1]});
    if (c.x.size() == 3) value = real_of_doubles<R>(c.fn, {c.x[0], c.x[1], c.x[2]});
    if (std::isnan(c.expected)) {
      EXPECT_TRUE(std::isnan(value)) << info(c.fn).name << " of " << c.x[0] << " gives " << value;
    } else {
      EXPECT_EQ(value, c.expected) << info(c.fn).name << " of " << c.x[0];
      EXPECT_FALSE(std::signbit(value) && value == 0) << info(c.fn).name << " of " << c.x[0];
    }
  }
}

TYPED_TEST(Reals, CompareWithNaN) {
  using R = TypeParam;
  const R nan = RealOps<R>::from_double(kNaN), one = RealOps<R>::from_double(1), zero{};
  for (const ScalarFn fn :
       {ScalarFn::CompareEq, ScalarFn::CompareLt, ScalarFn::CompareLe, ScalarFn::CompareGt, ScalarFn::CompareGe}) {
    EXPECT_EQ(compare_reals(fn, nan, one), 0);
    EXPECT_EQ(compare_reals(fn, one, nan), 0);
    EXPECT_EQ(compare_reals(fn, nan, nan), 0);
  }
  EXPECT_EQ(compare_reals(ScalarFn::CompareNe, nan, nan), 1);
  EXPECT_EQ(compare_reals(ScalarFn::CompareEq, zero, RealOps<R>::from_double(-0.0)), 1);
  EXPECT_EQ(compare_reals(ScalarFn::CompareLt, zero, one), 1);
  EXPECT_EQ(compare_reals(ScalarFn::CompareGe, zero, one), 0);
  EXPECT_EQ(apply_to<std::int64_t>(ScalarFn::IsFinite, {ElementType::Pred, kModeOf<R>}, ElementType::F32, {nan}), 0);
  EXPECT_EQ(apply_to<std::int64_t>(ScalarFn::IsFinite, {ElementType::Pred, kModeOf<R>}, ElementType::F32, {zero}), 1);
}

TYPED_TEST(Reals, Ties) {
  using R = TypeParam;
  const auto near = [](double x, double delta) { return RealOps<R>::from_pair(x, delta); };
  const R three = RealOps<R>::from_double(3);
  std::int64_t ties = 0;
  compare_reals(ScalarFn::CompareLt, three, near(3, 0x1p-90), &ties);
  EXPECT_EQ(ties, 1);
  compare_reals(ScalarFn::CompareLt, three, near(3, 0x1p-70), &ties);
  EXPECT_EQ(ties, 0);
  compare_reals(ScalarFn::CompareLt, three, three, &ties);
  EXPECT_EQ(ties, 0);
  compare_reals(ScalarFn::CompareGt, R{}, near(0x1p-100, 0), &ties);
  EXPECT_EQ(ties, 1);
  compare_reals(ScalarFn::CompareGt, near(0x1p-101, 0), near(0x1p-100, 0), &ties);
  EXPECT_EQ(ties, 0);
  compare_reals(ScalarFn::CompareEq, RealOps<R>::from_double(kInf), RealOps<R>::from_double(kNaN), &ties);
  EXPECT_EQ(ties, 0);
  for (const ScalarFn fn : {ScalarFn::Floor, ScalarFn::Ceil}) {
    real<R>(fn, {near(3, -0x1p-85)}, &ties);
    EXPECT_EQ(ties, 1);
    real<R>(fn, {near(0, 0x1p-85)}, &ties);
    EXPECT_EQ(ties, 1);
    real<R>(fn, {three}, &ties);
    EXPECT_EQ(ties, 0);
    real<R>(fn, {near(2.5, 0)}, &ties);
    EXPECT_EQ(ties, 0);
  }
  for (const ScalarFn fn : {ScalarFn::RoundAfz, ScalarFn::RoundEven}) {
    real<R>(fn, {near(2.5, 0x1p-90)}, &ties);
    EXPECT_EQ(ties, 1);
    real<R>(fn, {near(2.5, 0)}, &ties);
    EXPECT_EQ(ties, 0);
    real<R>(fn, {near(3, 0x1p-90)}, &ties);
    EXPECT_EQ(ties, 0);
  }
  real<R>(ScalarFn::Sign, {near(0, -0x1p-99)}, &ties);
  EXPECT_EQ(ties, 1);
  real<R>(ScalarFn::Max, {three, near(3, 0x1p-99)}, &ties);
  EXPECT_EQ(ties, 0);
  real<R>(ScalarFn::Remainder, {near(6, -0x1p-90), three}, &ties);
  EXPECT_EQ(ties, 1);
  real<R>(ScalarFn::Sin, {near(0x1p90, 0)}, &ties);
  EXPECT_EQ(ties, 1);
  const auto to_s32 = [&](R x) {
    return apply_to<std::int64_t>(ScalarFn::Convert, {ElementType::S32, kModeOf<R>}, ElementType::F32, {x}, &ties);
  };
  EXPECT_EQ(to_s32(near(3, -0x1p-90)), 2);
  EXPECT_EQ(ties, 1);
  EXPECT_EQ(to_s32(near(0, -0x1p-90)), 0);
  EXPECT_EQ(ties, 0);
}

TYPED_TEST(Reals, ConvertToIntegers) {
  using R = TypeParam;
  const auto convert = [](ElementType to, R x) {
    return apply_to<std::int64_t>(ScalarFn::Convert, {to, kModeOf<R>}, ElementType::F32, {x});
  };
  const auto from = [](double x) { return RealOps<R>::from_double(x); };
  EXPECT_EQ(convert(ElementType::S32, from(-2.75)), -2);
  EXPECT_EQ(convert(ElementType::S32, from(1e20)), 2147483647);
  EXPECT_EQ(convert(ElementType::S32, from(-kInf)), -2147483648LL);
  EXPECT_EQ(convert(ElementType::S32, from(kNaN)), 0);
  EXPECT_EQ(convert(ElementType::U8, from(-3)), 0);
  EXPECT_EQ(convert(ElementType::U8, from(300)), 255);
  EXPECT_EQ(convert(ElementType::S64, from(0x1p63)), INT64_MAX);
  EXPECT_EQ(convert(ElementType::S64, from(-0x1p63)), INT64_MIN);
  EXPECT_EQ(convert(ElementType::S64, RealOps<R>::from_pair(0x1p62, 3)), 4611686018427387907);
  EXPECT_EQ(convert(ElementType::U64, from(0x1p63)), INT64_MIN);
  EXPECT_EQ(convert(ElementType::U64, from(1e30)), -1);
  EXPECT_EQ(convert(ElementType::Pred, from(0.25)), 1);
  EXPECT_EQ(convert(ElementType::Pred, from(0)), 0);
  EXPECT_EQ(convert(ElementType::Pred, from(kNaN)), 1);
}

TYPED_TEST(Reals, ConvertFromIntegersIsExact) {
  using R = TypeParam;
  const auto convert = [](ElementType type, std::int64_t x) {
    return apply_to<R>(ScalarFn::Convert, {ElementType::F32, kModeOf<R>}, type, {x});
  };
  EXPECT_EQ(RealOps<R>::to_string(convert(ElementType::S64, INT64_MAX), 30), "9223372036854775807");
  EXPECT_EQ(RealOps<R>::to_string(convert(ElementType::S64, INT64_MIN), 30), "-9223372036854775808");
  EXPECT_EQ(RealOps<R>::to_string(convert(ElementType::U64, -1), 30), "18446744073709551615");
  EXPECT_EQ(RealOps<R>::to_double(convert(ElementType::Pred, 1)), 1.0);
}

TYPED_TEST(Reals, ScalarAccess) {
  using R = TypeParam;
  using Ops = RealOps<R>;
  std::mt19937_64 random(3);
  for (int k = 0; k < 2000; ++k) {  // every double survives, subnormal or not
    const double x = std::bit_cast<double>(random());
    if (std::isnan(x)) continue;
    EXPECT_EQ(Ops::to_double(Ops::from_double(x)), x);
  }
  for (const double x : {0x1p-1074, 0x0.fffffffffffffp-1022, 0x1.fffffffffffffp+1023}) {
    EXPECT_EQ(Ops::to_double(Ops::from_double(x)), x);
  }
  EXPECT_EQ(Ops::to_double(Ops::from_pair(0x1p-1074, 0)), 0x1p-1074);
  EXPECT_EQ(Ops::to_double(real<R>(ScalarFn::Multiply, {Ops::from_double(0x1p-1074), Ops::from_double(0.5)})), 0.0);
  EXPECT_EQ(Ops::to_double(real<R>(ScalarFn::Multiply, {Ops::from_double(0x1p-1074), Ops::from_double(0.75)})),
            0x1p-1074);
  EXPECT_EQ(Ops::to_double(Ops::from_pair(1, 0x1p-53)), 1.0);                  // half way: to even
  EXPECT_EQ(Ops::to_double(Ops::from_pair(1, 0x1.0000001p-53)), 1 + 0x1p-52);  // just above
  EXPECT_EQ(Ops::to_double(Ops::from_pair(0x1.fffffffffffffp+1023, 0x1p+970)), kInf);
  EXPECT_EQ(Ops::compare(Ops::from_int(-3), Ops::from_double(2)), -1);
  EXPECT_EQ(Ops::compare(Ops::from_double(kNaN), Ops::from_double(2)), 2);
  EXPECT_EQ(Ops::exponent(R{}), kZeroExponent);
  EXPECT_EQ(Ops::exponent(Ops::from_double(-0.3)), -2);
  EXPECT_EQ(Ops::to_double(Ops::abs(Ops::from_double(-2.5))), 2.5);
  EXPECT_TRUE(Ops::is_nan(Ops::from_double(kNaN)));
  EXPECT_FALSE(Ops::is_finite(Ops::from_double(-kInf)));
}

TYPED_TEST(Reals, Text) {
  using Ops = RealOps<TypeParam>;
  EXPECT_EQ(Ops::to_string(Ops::from_double(0)), "0");
  EXPECT_EQ(Ops::to_string(Ops::from_double(-1)), "-1");
  EXPECT_EQ(Ops::to_string(Ops::from_double(0.1)), "0.10000000000000001");
  EXPECT_EQ(Ops::to_string(Ops::from_double(0.1), 3), "0.1");
  EXPECT_EQ(Ops::to_string(Ops::from_double(9.9999), 3), "10");
  EXPECT_EQ(Ops::to_string(Ops::from_double(1500)), "1500");
  EXPECT_EQ(Ops::to_string(Ops::from_double(1e300)), "1.0000000000000001e+300");
  EXPECT_EQ(Ops::to_string(Ops::from_double(-2.5e-7)), "-2.4999999999999999e-7");
  EXPECT_EQ(Ops::to_string(Ops::from_double(kInf)), "inf");
  EXPECT_EQ(Ops::to_string(Ops::from_double(kNaN)), "nan");
}

}  // namespace
}  // namespace gg::test
