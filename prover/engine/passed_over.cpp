// What a proof over real numbers of finite inputs passes over, said beside it: whole numbers in types that do not hold them, roundings that are written out, tests for
// infinities and NaN (docs/formats.md: precision=, decided=).
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "models/ir/finite_tests.h"
#include "models/op/facts.h"
#include "prover/engine/engine.h"

namespace gg::prover {

/// Of a value that is made of whole numbers alone and has a type of few bits: the largest of them, without the powers of two that divide them all, if
/// the type does not hold all up to it. A sum comes to every number on its way. Integers of which nothing is known become any number where they are converted. Zero for all others.
std::int64_t Engine::whole_beyond(const Side& side, std::uint32_t node) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // beyond it nothing is known of the number
  const InstructionId id = side.flat.nodes[node].instruction;
  const Type& type = *side.module->type(id).leaves()[0];
  if (!type.is_array() || !narrow(type.element) || side.literals[node] || rearranges((*side.module)[id].op)) return 0;
  const auto whole = t_.whole_sum(side.conclusions[side.first_leaf[node]]);
  if (!whole) return 0;
  const LinNode& form = t_[*whole];
  if (form.lo < -kMost || form.hi > kMost) {
    const auto operands = side.flat.operands(side.flat.nodes[node]);
    const bool converted = converts((*side.module)[id].op) && is_integral(side.module->type(side.flat.nodes[operands[0].node].instruction).leaves()[operands[0].leaf]->element);
    return converted ? std::numeric_limits<std::int64_t>::max() : 0;
  }
  std::int64_t step = folds((*side.module)[id].op) ? 1 : form.c0;
  for (const LinTerm& part : t_.terms(*whole)) step |= part.coef;
  const std::int64_t most = std::max(-form.lo, form.hi), largest = most == 0 ? 0 : most >> __builtin_ctzll(static_cast<unsigned long long>(step));
  return largest > std::int64_t{1} << info(type.element).significand ? largest : 0;
}

/// Positions, counts and indices that a type of few bits does not hold, where the sequential program has none so large in such a type.
void Engine::note_whole_numbers(PrecisionNotes& notes) {
  std::map<ElementType, std::int64_t> sequential;
  for (std::uint32_t node = 0; node < sequential_.flat.nodes.size(); ++node) {
    const Type& type = *sequential_.module->type(sequential_.flat.nodes[node].instruction).leaves()[0];
    if (const std::int64_t most = whole_beyond(sequential_, node); most != 0) sequential[type.element] = std::max(sequential[type.element], most);
  }
  for (std::uint32_t node = 0; node < distributed_.flat.nodes.size(); ++node) {
    const InstructionId id = distributed_.flat.nodes[node].instruction;
    const ElementType type = distributed_.module->type(id).leaves()[0]->element;
    const std::int64_t most = whole_beyond(distributed_, node);
    if (most == 0 || most <= sequential[type]) continue;
    notes.emplace(id, std::string(distributed_.module->name_of(id)) + " " + std::string(info(type).name) + ", whole numbers of which it holds those up to " +
                          std::to_string(std::int64_t{1} << info(type).significand) + " only");
  }
}

/// Roundings that are written out and that the sequential program does not have.
void Engine::note_reduced(PrecisionNotes& notes) const {
  const auto bits = [](const Module& module, InstructionId id) {
    const gg::Attributes& a = module.attributes(id);
    return std::pair(a.integer(Attr::ExponentBits), a.integer(Attr::MantissaBits));
  };
  std::set<std::pair<std::int64_t, std::int64_t>> sequential;
  for (const FlatNode& n : sequential_.flat.nodes) {
    if (sequential_.module->attributes(n.instruction).has(Attr::MantissaBits)) sequential.insert(bits(*sequential_.module, n.instruction));
  }
  for (const FlatNode& n : distributed_.flat.nodes) {
    const Module& module = *distributed_.module;
    if (!module.attributes(n.instruction).has(Attr::MantissaBits)) continue;
    const auto [exponent, mantissa] = bits(module, n.instruction);
    if (sequential.count({exponent, mantissa}) != 0) continue;
    notes.emplace(n.instruction, std::string(module.name_of(n.instruction)) + " keeps " + std::to_string(exponent) + " bits of the exponent and " + std::to_string(mantissa) + " of the mantissa, nothing in the sequential program does");
  }
}

/// Where a value first has a type of fewer bits than any value of the sequential program. Whole numbers are told of above.
void Engine::note_narrower(PrecisionNotes& notes) {
  const auto bits = [](const Side& side, FlatValue v) {
    const Type& type = *side.module->type(side.flat.nodes[v.node].instruction).leaves()[v.leaf];
    return type.is_array() && is_float(type.element) ? info(type.element).significand : 0;
  };
  int fewest = info(ElementType::F64).significand;
  for (std::uint32_t node = 0; node < sequential_.flat.nodes.size(); ++node) {
    const int own = sequential_.literals[node] ? 0 : bits(sequential_, {node, 0});
    if (own != 0) fewest = std::min(fewest, own);
  }
  for (std::uint32_t node = 0; node < distributed_.flat.nodes.size(); ++node) {
    const FlatNode& n = distributed_.flat.nodes[node];
    const int own = bits(distributed_, {node, 0});
    if (own == 0 || own >= fewest || distributed_.literals[node] || t_.whole_sum(distributed_.conclusions[distributed_.first_leaf[node]])) continue;
    const auto operands = distributed_.flat.operands(n);
    if (std::none_of(operands.begin(), operands.end(), [&](FlatValue v) { return bits(distributed_, v) > own; })) continue;
    notes.emplace(n.instruction, std::string(distributed_.module->name_of(n.instruction)) + " " + std::string(info(distributed_.module->type(n.instruction).leaves()[0]->element).name) +
                                     ", no value of the sequential program has so few bits");
  }
}

/// Tests for a NaN or an infinity that outputs hang on, and that are true or false for all inputs since these are finite.
std::vector<InstructionId> Engine::decided_tests() const {
  const Side& side = distributed_;
  std::vector<bool> live(side.flat.nodes.size(), false);
  for (const FlatValue v : side.flat.outputs) live[v.node] = true;
  std::set<InstructionId> found;
  for (auto node = static_cast<std::uint32_t>(side.flat.nodes.size()); node-- > 0;) {
    if (!live[node]) continue;
    const FlatNode& n = side.flat.nodes[node];
    const auto operands = side.flat.operands(n);
    for (const FlatValue v : operands) live[v.node] = true;
    const TermId result = side.conclusions[side.first_leaf[node]];
    const auto tested = finite_test(*side.module, n.instruction);
    if (!tested || (result != TermId::True && result != TermId::False)) continue;
    const FlatValue operand = operands[*tested];
    if (!t_.is_lit(side.conclusions[side.first_leaf[operand.node] + operand.leaf])) found.insert(n.instruction);
  }
  return {found.begin(), found.end()};
}

}  // namespace gg::prover
