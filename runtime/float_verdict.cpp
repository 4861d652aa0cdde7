#include "runtime/float_verdict.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "kernels/device/device.h"
#include "models/op/facts.h"
#include "runtime/compare.h"
#include "runtime/differential.h"
#include "runtime/error_bounds.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Both sides of one output, exact and rounding, over the claim's box.
struct ProgramRun {
  const Buffer& exact;
  const Buffer& rounding;
  const Buffer& bound;        ///< empty: exact
  const Buffer& exact_error;  ///< of an exact run in f64; empty over reals
  const Buffer& compared;
};

/// |value - exact|, exact over the reals.
double distance(double value, const Buffer& exact, std::size_t k) {
  if (exact.storage() != Storage::Bits128) return std::abs(value - number_at(exact, k));
  using Ops = BallOps<Ball128>;
  return std::abs(Ops::to_double(Ops::subtract(Ops::from_double(value), exact.as<Ball128>()[k])));
}

double unit_in_last_place(ElementType type, NumberMode mode, double value) {
  const ElementType own = mode == NumberMode::F32 ? ElementType::F32 : mode == NumberMode::F64 ? ElementType::F64
                                                                                               : type;
  const ElementInfo& row = info(own);
  const int exponent = value == 0 ? row.low : std::max(std::ilogb(value), row.low);
  return std::ldexp(1.0, exponent - row.significand + 1);
}

std::string sentence(std::size_t element, double exact, double value, double units, double share) {
  char text[160];
  std::snprintf(text, sizeof text, "element %zu: exact %.9g, got %.9g, %.3g roundings, %.2g of the bound", element, exact, value, units,
                share);
  return text;
}

void compare_integers(const ProgramRun& s, const ClaimedValues& bound, const ClaimedValues& truth, OutputRounding& out) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(s.exact.count()); ++k) {
    if (s.compared.as<std::int64_t>()[k] == 0) continue;
    if (!bound.certain(k) || !truth.certain(k)) {
      ++out.undecided;
      continue;
    }
    ++out.compared;
    if (s.exact.as<std::int64_t>()[k] == s.rounding.as<std::int64_t>()[k]) continue;
    if (out.beyond++ == 0) out.worst = sentence(k, number_at(s.exact, k), number_at(s.rounding, k), 0, kInfinite);
  }
}

void compare_floats(const ProgramRun& s, ElementType type, NumberMode mode, OutputRounding& out) {
  double worst = -1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(s.exact.count()); ++k) {
    if (s.compared.as<std::int64_t>()[k] == 0) continue;
    const double exact = number_at(s.exact, k), value = s.rounding.as<double>()[k];
    if (!std::isfinite(exact)) continue;  // nothing is claimed there
    const double own = s.bound.count() == 0 ? 0 : s.bound.as<double>()[k];
    const double other = s.exact_error.count() == 0 ? 0 : s.exact_error.as<double>()[k];
    const double bound = kWidened * (own + other);
    if (!(bound < kInfinite)) {
      ++out.undecided;
      if (!std::isfinite(value)) ++out.not_finite;
      else out.undecided_units = std::max(out.undecided_units, distance(value, s.exact, k) / unit_in_last_place(type, mode, exact));
      continue;
    }
    ++out.compared;
    const double error = std::isfinite(value) ? distance(value, s.exact, k) : kInfinite;
    const double units = error / unit_in_last_place(type, mode, exact);
    const double share = error == 0 ? 0 : error / bound;
    out.largest_units = std::max(out.largest_units, units);
    out.largest_share = std::max(out.largest_share, share);
    const bool is_beyond = !(error <= bound);
    if (is_beyond ? out.beyond == 0 : (out.beyond == 0 && share > worst)) out.worst = sentence(k, exact, value, units, share);
    worst = std::max(worst, share);
    if (is_beyond) ++out.beyond;
  }
}

/// The element type of the leaf that a claim is about.
ElementType type_of(const Case& c, std::size_t output) { return (*c.arena)[c.relation.outputs[output].sequential].type; }

/// Both programs' outputs of the run against the exact ones. `bounds`: the host's run with bounds.
void compare_runs(Case& c, const PairRun& exact, NumberMode exact_mode, const PairRun& bounds, const PairRun& run, NumberMode mode,
                  FloatVerdict& verdict) {
  OutputClaims claims(c);
  for (std::size_t k = 0; k < c.relation.outputs.size(); ++k) {
    if (c.relation.outputs[k].kind != OutputClaim::Kind::Compared) continue;
    const ClaimedValues truth = claims.values(k, exact, exact_mode), bound = claims.values(k, bounds, mode);
    const ClaimedValues got = claims.values(k, run, mode);
    OutputRounding sequential, distributed;
    for (OutputRounding* out : {&sequential, &distributed}) {
      out->output = static_cast<int>(k);
      out->name = c.relation.outputs[k].name;
      out->type = type_of(c, k);
    }
    const ProgramRun first{truth.sequential, got.sequential, bound.sequential_error, truth.sequential_error, truth.compared};
    const ProgramRun second{truth.distributed, got.distributed, bound.distributed_error, truth.distributed_error, truth.compared};
    if (truth.integral) {
      compare_integers(first, bound, truth, sequential);
      compare_integers(second, bound, truth, distributed);
    } else {
      compare_floats(first, sequential.type, mode, sequential);
      compare_floats(second, distributed.type, mode, distributed);
    }
    verdict.sequential.push_back(std::move(sequential));
    verdict.distributed.push_back(std::move(distributed));
  }
}

