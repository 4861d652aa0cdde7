// Scanning of HLO text; the loops look at one table of character classes.
#include "models/hlo/lexer.h"

#include <array>
#include <charconv>

namespace gg::hlo {
namespace {

enum CharClass : std::uint8_t { kIdentifier = 1,
                                kSpace = 2,
                                kBracketStop = 4,
                                kValueStop = 8 };

/// Classes of the 256 characters; the stops are what the scanning loops must look at.
constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> table{};
  auto mark = [&table](std::string_view chars, std::uint8_t bit) {
    for (const char c : chars) table[static_cast<unsigned char>(c)] |= bit;
  };
  mark("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-", kIdentifier);
  mark(" \t\r\n", kSpace);
  mark("()[]{}\"/\n", kBracketStop);
  mark("()[]{}\"/, \t\r\n", kValueStop);
  return table;
}();

bool is(char c, std::uint8_t mask) { return (kClasses[static_cast<unsigned char>(c)] & mask) != 0; }

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']'
                                                                 : '}'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void Cursor::fail(DiagCode code, std::string message, std::vector<std::string> notes) const {
  throw InputError(code, place(), std::move(message), std::move(notes));
}

void Cursor::unexpected(std::string_view expected) const {
  std::string found = "the end of the text";
  if (!at_end()) {
    std::size_t end = pos_ + 1;
    while (end < text_.size() && end < pos_ + 24 && text_[end] != '\n') ++end;
    found = "'";
    for (const char c : text_.substr(pos_, end - pos_)) found += c >= ' ' && c < 127 ? c : '?';
    found += "'";
  }
  fail(DiagCode::Syntax, "expected " + std::string(expected) + ", found " + found);
}

bool Cursor::skip_comment() {
  if (peek() != '/') return false;
  if (peek(1) == '/') {
    while (!at_end() && peek() != '\n') ++pos_;
    return true;
  }
  if (peek(1) != '*') return false;
  const Spot start = spot();
  for (pos_ += 2; !at_end(); ++pos_) {
    if (peek() == '*' && peek(1) == '/') {
      pos_ += 2;
      return true;
    }
    if (peek() == '\n') newline();
  }
  throw InputError(DiagCode::Syntax, location(start), "comment is not closed");
}

void Cursor::skip_space() {
  for (;;) {
    const char c = peek();
    if (c == '\n') {
      newline();
      ++pos_;
    } else if (is(c, kSpace)) {
      ++pos_;
    } else if (c != '/' || !skip_comment()) {
      return;
    }
  }
}

bool Cursor::accept(char c) {
  skip_space();
  if (peek() != c || at_end()) return false;
  ++pos_;
  return true;
}

bool Cursor::accept(std::string_view word) {
  skip_space();
  if (text_.substr(pos_, word.size()) != word || is(peek(word.size()), kIdentifier)) return false;
  pos_ += word.size();
  return true;
}

bool Cursor::accept_text(std::string_view piece) {
  skip_space();
  if (text_.substr(pos_, piece.size()) != piece) return false;
  pos_ += piece.size();
  return true;
}

void Cursor::expect(char c) {
  if (!accept(c)) unexpected(std::string("'") + c + "'");
}

void Cursor::expect(std::string_view word) {
  if (!accept(word)) unexpected("'" + std::string(word) + "'");
}

std::string_view Cursor::identifier() {
  skip_space();
  const std::size_t start = pos_;
  while (pos_ < text_.size() && is(text_[pos_], kIdentifier)) ++pos_;
  return slice(start);
}

std::string_view Cursor::name(std::string_view what) {
  accept('%');
  const std::string_view text = identifier();
  if (text.empty()) unexpected(what);
  return text;
}

std::int64_t Cursor::integer(std::string_view what) {
  skip_space();
  std::int64_t value = 0;
  const char* first = text_.data() + pos_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  if (error == std::errc::invalid_argument) unexpected(what);
  if (error == std::errc::result_out_of_range) {
    fail(DiagCode::BadNumber, std::string(what) + " does not fit 64 bits");
  }
  pos_ += static_cast<std::size_t>(end - first);
  return value;
}

std::int64_t Cursor::integer_in(std::string_view what, std::int64_t lo, std::int64_t hi) {
  skip_space();
  const Spot where = spot();
  const std::int64_t value = integer(what);
  if (value < lo || value > hi) {
    throw InputError(DiagCode::BadNumber, location(where),
                     std::string(what) + " is " + std::to_string(value) + ", outside " + std::to_string(lo) + ".." +
                         std::to_string(hi));
  }
  return value;
}

void Cursor::skip_string() {
  const Spot start = spot();
  for (++pos_; !at_end(); ++pos_) {
    const char c = text_[pos_];
    if (c == '"') {
      ++pos_;
      return;
    }
    if (c == '\\') ++pos_;
    if (peek() == '\n') newline();
  }
  throw InputError(DiagCode::Syntax, location(start), "string is not closed");
}

std::string Cursor::quoted(std::string_view what) {
  skip_space();
  if (peek() != '"') unexpected(what);
  const std::size_t start = pos_ + 1;
  skip_string();
  const std::string_view raw = text_.substr(start, pos_ - start - 1);
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      out += raw[i];
      continue;
    }
    const char c = raw[++i];
    if (c == 'n') {
      out += '\n';
    } else if (c == 't') {
      out += '\t';
    } else if (c == 'r') {
      out += '\r';
    } else if (c == 'x' && i + 2 < raw.size() && hex_digit(raw[i + 1]) >= 0 && hex_digit(raw[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(raw[i + 1]) * 16 + hex_digit(raw[i + 2]));
      i += 2;
    } else if (c >= '0' && c <= '7') {
      int code = 0;
      std::size_t digits = 0;
      for (; digits < 3 && i + digits < raw.size() && raw[i + digits] >= '0' && raw[i + digits] <= '7'; ++digits) {
        code = code * 8 + (raw[i + digits] - '0');
      }
      out += static_cast<char>(code & 0xff);
      i += digits - 1;
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view Cursor::balanced(std::string_view what) {
  skip_space();
  const std::size_t start = pos_;
  if (peek() != '{' && peek() != '(' && peek() != '[') unexpected(what);
  const Spot opened = spot();
  std::array<char, kMaxBrackets> stack;
  int depth = 0;
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (!is(c, kBracketStop)) {
      ++pos_;
      continue;
    }
    switch (c) {
      case '"':
        skip_string();
        continue;
      case '/':
        if (!skip_comment()) ++pos_;
        continue;
      case '\n':
        newline();
        break;
      case '(':
      case '[':
      case '{':
        if (depth == kMaxBrackets) fail(DiagCode::TooDeep, exceeds(Limit::Brackets, depth + 1));
        stack[static_cast<std::size_t>(depth++)] = closing(c);
        break;
      default:
        if (stack[static_cast<std::size_t>(depth - 1)] != c) {
          fail(DiagCode::Syntax, std::string("unbalanced '") + c + "' in " + std::string(what));
        }
        if (--depth == 0) {
          ++pos_;
          return slice(start);
        }
    }
    ++pos_;
  }
  throw InputError(DiagCode::Syntax, location(opened), "bracket of " + std::string(what) + " is not closed");
}

std::string_view Cursor::value(std::string_view what) {
  skip_space();
  const std::size_t start = pos_;
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (!is(c, kValueStop)) {
      ++pos_;
    } else if (c == '{' || c == '(' || c == '[') {
      balanced(what);
    } else if (c == '"') {
      skip_string();
    } else if (c == '/' && peek(1) != '*' && peek(1) != '/') {
      ++pos_;
    } else {
      break;
    }
  }
  if (pos_ == start) unexpected(what);
  return slice(start);
}

}  // namespace gg::hlo
