// Operators without an order-free meaning as opaque functions of whole rows (certificate.md, R).
#include <algorithm>
#include <array>

#include "models/op/custom_calls.h"
#include "models/op/opaque_form.h"
#include "models/op/row_form.h"
#include "models/op/row_order.h"
#include "models/op/semilattice.h"
#include "prover/engine/engine.h"
#include "prover/term/permuted.h"

namespace gg::prover {

std::uint32_t Engine::signature(const std::string& text) {
  const auto it = std::find(signatures_.begin(), signatures_.end(), text);
  if (it != signatures_.end()) return static_cast<std::uint32_t>(it - signatures_.begin());
  signatures_.push_back(text);
  return static_cast<std::uint32_t>(signatures_.size() - 1);
}

/// A function of whole arrays (models/op/opaque_form.h), each operand a row of its own at the batch indices, without an index:
/// it stands for the array.
std::optional<TermId> Engine::opaque_row_of(Side& side, std::uint32_t node, std::uint32_t leaf, const OpaqueForm& form) {
  const Module& module = *side.module;
  const InstructionId id = side.flat.nodes[node].instruction;
  std::string text = form.text;
  const std::size_t digits = digits_of(side) + side.times.size();
  const Extents all = extents_of(side, node, leaf);
  const std::vector<LinId> outer = t_.variables(std::span(all.all).first(digits));
  const auto position = [&](std::size_t d) { return t_.var(static_cast<VarId>(digits + d), all.all[digits + d]); };

  const Call call = side.bodies->call(id);
  std::vector<const Type*> types(call.operands.begin(), call.operands.end());
  const LeafTypes results = module.type(id).leaves();
  types.insert(types.end(), results.begin(), results.end());
  const Type& own = *results[leaf];
  // Elements of a block in an array: all of them, or one for each block; 0 where it has no blocks.
  const auto elements = [&](const Type& type, std::size_t d) -> std::int64_t {
    const std::int64_t block = form.block_at(d);
    if (d >= own.dims.size()) return 0;
    if (type.dims[d] == own.dims[d]) return block;
    return block * type.dims[d] == own.dims[d] ? 1 : 0;
  };
  for (std::size_t k = 0; k < types.size(); ++k) {
    const Type* type = types[k];
    const int number = k < call.operands.size() ? static_cast<int>(k) : -1;
    if (!type->is_array()) return std::nullopt;
    text += " " + std::string(gg::info(type->element).name);
    if (type->rank() == 0) continue;
    for (const OpaqueForm::Block& b : form.batch)
      if (form.block_at(static_cast<std::size_t>(b.dim), number) > 0 && (b.dim >= type->rank() || elements(*type, static_cast<std::size_t>(b.dim)) == 0)) return std::nullopt;
    for (std::size_t d = 0; d < type->dims.size(); ++d)
      text += form.block_at(d, number) > 0 ? " *" + std::to_string(elements(*type, d)) : " " + std::to_string(type->dims[d]);
  }
  std::vector<TermId> arrays;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const Type& type = *call.operands[k];
    std::vector<std::int64_t> extents;
    for (std::size_t d = 0; d < type.dims.size(); ++d) extents.push_back(form.block_at(d, static_cast<int>(k)) > 0 ? elements(type, d) : type.dims[d]);
    const Fresh binders = t_.fresh(extents);
    std::vector<LinId> index = outer;
    for (std::size_t d = 0; d < type.dims.size(); ++d) {
      const std::int64_t block = form.block_at(d, static_cast<int>(k));
      index.push_back(block == 0 ? binders[d] : t_.axpy(extents[d], t_.div(position(d), block), binders[d]));
    }
    const std::array body{operand(side, node, static_cast<int>(k), index)};
    arrays.push_back(t_.row(signature("array"), 0, Sort::Real, binders, {}, body));
  }
  std::vector<LinId> place;
  for (std::size_t d = 0; d < own.dims.size(); ++d) place.push_back(form.block_at(d) > 0 ? t_.mod(position(d), form.block_at(d)) : position(d));
  const std::string target = call.attributes->has(Attr::CustomCallTarget) ? call.attributes->text(Attr::CustomCallTarget) : "";
  const bool assumed = !target.empty() && !is_library_function(target);
  for (const AssumptionKind kind : {AssumptionKind::OpaquePure, AssumptionKind::BatchDims}) {
    const Assumption a{kind, {target}};
    const bool needed = assumed && (kind == AssumptionKind::OpaquePure || !form.batch.empty());
    if (needed && std::find(assumptions_.begin(), assumptions_.end(), a) == assumptions_.end()) assumptions_.push_back(a);
  }
  return t_.row(signature(text) | (form.summed.empty() ? 0 : Terms::kSums), leaf, sort_of(own.element), {}, place, arrays);
}

