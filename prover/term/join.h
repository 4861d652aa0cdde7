// Internal to prover/term: folds of one operation that become one fold (certificate.md, F7).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

class Joiner {
 public:
  explicit Joiner(Terms& terms) : t_(terms) {}
  /// One step for the summands of a sum; call again until there is none.
  bool summands(std::vector<Summand>& list);
  /// The same for the arguments of a maximum or minimum.
  bool extremum(ScalarFn f, std::vector<TermId>& list);

 private:
  /// Summand list[at] is coef * rest * fold.
  struct Part {
    std::size_t at;
    TermId fold, rest;
    RatId coef;
    bool finite;  ///< the rest; else it is so but for inverses of counts
  };
  std::vector<Part> parts_of(const std::vector<Summand>& list);
  TermId outside(const Part& p);
  void replace_two(std::vector<Summand>& list, std::size_t i, std::size_t j, TermId whole);
  bool sum(std::vector<Summand>& list, const std::vector<Part>& parts);
  bool points(std::vector<Summand>& list, const std::vector<Part>& parts);
  std::optional<TermId> point(TermId beside, TermId fold, TermId next);
  std::optional<TermId> folds(TermId a, TermId b);
  std::optional<TermId> boxes(TermId a, TermId b);
  std::optional<TermId> slices(TermId a, TermId b);
  TermId at(TermId fold, std::size_t binder, std::int64_t extent, std::int64_t shift);

  Terms& t_;
};

}  // namespace gg::prover
