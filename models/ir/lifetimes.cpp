// Values that are one (models/ir/lifetimes.h).
#include "models/ir/lifetimes.h"

#include <algorithm>
#include <unordered_map>

#include "models/ir/kinds.h"

namespace gg {
namespace {

/// Does an instruction give the same again for the same operands, and nobody else hear of it?
bool is_repeatable(const Module& module, InstructionId id) {
  switch (info(module[id].op).traits) {
    case OpTraits::Elementwise:
    case OpTraits::Layout:
    case OpTraits::Reduction:
    case OpTraits::Contraction:
    case OpTraits::Indexing: return true;
    case OpTraits::Source: return has_values(module, id) || is_count(module, id);
    default: return false;
  }
}

}  // namespace

const Lifetimes::Text& Lifetimes::of(ComputationId id) {
  auto& memo = texts_[id];
  if (memo) return *memo;
  const Computation& computation = module_.computation(id);
  const InstructionId first = computation.first;
  memo.emplace(Text{std::vector<InstructionId>(computation.count), std::vector<InstructionId>(computation.count)});
  auto& same = memo->same;
  auto& last_use = memo->last_use;
  const auto alike = [&](InstructionId a, InstructionId b) {
    const Instruction &x = module_[a], &y = module_[b];
    const auto left = module_.operands(a), right = module_.operands(b);
    return x.op == y.op && x.type == y.type && x.attributes == y.attributes &&
           std::equal(left.begin(), left.end(), right.begin(), right.end(), [&](auto l, auto r) { return same[l - first] == same[r - first]; });
  };
  std::unordered_multimap<std::uint64_t, InstructionId> known;
  for (InstructionId user = first; user < first + computation.count; ++user) {
    std::uint64_t key = module_[user].attributes;
    for (const InstructionId operand : module_.operands(user)) {
      key = key * 1'000'003 + same[operand - first];
      last_use[operand - first] = last_use[same[operand - first] - first] = user;
    }
    InstructionId one = user;
    if (is_repeatable(module_, user)) {
      const auto [begin, end] = known.equal_range(key);
      const auto found = std::find_if(begin, end, [&](const auto& entry) { return alike(entry.second, user); });
      if (found != end) one = found->second;
      else known.emplace(key, user);
    }
    same[user - first] = one;
    last_use[user - first] = last_use[one - first] = user;
  }
  last_use[computation.root - first] = last_use[same[computation.root - first] - first] = kNone;
  return *memo;
}

}  // namespace gg
