// Index forms: arithmetic at the extents of the text becomes a list of digits, or is refused.
#include <algorithm>
#include <cstdlib>

#include "models/base/check.h"
#include "prover/sizes/reader.h"

namespace gg::sizes {

void Reader::add(Form& to, std::int64_t coef, const Ref& ref) const {
  if (ref.kind == Ref::Kind::Const) {
    to.constant += coef * ref.shift;
    return;
  }
  for (auto s = to.segments.begin(); s != to.segments.end(); ++s) {
    if (!(s->ref == ref)) continue;
    s->coef += coef;
    if (s->coef == 0) to.segments.erase(s);
    return;
  }
  if (coef != 0) to.segments.push_back({coef, ref});
}

// v + c - n * ((v + c) div n) with a digit v of n values: c places on around the ring.
std::optional<Reader::Form> Reader::ring(LinId id) {
  const std::span<const Term> terms = arena_.terms(id);
  if (terms.size() != 2) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    const Atom &v = arena_.atom(terms[k].atom), &q = arena_.atom(terms[1 - k].atom);
    if (v.kind != AtomKind::Var || q.kind != AtomKind::Div || terms[k].coef != 1 || terms[1 - k].coef != -v.m || q.m != v.m) continue;
    const Lin inner = arena_[LinId{q.arg}];
    const std::span<const Term> own = arena_.terms(LinId{q.arg});
    if (own.size() != 1 || own[0].atom != terms[k].atom || own[0].coef != 1 || inner.c0 != arena_[id].c0) continue;
    const std::vector<Ref>& refs = levels_.at(v.level);
    if (refs.size() != 1 || refs[0].kind != Ref::Kind::Var) return std::nullopt;
    Ref ref = refs[0];
    ref.shift = inner.c0 % v.m;
    if (2 * ref.shift > v.m) ref.shift -= v.m;
    Form out;
    add(out, 1, ref);
    return out;
  }
  return std::nullopt;
}

Reader::Form Reader::form(LinId id) {
  if (auto around = ring(id)) return *around;
  Form out;
  out.constant = arena_[id].c0;
  for (const Term& term : arena_.terms(id)) {
    const Atom& atom = arena_.atom(term.atom);
    switch (atom.kind) {
      case AtomKind::Var: {
        const std::vector<Ref>& refs = levels_.at(atom.level);
        std::int64_t stride = 1;
        for (std::size_t k = refs.size(); k-- > 0;) {
          add(out, term.coef * stride, refs[k]);
          stride *= digits_.extent(refs[k].digit);
        }
        break;
      }
      case AtomKind::Div: {
        const Form quotient = divide(form(LinId{atom.arg}), atom.m);
        out.constant += term.coef * quotient.constant;
        for (const Segment& s : quotient.segments) add(out, term.coef * s.coef, s.ref);
        break;
      }
      case AtomKind::Data:
        if (std::abs(term.coef) != 1 || out.has_data()) throw NotGeneric{"an index with a multiple of a data-dependent one"};
        out.data_coef = term.coef;
        out.data = term.atom;
        break;
      case AtomKind::Table:
        add_table(out, term.coef, arena_.table_values(TableId{atom.arg}), form(LinId{atom.index}));
        break;
    }
  }
  return out;
}

// A table that is affine in the digits of its place is its formula; the places where its steps change are cuts.
void Reader::add_table(Form& to, std::int64_t coef, std::span<const std::int64_t> values, const Form& place) {
  const NotGeneric refused{"a table of " + std::to_string(values.size()) + " integers that is not affine"};
  const auto size = static_cast<std::int64_t>(values.size());
  const auto at = [&](std::int64_t k) { return values[static_cast<std::size_t>(k)]; };
  std::vector<std::int64_t> cuts;
  for (std::int64_t block = 1; block < size;) {
    std::int64_t length = 2;  // of the run of equal steps
    while (length * block < size && at(length * block) - at(0) == length * (at(block) - at(0))) ++length;
    while (size % (length * block) != 0) --length;
    if (length < 2) throw refused;
    cuts.push_back(block *= length);
  }
  if (place.has_data() || place.constant != 0) throw refused;
  const std::size_t before = digits_.size();
  std::int64_t covered = 1;
  for (const Segment& s : place.segments) {
    const std::int64_t extent = digits_.extent(s.ref.digit);
    covered *= extent;
    for (const std::int64_t cut : cuts) {
      if (s.coef <= 0 || cut <= s.coef || cut >= s.coef * extent) continue;
      if (cut % s.coef != 0 || !digits_.cut({&s.ref.digit, 1}, cut / s.coef)) throw refused;
      changed(before);
    }
  }
  if (covered != size) throw refused;
  for (std::int64_t k = 0; k < size; ++k) {
    std::int64_t expected = at(0);
    for (const Segment& s : place.segments) expected += k / s.coef % digits_.extent(s.ref.digit) * (at(s.coef) - at(0));
    if (at(k) != expected) throw refused;
  }
  to.constant += coef * at(0);
  for (const Segment& s : place.segments) add(to, coef * (at(s.coef) - at(0)), s.ref);
}

