// Limits (models/base/limits.h).
#include "models/base/limits.h"

namespace gg {

std::string exceeds(Limit limit, std::int64_t number) {
  const LimitRow& row = kLimits[static_cast<std::size_t>(limit)];
  return std::to_string(number) + " " + std::string(row.what) + ", the limit is " + std::to_string(row.most);
}

void check_limit(Limit limit, std::int64_t number, const Location& where) {
  const LimitRow& row = kLimits[static_cast<std::size_t>(limit)];
  if (number > row.most) throw InputError(row.code, where, exceeds(limit, number));
}

void check_json(std::string_view text, const std::string& file) {
  check_limit(Limit::JsonBytes, static_cast<std::int64_t>(text.size()), {file});
  std::int64_t depth = 0;
  std::uint32_t line = 1;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\n') ++line;
    if (c == '"') {
      for (++k; k < text.size() && text[k] != '"'; ++k) k += text[k] == '\\' ? 1 : 0;
    } else if (c == '[' || c == '{') {
      check_limit(Limit::JsonDepth, ++depth, {file, line});
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

std::string print_limits_markdown() {
  std::string text = "| limit | number | diagnostic | what is counted |\n|---|---|---|---|\n";
  for (const LimitRow& row : kLimits) {
    text += "| " + std::string(row.name) + " | " + std::to_string(row.most) + " | " + std::string(info(row.code).id) + " | " +
            std::string(row.what) + " |\n";
  }
  return text;
}

}  // namespace gg
