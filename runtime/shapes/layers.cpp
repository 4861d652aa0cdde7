#include "runtime/shapes/layers.h"

#include <algorithm>

#include "runtime/shapes/layering.h"
#include "runtime/shapes/part.h"

namespace gg {
namespace {

constexpr int kRounds[] = {4, 8, 16, 32};  ///< of colours; the more, the less is taken for alike

/// Layers [begin, end) of a chain.
struct Run {
  std::uint32_t chain;
  std::int64_t begin, end;
  std::int64_t length() const { return end - begin; }
  bool holds(const LayerPlace& place) const { return place.chain == chain && place.layer >= begin && place.layer < end; }
};

/// The places of the distributed inputs and outputs, for the sequential ones.
Layering::Places handed_over(const Module& from, const Layering& layering, const Module& to) {
  const Computation& entry = to.computation(to.entry());
  Layering::Places places(entry.count);
  for (std::size_t k = 0; k < entry_inputs(to).size(); ++k) places[entry_inputs(to)[k] - entry.first] = layering.place(entry_inputs(from)[k]);
  for (std::size_t k = 0; k < entry_outputs(to).size(); ++k) {
    auto& place = places[entry_outputs(to)[k] - entry.first];
    if (!place) place = layering.place(entry_outputs(from)[k]);
  }
  return places;
}

/// Runs of layers that are regular in both.
std::vector<Run> runs(const Layering& a, const Layering& b) {
  const std::set<LayerPlace> one = a.regular(), other = b.regular();
  std::vector<Run> found;
  for (const LayerPlace& place : one) {
    if (other.count(place) == 0) continue;
    if (!found.empty() && found.back().chain == place.chain && found.back().end == place.layer) ++found.back().end;
    else found.push_back({place.chain, place.layer, place.layer + 1});
  }
  return found;
}

/// One program without the layers of some runs.
class Thinner {
 public:
  Thinner(const Module& module, const Layering& layering, const std::vector<Run>& out)
      : module_(module), entry_(module.computation(module.entry())), layering_(layering), out_(out) {}

  /// A run with a value that is read by what stays and has none in its place, by number; where it must be shorter so that there is one.
  struct Blocked {
    std::size_t run;
    bool at_end;
  };
  std::optional<Blocked> blocked() const {
    for (InstructionId id = entry_.first; id < entry_.first + entry_.count; ++id) {
      if (id == entry_.root || left_out(id) != nullptr) continue;
      for (const InstructionId operand : module_.operands(id)) {
        if (in_place_of(operand, id) != kNone) continue;
        const Run* run = left_out(operand);
        return Blocked{static_cast<std::size_t>(run - out_.data()), before(id, *run)};
      }
    }
    return std::nullopt;
  }

  /// Not while something is blocked.
  Kept kept() const {
    Kept kept{{}, [this](InstructionId read, InstructionId reader) { return in_place_of(read, reader); }};
    for (InstructionId id = entry_.first; id < entry_.first + entry_.count; ++id) kept.stays.push_back(left_out(id) == nullptr);
    return kept;
  }

 private:
  /// The run that an instruction of the entry is left out with.
  const Run* left_out(InstructionId id) const {
    const auto& place = layering_.place(id);
    const auto run = std::find_if(out_.begin(), out_.end(), [&](const Run& r) { return place && r.holds(*place); });
    return run == out_.end() ? nullptr : &*run;
  }

  /// What is read in the place of `read` by an instruction that stays: itself, or the value of its role on the reader's side of the run.
  InstructionId in_place_of(InstructionId read, InstructionId reader) const {
    const Run* run = left_out(read);
    if (run == nullptr) return read;
    const InstructionId other = layering_.moved(read, before(reader, *run) ? run->length() : -run->length());
    return other == kNone || left_out(other) != nullptr ? kNone : other;
  }

  /// What reads a regular layer is of its chain.
  bool before(InstructionId reader, const Run& run) const { return layering_.place(reader)->layer < run.begin; }

  const Module& module_;
  const Computation& entry_;
  const Layering& layering_;
  const std::vector<Run>& out_;
};

/// What these colours say of a pair: the places of both programs.
struct Places {
  Layering sequential, distributed;
  Places(const Case& c, int rounds) : sequential(*c.sequential, rounds), distributed(*c.distributed, rounds) {
    distributed.number();
    sequential.number(handed_over(*c.distributed, distributed, *c.sequential));
  }
};

/// As much of the runs as has something in its place.
std::optional<FewerLayers> without(const Case& c, const Places& places, std::vector<Run> runs) {
  const Thinner sequential(*c.sequential, places.sequential, runs), distributed(*c.distributed, places.distributed, runs);
  for (auto blocked = distributed.blocked(); blocked || (blocked = sequential.blocked()); blocked = distributed.blocked()) {
    Run& run = runs[blocked->run];
    if (blocked->at_end) --run.end;
    else ++run.begin;
  }
  if (std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.length() <= 0; })) return std::nullopt;
  const Kept kept = distributed.kept();
  std::optional<Case> part = part_of(c, sequential.kept(), kept);
  if (!part) return std::nullopt;
  FewerLayers result{std::move(*part), {}, c.sequential->size() + c.distributed->size()};
  result.left_out -= result.pair.sequential->size() + result.pair.distributed->size();
  const Computation& entry = c.distributed->computation(c.distributed->entry());
  for (std::size_t k = 0; k < entry_outputs(*c.distributed).size(); ++k) {
    if (kept.stays[entry_outputs(*c.distributed)[k] - entry.first]) result.outputs.push_back(k);
  }
  return result;
}

}  // namespace

std::optional<FewerLayers> with_fewer_layers(const Case& c) {
  if (!has_parts(c)) return std::nullopt;
  for (const int rounds : kRounds) {
    const Places places(c, rounds);
    if (auto fewer = without(c, places, runs(places.distributed, places.sequential))) return fewer;  // more rounds take less for alike
  }
  return std::nullopt;
}

}  // namespace gg
