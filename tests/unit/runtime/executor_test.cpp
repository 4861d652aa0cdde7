// The executor: structure, liveness, rank-varying control flow, limits.
#include "runtime/executor.h"

#include <gtest/gtest.h>

#include "case_builder.h"
#include "models/base/progress.h"

namespace gg {
namespace {

using test::buffers;
using test::doubles;
using test::integers;
using test::ints;
using test::Program;
using test::values;

const char* const kSum = R"(
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
)";

RuntimeFailure failure(Program& program, std::vector<Buffer> inputs, RunOptions options = {}) {
  try {
    program.run(std::move(inputs), options);
  } catch (const RuntimeFailure& thrown) {
    return thrown;
  }
  ADD_FAILURE() << "the run did not fail";
  return RuntimeFailure(RuntimeFailure::Kind::Budget, "", {});
}

TEST(Executor, CallsTuplesAndAliases) {
  Program program(R"(HloModule m
%f (x: f32[4]) -> (f32[2,2], f32[4]) {
  %x = f32[4] parameter(0)
  %r = f32[2,2] reshape(%x)
  %d = f32[4] add(%x, %x)
  ROOT %t = (f32[2,2], f32[4]) tuple(%r, %d)
}
ENTRY %main (p: f32[4]) -> (f32[4], (f32[2,2], f32[4])) {
  %p = f32[4] parameter(0)
  %c = (f32[2,2], f32[4]) call(%p), to_apply=%f
  %g = f32[4] get-tuple-element(%c), index=1
  ROOT %t = (f32[4], (f32[2,2], f32[4])) tuple(%g, %c)
}
)",
                  1);
  const RunResult result = program.run(buffers(doubles({1, 2, 3, 4})));
  ASSERT_EQ(result.outputs.size(), 3U);
  EXPECT_EQ(values(result.outputs[0]), (std::vector<double>{2, 4, 6, 8}));
  EXPECT_EQ(values(result.outputs[1]), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(values(result.outputs[2]), (std::vector<double>{2, 4, 6, 8}));
}

TEST(Executor, ProbeSeesInstancesInOrder) {
  Program program(R"(HloModule m
%f (x: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  ROOT %y = f32[] add(%x, %x)
}
ENTRY %main (p: f32[]) -> f32[] {
  %p = f32[] parameter(0)
  %a = f32[] call(%p), to_apply=%f
  ROOT %b = f32[] call(%a), to_apply=%f
}
)",
                  1);
  std::vector<std::string> seen;
  RunOptions options;
  options.probe = [&](const Instance& instance, Leaves leaves) {
    seen.push_back(to_string(*program.module, instance) + "=" + std::to_string(leaves[0]->as<double>()[0]));
  };
  program.run(buffers(doubles({1})), options);
  const std::vector<std::string> expected = {"main/%p=1.000000", "main/%a/%x=1.000000", "main/%a/%y=2.000000",
                                             "main/%a=2.000000", "main/%b/%x=2.000000", "main/%b/%y=4.000000",
                                             "main/%b=4.000000"};
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t k = 0; k < seen.size(); ++k) {
    EXPECT_EQ(seen[k].substr(seen[k].rfind('=')), expected[k].substr(expected[k].rfind('='))) << seen[k];
  }
}

