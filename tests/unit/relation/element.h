// Reading bodies of relations element by element, as `x0[1,2]`, `?` for Unknown.
#pragma once

#include <string>
#include <vector>

#include "models/body/body.h"

namespace gg {

/// The root at one index, as text.
inline std::string element_at(Arena& arena, ExprId root, const std::vector<std::int64_t>& index) {
  Arena::Substitution at;
  for (const std::int64_t k : index) at.vars.push_back(arena.constant(k));
  const ExprId value = arena.substitute(root, at);
  if (arena[value].kind == ExprKind::Unknown) return "?";
  if (arena[value].kind != ExprKind::Read) return arena.print(value);
  std::string text = "x" + std::to_string(arena[value].arg) + "[";
  for (const LinId position : arena.indices(value)) {
    if (text.back() != '[') text += ",";
    const Lin& lin = arena[position];
    text += lin.lo == lin.hi ? std::to_string(lin.lo) : "*";
  }
  return text + "]";
}

/// All elements in row-major order, separated by spaces.
inline std::string elements(Arena& arena, ExprId root, const std::vector<std::int64_t>& extents) {
  std::string text;
  std::vector<std::int64_t> index(extents.size(), 0);
  for (;;) {
    text += (text.empty() ? "" : " ") + element_at(arena, root, index);
    std::size_t d = extents.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1]) index[--d] = 0;
    if (d == 0) return text;
  }
}

inline std::string elements(Arena& arena, const Body& body) { return elements(arena, body.root, body.extents); }

}  // namespace gg
