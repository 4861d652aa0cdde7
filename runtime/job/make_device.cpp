#include "runtime/job/make_device.h"

#include "runtime/cuda/cuda_device.h"
#include "runtime/transport/bootstrap.h"

namespace gg {

std::unique_ptr<device::Device> make_device(const std::string& name) {
  if (name == "host") return device::host_device();
  const auto place = job::find_place();
  return cuda::make_cuda_device(place ? place->local_rank : 0);
}

}  // namespace gg