const char* const kCountUp = R"(HloModule m, num_partitions=4
%cond (s: (s32[], s32[], f32[])) -> pred[] {
  %s = (s32[], s32[], f32[]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %n = s32[] get-tuple-element(%s), index=1
  ROOT %lt = pred[] compare(%i, %n), direction=LT
}
%body (s: (s32[], s32[], f32[])) -> (s32[], s32[], f32[]) {
  %s = (s32[], s32[], f32[]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %n = s32[] get-tuple-element(%s), index=1
  %x = f32[] get-tuple-element(%s), index=2
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %y = f32[] add(%x, %x)
  ROOT %t = (s32[], s32[], f32[]) tuple(%next, %n, %y)
}
ENTRY %main (n: s32[], x: f32[]) -> (s32[], s32[], f32[]) {
  %n = s32[] parameter(0)
  %x = f32[] parameter(1)
  %zero = s32[] constant(0)
  %t = (s32[], s32[], f32[]) tuple(%zero, %n, %x)
  ROOT %w = (s32[], s32[], f32[]) while(%t), condition=%cond, body=%body
}
)";

TEST(Executor, LoopsEndRankByRank) {
  Program program(kCountUp, 4);
  const RunResult result = program.run(buffers(integers({3, 0, 1, 3}), doubles({1, 1, 1, 5})));
  EXPECT_EQ(ints(result.outputs[0]), (std::vector<std::int64_t>{3, 0, 1, 3}));
  EXPECT_EQ(values(result.outputs[2]), (std::vector<double>{8, 1, 2, 40}));
}

TEST(Executor, EndlessLoopsStopByCount) {
  Program program(kCountUp, 4);
  RunOptions options;
  options.max_steps = 500;
  const RuntimeFailure stopped = failure(program, buffers(integers({1, 1 << 30, 0, 0}), doubles({1, 1, 1, 1})), options);
  EXPECT_EQ(stopped.kind, RuntimeFailure::Kind::Budget);
}

TEST(Executor, DeadlinesStopRuns) {
  Program program(kCountUp, 4);
  RunOptions options;
  progress().over = true;
  EXPECT_EQ(failure(program, buffers(integers({1, 1, 1, 1}), doubles({1, 1, 1, 1})), options).kind,
            RuntimeFailure::Kind::Budget);
  progress().over = false;
}

TEST(Executor, MemoryIsRefusedBeforeItIsTaken) {
  Program program(R"(HloModule m
ENTRY %main (p: f32[]) -> f32[1024,1024] {
  %p = f32[] parameter(0)
  ROOT %b = f32[1024,1024] broadcast(%p), dimensions={}
}
)",
                  1);
  RunOptions options;
  options.budget.max_bytes = live_buffer_bytes() + (1U << 20U);
  const RuntimeFailure stopped = failure(program, buffers(doubles({1})), options);
  EXPECT_EQ(stopped.kind, RuntimeFailure::Kind::Memory);
  EXPECT_EQ(stopped.where.instruction, 1U);
}

TEST(Executor, ValuesDieAfterTheirLastUse) {
  // A chain of 64 arrays of 64 KiB needs only a few of them at a time.
  std::string text = "HloModule m\nENTRY %main (p: f32[8192]) -> f32[8192] {\n  %p = f32[8192] parameter(0)\n";
  for (int k = 0; k < 64; ++k) {
    const std::string from = k == 0 ? "%p" : "%x" + std::to_string(k - 1);
    text += std::string(k == 63 ? "  ROOT" : "  ") + " %x" + std::to_string(k) + " = f32[8192] add(" + from + ", " + from + ")\n";
  }
  Program program(text + "}\n", 1);
  RunOptions options;
  options.budget.max_bytes = live_buffer_bytes() + std::size_t{4} * 65536 + 4096;
  const RunResult result = program.run(buffers(Buffer(Storage::Double, 8192)), options);
  EXPECT_EQ(result.outputs[0].count(), 8192);
}

const char* const kBranches = R"(
%double (x: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  ROOT %y = f32[] add(%x, %x)
}
%reduced (x: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  ROOT %ar = f32[] all-reduce(%x), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=%sum
}
ENTRY %main (p: pred[], x: f32[]) -> f32[] {
  %p = pred[] parameter(0)
  %x = f32[] parameter(1)
  ROOT %c = f32[] conditional(%p, %x, %x), true_computation=%reduced, false_computation=%double
}
)";

TEST(Executor, WholeGroupsMayBranchApart) {
  Program program(std::string("HloModule m, num_partitions=4\n") + kSum + kBranches, 4);
  const RunResult result = program.run(buffers(integers({1, 1, 0, 0}), doubles({1, 2, 3, 4})));
  EXPECT_EQ(values(result.outputs[0]), (std::vector<double>{3, 3, 6, 8}));
}

TEST(Executor, DividedGroupsWouldHang) {
  Program program(std::string("HloModule m, num_partitions=4\n") + kSum + kBranches, 4);
  const RuntimeFailure stopped = failure(program, buffers(integers({1, 0, 0, 0}), doubles({1, 2, 3, 4})));
  EXPECT_EQ(stopped.kind, RuntimeFailure::Kind::Mismatch);
  EXPECT_EQ(program.module->name_of(stopped.where.instruction), "ar");
  const std::string text = stopped.what();
  EXPECT_NE(text.find("%ar"), std::string::npos) << text;
  EXPECT_NE(text.find("ranks 0 reach it"), std::string::npos) << text;
  EXPECT_NE(text.find("at the conditional %c rank 0 takes the true branch, rank 1 takes the false branch"), std::string::npos) << text;
}

