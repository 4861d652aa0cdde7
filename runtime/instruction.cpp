// Execution of single instructions (runtime/instruction.h).
#include "runtime/instruction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"
#include "models/base/check.h"
#include "models/ir/kinds.h"
#include "models/op/facts.h"
#include "models/op/groups.h"
#include "models/rank/digits.h"
#include "runtime/error_bounds.h"
#include "runtime/literals.h"

namespace gg {
namespace {

bool keeps_value(ElementType from, ElementType to, NumberMode mode) {
  if (from == to) return true;
  return is_float(from) && is_float(to) && mode != NumberMode::F32 && mode != NumberMode::Model;
}

}  // namespace

InstructionRunner::InstructionRunner(BodyTable& bodies, Communicator* communicator, PlanStore* plans)
    : bodies_(bodies), communicator_(communicator), ranks_(bodies.digits().ranks()), plans_(plans), device_runner_(bodies.arena()), prepared_(bodies.module().size()) {
  if (communicator != nullptr) one_rank_of_ = communicator->one_rank_of();
  GG_CHECK(communicator == nullptr || one_rank_of_ || communicator->ranks() == ranks_,
           "communicator and digits disagree on the ranks");
  for (InstructionId id = 0; id < bodies.module().size(); ++id) {
    if (auto bound = asks_for_bound(bodies.module(), id)) bounds_.emplace(id, std::move(*bound));
  }
}

std::span<const InstructionId> InstructionRunner::operands(InstructionId id) const {
  const auto bound = bounds_.find(id);
  return bound == bounds_.end() ? bodies_.module().operands(id) : std::span<const InstructionId>(bound->second.operands);
}

const Prepared& InstructionRunner::prepare(InstructionId id) {
  auto& slot = prepared_[id];
  if (slot) return *slot;
  const Module& module = bodies_.module();
  auto made = std::make_unique<Prepared>();
  made->call = bodies_.call(id);
  if (const auto bound = bounds_.find(id); bound != bounds_.end()) {
    made->call.attributes = &bound->second.attributes;
    made->own_body = make_body(bodies_.arena(), made->call, 0);
  }
  for (const Type* operand : made->call.operands) {
    for (const Type* leaf : array_leaf_types(*operand)) {
      made->operand_extents.push_back(lifted_extents(bodies_.digits(), leaf->dims));
      made->operand_types.push_back(leaf->element);
    }
  }
  made->results = array_leaf_types(module.type(id));
  const bool alone = one_rank_of_ && info(made->call.op).traits == OpTraits::Collective;
  for (std::size_t leaf = 0; leaf < made->results.size(); ++leaf) {
    made->bodies.push_back(made->own_body ? &*made->own_body : alone ? nullptr
                                                                     : bodies_.body(id, static_cast<int>(leaf)));
  }
  if (info(made->call.op).traits == OpTraits::Collective) {
    CollectiveCall& collective = made->collective.emplace();
    collective.arena = &bodies_.arena();
    collective.call = made->call;
    collective.bodies = made->bodies;
    const Attributes& attributes = module.attributes(id);
    if (attributes.has(Attr::SourceTargetPairs)) {
      collective.pairs = rank_pairs(attributes, one_rank_of_.value_or(bodies_.layout()));
    } else {
      collective.groups = rank_groups(made->call.op, attributes, one_rank_of_.value_or(bodies_.layout()));
    }
  }
  if (!made->collective && made->bodies.size() == 1 && made->bodies[0] != nullptr) {
    made->same_buffer = same_buffer(bodies_.arena(), *made->bodies[0], made->operand_types, made->operand_extents);
  }
  slot = std::move(made);
  return *slot;
}

std::optional<Value> InstructionRunner::shared(InstructionId id, const Prepared& prepared,
                                               std::span<const Value> operands, const RunOptions& options) {
  if (prepared.same_buffer) return operands[*prepared.same_buffer];
  if (!converts(bodies_.module()[id].op)) return std::nullopt;
  if (!keeps_value(prepared.operand_types[0], prepared.results[0]->element, options.mode)) return std::nullopt;
  Value result = operands[0];
  result.literal = false;
  return result;
}

std::optional<Value> InstructionRunner::rounded_literal(InstructionId id, std::span<const Value> operands,
                                                        const RunOptions& options) {
  const Module& module = bodies_.module();
  const LiteralReading reading = options.mode != NumberMode::F32 && options.mode != NumberMode::Model ? options.literals : LiteralReading{};
  ElementType type = module.type(id).element;
  Value value;
  value.literal = true;
  if (is_constant(module, id) && !reading.as_printed() && is_float(type)) {
    value.data = share(literal_balls(module.attributes(id).literal(), ranks_, storage_of(type, options.mode), reading));
    if (options.error_bounds) value.error = share(literal_radii(*value.data, type, type, reading));
  } else if (converts(module[id].op) && operands[0].literal) {
    const ElementType from = module.type(module.operands(id)[0]).element;
    if (!rounds_literal(from, type)) return std::nullopt;
    const auto literal = on_host(operands[0]);
    value.data = share(gg::rounded_literal(*literal, from, type, reading));
    if (options.error_bounds && reading.balls) value.error = share(literal_radii(*literal, from, type, reading));
  } else {
    return std::nullopt;
  }
  return value;
}

void InstructionRunner::check_groups(const Prepared& prepared, const RankMask& active, const Instance& here) const {
  if (!prepared.collective || one_rank_of_) return;
  const auto parted = mismatch(active, prepared.collective->groups, prepared.collective->pairs);
  if (parted) throw RanksParted(*parted, to_string(bodies_.module(), here), here);
}

void InstructionRunner::check_memory(const Prepared& prepared, const RunOptions& options, const Instance& here) const {
  std::size_t bytes = 0;
  for (const Type* leaf : prepared.results) {
    bytes += static_cast<std::size_t>(leaf->count()) * static_cast<std::size_t>(ranks_) *
             bytes_of(storage_of(leaf->element, options.mode));
  }
  options.budget.check(here, bytes);
}

std::vector<Buffer> InstructionRunner::compute(const Prepared& prepared, std::span<const Buffer* const> buffers,
                                               NumberMode mode, TieCounter& ties, const Instance& here) {
  std::vector<Operand> operands;
  operands.reserve(buffers.size());
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    operands.push_back({buffers[k], prepared.operand_types[k], prepared.operand_extents[k]});
  }
  std::vector<Buffer> results;
  results.reserve(prepared.results.size());
  for (const Type* leaf : prepared.results) results.emplace_back(storage_of(leaf->element, mode), leaf->count() * ranks_);
  if (prepared.collective && communicator_ != nullptr) {
    CollectiveCall call = *prepared.collective;
    call.instance = to_string(bodies_.module(), here);
    communicator_->run(call, mode, operands, results, ties);
    return results;
  }
  if (const Kernel kernel = find_kernel(prepared.call, mode)) {
    kernel(bodies_.arena(), prepared.call, ranks_, mode, operands, results, ties);
    return results;
  }
  for (std::size_t leaf = 0; leaf < results.size(); ++leaf) {
    if (prepared.bodies[leaf] == nullptr) {
      throw RuntimeFailure(RuntimeFailure::Kind::Unsupported,
                           to_string(bodies_.module(), here) + ": " + std::string(info(prepared.call.op).name) +
                               " has no executor: " + bodies_.reason(here.instruction),
                           here);
    }
    if (results[leaf].count() == 0) continue;
    gg::run(plans_.get(bodies_.arena(), *prepared.bodies[leaf], operands), mode, operands, results[leaf], ties);
  }
  return results;
}

