// What control flow of the distributed program owes, dead code included: loops end, and ranks that meet in a collective take the
// same branches to it. What is not shown is taken from the user, or left open.
#include <algorithm>

#include "models/ir/structure.h"
#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMaxRanksCompared = 4096;  ///< for which a condition is compared one by one
constexpr const char* kEndless = "it is not shown to end";

}  // namespace

void Engine::need(AssumptionKind kind, const Side& side, const Instance& instance, const std::string& why) {
  Assumption wanted{kind, {without_iterations(name_of(side, instance))}};
  const auto& given = options_.control;
  if (std::find(given.begin(), given.end(), wanted) == given.end()) {
    const auto same = [&](const OpenDuty& o) { return o.assumption == wanted; };
    if (std::none_of(open_.begin(), open_.end(), same)) open_.push_back({instance.instruction, std::move(wanted), why});
  } else if (std::find(assumptions_.begin(), assumptions_.end(), wanted) == assumptions_.end()) {
    assumptions_.push_back(std::move(wanted));
  }
}

/// Loops and branches in computations that are not walked.
void Engine::need_inside(const Side& side, std::uint32_t node, const ComputationList& computations) {
  for (const Duty& duty : flow_.inside(side.flat.instance(side.flat.nodes[node]), computations)) {
    if (duty.loop && flow_.counts(duty.instance.instruction)) continue;
    if (duty.loop) need(AssumptionKind::Terminates, side, duty.instance, kEndless);
    else need(AssumptionKind::Uniform, side, duty.instance, to_string(flow_.meetings(duty.instance.instruction)));
  }
}

void Engine::duties(const Side& side, std::uint32_t node, bool walked, bool ends) {
  const FlatNode& n = side.flat.nodes[node];
  const gg::Attributes& a = side.module->attributes(n.instruction);
  const Structure kind = structure_of(*side.module, n.instruction);
  if (kind == Structure::Loop) {
    if (!ends && !flow_.counts(n.instruction)) need(AssumptionKind::Terminates, side, side.flat.instance(n), kEndless);
    need_inside(side, node, a.computations(Attr::Condition));
    if (!walked) need_inside(side, node, a.computations(Attr::Body));
  } else if (kind == Structure::Branches) {
    const Meetings& meetings = flow_.meetings(n.instruction);
    const FlatValue which = side.flat.operands(n)[0];
    if (meetings.empty() || uniform(side, side.conclusions[side.first_leaf[which.node] + which.leaf], meetings)) return;
    need(AssumptionKind::Uniform, side, side.flat.instance(n), to_string(meetings));
  } else if (flow_.owes(n.instruction)) {
    need_inside(side, node, computations_of(*side.module, n.instruction));
  }
}

/// Is it the same term on all ranks of each class?
bool Engine::uniform(const Side& side, TermId t, const Meetings& meetings) {
  if ((t_[t].flags & kHasUnknown) != 0) return false;
  const RankDigits& digits = side.bodies->digits();
  VarSet apart = 0;
  for (const auto& ranks : meetings)
    for (const std::int64_t rank : ranks)
      for (int d = 0; d < digits.count(); ++d)
        if (digits.value(rank, d) != digits.value(ranks[0], d)) apart |= bit(static_cast<VarId>(d));
  if ((t_[t].free & apart) == 0) return true;
  if (digits.ranks() > kMaxRanksCompared) return false;
  const auto on = [&](std::int64_t rank) {
    Terms::Map map;
    for (int d = 0; d < digits.count(); ++d) map.set(static_cast<VarId>(d), t_.num(digits.value(rank, d)));
    return t_.substitute(t, map);
  };
  try {
    return std::all_of(meetings.begin(), meetings.end(), [&](const auto& ranks) {
      const TermId first = on(ranks[0]);
      return std::all_of(ranks.begin(), ranks.end(), [&](std::int64_t rank) { return on(rank) == first; });
    });
  } catch (const TermLimit&) {
    return false;
  }
}

}  // namespace gg::prover
