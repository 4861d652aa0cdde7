// Edits judged where they stand (harness/pinpoint/preview.h).
#include "harness/pinpoint/preview.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/pinpoint/copier.h"
#include "models/ir/structure.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMostPlaces = 10;
constexpr std::size_t kMostTargets = 10;  ///< the source and values computed from it
constexpr std::size_t kMostRepairs = 3000;
constexpr std::size_t kMostDirty = 40;                    ///< instructions evaluated for one edit
constexpr std::size_t kMostKept = std::size_t{1} << 25U;  ///< numbers of the run that are kept

/// One source of bad values.
struct Place {
  ValueId source = 0;
  ComputationId computation = 0;
  std::vector<std::pair<InstructionId, ValueId>> targets;
  std::set<InstructionId> behind;  ///< what the targets are computed from in this computation, themselves included
};

/// The edited instructions of one computation as a program: its parameters are the values `frontier` of the base, its
/// results those of `targets`.
struct Excerpt {
  std::size_t repair = 0, place = 0;
  Module module;
  std::vector<InstructionId> frontier;
  std::vector<ValueId> targets;
};

class Excerpts {
 public:
  Excerpts(const Module& base, const Module& edited, const Patch& patch) : base_(base), edited_(edited) {
    for (const Changed& change : patch.changed) changed_.insert(change.id);
  }

  std::optional<Excerpt> of(const Place& place) {
    if (base_.computations().size() > edited_.computations().size()) return std::nullopt;
    const std::string_view name = base_.string(base_.computation(place.computation).name);
    ComputationId there = 0;
    while (there < edited_.computations().size() && edited_.string(edited_.computation(there).name) != name) ++there;
    if (there == edited_.computations().size()) return std::nullopt;
    base_names_ = names_of(base_, base_.computation(place.computation));
    const Names now = names_of(edited_, edited_.computation(there));
    dirty_.clear();
    Excerpt result;
    std::vector<InstructionId> roots;
    for (const auto& [target, value] : place.targets) {
      const auto found = now.find(base_.name_of(target));
      if (found == now.end() || !dirty(found->second)) continue;
      roots.push_back(found->second);
      result.targets.push_back(value);
    }
    if (roots.empty() || !write(roots, edited_.string(edited_.computation(there).name), result)) return std::nullopt;
    return result;
  }

 private:
  /// The instruction of the base with this name.
  std::optional<InstructionId> old(InstructionId id) const {
    const auto found = base_names_.find(edited_.name_of(id));
    return found == base_names_.end() ? std::nullopt : std::optional(found->second);
  }

  bool dirty(InstructionId id) {
    const auto known = dirty_.find(id);
    if (known != dirty_.end()) return known->second;
    const auto before = old(id);
    bool result = !before || changed_.count(*before) != 0 || edited_.operands(id).size() != base_.operands(*before).size();
    for (std::size_t k = 0; !result && k < edited_.operands(id).size(); ++k) {
      const InstructionId operand = edited_.operands(id)[k];
      result = edited_.name_of(operand) != base_.name_of(base_.operands(*before)[k]) || dirty(operand);
    }
    return dirty_[id] = result;
  }

  /// The dirty instructions behind the roots; what they read is a parameter.
  bool write(const std::vector<InstructionId>& roots, std::string_view name, Excerpt& result) {
    std::set<InstructionId> body, leaves;
    std::vector<InstructionId> todo = roots;
    while (!todo.empty()) {
      const InstructionId id = todo.back();
      todo.pop_back();
      if (!dirty(id)) {
        if (!edited_.type(id).is_array()) return false;
        leaves.insert(id);
        continue;
      }
      if (!body.insert(id).second) continue;
      const Structure structure = structure_of(edited_, id);
      if (structure == Structure::Parameter || structure == Structure::Loop || structure == Structure::Branches || !edited_.type(id).is_array() || body.size() > kMostDirty) return false;
      for (const InstructionId operand : edited_.operands(id)) todo.push_back(operand);
    }
    Copier copier(edited_);
    for (const InstructionId id : body) copier.prepare(id);
    copier.open(name);
    std::map<InstructionId, InstructionId> ids;
    for (const InstructionId id : leaves) {
      ids[id] = copier.parameter(edited_.type(id), edited_.name_of(id));
      result.frontier.push_back(*old(id));
    }
    for (const InstructionId id : body) {  // in the order of the text: operands come first
      std::vector<InstructionId> operands;
      for (const InstructionId operand : edited_.operands(id)) {
        const auto found = ids.find(operand);
        if (found == ids.end()) return false;
        operands.push_back(found->second);
      }
      ids[id] = copier.copy(id, operands);
    }
    std::vector<InstructionId> outputs;
    std::vector<Type> types;
    for (const InstructionId root : roots) {
      outputs.push_back(ids.at(root));
      types.push_back(edited_.type(root));
    }
    result.module = copier.close(add_tuple(copier.builder(), outputs, std::move(types), "preview_results"));
    return true;
  }

  const Module& base_;
  const Module& edited_;
  std::set<InstructionId> changed_;
  Names base_names_;
  std::map<InstructionId, bool> dirty_;
};

