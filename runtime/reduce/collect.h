// Walks both programs and the relation and states what their instructions say about sizes and kinds of integers.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/pair/case.h"
#include "runtime/reduce/kinds.h"
#include "runtime/reduce/sizes.h"

namespace gg {

/// Unknowns of one program: the dimensions and the kind of every array leaf of every instruction.
class ProgramSizes {
 public:
  ProgramSizes(const Module& module, std::uint8_t side, SizeSystem& sizes, Kinds& kinds);
  const Module& module() const { return module_; }
  std::uint8_t side() const { return side_; }
  std::size_t leaves(InstructionId id) const { return first_[id + 1] - first_[id]; }
  const Type& type(InstructionId id, std::size_t leaf = 0) const { return *leaves_[first_[id] + leaf].type; }
  SizeVar dim(InstructionId id, std::size_t leaf, std::size_t d) const {
    return leaves_[first_[id] + leaf].dims + static_cast<SizeVar>(d);
  }
  Kind kind(InstructionId id, std::size_t leaf = 0) const { return leaves_[first_[id] + leaf].kind; }
  /// A float made of integers or of an iota by adding and moving: it may count what a dimension has.
  bool counts(InstructionId id) const { return counts_[id]; }
  /// An integer constant, or one that is only broadcast, reshaped, copied or converted: the constant.
  std::optional<InstructionId> literal(InstructionId id) const;

 private:
  struct LeafSizes {
    const Type* type;
    SizeVar dims;
    Kind kind;
  };
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
  Kind kind;
};

/// Everything known before sizes are chosen.
struct Constraints {
  SizeSystem sizes;
  Kinds kinds;
  std::vector<ProgramSizes> programs;  ///< sequential, distributed
  std::vector<LiteralUse> uses;
  std::vector<Kind> rank_kinds;        ///< of partition-id and replica-id: what they index keeps its length
};

void collect_instructions(Constraints& constraints, std::size_t program);
void collect_relation(Constraints& constraints, const Case& c);

/// For the rules of operators: names of instruction `id`'s operands, dimensions and kinds.
class Rules {
 public:
  Rules(Constraints& all, std::size_t side, InstructionId instruction)
      : constraints(all), sizes(all.sizes), kinds(all.kinds), program(all.programs[side]), module(program.module()),
        id(instruction) {}
  Constraints& constraints;
  SizeSystem& sizes;
  Kinds& kinds;
  const ProgramSizes& program;
  const Module& module;
  InstructionId id;

  SizeOrigin origin() const { return {program.side(), id}; }
  const Attributes& attributes() const { return module.attributes(id); }
  std::size_t operand_count() const { return module.operands(id).size(); }
  InstructionId operand(std::size_t k) const { return module.operands(id)[k]; }
  const Type& operand_type(std::size_t k) const { return program.type(operand(k)); }
  const Type& type(std::size_t leaf = 0) const { return program.type(id, leaf); }
  SizeVar in(std::size_t k, std::size_t d) const { return program.dim(operand(k), 0, d); }
  SizeVar out(std::size_t d, std::size_t leaf = 0) const { return program.dim(id, leaf, d); }
  Kind result_kind(std::size_t leaf = 0) const { return program.kind(id, leaf); }
  /// The kind of operand k; a literal has one of its own for each use.
  Kind operand_kind(std::size_t k);

  void equal(SizeVar a, SizeVar b) { sizes.equal(a, b, origin()); }
  /// Operand k has the extents of result leaf `leaf`; of operand 0.
  void as_result(std::size_t k, std::size_t leaf = 0);
  void as_first(std::size_t k);
  void keep(SizeVar v, const char* reason) { sizes.keep(v, reason, origin()); }
  /// Dimensions and kind of leaf `leaf_a` of a and `leaf_b` of b are the same.
  void same_leaf(InstructionId a, std::size_t leaf_a, InstructionId b, std::size_t leaf_b);
  /// All leaves of a and of b, which have the same type.
  void same_value(InstructionId a, InstructionId b);
  /// Operand k is all of b (a parameter, a result), by leaf; a literal operand by its use.
  void pass(std::size_t k, InstructionId b, std::size_t first_leaf = 0);
  /// Kind of operand k is that of result leaf `leaf`, where both are integers or count.
  void tie_result(std::size_t k, std::size_t leaf = 0);
  bool integer(std::size_t k) const;
  void keep_all(const char* reason);
};

using SizeRule = void (*)(Rules& rules);
/// The rule of an operator; every operator has one.
SizeRule size_rule(Op op);

// collect_layout.cpp
void broadcast_rule(Rules& r);
void concatenate_rule(Rules& r);
void iota_rule(Rules& r);
void pad_rule(Rules& r);
void reshape_rule(Rules& r);
void slice_rule(Rules& r);
void transpose_rule(Rules& r);
// collect_contraction.cpp
void convolution_rule(Rules& r);
void dot_rule(Rules& r);
void reduce_rule(Rules& r);
void reduce_window_rule(Rules& r);
void topk_rule(Rules& r);
/// Is this window dimension a prefix (or suffix) sum over the whole dimension of extent n?
bool is_running_window(const WindowDim& window, std::int64_t n);
// collect_indexing.cpp
void dynamic_slice_rule(Rules& r);
void dynamic_update_slice_rule(Rules& r);
void gather_rule(Rules& r);
void scatter_rule(Rules& r);
// collect_collective.cpp
void all_gather_rule(Rules& r);
void all_to_all_rule(Rules& r);
void reduce_scatter_rule(Rules& r);

}  // namespace gg
