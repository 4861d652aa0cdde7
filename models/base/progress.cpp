// The memory that two processes share (models/base/progress.h).
#include "models/base/progress.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace gg {
namespace {
Progress of_an_unwatched_process;
}
Progress* own_progress = &of_an_unwatched_process;

template <std::size_t N>
void SharedText<N>::set(std::string_view text) {
  bytes[0] = 0;  // never half of the new and half of the old
  if (text.empty() || text.size() >= N) return;
  std::copy(text.begin() + 1, text.end(), bytes.begin() + 1);
  bytes[text.size()] = 0;
  bytes[0] = text[0];
}

template <std::size_t N>
std::string SharedText<N>::get() const {
  return {bytes.data(), static_cast<std::size_t>(std::find(bytes.begin(), bytes.end() - 1, 0) - bytes.begin())};
}

template struct SharedText<64>;
template struct SharedText<4096>;

std::shared_ptr<Progress> make_shared_progress() {
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* progress = new (memory) Progress;
  progress->phase.set("start");
  return {progress, [](Progress* shared) { munmap(shared, sizeof(Progress)); }};
}

void use_progress(Progress& shared) { own_progress = &shared; }

void remove_temporary(const Progress& of) {
  const std::string path = of.temporary.get();
  std::error_code ignored;
  if (!path.empty()) std::filesystem::remove_all(path, ignored);
}

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
