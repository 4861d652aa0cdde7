// Tokens of printed Python: names, literals, torch's words.
#include "models/fx/scanner.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace gg::fx {
namespace {

constexpr int kMaxListNesting = 32;

struct TypeRow {
  std::string_view abbreviation, word;
  ElementType type;
};
// torch.utils._dtype_abbrs.
constexpr TypeRow kTypes[] = {
    {"f64", "float64", ElementType::F64},
    {"f32", "float32", ElementType::F32},
    {"f16", "float16", ElementType::F16},
    {"bf16", "bfloat16", ElementType::BF16},
    {"f8e4m3fn", "float8_e4m3fn", ElementType::F8E4M3FN},
    {"f8e4m3fnuz", "float8_e4m3fnuz", ElementType::F8E4M3FNUZ},
    {"f8e5m2", "float8_e5m2", ElementType::F8E5M2},
    {"f8e5m2fnuz", "float8_e5m2fnuz", ElementType::F8E5M2FNUZ},
    {"f8e8m0fnu", "float8_e8m0fnu", ElementType::F8E8M0FNU},
    {"i64", "int64", ElementType::S64},
    {"i32", "int32", ElementType::S32},
    {"i16", "int16", ElementType::S16},
    {"i8", "int8", ElementType::S8},
    {"u64", "uint64", ElementType::U64},
    {"u32", "uint32", ElementType::U32},
    {"u16", "uint16", ElementType::U16},
    {"u8", "uint8", ElementType::U8},
    {"b8", "bool", ElementType::Pred},
    {"c64", "complex64", ElementType::C64},
    {"c128", "complex128", ElementType::C128},
    {"", "float", ElementType::F32},
    {"", "double", ElementType::F64},
    {"", "long", ElementType::S64},
    {"", "int", ElementType::S32},
    {"", "half", ElementType::F16},
};

bool digit(char c) { return c >= '0' && c <= '9'; }
}  // namespace

bool word_char(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || digit(c) || c == '_'; }

std::optional<ElementType> element_of(std::string_view abbreviation) {
  for (const TypeRow& row : kTypes) {
    if (row.abbreviation == abbreviation && !abbreviation.empty()) return row.type;
  }
  return std::nullopt;
}

std::optional<ElementType> dtype_of(std::string_view word) {
  if (word.substr(0, 6) != "torch.") return std::nullopt;
  for (const TypeRow& row : kTypes) {
    if (row.word == word.substr(6)) return row.type;
  }
  return std::nullopt;
}

std::string dtype_word(ElementType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return "torch." + std::string(row.word);
  }
  return "";
}

std::string torch_text(const Type& type) {
  std::string text;
  for (const TypeRow& row : kTypes) {
    if (row.type == type.element && !row.abbreviation.empty()) text = row.abbreviation;
  }
  text += '[';
  for (std::size_t d = 0; d < type.dims.size(); ++d) text += (d == 0 ? "" : ", ") + std::to_string(type.dims[d]);
  return text + "]";
}

void Scanner::skip() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
}

bool Scanner::at_end() {
  skip();
  return at_ == text_.size();
}

bool Scanner::peek(std::string_view token) {
  skip();
  return text_.substr(at_, token.size()) == token;
}

bool Scanner::accept(std::string_view token) {
  if (!peek(token)) return false;
  at_ += token.size();
  return true;
}

void Scanner::expect(std::string_view token) {
  if (!accept(token)) unexpected("'" + std::string(token) + "'");
}

Location Scanner::here() const {
  Location place = *where_;
  place.column = where_->column + static_cast<std::uint32_t>(at_);
  return place;
}

void Scanner::fail(const std::string& problem, DiagCode code) const { throw InputError(code, here(), problem); }

void Scanner::unexpected(std::string_view expected) const {
  std::string found = "the end of the line";
  if (at_ < text_.size()) {
    found = "'";
    for (const char c : text_.substr(at_, 24)) found += c >= ' ' && c < 127 ? c : '?';
    found += "'";
  }
  fail("expected " + std::string(expected) + ", found " + found);
}

