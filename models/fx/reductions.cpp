// Sums, means, extremes, norms, running sums, matrix products.
#include <algorithm>
#include <limits>
#include <numeric>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

/// The reduced dimensions stay as 1 where `keep`.
NodeId kept(Operation& call, NodeId reduced, const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& over, bool keep) {
  if (!keep) return reduced;
  std::vector<std::int64_t> result = dims;
  for (const std::int64_t d : over) result[at(d)] = 1;
  return call.e.reshape(reduced, result);
}

NodeId reduced(Operation& call, Op monoid, NodeId x, const std::vector<std::int64_t>& over, bool keep) {
  const std::vector<std::int64_t> dims = call.e.dims(x);
  return kept(call, call.e.reduce(monoid, x, over), dims, over, keep);
}

std::int64_t elements(Operation& call, NodeId x, const std::vector<std::int64_t>& over) {
  std::int64_t count = 1;
  for (const std::int64_t d : over) count *= call.e.dims(x)[at(d)];
  return count;
}

std::vector<std::int64_t> all_dims(Operation& call, NodeId x) {
  std::vector<std::int64_t> over;
  for (std::size_t d = 0; d < call.e.dims(x).size(); ++d) over.push_back(static_cast<std::int64_t>(d));
  return over;
}

void need_elements(Operation& call, NodeId x, const std::vector<std::int64_t>& over) {
  if (elements(call, x, over) == 0) call.refuse("of no elements");
}

Value sum(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  if (call.element() == ElementType::Pred) call.refuse("a sum that stays Boolean");
  return done(call.e.reduce(Op::Add, x, all_dims(call, x)));
}

Value sum_dims(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  if (call.element() == ElementType::Pred) call.refuse("a sum that stays Boolean");
  return done(reduced(call, Op::Add, x, call.dim_list(1, call.e.dims(x).size()), call.flag(2)));
}

NodeId mean_of(Operation& call, NodeId x, const std::vector<std::int64_t>& over, bool keep) {
  if (!is_float(call.element())) call.refuse("a mean of integers");
  const auto n = static_cast<double>(elements(call, x, over));
  return call.e.binary(Op::Divide, reduced(call, Op::Add, x, over, keep), scalar(call, n));
}

/// torch gives products and sums of Booleans and small integers as int64: `call.element()`.
template <bool kAll>
Value product(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  if (call.element() == ElementType::Pred) call.refuse("a product that stays Boolean");
  if (kAll) return done(call.e.reduce(Op::Multiply, x, all_dims(call, x)));
  if (call.e.dims(x).empty()) return done(x);
  return done(reduced(call, Op::Multiply, x, {call.dim(1, call.e.dims(x).size())}, call.flag(2)));
}

/// NaN counts as 0.
Value nan_sum(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  if (!is_float(call.element())) return sum_dims(call);
  const NodeId numbers = call.e.select(call.e.compare("NE", x, x), scalar(call, 0), x);
  return done(reduced(call, Op::Add, numbers, call.dim_list(1, call.e.dims(x).size()), call.flag(2)));
}

Value count_nonzero(Operation& call) {
  const NodeId x = call.tensor(0), ones = call.e.convert(call.e.compare("NE", x, call.e.number(call.e.element(x), 0)), ElementType::S64);
  const auto over = call.none(1) ? all_dims(call, x) : std::vector<std::int64_t>{call.dim(1, call.e.dims(x).size())};
  return done(call.e.reduce(Op::Add, ones, over));
}

/// The largest is taken out before the exponentials; where it is infinite, 0 is.
Value logsumexp(Operation& call) {
  const Formula f(call);
  const NodeId x = call.operand(0, call.element());
  const auto dims = call.e.dims(x);
  if (dims.empty()) return done(x);
  const auto over = call.dim_list(1, dims.size());
  const bool keep = call.flag(2);
  if (elements(call, x, over) == 0) return done(f.log(reduced(call, Op::Add, x, over, keep)));
  NodeId most = reduced(call, Op::Maximum, x, over, true);
  most = f.select(f.equal(f.abs(most), f.n(std::numeric_limits<double>::infinity())), f.n(0), most);
  const NodeId sum = reduced(call, Op::Add, f.exp(f.sub(x, call.e.expand(most, dims))), over, keep);
  return done(f.add(f.log(sum), call.e.reshape(most, call.e.dims(sum))));
}

