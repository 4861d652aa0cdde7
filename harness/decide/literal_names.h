// Names of float literals, with the closed forms that people write as literals.
#pragma once

#include <string>
#include <vector>

#include "models/pair/case.h"

namespace gg {

/// Float literals of the one program that the other has not, as `f32(0.353553385) beside 1/sqrt(8)` where a closed form rounds to it.
std::vector<std::string> literals_apart(const Module& sequential, const Module& distributed);
/// A note of each of them.
void note_literals(const Case& c, std::vector<std::string>& notes);

}  // namespace gg
