// isend and irecv: the placeholders that models/transfer replaces.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "models/fx/lowering.h"

namespace gg::fx {

class TransferLowering {
 public:
  /// `ranks`: those that run the program, in its order.
  TransferLowering(Emitter& emitter, const std::vector<std::int64_t>& ranks) : e_(emitter), ranks_(ranks) {}
  /// The value of isend, irecv and of the wait for an isend; nothing for other operators. Throws InputError(UnsupportedForm).
  std::optional<Value> lower(const Statement& statement, const std::function<Value(const std::string&)>& lookup);
  /// Sends that the text does not wait for are done at its end.
  void finish();

 private:
  struct Sent {
    NodeId start;
    std::int64_t channel;
  };
  std::optional<Value> wait(const std::string& name);
  std::vector<std::int64_t> numbers(const Statement& statement, std::size_t k) const;
  Emitter& e_;
  const std::vector<std::int64_t>& ranks_;
  std::map<std::string, Sent> sent_;  // by the name of the isend, until it is waited for
};

}  // namespace gg::fx
