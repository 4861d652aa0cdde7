// What an instruction might be instead, by ways to get one wrong that keep its type. Mutations take the first of them; repairs try all: what
// one alternative has made of a right instruction, another one takes back.
#pragma once

#include <vector>

#include "models/mutation/rewritten.h"

namespace gg::mutation {

enum class Slip : std::uint8_t {
  Direction,   ///< a comparison in another direction; first the one that takes its bound in or leaves it out
  Start,       ///< a static slice that starts beside: by one place, by a block, or at one of the first eight blocks
  Dimensions,  ///< other dimensions: two exchanged, the inverse order, one in place of another
  Order,       ///< two operands of one type exchanged, where their order counts
  Pairs,       ///< messages sent back
  Table,       ///< the entries of a constant one place on or back, in order, backwards
  Laid,        ///< a dimension that is spread over others laid into another one of them
  Function,    ///< the other one of two functions that a word tells apart: minimum and maximum
};

/// Those that apply; without the instruction as it is.
std::vector<Form> alternatives(const Module& module, InstructionId id, Slip slip);

}  // namespace gg::mutation
