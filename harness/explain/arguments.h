// What two texts say beside operands: `fft_type=IFFT`, `approximate='tanh'`. Operators that are taken apart when they are read have it nowhere else.
#pragma once

#include <optional>
#include <string>

#include "models/ir/module.h"

namespace gg {

/// "%fft.7 has fft_type=IFFT where every fft of the sequential program has fft_type=FFT", for the statement that the instruction is a part of. Words and truth values are
/// compared; numbers may be right to differ, and are literals where they are not. Nothing where a sequential statement of the same operator says the same, where they say several things, and for what stands in
/// the text as it is.
std::optional<std::string> other_arguments(const Module& sequential, const Module& distributed, InstructionId place);

}  // namespace gg