Reader::Form Reader::divide(const Form& form, std::int64_t by) {
  if (form.has_data() || form.constant < 0) throw NotGeneric{"a quotient of a data-dependent index"};
  Form out;
  std::int64_t most = form.constant % by;  // of what the quotient leaves
  out.constant = form.constant / by;
  for (const Segment& s : form.segments) {
    const std::int64_t extent = digits_.extent(s.ref.digit);
    if (s.coef % by == 0) {
      add(out, s.coef / by, s.ref);
    } else if (s.coef > 0 && by % s.coef == 0 && s.coef * extent > by && s.ref.kind == Ref::Kind::Var && s.ref.shift == 0) {
      const std::size_t before = digits_.size();
      if (!digits_.cut({&s.ref.digit, 1}, by / s.coef)) throw NotGeneric{"factorizations without common digits"};
      changed(before);
    } else {
      if (s.coef < 0) throw NotGeneric{"a quotient of a difference"};
      most += s.coef * (extent - 1);
    }
  }
  if (most >= by) throw NotGeneric{"factorizations without common digits"};
  return out;
}

std::vector<Summand> Reader::sum_of(const Form& f) {
  std::vector<Summand> sum;
  if (f.constant != 0) {
    Summand one;
    one.coef = f.constant;
    sum.push_back(one);
  }
  for (const Segment& segment : f.segments) {
    Summand s;
    s.atom = Summand::Atom::Digit;
    s.coef = segment.coef;
    s.ref = segment.ref;
    sum.push_back(s);
  }
  // A whole dimension's strides are the numbers of values of its lower digits.
  for (const std::vector<Ref>& level : levels_) {
    for (std::size_t k = 0; k < level.size(); ++k) {
      for (Summand& s : sum) {
        if (s.atom != Summand::Atom::Digit || !(s.ref == level[k])) continue;
        DigitList below;
        for (std::size_t j = k + 1; j < level.size(); ++j) below.push_back(level[j].digit);
        const std::int64_t stride = digits_.extent(below);
        if (s.coef % stride != 0) continue;
        s.coef /= stride;
        s.stride = below;
      }
    }
  }
  if (f.has_data()) {
    const Atom& atom = arena_.atom(f.data);
    const TermId value = expr(ExprId{atom.arg});
    for (Summand& s : t_.summands(value)) {
      s.coef *= f.data_coef;
      sum.push_back(s);
    }
  }
  return sum;
}

void Reader::operand_read(ExprId id, std::vector<Ref>& refs) {
  const std::span<const DigitList> dimensions = (*dimensions_)(static_cast<int>(arena_[id].arg));
  const std::span<const LinId> indices = arena_.indices(id);
  GG_CHECK(dimensions.size() == indices.size(), "a read with another number of dimensions");
  for (std::size_t d = 0; d < indices.size(); ++d) index(form(indices[d]), dimensions[d], refs);
}

void Reader::index(const Form& f, std::span<const DigitId> dimension, std::vector<Ref>& refs) {
  if (f.data_coef < 0) throw NotGeneric{"an index that runs against a data-dependent one"};
  if (constraining_) {
    if (f.has_data()) expr(ExprId{arena_.atom(f.data).arg});
    return cover(f, dimension);
  }
  if (!f.has_data()) return decode(sum_of(f), dimension, refs);
  // Data choose a block: rank digits that are its number are its digits; otherwise the number itself is clamped.
  const Atom& atom = arena_.atom(f.data);
  Form inside = f;
  inside.data_coef = 0;
  const std::vector<Summand> start = t_.summands(expr(ExprId{atom.arg}));
  const bool known = std::all_of(start.begin(), start.end(), [](const Summand& s) { return s.atom != Summand::Atom::Term; });
  std::vector<Summand> sum = sum_of(inside);
  if (known) {
    sum.insert(sum.end(), start.begin(), start.end());
    return decode(t_.summands(t_.number(std::move(sum))), dimension, refs);
  }
  const DigitList digits = digits_.resolve(dimension);
  std::int64_t length = 1;
  std::size_t lower = 0;
  for (; lower < f.segments.size(); ++lower) length *= digits_.extent(f.segments[lower].ref.digit);
  if (atom.lo != 0 || atom.hi != digits_.extent(digits) - length || f.constant != 0) {
    throw NotGeneric{"a data-dependent index with bounds of its own"};
  }
  if (lower > digits.size()) throw NotGeneric{"a window of several dimensions"};
  const TermId value = t_.number(start);
  for (std::size_t k = 0; k + lower < digits.size(); ++k) {
    Ref r;
    r.kind = Ref::Kind::Data;
    r.digit = digits[k];
    r.shift = static_cast<std::int64_t>(k);
    r.term = value;
    r.radix.assign(digits.begin(), digits.end() - static_cast<std::ptrdiff_t>(lower));
    refs.push_back(r);
  }
  const DigitList rest(digits.end() - static_cast<std::ptrdiff_t>(lower), digits.end());
  decode(sum, rest, refs);
}

