// What operators with data-dependent indices say: equal extents are the same dimension, blocks divide it, single elements
// only index it.
#include <algorithm>

#include "runtime/reduce/collect.h"
#include "models/op/rule_support.h"

namespace gg {
namespace {

// A window of `part` elements somewhere in `whole`, placed by an index of kind `kind`.
void window_in(Rules& r, SizeVar whole, SizeVar part, std::optional<Kind> kind) {
  const std::int64_t extent = r.sizes.size(whole), length = r.sizes.size(part);
  if (length == extent) {
    if (kind) r.kinds.attach(*kind, whole, part);  // the index is 0, but may be made of offsets
    return r.equal(whole, part);
  }
  if (length == 1) {
    if (kind) r.kinds.attach(*kind, whole);
    return;
  }
  if (kind) r.kinds.attach(*kind, whole, part);
  if (length > 0 && extent % length == 0) {
    r.sizes.factor(whole, {{kNoSize, extent / length}, {part, 1}}, r.origin());
  } else {
    r.keep(whole, "a window that does not divide its dimension");
    r.keep(part, "a window that does not divide its dimension");
  }
}

// Start indices from operand `first`: one a dimension, or a vector.
Kind start_kind(Rules& r, std::size_t first, std::size_t d) {
  const bool vector = r.operand_count() == first + 1 && r.operand_type(first).dims.size() == 1;
  return r.operand_kind(vector ? first : first + d);
}

// Batch dimensions of indices: all but the vector dimension.
std::vector<std::size_t> index_batch(const Rules& r, std::size_t operand) {
  std::vector<std::size_t> dims;
  const auto vector = static_cast<std::size_t>(r.attributes().integer(Attr::IndexVectorDim));
  for (std::size_t d = 0; d < r.operand_type(operand).dims.size(); ++d) {
    if (d != vector) dims.push_back(d);
  }
  return dims;
}

void keep_vector(Rules& r, std::size_t operand) {
  const auto vector = static_cast<std::size_t>(r.attributes().integer(Attr::IndexVectorDim));
  if (vector < r.operand_type(operand).dims.size()) r.keep(r.in(operand, vector), "the length of an index vector");
}

void batching(Rules& r, std::size_t indices, const IntList& in_operand, const IntList& in_indices) {
  for (std::size_t k = 0; k < in_operand.size(); ++k) {
    r.equal(r.in(0, static_cast<std::size_t>(in_operand[k])), r.in(indices, static_cast<std::size_t>(in_indices[k])));
  }
}

}  // namespace

void dynamic_slice_rule(Rules& r) {
  for (std::size_t d = 0; d < r.type().dims.size(); ++d) window_in(r, r.in(0, d), r.out(d), start_kind(r, 1, d));
  r.tie_result(0);
}

void dynamic_update_slice_rule(Rules& r) {
  r.as_result(0);
  for (std::size_t d = 0; d < r.type().dims.size(); ++d) window_in(r, r.in(0, d), r.in(1, d), start_kind(r, 2, d));
  r.tie_result(0);
  r.tie_result(1);
}

void gather_rule(Rules& r) {
  const Attributes& a = r.attributes();
  const IntList &offset = a.ints(Attr::OffsetDims), &map = a.ints(Attr::StartIndexMap);
  const IntList &collapsed = a.ints(Attr::CollapsedSliceDims), &batch = a.ints(Attr::OperandBatchingDims);
  const Kind kind = r.operand_kind(1);
  std::size_t next = 0;
  for (std::size_t d = 0; d < r.operand_type(0).dims.size(); ++d) {
    const auto dim = static_cast<std::int64_t>(d);
    const bool indexed = contains(map, dim);
    if (contains(collapsed, dim) || contains(batch, dim)) {
      if (indexed) r.kinds.attach(kind, r.in(0, d));
      continue;
    }
    const SizeVar out = r.out(static_cast<std::size_t>(offset[next++]));
    window_in(r, r.in(0, d), out, indexed ? std::optional(kind) : std::nullopt);
  }
  batching(r, 1, batch, a.ints(Attr::StartBatchingDims));
  const std::vector<std::size_t> rows = index_batch(r, 1);
  std::size_t row = 0;
  for (std::size_t d = 0; d < r.type().dims.size(); ++d) {
    if (!contains(offset, static_cast<std::int64_t>(d))) r.equal(r.in(1, rows.at(row++)), r.out(d));
  }
  keep_vector(r, 1);
  r.tie_result(0);
}

void scatter_rule(Rules& r) {
  const Attributes& a = r.attributes();
  const std::size_t count = r.operand_count() / 2;
  const IntList &window = a.ints(Attr::UpdateWindowDims), &map = a.ints(Attr::ScatterDims);
  const IntList &inserted = a.ints(Attr::InsertedWindowDims), &batch = a.ints(Attr::InputBatchingDims);
  const Kind kind = r.operand_kind(count);
  const std::vector<std::size_t> rows = index_batch(r, count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t update = count + 1 + k;
    std::size_t next = 0, row = 0;
    r.as_first(k);
    r.as_result(k, k);
    for (std::size_t d = 0; d < r.operand_type(k).dims.size(); ++d) {
      const auto dim = static_cast<std::int64_t>(d);
      const bool indexed = contains(map, dim);
      if (contains(inserted, dim) || contains(batch, dim)) {
        if (indexed) r.kinds.attach(kind, r.in(k, d));
        continue;
      }
      const SizeVar part = r.in(update, static_cast<std::size_t>(window[next++]));
      window_in(r, r.in(k, d), part, indexed ? std::optional(kind) : std::nullopt);
    }
    for (std::size_t d = 0; d < r.operand_type(update).dims.size(); ++d) {
      if (!contains(window, static_cast<std::int64_t>(d))) r.equal(r.in(count, rows.at(row++)), r.in(update, d));
    }
    r.tie_result(k, k);
    r.tie_result(update, k);
  }
  batching(r, count, batch, a.ints(Attr::ScatterBatchingDims));
  keep_vector(r, count);
}

}  // namespace gg
