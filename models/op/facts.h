// What is known of operators as such, read from the columns of their table.
#pragma once

#include "models/op/op.h"

namespace gg {

/// Every element of the result is one of an operand, or of padding, at a place that the attributes say.
bool moves_elements(Op op);
/// The same, of one operand, so that a result has no other values than it.
bool rearranges(Op op);
/// Every element of the operand is in the result, possibly converted, and nothing else is: a literal stays one.
bool hands_literal(Op op);
/// Some elements of the first operand, the others are left out: slices and gathers.
bool takes_part(Op op);
/// The first operand with a value around or between its elements.
bool pads(Op op);
/// Takes or replaces a block of the first operand, where scalar operands say: the entry of a stack.
bool places_block(Op op);
/// Values of another type: the element type changes and nothing else.
bool converts(Op op);
/// Numbers become whole ones, but for their type: what is next to one half goes one way or the other.
bool rounds_to_integers(Op op);
/// The result is one of the operands, and which one hangs on values: minimum, maximum, clamp, select.
bool chooses(Op op);
/// Values of all ranks of a group are combined.
bool combines_ranks(Op op);
/// x + s y of numbers: s, which is 1 or -1; 0 of other operators.
int term_sign(Op op);
/// x y^e of numbers: e, which is 1 or -1; 0 of other operators.
int factor_exponent(Op op);
/// The result is made by a fold of any number of elements, so that rounding may hang on the order.
bool folds(Op op);
/// What partition-id or replica-id is on a rank; nothing of other operators.
std::optional<std::int64_t> rank_number(Op op, std::int64_t rank, RankLayout layout);

}  // namespace gg
