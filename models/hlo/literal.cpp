// Constant data. Floats are read as doubles and rounded to their type, as XLA's own parser does; integers must fit.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "models/hlo/values.h"

namespace gg::hlo {
namespace {

class LiteralParser {
 public:
  /// `pairs`: the dimension that stands in parentheses.
  LiteralParser(Cursor& cursor, const Type& type, std::size_t pairs = kMaxRank) : cursor_(cursor), type_(type), row_(info(type.element)), pairs_(pairs) {}

  ConstantArray run() {
    ConstantArray array;
    array.type = type_;
    array.type.layout.clear();
    const std::int64_t count = type_.count();
    // Every element takes at least a character and a separator: a short text cannot reserve much.
    array.values.reserve(static_cast<std::size_t>(
        std::min<std::int64_t>(count, static_cast<std::int64_t>(cursor_.rest().size() / 2 + 1))));
    values_ = &array.values;
    dimension(0);
    return array;
  }

 private:
  void dimension(std::size_t d) {
    if (d == type_.dims.size()) {
      values_->push_back(element());
      return;
    }
    cursor_.expect(d == pairs_ ? '(' : '{');
    for (std::int64_t k = 0; k < type_.dims[d]; ++k) {
      if (k == 0) {
        cursor_.skip_space();
        if (cursor_.peek() == '}' || cursor_.peek() == ')') wrong_count();
      } else if (!cursor_.accept(',')) {
        wrong_count();
      }
      dimension(d + 1);
    }
    if (!cursor_.accept(d == pairs_ ? ')' : '}')) wrong_count();
  }

  [[noreturn]] void wrong_count() const {
    if (cursor_.at_end()) cursor_.unexpected("more constant data");
    cursor_.fail(DiagCode::Syntax, "the constant's data does not have the shape of " + to_string(type_));
  }

  Scalar element() {
    cursor_.skip_space();
    if (row_.kind == ElementKind::Pred) return boolean();
    if (is_integral(type_.element)) return integer();
    return real();
  }

  Scalar boolean() {
    if (cursor_.accept("true")) return {type_.element, 0, 1};
    if (cursor_.accept("false")) return {type_.element, 0, 0};
    return {type_.element, 0, cursor_.integer_in("a pred literal", 0, 1)};
  }

  Scalar integer() {
    if (cursor_.accept("true")) return {type_.element, 0, 1};
    if (cursor_.accept("false")) return {type_.element, 0, 0};
    if (row_.kind == ElementKind::Unsigned && row_.bits == 64) return unsigned64();
    const auto bits = static_cast<unsigned>(row_.bits);
    if (row_.kind == ElementKind::Unsigned) {
      return {type_.element, 0, cursor_.integer_in(row_.name, 0, (std::int64_t{1} << bits) - 1)};
    }
    if (bits == 64) return {type_.element, 0, cursor_.integer(row_.name)};
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    return {type_.element, 0, cursor_.integer_in(row_.name, -half, half - 1)};
  }

  /// Kept as its bit pattern.
  Scalar unsigned64() {
    std::uint64_t value = 0;
    const std::string_view rest = cursor_.rest();
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error == std::errc::result_out_of_range) cursor_.fail(DiagCode::BadNumber, "u64 literal does not fit 64 bits");
    if (error != std::errc() || !cursor_.accept_text(rest.substr(0, static_cast<std::size_t>(end - rest.data())))) {
      cursor_.unexpected("a u64 literal");
    }
    return {type_.element, 0, static_cast<std::int64_t>(value)};
  }

  Scalar real() {
    if (cursor_.accept("true")) return {type_.element, 1, 0};
    if (cursor_.accept("false")) return {type_.element, 0, 0};
    const Cursor::Spot where = cursor_.spot();
    const double value = decimal(where);
    const double rounded = round_to(type_.element, value);
    if (std::isfinite(value) && !std::isfinite(rounded)) {
      throw InputError(DiagCode::BadNumber, cursor_.location(where), "literal does not fit " + std::string(row_.name));
    }
    return {type_.element, rounded, 0};
  }

  double decimal(Cursor::Spot where) {
    const std::string_view rest = cursor_.rest();
    const bool minus = !rest.empty() && rest[0] == '-';
    const std::string_view digits = rest.substr(minus ? 1 : 0);
    const double sign = minus ? -1 : 1;
    if (digits.substr(0, 3) == "nan") return special(minus ? "-nan" : "nan", std::nan(""));
    if (digits.substr(0, 3) == "inf")
      return special(minus ? "-inf" : "inf", sign * std::numeric_limits<double>::infinity());
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error == std::errc::invalid_argument) cursor_.unexpected("a number");
    const std::string digits_text(rest.substr(0, static_cast<std::size_t>(end - rest.data())));
    cursor_.accept_text(digits_text);
    if (error == std::errc::result_out_of_range) value = std::strtod(digits_text.c_str(), nullptr);  // 0 or infinity
    if (!std::isfinite(value))
      throw InputError(DiagCode::BadNumber, cursor_.location(where), "literal does not fit 64 bits");
    return value;
  }

  double special(std::string_view word, double value) {
    cursor_.accept_text(word);
    if (word.back() == 'n' && cursor_.peek() == '(') cursor_.balanced("the payload of a NaN");
    return value;
  }

  Cursor& cursor_;
  const Type& type_;
  const ElementInfo& row_;
  const std::size_t pairs_;
  std::vector<Scalar>* values_ = nullptr;
};

}  // namespace

ConstantArray parse_literal(Cursor& cursor, const Type& type) {
  cursor.skip_space();
  if (is_complex(type.element)) {  // `(re, im)`: one dimension more
    Type parts = Type::array(part_of(type.element), type.dims);
    parts.dims.push_back(2);
    return LiteralParser(cursor, parts, type.dims.size()).run();
  }
  if (!is_integral(type.element) && !is_float(type.element)) {
    cursor.fail(DiagCode::UnsupportedForm, "constants of type " + to_string(type) + " are not supported");
  }
  return LiteralParser(cursor, type).run();
}

}  // namespace gg::hlo
