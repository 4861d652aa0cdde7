#include "models/base/line_of.h"

#include <filesystem>
#include <vector>

#include "models/base/file.h"

namespace gg {
namespace {

/// The text that a line was last asked of: a report asks for many lines of few texts. As old as the file is.
struct LastText {
  std::string path, text;
  std::filesystem::file_time_type time;
  std::vector<std::size_t> starts;  ///< of lines

  /// Line `number`, from 1; nothing where there is none.
  std::optional<std::string_view> line(const std::string& file, std::uint32_t number) {
    std::error_code error;
    const auto now = std::filesystem::last_write_time(file, error);
    if (error) return std::nullopt;
    try {
      if (file != path || now != time) read(file, now);
    } catch (const InputError&) {  // it is another file by now
      return std::nullopt;
    }
    if (number >= starts.size()) return std::nullopt;
    return std::string_view(text).substr(starts[number - 1], starts[number] - starts[number - 1] - 1);
  }

 private:
  void read(const std::string& file, std::filesystem::file_time_type now) {
    text = read_file(file);
    if (!text.empty() && text.back() != '\n') text += '\n';
    starts = {0};
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) starts.push_back(end + 1);
    path = file;
    time = now;
  }
};

}  // namespace

std::optional<std::string_view> line_of(const std::string& file, std::uint32_t number) {
  thread_local LastText last;
  return last.line(file, number);
}

}  // namespace gg
