// Bodies on the GPU: the steps that the host device runs in tests, one thread an element.
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/cuda/interpret.h"
#include "kernels/device/interpret.h"

namespace gg::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 65535;

__device__ void run_elements(const device::Launch& launch, const device::Step* steps, const std::int64_t* tables) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < launch.elements; k += step) {
    device::run_element(launch, steps, tables, k);
  }
}

/// A launch with what its steps refer to, where that fits into the 4 KiB of a kernel's parameters: no copy to the device before it.
struct Short {
  device::Launch launch;
  device::Step steps[kShortSteps];
  std::int64_t tables[kShortTables];
};
static_assert(sizeof(Short) <= 4096, "the parameters of a kernel");

__global__ void short_kernel(const __grid_constant__ Short given) { run_elements(given.launch, given.steps, given.tables); }

__global__ void long_kernel(const __grid_constant__ device::Launch launch) { run_elements(launch, launch.steps, launch.tables); }

}  // namespace

int run_steps(const device::Launch& launch, const std::vector<device::Step>& steps, const std::vector<std::int64_t>& tables, void* stream) {
  if (launch.elements == 0) return 0;
  const std::int64_t needed = (launch.elements + kThreads - 1) / kThreads;
  const auto blocks = static_cast<int>(needed < kMaxBlocks ? needed : kMaxBlocks);
  const auto on = static_cast<cudaStream_t>(stream);
  if (is_short(steps.size(), tables.size())) {
    Short given{launch, {}, {}};
    std::copy(steps.begin(), steps.end(), given.steps);
    std::copy(tables.begin(), tables.end(), given.tables);
    short_kernel<<<blocks, kThreads, 0, on>>>(given);
  } else {
    long_kernel<<<blocks, kThreads, 0, on>>>(launch);
  }
  return static_cast<int>(cudaGetLastError());
}

}  // namespace gg::cuda
