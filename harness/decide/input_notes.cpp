#include "harness/decide/input_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "models/base/text.h"
#include "models/ir/kinds.h"
#include "runtime/decision.h"
#include "runtime/differential.h"
#include "runtime/inputs.h"
#include "runtime/pair_runner.h"
#include "runtime/value.h"

namespace gg {
namespace {

constexpr std::size_t kShownNames = 12;

std::string joined(const std::vector<std::string>& names) {
  return first_few(names, kShownNames, fmt::format(", ... {} in all", names.size()));
}

/// Names by what they share, in the order of the first one.
class Groups {
 public:
  void add(const std::string& key, const std::string& name) {
    const auto [it, fresh] = index_.emplace(key, groups_.size());
    if (fresh) groups_.push_back({key, {}});
    groups_[it->second].second.push_back(name);
  }
  const std::vector<std::pair<std::string, std::vector<std::string>>>& all() const { return groups_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
};

std::string shown(const Placement& placement, const Mesh& mesh) {
  try {
    return print_placement(placement, mesh, Notation::PartitionSpec);
  } catch (const InputError&) {
    return print_placement(placement, mesh, Notation::Json);
  }
}

void note_relation(const Case& c, std::vector<std::string>& notes) {
  const Relation& relation = c.relation;
  std::string mesh;
  for (const MeshAxis& axis : relation.mesh.axes) mesh += " " + axis.name + "=" + std::to_string(axis.size);
  notes.push_back("relation found in the shardings: mesh" + (mesh.empty() ? " of one rank" : mesh));
  Groups groups;
  const auto leaves = input_leaves(*c.sequential);
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    groups.add("inputs " + shown(relation.input_placements[k], relation.mesh), leaves[k].shown());
  }
  for (std::size_t k = 0; k < relation.outputs.size(); ++k) {
    groups.add("outputs " + shown(relation.output_placements[k], relation.mesh), relation.outputs[k].name);
  }
  for (const auto& [key, names] : groups.all()) notes.push_back("  " + key + ": " + joined(names));
}

bool same(const Buffer& a, const Buffer& b) { return a.bytes() == 0 || std::memcmp(a.data(), b.data(), a.bytes()) == 0; }

/// The values that the sequential program returns, by instruction.
using Returned = std::map<InstructionId, SharedBuffers>;

Returned returned(const Module& module) {
  Returned result;
  const InstructionId root = module.computation(module.entry()).root;
  result[root];
  if (is_tuple(module, root)) {
    for (const InstructionId operand : module.operands(root)) result[operand];
  }
  return result;
}

/// Does the program return something else than `base` on these inputs? The run is left where it first does.
bool moves(PairRunner& runner, const InputSet& inputs, RunOptions options, const Returned& base) {
  struct Moved {};
  options.probe = [&](const Instance& here, Leaves leaves) {
    const auto found = here.path.empty() ? base.find(here.instruction) : base.end();
    if (found == base.end()) return;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      if (!same(*leaves[k], *found->second[k])) throw Moved();
    }
  };
  try {
    runner.run_sequential(inputs, options);
    return false;
  } catch (const Moved&) {
    return true;
  }
}

}  // namespace

void note_inputs(const Case& c, std::vector<std::string>& notes) {
  if (c.relation.from_shardings) note_relation(c, notes);
  Groups ranges;
  for (const FreeInput& input : c.relation.free) {
    if (input.range.origin == Range::Origin::Default) continue;
    const bool given = input.range.origin == Range::Origin::Given;
    const bool integral = is_integral(input.type.element);
    const std::string shown = input.range.lo == input.range.hi ? fmt::format("{}", input.range.lo)
                                                               : fmt::format("[{}, {}{}", input.range.lo, input.range.hi, integral ? ")" : "]");
    ranges.add(fmt::format("{} {}", given ? "range given:" : "mostly drawn from", shown), input.name);
  }
  for (const auto& [key, names] : ranges.all()) notes.push_back(key + ": " + joined(names));
}

void note_outside_values(const Case& c, const InputSet& inputs, std::vector<std::string>& notes) {
  for (std::size_t k = 0; k < c.relation.free.size() && k < inputs.free.size(); ++k) {
    const FreeInput& input = c.relation.free[k];
    if (input.range.origin != Range::Origin::Inferred || inputs.free[k].storage() != Storage::Int64) continue;
    const auto values = inputs.free[k].as<std::int64_t>();
    const auto outside = std::find_if(values.begin(), values.end(), [&](std::int64_t v) { return static_cast<double>(v) < input.range.lo || static_cast<double>(v) >= input.range.hi; });
    if (outside == values.end()) continue;
    notes.push_back(fmt::format(
        "{0} holds {1} in the draw that differs, outside of [{2}, {3}): if it never does, --range {0}={2}:{3} (\"ranges\" of the relation) says so; "
        "a label that is left out is \"ignore\": {{\"{0}\": [{1}, 0.2]}} of a relation of graphs",
        input.name, *outside, input.range.lo, input.range.hi));
  }
}

