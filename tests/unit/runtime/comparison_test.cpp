// The comparison chapter: what is a difference, what is rounding, a tie, a literal, or undefined.
#include <gtest/gtest.h>

#include "case_builder.h"
#include "models/base/progress.h"
#include "runtime/differential.h"

namespace gg {
namespace {

using test::make_case;

/// One replicated f32[4] input, one replicated output; bodies are instructions over %x ending in ROOT.
Case elementwise(const std::string& sequential, const std::string& distributed, const std::string& range = "[-1, 1]",
                 const std::string& out = "f32[4]") {
  const auto program = [&](const std::string& header, const std::string& body) {
    return "HloModule m" + header + "\nENTRY %main (x: f32[4]) -> " + out + " {\n  %x = f32[4] parameter(0)\n" + body + "}\n";
  };
  return make_case(program("", sequential), program(", num_partitions=2", distributed),
                   R"({"mesh": [["tp", 2]], "inputs": [[[]]], "outputs": [[[]]], "ranges": {"0": )" + range + "}}");
}

OutputOutcome only(const DifferentialResult& result) {
  EXPECT_FALSE(result.stopped) << result.stopped->what();
  EXPECT_EQ(result.outputs.size(), 1U);
  return result.outputs.at(0);
}

std::string literal(const std::string& name, const std::string& value) {
  return "  %" + name + ".c = f32[] constant(" + value + ")\n  %" + name + " = f32[4] broadcast(%" + name + ".c), dimensions={}\n";
}

TEST(Comparison, AnOutputThatIsZeroInExactArithmeticIsNoise) {
  // x / 3 * 3 - x against x / 7 * 7 - x: pure rounding at any precision.
  const auto program = [](const char* by) {
    return literal("c", by) + "  %d = f32[4] divide(%x, %c)\n  %m = f32[4] multiply(%d, %c)\n" +
           "  ROOT %r = f32[4] subtract(%m, %x)\n";
  };
  Case c = elementwise(program("3"), program("7"));
  EXPECT_EQ(only(run_pair(c, {})).agreement, Agreement::Agrees);
}

TEST(Comparison, ASmallRealDifferenceBesideLargeIntermediatesIsFound) {
  // (x + 2^60) - 2^60 + 2^-50 against the same without the last term: far below the intermediates, and real.
  const auto program = [](bool extra) {
    std::string text = literal("big", "1152921504606846976") + literal("tiny", "8.8817841970012523e-16") +
                       "  %u = f32[4] add(%x, %big)\n  %v = f32[4] subtract(%u, %big)\n";
    return text + (extra ? "  ROOT %r = f32[4] add(%v, %tiny)\n" : "  ROOT %r = f32[4] copy(%v)\n");
  };
  Case c = elementwise(program(true), program(false));
  EXPECT_EQ(only(run_pair(c, {})).agreement, Agreement::Differs);
}

TEST(Comparison, LiteralsMeanTheirOwnDtype) {
  // 0.0416666679 and 0.166666672 / 4 are one f32 number and two decimals.
  Case c = elementwise(literal("c", "0.0416666679") + "  ROOT %r = f32[4] multiply(%x, %c)\n",
                       literal("c", "0.166666672") + literal("d", "4") +
                           "  %q = f32[4] divide(%c, %d)\n  ROOT %r = f32[4] multiply(%x, %q)\n");
  EXPECT_EQ(only(run_pair(c, {})).agreement, Agreement::Agrees);
}

TEST(Comparison, ThirdsAreRoundedLiterals) {
  Case c = elementwise(literal("c", "0.333333343") + "  ROOT %r = f32[4] multiply(%x, %c)\n",
                       literal("c", "3") + "  ROOT %r = f32[4] divide(%x, %c)\n");
  const DifferentialResult result = run_pair(c, {});
  EXPECT_EQ(only(result).agreement, Agreement::Literals);
  EXPECT_FALSE(result.differing);
}

TEST(Comparison, AThresholdOfBothProgramsHidesNoOtherLiteral) {
  // A dropout's mask: the rate as a ball ties with 0.9. One program scales by 0.94 instead of 0.95.
  const auto program = [](const char* scale) {
    return "  %rate = bf16[] constant(0.8984)\n  %wide = f32[] convert(%rate)\n  %at = f32[4] broadcast(%wide), dimensions={}\n" +
           literal("u", "0.9") + literal("zero", "0") + literal("c", scale) +
           "  %keep = pred[4] compare(%u, %at), direction=GT\n  %s = f32[4] select(%keep, %x, %zero)\n"
           "  ROOT %r = f32[4] multiply(%s, %c)\n";
  };
  for (const NumberMode mode : {NumberMode::Real, NumberMode::F64}) {
    DifferentialOptions options;
    options.mode = mode;
    Case wrong = elementwise(program("0.95"), program("0.94"));
    EXPECT_EQ(only(run_pair(wrong, options)).agreement, Agreement::Differs);
    Case rounded = elementwise(program("0.95"), program("0.950000048"));
    EXPECT_EQ(only(run_pair(rounded, options)).agreement, Agreement::Literals);
  }
}

TEST(Comparison, LiteralsOfBothProgramsMayCloseADifference) {
  // 0.1 x + 0.2 x beside 0.3 x, with all three literals on both sides: only drawing them shows how far such a difference moves.
  const std::string all = literal("a", "0.1") + literal("b", "0.2") + literal("c", "0.3") +
                          "  %xa = f32[4] multiply(%x, %a)\n  %xb = f32[4] multiply(%x, %b)\n  %xc = f32[4] multiply(%x, %c)\n"
                          "  %sum = f32[4] add(%xa, %xb)\n";
  for (const NumberMode mode : {NumberMode::Real, NumberMode::F64}) {
    DifferentialOptions options;
    options.mode = mode;
    Case c = elementwise(all + "  %z = f32[4] subtract(%xc, %xc)\n  ROOT %r = f32[4] add(%sum, %z)\n",
                         all + "  %z = f32[4] subtract(%sum, %sum)\n  ROOT %r = f32[4] add(%xc, %z)\n");
    EXPECT_EQ(only(run_pair(c, options)).agreement, Agreement::Literals);
  }
}

TEST(Comparison, ThirdsAreRoundedLiteralsInF64Too) {
  Case c = elementwise(literal("c", "0.333333343") + "  ROOT %r = f32[4] multiply(%x, %c)\n",
                       literal("c", "3") + "  ROOT %r = f32[4] divide(%x, %c)\n");
  DifferentialOptions options;
  options.mode = NumberMode::F64;
  EXPECT_EQ(only(run_pair(c, options)).agreement, Agreement::Literals);
}

TEST(Comparison, ExpOfMinus30000IsNotZeroButNoFloatTypeTells) {
  const std::string half = literal("h", "0.5") + "  %y = f32[4] multiply(%x, %h)\n  %e = f32[4] exponential(%y)\n";
  Case same = elementwise("  ROOT %r = f32[4] exponential(%x)\n", half + "  ROOT %r = f32[4] multiply(%e, %e)\n",
                          "[-30000, -29000]");
  EXPECT_EQ(only(run_pair(same, {})).agreement, Agreement::Agrees);
  Case zero = elementwise("  ROOT %r = f32[4] exponential(%x)\n", literal("z", "0") + "  ROOT %r = f32[4] copy(%z)\n",
                          "[-30000, -29000]");
  EXPECT_EQ(only(run_pair(zero, {})).agreement, Agreement::Underflow);
}

TEST(Comparison, ADifferenceThatNo53BitsHoldRefutesNothing) {
  const auto plus = [](const char* part) { return literal("c", part) + "  %y = f32[4] multiply(%x, %c)\n  ROOT %r = f32[4] add(%x, %y)\n"; };
  Case less = elementwise("  ROOT %r = f32[4] copy(%x)\n", plus("1e-30"), "[1, 2]"), more = elementwise("  ROOT %r = f32[4] copy(%x)\n", plus("1e-12"), "[1, 2]");
  EXPECT_EQ(only(run_pair(less, {})).agreement, Agreement::Underflow);
  EXPECT_EQ(only(run_pair(more, {})).agreement, Agreement::Differs);
}

TEST(Comparison, NothingIsClaimedWhereTheSequentialElementIsNotFinite) {
  // log x is NaN for negative x; the distributed program has log |x| there.
  Case c = elementwise("  ROOT %r = f32[4] log(%x)\n", "  %a = f32[4] abs(%x)\n  ROOT %r = f32[4] log(%a)\n");
  const DifferentialResult result = run_pair(c, {});
  EXPECT_EQ(only(result).agreement, Agreement::Agrees);
  EXPECT_GT(result.undefined, 0);
  EXPECT_LT(result.undefined, result.elements);
}

TEST(Comparison, NanAgainstAFiniteElementDiffers) {
  Case c = elementwise("  %a = f32[4] abs(%x)\n  ROOT %r = f32[4] log(%a)\n", "  ROOT %r = f32[4] log(%x)\n");
  const DifferentialResult result = run_pair(c, {});
  EXPECT_EQ(only(result).agreement, Agreement::Differs);
  ASSERT_TRUE(result.differing);
  EXPECT_EQ(result.differing->differences.at(0).ranks, (std::vector<std::int64_t>{0, 1}));
}

TEST(Comparison, OutputsWithoutAFiniteElementAreUndefined) {
  Case c = elementwise("  ROOT %r = f32[4] log(%x)\n", "  ROOT %r = f32[4] copy(%x)\n", "[-2, -1]");
  const DifferentialResult result = run_pair(c, {});
  EXPECT_EQ(only(result).agreement, Agreement::Undefined);
  EXPECT_EQ(result.draws.size(), 32U);
  EXPECT_EQ(result.undefined, result.elements);
}

TEST(Comparison, ASelectDiscardsNanInMaskedLanes) {
  const std::string mask = literal("z", "0") + "  %p = pred[4] compare(%x, %z), direction=GT\n";
  Case c = elementwise(mask + "  %l = f32[4] log(%x)\n  ROOT %r = f32[4] select(%p, %l, %z)\n",
                       mask + literal("o", "1") + "  %s = f32[4] select(%p, %x, %o)\n  ROOT %r = f32[4] log(%s)\n");
  const DifferentialResult result = run_pair(c, {});
  EXPECT_EQ(only(result).agreement, Agreement::Agrees);
  EXPECT_EQ(result.undefined, 0);
}

TEST(Comparison, ATensorOfZerosIsDrawnWhereNothingElseTellsProgramsApart) {
  // x / max |x|, and 0 where all of it is 0: without that it is NaN there, and in no other draw.
  const std::string scaled = "  %a = f32[4] abs(%x)\n  %none = f32[] constant(0)\n  %m = f32[] reduce(%a, %none), dimensions={0}, to_apply=%larger\n" +
                             std::string("  %w = f32[4] broadcast(%m), dimensions={}\n  %q = f32[4] divide(%x, %w)\n");
  const std::string guarded = "  %z = f32[4] broadcast(%none), dimensions={}\n  %p = pred[4] compare(%w, %z), direction=EQ\n  ROOT %r = f32[4] select(%p, %z, %q)\n";
  const auto program = [](const std::string& header, const std::string& body) {
    return "HloModule m" + header + "\nlarger { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }\nENTRY main {\n  %x = f32[4] parameter(0)\n" + body + "}\n";
  };
  DifferentialOptions options;
  options.further = 64;
  for (const bool right : {false, true}) {
    Case c = make_case(program("", scaled + guarded), program(", num_partitions=2", scaled + (right ? guarded : "  ROOT %r = f32[4] copy(%q)\n")),
                       R"({"mesh": [["tp", 2]], "inputs": [[[]]], "outputs": [[[]]]})");
    EXPECT_EQ(only(run_pair(c, options)).agreement, right ? Agreement::Agrees : Agreement::Differs);
  }
}

TEST(Comparison, DecisionsWithinNoiseAreTies) {
  // x / 3 * 3 < x and x / 7 * 7 < x are decided by rounding alone.
  const auto program = [](const char* by) {
    return literal("c", by) + "  %d = f32[4] divide(%x, %c)\n  %m = f32[4] multiply(%d, %c)\n" +
           "  %p = pred[4] compare(%m, %x), direction=LT\n  ROOT %r = f32[4] convert(%p)\n";
  };
  Case c = elementwise(program("3"), program("7"));
  const DifferentialResult result = run_pair(c, {});
  EXPECT_FALSE(result.differing);
}

TEST(Comparison, IntegersAreExact) {
  const std::string to_int = literal("k", "1000") + "  %m = f32[4] multiply(%x, %k)\n  %i = s32[4] convert(%m)\n";
  const std::string one = "  %one.c = s32[] constant(1)\n  %one = s32[4] broadcast(%one.c), dimensions={}\n";
  Case c = elementwise(to_int + "  ROOT %r = s32[4] copy(%i)\n", to_int + one + "  ROOT %r = s32[4] add(%i, %one)\n",
                       "[-1, 1]", "s32[4]");
  const DifferentialResult result = run_pair(c, {});
  EXPECT_EQ(only(result).agreement, Agreement::Differs);
  const Difference& difference = result.differing->differences.at(0);
  EXPECT_EQ(std::stoi(difference.distributed) - std::stoi(difference.sequential), 1);
}

const char* const kReplicated = R"({"mesh": [["tp", 2]], "inputs": [[["tp"]]], "outputs": [[[]]]})";
const char* const kTotal = R"(HloModule m
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main (x: f32[8]) -> f32[1] {
  %x = f32[8] parameter(0)
  %z = f32[] constant(0)
  %t = f32[] reduce(%x, %z), dimensions={0}, to_apply=%sum
  ROOT %r = f32[1] reshape(%t)
}
)";
std::string local_total(const std::string& end) {
  return R"(HloModule m, num_partitions=2
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main (x: f32[4]) -> f32[1] {
  %x = f32[4] parameter(0)
  %z = f32[] constant(0)
  %t = f32[] reduce(%x, %z), dimensions={0}, to_apply=%sum
  %p = f32[1] reshape(%t)
)" + end +
         "}\n";
}

TEST(Comparison, EveryRankIsComparedAndReported) {
  Case good = make_case(kTotal, local_total("  ROOT %r = f32[1] all-reduce(%p), channel_id=1, replica_groups={{0,1}}, "
                                            "use_global_device_ids=true, to_apply=%sum\n"),
                        kReplicated);
  EXPECT_EQ(only(run_pair(good, {})).agreement, Agreement::Agrees);
  Case bad = make_case(kTotal, local_total("  ROOT %r = f32[1] copy(%p)\n"), kReplicated);
  const DifferentialResult result = run_pair(bad, {});
  ASSERT_TRUE(result.differing && result.witness);
  const Difference& difference = result.differing->differences.at(0);
  EXPECT_EQ(difference.ranks, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(difference.differing, 2);
  EXPECT_EQ(difference.element, (std::vector<std::int64_t>{0}));
  // The witness replays.
  const DrawOutcome again = run_once(bad, *result.witness, {});
  EXPECT_EQ(again.differences.at(0).distributed, difference.distributed);
}

TEST(Comparison, AProgramThatWouldHangIsADifference) {
  Case c = make_case("HloModule m\nENTRY %main (x: f32[4]) -> f32[4] {\n  ROOT %x = f32[4] parameter(0)\n}\n",
                     R"(HloModule m, num_partitions=2
%keep (x: f32[4]) -> f32[4] {
  ROOT %x = f32[4] parameter(0)
}
%swap (x: f32[4]) -> f32[4] {
  %x = f32[4] parameter(0)
  ROOT %cp = f32[4] collective-permute(%x), channel_id=1, source_target_pairs={{0,1},{1,0}}
}
ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4] parameter(0)
  %id = u32[] partition-id()
  %i = s32[] convert(%id)
  ROOT %r = f32[4] conditional(%i, %x, %x), branch_computations={%keep, %swap}
}
)",
                     R"({"mesh": [["tp", 2]], "inputs": [[[]]], "outputs": [[[]]]})");
  const DifferentialResult result = run_pair(c, {});
  ASSERT_TRUE(result.differing);
  ASSERT_TRUE(result.differing->failure);
  EXPECT_EQ(result.differing->failure->kind, RuntimeFailure::Kind::Mismatch);
  EXPECT_EQ(result.differing->outputs.size(), 1U);
}

TEST(Comparison, BudgetsStopWithoutAVerdict) {
  Case c = make_case(kTotal, local_total("  ROOT %r = f32[1] copy(%p)\n"), kReplicated);
  DifferentialOptions options;
  progress().over = true;
  const DifferentialResult result = run_pair(c, options);
  progress().over = false;
  ASSERT_TRUE(result.stopped);
  EXPECT_EQ(result.stopped->kind, RuntimeFailure::Kind::Budget);
  EXPECT_FALSE(result.differing);
}

}  // namespace
}  // namespace gg
