// Looking at an edited program with the help of the one before says what looking at it alone says; edits are judged where they stand in
// an arithmetic that is asked for.
#include "harness/pinpoint/views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/pinpoint/preview.h"
#include "harness/pinpoint/trial.h"
#include "models/mutation/patch.h"
#include "tests/pinpoint/pair.h"

namespace gg::pinpoint {
namespace {

const char* const kViewsRelation = R"("inputs": [[["tp"],[]], [[],[]]], "outputs": [[[],[]], [[]]])";
const char* const kViewsSequential =
    "x: f32[4,3], w: f32[3,3]) -> (f32[3,3], f32[3]) {\n %h = f32[4,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    " %t = f32[4,3] tanh(%h)\n %g = f32[3,3] dot(%t, %t), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
    " %b = f32[3] reduce(%t, %zero), dimensions={0}, to_apply=%sum\n ROOT %r = (f32[3,3], f32[3]) tuple(%g, %b)\n";
/// Neither gradient is summed over the ranks.
const char* const kViewsDistributed =
    "x: f32[2,3], w: f32[3,3]) -> (f32[3,3], f32[3]) {\n %h = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    " %t = f32[2,3] tanh(%h)\n %g = f32[3,3] dot(%t, %t), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
    " %b = f32[3] reduce(%t, %zero), dimensions={0}, to_apply=%sum\n ROOT %r = (f32[3,3], f32[3]) tuple(%g, %b)\n";

TEST(Views, WhatIsTakenFromTheProgramBeforeIsWhatItWouldBe) {
  Case c = make_pair(kViewsSequential, kViewsDistributed, kViewsRelation, 2);
  infer_ranges(c);
  const InputSet inputs = draw_inputs(c.relation, 42, 0);
  const Budget budget;
  Views views(c, inputs, NumberMode::Real, budget, nullptr);
  View& first = views.original();
  ASSERT_EQ(first.trace.wrong_outputs().size(), 2U);
  const Kinship& kin = views.kin(first);
  const std::vector<Repair> told = told_repairs(first.context, kin, true);
  ASSERT_FALSE(told.empty());
  const std::optional<Module> edited = patched(first.module(), told.front().patch);
  ASSERT_TRUE(edited);
  const auto with = views.of(*edited, first);
  const auto alone = views.again(*with, NumberMode::Real);
  EXPECT_EQ(with->trace.wrong_outputs(), alone->trace.wrong_outputs());
  EXPECT_EQ(with->trace.suspects(), alone->trace.suspects());
  EXPECT_EQ(with->trace.sources(), alone->trace.sources());
  const Kinship &shared = views.kin(*with), &own = views.kin(*alone);
  std::size_t taken = 0;
  for (ValueId id = 0; id < with->trace.distributed().values().size(); ++id) {
    taken += with->trace.taken_from(id) ? 1 : 0;
    EXPECT_FALSE(alone->trace.taken_from(id));
    EXPECT_EQ(with->trace.state(id).good, alone->trace.state(id).good) << id;
    EXPECT_EQ(with->trace.state(id).match.has_value(), alone->trace.state(id).match.has_value()) << id;
    ASSERT_EQ(shared.of(id) == nullptr, own.of(id) == nullptr) << id;
    if (own.of(id) == nullptr) continue;
    EXPECT_EQ(shared.of(id)->factor, own.of(id)->factor);
    EXPECT_EQ(shared.of(id)->partial, own.of(id)->partial);
  }
  EXPECT_GE(taken, 4U);  // both parameters, the product and its tanh
  EXPECT_EQ(shared.unexplained(), own.unexplained());
}

/// Beyond x = 19 a double has nothing left of 1 - tanh(x), nor have 128 bits of what is drawn here: 1 - tanh(60) is 2^-172.
constexpr const char* kSaturated =
    " %one = f32[] constant(1)\n %ones = f32[N] broadcast(%one), dimensions={}\n %t = f32[N] tanh(%x)\n %s = f32[N] subtract(%ones, %t)\n"
    " %twice = f32[N] add(%x, %x)\n %e = f32[N] exponential(%twice)\n %eu = f32[N] multiply(%e, %u)\n";

TEST(Preview, WhatIsSaturatedIsJudgedInTheArithmeticOfTheTrace) {
  std::string right = std::string("x: f32[N], u: f32[N]) -> f32[N] {\n") + kSaturated + " ROOT %p = f32[N] multiply(%s, %eu)\n";
  std::string wrong = std::string("x: f32[N], u: f32[N]) -> f32[N] {\n") + kSaturated + " ROOT %p = f32[N] multiply(%s, %u)\n";
  replace_all(right, "N", "4");
  replace_all(wrong, "N", "2");
  Case c = make_pair(right, wrong, R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]]], "ranges": {"0": [60, 80]})", 2);
  infer_ranges(c);
  const InputSet inputs = draw_inputs(c.relation, 42, 0);
  const Budget budget;
  ASSERT_EQ(trace_mode(c), NumberMode::Real256);
  Views views(c, inputs, trace_mode(c), budget, nullptr);
  View& view = views.original();
  ASSERT_EQ(view.trace.sources().size(), 1U);  // the product alone
  const std::vector<Repair> repairs = repairs_at(view.context, view.trace.distributed().values()[view.trace.sources()[0]].instance.instruction);
  std::vector<InputSet> sets;
  sets.push_back(inputs.clone());
  Trials trials(c, std::move(sets), budget);
  for (const NumberMode mode : {NumberMode::F64, NumberMode::Real, view.trace.mode()}) {
    const std::vector<bool> looks_right = promising(view.context, repairs, inputs, trials, mode);
    std::set<std::string> edits;
    for (std::size_t k = 0; k < repairs.size(); ++k) {
      if (looks_right[k]) edits.insert(repairs[k].edit);
    }
    EXPECT_EQ(edits.count("read %eu in place of %u in %p"), mode == view.trace.mode() ? 1U : 0U);
    EXPECT_EQ(edits.count("read %e in place of %u in %p"), 0U);
  }
}

}  // namespace
}  // namespace gg::pinpoint
