// A binder by which reads are looked up through a permutation is the place where that leads: sums over permuted rows are sums over rows (F15).
#include "prover/term/permuted.h"

#include <array>
#include <bit>
#include <map>
#include <set>

#include "prover/term/fold_builder.h"
#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMaxPlaces = 4096;

bool distinct(const std::vector<std::int64_t>& numbers) { return std::set(numbers.begin(), numbers.end()).size() == numbers.size(); }

/// The values of a form of one variable.
std::optional<std::vector<std::int64_t>> values_over(const Terms& t, LinId form, VarId v, std::int64_t extent) {
  std::array<std::int64_t, kVars> point{};
  std::vector<std::int64_t> values;
  for (std::int64_t& k = point[v]; k < extent; ++k) {
    const auto value = t.evaluate(form, point);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// The tables by which the indices of reads have variables.
struct Lookups {
  std::map<VarId, std::uint32_t> tables{};
  VarSet elsewhere = 0;         ///< also outside of such a table, or in a second one
  std::vector<TermId> data{};  ///< integers of the forms, to be looked at as well

  void form(const Terms& t, VarSet set, LinId l, bool counts) {
    for (const LinTerm& s : t.terms(l)) {
      const AtomNode& a = t[s.atom];
      if ((a.free & set) == 0) continue;
      if (a.kind == AtomKind::Data) data.push_back(static_cast<TermId>(a.arg));
      else if (a.data) elsewhere |= a.free & set;
      if (a.kind == AtomKind::Data || !counts) continue;
      const auto v = a.kind == AtomKind::Table ? looked_up_by(t, a) : std::nullopt;
      if (!v || tables.try_emplace(*v, a.arg2).first->second != a.arg2) elsewhere |= a.free & set;
    }
  }
};

}  // namespace

std::optional<std::vector<std::int64_t>> inverse_table(const std::vector<std::int64_t>& table) {
  const auto n = static_cast<std::int64_t>(table.size());
  std::vector<std::int64_t> inverse(table.size(), -1);
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t to = table[static_cast<std::size_t>(k)];
    if (to < 0 || to >= n || inverse[static_cast<std::size_t>(to)] >= 0) return std::nullopt;
    inverse[static_cast<std::size_t>(to)] = k;
  }
  return inverse;
}

std::optional<std::vector<std::int64_t>> numbers_of(Terms& t, LinId var, TermId element) {
  const auto form = t[element].sort == Sort::Int ? std::optional(t.as_lin(element)) : t[element].sort == Sort::Real ? t.whole(element)
                                                                                                                    : std::nullopt;
  if (!form || t.is_num(var)) return std::nullopt;
  const AtomNode v = t[t.terms(var)[0].atom];
  if (t[*form].data || (t[*form].free & ~bit(v.var)) != 0 || v.extent > kMaxPlaces) return std::nullopt;
  return values_over(t, *form, v.var, v.extent);
}

bool distinct_numbers(Terms& t, LinId var, TermId element) {
  const auto numbers = numbers_of(t, var, element);
  return numbers && distinct(*numbers);
}

std::optional<LinId> table_of_variable(Terms& t, const std::vector<std::int64_t>& values, LinId index) {
  const LinNode n = t[index];
  if (n.data || !std::has_single_bit(n.free)) return std::nullopt;
  LinVisitor inside(t, n.free);
  inside.lin(index);
  const AtomNode* v = nullptr;
  for (const LinId form : inside.lins)
    for (const LinTerm& s : t.terms(form))
      if (t[s.atom].kind == AtomKind::Var) v = &t[s.atom];
  const VarId var = v->var;
  const std::int64_t extent = v->extent;
  const LinId alone = t.var(var, extent);
  if (extent > kMaxPlaces || (index == alone && static_cast<std::int64_t>(values.size()) == extent)) return std::nullopt;
  auto own = values_over(t, index, var, extent);
  if (!own) return std::nullopt;
  for (std::int64_t& k : *own) k = values[static_cast<std::size_t>(k)];
  return distinct(*own) ? std::optional(t.table(*std::move(own), alone)) : std::nullopt;
}

std::optional<VarId> looked_up_by(const Terms& t, const AtomNode& table) {
  const auto index = static_cast<LinId>(table.arg);
  if (t[index].n != 1 || t[index].c0 != 0) return std::nullopt;
  const LinTerm only = t.terms(index)[0];
  const AtomNode& v = t[only.atom];
  return only.coef == 1 && v.kind == AtomKind::Var && v.m == 1 ? std::optional(v.var) : std::nullopt;
}

std::optional<TermId> FoldBuilder::permute() {
  Lookups found;
  FormWalk walk(t_, set_, [&](LinId l, bool counts) { found.form(t_, set_, l, counts); });
  found.data = {body_, guard_};
  for (std::size_t k = 0; k < found.data.size(); ++k) walk.term(found.data[k]);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const auto table = found.tables.find(ids_[k]);
    if (table == found.tables.end() || (found.elsewhere & bit(ids_[k])) != 0) continue;
    const auto inverse = inverse_table(t_.table_values(table->second));
    if (!inverse || static_cast<std::int64_t>(inverse->size()) != extents_[k]) continue;
    t_.count(LemmaId::BinderPermuted);
    const Fresh fresh = t_.fresh(extents_[k]);
    return replace(k, t_.table(*inverse, fresh[0]), fresh, TermId::True, TermId::Unknown);
  }
  return std::nullopt;
}

/// Two binders that occur as n_b*a + b but in tables: as one, are the tables tables of it alone?
bool FoldBuilder::tables_of_one(std::size_t a, std::size_t b) {
  const Fresh one = t_.fresh(checked_mul(extents_[a], extents_[b]));
  Terms::Map map;
  map.set(ids_[a], t_.div(one[0], extents_[b]));
  map.set(ids_[b], t_.mod(one[0], extents_[b]));
  const VarId v = t_[t_.terms(one[0])[0].atom].var;
  return t_.cuts_of(t_.substitute(guard_, map), v).empty() && t_.cuts_of(t_.substitute(body_, map), v).empty();
}

}  // namespace gg::prover
