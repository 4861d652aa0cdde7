// The premise campaign: of every case that is proved, inputs that satisfy what the verdict says it assumes never differ, however
// odd they are; inputs that break one in-bounds premise, and nothing else, may. Integers for which nothing is assumed take
// any value of their type, floats without a given range both signs, zeros and several magnitudes.
// usage: campaign_premises [--draws N] [--seconds S a case] CASE...     prints a line a case; exits 1 if one contradicts.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "harness/prove/proof.h"
#include "models/base/diag.h"
#include "runtime/differential.h"

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return static_cast<std::size_t>(random() % n); }

/// Inputs that satisfy the assumptions of one proof.
class Drawer {
 public:
  Drawer(const gg::Case& c, const std::vector<gg::Assumption>& assumptions) : case_(c), assumed_(c.relation.free.size()) {
    for (const gg::Assumption& a : assumptions) {
      if (a.kind != gg::AssumptionKind::InBounds) continue;
      for (std::size_t k = 0; k < assumed_.size(); ++k) assumed_[k] = assumed_[k] || c.relation.free[k].name == a.arguments[0];
    }
  }

  gg::InputSet draw(std::uint64_t number) const {
    Random random(number);
    gg::InputSet set = gg::draw_inputs(case_.relation, number, static_cast<int>(number % 4));
    for (std::size_t k = 0; k < set.free.size(); ++k) {
      if (below(random, 2) == 0) disturb(case_.relation.free[k], assumed_[k], set.free[k], random);
    }
    return set;
  }

  /// One assumed input left to its type.
  gg::InputSet broken(std::uint64_t number, std::size_t input) const {
    gg::InputSet set = gg::draw_inputs(case_.relation, number, 0);
    Random random(number);
    disturb(case_.relation.free[input], false, set.free[input], random);
    return set;
  }

  std::vector<std::size_t> premises() const {
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < assumed_.size(); ++k) {
      if (assumed_[k]) list.push_back(k);
    }
    return list;
  }

 private:
  /// Some elements take values that no plain draw has.
  static void disturb(const gg::FreeInput& input, bool assumed, gg::Buffer& buffer, Random& random) {
    if (input.range.origin == gg::Range::Origin::Given || input.type.element == gg::ElementType::Pred || !input.combined_by.empty()) return;
    const std::size_t period = 1 + below(random, 4);
    if (buffer.storage() == gg::Storage::Double) {
      const auto values = buffer.as<double>();
      for (std::size_t k = below(random, period); k < values.size(); k += period) {
        const std::size_t kind = below(random, 5);
        values[k] = kind == 0 ? 0 : kind == 1 ? -values[k]
                                : kind == 2   ? 16 * values[k]
                                : kind == 3   ? values[k] / 1024
                                              : 1;
      }
      return;
    }
    std::vector<std::int64_t> choices = input.corners;
    if (!assumed) {
      for (const int bits : {0, 1, 3, 7, 15, 30, 31, 62}) {
        for (const std::int64_t value : {std::int64_t{1} << bits, -(std::int64_t{1} << bits), (std::int64_t{1} << bits) - 1}) {
          choices.push_back(gg::wrap_to(input.type.element, value));
        }
      }
      for (const std::int64_t corner : input.corners) {
        choices.push_back(gg::wrap_to(input.type.element, corner - 1));
        choices.push_back(gg::wrap_to(input.type.element, corner + 1));
      }
    }
    if (choices.empty()) return;
    const auto values = buffer.as<std::int64_t>();
    for (std::size_t k = below(random, period); k < values.size(); k += period) values[k] = choices[below(random, choices.size())];
  }

  const gg::Case& case_;
  std::vector<bool> assumed_;
};

bool differs(const gg::DrawOutcome& outcome) {
  return outcome.failure || std::any_of(outcome.outputs.begin(), outcome.outputs.end(), [](const gg::OutputOutcome& o) {
           return o.agreement == gg::Agreement::Differs;
         });
}

struct Totals {
  int cases = 0, contradictions = 0;
  std::uint64_t draws = 0;
  std::map<std::string, int> kinds;  // proofs that assume one of this kind
  int premises = 0, needed = 0;      // in-bounds premises; those outside of which the programs differ
};

void run(const std::string& folder, std::uint64_t draws, double seconds, Totals& totals) {
  gg::Case c = gg::load_case(folder);
  gg::infer_ranges(c);
  const gg::CheckedProof proof = gg::prove_and_check(c);
  if (!proof.accepted()) return;
  ++totals.cases;
  std::map<std::string, int> kinds;
  for (const gg::Assumption& a : proof.checked.assumptions) kinds[std::string(to_string(a.kind))] = 1;
  for (const auto& [kind, one] : kinds) totals.kinds[kind] += one;
  const Drawer drawer(c, proof.checked.assumptions);
  gg::DifferentialOptions options;
  options.screened = true;
  gg::DrawJudge judge(c, options);
  const auto start = std::chrono::steady_clock::now();
  const auto time_left = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds; };
  std::uint64_t made = 0;
  for (; made < draws && time_left(); ++made) {
    if (!differs(judge.decide(drawer.draw(made)))) continue;
    ++totals.contradictions;
    std::printf("CONTRADICTION %s: draw %llu satisfies what the proof assumes and differs\n", c.name.c_str(), static_cast<unsigned long long>(made));
    break;
  }
  totals.draws += made;
  for (const std::size_t input : drawer.premises()) {
    ++totals.premises;
    bool needed = false;
    for (std::uint64_t k = 0; k < 50 && !needed; ++k) needed = differs(judge.decide(drawer.broken(k, input)));
    totals.needed += needed ? 1 : 0;
    std::printf("%s: outside of in-bounds(%s) the programs %s\n", c.name.c_str(), c.relation.free[input].name.c_str(), needed ? "differ" : "agree in 50 draws");
  }
  std::printf("%-40s %8llu draws\n", c.name.c_str(), static_cast<unsigned long long>(made));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t draws = 10'000;
  double seconds = 1e9;
  int k = 1;
  for (; k + 1 < argc && argv[k][0] == '-'; k += 2) {
    if (std::string(argv[k]) == "--draws") draws = std::strtoull(argv[k + 1], nullptr, 10);
    if (std::string(argv[k]) == "--seconds") seconds = std::atof(argv[k + 1]);
  }
  Totals totals;
  for (; k < argc; ++k) {
    try {
      run(argv[k], draws, seconds, totals);
    } catch (const gg::InputError& error) {
      std::printf("%s: not read: %s\n", argv[k], error.what());
    } catch (const gg::RuntimeFailure& failure) {
      std::printf("%s: not run: %s\n", argv[k], failure.what());
    }
  }
  for (const auto& [kind, count] : totals.kinds) std::printf("%-28s %4d proofs\n", kind.c_str(), count);
  std::printf("%d proved cases, %llu draws, %d contradictions; %d in-bounds premises, %d with a difference outside\n", totals.cases,
              static_cast<unsigned long long>(totals.draws), totals.contradictions, totals.premises, totals.needed);
  return totals.contradictions > 0 ? 1 : 0;
}
