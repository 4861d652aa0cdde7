// A theorem about a family of pairs from a file that has their texts, with polynomials for numbers, and the certificate of one of them:
// the check of that certificate, over polynomials in the sizes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/pair/case.h"
#include "models/pair/sizes_theorem.h"
#include "prover/checker/checker.h"

namespace gg {

/// What a theorem's file shows of a pair.
struct SizesCheck {
  SizesTheorem theorem;
  CheckResult check;  ///< of its certificate
};

/// Why there is no theorem about a pair of graphs: what they are lowered to has numbers that are made of sizes, a mean's divisor, the end of
/// `x[:, :-1]`, and at other sizes it has others.
inline constexpr char kNoTheoremOfGraphs[] = "the text of a graph says nothing of the graph at other sizes";

/// The theorem about the family of `text` (docs/certificate.md), of which `c` has to be the member that it says. `file` names it in messages.
/// Throws InputError for a malformed one.
SizesCheck check_sizes(std::string_view text, const std::string& file, const Case& c);

/// What `verify --for-all-sizes` prints of it, and its exit code, as of a proof.
CheckReport report_of(const SizesCheck& result, const Case& c, const std::vector<std::string>& allowed, const std::vector<std::string>& stated, bool all);

/// A member of a family as texts.
struct MemberText {
  std::string sequential, distributed, relation;
};

/// What `certificate_of` has to say of a family's first member: its certificate, or "".
using CertificateOf = std::function<std::string(Case& first)>;

/// A size of a pair, or a number of ranks along an axis with its name.
struct OwnSize {
  std::int64_t value;
  std::string axis;
};

/// The file of a theorem about `c`, which has these sizes, axes first; `member(values)` gives the family's texts at other sizes. Nothing rests on how
/// they are made. "" and the reason where they span no family, or where there is no certificate.
std::string write_sizes(const Case& c, const std::vector<OwnSize>& own, const std::function<MemberText(const std::vector<std::int64_t>&)>& member,
                        const CertificateOf& certificate_of, std::string& reason);

/// The sizes at which a family is searched, and two more that show which numbers are made of sizes: primes in three orders, smaller ones for
/// the first `axes`, which count ranks.
std::array<std::vector<std::int64_t>, 3> family_sizes(std::size_t axes, std::size_t symbols);
inline constexpr std::size_t kMostAxes = 4;

}  // namespace gg
