// Numbers that inputs meet: for which something that is made of an input is just what a program compares it with. Found backwards from the comparisons of both programs; for
// draws only, nothing rests on it.
#pragma once

#include <vector>

#include "models/pair/case.h"

namespace gg {

/// By free input, ascending: all that lie in its range and are numbers of its type. A sum or a maximum is met where all of its
/// elements are one number. Not what passes through loops and arithmetic of two inputs.
std::vector<std::vector<double>> met_numbers(const Case& c);

}  // namespace gg
