// The divergent operator alone at full shape (harness/explain/confirm.h).
#include "harness/explain/confirm.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/explain/point_run.h"
#include "harness/explain/shapes.h"
#include "harness/pinpoint/trial.h"
#include "models/base/text.h"
#include "models/hlo/printer.h"
#include "models/ir/kinds.h"
#include "runtime/inputs.h"
#include "runtime/value.h"

namespace gg {
namespace {

constexpr int kSamples = 96;
constexpr std::size_t kMostPlaces = 8;                  ///< values behind the edits that are compared: the nearest, and the first of the run
constexpr std::int64_t kReads[] = {50'000, 3'000'000};  ///< for one element: first where that is cheap

using Names = std::map<std::pair<std::string, std::string>, InstructionId>;

std::pair<std::string, std::string> name_of(const Module& module, InstructionId id) {
  return {std::string(module.string(module.computation(module.computation_of(id)).name)), std::string(module.name_of(id))};
}

Names names(const Module& module) {
  Names all;
  for (InstructionId id = 0; id < module.size(); ++id) all.emplace(name_of(module, id), id);
  return all;
}

/// The instructions of `module` by name in `other`.
std::vector<InstructionId> counterparts(const Module& module, const Names& other) {
  std::vector<InstructionId> same;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const auto found = other.find(name_of(module, id));
    same.push_back(found == other.end() ? kNone : found->second);
  }
  return same;
}

/// The instructions of the repaired program that are new or not what they were.
std::vector<InstructionId> changed(const Module& given, const Module& repaired, const Names& before) {
  PrintOptions plain;
  plain.metadata = false;
  std::vector<InstructionId> result;
  for (InstructionId id = 0; id < repaired.size(); ++id) {
    const auto found = before.find(name_of(repaired, id));
    if (found == before.end() || print_instruction(given, found->second, plain) != print_instruction(repaired, id, plain)) result.push_back(id);
  }
  return result;
}

/// For certain: disjoint balls, or no number where the right one is finite.
bool differ(const Ball128& a, const Ball128& b) {
  using Ops = BallOps<Ball128>;
  if (!Ops::is_finite(b) || Ops::known(a) == Known::Nothing) return false;
  return !Ops::is_finite(a) || Ops::disjoint(a, b);
}

/// Elements of the array: ends and the middle of every dimension, mixed by a counter.
std::vector<std::int64_t> sample_index(const Type& type, std::uint64_t sample) {
  std::vector<std::int64_t> index;
  for (std::size_t d = 0; d < type.dims.size(); ++d) {
    const auto word = philox({static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(d), 7, 0}, 2026);
    const std::int64_t n = type.dims[d];
    const std::int64_t any = static_cast<std::int64_t>(word[1]) % n;
    index.push_back(word[0] % 4 == 0 ? 0 : word[0] % 4 == 1 ? n - 1
                                                            : any);
  }
  return index;
}

class Confirm {
 public:
  Confirm(Case& given, Case& repaired, const DivergenceTrace& trace)
      : given_(given), repaired_(repaired), trace_(trace), drawn_(trace, repaired), given_names_(names(*given.distributed)), repaired_names_(names(*repaired.distributed)) {}

  Confirmation run() {
    const Module& module = *repaired_.distributed;
    const std::vector<InstructionId> edits = changed(*given_.distributed, module, given_names_);
    if (edits.empty()) return {false, "the repair changes nothing at full shape"};
    const Reached later(module, edits);
    const EditReach reach{Reached::first(module, edits, later), later};
    PointRun before(given_, trace_, drawn_, counterparts(*given_.distributed, repaired_names_), reach);
    std::vector<InstructionId> itself(module.size());
    for (InstructionId id = 0; id < module.size(); ++id) itself[id] = id;
    PointRun after(repaired_, trace_, drawn_, std::move(itself), reach);
    std::string problem = "no value behind the edits holds a sequential one";
    for (const std::int64_t reads : kReads) {
      for (const auto& [second, alone] : {std::pair(false, true), std::pair(true, true), std::pair(true, false)}) {
        before.limit(alone, reads);
        after.limit(alone, reads);
        if (auto text = first_difference(places_behind(alone ? reach.first : reach.later, second), before, after, problem)) return {true, *text};
      }
    }
    return {false, problem};
  }

 private:
  struct Place {
    PointRun::Path path;
    InstructionId id;
  };

  /// The instruction of the given program in the place of one of the repaired program: of the same name, or the same output (a repair
  /// just before an output has nothing of the same name behind it).
  std::optional<InstructionId> given_for(InstructionId id) const {
    const Module &given = *given_.distributed, &repaired = *repaired_.distributed;
    if (const auto found = given_names_.find(name_of(repaired, id)); found != given_names_.end()) return found->second;
    const InstructionId before = given.computation(given.entry()).root, after = repaired.computation(repaired.entry()).root;
    if (!is_tuple(given, before) || !is_tuple(repaired, after) || given[before].operand_count != repaired[after].operand_count) return std::nullopt;
    for (std::size_t k = 0; k < repaired[after].operand_count; ++k) {
      if (repaired.operands(after)[k] == id && given.type(given.operands(before)[k]) == repaired.type(id)) return given.operands(before)[k];
    }
    return std::nullopt;
  }

