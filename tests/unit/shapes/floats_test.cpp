// Float literals that are made of sizes: what is rewritten, what is not, and when the mode is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/hlo/printer.h"
#include "runtime/differential.h"
#include "runtime/shapes/reduce.h"
#include "tests/unit/runtime/case_builder.h"
#include "tests/unit/shapes/small_run.h"
#include "tests/unit/text.h"

namespace gg {
namespace {

using test::make_case;

bool differs(const Case& c, Floats floats) { return differs(c, reduce_shapes(c, nullptr, floats)); }

const char* const kAdd = R"(
%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}
)";

const char* const kRelation = R"({"mesh": [["dp", 2]], "inputs": [[["dp"], []]], "outputs": [[[]]]})";

// Means of columns: the sequential program divides by a literal.
const std::string kMean = std::string("HloModule seq\n") + kAdd + R"(
ENTRY %main (x: f32[9600,48]) -> f32[48] {
  %x = f32[9600,48] parameter(0)
  %zero = f32[] constant(0)
  %total = f32[48] reduce(%x, %zero), dimensions={0}, to_apply=%add
  %n = f32[] constant(9600)
  %all = f32[48] broadcast(%n), dimensions={}
  ROOT %mean = f32[48] divide(%total, %all)
}
)";

// The distributed one counts: a sum of ones.
const std::string kCounted = std::string("HloModule dist, num_partitions=2\n") + kAdd + R"(
ENTRY %main (x: f32[4800,48]) -> f32[48] {
  %x = f32[4800,48] parameter(0)
  %zero = f32[] constant(0)
  %part = f32[48] reduce(%x, %zero), dimensions={0}, to_apply=%add
  %total = f32[48] all-reduce(%part), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add
  %one = f32[] constant(1)
  %ones = f32[4800] broadcast(%one), dimensions={}
  %count = f32[] reduce(%ones, %zero), dimensions={0}, to_apply=%add
  %n = f32[] all-reduce(%count), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add
  %all = f32[48] broadcast(%n), dimensions={}
  ROOT %mean = f32[48] divide(%total, %all)
}
)";

// Or divides by a literal of its own.
std::string divided(const std::string& divisor) {
  return replaced(replaced(kCounted, "  %all = f32[48] broadcast(%n)",
                           "  %literal = f32[] constant(" + divisor + ")\n  %all = f32[48] broadcast(%literal)"),
                  "constant(1)", "constant(0)");
}

TEST(ReducedFloats, KeptLiteralsAgainstCountsAreAFalseDifference) {
  const Case c = make_case(kMean, kCounted, kRelation);
  EXPECT_TRUE(differs(c, Floats::Keep));
  const ShapeReduction rewritten = reduce_shapes(c, nullptr, Floats::Rewrite);
  EXPECT_EQ(rewritten.floats_kept, "");
  EXPECT_TRUE(rewritten.floats_rewritten);
  const std::int64_t rows = first_extent(rewritten.sequential);
  EXPECT_LT(rows, 100);
  EXPECT_TRUE(has(print_hlo(rewritten.sequential), "constant(" + std::to_string(rows) + ")"));
  EXPECT_FALSE(differs(c, rewritten));
}

TEST(ReducedFloats, DefectsShowInBothModes) {
  for (const char* divisor : {"4800", "19200", "9601"}) {
    const Case c = make_case(kMean, divided(divisor), kRelation);
    EXPECT_TRUE(differs(c, Floats::Keep)) << divisor;
    EXPECT_TRUE(differs(c, Floats::Rewrite)) << divisor;
  }
  const Case right = make_case(kMean, divided("9600"), kRelation);
  EXPECT_FALSE(differs(right, Floats::Keep));
  EXPECT_FALSE(differs(right, Floats::Rewrite));
}

