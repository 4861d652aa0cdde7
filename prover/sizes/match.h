// Matching: is a term an instance of a sequential value's definition? The definition's variables take references to
// digits, bound digits pair up with bound digits, kids of sums and products pair up in any order.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "prover/sizes/terms.h"

namespace gg::sizes {

class Matcher {
 public:
  explicit Matcher(Terms& terms) : t_(terms) {}
  /// Makes `definition`, over the digit variables 0, 1, ..., findable.
  void add(std::uint32_t anchor, TermId definition, std::vector<Ref> variables);
  /// A read of the first sequential value whose definition `term` is.
  std::optional<TermId> find(TermId term);
  /// Do both terms mean the same over the same variables?
  bool equal(TermId a, TermId b);
  void forget();
  /// The definition of a sequential value over its variables; null for an input.
  const std::pair<TermId, std::vector<Ref>>* definition(std::uint32_t anchor) const;

 private:
  struct Definition {
    std::uint32_t anchor;
    TermId term;
    std::vector<Ref> variables;  ///< those that occur, in the order of a read's references
  };
  struct Mark {
    std::size_t assigned, bound, unions;
  };
  Mark mark() const { return {assigned_.size(), bound_.size(), unions_.size()}; }
  void undo(const Mark& mark);
  void clear() { undo({0, 0, 0}); }
  bool match(TermId pattern, TermId term);
  bool match_refs(const std::vector<Ref>& pattern, const std::vector<Ref>& refs);
  bool match_ref(const Ref& pattern, const Ref& ref);
  bool match_any_order(const std::vector<TermId>& pattern, const std::vector<TermId>& kids, std::size_t next,
                       std::vector<bool>& taken);
  bool match_sum(const std::vector<Summand>& pattern, const std::vector<Summand>& sum, int sign, std::size_t next,
                 std::vector<bool>& taken);
  bool same_class(DigitId a, DigitId b);
  bool same_stride(const Summand& a, const Summand& b);
  void commit();

  Terms& t_;
  std::unordered_map<std::uint64_t, std::vector<Definition>> definitions_;  ///< by skeleton
  std::unordered_map<std::uint32_t, std::pair<TermId, std::vector<Ref>>> by_anchor_;
  std::unordered_map<VarId, Ref> values_;
  std::vector<VarId> assigned_;
  std::vector<std::pair<VarId, VarId>> bound_;
  std::vector<std::pair<DigitId, DigitId>> unions_;  ///< classes that the match makes one
  std::uint64_t left_ = 0;  ///< steps of this match
};

}  // namespace gg::sizes