TEST(Executor, RanksThatLeaveALoopEarlyAreMissed) {
  Program program(std::string("HloModule m, num_partitions=2\n") + kSum + R"(%body (s: (s32[], f32[])) -> (s32[], f32[]) {
  %s = (s32[], f32[]) parameter(0)
  %n = s32[] get-tuple-element(%s), index=0
  %v = f32[] get-tuple-element(%s), index=1
  %one = s32[] constant(1)
  %less = s32[] subtract(%n, %one)
  %ar = f32[] all-reduce(%v), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum
  ROOT %t = (s32[], f32[]) tuple(%less, %ar)
}
%go (s: (s32[], f32[])) -> pred[] {
  %s = (s32[], f32[]) parameter(0)
  %n = s32[] get-tuple-element(%s), index=0
  %zero = s32[] constant(0)
  ROOT %c = pred[] compare(%n, %zero), direction=GT
}
ENTRY %main (n: s32[], x: f32[]) -> f32[] {
  %n = s32[] parameter(0)
  %x = f32[] parameter(1)
  %t = (s32[], f32[]) tuple(%n, %x)
  %l = (s32[], f32[]) while(%t), condition=%go, body=%body
  ROOT %r = f32[] get-tuple-element(%l), index=1
}
)",
                  2);
  EXPECT_EQ(values(program.run(buffers(integers({2, 2}), doubles({1, 2}))).outputs[0]), (std::vector<double>{6, 6}));
  const RuntimeFailure stopped = failure(program, buffers(integers({2, 1}), doubles({1, 2})));
  EXPECT_EQ(stopped.kind, RuntimeFailure::Kind::Mismatch);
  EXPECT_NE(std::string(stopped.what()).find("rank 0 goes on with the loop %l, which rank 1 has left"), std::string::npos) << stopped.what();
}

TEST(Executor, RanksThatPartAtATieProveNothing) {
  Program program(std::string("HloModule m, num_partitions=2\n") + kSum + R"(%meet (x: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  ROOT %ar = f32[] all-reduce(%x), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum
}
%keep (x: f32[]) -> f32[] {
  ROOT %x = f32[] parameter(0)
}
ENTRY %main (x: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %third = f32[] constant(3)
  %a = f32[] divide(%x, %third)
  %b = f32[] multiply(%a, %third)
  %f = pred[] compare(%b, %x), direction=LT
  ROOT %c = f32[] conditional(%f, %x, %x), true_computation=%meet, false_computation=%keep
}
)",
                  2);
  const auto kind = [&](std::vector<double> x) {
    try {
      program.run(buffers(doubles(x)));
    } catch (const RuntimeFailure& stopped) {
      return stopped.kind;
    }
    return RuntimeFailure::Kind::Budget;
  };
  EXPECT_NE(kind({1, 2}), RuntimeFailure::Kind::Mismatch);
  EXPECT_NE(kind({0.7, 4}), RuntimeFailure::Kind::Mismatch);
  EXPECT_NE(kind({0.1, 7}), RuntimeFailure::Kind::Mismatch);
}

TEST(Executor, PermutesNeedBothEnds) {
  Program program(R"(HloModule m, num_partitions=4
%send (x: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  ROOT %cp = f32[] collective-permute(%x), channel_id=1, source_target_pairs={{0,1},{2,3}}
}
%keep (x: f32[]) -> f32[] {
  ROOT %x = f32[] parameter(0)
}
ENTRY %main (p: s32[], x: f32[]) -> f32[] {
  %p = s32[] parameter(0)
  %x = f32[] parameter(1)
  ROOT %c = f32[] conditional(%p, %x, %x), branch_computations={%send, %keep}
}
)",
                  4);
  const RunResult result = program.run(buffers(integers({0, 0, 7, -1}), doubles({1, 2, 3, 4})));
  EXPECT_EQ(values(result.outputs[0]), (std::vector<double>{0, 1, 3, 4}));  // out of range: the last branch
  EXPECT_EQ(failure(program, buffers(integers({0, 1, 0, 0}), doubles({1, 2, 3, 4}))).kind,
            RuntimeFailure::Kind::Mismatch);
}

TEST(Executor, PermutesGiveZerosWithoutASource) {
  Program program(R"(HloModule m, num_partitions=2
ENTRY %main (x: f32[2]) -> f32[2] {
  %x = f32[2] parameter(0)
  ROOT %cp = f32[2] collective-permute(%x), channel_id=1, source_target_pairs={{0,1}}
}
)",
                  2);
  EXPECT_EQ(values(program.run(buffers(doubles({1, 2, 3, 4}))).outputs[0]), (std::vector<double>{0, 0, 1, 2}));
}

