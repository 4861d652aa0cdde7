#include "models/size/digits.h"

#include <utility>

#include "models/base/check.h"

namespace gg::sizes {

DigitId Digits::add(std::int64_t extent, std::string name) {
  GG_CHECK(extent >= 2, "a digit of one value");
  rows_.push_back({extent, static_cast<DigitId>(rows_.size()), 0, 0, false, std::move(name), {}});
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

// The name of a mesh axis and the reason of a fixed extent stay with the class.
void Digits::unite(DigitId a, DigitId b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  GG_CHECK(rows_[a].extent == rows_[b].extent && !rows_[a].is_cut && !rows_[b].is_cut, "digits of different extents");
  if (b < a) std::swap(a, b);
  rows_[b].parent = a;
  if (rows_[a].name.empty()) rows_[a].name = rows_[b].name;
  if (rows_[a].reason.empty()) rows_[a].reason = rows_[b].reason;
}

void Digits::cut_digit(DigitId digit, std::int64_t stride) {
  const std::int64_t extent = rows_[digit].extent;
  GG_CHECK(extent % stride == 0 && stride > 1 && stride < extent, "a digit cut beside its values");
  const std::string reason = rows_[digit].reason, name = rows_[digit].name;
  const auto part = [&](const char* suffix) { return name.empty() ? name : name + suffix; };
  const DigitId major = add(extent / stride, part(".0")), minor = add(stride, part(".1"));
  rows_[digit].major = major;
  rows_[digit].minor = minor;
  rows_[digit].is_cut = true;
  rows_[major].reason = rows_[minor].reason = reason;
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

bool Digits::cut(std::span<const DigitId> list, std::int64_t stride) {
  for (std::int64_t below = 1;;) {
    const DigitList digits = resolve(list);
    if (stride <= 1 || stride >= extent(digits)) return true;
    below = 1;
    for (std::size_t k = digits.size(); k-- > 0;) {
      if (below == stride) return true;
      const std::int64_t above = below * rows_[digits[k]].extent;
      if (above > stride) {
        if (stride % below != 0 || above % stride != 0) return false;
        cut_digit(digits[k], stride / below);
        break;
      }
      below = above;
    }
  }
}

void Digits::fix(DigitId digit, const std::string& reason) {
  for (const DigitId d : resolve({&digit, 1})) {
    if (rows_[d].reason.empty()) rows_[d].reason = reason;
  }
}

const std::string* Digits::fixed(DigitId digit) const {
  const std::string& reason = rows_[root(digit)].reason;
  return reason.empty() ? nullptr : &reason;
}

const std::string& Digits::name(DigitId digit) const { return rows_[root(digit)].name; }

}  // namespace gg::sizes
