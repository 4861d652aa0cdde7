// From the bodies of operators (models/body) to the checker's terms: the only source of meaning that the checker has.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "models/body/arena.h"
#include "prover/checker/terms.h"

namespace gg::checker {

/// What the reads of a body stand for.
struct Operands {
  /// Element of operand k at index forms.
  std::function<Value(int operand, const std::vector<Index>& index)> read;
  /// Is operand k a literal of the program (so that a convert of it rounds)? May be null.
  std::function<bool(int operand)> literal;
};

/// Translates expressions whose output levels are `outputs`. One object a body.
class Translator {
 public:
  Translator(Terms& t, const Arena& arena, std::vector<Index> outputs, Operands operands)
      : t_(t), arena_(arena), levels_(std::move(outputs)), outputs_(levels_.size()), operands_(std::move(operands)) {}
  Value value(ExprId id);
  Value guard(GuardId id);
  Index index(LinId id);

 private:
  Value compute(ExprId id);
  Value function(ExprId id);
  Value fold(ExprId id);
  std::vector<Index> indices(ExprId id);

  Terms& t_;
  const Arena& arena_;
  std::vector<Index> levels_;  // value of each level: outputs, then the binders in scope
  std::size_t outputs_;
  Operands operands_;
  std::unordered_map<std::uint32_t, Value> values_;  // of expressions without binders
  std::unordered_map<std::uint32_t, Index> indices_;
};

}  // namespace gg::checker
