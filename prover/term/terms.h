// The prover's term language: index forms, guards and element terms over *anchors* (values of the sequential program),
// hash-consed and kept in the normal form that docs/certificate.md, section 4, describes. Equality of ids is the only
// equality the search knows. All laws are exact over the extended reals; premises are looked up in attributes.
//
// Variables are small numbers in three ranges: free ones (rank digits and dimensions of the value at hand, parameters of
// an anchor's definition), bound ones (named by the height of their fold, so that closed terms do not depend on their
// surroundings), and temporary ones (a fold's binders while its body is open; a stack discipline keeps them apart).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/body/arena.h"
#include "models/body/integers.h"
#include "models/body/scalar.h"
#include "prover/lemma/lemma.h"
#include "prover/term/nodes.h"
#include "prover/term/tables.h"

namespace gg::prover {

class Terms {
 public:
  Terms();
  ~Terms();
  Terms(const Terms&) = delete;
  Terms& operator=(const Terms&) = delete;

  Rationals q;

  // --- index forms (lin.cpp, lin_div.cpp)
  LinId num(std::int64_t c);
  LinId var(VarId v, std::int64_t extent) { return var_div(v, extent, 1); }
  LinId var_div(VarId v, std::int64_t extent, std::int64_t m);
  LinId axpy(std::int64_t factor, LinId x, LinId y);
  std::vector<LinId> variables(std::span<const std::int64_t> extents);                    ///< from 0 on
  LinId combine(std::int64_t c0, std::span<const std::pair<std::int64_t, LinId>> parts);  ///< c0 + the sum of factor * form
  LinId add(LinId a, LinId b) { return axpy(1, a, b); }
  LinId sub(LinId a, LinId b) { return axpy(-1, b, a); }
  LinId scale(std::int64_t factor, LinId a) { return axpy(factor, a, LinId::Zero); }
  LinId offset(LinId a, std::int64_t c);
  LinId div(LinId a, std::int64_t m);
  LinId mod(LinId a, std::int64_t m) { return axpy(-m, div(a, m), a); }
  LinId clamp(LinId a, std::int64_t lo, std::int64_t hi);
  LinId mul(LinId a, LinId b);
  LinId data(TermId term);
  /// values[index], the nearest entry where the index is out of range.
  LinId table(std::vector<std::int64_t> values, LinId index);
  /// Replaces a form over variables only that still has div, clamp, table or data atoms by an affine one if one fits.
  LinId refit(LinId a);
  LinId refit_where(LinId form, TermId guard);  ///< one that it equals where the guard holds

  const LinNode& operator[](LinId id) const;
  const AtomNode& operator[](AtomId id) const;
  std::span<const LinTerm> terms(LinId id) const;
  std::vector<LinTerm> term_list(LinId id) const {  ///< a copy, which survives interning
    const auto s = terms(id);
    return {s.begin(), s.end()};
  }
  const std::vector<std::int64_t>& table_values(std::uint32_t table) const;
  bool is_num(LinId id) const { return (*this)[id].n == 0; }
  /// Value under an assignment of variables (a form without data atoms), or nothing.
  std::optional<std::int64_t> evaluate(LinId id, std::span<const std::int64_t> values) const;
  /// The same of an integer term or guard without reads (guards: 0 or 1).
  std::optional<std::int64_t> evaluate(TermId id, std::span<const std::int64_t> values) const;

  DigitView view(LinId id) const;
  LinId digit(const VariableDigit& d);  ///< without its coefficient

  // --- guards (guard.cpp)
  TermId ge(LinId a);  ///< a >= 0
  TermId eq(LinId a);  ///< a == 0
  TermId conj(std::span<const TermId> kids);
  TermId conj(TermId a, TermId b) { return conj(std::array{a, b}); }
  TermId disj(std::span<const TermId> kids);
  TermId disj(TermId a, TermId b) { return disj(std::array{a, b}); }
  TermId negate(TermId a);
  TermId in_range(LinId a, std::int64_t extent);          ///< 0 <= a < extent
  std::optional<bool> decide(TermId goal, TermId facts);  ///< does `goal` (true) or its negation (false) follow from the conjunction?
  std::optional<bool> decide(TermId goal, std::span<const TermId> facts);
  bool absurd(std::span<const TermId> facts);
  bool implied(LinId nonnegative, std::span<const TermId> facts, int depth);
  bool in_box(std::span<const LinId> index, std::span<const std::int64_t> extents, std::span<const TermId> facts);
  /// Conjuncts of a guard (itself, if it is no conjunction; none for true).
  std::vector<TermId> conjuncts(TermId guard) const;
  /// No opaque boolean inside: only ge, eq and connectives.
  bool index_guard(TermId guard) const;
  /// A real case by a condition on indices that hangs on data (a routed expert): it goes outside of what is computed with it.
  bool choice(TermId id) const;

