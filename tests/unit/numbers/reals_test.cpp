// Functions of balls against written-out values (mpmath), against doubles, special values, and decisions.
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
using RealTypes = testing::Types<Ball128, Ball256>;
TYPED_TEST_SUITE(Reals, RealTypes);

template <class R>
constexpr std::int64_t kBits = R::kBits;

/// 2^k as a product of doubles.
template <class R>
R times_power_of_two(R value, std::int64_t k) {
  for (; k != 0;) {
    const std::int64_t step = std::clamp<std::int64_t>(k, -1000, 1000);
    value = real<R>(ScalarFn::Multiply, {value, BallOps<R>::from_double(std::ldexp(1.0, static_cast<int>(step)))});
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
      expected = real<R>(ScalarFn::Add, {expected, BallOps<R>::from_double(row.parts[k])});
    }
    const R x = BallOps<R>::from_double(row.x), y = BallOps<R>::from_double(row.y);
    const bool binary = info(row.fn).arity == 2;
    const R value = binary ? real<R>(row.fn, {x, y}) : real<R>(row.fn, {x});
    EXPECT_FALSE(BallOps<R>::disjoint(times_power_of_two(value, -row.scale), expected))
        << info(row.fn).name << " of " << row.x << " and " << row.y << " gives " << BallOps<R>::to_string(value, 40);
    EXPECT_LT(radius_bits(value), -kBits<R> + 56)  // sines are good to so many bits after the point
        << info(row.fn).name << " of " << row.x << " and " << row.y << " gives " << BallOps<R>::to_string(value, 40);
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

/// The midpoint of 128 bits among those of 512: the limbs stand at the same end, the highest last.
Ball512 widened(const Ball128& value) {
  Ball512 out{};
  out.exponent = value.exponent;
  out.size = value.size;
  for (int k = 0; k < 2; ++k) out.limbs[k] = value.limbs[k];
  return out;
}

TEST(RealTypesAgree, OnRandomArguments) {
  for (const ScalarFn fn :
       {ScalarFn::Exp, ScalarFn::Expm1, ScalarFn::Log, ScalarFn::Log1p, ScalarFn::Logistic, ScalarFn::Tanh,
        ScalarFn::Erf, ScalarFn::Sin, ScalarFn::Cos, ScalarFn::Tan, ScalarFn::Sqrt, ScalarFn::Rsqrt, ScalarFn::Cbrt,
        ScalarFn::Power, ScalarFn::Atan2, ScalarFn::Remainder, ScalarFn::Divide}) {
    for (const auto& [x, y] : random_arguments(fn)) {
      const auto of = [&, x = x, y = y]<class R>(R) {
        return info(fn).arity == 2 ? real<R>(fn, {BallOps<R>::from_double(x), BallOps<R>::from_double(y)})
                                   : real<R>(fn, {BallOps<R>::from_double(x)});
      };
      const Ball128 narrow = of(Ball128{});
      const Ball512 wide = of(Ball512{});
      const double expected = BallOps<Ball512>::to_double(wide);
      EXPECT_LE(BallOps<Ball512>::radius(wide), BallOps<Ball128>::radius(narrow));
      if (BallOps<Ball128>::exponent(narrow) < -900 || BallOps<Ball128>::exponent(narrow) > 900) continue;
      EXPECT_NEAR(BallOps<Ball128>::to_double(narrow), expected, std::fabs(expected) * 0x1p-52);
      const double in_double = info(fn).arity == 2 ? f64(fn, {x, y}) : f64(fn, {x});
      const bool sensitive = fn == ScalarFn::Power || fn == ScalarFn::Tan || fn == ScalarFn::Sin || fn == ScalarFn::Cos;
      EXPECT_NEAR(in_double, expected, std::fabs(expected) * (sensitive ? 1e-11 : 1e-14)) << info(fn).name << " " << x;
    }
  }
}

/// A value and one of four times the precision enclose a common number, and the radius is that of the precision: at centres of the series, between
/// them, where Arb's own takes over, of wide balls.
TEST(RealTypesAgree, OnErf) {
  const auto of = []<class R>(R x) { return real<R>(ScalarFn::Erf, {x}); };
  for (int k = -200; k <= 200; ++k) {
    for (const double aside : {0.0, 1e-30, 0.01, 0.015624, -0.015625}) {
      const double x = k / 32.0 + aside;
      const Ball128 narrow = of(BallOps<Ball128>::from_double(x));
      const Ball512 wide = of(BallOps<Ball512>::from_double(x));
      const double apart = BallOps<Ball512>::to_double(BallOps<Ball512>::subtract(wide, widened(narrow)));
      EXPECT_LE(std::fabs(apart), BallOps<Ball128>::radius(narrow) + BallOps<Ball512>::radius(wide)) << x;
      EXPECT_LE(BallOps<Ball128>::radius(narrow), std::fabs(BallOps<Ball512>::to_double(wide)) * 0x1p-120) << x;
      const Ball128 around = of(BallOps<Ball128>::around(x, 1e-3));
      EXPECT_FALSE(BallOps<Ball128>::disjoint(around, of(BallOps<Ball128>::from_double(x + 1e-3)))) << x;
      EXPECT_FALSE(BallOps<Ball128>::disjoint(around, of(BallOps<Ball128>::from_double(x - 1e-3)))) << x;
    }
  }
}

TYPED_TEST(Reals, DoublesAreTheNearestEvenOnes) {
  using R = TypeParam;
  const auto sum = [](std::initializer_list<double> parts) {
    R total = BallOps<R>::from_double(0);
    for (const double part : parts) total = BallOps<R>::subtract(total, BallOps<R>::from_double(-part));
    return BallOps<R>::to_double(total);
  };
  EXPECT_EQ(sum({1, 0x1p-53}), 1);  // half way: to the even one
  EXPECT_EQ(sum({1, 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
  EXPECT_EQ(sum({1, 0x1p-53, 0x1p-100}), 1 + 0x1p-52);  // a little more than half way
  EXPECT_EQ(sum({-1, -0x1p-53, -0x1p-100}), -1 - 0x1p-52);
  EXPECT_EQ(sum({2, -0x1p-53}), 2);  // up to the next power of two
  EXPECT_EQ(sum({0x1p-1074}), 0x1p-1074);
  EXPECT_EQ(sum({-0x1.fffffffffffffp1023}), -0x1.fffffffffffffp1023);
  EXPECT_EQ(sum({3, -3}), 0);
}

TYPED_TEST(Reals, HugeExponents) {
  using R = TypeParam;
  const R tiny = real<R>(ScalarFn::Exp, {BallOps<R>::from_double(-30000)});
  EXPECT_EQ(BallOps<R>::exponent(tiny), -43281);
  EXPECT_EQ(BallOps<R>::to_string(tiny, 17), "1.4640061544963268e-13029");
  EXPECT_EQ(BallOps<R>::to_double(tiny), 0.0);
  const R back = real<R>(ScalarFn::Log, {tiny});
  EXPECT_FALSE(BallOps<R>::disjoint(back, BallOps<R>::from_double(-30000)));
  const R smallest = real<R>(ScalarFn::Exp, {BallOps<R>::from_double(-0x1p38)});
  EXPECT_EQ(BallOps<R>::exponent(smallest), -396564993199);
  R square = BallOps<R>::from_double(0x1p1000);
  for (int k = 0; k < 31; ++k) square = real<R>(ScalarFn::Multiply, {square, square});
  EXPECT_EQ(BallOps<R>::exponent(square), 2147483648000);
  EXPECT_EQ(BallOps<R>::to_double(square), kInf);
  EXPECT_TRUE(BallOps<R>::is_finite(square));
  // Beyond 2^61 in the exponent a small number is a ball around zero, and of a large one nothing is known.
  const R vanished = real<R>(ScalarFn::Exp, {BallOps<R>::from_double(-1e30)});
  EXPECT_EQ(BallOps<R>::known(vanished), Known::Finite);
  EXPECT_EQ(BallOps<R>::exponent(vanished), kZeroExponent);
  EXPECT_LT(BallOps<R>::radius_exponent(vanished), -1'000'000'000'000);
  const R enormous = real<R>(ScalarFn::Exp, {BallOps<R>::from_double(1e30)});
  EXPECT_EQ(BallOps<R>::known(enormous), Known::Nothing);
  EXPECT_EQ(BallOps<R>::known(real<R>(ScalarFn::Multiply, {vanished, enormous})), Known::Nothing);
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
  const R nan = BallOps<R>::from_double(kNaN), one = BallOps<R>::from_double(1), zero{};
  for (const ScalarFn fn :
       {ScalarFn::CompareEq, ScalarFn::CompareLt, ScalarFn::CompareLe, ScalarFn::CompareGt, ScalarFn::CompareGe}) {
    EXPECT_EQ(compare_reals(fn, nan, one), 0);
    EXPECT_EQ(compare_reals(fn, one, nan), 0);
    EXPECT_EQ(compare_reals(fn, nan, nan), 0);
  }
  EXPECT_EQ(compare_reals(ScalarFn::CompareNe, nan, nan), 1);
  EXPECT_EQ(compare_reals(ScalarFn::CompareEq, zero, BallOps<R>::from_double(-0.0)), 1);
  EXPECT_EQ(compare_reals(ScalarFn::CompareLt, zero, one), 1);
  EXPECT_EQ(compare_reals(ScalarFn::CompareGe, zero, one), 0);
  EXPECT_EQ(apply_to<std::int64_t>(ScalarFn::IsFinite, {ElementType::Pred, kModeOf<R>}, ElementType::F32, {nan}), 0);
  EXPECT_EQ(apply_to<std::int64_t>(ScalarFn::IsFinite, {ElementType::Pred, kModeOf<R>}, ElementType::F32, {zero}), 1);
}

TYPED_TEST(Reals, Ties) {
  using R = TypeParam;
  using Ops = BallOps<R>;
  const R three = Ops::from_double(3), about_three = Ops::around(3, 0x1p-90), more = Ops::around(3 + 0x1p-40, 0x1p-90);
  const auto ties = [](ScalarFn fn, R a, R b) {
    std::int64_t count = 0;
    compare_reals(fn, a, b, &count);
    return count;
  };
  EXPECT_EQ(ties(ScalarFn::CompareLt, three, about_three), 1);
  EXPECT_EQ(ties(ScalarFn::CompareEq, about_three, about_three), 1);
  EXPECT_EQ(ties(ScalarFn::CompareLt, about_three, more), 0);
  EXPECT_EQ(ties(ScalarFn::CompareLt, three, three), 0);
  EXPECT_EQ(ties(ScalarFn::CompareGt, R{}, Ops::from_double(0x1p-1000)), 0);  // however close: both are exact
  EXPECT_EQ(ties(ScalarFn::CompareEq, Ops::from_double(kInf), Ops::from_double(kNaN)), 0);
  EXPECT_EQ(ties(ScalarFn::CompareLt, Ops::from_double(kInf), about_three), 0);
  const R nothing = real<R>(ScalarFn::Divide, {three, Ops::around(0, 0x1p-90)});
  EXPECT_EQ(Ops::known(nothing), Known::Nothing);
  EXPECT_EQ(ties(ScalarFn::CompareLt, nothing, three), 1);
  const auto to_s32 = [&](R x, std::int64_t expected) {
    std::int64_t count = 0;
    EXPECT_EQ(apply_to<std::int64_t>(ScalarFn::Convert, {ElementType::S32, kModeOf<R>}, ElementType::F32, {x}, &count), expected);
    return count;
  };
  EXPECT_EQ(to_s32(Ops::around(3.5, 0.25), 3), 0);
  EXPECT_EQ(to_s32(about_three, 3), 1);
  EXPECT_EQ(to_s32(Ops::around(0, 0.5), 0), 0);
}

TYPED_TEST(Reals, WhatIsNotFiniteForCertain) {
  using R = TypeParam;
  using Ops = BallOps<R>;
  const R infinite = Ops::from_double(kInf), around_zero = Ops::around(0, 0x1p-90), three = Ops::from_double(3);
  const R open = real<R>(ScalarFn::Multiply, {infinite, around_zero});  // an infinity or NaN
  EXPECT_EQ(Ops::known(open), Known::NotFinite);
  EXPECT_EQ(Ops::known(real<R>(ScalarFn::Divide, {around_zero, R{}})), Known::NotFinite);
  const R nothing = real<R>(ScalarFn::Divide, {three, around_zero});
  for (const R& other : {three, infinite, around_zero, nothing, open}) {
    for (const ScalarFn fn : {ScalarFn::Add, ScalarFn::Subtract, ScalarFn::Multiply}) {
      EXPECT_EQ(Ops::known(real<R>(fn, {open, other})), Known::NotFinite);
      EXPECT_EQ(Ops::known(real<R>(fn, {other, open})), Known::NotFinite);
    }
    EXPECT_EQ(Ops::known(real<R>(ScalarFn::Divide, {open, other})), Known::NotFinite);
  }
  EXPECT_EQ(Ops::known(real<R>(ScalarFn::Divide, {three, open})), Known::Nothing);  // zero, or NaN
  EXPECT_EQ(Ops::known(real<R>(ScalarFn::Add, {nothing, infinite})), Known::NotFinite);
  for (const ScalarFn fn : {ScalarFn::Exp, ScalarFn::Tanh, ScalarFn::Logistic, ScalarFn::Rsqrt}) EXPECT_EQ(Ops::known(real<R>(fn, {open})), Known::Nothing);
  for (const ScalarFn fn : {ScalarFn::Max, ScalarFn::Min}) EXPECT_EQ(Ops::known(real<R>(fn, {open, three})), Known::Nothing);
  EXPECT_EQ(Ops::to_string(open), "not finite");
}

TYPED_TEST(Reals, PowersOfWhatIsNegative) {  // an exponent that holds no integer gives no number, whichever one it is
  using R = TypeParam;
  using Ops = BallOps<R>;
  const R eight = Ops::from_double(-8), about_eight = Ops::around(-8, 0x1p-20);
  for (const R& base : {eight, about_eight}) {
    EXPECT_EQ(Ops::known(real<R>(ScalarFn::Power, {base, Ops::around(1.0 / 3, 0x1p-24)})), Known::NaN);
    EXPECT_EQ(Ops::known(real<R>(ScalarFn::Power, {base, Ops::around(2, 0x1p-24)})), Known::Nothing);
    EXPECT_EQ(Ops::known(real<R>(ScalarFn::Power, {base, Ops::around(1.5, 0.75)})), Known::Nothing);
  }
  EXPECT_EQ(Ops::known(real<R>(ScalarFn::Power, {Ops::around(0, 1), Ops::around(1.0 / 3, 0x1p-24)})), Known::Nothing);
}

TYPED_TEST(Reals, NumbersComparedWithThemselves) {
  using R = TypeParam;
  const R about_three = BallOps<R>::around(3, 0x1p-90);
  const auto with_itself = [](ScalarFn fn, const R& x, std::int64_t& ties) {
    const Row rows[] = {{&x, 0}, {&x, 0}};
    const Storage storages[] = {kStorageOf<R>, kStorageOf<R>};
    const ElementType types[] = {ElementType::F32, ElementType::F32};
    std::int64_t out = 0;
    TieCounter counter;
    row_apply(fn, {ElementType::Pred, kModeOf<R>}, Storage::Int64, &out, rows, storages, types, 1, counter);
    ties = counter.ties;
    return out;
  };
  std::int64_t ties = 0;
  EXPECT_EQ(with_itself(ScalarFn::CompareNe, about_three, ties), 0);
  EXPECT_EQ(ties, 0);
  EXPECT_EQ(with_itself(ScalarFn::CompareGe, about_three, ties), 1);
  EXPECT_EQ(with_itself(ScalarFn::CompareNe, BallOps<R>::from_double(kNaN), ties), 1);
  EXPECT_EQ(ties, 0);
}

/// Steps of a ball enclose what they may be.
TYPED_TEST(Reals, StepsOfBalls) {
  using R = TypeParam;
  using Ops = BallOps<R>;
  const auto encloses = [](const R& ball, double x) { return !Ops::disjoint(ball, Ops::from_double(x)); };
  struct Case {
    ScalarFn fn;
    double x, radius, low, high;
  };
  for (const Case& c : {Case{ScalarFn::Floor, 3, 0x1p-80, 2, 3}, Case{ScalarFn::Ceil, 3, 0x1p-80, 3, 4}, Case{ScalarFn::Floor, 2.5, 0.25, 2, 2},
                        Case{ScalarFn::RoundAfz, 2.5, 0x1p-80, 2, 3}, Case{ScalarFn::RoundEven, 2.5, 0x1p-80, 2, 3},
                        Case{ScalarFn::Sign, 0, 0x1p-80, -1, 1}, Case{ScalarFn::Sign, 0.5, 0.25, 1, 1}, Case{ScalarFn::Abs, 0, 1, 0, 1},
                        Case{ScalarFn::Cbrt, 0, 8, -2, 2}}) {
    const R out = real<R>(c.fn, {Ops::around(c.x, c.radius)});
    EXPECT_TRUE(encloses(out, c.low) && encloses(out, c.high)) << info(c.fn).name << " of " << c.x;
    EXPECT_EQ(Ops::radius(out) == 0, c.low == c.high) << info(c.fn).name << " of " << c.x;
  }
  const R rest = real<R>(ScalarFn::Remainder, {Ops::around(6, 0x1p-90), Ops::from_double(3)});
  EXPECT_TRUE(encloses(rest, 0) && encloses(rest, 3));
  for (const ScalarFn fn : {ScalarFn::Sqrt, ScalarFn::Log, ScalarFn::Rsqrt}) {
    EXPECT_EQ(Ops::known(real<R>(fn, {Ops::around(0, 0x1p-90)})), Known::Nothing);
    EXPECT_EQ(Ops::known(real<R>(fn, {Ops::around(-1, 0.5)})), Known::NaN);
  }
  const R larger = real<R>(ScalarFn::Max, {Ops::around(3, 1), Ops::around(4, 1)});
  EXPECT_TRUE(encloses(larger, 3.5) && encloses(larger, 4.75));
  EXPECT_TRUE(Ops::disjoint(larger, Ops::from_double(2.75)));
}

TYPED_TEST(Reals, ConvertToIntegers) {
  using R = TypeParam;
  const auto convert = [](ElementType to, R x) {
    return apply_to<std::int64_t>(ScalarFn::Convert, {to, kModeOf<R>}, ElementType::F32, {x});
  };
  const auto from = [](double x) { return BallOps<R>::from_double(x); };
  EXPECT_EQ(convert(ElementType::S32, from(-2.75)), -2);
  EXPECT_EQ(convert(ElementType::S32, from(1e20)), 2147483647);
  EXPECT_EQ(convert(ElementType::S32, from(-kInf)), -2147483648LL);
  EXPECT_EQ(convert(ElementType::S32, from(kNaN)), 0);
  EXPECT_EQ(convert(ElementType::U8, from(-3)), 0);
  EXPECT_EQ(convert(ElementType::U8, from(300)), 255);
  EXPECT_EQ(convert(ElementType::S64, from(0x1p63)), INT64_MAX);
  EXPECT_EQ(convert(ElementType::S64, from(-0x1p63)), INT64_MIN);
  EXPECT_EQ(convert(ElementType::S64, sum_of<R>(0x1p62, 3)), 4611686018427387907);
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
  EXPECT_EQ(BallOps<R>::to_string(convert(ElementType::S64, INT64_MAX), 30), "9223372036854775807");
  EXPECT_EQ(BallOps<R>::to_string(convert(ElementType::S64, INT64_MIN), 30), "-9223372036854775808");
  EXPECT_EQ(BallOps<R>::to_string(convert(ElementType::U64, -1), 30), "18446744073709551615");
  EXPECT_EQ(BallOps<R>::to_double(convert(ElementType::Pred, 1)), 1.0);
}

TYPED_TEST(Reals, ScalarAccess) {
  using R = TypeParam;
  using Ops = BallOps<R>;
  std::mt19937_64 random(3);
  for (int k = 0; k < 2000; ++k) {  // every double survives, subnormal or not
    const double x = std::bit_cast<double>(random());
    if (std::isnan(x)) continue;
    EXPECT_EQ(Ops::to_double(Ops::from_double(x)), x);
  }
  for (const double x : {0x1p-1074, 0x0.fffffffffffffp-1022, 0x1.fffffffffffffp+1023}) {
    EXPECT_EQ(Ops::to_double(Ops::from_double(x)), x);
  }
  EXPECT_EQ(Ops::to_double(Ops::from_double(0x1p-1074)), 0x1p-1074);
  EXPECT_EQ(Ops::to_double(real<R>(ScalarFn::Multiply, {Ops::from_double(0x1p-1074), Ops::from_double(0.5)})), 0.0);
  EXPECT_EQ(Ops::to_double(real<R>(ScalarFn::Multiply, {Ops::from_double(0x1p-1074), Ops::from_double(0.75)})),
            0x1p-1074);
  EXPECT_EQ(Ops::to_double(sum_of<R>(1, 0x1p-53)), 1.0);                  // half way: to even
  EXPECT_EQ(Ops::to_double(sum_of<R>(1, 0x1.0000001p-53)), 1 + 0x1p-52);  // just above
  EXPECT_EQ(Ops::to_double(sum_of<R>(0x1.fffffffffffffp+1023, 0x1p+970)), kInf);
  EXPECT_EQ(Ops::compare(Ops::from_int(-3), Ops::from_double(2)), -1);
  EXPECT_EQ(Ops::compare(Ops::from_double(kNaN), Ops::from_double(2)), 2);
  EXPECT_EQ(Ops::exponent(R{}), kZeroExponent);
  EXPECT_EQ(Ops::exponent(Ops::from_double(-0.3)), -2);
  EXPECT_EQ(Ops::to_double(Ops::abs(Ops::from_double(-2.5))), 2.5);
  EXPECT_EQ(Ops::known(Ops::from_double(kNaN)), Known::NaN);
  EXPECT_FALSE(Ops::is_finite(Ops::from_double(-kInf)));
}

TYPED_TEST(Reals, Text) {
  using Ops = BallOps<TypeParam>;
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
