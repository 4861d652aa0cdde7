// Error bounds of matrix products (runtime/error_bounds.h).
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "kernels/numbers/parallel.h"
#include "models/base/check.h"
#include "models/op/rule_support.h"
#include "runtime/error_bounds.h"

namespace gg {
namespace {

constexpr double kUnit = 0x1p-52;
constexpr std::int64_t kThreads = std::int64_t{1} << 20;  ///< elements from which they are worth threads
constexpr std::int64_t kParts = 16;                       ///< of one rank

/// One operand: its dimensions with the place of each in a list of matrix rows [batch..., free...].
struct Rows {
  std::vector<std::int64_t> extents, steps;  ///< step 0: contracted
  std::int64_t batch = 1, free = 1, inner = 1;

  Rows(const Type& type, const IntList& batch_dims, const IntList& contracting) : extents(type.dims), steps(type.dims.size()) {
    for (std::size_t d = extents.size(); d-- > 0;) {
      if (contains(batch_dims, static_cast<std::int64_t>(d))) continue;
      if (contains(contracting, static_cast<std::int64_t>(d))) {
        inner *= extents[d];
      } else {
        steps[d] = free;
        free *= extents[d];
      }
    }
    batch = free;
    for (auto d = batch_dims.rbegin(); d != batch_dims.rend(); ++d) {
      steps[static_cast<std::size_t>(*d)] = batch;
      batch *= extents[static_cast<std::size_t>(*d)];
    }
    batch /= std::max<std::int64_t>(free, 1);
    if (extents.empty()) {
      extents = {1};
      steps = {0};
    }
  }
  std::int64_t count() const { return batch * free; }

