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

TEST(Precision, SameWideTypesHaveNone) {
  const ProofResult result = proof_of(dot("f32", "f32"));
  ASSERT_TRUE(result.proved);
  EXPECT_TRUE(result.precision.empty());
}

}  // namespace
}  // namespace gg