// Programs of one rank, taken twice: what becomes of their literals.
ShapeReduction rewrite(const std::string& inputs, const std::string& types, const std::string& body) {
  const std::string text = std::string(kAdd) + "ENTRY %main (" + inputs + ") -> " + types + " {\n" + body + "}\n";
  const auto replicated = [](std::ptrdiff_t count) {
    std::string list;
    for (std::ptrdiff_t k = 0; k < count; ++k) list += std::string(k == 0 ? "" : ", ") + "\"replicated\"";
    return "[" + list + "]";
  };
  const std::string relation = R"({"mesh": [["dp", 2]], "inputs": )" + replicated(std::count(inputs.begin(), inputs.end(), ':')) +
                               R"(, "outputs": )" + replicated(types[0] == '(' ? 2 : 1) + "}";
  const Case c = make_case("HloModule seq\n" + text, "HloModule dist, num_partitions=2\n" + text, relation);
  ShapeReduction reduction = reduce_shapes(c, nullptr, Floats::Rewrite);
  if (reduction.floats_kept.empty()) EXPECT_FALSE(differs(c, reduction));
  else EXPECT_FALSE(reduction.floats_rewritten);
  return reduction;
}

// What somebody chose stays, though 1/20 and 1/100 are sizes.
TEST(ReducedFloats, ChosenNumbersAreNeverRewritten) {
  const ShapeReduction decay = rewrite("w: f32[20,100]", "f32[20,100]", R"(  %w = f32[20,100] parameter(0)
  %c = f32[] constant(0.05)
  %spread = f32[20,100] broadcast(%c), dimensions={}
  %d = f32[] constant(0.01)
  %rate = f32[20,100] broadcast(%d), dimensions={}
  %decay = f32[20,100] multiply(%w, %spread)
  %step = f32[20,100] multiply(%decay, %rate)
  ROOT %new = f32[20,100] subtract(%w, %step)
)");
  EXPECT_LT(first_extent(decay.sequential), 20);
  EXPECT_EQ(decay.floats_kept, "");
  EXPECT_FALSE(decay.floats_rewritten);
}

// A sum of 20 times 0.05 may be a mean, a gradient of a batch of 100 times 0.01 too: nobody can know.
TEST(ReducedFloats, ChosenNumbersBehindSumsRefuseTheMode) {
  const ShapeReduction penalty = rewrite("w: f32[20,300]", "f32[300]", R"(  %w = f32[20,300] parameter(0)
  %zero = f32[] constant(0)
  %total = f32[300] reduce(%w, %zero), dimensions={0}, to_apply=%add
  %c = f32[] constant(0.05)
  %spread = f32[300] broadcast(%c), dimensions={}
  ROOT %penalty = f32[300] multiply(%total, %spread)
)");
  EXPECT_TRUE(has(penalty.floats_kept, "%c (0.05) may be a number that somebody chose")) << penalty.floats_kept;
  const ShapeReduction step = rewrite("x: f32[100,64], g: f32[100,48]", "f32[64,48]", R"(  %x = f32[100,64] parameter(0)
  %g = f32[100,48] parameter(1)
  %dw = f32[64,48] dot(%x, %g), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  %c = f32[] constant(0.01)
  %rate = f32[64,48] broadcast(%c), dimensions={}
  ROOT %step = f32[64,48] multiply(%dw, %rate)
)");
  EXPECT_TRUE(has(step.floats_kept, "%c (0.01) may be a number that somebody chose")) << step.floats_kept;
}

// 96 may be the rows of x or those of y, which are no same size.
TEST(ReducedFloats, TwoReadingsRefuseTheMode) {
  const ShapeReduction reduction = rewrite("x: f32[96,8], y: f32[8,96]", "f32[8]", R"(  %x = f32[96,8] parameter(0)
  %y = f32[8,96] parameter(1)
  %zero = f32[] constant(0)
  %a = f32[8] reduce(%x, %zero), dimensions={0}, to_apply=%add
  %b = f32[8] reduce(%y, %zero), dimensions={1}, to_apply=%add
  %both = f32[8] add(%a, %b)
  %n = f32[] constant(96)
  %spread = f32[8] broadcast(%n), dimensions={}
  ROOT %mean = f32[8] divide(%both, %spread)
)");
  EXPECT_TRUE(has(reduction.floats_kept, "%n (96) has two readings")) << reduction.floats_kept;
}

