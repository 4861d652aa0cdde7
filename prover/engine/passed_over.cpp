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
namespace {

constexpr std::int64_t kOfSizes = 9;                                           ///< the largest whole number that is not made of a size, where sizes stand for all
constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max();  ///< an integer of which nothing is known

/// Bits of the significand, 0 of what is no float.
int float_bits(const Module& module, const FlatNode& n, std::uint32_t leaf) {
  const Type& type = *module.type(n.instruction).leaves()[leaf];
  return type.is_array() && is_float(type.element) ? info(type.element).significand : 0;
}

void keep_least(std::map<AnchorId, int>& least, AnchorId anchor, int bits) {
  int& kept = least.try_emplace(anchor, bits).first->second;
  kept = std::min(kept, bits);
}

}  // namespace

/// Of a value that is made of whole numbers alone and has a type of few bits: the largest of them, without the powers of two that divide them all, if
/// the type does not hold all up to it. A sum comes to every number on its way. Integers of which nothing is known become any number of their type where they are converted. Zero for all others.
std::int64_t Engine::whole_beyond(const Side& side, std::uint32_t node) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // beyond it nothing is known of the number
  const InstructionId id = side.flat.nodes[node].instruction;
  const Type& type = *side.module->type(id).leaves()[0];
  if (!type.is_array() || !is_float(type.element) || side.literals[node] || rearranges((*side.module)[id].op)) return 0;
  const auto whole = t_.whole_sum(side.conclusions[side.first_leaf[node]]);
  if (!whole) return 0;
  const LinNode& form = t_[*whole];
  if (form.lo < -kMost || form.hi > kMost) {
    const auto operands = side.flat.operands(side.flat.nodes[node]);
    if (!converts((*side.module)[id].op)) return 0;
    const ElementType from = side.module->type(side.flat.nodes[operands[0].node].instruction).leaves()[operands[0].leaf]->element;
    return is_integral(from) && info(from).bits - (is_signed(from) ? 1 : 0) > info(type.element).significand ? kAnyNumber : 0;
  }
  std::int64_t step = folds((*side.module)[id].op) ? 1 : form.c0;
  for (const LinTerm& part : t_.terms(*whole)) step |= part.coef;
  const std::int64_t most = std::max(-form.lo, form.hi), largest = most == 0 ? 0 : most >> __builtin_ctzll(static_cast<unsigned long long>(step));
  return largest > (options_.sizes_stand_for_all ? kOfSizes : std::int64_t{1} << info(type.element).significand) ? largest : 0;
}

/// Positions, counts and indices that a type of few bits does not hold, where the sequential program has none so large in such a type; and integers
/// of which nothing is known, where it converts none of what they are made of to a type of so few bits.
void Engine::note_whole_numbers(PrecisionNotes& notes) {
  std::map<ElementType, std::int64_t> sequential;
  std::map<AnchorId, int> fewest;
  for (std::uint32_t node = 0; node < sequential_.flat.nodes.size(); ++node) {
    const Type& type = *sequential_.module->type(sequential_.flat.nodes[node].instruction).leaves()[0];
    const std::int64_t most = whole_beyond(sequential_, node);
    if (most != 0 && most != kAnyNumber) sequential[type.element] = std::max(sequential[type.element], most);
    if (most != kAnyNumber) continue;
    for (const AnchorId anchor : matcher_.reads_of(sequential_.conclusions[sequential_.first_leaf[node]])) {
      keep_least(fewest, anchor, info(type.element).significand);
    }
  }
  const auto converted_too = [&](std::uint32_t node, ElementType type) {
    const std::vector<AnchorId> anchors = matcher_.reads_of(distributed_.conclusions[distributed_.first_leaf[node]]);
    return std::any_of(anchors.begin(), anchors.end(), [&](AnchorId anchor) {
      const auto found = fewest.find(anchor);
      return found != fewest.end() && found->second <= info(type).significand;
    });
  };
  for (std::uint32_t node = 0; node < distributed_.flat.nodes.size(); ++node) {
    const InstructionId id = distributed_.flat.nodes[node].instruction;
    const ElementType type = distributed_.module->type(id).leaves()[0]->element;
    const std::int64_t most = whole_beyond(distributed_, node);
    if (most == 0 || (most == kAnyNumber ? converted_too(node, type) : most <= sequential[type])) continue;
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

/// Where a value has a type of fewer bits than the sequential value that it is has in any type (up to a factor), or first one of fewer than any value of
/// the sequential program. Whole numbers are told of above.
void Engine::note_narrower(PrecisionNotes& notes) {
  int fewest = info(ElementType::F64).significand;
  std::map<AnchorId, int> of_value;
  for (std::uint32_t node = 0; node < sequential_.flat.nodes.size(); ++node) {
    const int own = sequential_.literals[node] ? 0 : float_bits(*sequential_.module, sequential_.flat.nodes[node], 0);
    if (own == 0) continue;
    fewest = std::min(fewest, own);
    if (const auto anchor = single_anchor(sequential_.conclusions[sequential_.first_leaf[node]])) keep_least(of_value, *anchor, own);
  }
  for (std::uint32_t node = 0; node < distributed_.flat.nodes.size(); ++node) {
    const FlatNode& n = distributed_.flat.nodes[node];
    const int own = float_bits(*distributed_.module, n, 0);
    const TermId conclusion = distributed_.conclusions[distributed_.first_leaf[node]];
    if (own == 0 || distributed_.literals[node] || t_.whole_sum(conclusion)) continue;
    const auto operands = distributed_.flat.operands(n);
    const bool first = std::any_of(operands.begin(), operands.end(), [&](FlatValue v) { return float_bits(*distributed_.module, distributed_.flat.nodes[v.node], v.leaf) > own; });
    const auto anchor = single_anchor(conclusion);
    const auto related = anchor ? of_value.find(*anchor) : of_value.end();
    std::string why;
    if (own < fewest && first) why = ", no value of the sequential program has so few bits";
    else if (related != of_value.end() && own < related->second && (first || !rearranges((*distributed_.module)[n.instruction].op))) why = ", the sequential value has more bits";
    if (why.empty()) continue;
    notes.emplace(n.instruction, std::string(distributed_.module->name_of(n.instruction)) + " " + std::string(info(distributed_.module->type(n.instruction).leaves()[0]->element).name) + why);
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
