#include "harness/prove/all_sizes.h"

#include "harness/prove/proof.h"
#include "models/base/diag.h"
#include "models/hlo/printer.h"
#include "prover/checker/sized/check_sizes.h"
#include "prover/sizes/sizes.h"
#include "runtime/reduce/reduce.h"

namespace gg {

SizesTheorem prove_free_sizes(const Case& c, std::string* file) {
  SizesTheorem theorem;
  try {
    const auto any = resize_shapes(c, family_sizes(SIZE_MAX)[0]);
    if (!any || any->symbols.empty()) {
      theorem.reason = "no size is free";
      return theorem;
    }
    const auto member = [&](const std::vector<std::int64_t>& sizes) {
      const ShapeReduction pair = resize_shapes(c, sizes).value().pair;
      return MemberText{print_hlo(pair.sequential), print_hlo(pair.distributed), pair.relation};
    };
    const auto search = [&](Case& first) {
      const CheckedProof proof = prove_and_check(first);
      if (proof.accepted()) return proof.certificate;
      theorem.reason = proof.certificate.empty() ? "it is not proved at other sizes" : "other sizes: " + proof.checked.problem;
      return std::string();
    };
    const std::string text = write_sizes(c, any->symbols, member, search, theorem.reason);
    if (text.empty()) return theorem;
    theorem = check_sizes(text, "", c).theorem;
    if (file != nullptr) *file = text;
  } catch (const InputError& error) {
    theorem.reason = error.diags().front().message;
  }
  return theorem;
}

SizesTheorem theorem_over_sizes(Case& c, std::string* file) {
  SizesTheorem digits = prove_all_sizes(c);
  if (digits.proved) return digits;
  SizesTheorem free = prove_free_sizes(c, file);
  if (!free.proved) free.reason = digits.reason + "; with ranks as they are: " + free.reason;
  return free;
}

}  // namespace gg
