#include "runtime/cone.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>

#include "kernels/numbers/parallel.h"
#include "models/base/check.h"
#include "models/ir/kinds.h"
#include "models/op/facts.h"
#include "models/rank/digits.h"

namespace gg {
namespace {

constexpr int kMaxDepth = 2000;  ///< values that hang on each other while one is made
constexpr int kIndexBits = 40;

Buffer single(const Cell& cell, Storage storage) {
  Buffer buffer(storage, 1);
  std::copy_n(cell.bytes, buffer.bytes(), static_cast<unsigned char*>(buffer.data()));
  return buffer;
}

/// A literal of type `from` as a value of `type`, rounded to it.
Cell literal_of(const Cell& value, ElementType from, ElementType type, const ConeReading& reading) {
  const Buffer rounded = rounded_literal(single(value, storage_of(type, reading.mode)), from, type, reading.literals);
  Cell out;
  std::copy_n(static_cast<const unsigned char*>(rounded.data()), rounded.bytes(), out.bytes);
  return out;
}

const IntegerSpan* span_of(const Cone::Accepted* accepted, const Module& module, InstructionId id) {
  if (accepted == nullptr || accepted->empty()) return nullptr;
  const auto found = accepted->find(std::string(module.name_of(id)));
  return found == accepted->end() ? nullptr : &found->second;
}

}  // namespace

Cone::Cone(BodyTable& bodies, const std::vector<Body>& parameters, InputElement inputs, ConeReading reading, const Accepted* accepted)
    : bodies_(bodies), parameters_(parameters), inputs_(std::move(inputs)), reading_(reading), flat_(flatten(bodies.module())) {
  for (const FlatNode& node : flat_.nodes) {
    first_leaf_.push_back(static_cast<std::uint32_t>(extents_.size()));
    const auto operands = flat_.operands(node);
    const bool literal = is_constant(bodies.module(), node.instruction) ||
                         ((rearranges(bodies.module()[node.instruction].op) || rounds(node)) && literal_[leaf_of(operands[0])]);
    const IntegerSpan* span = span_of(accepted, bodies.module(), node.instruction);
    int number = 0;
    for (const Type* leaf : bodies.module().type(node.instruction).leaves()) {
      extents_.push_back(lifted_extents(bodies.digits(), leaf->dims));
      body_of_.push_back(leaf->is_array() ? bodies.body(node.instruction, number++) : nullptr);
      literal_.push_back(literal && leaf->is_array() && is_float(leaf->element));
      accepted_.push_back(leaf->is_array() && is_integral(leaf->element) ? span : nullptr);
    }
  }
  parameter_of_.resize(extents_.size());
  folds_.resize(extents_.size());
  for (std::size_t k = 0; k < flat_.inputs.size(); ++k) parameter_of_[leaf_of(flat_.inputs[k])] = k;
}

void Cone::restart(ConeReading reading) {
  reading_ = reading;
  known_.clear();
  for (auto& folds : folds_) folds.reset();
  ties_ = {};
  depth_ = 0;
}

double Cone::operations(const std::vector<std::pair<std::size_t, Box>>& outputs) const {
  std::vector<Box> boxes(extents_.size());
  const auto need = [&](FlatValue v, const Box& box) {
    Box& whole = boxes[leaf_of(v)];
    if (whole.empty()) whole.assign(box.size(), {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()});
    for (std::size_t d = 0; d < box.size(); ++d) whole[d].cover(box[d].lo, box[d].hi);
    if (box.empty()) whole = {{0, 0}};  // a scalar
  };
  for (const auto& [leaf, box] : outputs) need(flat_.outputs.at(leaf), box);
  double sum = 0;
  for (std::size_t node = flat_.nodes.size(); node-- > 0;) {
    const std::size_t end = node + 1 < flat_.nodes.size() ? first_leaf_[node + 1] : extents_.size();
    for (std::size_t leaf = first_leaf_[node]; leaf < end; ++leaf) {
      if (boxes[leaf].empty() || parameter_of_[leaf]) continue;
      if (body_of_[leaf] == nullptr) return std::numeric_limits<double>::infinity();
      const auto read = [&](std::size_t operand, const Box& box) { need(flat_.operands(flat_.nodes[node])[operand], box); };
      sum += static_cast<double>(count(boxes[leaf])) * ReadBoxes(bodies_.arena(), boxes[leaf], read).walk(body_of_[leaf]->root);
    }
  }
  return sum;
}

Cell Cone::output(std::size_t leaf, std::span<const std::int64_t> index) { return element(flat_.outputs.at(leaf), index); }

Cell Cone::element(FlatValue v, std::span<const std::int64_t> index) {
  const std::uint32_t leaf = leaf_of(v);
  const std::vector<std::int64_t>& extents = extents_[leaf];
  GG_CHECK(index.size() == extents.size(), "read with another rank than its operand");
  std::uint64_t address = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    GG_CHECK(index[d] >= 0 && index[d] < extents[d], "read out of range");
    address = address * static_cast<std::uint64_t>(extents[d]) + static_cast<std::uint64_t>(index[d]);
  }
  if (parameter_of_[leaf]) return unless_raised(v, parameter(*parameter_of_[leaf], index));  // as quick as to look it up
  const auto fail = [&](RuntimeFailure::Kind kind, const char* why) { throw RuntimeFailure(kind, why, flat_.instance(flat_.nodes[v.node])); };
  if (address >> kIndexBits != 0) fail(RuntimeFailure::Kind::Unsupported, "an array of more than 2^40 elements");
  const std::uint64_t key = std::uint64_t{leaf} << kIndexBits | address;
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  if (depth_ >= kMaxDepth) fail(RuntimeFailure::Kind::Budget, "the cone is too deep");
  ++depth_;
  Cell result = unless_raised(v, computed(v, index));
  if (result.origin == 0) result.origin = key + 1;
  --depth_;
  known_.emplace(key, result);
  return result;
}

