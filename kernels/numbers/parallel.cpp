// Threads that take parts from a shared counter. They are started once: a run has hundreds of loops of a millisecond, and a thread that is new
// has none of Arb's tables.
#include "kernels/numbers/parallel.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace gg {
namespace {

/// Threads that do one piece of work at a time beside the thread that asks for it.
class Helpers {
 public:
  /// Those of this process: what forks has none of its parent's threads.
  static Helpers& here() {
    static std::mutex mutex;
    static Helpers* made = nullptr;  // stays while the process does
    const std::lock_guard lock(mutex);
    if (made == nullptr || made->process_ != getpid()) made = new Helpers;
    return *made;
  }

  /// Calls `work` here and on at most `most` helpers, those that come before it is done here; only here while they work for another.
  void run(std::int64_t most, const std::function<void()>& work) {
    const std::unique_lock asked(asked_, std::try_to_lock);
    if (!asked || most < 1) return work();
    {
      const std::lock_guard lock(mutex_);
      for (; started_ < std::min(most, kMost); ++started_) std::thread(&Helpers::serve, this).detach();
      work_ = &work;
      places_ = most;
    }
    wanted_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    places_ = 0;
    left_.wait(lock, [&] { return busy_ == 0; });
  }

 private:
  static constexpr std::int64_t kMost = 255;

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wanted_.wait(lock, [&] { return places_ > 0; });
      --places_;
      ++busy_;
      const std::function<void()>& work = *work_;
      lock.unlock();
      work();
      lock.lock();
      if (--busy_ == 0) left_.notify_one();
    }
  }

  const pid_t process_ = getpid();
  std::mutex asked_, mutex_;  ///< held while the helpers work for somebody; guards what follows
  std::condition_variable wanted_, left_;
  const std::function<void()>* work_ = nullptr;
  std::int64_t places_ = 0, busy_ = 0, started_ = 0;
};

}  // namespace

void for_each_part(std::int64_t parts, const std::function<void(std::int64_t)>& part) {
  static const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;  // the first one; what throws ends the parts that have not begun
  Helpers::here().run(std::min(cores, parts) - 1, [&] {
    try {
      for (std::int64_t k = next++; k < parts; k = next++) part(k);
    } catch (...) {
      next = parts;
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  });
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace gg
