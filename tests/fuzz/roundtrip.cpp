// roundtrip [--out FOLDER] FILE...: parses, verifies and prints each file, parses the printed text again and compares
// the modules; exit code 1 at the first difference. With --out the printed texts are written, plain, widened and as
// replicas, for XLA's parser to read.
#include <cstdio>
#include <string>

#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "tests/fuzz/compare.h"

namespace {

struct Variant {
  const char* name;
  gg::PrintOptions options;
};

void write_variants(const gg::Module& module, const std::string& stem) {
  gg::PrintOptions widened;
  widened.widen = widened.expand_custom_calls = true;
  gg::PrintOptions replicas = widened;
  replicas.as_replicas = true;
  gg::PrintOptions bare;
  bare.metadata = false;
  bare.as_replicas = bare.expand_custom_calls = true;
  const Variant variants[] = {{"plain", {}}, {"widened", widened}, {"replicas", replicas}, {"bare", bare}};
  for (const Variant& variant : variants) {
    gg::write_file(stem + "." + variant.name + ".hlo", gg::print_hlo(module, variant.options));
  }
}

bool round_trip(const std::string& path, const std::string& stem) {
  const gg::Module module = gg::load_hlo(path);
  const std::string printed = gg::print_hlo(module);
  const gg::Module again = gg::parse_hlo(printed, path + " (printed)");
  const std::string difference = gg::testing::difference(module, again);
  if (!difference.empty()) {
    std::fprintf(stderr, "%s: round trip differs: %s\n", path.c_str(), difference.c_str());
    return false;
  }
  if (print_hlo(again) != printed) {
    std::fprintf(stderr, "%s: printing twice gives another text\n", path.c_str());
    return false;
  }
  if (!stem.empty()) write_variants(module, stem);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder;
  int done = 0;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    if (argument == "--out" && k + 1 < argc) {
      folder = argv[++k];
      continue;
    }
    try {
      if (!round_trip(argument, folder.empty() ? "" : folder + "/" + std::to_string(done))) return 1;
    } catch (const gg::InputError& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
    ++done;
  }
  std::printf("%d files\n", done);
  return 0;
}
