// Element types: exactness of round_to against a search over every representable value, wrapping, names.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "models/base/check.h"
#include "models/type/type.h"

namespace gg {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Every finite value >= 0 of a small float type in ascending order (position = code), from the format's definition.
std::vector<double> magnitudes(ElementType type) {
  const ElementInfo& row = info(type);
  std::vector<double> out;
  const int mantissa_codes = 1 << (row.significand - 1);
  for (int m = 0; m < mantissa_codes; ++m) out.push_back(std::ldexp(m, row.low - (row.significand - 1)));
  for (int e = row.low; e <= row.high; ++e) {
    for (int m = 0; m < mantissa_codes; ++m) out.push_back(std::ldexp(mantissa_codes + m, e - (row.significand - 1)));
  }
  if (type == ElementType::F8E4M3FN) out.pop_back();  // the topmost code is NaN
  return out;
}

/// Nearest magnitude, ties to the even code; the step beyond the last value continues the last quantum.
double nearest(const std::vector<double>& values, double magnitude, double beyond) {
  const double top = values.back();
  const double step = top - values[values.size() - 2];
  if (magnitude >= top + step / 2) {
    const bool tie_to_top = magnitude == top + step / 2 && (values.size() - 1) % 2 == 0;
    return tie_to_top ? top : beyond;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double d = std::fabs(values[i] - magnitude), e = std::fabs(values[best] - magnitude);
    if (d < e || (d == e && i % 2 == 0)) best = i;
  }
  return values[best];
}

struct SmallFloat {
  ElementType type;
  std::size_t count;  ///< finite values >= 0, as ml_dtypes has them
  double smallest, largest;
};

constexpr SmallFloat kSmall[] = {
    {ElementType::F4E2M1FN, 8, 0.5, 6},
    {ElementType::F8E3M4, 112, 0.015625, 15.5},
    {ElementType::F8E4M3, 120, 0.001953125, 240},
    {ElementType::F8E4M3B11FNUZ, 128, 0.0001220703125, 30},
    {ElementType::F8E4M3FN, 127, 0.001953125, 448},
    {ElementType::F8E4M3FNUZ, 128, 0.0009765625, 240},
    {ElementType::F8E5M2, 124, 1.52587890625e-05, 57344},
    {ElementType::F8E5M2FNUZ, 128, 7.62939453125e-06, 57344},
};

double beyond(ElementType type) {
  if (type == ElementType::F4E2M1FN) return 6;
  return has_infinity(type) ? kInf : std::numeric_limits<double>::quiet_NaN();
}

void expect_same(double expected, double actual, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << what << " gave " << actual;
  } else {
    EXPECT_EQ(expected, actual) << what;
  }
}

TEST(RoundTo, SmallFloatsHaveTheirValues) {
  for (const auto& row : kSmall) {
    const auto values = magnitudes(row.type);
    const std::string name(info(row.type).name);
    ASSERT_EQ(row.count, values.size()) << name;
    EXPECT_EQ(row.smallest, values[1]) << name;
    EXPECT_EQ(row.largest, values.back()) << name;
    for (const double v : values) {
      EXPECT_EQ(v, round_to(row.type, v)) << name;
      EXPECT_EQ(-v, round_to(row.type, -v)) << name;
    }
  }
}

TEST(RoundTo, SmallFloatsNearestEven) {
  std::mt19937_64 rng(7);
  for (const auto& row : kSmall) {
    const auto values = magnitudes(row.type);
    std::vector<double> inputs = {1e-300, 5e-324, 1e300, kInf, row.largest * 1.01, row.largest * 2};
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const double middle = (values[i] + values[i + 1]) / 2;
      inputs.insert(inputs.end(), {middle, std::nextafter(middle, 0.0), std::nextafter(middle, kInf)});
    }
    const double last = values.back() + (values.back() - values[values.size() - 2]) / 2;
    inputs.insert(inputs.end(), {last, std::nextafter(last, 0.0), std::nextafter(last, kInf)});
    std::uniform_real_distribution<double> draw(0, row.largest * 1.1);
    for (int i = 0; i < 500; ++i) inputs.push_back(draw(rng));
    for (const double x : inputs) {
      const double expected = nearest(values, x, beyond(row.type));
      const std::string what = std::string(info(row.type).name) + " of " + std::to_string(x);
      expect_same(expected, round_to(row.type, x), what);
      expect_same(-expected, round_to(row.type, -x), what);
    }
  }
}

TEST(RoundTo, SignOfZeroAndNaN) {
  for (const ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64,
                                 ElementType::F8E5M2, ElementType::F8E4M3FN}) {
    EXPECT_TRUE(std::signbit(round_to(type, -0.0)));
    EXPECT_TRUE(std::isnan(round_to(type, std::nan(""))));
  }
  for (const ElementType type : {ElementType::F8E4M3FNUZ, ElementType::F8E4M3B11FNUZ, ElementType::F8E5M2FNUZ}) {
    EXPECT_FALSE(std::signbit(round_to(type, -0.0)));
    EXPECT_FALSE(std::signbit(round_to(type, -1e-30)));
    EXPECT_TRUE(std::isnan(round_to(type, kInf)));
  }
  EXPECT_EQ(0, round_to(ElementType::F4E2M1FN, std::nan("")));
}

