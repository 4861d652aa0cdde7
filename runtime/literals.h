// Float literals as balls of their type: f32(0.353553385) stands for whatever number rounds to it. The second look at a difference:
// what differs only within these balls is no refutation (architecture.md, section 6).
#pragma once

#include <string>
#include <vector>

#include "kernels/numbers/buffer.h"
#include "models/ir/module.h"

namespace gg {

/// Half a unit in the last place of a value of `type`. Nothing for what is meant as it stands: infinities, integers (counts, and masks
/// like -1e30), and short numbers (their significand needs at most half of the type's bits: 0.5, 0.125).
double literal_radius(double value, ElementType type);

/// Does a literal stay one under this operator? (convert of a constant rounds: architecture.md, section 6)
bool keeps_literal(Op op);

/// The lifted buffer of a float constant, `ranks` copies of the array: balls where the storage has them, else the midpoints.
Buffer literal_balls(const ConstantArray& array, std::int64_t ranks, Storage storage);

/// Values of a literal (moved by layout operators only) converted to a narrower float type: rounded to it, and balls of that type if asked for.
Buffer rounded_constant(const Buffer& values, ElementType type, bool balls);

/// The radii of literals that are kept as doubles: the error bound of a run in f64.
Buffer literal_radii(const Buffer& values, ElementType type);

/// Float literals of the one program that the other has not, as `f32(0.353553385) beside 1/sqrt(8)` where a closed form rounds to it.
std::vector<std::string> literals_apart(const Module& sequential, const Module& distributed);

}  // namespace gg
