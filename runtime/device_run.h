// Operators on a device: values stay there from one to the next, go to the host for operators that the device does not take,
// and are counted on the way.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>

#include "kernels/device/device.h"
#include "models/ir/region.h"
#include "runtime/value.h"

namespace gg {

struct Prepared;

/// Compiled bodies of one program for devices.
class DeviceRunner {
 public:
  explicit DeviceRunner(Arena& arena) : arena_(arena) {}
  /// Nothing where the device does not take the operator: the host runs it. Throws device::Failure.
  std::optional<Values> run(const Prepared& prepared, std::span<const Value> operands, NumberMode mode, device::Device& device);

 private:
  using Codes = std::map<std::pair<const Body*, NumberMode>, std::optional<device::Code>>;
  struct DotPlan {
    device::Product product;
    std::optional<device::Code> left, right;  ///< to [batch, m, k] and [batch, k, n]; nothing where they lie so
  };
  const std::optional<device::Code>& code(const Body& body, const Prepared& prepared, NumberMode mode);
  const std::optional<DotPlan>& dot_plan(const Prepared& prepared, NumberMode mode);
  static std::shared_ptr<device::Block> multiply(const DotPlan& plan, std::span<const device::Block* const> operands,
                                                 device::Device& device);

  Arena& arena_;
  Codes codes_;
  std::map<std::pair<const Prepared*, NumberMode>, std::optional<DotPlan>> dots_;
};

}  // namespace gg
