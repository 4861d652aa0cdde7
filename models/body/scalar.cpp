// The table of scalar functions, in the order of scalar.def.
#include "models/body/scalar.h"

#include <algorithm>
#include <array>

namespace gg {

namespace {

constexpr std::array kTable = {
#define SCALAR(Enum, name, arity, Class, Result, Fact) \
  ScalarInfo{ScalarFn::Enum, name, arity, ScalarClass::Class, ScalarRange::Result, ScalarFact::Fact},
#include "models/body/scalar.def"
#undef SCALAR
};

constexpr std::array kMonoids = {ScalarFn::Add, ScalarFn::And, ScalarFn::Max, ScalarFn::Min,
                                 ScalarFn::Multiply, ScalarFn::Or, ScalarFn::Xor};

}  // namespace

std::span<const ScalarInfo> scalar_functions() { return kTable; }

const ScalarInfo& info(ScalarFn fn) { return kTable[static_cast<std::size_t>(fn)]; }

std::optional<ScalarFn> scalar_function(std::string_view name) {
  const auto* const at =
      std::find_if(kTable.begin(), kTable.end(), [&](const ScalarInfo& s) { return s.name == name; });
  if (at == kTable.end()) return std::nullopt;
  return at->fn;
}

bool is_monoid(ScalarFn fn) { return std::find(kMonoids.begin(), kMonoids.end(), fn) != kMonoids.end(); }

}  // namespace gg
