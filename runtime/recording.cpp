// Kept runs (runtime/recording.h).
#include "runtime/recording.h"

namespace gg {

Probe Recording::probe() {
  return [this](const Instance& instance, Leaves leaves) {
    for (const auto& leaf : leaves) bytes += leaf->bytes();
    if (bytes > kMostBytes) {
      events.clear();
      return;
    }
    events.emplace_back(instance, SharedBuffers(leaves.begin(), leaves.end()));
  };
}

void Recording::replay(const Probe& probe) const {
  for (const auto& [instance, leaves] : events) probe(instance, leaves);
}

}  // namespace gg
