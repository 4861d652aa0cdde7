#include "harness/suite/run_jobs.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>

#include "harness/report/ending.h"
#include "harness/report/report_archive.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/base/frame.h"
#include "models/base/progress.h"

namespace gg {
namespace {

constexpr int kBadInput = 3;
constexpr int kInternal = 4;

Report failed(const std::string& name, Failure failure) {
  Report report;
  report.command = "check";
  report.case_name = name;
  report.failure = std::move(failure);
  return report;
}

/// The report of a job, or the failure that main() would make an exit code of.
Report attempt(const PairJob& job) {
  try {
    Report report = job.decide();
    report.case_name = job.name;
    return report;
  } catch (const OutOfTime&) {
    return report_of(out_of_bounds(Ending::Kind::Late), "check", job.name);
  } catch (const InputError& error) {
    const std::string code = error.diags().empty() ? "" : std::string(info(error.diags().front().code).id);
    return failed(job.name, {kBadInput, code, error.what()});
  } catch (const std::filesystem::filesystem_error& error) {
    const Diag diag = of_file_error(error);
    return failed(job.name, {kBadInput, std::string(info(diag.code).id), to_string(diag)});
  } catch (const std::bad_alloc&) {
    return failed(job.name, {kBadInput, std::string(info(DiagCode::TooLarge).id), "error: out of memory"});
  } catch (const std::exception& error) {
    return failed(job.name, {kInternal, "", error.what()});
  }
}

struct Child {
  std::size_t job = 0;
  Watched process;
  int pipe = -1;
  std::string bytes;
  std::optional<Ending> ending;
};

void write_all(int pipe, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(pipe, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

class Pool {
 public:
  Pool(const std::vector<PairJob>& jobs, const Options& options)
      : jobs_(jobs), options_(options), parallel_(static_cast<std::size_t>(std::max(options.jobs, 1))), reports_(jobs.size()) {}

  std::vector<Report> run(const std::function<void(const Report&)>& done) {
    set_bounds(0, progress().memory_mb);  // each job has a budget of its own
    std::size_t next = 0, told = 0;
    while (told < jobs_.size()) {
      while (next < jobs_.size() && children_.size() < parallel_) start(next++);
      wait();
      for (; told < jobs_.size() && reports_[told]; ++told) done(*reports_[told]);
    }
    std::vector<Report> result;
    for (auto& report : reports_) result.push_back(*std::move(report));
    return result;
  }

 private:
  void start(std::size_t job) {
    int ends[2];
    if (::pipe(ends) != 0) {
      reports_[job] = failed(jobs_[job].name, {kInternal, "", fmt::format("no pipe: {}", std::strerror(errno))});
      return;
    }
    std::cout << std::flush;
    const Watched process;
    if (process.side() == Watched::Side::Worker) {
      ::close(ends[0]);
      for (const Child& other : children_) ::close(other.pipe);
      set_bounds(options_.budget_seconds, options_.memory_mb / parallel_);
      write_all(ends[1], pack(attempt(jobs_[job])));
      ::_exit(0);
    }
    ::close(ends[1]);
    if (process.side() == Watched::Side::Alone) {
      ::close(ends[0]);
      reports_[job] = failed(jobs_[job].name, {kInternal, "", fmt::format("no process: {}", std::strerror(errno))});
      return;
    }
    children_.push_back({job, process, ends[0], "", std::nullopt});
  }

  /// Reads what the children wrote; takes those that have ended out.
  void wait() {
    if (children_.empty()) return;
    constexpr int kPollMilliseconds = 20;
    std::vector<pollfd> files;
    for (const Child& child : children_) files.push_back({child.pipe, POLLIN, 0});
    ::poll(files.data(), files.size(), kPollMilliseconds);
    for (std::size_t k = children_.size(); k-- > 0;) {
      Child& child = children_[k];
      if ((files[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && read(child)) continue;
      if (!child.ending) child.ending = child.process.look();
      if (!child.ending) continue;
      while (read(child)) {
      }
      finish(child);
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }

  /// False at the end of what the child writes.
  static bool read(Child& child) {
    char buffer[65536];
    const ssize_t n = ::read(child.pipe, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return false;
    child.bytes.append(buffer, static_cast<std::size_t>(n));
    return true;
  }

  void finish(Child& child) {
    ::close(child.pipe);
    const std::string& name = jobs_[child.job].name;
    std::optional<Report> report = unpack(child.bytes);
    if (!report && child.ending->kind == Ending::Kind::Exited) report = failed(name, {kInternal, "", fmt::format("its process ended with exit code {}", child.ending->number)});
    reports_[child.job] = report ? *std::move(report) : report_of(*child.ending, "check", name);
  }

  const std::vector<PairJob>& jobs_;
  const Options& options_;
  const std::size_t parallel_;
  std::vector<std::optional<Report>> reports_;
  std::vector<Child> children_;
};

}  // namespace

std::vector<Report> run_jobs(const std::vector<PairJob>& jobs, const Options& options, const std::function<void(const Report&)>& done) {
  return Pool(jobs, options).run(done);
}

}  // namespace gg
