// Internal to prover/term: the tables behind Terms.
#pragma once

#include <map>
#include <vector>

#include "models/base/check.h"
#include "prover/term/overflow.h"
#include "prover/term/tables.h"
#include "prover/term/terms.h"

namespace gg::prover {

/// Points at which integer functions of variables are compared with each other.
inline constexpr std::int64_t kMaxFunction = 8192;
inline constexpr std::int64_t kMaxTable = 2048;  ///< places of an index by cases that is spelled as a table; with more it stays one by cases, as the checker has it

struct Terms::Store {
  std::vector<LinNode> lins;
  std::vector<LinTerm> lin_terms;
  IdSet lin_set;
  std::vector<AtomNode> atoms;
  IdSet atom_set;
  std::vector<TermNode> terms;
  std::vector<std::uint32_t> kids;
  IdSet term_set;
  std::vector<std::vector<std::int64_t>> tables;
  std::vector<Anchor> anchors;
  int temps = 0;  ///< temporaries in use
  int depth = 0;  ///< folds being normalised
  int cases = 0;  ///< case distinctions being normalised

  PairMap<LinId> div_memo;
  PairMap<TermId> mul_memo, assume_memo, pow_memo;
  DenseMap<TermId> orders_memo{TermId::Unknown};  ///< of sums with a maximum of two: what it is in both orders, or itself
  DenseMap<TermId> nan_memo{TermId::Unknown};     ///< of reals that test whether a number is NaN: what they are without that, or themselves
  PairMap<TermId> join_memo;                      ///< of two folds; Unknown: they do not join
  DenseMap<LinId> refit_memo{static_cast<LinId>(IdSet::kNoId)};
  std::map<std::vector<std::int64_t>, LinId> functions;  ///< of variables, by their values, that no digits fit: spellings
  DenseMap<std::optional<Attributes>> attribute_memo{std::nullopt};
  SmallMap<std::pair<std::int64_t, std::int64_t>> range_memo;
  SmallMap<Bounds> bounds_memo;
  SequenceMap<TermId> choose_memo, fold_memo;
};

/// Counts a scope.
class Nested {
 public:
  explicit Nested(int& count) : count_(count) { ++count_; }
  ~Nested() { --count_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  int& count_;
};

inline std::uint32_t raw(TermId id) { return static_cast<std::uint32_t>(id); }
inline std::uint32_t raw(LinId id) { return static_cast<std::uint32_t>(id); }
inline std::uint32_t raw(AtomId id) { return static_cast<std::uint32_t>(id); }
inline std::uint32_t raw(RatId id) { return static_cast<std::uint32_t>(id); }

/// Checked arithmetic on index coefficients.
inline std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) throw Overflow();
  return r;
}
inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) throw Overflow();
  return r;
}
/// Ends of ranges from here on say nothing (certificate.md, I4).
inline constexpr std::int64_t kFarEnd = std::int64_t{1} << 61;
/// Saturating, for ranges.
inline std::int64_t saturate_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) return a < 0 ? INT64_MIN : INT64_MAX;
  return r;
}
inline std::int64_t saturate_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  return r;
}
/// A function of a choice one of whose values is a literal, as a choice.
template <class F>
std::optional<TermId> Terms::function_of_choice(TermId argument, const F& f) {
  if (((*this)[argument].flags & kHasGuards) == 0) return std::nullopt;
  const auto [coef, shape] = content(argument);
  if (!choice(shape) || (!is_lit(kid(shape, 1)) && !is_lit(kid(shape, 2)))) return std::nullopt;
  count(LemmaId::ChoiceOfFunction);
  const TermId first = f(scale(coef, kid(shape, 1)));
  return choose(kid(shape, 0), first, f(scale(coef, kid(shape, 2))));
}

}  // namespace gg::prover
