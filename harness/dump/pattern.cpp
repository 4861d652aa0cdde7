// The pattern of --module (harness/dump/pattern.h).
#include "harness/dump/pattern.h"

#include "models/base/limits.h"

namespace gg {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(DiagCode::Usage, {}, "--module '" + text + "' is no regular expression: " + why);
}

/// The same in POSIX's notation.
std::string as_posix(const std::string& text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char next = k + 1 < text.size() ? text[k + 1] : 0;
    if (text[k] == '\\' && next >= '1' && next <= '9') refuse(text, "back references are not supported");
    if (text[k] == '\\' && (next == 'd' || next == 'D')) {
      result += next == 'd' ? "[0-9]" : "[^0-9]";
      ++k;
    } else if (text[k] == '\\' && next != 0) {
      result += {text[k], next};
      ++k;
    } else if (text.compare(k, 3, "(?:") == 0) {
      result += "(";
      k += 2;
    } else if (text[k] == '{') {
      refuse(text, "counted repetitions are not supported");  // a few of them in each other fill the memory
    } else {
      result += text[k];
    }
  }
  return result;
}

}  // namespace

Pattern::Pattern(const std::string& text) {
  check_limit(Limit::Pattern, static_cast<std::int64_t>(text.size()), {});
  const int error = regcomp(&compiled_, as_posix(text).c_str(), REG_EXTENDED | REG_NOSUB);
  if (error == 0) return;
  std::string why(256, '\0');
  why.resize(regerror(error, &compiled_, why.data(), why.size()) - 1);
  refuse(text, why);
}

Pattern::~Pattern() { regfree(&compiled_); }

bool Pattern::matches(const std::string& name) const { return regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0; }

}  // namespace gg
