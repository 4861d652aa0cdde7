// Strict JSON reading over nlohmann's ordered values.
#include "models/relation/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace gg {
namespace {

Location location_of(const std::string& text, const std::string& file, std::size_t byte) {
  const std::size_t end = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const auto newlines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const std::size_t line_start = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  const std::size_t column = line_start == std::string::npos ? end + 1 : end - line_start;
  return {file, static_cast<std::uint32_t>(newlines + 1), static_cast<std::uint32_t>(column)};
}

std::string kind_of(const Json& value) { return value.type_name(); }

}  // namespace

void JsonPath::fail(const std::string& problem, DiagCode code) const {
  throw InputError(code, where(), text.empty() ? problem : text + ": " + problem);
}

Json parse_json(const std::string& text, const std::string& file) {
  check_json(text, file);
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) {
      open.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const auto key = value.get<std::string>();
      check_limit(Limit::JsonKeys, static_cast<std::int64_t>(open.back().size()) + 1, {file});  // ordered objects are searched one by one
      if (!open.back().insert(key).second) {
        throw InputError(DiagCode::BadJson, {file}, "the key \"" + key + "\" occurs twice in one object");
      }
    }
    return true;
  };
  const auto told = [](const Json::exception& error) {  // without the library's own name and number of the error
    const std::string what = error.what();
    const auto end = what.find("] ");
    return "this is not JSON: " + (what[0] == '[' && end != std::string::npos ? what.substr(end + 2) : what);
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    throw InputError(DiagCode::BadJson, location_of(text, file, error.byte),
                     told(error));
  } catch (const Json::exception& error) {
    throw InputError(DiagCode::BadJson, {file}, told(error));
  }
}

const Json& require_object(const Json& value, const JsonPath& at) {
  if (!value.is_object()) at.fail("expected an object, found " + kind_of(value));
  return value;
}

const Json& require_array(const Json& value, const JsonPath& at) {
  if (!value.is_array()) at.fail("expected a list, found " + kind_of(value));
  return value;
}

std::string require_string(const Json& value, const JsonPath& at) {
  if (!value.is_string()) at.fail("expected a string, found " + kind_of(value));
  return value.get<std::string>();
}

std::int64_t require_integer(const Json& value, const JsonPath& at) {
  const bool fits =
      value.is_number_integer() && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX);
  if (!fits) at.fail("expected an integer, found " + value.dump());
  return value.get<std::int64_t>();
}

std::vector<std::string> require_strings(const Json& value, const JsonPath& at) {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < require_array(value, at).size(); ++k) result.push_back(require_string(value[k], at / k));
  return result;
}

std::vector<std::int64_t> require_integers(const Json& value, const JsonPath& at) {
  std::vector<std::int64_t> result;
  for (std::size_t k = 0; k < require_array(value, at).size(); ++k) result.push_back(require_integer(value[k], at / k));
  return result;
}

void require_keys(const Json& object, const std::vector<std::string>& known, const JsonPath& at) {
  for (const auto& [key, value] : require_object(object, at).items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) at.fail("unknown key \"" + key + "\"");
  }
}

std::string note_of(const std::string& relation) {
  const Json value = relation.empty() ? Json() : parse_json(relation, "relation.json");
  return value.is_object() && value.contains("note") && value["note"].is_string() ? value["note"].get<std::string>() : "";
}

}  // namespace gg
