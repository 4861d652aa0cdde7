// Repairs from what the sequential program computes and the distributed one nowhere: a factor, a term, a quotient whose operands
// are at hand (a gate by which results are weighted, say). It is put in where one of its operands is read alone.
#include <fmt/format.h>

#include <algorithm>

#include "harness/pinpoint/repair.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxLost = 6;
constexpr std::size_t kMaxLeaves = 3;  ///< distributed values that hold an operand
constexpr std::size_t kMaxUsers = 8;

/// Elements, products or the values of ranks are combined.
bool combines(Op op) {
  const OpTraits traits = info(op).traits;
  return traits == OpTraits::Reduction || traits == OpTraits::Contraction || traits == OpTraits::Collective;
}

/// One way to put the operation back: `now` and `other` combined, where `now` is read alone today.
Repair put_in(const Context& context, const LostOperation& lost, InstructionId now, InstructionId other, InstructionId user) {
  Repair r;
  r.place = user;
  r.kind = FindingKind::Missing;
  r.diagnosis = Diagnosis::MissingTerm;
  r.text = fmt::format("{} reads {} without the {} {} of the sequential program", context.name(user), context.name(now), lost.what(), context.name(other));
  r.edit = fmt::format("let {} read {} {} {}", context.name(user), context.name(now), info(lost.op).name, context.name(other));
  r.after = std::string(context.module().name_of(now));
  r.before = std::string(context.module().name_of(user));
  return r;
}

/// The user behind moves: what reads the value, not what carries it.
InstructionId reader(const Context& context, InstructionId user) {
  const Module& module = context.module();
  while ((DivergenceTrace::moves(module[user].op) || is_dynamic_slice(module, user)) && context.users(user).size() == 1) user = context.users(user)[0];
  return user;
}

/// Each user of a value that stands alone reads the result of the operation.
void beside_value(const Context& context, const LostOperation& lost, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  for (std::size_t k = 0; k < std::min(kMaxLeaves, lost.other.size()); ++k) {
    const InstructionId other = lost.other[k];
    if (other == place || !(context.type(other) == context.type(place)) || module.computation_of(other) != module.computation_of(place)) continue;
    const auto& users = context.users(place);
    for (std::size_t u = 0; u < std::min(users.size(), kMaxUsers); ++u) {
      if (users[u] == other) continue;
      Repair r = put_in(context, lost, place, other, reader(context, users[u]));
      const Ref result = context.maker(r.patch).apply(lost.op, {{place, false}, {other, false}});
      r.patch.reroutes.push_back({place, result, users[u]});
      r.cost = 20;
      out.push_back(std::move(r));
    }
  }
}

/// What a combination reads is scaled by the operand, laid into its dimensions.
void inside_combination(const Context& context, const LostOperation& lost, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const ValueState* state = context.state(place);
  if (!lost.scales() || !combines(module[place].op) || state == nullptr || state->good) return;
  for (std::size_t k = 0; k < module.operands(place).size() && k < 2; ++k) {
    const InstructionId now = module.operands(place)[k];
    if (!context.is_float_array(now)) continue;
    const Type& type = context.type(now);
    for (std::size_t l = 0; l < std::min(kMaxLeaves, lost.other.size()); ++l) {
      const InstructionId other = lost.other[l];
      const Type& small = context.type(other);
      if (other >= place || other == now || module.computation_of(other) != module.computation_of(place) || small.element != type.element) continue;
      for (const IntList& way : ways(small.dims, type.dims)) {
        if (!std::is_sorted(way.begin(), way.end())) continue;
        Repair r = put_in(context, lost, now, other, place);
        Maker maker = context.maker(r.patch);
        const Ref wide = small.dims == type.dims ? Ref{other, false} : maker.broadcast({other, false}, type.dims, way);
        Changed change = unchanged(module, place);
        change.operands[k] = maker.apply(lost.op, {{now, false}, wide});
        r.patch.changed.push_back(std::move(change));
        r.cost = 22;
        out.push_back(std::move(r));
      }
    }
  }
}

}  // namespace

void lost_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const auto& lost = context.lost();
  if (!context.is_float_array(place)) return;
  for (std::size_t k = 0; k < std::min(lost.size(), kMaxLost); ++k) {
    if (std::find(lost[k].alone.begin(), lost[k].alone.end(), place) != lost[k].alone.end()) beside_value(context, lost[k], place, out);
    inside_combination(context, lost[k], place, out);
  }
}

}  // namespace gg::pinpoint
