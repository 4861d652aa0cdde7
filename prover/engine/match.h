// Finding the sequential value that a term is: anchors by the skeleton of their definitions, indices by solving equations.
// A match is only a proposal until the definition, instantiated at the indices found, is the very term.
#pragma once

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "prover/term/terms.h"

namespace gg::prover {

struct Match {
  TermId read;     ///< of the anchor, at the indices found
  RatId coef;      ///< the term is coef * read
  int levels = 1;  ///< how many levels of the read must be expanded to see the term
};

class Matcher {
 public:
  explicit Matcher(Terms& terms) : t_(terms) {}

  /// Adds an anchor's definition (one level); deeper forms are made when they are first asked for.
  void add(AnchorId anchor);
  /// The anchor that `term` is, under the facts around it. Levels up to `max_levels`.
  std::optional<Match> find(TermId term, TermId facts, int max_levels = 1);
  std::size_t attempts() const { return attempts_; }

 private:
  struct Form {
    AnchorId anchor;
    TermId term;   ///< the definition is coef * term
    RatId coef;
  };
  using Pair = std::pair<LinId, LinId>;
  using Next = std::function<bool()>;

  std::uint64_t skeleton(TermId id);
  bool unify(TermId p, TermId t, const Next& next);
  bool unify_all(const std::vector<std::pair<TermId, TermId>>& todo, std::size_t at, const Next& next);
  bool unify_sets(std::vector<TermId> p, std::vector<TermId> t, const Next& next);
  bool unify_lin(LinId p, LinId t, const Next& next);
  bool unify_fold(TermId p, TermId t, const Next& next);
  std::optional<Match> attempt(const Form& form, TermId target, TermId facts);
  bool solve(AnchorId anchor, std::vector<LinId>& phi);
  bool solve_one(const Pair& equation, std::vector<LinId>& phi, std::vector<bool>& known, bool several,
                 std::span<const std::int64_t> extents);
  void deepen(int level);

  Terms& t_;
  std::vector<std::unordered_map<std::uint64_t, std::vector<Form>>> tables_;  // by level - 1
  std::vector<std::vector<Form>> forms_;                                        // by level - 1
  std::vector<std::size_t> deepened_;
  std::unordered_map<std::uint32_t, std::uint64_t> skeletons_;
  std::vector<Pair> equations_;
  int tries_ = 0;
  std::size_t attempts_ = 0;
};

}  // namespace gg::prover
