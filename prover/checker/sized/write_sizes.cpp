// A theorem's file, from the texts of three members.
#include <algorithm>

#include "prover/checker/limit.h"
#include "prover/checker/sized/check_sizes.h"
#include "prover/checker/sized/family_text.h"

namespace gg {

using Values = std::vector<std::int64_t>;
using checker::FamilyText;

std::array<std::vector<std::int64_t>, 3> family_sizes(std::size_t symbols) {
  constexpr std::size_t kMost = checker::Polynomials::kMostSymbols;
  Values primes;
  for (std::int64_t n = 67; primes.size() < 3 * kMost; n += 2) {
    bool prime = true;
    for (std::int64_t d = 3; d * d <= n; d += 2) prime = prime && n % d != 0;
    if (prime) primes.push_back(n);
  }
  std::array<Values, 3> result;
  for (std::size_t k = 0; k < std::min(symbols, kMost); ++k) {
    result[0].push_back(primes[k]);
    result[1].push_back(primes[2 * kMost - 1 - k]);
    result[2].push_back(primes[2 * kMost + (7 * k) % kMost]);
  }
  return result;
}

std::string write_sizes(const Case& c, const Values& own, const std::function<MemberText(const Values&)>& member, const CertificateOf& certificate_of,
                        std::string& reason) try {
  const auto sizes = family_sizes(own.size());
  FamilyText family;
  family.own = own;
  for (std::size_t k = 0; k < own.size(); ++k) family.names.push_back(std::string(1, static_cast<char>('a' + k)));
  std::vector<MemberText> members;
  for (const Values& values : sizes) members.push_back(member(values));
  const std::vector<Values> values(sizes.begin(), sizes.end());
  for (const auto& [from, to] : {std::pair(&MemberText::sequential, &FamilyText::sequential), std::pair(&MemberText::distributed, &FamilyText::distributed),
                                 std::pair(&MemberText::relation, &FamilyText::relation)}) {
    family.*to = checker::spanned({members[0].*from, members[1].*from, members[2].*from}, values, family.names);
  }
  Case first = checker::member_at(family, sizes[0], c, "");
  family.certificate = certificate_of(first);
  return family.certificate.empty() ? "" : checker::print_family(family);
} catch (const checker::Limit& limit) {
  reason = limit.what();
  return "";
}

}  // namespace gg
