// Shared libraries found at run time: cuBLAS and NCCL lie in the system, beside the program, in a CUDA toolkit or in pip's
// nvidia packages. A machine without them runs everything else.
#pragma once

#include <string>
#include <vector>

namespace gg::cuda {

/// Where libraries are looked for besides the loader's own places, in this order: GG_LIBRARIES (colons between), the program's
/// folder, CUDA toolkits, the nvidia packages of the active and of the system's Pythons.
std::vector<std::string> library_folders();

class Library {
 public:
  /// The first of `names` (`libnccl.so.2`) that opens; not open if there is none.
  explicit Library(const std::vector<std::string>& names);
  bool open() const { return handle_ != nullptr; }
  /// The file, or why no file opened.
  const std::string& text() const { return text_; }
  /// Null if the library does not have it.
  void* symbol(const char* name) const;

 private:
  void* handle_ = nullptr;  ///< never closed: its threads may live on
  std::string text_;
};

}  // namespace gg::cuda
