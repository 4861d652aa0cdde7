#include "prover/checker/scanner.h"

#include "prover/checker/syntax.h"

namespace gg::checker {

bool Scanner::take(std::string_view word) {
  if (!ahead(word)) return false;
  at_ += word.size();
  return true;
}

bool Scanner::accept(char c) {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void Scanner::expect(char c) {
  if (!accept(c)) fail(std::string("'") + c + "' is expected");
}

std::int64_t Scanner::natural() {
  if (!digit()) fail("a number is expected");
  if (peek() == '0' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9') {
    fail("a number with a leading zero");
  }
  std::int64_t value = 0;
  while (digit()) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
        __builtin_add_overflow(value, std::int64_t{peek() - '0'}, &value)) {
      fail("an integer out of range");
    }
    ++at_;
  }
  return value;
}

std::int64_t Scanner::integer() { return accept('-') ? -natural() : natural(); }

Rational Scanner::rational() {
  std::size_t end = at_;
  while (end < text_.size() && ((text_[end] >= '0' && text_[end] <= '9') || text_[end] == '/' || text_[end] == '-')) ++end;
  const auto value = Rational::parse(text_.substr(at_, end - at_));
  if (!value) fail("a rational is expected");
  at_ = end;
  return *value;
}

std::string Scanner::letters() {
  std::string word;
  while (peek() >= 'a' && peek() <= 'z') word += text_[at_++];
  if (word.empty()) fail("a word is expected");
  return word;
}

std::string Scanner::until(std::string_view stops) {
  std::size_t end = at_;
  while (end < text_.size() && text_[end] != '\n' && stops.find(text_[end]) == std::string_view::npos) ++end;
  if (end == at_) fail("a word is expected");
  const std::string word(text_.substr(at_, end - at_));
  at_ = end;
  return word;
}

void Scanner::end_of_line() {
  if (!accept('\n')) fail("the end of the line is expected");
  ++line_;
  line_start_ = at_;
}

std::int64_t Scanner::name(char head) {
  form_.text.append(text_.substr(formed_, at_ - formed_));
  form_.names.emplace_back(head, natural());
  formed_ = at_;
  return form_.names.back().second;
}

void Scanner::begin_form() {
  form_ = {};
  formed_ = at_;
}

FormSyntax Scanner::take_form() {
  form_.text.append(text_.substr(formed_, at_ - formed_));
  return std::move(form_);
}

void Scanner::nesting(std::size_t depth) const {
  if (depth > kMaxNesting) fail("terms are nested deeper than 200");
}

Location Scanner::where() const { return {file_, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

void Scanner::fail(const std::string& message) const {
  throw InputError(DiagCode::BadCertificate, where(), message);
}

}  // namespace gg::checker
