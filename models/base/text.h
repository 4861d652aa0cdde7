// Whole numbers in text, and text of strangers on its way to a terminal, a report or a shell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gg {

/// The number that all of the text is, `-12`; nothing where it is no whole number of 64 bits.
std::optional<std::int64_t> whole_number(std::string_view text);

/// The shortest text that reads as this number.
std::string shortest(double value);

/// The items with `separator` between them: as `print` has them, or else texts and numbers as they are.
template <class List, class Print>
std::string joined_text(const List& list, std::string_view separator, Print print) {
  std::string text;
  bool first = true;
  for (const auto& item : list) {
    if (!first) text += separator;
    first = false;
    text += print(item);
  }
  return text;
}
template <class List>
std::string joined_text(const List& list, std::string_view separator = ", ") {
  return joined_text(list, separator, [](const auto& item) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(item)>>) return std::to_string(item);
    else return std::string_view(item);
  });
}

/// The first items, at most so many, and `rest` where there are more.
template <class List>
std::string first_few(const List& list, std::size_t most, const std::string& rest) {
  return joined_text(std::span(list).first(std::min(std::size(list), most))) + (std::size(list) > most ? rest : "");
}

/// The pieces between the separators; one more than there are of these.
std::vector<std::string_view> split_text(std::string_view text, char separator);
/// The lines, without their ends; behind the last line end there is none.
std::vector<std::string_view> lines_of(std::string_view text);

/// The text as valid UTF-8 without anything that a terminal acts on: control characters, line ends, invalid bytes and marks that
/// change the direction of text become `\n`, `\t`, `\x1b`, `\u{202e}`. So it cannot begin a line.
std::string printable(std::string_view text);

/// The same where several lines are meant: line ends stay.
std::string printable_lines(std::string_view text);

/// As one word of a line of `key=value`: blanks and `=` become `\x20` and `\x3d` too.
std::string printable_word(std::string_view text);

/// `"text"` with escapes, as HLO writes strings.
std::string quote(std::string_view text);

/// As one word for a shell: in quotes unless it has none but harmless characters.
std::string shell_word(std::string_view text);

/// How many characters have to be put in, taken out or replaced to come from one to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// `; did you mean 'x'?` with the name that is nearest to what was typed; "" where none is nearer than three edits.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

}  // namespace gg
