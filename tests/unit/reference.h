// The reference meaning of a whole body: every element by the walk over its tree. What is compiled is compared with it bit for bit.
#pragma once

#include <cstring>

#include "kernels/plan/plan.h"
#include "models/base/check.h"

namespace gg {

/// As run() of the compiled body.
inline void evaluate(const Arena& arena, const Body& body, NumberMode mode, std::span<const Operand> operands, Buffer& out, TieCounter& ties,
                     const Buffer* unknown = nullptr) {
  const ElementReader read = [&](std::size_t k, std::span<const std::int64_t> index) {
    const Operand& operand = operands[k];
    std::size_t address = 0;
    GG_CHECK(index.size() == operand.extents.size(), "read with another rank than its operand");
    for (std::size_t d = 0; d < index.size(); ++d) {
      GG_CHECK(index[d] >= 0 && index[d] < operand.extents[d], "read out of range");
      address = address * static_cast<std::size_t>(operand.extents[d]) + static_cast<std::size_t>(index[d]);
    }
    const std::size_t size = bytes_of(operand.buffer->storage());
    Cell cell;
    std::memcpy(cell.bytes, static_cast<const unsigned char*>(operand.buffer->data()) + address * size, size);
    return cell;
  };
  const std::size_t size = bytes_of(out.storage());
  std::vector<std::int64_t> at(body.extents.size(), 0);
  for (std::size_t k = 0; k < static_cast<std::size_t>(out.count()); ++k) {
    UnknownElement own{{}, out.storage()};
    if (unknown != nullptr) std::memcpy(own.value.bytes, static_cast<const unsigned char*>(unknown->data()) + k * size, size);
    const Cell value = evaluate_element(arena, body.root, mode, at, read, ties, nullptr, unknown == nullptr ? nullptr : &own);
    std::memcpy(static_cast<unsigned char*>(out.data()) + k * size, value.bytes, size);
    for (std::size_t d = at.size(); d > 0 && ++at[d - 1] == body.extents[d - 1]; --d) at[d - 1] = 0;
  }
}

}  // namespace gg
