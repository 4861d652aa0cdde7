// Literals that stay as sizes change, and may have been made of sizes.
#pragma once

#include <string>
#include <vector>

#include "models/pair/case.h"

namespace gg::checker {

/// `literal 8 of %div.2`: scalars of two and more, or their reciprocals or square roots, that are the same in both members of a family and count, at the user's sizes,
/// what of some value or along some of its dimensions, or ranks along some axes, changes with the sizes: a mean's divisor. Program by program, in the order of the texts.
std::vector<std::string> kept_literals(const Case& own, const Case& other);

}  // namespace gg::checker
