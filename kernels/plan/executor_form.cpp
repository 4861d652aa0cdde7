// Index forms and guards over rows. Affine parts are arithmetic on the whole row; divisions step along it without
// dividing; only data and tables are looked up per element.
#include <algorithm>

#include "kernels/plan/executor.h"
#include "kernels/plan/memory.h"
#include "kernels/plan/semantics.h"
#include "models/base/check.h"

namespace gg::plan {

namespace {

std::int64_t element(const Row& r, std::int64_t k) { return static_cast<const std::int64_t*>(r.data)[k * r.stride]; }

std::int64_t table_entry(const std::vector<std::int64_t>& table, std::int64_t i) {
  GG_CHECK(i >= 0 && i < static_cast<std::int64_t>(table.size()), "table read out of range");
  return table[static_cast<std::size_t>(i)];
}

std::int64_t ceil_quotient(std::int64_t a, std::int64_t m) { return -floor_quotient(-a, m); }

}  // namespace

std::int64_t* Executor::take_row() {
  if (rows_used_ == rows_.size()) rows_.emplace_back(new std::int64_t[kBlock]);
  return rows_[rows_used_++].get();
}

Intervals Executor::take_list() {
  if (lists_.empty()) return {};
  Intervals list = std::move(lists_.back());
  lists_.pop_back();
  list.clear();
  return list;
}

std::int64_t Executor::value(int id, std::int64_t lo) {
  const Form& f = form(id);
  std::int64_t sum = f.c0;
  for (const FormTerm& t : f.terms) {
    sum += t.coef * (t.level == row_level_ ? lo : at_[static_cast<std::size_t>(t.level)]);
  }
  for (const Slot& s : f.slots) {
    if (!moves(s.mask)) sum += s.coef * slot_value(s, lo);
  }
  return sum;
}

std::int64_t Executor::slot_value(const Slot& s, std::int64_t lo) {
  switch (s.kind) {
    case AtomKind::Div:
      return floor_quotient(value(s.arg, lo), s.m);
    case AtomKind::Data:
      return clamp_index(element(row(s.arg, lo, 1, nullptr), 0), s.type, s.lo, s.hi);
    case AtomKind::Table:
      return table_entry(*s.table, value(s.arg, lo));
    case AtomKind::Var:
      break;
  }
  return 0;
}

void Executor::values(int id, std::int64_t lo, std::int64_t n, std::int64_t* out) {
  const Form& f = form(id);
  const std::int64_t first = value(id, lo), step = f.coef(row_level_);
  for (std::int64_t k = 0; k < n; ++k) out[k] = first + step * k;
  for (const Slot& s : f.slots) {
    if (moves(s.mask)) add_slot(s, lo, n, out);
  }
}

void Executor::add_slot(const Slot& s, std::int64_t lo, std::int64_t n, std::int64_t* out) {
  if (s.kind == AtomKind::Div) return add_division(s, lo, n, out);
  if (s.kind == AtomKind::Data) {
    const Row r = row(s.arg, lo, n, nullptr);
    for (std::int64_t k = 0; k < n; ++k) out[k] += s.coef * clamp_index(element(r, k), s.type, s.lo, s.hi);
    return;
  }
  std::int64_t* const index = take_row();
  values(s.arg, lo, n, index);
  for (std::int64_t k = 0; k < n; ++k) out[k] += s.coef * table_entry(*s.table, index[k]);
  give_row();
}

void Executor::add_division(const Slot& s, std::int64_t lo, std::int64_t n, std::int64_t* out) {
  const Form& arg = form(s.arg);
  const bool affine = std::none_of(arg.slots.begin(), arg.slots.end(), [&](const Slot& t) { return moves(t.mask); });
  if (!affine) {
    std::int64_t* const list = take_row();
    values(s.arg, lo, n, list);
    for (std::int64_t k = 0; k < n; ++k) out[k] += s.coef * floor_quotient(list[k], s.m);
    give_row();
    return;
  }
  const std::int64_t first = value(s.arg, lo), step = arg.coef(row_level_);
  std::int64_t q = floor_quotient(first, s.m), rest = first - q * s.m;
  const std::int64_t step_q = floor_quotient(step, s.m), step_rest = step - step_q * s.m;
  for (std::int64_t k = 0; k < n; ++k) {
    out[k] += s.coef * q;
    q += step_q;
    rest += step_rest;
    if (rest >= s.m) rest -= s.m, ++q;
  }
}

// A read whose address has one division along the row: strided copies of the runs on which it is constant.
bool Executor::run_copy(const Form& f, const Source& source, std::int64_t lo, std::int64_t n, unsigned char* to) {
  constexpr std::int64_t kShortRun = 8;
  const Slot* moving = nullptr;
  for (const Slot& s : f.slots) {
    if (!moves(s.mask)) continue;
    if (moving != nullptr || s.kind != AtomKind::Div) return false;
    moving = &s;
  }
  const Form& arg = form(moving->arg);
  for (const Slot& s : arg.slots) {
    if (moves(s.mask)) return false;
  }
  const std::int64_t m = moving->m, step = arg.coef(row_level_);
  if (kShortRun * (step < 0 ? -step : step) > m) return false;
  const int id = static_cast<int>(&f - p_.forms.data());
  const std::int64_t base = value(id, lo), stride = f.coef(row_level_), start = value(moving->arg, lo);
  const std::size_t size = bytes_of(source.storage);
  for (std::int64_t k = 0; k < n;) {
    const std::int64_t at = start + step * k, q = floor_quotient(at, m);
    std::int64_t next = n;
    if (step > 0) next = k + ceil_quotient((q + 1) * m - at, step);
    if (step < 0) next = k + floor_quotient(at - q * m, -step) + 1;
    next = std::min(next, n);
    const std::int64_t first = base + stride * k + moving->coef * q, last = first + stride * (next - k - 1);
    GG_CHECK(first >= 0 && first < source.count && last >= 0 && last < source.count, "read out of range");
    row_copy(source.storage, to + static_cast<std::size_t>(k) * size,
             {source.data + static_cast<std::size_t>(first) * size, stride}, next - k);
    k = next;
  }
  return true;
}

bool Executor::holds(int id, std::int64_t lo) {
  const GuardNode& g = p_.guards[static_cast<std::size_t>(id)];
  const auto each = [&](int k) { return holds(k, lo); };
  switch (g.kind) {
    case GuardKind::True:
      return true;
    case GuardKind::False:
      return false;
    case GuardKind::Le0:
      return value(g.form, lo) <= 0;
    case GuardKind::Eq0:
      return value(g.form, lo) == 0;
    case GuardKind::And:
      return std::all_of(g.kids.begin(), g.kids.end(), each);
    case GuardKind::Or:
      return std::any_of(g.kids.begin(), g.kids.end(), each);
    case GuardKind::Not:
      return !holds(g.kids[0], lo);
  }
  return false;
}

// Le0 or Eq0 whose form moves along the row.
void Executor::condition(const GuardNode& g, std::int64_t lo, std::int64_t n, Intervals& out) {
  const Form& f = form(g.form);
  const bool affine = std::none_of(f.slots.begin(), f.slots.end(), [&](const Slot& s) { return moves(s.mask); });
  if (affine) {
    const std::int64_t base = value(g.form, lo), step = f.coef(row_level_);
    std::int64_t first = 0, last = n;  // of base + step * k (<= | ==) 0
    if (g.kind == GuardKind::Eq0) {
      if (base % step != 0) return;
      first = -base / step;
      last = first + 1;
    } else if (step > 0) {
      last = floor_quotient(-base, step) + 1;
    } else {
      first = ceil_quotient(base, -step);
    }
    first = std::max<std::int64_t>(first, 0);
    last = std::min(last, n);
    if (first < last) out.emplace_back(lo + first, lo + last);
    return;
  }
  std::int64_t* const list = take_row();
  values(g.form, lo, n, list);
  const auto true_at = [&](std::int64_t k) { return g.kind == GuardKind::Eq0 ? list[k] == 0 : list[k] <= 0; };
  for (std::int64_t k = 0; k < n;) {
    if (!true_at(k)) {
      ++k;
      continue;
    }
    const std::int64_t first = k;
    while (k < n && true_at(k)) ++k;
    out.emplace_back(lo + first, lo + k);
  }
  give_row();
}

namespace {

// Complement within [lo, hi).
void complement(const Intervals& in, std::int64_t lo, std::int64_t hi, Intervals& out) {
  for (const auto& [first, last] : in) {
    if (lo < first) out.emplace_back(lo, first);
    lo = last;
  }
  if (lo < hi) out.emplace_back(lo, hi);
}

void intersect(const Intervals& a, const Intervals& b, Intervals& out) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::int64_t first = std::max(a[i].first, b[j].first), last = std::min(a[i].second, b[j].second);
    if (first < last) out.emplace_back(first, last);
    (a[i].second < b[j].second ? i : j) += 1;
  }
}

}  // namespace

void Executor::intervals(int id, std::int64_t lo, std::int64_t n, Intervals& out) {
  const GuardNode& g = p_.guards[static_cast<std::size_t>(id)];
  if (!moves(g.mask)) {
    if (holds(id, lo)) out.emplace_back(lo, lo + n);
    return;
  }
  if (g.kind == GuardKind::Le0 || g.kind == GuardKind::Eq0) return condition(g, lo, n, out);
  // Or is the complement of the intersection of complements; Not of one.
  const bool opposite = g.kind != GuardKind::And;
  Intervals all = take_list(), part = take_list(), next = take_list();
  all.emplace_back(lo, lo + n);
  for (const int k : g.kids) {
    part.clear();
    intervals(k, lo, n, part);
    if (opposite) {
      next.clear();
      complement(part, lo, lo + n, next);
      part.swap(next);
    }
    next.clear();
    intersect(all, part, next);
    all.swap(next);
  }
  if (g.kind == GuardKind::Or) {
    complement(all, lo, lo + n, out);
  } else {
    out.insert(out.end(), all.begin(), all.end());
  }
  give_list(std::move(all));
  give_list(std::move(part));
  give_list(std::move(next));
}

}  // namespace gg::plan
