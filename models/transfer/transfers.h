// Sends and receives of the programs that a distributed program consists of, and which meet: per source, destination and
// channel in the order of the texts (first in, first out). What this cannot say is refused by name, never guessed.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/ir/module.h"
#include "models/rank/digits.h"

namespace gg {

/// One program and the ranks that run it, in the order in which the program counts them (its partition 0, 1, ...). No
/// ranks: the only program, whose ranks are as it counts them.
struct RankClass {
  std::string name;
  std::vector<std::int64_t> ranks;
  const Module* module = nullptr;
  RankLayout layout;
};

/// An instruction of one of the programs.
struct Place {
  std::uint32_t program = 0;
  InstructionId id = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A send or recv, with those of its pairs that its own ranks have a part in.
struct Endpoint {
  Place place, done;
  ComputationId computation = 0;
  bool send = false;
  std::int64_t channel = -1;
  PairList pairs;
};

/// Instructions whose transfers meet one another: the entry computations of all programs, or one other computation.
struct Scene {
  std::vector<std::pair<std::uint32_t, ComputationId>> computations;  ///< with the program of each
  bool entry = false;
};

/// All transfers of the programs, matched. The programs must outlive it.
class Transfers {
 public:
  /// Checks the form of each and matches them. Throws InputError: BadTransfer where sends and recvs do not pair off,
  /// UnsupportedForm where they may but not in a way that is known here.
  explicit Transfers(std::span<const RankClass> programs);

  std::span<const RankClass> programs() const { return programs_; }
  const std::vector<Scene>& scenes() const { return scenes_; }
  /// The send or recv at this place, or with this -done; null where there is none.
  const Endpoint* at(Place place) const;
  /// Who meets rank `rank` at its end of the transfer, and with which endpoint; nothing: nobody.
  struct Partner {
    const Endpoint* endpoint;
    std::int64_t rank;
  };
  std::optional<Partner> partner(const Endpoint& endpoint, std::int64_t rank) const;
  std::size_t count() const { return endpoints_.size(); }
  /// `%recv.3 of stage1`, for messages.
  std::string text(Place place) const;
  Location where(Place place) const { return programs_[place.program].module->where(place.id); }
  /// The program that a rank runs, and which of its ranks it is there; nothing where no program names it.
  std::optional<std::pair<std::uint32_t, std::int64_t>> seat(std::int64_t rank) const;

 private:
  using Route = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // source, target, channel
  void read(std::uint32_t program);
  void check_form(std::uint32_t program, const Transfer& transfer);
  void own_pairs(Endpoint& endpoint, const PairList& pairs) const;
  void match(const Scene& scene);
  void unmatched(const Scene& scene, const Route& route, std::span<const std::size_t> sends, std::span<const std::size_t> recvs) const;
  void check_calls(std::uint32_t program);

  std::span<const RankClass> programs_;
  std::unordered_map<std::int64_t, std::pair<std::uint32_t, std::int64_t>> seats_;
  std::vector<Endpoint> endpoints_;  // by program, in the order of the text
  std::map<Place, std::size_t> by_place_;
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> partners_;  // endpoint and its own rank -> the other endpoint
  std::vector<Scene> scenes_;
};

/// Throws InputError(Deadlock) where the ranks of a scene wait for one another in a circle, each running its text in order (a
/// single program's is an order of execution only where it says is_scheduled=true; else nothing is checked):
/// send and recv do not wait, send-done waits until the recv has been issued (nothing is buffered), recv-done until the send
/// has, a collective until its group has arrived.
void check_progress(const Transfers& transfers);

}  // namespace gg
