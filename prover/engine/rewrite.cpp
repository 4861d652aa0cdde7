// Rewriting a term towards anchors: the whole term, then its parts, then deeper forms on either side.
#include <algorithm>
#include <bit>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr int kPartRounds = 8;           ///< part-wise matches of one term
constexpr std::size_t kMaxSummands = 6;  ///< of a sum of which parts are looked for

}  // namespace

std::optional<Step> Engine::match_whole(TermId t, int levels) {
  Step step{TermId::Unknown, {}, 0};
  const auto found = [&](TermId target, int most) {
    const auto m = matcher_.find(target, TermId::True, most);
    if (m) step.after = take(*m, step.marks);
    return m.has_value();
  };
  if (found(t, levels)) return step;
  if (const auto fold = as_fold(t_, t); fold && found(*fold, 1)) return step;
  const auto count = t_[t].kind == Kind::Fold ? t_.whole_sum(t) : std::nullopt;  // of integers, as a real
  if (!count || !found(t_.integer(*count), levels)) return std::nullopt;
  step.after = t_.from_int(t_.as_lin(step.after));
  return step;
}

/// What a term is by a match, and the marks that show it.
TermId Engine::take(const Match& m, std::vector<std::pair<TermId, int>>& marks) {
  marks.emplace_back(m.read, m.levels);
  return t_.scale(m.coef, m.value);
}

/// A literal and a choice, or what is finite and a case that is infinite elsewhere (masked scores), as a case of sums.
std::optional<TermId> Engine::case_of_sums(TermId t) {
  const std::vector<Summand> list = t_.summands(t);
  if (list.size() != 2) return std::nullopt;
  for (std::size_t k = 0; k < 2; ++k) {
    const TermId rest = t_.monomial(list[k].coef, list[k].mono), other = t_.monomial(RatId::One, list[1 - k].mono);
    if (t_[other].kind != Kind::Case || !t_.index_guard(t_.kid(other, 0))) continue;
    const auto infinite = [&](std::size_t b) { return t_[t_.kid(other, b)].kind == Kind::Special; };
    const bool outside = t_.is_lit(rest) ? t_.choice(other) : (infinite(1) || infinite(2)) && t_.attributes(rest).finite;
    if (!outside) continue;
    const auto branch = [&](std::size_t b) { return t_.add(rest, t_.scale(list[1 - k].coef, t_.kid(other, b))); };
    const TermId first = branch(1);
    return t_.choose(t_.kid(other, 0), first, branch(2));
  }
  return std::nullopt;
}

/// Replaces parts of `t` by reads where an anchor's definition is found; facts are the guards around the part.
TermId Engine::match_parts(TermId t, TermId facts, std::vector<std::pair<TermId, int>>& marks, int depth) {
  const TermNode n = t_[t];
  if (depth > 6 || trivial(t) || (n.flags & (kHasReads | kHasInputs)) == 0) return t;
  if (const auto m = matcher_.find(t, facts, 1)) return take(*m, marks);
  switch (n.kind) {
    case Kind::Case: {
      const TermId g = t_.kid(t, 0), a = t_.kid(t, 1), b = t_.kid(t, 2);
      const TermId x = match_parts(a, t_.conj(facts, g), marks, depth + 1);
      const TermId y = match_parts(b, t_.conj(facts, t_.negate(g)), marks, depth + 1);
      return x == a && y == b ? t : t_.choose(g, x, y);
    }
    case Kind::Poly: {
      std::vector<TermId> parts;
      bool changed = false;
      const std::vector<Summand> list = t_.summands(t);
      for (const Summand& s : list) {
        const TermId whole = t_.monomial(RatId::One, s.mono);
        const auto m = list.size() > 1 ? matcher_.find(whole, facts, 1) : std::nullopt;
        TermId part = m ? take(*m, marks) : whole;
        if (part == whole) {
          TermId product = TermId::One;
          for (const Factor& f : t_.factors(s.mono))
            product = t_.mul(product, t_.pow(match_parts(f.term, facts, marks, depth + 1), f.exp));
          part = product;
        }
        changed = changed || part != whole;
        parts.push_back(t_.scale(s.coef, part));
      }
      if (changed) return t_.add(parts);
      const auto cases = case_of_sums(t);
      const TermId better = cases ? match_parts(*cases, facts, marks, depth + 1) : t;
      return cases && better != *cases ? better : t;
    }
    case Kind::Fn: {
      std::vector<TermId> kids;
      bool changed = false;
      for (std::size_t k = 0; k < n.n; ++k) {
        const TermId kid = t_.kid(t, k);
        kids.push_back(t_[kid].sort == Sort::Real ? match_parts(kid, facts, marks, depth + 1) : kid);
        changed = changed || kids.back() != kid;
      }
      if (!changed) return t;
      const auto f = static_cast<ScalarFn>(n.op);
      if (f == ScalarFn::Max || f == ScalarFn::Min) return t_.extremum(f, kids);
      if (f == ScalarFn::Add || f == ScalarFn::Multiply) return t;
      return t_.fn(f, static_cast<ElementType>(n.type), kids);
    }
    default: return t;
  }
}