  // --- terms
  TermId lit(RatId value);
  TermId special(Special s);
  TermId integer(LinId a);   ///< integer value
  TermId from_int(LinId a);  ///< real value
  TermId read(AnchorId anchor, std::span<const LinId> index);
  TermId plain_read(AnchorId anchor, std::span<const LinId> index);  ///< whatever its definition is there
  TermId value(AnchorId anchor, std::span<const LinId> index);       ///< a read under the condition without which it is zero
  TermId add(std::span<const TermId> kids);
  TermId add(TermId a, TermId b) { return add(std::array{a, b}); }
  TermId mul(TermId a, TermId b);
  TermId scale(RatId c, TermId a);
  TermId negative(TermId a);  ///< of a real or an integer
  TermId pow(TermId a, RatId e);
  TermId fn(ScalarFn f, ElementType type, std::span<const TermId> kids);  ///< a scalar function of the table (fn.cpp)
  TermId extremum(ScalarFn f, std::span<const TermId> kids);              ///< n-ary max or min
  TermId opaque_fn(ScalarFn f, Sort sort, std::uint8_t type, std::span<const TermId> kids);
  TermId choose(TermId guard, TermId a, TermId b);
  /// Fold over temporary variables that are free in guard and body.
  TermId fold(ScalarFn op, std::span<const LinId> vars, TermId guard, TermId body);
  /// Of a join of tuples (models/op/semilattice.h) with m places, a signature with kJoin: leaf m of m bodies is the tuple, leaf k < m of
  /// one body, a maximum of tuples, its place k. What is not NaN is joined as numbers are by a maximum.
  static constexpr std::uint32_t kJoin = 1U << 31U;
  /// That keeps the largest (smallest) of two values, of equal ones that with the smaller second one (keeps_largest).
  static constexpr std::uint32_t kLargest = 1U << 28U, kSmallest = 1U << 27U;
  static constexpr std::uint32_t kKeeps = 1U << 30U;  ///< result k is made of elements of operand k (sort)
  static constexpr std::uint32_t kSums = 1U << 26U;   ///< results are sums of elements of the arrays but for the first (select-and-scatter)
  /// A row that is put in descending order, equal elements by their place in the row; kNanFirst: NaN before all numbers, else after them. What
  /// comes to a place of this order: its place in the row; of a row of parts (two binders), its place in the order of its own part.
  static constexpr std::uint32_t kOrder = 1U << 29U, kNanFirst = 1U;
  static constexpr std::uint32_t kPlace = 0, kOwnPlace = 1;
  TermId row(std::uint32_t signature, std::uint32_t leaf, Sort sort, std::span<const LinId> vars,
             std::span<const LinId> index, std::span<const TermId> bodies);
  bool of_a_type(TermId id) const;
  TermId wrap(ElementType type, LinId a);
  std::optional<TermId> sum_without_wraps(ElementType type, TermId id);
  TermId unit(ScalarFn op, Sort sort);
  TermId together(ScalarFn op, std::span<const TermId> parts);  ///< of a fold

