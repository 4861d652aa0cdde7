// Literals that may be read as closed forms (prover/engine/literals.h).
#include "prover/engine/literals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "models/base/text.h"

namespace gg::prover {
namespace {

using Literal = std::pair<ElementType, double>;

constexpr std::size_t kMostDifferent = 16;  ///< different ones of an array that is read so

std::set<Literal> literals_of(const Module& module) {
  std::set<Literal> found;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (!module.attributes(id).has(Attr::Literal)) continue;
    const ConstantArray& array = module.attributes(id).literal();
    if (!is_float(array.type.element) || array.values.empty()) continue;
    std::set<Literal> elements;
    for (const Scalar& s : array.values)
      if (std::isfinite(s.real) && elements.size() <= kMostDifferent) elements.emplace(array.type.element, s.real);
    if (elements.size() <= kMostDifferent) found.merge(elements);
  }
  return found;
}

/// The shortest text that reads as this number of this type.
std::string shortest_of(ElementType type, double value) {
  if (type == ElementType::F64) return shortest(value);
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr};
}

}  // namespace

std::vector<LiteralReading> literal_readings(const Case& c) {
  const std::set<Literal> first = literals_of(*c.sequential), second = literals_of(*c.distributed);
  std::set<Literal> all = first;
  all.insert(second.begin(), second.end());
  std::vector<LiteralReading> readings;
  for (const auto& [type, value] : all) {
    const bool shared = first.contains({type, value}) && second.contains({type, value});
    if (const auto form = closed_form(type, value)) readings.push_back({type, value, *form, shared});
  }
  if (std::ranges::all_of(readings, &LiteralReading::shared)) readings.clear();
  return readings;
}

Assumption assumption_of(const LiteralReading& reading) {
  return {AssumptionKind::Literal, {std::string(info(reading.type).name), shortest_of(reading.type, reading.value), to_string(reading.form)}};
}

}  // namespace gg::prover
