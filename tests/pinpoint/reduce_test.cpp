// Reduced pairs: few instructions, still different, no names where none are wanted.
#include "harness/pinpoint/reduce.h"

#include <gtest/gtest.h>

#include "prover/prover.h"
#include "runtime/differential.h"
#include "tests/pinpoint/pair.h"

namespace gg::pinpoint {
namespace {

constexpr const char* kProductRelation = R"("inputs": [[[],["tp"]], [["tp"],[]]], "outputs": [[[],[]]])";
constexpr const char* kAfter =
    " %y = f32[2,3] tanh(%d)\n %z = f32[2,3] cosine(%y)\n %u = f32[2,3] multiply(%z, %y)\n %v = f32[2,3] add(%u, %z)\n ROOT %o = f32[2,3] sine(%v)\n";

Case long_tail() {
  const std::string dot = "%d = f32[2,3] dot(%e, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
  Case c = make_pair("x: f32[2,4], w: f32[4,3]) -> f32[2,3] {\n %e = f32[2,4] exponential(%x)\n " + dot + kAfter,
                     "x: f32[2,2], w: f32[2,3]) -> f32[2,3] {\n %e = f32[2,2] exponential(%x)\n " + dot + kAfter, kProductRelation, 2);
  infer_ranges(c);
  return c;
}

TEST(Reduce, CutsBeforeAndAfterTheDefect) {
  Case c = long_tail();
  const DifferentialResult run = run_pair(c, {});
  const Pinpointed found = found_in(c, run);
  ASSERT_FALSE(found.mends.empty());
  const auto reduced = reduce(c, *run.witness, &*found.mends.front().module, {});
  ASSERT_TRUE(reduced);
  EXPECT_LE(reduced->instructions, 5U) << reduced->distributed;
  EXPECT_EQ(reduced->distributed.find("exponential"), std::string::npos) << reduced->distributed;
  EXPECT_EQ(reduced->distributed.find("sine("), std::string::npos) << reduced->distributed;
  EXPECT_GT(reduced->before, reduced->instructions);
}

TEST(Reduce, WithoutAMendTheOutputStays) {
  Case c = long_tail();
  const DifferentialResult run = run_pair(c, {});
  ASSERT_TRUE(run.differing);
  const auto reduced = reduce(c, *run.witness, nullptr, {});
  ASSERT_TRUE(reduced);
  EXPECT_NE(reduced->distributed.find("sine("), std::string::npos) << reduced->distributed;
}

TEST(Reduce, AnonymousHasNoNames) {
  Case c = long_tail();
  const DifferentialResult run = run_pair(c, {});
  ASSERT_TRUE(run.differing);
  ReduceOptions options;
  options.anonymous = true;
  const auto reduced = reduce(c, *run.witness, nullptr, options);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->distributed.find("%d "), std::string::npos) << reduced->distributed;
  EXPECT_EQ(reduced->sequential.find("%y "), std::string::npos) << reduced->sequential;
}

/// Equal by a law of sines that the prover does not have, between operators that it relates.
Case open_question() {
  const std::string dot = "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
  Case c = make_pair("x: f32[2,4], w: f32[4,3]) -> f32[2,3] {\n %e = f32[2,4] exponential(%x)\n %d = f32[2,3] dot(%e, %w), " + dot +
                         " %dd = f32[2,3] add(%d, %d)\n %s = f32[2,3] sine(%dd)\n %t = f32[2,3] tanh(%s)\n ROOT %o = f32[2,3] multiply(%t, %d)\n",
                     "x: f32[2,2], w: f32[2,3]) -> f32[2,3] {\n %e = f32[2,2] exponential(%x)\n %p = f32[2,3] dot(%e, %w), " + dot +
                         " %d = f32[2,3] AR(%p)\n %a = f32[2,3] sine(%d)\n %b = f32[2,3] cosine(%d)\n %ab = f32[2,3] multiply(%a, %b)\n"
                         " %s = f32[2,3] add(%ab, %ab)\n %t = f32[2,3] tanh(%s)\n ROOT %o = f32[2,3] multiply(%t, %d)\n",
                     kProductRelation, 2);
  infer_ranges(c);
  return c;
}

TEST(Reduce, UnknownPairIsCutToTheOpenStep) {
  Case c = open_question();
  ASSERT_FALSE(run_pair(c, {}).differing);
  const ProofResult proof = prove(c);
  ASSERT_FALSE(proof.proved);
  const auto reduced = reduce_unknown(c, draw_inputs(c.relation, 42, 0), proof.reason.value_or(Reason::NoLemma), {});
  ASSERT_TRUE(reduced);
  EXPECT_LE(reduced->instructions, 5U) << reduced->distributed;
  EXPECT_EQ(reduced->output, "main/%s");
  EXPECT_EQ(reduced->distributed.find("all-reduce"), std::string::npos) << reduced->distributed;
  EXPECT_EQ(reduced->distributed.find("tanh"), std::string::npos) << reduced->distributed;
  EXPECT_NE(reduced->sequential.find("sine"), std::string::npos) << reduced->sequential;
}

TEST(Reduce, NothingIsUnknownForAnotherReason) {
  Case c = open_question();
  EXPECT_FALSE(reduce_unknown(c, draw_inputs(c.relation, 42, 0), Reason::OpaqueCall, {}));
}

}  // namespace
}  // namespace gg::pinpoint
