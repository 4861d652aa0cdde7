// What search and checker agree on about the lines of a certificate (docs/certificate.md): where one stands, and how much it may ask.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace gg {

/// Where the line of a record, an invariant or a closed form stands; `output K` is the place of an output line.
struct CertificateLine {
  std::string instance;
  std::uint32_t leaf = 0;
  friend auto operator<=>(const CertificateLine&, const CertificateLine&) = default;
};

inline constexpr std::int64_t kMaxLineLevels = 64;     ///< to which a line expands definitions
inline constexpr std::int64_t kMaxLineCases = 65'536;  ///< assignments that one line is compared for
inline constexpr std::int64_t kMaxWritten = 16;        ///< values of a fold that is written out

}  // namespace gg
