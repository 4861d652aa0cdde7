#include "runtime/cone.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "kernels/numbers/parallel.h"
#include "models/base/check.h"

namespace gg {
namespace {

constexpr int kMaxDepth = 2000;                   ///< values that hang on each other while one is made
constexpr std::int64_t kMostElements = 2'000'000;  ///< of one program
constexpr std::int64_t kMostReads = 50'000'000;   ///< of inputs, by one program
constexpr int kIndexBits = 40;

}  // namespace

Cone::Cone(BodyTable& bodies, const std::vector<Body>& parameters, const Relation& relation, const InputSet& inputs, NumberMode mode, std::int64_t most)
    : bodies_(bodies), parameters_(parameters), relation_(relation), inputs_(inputs), mode_(mode), most_(most), flat_(flatten(bodies.module())) {
  std::vector<std::int64_t> digits;
  for (const Digit& d : bodies.digits().digits()) digits.push_back(d.extent);
  for (const FlatNode& node : flat_.nodes) {
    first_leaf_.push_back(static_cast<std::uint32_t>(extents_.size()));
    int number = 0;
    for (const Type* leaf : bodies.module().type(node.instruction).leaves()) {
      extents_.push_back(digits);
      extents_.back().insert(extents_.back().end(), leaf->dims.begin(), leaf->dims.end());
      body_of_.push_back(leaf->is_array() ? bodies.body(node.instruction, number++) : nullptr);
    }
  }
  parameter_of_.resize(extents_.size());
  for (std::size_t k = 0; k < flat_.inputs.size(); ++k) parameter_of_[first_leaf_[flat_.inputs[k].node] + flat_.inputs[k].leaf] = k;
}

Cell Cone::output(std::size_t leaf, std::span<const std::int64_t> index) { return element(flat_.outputs.at(leaf), index); }

Cell Cone::element(FlatValue v, std::span<const std::int64_t> index) {
  const std::uint32_t leaf = first_leaf_[v.node] + v.leaf;
  const std::vector<std::int64_t>& extents = extents_[leaf];
  GG_CHECK(index.size() == extents.size(), "read with another rank than its operand");
  std::uint64_t address = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    GG_CHECK(index[d] >= 0 && index[d] < extents[d], "read out of range");
    address = address * static_cast<std::uint64_t>(extents[d]) + static_cast<std::uint64_t>(index[d]);
  }
  if (parameter_of_[leaf]) return parameter(*parameter_of_[leaf], index);  // as quick as to look it up
  const auto fail = [&](RuntimeFailure::Kind kind, const char* why) { throw RuntimeFailure(kind, why, flat_.instance(flat_.nodes[v.node])); };
  if (address >> kIndexBits != 0) fail(RuntimeFailure::Kind::Unsupported, "an array of more than 2^40 elements");
  const std::uint64_t key = std::uint64_t{leaf} << kIndexBits | address;
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  if (elements() >= most_ || depth_ >= kMaxDepth) fail(RuntimeFailure::Kind::Budget, "the cone is too large");
  ++depth_;
  const Cell result = computed(v, index);
  --depth_;
  known_.emplace(key, result);
  return result;
}

Cell Cone::parameter(std::size_t leaf, std::span<const std::int64_t> index) {
  if (++read_ > kMostReads) throw RuntimeFailure(RuntimeFailure::Kind::Budget, "the cone reads too much", {});
  const ElementReader read = [this](std::size_t input, std::span<const std::int64_t> at) { return free_input(input, at); };
  return evaluate_element(bodies_.arena(), parameters_[leaf].root, mode_, index, read, ties_);
}

Cell Cone::computed(FlatValue v, std::span<const std::int64_t> index) {
  const FlatNode& node = flat_.nodes[v.node];
  const Body* body = body_of_[first_leaf_[v.node] + v.leaf];
  if (body == nullptr) throw RuntimeFailure(RuntimeFailure::Kind::Unsupported, "a value without a body", flat_.instance(node));
  const ElementReader read = [&](std::size_t operand, std::span<const std::int64_t> at) { return element(flat_.operands(node)[operand], at); };
  return evaluate_element(bodies_.arena(), body->root, mode_, index, read, ties_);
}

