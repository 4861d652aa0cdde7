#include "runtime/rank_communicator.h"

#include <algorithm>

#include "models/base/check.h"

namespace gg {
namespace {

bool is_permute(const CollectiveCall& call) { return call.call.attributes->has(Attr::SourceTargetPairs); }

}  // namespace

const std::vector<std::int64_t>& RankCommunicator::own_group(const CollectiveCall& call) const {
  for (const auto& group : call.groups) {
    if (std::find(group.begin(), group.end(), rank_) != group.end()) return group;
  }
  GG_CHECK(false, "a rank without a group");
  return call.groups.front();
}

std::size_t RankCommunicator::position_in(const std::vector<std::int64_t>& group) const {
  return static_cast<std::size_t>(std::find(group.begin(), group.end(), rank_) - group.begin());
}

void RankCommunicator::move(const CollectiveCall& call, const Buffer& buffer, Buffer& result) {
  if (!permute(call, buffer, result) && result.bytes() != 0) std::memset(result.data(), 0, result.bytes());
}

void RankCommunicator::run(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands,
                           std::span<Buffer> results, TieCounter& ties) {
  if (is_permute(call)) {
    move(call, *operands[0].buffer, results[0]);
    return;
  }
  const auto& group = own_group(call);
  evaluator_.run(call, gather(call, group, operands), position_in(group), mode, results, ties);
}

void RankCommunicator::run_errors(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands,
                                  std::span<const Operand> errors, std::span<Buffer> results) {
  if (is_permute(call)) {
    move(call, *errors[0].buffer, results[0]);
    return;
  }
  std::vector<Operand> both(operands.begin(), operands.end());
  both.insert(both.end(), errors.begin(), errors.end());
  const auto& group = own_group(call);
  evaluator_.run_errors(call, gather(call, group, both), position_in(group), mode, results);
}

}  // namespace gg
