#include "prover/checker/functions.h"

#include <algorithm>
#include <map>

#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMaxFunction = 8192;  ///< points, of which all values are kept

class Respelling : public Rewriter {
 public:
  Respelling(Terms& t, const std::vector<Literal>& known) : Rewriter(t), known_(known) {
    std::erase_if(known_, [&](const Literal& l) { return t[l.test].kind == TestKind::Truth || has_data(t, t[l.test].index); });
  }
  using Rewriter::operator();
  Index operator()(Index a) override {
    const Index made = Rewriter::operator()(a);
    if (has_data(t_, made)) return made;
    const std::vector<Var> vars = t_[t_[made].free];
    std::vector<Literal> told;  // what is known of these variables
    for (const Literal& l : known_)
      if (std::ranges::includes(vars, t_[t_[l.test].free])) told.push_back(l);
    return told.empty() && multiples(t_[made]) ? made : first_of(made, vars, told);
  }

 protected:
  bool unchanged(VarSet) override { return false; }

  /// The number that an atom is by itself.
  Index atom(Atom a) override {
    const auto number = one_variable(t_, a) || has_data(t_, atom_form(t_, a)) ? std::nullopt : number_of_values(atom_form(t_, a));
    return number ? to_index(t_, *number) : Rewriter::atom(a);
  }

  /// Of numbers of forms that share variables with one that is no digit, in whole multiples of one of them, one number is made.
  Value total(const std::vector<PolyPart>& summands) override {
    VarSet mixed{};
    for (const PolyPart& p : summands)
      if (const auto a = form_in(p); a && !one_variable(t_, *a)) mixed = t_.unite(mixed, t_[*a].free);
    std::vector<PolyPart> numbers, others;
    for (const PolyPart& p : summands) {
      const auto a = form_in(p);
      (a && !t_.disjoint(t_[*a].free, mixed) ? numbers : others).push_back(p);
    }
    for (const PolyPart& unit : numbers) {
      Index form = constant(t_, 0);
      bool whole = true;
      for (const PolyPart& p : numbers) {
        const auto times = (p.coef * unit.coef.inverse()).integer();
        whole = whole && times && near(*times);
        if (whole) form = axpy(t_, *times, atom_form(t_, *form_in(p)), form);
      }
      if (const auto number = whole ? number_of_values(form) : std::nullopt) return sum(t_, Rewriter::total(others), scaled(t_, unit.coef, *number));
    }
    return Rewriter::total(summands);
  }

 private:
  /// The atom without data that a summand is a multiple of, as a number.
  std::optional<Atom> form_in(const PolyPart& p) const {
    const auto& factors = t_[p.monomial].factors;
    if (factors.size() != 1 || !factors[0].exponent.is_one() || t_[factors[0].base].kind != ValueKind::Int) return std::nullopt;
    const Atom a{t_[factors[0].base].ref};
    return t_[a].kind == AtomKind::Variable || !has_data(t_, t_[a].arg) ? std::optional(a) : std::nullopt;
  }

  /// A form as a number that its values alone tell: its value at the origin and multiples of digits, or of a table.
  std::optional<Value> number_of_values(Index a) {
    const std::vector<Var> vars = t_[t_[a].free];
    std::vector<Size> values = values_of(t_, a, vars, kMaxFunction);
    if (values.empty()) return std::nullopt;
    if (const auto fit = fit_of(t_, vars, values)) return from_index(t_, *fit);
    const Size first = values[0];
    Size unit = 0;
    for (Size& value : values) {
      value = value - first;
      if (!small(value, INT64_MAX)) return std::nullopt;  // a size that is free is no number
      unit = same(unit, 0) ? value : same(value, 0) ? unit
                                                    : common(unit, value);
    }
    if (*std::ranges::find_if(values, [](const Size& value) { return !same(value, 0); }) < 0) unit = -unit;
    for (Size& value : values) value = value / unit;
    Index place = constant(t_, 0);
    Size stride = 1;
    for (const Var v : vars) {
      place = axpy(t_, stride, variable(t_, v), place);
      stride = stride * t_[v].extent;
    }
    return sum(t_, number(t_, first), scaled(t_, unit, from_index(t_, table(t_, values, place))));
  }

