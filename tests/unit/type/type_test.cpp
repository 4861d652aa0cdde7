// Types: spelling, leaves, counts, equality without layouts.
#include "models/type/type.h"

#include <gtest/gtest.h>

#include "models/base/check.h"

namespace gg {
namespace {

Type f32(std::vector<std::int64_t> dims) { return Type::array(ElementType::F32, std::move(dims)); }

TEST(Type, Prints) {
  EXPECT_EQ("f32[]", to_string(f32({})));
  EXPECT_EQ("f32[]", to_string(f32({}), true));
  EXPECT_EQ("f32[4,16]", to_string(f32({4, 16})));
  EXPECT_EQ("f32[4,16]{1,0}", to_string(f32({4, 16}), true));
  Type t = f32({4, 16});
  t.layout = {0, 1};
  EXPECT_EQ("f32[4,16]{0,1}", to_string(t, true));
  EXPECT_EQ("token[]", to_string(Type::token(), true));
  EXPECT_EQ("()", to_string(Type::tuple({})));
  EXPECT_EQ("(f32[2], (token[], f32[]))", to_string(Type::tuple({f32({2}), Type::tuple({Type::token(), f32({})})})));
  EXPECT_EQ("(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[])",
            to_string(Type::tuple(std::vector<Type>(6, f32({})))));
}

TEST(Type, LayoutsTakeNoPartInEquality) {
  Type a = f32({4, 16}), b = f32({4, 16});
  b.layout = {0, 1};
  EXPECT_EQ(a, b);
  EXPECT_EQ(hash(a), hash(b));
  EXPECT_TRUE(a.default_layout());
  EXPECT_FALSE(b.default_layout());
  a.layout = {1, 0};
  EXPECT_TRUE(Type::tuple({a, f32({})}).default_layout());
  EXPECT_FALSE(Type::tuple({a, b}).default_layout());
}

TEST(Type, DifferentMeaningsDiffer) {
  EXPECT_NE(f32({4}), f32({4, 1}));
  EXPECT_NE(f32({4}), Type::array(ElementType::F64, {4}));
  EXPECT_NE(f32({4}), Type::tuple({f32({4})}));
  EXPECT_NE(hash(f32({2, 3})), hash(f32({3, 2})));
  EXPECT_NE(hash(Type::tuple({f32({})})), hash(Type::tuple({Type::tuple({f32({})})})));
}

TEST(Type, Count) {
  EXPECT_EQ(1, f32({}).count());
  EXPECT_EQ(0, f32({1LL << 40, 0, 1LL << 40}).count());
  EXPECT_EQ(64, f32({4, 16}).count());
  EXPECT_THROW((void)f32({1LL << 40, 1LL << 40}).count(), InternalError);
  EXPECT_THROW((void)Type::tuple({}).count(), InternalError);
}

TEST(Type, LeavesDepthFirst) {
  const Type t = Type::tuple({f32({1}), Type::tuple({f32({2}), Type::token()}), Type::tuple({}), f32({3})});
  const auto leaves = t.leaves();
  ASSERT_EQ(4U, leaves.size());
  EXPECT_EQ(f32({1}), *leaves[0]);
  EXPECT_EQ(f32({2}), *leaves[1]);
  EXPECT_EQ(Type::token(), *leaves[2]);
  EXPECT_EQ(f32({3}), *leaves[3]);
  EXPECT_EQ(1U, f32({}).leaves().size());
}

}  // namespace
}  // namespace gg
