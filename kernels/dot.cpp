// Large matrix products in double storage through Eigen. Operands are packed to [batch, rows, inner] and
// [batch, inner, columns] unless their matrices lie so already, or transposed. Eigen reorders the sum over the inner dimension: XLA leaves its
// order open, and F64, F32 and Model runs compare with a bound. F32 and Model modes multiply and accumulate in f32
// (types up to f32) and round once to the result type.
#include <Eigen/Core>
#include <algorithm>
#include <type_traits>

#include "kernels/kernel_list.h"
#include "kernels/numbers/parallel.h"
#include "models/base/progress.h"
#include "models/op/rule_support.h"

namespace gg {

DotSide dot_side(const Call& call, std::size_t operand) {
  const bool left = operand == 0;
  const IntList& batch = call.attributes->ints(left ? Attr::LhsBatchDims : Attr::RhsBatchDims);
  const IntList& contracting = call.attributes->ints(left ? Attr::LhsContractingDims : Attr::RhsContractingDims);
  const Type& type = *call.operands[operand];
  DotSide side;
  IntList free;
  for (std::int64_t d = 0; d < type.rank(); ++d) {
    if (!contains(batch, d) && !contains(contracting, d)) free.push_back(d);
  }
  const auto append = [&](const IntList& dims, std::int64_t& count) {
    for (const std::int64_t d : dims) {
      side.order.push_back(d);
      count *= type.dims[static_cast<std::size_t>(d)];
    }
  };
  append(batch, side.batch);
  if (!left) append(contracting, side.inner);
  append(free, side.free);
  if (left) append(contracting, side.inner);
  return side;
}

}  // namespace gg

namespace gg::kernels {
namespace {

/// Multiply-adds from which a product goes to Eigen.
constexpr std::int64_t kLarge = std::int64_t{1} << 12;
/// And from which it is worth threads.
constexpr std::int64_t kThreads = std::int64_t{1} << 24;

/// out = the array with its dimensions in the given order, row-major.
template <class T>
void pack(const double* in, const Type& type, const std::vector<std::int64_t>& order, T* out) {
  const auto strides = strides_of(type.dims);
  std::vector<std::int64_t> extents, steps;
  for (const std::int64_t d : order) {
    extents.push_back(type.dims[static_cast<std::size_t>(d)]);
    steps.push_back(strides[static_cast<std::size_t>(d)]);
  }
  const std::int64_t length = extents.empty() ? 1 : extents.back(), step = extents.empty() ? 0 : steps.back();
  const auto outer = std::span(extents).first(extents.empty() ? 0 : extents.size() - 1);
  std::vector<std::int64_t> index(outer.size(), 0);
  do {
    const double* from = in;
    for (std::size_t d = 0; d < index.size(); ++d) from += index[d] * steps[d];
    for (std::int64_t k = 0; k < length; ++k) *out++ = static_cast<T>(from[k * step]);
  } while (next_index(index, outer));
}

/// How the matrices of one operand lie: rows of the product's left side (columns of its right side) one after another,
/// or the other way round.
enum class Lies : std::uint8_t { AsWanted,
                                 Transposed,
                                 Scattered };

Lies lies(const DotSide& side, std::size_t batch_dims, std::size_t first_dims) {
  if (std::is_sorted(side.order.begin(), side.order.end())) return Lies::AsWanted;
  std::vector<std::int64_t> swapped = side.order;
  const auto from = swapped.begin() + static_cast<std::ptrdiff_t>(batch_dims);
  std::rotate(from, from + static_cast<std::ptrdiff_t>(first_dims), swapped.end());
  return std::is_sorted(swapped.begin(), swapped.end()) ? Lies::Transposed : Lies::Scattered;
}

/// One operand of one rank as matrices, without a copy where the array lies so.
template <class T>
class Packed {
 public:
  /// `first_dims`: dimensions of a matrix's rows in `side.order`.
  Packed(const Type& type, DotSide side, std::size_t batch_dims, std::size_t first_dims)
      : type_(type), side_(std::move(side)), lies_(lies(side_, batch_dims, first_dims)) {
    if (!std::is_same_v<T, double>) lies_ = Lies::Scattered;
    if (lies_ == Lies::Scattered) packed_.resize(static_cast<std::size_t>(type.count()));
  }
  bool transposed() const { return lies_ == Lies::Transposed; }
  const T* matrices(const double* data) {
    if constexpr (std::is_same_v<T, double>) {
      if (lies_ != Lies::Scattered) return data;
    }
    pack(data, type_, side_.order, packed_.data());
    return packed_.data();
  }

