// Placements in every notation: reading, printing, round trips, refusals.
#include <gtest/gtest.h>

#include "models/relation/placement.h"

namespace gg {
namespace {

const Mesh kMesh{{{"dp", 2}, {"tp", 4}}, {}};

Placement tiled(const std::vector<std::vector<std::string>>& dims) {
  Placement placement;
  for (const auto& axes : dims) placement.dims.push_back({.axes = axes, .segments = {}});
  return placement;
}

Placement partial(const std::vector<std::vector<std::string>>& dims, const std::vector<std::string>& axes,
                  const std::string& op = "sum") {
  Placement placement = tiled(dims);
  placement.kind = Placement::Kind::Partial;
  placement.partial_axes = axes;
  placement.partial_op = op;
  return placement;
}

Placement parse(const std::string& text, int rank = 2, const Mesh& mesh = kMesh) {
  return parse_placement(text, mesh, rank, {"relation.json"});
}

std::string code_of(const std::string& text, int rank = 2) {
  try {
    parse(text, rank);
  } catch (const InputError& error) {
    return std::string(info(error.diags().front().code).id);
  }
  return "accepted";
}

TEST(Notation, WholeEntries) {
  EXPECT_EQ(parse("replicated"), tiled({{}, {}}));
  EXPECT_EQ(parse("replicated", 0), tiled({}));
  EXPECT_EQ(parse("ignored").kind, Placement::Kind::Ignored);
}

TEST(Notation, PartitionSpec) {
  EXPECT_EQ(parse("P('dp', None)"), tiled({{"dp"}, {}}));
  EXPECT_EQ(parse("P()"), tiled({{}, {}}));
  EXPECT_EQ(parse("P()", 0), tiled({}));
  EXPECT_EQ(parse(" P( None , (\"dp\",'tp') ) "), tiled({{}, {"dp", "tp"}}));
  EXPECT_EQ(parse("PartitionSpec('tp',)"), tiled({{"tp"}, {}}));
  EXPECT_EQ(parse("jax.sharding.PartitionSpec(('tp',), 'dp')"), tiled({{"tp"}, {"dp"}}));
  EXPECT_EQ(parse("P(None, unreduced={'tp'})"), partial({{}, {}}, {"tp"}));
  EXPECT_EQ(parse("P('dp', None, unreduced=frozenset({'tp'}))"), partial({{"dp"}, {}}, {"tp"}));
}

TEST(Notation, HloSharding) {
  EXPECT_EQ(parse("{replicated}"), tiled({{}, {}}));
  EXPECT_EQ(parse("{devices=[2,1,4]<=[8] last_tile_dim_replicate}"), tiled({{"dp"}, {}}));
  EXPECT_EQ(parse("{devices=[4,2]<=[2,4]T(1,0)}"), tiled({{"tp"}, {"dp"}}));
  EXPECT_EQ(parse("{devices=[1,8]<=[8]}"), tiled({{}, {"dp", "tp"}}));
  EXPECT_EQ(parse("{devices=[8,1]0,4,1,5,2,6,3,7}"), tiled({{"tp", "dp"}, {}}));
  EXPECT_EQ(parse("{devices=[2,1,4]<=[8] last_tile_dims={unreduced}}"), partial({{"dp"}, {}}, {"tp"}));
}

TEST(Notation, DTensor) {
  EXPECT_EQ(parse("[Shard(0), Replicate()]"), tiled({{"dp"}, {}}));
  EXPECT_EQ(parse("(Shard(dim=1), Shard(dim=-2))"), tiled({{"tp"}, {"dp"}}));
  EXPECT_EQ(parse("[Shard(0), Shard(0)]"), tiled({{"dp", "tp"}, {}}));
  EXPECT_EQ(parse("[S(0), R]"), tiled({{"dp"}, {}}));
  EXPECT_EQ(parse("[_StridedShard(dim=0, sf=4), Shard(dim=0)]"), tiled({{"tp", "dp"}, {}}));
  EXPECT_EQ(parse("[_StridedShard(0, split_factor=4), Shard(0)]"), tiled({{"tp", "dp"}, {}}));
  EXPECT_EQ(parse("[Replicate(), Partial()]"), partial({{}, {}}, {"tp"}));
  EXPECT_EQ(parse("[Shard(1), Partial('max')]"), partial({{}, {"dp"}}, {"tp"}, "max"));
  EXPECT_EQ(parse("[Partial(avg), P(avg)]"), partial({{}, {}}, {"dp", "tp"}, "avg"));
  EXPECT_EQ(parse("[]", 2, Mesh{}), tiled({{}, {}}));
}

TEST(Notation, Shardy) {
  EXPECT_EQ(parse("[{'dp'}, {}]"), tiled({{"dp"}, {}}));
  EXPECT_EQ(parse("[{\"tp\", \"dp\"}, {}]"), tiled({{"tp", "dp"}, {}}));
  EXPECT_EQ(parse("[]", 0), tiled({}));
  EXPECT_EQ(parse("#sdy.sharding<@mesh, [{\"dp\"}, {}], replicated={\"tp\"}>"), tiled({{"dp"}, {}}));
  EXPECT_EQ(parse("[{}, {'dp'}], unreduced={'tp'}"), partial({{}, {"dp"}}, {"tp"}));
}

TEST(Notation, BadTexts) {
  for (const char* text : {"",
                           "  ",
                           "dp",
                           "P('dp'",
                           "P('dp' 'tp')",
                           "P('dp', None, None)",
                           "P(Nothing)",
                           "P('dp') x",
                           "Q()",
                           "P('zp')",
                           "P('dp', 'dp')",
                           "P(('dp', 'tp'), 'tp')",
                           "P('dp",
                           "[Shard(0)]",
                           "[Shard(2), Replicate()]",
                           "[Shard(-3), Replicate()]",
                           "[Shard(), Replicate()]",
                           "[Shard(0), Gather()]",
                           "[_StridedShard(0, sf=3), Shard(0)]",
                           "[Partial(median), Replicate()]",
                           "[{'dp'}]",
                           "[{'dp'}, {}",
                           "[{dp}, {}]",
                           "{devices=[2,2]<=[8",
                           "[{}, {}], unknown={'tp'}",
                           "{devices=[2,1,1,4]<=[8] last_tile_dim_replicate}"}) {
    EXPECT_EQ(code_of(text), "GG-R003") << text;
  }
}

TEST(Notation, FormsThatNothingHereCanMean) {
  for (const char* text :
       {"P(P.UNCONSTRAINED, None)", "[{'dp', ?}, {}]", "[{'tp':(1)2}, {}]", "[{'dp'}p1, {}]", "{maximal device=1}",
        "{devices=[4,2]<=[8]}", "{devices=[2,1]<=[2]}", "[Partial(sum), Partial(max)]", "{devices=[3,1]0,1,2}"}) {
    EXPECT_EQ(code_of(text), "GG-N003") << text;
  }
}

TEST(Notation, Prints) {
  const Placement split = tiled({{"dp"}, {}});
  EXPECT_EQ(print_placement(split, kMesh, Notation::Json), "[[\"dp\"], []]");
  EXPECT_EQ(print_placement(split, kMesh, Notation::PartitionSpec), "P('dp', None)");
  EXPECT_EQ(print_placement(split, kMesh, Notation::Hlo), "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  EXPECT_EQ(print_placement(split, kMesh, Notation::DTensor), "[Shard(0), Replicate()]");
  EXPECT_EQ(print_placement(split, kMesh, Notation::Shardy), "[{'dp'}, {}]");
  EXPECT_EQ(print_placement(tiled({{"tp", "dp"}, {}}), kMesh, Notation::DTensor), "[_StridedShard(0, sf=4), Shard(0)]");
  EXPECT_EQ(print_placement(tiled({{}, {}}), kMesh, Notation::Hlo), "{replicated}");
}

TEST(Notation, RefusesWhatItCannotSay) {
  Placement fused = tiled({{"tp"}});
  fused.dims[0].segments = {4, 4};
  for (const Notation notation : {Notation::PartitionSpec, Notation::Hlo, Notation::DTensor, Notation::Shardy}) {
    EXPECT_THROW(print_placement(fused, kMesh, notation), InputError);
  }
  EXPECT_EQ(print_placement(fused, kMesh, Notation::Json), "[{\"axes\": [\"tp\"], \"segments\": [4, 4]}]");
  EXPECT_THROW(print_placement(partial({{}}, {"tp"}, "max"), kMesh, Notation::PartitionSpec), InputError);
  EXPECT_THROW(print_placement(partial({{}}, {"tp"}, "max"), kMesh, Notation::Hlo), InputError);
  EXPECT_EQ(print_placement(partial({{}}, {"tp"}, "max"), kMesh, Notation::DTensor), "[Replicate(), Partial(max)]");
}

// Every split of two dimensions over three axes, on plain and reordered devices, through every notation.
TEST(Notation, RoundTrips) {
  const std::vector<std::vector<std::string>> choices = {
      {}, {"a"}, {"b"}, {"c"}, {"a", "b"}, {"b", "a"}, {"c", "a"}, {"b", "c"}, {"c", "b", "a"}, {"b", "c", "a"}};
  for (const Mesh& mesh :
       {Mesh{{{"a", 2}, {"b", 3}, {"c", 5}}, {}}, Mesh{{{"a", 2}, {"b", 2}, {"c", 2}}, {0, 4, 2, 6, 1, 5, 3, 7}},
        Mesh{{{"a", 2}, {"b", 2}, {"c", 2}}, {3, 1, 2, 0, 7, 6, 5, 4}}}) {
    for (const auto& first : choices) {
      for (const auto& second : choices) {
        const Placement placement = tiled({first, second});
        try {
          check_placement(placement, mesh, 2, {});
        } catch (const InputError&) {
          continue;  // an axis twice
        }
        for (const Notation notation : {Notation::PartitionSpec, Notation::Hlo, Notation::DTensor, Notation::Shardy}) {
          const std::string text = print_placement(placement, mesh, notation);
          const bool ambiguous = notation == Notation::DTensor && mesh.axes[1].size == mesh.axes[2].size;
          const Placement back = parse_placement(text, mesh, 2, {});
          EXPECT_EQ(back, placement) << text << (ambiguous ? " (equal sizes)" : "");
        }
      }
    }
  }
}

TEST(PlacementOf, DevicesThatDoNotFit) {
  Sharding sharding;
  sharding.kind = ShardingKind::Tiled;
  sharding.tiles = {4};
  for (const std::vector<std::int64_t>& devices :
       {std::vector<std::int64_t>{0, 2, 3, 1}, {0, 0, 1, 2}, {0, 1, 2, 9}, {0, 1}, {3, 2, 1, 0}}) {
    sharding.devices = devices;
    EXPECT_FALSE(placement_of(sharding, Mesh{{{"a", 2}, {"b", 2}}, {}}).has_value());
  }
  sharding.devices = {3, 2, 1, 0};
  EXPECT_EQ(placement_of(sharding, Mesh{{{"a", 4}}, {3, 2, 1, 0}}), tiled({{"a"}}));
  sharding.kind = ShardingKind::Manual;
  EXPECT_FALSE(placement_of(sharding, Mesh{{{"a", 4}}, {}}).has_value());
}

}  // namespace
}  // namespace gg
