// Digits of the constants that the elementary functions of real_math.h need, as binary fractions: value = 2^scale times
// the sum of words[i] * 2^(-64 (i + 1)). Truncated; checked by tests/unit/numbers against written-out decimals.
#pragma once

#include <cstdint>

namespace gg::numbers {

/// 2/pi, scale 0. Long, so that arguments up to 2^kLargestTrigExponent are reduced exactly.
inline constexpr std::uint64_t kTwoOverPi[44] = {
    0xa2f9836e4e441529U, 0xfc2757d1f534ddc0U, 0xdb6295993c439041U, 0xfe5163abdebbc561U, 0xb7246e3a424dd2e0U,
    0x06492eea09d1921cU, 0xfe1deb1cb129a73eU, 0xe88235f52ebb4484U, 0xe99c7026b45f7e41U, 0x3991d639835339f4U,
    0x9c845f8bbdf9283bU, 0x1ff897ffde05980fU, 0xef2f118b5a0a6d1fU, 0x6d367ecf27cb09b7U, 0x4f463f669e5fea2dU,
    0x7527bac7ebe5f17bU, 0x3d0739f78a5292eaU, 0x6bfb5fb11f8d5d08U, 0x56033046fc7b6babU, 0xf0cfbc209af4361dU,
    0xa9e391615ee61b08U, 0x6599855f14a06840U, 0x8dffd8804d732731U, 0x06061556ca73a8c9U, 0x60e27bc08c6b47c4U,
    0x19c367cddce8092aU, 0x8359c4768b961ca6U, 0xddaf44d15719053eU, 0xa5ff07053f7e33e8U, 0x32c2de4f98327dbbU,
    0xc33d26ef6b1e5ef8U, 0x9f3a1f35caf27f1dU, 0x87f121907c7c246aU, 0xfa6ed5772d30433bU, 0x15c614b59d19c3c2U,
    0xc4ad414d2c5d000cU, 0x467d862d71e39ac6U, 0x9b0062337cd2b497U, 0xa7b4d55537f63ed7U, 0x1810a3fc764d2a9dU,
    0x64abd770f87c6357U, 0xb07ae715175649c0U, 0xd9d63b3884a7cb23U, 0x24778ad623545ab9U,
};

/// ln 2, scale 0.
inline constexpr std::uint64_t kLn2[6] = {
    0xb17217f7d1cf79abU, 0xc9e3b39803f2f6afU, 0x40f343267298b62dU,
    0x8a0d175b8baafa2bU, 0xe7b876206debac98U, 0x559552fb4afa1b10U,
};

/// pi/2, scale 1.
inline constexpr std::uint64_t kHalfPi[6] = {
    0xc90fdaa22168c234U, 0xc4c6628b80dc1cd1U, 0x29024e088a67cc74U,
    0x020bbea63b139b22U, 0x514a08798e3404ddU, 0xef9519b3cd3a431bU,
};

/// sin, cos and tan of larger arguments are NaN and a tie: their reduction would need more of 2/pi than is stored, and
/// such an argument has lost all meaning modulo 2 pi long before.
inline constexpr std::int64_t kLargestTrigExponent = 2200;

}  // namespace gg::numbers
