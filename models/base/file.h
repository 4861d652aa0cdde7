// Whole-file input and output. Files ending in .gz (or starting with gzip's magic) are decompressed.
#pragma once

#include <string>
#include <string_view>

namespace gg {

/// The file's text. Throws InputError(FileMissing | TooLarge); the limit is 4 GiB after decompression.
std::string read_file(const std::string& path);

/// Writes atomically (temporary file, rename). Throws InputError(FileWrite).
void write_file(const std::string& path, std::string_view text);

/// `folder/stem` or `folder/stem.gz`, whichever exists; throws InputError(FileMissing) naming both.
std::string find_file(const std::string& folder, const std::string& stem);

/// 128-bit content hash (XXH3) as 32 hexadecimal digits; identifies files in reports and certificates.
std::string content_hash(std::string_view bytes);

}  // namespace gg
