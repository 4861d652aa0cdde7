// A cursor over one printed line of Python.
#pragma once

#include <string>
#include <string_view>

#include "models/fx/graph.h"
#include "models/fx/sizes.h"

namespace gg::fx {

/// [A-Za-z0-9_].
bool word_char(char c);

class Scanner {
 public:
  /// `where` and `sizes` must outlive the scanner. Names that `sizes` has are read as integers.
  Scanner(std::string_view line, const Location& where, const Sizes* sizes = nullptr) : text_(line), where_(&where), sizes_(sizes) {}
  Scanner(std::string_view line, Location&& where, const Sizes* sizes = nullptr) = delete;

  bool at_end();
  /// Takes `token` if it comes next (blanks before it are skipped).
  bool accept(std::string_view token);
  void expect(std::string_view token);
  bool peek(std::string_view token);
  /// [A-Za-z_][A-Za-z0-9_]*; "" if something else comes next. With `dotted` also dots inside.
  std::string_view identifier(bool dotted = false);
  /// A string in double or single quotes.
  std::string quoted();
  /// A name, number, string, list, tuple, word of torch or device(...).
  Argument argument(int depth = 0);
  /// `f32[2, 8][8, 1]cpu`: strides and device are read over.
  Type type(std::string_view text) const;
  /// Does the text of this type print strides, and are they those of row-major order?
  static bool row_major(std::string_view text, const Type& type);
  /// The integer that `Sym(3*s77)` is; nothing for other types. Fails where a size is not bound.
  std::optional<std::int64_t> symbol(std::string_view text) const;
  /// Names stay names from here on.
  void forget_sizes() { sizes_ = nullptr; }
  /// What stands up to `;` or the end of the line.
  std::string_view rest();
  Location here() const;
  [[noreturn]] void fail(const std::string& problem, DiagCode code = DiagCode::Syntax) const;
  /// "expected X, found Y".
  [[noreturn]] void unexpected(std::string_view expected) const;

 private:
  void skip();
  Argument number();
  Argument list(char close, int depth);
  std::int64_t extent(std::string_view text, std::string_view type) const;
  std::string_view text_;
  const Location* where_;
  const Sizes* sizes_;
  std::size_t at_ = 0;
};

}  // namespace gg::fx
