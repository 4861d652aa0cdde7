// Integer and pred functions: exact with width and wrap, as the types of HLO have them.
#include <gtest/gtest.h>

#include "models/base/check.h"
#include "tests/unit/numbers/support.h"

namespace gg::test {
namespace {

using enum ElementType;

TEST(Integers, WrapToTheirWidth) {
  EXPECT_EQ(integer(ScalarFn::Add, S8, {127, 1}), -128);
  EXPECT_EQ(integer(ScalarFn::Add, U8, {255, 1}), 0);
  EXPECT_EQ(integer(ScalarFn::Subtract, U32, {0, 1}), 4294967295);
  EXPECT_EQ(integer(ScalarFn::Subtract, S16, {-32768, 1}), 32767);
  EXPECT_EQ(integer(ScalarFn::Multiply, S32, {65536, 65536}), 0);
  EXPECT_EQ(integer(ScalarFn::Multiply, S64, {INT64_MAX, 2}), -2);
  EXPECT_EQ(integer(ScalarFn::Multiply, U64, {-1, -1}), 1);
  EXPECT_EQ(integer(ScalarFn::Add, S4, {7, 1}), -8);
  EXPECT_EQ(integer(ScalarFn::Negate, S8, {-128}), -128);
  EXPECT_EQ(integer(ScalarFn::Negate, U8, {1}), 255);
  EXPECT_EQ(integer(ScalarFn::Abs, S32, {INT32_MIN}), INT32_MIN);
  EXPECT_EQ(integer(ScalarFn::Abs, S64, {INT64_MIN}), INT64_MIN);
  EXPECT_EQ(integer(ScalarFn::Abs, U64, {-5}), -5);
  EXPECT_EQ(integer(ScalarFn::Sign, S32, {-7}), -1);
  EXPECT_EQ(integer(ScalarFn::Sign, U64, {-7}), 1);
}

TEST(Integers, DivisionTruncates) {
  EXPECT_EQ(integer(ScalarFn::Divide, S32, {-7, 2}), -3);
  EXPECT_EQ(integer(ScalarFn::Remainder, S32, {-7, 2}), -1);
  EXPECT_EQ(integer(ScalarFn::Remainder, S32, {7, -2}), 1);
  EXPECT_EQ(integer(ScalarFn::Divide, S32, {5, 0}), -1);
  EXPECT_EQ(integer(ScalarFn::Divide, U8, {5, 0}), 255);
  EXPECT_EQ(integer(ScalarFn::Divide, U64, {5, 0}), -1);
  EXPECT_EQ(integer(ScalarFn::Remainder, S32, {5, 0}), 5);
  EXPECT_EQ(integer(ScalarFn::Divide, S8, {-128, -1}), -128);
  EXPECT_EQ(integer(ScalarFn::Divide, S64, {INT64_MIN, -1}), INT64_MIN);
  EXPECT_EQ(integer(ScalarFn::Remainder, S64, {INT64_MIN, -1}), 0);
  EXPECT_EQ(integer(ScalarFn::Divide, U64, {-2, 2}), INT64_MAX);
  EXPECT_EQ(integer(ScalarFn::Remainder, U64, {-1, 10}), 5);  // 18446744073709551615
}

TEST(Integers, Shifts) {
  EXPECT_EQ(integer(ScalarFn::ShiftLeft, S32, {1, 31}), INT32_MIN);
  EXPECT_EQ(integer(ScalarFn::ShiftLeft, S32, {1, 32}), 0);
  EXPECT_EQ(integer(ScalarFn::ShiftLeft, S32, {1, -1}), 0);
  EXPECT_EQ(integer(ScalarFn::ShiftLeft, U64, {3, 64}), 0);
  EXPECT_EQ(integer(ScalarFn::ShiftLeft, U64, {3, 63}), INT64_MIN);
  EXPECT_EQ(integer(ScalarFn::ShiftRightL, S32, {-1, 28}), 15);
  EXPECT_EQ(integer(ScalarFn::ShiftRightL, S32, {-1, 0}), -1);
  EXPECT_EQ(integer(ScalarFn::ShiftRightL, S8, {-128, 8}), 0);
  EXPECT_EQ(integer(ScalarFn::ShiftRightL, U64, {-1, 60}), 15);
  EXPECT_EQ(integer(ScalarFn::ShiftRightA, S32, {-8, 1}), -4);
  EXPECT_EQ(integer(ScalarFn::ShiftRightA, S32, {-8, 32}), -1);
  EXPECT_EQ(integer(ScalarFn::ShiftRightA, S32, {8, 99}), 0);
  EXPECT_EQ(integer(ScalarFn::ShiftRightA, S32, {-8, -1}), -1);
  EXPECT_EQ(integer(ScalarFn::ShiftRightA, U8, {0x80, 1}), 0xc0);
  EXPECT_EQ(integer(ScalarFn::ShiftRightA, S64, {INT64_MIN, 63}), -1);
}

TEST(Integers, Powers) {
  EXPECT_EQ(integer(ScalarFn::Power, S32, {3, 4}), 81);
  EXPECT_EQ(integer(ScalarFn::Power, S32, {0, 0}), 1);
  EXPECT_EQ(integer(ScalarFn::Power, S32, {2, 31}), INT32_MIN);
  EXPECT_EQ(integer(ScalarFn::Power, S32, {-1, -3}), -1);
  EXPECT_EQ(integer(ScalarFn::Power, S32, {2, -1}), 0);
  EXPECT_EQ(integer(ScalarFn::Power, U8, {2, 8}), 0);
}

TEST(Integers, OrderFollowsTheType) {
  EXPECT_EQ(compare_integers(ScalarFn::CompareLt, S64, -1, 1), 1);
  EXPECT_EQ(compare_integers(ScalarFn::CompareLt, U64, -1, 1), 0);
  EXPECT_EQ(compare_integers(ScalarFn::CompareGe, U64, -1, 1), 1);
  EXPECT_EQ(compare_integers(ScalarFn::CompareLe, U64, 1, 1), 1);
  EXPECT_EQ(compare_integers(ScalarFn::CompareGt, S32, 1, 1), 0);
  EXPECT_EQ(compare_integers(ScalarFn::CompareEq, U64, -1, -1), 1);
  EXPECT_EQ(compare_integers(ScalarFn::CompareNe, S8, 3, 3), 0);
  EXPECT_EQ(integer(ScalarFn::Max, U64, {-1, 1}), -1);
  EXPECT_EQ(integer(ScalarFn::Min, U64, {-1, 1}), 1);
  EXPECT_EQ(integer(ScalarFn::Max, S64, {-1, 1}), 1);
  EXPECT_EQ(integer(ScalarFn::Clamp, S32, {0, 9, 5}), 5);
  EXPECT_EQ(integer(ScalarFn::Clamp, S32, {0, -9, 5}), 0);
  EXPECT_EQ(integer(ScalarFn::Clamp, U64, {0, -9, 5}), 5);
  EXPECT_EQ(integer(ScalarFn::Clamp, S32, {7, 6, 5}), 5);
}

TEST(Integers, BitsAndLogic) {
  EXPECT_EQ(integer(ScalarFn::And, S32, {12, 10}), 8);
  EXPECT_EQ(integer(ScalarFn::Or, U8, {12, 10}), 14);
  EXPECT_EQ(integer(ScalarFn::Xor, S32, {-1, 1}), -2);
  EXPECT_EQ(integer(ScalarFn::Not, S32, {0}), -1);
  EXPECT_EQ(integer(ScalarFn::Not, U8, {1}), 254);
  EXPECT_EQ(integer(ScalarFn::Not, Pred, {1}), 0);
  EXPECT_EQ(integer(ScalarFn::Not, Pred, {0}), 1);
  EXPECT_EQ(integer(ScalarFn::And, Pred, {1, 0}), 0);
  EXPECT_EQ(integer(ScalarFn::Or, Pred, {1, 0}), 1);
  EXPECT_EQ(integer(ScalarFn::Xor, Pred, {1, 1}), 0);
  EXPECT_EQ(integer(ScalarFn::Add, Pred, {1, 1}), 1);
  EXPECT_EQ(integer(ScalarFn::Multiply, Pred, {1, 0}), 0);
  EXPECT_EQ(integer(ScalarFn::Max, Pred, {1, 0}), 1);
}

TEST(Integers, ConvertWraps) {
  const auto convert = [](ElementType from, ElementType to, std::int64_t x) {
    return apply_to<std::int64_t>(ScalarFn::Convert, {to, NumberMode::F64}, from, {x});
  };
  EXPECT_EQ(convert(S32, S8, 200), -56);
  EXPECT_EQ(convert(S32, U8, -1), 255);
  EXPECT_EQ(convert(S8, U64, -1), -1);
  EXPECT_EQ(convert(U64, S32, -1), -1);
  EXPECT_EQ(convert(S32, Pred, 256), 1);
  EXPECT_EQ(convert(S32, Pred, 0), 0);
  EXPECT_EQ(convert(Pred, S32, 1), 1);
}

TEST(Integers, FunctionsOfFloatsAreRefused) {
  for (const ScalarFn fn : {ScalarFn::Exp, ScalarFn::Floor, ScalarFn::Tanh}) {
    EXPECT_THROW(integer(fn, S32, {1}), InternalError) << info(fn).name;
  }
  EXPECT_THROW(f64(ScalarFn::Xor, {1, 2}), InternalError);
  EXPECT_THROW(real_of_doubles<Ball128>(ScalarFn::Not, {1}), InternalError);
}

}  // namespace
}  // namespace gg::test
