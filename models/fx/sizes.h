// Sizes that a graph leaves open: symbols (`s77`), and names of the graph that are integers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/type/type.h"

namespace gg::fx {

struct Sizes {
  std::map<std::string, std::int64_t, std::less<>> symbols;  ///< given with the graph
  std::map<std::string, std::int64_t, std::less<>> names;    ///< statements and parameters of type Sym
  std::optional<ElementType> element;                        ///< what `T` is in a definition

  std::optional<std::int64_t> named(std::string_view name) const {
    const auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
  }
  /// The value of an expression as torch prints it: integers, symbols, names, + - * // %, Mod, Max, Min. Nothing where it is no such
  /// expression, names what is not bound, divides by 0 or goes beyond 2^48.
  std::optional<std::int64_t> value(std::string_view expression) const;
};

}  // namespace gg::fx
