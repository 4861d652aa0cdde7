// A theorem's file, from the texts of three members.
#include <algorithm>

#include "prover/checker/limit.h"
#include "prover/checker/sized/check_sizes.h"
#include "prover/checker/sized/family_text.h"

namespace gg {

using Values = std::vector<std::int64_t>;
using checker::FamilyText;

std::array<std::vector<std::int64_t>, 3> family_sizes(std::size_t axes, std::size_t symbols) {
  constexpr std::size_t kMost = checker::Polynomials::kMostSymbols;
  constexpr std::int64_t kFew[] = {29, 31, 37, 41, 43, 47}, kMany[] = {11, 13, 17, 19, 23};  // ranks along one or two axes, along more
  Values primes;
  for (std::int64_t n = 67; primes.size() < 3 * kMost; n += 2) {
    bool prime = true;
    for (std::int64_t d = 3; d * d <= n; d += 2) prime = prime && n % d != 0;
    if (prime) primes.push_back(n);
  }
  std::array<Values, 3> result;
  for (std::size_t k = 0; k < axes; ++k) {
    for (std::size_t choice = 0; choice < 3; ++choice) result[choice].push_back(axes <= 2 ? kFew[2 * choice + k] : kMany[(2 * choice + k) % std::size(kMany)]);
  }
  for (std::size_t k = axes; k < std::min(symbols, kMost); ++k) {
    result[0].push_back(primes[k]);
    result[1].push_back(primes[2 * kMost - 1 - k]);
    result[2].push_back(primes[2 * kMost + (7 * k) % kMost]);
  }
  return result;
}

std::string write_sizes(const Case& c, const std::vector<OwnSize>& own, const std::function<MemberText(const Values&)>& member, const CertificateOf& certificate_of,
                        std::string& reason) try {
  FamilyText family;
  for (const OwnSize& size : own) {
    family.axes += size.axis.empty() ? 0U : 1U;
    family.own.push_back(size.value);
    family.names.push_back(size.axis.empty() ? std::string(1, static_cast<char>('a' + family.names.size() - family.axes)) : size.axis);
  }
  const auto sizes = family_sizes(family.axes, own.size());
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
