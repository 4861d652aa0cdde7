// Tensors that a user's own run wrote: safetensors of any element type, and .npy. Values become doubles or 64-bit integers.
#pragma once

#include <string>
#include <vector>

#include "kernels/numbers/buffer.h"
#include "models/type/type.h"

namespace gg {

struct DumpedTensor {
  std::string name;
  Type type;
  Buffer data;  ///< Double for floats, Int64 for integers and pred
};

/// The tensors of one .safetensors file, in the order of its header. Throws InputError(BadTensors).
std::vector<DumpedTensor> load_safetensors(const std::string& path);

/// One .npy file (C order, little endian); the name is that of the file. Throws InputError(BadTensors).
DumpedTensor load_npy(const std::string& path);

/// The tensors of a folder: all its .safetensors files in alphabetical order, then its .npy files; or one file.
std::vector<DumpedTensor> load_tensors(const std::string& path);

/// The folders or files of the ranks in `folder`, by the first number in their names: rank0, rank_1.safetensors,
/// 003/... Throws InputError(BadTensors) unless they count 0, 1, 2, ...
std::vector<std::string> rank_paths(const std::string& folder);

}  // namespace gg
