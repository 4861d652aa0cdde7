// The machine of kernels/device as a kernel.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/device/code.h"

namespace gg::cuda {

inline constexpr std::size_t kShortSteps = 104, kShortTables = 48;
/// Do they travel with the launch? Others lie in device memory, where `launch` points to.
constexpr bool is_short(std::size_t steps, std::size_t tables) { return steps <= kShortSteps && tables <= kShortTables; }

/// One thread an element. Returns a CUDA error code, 0 for success; nothing is synchronised.
int run_steps(const device::Launch& launch, const std::vector<device::Step>& steps, const std::vector<std::int64_t>& tables, void* stream);

}  // namespace gg::cuda
