#include "models/fx/log_prefix.h"

#include <algorithm>
#include <charconv>

namespace gg::fx {

std::int64_t number_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  std::int64_t value = -1;
  if (at != std::string_view::npos) std::from_chars(text.data() + at + mark.size(), text.data() + text.size(), value);
  return value;
}

Prefix prefix_of(std::string_view line) {
  Prefix result;
  const std::size_t mark = line.find("] [");
  if (mark == std::string_view::npos) return result;
  const std::size_t tag = std::min(line.find("_graphs] ", mark), line.find("_graph] ", mark));
  if (tag == std::string_view::npos) return result;
  const bool ranked = line.substr(0, 5) == "[rank";
  const std::size_t stamp = ranked ? line.find("]:") : 0;
  if (ranked && stamp == std::string_view::npos) return result;
  const std::size_t level = ranked ? stamp + 2 : 0;
  if (level >= line.size() || std::string_view("IVDWE").find(line[level]) == std::string_view::npos) return result;
  result.rank = ranked ? number_after(line, "[rank") : -1;
  result.length = line.find("] ", tag) + 2;
  result.graph = line.substr(mark + 2, tag - mark - 2);
  return result;
}

bool is_log(std::string_view text) {
  for (std::size_t tag = text.find("] [__aot"); tag != std::string_view::npos; tag = text.find("] [__aot", tag + 1)) {
    const std::size_t start = text.rfind('\n', tag) + 1;  // npos + 1 = 0
    if (prefix_of(text.substr(start, text.find('\n', tag) - start)).length > 0) return true;
  }
  return false;
}

}  // namespace gg::fx