  const TermNode& operator[](TermId id) const;
  std::span<const std::uint32_t> kids(TermId id) const;
  TermId kid(TermId id, std::size_t k) const { return static_cast<TermId>(kids(id)[k]); }
  RatId rat(TermId id) const { return static_cast<RatId>(kids(id)[0]); }  ///< Lit
  LinId lin(TermId id) const { return static_cast<LinId>(kids(id)[0]); }  ///< Int, FromInt, Ge, Eq, Wrap
  AnchorId anchor_of(TermId id) const { return kids(id)[0]; }             ///< Read
  std::vector<LinId> index_of(TermId id) const;                           ///< Read
  std::vector<Factor> factors(TermId mono) const;                         ///< Mono
  /// Any real term as a sum of monomials.
  std::vector<Summand> summands(TermId id) const;
  TermId sum(std::vector<Summand> summands);
  TermId mono(std::vector<Factor> factors);  ///< as a Mono node; factors are already combined
  TermId monomial(RatId coef, TermId mono);  ///< coef * mono as a term
  /// The index form that an integer term stands for (a data atom if it is none).
  LinId as_lin(TermId id);
  bool is_lit(TermId id) const { return (*this)[id].kind == Kind::Lit; }
  /// The form L of a real that is f(L), an integer, or a sum of such with integer coefficients; with `counts` also of sums of such over boxes.
  std::optional<LinId> whole(TermId id, bool counts = false);
  std::optional<LinId> whole_sum(TermId id, bool counts = false);  ///< the same, also of a sum of such over a box; with `counts` of numbers
  /// coef * rest with a canonical rest.
  std::pair<RatId, TermId> content(TermId id);

  FoldParts fold_parts(TermId id) const;
  RowParts row_parts(TermId id) const;
  /// Opens a fold or row.
  Opened open(TermId id);
  Fresh fresh(std::span<const std::int64_t> extents);
  Fresh fresh(std::int64_t extent) { return fresh(std::span(&extent, 1)); }

  Attributes attributes(TermId id);
  Bounds bounds(TermId id);
  /// Bounds of an integer term.
  std::pair<std::int64_t, std::int64_t> int_range(TermId id);

  // --- rebuilding (subst.cpp)
  using Map = VariableMap;
  TermId substitute(TermId id, const Map& map);
  LinId substitute(LinId id, const Map& map);
  /// Substitution of variables by variables of the same extents: folds inside keep their normal form.
  TermId rename(TermId id, const Map& map);
  /// Other anchors in place of some, of which the same is known; `keep_order`: whatever the order of numbers would be.
  TermId rename_anchors(TermId id, std::span<const AnchorId> from, std::span<const AnchorId> to, bool keep_order);
  /// Names the binders of a fold whose parts are in normal form.
  TermId name_fold(ScalarFn op, std::span<const LinId> vars, TermId guard, TermId body);
  /// Simplifies a term that is only used where `facts` hold (rule C2).
  TermId assume(TermId id, TermId facts);
  /// The divisors m > 1 of `v div m` inside a term, ascending.
  std::vector<std::int64_t> cuts_of(TermId id, VarId v) const;
  /// A variable of `wanted` that `zero == 0` determines, and its value.
  std::optional<std::pair<VarId, LinId>> pinned(LinId zero, VarSet wanted);
  std::optional<std::pair<VarId, LinId>> taken(LinId zero, VarSet wanted);  ///< the same of a variable at whose place a row's order is zero's other part
  /// The literal of a case of it and other integers, if it is apart from them, below or above, and the nearest of these.
  std::optional<std::pair<std::int64_t, std::int64_t>> gap_in(TermId id);
  /// That of an integer read.
  std::optional<std::pair<std::int64_t, std::int64_t>> gap_of(const AtomNode& atom) const;
  /// An integer term to which a comparison leaves one value, and this value.
  std::optional<std::pair<TermId, std::int64_t>> pinned_data(TermId comparison) const;
  /// Expands reads by the definition of their anchors, where indices are in range under the guards around them.
  TermId expand_all(TermId id, int levels);
  TermId expand_marked(TermId id, std::span<const std::pair<TermId, int>> marks);
  TermId open_anchor(TermId id, AnchorId which);  ///< every read of it by its definition
  /// Reads of values that can be expanded, where a line of the certificate could mark them (not in guards and indices).
  std::vector<TermId> reads_in(TermId t, bool numbers = false) const;
  /// Every read by what `by` says of it under the facts around it, where it says something; `inside`: after the reads in its indices.
  using ReadsBy = std::function<std::optional<TermId>(TermId read, TermId facts)>;
  TermId replace_reads(TermId id, const ReadsBy& by, bool inside = false);
  /// Some terms, by number, by others that are equal or stand for them, wherever they occur.
  TermId exchange(TermId id, SmallMap<TermId> by);
  /// Are two reals the same where the first is finite, and so all factors of its summands? `extents`: of the free variables.
  bool same_where_finite(TermId real, TermId other, std::span<const std::int64_t> extents, int depth = 3);
  /// Cases by conditions on indices (`data`: by others) outside of sums, products and functions, in one order of the conditions; as it is with too many branches.
  TermId cases_outside(TermId id, bool data = false);
  /// Folds over few values as sums, products or extrema of their elements; `partly`: those over more values too, as far as their
  /// short binders go.
  TermId write_out(TermId id, bool partly);
  /// The definition of a read's anchor at its indices, or nothing if an index is not in range under the facts.
  std::optional<TermId> definition(TermId read, TermId facts);