/// Which operator is wrong on a device: both programs once more in this process, every result against the operator's body on the operands
/// that it had there, in units of the bound of that one operator. The first beyond its own, in words; nothing where all are within.
std::optional<std::string> furthest_operator(PairRunner& runner, const InputSet& inputs, const RunOptions& options) {
  std::optional<std::string> found;
  const auto look = [&](const Module& module) {
    RunOptions own = options;
    own.operator_probe = [&](const Instance& here, double share) {
      if (found || share <= 1) return;
      char number[40];
      std::snprintf(number, sizeof number, "%.3g", share);
      found = to_string(module, here) + " (" + std::string(info(module[here.instruction].op).name) + "): " + number +
              " times what its own rounding explains";
    };
    return own;
  };
  runner.use(nullptr);
  runner.run_sequential(inputs, look(*runner.pair().sequential));
  if (!found) runner.run_distributed(inputs, look(*runner.pair().distributed));
  return found;
}

}  // namespace

bool FloatVerdict::beyond() const {
  const auto bad = [](const OutputRounding& out) { return out.beyond != 0; };
  return !blamed.empty() || std::any_of(sequential.begin(), sequential.end(), bad) || std::any_of(distributed.begin(), distributed.end(), bad);
}

bool FloatVerdict::undecided() const {
  const auto open = [](const OutputRounding& out) { return out.compared == 0 && out.undecided != 0; };
  return std::any_of(distributed.begin(), distributed.end(), open);
}

InputSet rounded_inputs(const Case& c, const InputSet& inputs, NumberMode mode) {
  InputSet out{inputs.seed, inputs.regime, {}};
  for (std::size_t k = 0; k < inputs.free.size(); ++k) {
    Buffer& buffer = out.free.emplace_back(inputs.free[k].clone());
    const ElementType type = c.relation.free[k].type.element;
    if (!is_float(type) || mode == NumberMode::F64) continue;
    const ElementType own = mode == NumberMode::F32 ? ElementType::F32 : type;
    for (double& value : buffer.as<double>()) value = round_to(own, value);
  }
  return out;
}

std::vector<std::string> order_dependent_reductions(const Case& c) {
  std::vector<std::string> found;
  const Module& module = *c.distributed;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const Op op = module[id].op;
    const Type& type = module.type(id);
    if (!folds(op) || !type.is_array() || !is_float(type.element)) continue;
    if (info(op).traits != OpTraits::Contraction) {
      const auto& callees = module.attributes(id).computations(Attr::ToApply);
      if (callees.size() != 1) continue;
      const InstructionId step = module.computation(callees[0]).root;
      const auto fn = scalar_of(module[step].op, module.attributes(step));
      if (fn && info(*fn).cls == ScalarClass::Order) continue;
    }
    found.push_back("%" + std::string(module.name_of(id)) + " (" + std::string(info(op).name) + " of " +
                    std::string(info(type.element).name) + ")");
  }
  return found;
}

FloatVerdict judge_rounding(Case& c, const InputSet& given, const FloatOptions& options) {
  FloatVerdict verdict;
  verdict.mode = options.mode;
  verdict.where = options.device != nullptr ? options.device->name() : "host";
  if (options.backend != nullptr) verdict.where += ", " + options.backend->name();
  verdict.order_dependent = order_dependent_reductions(c);
  const InputSet inputs = rounded_inputs(c, given, options.mode);
  PairRunner runner(c);
  const NumberMode mode = affordable_mode(c);
  const RunOptions exact{.mode = mode, .budget = options.budget, .seed = inputs.seed, .error_bounds = mode == NumberMode::F64};
  const RunOptions bounds{.mode = options.mode, .budget = options.budget, .seed = inputs.seed, .error_bounds = true};
  const PairRun truth = runner.run(inputs, exact);
  const PairRun host = runner.run(inputs, bounds);
  if (options.backend == nullptr && options.device == nullptr) {
    compare_runs(c, truth, exact.mode, host, host, options.mode, verdict);
    return verdict;
  }
  RunOptions own = bounds;
  own.error_bounds = false;
  own.device = options.device;
  runner.use(options.backend);
  const PairRun run = runner.run(inputs, own);
  compare_runs(c, truth, exact.mode, host, run, options.mode, verdict);
  const auto open = [](const OutputRounding& out) { return out.undecided != 0; };
  const bool unbounded = std::any_of(verdict.sequential.begin(), verdict.sequential.end(), open) ||
                         std::any_of(verdict.distributed.begin(), verdict.distributed.end(), open);
  const bool beyond = verdict.beyond();
  if (options.device != nullptr && (beyond || unbounded)) {
    const auto worst = furthest_operator(runner, inputs, own);
    verdict.operators_checked = true;
    if (worst) verdict.blamed = *worst;
  }
  if (beyond && verdict.blamed.empty() && options.backend != nullptr) {
    verdict.blamed = "the collectives of " + options.backend->name() + (options.device != nullptr ? ": every operator is right by itself" : "");
  }
  return verdict;
}

}  // namespace gg
