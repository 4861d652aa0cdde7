// Writes one-instruction defects of a pair as pairs of their own, for pairs that are too large to be run as they are.
// usage: write_mutants CASE FOLDER MOST   Takes MOST edits spread over the program; prints one line a mutant.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/hlo/printer.h"
#include "models/ir/verify.h"
#include "models/pair/case.h"
#include "models/mutation/mutate.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: write_mutants CASE FOLDER MOST\n");
    return 3;
  }
  const gg::Case c = gg::load_case(argv[1]);
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
    std::printf("%zu %s\n", k, gg::to_string(*c.distributed, edit).c_str());
  }
  return 0;
}
