// One program as the checker walks it: flattened, with the conclusion of every array leaf.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/ir/flatten.h"
#include "models/ir/kinds.h"
#include "models/op/opaque_form.h"
#include "models/pair/case.h"
#include "prover/checker/outline.h"
#include "prover/checker/terms.h"

namespace gg::checker {

class Program {
 public:
  Program(Terms& t, const Module& module, BodyTable& bodies, bool distributed);
  /// A computation of the while node `at` of `outer`: its leaves have the times of the loops around `outer` and `time`, if
  /// any, as further indices, after the rank digits. An `iteration` becomes part of the names.
  Program(const Program& outer, std::uint32_t at, ComputationId computation, std::optional<Var> time,
          std::optional<std::int64_t> iteration = std::nullopt);

  bool distributed() const { return distributed_; }
  Op op(std::uint32_t node) const { return module_[flat_.nodes[node].instruction].op; }
  const Module& module() const { return module_; }
  std::span<const FlatValue> operands(std::uint32_t node) const { return flat_.operands(flat_.nodes[node]); }
  InstructionId instruction(std::uint32_t node) const { return flat_.nodes[node].instruction; }
  /// Rank digits and times around: the indices before the dimensions.
  const std::vector<Var>& context() const { return context_; }

  std::size_t nodes() const { return flat_.nodes.size(); }
  std::size_t leaves(std::uint32_t node) const { return module_.type(flat_.nodes[node].instruction).leaves().size(); }
  const Type& type(FlatValue v) const { return *module_.type(flat_.nodes[v.node].instruction).leaves()[v.leaf]; }
  bool is_parameter(std::uint32_t node) const { return gg::is_parameter(module_, flat_.nodes[node].instruction); }
  const FlatProgram& flat() const { return flat_; }
  std::string name(std::uint32_t node) const { return name(flat_.instance(flat_.nodes[node])); }
  /// Of an instance as the flattened program of this computation has it.
  std::string name(const Instance& instance) const;
  const RankDigits& digits() const { return bodies_.digits(); }

  /// Variables of a leaf: rank digits (distributed), times of the loops around, dimensions.
  std::vector<Var> variables(FlatValue v) const;
  /// T of the leaf: its body, or a row function, over the operands' conclusions. Nothing if it has neither.
  std::optional<Value> derive(FlatValue v);
  void conclude(FlatValue v, Value conclusion);
  /// Concludes it as this term, which is made when it is asked for.
  void conclude_late(FlatValue v, Outline outline);
  void settle(FlatValue v, Value conclusion);
  bool late(FlatValue v) const { return conclusions_[number(v)].late; }
  Value conclusion(FlatValue v) const;
  /// The outline of the conclusion; nothing for a large one.
  const Outline* outline(FlatValue v, Outlines& outlines);
  std::function<Value(FlatValue)> make_late;
  /// What the derivation of a leaf takes beside its operands' conclusions: its body, and which of the operands are literals.
  const Body* body(FlatValue v) { return bodies_.body(instruction(v.node), static_cast<int>(v.leaf)); }
  bool literal(std::uint32_t node) const { return literal_[node]; }
  /// The conclusion of a leaf at index forms.
  Value at(FlatValue v, const std::vector<Index>& index);

 private:
  void prepare();
  bool is_literal(std::uint32_t node) const;
  std::optional<Value> row(FlatValue v);
  std::optional<Value> sorted(const Call& call, bool place_itself, std::uint32_t leaf, Var binder, Index at, const std::function<Value(std::size_t, Index)>& element);
  std::optional<Value> joined(const Call& call, std::uint32_t leaf, const std::vector<Var>& binders, const std::vector<Value>& kids);
  std::optional<Value> opaque(FlatValue v, const Call& call, const OpaqueForm& form);

  Terms& t_;
  const Module& module_;
  BodyTable& bodies_;
  bool distributed_;
  FlatProgram flat_;
  struct Conclusion {
    Value value;
    bool late = false, outlined = false;
    std::optional<Outline> outline{};
  };
  std::size_t number(FlatValue v) const { return first_leaf_[v.node] + v.leaf; }

  std::vector<std::uint32_t> first_leaf_;
  std::vector<Conclusion> conclusions_;
  std::vector<bool> literal_;  // of a node: a constant, or moved elements of one
  std::string prefix_;         // names of while nodes and calls around
  std::vector<Var> times_, context_;
};

/// Data of the constant instruction of this instance, or null.
const ConstantArray* constant_at(const Module& module, const std::string& instance);

std::vector<Index> as_indices(Terms& t, const std::vector<Var>& vars);

}  // namespace gg::checker
