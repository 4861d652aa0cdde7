// safetensors: 8 bytes little-endian header length, JSON header, raw row-major data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/numbers/buffer.h"
#include "models/base/diag.h"

namespace gg {

/// A named tensor in memory: F64 (Double) or I64 (Int64).
struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> dims;
  Buffer data;
};

/// Serialises in the given order; metadata as `__metadata__` strings.
std::string write_safetensors(const std::vector<NamedTensor>& tensors,
                              const std::vector<std::pair<std::string, std::string>>& metadata);

/// Reads F64 and I64 tensors. Throws InputError(BadWitness) for anything malformed (offsets, overlap, sizes, types).
std::vector<NamedTensor> read_safetensors(std::string_view bytes, const std::string& file);

/// Elements of a shape that a file states. Throws InputError(code) at negative extents and too many.
std::int64_t stated_elements(const std::vector<std::int64_t>& dims, DiagCode code, const std::string& file);

}  // namespace gg
