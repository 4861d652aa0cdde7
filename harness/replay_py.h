// The text of harness/replay.py, embedded at build time (CMakeLists.txt).
#pragma once

#include <string_view>

namespace gg {
extern const std::string_view kReplayPy;
}
