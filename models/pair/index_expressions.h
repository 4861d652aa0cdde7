// What one expression makes of the integers of its operands, and what it uses them for (index_uses.h).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "models/body/arena.h"
#include "models/pair/index_flow.h"
#include "models/pair/index_uses.h"

namespace gg {

/// Expressions of one program, one after the other.
class IndexExpressions {
 public:
  IndexExpressions(Arena& arena, bool sequential, std::vector<IndexUses>& uses) : arena_(arena), sequential_(sequential), uses_(uses) {}

  /// Flow of an expression of the instruction with this name; places that it is used in are noted on the way. Shared parts are looked at once.
  Flow of(ExprId root, const std::vector<Flow>& operands, std::string_view instruction);

  /// Something hangs on these tests: what they tell apart is compared.
  void tell(const Flow& flow);
  void tell(const std::vector<Flow>& flows);

  /// Tests that put NaN for what is out of range, met so far.
  const std::set<std::pair<std::size_t, std::int64_t>>& filled() const { return filled_; }

  std::set<std::size_t> looked_up;  ///< inputs by which the sequential program has looked something up since this was emptied
  bool counts = true;               ///< are uses noted? Not while the carries of a loop are still being found

 private:
  Flow flow(ExprId id);
  Flow compute(ExprId id);
  Flow function(const Expr& expr, std::span<const ExprId> kids);
  Flow chosen(const std::vector<Flow>& args);
  std::optional<Flow> from_end(const Flow& test, const Flow& up, const Flow& x);
  Flow turned(ScalarFn how, const Flow& x, const Flow& number);
  Flow position(LinId lin);
  void data_in(LinId lin);
  template <class Id>
  void condition(Id id);
  void indexes(const Flow& index, IntegerSpan extent, bool drops);
  Flow compared(ScalarFn how, const Flow& value, const Flow& with);
  void note(const Flow& tests);

  Arena& arena_;
  bool sequential_;
  std::vector<IndexUses>& uses_;
  const std::vector<Flow>* operands_ = nullptr;
  std::map<std::uint32_t, Flow> memo_;
  std::set<std::pair<std::size_t, std::int64_t>> filled_;
  std::string_view at_;
};

}  // namespace gg
