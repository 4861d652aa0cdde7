// Shardings: every spelling, subgroups, named meshes, printing.
#include "models/hlo/sharding.h"

#include <gtest/gtest.h>

#include "models/base/diag.h"

namespace gg {
namespace {

using List = std::vector<std::int64_t>;

bool refused(const std::string& text) {
  try {
    parse_sharding(text);
  } catch (const InputError&) {
    return true;
  }
  return false;
}

TEST(Sharding, Words) {
  EXPECT_EQ(ShardingKind::Replicated, parse_sharding("{replicated}").kind);
  EXPECT_EQ(ShardingKind::Manual, parse_sharding("{ manual }").kind);
  EXPECT_EQ(ShardingKind::Unknown, parse_sharding("{unknown}").kind);
  EXPECT_EQ(ShardingKind::Unreduced, parse_sharding("{unreduced}").kind);
  EXPECT_EQ(3, parse_sharding("{maximal device=3}").device);
  EXPECT_EQ(ShardingKind::Maximal, parse_sharding("{maximal_mesh[device_id=1]}").kind);
  EXPECT_EQ(ShardingKind::Replicated, parse_sharding("{replicated metadata={op_name=\"a}b\"}}").kind);
  EXPECT_EQ(ShardingKind::Replicated, parse_sharding("{mesh[], replicated}").kind);
}

TEST(Sharding, TileLists) {
  const Sharding s = parse_sharding("{devices=[2,2]0,2,1,3}");
  EXPECT_EQ((List{2, 2}), s.tiles);
  EXPECT_EQ((List{0, 2, 1, 3}), s.devices);
  EXPECT_TRUE(s.subgroups.empty());
  EXPECT_EQ("{devices=[2,2]0,2,1,3}", to_string(s));
}

TEST(Sharding, Iota) {
  EXPECT_EQ(parse_sharding("{devices=[2,4]0,1,2,3,4,5,6,7}"), parse_sharding("{devices=[2,4]<=[8]}"));
  const Sharding s = parse_sharding("{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ((List{1, 4, 2}), s.tiles);
  EXPECT_EQ((List{0, 4, 1, 5, 2, 6, 3, 7}), s.devices);
  EXPECT_EQ(std::vector{Subgroup::Replicated}, s.subgroups);
  EXPECT_EQ("{devices=[2,4]<=[8]}", to_string(parse_sharding("{devices=[2,4]<=[8]}")));
}

TEST(Sharding, Subgroups) {
  const Sharding s = parse_sharding("{devices=[1,1,4,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}");
  EXPECT_EQ((std::vector{Subgroup::Manual, Subgroup::Replicated}), s.subgroups);
  EXPECT_EQ(s, parse_sharding(to_string(s)));
  EXPECT_EQ(std::vector{Subgroup::Unreduced},
            parse_sharding("{devices=[2,1,4]<=[8] last_tile_dims={unreduced}}").subgroups);
}

TEST(Sharding, Tuples) {
  const Sharding s = parse_sharding("{{replicated}, /*index=1*/{devices=[2,1,4]<=[8] last_tile_dim_replicate}, {}}");
  EXPECT_EQ(ShardingKind::Tuple, s.kind);
  ASSERT_EQ(3U, s.elements.size());
  EXPECT_EQ(ShardingKind::Tuple, s.elements[2].kind);
  EXPECT_EQ(s, parse_sharding(to_string(s)));
}

TEST(Sharding, NamedMeshes) {
  EXPECT_EQ(parse_sharding("{devices=[2,1,4]<=[8] last_tile_dim_replicate}"),
            parse_sharding("{mesh['dp'=2,'tp'=4], [{'dp'}, {}]}"));
  EXPECT_EQ(parse_sharding("{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"),
            parse_sharding("{mesh['dp'=2,'tp'=4], [{}, {'tp'}]}"));
  EXPECT_EQ(parse_sharding("{devices=[8]<=[8]}"), parse_sharding("{mesh['dp'=2,'tp'=4], [{'dp', 'tp'}]}"));
  EXPECT_EQ(parse_sharding("{devices=[4,2]<=[2,4]T(1,0)}"), parse_sharding("{mesh[dp=2,tp=4], [{tp}, {dp, ?}]}"));
  EXPECT_EQ(parse_sharding("{devices=[2,1,4]<=[8] last_tile_dims={unreduced}}"),
            parse_sharding("{mesh['dp'=2,'tp'=4], [{'dp'}, {}], unreduced={'tp'}}"));
  EXPECT_EQ(parse_sharding("{devices=[2,4]<=[8] last_tile_dim_replicate}"),
            parse_sharding("{mesh['dp'=2,'tp'=4], [{'dp'}], replicated={'tp'}}"));
  EXPECT_EQ(ShardingKind::Replicated, parse_sharding("{mesh['dp'=2], replicated}").kind);
  // Half of an axis: the other half is replicated.
  EXPECT_EQ(parse_sharding("{devices=[2,4]<=[2,4] last_tile_dim_replicate}"),
            parse_sharding("{mesh['a'=8], [{'a':(1)2}]}"));
}

TEST(Sharding, Refused) {
  for (const char* text :
       {"", "{", "replicated", "{replicated", "{devices=[2,2]0,1}", "{devices=[2]<=[2] last_tile_dims={x}}",
        "{devices=[2]<=[2] nonsense}", "{mesh['a'=2], [{'b'}]}", "{devices=[100000,100000]<=[100000,100000]}",
        "{devices=[0]<=[0]}", "{replicated} x", "{maximal}", "{mesh['a'=2], [{'a'}, {'a'}]}",
        "{devices=[2]<=[2] last_tile_dims={manual,manual}}"}) {
    EXPECT_TRUE(refused(text)) << text;
  }
  EXPECT_TRUE(refused(std::string(1000, '{')));
}

}  // namespace
}  // namespace gg
