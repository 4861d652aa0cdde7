// Large matrix products in double storage through Eigen. Operands are packed to [batch, rows, inner] and
// [batch, inner, columns] unless they lie so already. Eigen reorders the sum over the inner dimension: XLA leaves its
// order open, and F64, F32 and Model runs compare with a bound. F32 and Model modes multiply and accumulate in f32
// (types up to f32) and round once to the result type.
#include <Eigen/Core>
#include <algorithm>
#include <type_traits>

#include "kernels/kernel_list.h"
#include "models/base/check.h"

namespace gg::kernels {
namespace {

/// Multiply-adds from which a product goes to Eigen.
constexpr std::int64_t kLarge = std::int64_t{1} << 16;

bool contains(const IntList& list, std::int64_t d) { return std::find(list.begin(), list.end(), d) != list.end(); }

/// Dimensions of one operand in the order [batch..., outer..., inner...] that a packed matrix has.
struct Side {
  std::vector<std::int64_t> order;
  std::int64_t free = 1, inner = 1, batch = 1;
};

Side side_of(const Type& type, const IntList& batch, const IntList& contracting, bool inner_first) {
  Side side;
  std::vector<std::int64_t> free;
  for (std::int64_t d = 0; d < type.rank(); ++d) {
    if (!contains(batch, d) && !contains(contracting, d)) free.push_back(d);
  }
  const auto append = [&](const std::vector<std::int64_t>& dims, std::int64_t& count) {
    for (const std::int64_t d : dims) {
      side.order.push_back(d);
      count *= type.dims[static_cast<std::size_t>(d)];
    }
  };
  append(batch, side.batch);
  if (inner_first) append(contracting, side.inner);
  append(free, side.free);
  if (!inner_first) append(contracting, side.inner);
  return side;
}

Side lhs_side(const Call& call) {
  return side_of(*call.operands[0], call.attributes->ints(Attr::LhsBatchDims),
                 call.attributes->ints(Attr::LhsContractingDims), false);
}
Side rhs_side(const Call& call) {
  return side_of(*call.operands[1], call.attributes->ints(Attr::RhsBatchDims),
                 call.attributes->ints(Attr::RhsContractingDims), true);
}

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

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Input = Eigen::Map<const RowMajor<T>>;

/// One operand of one rank as packed matrices, without a copy where the array lies so.
template <class T>
class Packed {
 public:
  Packed(const Type& type, Side side) : type_(type), side_(std::move(side)) {
    in_place_ = std::is_same_v<T, double> && std::is_sorted(side_.order.begin(), side_.order.end());
    if (!in_place_) packed_.resize(static_cast<std::size_t>(type.count()));
  }
  const T* matrices(const double* data) {
    if constexpr (std::is_same_v<T, double>) {
      if (in_place_) return data;
    }
    pack(data, type_, side_.order, packed_.data());
    return packed_.data();
  }

 private:
  const Type& type_;
  Side side_;
  bool in_place_ = false;
  std::vector<T> packed_;
};

template <class T>
void multiply(const Call& call, std::int64_t ranks, Rounding rounding, std::span<const Operand> operands,
              Buffer& result) {
  const Side l = lhs_side(call), r = rhs_side(call);
  const std::int64_t rows = l.free, columns = r.free, inner = l.inner;
  Packed<T> left(*call.operands[0], l), right(*call.operands[1], r);
  const std::int64_t lhs_count = call.operands[0]->count(), rhs_count = call.operands[1]->count();
  const auto lhs = operands[0].buffer->as<double>();
  const auto rhs = operands[1].buffer->as<double>();
  auto out = result.as<double>();
  RowMajor<T> product(rows, columns);
  const Storage storage = Storage::Double;
  TieCounter none;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const T* a = left.matrices(lhs.data() + rank * lhs_count);
    const T* b = right.matrices(rhs.data() + rank * rhs_count);
    for (std::int64_t batch = 0; batch < l.batch; ++batch) {
      const Input<T> x(a + batch * rows * inner, rows, inner), y(b + batch * inner * columns, inner, columns);
      double* to = out.data() + (rank * l.batch + batch) * rows * columns;
      if constexpr (std::is_same_v<T, double>) {
        Eigen::Map<RowMajor<T>>(to, rows, columns).noalias() = x * y;
      } else {
        product.noalias() = x * y;
        std::copy_n(product.data(), rows * columns, to);
      }
    }
  }
  if (rounding.mode == NumberMode::F64) return;
  const Row row{out.data(), 1};  // convert rounds to the result type
  row_apply(ScalarFn::Convert, rounding, storage, out.data(), &row, &storage, &rounding.type, result.count(), none);
}

}  // namespace

bool dot_applies(const Call& call, NumberMode mode) {
  if (mode == NumberMode::Real || mode == NumberMode::Real226) return false;
  for (const Type* operand : call.operands) {
    if (!is_float(operand->element) || operand->count() == 0) return false;
  }
  if (call.result == nullptr || !is_float(call.result->element)) return false;
  const Side l = lhs_side(call), r = rhs_side(call);
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
