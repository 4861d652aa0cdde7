#include "models/base/diag.h"

#include <array>

#include "models/base/check.h"
#include "models/base/text.h"

namespace gg {
namespace {

constexpr std::array kDiagnostics = {
#define DIAG(Enum, code, title, text) DiagInfo{DiagCode::Enum, code, title, text},
#include "models/base/diagnostics.def"
#undef DIAG
};

}  // namespace

std::span<const DiagInfo> diagnostics() { return kDiagnostics; }

const DiagInfo& info(DiagCode code) { return kDiagnostics[static_cast<std::size_t>(code)]; }

std::string to_string(const Diag& diag) {
  std::string text = diag.where.file.empty() ? "gg-harness" : printable(diag.where.file);
  if (diag.where.line != 0) text += ":" + std::to_string(diag.where.line);
  if (diag.where.column != 0) text += ":" + std::to_string(diag.where.column);
  text += ": error: " + printable(diag.message) + " [" + std::string(info(diag.code).id) + "]";
  for (const auto& note : diag.notes) text += "\nnote: " + printable(note);
  return text;
}

InputError::InputError(Diag diag) : InputError(std::vector<Diag>{std::move(diag)}) {}

InputError::InputError(std::vector<Diag> diags) : diags_(std::move(diags)) {
  GG_CHECK(!diags_.empty(), "an InputError needs a diagnostic");
  for (const auto& diag : diags_) text_ += (text_.empty() ? "" : "\n") + to_string(diag);
}

InputError::InputError(DiagCode code, Location where, std::string message, std::vector<std::string> notes)
    : InputError(Diag{code, std::move(where), std::move(message), std::move(notes)}) {}

}  // namespace gg
