// Runs whose values are kept: a trace of a recorded pair is the trace of the pair; what a text says twice is computed once.
#include <gtest/gtest.h>

#include <map>

#include "case_builder.h"
#include "runtime/differential.h"
#include "runtime/divergence.h"
#include "runtime/executor.h"

namespace gg {
namespace {

using test::make_case;

const char* const kRecorded = R"(HloModule s
ENTRY %main (x: f32[4,6]) -> f32[4,6] {
  %x = f32[4,6] parameter(0)
  %a = f32[4,6] tanh(%x)
  %b = f32[4,6] tanh(%x)
  %c = f32[4,6] negate(%b)
  ROOT %y = f32[4,6] multiply(%a, %c)
}
)";
const char* const kRecordedRanks = R"(HloModule d, num_partitions=2
ENTRY %main (x: f32[2,6]) -> f32[2,6] {
  %x = f32[2,6] parameter(0)
  %a = f32[2,6] tanh(%x)
  %c = f32[2,6] negate(%x)
  ROOT %y = f32[2,6] multiply(%a, %c)
}
)";
const char* const kRecordedRelation = R"({"mesh": [["dp", 2]], "inputs": [[["dp"], []]], "outputs": [[["dp"], []]]})";

struct Recorded {
  Case c = make_case(kRecorded, kRecordedRanks, kRecordedRelation);
  DifferentialResult run;
  Recorded() {
    infer_ranges(c);
    DifferentialOptions options;
    options.record = true;
    run = run_pair(c, options);
  }
};

TEST(Recording, OfTheDrawThatDiffers) {
  Recorded r;
  ASSERT_TRUE(r.run.recorded);
  EXPECT_EQ(r.run.recorded->mode, NumberMode::Real);
  const Budget budget;
  const auto sequential = std::make_shared<const SequentialTrace>(r.c, *r.run.witness, NumberMode::Real, budget, &r.run.recorded->sequential);
  const DivergenceTrace replayed(r.c, *r.run.witness, sequential, budget, &r.run.recorded->distributed);
  const DivergenceTrace own(r.c, *r.run.witness, NumberMode::Real, budget);
  EXPECT_EQ(replayed.wrong_outputs(), own.wrong_outputs());
  EXPECT_EQ(replayed.sources(), own.sources());
  ASSERT_EQ(own.sources().size(), 1U);
  EXPECT_EQ(r.c.distributed->name_of(own.distributed().values()[own.sources()[0]].instance.instruction), "c");
}

TEST(Recording, NoneWhereNobodyAsks) {
  Case c = make_case(kRecorded, kRecordedRanks, kRecordedRelation);
  infer_ranges(c);
  EXPECT_FALSE(run_pair(c, {}).recorded);
}

TEST(Recording, WhatTheTextSaysTwiceIsOneValue) {
  Recorded r;
  std::map<std::string, const Buffer*> values;
  for (const auto& [instance, leaves] : r.run.recorded->sequential.events) values[std::string(r.c.sequential->name_of(instance.instruction))] = leaves[0].get();
  EXPECT_EQ(values.at("a"), values.at("b"));
  EXPECT_NE(values.at("b"), values.at("c"));
}

TEST(Agreement, WhoOnlyAsksForItHearsOfADifference) {
  Recorded r;
  DifferentialOptions options;
  options.agreement_only = true;
  EXPECT_FALSE(run_once(r.c, *r.run.witness, options).differences.empty());
}

}  // namespace
}  // namespace gg
