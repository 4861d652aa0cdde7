// Numbers, escapes, and names that resemble one another (models/base/text.h).
#include "models/base/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

namespace gg {
namespace {

/// Length of the UTF-8 sequence at the front and its character; 0 where it is none.
std::size_t decode(std::string_view text, std::uint32_t& character) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
  const std::uint32_t first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >> 5U == 6 ? 2
                                            : first >> 4U == 14  ? 3
                                            : first >> 3U == 30  ? 4
                                                                 : 0;
  if (length == 0 || length > text.size()) return 0;
  character = length == 1 ? first : first & (0x7fU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if (byte(k) >> 6U != 2) return 0;
    character = character << 6U | (byte(k) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  return character < kLeast[length] || character > 0x10ffff || surrogate ? 0 : length;
}

/// Controls, line separators, marks of direction, and characters that are no characters.
bool acts(std::uint32_t c) {
  struct Span {
    std::uint32_t first, last;
  };
  static constexpr Span kSpans[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xffff}, {0xe0000, 0xe0fff}};
  return std::any_of(std::begin(kSpans), std::end(kSpans), [c](const Span& s) { return c >= s.first && c <= s.last; });
}

std::string hex(std::uint32_t value, std::size_t digits) {
  std::string text;
  for (; value != 0 || text.size() < digits; value >>= 4U) text.insert(text.begin(), "0123456789abcdef"[value & 15U]);
  return text;
}

std::string escaped(std::string_view text, std::string_view kept, std::string_view more) {
  std::string result;
  while (!text.empty()) {
    std::uint32_t c = 0;
    const std::size_t length = decode(text, c);
    const bool plain = length == 1 && (kept.find(text[0]) != std::string_view::npos || (!acts(c) && more.find(text[0]) == std::string_view::npos));
    if (plain || (length > 1 && !acts(c))) result += text.substr(0, length);
    else if (text[0] == '\n') result += "\\n";
    else if (text[0] == '\t') result += "\\t";
    else if (length <= 1) result += "\\x" + hex(static_cast<unsigned char>(text[0]), 2);
    else result += "\\u{" + hex(c, 4) + "}";
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::vector<std::string_view> split_text(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at <= text.size(); at += pieces.back().size() + 1) pieces.push_back(text.substr(at, text.find(separator, at) - at));
  return pieces;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split_text(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::string printable(std::string_view text) { return escaped(text, "", ""); }
std::string printable_lines(std::string_view text) { return escaped(text, "\n\t", ""); }
std::string printable_word(std::string_view text) { return escaped(text, "", " ="); }

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (code < 32 || code == 127) {
      out += "\\x" + hex(code, 2);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string shell_word(std::string_view text) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("/._-+:,@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), harmless)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  constexpr std::size_t kNear = 2;
  std::size_t least = kNear + 1;
  const std::string* best = nullptr;
  for (const std::string& name : names) {
    const std::size_t far = edit_distance(typed, name);
    if (far >= least) continue;
    least = far, best = &name;
  }
  return best == nullptr ? "" : "; did you mean '" + *best + "'?";
}

}  // namespace gg