Cell Cone::free_input(std::size_t input, std::span<const std::int64_t> index) const {
  const Type& type = relation_.free.at(input).type;
  std::size_t address = 0;
  for (std::size_t d = 0; d < index.size(); ++d) address = address * static_cast<std::size_t>(type.dims[d]) + static_cast<std::size_t>(index[d]);
  const Buffer& given = inputs_.free[input];
  const bool integral = given.storage() == Storage::Int64;
  Cell out;
  store_scalar(storage_of(type.element, mode_), out.bytes, type.element, integral ? 0 : given.as<double>()[address],
               integral ? wrap_to(type.element, given.as<std::int64_t>()[address]) : 0);
  return out;
}

namespace {

/// Both sides of a claim at one place, at one precision; nothing where a cone cannot be made.
std::optional<ConeAnswer> look_on_cone(Case& c, const InputSet& inputs, const OutputClaim& claim, std::span<const std::int64_t> at,
                                       NumberMode mode, bool& open) {
  Cone cones[2] = {{*c.sequential_bodies, c.relation.sequential_inputs, c.relation, inputs, mode, kMostElements},
                   {*c.distributed_bodies, c.relation.distributed_inputs, c.relation, inputs, mode, kMostElements}};
  const ExprId roots[2] = {claim.sequential, claim.distributed};
  ClaimedValues values;
  values.compared = Buffer(Storage::Int64, 1);
  values.compared.as<std::int64_t>()[0] = 1;
  Buffer* const made[2] = {&values.sequential, &values.distributed};
  bool done[2] = {};
  std::exception_ptr bugs[2];
  for_each_part(2, [&](std::int64_t side) {
    const auto s = static_cast<std::size_t>(side);
    TieCounter ties;
    try {
      const ElementReader read = [&](std::size_t leaf, std::span<const std::int64_t> index) { return cones[s].output(leaf, index); };
      const Cell value = evaluate_element(*c.arena, roots[s], mode, at, read, ties);
      *made[s] = Buffer(storage_of(ElementType::F64, mode), 1);
      std::copy_n(value.bytes, made[s]->bytes(), static_cast<unsigned char*>(made[s]->data()));
      done[s] = true;
    } catch (const RuntimeFailure&) {  // too large, or with something that has no body
    } catch (...) {
      bugs[s] = std::current_exception();
    }
  });
  for (const std::exception_ptr& bug : bugs)
    if (bug) std::rethrow_exception(bug);
  if (!done[0] || !done[1]) return std::nullopt;
  const Look look = look_at(values);
  open = look.outcome.unresolved != 0 || cones[0].tied() || cones[1].tied();
  if (look.outcome.compared == 0) return std::nullopt;
  return ConeAnswer{!look.differing.empty(), cones[0].elements() + cones[1].elements()};
}

}  // namespace

std::optional<ConeAnswer> confirm_on_cone(Case& c, const InputSet& inputs, std::size_t output, std::int64_t element) {
  if (c.manual_bodies) return std::nullopt;  // such a program runs over the ranks
  const OutputClaim& claim = c.relation.outputs[output];
  if (is_integral((*c.arena)[claim.sequential].type)) return std::nullopt;
  std::vector<std::int64_t> at(claim.extents.size());
  for (std::size_t d = at.size(); d-- > 0; element /= claim.extents[d]) at[d] = element % claim.extents[d];
  for (std::optional<NumberMode> mode = NumberMode::Real; mode; mode = finer(*mode)) {
    bool open = false;
    const auto answer = look_on_cone(c, inputs, claim, at, *mode, open);
    if (!answer || !open) return answer;
  }
  return std::nullopt;
}

}  // namespace gg