void note_unexercised(Case& c, const Budget& budget, Told& told) {
  const auto& free = c.relation.free;
  if (free.empty()) return;
  if (estimated_operations(c) * static_cast<double>(free.size()) > kNoteOperations) {
    told.notes.emplace_back("whether every input moves an output was not tried: too many runs");
    return;
  }
  std::vector<std::string> idle;
  try {
    PairRunner runner(c);
    RunOptions options{.mode = NumberMode::F64, .budget = budget};
    std::vector<bool> moved(free.size(), false);
    for (int draw = 0; draw < 2; ++draw) {
      InputSet inputs = draw_inputs(c.relation, 1000 + static_cast<std::uint64_t>(draw), draw);
      InputSet others = draw_inputs(c.relation, 2000 + static_cast<std::uint64_t>(draw), 0);
      Returned base = returned(*c.sequential);
      options.probe = [&](const Instance& here, Leaves leaves) {
        const auto found = here.path.empty() ? base.find(here.instruction) : base.end();
        if (found == base.end()) return;
        found->second.clear();
        for (const auto& leaf : leaves) found->second.push_back(share(leaf->clone()));  // an input that is returned changes with it
      };
      runner.run_sequential(inputs, options);
      for (std::size_t k = 0; k < free.size(); ++k) {
        const bool fixed = free[k].range.lo == free[k].range.hi || free[k].type.count() == 0;
        if (moved[k] || fixed) continue;
        std::swap(inputs.free[k], others.free[k]);
        moved[k] = moves(runner, inputs, options, base);
        std::swap(inputs.free[k], others.free[k]);
        if (!moved[k] && draw == 1) idle.push_back(free[k].name);
      }
    }
  } catch (const RuntimeFailure&) {
    return;  // the run itself says why
  }
  if (idle.empty()) return;
  told.notes.push_back("not exercised, no output element follows: " + joined(idle));
  told.details.push_back({"unexercised", std::to_string(idle.size())});
}

namespace {

constexpr std::size_t kMostPlaces = 8;  ///< that integers are drawn from

}  // namespace

bool bounds_index(const std::vector<Assumption>& assumptions, const FreeInput& input) {
  return std::any_of(assumptions.begin(), assumptions.end(), [&](const Assumption& a) {
    return a.kind == AssumptionKind::InBounds && a.arguments.front() == input.name;
  });
}

DifferentialOptions for_notes(DifferentialOptions options) {
  options.screened = true;
  options.budget.max_trips = kNoteTrips;
  return options;
}

bool note_outside(Case& c, const DifferentialOptions& options, const std::vector<Assumption>& assumptions, std::vector<std::string>& notes) {
  std::vector<std::pair<std::size_t, Outside>> places;
  for (std::size_t k = 0; k < c.relation.free.size() && places.size() < kMostPlaces; ++k) {
    const FreeInput& input = c.relation.free[k];
    if (!input.in_bounds || input.type.count() == 0) continue;
    const bool left_out = bounds_index(assumptions, input);
    if (input.from_end) places.emplace_back(k, Outside::FromEnd);
    if (left_out && input.filled) continue;  // NaN elsewhere
    if (!left_out || !input.from_end) places.emplace_back(k, Outside::Below);
    places.emplace_back(k, Outside::Above);
  }
  if (places.empty() || estimated_operations(c) * static_cast<double>(places.size()) > kNoteOperations) return false;
  bool found = false;
  DrawJudge judge(c, for_notes(options));
  for (const auto& [k, where] : places) {
    const FreeInput& input = c.relation.free[k];
    const auto set = draw_outside(c.relation, options.seed, k, where);
    if (!set) continue;
    try {
      if (!differs(judge.decide(*set))) continue;
    } catch (const RuntimeFailure&) {
      return found;  // no budget left for what is only told beside the verdict
    }
    const bool left_out = bounds_index(assumptions, input);
    found |= !left_out;
    const bool ends = where == Outside::FromEnd;
    const std::string values = ends                      ? fmt::format("in [{}, {})", input.from_end->lo, input.from_end->hi + 1)
                               : where == Outside::Below ? fmt::format("< {}", (input.from_end ? input.from_end : input.in_bounds)->lo)
                                                         : fmt::format(">= {}", input.in_bounds->hi + 1);
    const char* what = left_out ? "which the proof does not cover"
                       : ends   ? "which the sequential program counts from the end: not refuted, since shards need not know of them (in-bounds)"
                                : "outside of what it indexes";
    notes.push_back(fmt::format("differs for {} {}, {}", input.name, values, what));
  }
  return found;
}

}  // namespace gg
