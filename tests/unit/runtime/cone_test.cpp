// Elements made on their own at 226 bits against whole runs at 226 bits; what cannot be followed is no answer.
#include "runtime/cone.h"

#include <gtest/gtest.h>

#include <cstring>

#include "case_builder.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

const std::string kRelation = R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": [[["dp"],["tp"]], [["tp"],[]], [[]]], "outputs": [[["dp"],[]]],
  "ranges": {"2": [0, 4]}})";

const std::string kSequential = R"(HloModule s
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
ENTRY main {
  x = f32[4,6] parameter(0)
  w = f32[6,3] parameter(1)
  n = s32[2] parameter(2)
  d = f32[4,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  s = f32[4] reduce(d, zero), dimensions={1}, to_apply=add
  m = f32[4,3] broadcast(s), dimensions={0}
  e = f32[4,3] exponential(m)
  q = f32[4,3] divide(d, e)
  one = s32[1] slice(n), slice={[1:2]}
  i = s32[] reshape(one)
  f = f32[] convert(i)
  k = f32[4,3] broadcast(f), dimensions={}
  ROOT y = f32[4,3] multiply(q, k)
}
)";

std::string distributed(const std::string& groups) {
  return R"(HloModule d, num_partitions=4
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
ENTRY main {
  x = f32[2,3] parameter(0)
  w = f32[3,3] parameter(1)
  n = s32[2] parameter(2)
  p = f32[2,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[2,3] all-reduce(p), channel_id=1, replica_groups=)" +
         groups + R"(, use_global_device_ids=true, to_apply=add
  zero = f32[] constant(0)
  s = f32[2] reduce(d, zero), dimensions={1}, to_apply=add
  m = f32[2,3] broadcast(s), dimensions={0}
  e = f32[2,3] exponential(m)
  q = f32[2,3] divide(d, e)
  one = s32[1] slice(n), slice={[1:2]}
  i = s32[] reshape(one)
  f = f32[] convert(i)
  k = f32[2,3] broadcast(f), dimensions={}
  ROOT y = f32[2,3] multiply(q, k)
}
)";
}

TEST(Cone, IsTheRunElementByElement) {
  Case c = test::make_case(kSequential, distributed("{{0,1},{2,3}}"), kRelation);
  const InputSet inputs = draw_inputs(c.relation, 7, 0);
  RunOptions options;
  options.mode = NumberMode::Real256;
  const PairRun run = PairRunner(c).run(inputs, options);
  Cone cone(*c.distributed_bodies, c.relation.distributed_inputs, elements_of(c.relation, inputs), {NumberMode::Real256});
  const auto values = run.distributed.outputs.at(0).as<Ball256>();
  std::size_t at = 0;
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    for (std::int64_t i = 0; i < 2; ++i) {
      for (std::int64_t k = 0; k < 3; ++k, ++at) {
        std::vector<std::int64_t> index{i, k};
        std::vector<std::int64_t> digits(static_cast<std::size_t>(c.distributed_bodies->digits().count()));
        std::int64_t rest = rank;
        for (std::size_t d = digits.size(); d-- > 0; rest /= c.distributed_bodies->digits().digits()[d].extent) {
          digits[d] = rest % c.distributed_bodies->digits().digits()[d].extent;
        }
        index.insert(index.begin(), digits.begin(), digits.end());
        const Cell cell = cone.output(0, index);
        Ball256 value;
        std::memcpy(&value, cell.bytes, sizeof value);
        EXPECT_EQ(BallOps<Ball256>::to_double(value), BallOps<Ball256>::to_double(values[at])) << "rank " << rank << " [" << i << "," << k << "]";
      }
    }
  }
}

TEST(Cone, ConfirmsWhatIsRealAndTakesBackWhatIsNot) {
  Case wrong = test::make_case(kSequential, distributed("{{0,2},{1,3}}"), kRelation);
  const InputSet inputs = draw_inputs(wrong.relation, 7, 0);
  const auto real = ConePair(wrong, elements_of(wrong.relation, inputs)).look(0, 0, true);
  ASSERT_TRUE(real);
  EXPECT_TRUE(real->differs);
  EXPECT_GT(real->elements, 10);
  Case right = test::make_case(kSequential, distributed("{{0,1},{2,3}}"), kRelation);
  const auto none = ConePair(right, elements_of(right.relation, inputs)).look(0, 0, true);
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->differs);
}

TEST(Cone, KnowsWhatAnElementTakesBeforeItIsMade) {
  Case c = test::make_case(kSequential, distributed("{{0,1},{2,3}}"), kRelation);
  const InputSet inputs = draw_inputs(c.relation, 7, 0);
  ConePair cones(c, elements_of(c.relation, inputs));
  // A dot of 6 terms, three times, their sum, and a dozen operators beside it, on both sides.
  EXPECT_GT(cones.operations(0, 0), 60);
  EXPECT_LT(cones.operations(0, 0), 300);
  const Cone cone(*c.sequential_bodies, c.relation.sequential_inputs, elements_of(c.relation, inputs), {});
  const double one = cone.operations({{0, {{1, 1}, {2, 2}}}}), row = cone.operations({{0, {{1, 1}, {0, 2}}}}), all = cone.operations({{0, {{0, 3}, {0, 2}}}});
  EXPECT_LT(one, row);
  EXPECT_GT(all, 3 * row);
  EXPECT_LE(all, 4 * row);
}

