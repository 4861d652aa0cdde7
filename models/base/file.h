// Whole-file input and output. Files ending in .gz (or starting with gzip's magic) are decompressed. Whatever exists under a name
// that was written is whole: a process that ends early leaves the old file, or none.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/limits.h"

namespace gg {

/// The file's text. Throws InputError(FileMissing | TooLarge), also where the path is no regular file.
std::string read_file(const std::string& path, Limit limit = Limit::FileBytes);

/// What a failed look at the file system says to the user.
Diag of_file_error(const std::filesystem::filesystem_error& error);

/// Is there a regular file? False too where the path cannot be looked at (a loop of links, a name that is too long).
bool is_file(const std::string& path);
bool is_folder(const std::string& path);

/// What a pattern of the shell matches, in byte order. Leading folders that exist under the very name stand for themselves: `case[1]/*.fx`.
std::vector<std::string> files_matching(const std::string& pattern);

/// Writes under a random temporary name and renames. What is no regular file (a pipe, a terminal) is written to and stays; a link
/// is refused unless it leads to one of them. Throws InputError(FileWrite).
void write_file(const std::string& path, std::string_view text);

/// What a folder that the program writes holds, so that it is known again and nothing else is ever replaced.
struct FolderContent {
  std::string_view mark;                   ///< a file that each has and that nobody else calls so
  std::vector<std::string_view> others{};  ///< further names; one that ends with '*' stands for all that begin so
};

/// Makes a folder under a random temporary name, lets `fill` write into it, and renames it to `path`, in the place of an earlier
/// one or of an empty folder. Throws InputError(FileWrite) where `path` is anything else.
void write_folder(const std::string& path, const FolderContent& content, const std::function<void(const std::string& folder)>& fill);

/// The path of `name`, which the text of `file` gives, beside that file. Throws InputError(FileMissing) where it leaves the folder.
std::string path_beside(const std::string& file, const std::string& name);

/// `folder/stem` or `folder/stem.gz`, whichever exists; throws InputError(FileMissing) naming both.
std::string find_file(const std::string& folder, const std::string& stem);

/// 128-bit content hash (XXH3) as 32 hexadecimal digits; identifies files in reports and certificates.
std::string content_hash(std::string_view bytes);

}  // namespace gg
