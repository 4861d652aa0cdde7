// Terms as text: a graph of shared kids must not print as its tree.
#include <gtest/gtest.h>

#include "prover/term/text.h"

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
  const std::string text = TermText(t).term(x);
  EXPECT_LT(text.size(), 10'000U);
  EXPECT_NE(text.find("..."), std::string::npos);
}

// Messages tell what no certificate has: row functions, temporary variables, anchors without a name.
TEST(Print, WhatCertificatesDoNotHave) {
  Terms t;
  Anchor anchor;
  anchor.sort = Sort::Real;
  anchor.extents = {4};
  const AnchorId a = t.add_anchor(anchor);
  const Fresh x = t.fresh(4);
  const TermId read = t.read(a, x);
  EXPECT_EQ(TermText(t).term(read), "s0[t0]");
  const TermId sorted = t.row(7, 0, Sort::Real, x, std::array{t.var(0, 4)}, std::array{read});
  EXPECT_EQ(TermText(t).term(sorted), "(row 7 0 [b0:4] [v0] s0[b0])");
  const TermText certificate(t, [](TermId) { return "s0"; });
  EXPECT_EQ(certificate.term(read), "s0");
  EXPECT_THROW(certificate.term(sorted), TermLimit);
  EXPECT_THROW(TermText(
                   t, [](TermId) { return "s0"; }, 2)
                   .term(t.fn(ScalarFn::Atan2, ElementType::F32, std::array{read, read})),
               TermLimit);
}

}  // namespace
}  // namespace gg::prover
