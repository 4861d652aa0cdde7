// The phase and the temporary name of a process (models/base/progress.h).
#include "models/base/progress.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace gg {
namespace {

/// Text in place: no pointers, so that another process can read it.
template <std::size_t N>
struct Text {
  std::array<char, N> bytes{};
  void set(std::string_view text) {
    bytes[0] = 0;  // never half of the new and half of the old
    if (text.size() >= N) return;
    std::copy(text.begin() + (text.empty() ? 0 : 1), text.end(), bytes.begin() + (text.empty() ? 0 : 1));
    bytes[text.size()] = 0;
    if (!text.empty()) bytes[0] = text[0];
  }
  std::string get() const { return {bytes.data(), static_cast<std::size_t>(std::find(bytes.begin(), bytes.end() - 1, 0) - bytes.begin())}; }
};

struct Progress {
  Text<64> phase;
  Text<4096> temporary;
};

Progress own_progress;
Progress* progress = &own_progress;

}  // namespace

void enter_phase(std::string_view phase) { progress->phase.set(phase); }
std::string current_phase() { return progress->phase.get(); }
void note_temporary(const std::string& path) { progress->temporary.set(path); }
std::string noted_temporary() { return progress->temporary.get(); }

void remove_temporary() {
  const std::string path = noted_temporary();
  std::error_code ignored;
  if (!path.empty()) std::filesystem::remove_all(path, ignored);
}

void share_progress() {
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) progress = new (memory) Progress(*progress);
}

}  // namespace gg
