#include "models/size/digits.h"

#include <utility>

#include "models/base/check.h"

namespace gg::sizes {

DigitId Digits::add(std::int64_t extent) {
  GG_CHECK(extent >= 2, "a digit of one value");
  rows_.push_back({extent, static_cast<DigitId>(rows_.size())});
  return static_cast<DigitId>(rows_.size() - 1);
}

DigitList Digits::dimension(std::int64_t extent) { return extent < 2 ? DigitList{} : DigitList{add(extent)}; }

DigitId Digits::root(DigitId d) const {
  while (rows_[d].parent != d) d = rows_[d].parent = rows_[rows_[d].parent].parent;
  return d;
}

DigitList Digits::resolve(std::span<const DigitId> list) const {
  DigitList out;
  for (const DigitId given : list) {
    const DigitId d = root(given);
    if (!rows_[d].is_cut) {
      out.push_back(d);
      continue;
    }
    for (const DigitId part : {rows_[d].major, rows_[d].minor}) {
      const DigitList inner = resolve({&part, 1});
      out.insert(out.end(), inner.begin(), inner.end());
    }
  }
  return out;
}

std::int64_t Digits::extent(std::span<const DigitId> list) const {
  std::int64_t product = 1;
  for (const DigitId d : list) product *= rows_[d].extent;
  return product;
}

void Digits::unite(DigitId a, DigitId b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  GG_CHECK(rows_[a].extent == rows_[b].extent && !rows_[a].is_cut && !rows_[b].is_cut, "digits of different extents");
  if (b < a) std::swap(a, b);
  rows_[b].parent = a;
  rows_[a].is_fixed = rows_[a].is_fixed || rows_[b].is_fixed;
}

void Digits::cut_digit(DigitId digit, std::int64_t stride) {
  const std::int64_t extent = rows_[digit].extent;
  GG_CHECK(extent % stride == 0 && stride > 1 && stride < extent, "a digit cut beside its values");
  const DigitId major = add(extent / stride), minor = add(stride);
  rows_[digit].major = major;
  rows_[digit].minor = minor;
  rows_[digit].is_cut = true;
  rows_[major].is_fixed = rows_[minor].is_fixed = rows_[digit].is_fixed;
}

bool Digits::unify(std::span<const DigitId> a, std::span<const DigitId> b) {
  if (extent(a) != extent(b)) return false;
  // From the minor end; after a cut from the start again, since a class may occur in both lists.
  for (;;) {
    const DigitList x = resolve(a), y = resolve(b);
    std::size_t k = 0;
    while (k < x.size() && k < y.size()) {
      const DigitId p = root(x[x.size() - 1 - k]), q = root(y[y.size() - 1 - k]);
      if (rows_[p].is_cut || rows_[q].is_cut) break;  // united just now with one that another place cuts
      if (rows_[p].extent != rows_[q].extent) {
        const DigitId large = rows_[p].extent > rows_[q].extent ? p : q, small = large == p ? q : p;
        if (rows_[large].extent % rows_[small].extent != 0) return false;
        cut_digit(large, rows_[small].extent);
        break;
      }
      unite(p, q);
      ++k;
    }
    if (k == x.size() && k == y.size()) return true;
    GG_CHECK(k < x.size() && k < y.size(), "lists of one extent and different lengths");
  }
}

void Digits::fix(DigitId digit) {
  for (const DigitId d : resolve({&digit, 1})) rows_[d].is_fixed = true;
}

}  // namespace gg::sizes
