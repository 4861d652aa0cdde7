#include "models/ir/mask_flow.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

/// Is the constant `low` of this entry computation a mask's, all candidates taken together?
bool mask(const std::string& body, const std::string& literal = "-1e9") {
  const Module module = parse_hlo(
      "HloModule m\nmax { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }\n"
      "sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }\n"
      "twice { a = f32[] parameter(0)  b = f32[] parameter(1)  c = f32[] add(b, b)  ROOT r = f32[] maximum(a, c) }\n"
      "ENTRY main {\n  x = f32[4] parameter(0)\n  p = pred[4] parameter(1)\n  low = f32[] constant(" +
          literal +
          ")\n"
          "  lows = f32[4] broadcast(low), dimensions={}\n  zero = f32[] constant(0)\n  inf = f32[] constant(-inf)\n" +
          body + "}\n",
      "m.hlo");
  const FlatProgram flat = flatten(module);
  const std::vector<bool> found = mask_constants(module, flat, mask_candidates(module, flat));
  for (std::size_t k = 0; k < flat.nodes.size(); ++k) {
    if (module.name_of(flat.nodes[k].instruction) == "low") return found[k];
  }
  ADD_FAILURE() << "no constant";
  return false;
}

const std::string kSelected = "  s = f32[4] select(p, x, lows)\n";
const std::string kTop = "  m0 = f32[] reduce(s, inf), dimensions={0}, to_apply=max\n  m = f32[4] broadcast(m0), dimensions={}\n";
const std::string kExp = "  d = f32[4] subtract(s, m)\n  e = f32[4] exponential(d)\n";
const std::string kSum = "  w = f32[] reduce(e, zero), dimensions={0}, to_apply=sum\n";

TEST(MaskFlow, SumsOfExponentials) {
  EXPECT_TRUE(mask(kSelected + kTop + kExp + kSum + "  ROOT r = f32[] negate(w)\n"));
  EXPECT_TRUE(mask(kSelected + kTop + kExp + kSum + "  l = f32[] log(w)\n  ROOT r = f32[] add(m0, l)\n"));
  EXPECT_TRUE(mask(kSelected + kTop + kExp + "  q = f32[4] multiply(e, x)\n  ROOT r = f32[] dot(q, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"));
  EXPECT_TRUE(mask("  zs = f32[4] broadcast(zero), dimensions={}\n  b = f32[4] select(p, zs, lows)\n  s = f32[4] add(x, b)\n" + kTop + kExp +
                   kSum + "  ROOT r = f32[] negate(w)\n"));
  EXPECT_TRUE(mask(
      "  s = f32[8] concatenate(x, lows), dimensions={0}\n  m0 = f32[] reduce(s, inf), dimensions={0}, to_apply=max\n"
      "  m = f32[8] broadcast(m0), dimensions={}\n  d = f32[8] subtract(s, m)\n  e = f32[8] exponential(d)\n" +
      kSum + "  ROOT r = f32[] negate(w)\n"));
}

// Without a maximum a row that is masked as a whole would be a number, nearly zero: its logarithm, its roots and what divides by it are not.
TEST(MaskFlow, ExponentialsWithoutAMaximum) {
  EXPECT_FALSE(mask(kSelected + "  e = f32[4] exponential(s)\n" + kSum + "  ROOT r = f32[] negate(w)\n"));
  EXPECT_FALSE(mask(kSelected + "  e = f32[4] exponential(s)\n" + kSum + "  ROOT l = f32[] log(w)\n"));
  EXPECT_FALSE(mask("  s = f32[8] concatenate(x, lows), dimensions={0}\n  e = f32[8] exponential(s)\n" + kSum + "  ROOT r = f32[] negate(w)\n"));
}

// Behind a sum, or the logarithm of one, only what has no jumps and stays no number where its argument is none.
TEST(MaskFlow, JumpsBehindSums) {
  const std::string sum = kSelected + kTop + kExp + kSum;
  for (const char* op : {"exponential", "log", "sqrt", "tanh", "abs", "negate"}) EXPECT_TRUE(mask(sum + "  ROOT r = f32[] " + op + "(w)\n")) << op;
  for (const char* op : {"sign", "ceil", "floor", "round-nearest-even"}) EXPECT_FALSE(mask(sum + "  n = f32[] negate(w)\n  ROOT r = f32[] " + op + "(n)\n")) << op;
  EXPECT_FALSE(mask(sum + "  ROOT r = pred[] is-finite(w)\n"));
  const std::string logarithm = sum + "  l = f32[] log(w)\n  t = f32[] add(m0, l)\n";
  EXPECT_TRUE(mask(logarithm + "  ROOT r = f32[] negate(t)\n"));
  EXPECT_FALSE(mask(logarithm + "  c = pred[] is-finite(t)\n  ROOT r = f32[] select(c, t, zero)\n"));
}