Value extremes(Operation& call) {
  const NodeId x = call.tensor(0);
  const auto over = call.none(1) ? all_dims(call, x) : std::vector<std::int64_t>{call.dim(1, std::max<std::size_t>(call.e.dims(x).size(), 1))};
  if (call.e.dims(x).empty()) return Value::tuple({done(x), done(x)});
  need_elements(call, x, over);
  return Value::tuple({done(reduced(call, Op::Minimum, x, over, call.flag(2))), done(reduced(call, Op::Maximum, x, over, call.flag(2)))});
}

Value trace(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.operand(0, call.element());
  const auto dims = e.dims(x);
  const NodeId on = e.compare("EQ", e.iota(ElementType::S64, dims, 0), e.iota(ElementType::S64, dims, 1));
  return done(e.reduce(Op::Add, e.select(on, x, scalar(call, 0)), {0, 1}));
}

Value mean(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  return done(mean_of(call, x, all_dims(call, x), false));
}

Value mean_dims(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  return done(mean_of(call, x, call.dim_list(1, call.e.dims(x).size()), call.flag(2)));
}

template <Op kOp>
Value extreme(Operation& call) {
  const NodeId x = call.tensor(0);
  const auto over = call.dim_list(1, call.e.dims(x).size());
  need_elements(call, x, over);
  return done(reduced(call, kOp, x, over, call.flag(2)));
}

template <Op kOp>
Value extreme_all(Operation& call) {
  const NodeId x = call.tensor(0);
  need_elements(call, x, all_dims(call, x));
  return done(call.e.reduce(kOp, x, all_dims(call, x)));
}

/// The first place of the extreme (of a NaN where there is one): pairs of a value and its place, reduced as XLA writes it.
template <Op kOp>
NodeId first_place(Operation& call, NodeId x, std::int64_t dim) {
  Emitter& e = call.e;
  const Type value = Type::array(e.element(x), {}), index = Type::array(ElementType::S64, {});
  Emitter& pick = e.part("first_place");
  const NodeId a = pick.parameter("a", value), i = pick.parameter("i", index), b = pick.parameter("b", value), j = pick.parameter("j", index);
  const NodeId further = pick.compare(kOp == Op::Maximum ? "GT" : "LT", a, b);
  const NodeId wins = is_float(value.element) ? pick.binary(Op::Or, further, pick.compare("NE", a, a)) : further;
  const NodeId before = pick.binary(Op::And, pick.compare("EQ", a, b), pick.compare("LT", i, j));
  pick.close(pick.tuple({pick.select(wins, a, b), pick.select(pick.binary(Op::Or, wins, before), i, j)}));
  Attributes attributes(Attr::BroadcastDims, IntList{dim});
  attributes.set(Attr::ToApply, ComputationList{pick.id()});
  const NodeId pairs = e.add(Op::Reduce, {x, e.iota(ElementType::S64, e.dims(x), dim), e.unit(kOp, value.element), e.integer(ElementType::S64, 0)}, std::move(attributes));
  return e.items(pairs)[1];
}

template <Op kOp>
Value with_place(Operation& call) {
  const NodeId x = call.tensor(0);
  const std::vector<std::int64_t> dims = call.e.dims(x);
  if (dims.empty()) call.refuse("of a scalar");
  if (call.e.element(x) == ElementType::Pred) call.refuse("of Booleans");
  const std::int64_t dim = call.dim(1, dims.size());
  need_elements(call, x, {dim});
  const NodeId best = reduced(call, kOp, x, {dim}, true);
  const NodeId place = first_place<kOp>(call, x, dim);
  const bool keep = call.flag(2);
  std::vector<std::int64_t> rest = dims;
  rest.erase(rest.begin() + dim);
  return Value::tuple({done(keep ? best : call.e.reshape(best, rest)), done(kept(call, place, dims, {dim}, keep))});
}

