// A binder by which reads are looked up through a permutation is the place where that leads: sums over permuted rows are sums over rows (F15).
#include "prover/term/permuted.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <map>
#include <set>

#include "prover/term/fold_builder.h"
#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMaxRow = 4096;

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

/// How reads have the variables of a set in their indices: of each variable the first read, by anchor and index, and the table in which it has it.
class Lookups {
 public:
  struct First {
    std::array<std::uint64_t, 2> read;
    std::vector<std::int64_t> table;  ///< none: the variable itself
    friend auto operator<=>(const First&, const First&) = default;
  };
  std::map<VarId, First> first{};
  VarSet elsewhere = 0;  ///< variables that some read has otherwise

  Lookups(const Terms& t, VarSet set) : t_(t), set_(set) {}
  void term(TermId id) {
    if ((t_[id].free & set_) == 0 || !seen_.insert(id).second) return;
    const TermNode n = t_[id];
    const bool reads = n.kind == Kind::Read || n.kind == Kind::Row;
    std::array<std::uint64_t, 2> read{n.kind == Kind::Row ? ~std::uint64_t{0} : reads ? t_.anchor_of(id)
                                                                                      : 0,
                                      0};
    for_each_part(
        t_, id, [&](TermId part) { term(part); }, [&](LinId l, bool counts) {
      form(l, counts ? &read : nullptr);
      ++read[1]; });
  }

 private:
  void form(LinId l, const std::array<std::uint64_t, 2>* read) {
    for (const LinTerm& s : t_.terms(l)) {
      const AtomNode& a = t_[s.atom];
      const VarSet own = a.free & set_;
      if (own == 0) continue;
      if (a.kind == AtomKind::Data) term(static_cast<TermId>(a.arg));
      else if (a.data) elsewhere |= own;
      if (a.kind == AtomKind::Data || read == nullptr) continue;
      const bool plain = a.kind == AtomKind::Var && a.m == 1;
      const auto v = plain ? std::optional(a.var) : a.kind == AtomKind::Table ? looked_up_by(t_, a)
                                                                              : std::nullopt;
      if (!v) {
        elsewhere |= own;
        continue;
      }
      First here{*read, plain ? std::vector<std::int64_t>() : t_.table_values(a.arg2)};
      if (!plain && !inverse_table(here.table)) elsewhere |= own;
      const auto [known, fresh] = first.try_emplace(*v, here);
      if (!fresh) known->second = std::min(known->second, std::move(here));
    }
  }

  const Terms& t_;
  VarSet set_;
  std::set<TermId> seen_;
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
  if (t[*form].data || (t[*form].free & ~bit(v.var)) != 0 || v.extent > kMaxRow) return std::nullopt;
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
  if (extent > kMaxRow || (index == alone && static_cast<std::int64_t>(values.size()) == extent)) return std::nullopt;
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
  Lookups found(t_, set_);
  found.term(body_);
  found.term(guard_);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const auto first = found.first.find(ids_[k]);
    if (first == found.first.end() || (found.elsewhere & bit(ids_[k])) != 0 || static_cast<std::int64_t>(first->second.table.size()) != extents_[k]) continue;
    t_.count(LemmaId::BinderPermuted);
    const Fresh fresh = t_.fresh(extents_[k]);
    return replace(k, t_.table(*inverse_table(first->second.table), fresh[0]), fresh, TermId::True, TermId::Unknown);
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
