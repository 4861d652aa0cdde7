// front SEED COUNT SECONDS DEPTH CASE...: mutations of the files of cases (program texts, HLO or graphs of PyTorch, relation, bytes of the compressed
// text) through everything that reads them: parse, verify, relation, rank digits, all bodies, printing (DEPTH 0), the run
// of the pair under a small budget (1), the proof and the checker (2). Bad input must end in InputError; anything else, a
// crash, a sanitizer's report or more than 60 seconds on one mutation is a defect. Stops after SECONDS. Deterministic up
// to where it stops; mutation N alone: front SEED -N SECONDS DEPTH CASE... (fuzz_front knows DEPTH 0 only.)
#include "tests/fuzz/front.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "models/pair/case.h"
#include "tests/fuzz/mutator.h"

namespace gg {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr unsigned kSecondsForOne = 60;

long current = 0;  // for the signal handler

void on_alarm(int) {
  char text[64];
  const int n = std::snprintf(text, sizeof text, "mutation %ld hangs\n", current);
  if (n > 0) [[maybe_unused]]
    const auto written = write(2, text, static_cast<std::size_t>(n));
  std::abort();
}

/// The texts of one case, and what they are called (without .gz): its programs and the relation.
struct Texts {
  std::vector<std::string> names, files;
};

Texts read_case(const std::string& folder) {
  Texts texts;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& path = entry.path();
    const fs::path name = path.extension() == ".gz" ? path.stem() : path.filename();
    if (name.extension() == ".hlo" || name.extension() == ".fx" || name == "relation.json") texts.names.push_back(name.string());
  }
  std::sort(texts.names.begin(), texts.names.end());
  for (const std::string& name : texts.names) texts.files.push_back(read_file(find_file(folder, name)));
  return texts;
}

void all_bodies(BodyTable& bodies) {
  const Module& module = bodies.module();
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (!has_body(module[id].op)) continue;
    for (std::size_t leaf = 0; leaf < module.type(id).leaves().size(); ++leaf) bodies.body(id, static_cast<int>(leaf));
  }
}

/// Everything that reads a case. Returns how far it came.
std::string exercise(const std::string& folder, int depth) {
  Case c = load_case(folder);
  all_bodies(*c.sequential_bodies);
  all_bodies(*c.distributed_bodies);
  print_relation(c.relation, Notation::Json);
  parse_hlo(print_hlo(*c.distributed), "printed");
  return depth < 1 ? "loaded" : testing::run_and_prove(c, depth);
}

/// Files of mutation `n` in `folder`.
void write_mutation(std::uint64_t seed, long n, const std::vector<Texts>& cases, const std::vector<std::string>& pool,
                    const std::string& folder) {
  testing::Mutator mutator(seed * 1000003 + static_cast<std::uint64_t>(n), pool);
  const Texts& chosen = cases[mutator.pick(cases.size())];
  for (const auto& left : fs::directory_iterator(folder)) fs::remove(left.path());
  const std::size_t changed = mutator.pick(chosen.files.size());
  for (std::size_t k = 0; k < chosen.files.size(); ++k) {
    write_file(folder + "/" + chosen.names[k], k == changed ? mutator.next(chosen.files[k]) : chosen.files[k]);
  }
}

int campaign(std::uint64_t seed, long count, double seconds, int depth, const std::vector<std::string>& folders) {
  std::vector<Texts> cases;
  std::vector<std::string> pool;
  for (const auto& folder : folders) {
    cases.push_back(read_case(folder));
    pool.insert(pool.end(), cases.back().files.begin(), cases.back().files.end());
  }
  const fs::path folder = fs::temp_directory_path() / ("gg-front-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto start = Clock::now();
  std::map<std::string, long> outcomes;
  std::pair<double, long> slowest{0, 0};
  int code = 0;
  long done = 0;
  for (long n = count < 0 ? -count : 0; code == 0 && n < std::max(count, 1 - count); ++n, ++done) {
    const auto before = Clock::now();
    if (std::chrono::duration<double>(before - start).count() > seconds) break;
    current = n;
    alarm(kSecondsForOne);
    try {
      write_mutation(seed, n, cases, pool, folder);
      if (depth > 0) testing::read_tensors(seed, n);
      ++outcomes[exercise(folder, depth)];
    } catch (const InputError& error) {
      ++outcomes[std::string(info(error.diags()[0].code).id)];
    } catch (const std::exception& error) {
      std::fprintf(stderr, "seed %llu, mutation %ld: %s\n", static_cast<unsigned long long>(seed), n, error.what());
      fs::copy(folder, "mutation-" + std::to_string(n), fs::copy_options::overwrite_existing);
      code = 1;
    }
    slowest = std::max(slowest, {std::chrono::duration<double>(Clock::now() - before).count(), n});
  }
  alarm(0);
  fs::remove_all(folder);
  std::printf("%ld mutations; slowest %.2f s (mutation %ld)", done, slowest.first, slowest.second);
  for (const auto& [outcome, times] : outcomes) std::printf(", %s %ld", outcome.c_str(), times);
  std::printf("\n");
  return code;
}

}  // namespace
}  // namespace gg

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: front SEED COUNT SECONDS DEPTH CASE...\n");
    return 3;
  }
  std::signal(SIGALRM, gg::on_alarm);
  return gg::campaign(std::strtoull(argv[1], nullptr, 10), std::strtol(argv[2], nullptr, 10), std::strtod(argv[3], nullptr),
                      std::atoi(argv[4]), {argv + 5, argv + argc});
}
