// Skeletons, and the table of forms.
#include "prover/engine/match.h"

#include <algorithm>
#include <bit>

#include "prover/term/parts.h"

namespace gg::prover {
namespace {

constexpr std::uint32_t kMaxDeep = 120;  ///< size of forms of more than one level
constexpr std::size_t kMaxUsers = 128;   ///< anchors whose deeper forms are compared with one term

}  // namespace

/// The anchors that a term reads, once each, in the order of their first occurrence.
std::vector<AnchorId> Matcher::reads_of(TermId term) {
  constexpr std::uint16_t kReads = kHasReads | kHasInputs;
  std::vector<AnchorId> out;
  SmallMap<bool> anchors;
  const auto note = [&](TermId part) {
    const bool fresh = t_[part].kind == Kind::Read && anchors.find(t_.anchor_of(part)) == nullptr;
    if (fresh) anchors.add(t_.anchor_of(part), true), out.push_back(t_.anchor_of(part));
    return false;
  };
  some_part(
      t_, term, true, note, [&](TermId part) { return (t_[part].flags & kReads) != 0; }, kReads);
  return out;
}

void Matcher::add_form(const Form& form) {
  const auto number = static_cast<std::uint32_t>(forms_.size());
  const PairKey key{skeleton(form.term), 0};
  if (const Bucket* b = table_.find(key)) {
    forms_[b->last].next = number;
    table_.set(key, {b->first, number});
  } else {
    table_.set(key, {number, number});
  }
  forms_.push_back(form);
}

void Matcher::add(AnchorId anchor) {
  const auto [coef, rest] = t_.content(t_.anchor(anchor).form);
  form_of_.set(anchor, static_cast<std::uint32_t>(forms_.size()));
  add_form({anchor, rest, coef});
  if (t_[rest].kind == Kind::Poly && t_.summands(rest).size() > 1) new_sums_.push_back(anchor);
  for (const AnchorId read : reads_of(rest)) {
    if (read >= users_.size()) users_.resize(read + 1);
    users_[read].push_back(anchor);
  }
}

/// The definition of an anchor with `level` - 1 levels of its reads expanded, if it stays small.
const Matcher::Form* Matcher::deep_form(AnchorId anchor, int level) {
  if (level == 1) return &forms_[form_of_.get(anchor)];
  const PairKey key{anchor, static_cast<std::uint64_t>(level)};
  if (const std::uint32_t* known = deep_index_.find(key)) return *known == IdSet::kNoId ? nullptr : &deep_[*known];
  deep_index_.set(key, IdSet::kNoId);
  const Form* below = deep_form(anchor, level - 1);
  if (below == nullptr || too_large(t_, below->term, kMaxDeep) || (t_[below->term].flags & kHasReads) == 0) return nullptr;
  const Form f = *below;
  TermId deep = TermId::Unknown;
  try {
    deep = t_.expand_all(f.term, 1);
  } catch (const TermLimit&) {
    return nullptr;
  }
  if (deep == f.term || too_large(t_, deep, kMaxDeep)) return nullptr;
  const auto [coef, rest] = t_.content(deep);
  deep_index_.set(key, static_cast<std::uint32_t>(deep_.size()));
  deep_.push_back({anchor, rest, t_.q.mul(coef, f.coef)});
  return &deep_.back();
}

/// Anchors whose form of this level can be `target`: what it reads is reached through as many definitions.
std::vector<AnchorId> Matcher::candidates(TermId target, int level) {
  std::vector<AnchorId> best;
  bool found = false;
  for (const AnchorId read : reads_of(target)) {
    const AnchorKind kind = t_.anchor(read).kind;
    std::vector<AnchorId> at{read}, all;
    SmallMap<bool> seen;
    bool fits = true;
    for (int k = 0; k < level && fits; ++k) {
      SmallMap<bool> here;
      std::vector<AnchorId> next;
      for (const AnchorId a : at) {
        if (a >= users_.size()) continue;
        fits = fits && users_[a].size() <= kMaxUsers;
        if (!fits) break;
        for (const AnchorId u : users_[a]) {
          if (here.find(u) != nullptr) continue;
          here.add(u, true);
          next.push_back(u);
        }
      }
      fits = fits && next.size() <= kMaxUsers;
      at = std::move(next);
      // Inputs and opaque values are not expanded: they may have come from any level.
      if (kind == AnchorKind::Value && k + 1 < level) continue;
      for (const AnchorId a : at) {
        if (seen.find(a) != nullptr) continue;
        seen.add(a, true);
        all.push_back(a);
      }
    }
    if (!fits) continue;
    if (!found || all.size() < best.size()) best = std::move(all);
    found = true;
    if (best.empty()) break;
  }
  std::sort(best.begin(), best.end());
  return best;
}

std::optional<AnchorId> Matcher::nearest(TermId term) {
  const TermId target = t_.content(term).second;
  const std::vector<AnchorId> reads = reads_of(target);
  std::optional<AnchorId> best;
  double best_score = 0;
  for (const AnchorId read : reads) {
    if (read >= users_.size() || users_[read].size() > kMaxUsers) continue;
    for (const AnchorId user : users_[read]) {
      const TermId form = forms_[form_of_.get(user)].term;
      const std::vector<AnchorId> own = reads_of(form);
      double shared = 0;
      for (const AnchorId a : own) shared += std::find(reads.begin(), reads.end(), a) != reads.end() ? 1 : 0;
      const double score = 2 * shared / static_cast<double>(own.size() + reads.size()) +
                           (t_[form].kind == t_[target].kind && t_[form].op == t_[target].op ? 0.5 : 0);
      if (score <= best_score) continue;
      best_score = score;
      best = user;
    }
  }
  return best;
}

std::optional<Match> Matcher::find(TermId term, TermId facts, int max_levels) {
  const auto [coef, target] = t_.content(term);
  const std::uint64_t key = skeleton(target);
  const auto finish = [&, coef = coef](Match m, int level) {
    m.coef = t_.q.mul(coef, m.coef);
    m.levels = level;
    return m;
  };
  const Bucket* bucket = table_.find({key, 0});
  for (std::uint32_t k = bucket != nullptr ? bucket->first : IdSet::kNoId; k != IdSet::kNoId; k = forms_[k].next)
    if (const auto m = attempt(forms_[k], target, facts); m && !(few_elements(target) && t_[m->read].n > 1)) return finish(*m, 1);
  for (int level = 2; level <= max_levels; ++level) {
    for (const AnchorId a : candidates(target, level)) {
      const Form* form = deep_form(a, level);
      if (form == nullptr || skeleton(form->term) != key) continue;
      const Form copy = *form;
      if (const auto m = attempt(copy, target, facts)) return finish(*m, level);
    }
  }
  return std::nullopt;
}

std::optional<Match> Matcher::attempt(const Form& form, TermId target, TermId facts) {
  equations_.clear();
  tries_ = 0;
  ++attempts_;
  std::optional<Match> found;
  const std::vector<std::int64_t> extents = t_.anchor(form.anchor).extents;
  const std::vector<TermId> known = t_.conjuncts(facts);
  matched_ = extents;
  const auto found_at = [&](const std::vector<LinId>& phi, RatId factor) {
    const TermId value = t_.value(form.anchor, phi);
    TermId read = value;
    if (t_.anchor(form.anchor).support != TermId::True && t_[value].kind == Kind::Case) read = t_.kid(value, t_.kid(value, 2) == TermId::Zero ? 1 : 2);
    found = Match{read, t_.q.inv(factor), 1, value};
  };
  unify(form.term, target, [&] {
    if (++tries_ > kMaxTries) return true;  // give up
    std::vector<LinId> phi;
    const auto inside = [&] { return phi.size() == extents.size() && t_.in_box(phi, extents, known); };
    const auto fits = [&] {
      TermId there = t_.substitute(form.term, Terms::Map(0, phi));
      if (facts != TermId::True) there = t_.assume(there, facts);
      const auto [c, rest] = t_.content(there);
      if (rest != target) return false;
      found_at(phi, t_.q.mul(c, form.coef));
      places_[extents] = phi;
      return true;
    };
    if (solve(extents, phi) && inside()) {
      if (fits()) {
        stand_upright(phi, extents, fits);
        return true;
      }
      if (t_[form.term].kind != Kind::Case) return false;
    }
    // Equations under conditions hold there only, others hang on less than the indices: perhaps it is where another was, or the rank's block.
    for (const bool block : {false, true}) {
      phi = block ? home(extents) : places_[extents];
      if (inside() && fits()) return true;
    }
    return false;
  });
  if (const auto joined = found ? std::vector<LinId>() : joined_index(form, target); !joined.empty()) found_at(joined, form.coef);
  return found;
}

/// A value that is its own mirror image, or the opposite of it (a Gram matrix, a table of distances), is read so that places ascend: exchanges indices, blocks of
/// them where dimensions are cut into digits, as long as the definition stays the term.
void Matcher::stand_upright(std::vector<LinId>& phi, std::span<const std::int64_t> extents, const std::function<bool()>& fits) const {
  const auto place = [&](std::size_t k) { return std::countr_zero(t_[phi[k]].free >> digits_); };
  for (std::size_t count = 1; 2 * count <= phi.size(); ++count) {
    for (std::size_t a = 0; a + 2 * count <= phi.size(); ++a) {
      for (std::size_t b = a + count; b + count <= phi.size(); ++b) {
        if (!std::equal(&extents[a], &extents[a + count], &extents[b]) || place(b) >= place(a)) continue;
        std::swap_ranges(&phi[a], &phi[a + count], &phi[b]);
        if (!fits()) std::swap_ranges(&phi[a], &phi[a + count], &phi[b]);
      }
    }
  }
}

/// The rank's block of a value of these extents: each dimension of the block, over one digit of the rank where the value's is longer, cut as the value's is
/// (the lowest digit first); nothing if there is no such block.
std::vector<LinId> Matcher::home(std::span<const std::int64_t> extents) {
  std::vector<LinId> phi;
  const auto var = [&](std::size_t k) { return t_.var(static_cast<VarId>(k), frame_[k]); };
  const std::function<bool(std::size_t, std::size_t)> place = [&](std::size_t d, std::size_t digit) {
    if (digits_ + d >= frame_.size()) return phi.size() == extents.size();
    const std::size_t first = phi.size();
    std::int64_t whole = 1;
    for (std::size_t end = first; end < extents.size();) {
      whole *= extents[end++];
      const std::int64_t own = frame_[digits_ + d];
      std::size_t over = digit;
      while (own != whole && over < digits_ && frame_[over] * own != whole) ++over;
      if (own != whole && over == digits_) continue;
      LinId rest = own == whole ? var(digits_ + d) : t_.axpy(own, var(over), var(digits_ + d));
      for (std::size_t k = first; k < end; rest = t_.div(rest, extents[k++])) phi.push_back(k + 1 < end ? t_.mod(rest, extents[k]) : rest);
      if (place(d + 1, own == whole ? digit : over + 1)) return true;
      phi.resize(first);
    }
    return false;
  };
  return !frame_.empty() && place(0, 0) ? phi : std::vector<LinId>();
}

bool Matcher::solve(std::span<const std::int64_t> extents, std::vector<LinId>& phi, std::size_t needed) {
  phi.assign(extents.size(), LinId::Zero);
  std::vector<bool> known(extents.size(), false);
  for (const bool several : {false, true}) {
    for (bool progress = true; progress;) {
      progress = false;
      for (const Pair& e : equations_)
        progress = solve_one(e, phi, known, several, extents) || progress;
      for (const Pair& e : equations_)  // a solved group may make single ones solvable
        if (several && progress) solve_one(e, phi, known, false, extents);
    }
  }
  return std::find(known.begin(), known.end(), false) - known.begin() >= static_cast<std::ptrdiff_t>(std::min(needed, known.size()));
}

bool Matcher::solve_one(const Pair& equation, std::vector<LinId>& phi, std::vector<bool>& known, bool several,
                        std::span<const std::int64_t> extents) {
  LinId rest = t_.offset(equation.second, -t_[equation.first].c0);
  std::vector<std::pair<std::int64_t, std::size_t>> open;  // coefficient, parameter
  const std::vector<LinTerm> list = t_.term_list(equation.first);
  for (const LinTerm& s : list) {
    const AtomNode a = t_[s.atom];
    if (a.kind != AtomKind::Var) return false;
    if (a.var >= kFirstBound) {
      rest = t_.axpy(-s.coef, t_.var_div(a.var, a.extent, a.m), rest);
    } else if (a.var < known.size() && known[a.var]) {
      rest = t_.axpy(-s.coef, t_.div(phi[a.var], a.m), rest);
    } else if (a.m == 1 && a.var < known.size()) {
      open.emplace_back(s.coef, a.var);
    } else {
      return false;
    }
  }
  if (open.empty() || (open.size() > 1 && !several)) return false;
  std::sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return std::abs(a.first) < std::abs(b.first); });
  const std::int64_t unit = open[0].first;
  // rest / unit, exactly.
  const std::vector<LinTerm> terms = t_.term_list(rest);
  if (t_[rest].c0 % unit != 0) return false;
  LinId x = t_.num(t_[rest].c0 / unit);
  for (const LinTerm& s : terms) {
    if (s.coef % unit != 0) return false;
    x = t_.axpy(s.coef / unit, t_.atom_form(s.atom), x);
  }
  if (open.size() == 2 && open[1].first == -unit) {  // a difference: what is added, and what is taken away
    LinId more = t_.num(std::max<std::int64_t>(t_[x].c0, 0));
    for (const LinTerm& s : t_.term_list(x))
      if (s.coef > 0) more = t_.axpy(s.coef, t_.atom_form(s.atom), more);
    phi[open[0].second] = more;
    phi[open[1].second] = t_.sub(more, x);
    known[open[0].second] = known[open[1].second] = true;
    return true;
  }
  for (std::size_t k = 0; k < open.size(); ++k) {
    if (open[k].first % unit != 0 || open[k].first / unit < 1) return false;
    const std::int64_t weight = open[k].first / unit;
    LinId value = t_.div(x, weight);
    if (k + 1 < open.size()) value = t_.mod(value, extents[open[k].second]);
    phi[open[k].second] = value;
    known[open[k].second] = true;
  }
  return true;
}

std::uint64_t Matcher::skeleton(TermId id) {
  if (const std::uint64_t known = skeletons_.get(raw(id)); known != 0) return known;
  const std::uint64_t h = 1 | skeleton_of(t_, id, true, [&](TermId part) { return skeleton(part); });
  skeletons_.set(raw(id), h);
  return h;
}

}  // namespace gg::prover