TEST(ReducedFloats, SizesThatNothingExplainsRefuseTheMode) {
  const ShapeReduction reduction = rewrite("x: f32[4096]", "f32[4096]", R"(  %x = f32[4096] parameter(0)
  %n = f32[] constant(4096)
  %spread = f32[4096] broadcast(%n), dimensions={}
  ROOT %least = f32[4096] minimum(%x, %spread)
)");
  EXPECT_TRUE(has(reduction.floats_kept, "%n (4096) has the value of a size")) << reduction.floats_kept;
}

// One constant, two means: each use follows its own size.
TEST(ReducedFloats, LiteralsAreReadByUse) {
  const ShapeReduction reduction = rewrite("x: f32[960,8], y: f32[8,960]", "(f32[8], f32[8])", R"(  %x = f32[960,8] parameter(0)
  %y = f32[8,960] parameter(1)
  %zero = f32[] constant(0)
  %twice = f32[960,8] add(%x, %x)
  %a = f32[8] reduce(%twice, %zero), dimensions={0}, to_apply=%add
  %b = f32[8] reduce(%y, %zero), dimensions={1}, to_apply=%add
  %n = f32[] constant(960)
  %spread = f32[8] broadcast(%n), dimensions={}
  %mean = f32[8] divide(%a, %spread)
  %mean.1 = f32[8] divide(%b, %spread)
  ROOT %both = (f32[8], f32[8]) tuple(%mean, %mean.1)
)");
  EXPECT_EQ(reduction.floats_kept, "");
  const std::int64_t rows = first_extent(reduction.sequential), columns = first_extent(reduction.sequential, 1, 1);
  EXPECT_NE(rows, columns);
  const std::string text = print_hlo(reduction.sequential);
  EXPECT_TRUE(has(text, "%n = f32[] constant(" + std::to_string(rows) + ")")) << text;
  EXPECT_TRUE(has(text, "%n.use = f32[] constant(" + std::to_string(columns) + ")")) << text;
}

// Under roots, inverse and negative, in a narrow type, over the passes of a loop.
TEST(ReducedFloats, Forms) {
  const ShapeReduction scores = rewrite("q: f32[512,128], k: f32[512,128]", "(f32[512,512], f32[512])", R"(  %q = f32[512,128] parameter(0)
  %k = f32[512,128] parameter(1)
  %s = f32[512,512] dot(%q, %k), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  %root = f32[] constant(0.0883883461)
  %scale = f32[512,512] broadcast(%root), dimensions={}
  %scores = f32[512,512] multiply(%s, %scale)
  %zero = f32[] constant(0)
  %total = f32[512] reduce(%q, %zero), dimensions={1}, to_apply=%add
  %inverse = f32[] constant(-0.0078125)
  %share = f32[512] broadcast(%inverse), dimensions={}
  %mean = f32[512] multiply(%total, %share)
  ROOT %both = (f32[512,512], f32[512]) tuple(%scores, %mean)
)");
  EXPECT_EQ(scores.floats_kept, "");
  const auto width = static_cast<double>(first_extent(scores.sequential, 0, 1));
  const auto value = [&](const ShapeReduction& reduction, const std::string& name) {
    const Module& m = reduction.sequential;
    for (InstructionId id = 0; id < m.size(); ++id) {
      if (m.name_of(id) == name) return m.attributes(id).literal().values.front().real;
    }
    return 0.0;
  };
  EXPECT_EQ(value(scores, "root"), round_to(ElementType::F32, 1 / std::sqrt(width)));
  EXPECT_EQ(value(scores, "inverse"), round_to(ElementType::F32, -1 / width));

  const ShapeReduction narrow = rewrite("x: bf16[768,40]", "bf16[40]", R"(  %x = bf16[768,40] parameter(0)
  %y = bf16[40,768] transpose(%x), dimensions={1,0}
  %one = bf16[] constant(1)
  %ones = bf16[768] broadcast(%one), dimensions={}
  %total = bf16[40] dot(%y, %ones), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %inverse = bf16[] constant(0.001305)
  %share = bf16[40] broadcast(%inverse), dimensions={}
  ROOT %mean = bf16[40] multiply(%total, %share)
)");
  EXPECT_EQ(narrow.floats_kept, "");
  EXPECT_EQ(value(narrow, "inverse"), round_to(ElementType::BF16, 1 / static_cast<double>(first_extent(narrow.sequential))));
}

}  // namespace
}  // namespace gg
