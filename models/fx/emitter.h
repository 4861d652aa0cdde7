// Emission of the operator table's instructions, with types inferred by its rules. Nothing reaches the module before finish(), so what
// no output needs is left out.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/ir/module.h"
#include "models/relation/relation.h"

namespace gg::fx {

/// A dimension as a place in a list.
inline std::size_t at(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }

using NodeId = std::uint32_t;

/// What the emitted instructions of a statement are called and where it stands.
struct Site {
  std::string name;
  Location where;
  std::string metadata;
  std::string operation = "";  ///< `aten.add.Tensor`
};

class Emitter {
 public:
  /// `sequential`: of the graph of ranks what `accepted_inputs` of the sequential one is, else null.
  Emitter(std::string file, const std::map<std::string, IntegerSpan>* sequential) : shared_(std::make_shared<Shared>(std::move(file), sequential)) {}

  /// All that follows belongs to this statement. Returns the number of nodes so far.
  NodeId begin(Site site);
  /// The node is called `name`, if it was made since `first` and has no name yet.
  void label(NodeId node, const std::string& name, NodeId first);

  const Type& type(NodeId node) const { return nodes_[node].type; }
  ElementType element(NodeId node) const { return type(node).element; }
  const std::vector<std::int64_t>& dims(NodeId node) const { return type(node).dims; }
  Op op(NodeId node) const { return nodes_[node].op; }
  const std::vector<NodeId>& operands(NodeId node) const { return nodes_[node].operands; }
  const Attributes& attributes(NodeId node) const { return nodes_[node].attributes; }

  /// Any instruction; `stated` where the operator's type rule needs the result type. Throws InputError at the statement.
  NodeId add(Op op, std::vector<NodeId> operands, Attributes attributes = {}, Type stated = {});
  /// The next parameter of the module.
  NodeId parameter(const std::string& name, const Type& type);

  // --- where torch raises (raises.cpp)
  /// The elements of `x` are elements of that input of the sequential program.
  void elements_of(NodeId x, const std::string& input) { inputs_.emplace(x, input); }
  /// torch raises where an element of `index` lies outside.
  void raises_outside(NodeId index, const IntegerSpan& span);
  /// It raises where the condition does not hold: that of a nested graph.
  void raises_unless(NodeId condition) { conditions_.push_back(condition); }
  /// The condition on which this computation of the ranks raises nowhere; nothing where that is seen to be so wherever the sequential program does not raise.
  std::optional<NodeId> raises_nowhere();
  /// By expressions of one input, element by element: the values on which it raises nowhere.
  std::map<std::string, IntegerSpan> accepted_inputs() const;
  /// By names of instructions of the module, which `finish` made, parameters and others: likewise.
  const std::map<std::string, IntegerSpan>& accepted() const { return accepted_names_; }

  // --- sources
  NodeId number(ElementType type, double value);
  NodeId integer(ElementType type, std::int64_t value);
  /// A scalar of every rank: `values[r]` on rank r (one program's ranks 0, 1, ...).
  NodeId by_rank(ElementType type, const std::vector<double>& values);
  /// An array of s64 of every rank, row-major; a single one where no rank differs.
  NodeId known(std::vector<std::int64_t> dims, const std::vector<std::vector<std::int64_t>>& by_rank);
  NodeId iota(ElementType type, std::vector<std::int64_t> dims, std::int64_t dim);
  /// A value that nobody may read: NaN. Throws InputError for integers.
  NodeId unknown(const Type& type);
  NodeId full(std::vector<std::int64_t> dims, NodeId scalar);

  // --- layout
  NodeId reshape(NodeId x, std::vector<std::int64_t> dims);
  NodeId transpose(NodeId x, std::vector<std::int64_t> permutation);
  NodeId broadcast(NodeId x, std::vector<std::int64_t> dims, std::vector<std::int64_t> map);
  /// torch's broadcasting: aligned at the right, extents of one repeated.
  NodeId expand(NodeId x, std::vector<std::int64_t> dims);
  NodeId slice(NodeId x, std::int64_t dim, std::int64_t start, std::int64_t limit, std::int64_t step = 1);
  NodeId reverse(NodeId x, std::vector<std::int64_t> dims);
  NodeId concatenate(std::vector<NodeId> parts, std::int64_t dim);
  NodeId dynamic_slice(NodeId x, std::int64_t dim, NodeId start, std::int64_t size);
  NodeId dynamic_update(NodeId x, NodeId update, std::int64_t dim, NodeId start);
  NodeId pad(NodeId x, NodeId value, std::int64_t dim, std::int64_t low, std::int64_t high, std::int64_t interior = 0);

  // --- elementwise; operands of equal shape (scalars are broadcast)
  NodeId convert(NodeId x, ElementType type);
  NodeId unary(Op op, NodeId x) { return add(op, {x}); }
  NodeId binary(Op op, NodeId a, NodeId b);
  NodeId compare(const char* direction, NodeId a, NodeId b);
  /// A branch that is a choice by the same condition is that choice's branch.
  NodeId select(NodeId condition, NodeId a, NodeId b);
  /// `x` as select(condition, first, second) with one of them a constant, seen through changes of shape.
  struct Choice {
    NodeId condition, first, second;
  };
  std::optional<Choice> choice_of(NodeId x);
  bool is_constant(NodeId x) const;
  /// Are two nodes the same expression, as far as `depth` operators tell?
  bool equal(NodeId a, NodeId b, int depth = 6) const;

