// A body as steps of a register machine that a device runs once an element of the result: index forms, guards, folds, gathers
// and chains of scalar functions alike. Plain data, the same for the host and for CUDA (kernels/device/interpret.h runs it).
#pragma once

#include <cstdint>

namespace gg::device {

/// Element types as they lie in device memory, in their own width.
enum class Element : std::uint8_t { Pred,
                                    S8,
                                    S16,
                                    S32,
                                    S64,
                                    U8,
                                    U16,
                                    U32,
                                    U64,
                                    BF16,
                                    F16,
                                    F32,
                                    F64 };

/// What a step does. Registers hold 64 bits: integers and indices as int64, f64 as it is, narrower floats as f32.
enum class StepKind : std::uint8_t {
  Constant,     ///< r[dst] = imm
  Copy,         ///< r[dst] = r[a]
  MultiplyAdd,  ///< r[dst] = r[a] + imm * r[b]
  Quotient,     ///< r[dst] = floor(r[a] / imm)
  Table,        ///< r[dst] = tables[imm + r[a]]
  Clamp,        ///< r[dst] = r[a] clamped to tables[imm], tables[imm + 1]; `from` is its type
  NotAbove,     ///< r[dst] = r[a] <= 0
  IsZero,       ///< r[dst] = r[a] == 0
  And,          ///< r[dst] = r[a] && r[b]
  Or,           ///< r[dst] = r[a] || r[b]
  Not,          ///< r[dst] = !r[a]
  JumpUnless,   ///< to step imm if r[a] is 0
  Jump,         ///< to step imm
  Next,         ///< ++r[dst]; to step imm while it is below r[a], else r[dst] = 0
  Read,         ///< r[dst] = operand b, element r[a], of type `from`
  Index,        ///< r[dst] = r[a] as a value of `type`
  Apply,        ///< r[dst] = function fn of r[a], r[b], r[c]; arguments of type `from`, result of `type`
  Convert,      ///< r[dst] = r[a] of type `from` as `type`
};

struct Step {
  StepKind kind = StepKind::Constant;
  std::uint8_t fn = 0;  ///< ScalarFn by number
  Element type = Element::S64, from = Element::S64;
  std::int32_t dst = 0, a = 0, b = 0, c = 0;
  std::int64_t imm = 0;
};

inline constexpr int kRegisters = 96;
inline constexpr int kMaxOperands = 16;
inline constexpr int kMaxDims = 16;

/// One run: everything that the steps refer to, in device memory but for this structure itself.
struct Launch {
  const Step* steps = nullptr;
  std::int32_t count = 0;   ///< of steps
  std::int32_t result = 0;  ///< register of the result
  const std::int64_t* tables = nullptr;
  const void* operands[kMaxOperands] = {};
  void* out = nullptr;
  Element type = Element::F64;  ///< of the result
  std::int32_t dims = 0;        ///< levels 0..dims-1 are the result's indices
  std::int32_t levels = 0;      ///< and so many levels in all
  std::int64_t extents[kMaxDims] = {};
  std::int64_t elements = 0;
};

}  // namespace gg::device
