// Internal to prover/term: folds of one operation that become one fold (certificate.md, F7).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// A selection of two integers by which of them is larger, where both are extrema over neighbouring boxes: that over both boxes.
std::optional<TermId> joined_extremum(Terms& t, TermId guard, TermId a, TermId b);

class Joiner {
 public:
  explicit Joiner(Terms& terms) : t_(terms) {}
  /// One step for the summands of a sum; call again until there is none.
  bool summands(std::vector<Summand>& list);
  /// Many summands that are elements at equal distances as one sum.
  bool points(std::vector<Summand>& list);
  /// The same for the arguments of a maximum or minimum.
  bool extremum(ScalarFn f, std::vector<TermId>& list);

 private:
  /// coef * rest * fold; of an extremum the rest is One and the coefficient positive.
  struct Part {
    TermId fold, rest;
    RatId coef;
  };
  std::vector<Part> parts_of(ScalarFn f, TermId id);
  std::optional<TermId> join(ScalarFn f, TermId a, TermId b);
  std::optional<TermId> next_to(const Part& p, TermId other, const std::vector<Part>& others, bool back);
  std::optional<TermId> slices(TermId a, TermId b);
  std::optional<TermId> row_of(const std::vector<Summand>& list, const std::vector<std::size_t>& group);
  TermId outside(const Part& p);
  bool fits(TermId rest, TermId beside);
  std::uint64_t shape(TermId id);
  TermId at(TermId fold, std::size_t binder, std::int64_t extent, std::int64_t shift);

  Terms& t_;
  SmallMap<std::uint64_t> shapes_;
};

}  // namespace gg::prover
