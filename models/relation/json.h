// Reading JSON strictly: the order of the text is kept, duplicate keys and wrong kinds are errors that name the place.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/base/diag.h"
#include "models/relation/placement.h"

namespace gg {

using Json = nlohmann::ordered_json;

/// A JSON value's place in the file: `inputs[3].axes`.
struct JsonPath {
  std::string file;
  std::string text;
  JsonPath operator/(const std::string& key) const { return {file, text.empty() ? key : text + "." + key}; }
  JsonPath operator/(std::size_t index) const { return {file, text + "[" + std::to_string(index) + "]"}; }
  Location where() const { return {file}; }
  [[noreturn]] void fail(const std::string& problem, DiagCode code = DiagCode::BadJson) const;
};

/// Throws InputError(BadJson) with line and column for text that is not JSON, and for duplicate keys.
Json parse_json(const std::string& text, const std::string& file);

const Json& require_object(const Json& value, const JsonPath& at);
const Json& require_array(const Json& value, const JsonPath& at);
std::string require_string(const Json& value, const JsonPath& at);
std::int64_t require_integer(const Json& value, const JsonPath& at);
std::vector<std::string> require_strings(const Json& value, const JsonPath& at);
std::vector<std::int64_t> require_integers(const Json& value, const JsonPath& at);
/// Throws unless every key of the object is known.
void require_keys(const Json& object, const std::vector<std::string>& known, const JsonPath& at);

/// What the text of a relation says in its "note"; "" where it says nothing.
std::string note_of(const std::string& relation);

/// The mesh of a relation file: its "mesh" and, if present, "devices". Throws InputError.
Mesh mesh_from_json(const Json& relation, const JsonPath& top);

/// One entry of `inputs` or `outputs` for a tensor of `rank` dimensions. Throws InputError.
Placement placement_from_json(const Json& entry, const Mesh& mesh, int rank, const JsonPath& at);

}  // namespace gg
