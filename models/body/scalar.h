// The table of scalar functions (scalar.def): names, arities and classes. Evaluation lives in kernels/numbers, one
// implementation a number type; the prover reads the classes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gg {

enum class ScalarFn : std::uint8_t {
#define SCALAR(Enum, name, arity, Class, Result, Fact) Enum,
#include "models/body/scalar.def"
#undef SCALAR
};

enum class ScalarClass : std::uint8_t { Linear,
                                        Unit,
                                        Opaque,
                                        Boolean,
                                        Order,
                                        Select,
                                        Bits };
enum class ScalarRange : std::uint8_t { Any,
                                        NonNegative,
                                        Positive,
                                        UnitInterval,
                                        SignedUnit };

enum class ScalarFact : std::uint8_t { None = 0,
                                       Total = 1,
                                       Zero = 2,
                                       TotalZero = 3 };

struct ScalarInfo {
  ScalarFn fn;
  std::string_view name;  ///< HLO's operator name; comparisons carry their direction
  int arity;
  ScalarClass cls;
  ScalarRange range;
  ScalarFact fact;
  bool is(ScalarFact what) const { return (static_cast<int>(fact) & static_cast<int>(what)) != 0; }
};

std::span<const ScalarInfo> scalar_functions();
const ScalarInfo& info(ScalarFn fn);
std::optional<ScalarFn> scalar_function(std::string_view name);

/// Associative and commutative, so usable in a fold: add, multiply, maximum, minimum, and, or, xor.
bool is_monoid(ScalarFn fn);

}  // namespace gg
