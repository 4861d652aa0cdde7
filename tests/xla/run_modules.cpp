// Runs HLO modules or cases in our runtime and leaves what XLA needs to do the same: for each module NAME.hlo (widened
// to f64, ranks as replicas) and NAME.safetensors with in.K and out.K, one leading dimension of ranks. Of each draw D also what a run in f64 has:
// D.in.K, D.middle.K and D.radius.K (floats; absent where the output is exact).
//   run_modules OUT_FOLDER [--draws N] PATH...     PATH: a case folder, or an HLO file
// A file may start with comment lines `// ranks: 4` and `// range 0: -2 3`. A case that is refuted because ranks wait for each
// other has nothing to compare: the reason is printed and it counts as not run. Any other failure is one.
// Closing line: N run, M not run, K failed.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/witness/safetensors.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

/// Values of a run rounded to double, integers as they are.
Buffer as_double(const Buffer& buffer) {
  if (buffer.storage() != Storage::Bits128) return buffer.clone();
  Buffer result(Storage::Double, buffer.count());
  for (std::size_t k = 0; k < static_cast<std::size_t>(buffer.count()); ++k) {
    result.as<double>()[k] = BallOps<Ball128>::to_double(buffer.as<Ball128>()[k]);
  }
  return result;
}

void add(std::vector<NamedTensor>& tensors, const char* prefix, std::size_t k, std::int64_t ranks, const Type& type,
         const Buffer& buffer) {
  std::vector<std::int64_t> dims = type.dims;
  dims.insert(dims.begin(), ranks);
  tensors.push_back({std::string(prefix) + "." + std::to_string(k), dims, as_double(buffer)});
}

/// The inputs of a draw.
using Draws = std::function<std::vector<Buffer>(int draw, NumberMode mode)>;
int draws = 0;                                ///< in f64
constexpr std::int64_t kMostDrawn = 1 << 16;  ///< input elements of a draw that are written out

void add_doubles(std::vector<NamedTensor>& tensors, Executor& executor, const Module& module, std::int64_t ranks, const Draws& inputs) {
  const auto parameters = input_leaves(module), leaves = output_leaves(module);
  RunOptions options;
  options.mode = NumberMode::F64;
  options.error_bounds = true;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<Buffer> given = inputs(draw, NumberMode::F64);
    std::int64_t elements = 0;
    for (const Buffer& buffer : given) elements += buffer.count();
    if (elements > kMostDrawn && draw != 0) return;
    const std::string prefix = std::to_string(draw) + ".";
    for (std::size_t k = 0; k < given.size(); ++k) add(tensors, (prefix + "in").c_str(), k, ranks, parameters[k].type, given[k]);
    const RunResult result = executor.run(std::move(given), options);
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      add(tensors, (prefix + "middle").c_str(), k, ranks, leaves[k].type, result.outputs[k]);
      if (result.errors[k].count() != 0) add(tensors, (prefix + "radius").c_str(), k, ranks, leaves[k].type, result.errors[k]);
    }
  }
}

void run_module(const std::string& out, const std::string& name, BodyTable& bodies, const Draws& drawn) {
  const Module& module = bodies.module();
  std::vector<Buffer> inputs = drawn(0, NumberMode::Real);
  const std::int64_t ranks = bodies.layout().ranks();
  std::vector<NamedTensor> tensors;
  const auto parameters = input_leaves(module);
  for (std::size_t k = 0; k < inputs.size(); ++k) add(tensors, "in", k, ranks, parameters[k].type, inputs[k]);
  const auto communicator = local_communicator(ranks);
  Executor executor(bodies, communicator.get());
  const RunResult result = executor.run(std::move(inputs), {});
  const auto leaves = output_leaves(module);
  for (std::size_t k = 0; k < leaves.size(); ++k) add(tensors, "out", k, ranks, leaves[k].type, result.outputs[k]);
  add_doubles(tensors, executor, module, ranks, drawn);
  const PrintOptions xla{.widen = true, .as_replicas = true, .metadata = false, .expand_custom_calls = true};
  write_file(out + "/" + name + ".hlo", print_hlo(module, xla));
  write_file(out + "/" + name + ".safetensors", write_safetensors(tensors, {{"ranks", std::to_string(ranks)}}));
}

