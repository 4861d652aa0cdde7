#include "harness/decide/rounding.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/check.h"
#include "models/base/text.h"
#include "runtime/float_verdict.h"
#include "runtime/job/make_device.h"

namespace gg {
namespace {

constexpr std::size_t kMaxReductions = 8;  ///< named in the report

NumberMode rounding_mode(const Options& options) {
  if (options.dtype == "f32") return NumberMode::F32;
  if (options.dtype == "f64") return NumberMode::F64;
  return NumberMode::Model;
}

std::string line(const char* side, const OutputRounding& out) {
  std::string text = fmt::format("output {} ({}) {}: {}, largest error {:.3g} roundings, {:.2g} of the bound; {} compared", out.output, out.name,
                                 side, info(out.type).name, out.largest_units, out.largest_share, out.compared);
  if (out.undecided != 0) text += fmt::format(", {} without a bound ({} not finite, else {:.3g} roundings)", out.undecided, out.not_finite, out.undecided_units);
  if (out.beyond != 0) text += fmt::format("; {} beyond rounding: {}", out.beyond, out.worst);
  return text;
}

void note(const FloatVerdict& verdict, Told& told) {
  for (std::size_t k = 0; k < verdict.distributed.size(); ++k) {
    told.notes.push_back(line("sequential", verdict.sequential[k]));
    told.notes.push_back(line("distributed", verdict.distributed[k]));
  }
  const auto& found = verdict.order_dependent;
  if (found.empty()) return;
  told.notes.push_back("results that depend on the order of their terms: " + first_few(found, kMaxReductions, fmt::format(" and {} more", found.size() - kMaxReductions)));
}

void note_device(const device::Device& device, Told& told) {
  const device::Counts& n = device.counts;
  told.notes.push_back(fmt::format("device {}: {} kernels, {} products, {} uploads ({} bytes), {} downloads ({} bytes), {} operators on the host",
                                   device.name(), n.launches, n.products, n.uploads, n.upload_bytes, n.downloads, n.download_bytes,
                                   n.host_operators));
}

}  // namespace

bool wants_rounding(const Options& options) {
  return options.dtype == "model" || options.dtype == "f32" || options.device != "none";
}

RoundedRun judge_floats(Case& c, const Options& options, Told& told) {
  const auto device = options.device == "none" ? nullptr : make_device(options.device);
  FloatOptions how;
  how.mode = rounding_mode(options);
  how.budget = differential_options(options).budget;
  how.backend = options.rank_backend;
  how.device = device.get();
  const bool own = how.backend == nullptr && how.device == nullptr;
  RoundedRun outcome = RoundedRun::Within;
  try {
    for (int draw = 0; draw < options.seeds; ++draw) {
      const auto seed = options.seed + static_cast<std::uint64_t>(draw);
      const FloatVerdict verdict = judge_rounding(c, draw_inputs(c.relation, seed, draw), how);
      const bool beyond = verdict.beyond();
      if (verdict.undecided() && !verdict.operators_checked) outcome = RoundedRun::Undecided;
      if (draw == 0 || beyond) note(verdict, told);
      if (draw == 0 && verdict.operators_checked && verdict.blamed.empty()) {
        told.notes.emplace_back("every operator is within its own rounding on the operands that it had on the device");
      }
      if (!beyond) continue;
      GG_CHECK(!own, "a run in rounding types on the host lies beyond its own bound: " + verdict.distributed.front().worst);
      outcome = RoundedRun::Beyond;
      told.notes.push_back(fmt::format("seed {} on {}: the run differs from the exact one by more than rounding: the backend is at fault", seed,
                                       verdict.where));
      if (!verdict.blamed.empty()) told.notes.push_back("blamed: " + verdict.blamed);
      break;
    }
  } catch (const RuntimeFailure& failure) {
    outcome = RoundedRun::NotRun;
    told.notes.push_back(std::string("the run that rounds stopped: ") + failure.what());
  }
  if (device) note_device(*device, told);
  constexpr const char* kNames[] = {"not-asked", "within", "undecided", "beyond", "not-run"};
  told.details.push_back({"rounding", kNames[static_cast<std::size_t>(outcome)]});
  return outcome;
}

}  // namespace gg
