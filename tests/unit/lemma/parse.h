// Recursive descent over the statements of lemmas.
#pragma once

#include "tests/unit/lemma/statement.h"

namespace gg::lemma {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  Expr term();
  Expr index();
  Decl decl(const std::string& kind);
  std::string word();
  bool accept(char c);
  void expect(char c);
  bool at_end() const { return at_ == text_.size(); }
  void end();
  [[noreturn]] void fail(const std::string& message) const {
    throw Malformed("'" + std::string(text_) + "' at " + std::to_string(at_) + ": " + message);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool digit() const { return peek() >= '0' && peek() <= '9'; }
  std::int64_t natural();
  std::int64_t integer();
  std::vector<Expr> indices();
  Expr product();
  Expr primary();
  Expr list();

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace gg::lemma
