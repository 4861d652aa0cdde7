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
  const std::size_t others = std::min(symbols, kMost) - axes;
  Values primes;
  for (std::int64_t n = 67; primes.size() < 3 * others; n += 2) {
    bool prime = true;
    for (std::int64_t d = 3; d * d <= n; d += 2) prime = prime && n % d != 0;
    if (prime) primes.push_back(n);
  }
  std::array<Values, 3> result;
  for (std::size_t k = 0; k < axes; ++k) {
    for (std::size_t choice = 0; choice < 3; ++choice) result[choice].push_back(axes <= 2 ? kFew[2 * choice + k] : kMany[(2 * choice + k) % std::size(kMany)]);
  }
  for (std::size_t k = 0; k < others; ++k) {
    result[0].push_back(primes[k]);
    result[1].push_back(primes[2 * others - 1 - k]);
    result[2].push_back(primes[2 * others + (k + others / 2) % others]);
  }
  return result;
}

namespace {

bool plain(const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_'; };
  return !name.empty() && name[0] >= 'a' && std::all_of(name.begin(), name.end(), fits);
}

/// Names of axes, and letters.
std::vector<std::string> names_of(const std::vector<OwnSize>& own) {
  std::vector<std::string> names;
  char letter = 'a';
  for (const OwnSize& size : own) {
    const auto taken = [&](const std::string& name) { return std::any_of(own.begin(), own.end(), [&](const OwnSize& o) { return o.axis == name; }); };
    if (!size.axis.empty() && plain(size.axis)) {
      names.push_back(size.axis);
      continue;
    }
    while (taken(std::string(1, letter))) ++letter;
    names.emplace_back(1, letter++);
  }
  return names;
}

/// Positions of the sizes: axes first, each in the order in which the texts have them.
std::vector<std::size_t> in_order_of_text(const FamilyText& family, const std::vector<OwnSize>& own) {
  const std::string programs = family.sequential + family.distributed;
  std::vector<std::pair<std::pair<bool, std::size_t>, std::size_t>> places;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const std::string text = own[k].axis.empty() ? programs + family.relation : family.relation + programs;
    std::size_t first = text.size();
    for (const char* before : {"$(", "*", " "}) {
      for (std::size_t at = text.find(before + family.names[k]); at < first; at = text.find(before + family.names[k], at + 1)) {
        const std::size_t open = text.rfind("$(", at), end = at + std::string_view(before).size() + family.names[k].size();
        if (open != std::string::npos && text.find(')', open) >= end && std::string_view(")* ").find(text[end]) != std::string_view::npos) first = at;
      }
    }
    places.push_back({{own[k].axis.empty(), first}, k});
  }
  std::sort(places.begin(), places.end());
  std::vector<std::size_t> order;
  for (const auto& [place, k] : places) order.push_back(k);
  return order;
}

/// The texts of members, at these sizes each, as texts of a family.
void span(const std::vector<MemberText>& members, const std::vector<Values>& values, FamilyText& family) {
  for (const auto& [from, to] : {std::pair(&MemberText::sequential, &FamilyText::sequential), std::pair(&MemberText::distributed, &FamilyText::distributed),
                                 std::pair(&MemberText::relation, &FamilyText::relation)}) {
    family.*to = checker::spanned({members[0].*from, members[1].*from, members[2].*from}, values, family.names);
  }
}

}  // namespace

std::string write_sizes(const Case& c, const std::vector<OwnSize>& own, const std::function<MemberText(const Values&)>& member,
                        const CertificateOf& certificate_of, std::string& reason) try {
  FamilyText family;
  family.axes = static_cast<std::size_t>(std::count_if(own.begin(), own.end(), [](const OwnSize& size) { return !size.axis.empty(); }));
  for (std::size_t k = 0; k < own.size(); ++k) family.names.push_back("size" + std::to_string(k));
  const auto sizes = family_sizes(family.axes, own.size());
  const std::vector<Values> values(sizes.begin(), sizes.end());
  std::vector<MemberText> members;
  for (const Values& at : values) members.push_back(member(at));
  span(members, values, family);
  std::vector<OwnSize> ordered;
  const std::vector<std::size_t> order = in_order_of_text(family, own);
  for (const std::size_t k : order) ordered.push_back(own[k]);
  const std::vector<std::string> names = names_of(ordered);
  for (std::size_t k = 0; k < order.size(); ++k) family.names[order[k]] = names[k];
  span(members, values, family);
  family.names = names;
  for (const OwnSize& size : ordered) family.own.push_back(size.value);
  Case first = member_at(family, sizes[0], c, "");
  family.certificate = certificate_of(first);
  return family.certificate.empty() ? "" : checker::print_family(family);
} catch (const checker::Limit& limit) {
  reason = limit.what();
  return "";
}

}  // namespace gg
