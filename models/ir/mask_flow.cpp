#include "models/ir/mask_flow.h"

#include <algorithm>
#include <array>

namespace gg {
namespace {

constexpr unsigned kAll = ~0U;

/// Operators that hand a mask on, and by which operands (bit k: operand k).
struct Passes {
  Op op;
  unsigned operands;
};
constexpr std::array kPasses = {
    Passes{Op::Broadcast, 1}, Passes{Op::Convert, 1},     Passes{Op::Copy, 1},      Passes{Op::Reshape, 1},
    Passes{Op::Bitcast, 1},   Passes{Op::Transpose, 1},   Passes{Op::Slice, 1},     Passes{Op::Concatenate, kAll},
    Passes{Op::Select, 6},    Passes{Op::Add, 3},         Passes{Op::Subtract, 1},  Passes{Op::DynamicSlice, 1},
    Passes{Op::Pad, 3},       Passes{Op::AllGather, 1},   Passes{Op::CollectivePermute, 1},
};

bool is_maximum(const Module& module, InstructionId id) {
  const Attributes& attributes = module.attributes(id);
  if (!attributes.has(Attr::ToApply)) return false;
  const auto& regions = attributes.computations(Attr::ToApply);
  return regions.size() == 1 && module[module.computation(regions[0]).root].op == Op::Maximum;
}

/// Does the mask end here? A maximum is at least what is not masked; exp makes it zero.
bool ends(const Module& module, InstructionId id) {
  switch (module[id].op) {
    case Op::Maximum:
    case Op::Exponential: return true;
    case Op::Reduce:
    case Op::ReduceWindow:
    case Op::AllReduce: return is_maximum(module, id);
    default: return false;
  }
}

bool hands_on(Op op, std::size_t operand) {
  const auto* passes = std::find_if(kPasses.begin(), kPasses.end(), [&](const Passes& p) { return p.op == op; });
  return passes != kPasses.end() && operand < 32 && (passes->operands >> operand & 1U) != 0;
}

}  // namespace

std::vector<bool> mask_constants(const Module& module, const FlatProgram& flat) {
  std::vector<bool> fits(flat.nodes.size(), true), constants(flat.nodes.size(), false);
  for (const FlatValue v : flat.outputs) fits[v.node] = false;
  for (std::size_t node = flat.nodes.size(); node-- > 0;) {  // users before operands
    const FlatNode& n = flat.nodes[node];
    const Op op = module[n.instruction].op;
    constants[node] = op == Op::Constant && fits[node];
    if (ends(module, n.instruction)) continue;
    const auto operands = flat.operands(n);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!fits[node] || !hands_on(op, k)) fits[operands[k].node] = false;
    }
  }
  return constants;
}

}  // namespace gg