void run_case(const std::string& out, const std::string& folder) {
  Case c = load_case(folder);
  infer_ranges(c);
  const auto inputs = [&](int draw) { return draw_inputs(c.relation, static_cast<std::uint64_t>(1 + draw), draw); };
  run_module(out, c.name + ".sequential", *c.sequential_bodies, [&](int draw, NumberMode mode) { return sequential_inputs(c, inputs(draw), mode); });
  run_module(out, c.name + ".distributed", *c.distributed_bodies, [&](int draw, NumberMode mode) { return distributed_inputs(c, inputs(draw), mode); });
}

/// Draws for a lone module: every rank its own values.
Buffer draw(const Leaf& leaf, std::uint32_t parameter, std::int64_t ranks, Range range, int number, NumberMode mode) {
  const std::int64_t count = leaf.type.count() * ranks;
  const bool integral = is_integral(leaf.type.element);
  Buffer values(integral ? Storage::Int64 : Storage::Double, count);
  const auto seed = static_cast<std::uint64_t>(1 + number);
  for (std::int64_t k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const auto counter = static_cast<std::uint64_t>(k);
    if (integral) values.as<std::int64_t>()[at] = draw_int(seed, number, parameter, counter, range);
    else values.as<double>()[at] = draw_real(seed, number, parameter, counter, range);
  }
  return in_mode(values, leaf.type.element, mode);
}

void run_file(const std::string& out, const std::string& path) {
  const std::string text = read_file(path);
  std::int64_t ranks = 1;
  std::map<std::size_t, Range> ranges;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.rfind("//", 0) == 0;) {
    unsigned parameter = 0;
    double lo = 0, hi = 0;
    long count = 0;
    if (std::sscanf(line.c_str(), "// ranks: %ld", &count) == 1) ranks = count;
    if (std::sscanf(line.c_str(), "// range %u: %lf %lf", &parameter, &lo, &hi) == 3) ranges[parameter] = {lo, hi};
  }
  const Module module = parse_hlo(text, path);
  Arena arena;
  const RankLayout layout = rank_layout(module, ranks);
  BodyTable bodies(arena, module, rank_digits(module, {}, layout), layout);
  const auto leaves = input_leaves(module);
  run_module(out, fs::path(path).stem().string(), bodies, [&](int number, NumberMode mode) {
    std::vector<Buffer> inputs;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const Range fallback = leaves[k].type.element == ElementType::Pred ? Range{0, 2}
                             : is_integral(leaves[k].type.element)       ? Range{0, 8}
                                                                         : Range{-1, 1};
      // A range of the file is kept by all draws: the operator may not be defined outside.
      const Range range = ranges.count(k) != 0 ? Range{ranges[k].lo, ranges[k].hi, Range::Origin::Given} : fallback;
      inputs.push_back(draw(leaves[k], static_cast<std::uint32_t>(k), layout.ranks(), range, number, mode));
    }
    return inputs;
  });
}

/// Does the case say itself that its programs differ?
bool expects_refutation(const std::string& path) {
  const fs::path file = fs::path(path) / "expect.json";
  if (!fs::is_regular_file(file)) return false;
  return nlohmann::json::parse(read_file(file.string())).value("verdict", "") == "refuted";
}

}  // namespace
}  // namespace gg

int main(int argc, char** argv) {
  int run = 0, not_run = 0, failed = 0;
  std::string names;
  for (const gg::OpInfo& row : gg::operators()) names += std::string(row.name) + "\n";
  gg::write_file(argv[1] + std::string("/operators.txt"), names);
  for (int k = 2; k < argc; ++k) {
    if (argv[k] == std::string("--draws") && k + 1 < argc) {
      gg::draws = std::atoi(argv[++k]);
      continue;
    }
    try {
      if (std::filesystem::is_directory(argv[k])) {
        gg::run_case(argv[1], argv[k]);
      } else {
        gg::run_file(argv[1], argv[k]);
      }
      ++run;
    } catch (const gg::RuntimeFailure& failure) {
      const bool by_design = failure.kind == gg::RuntimeFailure::Kind::Mismatch && gg::expects_refutation(argv[k]);
      std::cerr << (by_design ? "not run " : "") << argv[k] << ": " << failure.what() << "\n";
      ++(by_design ? not_run : failed);
    } catch (const std::exception& error) {
      std::cerr << argv[k] << ": " << error.what() << "\n";
      ++failed;
    }
  }
  std::cout << run << " run, " << not_run << " not run, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}
