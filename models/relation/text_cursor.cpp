// Tokens of placement texts.
#include "models/relation/text_cursor.h"

#include <cctype>
#include <charconv>

namespace gg {

void TextCursor::skip() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
}

bool TextCursor::peek(std::string_view token) {
  skip();
  return text_.substr(at_, token.size()) == token;
}

bool TextCursor::accept(std::string_view token) {
  if (!peek(token)) return false;
  at_ += token.size();
  return true;
}

void TextCursor::expect(std::string_view token) {
  if (!accept(token)) fail("expected '" + std::string(token) + "' at '" + std::string(text_.substr(at_)) + "'");
}

bool TextCursor::at_end() {
  skip();
  return at_ == text_.size();
}

std::string TextCursor::word() {
  skip();
  const std::size_t start = at_;
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '@';
  };
  while (at_ < text_.size() && in_word(text_[at_])) ++at_;
  return std::string(text_.substr(start, at_ - start));
}

std::string TextCursor::quoted() {
  skip();
  if (!peek("'") && !peek("\"")) fail("expected a quoted axis name at '" + std::string(text_.substr(at_)) + "'");
  const std::size_t close = text_.find(text_[at_], at_ + 1);
  if (close == std::string_view::npos) fail("a quote is not closed");
  const std::string name(text_.substr(at_ + 1, close - at_ - 1));
  at_ = close + 1;
  return name;
}

std::int64_t TextCursor::integer() {
  skip();
  std::int64_t value = 0;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error != std::errc()) fail("expected a number at '" + std::string(text_.substr(at_)) + "'");
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

std::vector<std::string> TextCursor::names(std::string_view open, std::string_view close) {
  std::vector<std::string> result;
  expect(open);
  while (!accept(close)) {
    if (!result.empty()) {
      expect(",");
      if (accept(close)) break;
    }
    if (accept("?")) fail("an open dimension ('?') does not say how the tensor is split", DiagCode::UnsupportedForm);
    result.push_back(quoted());
    if (peek(":")) fail("sub-axes of '" + result.back() + "' are not supported", DiagCode::UnsupportedForm);
  }
  return result;
}

void TextCursor::fail(const std::string& problem, DiagCode code) const {
  throw InputError(code, where_, "in the placement \"" + std::string(text_) + "\": " + problem);
}

}  // namespace gg