/// A reduction of tuples by a join: of the initial values and of all elements. The region's laws hold of what is not NaN.
std::optional<TermId> Engine::join_of(const Region& region, const Call& call, std::uint32_t leaf, std::span<const LinId> binders,
                                      std::span<const TermId> bodies) {
  const std::size_t places = region.results.size();
  std::string text = "join";
  for (std::size_t k = 0; k < places; ++k) text += " " + std::string(gg::info(call.operands[k]->element).name) + " " + case_.arena->print(region.results[k]);
  for (const TermId b : bodies)
    if (t_[b].sort == Sort::Bool || (t_[b].sort == Sort::Real && !t_.attributes(b).ordered)) return std::nullopt;
  const auto largest = keeps_largest(*case_.arena, region);
  const std::uint32_t kept = !largest ? 0 : *largest ? Terms::kLargest
                                                     : Terms::kSmallest;
  const std::uint32_t number = signature(text) | Terms::kJoin | kept;
  const auto tuple = [&](std::size_t from) { return t_.row(number, static_cast<std::uint32_t>(places), Sort::Real, {}, {}, bodies.subspan(from, places)); };
  const TermId elements = t_.fold(ScalarFn::Max, binders, TermId::True, tuple(0));
  const std::array all{t_.extremum(ScalarFn::Max, std::array{tuple(places), elements})};
  return t_.row(number, leaf, sort_of(call.operands[leaf]->element), {}, {}, all);
}

/// A result of a sort by one key or a top-k: what stands, in the result's operand, where the element was that comes to the place `at`; that
/// place itself. `element(k, place)`: of operand k in the row.
std::optional<TermId> Engine::order_of(const RowOrder& order, bool place_itself, std::uint32_t leaf, LinId binder, LinId at,
                                       const std::function<TermId(std::size_t, LinId)>& element) {
  TermId key = element(0, binder);
  const Sort sort = t_[key].sort;
  const bool apart = order.nan == RowOrder::Nan::Apart && sort == Sort::Real && !t_.attributes(key).ordered;
  if (sort == Sort::Bool || apart || (leaf > 0 && !order.stable && !distinct_numbers(t_, binder, key))) return std::nullopt;
  if (order.ascending && key != TermId::Unknown) key = t_.negative(key);
  const std::uint32_t number = Terms::kOrder | (order.nan == RowOrder::Nan::Last ? 0 : Terms::kNanFirst);
  const TermId place = t_.row(number, Terms::kPlace, Sort::Int, std::array{binder}, std::array{at}, std::array{key});
  return place == TermId::Unknown || place_itself ? place : element(leaf, t_.as_lin(place));
}

std::optional<TermId> Engine::row_of(Side& side, std::uint32_t node, std::uint32_t leaf) {
  const InstructionId id = side.flat.nodes[node].instruction;
  if (side.bodies->body(id, static_cast<int>(leaf)) != nullptr) return std::nullopt;
  const Call call = side.bodies->call(id);
  if (call.operands.empty() || !call.operands[0]->is_array()) return std::nullopt;
  if (const auto opaque = opaque_form(call)) return opaque_row_of(side, node, leaf, *opaque);
  const auto form = row_form(call);
  if (!form) return std::nullopt;
  const std::size_t digits = digits_of(side) + side.times.size();
  const std::vector<std::int64_t>& dims = call.operands[0]->dims;

  // Operand element: batch dimensions at the result's indices, row dimensions at the binders.
  const Fresh binders = t_.fresh(form->extents);
  const Extents all = extents_of(side, node, leaf);
  const auto own = [&](std::size_t k) { return t_.var(static_cast<VarId>(k), all.all[k]); };
  std::vector<LinId> index = t_.variables(std::span(all.all).first(digits)), row_index;
  TermId inside = TermId::True;
  std::size_t out = digits;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const auto it = std::find(form->dims.begin(), form->dims.end(), static_cast<std::int64_t>(d));
    if (it == form->dims.end()) {
      index.push_back(own(out++));
      continue;
    }
    index.push_back(binders[static_cast<std::size_t>(it - form->dims.begin())]);
    if (form->keeps) row_index.push_back(own(out++));
    if (form->window.empty()) continue;
    const WindowDim& w = form->window[d];
    index.back() = t_.axpy(w.window_dilation, index.back(), t_.offset(t_.scale(w.stride, own(out++)), -w.pad_low));
    inside = t_.conj(inside, t_.in_range(index.back(), dims[d]));
  }
  if (const auto order = row_order(*case_.arena, call)) {
    const auto element = [&](std::size_t k, LinId place) {
      std::vector<LinId> there = index;
      there[digits + static_cast<std::size_t>(form->dims[0])] = place;
      return operand(side, node, static_cast<int>(k), there);
    };
    if (const auto result = order_of(*order, form->positions && leaf == 1, leaf, binders[0], row_index[0], element)) return result;
  }
  const std::span<const LinId> scalar(index.data(), digits);
  std::vector<TermId> bodies;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const TermId element = operand(side, node, static_cast<int>(k), k < form->values ? std::span<const LinId>(index) : scalar);
    const bool window = k < form->values && !form->window.empty();
    bodies.push_back(window ? t_.choose(inside, element, operand(side, node, static_cast<int>(k + form->values), scalar)) : element);
  }
  const bool joins = !form->keeps && form->window.empty() && is_semilattice(*case_.arena, *call.regions[0]);
  const auto join = joins ? join_of(*call.regions[0], call, leaf, binders, bodies) : std::nullopt;
  return join ? *join : t_.row(signature(form->text) | (form->keeps ? Terms::kKeeps : 0), leaf, sort_of(all.type), binders, row_index, bodies);
}

}  // namespace gg::prover
