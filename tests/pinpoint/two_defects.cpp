// Programs with two independent defects, made from the mutants of models/mutation: are both found?
//   two_defects COUNT CASE...   over case folders (COUNT 0: every defect alone); prints one line a program and the counts; exit 1 below 5 of 6.
#include <iostream>
#include <numeric>
#include <set>
#include <string>

#include "harness/pinpoint/pinpoint.h"
#include "harness/prove/mutants.h"
#include "models/mutation/mutate.h"
#include "runtime/differential.h"

namespace {

using namespace gg;

/// Edits that alone make the outputs differ, spread over the program.
std::vector<Edit> differing_edits(const Case& c, std::size_t most) {
  std::vector<Edit> found;
  const std::vector<Edit> all = edits(*c.distributed);
  if (all.empty()) return found;
  DifferentialOptions options;
  options.seeds = 1;
  std::size_t stride = all.size() / 2 + 1;
  while (std::gcd(stride, all.size()) != 1) ++stride;
  for (std::size_t k = 0; k < std::min<std::size_t>(all.size(), 4 * most) && found.size() < most; ++k) {
    const Edit& edit = all[(k + 1) * stride % all.size()];
    try {
      Case mutant = mutated(c, edit);
      const DifferentialResult run = run_pair(mutant, options);
      if (run.differing && !run.differing->failure) found.push_back(edit);
    } catch (const InputError&) {
    }
  }
  return found;
}

struct Score {
  int programs = 0, both = 0, mended = 0;
};

void try_pair(const Case& c, const Edit& a, const Edit& b, Score& score) {
  Case first = mutated(c, a);
  const bool single = a.instruction == b.instruction;
  Case mutant = single ? std::move(first) : mutated(first, b);
  DifferentialOptions options;
  const DifferentialResult run = run_pair(mutant, options);
  if (!run.differing || run.differing->failure) return;
  pinpoint::Search search;
  search.prove = false;
  const pinpoint::Pinpointed found = pinpoint::pinpoint(mutant, *run.witness, search);
  std::set<InstructionId> places;
  std::string text;
  for (const auto& defect : found.defects) {
    places.insert(defect.place);
    text += " | " + defect.text;
  }
  const bool both = places.count(a.instruction) != 0 && places.count(b.instruction) != 0;
  ++score.programs;
  score.both += both ? 1 : 0;
  score.mended += !found.mends.empty() && found.mends.front().mends ? 1 : 0;
  std::cout << (both ? "both   " : "missed ") << c.name << ": " << to_string(*c.distributed, a) << " + " << to_string(*c.distributed, b)
            << " ->" << text << "\n"
            << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 3;
  const int wanted = std::stoi(argv[1]);
  Score score;
  std::vector<Case> cases;
  std::vector<std::vector<Edit>> found;
  for (int k = 2; k < argc; ++k) {
    cases.push_back(load_case(argv[k]));
    infer_ranges(cases.back());
    found.push_back(differing_edits(cases.back(), 8));
  }
  for (std::size_t k = 0; k < cases.size() && wanted == 0; ++k) {
    for (const Edit& edit : found[k]) try_pair(cases[k], edit, edit, score);
  }
  for (std::size_t round = 1; round < 8 && score.programs < wanted; ++round) {
    for (std::size_t k = 0; k < cases.size() && score.programs < wanted; ++k) {
      const auto& list = found[k];
      for (std::size_t i = 0; i + round < list.size() && i < 2 && score.programs < wanted; ++i) {
        if (list[i].instruction == list[i + round].instruction) continue;
        try {
          try_pair(cases[k], list[i], list[i + round], score);
        } catch (const InputError&) {
        }
      }
    }
  }
  std::cout << "programs " << score.programs << ", both found " << score.both << ", mended " << score.mended << "\n";
  return 6 * score.both >= 5 * score.programs ? 0 : 1;
}
