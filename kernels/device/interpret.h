// The machine of kernels/device/code.h: one element of a result. Compiled for the host (the device that tests use) and by
// nvcc (kernels/cuda/interpret.cu), so that a GPU differs from the tested code by its launch and its math library only.
#pragma once

#include "kernels/device/elements.h"

namespace gg::device {

/// ScalarFn, by the same table (a static_assert in lower.cpp compares the numbers).
enum class Fn : std::uint8_t {
#define SCALAR(Enum, name, arity, Class, Result, Fact) Enum,
#include "models/body/scalar.def"
#undef SCALAR
};

GG_HOST_DEVICE inline std::uint64_t converted(Element type, Element from, std::uint64_t bits) {
  if (is_float(from)) {
    const double value = is_short(from) ? static_cast<double>(single_of(bits)) : bits_as<double>(bits);
    if (!is_float(type)) return static_cast<std::uint64_t>(scalar::to_integer(integers_of(type), value));
    if (type == Element::F64) return bits_as<std::uint64_t>(value);
    return bits_of_single(is_short(from) ? rounded(type, single_of(bits)) : rounded_from_f64(type, value));
  }
  const auto integer = static_cast<std::int64_t>(bits);
  if (!is_float(type)) return static_cast<std::uint64_t>(wrapped(type, integer));
  const double value = scalar::from_integer(integer, from == Element::U64, type != Element::F64);
  return type == Element::F64 ? bits_as<std::uint64_t>(value) : bits_of_single(rounded_from_f64(type, value));
}

/// A function of floats of one width; `result` makes a register of a float.
template <class T, class Result>
GG_HOST_DEVICE inline std::uint64_t of_floats(Fn fn, T x, T y, T z, Result result) {
  if (scalar::compares(fn)) return scalar::compared(fn, x, y) ? 1 : 0;
  if (fn == Fn::IsFinite) return x - x == 0 ? 1 : 0;
  return result(scalar::float_value(fn, x, y, z));
}

GG_HOST_DEVICE inline std::uint64_t applied(const Step& s, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const Fn fn = static_cast<Fn>(s.fn);
  if (fn == Fn::Select) return a != 0 ? b : c;
  if (s.from == Element::F64) {
    return of_floats(fn, bits_as<double>(a), bits_as<double>(b), bits_as<double>(c), [](double x) { return bits_as<std::uint64_t>(x); });
  }
  if (is_float(s.from)) {
    return of_floats(fn, single_of(a), single_of(b), single_of(c), [&](float x) { return bits_of_single(rounded(s.type, x)); });
  }
  const scalar::Integers type = integers_of(s.from);
  const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b), z = static_cast<std::int64_t>(c);
  if (scalar::compares(fn)) return scalar::compared(fn, x ^ type.bias(), y ^ type.bias()) ? 1 : 0;
  return static_cast<std::uint64_t>(wrapped(s.type, scalar::integer_value(fn, type, x, y, z)));
}

/// Computes element `element` of the result and stores it. `steps` and `tables` are those of the launch, wherever they lie.
GG_HOST_DEVICE inline void run_element(const Launch& launch, const Step* steps, const std::int64_t* tables, std::int64_t element) {
  std::uint64_t registers[kRegisters];
  const auto integer = [&](std::int32_t k) { return static_cast<std::int64_t>(registers[k]); };
  for (std::int32_t level = launch.dims; level < launch.levels; ++level) registers[level] = 0;
  std::int64_t rest = element;
  for (std::int32_t d = launch.dims; d-- > 0;) {
    registers[d] = static_cast<std::uint64_t>(rest % launch.extents[d]);
    rest /= launch.extents[d];
  }
  for (std::int64_t at = 0; at < launch.count; ++at) {
    const Step& s = steps[at];
    std::int64_t value = 0;
    switch (s.kind) {
      case StepKind::Constant: value = s.imm; break;
      case StepKind::Copy: value = integer(s.a); break;
      case StepKind::MultiplyAdd: value = integer(s.a) + s.imm * integer(s.b); break;
      case StepKind::Quotient: value = integer(s.a) / s.imm - (integer(s.a) % s.imm < 0 ? 1 : 0); break;
      case StepKind::Table: value = tables[s.imm + integer(s.a)]; break;
      case StepKind::Clamp: {
        const std::int64_t low = tables[s.imm], high = tables[s.imm + 1];
        value = integer(s.a);
        if (s.from == Element::U64 && value < 0) value = high;
        value = value < low ? low : value > high ? high
                                                 : value;
        break;
      }
      case StepKind::NotAbove: value = integer(s.a) <= 0 ? 1 : 0; break;
      case StepKind::IsZero: value = integer(s.a) == 0 ? 1 : 0; break;
      case StepKind::And: value = integer(s.a) & integer(s.b); break;
      case StepKind::Or: value = integer(s.a) | integer(s.b); break;
      case StepKind::Not: value = 1 - integer(s.a); break;
      case StepKind::JumpUnless:
        if (registers[s.a] == 0) at = s.imm - 1;
        continue;
      case StepKind::Jump: at = s.imm - 1; continue;
      case StepKind::Next:
        value = integer(s.dst) + 1;
        if (value < integer(s.a)) at = s.imm - 1;
        else value = 0;
        break;
      case StepKind::Read: registers[s.dst] = load(s.from, launch.operands[s.b], integer(s.a)); continue;
      case StepKind::Index: registers[s.dst] = converted(s.type, Element::S64, registers[s.a]); continue;
      case StepKind::Convert: registers[s.dst] = converted(s.type, s.from, registers[s.a]); continue;
      case StepKind::Apply: registers[s.dst] = applied(s, registers[s.a], registers[s.b], registers[s.c]); continue;
    }
    registers[s.dst] = static_cast<std::uint64_t>(value);
  }
  store(launch.type, launch.out, element, registers[launch.result]);
}

}  // namespace gg::device