  /// visit(row, first element, count, step of the row with the element) for runs of the last dimension, of the elements
  /// that lie in [from, to) of dimension `cut`.
  template <class Visit>
  void each(std::size_t cut, std::int64_t from, std::int64_t to, const Visit& visit) const {
    std::vector<std::int64_t> first(extents.size()), last = extents, stride(extents.size(), 1);
    first[cut] = from;
    last[cut] = to;
    for (std::size_t d = extents.size() - 1; d-- > 0;) stride[d] = stride[d + 1] * extents[d + 1];
    std::vector<std::int64_t> index = first;
    const std::size_t inmost = extents.size() - 1;
    for (;;) {
      std::int64_t row = 0, element = 0;
      for (std::size_t d = 0; d <= inmost; ++d) {
        row += steps[d] * index[d];
        element += stride[d] * index[d];
      }
      visit(row, element, last[inmost] - first[inmost], steps[inmost]);
      std::size_t d = inmost;
      for (; d-- > 0;) {
        if (++index[d] < last[d]) break;
        index[d] = first[d];
      }
      if (d == static_cast<std::size_t>(-1)) return;
    }
  }
  /// The largest dimension that is not contracted: parts of it write different rows. Nothing if there is none.
  std::optional<std::size_t> cut() const {
    std::optional<std::size_t> best;
    for (std::size_t d = 0; d < extents.size(); ++d)
      if (steps[d] != 0 && (!best || extents[d] > extents[*best])) best = d;
    return best;
  }
};

/// Adds the squares of the elements of each matrix row of one rank, scaled, each not below `least` unless it is zero.
void squares(const Rows& rows, const double* values, double scale, double least, double* sums) {
  const auto part = [&](std::size_t cut, std::int64_t from, std::int64_t to) {
    rows.each(cut, from, to, [&](std::int64_t row, std::int64_t first, std::int64_t length, std::int64_t step) {
      const double* in = values + first;
      double* out = sums + row;
      const auto square = [&](std::int64_t k) {
        const double x = in[k] * scale;
        return x * x + (in[k] != 0 ? least : 0);
      };
      if (step != 0) {
        for (std::int64_t k = 0; k < length; ++k) out[k * step] += square(k);
        return;
      }
      double sums_of_four[4] = {};  // one after another they would wait for each other
      std::int64_t k = 0;
      for (; k + 4 <= length; k += 4)
        for (std::int64_t j = 0; j < 4; ++j) sums_of_four[j] += square(k + j);
      for (; k < length; ++k) sums_of_four[0] += square(k);
      *out += (sums_of_four[0] + sums_of_four[1]) + (sums_of_four[2] + sums_of_four[3]);
    });
  };
  const std::optional<std::size_t> cut = rows.cut();
  if (!cut || rows.count() * rows.inner < kThreads) return part(0, 0, rows.extents[0]);
  const std::int64_t length = rows.extents[*cut], parts = std::min(length, kParts);
  for_each_part(parts, [&](std::int64_t k) { part(*cut, length * k / parts, length * (k + 1) / parts); });
}

/// Norms of all ranks' rows. Squares that would overflow or vanish are taken of scaled elements.
std::vector<double> norms(const Rows& rows, std::int64_t ranks, const Buffer& buffer) {
  const auto values = buffer.as<double>();
  std::vector<double> sums(static_cast<std::size_t>(rows.count() * ranks));
  const std::int64_t elements = buffer.count() / ranks;
  constexpr double kSmall = 0x1p-600, kLarge = 0x1p600;
  const auto of_rank = [&](std::int64_t rank) {
    const double* const from = values.data() + rank * elements;
    double* const to = sums.data() + rank * rows.count();
    squares(rows, from, 1, 0, to);
    const bool fine = std::all_of(to, to + rows.count(), [](double x) { return x >= kSmall && x <= kLarge; });
    double back = 1;
    if (!fine) {
      double largest = 0;
      for (std::int64_t k = 0; k < elements; ++k) {
        const double size = std::abs(from[k]);
        if (std::isfinite(size)) largest = std::max(largest, size);
      }
      // Half the exponent range on either side; what vanishes even so is taken for 2^-500 of the largest element.
      if (largest != 0) back = std::exp2(std::clamp(std::ilogb(largest), -1000, 1000));
      std::fill_n(to, rows.count(), 0.0);
      squares(rows, from, 1 / back, 0x1p-1000, to);
    }
    for (std::int64_t k = 0; k < rows.count(); ++k) to[k] = std::sqrt(to[k]) * back;
  };
  if (elements < kThreads && buffer.count() >= kThreads) {
    for_each_part(ranks, of_rank);
  } else if (elements > 0) {  // a large rank goes in parts itself
    for (std::int64_t rank = 0; rank < ranks; ++rank) of_rank(rank);
  }
  return sums;
}

}  // namespace

Buffer dot_error(const Call& call, std::int64_t ranks, const Buffer& a, const Buffer* a_error, const Buffer& b,
                 const Buffer* b_error, std::int64_t result_count, double unit) {
  const Attributes& attributes = *call.attributes;
  const Rows left(*call.operands[0], attributes.ints(Attr::LhsBatchDims), attributes.ints(Attr::LhsContractingDims));
  const Rows right(*call.operands[1], attributes.ints(Attr::RhsBatchDims), attributes.ints(Attr::RhsContractingDims));
  GG_CHECK(result_count == ranks * left.batch * left.free * right.free, "a dot's result and its operands");
  Buffer out(Storage::Double, result_count);
  if (result_count == 0) return out;
  const std::vector<double> x = norms(left, ranks, a), y = norms(right, ranks, b);
  const std::vector<double> ex = a_error == nullptr ? std::vector<double>(x.size()) : norms(left, ranks, *a_error);
  const std::vector<double> ey = b_error == nullptr ? std::vector<double>(y.size()) : norms(right, ranks, *b_error);
  // One unit is twice the rounding of a product or sum; the rest covers the norms themselves and what is below 2^-1022.
  const double c = (static_cast<double>(left.inner) + 4) * unit, above = 1 + (static_cast<double>(left.inner) + 8) * kUnit;
  const double tiny = static_cast<double>(left.inner) * 0x1p-1074;
  double* to = out.as<double>().data();
  for (std::int64_t batch = 0; batch < ranks * left.batch; ++batch) {
    const auto columns = static_cast<std::size_t>(batch * right.free);
    for (std::int64_t row = 0; row < left.free; ++row) {
      const auto at = static_cast<std::size_t>(batch * left.free + row);
      const double first = (ex[at] + c * x[at]) * above, second = (x[at] + ex[at]) * above;
      for (std::int64_t k = 0; k < right.free; ++k, ++to) {
        const auto column = columns + static_cast<std::size_t>(k);
        const double bound = first * y[column] + second * ey[column];
        *to = bound == 0 ? 0 : bound + tiny;
      }
    }
  }
  return out;
}

}  // namespace gg
