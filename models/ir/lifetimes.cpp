// Values that are one (models/ir/lifetimes.h).
#include "models/ir/lifetimes.h"

#include <algorithm>

#include "models/base/hash.h"
#include "models/base/id_set.h"
#include "models/ir/attained.h"
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
  IdSet known;
  for (InstructionId user = first; user < first + computation.count; ++user) {
    std::uint64_t key = module_[user].attributes;
    for (const InstructionId operand : module_.operands(user)) {
      key = mix(key, same[operand - first]);
      last_use[operand - first] = last_use[same[operand - first] - first] = user;
    }
    if (const auto bound = asks_for_bound(module_, user)) {
      for (const InstructionId operand : bound->operands) last_use[operand - first] = last_use[same[operand - first] - first] = user;
    }
    const auto is_it = [&](InstructionId other) { return alike(other, user); };
    const InstructionId one = is_repeatable(module_, user) ? known.find_or_add(key, is_it, [user] { return user; }) : user;
    same[user - first] = one;
    last_use[user - first] = last_use[one - first] = user;
  }
  last_use[computation.root - first] = last_use[same[computation.root - first] - first] = kNone;
  return *memo;
}

}  // namespace gg
