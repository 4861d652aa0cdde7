// Reading the short texts in which users write placements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/diag.h"

namespace gg {

/// A position in a placement text. Skips white space before every token; errors are BadPlacement and quote the text.
class TextCursor {
 public:
  TextCursor(std::string_view text, Location where) : text_(text), where_(std::move(where)) {}
  /// Consumes `token` if it is next.
  bool accept(std::string_view token);
  void expect(std::string_view token);
  bool peek(std::string_view token);
  bool at_end();
  /// Letters, digits, '_', '.' and '@'; "" if none is next.
  std::string word();
  /// A name in single or double quotes.
  std::string quoted();
  std::int64_t integer();
  /// `{'a', 'b'}` with either kind of quotes, the opening bracket included; `(...)` likewise.
  std::vector<std::string> names(std::string_view open, std::string_view close);
  [[noreturn]] void fail(const std::string& problem, DiagCode code = DiagCode::BadPlacement) const;

 private:
  void skip();
  std::string_view text_;
  Location where_;
  std::size_t at_ = 0;
};

}  // namespace gg
