// A GPU as a device of runs: memory with sentinel words, the steps of kernels/device as a kernel, products by cuBLAS.
#pragma once

#include <memory>

#include "kernels/device/device.h"

namespace gg::cuda {

/// GPU `number` modulo the GPUs of this host. Throws InputError(NotYet) where the program was built without CUDA,
/// InputError(Usage) where no GPU can be used.
std::unique_ptr<device::Device> make_cuda_device(int number);

}  // namespace gg::cuda