template <Op kOp>
Value arg_extreme(Operation& call) {
  NodeId x = call.tensor(0);
  if (call.e.element(x) == ElementType::Pred) call.refuse("of Booleans");
  const std::vector<std::int64_t> given = call.e.dims(x);
  if (call.none(1)) x = call.e.reshape(x, {elements(call, x, all_dims(call, x))});
  if (call.e.dims(x).empty()) x = call.e.reshape(x, {1});
  const std::int64_t dim = call.none(1) ? 0 : call.dim(1, call.e.dims(x).size());
  need_elements(call, x, {dim});
  const std::vector<std::int64_t> dims = call.e.dims(x);
  const NodeId place = first_place<kOp>(call, x, dim);
  if (!call.flag(2)) return done(given.empty() ? call.e.reshape(place, {}) : place);
  std::vector<std::int64_t> result = given;
  for (std::size_t d = 0; d < result.size(); ++d) result[d] = call.none(1) || d == at(dim) ? 1 : result[d];
  return done(call.e.reshape(place, result));
}

/// The first k in order; which of equal ones torch does not say: here the first, in order of their places.
Value topk(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const auto rank = e.dims(x).size();
  if (rank == 0 || e.element(x) == ElementType::Pred) call.refuse(rank == 0 ? "of a scalar" : "of Booleans");
  if (!call.flag(4)) call.refuse("in an order that torch does not say (sorted=False)");
  const std::int64_t dim = call.dim(2, rank), k = call.integer(1);
  if (k < 0 || k > e.dims(x)[at(dim)]) call.refuse("of " + std::to_string(k) + " elements of " + std::to_string(e.dims(x)[at(dim)]));
  std::vector<std::int64_t> last(rank);
  std::iota(last.begin(), last.end(), 0);
  std::swap(last[at(dim)], last.back());
  Attributes attributes(Attr::K, k);
  attributes.set(Attr::Largest, call.flag(3));
  attributes.set(Attr::OpenTies, true);
  const auto found = e.items(e.add(Op::TopK, {e.transpose(x, last)}, std::move(attributes)));
  return Value::tuple({done(e.transpose(found[0], last)), done(e.transpose(e.convert(found[1], ElementType::S64), last))});
}

/// Values in order and their places; a NaN is larger than every number. Equal ones stay in order where `stable` is asked; else torch does not say.
Value sorted(Operation& call, bool stable, std::size_t dim_at, std::size_t descending_at) {
  Emitter& e = call.e;
  const ElementType element = e.element(call.tensor(0));
  const NodeId x = element == ElementType::Pred ? e.convert(call.tensor(0), ElementType::U8) : call.tensor(0);
  if (e.dims(x).empty()) return Value::tuple({done(call.tensor(0)), done(e.integer(ElementType::S64, 0))});
  const std::int64_t dim = call.dim(dim_at, e.dims(x).size());
  const bool descending = call.flag(descending_at);
  const Type value = Type::array(e.element(x), {}), index = Type::array(ElementType::S64, {});
  Emitter& before = e.part("before");
  const NodeId a = before.parameter("a", value), b = before.parameter("b", value);
  before.parameter("i", index);
  before.parameter("j", index);
  const NodeId smaller = before.compare(descending ? "GT" : "LT", a, b);
  if (is_float(value.element)) {
    const NodeId low = descending ? b : a, high = descending ? a : b;
    before.close(before.binary(Op::Or, smaller, before.binary(Op::And, before.compare("NE", high, high), before.compare("EQ", low, low))));
  } else {
    before.close(smaller);
  }
  Attributes attributes(Attr::BroadcastDims, IntList{dim});
  attributes.set(stable ? Attr::IsStable : Attr::OpenTies, true);
  attributes.set(Attr::ToApply, ComputationList{before.id()});
  const auto found = e.items(e.add(Op::Sort, {x, e.iota(ElementType::S64, e.dims(x), dim)}, std::move(attributes)));
  return Value::tuple({done(e.convert(found[0], element)), done(found[1])});
}

