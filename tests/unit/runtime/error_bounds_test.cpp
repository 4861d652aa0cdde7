// Running error bounds: never below the true error, and finite where they can be.
#include "runtime/error_bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "case_builder.h"

namespace gg {
namespace {

using test::Program;

/// Runs in f64 with bounds and at 113 bits; every bound must cover the error and be below `loose` of the value.
void check(const std::string& text, std::vector<std::int64_t> counts, double loose, double lo = -1, double hi = 1) {
  Program program(text, 1);
  std::vector<Buffer> doubles, reals;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    Buffer d(Storage::Double, counts[k]);
    Buffer r(Storage::Bits128, counts[k]);
    for (std::int64_t i = 0; i < counts[k]; ++i) {
      const double value = draw_real(3, 0, static_cast<std::uint32_t>(k), static_cast<std::uint64_t>(i),
                                     {lo, hi, Range::Origin::Given});
      d.as<double>()[static_cast<std::size_t>(i)] = value;
      r.as<Ball128>()[static_cast<std::size_t>(i)] = BallOps<Ball128>::from_double(value);
    }
    doubles.push_back(std::move(d));
    reals.push_back(std::move(r));
  }
  RunOptions f64, exact;
  f64.mode = NumberMode::F64;
  f64.error_bounds = true;
  exact.mode = NumberMode::Real;
  const RunResult rough = program.executor->run(std::move(doubles), f64);
  const RunResult truth = program.executor->run(std::move(reals), exact);
  ASSERT_EQ(rough.errors.size(), rough.outputs.size());
  const auto computed = rough.outputs[0].as<double>();
  const auto real = truth.outputs[0].as<Ball128>();
  for (std::size_t k = 0; k < computed.size(); ++k) {
    const double bound = rough.errors[0].count() == 0 ? 0 : rough.errors[0].as<double>()[k];
    const double error = std::abs(
        BallOps<Ball128>::to_double(BallOps<Ball128>::subtract(BallOps<Ball128>::from_double(computed[k]), real[k])));
    EXPECT_LE(error, bound) << "element " << k;
    EXPECT_LE(bound, loose * std::max(1.0, std::abs(computed[k]))) << "element " << k;
  }
}

TEST(ErrorBounds, Elementwise) {
  const char* const kOps[] = {"exponential", "tanh", "logistic", "sine", "cosine", "negate", "abs", "exponential-minus-one"};
  for (const char* const op : kOps) {
    check(std::string("HloModule m\nENTRY %main (x: f32[64]) -> f32[64] {\n  %x = f32[64] parameter(0)\n") +
              "  %c = f32[] constant(0.3)\n  %b = f32[64] broadcast(%c), dimensions={}\n" +
              "  %y = f32[64] divide(%x, %b)\n  ROOT %r = f32[64] " + op + "(%y)\n}\n",
          {64}, 1e-13);
  }
}

TEST(ErrorBounds, PositiveArguments) {
  for (const char* const op : {"log", "sqrt", "rsqrt", "log-plus-one"}) {
    check(std::string("HloModule m\nENTRY %main (x: f32[64]) -> f32[64] {\n  %x = f32[64] parameter(0)\n") +
              "  %y = f32[64] multiply(%x, %x)\n  ROOT %r = f32[64] " + op + "(%y)\n}\n",
          {64}, 1e-12, 0.1, 3);
  }
}

TEST(ErrorBounds, SoftmaxOfProducts) {
  check(R"(HloModule m
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
%max (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] maximum(%a, %b)
}
ENTRY %main (q: f32[8,16], k: f32[8,16], v: f32[8,4]) -> f32[8,4] {
  %q = f32[8,16] parameter(0)
  %k = f32[8,16] parameter(1)
  %v = f32[8,4] parameter(2)
  %d = f32[8,8] dot(%q, %k), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  %low = f32[] constant(-inf)
  %m = f32[8] reduce(%d, %low), dimensions={1}, to_apply=%max
  %mb = f32[8,8] broadcast(%m), dimensions={0}
  %e = f32[8,8] subtract(%d, %mb)
  %x = f32[8,8] exponential(%e)
  %zero = f32[] constant(0)
  %t = f32[8] reduce(%x, %zero), dimensions={1}, to_apply=%sum
  %tb = f32[8,8] broadcast(%t), dimensions={0}
  %p = f32[8,8] divide(%x, %tb)
  ROOT %o = f32[8,4] dot(%p, %v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)",
        {128, 128, 32}, 1e-11);
}

std::string batched_dot(const std::string& factor) {
  return R"(HloModule m
ENTRY %main (a: f32[3,5,2,7], b: f32[7,3,4,5]) -> f32[3,2,4] {
  %a = f32[3,5,2,7] parameter(0)
  %b = f32[7,3,4,5] parameter(1)
  %c = f32[] constant()" +
         factor + R"()
  %x = f32[3,5,2,7] broadcast(%c), dimensions={}
  %y = f32[7,3,4,5] broadcast(%c), dimensions={}
  %p = f32[3,5,2,7] multiply(%a, %x)
  %q = f32[7,3,4,5] multiply(%b, %y)
  ROOT %o = f32[3,2,4] dot(%p, %q), lhs_batch_dims={0}, lhs_contracting_dims={3,1}, rhs_batch_dims={1}, rhs_contracting_dims={0,3}
}
)";
}

