// Programs that hang whatever their inputs are: a rank waits in a collective (or a receive) that another one never reaches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/base/diag.h"

namespace gg {

/// A rank at a statement of its program.
struct RankAt {
  std::int64_t rank = 0;
  std::string name;       ///< of the statement
  std::string operation;  ///< `_c10d_functional.all_reduce.default`
  std::string source;     ///< `layers.py:276 in forward`, or ""
  Location where;         ///< in the program's text
  std::string text;       ///< the statement
};

/// A finding, not bad input: what decides reports it as `refuted`; everything else as a diagnostic.
class RanksHang : public InputError {
 public:
  RanksHang(RankAt waiting, std::optional<RankAt> instead, std::string sentence)
      : InputError(DiagCode::Deadlock, waiting.where, sentence), waits(std::move(waiting)), other(std::move(instead)), text(std::move(sentence)) {}
  RankAt waits;
  std::optional<RankAt> other;  ///< what the other rank calls in its place; nothing: it calls the group no more
  std::string text;
};

}  // namespace gg
