#include "harness/compare/tensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "harness/witness/safetensors.h"
#include "models/base/diag.h"
#include "models/base/file.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void malformed(const std::string& file, const std::string& what) {
  throw InputError(DiagCode::BadTensors, {file}, what);
}

/// How the two formats name element types; "" where one has no name.
struct TypeRow {
  std::string_view safetensors, numpy;
  ElementType type;
};
constexpr TypeRow kTypes[] = {
    {"F64", "<f8", ElementType::F64},
    {"F32", "<f4", ElementType::F32},
    {"F16", "<f2", ElementType::F16},
    {"BF16", "<V2", ElementType::BF16},
    {"", "|V2", ElementType::BF16},
    {"F8_E4M3", "", ElementType::F8E4M3FN},
    {"F8_E5M2", "", ElementType::F8E5M2},
    {"I64", "<i8", ElementType::S64},
    {"I32", "<i4", ElementType::S32},
    {"I16", "<i2", ElementType::S16},
    {"I8", "|i1", ElementType::S8},
    {"U64", "<u8", ElementType::U64},
    {"U32", "<u4", ElementType::U32},
    {"U16", "<u2", ElementType::U16},
    {"U8", "|u1", ElementType::U8},
    {"BOOL", "|b1", ElementType::Pred},
};

std::optional<ElementType> find_type(std::string_view TypeRow::*format, std::string_view name) {
  const auto* row = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeRow& r) { return !name.empty() && r.*format == name; });
  return row == std::end(kTypes) ? std::nullopt : std::optional(row->type);
}

/// The value of a float with these bits, IEEE-like formats and e4m3fn.
double float_value(std::uint64_t bits, ElementType type) {
  if (type == ElementType::F64) return std::bit_cast<double>(bits);
  if (type == ElementType::F32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  const ElementInfo& row = info(type);
  const int mantissa = row.significand - 1, exponent = row.bits - 1 - mantissa;
  const std::uint64_t m = bits & ((1U << mantissa) - 1), e = bits >> mantissa & ((1U << exponent) - 1);
  const double sign = (bits >> (row.bits - 1) & 1U) != 0 ? -1 : 1;
  const std::uint64_t last = (1U << exponent) - 1;
  if (has_infinity(type) && e == last) return m == 0 ? sign * HUGE_VAL : NAN;
  if (!has_infinity(type) && e == last && m == (1U << mantissa) - 1) return NAN;
  const double digits = static_cast<double>(e == 0 ? m : m + (1U << mantissa));
  return sign * std::ldexp(digits, static_cast<int>(std::max<std::uint64_t>(e, 1)) - 1 + row.low - mantissa);
}

Buffer decode(std::string_view bytes, ElementType type, std::int64_t count) {
  const auto size = static_cast<std::size_t>(info(type).bits / 8);
  Buffer buffer(is_float(type) ? Storage::Double : Storage::Int64, count);
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + k * size, size);
    if (is_float(type)) buffer.as<double>()[k] = float_value(bits, type);
    else buffer.as<std::int64_t>()[k] = wrap_to(type, std::bit_cast<std::int64_t>(bits));
  }
  return buffer;
}

DumpedTensor make(const std::string& name, ElementType type, std::vector<std::int64_t> dims, std::string_view bytes,
                  const std::string& file) {
  const std::int64_t count = stated_elements(dims, DiagCode::BadTensors, file);
  if (bytes.size() != static_cast<std::size_t>(count) * static_cast<std::size_t>(info(type).bits / 8)) {
    malformed(file, "the data of tensor '" + name + "' does not fit its shape");
  }
  return {name, Type::array(type, std::move(dims)), decode(bytes, type, count)};
}

/// The value after `'key':` in a .npy header.
std::string header_value(const std::string& header, const std::string& key, const std::string& file) {
  const auto at = header.find("'" + key + "':");
  if (at == std::string::npos) malformed(file, "the .npy header has no '" + key + "'");
  auto first = header.find_first_not_of(' ', at + key.size() + 3);
  if (first == std::string::npos) malformed(file, "the .npy header ends early");
  const char open = header[first];
  const auto end = header.find(open == '(' ? ')' : open == '\'' ? '\''
                                                                : ',',
                               first + 1);
  if (end == std::string::npos) malformed(file, "the .npy header ends early");
  return open == '(' || open == '\'' ? header.substr(first + 1, end - first - 1) : header.substr(first, end - first);
}

/// The first number in a name, or -1.
std::int64_t number_in(const std::string& name) {
  const auto first = name.find_first_of("0123456789");
  if (first == std::string::npos) return -1;
  const auto end = std::min(name.find_first_not_of("0123456789", first), name.size());
  return end - first > 9 ? -1 : std::stoll(name.substr(first, end - first));
}

}  // namespace

