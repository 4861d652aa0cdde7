// What a process is doing and may still take, how it is told and when it is over, in memory that it shares with the process that watches it (harness/supervise).
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

// The one deadline of a process: loops over elements, instructions, terms, draws and messages ask for it. It is a flag that
// the process that watches this one sets (harness/supervise), so asking costs a load.

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

/// What a command is doing, on a terminal: phase, share of it, seconds (`gg-harness: run, 33 %, 4 s`). Written by the process that watches;
/// nothing where standard error is none.
class StatusLine {
 public:
  StatusLine(const char* program, Progress& progress);
  /// Writes the line anew where it has changed; nothing in the first second, and while the report is written.
  void show();
  void end();

 private:
  const char* program_;
  Progress& progress_;
  bool terminal_;
  std::string last_;
};

/// Takes the line of this process off the terminal: it is about to write.
void clear_status();

}  // namespace gg
