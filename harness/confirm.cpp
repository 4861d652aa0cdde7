// The divergent operator alone at full shape (harness/confirm.h).
#include "harness/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/pinpoint/trial.h"
#include "harness/point_run.h"
#include "harness/shapes.h"
#include "models/hlo/printer.h"
#include "runtime/inputs.h"
#include "runtime/value.h"

namespace gg {
namespace {

constexpr int kSamples = 96;
constexpr std::size_t kMostPlaces = 6;   ///< values behind the edits that are compared
constexpr double kDifferent = 0x1p-40;   ///< of elements computed over the reals: no rounding is that large

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

/// What depends on these instructions of one computation, themselves included.
std::set<InstructionId> dependent(const Module& module, const Computation& c, const std::vector<InstructionId>& edits) {
  std::set<InstructionId> all(edits.begin(), edits.end());
  for (bool more = true; more;) {  // texts need not be in the order of use
    more = false;
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      const auto operands = module.operands(id);
      if (std::any_of(operands.begin(), operands.end(), [&](InstructionId x) { return all.count(x) != 0; })) more = all.insert(id).second || more;
    }
  }
  return all;
}

bool differ(const Real113& a, const Real113& b) {
  using Ops = RealOps<Real113>;
  if (!Ops::is_finite(b)) return false;
  if (!Ops::is_finite(a)) return true;
  const double gap = std::abs(Ops::to_double(Ops::subtract(a, b)));
  return !(gap <= kDifferent * std::max(std::abs(Ops::to_double(a)), std::abs(Ops::to_double(b))));
}

/// Elements of the array: ends and the middle of every dimension, mixed by a counter.
std::vector<std::int64_t> sample_index(const Type& type, std::uint64_t sample) {
  std::vector<std::int64_t> index;
  for (std::size_t d = 0; d < type.dims.size(); ++d) {
    const auto word = philox({static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(d), 7, 0}, 2026);
    const std::int64_t n = type.dims[d];
    const std::int64_t any = static_cast<std::int64_t>(word[1]) % n;
    index.push_back(word[0] % 4 == 0 ? 0 : word[0] % 4 == 1 ? n - 1 : any);
  }
  return index;
}

class Confirm {
 public:
  Confirm(Case& given, Case& repaired, const DivergenceTrace& trace)
      : given_(given), repaired_(repaired), trace_(trace), drawn_(trace, repaired),
        given_names_(names(*given.distributed)), repaired_names_(names(*repaired.distributed)) {}

  Confirmation run() {
    const Module& module = *repaired_.distributed;
    const std::vector<InstructionId> edits = changed(*given_.distributed, module, given_names_);
    if (edits.empty()) return {false, "the repair changes nothing at full shape"};
    const ComputationId home = module.computation_of(edits.front());
    for (const InstructionId id : edits) {
      if (module.computation_of(id) != home) return {false, "the repair changes several computations"};
    }
    const std::set<InstructionId> edited = dependent(module, module.computation(home), edits);
    PointRun before(given_, trace_, drawn_, counterparts(*given_.distributed, repaired_names_), edited);
    std::vector<InstructionId> itself(module.size());
    for (InstructionId id = 0; id < module.size(); ++id) itself[id] = id;
    PointRun after(repaired_, trace_, drawn_, std::move(itself), edited);
    std::string problem = "no value behind the edits holds a sequential one";
    std::size_t places = 0;
    for (const InstructionId id : edited) {
      const auto found = given_names_.find(name_of(module, id));
      const PointRun::Path* path = whole_path(id);
      if (found == given_names_.end() || path == nullptr) continue;
      if (++places > kMostPlaces) break;
      try {
        if (auto text = compare(*path, id, found->second, before, after)) return {true, *text};
        problem = "the edited operators agree at full shape on all elements looked at";
      } catch (const NoElement& none) {
        problem = none.what();
      }
    }
    return {false, problem};
  }

 private:
  /// Where the instruction first ran, if it then held a whole sequential value.
  const PointRun::Path* whole_path(InstructionId id) const {
    const auto& values = trace_.distributed().values();
    for (ValueId v = 0; v < values.size(); ++v) {
      if (values[v].instance.instruction != id || values[v].leaf != 0) continue;
      const auto& match = trace_.state(v).match;
      return match && match->partial.empty() && repaired_.distributed->type(id).is_array() ? &values[v].instance.path : nullptr;
    }
    return nullptr;
  }

  std::optional<std::string> compare(const PointRun::Path& path, InstructionId id, InstructionId old, PointRun& before, PointRun& after) {
    const Type& type = repaired_.distributed->type(id);
    const std::int64_t ranks = repaired_.distributed_bodies->digits().ranks();
    PointRun::Path old_path;
    for (const InstructionId call : path) {
      const auto found = given_names_.find(name_of(*repaired_.distributed, call));
      if (found == given_names_.end()) throw NoElement("the path to it is new");
      old_path.push_back(found->second);
    }
    for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
      const auto word = philox({static_cast<std::uint32_t>(sample), 99, 7, 0}, 2026);
      const std::int64_t rank = static_cast<std::int64_t>(word[0]) % ranks;
      const std::vector<std::int64_t> index = sample_index(type, sample);
      const Real113 right = after.element(path, id, rank, index);
      const Real113 wrong = before.element(old_path, old, rank, index);
      if (!differ(wrong, right)) continue;
      std::string place;
      for (const std::int64_t i : index) place += (place.empty() ? "" : ",") + std::to_string(i);
      return fmt::format("at full shape, on drawn operands, %{} on rank {} at [{}] is {} and must be {}", given_.distributed->name_of(old), rank,
                         place, RealOps<Real113>::to_string(wrong, 9), RealOps<Real113>::to_string(right, 9));
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
    const DivergenceTrace trace(reduced, inputs, affordable_mode(reduced), budget);
    if (!trace.complete()) return {false, "the values of the repaired pair are too many"};
    return Confirm(c, full, trace).run();
  } catch (const RuntimeFailure& failure) {
    return {false, failure.what()};
  } catch (const InputError& error) {
    return {false, error.what()};
  }
}

}  // namespace gg
