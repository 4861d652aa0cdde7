// Tuples of a row that is padded by values beyond all (certificate.md, R, Joins): what shards of unequal lengths reduce.
#include <algorithm>
#include <unordered_map>

#include "prover/term/first.h"
#include "prover/term/form_walk.h"
#include "prover/term/wide.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMostPadded = 65536;

struct PaddedBox {
  std::vector<VarId> vars;
  std::array<std::int64_t, kVars> extent{};
  std::int64_t points = 1;
};

PaddedBox padded_box(const Terms& t, LinId form, TermId guard) {
  PaddedBox box;
  LinVisitor visitor(t, t[form].free | t[guard].free);
  visitor.lin(form);
  visitor.term(guard);
  for (const LinId part : visitor.lins)
    for (const LinTerm& s : t.terms(part))
      if (t[s.atom].kind == AtomKind::Var) box.extent[t[s.atom].var] = t[s.atom].extent;
  for (VarId v = 0; v < kVars; ++v)
    if (box.extent[v] > 1) {
      box.vars.push_back(v);
      box.points = saturate_mul(box.points, box.extent[v]);
    }
  return box;
}

}  // namespace

/// The form as a sum of multiples of variables, if there is one that it is wherever the guard, which reads nothing, holds.
LinId Terms::refit_where(LinId form, TermId guard) {
  const PaddedBox box = padded_box(*this, form, guard);
  if ((*this)[form].data || box.points > kMostPadded) return form;
  step(static_cast<std::uint64_t>(box.points));
  std::array<std::int64_t, kVars> at{};
  std::unordered_map<std::int64_t, std::int64_t> values;  // by the number of the point
  for (std::int64_t k = 0; k < box.points; ++k) {
    std::int64_t r = k;
    for (const VarId v : box.vars) {
      at[v] = r % box.extent[v];
      r /= box.extent[v];
    }
    const auto holds = evaluate(guard, at);
    if (holds != 1) {
      if (!holds) return form;
      continue;
    }
    const auto here = evaluate(form, at);
    if (!here) return form;
    values.emplace(k, *here);
  }
  if (values.empty()) return form;
  const auto first = std::min_element(values.begin(), values.end());
  LinId fit = num(first->second);
  std::int64_t stride = 1;
  for (const VarId v : box.vars) {
    const LinId own = var(v, box.extent[v]);
    std::optional<std::int64_t> step;
    for (const auto& [k, value] : values) {
      const auto next = k / stride % box.extent[v] + 1 < box.extent[v] ? values.find(k + stride) : values.end();
      if (next != values.end()) step = next->second - value;
      if (step) break;
    }
    if (step) fit = axpy(*step, offset(own, -(first->first / stride % box.extent[v])), fit);
    stride *= box.extent[v];
  }
  for (const auto& [k, value] : values) {
    std::int64_t r = k;
    for (const VarId v : box.vars) {
      at[v] = r % box.extent[v];
      r /= box.extent[v];
    }
    if (evaluate(fit, at) != value) return form;
  }
  return fit;
}

std::optional<TermId> without_padding(Terms& t, std::uint32_t signature, const Opened& open, std::span<const TermId> tuple) {
  const bool largest = (signature & Terms::kLargest) != 0, real = t[tuple[0]].sort == Sort::Real;
  const auto [coef, inside] = real ? t.content(tuple[0]) : std::pair(RatId::One, tuple[0]);
  if (t[inside].kind != Kind::Case) return std::nullopt;
  const LinId f = t.as_lin(tuple[1]);
  for (const bool holds : {true, false}) {
    const TermId g = holds ? t.kid(inside, 0) : t.negate(t.kid(inside, 0));
    TermId e = t.kid(inside, holds ? 1 : 2), low = t.kid(inside, holds ? 2 : 1);
    if (real) e = t.scale(coef, e), low = t.scale(coef, low);
    const bool below = real ? low == t.special(largest ? Special::NegInf : Special::PosInf) : beyond_all(t, t.as_lin(low), t.as_lin(e), largest);
    if (!below || !t.index_guard(g)) continue;
    const LinId where = t.refit_where(f, g);
    Terms::Map first;
    for (const LinId v : open.vars)
      if (!t.is_num(v)) first.set(t[t.terms(v)[0].atom].var, LinId::Zero);
    const bool later = t.substitute(g, first) == TermId::True && t[t.sub(t.num(t[f].lo), t.substitute(where, first))].lo >= 0;
    if (!later && (!real || !t.attributes(e).finite)) continue;
    const std::array rest{t.assume(e, g), t.integer(where)};
    return t.fold(ScalarFn::Max, open.vars, g, t.row(signature, 2, t[open.bodies[0]].sort, {}, {}, rest));
  }
  return std::nullopt;
}

}  // namespace gg::prover
