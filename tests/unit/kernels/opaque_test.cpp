// Kernels of operators without a body, read from HLO text: written-out values in every number type.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/kernels.h"
#include "models/hlo/parser.h"
#include "models/ir/region.h"

namespace gg {
namespace {

using Values = std::vector<double>;

Buffer make(ElementType type, NumberMode mode, const Values& values) {
  Buffer buffer(storage_of(type, mode), static_cast<std::int64_t>(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k) {
    auto* at = static_cast<unsigned char*>(buffer.data()) + k * bytes_of(buffer.storage());
    store_scalar(buffer.storage(), at, type, values[k], static_cast<std::int64_t>(values[k]));
  }
  return buffer;
}

double number(const Buffer& buffer, std::size_t k) {
  if (buffer.storage() == Storage::Int64) return static_cast<double>(buffer.as<std::int64_t>()[k]);
  if (buffer.storage() == Storage::Double) return buffer.as<double>()[k];
  return BallOps<Ball128>::to_double(buffer.as<Ball128>()[k]);
}

/// Runs the kernel of the ROOT of a module whose operands are its parameters.
Buffer run(const std::string& text, NumberMode mode, const std::vector<Values>& inputs, std::int64_t ranks = 1,
           std::int64_t* ties = nullptr) {
  ParseOptions options;
  options.accept_unknown_calls = true;
  const Module module = parse_hlo(text, "test.hlo", options);
  Arena arena;
  BodyTable table(arena, module, RankDigits(), RankLayout());
  const InstructionId root = module.computation(module.entry()).root;
  const Call call = table.call(root);
  const Kernel kernel = find_kernel(call, mode);
  EXPECT_NE(kernel, nullptr);
  std::vector<Buffer> buffers;
  std::vector<Operand> operands;
  for (std::size_t k = 0; k < inputs.size(); ++k) buffers.push_back(make(call.operands[k]->element, mode, inputs[k]));
  for (std::size_t k = 0; k < inputs.size(); ++k) operands.push_back({&buffers[k], call.operands[k]->element, call.operands[k]->dims});
  std::vector<Buffer> results;
  const Type& type = call.result->is_tuple() ? call.result->elements.back() : *call.result;
  for (const Type* leaf : call.result->leaves()) results.emplace_back(storage_of(leaf->element, mode), leaf->count() * ranks);
  TieCounter counter;
  kernel(arena, call, ranks, mode, operands, results, counter);
  if (ties != nullptr) *ties = counter.ties;
  EXPECT_EQ(results.back().count(), type.count() * ranks);
  return std::move(results.back());
}

void expect(const Buffer& got, const Values& want) {
  ASSERT_EQ(got.count(), static_cast<std::int64_t>(want.size()));
  for (std::size_t k = 0; k < want.size(); ++k) {
    if (std::isnan(want[k])) {
      EXPECT_TRUE(std::isnan(number(got, k))) << k;
    } else {
      EXPECT_NEAR(number(got, k), want[k], 1e-14) << k;
    }
  }
}

class Opaque : public ::testing::TestWithParam<NumberMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, Opaque, ::testing::Values(NumberMode::F64, NumberMode::Real));

TEST_P(Opaque, CholeskyReadsOneTriangle) {
  const std::string text =
      "HloModule t\n\nENTRY %m (a: f64[3,3]) -> f64[3,3] {\n  %a = f64[3,3] parameter(0)\n"
      "  ROOT %r = f64[3,3] cholesky(%a), lower=";
  expect(run(text + "true\n}\n", GetParam(), {{4, 99, 99, 2, 10, 99, -2, 5, 30}}), {2, 0, 0, 1, 3, 0, -1, 2, 5});
  expect(run(text + "false\n}\n", GetParam(), {{4, 2, -2, 99, 10, 5, 99, 99, 30}}), {2, 1, -1, 0, 3, 2, 0, 0, 5});
}

TEST_P(Opaque, CholeskyOfAnIndefiniteMatrixIsNotANumber) {
  const Buffer got = run(
      "HloModule t\n\nENTRY %m (a: f64[1,1]) -> f64[1,1] {\n  %a = f64[1,1] parameter(0)\n"
      "  ROOT %r = f64[1,1] cholesky(%a), lower=true\n}\n",
      GetParam(), {{-1}});
  EXPECT_TRUE(std::isnan(number(got, 0)));
}

TEST_P(Opaque, TriangularSolveInAllForms) {
  const auto solve = [&](const std::string& form, const Values& a, const std::string& shape, const Values& b) {
    return run("HloModule t\n\nENTRY %m (a: f64[2,2], b: " + shape + ") -> " + shape + " {\n  %a = f64[2,2] parameter(0)\n  %b = " +
                   shape + " parameter(1)\n  ROOT %r = " + shape + " triangular-solve(%a, %b), " + form + "\n}\n",
               GetParam(), {a, b});
  };
  const Values lower = {2, 99, 1, 4}, upper = {2, 1, 99, 4};
  expect(solve("left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE", lower, "f64[2,1]", {2, 9}), {1, 2});
  expect(solve("left_side=true, lower=false, unit_diagonal=false, transpose_a=NO_TRANSPOSE", upper, "f64[2,1]", {4, 8}), {1, 2});
  expect(solve("left_side=true, lower=true, unit_diagonal=false, transpose_a=TRANSPOSE", lower, "f64[2,1]", {4, 8}), {1, 2});
  expect(solve("left_side=true, lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE", lower, "f64[2,1]", {1, 3}), {1, 2});
  expect(solve("left_side=false, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE", lower, "f64[1,2]", {4, 8}), {1, 2});
  expect(solve("left_side=false, lower=true, unit_diagonal=false, transpose_a=TRANSPOSE", lower, "f64[1,2]", {2, 9}), {1, 2});
}

TEST_P(Opaque, SelectAndScatter) {
  const std::string text =
      "HloModule t\n\n%ge (a: f64[], b: f64[]) -> pred[] {\n  %a = f64[] parameter(0)\n  %b = f64[] parameter(1)\n"
      "  ROOT %r = pred[] compare(%a, %b), direction=GE\n}\n\n%add (a: f64[], b: f64[]) -> f64[] {\n"
      "  %a = f64[] parameter(0)\n  %b = f64[] parameter(1)\n  ROOT %r = f64[] add(%a, %b)\n}\n\n"
      "ENTRY %m (x: f64[5], s: f64[3], i: f64[]) -> f64[5] {\n  %x = f64[5] parameter(0)\n  %s = f64[3] parameter(1)\n"
      "  %i = f64[] parameter(2)\n  ROOT %r = f64[5] select-and-scatter(%x, %s, %i), window={size=3 stride=2 pad=1_1}, "
      "select=%ge, scatter=%add\n}\n";
  // Windows {0,1}, {1,2,3}, {3,4}: the largest are at 1, 1 and 3.
  expect(run(text, GetParam(), {{1, 7, 2, 5, 4}, {10, 20, 30}, {0.5}}), {0.5, 30.5, 0.5, 30.5, 0.5});
  // Equal elements: the first one stays.
  expect(run(text, GetParam(), {{3, 3, 3, 3, 3}, {10, 20, 30}, {0}}), {10, 20, 0, 30, 0});
}

TEST_P(Opaque, BitsOfFloats) {
  const auto bits = [&](const std::string& from, const std::string& to, const Values& values, std::int64_t* ties) {
    return run("HloModule t\n\nENTRY %m (x: " + from + ") -> " + to + " {\n  %x = " + from + " parameter(0)\n  ROOT %r = " + to +
                   " bitcast-convert(%x)\n}\n",
               GetParam(), {values}, 1, ties);
  };
  std::int64_t ties = 0;
  expect(bits("f32[4]", "u32[4]", {1, -2, 0x1p-149, 0}, &ties), {0x3f800000, 0xc0000000, 1, 0});
  EXPECT_EQ(ties, 0);
  expect(bits("bf16[2]", "s16[2]", {-1, 3.140625}, &ties), {-32768 + 0x3f80, 0x4049});
  expect(bits("f8e4m3fn[2]", "u8[2]", {448, 0x1p-9}, &ties), {0x7e, 1});
  expect(bits("f32[1]", "u8[1,4]", {1.5}, &ties), {0, 0, 0xc0, 0x3f});
  EXPECT_EQ(ties, 0);
  bits("f32[1]", "u32[1]", {0.1}, &ties);
  EXPECT_EQ(ties, 1) << "0.1 is no f32";
}

TEST_P(Opaque, UnknownCallsAreFunctionsOfTheirOperands) {
  const std::string text =
      "HloModule t\n\nENTRY %m (x: f64[4]) -> f64[4] {\n  %x = f64[4] parameter(0)\n"
      "  ROOT %r = f64[4] custom-call(%x), custom_call_target=\"mystery\"\n}\n";
  std::int64_t ties = 0;
  const Buffer got = run(text, GetParam(), {{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 5}}, 3, &ties);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(number(got, k), number(got, 4 + k));
    EXPECT_NE(number(got, k), number(got, 8 + k));
  }
  EXPECT_GT(ties, 0) << "what a made-up function returns proves nothing";
}

TEST(OpaqueBits, RandomBitsFollowState) {
  const std::string text =
      "HloModule t\n\nENTRY %m (s: u64[2]) -> (u64[2], u32[8]) {\n  %s = u64[2] parameter(0)\n"
      "  ROOT %r = (u64[2], u32[8]) rng-bit-generator(%s), algorithm=rng_default\n}\n";
  const Buffer got = run(text, NumberMode::F64, {{1, 2, 1, 2, 1, 3}}, 3);
  int different = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(number(got, k), number(got, 8 + k));
    different += number(got, k) != number(got, 16 + k) ? 1 : 0;
  }
  EXPECT_EQ(different, 8);
}

}  // namespace
}  // namespace gg