Value sort(Operation& call) { return sorted(call, false, 1, 2); }
Value sort_stable(Operation& call) { return sorted(call, !call.none(1) && call.flag(1), 2, 3); }
Value argsort(Operation& call) { return sort(call).items[1]; }
Value argsort_stable(Operation& call) { return sort_stable(call).items[1]; }

Value cumsum(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  if (call.e.dims(x).empty()) return done(x);
  const std::int64_t dim = call.dim(1, call.e.dims(x).size());
  return done(call.e.dims(x)[at(dim)] == 0 ? x : call.e.running(Op::Add, x, dim));
}

Value cumprod(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  if (call.element() == ElementType::Pred) call.refuse("a product that stays Boolean");
  if (call.e.dims(x).empty()) return done(x);
  const std::int64_t dim = call.dim(1, call.e.dims(x).size());
  return done(call.e.dims(x)[at(dim)] == 0 ? x : call.e.running(Op::Multiply, x, dim));
}

/// Variance with a correction, and the mean.
std::pair<NodeId, NodeId> variance(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const ElementType type = e.element(x);
  if (!is_float(type)) call.refuse("of integers");
  const std::vector<std::int64_t> dims = e.dims(x);
  const auto over = call.dim_list(1, dims.size());
  const auto n = static_cast<double>(elements(call, x, over));
  const NodeId mean = e.binary(Op::Divide, reduced(call, Op::Add, x, over, true), e.number(type, n));
  const NodeId apart = e.binary(Op::Subtract, x, e.expand(mean, dims));
  const NodeId squares = reduced(call, Op::Add, e.binary(Op::Multiply, apart, apart), over, true);
  const double correction = call.none(2) ? 1 : call.number(2);
  const NodeId var = e.binary(Op::Divide, squares, e.number(type, std::max(0.0, n - correction)));
  if (call.flag(3)) return {var, mean};
  std::vector<std::int64_t> rest;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (std::find(over.begin(), over.end(), static_cast<std::int64_t>(d)) == over.end()) rest.push_back(dims[d]);
  }
  return {e.reshape(var, rest), e.reshape(mean, rest)};
}

Value var_mean(Operation& call) {
  const auto [var, mean] = variance(call);
  return Value::tuple({done(var), done(mean)});
}

Value var(Operation& call) { return done(variance(call).first); }

Value standard_deviation(Operation& call) { return done(call.e.unary(Op::Sqrt, variance(call).first)); }

Value std_mean(Operation& call) {
  const auto [var, mean] = variance(call);
  return Value::tuple({done(call.e.unary(Op::Sqrt, var)), done(mean)});
}

NodeId norm_of(Operation& call, const std::vector<std::int64_t>& over, double order, bool keep) {
  Emitter& e = call.e;
  const NodeId x = call.operand(0, call.element());
  if (order == 2) return e.unary(Op::Sqrt, reduced(call, Op::Add, e.binary(Op::Multiply, x, x), over, keep));
  if (order == 1) return reduced(call, Op::Add, e.unary(Op::Abs, x), over, keep);
  if (order == std::numeric_limits<double>::infinity() && elements(call, x, over) > 0) return reduced(call, Op::Maximum, e.unary(Op::Abs, x), over, keep);
  call.refuse("a norm of order " + std::to_string(order));
}

Value vector_norm(Operation& call) { return done(norm_of(call, call.dim_list(2, call.e.dims(call.tensor(0)).size()), call.number(1), call.flag(3))); }

Value norm(Operation& call) {
  return done(norm_of(call, call.dim_list(2, call.e.dims(call.tensor(0)).size()), call.none(1) ? 2 : call.number(1), call.flag(3)));
}

