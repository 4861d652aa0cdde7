// Walks both programs and the relation and states what their instructions say about sizes and kinds of integers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/ir/region.h"
#include "models/pair/case.h"
#include "models/size/kinds.h"
#include "models/size/system.h"

namespace gg {

/// Unknowns of one program: the dimensions and the kind of every array leaf of every instruction.
class ProgramSizes {
 public:
  ProgramSizes(BodyTable& bodies, std::uint8_t side, SizeSystem& sizes, Kinds& kinds);
  const Module& module() const { return module_; }
  BodyTable& bodies() const { return bodies_; }
  std::uint8_t side() const { return side_; }
  std::size_t leaves(InstructionId id) const { return first_[id + 1] - first_[id]; }
  const Type& type(InstructionId id, std::size_t leaf = 0) const { return *leaves_[first_[id] + leaf].type; }
  SizeVar dim(InstructionId id, std::size_t leaf, std::size_t d) const {
    return leaves_[first_[id] + leaf].dims + static_cast<SizeVar>(d);
  }
  KindId kind(InstructionId id, std::size_t leaf = 0) const { return leaves_[first_[id] + leaf].kind; }
  /// A float made of integers or of an iota by adding and moving: it may count what a dimension has.
  bool counts(InstructionId id) const { return counts_[id]; }
  /// An integer constant, or one that is only broadcast, reshaped, copied or converted: the constant.
  std::optional<InstructionId> literal(InstructionId id) const;

 private:
  struct LeafSizes {
    const Type* type;
    SizeVar dims;
    KindId kind;
  };
  BodyTable& bodies_;
  const Module& module_;
  std::uint8_t side_;
  std::vector<std::uint32_t> first_;
  std::vector<LeafSizes> leaves_;
  std::vector<InstructionId> literals_;  ///< by instruction, kNone
  std::vector<bool> counts_;
};

/// An integer literal at one use: operand `operand` of `user`, or (user == kNone) the root of a computation.
struct LiteralUse {
  std::uint8_t side;
  InstructionId user;
  std::uint32_t operand;
  InstructionId source;  ///< the operand: a constant or the end of a chain of layout operators
  KindId kind;
};

/// Values of an integer on all ranks as an affine form of the digits: a coefficient a digit.
struct RankForm {
  std::int64_t constant = 0;
  std::vector<std::int64_t> digits;
};

/// Everything known before sizes are chosen.
struct Constraints {
  SizeSystem sizes;
  Kinds kinds;
  std::vector<ProgramSizes> programs;  ///< sequential, distributed
  std::vector<LiteralUse> uses;
  std::vector<KindId> rank_kinds;  ///< of partition-id and replica-id: what they index keeps its length
  // Where the number of ranks is a size too (mesh.h); else empty.
  bool general = false;
  std::vector<KindId> remainders, places;                                    ///< of what is divided with a remainder, and of what chooses a place
  std::vector<SizeVar> ranks;                                                ///< by digit
  std::map<std::string, std::vector<SizeVar>> axes;                          ///< by name of an axis, major first
  std::vector<std::optional<RankForm>> rank_forms;                           ///< by instruction of the distributed program
  std::map<std::pair<InstructionId, std::uint32_t>, SizeVar> rank_literals;  ///< by user and operand: divisors of a rank's number
};

void collect_instructions(Constraints& constraints, std::size_t program);
void collect_relation(Constraints& constraints, const Case& c);

}  // namespace gg
