// Values of a run inside the executor: shared read-only buffers, so that tuples, calls, reshapes and copies cost nothing.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "kernels/device/device.h"
#include "kernels/numbers/buffer.h"
#include "models/type/type.h"

namespace gg {

/// A value in device memory and its copy on the host; either may come later, when somebody wants it. Shared by all copies of
/// the value, so that it is moved once.
struct DeviceArray {
  device::Device* owner = nullptr;
  mutable std::shared_ptr<device::Block> block;
  mutable device::Element element = device::Element::F64;
  Storage storage = Storage::Double;  ///< on the host
  std::int64_t count = 0;
  mutable std::shared_ptr<const Buffer> host;
};

/// One array leaf: the lifted buffer, its error bound (with error_bounds; null = exact) and what is known of it. In runs with
/// a device the buffer may be there only: on_host() fetches it.
struct Value {
  mutable std::shared_ptr<const Buffer> data;
  std::shared_ptr<const DeviceArray> device;
  std::shared_ptr<const Buffer> error;
  std::int64_t ties = 0;  ///< ties in its cone: own ones, plus one if an operand had any
  bool literal = false;   ///< a constant, moved by layout operators only
};

/// The array leaves of one instruction, depth first. Tokens have none.
using Values = std::vector<Value>;

/// The buffer on the host, downloaded (and kept) where it is on a device only.
const std::shared_ptr<const Buffer>& on_host(const Value& value);

/// For a value on the host in a run with this device: where its copy there will be.
void expect_on_device(Value& value, device::Device& device);

/// A buffer handed to the values: from now on read-only, until its last owner may take it out again.
inline std::shared_ptr<const Buffer> share(Buffer&& buffer) { return std::make_shared<Buffer>(std::move(buffer)); }

}  // namespace gg
