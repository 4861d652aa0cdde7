// Matrix products.
#include "models/fx/types.h"

namespace gg::fx {
namespace {

bool unit(const Operation& call, std::size_t k) { return call.number(k) == 1; }

NodeId times(Operation& call, NodeId x, std::size_t k) {
  return unit(call, k) ? x : call.e.binary(Op::Multiply, x, call.operand(k, call.element()));
}

Value product(Operation& call) { return Value::tensor(call.e.matmul(call.tensor(0), call.tensor(1))); }

/// beta b + alpha x y; with beta = 0 b is not read.
Value added(Operation& call) {
  const NodeId dot = times(call, call.e.matmul(call.tensor(1), call.tensor(2)), 4);
  if (call.number(3) == 0) return Value::tensor(dot);
  return Value::tensor(call.e.binary(Op::Add, times(call, argument(call, 0), 3), dot));
}

Value matrix_vector(Operation& call) {
  const NodeId x = call.tensor(0), y = call.tensor(1);
  if (call.e.dims(x).size() != 2 || call.e.dims(y).size() != 1) call.refuse("expected a matrix and a vector");
  const NodeId column = call.e.reshape(y, {call.e.dims(y)[0], 1});
  return Value::tensor(call.e.reshape(call.e.matmul(x, column), {call.e.dims(x)[0]}));
}

Value dot(Operation& call) {
  const NodeId x = call.tensor(0), y = call.tensor(1);
  if (call.e.dims(x).size() != 1 || call.e.dims(y).size() != 1) call.refuse("expected vectors");
  const NodeId row = call.e.reshape(x, {1, call.e.dims(x)[0]});
  return Value::tensor(call.e.reshape(call.e.matmul(row, call.e.reshape(y, {call.e.dims(y)[0], 1})), {}));
}

constexpr Overload kRows[] = {
    {"aten.addmm.default", "self, mat1, mat2, *, beta=1, alpha=1", added},
    {"aten.baddbmm.default", "self, batch1, batch2, *, beta=1, alpha=1", added},
    {"aten.bmm.default", "self, mat2", product},
    {"aten.dot.default", "self, tensor", dot},
    {"aten.mm.default", "self, mat2", product},
    {"aten.mv.default", "self, vec", matrix_vector},
};

}  // namespace

std::span<const Overload> matmul_rows() { return kRows; }

}  // namespace gg::fx
