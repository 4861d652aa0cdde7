#include "models/base/check.h"

namespace gg {

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": internal error: " + condition +
                      (message.empty() ? "" : " (" + message + ")"));
}

}  // namespace gg
