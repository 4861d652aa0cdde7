// Cases: the assignments of some variables, or the pieces of their ranges.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "prover/term/terms.h"

namespace gg::prover {

inline constexpr std::uint32_t kMaxSide = 3000;  ///< of an expanded side

inline constexpr int kDeepLevels = 24;    ///< where sides stay small: a recurrence, iteration by iteration
inline constexpr int kShallowLevels = 1;  ///< of sides that grow large

inline constexpr std::int64_t kMaxOutputCases = 4096;  ///< of one output, or of a step

/// All assignments of some variables; of those with cuts all pieces of their range, in which they stay variables.
struct Cases {
  std::vector<VarId> vars;
  std::vector<std::int64_t> extents;
  std::vector<std::vector<std::int64_t>> starts;  ///< of the pieces; none: each value
  std::int64_t count = 1;

  using Cuts = std::map<VarId, std::vector<std::int64_t>>;
  Cases(VarSet set, std::span<const std::int64_t> all, std::int64_t most, const Cuts& cuts = {}) {
    for (std::size_t v = 0; v < all.size() && v < kFreeVars; ++v) {
      if ((set & bit(static_cast<VarId>(v))) == 0) continue;
      vars.push_back(static_cast<VarId>(v));
      extents.push_back(all[v]);
      starts.emplace_back();
      if (const auto it = cuts.find(vars.back()); it != cuts.end()) {
        starts.back() = it->second;
        starts.back().insert(starts.back().begin(), 0);
      }
      count = count > most ? count : count * pieces(vars.size() - 1);
    }
    if (count > most) vars.clear();
  }
  std::int64_t pieces(std::size_t k) const { return starts[k].empty() ? extents[k] : static_cast<std::int64_t>(starts[k].size()); }
  std::vector<std::int64_t> values(std::int64_t number) const {
    std::vector<std::int64_t> out;
    for (std::size_t k = 0; k < extents.size(); ++k) {
      out.push_back(number % pieces(k));
      number /= pieces(k);
    }
    return out;
  }
  TermId at(Terms& t, TermId term, std::int64_t number) const {
    Terms::Map map;
    const std::vector<std::int64_t> all = values(number);
    for (std::size_t k = 0; k < vars.size(); ++k) {
      const auto piece = static_cast<std::size_t>(all[k]);
      const std::int64_t first = starts[k].empty() ? all[k] : starts[k][piece];
      const std::int64_t end = starts[k].empty() ? first + 1 : piece + 1 < starts[k].size() ? starts[k][piece + 1]
                                                                                            : extents[k];
      map.set(vars[k], t.offset(t.var(vars[k], end - first), first));
    }
    return t.substitute(term, map);
  }
  /// The values of all cases as one term; the most frequent one needs no condition.
  TermId tree(Terms& t, const std::vector<TermId>& list) const {
    TermId rest = list[0];
    std::ptrdiff_t most = 0;
    for (const TermId value : list) {
      const std::ptrdiff_t n = std::count(list.begin(), list.end(), value);
      if (n > most) rest = value;
      most = std::max(most, n);
    }
    TermId result = rest;
    for (std::int64_t c = count; c-- > 0;) {
      const TermId value = list[static_cast<std::size_t>(c)];
      if (value != rest) result = t.choose(guard(t, c), value, result);
    }
    return result;
  }
  /// The condition that a case is this one, each of the variables a value.
  TermId guard(Terms& t, std::int64_t number) const {
    TermId all_hold = TermId::True;
    const std::vector<std::int64_t> all = values(number);
    for (std::size_t k = 0; k < vars.size(); ++k) all_hold = t.conj(all_hold, t.eq(t.offset(t.var(vars[k], extents[k]), -all[k])));
    return all_hold;
  }
};

/// One term over the variables of the cases that is each of these values in its case, or nothing (piecewise_cases.cpp).
std::optional<TermId> one_function(Terms& t, const Cases& cases, const std::vector<TermId>& values);
/// What a sum, all of its summands with one coefficient, or an extremum is made of.
struct Combination {
  ScalarFn fn;
  RatId coef;
  std::vector<TermId> parts;
};
std::optional<Combination> combination(Terms& t, TermId id);
/// A sum or an extremum of neighbours as a fold, or nothing.
std::optional<TermId> as_fold(Terms& t, TermId id);

}  // namespace gg::prover
