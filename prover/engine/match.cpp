// Skeletons, and the table of forms.
#include "prover/engine/match.h"

#include <algorithm>

#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr int kMaxTries = 48;           ///< orders of commutative operands tried a pair of terms
constexpr std::uint32_t kMaxDeep = 120;  ///< size of forms of more than one level

}  // namespace

void Matcher::add(AnchorId anchor) {
  if (forms_.empty()) {
    forms_.emplace_back();
    tables_.emplace_back();
    deepened_.push_back(0);
  }
  const auto [coef, rest] = t_.content(t_.anchor(anchor).form);
  const Form form{anchor, rest, coef};
  forms_[0].push_back(form);
  tables_[0][skeleton(form.term)].push_back(form);
}

void Matcher::deepen(int level) {
  while (static_cast<int>(forms_.size()) < level) {
    forms_.emplace_back();
    tables_.emplace_back();
    deepened_.push_back(0);
  }
  if (level > 1) deepen(level - 1);
  if (level < 2) return;
  auto& done = deepened_[static_cast<std::size_t>(level - 1)];
  const auto& below = forms_[static_cast<std::size_t>(level - 2)];
  for (; done < below.size(); ++done) {
    const Form f = below[done];
    if (t_[f.term].size > kMaxDeep || (t_[f.term].flags & kHasReads) == 0) continue;
    TermId deep = TermId::Unknown;
    try {
      deep = t_.expand_all(f.term, 1);
    } catch (const TermLimit&) {
      t_.reset_temps();
      continue;
    }
    if (deep == f.term || t_[deep].size > kMaxDeep) continue;
    const auto [coef, rest] = t_.content(deep);
    const Form form{f.anchor, rest, t_.q.mul(coef, f.coef)};
    forms_[static_cast<std::size_t>(level - 1)].push_back(form);
    tables_[static_cast<std::size_t>(level - 1)][skeleton(rest)].push_back(form);
  }
}

std::optional<Match> Matcher::find(TermId term, TermId facts, int max_levels) {
  const auto [coef, target] = t_.content(term);
  const std::uint64_t key = skeleton(target);
  for (int level = 1; level <= max_levels; ++level) {
    if (level > 1) deepen(level);
    if (static_cast<int>(tables_.size()) < level) break;
    const auto it = tables_[static_cast<std::size_t>(level - 1)].find(key);
    if (it == tables_[static_cast<std::size_t>(level - 1)].end()) continue;
    const std::vector<Form> candidates = it->second;
    for (const Form& form : candidates) {
      if (auto m = attempt(form, target, facts)) {
        m->coef = t_.q.mul(coef, m->coef);
        m->levels = level;
        return m;
      }
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
  unify(form.term, target, [&] {
    if (++tries_ > kMaxTries) return true;  // give up
    std::vector<LinId> phi;
    if (!solve(form.anchor, phi)) return false;
    Terms::Map map;
    for (std::size_t k = 0; k < phi.size(); ++k) {
      if (!t_.implied(phi[k], known, kImpliedDepth) || !t_.implied(t_.offset(t_.scale(-1, phi[k]), extents[k] - 1), known, kImpliedDepth)) return false;
      map.set(static_cast<VarId>(k), phi[k]);
    }
    TermId there = t_.substitute(form.term, map);
    if (facts != TermId::True) there = t_.assume(there, facts);
    const auto [c, rest] = t_.content(there);
    if (rest != target) return false;
    found = Match{t_.read(form.anchor, phi), t_.q.inv(t_.q.mul(c, form.coef)), 1};
    return true;
  });
  return found;
}

bool Matcher::solve(AnchorId anchor, std::vector<LinId>& phi) {
  const std::vector<std::int64_t> extents = t_.anchor(anchor).extents;
  phi.assign(extents.size(), LinId::Zero);
  std::vector<bool> known(extents.size(), false);
  for (const bool several : {false, true}) {
    bool progress = true;
    while (progress) {
      progress = false;
      for (const Pair& e : equations_)
        progress = solve_one(e, phi, known, several, extents) || progress;
      if (several && progress) {  // a solved group may make single ones solvable
        for (const Pair& e : equations_) solve_one(e, phi, known, false, extents);
      }
    }
  }
  return std::all_of(known.begin(), known.end(), [](bool k) { return k; });
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
  LinId x = t_.num(0);
  if (t_[rest].c0 % unit != 0) return false;
  x = t_.num(t_[rest].c0 / unit);
  for (const LinTerm& s : terms) {
    if (s.coef % unit != 0) return false;
    x = t_.axpy(s.coef / unit, t_.atom_form(s.atom), x);
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
  if (const auto it = skeletons_.find(raw(id)); it != skeletons_.end()) return it->second;
  const TermNode n = t_[id];
  std::uint64_t h = mix(static_cast<std::uint64_t>(n.kind) * 31 + static_cast<std::uint64_t>(n.sort), n.op * 7ULL + n.type);
  switch (n.kind) {
    case Kind::Lit: h = mix(h, raw(id)); break;
    case Kind::Read: h = mix(h, t_.anchor_of(id)); break;
    case Kind::Mono:
      for (const Factor& f : t_.factors(id)) h += mix(mix(3, raw(f.exp)), skeleton(f.term));
      break;
    case Kind::Poly:
      for (const Summand& s : t_.summands(id)) h += mix(5, skeleton(s.mono));
      break;
    case Kind::Case:
      h += mix(7, skeleton(t_.kid(id, 1))) + mix(7, skeleton(t_.kid(id, 2)));
      break;
    case Kind::Fold: {
      const Terms::FoldParts p = t_.fold_parts(id);
      for (const std::int64_t e : p.extents) h += mix(11, static_cast<std::uint64_t>(e));
      h = mix(mix(h, skeleton(p.guard)), skeleton(p.body));
      break;
    }
    case Kind::Row: {
      const Terms::RowParts p = t_.row_parts(id);
      h = mix(h, p.signature * 31 + p.leaf);
      for (const TermId b : p.bodies) h = mix(h, skeleton(b));
      break;
    }
    case Kind::Fn:
    case Kind::And:
    case Kind::Or:
    case Kind::Not:
      for (std::size_t k = 0; k < n.n; ++k) h += mix(13, skeleton(t_.kid(id, k)));
      break;
    default: break;
  }
  skeletons_[raw(id)] = h;
  return h;
}

}  // namespace gg::prover
