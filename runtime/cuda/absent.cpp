// A build without CUDA.
#include "models/base/diag.h"
#include "runtime/cuda/cuda_device.h"

namespace gg::cuda {

std::unique_ptr<device::Device> make_cuda_device(int) {
  throw InputError(DiagCode::NotYet, {}, "this program was built without CUDA (cmake --preset device)");
}

}  // namespace gg::cuda
