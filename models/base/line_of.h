// Lines of files that were read before, for reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gg {

/// Line `number` of the file, from 1; nothing where there is none, or the file cannot be read (any more). The file last asked of is kept: the view holds until the next call of the thread.
std::optional<std::string_view> line_of(const std::string& file, std::uint32_t number);

}  // namespace gg
