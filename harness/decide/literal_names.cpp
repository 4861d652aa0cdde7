// Closed forms of literals (harness/decide/literal_names.h).
#include "harness/decide/literal_names.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numbers>

#include "runtime/literals.h"

namespace gg {
namespace {

/// A family of closed forms: f(n) for n = 1, 2, ...
struct Form {
  const char* text;  ///< of n
  double (*value)(double n);
};
constexpr std::array kForms = {
    Form{"1/%d", [](double n) { return 1 / n; }},
    Form{"sqrt(%d)", [](double n) { return std::sqrt(n); }},
    Form{"1/sqrt(%d)", [](double n) { return 1 / std::sqrt(n); }},
    Form{"sqrt(%d/pi)", [](double n) { return std::sqrt(n / std::numbers::pi); }},
    Form{"%d pi", [](double n) { return n * std::numbers::pi; }},
    Form{"log(%d)", [](double n) { return std::log(n); }},
    Form{"1/log(%d)", [](double n) { return n == 1 ? 0 : 1 / std::log(n); }},
};
constexpr int kLargest = 8192;  ///< n of sqrt(n): heads are narrower than that
constexpr int kDecimals = 6;    ///< 0.1, 0.044715: a decimal with so many digits that rounds to it

std::string printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// The form that rounds to the value; "" if none does.
std::string closed_form(double value, ElementType type) {
  const double size = std::abs(value);
  const std::string sign = value < 0 ? "-" : "";
  for (int digits = 1; digits <= kDecimals; ++digits) {
    const std::string decimal = printed(("%." + std::to_string(digits) + "g").c_str(), value);
    if (round_to(type, std::strtod(decimal.c_str(), nullptr)) == value) return decimal;
  }
  for (int n = 1; n <= kLargest; ++n) {
    for (const Form& form : kForms) {
      if (round_to(type, form.value(n)) != size) continue;
      char text[64];
      std::snprintf(text, sizeof text, form.text, n);
      return sign + text;
    }
  }
  return "";
}

}  // namespace

std::vector<std::string> literals_apart(const Module& sequential, const Module& distributed) {
  const LiteralSet first = literals_of(sequential), second = literals_of(distributed);
  std::vector<LiteralSet::value_type> apart;
  std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(apart));
  std::vector<std::string> names;
  for (const auto& [type, value] : apart) {
    std::string name = std::string(info(type).name) + "(" + printed("%.9g", value) + ")";
    if (const std::string form = closed_form(value, type); !form.empty()) name += " beside " + form;
    names.push_back(std::move(name));
  }
  return names;
}

void note_literals(const Case& c, std::vector<std::string>& notes) {
  for (const std::string& name : literals_apart(*c.sequential, *c.distributed)) notes.push_back("within the rounding of " + name);
}

}  // namespace gg