  /// Lowest and highest value of an integral type (u64: up to 2^63-1).
  static std::pair<std::int64_t, std::int64_t> integer_bounds(ElementType type) {
    const Interval range = integral_range(type);
    return {range.lo, range.hi};
  }

  // --- anchors
  AnchorId add_anchor(Anchor anchor);
  Anchor& anchor(AnchorId id);
  const Anchor& anchor(AnchorId id) const;
  std::size_t anchors() const;

  // --- bookkeeping
  LemmaUses uses{};  ///< how often each law fired
  void count(LemmaId law) { ++uses[static_cast<std::size_t>(law)]; }
  LinId atom_form(AtomId atom);
  std::uint16_t lin_flags(LinId a) const;  ///< of what is inside
  /// Variables of integer cases, and of tables of more than rank digits, that got another spelling since the last call.
  VarSet take_respelled(VarSet digits) {
    const VarSet tables = std::exchange(respelled_tables_, 0);
    return std::exchange(respelled_, 0) | ((tables & ~digits) != 0 ? tables : 0);
  }
  std::int64_t exact_integers = 0;             ///< up to which size an integer is one again behind floats (models/pair/rounded.h)
  bool sigmoids_by_exponentials = false;       ///< models/pair/spelled.h
  bool has_counts() const { return counts_; }  ///< any fold of integers
  std::uint64_t steps() const { return steps_; }
  std::uint64_t step_limit() const { return step_limit_; }
  void set_step_limit(std::uint64_t limit) { step_limit_ = limit; }

