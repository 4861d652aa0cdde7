// A theorem about a family of pairs from the certificate of one of them: the check of that certificate, over polynomials in the sizes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/pair/case.h"

namespace gg {

struct SizesCheck {
  bool accepted = false;
  std::string problem;               ///< the first step that does not hold at all sizes
  std::vector<std::int64_t> least;   ///< of each symbol
  std::vector<std::string> conditions;  ///< others than these: `a*b - c >= 0`
  bool places_fit = false;           ///< among them: that places fit their integer types
  std::map<std::int64_t, std::string> numbers;  ///< of the first case, in the symbols' names
};

/// `cases`: the family at several sizes, `values[k]` those of its symbols in case k; the certificate is that of the first.
SizesCheck check_sizes(std::string_view certificate, const std::string& file, const std::vector<Case*>& cases,
                       const std::vector<std::vector<std::int64_t>>& values, const std::vector<std::string>& names);

/// Why these cases are not one family: numbers that are no polynomials of the symbols, bodies of another form; "" if they are.
std::string not_one_family(const std::vector<Case*>& cases, const std::vector<std::vector<std::int64_t>>& values);

}  // namespace gg
