// A cursor over HLO text: white space and comments, identifiers, numbers, strings, balanced brackets, places for
// diagnostics. No tokens are stored; whoever parses asks for what must come next.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/base/limits.h"

namespace gg::hlo {

/// Deepest nesting of brackets that is read.
inline constexpr int kMaxBrackets = static_cast<int>(most(Limit::Brackets));

class Cursor {
 public:
  /// `line` is the number of the text's first line.
  Cursor(std::string_view text, const std::string& file, std::uint32_t line = 1)
      : text_(text), file_(&file), line_(line) {}

  /// A position to come back to.
  struct Mark {
    std::size_t position;
    std::size_t line_start;
    std::uint32_t line;
  };
  Mark mark() const { return {pos_, line_start_, line_}; }
  void reset(const Mark& mark) { pos_ = mark.position, line_start_ = mark.line_start, line_ = mark.line; }

  bool at_end() const { return pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  std::size_t position() const { return pos_; }
  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return static_cast<std::uint32_t>(pos_ - line_start_) + 1; }
  std::string_view slice(std::size_t from) const { return text_.substr(from, pos_ - from); }
  std::string_view rest() const { return text_.substr(pos_); }
  const std::string& file() const { return *file_; }

  /// Skips blanks, newlines and comments (`/* */`, `//`).
  void skip_space();

  /// Skips white space, then takes `c` or `word` if it comes next (a word must not go on as an identifier).
  bool accept(char c);
  bool accept(std::string_view word);
  /// The same, or throws InputError(Syntax) naming what was expected.
  void expect(char c);
  void expect(std::string_view word);
  /// Takes a literal piece of text without regard for word boundaries (`->`, `<=`).
  bool accept_text(std::string_view piece);
  /// `open item, item close`, possibly without items; each call of `item` reads one.
  template <class Item>
  void list(char open, char close, const Item& item) {
    expect(open);
    if (!accept(close)) items(close, item);
  }
  /// What follows the opening bracket of a list with one item at least.
  template <class Item>
  void items(char close, const Item& item) {
    do {
      item();
    } while (accept(','));
    expect(close);
  }

  /// [A-Za-z0-9_.-]+ after white space; empty if something else comes next.
  std::string_view identifier();
  /// `%name` or `name`; throws InputError(Syntax).
  std::string_view name(std::string_view what);
  /// Decimal integer with optional sign. Throws InputError(BadNumber).
  std::int64_t integer(std::string_view what);
  /// An integer in [lo, hi].
  std::int64_t integer_in(std::string_view what, std::int64_t lo, std::int64_t hi);
  /// The contents of a "string" with \n, \t, \", \\ and \xHH or octal escapes resolved.
  std::string quoted(std::string_view what);
  /// The text of a bracketed group from its opening bracket to the matching one, both included; strings and comments
  /// inside are skipped. Throws InputError(Syntax | TooDeep).
  std::string_view balanced(std::string_view what);
  /// The value of an attribute: up to a comma or white space outside brackets and strings.
  std::string_view value(std::string_view what);

  /// A place without the file's name: cheap to take at every token.
  struct Spot {
    std::uint32_t line;
    std::uint32_t column;
  };
  Spot spot() const { return {line_, column()}; }
  Location location(Spot spot) const { return {*file_, spot.line, spot.column}; }
  Location place() const { return location(spot()); }
  [[noreturn]] void fail(DiagCode code, std::string message, std::vector<std::string> notes = {}) const;
  /// "expected X, found Y".
  [[noreturn]] void unexpected(std::string_view expected) const;

 private:
  void newline() { ++line_, line_start_ = pos_ + 1; }
  void skip_string();
  bool skip_comment();

  std::string_view text_;
  const std::string* file_;
  std::size_t pos_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

/// A text that is one piece of HLO from end to end; `what` is for messages.
template <class Parse>
auto parse_whole(std::string_view text, const std::string& what, const Parse& parse) {
  const std::string file;
  Cursor cursor(text, file);
  auto value = parse(cursor);
  cursor.skip_space();
  if (!cursor.at_end()) cursor.unexpected("the end of " + what);
  return value;
}

}  // namespace gg::hlo
