// Names of literals.
#include "harness/decide/literal_names.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

TEST(LiteralNames, AreNamedWithTheirClosedForms) {
  const auto module = [](const char* literal) {
    return parse_hlo(std::string("HloModule m\nENTRY %main (x: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n  %one = f32[] constant(1)\n") +
                         "  %c = f32[] constant(" + literal + ")\n  %y = f32[] multiply(%x, %one)\n  ROOT %r = f32[] multiply(%y, %c)\n}\n",
                     "m.hlo");
  };
  const auto names = literals_apart(module("0.353553385"), module("2.82842708"));
  EXPECT_EQ(names, (std::vector<std::string>{"f32(0.353553385) beside 1/sqrt(8)", "f32(2.82842708) beside sqrt(8)"}));
  EXPECT_EQ(literals_apart(module("0.0416666679"), module("0.1")),
            (std::vector<std::string>{"f32(0.0416666679) beside 1/24", "f32(0.100000001) beside 0.1"}));
  EXPECT_EQ(literals_apart(module("0.797884583"), module("0.797884583")), (std::vector<std::string>{}));
}

}  // namespace
}  // namespace gg
