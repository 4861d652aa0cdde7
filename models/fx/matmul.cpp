// Matrix products.
#include "models/fx/types.h"

namespace gg::fx {
namespace {

bool unit(const Operation& call, std::size_t k) { return call.number(k) == 1; }

NodeId times(Operation& call, NodeId x, std::size_t k) {
  return unit(call, k) ? x : call.e.binary(Op::Multiply, x, call.operand(k, call.element()));
}

Value matrix_product(Operation& call) { return Value::tensor(call.e.matmul(call.tensor(0), call.tensor(1))); }

/// What alpha = 0 does to a product that is not finite: it counts, BLAS does not read it, or that hangs on sizes.
enum class Nothing : std::uint8_t { Counts,
                                    NotRead,
                                    Either };

/// beta b + alpha times what is given; with beta = 0 b is not read.
Value onto(Operation& call, NodeId product, Nothing nothing) {
  if (call.number(4) == 0 && nothing == Nothing::Either) call.refuse("with alpha = 0: whether a product that is not finite counts hangs on sizes and devices");
  if (call.number(4) == 0 && nothing == Nothing::NotRead) product = call.e.full(call.e.dims(product), scalar(call, 0));
  product = times(call, product, 4);
  if (call.number(3) == 0) return Value::tensor(call.e.expand(product, call.out().dims));
  return Value::tensor(call.e.binary(Op::Add, times(call, argument(call, 0), 3), product));
}

template <Nothing kNothing>
Value added(Operation& call) {
  return onto(call, call.e.matmul(call.tensor(1), call.tensor(2)), kNothing);
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

NodeId column(Operation& call, NodeId vector) { return call.e.reshape(vector, {call.e.type(vector).count(), 1}); }

Value added_vector(Operation& call) {
  const NodeId x = call.tensor(1);
  return onto(call, call.e.reshape(call.e.matmul(x, column(call, call.tensor(2))), {call.e.dims(x)[0]}), Nothing::NotRead);
}

Value added_outer(Operation& call) {
  const NodeId y = call.tensor(2);
  return onto(call, call.e.matmul(column(call, call.tensor(1)), call.e.reshape(y, {1, call.e.type(y).count()})), Nothing::Counts);
}

Value added_batches(Operation& call) { return onto(call, call.e.reduce(Op::Add, call.e.matmul(call.tensor(1), call.tensor(2)), {0}), Nothing::NotRead); }

/// x w^T + b over the last dimension.
Value linear(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), w = call.tensor(1);
  const std::vector<std::int64_t> dims = e.dims(x);
  if (dims.empty() || e.dims(w).size() != 2) call.refuse("of a scalar, or by a weight that is no matrix");
  const std::int64_t rows = dims.back() == 0 ? 0 : e.type(x).count() / dims.back();
  const NodeId y = e.reshape(e.matmul(e.reshape(x, {rows, dims.back()}), e.transpose(w, {1, 0})), call.out().dims);
  return Value::tensor(call.none(2) ? y : e.binary(Op::Add, y, argument(call, 2)));
}

/// Vectors get a dimension of one, batches are broadcast.
Value matmul(Operation& call) {
  Emitter& e = call.e;
  NodeId x = call.tensor(0), y = call.tensor(1);
  if (e.dims(x).empty() || e.dims(y).empty()) call.refuse("of a scalar");
  if (e.dims(x).size() == 1) x = e.reshape(x, {1, e.dims(x)[0]});
  if (e.dims(y).size() == 1) y = column(call, y);
  std::vector<std::int64_t> batch = e.dims(x), other = e.dims(y);
  batch.resize(batch.size() - 2);
  other.resize(other.size() - 2);
  if (other.size() > batch.size()) std::swap(batch, other);
  for (std::size_t k = 0; k < other.size(); ++k) {
    std::int64_t& extent = batch[batch.size() - other.size() + k];
    if (extent == 1) extent = other[k];
  }
  const auto with_batch = [&](NodeId value) {
    std::vector<std::int64_t> dims = batch;
    dims.insert(dims.end(), e.dims(value).end() - 2, e.dims(value).end());
    return e.expand(value, dims);
  };
  x = with_batch(x);
  return Value::tensor(e.reshape(e.matmul(x, with_batch(y)), call.out().dims));
}

constexpr Overload kMatmulRows[] = {
    {"aten.addbmm.default", "self, batch1, batch2, *, beta=1, alpha=1", added_batches},
    {"aten.addmm.default", "self, mat1, mat2, *, beta=1, alpha=1", added<Nothing::NotRead>},
    {"aten.addmv.default", "self, mat, vec, *, beta=1, alpha=1", added_vector},
    {"aten.addr.default", "self, vec1, vec2, *, beta=1, alpha=1", added_outer},
    {"aten.baddbmm.default", "self, batch1, batch2, *, beta=1, alpha=1", added<Nothing::Either>},
    {"aten.bmm.default", "self, mat2", matrix_product},
    {"aten.dot.default", "self, tensor", dot},
    {"aten.linear.default", "input, weight, bias=None", linear},
    {"aten.matmul.default", "self, other", matmul},
    {"aten.mm.default", "self, mat2", matrix_product},
    {"aten.mv.default", "self, vec", matrix_vector},
};

}  // namespace

std::span<const Overload> matmul_rows() { return kMatmulRows; }

}  // namespace gg::fx
