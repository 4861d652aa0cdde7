// Where a variable's range can be cut so that conditions on it are decided in each piece.
#pragma once

#include <optional>
#include <set>

#include "prover/term/terms.h"

namespace gg::prover {

/// The places, within [1, extent), at which conditions on a variable in some terms change: conditions, clamps and quotients of the variable and of what
/// varies little beside it. Others (a bound of a long sum) are left to the terms.
class CutPoints {
 public:
  static constexpr std::size_t kMost = 64;  ///< pieces

  CutPoints(Terms& terms, VarId v, std::int64_t extent) : t_(terms), v_(v), extent_(extent) {}
  void add(TermId id);
  /// Ascending; nothing if they are too many.
  std::optional<std::vector<std::int64_t>> found() const;

 private:
  void form(LinId id);
  void sign(LinId id, bool equality);
  void cut(std::int64_t at);

  Terms& t_;
  VarId v_;
  std::int64_t extent_;
  std::set<std::int64_t> cuts_;
  std::set<TermId> terms_;
  std::set<LinId> forms_;
};

}  // namespace gg::prover
