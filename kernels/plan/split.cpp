// Cutting a body into boxes on which guards of one variable are decided and aligned divisions are digits.
#include <unordered_set>

#include "kernels/plan/rewrite.h"
#include "models/body/parts.h"

namespace gg::plan {

namespace {

// Cut variable `level` at `at`, or (digits) write it as at * high + low.
struct Cut {
  int level;
  std::int64_t at;
  bool digits;
};

constexpr int kMaxOutputLevels = 16;  // beyond which variables are no longer split into digits

// Looks for the first cut in the reachable forms and guards. Cuts of Unknown's address are never needed.
class CutFinder {
 public:
  CutFinder(const Arena& arena, std::span<const std::int64_t> extents, bool may_cut)
      : arena_(arena),
        extents_(extents),
        may_cut_(may_cut),
        may_split_(static_cast<int>(extents.size()) < kMaxOutputLevels) {}

  std::optional<Cut> expr(ExprId id) {
    if (!exprs_.insert(id.value).second) return std::nullopt;
    return in_parts(id);
  }

 private:
  template <class Id>
  std::optional<Cut> in_parts(Id id) {
    std::optional<Cut> found;
    each_part(arena_, id, [&](auto part) {
      if (found) return;
      if constexpr (std::is_same_v<decltype(part), ExprId>) found = expr(part);
      else if constexpr (std::is_same_v<decltype(part), LinId>) found = lin(part);
      else found = guard(part);
    });
    return found;
  }

  std::optional<Cut> guard(GuardId id) {
    if (!guards_.insert(id.value).second) return std::nullopt;
    const GuardKind kind = arena_[id].kind;
    if (kind == GuardKind::Le0 || kind == GuardKind::Eq0) {
      if (const auto cut = boundary(arena_.lin(id), kind)) return cut;
    }
    return in_parts(id);
  }

  // The output level of an atom, or -1.
  int output(std::uint32_t atom) const {
    const Atom& a = arena_.atom(atom);
    return a.kind == AtomKind::Var && a.level < extents_.size() ? a.level : -1;
  }
  std::int64_t extent(int level) const { return extents_[static_cast<std::size_t>(level)]; }

  std::optional<Cut> cut(int level, std::int64_t at) const {
    if (!may_cut_ || at <= 0 || at >= extent(level)) return std::nullopt;
    return Cut{level, at, false};
  }
  std::optional<Cut> digits(int level, std::int64_t size) const {
    if (!may_split_ || size < 2 || extent(level) % size != 0 || extent(level) <= size) return std::nullopt;
    return Cut{level, size, true};
  }

  // Where a guard of one output variable changes its truth.
  std::optional<Cut> boundary(LinId form, GuardKind kind) const {
    const std::span<const Multiple> terms = arena_.terms(form);
    if (terms.size() != 1) return std::nullopt;
    const int level = output(terms[0].atom);
    const std::int64_t a = terms[0].coef, c = arena_[form].c0;
    if (level < 0 || (a != 1 && a != -1)) return std::nullopt;
    if (kind == GuardKind::Le0) return cut(level, a == 1 ? -c + 1 : c);  // v <= -c; v >= c
    const std::int64_t point = -c * a;
    const std::optional<Cut> before = cut(level, point);
    return before ? before : cut(level, point + 1);
  }

  std::optional<Cut> lin(LinId id) {
    if (!lins_.insert(id.value).second) return std::nullopt;
    for (const Multiple& t : arena_.terms(id)) {
      const Atom& a = arena_.atom(t.atom);
      std::optional<Cut> found;
      switch (a.kind) {
        case AtomKind::Var:
          break;
        case AtomKind::Div:
          found = division(LinId{a.arg}, a.m);
          if (!found) found = lin(LinId{a.arg});
          break;
        case AtomKind::Data:
          found = expr(ExprId{a.arg});
          break;
        case AtomKind::Table:
          found = lin(LinId{a.index});
          break;
      }
      if (found) return found;
    }
    return std::nullopt;
  }

  std::optional<Cut> division(LinId arg, std::int64_t m) const {
    const std::span<const Multiple> terms = arena_.terms(arg);
    if (terms.size() == 1 && terms[0].coef == 1) {
      const int level = output(terms[0].atom);
      if (level < 0) return std::nullopt;
      const std::int64_t c = arena_[arg].c0, n = extent(level);
      if (c % m != 0) return cut(level, m - c % m);  // aligned from there on
      if (n % m != 0) return cut(level, n - n % m);  // a tail with one quotient
      return digits(level, m);
    }
    for (const Multiple& t : terms) {
      const int level = output(t.atom);
      if (level < 0 || t.coef <= 0 || m % t.coef != 0) continue;
      if (const auto found = digits(level, m / t.coef)) return found;
    }
    return std::nullopt;
  }

  const Arena& arena_;
  std::span<const std::int64_t> extents_;
  bool may_cut_, may_split_;
  std::unordered_set<std::uint32_t> exprs_, guards_, lins_;
};

// The box with `level` replaced: one new level (cut) or two (digits) in its place.
Box replaced(Arena& arena, const Box& box, int level, std::vector<std::int64_t> extents, std::int64_t at, bool digits) {
  Box result;
  const auto l = static_cast<std::size_t>(level);
  result.extents = box.extents;
  result.extents.erase(result.extents.begin() + level);
  result.extents.insert(result.extents.begin() + level, extents.begin(), extents.end());
  const std::vector<LinId> fresh = identity(arena, result.extents);
  Arena::Substitution s;
  s.depth = static_cast<int>(result.extents.size());
  s.vars.assign(fresh.begin(), fresh.begin() + level);
  s.vars.push_back(digits ? arena.axpy(at, fresh[l], fresh[l + 1]) : arena.offset(fresh[l], at));
  s.vars.insert(s.vars.end(), fresh.begin() + level + static_cast<std::ptrdiff_t>(extents.size()), fresh.end());
  result.root = arena.substitute(box.root, s);
  result.out = arena.substitute(box.out, s);
  return result;
}

}  // namespace

std::vector<Box> split_boxes(Arena& arena, Box whole) {
  std::vector<Box> done, todo;
  todo.push_back(std::move(whole));
  while (!todo.empty()) {
    const Box box = std::move(todo.back());
    todo.pop_back();
    const bool may_cut = done.size() + todo.size() + 1 < kMaxPieces;
    const std::optional<Cut> cut = CutFinder(arena, box.extents, may_cut).expr(box.root);
    if (!cut) {
      done.push_back(box);
      continue;
    }
    const std::int64_t n = box.extents[static_cast<std::size_t>(cut->level)];
    if (cut->digits) {
      todo.push_back(replaced(arena, box, cut->level, {n / cut->at, cut->at}, cut->at, true));
    } else {
      todo.push_back(replaced(arena, box, cut->level, {n - cut->at}, cut->at, false));
      todo.push_back(replaced(arena, box, cut->level, {cut->at}, 0, false));
    }
  }
  return done;
}

}  // namespace gg::plan
