#include "models/ir/mask_flow.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

/// Is the constant `low` of this entry computation a mask's?
bool mask(const std::string& body) {
  const Module module = parse_hlo("HloModule m\nmax { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }\n"
                                  "sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }\n"
                                  "ENTRY main {\n  x = f32[4] parameter(0)\n  p = pred[4] parameter(1)\n  low = f32[] constant(-1e9)\n"
                                  "  lows = f32[4] broadcast(low), dimensions={}\n" + body + "}\n", "m.hlo");
  const FlatProgram flat = flatten(module);
  const std::vector<bool> found = mask_constants(module, flat);
  for (std::size_t k = 0; k < flat.nodes.size(); ++k) {
    if (module.name_of(flat.nodes[k].instruction) == "low") return found[k];
  }
  ADD_FAILURE() << "no constant";
  return false;
}

TEST(MaskFlow, MaximaAndExponentials) {
  EXPECT_TRUE(mask("  s = f32[4] select(p, x, lows)\n  ROOT e = f32[4] exponential(s)\n"));
  EXPECT_TRUE(mask("  s = f32[4] add(x, lows)\n  ROOT m = f32[] reduce(s, low), dimensions={0}, to_apply=max\n"));
  EXPECT_TRUE(mask("  d = f32[4] subtract(lows, x)\n  e = f32[4] exponential(d)\n  ROOT m = f32[4] maximum(e, lows)\n"));
}

TEST(MaskFlow, NothingElse) {
  EXPECT_FALSE(mask("  ROOT s = f32[4] select(p, x, lows)\n"));                                         // a result
  EXPECT_FALSE(mask("  d = f32[4] subtract(x, lows)\n  ROOT e = f32[4] exponential(d)\n"));             // plus infinity
  EXPECT_FALSE(mask("  s = f32[4] multiply(x, lows)\n  ROOT e = f32[4] exponential(s)\n"));
  EXPECT_FALSE(mask("  s = f32[4] select(p, x, lows)\n  ROOT m = f32[] reduce(s, low), dimensions={0}, to_apply=sum\n"));
  EXPECT_FALSE(mask("  s = f32[4] add(x, lows)\n  t = f32[4] tanh(s)\n  ROOT e = f32[4] exponential(s)\n"));  // seen by tanh too
  EXPECT_FALSE(mask("  c = pred[4] compare(x, lows), direction=GT\n  ROOT e = f32[4] exponential(lows)\n"));
}

}  // namespace
}  // namespace gg
