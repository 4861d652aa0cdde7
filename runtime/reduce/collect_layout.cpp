// What layout operators say about sizes.
#include <algorithm>

#include "runtime/reduce/collect.h"

namespace gg {

void broadcast_rule(Rules& r) {
  const IntList& dims = r.attributes().ints(Attr::BroadcastDims);
  for (std::size_t k = 0; k < dims.size(); ++k) r.equal(r.in(0, k), r.out(static_cast<std::size_t>(dims[k])));
  r.tie_result(0);
}

void transpose_rule(Rules& r) {
  const IntList& dims = r.attributes().ints(Attr::BroadcastDims);
  for (std::size_t k = 0; k < dims.size(); ++k) r.equal(r.in(0, static_cast<std::size_t>(dims[k])), r.out(k));
  r.tie_result(0);
}

void iota_rule(Rules& r) {
  if (!is_integral(r.type().element) && !is_float(r.type().element)) return;
  r.kinds.attach(r.result_kind(), r.out(static_cast<std::size_t>(r.attributes().integer(Attr::IotaDimension))));
}

void slice_rule(Rules& r) {
  const auto& slice = r.attributes().slice();
  for (std::size_t d = 0; d < slice.size(); ++d) {
    const SliceDim& s = slice[d];
    const std::int64_t extent = r.operand_type(0).dims[d];
    if (s.stride == 1) {
      r.sizes.span(r.in(0, d), s.start, s.limit, r.out(d), r.origin());
    } else if (s.start < s.stride && extent % s.stride == 0 && r.type().dims[d] == extent / s.stride) {
      r.sizes.factor(r.in(0, d), {{r.out(d), 1}, {kNoSize, s.stride}}, r.origin());
    } else {
      r.keep(r.in(0, d), "a slice with a stride");
      r.keep(r.out(d), "a slice with a stride");
    }
  }
  r.tie_result(0);
}

void concatenate_rule(Rules& r) {
  const auto along = static_cast<std::size_t>(r.attributes().ints(Attr::BroadcastDims).at(0));
  std::int64_t start = 0;
  for (std::size_t k = 0; k < r.operand_count(); ++k) {
    for (std::size_t d = 0; d < r.type().dims.size(); ++d) {
      if (d != along) r.equal(r.in(k, d), r.out(d));
    }
    const std::int64_t end = start + r.operand_type(k).dims[along];
    r.sizes.span(r.out(along), start, end, r.in(k, along), r.origin());
    start = end;
    r.tie_result(k);
  }
}

// What is common to operand and result: the operand without what negative padding cuts off, the result without what
// positive padding adds.
void pad_rule(Rules& r) {
  const auto& padding = r.attributes().padding();
  for (std::size_t d = 0; d < padding.size(); ++d) {
    const PadDim& p = padding[d];
    if (p.interior != 0) {
      r.keep(r.in(0, d), "interior padding");
      r.keep(r.out(d), "interior padding");
      continue;
    }
    const std::int64_t before = r.operand_type(0).dims[d], after = r.type().dims[d];
    const std::int64_t from = std::max<std::int64_t>(0, -p.low), to = before - std::max<std::int64_t>(0, -p.high);
    if (from >= to) {
      r.keep(r.in(0, d), "padding that cuts everything off");
      r.keep(r.out(d), "padding that cuts everything off");
      continue;
    }
    const SizeVar common = r.sizes.add(to - from);
    r.sizes.span(r.in(0, d), from, to, common, r.origin());
    r.sizes.span(r.out(d), std::max<std::int64_t>(0, p.low), after - std::max<std::int64_t>(0, p.high), common,
                 r.origin());
  }
  r.tie_result(0);
  r.tie_result(1);
}

// Groups of dimensions with equal products, greedily; extents of 1 say nothing.
void reshape_rule(Rules& r) {
  const auto& before = r.operand_type(0).dims;
  const auto& after = r.type().dims;
  r.tie_result(0);
  if (std::count(before.begin(), before.end(), 0) > 0) return r.keep_all("an empty array");
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    std::vector<SizeFactor> left, right;
    std::int64_t a = 1, b = 1;
    do {
      if (j == after.size() || (a <= b && i < before.size() && !(a == b && before[i] == 1 && a != 1))) {
        a *= before[i];
        if (before[i] != 1) left.push_back({r.in(0, i), 1});
        ++i;
      } else {
        b *= after[j];
        if (after[j] != 1) right.push_back({r.out(j), 1});
        ++j;
      }
    } while (a != b);
    if (left.empty() || right.empty()) continue;
    if (left.size() == 1) {
      r.sizes.factor(left[0].var, right, r.origin());
    } else if (right.size() == 1) {
      r.sizes.factor(right[0].var, left, r.origin());
    } else {
      const SizeVar product = r.sizes.add(a);
      r.sizes.factor(product, left, r.origin());
      r.sizes.factor(product, right, r.origin());
    }
  }
}

}  // namespace gg