/// A sum of which some summands are a sequential value, the larger ones first.
TermId Engine::match_sum(TermId t, std::vector<std::pair<TermId, int>>& marks) {
  if (t_[t].kind != Kind::Poly) return t;
  const std::vector<Summand> all = t_.summands(t);
  if (all.size() < 3 || all.size() > kMaxSummands) return t;
  std::vector<unsigned> sets;
  for (unsigned set = 1; set + 1 < 1U << all.size(); ++set)
    if (std::popcount(set) > 1) sets.push_back(set);
  std::stable_sort(sets.begin(), sets.end(), [](unsigned a, unsigned b) { return std::popcount(a) > std::popcount(b); });
  for (const unsigned set : sets) {
    std::vector<Summand> part, rest;
    for (std::size_t k = 0; k < all.size(); ++k) ((set >> k & 1U) != 0 ? part : rest).push_back(all[k]);
    const auto m = matcher_.find(t_.sum(std::move(part)), TermId::True, 1);
    if (!m) continue;
    const TermId value = take(*m, marks);
    return t_.add(value, t_.sum(std::move(rest)));
  }
  return t;
}

/// With a value that hangs on places alone (an identity: each of its blocks on the diagonal is the same) read where another of its extents is.
TermId Engine::beside(TermId t, std::vector<std::pair<TermId, int>>& marks) {
  const std::vector<TermId> reads = t_.reads_in(t);
  for (const TermId read : reads) {
    const Anchor& a = t_.anchor(t_.anchor_of(read));
    if (a.kind != AnchorKind::Value || a.form == TermId::Unknown || (t_[a.form].flags & (kHasReads | kHasInputs)) != 0) continue;
    for (const TermId other : reads) {
      if (t_.anchor(t_.anchor_of(other)).extents != a.extents) continue;
      const TermId moved = t_.read(t_.anchor_of(read), t_.index_of(other));
      if (moved == read || t_.definition(read, TermId::True) != t_.definition(moved, TermId::True)) continue;
      marks.emplace_back(moved, 1);
      return t_.replace_reads(t, [&](TermId one, TermId) { return one == read ? std::optional(moved) : std::nullopt; });
    }
  }
  return t;
}

bool Engine::improve(TermId t, bool deep, std::vector<Step>& steps) {
  const bool unknown = (t_[t].flags & kHasUnknown) != 0;
  for (int round = 0; round < kPartRounds; ++round) {
    const TermId now = steps.empty() ? t : steps.back().after;
    if (trivial(now)) return true;
    if (!unknown) {
      if (auto step = match_whole(now, 1)) {
        steps.push_back(*step);
        if (trivial(step->after)) return true;
        continue;  // in the spelling of the definition that it is
      }
    }
    Step step{now, {}, 0};
    step.after = match_parts(now, TermId::True, step.marks, 0);
    if (step.after == now && deep && !unknown) step.after = match_sum(now, step.marks);
    if (step.after == now && deep && !unknown) step.after = match_inner(now, step.marks);
    if (step.after == now && !unknown) step.after = beside(now, step.marks);
    if (step.after == now) break;
    steps.push_back(std::move(step));
  }
  const TermId now = steps.empty() ? t : steps.back().after;
  if (trivial(now)) return true;
  if (unknown) return false;
  return long_sum(now, steps) || (deep && recognise(steps.empty() ? t : steps.back().after, steps));
}

}  // namespace gg::prover
