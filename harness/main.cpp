// gg-harness: dispatch, and the mapping of failures to exit codes.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include "harness/options.h"
#include "harness/supervise/supervise.h"
#include "models/base/check.h"
#include "models/base/diag.h"
#include "models/base/file.h"

namespace {

constexpr int kBadInput = 3;
constexpr int kInternal = 4;

/// A closed stream stays unusable: no file that is opened later takes its number, and writing to it fails.
void hold_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// The verdict is the last line of stdout: a code without it would say too much.
int with_output(int code) {
  std::cout << std::flush;
  if (std::cout) return code;
  std::cerr << "gg-harness: error: cannot write to standard output: the verdict is lost [GG-U003]\n";
  return kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  hold_closed_streams();
  signal(SIGPIPE, SIG_IGN);  // a reader that is gone is a failed write
  const auto ending = gg::watch_command();  // nothing in the process that does the work
  if (ending && ending->kind == gg::Ending::Kind::Exited) _exit(ending->number);
  try {
    return with_output(gg::dispatch(argc, argv, ending ? &*ending : nullptr));
  } catch (const gg::InputError& error) {
    std::cerr << error.what() << "\n";
    return kBadInput;
  } catch (const std::filesystem::filesystem_error& error) {
    std::cerr << gg::to_string(gg::of_file_error(error)) << "\n";
    return kBadInput;
  } catch (const std::bad_alloc&) {
    std::cerr << "gg-harness: error: out of memory [GG-U004]\n";
    return kBadInput;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return kInternal;
  }
}