std::vector<DumpedTensor> load_safetensors(const std::string& path) {
  const std::string bytes = read_file(path, Limit::TensorBytes);
  std::uint64_t length = 0;
  if (bytes.size() < 8) malformed(path, "the file is shorter than its 8-byte header length");
  std::memcpy(&length, bytes.data(), 8);
  if (length > bytes.size() - 8) malformed(path, "the header length exceeds the file");
  const std::string_view data = std::string_view(bytes).substr(8 + length);
  check_json(std::string_view(bytes).substr(8, length), path);
  std::vector<DumpedTensor> tensors;
  try {
    const Json header = Json::parse(std::string_view(bytes).substr(8, length));
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") continue;
      const auto dtype = entry.at("dtype").get<std::string>();
      const auto type = find_type(&TypeRow::safetensors, dtype);
      if (!type) malformed(path, "tensor '" + name + "' has the element type '" + dtype + "', which is not read");
      const auto at = entry.at("data_offsets").get<std::vector<std::size_t>>();
      if (at.size() != 2 || at[0] > at[1] || at[1] > data.size()) malformed(path, "tensor '" + name + "' lies outside the file");
      tensors.push_back(make(name, *type, entry.at("shape").get<std::vector<std::int64_t>>(), data.substr(at[0], at[1] - at[0]), path));
    }
  } catch (const Json::exception& error) {
    malformed(path, std::string("malformed safetensors header: ") + error.what());
  }
  return tensors;
}

DumpedTensor load_npy(const std::string& path) {
  const std::string bytes = read_file(path, Limit::TensorBytes);
  if (bytes.size() < 12 || bytes.compare(0, 6, "\x93NUMPY") != 0) malformed(path, "this is no .npy file");
  const bool wide = bytes[6] != 1;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, wide ? 4 : 2);
  const std::size_t start = (wide ? 12U : 10U) + length;
  if (start > bytes.size()) malformed(path, "the header length exceeds the file");
  const std::string header = bytes.substr(wide ? 12 : 10, length);
  const std::string descr = header_value(header, "descr", path);
  const auto type = find_type(&TypeRow::numpy, descr);
  if (!type) malformed(path, "the element type '" + descr + "' is not read");
  if (header_value(header, "fortran_order", path) != "False") malformed(path, "only C order is read");
  std::vector<std::int64_t> dims;
  std::string digits;
  for (const char c : header_value(header, "shape", path) + ",") {
    if (c >= '0' && c <= '9' && digits.size() < 18) digits += c;
    if (c == ',' && !digits.empty()) dims.push_back(std::stoll(digits)), digits.clear();
  }
  return make(fs::path(path).stem().string(), *type, std::move(dims), std::string_view(bytes).substr(start), path);
}

std::vector<DumpedTensor> load_tensors(const std::string& path) {
  if (!is_file(path) && !is_folder(path)) throw InputError(DiagCode::FileMissing, {path}, "'" + path + "' does not exist");
  if (is_file(path)) return load_safetensors(path);
  std::vector<std::string> packed, single;
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string file = entry.path().string();
    if (file.ends_with(".safetensors")) packed.push_back(file);
    if (file.ends_with(".npy")) single.push_back(file);
  }
  std::sort(packed.begin(), packed.end());
  std::sort(single.begin(), single.end());
  std::vector<DumpedTensor> tensors;
  for (const std::string& file : packed) {
    for (DumpedTensor& tensor : load_safetensors(file)) tensors.push_back(std::move(tensor));
  }
  for (const std::string& file : single) tensors.push_back(load_npy(file));
  if (tensors.empty()) malformed(path, "the folder holds no .safetensors and no .npy file");
  return tensors;
}

std::vector<std::string> rank_paths(const std::string& folder) {
  if (!is_folder(folder)) throw InputError(DiagCode::FileMissing, {folder}, "'" + folder + "' is no folder");
  std::map<std::int64_t, std::string> ranks;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!is_folder(entry.path().string()) && !name.ends_with(".safetensors")) continue;
    const std::int64_t rank = number_in(name);
    if (rank < 0) continue;
    if (!ranks.emplace(rank, entry.path().string()).second) malformed(folder, "two entries are called rank " + std::to_string(rank));
  }
  std::vector<std::string> paths;
  for (const auto& [rank, path] : ranks) {
    if (rank != static_cast<std::int64_t>(paths.size())) {
      malformed(folder, "there is no rank " + std::to_string(paths.size()) + " (rank0.safetensors, rank1.safetensors, ... or folders)");
    }
    paths.push_back(path);
  }
  if (paths.empty()) malformed(folder, "the folder holds no rank0.safetensors, rank1.safetensors, ... and no folders of ranks");
  return paths;
}

}  // namespace gg
