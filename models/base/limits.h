// The limits of what is read, in one table (limits.def).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/base/diag.h"

namespace gg {

enum class Limit : std::uint8_t {
#define LIMIT(Enum, most, code, what) Enum,
#include "models/base/limits.def"
#undef LIMIT
};

/// One row of the table.
struct LimitRow {
  std::string_view name;
  std::int64_t most;
  DiagCode code;
  std::string_view what;
};

inline constexpr LimitRow kLimits[] = {
#define LIMIT(Enum, most, code, what) {#Enum, most, DiagCode::code, what},
#include "models/base/limits.def"
#undef LIMIT
};

/// The number that is still allowed.
constexpr std::int64_t most(Limit limit) { return kLimits[static_cast<std::size_t>(limit)].most; }

/// `33 dimensions of a tensor, the limit is 32`
std::string exceeds(Limit limit, std::int64_t number);
/// Throws InputError with the code of the row where the number is above the limit.
void check_limit(Limit limit, std::int64_t number, const Location& where);

/// Throws InputError where a JSON text is longer or nested deeper than the limits: before a parser builds anything of it.
void check_json(std::string_view text, const std::string& file);

/// The table as `gg-harness limits` and docs/hostile.md show it.
std::string print_limits_markdown();

}  // namespace gg
