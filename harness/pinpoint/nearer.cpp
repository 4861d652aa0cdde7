// Edits that bring a program nearer to right (harness/pinpoint/nearer.h).
#include "harness/pinpoint/nearer.h"

#include <algorithm>
#include <set>

#include "harness/pinpoint/places.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::int64_t kMostOfOne = 60'000'000;

/// The instructions of a trace that hold a value of the sequential program, by name.
std::set<Name> matched(const DivergenceTrace& trace) {
  std::set<Name> names;
  const auto& values = trace.distributed().values();
  for (ValueId id = 0; id < values.size(); ++id) {
    if (trace.state(id).match) names.insert(name_of(trace.distributed().module(), values[id].instance.instruction));
  }
  return names;
}

/// Sources of bad values and what reads them, as far as they hold nothing of the sequential program.
std::set<Name> front(const DivergenceTrace& trace) {
  std::set<Name> names;
  std::set<ValueId> near;
  const auto sources = trace.sources();
  for (std::size_t k = 0; k < sources.size() && k < kMaxSources; ++k) near.insert(sources[k]);
  const auto& values = trace.distributed().values();
  for (int hop = 0; hop < 2; ++hop) {
    std::set<ValueId> wider = near;
    for (const ValueId id : trace.suspects()) {
      for (const ValueId operand : values[id].operands) {
        if (near.count(operand) != 0) wider.insert(id);
      }
    }
    near = std::move(wider);
  }
  for (const ValueId id : near) {
    if (!trace.state(id).match) names.insert(name_of(trace.distributed().module(), values[id].instance.instruction));
  }
  return names;
}

}  // namespace

std::optional<Distance> nearer_by_outputs(const TrialResult& before, const TrialResult& after) {
  Distance distance;
  bool fewer = false;
  for (std::size_t k = 0; k < before.outputs.size() && k < after.outputs.size(); ++k) {
    if (after.outputs[k].differing > before.outputs[k].differing) return std::nullopt;
    fewer = fewer || after.outputs[k].differing < before.outputs[k].differing;
    distance.outputs += after.outputs[k].differing != 0 ? 1U : 0U;
    distance.elements += static_cast<std::size_t>(after.outputs[k].differing);
  }
  return fewer ? std::optional(distance) : std::nullopt;
}

std::int64_t numbers_of_run(const Module& module, std::int64_t ranks) {
  std::int64_t sum = 1;
  for (InstructionId id = 0; id < module.size(); ++id) {
    for (const Type* leaf : array_leaf_types(module.type(id))) sum += std::min<std::int64_t>(leaf->count(), kMostOfOne);
  }
  return sum * ranks;
}

void add_nearer_by_values(Views& views, const View& before, std::vector<Found>& others, Expense& expense, std::vector<Found>& nearer) {
  const std::set<Name> bad = front(before.trace);
  std::unique_ptr<View> base;
  for (Found& found : others) {
    expense.spent += kRetrace * numbers_of_run(found.module, before.pair.relation.layout.ranks());
    if (expense.spent > expense.most) return;
    if (!base) base = views.again(before, NumberMode::F64);
    const std::unique_ptr<View> after = views.of(found.module, *base);
    const DivergenceTrace& trace = after->trace;
    if (!trace.complete()) return;
    const std::size_t suspects = trace.suspects().size(), outputs = trace.wrong_outputs().size();
    if (suspects >= before.trace.suspects().size() || outputs > before.trace.wrong_outputs().size()) continue;
    const std::set<Name> now = matched(trace);
    if (std::none_of(bad.begin(), bad.end(), [&](const Name& name) { return now.count(name) != 0; })) continue;
    found.distance = {outputs, ~std::size_t{0}, suspects};
    nearer.push_back(std::move(found));
  }
}

}  // namespace gg::pinpoint