 private:
  template <class F>
  std::optional<TermId> partly_unknown(TermId t, F f);
  friend class Rebuilder;
  friend class FoldBuilder;
  friend class Joiner;
  friend struct FoldNaming;
  friend class AnchorRenamer;
  struct Store;
  void step(std::uint64_t n = 1);
  LinId as_table(std::span<const VarId> vars, std::span<const std::int64_t> extent, std::span<const std::int64_t> values,
                 std::int64_t base);
  LinId make_lin(std::int64_t c0, std::span<const LinTerm> terms);
  LinId divided(std::int64_t c0, std::span<const LinTerm> terms, std::int64_t by);  ///< c0, and what all coefficients are multiples of
  std::pair<LinId, LinId> apart(const DigitView& v, std::int64_t m, std::int64_t rest);
  AtomId make_atom(AtomNode node);
  TermId make(TermNode node, std::span<const std::uint32_t> kids);
  TermId of_terms(TermNode node, std::span<const TermId> list);                      ///< the node over these kids
  TermId of_form(TermNode node, LinId a);                                            ///< the node over this form alone
  TermId copy(TermId id, std::span<const std::uint32_t> kids, std::uint32_t reads);  ///< with kids of other anchors
  std::optional<LinId> open_clamp(LinId a, bool equality);
  std::optional<TermId> across_gap(LinId a, bool equality);
  std::optional<TermId> by_branch(LinId a, bool equality);
  bool compares_chosen(TermId guard) const;
  std::optional<LinId> times_case(AtomId x, AtomId y);
  TermId connective(Kind kind, std::vector<TermId> list);
  void absorb(TermNode& node, TermId kid) const;  ///< height, flags, size and variables of a kid
  void absorb(TermNode& node, LinId kid) const;
  std::vector<Factor> combine(std::vector<Factor> factors, RatId& coef);
  TermId mul_monos(const Summand& a, const Summand& b);
  TermId pow_mono(const Summand& m, RatId e);
  Opened open(VarId first, const std::vector<std::int64_t>& extents, TermId guard, std::vector<TermId> bodies);
  template <class F>
  std::optional<TermId> function_of_choice(TermId argument, const F& f);
  std::optional<TermId> choice_outside(RatId coef, const std::vector<Factor>& list);
  bool join_choices(std::vector<Summand>& list);
  std::optional<std::size_t> position_in(std::span<const Factor> list) const;  // positions.cpp
  LinId position_of(TermId mono) const;
  void put_positions(RatId step, LinId form, RatId constant, TermId rest, std::vector<Summand>& out);
  bool join_positions(std::vector<Summand>& list);
  Attributes compute_attributes(TermId id);
  Bounds compute_bounds(TermId id);
  Bounds bounds_of_sum(const std::vector<Summand>& list);
  Bounds bounds_of_product(TermId mono);
  Bounds bounds_of_function(ScalarFn f, TermId id);
  struct IntegerGroup {
    TermId mono;
    RatId low, high;
  };
  std::vector<IntegerGroup> integer_groups(const std::vector<Summand>& list);
  TermId int_fn(ScalarFn f, ElementType type, std::span<const TermId> kids);
  TermId compare(ScalarFn f, TermId a, TermId b);
  TermId convert(ElementType type, TermId a);
  std::optional<TermId> exact_sum(AtomId atom);
  std::pair<std::int64_t, std::int64_t> row_range(TermId id);
  std::pair<std::int64_t, std::int64_t> range_where(TermId id, const std::vector<TermId>& facts);
  std::optional<TermId> joined(std::uint32_t signature, std::uint32_t leaf, std::span<const TermId> bodies) const;
  void places_of(TermId join, std::uint32_t leaf, std::vector<TermId>& out) const;
  TermId order_key(TermId key, VarSet binders);
  std::optional<TermId> place(std::uint32_t signature, std::uint32_t leaf, std::span<const LinId> vars, LinId at, TermId body);
  std::optional<TermId> best_of_parts(std::uint32_t signature, TermId inner, LinId var, LinId at, TermId body);
  std::optional<TermId> part_of_largest(std::uint32_t signature, LinId var, TermId body);
  std::optional<LinId> at_first_largest(LinId var, TermId key, LinId f);
  std::optional<TermId> place_of_join(std::uint32_t signature, std::uint32_t leaf, TermId join);
  std::optional<TermId> first_of_largest(LinId var, TermId body);
  std::optional<TermId> winner_in_part(std::uint32_t signature, TermId winner, LinId var, LinId at, TermId body);
  std::vector<Factor> common_units(const std::vector<Summand>& sum);
  Attributes attributes_where(TermId guard, bool holds, TermId x);
  TermId without_units(TermId sum, const std::vector<Factor>& units);
  TermId without_nan_tests(TermId real);  ///< if it is NaN where what is tested is
  void join_roots(std::vector<Factor>& list);
  TermId poly(const std::vector<Summand>& summands);  ///< as a Poly node
  std::optional<TermId> in_both_orders(TermId whole, const std::vector<Summand>& summands);
  bool positive_at_end(const FoldParts& p);  ///< a sum whose first or last element is positive by definitions (at_ends.cpp)
  std::vector<Map> ends(const FoldParts& p);
  bool idle_without(TermId sum, TermId x);
  bool drop_share(std::vector<Factor>& list);
  TermId build_case(TermId guard, TermId a, TermId b);
  bool serves(TermId y, TermId z, TermId guard);
  std::optional<TermId> merge_cases(TermId guard, TermId nested, TermId z);
  TermId compare_reals(ScalarFn f, TermId a, TermId b);
  TermId bool_fn(ScalarFn f, std::span<const TermId> kids);
  TermId power(TermId a, TermId b);
  TermId exp_of(TermId a);
  TermId log_of(TermId a);

  std::unique_ptr<Store> store_;
  VarSet respelled_ = 0, respelled_tables_ = 0;
  std::uint64_t steps_ = 0, step_limit_ = ~std::uint64_t{0};
  bool counts_ = false;
};

/// Limits the steps of what happens in a scope; beyond them TermLimit is thrown.
class StepBudget {
 public:
  StepBudget(Terms& terms, std::uint64_t steps) : t_(terms), before_(terms.step_limit()) {
    t_.set_step_limit(std::min(before_, t_.steps() + steps));
  }
  ~StepBudget() { t_.set_step_limit(before_); }
  StepBudget(const StepBudget&) = delete;
  StepBudget& operator=(const StepBudget&) = delete;

 private:
  Terms& t_;
  std::uint64_t before_;
};

}  // namespace gg::prover