TEST(RoundTo, HalfAndBfloat) {
  EXPECT_EQ(65504, round_to(ElementType::F16, 65519.99));
  EXPECT_EQ(kInf, round_to(ElementType::F16, 65520));
  EXPECT_EQ(std::ldexp(1, -24), round_to(ElementType::F16, std::ldexp(1.5, -25)));
  EXPECT_EQ(0, round_to(ElementType::F16, std::ldexp(1, -25)));
  EXPECT_EQ(1.0009765625, round_to(ElementType::F16, 1.0005));
  EXPECT_EQ(std::ldexp(255, 120), round_to(ElementType::BF16, std::ldexp(255.49, 120)));
  EXPECT_EQ(kInf, round_to(ElementType::BF16, std::ldexp(255.5, 120)));
  EXPECT_EQ(std::ldexp(1, -133), round_to(ElementType::BF16, std::ldexp(1.01, -134)));
}

TEST(RoundTo, SingleAndDoubleAreTheHardwares) {
  EXPECT_EQ(static_cast<double>(0.1F), round_to(ElementType::F32, 0.1));
  EXPECT_EQ(std::ldexp(1, -149), round_to(ElementType::F32, std::ldexp(1, -149)));
  EXPECT_EQ(kInf, round_to(ElementType::F32, 1e39));
  EXPECT_EQ(0.1, round_to(ElementType::F64, 0.1));
  EXPECT_EQ(5e-324, round_to(ElementType::C128, 5e-324));
  EXPECT_EQ(static_cast<double>(0.1F), round_to(ElementType::C64, 0.1));
}

TEST(RoundTo, PowersOfTwo) {
  EXPECT_EQ(2, round_to(ElementType::F8E8M0FNU, 1.5));
  EXPECT_EQ(1, round_to(ElementType::F8E8M0FNU, 1.49));
  EXPECT_EQ(4, round_to(ElementType::F8E8M0FNU, 3));
  EXPECT_EQ(std::ldexp(1, -127), round_to(ElementType::F8E8M0FNU, std::ldexp(1, -140)));
  EXPECT_EQ(std::ldexp(1, 127), round_to(ElementType::F8E8M0FNU, std::ldexp(1.49, 127)));
  for (const double x : {std::ldexp(1.5, 127), 0.0, -1.0, kInf, -kInf, std::nan("")}) {
    EXPECT_TRUE(std::isnan(round_to(ElementType::F8E8M0FNU, x))) << x;
  }
}

TEST(RoundTo, RefusesIntegers) { EXPECT_THROW(round_to(ElementType::S32, 1.0), InternalError); }

TEST(WrapTo, TwosComplement) {
  EXPECT_EQ(-128, wrap_to(ElementType::S8, 128));
  EXPECT_EQ(255, wrap_to(ElementType::U8, -1));
  EXPECT_EQ(-1, wrap_to(ElementType::S4, 15));
  EXPECT_EQ(7, wrap_to(ElementType::S4, 7));
  EXPECT_EQ(-2, wrap_to(ElementType::S2, 2));
  EXPECT_EQ(3, wrap_to(ElementType::U2, -1));
  EXPECT_EQ(std::numeric_limits<std::int32_t>::min(), wrap_to(ElementType::S32, std::int64_t{1} << 31));
  EXPECT_EQ(0xffffffffLL, wrap_to(ElementType::U32, -1));
  EXPECT_EQ(-1, wrap_to(ElementType::U64, -1));
  EXPECT_EQ(1, wrap_to(ElementType::Pred, 256));
  EXPECT_EQ(0, wrap_to(ElementType::Pred, 0));
  EXPECT_THROW(wrap_to(ElementType::F32, 1), InternalError);
}

TEST(ElementTypes, NamesAreUniqueAndFound) {
  for (int i = 0; i <= static_cast<int>(ElementType::Opaque); ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(type, info(type).type);
    if (type == ElementType::Tuple) continue;
    EXPECT_EQ(type, element_type(info(type).name));
  }
  EXPECT_FALSE(element_type("f33"));
  EXPECT_FALSE(element_type(""));
  EXPECT_FALSE(element_type("(tuple)"));
}

TEST(ElementTypes, Kinds) {
  EXPECT_TRUE(is_integral(ElementType::Pred));
  EXPECT_TRUE(is_integral(ElementType::U64));
  EXPECT_FALSE(is_integral(ElementType::F32));
  EXPECT_FALSE(is_float(ElementType::C64));
  EXPECT_FALSE(has_infinity(ElementType::F8E4M3FN));
  EXPECT_TRUE(has_infinity(ElementType::F8E5M2));
  EXPECT_FALSE(has_infinity(ElementType::S32));
}

}  // namespace
}  // namespace gg
