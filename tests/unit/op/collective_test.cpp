// Collectives in every group mode. Written values are rank-major; rank = replica * partitions + partition.
#include "models/op/groups.h"
#include "op_case.h"

namespace gg::testing {
namespace {

class Collective : public ::testing::TestWithParam<OpCase> {};
TEST_P(Collective, Values) { check(GetParam()); }

/// f32[1] per rank, all-reduced by add: rank r holds 10^r.
OpCase all_reduce(const std::string& name, const std::string& attributes, std::int64_t replicas,
                  std::int64_t partitions, Values out) {
  Values in;
  for (std::int64_t r = 0; r < replicas * partitions; ++r) in.push_back(std::pow(10, static_cast<double>(r)));
  return {name, {"f32[1]"}, "f32[1] all-reduce(%p0), " + attributes + ", to_apply=%f", {in}, {std::move(out)}, binary("f", "f32[]", "add"), replicas, partitions};
}

std::vector<OpCase> group_modes_of_collective() {
  return {
      all_reduce("CrossReplica", "replica_groups={{0,1}}", 2, 2, {101, 1010, 101, 1010}),
      all_reduce("CrossReplicaEveryone", "replica_groups={}", 2, 2, {101, 1010, 101, 1010}),
      all_reduce("CrossReplicaSingles", "replica_groups={{1},{0}}", 2, 2, {1, 10, 100, 1000}),
      all_reduce("CrossReplicaAndPartition", "channel_id=1, replica_groups={{0},{1}}", 2, 2, {11, 11, 1100, 1100}),
      all_reduce("CrossReplicaAndPartitionBoth", "channel_id=1, replica_groups={{0,1}}", 2, 2,
                 {1111, 1111, 1111, 1111}),
      all_reduce("FlattenedIds", "channel_id=1, replica_groups={{0,3},{1,2}}, use_global_device_ids=true", 2, 2,
                 {1001, 110, 110, 1001}),
      all_reduce("FlattenedIdsEveryone", "channel_id=1, replica_groups={}, use_global_device_ids=true", 1, 4,
                 {1111, 1111, 1111, 1111}),
      all_reduce("FlattenedStrided", "channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true", 1, 4,
                 {101, 1010, 101, 1010}),
      all_reduce("FlattenedIota", "channel_id=1, replica_groups=[2,2]<=[2,2]T(1,0), use_global_device_ids=true", 1, 4,
                 {101, 1010, 101, 1010}),
      all_reduce("UnequalGroups", "channel_id=1, replica_groups={{0},{1,3,2}}, use_global_device_ids=true", 1, 4,
                 {1, 1110, 1110, 1110}),
      all_reduce("OfOneRank", "replica_groups={{0}}", 1, 1, {1})};
}

INSTANTIATE_TEST_SUITE_P(GroupModes, Collective, ::testing::ValuesIn(group_modes_of_collective()), case_name);

OpCase reduce_by(const std::string& name, const std::string& element, const std::string& op, Values in, double out) {
  const double n = static_cast<double>(in.size());
  Values all(static_cast<std::size_t>(n), out);
  const auto ranks = static_cast<std::int64_t>(in.size());
  return {name,
          {element + "[]"},
          element + "[] all-reduce(%p0), replica_groups={}, to_apply=%f",
          {std::move(in)},
          {all},
          binary("f", element + "[]", op),
          ranks,
          1};
}

std::vector<OpCase> monoids_of_collective() {
  return {reduce_by("Maximum", "f32", "maximum", {-3, -1, -2}, -1),
          reduce_by("MaximumInteger", "s8", "maximum", {-128, -128}, -128),
          reduce_by("MinimumUnsigned", "u64", "minimum", {7, 5}, 5),
          reduce_by("Multiply", "f32", "multiply", {2, 3, 4}, 24),
          reduce_by("And", "pred", "and", {1, 0}, 0),
          reduce_by("AndBits", "u8", "and", {6, 3}, 2),
          reduce_by("Or", "pred", "or", {1, 0}, 1),
          reduce_by("Xor", "s32", "xor", {6, 3}, 5)};
}

INSTANTIATE_TEST_SUITE_P(Monoids, Collective, ::testing::ValuesIn(monoids_of_collective()), case_name);

std::vector<OpCase> moves_of_collective() {
  return {
      OpCase{"AllReduceVariadic",
             {"f32[]", "f32[2]"},
             "(f32[], f32[2]) all-reduce(%p0, %p1), replica_groups={}, to_apply=%f",
             {{1, 2}, {1, 2, 3, 4}},
             {{3, 3}, {4, 6, 4, 6}},
             binary("f", "f32[]", "add"),
             2,
             1},
      OpCase{"AllGather",
             {"f32[1]"},
             "f32[2] all-gather(%p0), channel_id=1, replica_groups={{0,2},{1,3}}, dimensions={0}, "
             "use_global_device_ids=true",
             {{1, 2, 3, 4}},
             {{1, 3, 2, 4, 1, 3, 2, 4}},
             "",
             1,
             4},
      OpCase{"AllGatherOrderOfTheGroup",
             {"f32[1]"},
             "f32[3] all-gather(%p0), replica_groups={{2,0,1}}, dimensions={0}",
             {{1, 2, 3}},
             {{3, 1, 2, 3, 1, 2, 3, 1, 2}},
             "",
             3,
             1},
      OpCase{"AllGatherInner",
             {"f32[2,1]"},
             "f32[2,2] all-gather(%p0), replica_groups={}, dimensions={1}",
             {{1, 2, 3, 4}},
             {{1, 3, 2, 4, 1, 3, 2, 4}},
             "",
             2,
             1},
      OpCase{"AllGatherSeveral",
             {"f32[1]", "s32[1]"},
             "(f32[2], s32[2]) all-gather(%p0, %p1), replica_groups={}, dimensions={0}",
             {{1, 2}, {3, 4}},
             {{1, 2, 1, 2}, {3, 4, 3, 4}},
             "",
             2,
             1},
      OpCase{"AllGatherCrossReplicaAndPartition",
             {"f32[1]"},
             "f32[2] all-gather(%p0), channel_id=3, replica_groups={{1},{0}}, dimensions={0}",
             {{1, 2, 3, 4}},
             {{1, 2, 1, 2, 3, 4, 3, 4}},
             "",
             2,
             2},
      OpCase{"ReduceScatter",
             {"f32[4]"},
             "f32[2] reduce-scatter(%p0), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, "
             "dimensions={0}, to_apply=%f",
             {{1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7, 8, 50, 60, 70, 80}},
             {{11, 22, 33, 44, 55, 66, 77, 88}},
             binary("f", "f32[]", "add"),
             1,
             4},
      OpCase{"ReduceScatterOrderOfTheGroup",
             {"f32[2]"},
             "f32[1] reduce-scatter(%p0), replica_groups={{1,0}}, dimensions={0}, to_apply=%f",
             {{1, 2, 10, 20}},
             {{22, 11}},
             binary("f", "f32[]", "add"),
             2,
             1},
      OpCase{"ReduceScatterInner",
             {"f32[1,2]"},
             "f32[1,1] reduce-scatter(%p0), replica_groups={}, dimensions={1}, to_apply=%f",
             {{1, 2, 10, 20}},
             {{11, 22}},
             binary("f", "f32[]", "add"),
             2,
             1},
      OpCase{"AllToAll",
             {"f32[4]"},
             "f32[4] all-to-all(%p0), replica_groups={{0,1}}, dimensions={0}",
             {{1, 2, 3, 4, 5, 6, 7, 8}},
             {{1, 2, 5, 6, 3, 4, 7, 8}},
             "",
             2,
             1},
      OpCase{"AllToAllInner",
             {"f32[2,2]"},
             "f32[2,2] all-to-all(%p0), replica_groups={{0,1}}, dimensions={1}",
             {{1, 2, 3, 4, 5, 6, 7, 8}},
             {{1, 5, 3, 7, 2, 6, 4, 8}},
             "",
             2,
             1},
      OpCase{"AllToAllOrderOfTheGroup",
             {"f32[2]"},
             "f32[2] all-to-all(%p0), replica_groups={{1,0}}, dimensions={0}",
             {{1, 2, 3, 4}},
             {{4, 2, 3, 1}},
             "",
             2,
             1},
      OpCase{"AllToAllCrossPartition",
             {"f32[2]"},
             "f32[2] all-to-all(%p0), channel_id=1, replica_groups={{0,1}}, dimensions={0}",
             {{1, 2, 3, 4, 5, 6, 7, 8}},
             {{1, 3, 2, 4, 5, 7, 6, 8}},
             "",
             2,
             2},
      OpCase{"AllToAllCrossReplica",
             {"f32[2]"},
             "f32[2] all-to-all(%p0), replica_groups={{0,1}}, dimensions={0}",
             {{1, 2, 3, 4, 5, 6, 7, 8}},
             {{1, 5, 3, 7, 2, 6, 4, 8}},
             "",
             2,
             2},
      OpCase{"AllToAllTuple",
             {"f32[1]", "f32[1]"},
             "(f32[1], f32[1]) all-to-all(%p0, %p1), replica_groups={{0,1}}",
             {{1, 2}, {3, 4}},
             {{1, 3}, {2, 4}},
             "",
             2,
             1},
      OpCase{"AllToAllTupleOrder",
             {"f32[1]", "f32[1]"},
             "(f32[1], f32[1]) all-to-all(%p0, %p1), replica_groups={{1,0}}",
             {{1, 2}, {3, 4}},
             {{4, 2}, {3, 1}},
             "",
             2,
             1},
      OpCase{"PermuteRing",
             {"f32[1]"},
             "f32[1] collective-permute(%p0), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}",
             {{1, 2, 3, 4}},
             {{4, 1, 2, 3}},
             "",
             1,
             4},
      OpCase{"PermuteShiftGivesZero",
             {"f32[1]"},
             "f32[1] collective-permute(%p0), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3}}",
             {{1, 2, 3, 4}},
             {{0, 1, 2, 3}},
             "",
             1,
             4},
      OpCase{"PermuteTable",
             {"s32[1]"},
             "s32[1] collective-permute(%p0), source_target_pairs={{0,3},{3,2},{1,0}}",
             {{1, 2, 3, 4}},
             {{2, 0, 4, 1}},
             "",
             4,
             1},
      OpCase{"PermuteToItself",
             {"f32[1]"},
             "f32[1] collective-permute(%p0), source_target_pairs={{1,1}}",
             {{1, 2}},
             {{0, 2}},
             "",
             2,
             1},
      OpCase{"PermuteNothing",
             {"f32[1]"},
             "f32[1] collective-permute(%p0), source_target_pairs={}",
             {{1, 2}},
             {{0, 0}},
             "",
             2,
             1},
      OpCase{"PermuteCrossReplica",
             {"f32[1]"},
             "f32[1] collective-permute(%p0), source_target_pairs={{0,1},{1,0}}",
             {{1, 2, 3, 4}},
             {{3, 4, 1, 2}},
             "",
             2,
             2},
      OpCase{"PermuteCrossPartition",
             {"f32[1]"},
             "f32[1] collective-permute(%p0), channel_id=1, source_target_pairs={{0,1},{1,0}}",
             {{1, 2, 3, 4}},
             {{2, 1, 4, 3}},
             "",
             2,
             2}};
}

INSTANTIATE_TEST_SUITE_P(Moves, Collective, ::testing::ValuesIn(moves_of_collective()), case_name);

// --- rank_groups and rank_pairs

Attributes with_groups(std::vector<std::vector<std::int64_t>> groups, bool channel, bool global) {
  Attributes attributes;
  attributes.set(Attr::ReplicaGroups, ReplicaGroups{std::move(groups), false, ""});
  if (channel) attributes.set(Attr::HasChannel, true);
  if (global) attributes.set(Attr::UseGlobalDeviceIds, true);
  return attributes;
}

DiagCode refusal(Op op, const Attributes& attributes, RankLayout layout) {
  try {
    rank_groups(op, attributes, layout);
  } catch (const TypeError& error) {
    EXPECT_FALSE(error.message.empty());
    return error.code;
  }
  ADD_FAILURE() << "not refused";
  return DiagCode::Usage;
}

TEST(Groups, Refusals) {
  EXPECT_EQ(refusal(Op::AllReduce, with_groups({{0, 1}, {1, 2}}, true, true), {1, 3}), DiagCode::BadGroups);
  EXPECT_EQ(refusal(Op::AllReduce, with_groups({{0, 1}}, true, true), {1, 3}), DiagCode::BadGroups);
  EXPECT_EQ(refusal(Op::AllReduce, with_groups({{0, 3}}, true, true), {1, 2}), DiagCode::BadGroups);
  EXPECT_EQ(refusal(Op::AllReduce, with_groups({{0, -1}}, true, true), {1, 2}), DiagCode::BadGroups);
  EXPECT_EQ(refusal(Op::AllReduce, with_groups({{0, 1}, {}}, true, true), {1, 2}), DiagCode::BadGroups);
  EXPECT_EQ(refusal(Op::AllReduce, with_groups({{0, 1}}, false, true), {1, 2}), DiagCode::BadGroups);
  EXPECT_EQ(refusal(Op::AllGather, with_groups({{0}, {1, 2}}, true, true), {1, 3}), DiagCode::BadGroups);
  EXPECT_EQ(refusal(Op::AllToAll, with_groups({{0, 1}}, true, false), {2, 1}), DiagCode::BadGroups);
  EXPECT_EQ(refusal(Op::AllReduce, with_groups({{0}}, true, true), {INT64_MAX, INT64_MAX}), DiagCode::BadGroups);
}

TEST(Groups, OrderOfReplicasAndPartitionsIsNotSettled) {
  const Attributes attributes = with_groups({{0, 1}}, true, false);
  EXPECT_EQ(refusal(Op::AllGather, attributes, {2, 2}), DiagCode::UnsupportedForm);
  EXPECT_EQ(rank_groups(Op::AllReduce, attributes, {2, 2}).size(), 1U);
  EXPECT_EQ(rank_groups(Op::AllGather, attributes, {2, 1}).size(), 1U);
}

TEST(Groups, PairRefusals) {
  const auto code = [](PairList pairs) {
    Attributes attributes;
    attributes.set(Attr::SourceTargetPairs, std::move(pairs));
    try {
      rank_pairs(attributes, {3, 1});
    } catch (const TypeError& error) {
      return error.code;
    }
    return DiagCode::Usage;
  };
  EXPECT_EQ(code({{0, 1}, {0, 2}}), DiagCode::BadPermute);
  EXPECT_EQ(code({{0, 1}, {2, 1}}), DiagCode::BadPermute);
  EXPECT_EQ(code({{0, 3}}), DiagCode::BadPermute);
  EXPECT_EQ(code({{-1, 0}}), DiagCode::BadPermute);
}

}  // namespace
}  // namespace gg::testing
