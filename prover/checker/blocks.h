// Ranges of a variable in which a test on it is decided, or hangs on other variables only (docs/certificate.md, section 1, Two spellings).
#pragma once

#include <optional>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Two values, and what is known, where a variable is in one block of its range.
struct Block {
  Value a, b;
  std::vector<Literal> known;
};
/// All blocks of a variable inside which a test of index forms says nothing of it (blocks of one value, or of one quotient), but for those that `known`
/// excludes; nothing if the test has no such variable, or there are more than `most`.
std::optional<std::vector<Block>> in_blocks(Terms& t, Test test, Value a, Value b, const std::vector<Literal>& known, std::int64_t most);

/// Of an equality L = 0 where 0 is the least or the most that L can be: each summand of L is at its end.
std::vector<Literal> at_ends(Terms& t, Test equality);

}  // namespace gg::checker