/// Of inputs on which the program raises an element says nothing.
const Cell& Cone::unless_raised(FlatValue v, const Cell& value) const {
  const IntegerSpan* span = accepted_[leaf_of(v)];
  if (span == nullptr) return value;
  std::int64_t number = 0;
  std::memcpy(&number, value.bytes, sizeof number);
  if (number >= span->lo && number <= span->hi) return value;
  throw RuntimeFailure(RuntimeFailure::Kind::Unsupported, "the program raises on these inputs", flat_.instance(flat_.nodes[v.node]));
}

Cell Cone::parameter(std::size_t leaf, std::span<const std::int64_t> index) {
  const ElementReader read = [this](std::size_t input, std::span<const std::int64_t> at) { return inputs_(input, at, reading_.mode); };
  return evaluate_element(bodies_.arena(), parameters_[leaf].root, reading_.mode, index, read, ties_);
}

Cell Cone::computed(FlatValue v, std::span<const std::int64_t> index) {
  const FlatNode& node = flat_.nodes[v.node];
  const Body* body = body_of_[leaf_of(v)];
  if (body == nullptr) throw RuntimeFailure(RuntimeFailure::Kind::Unsupported, "a value without a body", flat_.instance(node));
  const auto operands = flat_.operands(node);
  const ElementReader read = [&](std::size_t operand, std::span<const std::int64_t> at) { return element(operands[operand], at); };
  auto& folds = folds_[leaf_of(v)];
  if (!folds) folds = std::make_unique<KnownFolds>(bodies_.arena());
  const Cell value = evaluate_element(bodies_.arena(), body->root, reading_.mode, index, read, ties_, folds.get());
  if (!literal_[leaf_of(v)]) return value;
  const Module& module = bodies_.module();
  if (is_constant(module, node.instruction)) return literal_of(value, body->type, body->type, reading_);
  return rounds(node) ? literal_of(value, module.type(module.operands(node.instruction)[0]).element, body->type, reading_) : value;
}

bool Cone::rounds(const FlatNode& node) const {
  const Module& module = bodies_.module();
  return converts(module[node.instruction].op) &&
         rounds_literal(module.type(module.operands(node.instruction)[0]).element, module.type(node.instruction).element);
}

struct ConePair::Impl {
  Impl(Case& given, const InputElement& inputs)
      : c(given), cones{{*c.sequential_bodies, c.relation.sequential_inputs, inputs, {}, &c.accepted}, {*c.distributed_bodies, c.relation.distributed_inputs, inputs, {}}} {}
  Case& c;
  Cone cones[2];

