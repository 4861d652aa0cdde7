#include <algorithm>
#include <cstring>

#include "harness/witness/safetensors.h"
#include "harness/witness/witness.h"
#include "models/base/file.h"
#include "models/hlo/printer.h"
#include "runtime/differential.h"
#include "runtime/float_verdict.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

/// A real as the sum of two doubles.
struct Halves {
  Buffer high, low;
};

Halves halves(const Buffer& exact) {
  Halves parts{Buffer(Storage::Double, exact.count()), Buffer(Storage::Double, exact.count())};
  const auto values = exact.as<Ball128>();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double high = BallOps<Ball128>::to_double(values[k]);
    parts.high.as<double>()[k] = high;
    if (!(high - high == 0)) continue;  // not finite
    parts.low.as<double>()[k] = BallOps<Ball128>::to_double(BallOps<Ball128>::subtract(values[k], BallOps<Ball128>::from_double(high)));
  }
  return parts;
}

bool same_numbers(const InputSet& a, const InputSet& b) {
  return std::equal(a.free.begin(), a.free.end(), b.free.begin(), b.free.end(), [](const Buffer& x, const Buffer& y) {
    return x.bytes() == y.bytes() && (x.bytes() == 0 || std::memcmp(x.data(), y.data(), x.bytes()) == 0);
  });
}

void add_outputs(const std::string& side, const Module& module, std::int64_t ranks, const RunResult& run, std::vector<NamedTensor>& tensors) {
  std::size_t k = 0;
  for (const Type* leaf : module.type(module.computation(module.entry()).root).leaves()) {
    if (!leaf->is_array()) continue;
    std::vector<std::int64_t> dims = leaf->dims;
    if (side == "distributed") dims.insert(dims.begin(), ranks);
    const std::string name = side + "." + std::to_string(k);
    const Buffer& output = run.outputs[k++];
    if (output.storage() != Storage::Bits128) {
      tensors.push_back({name, dims, output.clone()});
      continue;
    }
    Halves parts = halves(output);
    tensors.push_back({name, dims, std::move(parts.high)});
    tensors.push_back({name + ".low", dims, std::move(parts.low)});
  }
}

}  // namespace

void write_exact_run(const std::string& folder, Case& c, const InputSet& inputs, const Budget& budget, const RecordedPair* recorded) {
  if (affordable_mode(c) != NumberMode::Real) return;
  RunOptions options;
  options.budget = budget;
  options.seed = inputs.seed;
  std::vector<NamedTensor> tensors;
  const std::int64_t ranks = c.relation.layout.ranks();
  const auto add = [&](const RunResult& sequential, const RunResult& distributed) {
    add_outputs("sequential", *c.sequential, ranks, sequential, tensors);
    add_outputs("distributed", *c.distributed, ranks, distributed, tensors);
  };
  const InputSet rounded = rounded_inputs(c, inputs, NumberMode::Model);
  try {
    if (recorded != nullptr && recorded->mode == options.mode && same_numbers(rounded, inputs)) {
      add(*recorded->sequential.result, *recorded->distributed.result);
    } else {
      const PairRun run = PairRunner(c).run(rounded, options);
      add(run.sequential, run.distributed);
    }
  } catch (const RuntimeFailure&) {
    return;  // a program that hangs, or no time left: the witness does without
  }
  write_file(folder + "/exact.safetensors", write_safetensors(tensors, {}));
  const auto own = [](RankLayout layout) {
    return PrintOptions{.as_replicas = true, .metadata = false, .expand_custom_calls = true, .layout = layout};
  };
  write_file(folder + "/xla/sequential.own.hlo", print_hlo(*c.sequential, own(RankLayout())));
  write_file(folder + "/xla/distributed.own.hlo", print_hlo(*c.distributed, own(c.relation.layout)));
}

}  // namespace gg
