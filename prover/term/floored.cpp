// Quotients and remainders towards zero that a selection corrects (certificate.md, C11).
#include "prover/term/floored.h"

#include <algorithm>
#include <array>

#include "prover/term/parts.h"
#include "prover/term/wide.h"

namespace gg::prover {
namespace {

constexpr int kDeep = 3;       ///< definitions that are opened, one in the other
constexpr int kQuotients = 4;  ///< of a branch

/// A quotient or remainder by a number of what may lie below zero.
bool is_quotient(const Terms& t, TermId id) {
  const TermNode& n = t[id];
  const auto f = static_cast<ScalarFn>(n.op);
  if (n.kind != Kind::Fn || n.sort != Sort::Int || (f != ScalarFn::Divide && f != ScalarFn::Remainder)) return false;
  const TermId by = t.kid(id, 1);
  if (t[by].kind != Kind::Int || !t.is_num(t.lin(by))) return false;
  const std::int64_t m = t[t.lin(by)].c0;
  return m != 0 && m != 1 && m != -1 && m > -kFarEnd && m < kFarEnd;
}

std::optional<TermId> quotient_in(const Terms& t, TermId id) {
  std::optional<TermId> found;
  const auto enters = [&](TermId part) { return t[part].kind != Kind::Read && t[part].kind != Kind::Fold && t[part].kind != Kind::Row; };
  some_part(
      t, id, true, [&](TermId part) { return is_quotient(t, part) && (found = part, true); }, enters);
  return found;
}

bool is_number_by_cases(const Terms& t, TermId id) {
  if (t[id].kind == Kind::Case) return is_number_by_cases(t, t.kid(id, 1)) && is_number_by_cases(t, t.kid(id, 2));
  return t[id].kind == Kind::Int && t.is_num(t.lin(id));
}

/// Integers that are such quotients, are made of them, or are numbers by cases (signs), as what they are.
TermId opened(Terms& t, TermId id, int deep) {
  return t.replace_reads(id, [&, deep](TermId read, TermId facts) -> std::optional<TermId> {
    if (t[read].sort == Sort::Real) return std::nullopt;
    const auto own = t.definition(read, facts);
    if (!own) return std::nullopt;
    const TermId whole = deep > 1 ? opened(t, *own, deep - 1) : *own;
    return quotient_in(t, whole) || is_number_by_cases(t, whole) ? std::optional(whole) : std::nullopt;
  });
}

/// The quotients and remainders in a branch where the facts say on which side of zero the numbers lie that are divided.
std::optional<TermId> on_sides(Terms& t, TermId branch, TermId facts) {
  for (int k = 0; k < kQuotients; ++k) {
    const auto one = quotient_in(t, branch);
    if (!one) return branch;
    const LinId x = t.as_lin(t.kid(*one, 0));
    const bool up = t.decide(t.ge(x), facts) == true;
    if (!up && t.decide(t.ge(t.scale(-1, x)), facts) != true) return std::nullopt;
    const std::int64_t by = t[t.lin(t.kid(*one, 1))].c0, m = by < 0 ? -by : by, sign = up ? 1 : -1;
    const LinId size = t.scale(sign, x);
    const bool divides = static_cast<ScalarFn>(t[*one].op) == ScalarFn::Divide;
    SmallMap<TermId> is;
    is.add(raw(*one), t.integer(divides ? t.scale(by < 0 ? -sign : sign, t.div(size, m)) : t.scale(sign, t.mod(size, m))));
    branch = t.exchange(branch, std::move(is));
  }
  return std::nullopt;
}

}  // namespace

bool multiple_of(const Terms& t, LinId form, std::int64_t m) {
  const std::vector<LinTerm> list = t.term_list(form);
  return t[form].c0 % m == 0 && std::ranges::all_of(list, [&](const LinTerm& s) { return s.coef % m == 0; });
}

LinId congruent(Terms& t, LinId form, std::int64_t m) {
  LinId out = form;
  for (const LinTerm& s : t.term_list(form)) {
    if (t[s.atom].kind != AtomKind::Data) continue;
    auto rest = static_cast<TermId>(t[s.atom].arg);
    if (t[rest].kind == Kind::Read) rest = t.definition(rest, TermId::True).value_or(rest);
    if (!is_quotient(t, rest) || static_cast<ScalarFn>(t[rest].op) != ScalarFn::Remainder) continue;
    if (checked_mul(s.coef, t[t.lin(t.kid(rest, 1))].c0) % m != 0) continue;
    t.count(LemmaId::RemainderOfRemainder);
    out = t.axpy(s.coef, t.sub(t.as_lin(t.kid(rest, 0)), t.atom_form(s.atom)), out);
  }
  return out;
}

std::optional<LinId> quotient_of_negative(Terms& t, LinId form, std::int64_t m) {
  const std::vector<LinTerm> list = t.term_list(form);
  const bool turned = list[0].coef < 0 || (2 * list[0].coef == m && 2 * t[form].c0 >= m);
  if (!turned || !std::ranges::all_of(list, [&](const LinTerm& s) { return t[s.atom].kind == AtomKind::Data; })) return std::nullopt;
  t.count(LemmaId::QuotientOfNegative);
  return t.scale(-1, t.div(t.offset(t.scale(-1, form), m - 1), m));
}

std::optional<TermId> high_bits(Terms& t, ElementType type, LinId form, LinId mask) {
  const std::int64_t by = t[mask].c0;
  if (!t.is_num(mask) || !is_signed(type) || by >= 0 || by <= -kFarEnd || (-by & (-by - 1)) != 0) return std::nullopt;
  return t.integer(t.sub(form, t.mod(form, -by)));
}

std::optional<TermId> floored(Terms& t, TermId guard, TermId a, TermId b) {
  if (t[a].sort != Sort::Int || ((t[guard].flags | t[a].flags | t[b].flags) & (kHasReads | kHasInputs)) == 0) return std::nullopt;
  const TermId yes = opened(t, a, kDeep), no = opened(t, b, kDeep);
  const auto in_yes = quotient_in(t, yes), one = in_yes ? in_yes : quotient_in(t, no);
  if (!one) return std::nullopt;
  const TermId test = opened(t, guard, kDeep);
  const std::array operands{t.kid(*one, 0), t.kid(*one, 1)};
  const auto type = static_cast<ElementType>(t[*one].type);
  const TermId quotient = t.fn(ScalarFn::Divide, type, operands), remainder = t.fn(ScalarFn::Remainder, type, operands);
  const auto by_sides = [&]() -> std::optional<TermId> {
    const auto first = on_sides(t, yes, test), second = first ? on_sides(t, no, t.negate(test)) : std::nullopt;
    if (!second || *first != *second) return std::nullopt;
    t.count(LemmaId::QuotientBySides);
    return first;
  };
  const auto by_rest = [&]() -> std::optional<TermId> {
    const std::int64_t by = t[t.lin(operands[1])].c0, turn = by < 0 ? -1 : 1, m = turn * by;
    const LinId x = t.scale(turn, t.as_lin(operands[0])), down = t.div(x, m), rest = t.mod(x, m);
    std::optional<TermId> result;
    for (const int sign : {-1, 0, 1}) {
      const TermId divides = t.eq(rest), facts = sign == 0 ? divides : t.conj(t.negate(divides), t.ge(t.offset(t.scale(sign, x), -1)));
      if (facts == TermId::False) continue;
      const auto told = [&](TermId id, LinId left) {
        SmallMap<TermId> are;
        are.add(raw(quotient), t.integer(sign < 0 ? t.offset(down, 1) : down));
        are.add(raw(remainder), t.integer(t.scale(turn, left)));
        return t.exchange(id, std::move(are));
      };
      const LinId left = sign < 0 ? t.offset(rest, -m) : rest;
      const TermId which = t.assume(told(test, sign == 0 ? LinId::Zero : left), facts);
      if (which != TermId::True && which != TermId::False) return std::nullopt;
      const TermId branch = told(which == TermId::True ? yes : no, left);
      if (result && *result != branch) return std::nullopt;
      result = branch;
    }
    t.count(LemmaId::QuotientCorrected);
    return result;
  };
  return formed(
      [&] {
        const auto told = by_rest();
        return told ? told : by_sides();
      },
      [] { return std::optional<TermId>(); });
}

}  // namespace gg::prover
