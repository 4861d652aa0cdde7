// What a command is doing, on a terminal: phase, share of it, seconds. Written by the process that watches; nothing where standard error is none.
#pragma once

#include <string>

#include "models/base/progress.h"

namespace gg {

/// `gg-harness: run, 33 %, 4 s`
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
