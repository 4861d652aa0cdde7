// Promotion and broadcasting.
#include "models/fx/types.h"

#include <optional>

namespace gg::fx {
namespace {

int category(ElementType type) { return is_float(type) ? 2 : type == ElementType::Pred ? 0
                                                                                       : 1; }

/// The wider of two types of one or two categories, as torch.promote_types. (u8 and a signed type: the next signed one.)
ElementType wider(ElementType a, ElementType b) {
  if (a == b) return a;
  if (category(a) != category(b)) return category(a) > category(b) ? a : b;
  if (is_float(a)) {
    const int bits_a = info(a).bits, bits_b = info(b).bits;
    if (bits_a == bits_b) return ElementType::F32;  // f16 and bf16
    return bits_a > bits_b ? a : b;
  }
  if (is_signed(a) == is_signed(b)) return info(a).bits > info(b).bits ? a : b;
  const ElementType with = is_signed(a) ? a : b, without = is_signed(a) ? b : a;
  if (info(with).bits > info(without).bits) return with;
  return info(without).bits == 8 ? ElementType::S16 : info(without).bits == 16 ? ElementType::S32
                                                                               : ElementType::S64;
}

}  // namespace

ElementType common_type(const Operation& call, const std::vector<std::size_t>& arguments) {
  std::optional<ElementType> kinds[3];  // tensors with dimensions, without, Python numbers
  for (const std::size_t k : arguments) {
    ElementType type{};
    int kind = 2;
    if (call.is_tensor(k)) {
      const NodeId x = call.tensor(k);
      type = call.e.element(x);
      kind = call.e.dims(x).empty() ? 1 : 0;
    } else {
      type = call.is_float_literal(k) ? ElementType::F32 : call.raw(k).kind == Argument::Kind::Bool ? ElementType::Pred
                                                                                                    : ElementType::S64;
    }
    kinds[kind] = kinds[kind] ? wider(*kinds[kind], type) : type;
  }
  std::optional<ElementType> result;
  for (const auto& type : kinds) {
    if (type && (!result || category(*type) > category(*result))) result = type;
  }
  return *result;
}

ElementType common_type(const Operation& call, std::size_t a, std::size_t b) { return common_type(call, std::vector<std::size_t>{a, b}); }

NodeId shaped(Operation& call, NodeId x) { return call.e.expand(x, call.out().dims); }

NodeId argument(Operation& call, std::size_t k) { return shaped(call, call.operand(k, call.element())); }

std::pair<NodeId, NodeId> both(Operation& call, std::size_t a, std::size_t b) {
  const NodeId first = argument(call, a);
  return {first, argument(call, b)};
}

std::pair<NodeId, NodeId> computed(Operation& call, std::size_t a, std::size_t b) {
  const auto number = [&](std::size_t k) { return call.raw(k).kind == Argument::Kind::Float || call.raw(k).kind == Argument::Kind::Table; };
  const ElementType type = is_float(call.element()) && (number(a) || number(b)) ? computed_in(call.element()) : call.element();
  const NodeId first = shaped(call, call.operand(a, type));
  return {first, shaped(call, call.operand(b, type))};
}

NodeId scalar(Operation& call, double value) { return call.e.number(call.element(), value); }

}  // namespace gg::fx
