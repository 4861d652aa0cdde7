// Diagnostics about the user's input: `file:line:col: error: sentence [GG-code]`, notes below (LLVM's conventions).
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gg {

enum class DiagCode : std::uint8_t {
#define DIAG(Enum, code, title, text) Enum,
#include "models/base/diagnostics.def"
#undef DIAG
};

/// One row of the table of codes.
struct DiagInfo {
  DiagCode code;
  std::string_view id;     ///< "GG-P001"
  std::string_view title;  ///< two or three words
  std::string_view text;   ///< what `explain` prints
};

/// All codes in the order of diagnostics.def.
std::span<const DiagInfo> diagnostics();
const DiagInfo& info(DiagCode code);

/// A place in an input file. line and column count from 1; 0 means "the whole file".
struct Location {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// One error. `message` is one lower-case sentence without a final period and contains the offending value.
struct Diag {
  DiagCode code;
  Location where;
  std::string message;
  std::vector<std::string> notes;
};

/// `file:line:col: error: message [GG-code]` and one `note: ...` line each; no trailing newline.
std::string to_string(const Diag& diag);

/// Bad input: exit code 3. Importers collect several diagnostics where that helps.
class InputError : public std::exception {
 public:
  explicit InputError(Diag diag);
  explicit InputError(std::vector<Diag> diags);
  InputError(DiagCode code, Location where, std::string message, std::vector<std::string> notes = {});
  const std::vector<Diag>& diags() const { return diags_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Diag> diags_;
  std::string text_;
};

}  // namespace gg
