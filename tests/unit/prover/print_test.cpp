// Terms as text: a graph of shared kids must not print as its tree.
#include <gtest/gtest.h>

#include "prover/term/terms.h"

namespace gg::prover {
namespace {

TEST(Print, SharedKidsDoNotExplode) {
  Terms t;
  Anchor anchor;
  anchor.sort = Sort::Real;
  TermId x = t.read(t.add_anchor(anchor), {});
  for (int k = 0; k < 200; ++k) {
    const TermId sine = t.fn(ScalarFn::Sin, ElementType::F32, std::array{x});
    x = t.fn(ScalarFn::Atan2, ElementType::F32, std::array{x, sine});
  }
  const std::string text = t.print(x);
  EXPECT_LT(text.size(), 10'000U);
  EXPECT_NE(text.find("..."), std::string::npos);
}

}  // namespace
}  // namespace gg::prover
