
#include <algorithm>

#include "harness/prove/proof.h"
#include "models/base/diag.h"
#include "models/hlo/printer.h"
#include "prover/checker/sized/check_sizes.h"
#include "runtime/shapes/mesh.h"
#include "runtime/shapes/reduce.h"

namespace gg {
namespace {

FamilySizes split(const std::vector<std::int64_t>& sizes, std::size_t axes) {
  const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(axes);
  return {{sizes.begin(), first}, {first, sizes.end()}};
}

/// The texts of a pair, with groups and pairs of ranks as forms of the mesh where that is free.
MemberText text_of(const Case& c, const ResizedPair& member) {
  std::string distributed = print_hlo(member.pair.distributed);
  if (!member.ranks.empty()) {
    for (const RankList& list : rank_lists(c, member.ranks)) {
      for (std::size_t at = distributed.find(list.printed); at != std::string::npos; at = distributed.find(list.printed, at + list.general.size())) {
        distributed.replace(at, list.printed.size(), list.general);
      }
    }
  }
  return {print_hlo(member.pair.sequential), distributed, member.pair.relation};
}

SizesTheorem prove_family(const Case& c, const Freedom& freedom, std::string* file) {
  SizesTheorem theorem;
  theorem.reason = "no size is free";
  try {
    const auto any = resize_shapes(c, split(family_sizes(kMostAxes, SIZE_MAX)[0], kMostAxes), freedom);
    if (!any || any->symbols.empty()) return theorem;
    std::vector<OwnSize> own;
    for (const FreeSize& size : any->symbols) own.push_back({size.value, size.axis});
    const auto axes = static_cast<std::size_t>(std::count_if(own.begin(), own.end(), [](const OwnSize& size) { return !size.axis.empty(); }));
    const auto member = [&](const std::vector<std::int64_t>& sizes) { return text_of(c, resize_shapes(c, split(sizes, axes), freedom).value()); };
    const auto search = [&](Case& first) {
      const CheckedProof proof = prove_and_check(first, {.sizes_stand_for_all = true});
      const std::vector<std::string>& beyond = proof.proof.precision;
      if (proof.accepted() && beyond.empty()) return proof.certificate;
      if (proof.accepted()) theorem.reason = "at larger sizes it rounds more than the sequential program: " + beyond[0];
      else theorem.reason = proof.certificate.empty() ? "it is not proved at other sizes" : "other sizes: " + proof.checked.problem;
      return std::string();
    };
    const std::string text = write_sizes(c, own, member, search, theorem.reason);
    if (text.empty()) return theorem;
    theorem = check_sizes(text, "", c).theorem;
    if (file != nullptr) *file = text;
  } catch (const InputError& error) {
    theorem.reason = error.diags().front().message;
  }
  return theorem;
}

}  // namespace

SizesTheorem theorem_over_sizes(const Case& c, std::string* file) {
  SizesTheorem theorem;
  theorem.reason = kNoTheoremOfGraphs;
  if (!c.originals.empty()) return theorem;
  theorem = prove_family(c, {true, ""}, file);
  const std::string reason = theorem.reason;
  const auto& axes = c.relation.mesh.axes;
  for (std::size_t k = 0; !theorem.proved && axes.size() > 1 && k < axes.size(); ++k) theorem = prove_family(c, {true, axes[k].name}, file);
  if (!theorem.proved) theorem = prove_family(c, {}, file);
  if (!theorem.proved) theorem.reason += "; with the number of ranks as a size: " + reason;
  return theorem;
}

}  // namespace gg
