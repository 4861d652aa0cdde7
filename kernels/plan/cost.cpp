// How much arithmetic a plan does: every node once for each combination of the levels on which it depends, as the
// executor keeps what does not move.
#include <array>

#include "kernels/plan/program.h"

namespace gg {

namespace plan {

namespace {

/// Elementary functions cost about as much as this many multiplications at 113 bits.
constexpr double kElementary = 20;
constexpr std::array kCheap = {ScalarFn::Add, ScalarFn::Subtract, ScalarFn::Multiply, ScalarFn::Divide,
                               ScalarFn::Max, ScalarFn::Min, ScalarFn::Abs, ScalarFn::Negate,
                               ScalarFn::Select, ScalarFn::Clamp, ScalarFn::Convert, ScalarFn::CompareEq,
                               ScalarFn::CompareNe, ScalarFn::CompareLt, ScalarFn::CompareLe, ScalarFn::CompareGt,
                               ScalarFn::CompareGe, ScalarFn::And, ScalarFn::Or, ScalarFn::Not};

double weight(const Node& n) {
  if (n.kind == ExprKind::Fold) return 1;
  if (n.kind != ExprKind::Fn) return 0.25;  // moved, not computed
  for (const ScalarFn f : kCheap) {
    if (f == n.fn) return 1;
  }
  return kElementary;
}

double cost(const Program& program, std::span<const double> extents) {
  double sum = 0;
  for (const Node& n : program.nodes) {
    Mask mask = n.mask;
    for (const FoldVar& v : n.vars) mask |= bit(v.level);  // a fold adds once a tuple
    double times = weight(n);
    for (std::size_t l = 0; l < extents.size(); ++l) {
      if ((mask & bit(static_cast<int>(l))) != 0) times *= extents[l];
    }
    sum += times;
  }
  return sum;
}

std::vector<double> fold_extents(const Program& program) {
  std::vector<double> extents(kMaxLevels, 1);
  for (const Node& n : program.nodes) {
    for (const FoldVar& v : n.vars) extents[static_cast<std::size_t>(v.level)] = static_cast<double>(v.extent);
  }
  return extents;
}

}  // namespace

double cost(const Piece& piece) {
  std::vector<double> extents = fold_extents(piece.program);
  for (std::size_t l = 0; l < piece.levels.size(); ++l) extents[l] = static_cast<double>(piece.levels[l].extent);
  return cost(piece.program, extents);
}

double cost(const Scatter& scatter) {
  std::vector<double> extents = fold_extents(scatter.program);
  double updates = 1;
  for (const auto& list : {scatter.before, scatter.vars, scatter.after}) {
    for (const FoldVar& v : list) {
      extents[static_cast<std::size_t>(v.level)] = static_cast<double>(v.extent);
      updates *= static_cast<double>(v.extent);
    }
  }
  double sum = updates + cost(scatter.program, extents);
  for (const Piece& piece : scatter.init) sum += piece.operations;
  return sum;
}

}  // namespace plan

double operations(const Plan& plan) {
  double sum = 0;
  if (plan.impl == nullptr) return sum;
  for (const plan::Piece& piece : plan.impl->pieces) sum += piece.operations;
  for (const plan::Scatter& scatter : plan.impl->scatters) sum += plan::cost(scatter);
  for (const plan::Hoisted& hoisted : plan.impl->hoisted) {
    for (const plan::Piece& piece : hoisted.pieces) sum += piece.operations;
  }
  return sum;
}

}  // namespace gg
