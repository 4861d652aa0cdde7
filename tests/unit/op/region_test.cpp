// Regions as scalar functions, and bodies made once a signature.
#include "op_case.h"
#include "tests/unit/reference.h"

namespace gg::testing {
namespace {

Module parse(const std::string& text) { return parse_hlo("HloModule m\n\n" + text, "test.hlo"); }

ComputationId named(const Module& module, std::string_view name) {
  for (ComputationId id = 0; id < module.computations().size(); ++id) {
    if (module.string(module.computation(id).name) == name) return id;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(Regions, MonoidsAreRecognised) {
  for (const char* op : {"add", "multiply", "maximum", "minimum"}) {
    const Module module = parse(binary("f", "f32[]", op) + "ENTRY %main {\n  ROOT %x = f32[] parameter(0)\n}\n");
    Arena arena;
    const Region region = read_region(arena, module, named(module, "f"));
    ASSERT_TRUE(region.monoid.has_value()) << op;
    EXPECT_EQ(info(*region.monoid).name, op);
  }
}

TEST(Regions, OneParameterTwiceIsNoMonoid) {
  const Module module = parse(
      "%f (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
      "  ROOT %r = f32[] add(%a, %a)\n}\n\nENTRY %main {\n  ROOT %x = f32[] parameter(0)\n}\n");
  Arena arena;
  const Region region = read_region(arena, module, named(module, "f"));
  EXPECT_FALSE(region.monoid.has_value());
  ASSERT_EQ(region.results.size(), 1U);
}

TEST(Regions, ArraysAndRanksAreNoScalarFunctions) {
  const Module module = parse(
      "%f (a: f32[2]) -> f32[2] {\n  %a = f32[2] parameter(0)\n  ROOT %r = f32[2] negate(%a)\n}\n\n"
      "%g (a: u32[]) -> u32[] {\n  %a = u32[] parameter(0)\n  %p = u32[] partition-id()\n"
      "  ROOT %r = u32[] add(%a, %p)\n}\n\nENTRY %main {\n  ROOT %x = f32[] parameter(0)\n}\n");
  Arena arena;
  EXPECT_TRUE(read_region(arena, module, named(module, "f")).results.empty());
  EXPECT_TRUE(read_region(arena, module, named(module, "g")).results.empty());
}

// JAX's sort comparator: zeros and NaNs made canonical, then a total order.
TEST(Regions, CanonicalTotalOrder) {
  const Module module = parse(
      "%f (a: f32[], b: f32[]) -> pred[] {\n  %a = f32[] parameter(0)\n  %na = pred[] compare(%a, %a), direction=NE\n"
      "  %nan = f32[] constant(nan)\n  %zero = f32[] constant(0)\n"
      "  %za = pred[] compare(%a, %zero), direction=EQ\n  %sa = f32[] select(%za, %zero, %a)\n"
      "  %ca = f32[] select(%na, %nan, %sa)\n  %b = f32[] parameter(1)\n"
      "  %nb = pred[] compare(%b, %b), direction=NE\n  %zb = pred[] compare(%b, %zero), direction=EQ\n"
      "  %sb = f32[] select(%zb, %zero, %b)\n  %cb = f32[] select(%nb, %nan, %sb)\n"
      "  ROOT %r = pred[] compare(%ca, %cb), direction=LT, type=TOTALORDER\n}\n\n"
      "%g (a: f32[], b: f32[]) -> pred[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
      "  ROOT %r = pred[] compare(%a, %b), direction=LT, type=TOTALORDER\n}\n\n"
      "ENTRY %main {\n  ROOT %x = f32[] parameter(0)\n}\n");
  Arena arena;
  EXPECT_TRUE(read_region(arena, module, named(module, "g")).results.empty());
  const Region region = read_region(arena, module, named(module, "f"));
  ASSERT_EQ(region.results.size(), 1U);
  const auto less = [&](double a, double b) {
    const Buffer left = buffer_of(ElementType::F32, {a}), right = buffer_of(ElementType::F32, {b});
    const Operand operands[] = {{&left, ElementType::F32, {}}, {&right, ElementType::F32, {}}};
    Buffer out(Storage::Int64, 1);
    TieCounter ties;
    evaluate(arena, {ElementType::Pred, {}, region.results[0]}, NumberMode::F64, operands, out, ties);
    return out.as<std::int64_t>()[0] != 0;
  };
  EXPECT_TRUE(less(1, 2));
  EXPECT_FALSE(less(2, 1));
  EXPECT_FALSE(less(-0.0, 0.0));
  EXPECT_TRUE(less(kInf, kNan));
  EXPECT_FALSE(less(kNan, kInf));
  EXPECT_FALSE(less(kNan, kNan));
}

TEST(Bodies, OneSignatureWhateverTheRegionsName) {
  const Module module =
      parse(binary("f", "f32[]", "add") + binary("g", "f32[]", "add") + binary("h", "f32[]", "maximum") +
            "ENTRY %main {\n  %x = f32[4] parameter(0)\n  %z = f32[] constant(0)\n"
            "  %a = f32[] reduce(%x, %z), dimensions={0}, to_apply=%f\n"
            "  %b = f32[] reduce(%x, %z), dimensions={0}, to_apply=%g\n"
            "  %c = f32[] reduce(%x, %z), dimensions={0}, to_apply=%h\n"
            "  ROOT %t = (f32[], f32[], f32[]) tuple(%a, %b, %c)\n}\n");
  Arena arena;
  BodyTable table(arena, module, {}, {});
  const InstructionId root = module.computation(module.entry()).root;
  const auto operands = module.operands(root);
  EXPECT_EQ(table.body(operands[0]), table.body(operands[1]));
  EXPECT_NE(table.body(operands[0]), table.body(operands[2]));
  EXPECT_EQ(table.signatures(), 2U);
  EXPECT_EQ(table.body(root), nullptr);
  EXPECT_EQ(table.reason(root), "tuple has no body");
  EXPECT_EQ(table.call(operands[2]).regions.size(), 1U);
}

TEST(Ranks, LayoutFromHeaderOrCollectives) {
  const auto layout = [](const std::string& header, const std::string& channel) {
    const Module module = parse_hlo("HloModule m" + header + "\n\n" + binary("f", "f32[]", "add") +
                                        "ENTRY %main {\n  %x = f32[] parameter(0)\n  ROOT %r = f32[] all-reduce(%x), " +
                                        channel + "to_apply=%f\n}\n",
                                    "test.hlo");
    return rank_layout(module, 4);
  };
  EXPECT_EQ(layout(", replica_count=2, num_partitions=3", ""), (RankLayout{2, 3}));
  EXPECT_EQ(layout(", num_partitions=3", ""), (RankLayout{1, 3}));
  EXPECT_EQ(layout("", ""), (RankLayout{4, 1}));
  EXPECT_EQ(layout("", "channel_id=1, "), (RankLayout{1, 4}));
}

}  // namespace
}  // namespace gg::testing
