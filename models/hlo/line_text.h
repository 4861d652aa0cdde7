// Instructions as text: for rewriting lines before they are parsed (models/hlo/complex.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gg::hlo {

bool in_name(char c);
/// The quote that closes the string that starts at `at`; the last character if there is none.
std::size_t skip_string(std::string_view text, std::size_t at);
/// Behind the bracket that closes the one at `at`; the text's size if there is none.
std::size_t matching(std::string_view text, std::size_t at);
std::string trimmed(std::string_view text);
std::string without_comments(std::string_view text);
/// The parts between commas outside brackets, without empty ones.
std::vector<std::string> split(std::string_view text);

/// An instruction's line taken apart.
struct InstructionText {
  bool root = false;
  std::string name, type, opcode, arguments, attributes;  ///< attributes: with the comma before them
  std::vector<std::string> operands;
};

/// Nothing where the text is no instruction.
std::optional<InstructionText> parse_line(std::string_view text);
/// The value of an attribute, `{0}` of `, dimensions={0}`; empty if there is none.
std::string attribute(const InstructionText& line, std::string_view name);
/// All attributes of the line, that one with another value.
std::string with_attribute(const InstructionText& line, std::string_view name, const std::string& value);

}  // namespace gg::hlo
