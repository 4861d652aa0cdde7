// A command in a process of its own that another one watches: whatever an input does to it (an endless loop, a full memory, a crash), the
// process that was started keeps its budget, says what happened, and leaves no half-written file.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "models/base/progress.h"

namespace gg {

/// How a process that was watched came to its end.
struct Ending {
  enum class Kind : std::uint8_t { Exited,
                                   Late,
                                   Memory,
                                   Crashed,
                                   Killed,
                                   Told } kind = Kind::Exited;
  int number = 0;             ///< exit code, or signal
  std::string phase;          ///< what it was doing
  double budget_seconds = 0;  ///< its bounds
  std::size_t memory_mb = 0;
  std::string kept;  ///< what it had by then (keep_bytes), whole or cut short
};

/// What ended a command that has no verdict of its own, in a sentence.
std::string to_sentence(const Ending& ending);

/// Bytes that stand whatever becomes of this process; those of an earlier call go.
void keep_bytes(std::string_view bytes);

/// The verdict of this process is told, as its last phase: what is ended in taking down its memory keeps this exit code and is told no second time.
void note_told(int exit_code);

/// That of this process, which saw by itself that it is past a bound.
Ending out_of_bounds(Ending::Kind kind);

/// A process that was forked, as the one that forked it sees it.
class Watched {
 public:
  enum class Side : std::uint8_t { Worker,
                                   Watcher,
                                   Alone };
  /// Forks; both processes go on. Alone: there is no other process.
  Watched();
  Progress& progress() const { return *shared_; }
  Side side() const { return pid_ < 0 ? Side::Alone : pid_ == 0 ? Side::Worker
                                                                : Side::Watcher; }

  /// Nothing while it runs within its bounds. Tells it when its budget is used up, and ends it when that did not help.
  std::optional<Ending> look();
  /// Ends it; a signal that tells it to end comes first: a rank says where it waits.
  Ending finish(Ending::Kind kind, int signal_number = 0);

 private:
  Ending described(Ending::Kind kind, int number) const;

  pid_t pid_ = -1;
  std::shared_ptr<Progress> shared_;
  std::shared_ptr<const int> kept_;  ///< file without a name for what it keeps
};

}  // namespace gg
