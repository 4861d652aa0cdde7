// Control flow of the distributed program, dead code included (docs/certificate.md, section 9): every loop ends, and ranks that
// meet in a collective take the same branches to it; or the certificate assumes so.
#include "models/ir/structure.h"
#include "prover/checker/check.h"
#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

constexpr std::size_t kMaxRanks = 4096;  ///< for which a condition is compared one by one

}  // namespace

void Check::need(AssumptionKind kind, const std::string& instance, const std::string& why) {
  const Assumption wanted{kind, {without_iterations(instance)}};
  if (std::find(assumed_.begin(), assumed_.end(), wanted) == assumed_.end()) reject("'" + instance + "': " + why + ", and the certificate does not assume " + to_string(wanted));
  needed_.insert(wanted);
}

// Loops and branches in computations that are not walked: nothing is shown of them.
void Check::need_inside(const Program& p, std::uint32_t node, const ComputationList& computations) {
  for (const Duty& duty : flow_.inside(p.flat().instance(p.flat().nodes[node]), computations)) {
    if (duty.loop && flow_.counts(duty.instance.instruction)) continue;
    if (duty.loop) need(AssumptionKind::Terminates, p.name(duty.instance), "it is not shown to end");
    else need(AssumptionKind::Uniform, p.name(duty.instance), "its condition is not shown to be the same on all ranks that meet in it");
  }
}

void Check::duties(const Program& p, std::uint32_t node, const LineSyntax* line) {
  const InstructionId id = p.instruction(node);
  const Attributes& a = p.module().attributes(id);
  const Structure kind = structure_of(p.op(node));
  if (kind == Structure::Loop) {
    const auto followed = line != nullptr && line->simulated ? open_loops_.find(line->follows) : open_loops_.end();
    const bool ends = line != nullptr && (!line->simulated || (followed != open_loops_.end() && followed->second.certain));
    if (!ends && !flow_.counts(id)) need(AssumptionKind::Terminates, p.name(node), "it is not shown to end");
    need_inside(p, node, a.computations(Attr::Condition));
    if (line == nullptr) need_inside(p, node, a.computations(Attr::Body));
  } else if (kind == Structure::Branches) {
    const Meetings& meetings = flow_.meetings(id);
    if (meetings.empty() || uniform(p, p.operands(node)[0], meetings)) return;
    need(AssumptionKind::Uniform, p.name(node), "its condition is not shown to be the same on all ranks that meet in it");
  } else if (flow_.owes(id)) {
    need_inside(p, node, computations_of(p.module(), id));
  }
}

// One normal form for all ranks of each class: it has no digit that tells them apart, or it is the same with the digits of each.
bool Check::uniform(const Program& p, FlatValue v, const Meetings& meetings) {
  const Value value = p.conclusion(v);
  if (has_unknown(t_, value)) return false;
  const RankDigits& digits = p.digits();
  const std::vector<Var> vars = p.context();
  bool apart = false;  // by a digit that it has
  for (int d = 0; d < digits.count(); ++d) {
    const bool has = t_.contains(t_[value].free, vars[static_cast<std::size_t>(d)]);
    for (const std::vector<std::int64_t>& ranks : meetings)
      apart = apart || (has && std::any_of(ranks.begin(), ranks.end(), [&](std::int64_t r) { return digits.value(r, d) != digits.value(ranks[0], d); }));
  }
  if (!apart) return true;
  if (static_cast<std::size_t>(digits.ranks()) > kMaxRanks) return false;
  const auto on = [&](std::int64_t rank) {
    std::vector<std::pair<Var, Index>> map;
    for (int d = 0; d < digits.count(); ++d) map.emplace_back(vars[static_cast<std::size_t>(d)], constant(t_, digits.value(rank, d)));
    return Substitution(t_, std::move(map))(value);
  };
  for (const std::vector<std::int64_t>& ranks : meetings) {
    const Value first = on(ranks[0]);
    if (!std::all_of(ranks.begin(), ranks.end(), [&](std::int64_t r) { return on(r) == first; })) return false;
  }
  return true;
}

}  // namespace gg::checker
