// Composition of a straight-line module into one body.
#include "models/ir/flatten.h"
#include "models/ir/region.h"
#include "models/rank/digits.h"
#include "models/relation/bodies.h"

namespace gg {
namespace {

// Builds the expression of each flat node in order; operands come before users.
class Inliner {
 public:
  Inliner(Arena& arena, const Module& module, const RankDigits& digits, RankLayout layout,
          std::span<const Body> parameters, const LeafPlace& place)
      : arena_(arena),
        module_(module),
        bodies_(arena, module, digits, layout),
        parameters_(parameters),
        place_(place) {}

  ExprId output() {
    flat_ = flatten(module_);
    if (flat_.outputs.size() != 1) {
      fail(DiagCode::BlockMismatch, "it has " + std::to_string(flat_.outputs.size()) + " outputs instead of one");
    }
    check_inputs();
    values_.resize(flat_.nodes.size());
    for (std::size_t n = 0; n < flat_.nodes.size(); ++n) build(n);
    const FlatValue output = flat_.outputs.front();
    return values_[output.node][output.leaf];
  }

  const Type& output_type() const {
    const FlatValue output = flat_.outputs.front();
    return *module_.type(flat_.nodes[output.node].instruction).leaves()[output.leaf];
  }

 private:
  [[noreturn]] void fail(DiagCode code, const std::string& problem) const {
    throw InputError(code, place_.where, place_.text + ": in '" + module_.file + "': " + problem);
  }

  void check_inputs() const {
    if (flat_.inputs.size() != parameters_.size()) {
      fail(DiagCode::BlockMismatch, "it has " + std::to_string(flat_.inputs.size()) + " parameters, there are " +
                                        std::to_string(parameters_.size()) + " sequential tensors");
    }
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const FlatValue input = flat_.inputs[k];
      const Type& type = *module_.type(flat_.nodes[input.node].instruction).leaves()[input.leaf];
      const Type expected = Type::array(parameters_[k].type, parameters_[k].extents);
      if (!(type == expected)) {
        fail(DiagCode::BlockMismatch, "parameter " + std::to_string(k) + " is " + to_string(type) +
                                          ", the sequential tensor is " + to_string(expected));
      }
    }
  }

  void build(std::size_t n) {
    const FlatNode& node = flat_.nodes[n];
    const auto leaves = module_.type(node.instruction).leaves();
    if (module_[node.instruction].op == Op::Parameter) {
      for (std::size_t k = 0; k < flat_.inputs.size(); ++k) {
        if (flat_.inputs[k].node == n) values_[n].push_back(parameter(parameters_[k]));
      }
      return;
    }
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      values_[n].push_back(instruction(node, static_cast<int>(leaf)));
  }

  int digits() const { return bodies_.digits().count(); }

  // A sequential tensor as a value of every rank: its levels move behind the digits.
  ExprId parameter(const Body& body) const {
    Arena::Substitution lift;
    lift.vars = index_variables(arena_, digits(), body.extents);
    lift.depth = digits() + static_cast<int>(body.extents.size());
    return arena_.substitute(body.root, lift);
  }

  ExprId instruction(const FlatNode& node, int leaf) {
    const Body* body = bodies_.body(node.instruction, leaf);
    if (body == nullptr) {
      fail(DiagCode::UnsupportedForm, "%" + std::string(module_.name_of(node.instruction)) +
                                          " has no meaning as an expression: " + bodies_.reason(node.instruction));
    }
    const auto operands = flat_.operands(node);
    Arena::Substitution compose;
    compose.vars = index_variables(arena_, 0, body->extents);
    compose.depth = static_cast<int>(body->extents.size());
    compose.read = [&](int operand, std::span<const LinId> index, int depth) -> std::optional<ExprId> {
      const FlatValue value = operands[static_cast<std::size_t>(operand)];
      Arena::Substitution inner;
      inner.vars.assign(index.begin(), index.end());
      inner.depth = depth;
      return arena_.substitute(values_[value.node][value.leaf], inner);
    };
    return arena_.substitute(body->root, compose);
  }

  Arena& arena_;
  const Module& module_;
  BodyTable bodies_;
  std::span<const Body> parameters_;
  const LeafPlace& place_;
  FlatProgram flat_;
  std::vector<std::vector<ExprId>> values_;  // of each node, one a leaf, over [digits..., dims...]
};

}  // namespace

Body inline_module(Arena& arena, const Module& module, const RankDigits& digits, RankLayout layout,
                   std::span<const Body> parameters, const Type& local, const LeafPlace& place) {
  Inliner inliner(arena, module, digits, layout, parameters, place);
  const ExprId value = inliner.output();
  if (!(inliner.output_type() == local)) {
    throw InputError(DiagCode::BlockMismatch, place.where,
                     place.text + ": '" + module.file + "' computes " + to_string(inliner.output_type()) +
                         ", the distributed program has " + to_string(local));
  }
  return {local.element, lifted_extents(digits, local.dims), value};
}

}  // namespace gg
