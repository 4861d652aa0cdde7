// Terms over digits: what an element of a value is, for any number of values of each digit. An index is a list of
// references to digits, never arithmetic; positions as numbers keep their strides as products of digits. Where a
// constructor reads an extent of the text, it says so: a literal that stands for a size is noted, or the size is tied.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/body/scalar.h"
#include "models/type/type.h"
#include "models/size/digits.h"

namespace gg::sizes {

enum class TermId : std::uint32_t {};
using VarId = std::uint32_t;
inline constexpr VarId kFirstBound = 1U << 20;  ///< below: places of a value's digits; from here on: of folds

/// Where a digit of an index comes from.
struct Ref {
  enum class Kind : std::uint8_t {
    Var,    ///< the digit variable `var`, `shift` places on around its ring
    Const,  ///< value `shift`
    Data,   ///< digit number `shift` of the number `term`, clamped into a dimension with the digits `radix` (major first)
  } kind = Kind::Var;
  DigitId digit = 0;  ///< of the variable, or of the place that it fills
  VarId var = 0;
  std::int64_t shift = 0;
  TermId term{};
  DigitList radix{};
};

/// coefficient * product of digits * atom; the atom is 1, a digit or an integer term.
struct Summand {
  enum class Atom : std::uint8_t { One, Digit, Term } atom = Atom::One;
  std::int64_t coef = 1;
  DigitList stride;  ///< how many values these digits have together; sorted
  Ref ref{};
  TermId term{};
};

struct Bound {
  VarId var;
  DigitId digit;
};

enum class Kind : std::uint8_t {
  Read,    ///< element of a sequential value or input
  Lit,     ///< a literal (predicates: 0 or 1)
  Add,     ///< of reals; kids in any order
  Mul,     ///< of reals; kids in any order
  Fn,      ///< scalar function; of one kid and Divide: the reciprocal
  Fold,    ///< over all values of the bound digits
  Number,  ///< an integer: sum of summands
  Below,   ///< refs[0] < value of the literal
  Size,    ///< the number of values of bound[0].digit
};

struct Node {
  Kind kind = Kind::Lit;
  ScalarFn fn = ScalarFn::Add;                 ///< Fn, Fold
  ElementType type = ElementType::F64;         ///< Fn
  double value = 0;                            ///< Lit, Below; comparisons of two integers: kSigned, kUnsigned
  std::uint32_t anchor = 0;                    ///< Read
  std::vector<TermId> kids;
  std::vector<Ref> refs;                       ///< Read, Below
  std::vector<Bound> bound;                    ///< Fold, Size
  std::vector<Summand> sum;                    ///< Number
  std::vector<VarId> free;                     ///< variables that occur free, sorted
  std::uint64_t skeleton = 0;                  ///< equal for terms that differ in variables and digits only
  std::uint32_t size = 1;
};

inline constexpr double kSigned = 1, kUnsigned = 2;
inline bool is_reciprocal(const Node& n) { return n.kind == Kind::Fn && n.fn == ScalarFn::Divide && n.kids.size() == 1; }
inline bool is_exponential(const Node& n) { return n.kind == Kind::Fn && n.fn == ScalarFn::Exp; }

/// Thrown where a form has no meaning for all sizes; the message is a clause.
struct NotGeneric {
  std::string reason;
};

class Terms {
 public:
  explicit Terms(Digits& digits) : digits_(digits) {}
  const Node& operator[](TermId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  Digits& digits() { return digits_; }

  void clear();  ///< forgets all terms; digits stay
  TermId lit(double value);
  TermId read(std::uint32_t anchor, std::vector<Ref> refs);
  TermId number(std::vector<Summand> sum);
  TermId integer(std::int64_t value);
  TermId below(const Ref& ref, std::int64_t bound);
  /// `type` is the result type, `operand_type` that of the first kid.
  TermId fn(ScalarFn fn, ElementType type, ElementType operand_type, std::vector<TermId> kids);
  /// Sums fall into their summands, factors that do not depend on the bound digits stand before the fold.
  TermId fold(ScalarFn fn, std::vector<Bound> bound, TermId body);
  Bound bind(DigitId digit) { return {next_bound_++, digit}; }

  /// The sum of summands of an integer term.
  std::vector<Summand> summands(TermId id) const;
  /// What the summand counts at the extents of the text.
  std::int64_t weight(const Summand& s) const { return s.coef * digits_.extent(s.stride); }
  /// The factors of a product: those that are the same at all places, and the others; of other terms none.
  struct Factors {
    std::vector<TermId> same, other;
  };
  Factors factors(TermId product) const;
  using RefMap = std::function<Ref(const Ref&)>;
  using Hook = std::function<TermId(TermId)>;
  /// Puts references in place of variables.
  TermId substitute(TermId id, const RefMap& map);
  /// Bottom up, every term through `hook`.
  TermId transform(TermId id, const Hook& hook);
  /// The same operation on other kids.
  TermId with_kids(TermId id, std::vector<TermId> kids);
  /// Sequential values that are finite (positive) for finite inputs.
  std::set<std::uint32_t> finite_anchors, positive_anchors;
  bool finite(TermId id) const;
  bool positive(TermId id) const;
  /// Integer inputs that are at least 0 and below this in the text.
  std::map<std::uint32_t, std::int64_t> index_anchors;
  /// Variables below this one are digits of the rank.
  VarId rank_vars = 0;
  /// Sums of equal values tie the number of values to the text's.
  bool counts_tied = false;
  void note_literal(std::int64_t value, DigitList stride);
  /// The coefficient of a digit stands, with the digits that it has already, for what all of these count.
  void note_stride(const Summand& s, DigitList stride);
  /// A place of `digit` that the text gives as the literal `value`: so many times what the digits below count.
  void note_border(std::int64_t value, DigitId digit, DigitList below);
  /// Integers of the text that were read as numbers of values.
  const std::vector<std::pair<std::int64_t, DigitList>>& literals() const { return literals_; }
  /// Digits at whose places dimensions are cut that have other digits below.
  const std::vector<DigitId>& borders() const { return borders_; }
  /// Is it one of the terms that describe indices and masks, which are repeated rather than named?
  bool plain(TermId id) const;
  /// For messages; `symbol` names a digit.
  using Symbol = std::function<std::string(DigitId)>;
  std::string print(TermId id, const Symbol& symbol) const;

 private:
  TermId intern(Node node);
  TermId add(std::vector<TermId> kids);
  std::vector<TermId> common_factors(std::vector<TermId>& summands);
  TermId multiply(std::vector<TermId> kids);
  TermId reciprocal(TermId id);
  TermId exponential(TermId id);
  std::optional<TermId> part_of_position(ScalarFn fn, const std::vector<Summand>& sum, std::int64_t by);
  bool nonnegative(const Summand& s) const;
  std::optional<TermId> around_ring(const std::vector<Summand>& sum, std::int64_t by);
  TermId integer_fn(ScalarFn fn, ElementType type, std::vector<TermId>& kids);
  TermId compare_integers(ScalarFn fn, TermId a, TermId b, bool is_unsigned = false);
  TermId negated(TermId id);
  TermId choose(ElementType type, std::vector<TermId> kids);
  std::optional<TermId> sum_of_some(std::vector<Bound>& bound, const std::vector<TermId>& factors);
  /// Shards of a dimension that an index is looked up in: sum over `digits` (major first) of blocks of `length`.
  struct Shards {
    TermId index{}, local{};
    std::vector<Bound> digits;
    std::int64_t length = 0;
  };
  std::optional<TermId> looked_up(std::vector<Bound>& bound, TermId body);
  using Sums = std::vector<std::vector<Summand>>;
  std::optional<Shards> shards_of(const Sums& facts, const std::vector<Bound>& bound);
  std::optional<TermId> look_up(const Shards& shards, TermId inside);
  /// Conjuncts of the form 0 <= number.
  void facts_of(TermId guard, Sums& facts) const;
  bool follows(const std::vector<Summand>& sum, const Sums& facts);
  TermId under(TermId id, const Sums& facts);
  TermId rewrite(TermId id, const RefMap& map, const Hook& hook, bool closed, std::unordered_map<std::uint32_t, TermId>& memo);
  TermId opaque(ScalarFn fn, ElementType type, std::vector<TermId> kids, double value = 0);
  bool depends(TermId id, std::span<const Bound> bound) const;
  std::vector<Summand> combined(std::vector<Summand> sum);
  bool of_rank(const Ref& ref) const;
  void complete_strides(std::vector<Summand>& sum);

  Digits& digits_;
  std::deque<Node> nodes_;
  std::unordered_multimap<std::uint64_t, TermId> table_;
  VarId next_bound_ = kFirstBound;
  std::vector<std::pair<std::int64_t, DigitList>> literals_;
  std::vector<DigitId> borders_;
};

bool operator==(const Ref& a, const Ref& b);
/// a - b, not yet combined.
std::vector<Summand> minus(std::vector<Summand> a, const std::vector<Summand>& b);

}  // namespace gg::sizes
