// Is a pair the member of a family that it is said to be?
#pragma once

#include <string>

#include "models/pair/case.h"

namespace gg::checker {

/// The first difference between the user's pair and a member as read; "" if they are the same, but for constants, broadcast or converted
/// ones too, that the member has once for each meaning (`c.use2` is a copy of `c`).
std::string not_the_member(const Case& user, const Case& member);

}  // namespace gg::checker