  // --- reductions, products
  /// `monoid`: Add, Maximum, Minimum, Multiply, And, Or. The reduced dimensions go away.
  NodeId reduce(Op monoid, NodeId x, std::vector<std::int64_t> dims);
  NodeId unit(Op monoid, ElementType type);
  /// out[i] = x[0] o .. o x[i] along `dim`.
  NodeId running(Op monoid, NodeId x, std::int64_t dim);
  /// Matrix product over the last dimension of a and the second last of b, leading dimensions are batches.
  NodeId matmul(NodeId a, NodeId b);
  /// The scalar computation of a monoid, for collectives and scatters; `Parameter`: the second argument (overwriting).
  void apply(Attributes& attributes, Op monoid, ElementType type);

  /// A point-to-point placeholder, replaced by models/transfer.
  NodeId transfer(Transfer::Kind kind, std::vector<NodeId> operands, Type type, PairList pairs, std::int64_t channel);

  /// A computation that instructions of this one call by its id; it is in the module once `close` said what it gives.
  Emitter& part(const std::string& name);
  void close(NodeId root) { root_ = root; }
  /// A computation of no module, to see what comes of it.
  Emitter apart() const;
  ComputationId id() const { return id_; }
  /// How often random numbers were drawn for this node before; this is once more.
  int drawn_before(NodeId x) { return draws_[x]++; }
  NodeId tuple(std::vector<NodeId> items) { return add(Op::Tuple, std::move(items)); }
  std::vector<NodeId> items(NodeId tuple);

  /// The module with these outputs, called by `names`.
  Module finish(const std::string& name, const std::vector<NodeId>& outputs, const std::vector<std::string>& names);

 private:
  struct Node {
    Op op;
    Type type;
    Attributes attributes;
    std::vector<NodeId> operands;
    std::uint32_t site;
    std::string name;
    int transfer = -1;
  };
  /// What all computations of the module have in common.
  struct Shared {
    Shared(std::string file, const std::map<std::string, IntegerSpan>* other) : builder(std::move(file)), sequential(other) {}
    Builder builder;
    const std::map<std::string, IntegerSpan>* sequential;  ///< where that graph does not raise; null in the sequential graph
    std::map<std::pair<Op, ElementType>, ComputationId> regions;
    std::map<std::string, int> names;  ///< given so far; of each the last number that was tried behind it
  };
  Emitter(std::shared_ptr<Shared> shared, ComputationId id, Site site) : shared_(std::move(shared)), id_(id) { begin(std::move(site)); }
  [[noreturn]] void fail(DiagCode code, const std::string& problem) const;
  void check_size(const Type& made) const;
  struct Read {
    IntegerSpan span;
    std::size_t site;  ///< of the first that reads there
  };
  NodeId moved(NodeId x) const;
  std::string of_one_input(NodeId x, std::optional<NodeId>& leaf, int& parts) const;
  bool lies_in(NodeId x, const IntegerSpan& span) const;
  NodeId scalar_operand(NodeId x, const std::vector<std::int64_t>& dims);
  NodeId flat_of(NodeId x) const;                ///< what is reshaped
  bool same_elements(NodeId a, NodeId b) const;  ///< in row-major order
  NodeId chosen(NodeId condition, std::size_t branch, NodeId x);
  NodeId constant(ConstantArray value);
  NodeId new_table(ElementType type, const std::vector<double>& values);
  NodeId row_of(NodeId rank, ConstantArray table);  ///< of a table of all ranks
  void define_regions();
  void define_parts();
  std::string fresh(const std::string& name);
  std::vector<bool> live_from(const std::vector<NodeId>& roots) const;
  void name_nodes(const std::vector<bool>& live);
  std::vector<InstructionId> emit_all(const std::vector<bool>& live);
  InstructionId emit(const Node& node, const std::vector<InstructionId>& made);

  std::map<NodeId, int> draws_;
  std::shared_ptr<Shared> shared_;
  ComputationId id_ = kNone;  ///< none: the entry
  NodeId root_ = 0;
  std::vector<std::unique_ptr<Emitter>> parts_;
  std::deque<Node> nodes_;  ///< references to dimensions and types stay while nodes are added
  std::vector<Site> sites_;
  std::vector<NodeId> parameters_;
  std::map<NodeId, Read> accepted_;  ///< by indices
  std::map<NodeId, std::string> inputs_;
  std::vector<NodeId> conditions_;
  std::map<std::string, IntegerSpan> accepted_names_;
  std::map<std::string, NodeId> constants_;
  std::map<std::pair<ElementType, std::vector<double>>, NodeId> tables_;    // by_rank
  std::map<std::pair<NodeId, std::vector<std::int64_t>>, NodeId> scalars_;  // broadcast
  std::vector<Transfer> transfers_;
};

}  // namespace gg::fx
