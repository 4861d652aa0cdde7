// What a process is doing and may still take, in memory that it shares with the process that watches it (harness/supervise).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace gg {

/// Text in place: no pointers, so that another process can read it.
template <std::size_t N>
struct SharedText {
  std::array<char, N> bytes{};
  void set(std::string_view text);  ///< "" where it does not fit
  std::string get() const;
};

/// What both processes know. The one that works says what it does and how much it may take; the other one says when its time is over.
struct Progress {
  using Clock = std::chrono::steady_clock;
  SharedText<64> phase;
  SharedText<4096> temporary;
  Clock::time_point started = Clock::now();  ///< the budget counts from here
  std::atomic<double> budget_seconds{0};     ///< 0: no bound
  std::atomic<std::size_t> memory_mb{0};     ///< 0: no bound
  std::atomic<bool> over{false};             ///< the budget is used up
  std::atomic<double> share{0};              ///< of the phase, 0 to 1; 0: not known
  std::atomic<bool> shown{false};            ///< a line of it stands on the terminal
};

extern Progress* own_progress;
/// That of this process.
inline Progress& progress() { return *own_progress; }
/// One that processes forked later share with this one; null where there is no memory for it.
std::shared_ptr<Progress> make_shared_progress();
/// From now on it is that of this process.
void use_progress(Progress& shared);

/// Phases of a command, in a word or two: `reading`, `run`, `proof`.
/// That in which the time ended stays.
inline void enter_phase(std::string_view phase) {
  if (progress().over) return;
  progress().share = 0;
  progress().phase.set(phase);
}
inline void enter_share(double share) { progress().share = share; }

/// A name that this process is writing under and that must not stay if it ends; "" = none. Longer paths than 4095 are not kept.
inline void note_temporary(const std::string& path) { progress().temporary.set(path); }
/// Removes what a process noted that is gone.
void remove_temporary(const Progress& of);

}  // namespace gg
