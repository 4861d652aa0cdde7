// Repairs of collective-permutes: the other direction, another distance, a missing or an extra pair; of one, or of all
// with the same pairs.
#include <algorithm>

#include "harness/pinpoint/repair.h"
#include "models/ir/kinds.h"
#include "models/mutation/alternatives.h"

namespace gg::pinpoint {
namespace {

void propose(const Context& context, InstructionId place, const PairList& pairs, Diagnosis diagnosis, const std::string& how,
             int cost, std::vector<Repair>& out) {
  const Module& module = context.module();
  const PairList& now = module.attributes(place).pairs();
  if (pairs == now || pairs.empty()) return;
  std::vector<InstructionId> alike;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (is_message(module, id) && module.attributes(id).pairs() == now) alike.push_back(id);
  }
  for (const bool all : {false, true}) {
    if (all && alike.size() < 2) continue;
    Patch patch;
    for (const InstructionId id : all ? alike : std::vector<InstructionId>{place}) {
      Changed change = unchanged(module, id);
      change.attributes.set(Attr::SourceTargetPairs, pairs);
      patch.changed.push_back(std::move(change));
    }
    const std::string others = all ? "; so do the other " + std::to_string(alike.size() - 1) + " with the same pairs" : "";
    out.push_back({.patch = std::move(patch), .place = place, .diagnosis = diagnosis, .text = context.name(place) + " " + how + others, .edit = std::string(diagnosis == Diagnosis::PermuteDirection ? "reverse" : "change") + " the pairs of " + context.name(place) + (all ? " and of all like it" : ""), .cost = cost + (all ? 4 : 0)});
  }
}

}  // namespace

void permute_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  if (!is_message(context.module(), place)) return;
  const PairList& now = context.module().attributes(place).pairs();
  for (const mutation::Form& back : alternatives(context.module(), place, mutation::Slip::Pairs)) {
    propose(context, place, back.attributes.pairs(), Diagnosis::PermuteDirection, "sends in the wrong direction", 10, out);
  }
  for (const AxisSet& axes : context.axes()) {
    if (axes.axes > 1) continue;
    const auto n = axes.size;
    for (std::int64_t shift = 1; shift < std::min<std::int64_t>(n, 5); ++shift) {
      for (const bool forward : {true, false}) {
        for (const bool ring : {true, false}) {
          if (ring && !forward && 2 * shift == n) continue;
          PairList pairs;
          for (const auto& group : axes.groups) {
            for (std::int64_t k = 0; k < n; ++k) {
              const std::int64_t to = forward ? k + shift : k - shift;
              if (!ring && (to < 0 || to >= n)) continue;
              pairs.emplace_back(group[static_cast<std::size_t>(k)], group[static_cast<std::size_t>((to + n) % n)]);
            }
          }
          std::sort(pairs.begin(), pairs.end());
          PairList sorted = now;
          std::sort(sorted.begin(), sorted.end());
          if (pairs == sorted) continue;
          propose(context, place, pairs, Diagnosis::PermuteNeighbour,
                  "sends to the wrong neighbour over " + axes.name, 16 + static_cast<int>(2 * shift), out);
        }
      }
    }
  }
}

}  // namespace gg::pinpoint
