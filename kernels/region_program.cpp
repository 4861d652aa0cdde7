// Compilation of a region's expressions to steps, each shared expression once, and their execution.
#include "kernels/region_program.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/progress.h"

namespace gg::kernels {

RegionProgram::RegionProgram(const Arena& arena, const Region& region, NumberMode mode, std::int64_t longest)
    : mode_(mode) {
  GG_CHECK(!region.results.empty(), "a region that is no scalar function");
  for (const ExprId id : region.results) results_.push_back(add(arena, id, mode, longest));
}

std::size_t RegionProgram::literal(const Scalar& value, NumberMode mode) {
  Register r;
  r.type = value.type;
  r.storage = storage_of(value.type, mode);
  r.buffer = Buffer(r.storage, 1);
  store_scalar(r.storage, r.buffer.data(), value.type, value.real, value.integer);
  r.row = {r.buffer.data(), 0};
  registers_.push_back(std::move(r));
  return registers_.size() - 1;
}

std::size_t RegionProgram::add(const Arena& arena, ExprId id, NumberMode mode, std::int64_t longest) {
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& entry) { return entry.first == id; });
  if (found != known_.end()) return found->second;
  const Expr expr = arena[id];
  std::size_t target = 0;
  switch (expr.kind) {
    case ExprKind::Read: {
      Register r;
      r.type = expr.type;
      r.storage = storage_of(expr.type, mode);
      r.parameter = static_cast<int>(expr.arg);
      registers_.push_back(std::move(r));
      target = registers_.size() - 1;
      break;
    }
    case ExprKind::Lit:
      target = literal(arena.scalar(id), mode);
      break;
    case ExprKind::Constant: {
      const auto& values = arena.array(ArrayId{expr.arg}).values;
      GG_CHECK(values.size() == 1, "array constant in a region");
      target = literal(values[0], mode);
      break;
    }
    case ExprKind::Index: {
      const Lin& lin = arena[LinId{expr.arg}];
      GG_CHECK(lin.terms == 0, "index variable in a region");
      target = literal(Scalar::of_int(expr.type, lin.c0), mode);
      break;
    }
    case ExprKind::Fn: {
      Step step{expr.fn, 0, {}};
      const auto kids = arena.kids(id);
      for (const ExprId kid : kids) step.arguments.push_back(add(arena, kid, mode, longest));
      Register r;
      r.type = expr.type;
      r.storage = storage_of(expr.type, mode);
      r.buffer = Buffer(r.storage, longest);
      r.row = {r.buffer.data(), 1};
      registers_.push_back(std::move(r));
      target = step.target = registers_.size() - 1;
      steps_.push_back(std::move(step));
      break;
    }
    case ExprKind::Fold:
    case ExprKind::Case:
    case ExprKind::Unknown:
      GG_CHECK(false, "expression that no region has: " + arena.print(id));
  }
  known_.emplace_back(id, target);
  return target;
}

void RegionProgram::run(std::span<const Row> parameters, std::int64_t n, TieCounter& ties) {
  ask_deadline();
  for (Register& r : registers_) {
    if (r.parameter >= 0) r.row = parameters[static_cast<std::size_t>(r.parameter)];
  }
  for (const Step& step : steps_) {
    rows_.clear();
    storages_.clear();
    types_.clear();
    for (const std::size_t k : step.arguments) {
      rows_.push_back(registers_[k].row);
      storages_.push_back(registers_[k].storage);
      types_.push_back(registers_[k].type);
    }
    Register& target = registers_[step.target];
    row_apply(step.fn, {target.type, mode_}, target.storage, target.buffer.data(), rows_.data(), storages_.data(),
              types_.data(), n, ties);
  }
}

}  // namespace gg::kernels