std::string_view Scanner::identifier(bool dotted) {
  skip();
  const std::size_t start = at_;
  if (at_ < text_.size() && digit(text_[at_])) return {};
  while (at_ < text_.size() && (word_char(text_[at_]) || (dotted && text_[at_] == '.'))) ++at_;
  return text_.substr(start, at_ - start);
}

std::string Scanner::quoted() {
  skip();
  const char quote = at_ < text_.size() ? text_[at_] : '\0';
  if (quote != '"' && quote != '\'') unexpected("a string");
  std::string out;
  for (std::size_t k = at_ + 1; k < text_.size(); ++k) {
    if (text_[k] == quote) {
      at_ = k + 1;
      return out;
    }
    if (text_[k] == '\\' && k + 1 < text_.size()) ++k;
    out += text_[k];
  }
  fail("the string is not closed");
}

Argument Scanner::number() {
  const bool negative = accept("-");
  skip();
  const std::string_view rest = text_.substr(at_);
  std::size_t end = 0;
  while (end < rest.size() && (word_char(rest[end]) || rest[end] == '.' || ((rest[end] == '-' || rest[end] == '+') && end > 0 && rest[end - 1] == 'e'))) ++end;
  const std::string_view token = rest.substr(0, end);
  Argument result;
  if (token == "inf" || token == "nan") {
    result.kind = Argument::Kind::Float;
    result.real = token == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (token.find_first_not_of("0123456789") == std::string_view::npos && !token.empty()) {
    result.kind = Argument::Kind::Integer;
    const std::string signed_token = (negative ? "-" : "") + std::string(token);
    const auto [last, error] = std::from_chars(signed_token.data(), signed_token.data() + signed_token.size(), result.integer);
    if (error != std::errc()) fail("the integer " + signed_token + " does not fit 64 bits", DiagCode::BadNumber);
    at_ += end;
    return result;
  } else {
    result.kind = Argument::Kind::Float;
    const auto [last, error] = std::from_chars(token.data(), token.data() + token.size(), result.real);
    if (error == std::errc::invalid_argument || last != token.data() + token.size()) unexpected("a number");
    if (error != std::errc()) fail("the number " + std::string(token) + " is beyond a double's range", DiagCode::BadNumber);
  }
  at_ += end;
  if (negative) result.real = -result.real;
  return result;
}

Argument Scanner::list(char close, int depth) {
  Argument result;
  result.kind = Argument::Kind::List;
  if (depth >= kMaxListNesting) fail("lists are nested deeper than " + std::to_string(kMaxListNesting), DiagCode::TooDeep);
  const std::string_view end = close == ']' ? "]" : ")";
  while (!accept(end)) {
    if (!result.items.empty()) {
      expect(",");
      if (accept(end)) break;
    }
    result.items.push_back(argument(depth + 1));
  }
  return result;
}

Argument Scanner::argument(int depth) {
  skip();
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  if (c == '[' || c == '(') {
    ++at_;
    return list(c == '[' ? ']' : ')', depth);
  }
  Argument result;
  if (c == '\'' || c == '"') {
    result.kind = Argument::Kind::String;
    result.text = quoted();
    return result;
  }
  if (c == '-' || digit(c)) return number();
  const std::size_t start = at_;
  const std::string_view word = identifier(true);
  if (word == "inf" || word == "nan") {
    at_ = start;
    return number();
  }
  if (word.empty()) unexpected("an argument");
  result.text = word;
  if (word == "None") return {};
  if (word == "True" || word == "False") {
    result.kind = Argument::Kind::Bool;
    result.integer = word == "True" ? 1 : 0;
  } else if (word == "device") {
    expect("(");
    while (!accept(")")) {
      if (at_end()) unexpected("')'");
      ++at_;
    }
    result.kind = Argument::Kind::Word;
  } else if (word.substr(0, 6) == "torch." || word.substr(0, 5) == "self.") {
    result.kind = Argument::Kind::Word;
    if (word == "torch.T" && sizes_ != nullptr && sizes_->element) result.text = dtype_word(*sizes_->element);
  } else if (word.find('.') != std::string_view::npos) {
    at_ = start;
    unexpected("a name without dots");
  } else {
    result.kind = Argument::Kind::Name;
    const auto size = sizes_ == nullptr ? std::nullopt : sizes_->named(word);
    if (size) {
      result = {};
      result.kind = Argument::Kind::Integer;
      result.integer = *size;
    }
  }
  return result;
}

std::optional<std::int64_t> Scanner::symbol(std::string_view text) const {
  if (text.substr(0, 4) != "Sym(" || text.back() != ')') return std::nullopt;
  const auto value = sizes_ == nullptr ? std::nullopt : sizes_->value(text.substr(4, text.size() - 5));
  if (value) return value;
  fail("the symbolic size " + std::string(text) + " is not bound: \"sizes\" of the relation gives symbols their values; or capture with fixed shapes (dynamic=False)", DiagCode::UnsupportedForm);
}

std::string_view Scanner::rest() {
  skip();
  const std::size_t start = at_;
  at_ = std::min(text_.find(';', at_), text_.size());
  return text_.substr(start, at_ - start);
}

/// A dimension of a type: a number, or an expression of bound sizes.
std::int64_t Scanner::extent(std::string_view text, std::string_view type) const {
  std::int64_t value = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = last == text.data() + text.size() && !text.empty();
  if (number && error == std::errc()) return value;
  if (number) fail("'" + std::string(type) + "' has too many elements", DiagCode::SizeOverflow);
  const auto symbolic = sizes_ == nullptr ? std::nullopt : sizes_->value(text);
  if (symbolic) return *symbolic;
  fail("the size of '" + std::string(type) + "' is symbolic: \"sizes\" of the relation gives symbols their values; or capture with fixed shapes (dynamic=False)", DiagCode::UnsupportedForm);
}

Type Scanner::type(std::string_view text) const {
  if (text.substr(0, 4) == "Sym(") fail("an integer where a tensor is expected: " + std::string(text), DiagCode::UnsupportedForm);
  const std::size_t open = text.find('[');
  const bool generic = text.substr(0, open) == "T" && sizes_ != nullptr && sizes_->element;
  const auto element = generic ? sizes_->element : element_of(text.substr(0, open));
  if (!element || open == std::string_view::npos) fail("'" + std::string(text) + "' is no type that torch prints");
  Type result = Type::array(*element, {});
  std::size_t at = open + 1;
  std::int64_t count = 1;
  while (at < text.size() && text[at] != ']') {
    if (!result.dims.empty()) {
      if (text.substr(at, 2) != ", ") fail("'" + std::string(text) + "' is no type that torch prints");
      at += 2;
    }
    std::size_t next = at;
    for (int depth = 0; next < text.size() && (depth > 0 || (text[next] != ',' && text[next] != ']')); ++next) depth += text[next] == '(' ? 1 : text[next] == ')' ? -1
                                                                                                                                                                  : 0;
    const std::int64_t extent = this->extent(text.substr(at, next - at), text);
    if (extent < 0 || (extent > 0 && count > kMaxElements / extent)) {
      fail("'" + std::string(text) + "' has too many elements", DiagCode::SizeOverflow);
    }
    if (extent > 0) count *= extent;
    result.dims.push_back(extent);
    at = next;
  }
  if (at >= text.size()) fail("'" + std::string(text) + "' is no type that torch prints");
  return result;
}

bool Scanner::row_major(std::string_view text, const Type& type) {
  const std::size_t open = text.find("][");
  if (open == std::string_view::npos) return false;
  std::string wanted;
  std::int64_t dense = 1;
  for (std::size_t d = type.dims.size(); d-- > 0; dense *= type.dims[d]) wanted = std::to_string(dense) + (wanted.empty() ? "" : ", ") + wanted;
  return text.substr(open + 2, wanted.size() + 1) == wanted + "]";
}

}  // namespace gg::fx
