// mutate SEED COUNT FILE...: parses COUNT mutations of the files (bytes and tokens deleted, repeated, exchanged,
// numbers made large, files spliced) and prints what is accepted. Bad text must end in InputError, nothing else; a
// crash or another exception is a defect. Deterministic.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "models/hlo/sharding.h"
#include "tests/fuzz/mutator.h"

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: mutate SEED COUNT FILE...\n");
    return 3;
  }
  std::vector<std::string> texts;
  for (int k = 3; k < argc; ++k) texts.push_back(gg::read_file(argv[k]));
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  const long count = std::strtol(argv[2], nullptr, 10);
  std::map<std::string, long> codes;
  long accepted = 0;
  for (long n = 0; n < count; ++n) {
    // Each mutation has its own generator, so that a failing number can be repeated alone.
    gg::testing::Mutator mutator(seed * 1000003 + static_cast<std::uint64_t>(n), texts);
    const std::string text = mutator.next();
    try {
      const gg::Module module = gg::parse_hlo(text, "mutation " + std::to_string(n));
      gg::parse_hlo(gg::print_hlo(module), "printed mutation " + std::to_string(n));
      for (gg::InstructionId id = 0; id < module.size(); ++id) {
        module.source(id);
        if (module[id].sharding == gg::kNone) continue;
        try {
          gg::parse_sharding(module.string(module[id].sharding));
        } catch (const gg::InputError&) {
        }
      }
      ++accepted;
    } catch (const gg::InputError& error) {
      if (error.diags()[0].where.file.rfind("printed", 0) == 0) {
        std::fprintf(stderr, "seed %s, mutation %ld: printed text is refused: %s\n", argv[1], n, error.what());
        return 1;
      }
      ++codes[std::string(gg::info(error.diags()[0].code).id)];
    } catch (const std::exception& error) {
      std::fprintf(stderr, "seed %s, mutation %ld: %s\n", argv[1], n, error.what());
      return 1;
    }
  }
  std::printf("%ld mutations, %ld accepted", count, accepted);
  for (const auto& [code, times] : codes) std::printf(", %s %ld", code.c_str(), times);
  std::printf("\n");
  return 0;
}
