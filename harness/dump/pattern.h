// The pattern of --module.
#pragma once

#include <regex.h>

#include <string>

namespace gg {

/// An extended regular expression (POSIX; also \d and (?: )), searched in names. Its time grows with the name and not, as that of
/// backtracking does, with the number of ways to match. Back references and patterns above the limit are refused.
class Pattern {
 public:
  /// Throws InputError(Usage).
  explicit Pattern(const std::string& text);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  bool matches(const std::string& name) const;

 private:
  regex_t compiled_{};
};

}  // namespace gg
