// The mutant campaign: every one-instruction defect of models/mutation in every case that is proved; a mutant that is proved
// must agree in every run. usage: campaign_mutants [--most N] [--seeds N] [--all-sizes 1] [--control 1] CASE...
// With --all-sizes the proofs are those that hold at all sizes (docs/sizes.md; mesh sizes are proved without a certificate). With --control the
// defects are those of control flow (models/mutation/control.h): each hangs for some input, so each proof of one is unsound.
// Prints one line a mutant that was proved (harmless if all seeds agree), one a certificate that the search believed in and the checker refused
// (with the two terms), a table by kind, and exits 1 if one is unsound.
#include "harness/prove/mutants.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "harness/prove/proof.h"
#include "models/base/diag.h"
#include "models/ir/verify.h"
#include "models/mutation/control.h"

namespace {

struct Count {
  int made = 0, refused_by_rules = 0, unproved = 0, harmless = 0, unsound = 0;
};

class Campaign {
 public:
  Campaign(std::size_t most, int seeds, bool all_sizes, bool control) : most_(most), all_sizes_(all_sizes), control_(control) {
    options_.seeds = seeds;
  }

  void run(const std::string& folder) {
    gg::Case c = gg::load_case(folder, {});
    gg::infer_ranges(c);
    if (!proved(c)) {
      std::printf("%s: not proved, no mutants\n", c.name.c_str());
      return;
    }
    if (control_) spread(gg::control_edits(*c.distributed, c.relation.layout), [&](const gg::ControlEdit& edit) { one(c, edit); });
    else spread(gg::edits(*c.distributed), [&](const gg::Edit& edit) { one(c, edit); });
    std::fflush(stdout);
  }

  int report() const {
    Count total;
    std::printf("%-20s %8s %8s %8s %8s %8s\n", "kind", "made", "ill-typed", "unproved", "harmless", "unsound");
    for (const auto& [kind, n] : counts_) {
      std::printf("%-20s %8d %8d %8d %8d %8d\n", kind.c_str(), n.made, n.refused_by_rules, n.unproved, n.harmless, n.unsound);
      total.made += n.made;
      total.refused_by_rules += n.refused_by_rules;
      total.unproved += n.unproved;
      total.harmless += n.harmless;
      total.unsound += n.unsound;
    }
    std::printf("%-20s %8d %8d %8d %8d %8d\n", "all", total.made, total.refused_by_rules, total.unproved, total.harmless,
                total.unsound);
    std::printf("certificates refused: %zu\n", refused_);
    return total.unsound > 0 ? 1 : 0;
  }

 private:
  template <class Edit, class Each>
  void spread(const std::vector<Edit>& all, const Each& each) {
    const std::size_t stride = std::max<std::size_t>(1, (all.size() + most_ - 1) / most_);
    for (std::size_t k = 0; k < all.size(); k += stride) each(all[k]);
  }

  void one(const gg::Case& c, const gg::ControlEdit& edit) {
    const std::string text = gg::to_string(*c.distributed, edit);
    Count& count = counts_[text.substr(0, text.find(' '))];
    ++count.made;
    try {
      gg::Module module = gg::apply(*c.distributed, c.relation.layout, edit);
      gg::verify(module, {{}, true, true});
      gg::Case mutant = gg::with_modules(c, *c.sequential, std::move(module));
      const bool found = proved(mutant, text);
      ++(found ? count.unsound : count.unproved);
      if (found) std::printf("UNSOUND %s: %s\n", c.name.c_str(), text.c_str());
    } catch (const gg::InputError& error) {
      std::printf("%s: %s: %s\n", c.name.c_str(), text.c_str(), error.what());
      ++count.refused_by_rules;
    }
  }

  bool proved(gg::Case& c, const std::string& defect = "as it is") {
    if (all_sizes_) return gg::theorem_over_sizes(c).proved;
    const gg::CheckedProof proof = gg::prove_and_check(c);
    std::vector<std::string> refusals = proof.refusals;
    if (refusals.empty() && proof.proof.proved && !proof.accepted()) refusals.push_back(proof.checked.problem);
    for (const std::string& problem : refusals) std::printf("REFUSED %s: %s: %s\n", c.name.c_str(), defect.c_str(), problem.c_str());
    refused_ += refusals.size();
    return proof.accepted();
  }

  void one(const gg::Case& c, const gg::Edit& edit) {
    const std::string text = gg::to_string(*c.distributed, edit);
    Count& count = counts_[text.substr(0, text.find(' '))];
    ++count.made;
    try {
      gg::Case mutant = gg::mutated(c, edit);
      if (!proved(mutant, text)) {
        ++count.unproved;
        return;
      }
      const bool differs = gg::run_pair(mutant, options_).differing.has_value();
      ++(differs ? count.unsound : count.harmless);
      std::printf("%s %s: %s\n", differs ? "UNSOUND" : "harmless", c.name.c_str(), text.c_str());
    } catch (const gg::InputError&) {
      ++count.refused_by_rules;
    }
  }

  std::size_t most_;
  bool all_sizes_, control_;
  std::size_t refused_ = 0;
  gg::DifferentialOptions options_;
  std::map<std::string, Count> counts_;
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t most = 1000;
  int seeds = 5, k = 1;
  bool all_sizes = false, control = false;
  for (; k + 1 < argc && argv[k][0] == '-'; k += 2) {
    if (std::string(argv[k]) == "--most") most = std::strtoul(argv[k + 1], nullptr, 10);
    if (std::string(argv[k]) == "--seeds") seeds = std::atoi(argv[k + 1]);
    if (std::string(argv[k]) == "--all-sizes") all_sizes = std::atoi(argv[k + 1]) != 0;
    if (std::string(argv[k]) == "--control") control = std::atoi(argv[k + 1]) != 0;
  }
  Campaign campaign(most, seeds, all_sizes, control);
  for (; k < argc; ++k) campaign.run(argv[k]);
  return campaign.report();
}
