// Complex values are taken apart into real ones when a text is read: what reports say of a part names the instruction of the text.
#pragma once

#include <optional>
#include <string>

#include "models/ir/module.h"

namespace gg {

/// The name of the text's instruction of which this one is a part: `fft.7` of `fft.7.part.12`. Nothing for what stands in the text itself.
std::optional<std::string> whole_of(const Module& module, InstructionId id);

/// `text` with `a part of %fft.7` in place of `%fft.7.part.12`.
std::string with_wholes(const Module& module, const std::string& text);

/// The line of the text in which the instruction stands; "" where the text cannot be read again.
std::string line_in_text(const Module& module, InstructionId id);

}  // namespace gg
