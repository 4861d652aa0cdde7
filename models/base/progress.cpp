// The memory that two processes share (models/base/progress.h).
#include "models/base/progress.h"

#include <sys/mman.h>

#include <algorithm>
#include <filesystem>

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

}  // namespace gg
