// Can every rank get on? Each rank runs its text in order; nothing hangs on data, so one walk decides it.
#include <algorithm>
#include <memory>
#include <set>

#include "models/ir/control_flow.h"
#include "models/op/groups.h"
#include "models/transfer/transfers.h"

namespace gg {
namespace {

constexpr std::int64_t kMaxSimulated = 1 << 16;  // ranks of one scene

/// What a rank waits for: that another rank gets as far as an instruction.
struct Wait {
  std::int64_t rank;
  Place place;
  bool beyond;  ///< it must have issued that instruction; else to have arrived there is enough
};

class Progress {
 public:
  Progress(const Transfers& transfers, const Scene& scene) : transfers_(transfers) {
    for (const auto& [program, computation] : scene.computations) collect(program, computation);
  }

  void run() {
    std::vector<std::int64_t> open;
    for (const auto& [rank, program] : program_) open.push_back(rank);
    for (bool moved = true; moved && !open.empty();) {
      moved = false;
      std::vector<std::int64_t> left;
      for (const std::int64_t rank : open) {
        const std::vector<InstructionId>& events = events_.at(program_of(rank));
        std::size_t& at = position_[rank];
        while (at < events.size() && !waits(rank)) ++at, moved = true;
        if (at < events.size()) left.push_back(rank);
      }
      open = std::move(left);
    }
    if (!open.empty()) report(open.front());
  }

 private:
  std::uint32_t program_of(std::int64_t rank) const { return program_.at(rank); }

  /// The instructions of a program where ranks meet, and its ranks.
  void collect(std::uint32_t program, ComputationId id) {
    const RankClass& c = transfers_.programs()[program];
    const Module& module = *c.module;
    const Computation& computation = module.computation(id);
    std::set<std::int64_t> ranks(c.ranks.begin(), c.ranks.end());
    auto& events = events_[program];
    for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) {
      const Place place{program, k};
      if (const Endpoint* e = transfers_.at(place)) {
        events.push_back(k);
        if (c.ranks.empty()) {
          for (const auto& [source, target] : e->pairs) ranks.insert({source, target});
        }
        continue;
      }
      const auto groups = groups_of(c, module, k);
      if (groups.empty()) continue;
      events.push_back(k);
      auto& members = groups_[place];
      for (const auto& group : groups) {
        const auto shared = std::make_shared<std::vector<std::int64_t>>();
        for (const std::int64_t seat : group) shared->push_back(c.ranks.empty() ? seat : c.ranks[static_cast<std::size_t>(seat)]);
        for (const std::int64_t rank : *shared) members[rank] = shared;
        if (c.ranks.empty()) ranks.insert(shared->begin(), shared->end());
      }
    }
    for (const InstructionId start : module.async_starts) {
      if (start < computation.first || start >= computation.first + computation.count) continue;
      for (InstructionId k = start + 1; k < computation.first + computation.count; ++k) {  // its first user waits
        const auto operands = module.operands(k);
        if (module[k].op != Op::OptimizationBarrier || std::find(operands.begin(), operands.end(), start) == operands.end()) continue;
        started_[{program, k}] = start;
        begun_.insert({program, start});
        events.insert(std::lower_bound(events.begin(), events.end(), k), k);
        break;
      }
    }
    if (ranks.size() > kMaxSimulated) {
      throw InputError(DiagCode::TooLarge, module.where(computation.first), "transfers between more than 65536 ranks");
    }
    for (const std::int64_t rank : ranks) {
      program_[rank] = program;
      position_[rank] = 0;
    }
  }

  /// The groups (as the program counts its ranks) that meet in an instruction: of a collective its own, of a call those that
  /// the collectives and transfers inside connect.
  std::vector<std::vector<std::int64_t>> groups_of(const RankClass& c, const Module& module, InstructionId id) const {
    std::vector<std::vector<std::int64_t>> groups;
    if (info(module[id].op).traits == OpTraits::Collective) {
      try {
        if (!module.attributes(id).has(Attr::SourceTargetPairs)) return rank_groups(module[id].op, module.attributes(id), c.layout);
        for (const auto& [source, target] : rank_pairs(module.attributes(id), c.layout)) groups.push_back({source, target});
      } catch (const TypeError& error) {
        throw InputError(error.code, module.where(id), error.message);
      }
      return joined(std::move(groups));
    }
    std::set<ComputationId> seen;
    std::vector<ComputationId> open;
    const auto callees = [&](InstructionId k) {
      for (const ComputationId called : computations_of(module, k)) {
        if (seen.insert(called).second) open.push_back(called);
      }
    };
    callees(id);
    const auto program = static_cast<std::uint32_t>(&c - transfers_.programs().data());
    while (!open.empty()) {
      const Computation& inner = module.computation(open.back());
      open.pop_back();
      for (InstructionId k = inner.first; k < inner.first + inner.count; ++k) {
        if (info(module[k].op).traits == OpTraits::Collective) {
          for (auto& group : groups_of(c, module, k)) groups.push_back(std::move(group));
        } else if (const Endpoint* e = transfers_.at({program, k})) {
          for (const auto& [source, target] : e->pairs) groups.push_back({transfers_.seat(source)->second, transfers_.seat(target)->second});
        } else {
          callees(k);
        }
      }
    }
    return joined(std::move(groups));
  }

