// The texts of harness/witness/replay.py and the modules of harness/capture/gg_torch that make replay_torch.py of a witness, embedded at build time (CMakeLists.txt).
#pragma once

#include <string_view>

namespace gg {
extern const std::string_view kReplayPy;
extern const std::string_view kReplayTorchPy;
}  // namespace gg
