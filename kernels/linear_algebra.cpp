// Cholesky factors and triangular systems, one matrix after the other, in any number type: textbook loops on single numbers.
#include "kernels/kernel_list.h"
#include "models/base/progress.h"

namespace gg::kernels {
namespace {

/// *sum -= *a * *b, by way of its first number.
void subtract_product(Scalars& f, void* sum, const void* a, const void* b) {
  f.apply(ScalarFn::Multiply, f.cell(0), a, b);
  f.apply(ScalarFn::Subtract, sum, sum, f.cell(0));
}

}  // namespace

bool cholesky_applies(const Call&, NumberMode) { return true; }

/// Reads the lower (or upper) triangle only; the other one of the result is zero. A matrix that is not positive definite
/// gives NaN, through the square root.
void cholesky(const Arena&, const Call& call, std::int64_t ranks, NumberMode mode, std::span<const Operand> operands,
              std::span<Buffer> results, TieCounter&) {
  const Type& type = *call.operands[0];
  const std::int64_t n = type.dims.back();
  if (type.count() == 0) return;
  const bool lower = call.attributes->flag(Attr::Lower);
  const Buffer& in = *operands[0].buffer;
  Buffer& out = results[0];
  Scalars f(out.storage(), type.element, mode, 2);
  for (std::int64_t base = 0; base < ranks * type.count(); base += n * n) {
    const auto at = [&](std::int64_t i, std::int64_t j) { return base + (lower ? i * n + j : j * n + i); };
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = i + 1; j < n; ++j) f.set(element(out, at(i, j)), 0);
      for (std::int64_t j = 0; j <= i; ++j) {
        ask_deadline();
        void* value = f.cell(1);
        row_copy(out.storage(), value, {element(in, at(i, j)), 0}, 1);
        for (std::int64_t k = 0; k < j; ++k) subtract_product(f, value, element(out, at(i, k)), element(out, at(j, k)));
        if (i == j) f.apply(ScalarFn::Sqrt, element(out, at(i, j)), value, value);
        else f.apply(ScalarFn::Divide, element(out, at(i, j)), value, element(out, at(j, j)));
      }
    }
  }
}

bool triangular_solve_applies(const Call&, NumberMode) { return true; }

/// op(A) X = B, or X op(A) = B without left_side; op is the transpose or nothing.
void triangular_solve(const Arena&, const Call& call, std::int64_t ranks, NumberMode mode, std::span<const Operand> operands,
                      std::span<Buffer> results, TieCounter&) {
  const Type& a_type = *call.operands[0];
  const Type& b_type = *call.operands[1];
  if (b_type.count() == 0) return;
  const Attributes& attributes = *call.attributes;
  const bool left = attributes.flag(Attr::LeftSide), unit = attributes.flag(Attr::UnitDiagonal);
  const bool transposed = attributes.text(Attr::TransposeA) == "TRANSPOSE" || attributes.text(Attr::TransposeA) == "ADJOINT";
  const std::int64_t n = a_type.dims.back();
  const std::int64_t rows = b_type.dims[b_type.dims.size() - 2], columns = b_type.dims.back();
  const std::int64_t systems = left ? columns : rows;
  // X op(A) = B is op(A)^T X^T = B^T: both are one column at a time with the matrix M.
  const bool flip = transposed == left;  // M[i, j] = A[j, i]
  const bool lower = attributes.flag(Attr::Lower) != flip;
  const Buffer& a = *operands[0].buffer;
  const Buffer& b = *operands[1].buffer;
  Buffer& x = results[0];
  Scalars f(x.storage(), b_type.element, mode, 2);
  for (std::int64_t m = 0; m < ranks * b_type.count() / (rows * columns); ++m) {
    const auto matrix = [&](std::int64_t i, std::int64_t j) { return element(a, m * n * n + (flip ? j * n + i : i * n + j)); };
    for (std::int64_t s = 0; s < systems; ++s) {
      const auto at = [&](std::int64_t i) { return m * rows * columns + (left ? i * columns + s : s * columns + i); };
      for (std::int64_t step = 0; step < n; ++step) {
        ask_deadline();
        const std::int64_t i = lower ? step : n - 1 - step;
        void* value = f.cell(1);
        row_copy(x.storage(), value, {element(b, at(i)), 0}, 1);
        for (std::int64_t done = 0; done < step; ++done) {
          const std::int64_t j = lower ? done : n - 1 - done;
          subtract_product(f, value, matrix(i, j), element(x, at(j)));
        }
        if (unit) row_copy(x.storage(), element(x, at(i)), {value, 0}, 1);
        else f.apply(ScalarFn::Divide, element(x, at(i)), value, matrix(i, i));
      }
    }
  }
}

}  // namespace gg::kernels
