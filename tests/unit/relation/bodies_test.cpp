// Placements as bodies: which element each rank holds, written out.
#include "models/relation/bodies.h"

#include <gtest/gtest.h>

#include "element.h"

namespace gg {
namespace {

struct Fixture {
  explicit Fixture(Mesh m) : mesh(std::move(m)), digits(RankDigits::refine(mesh, {}, {})), forms(arena, mesh, digits) {}
  // The elements that the ranks hold of f32[n], one dimension.
  std::string held(const DimPlacement& dim, std::int64_t n) {
    const std::int64_t local = local_extent(dim, n, forms.extent(dim.axes), place);
    const Body body = shard_body(forms, {dim}, 0, {}, type(n), type(local));
    return elements(arena, body);
  }
  static Type type(std::int64_t n) { return Type::array(ElementType::F32, {n}); }
  Arena arena;
  Mesh mesh;
  RankDigits digits;
  MeshForms forms;
  LeafPlace place{"inputs[0] 'x'", {"relation.json"}};
};

DimPlacement over(std::vector<std::string> axes) { return {.axes = std::move(axes), .segments = {}}; }

TEST(Bodies, Blocks) {
  Fixture f(Mesh{{{"tp", 2}}, {}});
  EXPECT_EQ(f.held(over({"tp"}), 4), "x0[0] x0[1] x0[2] x0[3]");
  EXPECT_EQ(f.held(over({}), 2), "x0[0] x0[1] x0[0] x0[1]");
}

TEST(Bodies, UnevenBlocksEndInPadding) {
  Fixture f(Mesh{{{"tp", 4}}, {}});
  EXPECT_EQ(f.held(over({"tp"}), 10), "x0[0] x0[1] x0[2] x0[3] x0[4] x0[5] x0[6] x0[7] x0[8] x0[9] ? ?");
  EXPECT_EQ(f.held(over({"tp"}), 5), "x0[0] x0[1] x0[2] x0[3] x0[4] ? ? ?");  // the last rank holds nothing
  EXPECT_EQ(f.held(over({"tp"}), 1), "x0[0] ? ? ?");
}

TEST(Bodies, AxesAreMajorFirst) {
  Fixture f(Mesh{{{"a", 2}, {"b", 2}}, {}});
  EXPECT_EQ(f.held(over({"a", "b"}), 4), "x0[0] x0[1] x0[2] x0[3]");
  EXPECT_EQ(f.held(over({"b", "a"}), 4), "x0[0] x0[2] x0[1] x0[3]");
  EXPECT_EQ(f.held(over({"b"}), 2), "x0[0] x0[1] x0[0] x0[1]");
}

TEST(Bodies, DeviceOrders) {
  Fixture swapped(Mesh{{{"a", 2}, {"b", 2}}, {0, 2, 1, 3}});
  EXPECT_EQ(swapped.held(over({"a"}), 2), "x0[0] x0[1] x0[0] x0[1]");
  Fixture odd(Mesh{{{"a", 2}, {"b", 2}}, {0, 3, 1, 2}});  // no digits: a table
  EXPECT_EQ(odd.held(over({"a", "b"}), 4), "x0[0] x0[2] x0[3] x0[1]");
}

TEST(Bodies, Segments) {
  Fixture f(Mesh{{{"tp", 2}}, {}});
  DimPlacement fused = over({"tp"});
  fused.segments = {4, 2};
  EXPECT_EQ(f.held(fused, 6), "x0[0] x0[1] x0[4] x0[2] x0[3] x0[5]");
  fused.segments = {3, 2};
  EXPECT_EQ(f.held(fused, 5), "x0[0] x0[1] x0[3] x0[2] ? x0[4]");
  fused.segments = {3, 1};
  EXPECT_THROW(f.held(fused, 5), InputError);
  fused.segments = {3, INT64_MAX};
  EXPECT_THROW(f.held(fused, 5), InputError);
}

TEST(Bodies, PadStrideInterleave) {
  Fixture f(Mesh{{{"tp", 2}}, {}});
  DimPlacement dim = over({"tp"});
  dim.pad = 6;
  EXPECT_EQ(f.held(dim, 4), "x0[0] x0[1] x0[2] x0[3] ? ?");
  dim.pad = 3;
  EXPECT_THROW(f.held(dim, 4), InputError);
  dim = over({"tp"});
  dim.stride = 1;
  EXPECT_EQ(f.held(dim, 5), "x0[0] x0[2] x0[4] x0[1] x0[3] ?");
  dim.stride = 2;
  EXPECT_EQ(f.held(dim, 8), "x0[0] x0[1] x0[4] x0[5] x0[2] x0[3] x0[6] x0[7]");
  dim = over({"tp"});
  dim.interleave = 2;  // three groups of two: the first rank holds two groups
  EXPECT_EQ(f.held(dim, 6), "x0[0] x0[1] x0[2] x0[3] x0[4] x0[5] ? ?");
  EXPECT_THROW(f.held(dim, 5), InputError);
  dim = over({});
  dim.pad = 3;
  EXPECT_EQ(f.held(dim, 2), "x0[0] x0[1] ? x0[0] x0[1] ?");
}

TEST(Bodies, ChunkIsCeilBlocks) {
  Fixture f(Mesh{{{"tp", 2}}, {}});
  DimPlacement dim = over({"tp"});
  dim.chunk = true;
  EXPECT_EQ(f.held(dim, 3), "x0[0] x0[1] x0[2] ?");
}

TEST(Bodies, CheckBlock) {
  Fixture f(Mesh{{{"tp", 4}}, {}});
  const auto code = [&](const Type& global, const Type& local) {
    try {
      check_block(f.forms, {over({"tp"})}, global, local, f.place);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("fits");
  };
  EXPECT_EQ(code(Fixture::type(10), Fixture::type(3)), "fits");
  const std::string wrong = code(Fixture::type(10), Fixture::type(2));
  EXPECT_NE(
      wrong.find("dimension 0 of 10 split over tp (4 shards) gives 3 elements a rank, the distributed program has 2"),
      std::string::npos)
      << wrong;
  EXPECT_NE(wrong.find("[GG-R004]"), std::string::npos);
  EXPECT_EQ(code(Fixture::type(8), Type::array(ElementType::BF16, {2})), "fits");
  EXPECT_NE(code(Fixture::type(8), Type::array(ElementType::S32, {2})).find("[GG-R004]"), std::string::npos);
  EXPECT_NE(code(Fixture::type(8), Type::array(ElementType::F32, {2, 1})).find("[GG-R004]"), std::string::npos);
}

TEST(Bodies, OtherFloatTypeIsConverted) {
  Fixture f(Mesh{{{"tp", 2}}, {}});
  const Body body = shard_body(f.forms, {over({"tp"})}, 0, {}, Fixture::type(4), Type::array(ElementType::BF16, {2}));
  EXPECT_EQ(body.type, ElementType::BF16);
  EXPECT_EQ(f.arena[body.root].fn, ScalarFn::Convert);
}

TEST(Bodies, PartialInput) {
  Fixture f(Mesh{{{"dp", 2}, {"tp", 2}}, {}});
  const auto digits = f.forms.digits_of({"tp"}, {});
  ASSERT_EQ(digits, std::vector<int>{1});
  const std::vector<LinId> leading = {f.digits.variables(f.arena)[1]};
  const Body shard = shard_body(f.forms, {over({"dp"})}, 3, leading, Fixture::type(2), Fixture::type(1));
  EXPECT_EQ(elements(f.arena, shard), "x3[0,0] x3[1,0] x3[0,1] x3[1,1]");
  const Body sum = fold_body(f.arena, "sum", 3, {2}, Fixture::type(2), f.place);
  EXPECT_EQ(f.arena[sum.root].kind, ExprKind::Fold);
  EXPECT_EQ(f.arena[sum.root].fn, ScalarFn::Add);
  EXPECT_EQ(sum.extents, std::vector<std::int64_t>{2});
  EXPECT_EQ(f.arena[fold_body(f.arena, "max", 0, {2}, Fixture::type(2), f.place).root].fn, ScalarFn::Max);
  EXPECT_EQ(f.arena[fold_body(f.arena, "avg", 0, {2}, Fixture::type(2), f.place).root].fn, ScalarFn::Divide);
}

TEST(Bodies, PartialTypesThatHaveNoFold) {
  Fixture f(Mesh{{{"tp", 2}}, {}});
  const auto fold = [&](const char* op, ElementType type) {
    return fold_body(f.arena, op, 0, {2}, Type::array(type, {2}), f.place);
  };
  EXPECT_THROW(fold("avg", ElementType::S32), InputError);
  EXPECT_THROW(fold("sum", ElementType::Pred), InputError);
  EXPECT_THROW(fold("max", ElementType::F8E4M3FN), InputError);
  EXPECT_THROW(fold("sum", ElementType::C64), InputError);
  const Body least = fold("max", ElementType::S8);
  EXPECT_EQ(f.arena.scalar(f.arena.kids(least.root)[0]), Scalar::of_int(ElementType::S8, -128));
  const Body most = fold("min", ElementType::U8);
  EXPECT_EQ(f.arena.scalar(f.arena.kids(most.root)[0]), Scalar::of_int(ElementType::U8, 255));
}

TEST(Claims, PaddingIsNotCompared) {
  Fixture f(Mesh{{{"tp", 4}}, {}});
  Placement placement;
  placement.dims = {over({"tp"})};
  const OutputClaim claim = tiled_claim(f.forms, placement, 2, Fixture::type(5), Fixture::type(2), f.place);
  EXPECT_EQ(claim.extents, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(elements(f.arena, claim.sequential, claim.extents), "x2[0] x2[1] x2[2] x2[3] x2[4] ? ? ?");
  EXPECT_EQ(elements(f.arena, claim.distributed, {4, 1}), "x2[0,0] x2[1,0] x2[2,0] x2[3,0]");
  for (std::int64_t m = 0; m < 4; ++m) {
    for (std::int64_t i = 0; i < 2; ++i) {
      const Arena::Substitution at{.vars = {f.arena.constant(m), f.arena.constant(i)}, .read = {}};
      EXPECT_EQ(f.arena.substitute(claim.compared, at) == f.arena.always(), 2 * m + i < 5);
    }
  }
}

TEST(Claims, ReplicasAreAllClaimed) {
  Fixture f(Mesh{{{"dp", 2}, {"tp", 2}}, {}});
  Placement placement;
  placement.dims = {over({"tp"})};
  const OutputClaim claim = tiled_claim(f.forms, placement, 0, Fixture::type(2), Fixture::type(1), f.place);
  EXPECT_EQ(claim.compared, f.arena.always());
  EXPECT_EQ(elements(f.arena, claim.sequential, claim.extents), "x0[0] x0[1] x0[0] x0[1]");
  EXPECT_EQ(elements(f.arena, claim.distributed, claim.extents), "x0[0,0,0] x0[0,1,0] x0[1,0,0] x0[1,1,0]");
}

TEST(Claims, SegmentsWithPaddingInside) {
  Fixture f(Mesh{{{"tp", 2}}, {}});
  Placement placement;
  placement.dims = {over({"tp"})};
  placement.dims[0].segments = {3, 2};
  const OutputClaim claim = tiled_claim(f.forms, placement, 0, Fixture::type(5), Fixture::type(3), f.place);
  std::string compared;
  for (std::int64_t m = 0; m < 2; ++m) {
    for (std::int64_t i = 0; i < 3; ++i) {
      const Arena::Substitution at{.vars = {f.arena.constant(m), f.arena.constant(i)}, .read = {}};
      compared += f.arena.substitute(claim.compared, at) == f.arena.always() ? "1" : "0";
    }
  }
  EXPECT_EQ(compared, "111101");
}

TEST(Claims, PartialFoldsOverItsDigits) {
  Fixture f(Mesh{{{"dp", 2}, {"tp", 2}}, {}});
  Placement placement;
  placement.kind = Placement::Kind::Partial;
  placement.partial_axes = {"tp"};
  placement.dims = {over({"dp"})};
  const OutputClaim claim = tiled_claim(f.forms, placement, 0, Fixture::type(4), Fixture::type(2), f.place);
  ASSERT_EQ(f.arena[claim.distributed].kind, ExprKind::Fold);
  EXPECT_EQ(f.arena.extents(claim.distributed)[0], 2);
  EXPECT_EQ(element_at(f.arena, f.arena.kids(claim.distributed)[1], {1, 0, 1, 0}), "x0[1,0,1]");
  EXPECT_EQ(elements(f.arena, claim.sequential, {2, 2, 2}), "x0[0] x0[1] x0[0] x0[1] x0[2] x0[3] x0[2] x0[3]");
}

TEST(Claims, PartialNeedsDigits) {
  Fixture f(Mesh{{{"a", 2}, {"b", 2}}, {0, 3, 1, 2}});
  Placement placement;
  placement.kind = Placement::Kind::Partial;
  placement.partial_axes = {"a"};
  EXPECT_THROW(tiled_claim(f.forms, placement, 0, Fixture::type(1), Fixture::type(1), f.place), InputError);
}

}  // namespace
}  // namespace gg