  /// Groups that share a rank become one.
  static std::vector<std::vector<std::int64_t>> joined(std::vector<std::vector<std::int64_t>> groups) {
    std::map<std::int64_t, std::int64_t> parent;
    const auto root = [&](std::int64_t rank) {
      while (parent.emplace(rank, rank).first->second != rank) rank = parent[rank];
      return rank;
    };
    for (const auto& group : groups) {
      for (const std::int64_t rank : group) parent[root(rank)] = root(group.front());
    }
    std::map<std::int64_t, std::vector<std::int64_t>> parts;
    for (const auto& [rank, unused] : parent) parts[root(rank)].push_back(rank);
    std::vector<std::vector<std::int64_t>> result;
    for (auto& [rank, part] : parts) result.push_back(std::move(part));
    return result;
  }

  /// What `rank` waits for where it is now; nothing: it goes on.
  std::optional<Wait> waits(std::int64_t rank) const {
    const std::uint32_t program = program_of(rank);
    const Place here{program, events_.at(program)[position_.at(rank)]};
    if (const Endpoint* e = transfers_.at(here)) {
      if (e->place == here) return std::nullopt;
      const auto partner = transfers_.partner(*e, rank);
      if (!partner) return std::nullopt;
      const Wait wait{partner->rank, partner->endpoint->place, true};
      return holds(wait) ? std::nullopt : std::optional(wait);
    }
    if (begun_.count(here) != 0) return std::nullopt;
    const auto start = started_.find(here);
    const Place met = start == started_.end() ? here : Place{program, start->second};
    const auto& members = groups_.at(met);
    const auto group = members.find(rank);
    if (group == members.end()) return std::nullopt;
    for (const std::int64_t other : *group->second) {
      const Wait wait{other, met, start != started_.end()};
      if (!holds(wait)) return wait;
    }
    return std::nullopt;
  }

  bool holds(const Wait& wait) const {
    const std::vector<InstructionId>& events = events_.at(wait.place.program);
    const auto index = static_cast<std::size_t>(std::lower_bound(events.begin(), events.end(), wait.place.id) - events.begin());
    const std::size_t at = position_.at(wait.rank);
    return wait.beyond ? at > index : at >= index;
  }

  [[noreturn]] void report(std::int64_t first) const {
    std::vector<std::int64_t> path;
    while (std::find(path.begin(), path.end(), first) == path.end()) {
      path.push_back(first);
      first = waits(first)->rank;
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), first));
    std::vector<std::string> notes;
    std::string circle;
    for (const std::int64_t rank : path) {
      const std::uint32_t program = program_of(rank);
      const Place here{program, events_.at(program)[position_.at(rank)]};
      const Wait wait = *waits(rank);
      const Location there = transfers_.where(wait.place);
      notes.push_back("rank " + std::to_string(rank) + " waits in " + transfers_.text(here) + " until rank " + std::to_string(wait.rank) +
                      " reaches " + transfers_.text(wait.place) + " (" + there.file + ":" + std::to_string(there.line) + ":" +
                      std::to_string(there.column) + ")");
      circle += std::to_string(rank) + " -> ";
    }
    notes.emplace_back(
        "the model: send and recv do not wait, send-done waits until the recv has been issued (nothing is buffered), "
        "recv-done until the send has, a collective until its group has arrived; every rank runs its text in order");
    if (!transfers_.programs()[program_of(path.front())].module->scheduled) {
      notes.emplace_back("the text does not say is_scheduled=true: its order is taken as it is written");
    }
    const std::uint32_t program = program_of(path.front());
    const Place here{program, events_.at(program)[position_.at(path.front())]};
    throw InputError(DiagCode::Deadlock, transfers_.where(here),
                     "the ranks wait for one another: " + circle + std::to_string(path.front()), notes);
  }

  using Group = std::shared_ptr<std::vector<std::int64_t>>;

  const Transfers& transfers_;
  std::map<std::uint32_t, std::vector<InstructionId>> events_;  // by program, in the order of the text
  std::map<Place, std::map<std::int64_t, Group>> groups_;       // each rank's group
  std::map<Place, InstructionId> started_;                      // -done of an asynchronous collective -> its start
  std::set<Place> begun_;                                       // the starts
  std::map<std::int64_t, std::uint32_t> program_;               // that each rank runs
  std::map<std::int64_t, std::size_t> position_;                // of each rank among its program's events
};

}  // namespace

void check_progress(const Transfers& transfers) {
  if (transfers.count() == 0) return;
  // XLA prints what it has not scheduled in an order of its own, and schedules a decomposed permute so that it gets on.
  const bool open = transfers.programs().size() == 1 && !transfers.programs()[0].module->scheduled;
  if (open) return;
  for (const Scene& scene : transfers.scenes()) Progress(transfers, scene).run();
}

}  // namespace gg