// A maximum of masked values may begin with the literal; a maximum of other values with it is a clip.
TEST(MaskFlow, RunningMaxima) {
  const std::string next =
      "  n = f32[] maximum(m0, low)\n  ns = f32[4] broadcast(n), dimensions={}\n  d = f32[4] subtract(s, ns)\n"
      "  e = f32[4] exponential(d)\n" +
      kSum +
      "  f = f32[] subtract(low, n)\n  g = f32[] exponential(f)\n"
      "  ROOT r = f32[] add(g, w)\n";
  EXPECT_TRUE(mask(kSelected + kTop + next));
  EXPECT_FALSE(mask("  s = f32[4] copy(x)\n" + kTop + next));
  EXPECT_TRUE(mask(kSelected + "  m0 = f32[] reduce(s, low), dimensions={0}, to_apply=max\n  m = f32[4] broadcast(m0), dimensions={}\n" + kExp +
                   kSum + "  ROOT r = f32[] negate(w)\n"));
  EXPECT_FALSE(mask(
      "  m0 = f32[] reduce(x, low), dimensions={0}, to_apply=max\n  m = f32[4] broadcast(m0), dimensions={}\n"
      "  d = f32[4] subtract(x, m)\n  e = f32[4] exponential(d)\n" +
      kSum + "  ROOT r = f32[] negate(w)\n"));
}

TEST(MaskFlow, NothingElse) {
  EXPECT_FALSE(mask("  ROOT s = f32[4] select(p, x, lows)\n"));  // a result
  EXPECT_FALSE(mask("  ROOT m = f32[4] maximum(x, lows)\n"));    // a clip
  EXPECT_FALSE(mask("  m = f32[4] maximum(x, lows)\n  e = f32[4] exponential(m)\n" + kSum + "  ROOT r = f32[] negate(w)\n"));
  EXPECT_FALSE(mask(kSelected + kTop + "  ROOT r = f32[4] copy(m)\n"));  // the maximum is a result
  EXPECT_FALSE(mask(kSelected + kTop + "  e = f32[4] exponential(m)\n" + kSum + "  ROOT r = f32[] negate(w)\n"));
  EXPECT_FALSE(mask(kSelected + kTop + kExp + "  ROOT r = f32[4] copy(e)\n"));  // nearly zero is not zero
  EXPECT_FALSE(mask(kSelected + kTop + kExp + "  g = f32[4] log(e)\n  ROOT r = f32[] reduce(g, zero), dimensions={0}, to_apply=sum\n"));
  EXPECT_FALSE(mask(kSelected + kTop + kExp + "  zs = f32[4] broadcast(zero), dimensions={}\n  ROOT c = pred[4] compare(e, zs), direction=GT\n"));
  EXPECT_FALSE(mask(kSelected + kTop + kExp + kSum + "  ROOT c = pred[] compare(w, zero), direction=EQ\n"));
  EXPECT_FALSE(mask("  d = f32[4] subtract(x, lows)\n  e = f32[4] exponential(d)\n" + kSum + "  ROOT r = f32[] negate(w)\n"));
  EXPECT_FALSE(mask("  d = f32[4] add(x, lows)\n  e = f32[4] exponential(d)\n" + kSum + "  ROOT r = f32[] negate(w)\n"));  // everywhere
  EXPECT_FALSE(mask(kSelected + "  t = f32[4] tanh(s)\n  t0 = f32[] reduce(t, zero), dimensions={0}, to_apply=sum\n  e = f32[4] exponential(s)\n" +
                    kSum + "  ROOT r = f32[] add(w, t0)\n"));
  EXPECT_FALSE(mask(kSelected + "  m0 = f32[] reduce(s, inf), dimensions={0}, to_apply=twice\n  m = f32[4] broadcast(m0), dimensions={}\n" + kExp +
                    kSum + "  ROOT r = f32[] negate(w)\n"));
  EXPECT_FALSE(mask(kSelected + "  e = f32[4] exponential(s)\n" + kSum + "  ROOT r = f32[] negate(w)\n", "-100"));
  EXPECT_FALSE(mask("  ROOT r = f32[4] negate(x)\n"));  // not used
}

// Constants that are added, in whatever way, take the literal away again, or are as low as it.
TEST(MaskFlow, OtherLargeConstants) {
  const auto with = [](const std::string& value, const std::string& more, const std::string& literal) {
    return mask("  k = f32[] constant(" + value + ")\n  ks = f32[4] broadcast(k), dimensions={}\n" + more +
                    "  n0 = f32[] reduce(b, inf), dimensions={0}, to_apply=max\n  n = f32[4] broadcast(n0), dimensions={}\n  d = f32[4] subtract(b, n)\n"
                    "  e = f32[4] exponential(d)\n" +
                    kSum + "  ROOT r = f32[] negate(w)\n",
                literal);
  };
  const std::string added = kSelected + "  b = f32[4] add(s, ks)\n";
  EXPECT_TRUE(with("100", added, "-1e4"));
  EXPECT_FALSE(with("1e4", added, "-1e4"));
  EXPECT_FALSE(with("100", kSelected + "  h = f32[4] multiply(ks, ks)\n  b = f32[4] add(s, h)\n", "-1e4"));
  EXPECT_FALSE(with("-1e4", kSelected + "  b = f32[4] subtract(s, ks)\n", "-1e4"));
  EXPECT_FALSE(with("2e3", kSelected + "  a = f32[4] add(s, ks)\n  b = f32[4] add(a, ks)\n", "-1e4"));
  EXPECT_FALSE(with("-1e4", "  t = f32[4] add(x, ks)\n  b = f32[4] select(p, t, lows)\n", "-1e4"));
}

}  // namespace
}  // namespace gg
