// Bodies compiled to loops over rows, free of the number type (bodies-probe, section 3), and their reference: a tree
// walk over single elements. Both are tested against each other bit for bit.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "kernels/numbers/buffer.h"
#include "kernels/numbers/rows.h"
#include "models/body/body.h"

namespace gg {

/// An operand of a body: its buffer, element type and lifted extents [digits..., dims...] (row-major).
struct Operand {
  const Buffer* buffer;
  ElementType type;
  std::span<const std::int64_t> extents;
};

/// A compiled body. Immutable, shared between threads.
class Plan {
 public:
  Plan();
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Compiles for these operand extents. Throws InternalError on bodies beyond the limits (16 levels).
Plan compile(const Arena& arena, const Body& body, std::span<const Operand> operands);

/// Multiplications of one run, roughly: elementary functions count as 20, moved elements as a quarter.
double operations(const Plan& plan);

/// out must have the storage of the body's type in `mode` and the product of its extents as count. Unknown elements are
/// written as NaN (floats) or the minimum (integers), unless `unknown` is given: then element k of the row-major output
/// comes from unknown[k] (same storage).
void run(const Plan& plan, NumberMode mode, std::span<const Operand> operands, Buffer& out, TieCounter& ties,
         const Buffer* unknown = nullptr);

/// One value of any storage. Values of the same `origin` (not 0) are one number: what is compared or subtracted is decided however wide its
/// ball is. Moves, and a maximum or minimum that one operand attains for certain, keep the origin.
struct alignas(16) Cell {
  unsigned char bytes[sizeof(Ball512)];
  std::uint64_t origin = 0;
};

/// Element `index` of operand `operand`, in the storage of its type.
using ElementReader = std::function<Cell(std::size_t operand, std::span<const std::int64_t> index)>;

/// What unknown elements of this storage are.
struct UnknownElement {
  Cell value;
  Storage storage;
};

/// The reference: an expression at one place `at` of its box by a walk over its tree; operands are read element by element. `known`
/// (kernels/plan/known_folds.h) belongs to this body and these operands.
Cell evaluate_element(const Arena& arena, ExprId root, NumberMode mode, std::span<const std::int64_t> at, const ElementReader& read,
                      TieCounter& ties, class KnownFolds* known = nullptr, const UnknownElement* unknown = nullptr);

}  // namespace gg
