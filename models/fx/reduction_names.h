// What torch's functional collectives call reductions.
#pragma once

#include <string_view>

#include "models/op/op.h"

namespace gg::fx {

/// The operator, and whether the group's size divides.
struct Reduction {
  std::string_view name;
  Op op;
  bool mean;
};
inline constexpr Reduction kReductions[] = {{"avg", Op::Add, true}, {"band", Op::And, false}, {"bor", Op::Or, false}, {"max", Op::Maximum, false}, {"min", Op::Minimum, false}, {"product", Op::Multiply, false}, {"sum", Op::Add, false}};

}  // namespace gg::fx
