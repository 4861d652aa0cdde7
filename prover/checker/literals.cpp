// The assumption `literal` (docs/certificate.md): a float literal means the number that it was rounded from.
#include <charconv>
#include <cmath>

#include "prover/checker/check.h"
#include "prover/checker/number.h"
#include "prover/checker/rational.h"

namespace gg::checker {
namespace {

// [-]RATIONAL or [-]sqrt(RATIONAL), of a positive number.
struct Form {
  bool negative = false, root = false;
  Exact number;
};

std::optional<Form> parse_form(std::string_view text) {
  Form form;
  form.negative = !text.empty() && text.front() == '-';
  if (form.negative) text.remove_prefix(1);
  constexpr std::string_view kRoot = "sqrt(";
  form.root = text.substr(0, kRoot.size()) == kRoot;
  if (form.root) {
    if (text.back() != ')') return std::nullopt;
    text = text.substr(kRoot.size(), text.size() - kRoot.size() - 1);
  }
  const auto number = Exact::parse(text);
  if (!number || number->sign() <= 0 || !number->parts()) return std::nullopt;
  form.number = *number;
  return form;
}

template <class T>
std::optional<double> parse_float(const std::string& text) {
  T value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Must it have been rounded? No integer, nor a number that half of the digits of its type are enough for.
bool is_long(double literal, int significand) {
  int exponent = 0;
  const double half = std::ldexp(std::frexp(literal, &exponent), significand / 2);
  return literal != std::floor(literal) && half != std::floor(half);
}

// Is the literal the float that is nearest to the form? A literal that is no power of two has neighbours at equal distances.
bool rounds_to(const Form& form, double literal, const ElementInfo& type) {
  if (form.negative != (literal < 0)) return false;
  int exponent = 0;
  const double size = std::abs(literal), fraction = std::frexp(size, &exponent);
  if (exponent - 1 < type.low || fraction == 0.5) return false;
  const Exact middle = Exact::of(size), half = Exact::of(std::ldexp(1.0, exponent - type.significand - 1));
  const auto comparable = [&](const Exact& x) { return form.root ? x * x : x; };
  return comparable(middle - half) < form.number && form.number < comparable(middle + half);
}

}  // namespace

void Check::read_literal(const Assumption& a) {
  const std::string& name = a.arguments[0];
  const bool single = name == "f32";
  if (!single && name != "f64") reject("a literal of type '" + name + "' is read as it stands");
  const ElementInfo& type = info(single ? ElementType::F32 : ElementType::F64);
  const auto literal = single ? parse_float<float>(a.arguments[1]) : parse_float<double>(a.arguments[1]);
  const auto form = parse_form(a.arguments[2]);
  if (!literal || !form) reject("'" + to_string(a) + "' is no literal and a number");
  if (!is_long(*literal, type.significand)) reject("the literal '" + a.arguments[1] + "' is short, and read as it stands");
  if (!rounds_to(*form, *literal, type)) reject("'" + a.arguments[2] + "' does not round to the literal '" + a.arguments[1] + "'");
  Value value = number(t_, Rational(form->number));
  if (form->root) value = power(t_, value, Rational::ratio(1, 2));
  if (form->negative) value = minus(t_, value);
  if (!t_.readings.emplace(std::pair(type.type, *literal), value).second) reject("two readings of the literal '" + a.arguments[1] + "'");
  assumed_.push_back({a.kind, {name + ":" + a.arguments[1] + "=" + a.arguments[2]}});
}

}  // namespace gg::checker