 private:
  const Type& type_;
  DotSide side_;
  Lies lies_;
  std::vector<T> packed_;
};

template <class T, int kOrder>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, kOrder>;
template <class T, int kOrder>
using Input = Eigen::Map<const Matrix<T, kOrder>, 0, Eigen::OuterStride<>>;

/// Rows [first, first + count) of one product of a [rows, inner] and a [inner, columns] matrix.
template <class T>
struct Block {
  const T* x;
  const T* y;
  double* out;
  std::int64_t rows, inner, columns, first, count;
};

template <class T, int kLeft, int kRight>
void product(const Block<T>& b) {
  constexpr bool kByRows = kLeft == Eigen::RowMajor;
  const Input<T, kLeft> x(b.x + b.first * (kByRows ? b.inner : 1), b.count, b.inner,
                          Eigen::OuterStride<>(kByRows ? b.inner : b.rows));
  const Input<T, kRight> y(b.y, b.inner, b.columns,
                           Eigen::OuterStride<>(kRight == Eigen::RowMajor ? b.columns : b.inner));
  double* const to = b.out + b.first * b.columns;
  if constexpr (std::is_same_v<T, double>) {
    Eigen::Map<Matrix<T, Eigen::RowMajor>>(to, b.count, b.columns).noalias() = x * y;
  } else {
    const Matrix<T, Eigen::RowMajor> result = x * y;
    std::copy_n(result.data(), b.count * b.columns, to);
  }
}

template <class T>
using Product = void (*)(const Block<T>& block);

template <class T>
Product<T> product_of(bool left_transposed, bool right_transposed) {
  if constexpr (std::is_same_v<T, double>) {
    constexpr int kRow = Eigen::RowMajor, kColumn = Eigen::ColMajor;
    if (left_transposed) return right_transposed ? product<T, kColumn, kColumn> : product<T, kColumn, kRow>;
    if (right_transposed) return product<T, kRow, kColumn>;
  }
  return product<T, Eigen::RowMajor, Eigen::RowMajor>;
}

/// Rows of one part of a product: chosen by the sizes alone, so that the result does not depend on the machine.
std::int64_t rows_a_part(std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  constexpr std::int64_t kPart = std::int64_t{1} << 24;  // multiply-adds
  const std::int64_t fit = kPart / std::max<std::int64_t>(1, inner * columns);
  return std::clamp<std::int64_t>((fit + 15) / 16 * 16, std::min<std::int64_t>(rows, 64), rows);
}

/// Eigen cuts the inner dimension, and with it the order of the sum, to fit the caches: the same ones everywhere.
void fix_cut() {
  static const bool done = [] {
    Eigen::setCpuCacheSizes(32 << 10, 1 << 20, 8 << 20);
    return true;
  }();
  static_cast<void>(done);
}

template <class T>
void multiply(const Call& call, std::int64_t ranks, Rounding rounding, std::span<const Operand> operands,
              Buffer& result) {
  fix_cut();
  const DotSide l = dot_side(call, 0), r = dot_side(call, 1);
  const std::int64_t rows = l.free, columns = r.free, inner = l.inner;
  const std::size_t batch_dims = call.attributes->ints(Attr::LhsBatchDims).size();
  const std::size_t inner_dims = call.attributes->ints(Attr::LhsContractingDims).size();
  Packed<T> left(*call.operands[0], l, batch_dims, l.order.size() - batch_dims - inner_dims);
  Packed<T> right(*call.operands[1], r, batch_dims, inner_dims);
  const std::int64_t lhs_count = call.operands[0]->count(), rhs_count = call.operands[1]->count();
  const auto lhs = operands[0].buffer->as<double>();
  const auto rhs = operands[1].buffer->as<double>();
  auto out = result.as<double>();
  const Product<T> multiply_block = product_of<T>(left.transposed(), right.transposed());
  const std::int64_t part_rows = rows_a_part(rows, inner, columns);
  const std::int64_t row_parts = (rows + part_rows - 1) / part_rows;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const T* a = left.matrices(lhs.data() + rank * lhs_count);
    const T* b = right.matrices(rhs.data() + rank * rhs_count);
    const auto part = [&](std::int64_t k) {
      ask_deadline();
      const std::int64_t batch = k / row_parts, first = k % row_parts * part_rows;
      double* const to = out.data() + (rank * l.batch + batch) * rows * columns;
      multiply_block({a + batch * rows * inner, b + batch * inner * columns, to, rows, inner, columns, first,
                      std::min(part_rows, rows - first)});
    };
    if (l.batch * rows * inner * columns >= kThreads) {
      for_each_part(l.batch * row_parts, part);
    } else {
      for (std::int64_t k = 0; k < l.batch * row_parts; ++k) part(k);
    }
  }
  if (rounding.mode == NumberMode::F64) return;
  const Storage storage = Storage::Double;
  TieCounter none;
  const Row row{out.data(), 1};  // convert rounds to the result type
  row_apply(ScalarFn::Convert, rounding, storage, out.data(), &row, &storage, &rounding.type, result.count(), none);
}

}  // namespace

bool dot_applies(const Call& call, NumberMode mode) {
  if (is_real(mode)) return false;
  for (const Type* operand : call.operands) {
    if (!is_float(operand->element) || operand->count() == 0) return false;
  }
  if (call.result == nullptr || !is_float(call.result->element)) return false;
  const DotSide l = dot_side(call, 0), r = dot_side(call, 1);
  return l.batch * l.free * l.inner * r.free >= kLarge;
}

void dot(const Arena&, const Call& call, std::int64_t ranks, NumberMode mode, std::span<const Operand> operands,
         std::span<Buffer> results, TieCounter&) {
  const ElementType type = call.result->element;
  const bool in_f32 = mode == NumberMode::F32 || (mode == NumberMode::Model && info(type).bits <= 32);
  if (in_f32)
    multiply<float>(call, ranks, {type, mode}, operands, results[0]);
  else
    multiply<double>(call, ranks, {type, mode}, operands, results[0]);
}

}  // namespace gg::kernels
