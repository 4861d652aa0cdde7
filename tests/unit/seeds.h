// How many random cases a test draws, and whether it runs under sanitizers.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace gg {

#if defined(GG_SANITIZED)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// GG_SEEDS if it is set; else `usual`, and a thirty-second of it in sanitizer builds, which run several times slower.
inline std::uint64_t seeds_of(std::uint64_t usual) {
  if (const char* text = std::getenv("GG_SEEDS")) return std::strtoull(text, nullptr, 10);
  return kSanitized ? usual / 32 : usual;
}

}  // namespace gg