// The same operands on the host, taken as exact: the bound is that of this operator alone.
void InstructionRunner::probe_operator(const Prepared& prepared, std::span<const Value> operands, const Values& results,
                                       const RunOptions& options, const Instance& here) {
  std::vector<Value> exact;
  std::vector<const Buffer*> buffers;
  for (const Value& operand : operands) {
    Value& value = exact.emplace_back();
    value.data = on_host(operand);
    buffers.push_back(value.data.get());
  }
  TieCounter ties;
  Values expected;
  for (Buffer& buffer : compute(prepared, buffers, options.mode, ties, here)) expected.emplace_back().data = share(std::move(buffer));
  add_error_bounds(*this, prepared, exact, expected, options.mode, here);
  double worst = 0;
  for (std::size_t leaf = 0; leaf < results.size(); ++leaf) {
    const Buffer& a = *expected[leaf].data;
    const Buffer& b = *on_host(results[leaf]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(a.count()); ++k) {
      if (a.storage() == Storage::Int64) {
        if (a.as<std::int64_t>()[k] != b.as<std::int64_t>()[k]) worst = std::numeric_limits<double>::infinity();
        continue;
      }
      const double x = a.as<double>()[k], y = b.as<double>()[k];
      if (x == y || (std::isnan(x) && std::isnan(y))) continue;
      const double bound = expected[leaf].error ? kWidened * expected[leaf].error->as<double>()[k] : 0;
      const double gap = std::abs(x - y);
      if (bound == std::numeric_limits<double>::infinity() || gap <= bound) continue;
      worst = std::max(worst, std::isnan(gap) || bound == 0 ? std::numeric_limits<double>::infinity() : gap / bound);
    }
  }
  options.operator_probe(here, worst);
}

