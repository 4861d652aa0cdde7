#include "models/base/status_line.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace gg {
namespace {

constexpr double kQuiet = 1;  ///< seconds
constexpr std::string_view kClear = "\r\033[K";

void write_out(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

StatusLine::StatusLine(const char* program, Progress& progress) : program_(program), progress_(progress), terminal_(is_terminal()) {}

void StatusLine::show() {
  if (!terminal_) return;
  const double seconds = std::chrono::duration<double>(Progress::Clock::now() - progress_.started).count();
  if (seconds < kQuiet || progress_.phase.get() == "report") return;
  char part[16] = "", time[32];
  if (const double share = progress_.share; share > 0) std::snprintf(part, sizeof part, ", %.0f %%", 100 * share);
  std::snprintf(time, sizeof time, ", %.0f s", seconds);
  std::string text = program_ + std::string(": ") + progress_.phase.get() + part + time;
  if (text == last_) return;
  progress_.shown = true;
  write_out(std::string(kClear) + text + "\r");  // what comes next starts at the beginning of the line
  last_ = std::move(text);
}

void StatusLine::end() {
  if (progress_.shown.exchange(false)) write_out(kClear);
}

void clear_status() {
  if (progress().shown.exchange(false)) write_out(kClear);
}

}  // namespace gg
