// Replica groups: the four spellings, order inside groups, limits.
#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

using Groups = std::vector<std::vector<std::int64_t>>;

Groups groups(const std::string& text) { return parse_replica_groups(text).groups; }

DiagCode refusal(const std::string& text) {
  try {
    parse_replica_groups(text);
  } catch (const InputError& error) {
    return error.diags()[0].code;
  }
  ADD_FAILURE() << text << " was accepted";
  return DiagCode::NotYet;
}

TEST(ReplicaGroups, Lists) {
  EXPECT_EQ((Groups{{0, 1}, {2, 3}}), groups("{{0,1},{2,3}}"));
  EXPECT_EQ((Groups{{0, 2, 1, 3}, {4, 6, 5, 7}}), groups("{ {0, 2,1,3} , {4,6,5,7} }"));
  EXPECT_EQ((Groups{{3}}), groups("{{3}}"));
}

TEST(ReplicaGroups, Everyone) {
  EXPECT_TRUE(parse_replica_groups("{}").everyone);
  EXPECT_TRUE(parse_replica_groups("{{}}").everyone);
  EXPECT_FALSE(parse_replica_groups("{{0}}").everyone);
  EXPECT_EQ(parse_replica_groups("{}"), parse_replica_groups("{{}}"));
}

TEST(ReplicaGroups, Iota) {
  EXPECT_EQ((Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}), groups("[2,4]<=[8]"));
  EXPECT_EQ((Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}), groups("[4,2]<=[2,4]T(1,0)"));
  EXPECT_EQ((Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}), groups("[4,2]<=[2,2,2]T(0,2,1)"));
  // 405B: element (k, j) of [64,2]<=[2,8,8]T(2,1,0) walks the digits backwards.
  const Groups big = groups("[64,2]<=[2,8,8]T(2,1,0)");
  ASSERT_EQ(64U, big.size());
  EXPECT_EQ((std::vector<std::int64_t>{0, 64}), big[0]);
  EXPECT_EQ((std::vector<std::int64_t>{8, 72}), big[1]);
  EXPECT_EQ((std::vector<std::int64_t>{1, 65}), big[8]);
}

TEST(ReplicaGroups, Mesh) {
  EXPECT_EQ(groups("[2,4]<=[8]"), groups("mesh['a'=2,'b'=4] {'b'}"));
  EXPECT_EQ(groups("[4,2]<=[2,4]T(1,0)"), groups("mesh['a'=2,'b'=4] {'a'}"));
  EXPECT_EQ(groups("[2,4]<=[8]"), groups("mesh[a=2,b=4] {b}"));
  EXPECT_EQ((Groups{{0, 1, 2, 3, 4, 5, 6, 7}}), groups("mesh['a'=2,'b'=4] {'a','b'}"));
  EXPECT_EQ((Groups{{0, 4, 1, 5, 2, 6, 3, 7}}), groups("mesh['a'=2,'b'=4] {'b','a'}"));
  EXPECT_EQ((Groups{{0}, {1}}), groups("mesh['a'=2] {}"));
  EXPECT_EQ(groups("mesh['a'=2,'b'=4] {'b'}"), groups("mesh['a'=2,'one'=1,'b'=4] {'b'}"));
}

TEST(ReplicaGroups, MeshWithDeviceOrder) {
  // Coordinates (a, b) hold device iota([4,2])^T: (a, b) -> b * 2 + a.
  EXPECT_EQ((Groups{{0, 2, 4, 6}, {1, 3, 5, 7}}), groups("mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b'}"));
  EXPECT_EQ((Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}), groups("mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a'}"));
  EXPECT_EQ((Groups{{1, 0}, {2, 3}}), groups("mesh['a'=2,'b'=2], device_ids=(1,0,2,3) {'b'}"));
}

TEST(ReplicaGroups, PartsOfAxes) {
  // 'a' of size 8 is the digits (2, 2, 2) here.
  EXPECT_EQ((Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}), groups("mesh['a'=8] {'a':(1)2}"));
  EXPECT_EQ((Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}), groups("mesh['a'=8] {'a':(2)2}"));
  EXPECT_EQ((Groups{{0, 1, 4, 5}, {2, 3, 6, 7}}), groups("mesh['a'=8] {'a':(1)2,'a':(4)2}"));
  EXPECT_EQ((Groups{{0, 4, 1, 5}, {2, 6, 3, 7}}), groups("mesh['a'=8] {'a':(4)2,'a':(1)2}"));
}

TEST(ReplicaGroups, Refused) {
  EXPECT_EQ(DiagCode::Syntax, refusal(""));
  EXPECT_EQ(DiagCode::Syntax, refusal("{0,1}"));
  EXPECT_EQ(DiagCode::Syntax, refusal("{{0,1}"));
  EXPECT_EQ(DiagCode::Syntax, refusal("{{0,1}} x"));
  EXPECT_EQ(DiagCode::BadNumber, refusal("{{0,-1}}"));
  EXPECT_EQ(DiagCode::BadNumber, refusal("{{0,99999999999}}"));
  EXPECT_EQ(DiagCode::BadNumber, refusal("{{99999999999999999999}}"));
  EXPECT_EQ(DiagCode::BadGroups, refusal("[2,4]<=[9]"));
  EXPECT_EQ(DiagCode::BadGroups, refusal("[8]<=[8]"));
  EXPECT_EQ(DiagCode::BadNumber, refusal("[2,0]<=[0]"));
  EXPECT_EQ(DiagCode::BadNumber, refusal("[1000000000,1]<=[1000000000]"));
  EXPECT_EQ(DiagCode::TooLarge, refusal("[1000000,1000000]<=[1000000,1000000]"));
  EXPECT_EQ(DiagCode::BadAttribute, refusal("[4,2]<=[2,4]T(1,1)"));
  EXPECT_EQ(DiagCode::BadAttribute, refusal("[4,2]<=[2,4]T(1)"));
  EXPECT_EQ(DiagCode::UnknownName, refusal("mesh['a'=2] {'b'}"));
  EXPECT_EQ(DiagCode::DuplicateName, refusal("mesh['a'=2,'a'=2] {'a'}"));
  EXPECT_EQ(DiagCode::TooLarge, refusal("mesh['a'=1000000,'b'=1000000] {'a'}"));
  EXPECT_EQ(DiagCode::BadAttribute, refusal("mesh['a'=4], device_ids=(0,1,2,2) {'a'}"));
  EXPECT_EQ(DiagCode::BadAttribute, refusal("mesh['a'=8] {'a':(3)2}"));
  EXPECT_EQ(DiagCode::BadAttribute, refusal("mesh['a'=8] {'a':(1)4,'a':(2)2}"));
}

}  // namespace
}  // namespace gg