  /// Multiples of variables alone, which stay: a quotient may be the first of its values, v/4 that of v/2 - (v+2)/4 for v < 8.
  bool multiples(const IndexNode& node) const {
    return std::ranges::all_of(node.parts, [&](const Part& p) { return t_[p.atom].kind == AtomKind::Variable; });
  }

  /// What fits its values, or the first form of the same, where the literals hold; above its first value, so that forms which differ by a number are one function.
  Index first_of(Index a, const std::vector<Var>& vars, const std::vector<Literal>& told) {
    const std::vector<Size> values = values_of(t_, a, vars, kMaxFunction);
    std::vector<bool> counts(values.size(), true);
    for (const Literal& l : told) {
      const TestNode& test = t_[l.test];
      const std::vector<Size> at = values_of(t_, test.index, vars, kMaxFunction);
      for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = counts[k] && (test.kind == TestKind::Ge ? at[k] >= 0 : same(at[k], 0)) == l.holds;
    }
    const auto first = std::ranges::find(counts, true);
    if (first == counts.end()) return a;
    const Size base = values[static_cast<std::size_t>(first - counts.begin())];
    std::vector<std::int64_t> key;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!small(values[k] - base, INT64_MAX)) return a;  // a size that is free is no number
      key.push_back(counts[k] ? at_text(values[k] - base) : INT64_MIN);
    }
    if (std::ranges::all_of(key, [](std::int64_t value) { return value == 0 || value == INT64_MIN; })) return constant(t_, base);
    if (const auto fit = std::ranges::count(counts, false) == 0 ? fit_of(t_, vars, values) : std::nullopt) return *fit;
    for (const Var v : vars) key.push_back(v.id);
    return offset(t_, spellings_.try_emplace(std::move(key), offset(t_, a, -base)).first->second, base);
  }

  std::vector<Literal> known_;
  std::map<std::vector<std::int64_t>, Index> spellings_;  // by values and variables
};

}  // namespace

std::vector<Size> values_of(const Terms& t, Index a, const std::vector<Var>& vars, std::int64_t most) {
  std::int64_t box = 1;
  for (const Var v : vars) {
    if (!small(t[v].extent, most / box)) return {};
    box *= static_cast<std::int64_t>(t[v].extent);
  }
  std::vector<std::int64_t> at(vars.size(), 0);
  const auto point = [&](Var v) { return at[static_cast<std::size_t>(std::lower_bound(vars.begin(), vars.end(), v) - vars.begin())]; };
  std::vector<Size> values;
  while (static_cast<std::int64_t>(values.size()) < box) {
    values.push_back(evaluate(t, a, point));
    for (std::size_t k = 0; k < vars.size() && ++at[k] == static_cast<std::int64_t>(t[vars[k]].extent); ++k) at[k] = 0;
  }
  return values;
}

std::optional<Index> fit_of(Terms& t, const std::vector<Var>& vars, const std::vector<Size>& values) {
  Index fit = constant(t, values[0]);
  std::int64_t stride = 1;
  for (const Var var : vars) {
    const auto extent = static_cast<std::int64_t>(t[var].extent);
    for (std::int64_t d = 1, rest = extent; rest > 1;) {
      std::int64_t p = 2;
      while (rest % p != 0) ++p;
      fit = axpy(t, values[static_cast<std::size_t>(stride * d)] - values[0], modulo(t, divide(t, variable(t, var), d), p), fit);
      d *= p;
      rest /= p;
    }
    stride *= extent;
  }
  const std::vector<Size> fitted = values_of(t, fit, vars, static_cast<std::int64_t>(values.size()));
  const bool fits = std::equal(values.begin(), values.end(), fitted.begin(), fitted.end(), [](const Size& x, const Size& y) { return same(x, y); });
  return fits ? std::optional(fit) : std::nullopt;
}

bool spelled_alike(Terms& t, Value a, Value b, const std::vector<Literal>& known) {
  Respelling spell(t, known);
  return spell(a) == spell(b);
}

}  // namespace gg::checker
