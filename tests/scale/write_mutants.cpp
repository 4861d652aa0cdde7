// Writes one-instruction defects of a pair as pairs of their own, for pairs that are too large to be run as they are. Beside them what XLA
// needs to run the program and its defects in f64 without us: xla.hlo of each, inputs.safetensors (one draw; not of a pair that fits no machine).
// usage: write_mutants CASE FOLDER MOST   Takes MOST edits spread over the program; prints one line a mutant.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/witness/safetensors.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/hlo/printer.h"
#include "models/ir/verify.h"
#include "models/mutation/mutate.h"
#include "models/pair/case.h"
#include "runtime/inputs.h"

namespace {

constexpr double kMostInputs = 2e8;  ///< numbers that are drawn, of all ranks

bool draws(const gg::Case& c) {
  double all = 0;
  for (const gg::Leaf& leaf : gg::input_leaves(*c.distributed)) all += static_cast<double>(leaf.type.count());
  return all * static_cast<double>(c.relation.layout.ranks()) <= kMostInputs;
}

/// The inputs of all ranks.
std::string drawn(gg::Case& c) {
  infer_ranges(c);
  std::vector<gg::Buffer> inputs = distributed_inputs(c, draw_inputs(c.relation, 1, 0), gg::NumberMode::F64);
  const auto leaves = gg::input_leaves(*c.distributed);
  std::vector<gg::NamedTensor> tensors;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    std::vector<std::int64_t> dims = leaves[k].type.dims;
    dims.insert(dims.begin(), c.relation.layout.ranks());
    tensors.push_back({"in." + std::to_string(k), dims, std::move(inputs[k])});
  }
  return write_safetensors(tensors, {});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: write_mutants CASE FOLDER MOST\n");
    return 3;
  }
  gg::Case c = gg::load_case(argv[1]);
  const gg::PrintOptions xla{.widen = true, .as_replicas = true, .metadata = false, .expand_custom_calls = true};
  std::filesystem::create_directories(argv[2]);
  gg::write_file(argv[2] + std::string("/xla.hlo"), gg::print_hlo(*c.distributed, xla));
  if (draws(c)) gg::write_file(argv[2] + std::string("/inputs.safetensors"), drawn(c));
  const std::vector<gg::Edit> all = gg::edits(*c.distributed);
  const std::size_t most = std::strtoul(argv[3], nullptr, 10);
  const std::size_t count = std::min(most, all.size());
  for (std::size_t k = 0; k < count; ++k) {
    const gg::Edit& edit = all[k * all.size() / count];
    const std::string folder = std::string(argv[2]) + "/" + std::to_string(k);
    const gg::Module mutant = gg::apply(*c.distributed, edit);
    try {
      gg::verify(mutant, {});
    } catch (const gg::InputError&) {
      std::printf("%zu ill-typed %s\n", k, gg::to_string(*c.distributed, edit).c_str());
      continue;
    }
    std::filesystem::create_directories(folder);
    gg::write_file(folder + "/sequential.hlo", gg::print_hlo(*c.sequential));
    gg::write_file(folder + "/distributed.hlo", gg::print_hlo(mutant));
    gg::write_file(folder + "/relation.json", c.relation_text);
    gg::write_file(folder + "/xla.hlo", gg::print_hlo(mutant, xla));
    std::printf("%zu %s\n", k, gg::to_string(*c.distributed, edit).c_str());
  }
  return 0;
}
