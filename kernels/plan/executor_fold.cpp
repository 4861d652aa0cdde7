// Folds, in ascending index order always: down (the fold's loops outside, an accumulator row) or along the row (the
// fold's last variable is the row). Accumulation is in accumulation_type, rounded once at the end.
#include <algorithm>

#include "kernels/plan/executor.h"
#include "models/base/check.h"
#include "models/base/progress.h"

namespace gg::plan {

bool Executor::step(std::span<const FoldVar> vars) {
  for (std::size_t v = vars.size(); v-- > 0;) {
    const std::int64_t next = at(vars[v].level) + 1;
    set(vars[v].level, next < vars[v].extent ? next : 0);
    if (next < vars[v].extent) return true;
  }
  return false;
}

void Executor::reset(std::span<const FoldVar> vars) {
  for (const FoldVar& v : vars) set(v.level, 0);
}

void Executor::accumulate(ScalarFn fn, Rounding rounding, Storage storage, int body, bool product, std::int64_t lo,
                          std::int64_t n, unsigned char* acc) {
  if (product) {
    const std::vector<int>& factors = node(body).kids;
    const Row a = row(factors[0], lo, n, nullptr), b = row(factors[1], lo, n, nullptr);
    row_multiply_add(rounding, storage, acc, a, b, n);
  } else {
    row_accumulate(fn, rounding, storage, acc, row(body, lo, n, nullptr), n, *context_.ties);
  }
}

void Executor::accumulate_at(ScalarFn fn, Rounding rounding, Storage storage, int body, bool product, std::int64_t lo,
                             std::int64_t n, const std::int64_t* place, unsigned char* acc) {
  const std::size_t size = bytes_of(storage);
  const auto at = [&](const Row& r, std::int64_t k) {
    return Row{static_cast<const unsigned char*>(r.data) +
                   static_cast<std::ptrdiff_t>(k * r.stride) * static_cast<std::ptrdiff_t>(size),
               0};
  };
  const std::vector<int>& factors = node(body).kids;
  const Row a = row(product ? factors[0] : body, lo, n, nullptr);
  const Row b = product ? row(factors[1], lo, n, nullptr) : a;
  for (std::int64_t k = 0; k < n; ++k) {
    if (place[k] < 0) continue;
    unsigned char* const to = acc + static_cast<std::size_t>(place[k]) * size;
    if (product) {
      row_multiply_add(rounding, storage, to, at(a, k), at(b, k), 1);
    } else {
      row_accumulate(fn, rounding, storage, to, at(a, k), 1, *context_.ties);
    }
  }
}

Row Executor::fold(int id, std::int64_t lo, std::int64_t n, unsigned char* to) {
  const Node& x = node(id);
  const State& s = state(id);
  const ElementType type = accumulation_type(x.type, context_.mode);
  const Rounding rounding{type, context_.mode};
  const Row start = row(x.kids[0], lo, n, to);
  if (start.data != to || start.stride != 1) row_copy(s.storage, to, start, n);
  if (x.horizontal) {
    const bool moving = moves(x.mask);
    for (std::int64_t k = 0; k < n; ++k) {
      if (moving) set(row_level_, lo + k);
      fold_along(id, to + static_cast<std::size_t>(k) * s.size, rounding);
    }
  } else {
    fold_down(id, lo, n, to, rounding);
  }
  if (type != x.type) {
    const Row from{to, 1};
    row_apply(ScalarFn::Convert, {x.type, context_.mode}, s.storage, to, &from, &s.storage, &type, n, *context_.ties);
  }
  return {to, 1};
}

void Executor::fold_along(int id, unsigned char* acc, Rounding rounding) {
  const Node& x = node(id);
  State& s = state(id);
  const int outer_level = row_level_;
  const Mask outer_bit = row_bit_;
  const std::int64_t outer_block = block_;
  const std::span<const FoldVar> outer(x.vars.data(), x.vars.size() - 1);
  const FoldVar last = x.vars.back();
  const Node& body = node(x.kids[1]);
  Intervals list = take_list();
  reset(outer);
  do {
    for (std::int64_t lo = 0; lo < last.extent; lo += kBlock) {
      begin_block(last.level, lo);
      list.clear();
      intervals(x.guard, lo, std::min(kBlock, last.extent - lo), list);
      for (const auto& [first, end] : list) {
        Row r{};
        if (x.product) {
          const Row factors[2] = {row(body.kids[0], first, end - first, nullptr),
                                  row(body.kids[1], first, end - first, nullptr)};
          if (row_dot(s.storage, acc, factors[0], factors[1], end - first)) continue;
          const Storage storages[2] = {s.storage, s.storage};
          const ElementType types[2] = {body.type, body.type};
          row_apply(ScalarFn::Multiply, rounding, s.storage, s.product, factors, storages, types, end - first,
                    *context_.ties);
          r = {s.product, 1};
        } else {
          r = row(x.kids[1], first, end - first, nullptr);
        }
        row_fold(x.fn, rounding, s.storage, acc, r, end - first, *context_.ties);
      }
    }
  } while (step(outer));
  give_list(std::move(list));
  row_level_ = outer_level;
  row_bit_ = outer_bit;
  block_ = outer_block;
}

// Values of the last variable in [begin, begin + size) where the guard holds; it is the same along the row.
void Executor::valid_steps(int guard, int level, std::int64_t begin, std::int64_t size, Intervals& out) {
  out.clear();
  if (p_.guards[static_cast<std::size_t>(guard)].kind == GuardKind::True) {
    out.emplace_back(begin, begin + size);
    return;
  }
  const int row_level = row_level_;
  const Mask row_bit = row_bit_;
  const std::int64_t block = block_;
  begin_block(level, begin);
  intervals(guard, begin, size, out);
  row_level_ = row_level;
  row_bit_ = row_bit;
  block_ = block;
}

// The parts of a fold whose body is one plain read or the product of two: addresses step by constants.
std::optional<std::array<int, 2>> Executor::plain_parts(const Node& fold) const {
  std::array<int, 2> reads = {fold.kids[1], fold.kids[1]};
  if (fold.product) reads = {node(fold.kids[1]).kids[0], node(fold.kids[1]).kids[1]};
  if (!node(reads[0]).plain || !node(reads[1]).plain) return std::nullopt;
  return reads;
}

void Executor::fold_down(int id, std::int64_t lo, std::int64_t n, unsigned char* acc, Rounding rounding) {
  const Node& x = node(id);
  const State& s = state(id);
  const bool clips = moves(p_.guards[static_cast<std::size_t>(x.guard)].mask);
  const auto plain = plain_parts(x);
  const std::span<const FoldVar> outer(x.vars.data(), x.vars.size() - 1);
  const FoldVar last = x.vars.back();
  Intervals list = take_list(), steps = take_list();
  reset(x.vars);
  do {
    for (std::int64_t begin = 0; begin < last.extent; begin += kBlock) {
      ask_deadline();
      const std::int64_t size = std::min(kBlock, last.extent - begin);
      if (clips) {
        steps.clear();
        steps.emplace_back(begin, begin + size);
      } else {
        valid_steps(x.guard, last.level, begin, size, steps);
      }
      for (const auto& [first, end] : steps) {
        if (plain && !clips) {
          fold_plain(id, *plain, first, end, lo, n, acc, rounding);
          continue;
        }
        for (std::int64_t v = first; v < end; ++v) {
          set(last.level, v);
          list.clear();
          if (clips) {
            intervals(x.guard, lo, n, list);
          } else {
            list.emplace_back(lo, lo + n);
          }
          for (const auto& [from, to] : list) {
            accumulate(x.fn, rounding, s.storage, x.kids[1], x.product, from, to - from,
                       acc + static_cast<std::size_t>(from - lo) * s.size);
          }
        }
      }
    }
  } while (step(outer));
  give_list(std::move(list));
  give_list(std::move(steps));
}

// The last variable over [begin, end), with nothing but the row kernel in the loop.
void Executor::fold_plain(int id, const std::array<int, 2>& reads, std::int64_t begin, std::int64_t end,
                          std::int64_t lo, std::int64_t n, unsigned char* acc, Rounding rounding) {
  const Node& x = node(id);
  const State& s = state(id);
  const FoldVar last = x.vars.back();
  set(last.level, begin);
  std::array<const unsigned char*, 2> from;
  std::array<std::int64_t, 2> strides, steps;
  for (std::size_t k = 0; k < 2; ++k) {
    const Form& f = form(node(reads[k]).form);
    const Source& source = context_.sources[static_cast<std::size_t>(node(reads[k]).operand)];
    const std::int64_t first = value(node(reads[k]).form, lo), stride = f.coef(row_level_), turn = f.coef(last.level);
    const std::int64_t along = stride * (n - 1), down = turn * (end - begin - 1);
    const std::int64_t least = first + std::min<std::int64_t>(along, 0) + std::min<std::int64_t>(down, 0);
    const std::int64_t most = first + std::max<std::int64_t>(along, 0) + std::max<std::int64_t>(down, 0);
    GG_CHECK(least >= 0 && most < source.count, "read out of range");
    from[k] = source.data + static_cast<std::size_t>(first) * s.size;
    strides[k] = stride;
    steps[k] = turn;
  }
  const auto dot = [&](std::int64_t k) {
    const auto at = [&](std::size_t side) { return Row{from[side] + k * strides[side] * static_cast<std::ptrdiff_t>(s.size), steps[side]}; };
    return row_dot(s.storage, acc + static_cast<std::size_t>(k) * s.size, at(0), at(1), end - begin);
  };
  if (x.product && n != 0 && dot(0)) {
    for (std::int64_t k = 1; k < n; ++k) dot(k);
  } else if (x.product) {
    row_multiply_add(rounding, s.storage, acc, {from[0], strides[0]}, {from[1], strides[1]}, n, {end - begin, steps[0], steps[1]});
  } else {
    const std::ptrdiff_t turn = static_cast<std::ptrdiff_t>(steps[0]) * static_cast<std::ptrdiff_t>(s.size);
    for (std::int64_t v = begin; v < end; ++v, from[0] += turn) {
      row_accumulate(x.fn, rounding, s.storage, acc, {from[0], strides[0]}, n, *context_.ties);
    }
  }
}

}  // namespace gg::plan
