// SHA-256 over whole messages, which are short (runtime/transport/hmac.h).
#include "runtime/transport/hmac.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace gg::job {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

void compress(State& state, const std::byte* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t k = 0; k < 16; ++k) {
    for (std::size_t b = 0; b < 4; ++b) w[k] = w[k] << 8U | std::to_integer<std::uint32_t>(block[4 * k + b]);
  }
  for (std::size_t k = 16; k < 64; ++k) {
    const std::uint32_t x = w[k - 15], y = w[k - 2];
    w[k] = w[k - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3U) + w[k - 7] + (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10U);
  }
  State s = state;
  for (std::size_t k = 0; k < 64; ++k) {
    const std::uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]), majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const std::uint32_t first = s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) + choice + kRound[k] + w[k];
    const std::uint32_t second = (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) + majority;
    s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (std::size_t k = 0; k < state.size(); ++k) state[k] += s[k];
}

}  // namespace

Digest sha256(std::span<const std::byte> bytes) {
  std::vector<std::byte> padded(bytes.begin(), bytes.end());
  padded.push_back(std::byte{0x80});
  while (padded.size() % kBlock != kBlock - 8) padded.push_back(std::byte{0});
  for (int shift = 56; shift >= 0; shift -= 8) padded.push_back(static_cast<std::byte>(std::uint64_t{bytes.size()} * 8 >> shift & 0xff));
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (std::size_t at = 0; at < padded.size(); at += kBlock) compress(state, padded.data() + at);
  Digest digest{};
  for (std::size_t k = 0; k < digest.size(); ++k) digest[k] = static_cast<std::byte>(state[k / 4] >> (24 - 8 * (k % 4)) & 0xff);
  return digest;
}

Digest hmac_sha256(std::span<const std::byte> key, std::span<const std::byte> message) {
  std::array<std::byte, kBlock> padded{};
  const Digest shorter = sha256(key);
  if (key.size() > kBlock) key = shorter;
  for (std::size_t k = 0; k < key.size(); ++k) padded[k] = key[k];
  const auto keyed = [&](std::byte mask, std::span<const std::byte> rest) {
    std::vector<std::byte> bytes;
    for (const std::byte b : padded) bytes.push_back(b ^ mask);
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return sha256(bytes);
  };
  return keyed(std::byte{0x5c}, keyed(std::byte{0x36}, message));
}

bool same_digest(const Digest& a, const Digest& b) {
  std::byte difference{0};
  for (std::size_t k = 0; k < a.size(); ++k) difference |= a[k] ^ b[k];
  return difference == std::byte{0};
}

}  // namespace gg::job
