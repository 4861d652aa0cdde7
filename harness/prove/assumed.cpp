#include "harness/prove/assumed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/prove/proof.h"
#include "models/base/file.h"
#include "models/body/reads.h"
#include "models/pair/stated.h"
#include "models/relation/bodies.h"
#include "runtime/divergence.h"
#include "runtime/executor.h"
#include "runtime/plans.h"

namespace gg {
namespace {

constexpr double kNoise = 1e-9;  ///< relative, of a run in f64
constexpr int kMaxAssumed = 4;   ///< values that a conditional theorem may take as equal
constexpr std::uint64_t kMinSteps = 300'000;

/// Keeps the value of one instance.
Probe keep(const Instance& wanted, Buffer& out) {
  return [&wanted, &out](const Instance& instance, Leaves leaves) {
    if (instance.instruction == wanted.instruction && instance.path == wanted.path && !leaves.empty()) out = leaves[0]->clone();
  };
}

double at(const Buffer& values, std::size_t k) {
  return values.storage() == Storage::Int64 ? static_cast<double>(values.as<std::int64_t>()[k]) : values.as<double>()[k];
}

/// The mesh axes whose digits these are, major first; nothing where they are no whole axes.
std::optional<std::vector<std::string>> axes_of(const MeshForms& forms, const Mesh& mesh, std::vector<int> digits) {
  std::vector<std::string> axes;
  while (!digits.empty()) {
    bool found = false;
    for (const MeshAxis& axis : mesh.axes) {
      const std::vector<int> own = forms.digits_of({axis.name}, {});
      if (own.empty() || own.size() > digits.size() || !std::equal(own.begin(), own.end(), digits.begin())) continue;
      axes.push_back(axis.name);
      digits.erase(digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(own.size()));
      found = true;
      break;
    }
    if (!found) return std::nullopt;
  }
  return axes;
}

std::optional<Placement> placement_of(Case& c, const Match& match) {
  const MeshForms forms(*c.arena, c.relation.mesh, c.relation.digits);
  Placement placement;
  for (const std::vector<int>& digits : match.splits) {
    try {
      const auto axes = axes_of(forms, c.relation.mesh, digits);
      if (!axes) return std::nullopt;
      placement.dims.emplace_back().axes = *axes;
    } catch (const InputError&) {  // an axis that is no product of digits
      return std::nullopt;
    }
  }
  return placement;
}

/// By instance of the distributed program: the sequential value that it holds in the run.
std::map<std::string, Assumption> found_in_run(Case& c, const DivergenceTrace& trace) {
  std::map<std::string, Assumption> found;
  const auto& values = trace.distributed().values();
  for (ValueId id = 0; id < values.size(); ++id) {
    const ValueState& state = trace.state(id);
    if (!state.match || !state.match->partial.empty() || values[id].leaf != 0 || values[id].instance.iteration >= 0) continue;
    const Instance& sequential = trace.sequential().values()[trace.anchor(*state.match)].instance;
    if (sequential.iteration >= 0) continue;
    if (const auto placement = placement_of(c, *state.match)) {
      found.emplace(to_string(*c.distributed, values[id].instance), equal_assumption(c, sequential, values[id].instance, *placement));
    }
  }
  return found;
}

std::vector<int> proved_outputs(const ProofResult& proof) {
  std::vector<int> proved;
  for (std::size_t k = 0; k < proof.outputs.size(); ++k) {
    if (proof.outputs[k].proved) proved.push_back(static_cast<int>(k));
  }
  return proved;
}

/// The first island that the run relates and nothing assumes yet; of an output itself nothing would be left to prove.
std::optional<Assumption> next_assumption(Case& c, const ProofResult& proof, const std::map<std::string, Assumption>& found,
                                          const std::vector<Assumption>& given) {
  const FlatProgram flat = flatten(*c.distributed);
  std::set<std::string> outputs;
  for (const FlatValue v : flat.outputs) outputs.insert(to_string(*c.distributed, flat.instance(flat.nodes[v.node])));
  for (const Island& island : proof.islands) {
    const auto it = found.find(island.instance);
    if (it == found.end() || outputs.count(island.instance) > 0 || std::find(given.begin(), given.end(), it->second) != given.end()) continue;
    try {
      equal_values(c, it->second);
      return it->second;
    } catch (const InputError&) {  // two instructions of one name, or a value that the flattened program has not
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> contradiction(Case& c, const Assumption& equal, const DifferentialOptions& options) {
  const EqualValues values = equal_values(c, equal);
  const FlatProgram one = flatten(*c.sequential), many = flatten(*c.distributed);
  const Instance left = one.instance(one.nodes[values.sequential]), right = many.instance(many.nodes[values.distributed]);
  RunOptions run;
  run.mode = NumberMode::F64;
  run.budget = options.budget;
  const InputSet inputs = draw_inputs(c.relation, options.seed, 0);
  Buffer whole, parts;
  run.probe = keep(left, whole);
  Executor(*c.sequential_bodies, nullptr).run(shared_sequential_inputs(c, inputs, run.mode), run);
  run.probe = keep(right, parts);
  const auto communicator = local_communicator(c.relation.layout.ranks());
  Executor(*c.distributed_bodies, communicator.get()).run(shared_distributed_inputs(c, inputs, run.mode), run);
  const Type& type = c.sequential->type(left.instruction);
  if (whole.count() == 0 || parts.count() == 0) return std::nullopt;  // not reached
  const std::vector<Operand> operands{{&whole, type.element, type.dims}};
  Buffer padding(parts.storage(), parts.count());
  if (parts.storage() == Storage::Double) {
    for (double& value : padding.as<double>()) value = std::nan("");
  }
  TieCounter ties;
  const bool padded = has_unknown(*c.arena, values.body.root);
  const Buffer expected = evaluate_once(*c.arena, values.body, run.mode, operands, ties, padded ? &padding : nullptr);
  double scale = 0;
  const auto count = static_cast<std::size_t>(parts.count());
  for (std::size_t k = 0; k < count; ++k) scale = std::isfinite(at(expected, k)) ? std::max(scale, std::abs(at(expected, k))) : scale;
  for (std::size_t k = 0; k < count; ++k) {
    const double a = at(expected, k), b = at(parts, k);
    if (!std::isfinite(a) || std::abs(a - b) <= kNoise * std::max(std::abs(a), 1e-3 * scale)) continue;
    const std::size_t ranks = static_cast<std::size_t>(c.relation.layout.ranks()), local = count / ranks;
    return fmt::format("{} is not {} in a run: rank {}, element {}: {} and {}", equal.arguments[1], equal.arguments[0], k / local, k % local, b, a);
  }
  return std::nullopt;
}

std::optional<Conditional> conditional(Case& c, Case& traced, const ProofResult& proof, const std::vector<Assumption>& given,
                                       const DifferentialOptions& options, const std::string& certificate) {
  if (proof.islands.empty()) return std::nullopt;
  const std::vector<int> before = proved_outputs(proof);
  if (!is_real(trace_mode(traced))) return std::nullopt;
  const DivergenceTrace trace(traced, draw_inputs(traced.relation, options.seed, 0), options.mode, options.budget);
  if (!trace.complete()) return std::nullopt;
  auto found = found_in_run(c, trace);
  Conditional result;
  ProverOptions limits;
  limits.max_steps = std::max(kMinSteps, 2 * proof.steps);
  limits.equal = given;
  CheckedProof now;
  for (int k = 0; k < kMaxAssumed && !now.proof.proved; ++k) {
    const auto ask = [&] { return next_assumption(c, k == 0 ? proof : now.proof, found, limits.equal); };
    auto next = ask();
    for (; next && &c == &traced && contradiction(c, *next, options); next = ask()) {  // a value that is infinite somewhere is matched by its other elements
      std::erase_if(found, [&](const auto& entry) { return entry.second == *next; });
    }
    if (!next) break;
    limits.equal.push_back(*next);
    now = prove_and_check(c, limits, certificate);
  }
  result.outputs = proved_outputs(now.proof);
  if (result.outputs.size() <= before.size()) return std::nullopt;
  if (!now.certificate.empty()) {
    if (!now.accepted()) return std::nullopt;
    if (!certificate.empty()) write_file(certificate, now.certificate);
  }
  result.assumptions.assign(limits.equal.begin() + static_cast<std::ptrdiff_t>(given.size()), limits.equal.end());
  return result;
}

}  // namespace gg