TEST(ErrorBounds, DotsOfInexactOperands) {
  check(batched_dot("0.3"), {210, 420}, 1e-12);
  check(batched_dot("1e-19"), {210, 420}, 1e-12);  // squares that are small
  check(batched_dot("3e38"), {210, 420}, 1e-12);
}

TEST(ErrorBounds, DotsFarFromOne) {  // norms whose squares overflow or vanish, beside rows of zeros
  Program program(R"(HloModule m
ENTRY %main (a: f64[3,2], b: f64[2,2]) -> f64[3,2] {
  %a = f64[3,2] parameter(0)
  %b = f64[2,2] parameter(1)
  ROOT %o = f64[3,2] dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)",
                  1);
  RunOptions options;
  options.error_bounds = true;
  const RunResult result =
      program.run(test::buffers(test::doubles({1e200, 3e199, 0, 0, 1e-180, 1e-181}), test::doubles({1e90, 1, 1e-90, 3})), options);
  const auto bound = result.errors[0].as<double>();
  EXPECT_EQ(bound[2], 0);
  EXPECT_EQ(bound[3], 0);
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_GT(bound[k], 1e-16 * result.outputs[0].as<double>()[k]);
    EXPECT_LT(bound[k], 1e-12 * result.outputs[0].as<double>()[k]);
  }
  for (const std::size_t k : {4U, 5U}) EXPECT_GT(bound[k], 1e-16 * result.outputs[0].as<double>()[k]);
}

TEST(ErrorBounds, UncertainDecisionsAreUnbounded) {
  // x / 3 * 3 > x is decided by rounding: nothing is known of what hangs on it.
  Program program(R"(HloModule m
ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4] parameter(0)
  %c = f32[] constant(3)
  %b = f32[4] broadcast(%c), dimensions={}
  %d = f32[4] divide(%x, %b)
  %m = f32[4] multiply(%d, %b)
  %p = pred[4] compare(%m, %x), direction=GT
  ROOT %r = f32[4] select(%p, %x, %b)
}
)",
                  1);
  RunOptions options;
  options.error_bounds = true;
  options.mode = NumberMode::F64;
  const RunResult result = program.run(test::buffers(test::doubles({0.1, 0.2, 0.3, 0.7})), options);
  ASSERT_EQ(result.errors[0].count(), 4);
  for (const double bound : result.errors[0].as<double>()) EXPECT_EQ(bound, INFINITY);
}

TEST(ErrorBounds, ExactValuesHaveNone) {
  Program program(R"(HloModule m
ENTRY %main (x: f32[4]) -> f32[2,2] {
  %x = f32[4] parameter(0)
  %r = f32[4] reverse(%x), dimensions={0}
  %c = f32[] constant(-30000)
  %b = f32[4] broadcast(%c), dimensions={}
  %m = f32[4] maximum(%r, %b)
  ROOT %s = f32[2,2] reshape(%m)
}
)",
                  1);
  RunOptions options;
  options.error_bounds = true;
  const RunResult result = program.run(test::buffers(test::doubles({1, 2, 3, 4})), options);
  EXPECT_EQ(result.errors[0].count(), 0);
}

}  // namespace
}  // namespace gg
