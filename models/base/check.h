// Checks that stay on in release builds: a violated one is a bug of ours (exit 4), never bad input.
#pragma once

#include <stdexcept>
#include <string>

namespace gg {

/// A bug of gg-harness itself. `what()` starts with the place (`file:line`) and states the violated condition.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InternalError. Called by GG_CHECK only.
[[noreturn]] void check_failed(const char* file, int line, const char* condition, const std::string& message);

}  // namespace gg

/// Stops with InternalError unless `condition` holds; `message` (any std::string expression) says what was seen.
#define GG_CHECK(condition, message)                                                 \
  do {                                                                               \
    if (!(condition)) ::gg::check_failed(__FILE__, __LINE__, #condition, (message)); \
  } while (false)
