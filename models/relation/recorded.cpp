// Values of inputs that a relation gives: those of a run that was recorded (models/relation/relation.h).
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/relation/json.h"
#include "models/relation/relation.h"

namespace gg {
namespace {

constexpr double kMostExact = 9007199254740992.0;  // 2^53

double value_of(const Json& entry, const Type& type, const JsonPath& at) {
  if (!entry.is_number()) at.fail("a recorded value is a number, found " + entry.dump(), DiagCode::BadRange);
  const double value = entry.get<double>();
  if (!std::isfinite(value)) at.fail("a recorded value must be finite, found " + entry.dump(), DiagCode::BadRange);
  if (!is_integral(type.element)) return value;
  const bool exact = value == std::floor(value) && std::abs(value) <= kMostExact;
  if (!exact || wrap_to(type.element, static_cast<std::int64_t>(value)) != static_cast<std::int64_t>(value)) {
    at.fail(entry.dump() + " is no value of " + std::string(info(type.element).name), DiagCode::BadRange);
  }
  return value;
}

}  // namespace

void set_recorded(Relation& relation, const Json& object, const JsonPath& at) {
  relation.recorded = true;
  for (const auto& item : require_object(object, at).items()) {
    const std::string& name = item.key();
    const auto input = std::find_if(relation.free.begin(), relation.free.end(), [&](const FreeInput& free) { return free.name == name || free.parameter == name; });
    if (input == relation.free.end()) at.fail("there is no input '" + name + "'", DiagCode::BadRange);
    const JsonPath here = at / name;
    auto values = std::make_shared<std::vector<double>>();
    for (const Json& value : require_array(item.value(), here)) values->push_back(value_of(value, input->type, here));
    if (static_cast<std::int64_t>(values->size()) != input->type.count()) {
      here.fail(std::to_string(values->size()) + " values for " + to_string(input->type), DiagCode::BadRange);
    }
    input->recorded = std::move(values);
  }
  for (const FreeInput& input : relation.free) {
    if (input.recorded == nullptr) at.fail("input '" + input.name + "' is not recorded: a run has values of all inputs", DiagCode::BadRange);
  }
}

}  // namespace gg
