// Where a variable's range can be cut so that conditions on it are decided in each piece.
#include <optional>
#include <set>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"
#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMostBeside = 16;  ///< values of what stands beside the variable
constexpr int kCutLevels = 3;             ///< of both sides, in which places to cut at are looked for

/// The places, within [1, extent), at which conditions on a variable in some terms change: conditions, clamps and quotients of the variable and of what
/// varies little beside it. Others (a bound of a long sum) are left to the terms.
class CutPoints {
 public:
  static constexpr std::size_t kMost = 64;  ///< pieces

  CutPoints(Terms& terms, VarId v, std::int64_t extent) : t_(terms), v_(v), extent_(extent) {}
  void add(TermId id);
  /// Ascending; nothing if they are too many.
  std::optional<std::vector<std::int64_t>> found() const;

 private:
  void form(LinId id);
  void sign(LinId id, bool equality);
  void cut(std::int64_t at);

  Terms& t_;
  VarId v_;
  std::int64_t extent_;
  std::set<std::int64_t> cuts_;
  std::set<TermId> terms_;
  std::set<LinId> forms_;
};

void CutPoints::add(TermId id) {
  if ((t_[id].free & bit(v_)) == 0 || cuts_.size() > kMost || !terms_.insert(id).second) return;
  const Kind kind = t_[id].kind;
  if (kind == Kind::Ge || kind == Kind::Eq) sign(t_.lin(id), kind == Kind::Eq);
  std::vector<LinId> forms;
  std::vector<TermId> parts;
  for_each_part(
      t_, id, [&](TermId part) { parts.push_back(part); }, [&](LinId l, bool) { forms.push_back(l); });
  for (const TermId part : parts) add(part);
  for (const LinId l : forms) form(l);
}

/// Digits, clamps and quotients inside a form.
void CutPoints::form(LinId id) {
  if ((t_[id].free & bit(v_)) == 0 || cuts_.size() > kMost || !forms_.insert(id).second) return;
  for (const LinTerm& s : t_.term_list(id)) {
    const AtomNode a = t_[s.atom];
    if (a.kind == AtomKind::Data) {
      add(static_cast<TermId>(a.arg));
    } else if (a.kind == AtomKind::Var) {
      const bool few = a.var == v_ && a.m > 1 && extent_ / a.m <= static_cast<std::int64_t>(kMost);
      for (std::int64_t at = a.m; few && at < extent_; at += a.m) cut(at);
    } else {
      const auto inside = static_cast<LinId>(a.arg);
      form(inside);
      if (a.kind == AtomKind::Clamp) sign(t_.offset(inside, -a.lo), false), sign(t_.offset(t_.scale(-1, inside), a.hi), false);
      const LinNode n = t_[inside];
      const std::int64_t first = a.kind == AtomKind::Div ? floor_div(n.lo, a.m) : 0, last = a.kind == AtomKind::Div ? floor_div(n.hi, a.m) : 0;
      for (std::int64_t k = first + 1; k <= last && last - first <= static_cast<std::int64_t>(kMost); ++k) sign(t_.offset(inside, -k * a.m), false);
    }
  }
}

/// Where the form passes zero.
void CutPoints::sign(LinId id, bool equality) {
  std::int64_t coef = 0;
  LinId beside = t_.num(t_[id].c0);
  for (const LinTerm& s : t_.term_list(id)) {
    const AtomNode a = t_[s.atom];
    if (a.kind == AtomKind::Var && a.var == v_ && a.m == 1) coef = s.coef;
    else beside = t_.axpy(s.coef, t_.atom_form(s.atom), beside);
  }
  const LinNode rest = t_[beside];
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  if (coef == 0 || (rest.free & bit(v_)) != 0 || rest.lo < -kFar || rest.hi > kFar || rest.hi - rest.lo > kMostBeside) return;
  for (std::int64_t r = rest.lo; r <= rest.hi; ++r) {
    // coef * v + r >= 0 from ceil(-r / coef) on, or up to floor(r / -coef).
    const std::int64_t from = coef > 0 ? -floor_div(r, coef) : floor_div(r, -coef) + 1;
    cut(from);
    if (equality) cut(coef > 0 ? from + 1 : from - 1);
  }
}

void CutPoints::cut(std::int64_t at) {
  if (at > 0 && at < extent_) cuts_.insert(at);
}

std::optional<std::vector<std::int64_t>> CutPoints::found() const {
  if (cuts_.size() >= kMost) return std::nullopt;
  return std::vector<std::int64_t>(cuts_.begin(), cuts_.end());
}

}  // namespace

/// Where to cut variables of many values, so that conditions are decided in each piece whatever the others are.
std::optional<std::map<VarId, std::vector<std::int64_t>>> Engine::cuts(VarSet set, std::span<const std::int64_t> extents, TermId left, TermId right) {
  std::map<VarId, CutPoints> points;
  for (std::size_t v = 0; v < extents.size() && v < kFreeVars; ++v) {
    const auto id = static_cast<VarId>(v);
    if ((set & bit(id)) == 0 || extents[v] <= static_cast<std::int64_t>(CutPoints::kMost)) continue;
    points.emplace(id, CutPoints(t_, id, extents[v]));
    set &= ~bit(id);
  }
  const Cases few(set, extents, static_cast<std::int64_t>(CutPoints::kMost));
  if (points.empty() || (set != 0 && few.vars.empty())) return std::nullopt;
  for (std::int64_t c = 0; c < few.count; ++c) {
    for (TermId term : {left, right}) {
      term = few.at(t_, term, c);
      for (int level = 0; level < kCutLevels && t_[term].size <= kMaxSide; ++level) {
        for (auto& [v, cuts] : points) cuts.add(term);
        term = t_.expand_all(term, 1);
      }
    }
  }
  std::map<VarId, std::vector<std::int64_t>> all;
  for (const auto& [v, cuts] : points) {
    const auto found = cuts.found();
    if (!found) return std::nullopt;
    all[v] = *found;
  }
  return all;
}

/// A step is compared case by case of the variables of a set: for each value if these are few, else for pieces of them.
void Engine::split_by(Step& step, TermId before, VarSet set, std::span<const std::int64_t> extents) {
  std::vector<VarId> values = few_cases(set, extents);
  if (!values.empty()) {
    step.split = std::move(values);
    return;
  }
  const auto places = cuts(set, extents, before, step.after);
  const Cases pieces(set, extents, kMaxOutputCases, places.value_or(Cases::Cuts()));
  if (!places || pieces.vars.empty()) return;
  step.split = pieces.vars;
  step.starts = pieces.starts;
}

}  // namespace gg::prover
