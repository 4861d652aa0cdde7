// How many random cases a test draws.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace gg {

/// GG_SEEDS if it is set; else `usual`, and a sixteenth of it in sanitizer builds, which run several times slower.
inline std::uint64_t seeds_of(std::uint64_t usual) {
  if (const char* text = std::getenv("GG_SEEDS")) return std::strtoull(text, nullptr, 10);
#if defined(GG_SANITIZED)
  return usual / 16;
#else
  return usual;
#endif
}

}  // namespace gg
