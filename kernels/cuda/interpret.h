// The machine of kernels/device as a kernel.
#pragma once

#include "kernels/device/code.h"

namespace gg::cuda {

/// One thread an element. Returns a CUDA error code, 0 for success; nothing is synchronised.
int run_steps(const device::Launch& launch, void* stream);

}  // namespace gg::cuda
