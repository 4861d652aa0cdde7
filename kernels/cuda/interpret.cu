// Bodies on the GPU: the steps that the host device runs in tests, one thread an element.
#include <cuda_runtime.h>

#include "kernels/cuda/interpret.h"
#include "kernels/device/interpret.h"

namespace gg::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 65535;

__global__ void steps_kernel(device::Launch launch) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < launch.elements; k += step) {
    device::run_element(launch, k);
  }
}

}  // namespace

int run_steps(const device::Launch& launch, void* stream) {
  if (launch.elements == 0) return 0;
  const std::int64_t blocks = (launch.elements + kThreads - 1) / kThreads;
  steps_kernel<<<static_cast<int>(blocks < kMaxBlocks ? blocks : kMaxBlocks), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(launch);
  return static_cast<int>(cudaGetLastError());
}

}  // namespace gg::cuda
