// The file of a theorem about sizes: a pair of texts in which numbers are polynomials of the sizes, `f32[$(2*a), $(b)]`, and the
// certificate of one of its members. The theorem speaks of the pairs that these texts are at all sizes, however they were made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/pair/case.h"
#include "prover/checker/sized/polynomial.h"

namespace gg::checker {

struct FamilyText {
  std::vector<std::string> names;                 ///< of the sizes, of ranks along an axis first
  std::size_t axes = 0;                           ///< how many of them count ranks
  std::vector<std::int64_t> own;                  ///< those of the pair that the theorem is told of
  std::string sequential, distributed, relation;  ///< `$$` is a dollar sign
  std::string certificate;                        ///< of the member at first_sizes
};

/// Throws InputError(BadCertificate).
FamilyText parse_family(std::string_view text, const std::string& file);
std::string print_family(const FamilyText& family);

/// The text that these texts, of members at `values`, have in common, with polynomials where numbers differ. Throws Limit where they do not.
std::string spanned(const std::vector<std::string>& texts, const std::vector<std::vector<std::int64_t>>& values, const std::vector<std::string>& names);

/// Calls with each polynomial of a part of a family's text, `2*a + 1`, and whether a minus sign stands before it; not with those of shifts of ranks.
/// Throws InputError(BadCertificate).
void each_polynomial(std::string_view text, const std::string& file, const std::function<void(std::string_view, bool)>& each);

/// The polynomials of a family's texts. Throws InputError(BadCertificate).
std::vector<Polynomials::Sum> polynomials_of(const FamilyText& family, const std::string& file);

/// The member at these sizes, with what `user` says of custom calls. Throws Limit where there is none.
Case member_at(const FamilyText& family, const std::vector<std::int64_t>& values, const Case& user, const std::string& file);

/// The polynomial that `2*a*b + 1` is. Throws InputError(BadCertificate).
Polynomials::Sum parse_sum(std::string_view text, const std::vector<std::string>& names, const std::string& file);
/// `2*a*b + 1`
std::string print_sum(const Polynomials::Sum& sum, const std::vector<std::string>& names);

}  // namespace gg::checker
