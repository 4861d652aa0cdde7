// Threads that take parts from a shared counter; they live for one loop.
#include "kernels/numbers/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/numbers/ball.h"

namespace gg {

void for_each_part(std::int64_t parts, const std::function<void(std::int64_t)>& part) {
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;  // the first one; what throws ends the parts that have not begun
  const auto work = [&] {
    try {
      for (std::int64_t k = next++; k < parts; k = next++) part(k);
    } catch (...) {
      next = parts;
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  const auto work_and_end = [&] {
    work();
    end_ball_thread();
  };
  for (std::int64_t t = 1; t < std::min(cores, parts); ++t) others.emplace_back(work_and_end);
  work();
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace gg
