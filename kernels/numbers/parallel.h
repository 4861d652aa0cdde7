// Large loops on all cores. What is computed does not depend on how many there are: the caller cuts the work into parts
// by its sizes alone, and each part writes its own elements.
#pragma once

#include <cstdint>
#include <functional>

namespace gg {

/// Calls part(k) for each k in [0, parts), in any order, on all cores. They share nothing writable; the first exception is thrown again.
void for_each_part(std::int64_t parts, const std::function<void(std::int64_t)>& part);

}  // namespace gg
