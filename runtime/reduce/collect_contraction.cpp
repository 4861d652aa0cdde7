// What dots, convolutions, reductions and windows say about sizes.
#include <algorithm>

#include "runtime/reduce/collect.h"
#include "models/op/rule_support.h"

namespace gg {
namespace {

bool is_trivial(const WindowDim& w) {
  return w.size == 1 && w.stride == 1 && w.pad_low == 0 && w.pad_high == 0 && w.base_dilation == 1;
}

// A window dimension: extents that move together, or kept.
void window_dim(Rules& r, const WindowDim& w, SizeVar in, SizeVar out, std::int64_t extent) {
  if (is_trivial(w) || is_running_window(w, extent)) return r.equal(in, out);
  const std::int64_t reach = (w.size - 1) * w.window_dilation;
  if (w.stride == 1 && w.base_dilation == 1) {
    const std::int64_t more = w.pad_low + w.pad_high - reach;
    if (more == 0) return r.equal(in, out);
    r.sizes.linear({{{1, in}, {-1, out}}, more}, r.origin());
    r.sizes.at_least(in, reach + 1);
    r.sizes.at_least(out, 2);
    return;
  }
  r.keep(in, "a window with strides or dilation");
  r.keep(out, "a window with strides or dilation");
}

}  // namespace

bool is_running_window(const WindowDim& w, std::int64_t n) {
  return w.size == n && w.stride == 1 && w.base_dilation == 1 && w.window_dilation == 1 &&
         ((w.pad_low == n - 1 && w.pad_high == 0) || (w.pad_low == 0 && w.pad_high == n - 1));
}

void dot_rule(Rules& r) {
  const Attributes& a = r.attributes();
  const IntList &lb = a.ints(Attr::LhsBatchDims), &rb = a.ints(Attr::RhsBatchDims);
  const IntList &lc = a.ints(Attr::LhsContractingDims), &rc = a.ints(Attr::RhsContractingDims);
  std::size_t out = 0;
  for (std::size_t k = 0; k < lb.size(); ++k) {
    r.equal(r.in(0, static_cast<std::size_t>(lb[k])), r.in(1, static_cast<std::size_t>(rb[k])));
    r.equal(r.in(0, static_cast<std::size_t>(lb[k])), r.out(out++));
  }
  for (std::size_t k = 0; k < lc.size(); ++k) {
    r.equal(r.in(0, static_cast<std::size_t>(lc[k])), r.in(1, static_cast<std::size_t>(rc[k])));
  }
  for (std::size_t d = 0; d < r.operand_type(0).dims.size(); ++d) {
    if (!contains(lb, d) && !contains(lc, d)) r.equal(r.in(0, d), r.out(out++));
  }
  for (std::size_t d = 0; d < r.operand_type(1).dims.size(); ++d) {
    if (!contains(rb, d) && !contains(rc, d)) r.equal(r.in(1, d), r.out(out++));
  }
}

void convolution_rule(Rules& r) {
  const Attributes& a = r.attributes();
  const DimLabels& l = a.dim_labels();
  const auto at = [](int d) { return static_cast<std::size_t>(d); };
  const std::int64_t features = a.integer(Attr::FeatureGroupCount, 1), batches = a.integer(Attr::BatchGroupCount, 1);
  if (batches == 1) {
    r.equal(r.in(0, at(l.lhs_batch)), r.out(at(l.out_batch)));
  } else {
    r.sizes.factor(r.in(0, at(l.lhs_batch)), {{kNoSize, batches}, {r.out(at(l.out_batch)), 1}}, r.origin());
  }
  if (features == 1) {
    r.equal(r.in(0, at(l.lhs_feature)), r.in(1, at(l.rhs_input)));
  } else {
    r.sizes.factor(r.in(0, at(l.lhs_feature)), {{kNoSize, features}, {r.in(1, at(l.rhs_input)), 1}}, r.origin());
  }
  r.equal(r.in(1, at(l.rhs_output)), r.out(at(l.out_feature)));
  if (features != 1 || batches != 1) r.keep(r.out(at(l.out_feature)), "features of a grouped convolution");
  for (std::size_t k = 0; k < a.window().size(); ++k) {
    r.keep(r.in(1, at(l.rhs_spatial[k])), "the extent of a convolution kernel");
    const SizeVar in = r.in(0, at(l.lhs_spatial[k]));
    if (is_running_window(a.window()[k], r.sizes.size(in))) {
      r.keep(in, "a convolution kernel as long as its operand");
    }
    window_dim(r, a.window()[k], in, r.out(at(l.out_spatial[k])), 0);
  }
}

void reduce_rule(Rules& r) {
  const IntList& dims = r.attributes().ints(Attr::BroadcastDims);
  const std::size_t count = r.operand_count() / 2;
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t out = 0;
    for (std::size_t d = 0; d < r.operand_type(k).dims.size(); ++d) {
      r.equal(r.in(0, d), r.in(k, d));
      if (!contains(dims, d)) r.equal(r.in(k, d), r.out(out++, k));
    }
    r.tie_result(k, k);
    r.tie_result(count + k, k);
  }
}

void reduce_window_rule(Rules& r) {
  const auto& window = r.attributes().window();
  const std::size_t count = r.operand_count() / 2;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t d = 0; d < r.operand_type(k).dims.size(); ++d) {
      r.equal(r.in(0, d), r.in(k, d));
      r.equal(r.out(d, 0), r.out(d, k));
      if (k > 0) continue;
      const std::int64_t extent = r.operand_type(0).dims[d];
      window_dim(r, d < window.size() ? window[d] : WindowDim{}, r.in(0, d), r.out(d), extent);
    }
    r.tie_result(k, k);
    r.tie_result(count + k, k);
  }
}

void topk_rule(Rules& r) {
  const std::size_t last = r.operand_type(0).dims.size() - 1;
  for (std::size_t leaf = 0; leaf < 2; ++leaf) {
    for (std::size_t d = 0; d < last; ++d) r.equal(r.in(0, d), r.out(d, leaf));
    if (r.type(leaf).dims[last] == r.operand_type(0).dims[last]) r.equal(r.in(0, last), r.out(last, leaf));
    r.keep(r.out(last, leaf), "k of topk");
  }
  r.sizes.at_least(r.in(0, last), r.type(0).dims[last]);
  r.kinds.attach(r.result_kind(1), r.in(0, last));
  r.tie_result(0, 0);
}

}  // namespace gg
