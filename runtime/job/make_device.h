// Devices by name.
#pragma once

#include <memory>
#include <string>

#include "kernels/device/device.h"

namespace gg {

/// `host`, or `cuda`: the GPU of this process, its place among the ranks of this host modulo the host's GPUs. Throws
/// InputError(NotYet) where the program was built without CUDA, InputError(Usage) where no GPU can be used.
std::unique_ptr<device::Device> make_device(const std::string& name);

}  // namespace gg