  /// Values that the edits reach and that hold a whole sequential one: those of first iterations, or of second ones.
  std::vector<Place> places_behind(const Reached& reach, bool second) const {
    const Module& module = *repaired_.distributed;
    std::vector<Place> places;
    std::set<std::pair<PointRun::Path, InstructionId>> seen;
    const auto& values = trace_.distributed().values();
    for (ValueId v = 0; v < values.size(); ++v) {
      const Instance& instance = values[v].instance;
      if (values[v].leaf != 0 || (second ? instance.iteration != 1 : instance.iteration > 0)) continue;
      if (!reach.holds(instance.instruction, 0) || !given_for(instance.instruction)) continue;
      if (!seen.emplace(instance.path, instance.instruction).second) continue;
      const auto& match = trace_.state(v).match;
      if (!match || !match->partial.empty() || !module.type(instance.instruction).is_array()) continue;
      Place place{instance.path, instance.instruction};
      for (auto call = place.path.rbegin(); second && call != place.path.rend(); ++call) {
        if (!is_loop(module, *call)) continue;
        *call |= PointRun::kSecond;
        break;
      }
      places.push_back(std::move(place));
    }
    std::vector<Place> nearest = places;
    std::stable_sort(nearest.begin(), nearest.end(), [&](const Place& a, const Place& b) { return reach.distance(a.id, 0) < reach.distance(b.id, 0); });
    nearest.resize(std::min(nearest.size(), kMostPlaces));
    places.resize(std::min(places.size(), kMostPlaces));
    for (Place& place : places) {
      const auto same = [&](const Place& known) { return known.id == place.id && known.path == place.path; };
      if (std::none_of(nearest.begin(), nearest.end(), same)) nearest.push_back(std::move(place));
    }
    return nearest;
  }

  std::optional<std::string> first_difference(const std::vector<Place>& all, PointRun& before, PointRun& after, std::string& problem) {
    for (const Place& place : all) {
      try {
        if (auto text = compare(place.path, place.id, *given_for(place.id), before, after)) return text;
        problem = "the edited operators agree at full shape on all elements looked at";
      } catch (const NoElement& none) {
        problem = none.what();
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> compare(const PointRun::Path& path, InstructionId id, InstructionId old, PointRun& before, PointRun& after) {
    const Type& type = repaired_.distributed->type(id);
    const std::int64_t ranks = repaired_.distributed_bodies->digits().ranks();
    PointRun::Path old_path;
    for (const InstructionId call : path) {
      const auto found = given_names_.find(name_of(*repaired_.distributed, call & ~PointRun::kSecond));
      if (found == given_names_.end()) throw NoElement("the path to it is new");
      old_path.push_back(found->second | (call & PointRun::kSecond));
    }
    for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
      const auto word = philox({static_cast<std::uint32_t>(sample), 99, 7, 0}, 2026);
      const std::int64_t rank = static_cast<std::int64_t>(word[0]) % ranks;
      const std::vector<std::int64_t> index = sample_index(type, sample);
      const Ball128 right = after.element(path, id, rank, index);
      const Ball128 wrong = before.element(old_path, old, rank, index);
      if (!differ(wrong, right)) continue;
      return fmt::format("at full shape, on drawn operands, %{} on rank {} at [{}] is {} and must be {}", given_.distributed->name_of(old), rank,
                         joined_text(index, ","), BallOps<Ball128>::to_string(wrong, 9), BallOps<Ball128>::to_string(right, 9));
    }
    return std::nullopt;
  }

  Case& given_;
  Case& repaired_;
  const DivergenceTrace& trace_;
  DrawnValues drawn_;
  Names given_names_, repaired_names_;
};

}  // namespace

Confirmation confirm_at_full_shape(Case& c, Case& small, const Repaired& repaired, const InputSet& inputs, const Budget& budget) {
  try {
    Case full = pinpoint::with_distributed(c, Module(repaired.full));
    Case reduced = pinpoint::with_distributed(small, Module(*repaired.small));
    if (!same_instructions(full, reduced)) return {false, "the repair is another one at full shape"};
    const DivergenceTrace trace(reduced, inputs, trace_mode(reduced), budget);
    if (!trace.complete()) return {false, "the values of the repaired pair are too many"};
    return Confirm(c, full, trace).run();
  } catch (const RuntimeFailure& failure) {
    return {false, failure.what()};
  } catch (const InputError& error) {
    return {false, error.what()};
  }
}

}  // namespace gg