// The dimension's digits are those of the form, minor first; gaps are digits of their own, at a fixed place.
void Reader::cover(const Form& f, std::span<const DigitId> dimension) {
  std::vector<Segment> segments = f.segments;
  std::sort(segments.begin(), segments.end(), [](const Segment& a, const Segment& b) { return a.coef < b.coef; });
  const std::int64_t whole = digits_.extent(dimension);
  std::int64_t stride = 1;
  DigitList list;  // minor first
  const std::size_t before = digits_.size();
  std::vector<DigitId> gaps;
  const auto gap = [&](std::int64_t until) {
    if (until % stride != 0) throw NotGeneric{"an index form without digits"};
    if (until == stride) return;
    const DigitList now = digits_.resolve(dimension);
    // The place of the gap in the dimension as it is cut now, if there is one; else it is cut here.
    for (const std::int64_t at : {stride, until}) {
      if (at < whole && !digits_.cut(dimension, at)) throw NotGeneric{"factorizations without common digits"};
    }
    std::int64_t below = 1;
    const DigitList cut = digits_.resolve(dimension);
    for (std::size_t k = cut.size(); k-- > 0;) {
      if (below >= stride && below < until) {
        list.push_back(cut[k]);
        gaps.push_back(cut[k]);
        if (!f.has_data() && f.constant / below % digits_.extent(cut[k]) != 0) digits_.fix(cut[k], "a part at a fixed place");
      }
      below *= digits_.extent(cut[k]);
    }
    stride = until;
  };
  for (const Segment& s : segments) {
    if (s.coef < stride || s.coef > whole) throw NotGeneric{"an index form that is no list of digits"};
    gap(s.coef);
    list.push_back(s.ref.digit);
    stride *= digits_.extent(s.ref.digit);
  }
  if (stride > whole) throw NotGeneric{"an index form that is no list of digits"};
  gap(whole);
  std::reverse(list.begin(), list.end());
  if (!digits_.unify(list, dimension)) throw NotGeneric{"factorizations without common digits"};
  changed(before);
}

// The form has other digits than the dimension: where they have a common refinement, both passes start again with it.
void Reader::recut(const std::vector<Summand>& sum, std::span<const DigitId> dimension) {
  Form f;
  for (const Summand& s : sum) {
    if (s.atom == Summand::Atom::One) f.constant += t_.weight(s);
    if (s.atom == Summand::Atom::Digit) f.segments.push_back({t_.weight(s), s.ref});
  }
  cover(f, dimension);
}

void Reader::decode(const std::vector<Summand>& given, std::span<const DigitId> dimension, std::vector<Ref>& refs) {
  std::vector<Summand> sum = given;
  std::int64_t constant = 0;
  for (const Summand& s : sum) {
    if (s.atom == Summand::Atom::One) constant += t_.weight(s);
  }
  const DigitList digits = digits_.resolve(dimension);
  std::int64_t stride = digits_.extent(digits);
  if (constant < 0 || constant >= std::max<std::int64_t>(stride, 1)) throw NotGeneric{"an index beyond its dimension"};
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const DigitId d = digits[k];
    stride /= digits_.extent(d);
    Ref r;
    r.kind = Ref::Kind::Const;
    r.digit = d;
    r.shift = constant / stride;
    constant %= stride;
    for (auto s = sum.begin(); s != sum.end(); ++s) {
      if (s->atom != Summand::Atom::Digit || t_.weight(*s) != stride) continue;
      if (r.shift != 0) throw NotGeneric{"an index form that is no list of digits"};
      if (digits_.extent(s->ref.digit) != digits_.extent(d)) recut(given, dimension);
      if (!digits_.unify({&s->ref.digit, 1}, {&d, 1})) throw NotGeneric{"digits of different extents"};
      t_.note_stride(*s, DigitList(digits.begin() + static_cast<std::ptrdiff_t>(k) + 1, digits.end()));
      r = s->ref;
      sum.erase(s);
      break;
    }
    if (r.kind == Ref::Kind::Const && r.shift != 0) {
      digits_.fix(d, "a part at a fixed place");
      t_.note_border(r.shift * stride, d, DigitList(digits.begin() + static_cast<std::ptrdiff_t>(k) + 1, digits.end()));
    }
    refs.push_back(r);
  }
  if (std::any_of(sum.begin(), sum.end(), [](const Summand& s) { return s.atom != Summand::Atom::One; })) {
    recut(given, dimension);
    throw NotGeneric{"an index form that is no list of digits"};
  }
}

}  // namespace gg::sizes
