#include "harness/witness/safetensors.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "models/base/check.h"
#include "models/base/diag.h"

namespace gg {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void malformed(const std::string& file, const std::string& what) {
  throw InputError(DiagCode::BadWitness, {file}, what);
}

NamedTensor read_tensor(const std::string& name, const Json& entry, std::string_view data, const std::string& file) {
  NamedTensor tensor{name, entry.at("shape").get<std::vector<std::int64_t>>(), {}};
  const auto dtype = entry.at("dtype").get<std::string>();
  if (dtype != "F64" && dtype != "I64") malformed(file, "tensor '" + name + "' has type '" + dtype + "', not F64 or I64");
  const auto offsets = entry.at("data_offsets").get<std::vector<std::size_t>>();
  const std::int64_t count = stated_elements(tensor.dims, DiagCode::BadWitness, file);
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size() ||
      offsets[1] - offsets[0] != static_cast<std::size_t>(count) * 8) {
    malformed(file, "tensor '" + name + "' has data offsets that do not fit its shape");
  }
  tensor.data = Buffer(dtype == "F64" ? Storage::Double : Storage::Int64, count);
  if (count != 0) std::memcpy(tensor.data.data(), data.data() + offsets[0], offsets[1] - offsets[0]);
  return tensor;
}

}  // namespace

std::string write_safetensors(const std::vector<NamedTensor>& tensors,
                              const std::vector<std::pair<std::string, std::string>>& metadata) {
  Json header;
  for (const auto& [key, value] : metadata) header["__metadata__"][key] = value;
  std::size_t offset = 0;
  for (const auto& tensor : tensors) {
    const bool real = tensor.data.storage() == Storage::Double;
    GG_CHECK(real || tensor.data.storage() == Storage::Int64, "only F64 and I64 are written");
    header[tensor.name] = {{"dtype", real ? "F64" : "I64"},
                           {"shape", tensor.dims},
                           {"data_offsets", {offset, offset + tensor.data.bytes()}}};
    offset += tensor.data.bytes();
  }
  std::string text = header.is_null() ? "{}" : header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string bytes(8, '\0');
  const std::uint64_t length = text.size();
  for (unsigned k = 0; k < 8; ++k) bytes[k] = static_cast<char>((length >> (8 * k)) & 0xffU);
  bytes += text;
  for (const auto& tensor : tensors) bytes.append(static_cast<const char*>(tensor.data.data()), tensor.data.bytes());
  return bytes;
}

std::vector<NamedTensor> read_safetensors(std::string_view bytes, const std::string& file) {
  if (bytes.size() < 8) malformed(file, "the file is shorter than its 8-byte header length");
  std::uint64_t length = 0;
  for (unsigned k = 0; k < 8; ++k) length |= std::uint64_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  if (length > bytes.size() - 8) malformed(file, "the header length exceeds the file");
  const std::string_view data = bytes.substr(8 + length);
  check_json(bytes.substr(8, length), file);
  std::vector<NamedTensor> tensors;
  try {
    const Json header = Json::parse(bytes.substr(8, length));
    for (const auto& [name, entry] : header.items()) {
      if (name != "__metadata__") tensors.push_back(read_tensor(name, entry, data, file));
    }
  } catch (const Json::exception& error) {
    malformed(file, std::string("malformed safetensors header: ") + error.what());
  }
  return tensors;
}

std::int64_t stated_elements(const std::vector<std::int64_t>& dims, DiagCode code, const std::string& file) {
  std::int64_t count = 1;
  for (const auto n : dims) {
    if (n < 0 || (n != 0 && count > kMaxElements / n)) throw InputError(code, {file}, "a tensor has an impossible shape");
    count *= n;
  }
  return count;
}

}  // namespace gg
