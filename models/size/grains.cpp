#include "models/size/grains.h"

#include <utility>

#include "models/base/check.h"

namespace gg::sizes {

GrainId Grains::add(std::int64_t extent) {
  GG_CHECK(extent >= 2, "a grain of one value");
  rows_.push_back({extent, static_cast<GrainId>(rows_.size())});
  return static_cast<GrainId>(rows_.size() - 1);
}

GrainList Grains::dimension(std::int64_t extent) { return extent < 2 ? GrainList{} : GrainList{add(extent)}; }

GrainId Grains::root(GrainId d) const {
  while (rows_[d].parent != d) d = rows_[d].parent = rows_[rows_[d].parent].parent;
  return d;
}

GrainList Grains::resolve(std::span<const GrainId> list) const {
  GrainList out;
  for (const GrainId given : list) {
    const GrainId d = root(given);
    if (!rows_[d].is_cut) {
      out.push_back(d);
      continue;
    }
    for (const GrainId part : {rows_[d].major, rows_[d].minor}) {
      const GrainList inner = resolve({&part, 1});
      out.insert(out.end(), inner.begin(), inner.end());
    }
  }
  return out;
}

std::int64_t Grains::extent(std::span<const GrainId> list) const {
  std::int64_t product = 1;
  for (const GrainId d : list) product *= rows_[d].extent;
  return product;
}

void Grains::unite(GrainId a, GrainId b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  GG_CHECK(rows_[a].extent == rows_[b].extent && !rows_[a].is_cut && !rows_[b].is_cut, "grains of different extents");
  if (b < a) std::swap(a, b);
  rows_[b].parent = a;
  rows_[a].is_fixed = rows_[a].is_fixed || rows_[b].is_fixed;
}

void Grains::cut_grain(GrainId grain, std::int64_t stride) {
  const std::int64_t extent = rows_[grain].extent;
  GG_CHECK(extent % stride == 0 && stride > 1 && stride < extent, "a grain cut beside its values");
  const GrainId major = add(extent / stride), minor = add(stride);
  rows_[grain].major = major;
  rows_[grain].minor = minor;
  rows_[grain].is_cut = true;
  rows_[major].is_fixed = rows_[minor].is_fixed = rows_[grain].is_fixed;
}

bool Grains::unify(std::span<const GrainId> a, std::span<const GrainId> b) {
  if (extent(a) != extent(b)) return false;
  // From the minor end; after a cut from the start again, since a class may occur in both lists.
  for (;;) {
    const GrainList x = resolve(a), y = resolve(b);
    std::size_t k = 0;
    while (k < x.size() && k < y.size()) {
      const GrainId p = root(x[x.size() - 1 - k]), q = root(y[y.size() - 1 - k]);
      if (rows_[p].is_cut || rows_[q].is_cut) break;  // united just now with one that another place cuts
      if (rows_[p].extent != rows_[q].extent) {
        const GrainId large = rows_[p].extent > rows_[q].extent ? p : q, small = large == p ? q : p;
        if (rows_[large].extent % rows_[small].extent != 0) return false;
        cut_grain(large, rows_[small].extent);
        break;
      }
      unite(p, q);
      ++k;
    }
    if (k == x.size() && k == y.size()) return true;
    GG_CHECK(k < x.size() && k < y.size(), "lists of one extent and different lengths");
  }
}

void Grains::fix(GrainId grain) {
  for (const GrainId d : resolve({&grain, 1})) rows_[d].is_fixed = true;
}

}  // namespace gg::sizes
