// Custom calls with a meaning, and the operator and attribute tables.
#include "models/op/custom_calls.h"
#include "op_case.h"

namespace gg::testing {
namespace {

TEST(CustomCalls, RmsNormOverTheFirstDimension) {
  // Columns (3, 4) and (1, 7): mean squares 12.5 and 25; eps 0.
  check({"",
         {"f32[2,2]", "f32[2]", "f32[]"},
         "f16[2,2] custom-call(%p0, %p1, %p2), custom_call_target=\"AwsNeuronRmsNorm\", backend_config=\"0\"",
         {{3, 1, 4, 7}, {1, 10}, {0}},
         {{3 / std::sqrt(12.5), 0.2, 40 / std::sqrt(12.5), 14}},
         "",
         1,
         1,
         1e-14});
}

TEST(CustomCalls, RmsNormEpsilonAndOtherDimension) {
  check({"",
         {"f32[1,2]", "f32[2]", "f32[]"},
         "f32[1,2] custom-call(%p0, %p1, %p2), custom_call_target=\"AwsNeuronRmsNorm\", backend_config=\"1\"",
         {{0, 0}, {1, 1}, {0.25}},
         {{0, 0}}});
}

TEST(CustomCalls, TransferIsTheIdentity) {
  check({"",
         {"f16[2]"},
         "f16[2] custom-call(%p0), custom_call_target=\"AwsNeuronTransferWithStaticRing\"",
         {{1, 2}},
         {{1, 2}}});
}

TEST(CustomCalls, TableByName) {
  for (const CustomCall& row : custom_calls()) EXPECT_EQ(find_custom_call(row.target), &row);
  EXPECT_EQ(find_custom_call("Sharding"), nullptr);
}

TEST(Table, NamesAreFoundAgain) {
  for (const OpInfo& row : operators()) {
    EXPECT_EQ(find_op(row.name), row.op) << row.name;
    EXPECT_EQ(&info(row.op), &row);
  }
  EXPECT_EQ(find_op(""), std::nullopt);
  EXPECT_EQ(find_op("adds"), std::nullopt);
}

TEST(Table, AttributesByOperator) {
  EXPECT_TRUE(find_attribute(Op::AllReduce, "to_apply")->required);
  EXPECT_FALSE(find_attribute(Op::AllReduce, "replica_groups")->required);
  EXPECT_EQ(find_attribute(Op::Add, "dimensions"), std::nullopt);
  EXPECT_EQ(find_attribute(Op::Constant, ""), std::nullopt);
  EXPECT_TRUE(attributes_of(Op::Add).empty());
  EXPECT_EQ(attributes_of(Op::While).size(), 2U);
  EXPECT_EQ(attributes_of(Op::While)[0].attr, Attr::Condition);
}

TEST(AttributeList, SortedWhateverTheOrder) {
  Attributes a, b;
  a.set(Attr::K, std::int64_t{3});
  a.set(Attr::Largest, true);
  b.set(Attr::Largest, true);
  b.set(Attr::K, std::int64_t{2});
  EXPECT_NE(a, b);
  b.set(Attr::K, std::int64_t{3});
  EXPECT_EQ(a, b);
  EXPECT_EQ(hash(a), hash(b));
  EXPECT_EQ(a.integer(Attr::K), 3);
  EXPECT_EQ(a.integer(Attr::Index, -7), -7);
  EXPECT_TRUE(a.ints(Attr::OffsetDims).empty());
}

TEST(AttributeList, ConstantsCompareBitwise) {
  const auto constant = [](double value) {
    return ConstantArray{Type::array(ElementType::F32, {1}), {Scalar::of(ElementType::F32, value)}};
  };
  EXPECT_TRUE(constant(kNan) == constant(kNan));
  EXPECT_FALSE(constant(0.0) == constant(-0.0));
  Attributes zero, minus;
  zero.set(Attr::Literal, constant(0.0));
  minus.set(Attr::Literal, constant(-0.0));
  EXPECT_NE(zero, minus);
}

}  // namespace
}  // namespace gg::testing
