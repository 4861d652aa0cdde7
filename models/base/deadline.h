// The one deadline of a process: loops over elements, instructions, terms, draws and messages ask for it. It is a flag that
// the process that watches this one sets (harness/supervise), so asking costs a load.
#pragma once

#include "models/base/progress.h"

namespace gg {

/// The budget is used up. No std::exception: what catches those goes on, and there is no time for that.
struct OutOfTime {};

/// While one stands, the loops of this process go on: what is short and worth having. The process that watches ends what is not short.
class Grace {
 public:
  Grace() { ++count; }
  ~Grace() { --count; }
  Grace(const Grace&) = delete;
  Grace& operator=(const Grace&) = delete;
  static inline std::atomic<int> count{0};
};

/// For loops that end by themselves.
inline bool out_of_time() { return progress().over.load(std::memory_order_relaxed) && Grace::count == 0; }

/// Throws OutOfTime.
inline void ask_deadline() {
  if (out_of_time()) [[unlikely]]
    throw OutOfTime{};
}

}  // namespace gg
