// Bodies on the GPU: the steps that the host device runs in tests, one thread an element.
#include "kernels/cuda/interpret.h"

#include "kernels/cuda/common.cuh"
#include "kernels/device/interpret.h"

namespace gg::cuda {
namespace {

__global__ void steps_kernel(device::Launch launch) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < launch.elements; k += step) {
    device::run_element(launch, k);
  }
}

}  // namespace

int run_steps(const device::Launch& launch, void* stream) {
  if (launch.elements == 0) return 0;
  steps_kernel<<<blocks_for(launch.elements), kThreads, 0, stream_of(stream)>>>(launch);
  return launched();
}

}  // namespace gg::cuda
