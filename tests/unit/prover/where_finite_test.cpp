// Outputs are compared where the sequential program is finite: what is finite there, and what need not be.
#include "tests/unit/prover/finite_pairs.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

TEST(WhereFinite, WhatASumNeeds) {
  for (const FinitePair& p : finite_pairs()) EXPECT_EQ(proof_of({finite_sequential(p), finite_distributed(p), "[[[],[]], [[],[]]]", "[[]]"}).proved, p.right) << p.name;
}

// Sums with factors that may be infinite: the whole sum is multiplied, or each of its parts by itself, on the rank that has it.
TEST(WhereFinite, PartsOfAProduct) {
  const PairText p{R"(
  p = f32[8] parameter(0)
  a = f32[8] parameter(1)
  c = f32[8] parameter(2)
  zero = f32[] constant(0)
  z = f32[8] rsqrt(p)
  s = f32[8] add(a, c)
  t = f32[8] multiply(s, z)
  ROOT r = f32[] reduce(t, zero), dimensions={0}, to_apply=add
)",
                   R"(
  p = f32[4] parameter(0)
  a = f32[4] parameter(1)
  c = f32[4] parameter(2)
  zero = f32[] constant(0)
  z = f32[4] rsqrt(p)
  t = f32[4] multiply(a, z)
  u = f32[4] multiply(c, z)
  n = f32[] reduce(t, zero), dimensions={0}, to_apply=add
  m = f32[] reduce(u, zero), dimensions={0}, to_apply=add
  q = f32[] add(n, m)
  ROOT r = f32[] all-reduce(q), )" +
                       kDp + ", to_apply=add\n",
                   R"([[["dp"]], [["dp"]], [["dp"]]])", "[[]]"};
  expect_proved(p);
  expect_unproved(p, "multiply(c, z)", "multiply(a, z)");
  expect_unproved(p, kDp, kTp);
  PairText other = p;  // a comparison is claimed where the sum is not finite too
  for (std::string* text : {&other.sequential, &other.distributed}) *text = replaced(*text, "ROOT r", "y") + "  ROOT above = pred[] compare(y, zero), direction=GT\n";
  EXPECT_FALSE(proof_of(other).proved);
}

}  // namespace
}  // namespace gg
