// The assumptions terminates(WHILE) and uniform(CONDITIONAL): duties of control flow in the distributed program that the user
// answers for.
#pragma once

#include <string>
#include <vector>

#include "models/pair/case.h"
#include "models/pair/verdict.h"

namespace gg {

/// Is it `terminates:..` or `uniform:..`?
bool is_control(const std::string& text);

/// Reads `terminates:NAME` or `uniform:NAME`: an instruction's name, all instances of it, or the path of one as reports write it,
/// inside of loops and branches too. Throws InputError(Usage), listing what there is to name.
std::vector<Assumption> parse_control(const Case& c, const std::string& text);

/// Whatever --assume says: these, or `equal:..` (models/pair/equal.h).
std::vector<Assumption> parse_stated(const Case& c, const std::string& text);

}  // namespace gg
