// Terms as text, for messages.
#pragma once

#include <string>

#include "prover/checker/terms.h"

namespace gg::checker {

std::string print(const Terms& t, Index a);
/// Shortened beyond some thousand characters.
std::string print(const Terms& t, Value v);

}  // namespace gg::checker
