// isend and irecv: the placeholders that models/transfer replaces.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "models/fx/lowering.h"

namespace gg::fx {

class TransferLowering {
 public:
  /// `ranks`: those that run the program, in its order.
  TransferLowering(Emitter& emitter, const std::vector<std::int64_t>& ranks) : e_(emitter), ranks_(ranks) {}
  /// The value of isend, irecv; nothing for other operators. Throws InputError(UnsupportedForm).
  std::optional<Value> lower(const Statement& statement, const std::function<Value(const std::string&)>& lookup);

 private:
  std::vector<std::int64_t> numbers(const Statement& statement, std::size_t k) const;
  Emitter& e_;
  const std::vector<std::int64_t>& ranks_;
};

}  // namespace gg::fx