TEST(Executor, ConvertOfAConstantRounds) {
  Program program(R"(HloModule m
ENTRY %main (x: f32[]) -> (bf16[2], bf16[]) {
  %x = f32[] parameter(0)
  %c = f32[] constant(0.1)
  %b = f32[2] broadcast(%c), dimensions={}
  %n = bf16[2] convert(%b)
  %y = bf16[] convert(%x)
  ROOT %t = (bf16[2], bf16[]) tuple(%n, %y)
}
)",
                  1);
  const RunResult result = program.run(buffers(doubles({0.1})));
  EXPECT_EQ(result.outputs[0].as<double>()[1], round_to(ElementType::BF16, 0.1));
  EXPECT_EQ(result.outputs[1].as<double>()[0], 0.1);  // other converts are the identity over the reals
}

TEST(Executor, TiesAreCarriedByTheConeOnly) {
  Program program(R"(HloModule m
ENTRY %main (x: f32[]) -> (pred[], f32[]) {
  %x = f32[] parameter(0)
  %three = f32[] constant(3)
  %third = f32[] divide(%x, %three)
  %back = f32[] multiply(%third, %three)
  %near = pred[] compare(%back, %x), direction=LT
  %y = f32[] add(%x, %x)
  ROOT %t = (pred[], f32[]) tuple(%near, %y)
}
)",
                  1);
  Buffer x(Storage::Bits128, 1);
  x.as<Ball128>()[0] = BallOps<Ball128>::from_double(0.7);
  RunOptions options;
  options.mode = NumberMode::Real;
  const RunResult result = program.executor->run(buffers(std::move(x)), options);
  EXPECT_EQ(result.ties[1].ties, 0);
}

/// exp(x) compared with the maximum (or minimum) of itself, or of another value, and c.
std::string attained(const std::string& extreme, const std::string& of) {
  return R"(HloModule m
ENTRY %main (x: f32[4], y: f32[4]) -> pred[4] {
  %x = f32[4] parameter(0)
  %y = f32[4] parameter(1)
  %e = f32[4] exponential(%x)
  %far = f32[4] exponential(%y)
  %c = f32[4] sine(%y)
  %m = f32[4] )" +
         extreme + "(%c, %" + of + ")\n  ROOT %r = pred[4] compare(%m, %e), direction=EQ\n}\n";
}

std::int64_t ties(const std::string& text, NumberMode mode) {
  Program program(text, 1);
  const bool real = mode == NumberMode::Real;
  std::vector<Buffer> inputs;
  for (int k = 0; k < 2; ++k) {
    Buffer& input = inputs.emplace_back(storage_of(ElementType::F32, mode), 4);
    for (std::size_t at = 0; at < 4; ++at) {
      const double value = 0.3 * static_cast<double>(at) - 0.4 + k;
      if (real) input.as<Ball128>()[at] = BallOps<Ball128>::from_double(value);
      else input.as<double>()[at] = value;
    }
  }
  const RunResult result = program.executor->run(std::move(inputs), {.mode = mode, .error_bounds = !real});
  return real ? result.ties[0].ties : result.errors[0].count();
}

TEST(Executor, WhetherAMaximumIsAttainedIsNoTie) {
  for (const NumberMode mode : {NumberMode::Real, NumberMode::F64}) {
    EXPECT_EQ(ties(attained("maximum", "e"), mode), 0);
    EXPECT_EQ(ties(attained("minimum", "e"), mode), 0);
  }
  Program program(attained("maximum", "e"), 1);
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ints(program.run(buffers(doubles({0, -3, nan, inf}), doubles({0, 1, 1, 1}))).outputs[0]), (std::vector<std::int64_t>{1, 0, 0, 1}));
  EXPECT_EQ(ints(program.run(buffers(doubles({0, -inf, 1, inf}), doubles({inf, 0, nan, -inf}))).outputs[0]), (std::vector<std::int64_t>{0, 1, 0, 0}));
  Program another(attained("maximum", "far"), 1);  // e is at least c, and not the maximum of c and another value
  EXPECT_EQ(ints(another.run(buffers(doubles({0, 1, 2, 0}), doubles({0, 0, 0, 1}))).outputs[0]), (std::vector<std::int64_t>{1, 0, 0, 0}));
}

}  // namespace
}  // namespace gg
