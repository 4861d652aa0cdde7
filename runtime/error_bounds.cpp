// Running error bounds of f64 runs (runtime/error_bounds.h).
#include "runtime/error_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/body/reads.h"
#include "models/op/row_order.h"
#include "runtime/error_rules.h"
#include "runtime/instruction.h"

namespace gg {
namespace {

bool all_zero(const Buffer& buffer) {
  const auto values = buffer.as<double>();
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
}

/// |a|, plus `factor` |a| and the error where asked for: magnitudes for the error of a product.
Buffer magnitudes(const Buffer& values, double factor, const Buffer* error) {
  Buffer out(Storage::Double, values.count());
  const auto from = values.as<double>();
  const auto to = out.as<double>();
  for (std::size_t k = 0; k < from.size(); ++k) to[k] = factor * std::abs(from[k]);
  if (error != nullptr) {
    const auto more = error->as<double>();
    for (std::size_t k = 0; k < from.size(); ++k) to[k] += more[k];
  }
  return out;
}

/// Sums of products a * b: |error| <= (ea + c |a|) |b| + (|a| + ea) eb with c = terms * unit, for a dot bounded by norms,
/// else each sum by the operator itself on magnitudes.
Buffer contraction_error(InstructionRunner& runner, const Prepared& prepared, std::span<const Value> operands,
                         const RoundingUnit& unit, const Instance& here) {
  const Buffer& a = *operands[0].data;
  const Buffer& b = *operands[1].data;
  const Buffer* ea = operands[0].error.get();
  const Buffer* eb = operands[1].error.get();
  if (prepared.call.op == Op::Dot) {
    return dot_error(prepared.call, runner.ranks(), a, ea, b, eb, prepared.results[0]->count() * runner.ranks(), unit.unit);
  }
  double terms = static_cast<double>(prepared.call.operands[1]->count());
  const Arena& arena = runner.bodies().arena();
  if (prepared.bodies[0] != nullptr && arena[prepared.bodies[0]->root].kind == ExprKind::Fold) {
    terms = 1;
    for (const std::int64_t extent : arena.extents(prepared.bodies[0]->root)) terms *= static_cast<double>(extent);
  }
  const double c = (terms + 2) * unit.unit;
  const auto apply = [&](const Buffer& x, const Buffer& y) {
    TieCounter ties;
    const Buffer* buffers[] = {&x, &y};
    return std::move(runner.compute(prepared, buffers, NumberMode::F64, ties, here)[0]);
  };
  // The smaller operand carries the factor, so that one copy of the larger one is made at most.
  if (ea == nullptr) return apply(magnitudes(a, 1, nullptr), magnitudes(b, c, eb));
  if (eb == nullptr) return apply(magnitudes(a, c, ea), magnitudes(b, 1, nullptr));
  Buffer out = apply(magnitudes(a, c, ea), magnitudes(b, 1, nullptr));
  const Buffer second = apply(magnitudes(a, 1, ea), *eb);
  const auto to = out.as<double>();
  const auto more = second.as<double>();
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += more[k];
  return out;
}

/// What a contraction's result rounds when it is brought from the accumulator to its type; no bound where it overflowed.
void add_last_rounding(const RoundingUnit& unit, const Buffer& result, double terms_tiny, Buffer& bound) {
  const auto values = result.as<double>();
  const auto to = bound.as<double>();
  for (std::size_t k = 0; k < to.size(); ++k) {
    const double size = std::abs(values[k]);
    const bool fits = unit.most == 0 || size + to[k] <= unit.most;
    to[k] = fits ? to[k] + unit.unit * size + unit.tiny + terms_tiny : std::numeric_limits<double>::infinity();
  }
}

std::shared_ptr<const Buffer> constant_error(const Value& value, double error) {
  Buffer bound(Storage::Double, value.data->count());
  std::fill_n(bound.as<double>().begin(), bound.count(), error);
  return share(std::move(bound));
}

/// Operators without a body. Sorting by the values themselves moves them: no order statistic moves by more than the largest error.
void opaque_error(const Arena& arena, const Prepared& prepared, std::span<const Value> operands, Values& results) {
  const bool moves = prepared.call.op == Op::Sort || prepared.call.op == Op::TopK;
  const bool exact = std::all_of(operands.begin(), operands.end(), [](const Value& value) { return !value.error; });
  if (moves && exact) return;
  for (std::size_t leaf = 0; leaf < results.size(); ++leaf) {
    const bool values = moves && operands.size() == 1 && leaf == 0 && operands[0].error &&
                        results[leaf].data->storage() == Storage::Double && row_order(arena, prepared.call);
    results[leaf].error = unbounded_error(results[leaf]);
    if (!values) continue;
    const auto errors = operands[0].error->as<double>();
    double largest = 0;
    for (const double error : errors) largest = std::isnan(error) ? error : std::max(largest, error);
    results[leaf].error = constant_error(results[leaf], largest);
  }
}

}  // namespace

std::shared_ptr<const Buffer> unbounded_error(const Value& value) { return constant_error(value, std::numeric_limits<double>::infinity()); }

const Body* ErrorBodies::get(Arena& arena, const Body& body, const std::vector<bool>& inexact, ErrorMode mode) {
  const auto [entry, fresh] = bodies_.try_emplace({&body, inexact, mode});
  if (fresh) {
    const auto error = ErrorBuilder(arena, inexact, mode).error(body.root);
    if (error) entry->second = std::make_unique<Body>(Body{ElementType::F64, body.extents, *error});
  }
  return entry->second.get();
}

namespace {

/// A collective whose other ranks are other processes: all of them send values and bounds, so exact operands get zeros.
void collective_error(InstructionRunner& runner, const Prepared& prepared, std::span<const Value> operands, Values& results,
                      NumberMode mode) {
  std::vector<Operand> values, errors;
  std::vector<Buffer> zeros(operands.size());
  for (std::size_t k = 0; k < operands.size(); ++k) {
    values.push_back({operands[k].data.get(), prepared.operand_types[k], prepared.operand_extents[k]});
    if (!operands[k].error) zeros[k] = Buffer(Storage::Double, operands[k].data->count());
    errors.push_back({operands[k].error ? operands[k].error.get() : &zeros[k], ElementType::F64, prepared.operand_extents[k]});
  }
  std::vector<Buffer> bounds;
  for (const Value& result : results) bounds.emplace_back(Storage::Double, result.data->count());
  runner.communicator()->run_errors(*prepared.collective, mode, values, errors, bounds);
  for (std::size_t leaf = 0; leaf < results.size(); ++leaf) {
    if (!all_zero(bounds[leaf])) results[leaf].error = share(std::move(bounds[leaf]));
  }
}

}  // namespace

void add_error_bounds(InstructionRunner& runner, const Prepared& prepared, std::span<const Value> operands,
                      Values& results, NumberMode mode, const Instance& here) {
  Arena& arena = runner.bodies().arena();
  if (prepared.collective && runner.one_rank()) return collective_error(runner, prepared, operands, results, mode);
  if (std::find(prepared.bodies.begin(), prepared.bodies.end(), nullptr) != prepared.bodies.end()) {
    opaque_error(arena, prepared, operands, results);
    return;
  }
  if (info(prepared.call.op).traits == OpTraits::Contraction && results[0].data->storage() == Storage::Double) {
    const ElementType type = prepared.results[0]->element;
    const RoundingUnit sums = rounding_unit(accumulation_type(type, mode), mode);
    Buffer bound = contraction_error(runner, prepared, operands, sums, here);
    if (mode != NumberMode::F64) {
      const auto terms = static_cast<double>(prepared.call.operands[1]->count());
      add_last_rounding(rounding_unit(type, mode), *results[0].data, sums.tiny * terms, bound);
    }
    results[0].error = share(std::move(bound));
    return;
  }
  std::vector<bool> inexact;
  std::vector<Operand> all;
  const Buffer none;  // stands for the errors of exact operands, which are not read
  constexpr std::int64_t kUnread[] = {0};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    inexact.push_back(operands[k].error != nullptr);
    all.push_back({operands[k].data.get(), prepared.operand_types[k], prepared.operand_extents[k]});
  }
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].error) {
      all.push_back({operands[k].error.get(), ElementType::F64, prepared.operand_extents[k]});
    } else {
      all.push_back({&none, ElementType::F64, kUnread});
    }
  }
  for (std::size_t leaf = 0; leaf < results.size(); ++leaf) {
    const Body& body = *prepared.bodies[leaf];
    const std::vector<bool> indices = operands_in_indices(arena, body.root, operands.size());
    bool moved = false;  // an index that may be another one
    for (std::size_t k = 0; k < operands.size(); ++k) moved = moved || (inexact[k] && indices[k]);
    if (moved) {
      results[leaf].error = unbounded_error(results[leaf]);
      continue;
    }
    const Body* error = runner.error_bodies().get(arena, body, inexact, {mode, prepared.collective.has_value()});
    if (error == nullptr || results[leaf].data->count() == 0) continue;
    Buffer bound(Storage::Double, results[leaf].data->count());
    TieCounter ties;
    run(runner.plans().get(arena, *error, all), NumberMode::F64, all, bound, ties);
    if (!all_zero(bound)) results[leaf].error = share(std::move(bound));
  }
}

}  // namespace gg
