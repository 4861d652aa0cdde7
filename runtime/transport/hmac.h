// HMAC-SHA256 (RFC 2104, FIPS 180-4): how the two ends of a connection prove that they know the secret of their job.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace gg::job {

using Digest = std::array<std::byte, 32>;

Digest sha256(std::span<const std::byte> bytes);
Digest hmac_sha256(std::span<const std::byte> key, std::span<const std::byte> message);
/// Equality in a time that does not depend on the bytes.
bool same_digest(const Digest& a, const Digest& b);

}  // namespace gg::job