std::optional<Values> InstructionRunner::run_on_device(const Prepared& prepared, InstructionId id, std::span<const Value> operands,
                                                       const RunOptions& options, const Instance& here) {
  const auto literal = [](const Value& value) { return value.literal; };
  const bool alone = prepared.collective && one_rank_of_;  // the communicator has it
  const bool constant = is_constant(bodies_.module(), id) || (!operands.empty() && std::all_of(operands.begin(), operands.end(), literal));
  if (alone || constant || prepared.results.empty()) return std::nullopt;
  try {
    auto values = device_runner_.run(prepared, operands, options.mode, *options.device);
    if (!values) {
      ++options.device->counts.host_operators;
      return std::nullopt;
    }
    if (options.operator_probe) probe_operator(prepared, operands, *values, options, here);
    for (Value& value : *values) {
      for (const Value& operand : operands) value.ties = std::max<std::int64_t>(value.ties, operand.ties != 0 ? 1 : 0);
    }
    return values;
  } catch (const device::Failure& failure) {
    throw RuntimeFailure(RuntimeFailure::Kind::Unsupported, to_string(bodies_.module(), here) + ": " + failure.message, here);
  }
}

Values InstructionRunner::run(InstructionId id, std::span<const Value> operands, const RunOptions& options,
                              const RankMask& active, const Instance& here) {
  const Prepared* made = nullptr;
  try {
    made = &prepare(id);
  } catch (const TypeError& error) {
    throw RuntimeFailure(RuntimeFailure::Kind::Unsupported, to_string(bodies_.module(), here) + ": " + error.message, here);
  }
  const Prepared& prepared = *made;
  if (auto literal = rounded_literal(id, operands, options)) return {std::move(*literal)};
  if (auto value = shared(id, prepared, operands, options)) return {std::move(*value)};
  check_groups(prepared, active, here);
  check_memory(prepared, options, here);
  GG_CHECK(operands.size() == prepared.operand_types.size(), to_string(bodies_.module(), here) + ": operand leaves");
  if (options.device != nullptr) {
    if (auto values = run_on_device(prepared, id, operands, options, here)) return std::move(*values);
  }

  std::vector<const Buffer*> buffers;
  bool tied = false;
  for (const Value& operand : operands) {
    buffers.push_back(on_host(operand).get());
    tied = tied || operand.ties != 0;
  }
  TieCounter counter;
  std::vector<Buffer> results;
  try {
    results = compute(prepared, buffers, options.mode, counter, here);
  } catch (const TypeError& error) {
    throw RuntimeFailure(RuntimeFailure::Kind::Unsupported, to_string(bodies_.module(), here) + ": " + error.message, here);
  }
  Values values;
  const bool literal = is_constant(bodies_.module(), id) || (rearranges(prepared.call.op) && !operands.empty() && operands[0].literal);
  for (Buffer& result : results) {
    Value value;
    value.data = share(std::move(result));
    const bool keys = values.empty();  // what is put in order: which of equal ones stands where makes no difference
    value.ties = counter.ties + (keys ? 0 : counter.open) + (tied ? 1 : 0);
    value.literal = literal;
    if (options.device != nullptr) expect_on_device(value, *options.device);
    values.push_back(std::move(value));
  }
  if (options.error_bounds) add_error_bounds(*this, prepared, operands, values, options.mode, here);
  return values;
}

}  // namespace gg
