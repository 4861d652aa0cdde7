#include "models/base/file.h"

#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "models/base/diag.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxBytes = std::size_t{4} << 30;

struct GzCloser {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

}  // namespace

// zlib reads plain files unchanged, so one loop serves both.
std::string read_file(const std::string& path) {
  if (!fs::is_regular_file(path)) throw InputError(DiagCode::FileMissing, {path}, "cannot read '" + path + "'");
  const std::unique_ptr<gzFile_s, GzCloser> file(gzopen(path.c_str(), "rb"));
  if (!file) throw InputError(DiagCode::FileMissing, {path}, "cannot open '" + path + "'");
  gzbuffer(file.get(), 1U << 18U);
  std::string text;
  const auto size = fs::file_size(path);
  text.reserve(std::min<std::size_t>(size + 1, kMaxBytes));
  std::array<char, 1U << 16U> chunk{};
  for (;;) {
    const int n = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()));
    if (n < 0) throw InputError(DiagCode::FileMissing, {path}, "cannot decompress '" + path + "'");
    if (n == 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(n));
    if (text.size() > kMaxBytes) throw InputError(DiagCode::TooLarge, {path}, "'" + path + "' is larger than 4 GiB");
  }
  int status = Z_OK;
  gzerror(file.get(), &status);
  if (status != Z_OK && status != Z_STREAM_END) {
    throw InputError(DiagCode::FileMissing, {path}, "'" + path + "' is truncated or not gzip data");
  }
  return text;
}

void write_file(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".tmp" + std::to_string(::getpid());
  {
    std::ofstream out(temporary, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) throw InputError(DiagCode::FileWrite, {path}, "cannot write '" + path + "'");
  }
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) throw InputError(DiagCode::FileWrite, {path}, "cannot write '" + path + "': " + error.message());
}

std::string find_file(const std::string& folder, const std::string& stem) {
  for (const char* suffix : {"", ".gz"}) {
    const std::string path = (fs::path(folder) / (stem + suffix)).string();
    if (fs::is_regular_file(path)) return path;
  }
  throw InputError(DiagCode::FileMissing, {folder}, "neither '" + stem + "' nor '" + stem + ".gz' is in this folder");
}

std::string content_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

}  // namespace gg
