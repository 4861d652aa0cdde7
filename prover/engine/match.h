// Finding the sequential value that a term is: anchors by the skeleton of their definitions, indices by solving equations.
// A match is only a proposal until the definition, instantiated at the indices found, is the very term.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "prover/term/tables.h"
#include "prover/term/terms.h"

namespace gg::prover {

inline constexpr int kMaxTries = 48;      ///< orders of commutative operands tried a pair of terms
inline constexpr int kMaxUnified = 4000;  ///< parts of a pair of terms

/// Is a term larger than `most`, the more of it allowed the more summands it has, or branches of cases one beside the other?
bool too_large(const Terms& t, TermId id, std::uint32_t most);

struct Step;
struct Match {
  TermId read;                  ///< of the anchor, at the indices found
  RatId coef;                   ///< the term is coef * value
  int levels = 1;               ///< how many levels of the read must be expanded to see the term
  TermId value = TermId::Zero;  ///< the read, under the condition without which it is zero
};

class Matcher {
 public:
  explicit Matcher(Terms& terms) : t_(terms) {}
  /// Values are looked for that stand at these variables: rank digits, then dimensions.
  void stand_at(std::vector<std::int64_t> extents, std::size_t digits) { frame_ = std::move(extents), digits_ = digits; }

  /// Adds an anchor's definition (one level); deeper forms are made when they are first asked for.
  void add(AnchorId anchor);
  /// The anchor that `term` is, under the facts around it. Levels up to `max_levels`.
  std::optional<Match> find(TermId term, TermId facts, int max_levels = 1);
  /// The anchor whose definition shares most with a term: what it reads, and the kind of its outermost operation.
  std::optional<AnchorId> nearest(TermId term);
  /// A step towards an anchor: the term before is `after` with the anchor of `mark` opened.
  struct Opening {
    TermId after, mark;
  };
  /// The steps to the value that a term is through definitions of which one way has more than another.
  std::optional<std::vector<Opening>> reach(TermId term);
  bool tested(TermId term);
  std::optional<TermId> made_of_others(TermId term, const std::vector<AnchorId>& wanted);
  /// The steps from a multiple of a read to a value whose definition, at these indices, decides which multiple it is.
  std::vector<Step> decided(TermId term, const std::function<bool(AnchorId)>& wanted);
  /// Proposes sequential values that a term is under other conditions (conditioned.h), and their definitions opened, until one is taken.
  bool conditioned(TermId term, bool own_block, const std::function<bool(const struct Conditioned&, std::span<const Opening>)>& take);
  /// The step from a sum of many values to the sequential value that adds the same ones, in any order; none if there is none.
  std::optional<Step> whole_sum(TermId term);
  std::size_t attempts() const { return attempts_; }
  std::vector<AnchorId> reads_of(TermId term);
  std::vector<LinId> home(std::span<const std::int64_t> extents);

 private:
  struct Form {
    AnchorId anchor;
    TermId term;  ///< the definition is coef * term
    RatId coef;
    std::uint32_t next = IdSet::kNoId;  ///< of the same skeleton
  };
  /// A value that is a sum: the sums inside of each other that it is made of, itself included, and what they read, ascending.
  struct Sum {
    std::vector<AnchorId> opened{}, leaves{};
  };
  Sum sum_of(TermId term);
  void add_sum(AnchorId anchor);
  using Pair = std::pair<LinId, LinId>;
  using Next = std::function<bool()>;

  std::uint64_t skeleton(TermId id);
  bool unify(TermId p, TermId t, const Next& next);
  bool unify_all(std::span<const TermId> p, std::span<const TermId> t, const Next& next);
  bool unify_sets(std::vector<TermId> p, std::vector<TermId> t, const Next& next);
  bool unify_lin(LinId p, LinId t, const Next& next);
  bool unify_forms(std::span<const LinId> p, std::span<const LinId> t, const Next& next);
  bool unify_fold(TermId p, TermId t, const Next& next);
  void stand_upright(std::vector<LinId>& phi, std::span<const std::int64_t> extents, const std::function<bool()>& fits) const;
  std::optional<Match> attempt(const Form& form, TermId target, TermId facts);
  std::vector<struct Conditioned> by_elements(AnchorId anchor, TermId definition, TermId term);
  std::vector<AnchorId> users_over(AnchorId value, std::size_t levels);
  /// The indices at which a definition joined of parts is a term that is (joined_index.cpp); a proposal, as every solution is.
  std::vector<LinId> joined_index(const Form& form, TermId target);
  bool solve(std::span<const std::int64_t> extents, std::vector<LinId>& phi, std::size_t needed = SIZE_MAX);
  bool solve_one(const Pair& equation, std::vector<LinId>& phi, std::vector<bool>& known, bool several,
                 std::span<const std::int64_t> extents);
  bool few_elements(TermId term);  ///< running.cpp
  const Form* deep_form(AnchorId anchor, int level);
  void add_form(const Form& form);
  bool between(AnchorId anchor, const std::vector<AnchorId>& wanted);
  std::vector<Opening> opened(AnchorId anchor, const std::vector<AnchorId>& wanted);
  std::optional<std::vector<Opening>> open_down(AnchorId anchor, TermId term);
  std::vector<AnchorId> candidates(TermId target, int level);

  struct Bucket {
    std::uint32_t first, last;
  };
  Terms& t_;
  std::vector<Form> forms_;                   // definitions
  PairMap<Bucket> table_;                     // by skeleton
  std::vector<std::vector<AnchorId>> users_;  // by anchor: those whose definitions read it
  DenseMap<std::uint32_t> form_of_{IdSet::kNoId};
  std::vector<Form> deep_;
  PairMap<std::uint32_t> deep_index_;  // anchor and level to deep_, or none
  DenseMap<std::uint64_t> skeletons_{0};
  std::vector<std::int64_t> frame_;  // see stand_at
  std::size_t digits_ = 0;
  std::span<const std::int64_t> matched_;  // extents of the parameters of the definition that is unified
  std::vector<Pair> equations_;
  std::map<std::vector<std::int64_t>, std::vector<LinId>> places_;  // by extents: where the last anchor of these was found
  std::vector<AnchorId> new_sums_;                                  ///< not yet in
  std::map<AnchorId, Sum> sums_;
  std::map<std::vector<AnchorId>, std::vector<AnchorId>> by_leaves_;  ///< sums of more than one definition, ascending
  int tries_ = 0, depth_ = 0;
  std::size_t attempts_ = 0;
};

}  // namespace gg::prover
