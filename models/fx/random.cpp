// Dropout. A mask is no function of what the graph shows. Where the relation declares it, it is an input; else it is taken as an unknown function of the element that
// is kept or dropped: equal elements get equal draws in both programs. Proofs that need it say so (opaque-pure, batch-dims). Dropped once more, the same tensor
// gets other draws.
#include <algorithm>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

/// y = x mask / (1 - p), for p below 1.
NodeId dropped(Emitter& e, NodeId x, NodeId mask, double p) {
  const auto all = [&](NodeId number) { return e.full(e.dims(x), number); };
  const NodeId factor = e.select(mask, all(e.number(e.element(x), 1 / (1 - p))), all(e.integer(e.element(x), 0)));
  return e.binary(Op::Multiply, x, factor);
}

/// (y, mask) for a mask that is given; y alone where torch printed one type.
Value masked_dropout(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), mask = call.tensor(2);
  if (!is_float(e.element(x)) || !(call.number(1) < 1)) call.refuse("of integers, or of everything: there is no mask to declare");
  const NodeId y = dropped(e, x, mask, call.number(1));
  return call.statement.type ? done(y) : Value::tuple({done(y), done(mask)});
}

/// (y, mask). train = None draws, as True does.
Value native_dropout(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const std::vector<std::int64_t> dims = e.dims(x);
  const ElementType type = e.element(x);
  if (!is_float(type)) call.refuse("of integers");
  const double p = call.number(1);
  if ((!call.none(2) && !call.flag(2)) || p == 0) return Value::tuple({done(x), done(e.full(dims, e.integer(ElementType::Pred, 1)))});
  if (p == 1) return Value::tuple({done(e.full(dims, e.integer(type, 0))), done(e.full(dims, e.integer(ElementType::Pred, 0)))});
  IntList all;
  for (std::size_t d = 0; d < dims.size(); ++d) all.push_back(static_cast<std::int64_t>(d));
  Attributes attributes(Attr::CustomCallTarget, std::string("aten.native_dropout"));
  const int before = e.drawn_before(x);
  attributes.set(Attr::BackendConfig, std::to_string(p) + (before == 0 ? "" : " draw " + std::to_string(before)));
  attributes.set(Attr::OpaqueBatchDims, all);
  const NodeId mask = e.add(Op::CustomCall, {x}, std::move(attributes), Type::array(ElementType::Pred, dims));
  return Value::tuple({done(dropped(e, x, mask, p)), done(mask)});
}

Value native_dropout_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId g = argument(call, 0), mask = e.convert(call.tensor(1), call.element());
  return done(e.binary(Op::Multiply, e.binary(Op::Multiply, g, mask), call.operand(2, call.element())));
}

constexpr std::string_view kDrawn[] = {"aten.bernoulli.default", "aten.bernoulli.p", "aten.normal.float_float", "aten.rand.default", "aten.rand_like.default", "aten.randint.default",
                                       "aten.randint.low", "aten.randn.default", "aten.randn_like.default", "aten.randperm.default", "prims.normal.default"};

constexpr Overload kRandomRows[] = {
    {"aten.dropout.default", "input, p, train", first<native_dropout>},
    {"aten.native_dropout.default", "input, p, train", native_dropout},
    {"gg.dropout.default", "input, p, mask", masked_dropout},
    {"aten.native_dropout_backward.default", "grad_output, mask, scale", native_dropout_backward},
};

}  // namespace

bool draws_numbers(std::string_view target) { return std::find(std::begin(kDrawn), std::end(kDrawn), target) != std::end(kDrawn); }

bool is_dropout(std::string_view target) { return target == "aten.native_dropout.default" || target == "aten.dropout.default"; }

std::span<const Overload> random_rows() { return kRandomRows; }

}  // namespace gg::fx