template <Op kOp, bool kAll>
Value truth(Operation& call) {
  const NodeId x = call.e.convert(call.tensor(0), ElementType::Pred);
  if (kAll) return done(call.e.reduce(kOp, x, all_dims(call, x)));
  return done(reduced(call, kOp, x, call.dim_list(1, call.e.dims(x).size()), call.flag(2)));
}

constexpr Overload kReductionRows[] = {
    {"aten.all.default", "self", truth<Op::And, true>},
    {"aten.all.dim", "self, dim, keepdim=False", truth<Op::And, false>},
    {"aten.all.dims", "self, dim=None, keepdim=False", truth<Op::And, false>},
    {"aten.amax.default", "self, dim=[], keepdim=False", extreme<Op::Maximum>},
    {"aten.amin.default", "self, dim=[], keepdim=False", extreme<Op::Minimum>},
    {"aten.aminmax.default", "self, *, dim=None, keepdim=False", extremes},
    {"aten.any.default", "self", truth<Op::Or, true>},
    {"aten.any.dim", "self, dim, keepdim=False", truth<Op::Or, false>},
    {"aten.any.dims", "self, dim=None, keepdim=False", truth<Op::Or, false>},
    {"aten.argmax.default", "self, dim=None, keepdim=False", arg_extreme<Op::Maximum>},
    {"aten.argmin.default", "self, dim=None, keepdim=False", arg_extreme<Op::Minimum>},
    {"aten.argsort.default", "self, dim=-1, descending=False", argsort},
    {"aten.argsort.stable", "self, *, stable, dim=-1, descending=False", argsort_stable},
    {"aten.count_nonzero.default", "self, dim=None", count_nonzero},
    {"aten.cumprod.default", "self, dim, *, dtype=None", cumprod},
    {"aten.cumsum.default", "self, dim, *, dtype=None", cumsum},
    {"aten.linalg_vector_norm.default", "self, ord=2, dim=None, keepdim=False, *, dtype=None", vector_norm},
    {"aten.logsumexp.default", "self, dim, keepdim=False", logsumexp},
    {"aten.max.default", "self", extreme_all<Op::Maximum>},
    {"aten.max.dim", "self, dim, keepdim=False", with_place<Op::Maximum>},
    {"aten.mean.default", "self, *, dtype=None", mean},
    {"aten.mean.dim", "self, dim, keepdim=False, *, dtype=None", mean_dims},
    {"aten.min.default", "self", extreme_all<Op::Minimum>},
    {"aten.min.dim", "self, dim, keepdim=False", with_place<Op::Minimum>},
    {"aten.nansum.default", "self, dim=None, keepdim=False, *, dtype=None", nan_sum},
    {"aten.norm.ScalarOpt_dim", "self, p, dim, keepdim=False", norm},
    {"aten.prod.default", "self, *, dtype=None", product<true>},
    {"aten.prod.dim_int", "self, dim, keepdim=False, *, dtype=None", product<false>},
    {"aten.sort.default", "self, dim=-1, descending=False", sort},
    {"aten.sort.stable", "self, *, stable, dim=-1, descending=False", sort_stable},
    {"aten.std.correction", "self, dim=None, *, correction=None, keepdim=False", standard_deviation},
    {"aten.std.dim", "self, dim, unbiased=True, keepdim=False", standard_deviation},
    {"aten.std_mean.correction", "self, dim=None, *, correction=None, keepdim=False", std_mean},
    {"aten.sum.default", "self, *, dtype=None", sum},
    {"aten.sum.dim_IntList", "self, dim, keepdim=False, *, dtype=None", sum_dims},
    {"aten.topk.default", "self, k, dim=-1, largest=True, sorted=True", topk},
    {"aten.trace.default", "self", trace},
    {"aten.var.correction", "self, dim=None, *, correction=None, keepdim=False", var},
    {"aten.var.dim", "self, dim, unbiased=True, keepdim=False", var},
    {"aten.var_mean.correction", "self, dim=None, *, correction=None, keepdim=False", var_mean},
};

}  // namespace

std::span<const Overload> reduction_rows() { return kReductionRows; }

}  // namespace gg::fx
