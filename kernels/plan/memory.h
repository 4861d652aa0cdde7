// Moving elements of any storage: strided boxes, gathers, strided rows. For kernels alone.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/numbers/rows.h"

namespace gg::plan {

/// One loop of a copy: extent and the strides of both sides, in elements.
struct CopyLoop {
  std::int64_t extent, to, from;
};

/// to[...] = from[...] over the loops, outermost first. Addresses must be in range.
void copy_box(Storage storage, void* to, const void* from, std::span<const CopyLoop> loops);

/// to[k] = from[address[k]], k < n; InternalError if an address is not in [0, count).
void gather_row(Storage storage, void* to, const void* from, const std::int64_t* address, std::int64_t n,
                std::int64_t count);

/// to[k * stride] = in[k].
void store_row(Storage storage, void* to, std::int64_t stride, Row in, std::int64_t n);

}  // namespace gg::plan