  std::vector<std::int64_t> place(const OutputClaim& claim, std::int64_t element) const {
    std::vector<std::int64_t> at(claim.extents.size());
    for (std::size_t d = at.size(); d-- > 0; element /= claim.extents[d]) at[d] = element % claim.extents[d];
    return at;
  }

  /// Both sides of a claim at one place; nothing where a cone cannot be made.
  std::optional<ClaimedValues> values(const OutputClaim& claim, std::span<const std::int64_t> at, ConeReading reading) {
    const ExprId roots[2] = {claim.sequential, claim.distributed};
    ClaimedValues made;
    made.compared = Buffer(Storage::Int64, 1);
    made.compared.as<std::int64_t>()[0] = 1;
    Buffer* const sides[2] = {&made.sequential, &made.distributed};
    bool done[2] = {};
    std::exception_ptr bugs[2];
    for_each_part(2, [&](std::int64_t side) {
      const auto s = static_cast<std::size_t>(side);
      TieCounter ties;
      try {
        cones[s].restart(reading);
        const ElementReader read = [&](std::size_t leaf, std::span<const std::int64_t> index) { return cones[s].output(leaf, index); };
        *sides[s] = single(evaluate_element(*c.arena, roots[s], reading.mode, at, read, ties), storage_of(ElementType::F64, reading.mode));
        done[s] = true;
      } catch (const RuntimeFailure&) {  // too deep, or with something that has no body
      } catch (...) {
        bugs[s] = std::current_exception();
      }
    });
    for (const std::exception_ptr& bug : bugs)
      if (bug) std::rethrow_exception(bug);
    if (!done[0] || !done[1]) return std::nullopt;
    return made;
  }
};

ConePair::ConePair(Case& c, InputElement inputs) : impl_(std::make_unique<Impl>(c, inputs)) {}
ConePair::~ConePair() = default;

double ConePair::operations(std::size_t output, std::int64_t element) {
  const OutputClaim& claim = impl_->c.relation.outputs[output];
  const std::vector<std::int64_t> at = impl_->place(claim, element);
  Box levels;
  for (const std::int64_t i : at) levels.push_back({i, i});
  const ExprId roots[2] = {claim.sequential, claim.distributed};
  double sum = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    std::vector<std::pair<std::size_t, Box>> leaves;
    sum += ReadBoxes(*impl_->c.arena, levels, [&](std::size_t leaf, const Box& box) { leaves.emplace_back(leaf, box); }).walk(roots[s]);
    sum += impl_->cones[s].operations(leaves);
  }
  return sum;
}

std::optional<ConeAnswer> ConePair::look(std::size_t output, std::int64_t element, bool literal_balls) {
  Impl& impl = *impl_;
  const OutputClaim& claim = impl.c.relation.outputs[output];
  if (impl.c.manual_bodies || is_integral((*impl.c.arena)[claim.sequential].type)) return std::nullopt;  // the former run over the ranks
  if (!(operations(output, element) <= kMost)) return std::nullopt;
  const std::vector<std::int64_t> at = impl.place(claim, element);
  for (std::optional<NumberMode> mode = NumberMode::Real; mode; mode = finer(*mode)) {
    const auto values = impl.values(claim, at, {*mode});
    if (!values) return std::nullopt;
    const Look look = look_at(*values);
    ConeAnswer answer{!look.differing.empty(), impl.cones[0].elements() + impl.cones[1].elements(), {}, {}};
    if (look.outcome.unresolved != 0 || impl.cones[0].tied() || impl.cones[1].tied()) continue;
    if (look.outcome.compared == 0) return std::nullopt;
    if (answer.differs) {
      const Difference difference = describe(impl.c, output, *values, {0}, look.outcome);
      answer.sequential = difference.sequential;
      answer.distributed = difference.distributed;
    }
    if (!answer.differs || !literal_balls) return answer;
    const auto again = impl.values(claim, at, {*mode, {.balls = true}});
    if (!again) return std::nullopt;
    answer.differs = !look_at(*again).differing.empty();
    return answer;
  }
  return std::nullopt;
}

}  // namespace gg
