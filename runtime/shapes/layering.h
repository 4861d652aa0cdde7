// What repeats in a program that is written out (the layers of an unrolled network): instructions of one role, numbered by the layer that
// they belong to. Roles are found by colour refinement: what computes alike, from what is alike, for what is alike, so many steps away.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/ir/module.h"

namespace gg {

/// Where an instruction of the entry computation stands among those of its role. Layers of one chain follow each other; what number the
/// first one has, and which side of a border a value is counted to, says nothing.
struct LayerPlace {
  std::uint32_t chain = 0;
  std::int64_t layer = 0;
  friend auto operator<=>(const LayerPlace&, const LayerPlace&) = default;
};

class Layering {
 public:
  using Places = std::vector<std::optional<LayerPlace>>;  ///< by position in the entry computation

  /// Colours refined so many times.
  Layering(const Module& module, int rounds);
  /// Numbers the layers by the order of the text.
  void number();
  /// Numbers them as these instructions are numbered.
  void number(const Places& known);
  const std::optional<LayerPlace>& place(InstructionId id) const { return places_[id - first_]; }
  /// Layers in which every role of the chain has its instruction, which reads and is read as in the layers beside it.
  std::set<LayerPlace> regular() const;
  /// The instruction of the same role so many layers on; kNone where there is none.
  InstructionId moved(InstructionId id, std::int64_t layers) const;

 private:
  /// Operand `operand` of instructions of a role.
  struct Edge {
    std::uint32_t role, operand;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  /// What most instructions of a role read there: the value of a role so many layers away, or one that all of them share.
  struct Habit {
    std::optional<std::int64_t> offset;
    std::uint32_t role = kNone;
    InstructionId shared = kNone;
    friend auto operator<=>(const Habit&, const Habit&) = default;
  };
  struct Use {
    std::uint32_t user, operand;  ///< positions
  };

  void find_roles(int rounds);
  void spread(std::vector<std::uint32_t> todo);
  bool carry(std::uint32_t role, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ways);
  void finish();
  void find_habits();
  void grow();
  bool follows_habit(std::uint32_t user, std::uint32_t operand) const;
  std::span<const InstructionId> operands(std::uint32_t at) const { return module_.operands(first_ + at); }

  const Module& module_;
  InstructionId first_;
  std::uint32_t count_, root_;
  std::vector<std::uint32_t> role_;                ///< by position
  std::vector<std::vector<std::uint32_t>> roles_;  ///< positions of each, in the order of the text
  std::vector<std::vector<Use>> uses_;             ///< by position; the root's are left out
  std::vector<bool> numbered_;                     ///< by role
  Places places_;
  std::map<std::pair<std::uint32_t, LayerPlace>, std::uint32_t> at_;  ///< role and place -> position
  std::vector<std::uint64_t> contents_;                               ///< by position
  std::map<Edge, Habit> habits_;
  std::map<std::uint32_t, std::vector<Edge>> readers_;  ///< by role: edges whose habit it is
  std::uint32_t chains_ = 0;
};

}  // namespace gg
