// mutate SEED COUNT FILE...: parses COUNT mutations of the files (bytes and tokens deleted, repeated, exchanged,
// numbers made large, files spliced) and prints what is accepted. Bad text must end in InputError, nothing else; a
// crash or another exception is a defect. Deterministic.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "models/hlo/sharding.h"

namespace {

class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<std::string>& texts) : random_(seed), texts_(texts) {}

  std::string next() {
    std::string text = texts_[pick(texts_.size())];
    const std::size_t edits = 1 + pick(3);
    for (std::size_t k = 0; k < edits && !text.empty(); ++k) edit(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

  /// A short run of text that starts and ends at token borders.
  std::pair<std::size_t, std::size_t> token(const std::string& text) {
    constexpr const char* kBorders = " ,(){}[]=\n";
    std::size_t first = text.find_first_not_of(kBorders, pick(text.size()));
    if (first == std::string::npos) first = 0;
    std::size_t last = text.find_first_of(kBorders, first);
    if (last == std::string::npos) last = text.size();
    return {first, last - first};
  }

  void edit(std::string& text) {
    static const char* const kPieces[] = {"999999999999999999999",
                                          "-1",
                                          "{",
                                          "}",
                                          "(",
                                          ")",
                                          "\"",
                                          "/*",
                                          "%",
                                          "1000000000",
                                          "[1000000000,1000000000]<=[1000000000]",
                                          "f32[281474976710656,4]",
                                          "{{}}",
                                          "nan",
                                          "ROOT",
                                          "ENTRY",
                                          "mesh['a'=1000000]",
                                          "\\",
                                          "{...}",
                                          "<=",
                                          "T(1,0)"};
    const std::size_t at = pick(text.size());
    switch (pick(9)) {
      case 0:
        text[at] = static_cast<char>(pick(256));
        break;
      case 1:
        text.erase(at, 1 + pick(20));
        break;
      case 2:
        text.insert(at, kPieces[pick(std::size(kPieces))]);
        break;
      case 3:
        text.resize(at);
        break;
      case 4: {
        const auto [first, count] = token(text);
        text.replace(first, count, kPieces[pick(std::size(kPieces))]);
        break;
      }
      case 5: {  // one token takes the place of another
        const auto [from, length] = token(text);
        const std::string piece = text.substr(from, length);
        const auto [first, count] = token(text);
        text.replace(first, count, piece);
        break;
      }
      case 6: {  // a line again, somewhere else
        const std::size_t start = text.rfind('\n', at) + 1;
        const std::size_t end = text.find('\n', at);
        const std::string line = text.substr(start, end == std::string::npos ? end : end - start + 1);
        const std::size_t there = text.rfind('\n', pick(text.size())) + 1;
        text.insert(there, line);
        break;
      }
      case 7: {  // the tail of another file
        const std::string& other = texts_[pick(texts_.size())];
        text = text.substr(0, at) + (other.empty() ? "" : other.substr(pick(other.size())));
        break;
      }
      default: {
        const auto [first, count] = token(text);
        text.erase(first, count);
      }
    }
  }

  std::mt19937_64 random_;
  const std::vector<std::string>& texts_;
};

}  // namespace

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
    Mutator mutator(seed * 1000003 + static_cast<std::uint64_t>(n), texts);
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
