// Differences that the programs' own type does not show: refuted, and told.
#include <algorithm>

#include "harness/decide/decide.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

/// softplus, above a threshold the number itself, against log(1 + exp(x)).
Report softplus(const std::string& type, const std::string& threshold) {
  const auto program = [&](const std::string& count, bool cut) {
    const std::string t = type + "[" + count + "]";
    const std::string all = "  x = " + t + " parameter(0)\n  e = " + t + " exponential(x)\n  l = " + t + " log-plus-one(e)\n";
    if (!cut) return all + "  ROOT y = " + t + " copy(l)\n";
    return all + "  c = " + type + "[] constant(" + threshold + ")\n  cs = " + t + " broadcast(c), dimensions={}\n  p = pred[" + count + "] compare(x, cs), direction=GT\n  ROOT y = " + t + " select(p, x, l)\n";
  };
  Case c = load_pair({program("8", true), program("4", false), R"([[["tp"]]])", R"([[["tp"]]])", R"({"x": [-30, 30]})"});
  return decide(c, Options{}, {});
}

bool told(const Report& report) {
  return std::any_of(report.notes.begin(), report.notes.end(), [](const std::string& note) { return note.find("half a unit in the last place") != std::string::npos; });
}

TEST(OwnType, WhatItDoesNotShowIsTold) {
  const Report single = softplus("f32", "20");
  EXPECT_EQ(single.verdict, Verdict::Refuted);
  EXPECT_TRUE(told(single));
  for (const auto& [type, threshold] : {std::pair("f32", "5"), std::pair("f64", "20")}) {  // these types show it
    const Report report = softplus(type, threshold);
    EXPECT_EQ(report.verdict, Verdict::Refuted);
    EXPECT_FALSE(told(report)) << type;
  }
}

}  // namespace
}  // namespace gg
