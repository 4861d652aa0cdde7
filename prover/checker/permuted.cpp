#include "prover/checker/permuted.h"

#include <algorithm>
#include <array>
#include <compare>
#include <numeric>

#include "prover/checker/choice.h"
#include "prover/checker/functions.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMaxPlaces = 4096, kMaxPieces = 256;

// The elements of a row over v, where they are integers that hang on v alone; nothing of others and of long rows (of cases, joined of pieces).
std::vector<std::int64_t> numbers_of(Terms& t, Var v, Value element) {
  const std::vector<Var> vars{v}, free = t[t[element].free];
  const bool cases = is_case(t, element);
  if ((!free.empty() && free != vars) || !small(t[v].extent, cases ? kMaxPieces : kMaxPlaces)) return {};
  std::vector<std::int64_t> numbers;
  const auto take = [&](const Size& value) {
    if (small(value, INT64_MAX)) numbers.push_back(at_text(value));
  };
  if (cases) {
    for (std::int64_t k = 0; k < at_text(t[v].extent); ++k) {
      const auto number = number_of(t, Substitution(t, nth_point(t, vars, k))(element));
      if (const auto value = number ? number->integer() : std::nullopt) take(*value);
    }
  } else if (t[element].kind != ValueKind::Unknown && integral_form(t, element) && !has_data(t, to_index(t, element))) {
    for (const Size& value : values_of(t, to_index(t, element), vars, kMaxPlaces)) take(value);
  }
  return static_cast<std::int64_t>(numbers.size()) == at_text(t[v].extent) ? numbers : std::vector<std::int64_t>();
}

// The table that takes a permutation of its places back; none of other tables.
std::vector<std::int64_t> inverse(const std::vector<Size>& table) {
  const auto n = static_cast<std::int64_t>(table.size());
  std::vector<std::int64_t> back(table.size(), -1);
  for (std::int64_t k = 0; k < n; ++k) {
    const Size& to = table[static_cast<std::size_t>(k)];
    if (!small(to, n - 1) || at_text(to) < 0 || back[static_cast<std::size_t>(at_text(to))] >= 0) return {};
    back[static_cast<std::size_t>(at_text(to))] = k;
  }
  return back;
}

}  // namespace

std::optional<Index> table_of_variable(Terms& t, const std::vector<Size>& values, Index a) {
  const std::vector<Var> vars = t[t[a].free];
  if (vars.size() != 1 || has_data(t, a) || (a == variable(t, vars[0]) && same(t[vars[0]].extent, static_cast<std::int64_t>(values.size())))) return std::nullopt;
  std::vector<Size> own;
  std::set<std::int64_t> seen;
  for (const Size& place : values_of(t, a, vars, kMaxPlaces)) {
    own.push_back(values[static_cast<std::size_t>(place)]);
    if (!small(own.back(), INT64_MAX) || !seen.insert(at_text(own.back())).second) return std::nullopt;
  }
  return own.empty() ? std::nullopt : std::optional(table(t, own, variable(t, vars[0])));
}

std::optional<std::vector<Size>> permutation_back(const Terms& t, const std::set<Value>& values, Var v) {
  if (!small(t[v].extent, kMaxPlaces)) return std::nullopt;
  struct Found {
    std::array<std::uint64_t, 3> read;
    std::vector<std::int64_t> back;  // none: the variable itself
    auto operator<=>(const Found&) const = default;
  };
  std::optional<Found> first;
  for (const Value part : values) {
    const ValueNode& node = t[part];
    for (std::size_t k = 0; k < node.index.size(); ++k) {
      for (const Part& p : t[node.index[k]].parts) {
        const AtomNode& atom = t[p.atom];
        if (!t.contains(t[p.atom].free, v) || atom.kind == AtomKind::Data) continue;
        Found here{{static_cast<std::uint64_t>(node.kind), node.ref, k}, {}};
        if (atom.kind != AtomKind::Variable) {
          const bool looked_up = atom.kind == AtomKind::Table && same(t[atom.arg].c0, 0) && t[atom.arg].parts.size() == 1 && same(coefficient(t, atom.arg, v), 1);
          if (looked_up) here.back = inverse(atom.table);
          if (static_cast<std::int64_t>(here.back.size()) != at_text(t[v].extent)) return std::nullopt;
        }
        if (!first || here < *first) first = std::move(here);
      }
    }
  }
  if (!first || first->back.empty()) return std::nullopt;
  return std::vector<Size>(first->back.begin(), first->back.end());
}

bool distinct_numbers(Terms& t, Var v, Value element) {
  const std::vector<std::int64_t> numbers = numbers_of(t, v, element);
  return !numbers.empty() && std::set(numbers.begin(), numbers.end()).size() == numbers.size();
}

std::optional<std::vector<Size>> order_of_numbers(Terms& t, Var v, Value element) {
  const std::vector<std::int64_t> numbers = numbers_of(t, v, element);
  if (numbers.empty()) return std::nullopt;
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return numbers[a] > numbers[b]; });
  std::vector<Size> places;
  for (const std::size_t k : order) places.push_back(static_cast<std::int64_t>(k));
  return places;
}

}  // namespace gg::checker
