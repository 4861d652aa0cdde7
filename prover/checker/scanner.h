// Character-level reading of a certificate with line and column.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/diag.h"
#include "prover/checker/rational.h"

namespace gg::checker {

/// A text but for the names of anchors in it.
struct FormSyntax {
  std::string text;                                  ///< without their numbers
  std::vector<std::pair<char, std::int64_t>> names;  ///< s, x or g, and the number, in order
};

class Scanner {
 public:
  Scanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool digit() const { return peek() >= '0' && peek() <= '9'; }
  bool at_end() const { return at_ >= text_.size(); }
  std::size_t position() const { return at_; }
  bool ahead(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  bool take(std::string_view word);
  bool accept(char c);
  void expect(char c);
  Scanner& after(char c) { return expect(c), *this; }  ///< what stands behind it
  std::int64_t natural();                              ///< digits, no leading zero
  std::int64_t integer();                              ///< with an optional minus
  Rational rational();
  std::string letters();  ///< at least one of a..z
  /// Up to (not including) one of `stops` or the end of the line; at least one character.
  std::string until(std::string_view stops);
  void end_of_line();
  void nesting(std::size_t depth) const;
  Location where() const;
  /// The number of a name.
  std::int64_t name(char head);
  /// The text from `begin_form` on.
  void begin_form();
  FormSyntax take_form();
  /// Throws InputError(BadCertificate) at the current place.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, line_start_ = 0, formed_ = 0;
  FormSyntax form_;
  std::uint32_t line_ = 1;
};

}  // namespace gg::checker
