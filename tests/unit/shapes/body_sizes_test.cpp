// What bodies say of sizes: for the example of every operator, and for forms of windows, padding and blocks by hand.
#include "models/size/body_sizes.h"

#include <gtest/gtest.h>

#include "models/base/check.h"
#include "models/op/examples.h"
#include "runtime/shapes/reduce.h"
#include "tests/unit/runtime/case_builder.h"

namespace gg {
namespace {

using Dims = std::vector<SizeVar>;

struct Stated {
  SizeSystem sizes;
  Kinds kinds;
  std::vector<Dims> operands;
  Dims result;
};

Dims unknowns(SizeSystem& sizes, const Type& type) {
  Dims dims;
  for (const std::int64_t n : type.dims) dims.push_back(sizes.add(n));
  return dims;
}

/// States what the body of a call says, and chooses sizes.
Stated state(Arena& arena, const Call& call) {
  Stated s;
  const Body body = make_body(arena, call);
  for (const Type* operand : call.operands) s.operands.push_back(unknowns(s.sizes, *operand));
  s.result = unknowns(s.sizes, *infer_type(call).leaves()[0]);
  std::vector<KindId> ranks, of(call.operands.size());
  for (KindId& kind : of) kind = s.kinds.add();
  BodySizes::Frame frame;
  frame.digits = call.digits == nullptr ? 0 : call.digits->digits().size();
  frame.result = s.result;
  frame.dim = [&](int k, std::size_t d) { return s.operands[static_cast<std::size_t>(k)][d]; };
  frame.kind = [&](int k) { return of[static_cast<std::size_t>(k)]; };
  frame.literal = [](int) { return false; };
  frame.rank_kinds = &ranks;
  BodySizes(arena, s.sizes, s.kinds, std::move(frame)).state(body.root);
  s.sizes.resolve();
  s.sizes.solve();
  return s;
}

TEST(BodySizes, HoldForTheExampleOfEveryOperator) {
  std::size_t stated = 0;
  for (const OpInfo& row : operators()) {
    Arena arena;
    const auto example = row.traits == OpTraits::Structure ? nullptr : example_of(arena, row.op);
    if (example == nullptr) continue;
    EXPECT_NO_THROW(state(arena, example->call())) << row.name;
    ++stated;
  }
  EXPECT_GT(stated, 80U);
}

Call call(Op op, const Attributes& attributes, std::vector<const Type*> operands, const Type* result) {
  Call made{op, &attributes, std::move(operands), result, {}, nullptr, {}};
  return made;
}

TEST(BodySizes, ReshapesAreProductsOverAsFewDimensionsAsItTakes) {
  Arena arena;
  const Type from = Type::array(ElementType::F32, {700, 6, 1000}), to = Type::array(ElementType::F32, {700, 60, 100});
  const Attributes none;
  Stated s = state(arena, call(Op::Reshape, none, {&from}, &to));
  EXPECT_EQ(s.sizes.root(s.operands[0][0]), s.sizes.root(s.result[0]));
  EXPECT_EQ(s.sizes.reduced(s.operands[0][1]) * s.sizes.reduced(s.operands[0][2]), s.sizes.reduced(s.result[1]) * s.sizes.reduced(s.result[2]));
  EXPECT_LT(s.sizes.reduced(s.result[1]), 60);
}

TEST(BodySizes, PiecesOfAConcatenationAreParts) {
  Arena arena;
  const Type a = Type::array(ElementType::F32, {50}), b = Type::array(ElementType::F32, {70}), c = Type::array(ElementType::F32, {1});
  const Type all = Type::array(ElementType::F32, {121});
  Attributes along;
  along.set(Attr::BroadcastDims, IntList{0});
  Stated s = state(arena, call(Op::Concatenate, along, {&a, &b, &c}, &all));
  EXPECT_EQ(s.sizes.reduced(s.operands[0][0]) + s.sizes.reduced(s.operands[1][0]) + 1, s.sizes.reduced(s.result[0]));
  EXPECT_EQ(s.sizes.borders(s.result[0]).size(), 2U);
}

const char* const kHead = R"(HloModule m
%max (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %m = f32[] maximum(%a, %b)
}
)";

ShapeReduction reduced(const std::string& body) {
  const std::string text = kHead + body;
  return reduce_shapes(test::make_case(text, text, R"({"mesh": [["d", 1]], "inputs": [[[]]], "outputs": [[[]]]})"));
}

TEST(BodySizes, WindowsSideBySideShrinkByTheirNumber) {
  const ShapeReduction r = reduced(R"(ENTRY %main (x: f32[640]) -> f32[160] {
  %x = f32[640]{0} parameter(0)
  %low = f32[] constant(0)
  ROOT %pool = f32[160]{0} reduce-window(%x, %low), window={size=4 stride=4}, to_apply=%max
})");
  EXPECT_LE(r.largest_after, 20);
  EXPECT_EQ(r.largest_after % 4, 0);
}

TEST(BodySizes, InteriorPaddingStays) {
  const ShapeReduction r = reduced(R"(ENTRY %main (x: f32[320]) -> f32[640] {
  %x = f32[320]{0} parameter(0)
  %low = f32[] constant(0)
  ROOT %pad = f32[640]{0} pad(%x, %low), padding=0_1_1
})");
  EXPECT_EQ(r.largest_after, 640);
}

}  // namespace
}  // namespace gg
