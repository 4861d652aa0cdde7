#include "models/type/closed_form.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gg {
namespace {

std::string form(ElementType type, double value) {
  const auto found = closed_form(type, value);
  return found ? to_string(*found) : "";
}
std::string single(double value) { return form(ElementType::F32, static_cast<double>(static_cast<float>(value))); }

TEST(ClosedForm, SimpleFractionsFirst) {
  EXPECT_EQ(single(1.0 / 12), "1/12");
  EXPECT_EQ(single(-1.0 / 6), "-1/6");
  EXPECT_EQ(single(32.0 / 31), "32/31");
  EXPECT_EQ(single(0.1), "1/10");
  EXPECT_EQ(single(7.0 / 3), "7/3");
  EXPECT_EQ(form(ElementType::F64, 1.0 / 50257), "1/50257");
  EXPECT_EQ(form(ElementType::F64, 0.1), "1/10");
}

TEST(ClosedForm, TheNumberThatIsMeant) {
  EXPECT_EQ(closed_form(ElementType::F32, static_cast<double>(1.0F / 12))->value(), 1.0 / 12);
  EXPECT_EQ(closed_form(ElementType::F32, static_cast<double>(-0.1F))->value(), -0.1);
  EXPECT_DOUBLE_EQ(closed_form(ElementType::F32, static_cast<double>(std::sqrt(6.0F)))->value(), std::sqrt(6.0));
}

TEST(ClosedForm, ThenDecimals) {
  EXPECT_EQ(single(1e-5), "1/100000");
  EXPECT_EQ(single(1e-8), "1/100000000");
  EXPECT_EQ(single(0.044715), "8943/200000");
  EXPECT_EQ(single(0.99999), "99999/100000");
  EXPECT_EQ(form(ElementType::F64, 1e-12), "1/1000000000000");
  EXPECT_EQ(form(ElementType::F64, 0.044715), "8943/200000");
}

TEST(ClosedForm, ThenRoots) {
  EXPECT_EQ(single(std::sqrt(6)), "sqrt(6)");
  EXPECT_EQ(single(1 / std::sqrt(6)), "sqrt(1/6)");
  EXPECT_EQ(single(-std::sqrt(2)), "-sqrt(2)");
  EXPECT_EQ(single(3 * std::sqrt(5)), "sqrt(45)");
  EXPECT_EQ(form(ElementType::F64, std::sqrt(1.0 / 128)), "sqrt(1/128)");
}

TEST(ClosedForm, NeighboursHaveNone) {
  for (const double value : {1.0 / 12, 0.1, 1.0 / 3, std::sqrt(6.0), 1e-5}) {
    const auto at = static_cast<float>(value);
    const std::string own = single(value);
    EXPECT_NE(single(static_cast<double>(std::nextafterf(at, 0))), own);
    EXPECT_NE(single(static_cast<double>(std::nextafterf(at, 9))), own);
  }
  EXPECT_EQ(form(ElementType::F64, std::nextafter(1.0 / 12, 0)), "");
  EXPECT_EQ(form(ElementType::F64, 0.7978845608028654), "");  // sqrt(2/pi)
}

TEST(ClosedForm, NotOfShortOrNarrowLiteralsAndIntegers) {
  for (const double value : {0.5, 3.0, 0.0, 1e9, 0.375, -1e30, HUGE_VAL, std::nan("")}) EXPECT_EQ(single(value), "") << value;
  EXPECT_EQ(form(ElementType::BF16, round_to(ElementType::BF16, 1.0 / 3)), "");
  EXPECT_EQ(form(ElementType::F16, round_to(ElementType::F16, 1.0 / 3)), "");
  EXPECT_EQ(form(ElementType::S32, 3), "");
}

}  // namespace
}  // namespace gg
