// Notes on narrower types beside a proof.
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

PairText dot(const std::string& type, const std::string& reduced) {
  const bool same = type == reduced;
  return {R"(
  x = )" + type +
              R"([4,8] parameter(0)
  w = )" + type +
              R"([8,6] parameter(1)
  ROOT y = )" +
              type + R"([4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)",
          R"(
  x = )" + type +
              R"([2,4] parameter(0)
  w = )" + type +
              R"([4,6] parameter(1)
  d = )" + type +
              R"([2,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = )" + reduced +
              "[2,6] " + (same ? "copy(d)" : "convert(d)") + R"(
  a = )" + reduced +
              R"([2,6] all-reduce(c), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=)" + (reduced == "f32" ? "add" : "add16") + R"(
  ROOT y = )" +
              type + "[2,6] " + (same ? "copy(a)" : "convert(a)") + "\n",
          R"([[["dp"],["tp"]], [["tp"],[]]])", R"([[["dp"],[]]])"};
}

TEST(Precision, NarrowerAllReduce) {
  const ProofResult result = proof_of(dot("f32", "bf16"));
  ASSERT_TRUE(result.proved);
  EXPECT_EQ(result.precision, (std::vector<std::string>{"c bf16, no value of the sequential program has so few bits", "a bf16, sequential y f32"}));
}

TEST(Precision, PartialSumsInTheSameNarrowType) {
  const ProofResult result = proof_of(dot("bf16", "bf16"));
  ASSERT_TRUE(result.proved);
  EXPECT_EQ(result.precision, std::vector<std::string>{"a bf16, sequential y bf16, partial sums are rounded before they are added"});
}

// An integer of which nothing is known, there and back through a type that does not hold it.
TEST(Precision, IntegersThroughFewBits) {
  const auto through = [](const std::string& count, const std::string& type) {
    return "  x = s32[" + count + "] parameter(0)\n  a = " + type + "[" + count + "] convert(x)\n  b = s32[" + count + "] convert(a)\n  ROOT o = pred[" + count + "] compare(b, x), direction=EQ\n";
  };
  const auto notes = [&](const std::string& sequential, const std::string& distributed) {
    const ProofResult result = proof_of({through("4", sequential), through("2", distributed), R"([[["dp"]]])", R"([[["dp"]]])"});
    EXPECT_TRUE(result.proved);
    return result.precision;
  };
  EXPECT_EQ(notes("f32", "bf16"), std::vector<std::string>{"a bf16, whole numbers of which it holds those up to 256 only"});
  EXPECT_TRUE(notes("bf16", "bf16").empty());
  EXPECT_EQ(notes("bf16", "f32"), std::vector<std::string>{"sequential a bf16, whole numbers of which it holds those up to 256 only"});
}

TEST(Precision, SameWideTypesHaveNone) {
  const ProofResult result = proof_of(dot("f32", "f32"));
  ASSERT_TRUE(result.proved);
  EXPECT_TRUE(result.precision.empty());
}

}  // namespace
}  // namespace gg
