// What every device must do as the operators' bodies say: scalar functions over all element types, special values and edge
// sizes, conversions, folds, remaps, gathers, the operators' examples, matrix products, transfers. Run on the host device by
// the unit tests and on a GPU by gg-gpu-test.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/device/device.h"

namespace gg::device {

struct RowCheck {
  std::string name;
  /// "" if the device is right, else what is wrong.
  std::function<std::string(Device&)> run;
};

std::vector<RowCheck> device_rows();

/// The body by lower() on the device against the reference walk, operands given in `mode`; `units`: distance allowed in units
/// in the last place (0: the same bits, any NaN being equal to any other).
std::string compare_body(Device& device, const Arena& arena, const Body& body, NumberMode mode,
                         const std::vector<ElementType>& types, const std::vector<std::vector<std::int64_t>>& extents,
                         const std::vector<Buffer>& values, double units);

}  // namespace gg::device