std::vector<Place> places_of(const Context& context) {
  const DivergenceTrace& trace = *context.trace();
  const auto& values = trace.distributed().values();
  std::vector<Place> places;
  std::set<InstructionId> told;
  for (const ValueId source : trace.sources()) {
    const Instance& instance = values[source].instance;
    if (places.size() == kMostPlaces) break;
    if (!told.insert(instance.instruction).second || !context.type(instance.instruction).is_array()) continue;
    Place place{source, context.module().computation_of(instance.instruction), {}, {}};
    std::set<ValueId> near = {source};
    for (ValueId id = source; id < values.size() && place.targets.size() < kMostTargets; ++id) {
      const Instance& here = values[id].instance;
      if (here.path != instance.path || here.iteration != instance.iteration || values[id].leaf != 0) continue;
      const auto& operands = values[id].operands;
      if (id != source && std::none_of(operands.begin(), operands.end(), [&](ValueId o) { return near.count(o) != 0; })) continue;
      near.insert(id);
      if (context.type(here.instruction).is_array()) place.targets.emplace_back(here.instruction, id);
    }
    std::vector<InstructionId> todo;
    for (const auto& [target, value] : place.targets) todo.push_back(target);
    while (!todo.empty()) {
      const InstructionId id = todo.back();
      todo.pop_back();
      if (!place.behind.insert(id).second) continue;
      for (const InstructionId operand : context.module().operands(id)) todo.push_back(operand);
    }
    places.push_back(std::move(place));
  }
  return places;
}

/// Does the patch alter something from which the targets are computed?
bool concerns(const Patch& patch, const Place& place) {
  const auto behind = [&](InstructionId id) { return place.behind.count(id) != 0; };
  return std::any_of(patch.changed.begin(), patch.changed.end(), [&](const Changed& c) { return behind(c.id); }) ||
         std::any_of(patch.reroutes.begin(), patch.reroutes.end(), [&](const Reroute& r) { return behind(r.only ? *r.only : r.from); });
}

}  // namespace

std::vector<bool> promising(const Context& context, const std::vector<Repair>& repairs, const InputSet& inputs, Trials& trials, NumberMode mode) {
  const Module& base = context.module();
  const DivergenceTrace& trace = *context.trace();
  const std::vector<Place> places = places_of(context);
  std::vector<Excerpt> excerpts;
  for (std::size_t r = 0; r < repairs.size() && r < kMostRepairs; ++r) {
    if (std::none_of(places.begin(), places.end(), [&](const Place& place) { return concerns(repairs[r].patch, place); })) continue;
    std::optional<Module> edited = patched(base, repairs[r].patch);
    if (!edited) continue;
    Excerpts from(base, *edited, repairs[r].patch);
    for (std::size_t p = 0; p < places.size(); ++p) {
      if (!concerns(repairs[r].patch, places[p])) continue;
      auto excerpt = from.of(places[p]);
      if (!excerpt) continue;
      excerpt->repair = r;
      excerpt->place = p;
      excerpts.push_back(std::move(*excerpt));
    }
  }
  // The values that they read, as the base left them in the execution of each source.
  const auto& values = trace.distributed().values();
  std::vector<std::set<InstructionId>> wanted(places.size());
  std::set<ValueId> judged;  // bad as they are, not only negated
  for (const Excerpt& excerpt : excerpts) {
    wanted[excerpt.place].insert(excerpt.frontier.begin(), excerpt.frontier.end());
    judged.insert(excerpt.targets.begin(), excerpt.targets.end());
  }
  std::vector<std::map<InstructionId, Buffer>> kept(places.size());
  std::size_t numbers = 0;
  trials.watch(base, inputs, mode, [&](const Instance& instance, Leaves leaves) {
    for (std::size_t p = 0; p < places.size(); ++p) {
      const Instance& there = values[places[p].source].instance;
      if (instance.iteration != there.iteration || instance.path != there.path || leaves.size() != 1) continue;
      for (const auto& [target, value] : places[p].targets) {
        if (target == instance.instruction && judged.count(value) != 0 && trace.would_match(value, *leaves[0])) judged.erase(value);
      }
      if (wanted[p].count(instance.instruction) == 0 || numbers > kMostKept) continue;
      numbers += static_cast<std::size_t>(leaves[0]->count());
      kept[p].insert_or_assign(instance.instruction, leaves[0]->clone());
    }
  });
  std::vector<bool> result(repairs.size());
  for (const Excerpt& excerpt : excerpts) {
    if (result[excerpt.repair]) continue;
    std::vector<Buffer> operands;
    for (const InstructionId id : excerpt.frontier) {
      const auto found = kept[excerpt.place].find(id);
      if (found != kept[excerpt.place].end()) operands.push_back(found->second.clone());
    }
    if (operands.size() != excerpt.frontier.size()) continue;
    const std::vector<Buffer> outputs = trials.evaluate(excerpt.module, std::move(operands), mode);
    for (std::size_t k = 0; k < outputs.size() && !result[excerpt.repair]; ++k) {
      result[excerpt.repair] = judged.count(excerpt.targets[k]) != 0 && trace.would_match(excerpt.targets[k], outputs[k]);
    }
  }
  return result;
}

}  // namespace gg::pinpoint
