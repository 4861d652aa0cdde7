// The texts of harness/witness/replay.py and harness/capture/gg_torch.py (replay_torch.py in a witness), embedded at build time (CMakeLists.txt).
#pragma once

#include <string_view>

namespace gg {
extern const std::string_view kReplayPy;
extern const std::string_view kReplayTorchPy;
}  // namespace gg