TEST(Cone, ReadsInputsAsTheyAreDrawn) {
  Case c = test::make_case(kSequential, distributed("{{0,1},{2,3}}"), kRelation);
  for (const int regime : {0, 1, 2, 3, kCorners, kAmplified + 1}) {
    const InputSet inputs = draw_inputs(c.relation, 9, regime);
    const InputElement whole = elements_of(c.relation, inputs), single = drawn_elements(c.relation, 9, regime);
    for (std::size_t k = 0; k < inputs.free.size(); ++k) {
      const auto& dims = c.relation.free[k].type.dims;
      for (std::int64_t at = 0; at < inputs.free[k].count(); ++at) {
        const std::vector<std::int64_t> index = dims.size() == 1 ? std::vector{at} : std::vector{at / dims[1], at % dims[1]};
        const std::size_t bytes = bytes_of(storage_of(c.relation.free[k].type.element, NumberMode::Real));
        EXPECT_EQ(std::memcmp(whole(k, index, NumberMode::Real).bytes, single(k, index, NumberMode::Real).bytes, bytes), 0) << regime << " " << k << " " << at;
      }
    }
  }
}

/// exp(x) - max(exp(x)) is zero in one place of a row; as balls the two sides of it only overlap.
std::string beside_maximum(const std::string& rest) {
  return R"(HloModule m
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
larger { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }
ENTRY main {
  x = f32[4,6] parameter(0)
  zero = f32[] constant(0)
  none = f32[] constant(-inf)
  p = f32[4,6] exponential(x)
  most = f32[4] reduce(p, none), dimensions={1}, to_apply=larger
  rows = f32[4,1] reshape(most)
  lines = f32[4] reshape(rows)
  wide = f32[4,6] broadcast(lines), dimensions={0}
  gap = f32[4,6] subtract(p, wide)
  sum = f32[4] reduce(p, zero), dimensions={1}, to_apply=add
  whole = f32[4,6] broadcast(sum), dimensions={0}
)" + rest +
         "}\n";
}
const char* const kOneInput = R"({"mesh": [["tp", 2]], "inputs": [[[], []]], "outputs": [[[], []]]})";

TEST(Cone, AMaximumLessItsElementIsZero) {
  Case c = test::make_case(beside_maximum("  ROOT y = f32[4,6] divide(p, whole)\n"), beside_maximum("  ROOT y = f32[4,6] divide(p, gap)\n"), kOneInput);
  const DifferentialResult result = run_pair(c, {});
  ASSERT_TRUE(result.differing);
  EXPECT_EQ(result.outputs.at(0).agreement, Agreement::Differs);
}

TEST(Cone, EqualToAMaximumIsDecided) {
  const std::string chosen = R"(  is = pred[4,6] compare(p, wide), direction=EQ
  kept = f32[4,6] select(is, p, gap)
)";
  Case c = test::make_case(beside_maximum(chosen + "  ROOT y = f32[4,6] divide(kept, whole)\n"),
                           beside_maximum(chosen + "  ROOT y = f32[4,6] divide(kept, wide)\n"), kOneInput);
  const DifferentialResult result = run_pair(c, {});
  EXPECT_EQ(result.outputs.at(0).agreement, Agreement::Differs);
  Case same = test::make_case(beside_maximum(chosen + "  ROOT y = f32[4,6] divide(kept, whole)\n"),
                              beside_maximum(chosen + "  ROOT y = f32[4,6] divide(kept, whole)\n"), kOneInput);
  EXPECT_EQ(run_pair(same, {}).outputs.at(0).agreement, Agreement::Agrees);
}

TEST(Cone, EqualBallsAreNotOneNumber) {
  // The same exponential twice: equal, but nothing in a run of balls shows it, and a maximum of both has no element that attains it.
  const std::string twice = R"(  x2 = f32[4,6] add(x, whole)
  x3 = f32[4,6] subtract(x2, whole)
  q = f32[4,6] exponential(x3)
  d = f32[4,6] subtract(p, q)
)";
  Case c = test::make_case(beside_maximum(twice + "  ROOT y = f32[4,6] divide(p, whole)\n"), beside_maximum(twice + "  ROOT y = f32[4,6] divide(p, d)\n"), kOneInput);
  EXPECT_EQ(run_pair(c, {}).outputs.at(0).agreement, Agreement::Open);
}

TEST(Cone, AnswersInDoubleRuns) {
  Case wrong = test::make_case(kSequential, distributed("{{0,2},{1,3}}"), kRelation);
  DifferentialOptions options;
  options.mode = NumberMode::F64;
  const DifferentialResult result = run_pair(wrong, options);
  ASSERT_TRUE(result.differing);
  EXPECT_EQ(result.differing->confirmed, 0);
  EXPECT_GT(result.differing->cone, 10);
}

}  // namespace
}  // namespace gg
