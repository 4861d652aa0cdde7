// Guards of bodies: a position below a border, a place that data choose.
#include <algorithm>
#include <numeric>

#include "prover/sizes/reader.h"

namespace gg::sizes {

const Ref* Reader::undecided(GuardId id) {
  const Guard& g = arena_[id];
  switch (g.kind) {
    case GuardKind::Le0:
    case GuardKind::Eq0: {
      if (constraining_) guard(id);  // cuts
      const TermId t = guard(id);
      const Node& n = t_[t];
      const Node& inner = n.kind == Kind::Fn && n.fn == ScalarFn::Not ? t_[n.kids[0]] : n;
      if (inner.kind != Kind::Below) return nullptr;
      chosen_ = inner.refs[0];
      return &chosen_;
    }
    case GuardKind::And:
    case GuardKind::Or:
    case GuardKind::Not:
      for (const GuardId k : arena_.kids(id)) {
        if (const Ref* found = undecided(k)) return found;
      }
      return nullptr;
    default: return nullptr;
  }
}

TermId Reader::guard(GuardId id) {
  const Guard& g = arena_[id];
  const auto negated = [&](TermId t) { return t_.fn(ScalarFn::Not, ElementType::Pred, ElementType::Pred, {t}); };
  switch (g.kind) {
    case GuardKind::True: return t_.lit(1);
    case GuardKind::False: return t_.lit(0);
    case GuardKind::Le0: return at_most(form(arena_.lin(id)));
    case GuardKind::Eq0: return equal(arena_.lin(id));
    case GuardKind::Not: return negated(guard(arena_.kids(id)[0]));
    case GuardKind::And:
    case GuardKind::Or: {
      const bool both = g.kind == GuardKind::And;
      TermId out = t_.lit(both ? 1 : 0);
      for (const GuardId k : arena_.kids(id)) {
        out = t_.fn(both ? ScalarFn::And : ScalarFn::Or, ElementType::Pred, ElementType::Pred, {out, guard(k)});
      }
      return out;
    }
  }
  return t_.lit(1);
}

// A place that data choose: outside the dimension is clamped to just outside, so equality needs no clamp.
TermId Reader::equal(LinId id) {
  Form f = form(id);
  if (!f.has_data()) throw NotGeneric{"a place that is told apart, `" + print(id) + "`"};
  std::int64_t least = -f.data_coef * f.constant, most = least;  // of what the data are compared with
  for (const Segment& s : f.segments) {
    const std::int64_t coef = -f.data_coef * s.coef;
    (coef < 0 ? least : most) += coef * (digits_.extent(s.ref.digit) - 1);
  }
  const Atom& atom = arena_.atom(f.data);
  if (atom.lo >= least || atom.hi <= most) throw NotGeneric{"a clamped place that is told apart, `" + print(id) + "`"};
  const TermId place = number(f);
  return constraining_ ? t_.lit(1) : t_.fn(ScalarFn::CompareEq, ElementType::Pred, ElementType::S64, {place, t_.integer(0)});
}

// form <= 0, the form a position minus a border, or a border minus a position.
TermId Reader::at_most(const Form& given) {
  Form f = given;
  if (f.has_data()) throw NotGeneric{"a guard on a data-dependent index"};
  if (f.segments.empty()) return t_.lit(f.constant <= 0 ? 1 : 0);
  const bool above = f.segments[0].coef < 0;  // position >= constant
  if (above) {
    for (Segment& s : f.segments) s.coef = -s.coef;
  } else {
    f.constant = 1 - f.constant;  // position < constant
  }
  std::sort(f.segments.begin(), f.segments.end(), [](const Segment& a, const Segment& b) { return a.coef < b.coef; });
  std::int64_t stride = 1;
  for (const Segment& s : f.segments) {
    if (s.coef != stride) throw NotGeneric{"a guard on no position of a dimension"};
    stride *= digits_.extent(s.ref.digit);
  }
  const auto truth = [&](TermId below) {
    return above ? t_.fn(ScalarFn::Not, ElementType::Pred, ElementType::Pred, {below}) : below;
  };
  if (f.constant <= 0) return truth(t_.lit(0));
  if (f.constant >= stride) return truth(t_.lit(1));
  const std::int64_t block = std::gcd(f.constant, stride);
  const std::size_t before = digits_.size();
  for (const Segment& s : f.segments) {
    const std::int64_t extent = digits_.extent(s.ref.digit);
    if (s.coef >= block || s.coef * extent <= block) continue;
    if (block % s.coef != 0 || !digits_.cut({&s.ref.digit, 1}, block / s.coef)) throw NotGeneric{"borders across digits"};
    changed(before);
  }
  std::vector<const Segment*> major;
  DigitList below;
  for (const Segment& s : f.segments) {
    if (s.coef >= block) major.push_back(&s);
    else below.push_back(s.ref.digit);
  }
  if (major.size() != 1) throw NotGeneric{"borders across digits"};
  t_.note_border(f.constant, major[0]->ref.digit, std::move(below));
  return truth(t_.below(major[0]->ref, f.constant / block));
}

}  // namespace gg::sizes
