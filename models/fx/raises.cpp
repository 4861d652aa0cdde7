// torch raises where an index is out of range. Of the sequential graph nothing is said then; that no rank raises is something to be shown of the
// ranks' graphs, and the condition of it an output of theirs.
#include <algorithm>

#include "models/base/text.h"
#include "models/fx/indexing.h"

namespace gg::fx {
namespace {

constexpr int kMostParts = 64;  ///< of an expression that is compared with those of the sequential graph

}  // namespace

/// What `x` has all its elements from, as they are: nothing is computed on the way, but for what is added to nothing.
NodeId Emitter::moved(NodeId x) const {
  const auto zero = [&](NodeId y) {
    while (op(y) == Op::Broadcast) y = operands(y)[0];
    return op(y) == Op::Constant && std::ranges::all_of(attributes(y).literal().values, [](const Scalar& v) { return v.integer == 0; });
  };
  const auto from = [&]() -> std::optional<NodeId> {
    if (is_integral(element(x)) && op(x) == Op::Add)
      for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
        if (zero(operands(x)[k])) return operands(x)[1 - k];
    const bool wider = op(x) == Op::Convert && is_integral(element(operands(x)[0])) && info(element(x)).bits > info(element(operands(x)[0])).bits;
    if (wider || op(x) == Op::Reshape || op(x) == Op::Transpose || op(x) == Op::Broadcast || op(x) == Op::Copy) return operands(x)[0];
    return std::nullopt;
  };
  while (const auto next = from()) x = *next;
  return x;
}

void Emitter::raises_outside(NodeId index, const IntegerSpan& span) {
  if (type(index).count() == 0) return;
  const auto [known, added] = accepted_.emplace(moved(index), Read{span, sites_.size() - 1});
  if (!added) known->second.span = known->second.span.within(span);
}

/// An expression of numbers and of one input, element by element, as text; "" for any other. Of an input that is read twice the elements
/// stand in one order (`leaf`).
std::string Emitter::of_one_input(NodeId x, std::optional<NodeId>& leaf, int& parts) const {
  if (++parts > kMostParts) return "";
  NodeId from = moved(x);
  if (op(from) == Op::Constant && type(from).count() == 1) {
    const Scalar& value = attributes(from).literal().values[0];
    return is_float(element(from)) ? shortest(value.real) : std::to_string(value.integer);
  }
  while (op(from) == Op::Slice && shared_->sequential != nullptr) from = moved(operands(from)[0]);  // of the sequential graph all elements are meant
  if (const auto input = inputs_.find(from); input != inputs_.end()) {
    if (leaf && *leaf != x) return "";
    leaf = x;
    return input->second;
  }
  const std::size_t said = op(x) == Op::Compare ? 1 : 0;  // attributes that stand in the text
  if (from != x || operands(x).empty() || info(op(x)).traits != OpTraits::Elementwise || attributes(x).entries().size() != said) return "";
  std::string text = "(" + std::string(info(op(x)).name) + " " + std::string(info(element(x)).name) + (op(x) == Op::Compare ? attributes(x).text(Attr::Direction) : "");
  for (const NodeId operand : operands(x)) {
    const std::string part = of_one_input(operand, leaf, parts);
    if (part.empty()) return "";
    text += " " + part;
  }
  return text + ")";
}

/// By expressions of one input: where this graph does not raise.
std::map<std::string, IntegerSpan> Emitter::accepted_inputs() const {
  std::map<std::string, IntegerSpan> result;
  for (const auto& [index, read] : accepted_) {
    std::optional<NodeId> leaf;
    int parts = 0;
    const std::string text = of_one_input(index, leaf, parts);
    if (text.empty()) continue;
    const auto [known, added] = result.emplace(text, read.span);
    if (!added) known->second = known->second.within(read.span);
  }
  return result;
}

/// Are all elements seen to lie in the span, for inputs on which the sequential graph does not raise?
bool Emitter::lies_in(NodeId x, const IntegerSpan& span) const {
  const auto inside = [&](const IntegerSpan& values) { return values.within(span) == values; };
  if (op(x) == Op::Constant) {
    const auto& values = attributes(x).literal().values;
    return std::all_of(values.begin(), values.end(), [&](const Scalar& v) { return inside({v.integer, v.integer}); });
  }
  if (op(x) == Op::Iota) return inside({0, dims(x)[at(attributes(x).integer(Attr::IotaDimension))] - 1});
  std::optional<NodeId> leaf;
  int parts = 0;
  const auto known = shared_->sequential->find(of_one_input(x, leaf, parts));
  return known != shared_->sequential->end() && inside(known->second);
}

std::optional<NodeId> Emitter::raises_nowhere() {
  if (shared_->sequential == nullptr) return std::nullopt;
  std::optional<NodeId> fine;
  const auto add = [&](NodeId one) { fine = fine ? binary(Op::And, *fine, one) : one; };
  for (const NodeId condition : std::vector(conditions_)) add(condition);
  for (const auto& [index, read] : std::map(accepted_)) {
    const IntegerSpan& span = read.span;
    if (lies_in(index, span)) continue;
    begin(Site(sites_[read.site]));  // where it raises
    const NodeId low = compare("LE", integer(element(index), span.lo), index), high = compare("LE", index, integer(element(index), span.hi));
    add(reduce(Op::And, binary(Op::And, low, high), ascending(0, type(index).rank())));
  }
  return fine;
}

}  // namespace gg::fx
