#include "models/fx/sizes.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "models/type/type.h"

namespace gg::fx {
namespace {

constexpr int kMaxDepth = 32;

using Number = std::optional<std::int64_t>;

Number bounded(std::int64_t value) { return value > kMaxElements || value < -kMaxElements ? Number() : Number(value); }

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

/// Both within 2^48.
Number apply(char op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case '+': return bounded(a + b);
    case '-': return bounded(a - b);
    case '*': return b != 0 && std::abs(a) > kMaxElements / std::abs(b) ? Number() : Number(a * b);
    case '/': return b == 0 ? Number() : Number(floor_quotient(a, b));
    case '%': return b == 0 ? Number() : Number(a - b * floor_quotient(a, b));
    case '<': return std::min(a, b);
    default: return std::max(a, b);
  }
}

class Evaluation {
 public:
  Evaluation(const Sizes& sizes, std::string_view text) : sizes_(sizes), text_(text) {}

  Number whole() {
    const Number result = sum(0);
    skip();
    return at_ == text_.size() ? result : Number();
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool accept(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  Number sum(int depth) {
    Number left = product(depth);
    for (;;) {
      const char op = accept("+") ? '+' : accept("-") ? '-'
                                                      : '\0';
      if (!left || op == '\0') return left;
      const Number right = product(depth);
      left = right ? apply(op, *left, *right) : Number();
    }
  }

  Number product(int depth) {
    Number left = factor(depth);
    for (;;) {
      const char op = accept("//") ? '/' : accept("*") ? '*'
                                       : accept("%")   ? '%'
                                                       : '\0';
      if (!left || op == '\0') return left;
      const Number right = factor(depth);
      left = right ? apply(op, *left, *right) : Number();
    }
  }

  Number factor(int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    if (accept("-")) {
      const Number inner = factor(depth + 1);
      return inner ? apply('-', 0, *inner) : Number();
    }
    if (accept("(")) {
      const Number inner = sum(depth + 1);
      return accept(")") ? inner : Number();
    }
    constexpr std::pair<std::string_view, char> kFunctions[] = {{"FloorDiv(", '/'}, {"Mod(", '%'}, {"PythonMod(", '%'}, {"Max(", '>'}, {"Min(", '<'}, {"torch.sym_max(", '>'}, {"torch.sym_min(", '<'}};
    for (const auto& [name, op] : kFunctions) {
      if (!accept(name)) continue;
      const Number first = sum(depth + 1);
      if (!first || !accept(",")) return std::nullopt;
      const Number second = sum(depth + 1);
      return second && accept(")") ? apply(op, *first, *second) : Number();
    }
    return leaf();
  }

  Number leaf() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (!word.empty() && error == std::errc() && end == word.data() + word.size()) return bounded(value);
    for (const auto* known : {&sizes_.names, &sizes_.symbols}) {
      const auto found = known->find(word);
      if (found != known->end()) return bounded(found->second);
    }
    return std::nullopt;
  }

  const Sizes& sizes_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::int64_t> Sizes::value(std::string_view expression) const { return Evaluation(*this, expression).whole(); }

}  // namespace gg::fx
