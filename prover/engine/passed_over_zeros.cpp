// What is a constant of real numbers that are finite, and none of floats: tests for NaN and infinities, and what a rounding leaves of a value (docs/formats.md: decided=,
// precision=).
#include <algorithm>
#include <array>
#include <set>

#include "models/ir/finite_tests.h"
#include "models/op/facts.h"
#include "prover/engine/engine.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

/// Floats of a computation that are computed of float parameters, by node.
std::vector<bool> computed_of_floats(const Module& module, const FlatProgram& flat) {
  std::vector<bool> found(flat.nodes.size());
  for (const FlatValue v : flat.inputs) found[v.node] = true;
  for (std::size_t node = 0; node < found.size(); ++node) {
    const FlatNode& n = flat.nodes[node];
    const auto operands = flat.operands(n);
    const auto leaves = module.type(n.instruction).leaves();
    const bool floats = std::any_of(leaves.begin(), leaves.end(), [](const Type* t) { return t->is_array() && is_float(t->element); });
    found[node] = floats && (found[node] || std::any_of(operands.begin(), operands.end(), [&](FlatValue v) { return found[v.node]; }));
  }
  return found;
}

/// By node: bits of the significand of the narrowest type, or written rounding, that a float went through since it was computed; 0 of what is no float.
std::vector<int> bits_kept(const Module& module, const FlatProgram& flat) {
  std::vector<int> kept(flat.nodes.size());
  for (std::size_t node = 0; node < kept.size(); ++node) {
    const InstructionId id = flat.nodes[node].instruction;
    const Type& type = *module.type(id).leaves()[0];
    const gg::Attributes& a = module.attributes(id);
    if (!type.is_array() || !is_float(type.element)) continue;
    kept[node] = info(type.element).significand;
    if (a.has(Attr::MantissaBits)) kept[node] = std::min(kept[node], static_cast<int>(a.integer(Attr::MantissaBits)) + 1);
    const auto operands = flat.operands(flat.nodes[node]);
    const bool moves = converts(module[id].op) || rearranges(module[id].op) || a.has(Attr::MantissaBits);
    if (moves && !operands.empty() && kept[operands[0].node] != 0) kept[node] = std::min(kept[node], kept[operands[0].node]);
  }
  return kept;
}

/// Nodes that outputs of a computation hang on.
std::vector<bool> reached(const FlatProgram& flat) {
  std::vector<bool> live(flat.nodes.size());
  for (const FlatValue v : flat.outputs) live[v.node] = true;
  for (std::size_t node = live.size(); node-- > 0;) {
    for (const FlatValue v : flat.operands(flat.nodes[node])) live[v.node] = live[v.node] || live[node];
  }
  return live;
}

/// Is this truth one for many: is it joined with others, or does a single one choose among arrays (a flag, no guard of an element's own)?
bool is_flag(const Module& module, const FlatProgram& flat, std::uint32_t test) {
  std::vector<bool> hangs(flat.nodes.size());
  hangs[test] = true;
  const auto elements = [&](std::uint32_t node) {
    const Type& type = *module.type(flat.nodes[node].instruction).leaves()[0];
    return type.is_array() ? type.count() : 0;
  };
  for (std::uint32_t node = test + 1; node < hangs.size(); ++node) {
    for (const FlatValue v : flat.operands(flat.nodes[node])) {
      if (!hangs[v.node]) continue;
      if (folds(module[flat.nodes[node].instruction].op) || (elements(v.node) == 1 && elements(node) > 1)) return true;
      const Type& type = *module.type(flat.nodes[node].instruction).leaves()[0];
      hangs[node] = type.is_array() && type.element == ElementType::Pred;
    }
  }
  return false;
}

}  // namespace

/// Tests for a NaN or an infinity that outputs hang on, and that are true or false for all inputs since these are finite. Of the sequential program flags alone, and only
/// where the distributed one has no test.
DecidedTests Engine::decided_tests() const {
  for (const Which which : {Which::Distributed, Which::Sequential}) {
    std::set<InstructionId> found;
    each_side(which, [&](const Side& side) {
      const std::vector<bool> live = reached(side.flat), of_floats = computed_of_floats(*side.module, side.flat);
      for (std::uint32_t node = 0; node < live.size(); ++node) {
        const FlatNode& n = side.flat.nodes[node];
        const TermId result = side.conclusions[side.first_leaf[node]];
        if (!live[node] || (result != TermId::True && result != TermId::False)) continue;
        const auto operands = side.flat.operands(n);
        const auto number = [&](FlatValue v) { return t_.is_lit(side.conclusions[side.first_leaf[v.node] + v.leaf]); };
        const auto tested = finite_test(*side.module, n.instruction);
        // x - x and 0 x are 0 of finite numbers alone.
        const bool compares = tested || compares_floats(*side.module, n.instruction);
        const bool asks = (tested && !number(operands[*tested])) || (compares && std::any_of(operands.begin(), operands.end(), [&](FlatValue v) { return of_floats[v.node] && number(v); }));
        if (asks && (which == Which::Distributed || is_flag(*side.module, side.flat, node))) found.insert(n.instruction);
      }
    });
    if (!found.empty()) return {{found.begin(), found.end()}, which == Which::Sequential};
  }
  return {};
}

/// A value without its own rounding (what error feedback keeps), or compared with it: zero, and decided, of real numbers. Told where one program has such a thing, and the other none.
void Engine::note_residues(PrecisionNotes& notes) const {
  std::array<std::string, 2> found;
  InstructionId at = 0;
  for (const Which which : {Which::Sequential, Which::Distributed}) {
    each_side(which, [&](const Side& side) {
      const std::vector<bool> live = reached(side.flat);
      const std::vector<int> kept = bits_kept(*side.module, side.flat);
      for (std::uint32_t node = 0; node < live.size(); ++node) {
        const FlatNode& n = side.flat.nodes[node];
        const auto operands = side.flat.operands(n);
        const bool subtracts = term_sign((*side.module)[n.instruction].op) != 0, compares = compares_floats(*side.module, n.instruction);
        if (!live[node] || operands.size() != 2 || !(subtracts || compares) || !found[which == Which::Distributed].empty()) continue;
        const TermId result = side.conclusions[side.first_leaf[node]];
        if (compares ? result != TermId::True && result != TermId::False : result != TermId::Zero) continue;
        const int a = kept[operands[0].node], b = kept[operands[1].node];
        const auto number = [&](FlatValue v) { return t_.is_lit(side.conclusions[side.first_leaf[v.node] + v.leaf]); };
        if (a == b || a == 0 || b == 0 || number(operands[0]) || number(operands[1])) continue;
        found[which == Which::Distributed] = side.module->name_of(n.instruction);
        at = n.instruction;
      }
    });
  }
  if (found[0].empty() == found[1].empty()) return;
  const bool sequential = found[1].empty();
  notes.emplace(at, found[sequential ? 0 : 1] + (sequential ? " of the sequential program" : "") + " is what a rounding leaves of a value, which is zero of real numbers; nothing in the " + (sequential ? "distributed" : "sequential") + " program is");
}

}  // namespace gg::prover
