#include "models/base/file.h"

#include <glob.h>
#include <xxhash.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "models/base/diag.h"
#include "models/base/progress.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

struct GzCloser {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

void check_whole(gzFile_s* file, const std::string& path) {
  int status = Z_OK;
  gzerror(file, &status);
  if (status != Z_OK && status != Z_STREAM_END) {
    throw InputError(DiagCode::FileMissing, {path}, "'" + path + "' is truncated or not gzip data");
  }
}

}  // namespace

Diag of_file_error(const fs::filesystem_error& error) {
  const std::string path = error.path1().string();
  return {DiagCode::FileMissing, {path}, "cannot look at '" + path + "': " + error.code().message(), {}};
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<std::string> files_matching(const std::string& pattern) {
  if (is_file(pattern) || is_folder(pattern)) return {pattern};
  std::size_t literal = 0;
  for (std::size_t at = pattern.find('/'); at != std::string::npos && (at == 0 || is_folder(pattern.substr(0, at))); at = pattern.find('/', at + 1)) literal = at;
  std::string escaped;
  for (const char c : std::string_view(pattern).substr(0, literal)) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  escaped += pattern.substr(literal);
  std::vector<std::string> found;
  glob_t result{};
  if (::glob(escaped.c_str(), 0, nullptr, &result) == 0) found.assign(result.gl_pathv, result.gl_pathv + result.gl_pathc);
  ::globfree(&result);
  std::sort(found.begin(), found.end());
  return found;
}

// zlib reads plain files unchanged, so one loop serves both.
std::string read_file(const std::string& path, Limit limit) {
  if (!is_file(path)) throw InputError(DiagCode::FileMissing, {path}, "cannot read '" + path + "'");
  const std::unique_ptr<gzFile_s, GzCloser> file(gzopen(path.c_str(), "rb"));
  if (!file) throw InputError(DiagCode::FileMissing, {path}, "cannot open '" + path + "'");
  gzbuffer(file.get(), 1U << 18U);
  std::string text;
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (!error) check_limit(limit, static_cast<std::int64_t>(size), {path});
  std::array<char, 1U << 16U> chunk{};
  // Once to count, so that the text is never copied while it grows, then to keep.
  for (const bool keep : {false, true}) {
    std::int64_t sum = 0;
    for (;;) {
      ask_deadline();
      const int n = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()));
      if (n < 0) throw InputError(DiagCode::FileMissing, {path}, "cannot decompress '" + path + "'");
      if (n == 0) break;
      check_limit(limit, sum += n, {path});
      if (keep) text.append(chunk.data(), static_cast<std::size_t>(n));
    }
    if (keep) break;
    text.reserve(static_cast<std::size_t>(sum));
    check_whole(file.get(), path);
    gzrewind(file.get());
  }
  check_whole(file.get(), path);
  return text;
}

std::string path_beside(const std::string& file, const std::string& name) {
  const fs::path folder = fs::path(file).parent_path();
  std::error_code error;
  const fs::path home = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  const fs::path there = error ? fs::path() : fs::weakly_canonical(home / name, error);
  const fs::path relative = there.lexically_relative(home);
  if (error || fs::path(name).is_absolute() || relative.empty() || *relative.begin() == "..") {
    throw InputError(DiagCode::FileMissing, {file}, "the file '" + name + "' is not below the folder of this one");
  }
  return (folder / name).string();
}

std::string find_file(const std::string& folder, const std::string& stem) {
  for (const char* suffix : {"", ".gz"}) {
    const std::string path = (fs::path(folder) / (stem + suffix)).string();
    if (is_file(path)) return path;
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
