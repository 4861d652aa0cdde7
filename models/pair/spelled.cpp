#include "models/pair/spelled.h"

namespace gg {
namespace {

bool has(const Module& m, Op op) {
  for (InstructionId id = 0; id < m.size(); ++id)
    if (m[id].op == op) return true;
  return false;
}

}  // namespace

bool sigmoids_by_exponentials(const Case& c) {
  const auto differ = [&](Op op) { return has(*c.sequential, op) != has(*c.distributed, op); };
  return differ(Op::Logistic) || differ(Op::Tanh);
}

}  // namespace gg
