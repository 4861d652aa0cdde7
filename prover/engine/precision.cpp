// Precision notes: real arithmetic proves a program whatever its types are, so that places where the distributed program
// rounds more than the sequential one are said beside a proof (docs/design.md). Literals of the program are what rounds.
#include <algorithm>
#include <map>
#include <set>

#include "models/ir/finite_tests.h"
#include "models/op/facts.h"
#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

bool narrow(ElementType type) { return is_float(type) && info(type).bits < 32; }

/// Reductions across ranks: each rank's partial sum is rounded before it is added.
bool adds_partials(Op op) { return folds(op) && info(op).traits == OpTraits::Collective; }

}  // namespace

/// A constant, moved by operators of one operand or rounded (certificate.md, P7). What is before `node` is known.
bool Engine::is_literal(const Side& side, std::uint32_t node) {
  const FlatNode& n = side.flat.nodes[node];
  if (side.module->attributes(n.instruction).has(Attr::Literal)) return true;
  const auto operands = side.flat.operands(n);
  if (operands.empty() || !side.literals[operands[0].node]) return false;
  const auto op = (*side.module)[n.instruction].op;
  if (!converts(op)) return rearranges(op);
  const ElementInfo &from = info(side.module->type(side.flat.nodes[operands[0].node].instruction).leaves()[operands[0].leaf]->element),
                    &to = info(side.module->type(n.instruction).element);
  return from.kind == ElementKind::Float && to.kind == from.kind && to.significand < from.significand;
}

std::optional<AnchorId> Engine::single_anchor(TermId t) const {
  if (t_[t].kind == Kind::Read) return t_.anchor_of(t);
  if (t_.choice(t) && t_.kid(t, 2) == TermId::Zero) return single_anchor(t_.kid(t, 1));
  if (t_[t].kind != Kind::Poly) return std::nullopt;
  const std::vector<Summand> sum = t_.summands(t);
  if (sum.size() != 1) return std::nullopt;
  const std::vector<Factor> factors = t_.factors(sum[0].mono);
  if (factors.size() != 1 || t_[factors[0].term].kind != Kind::Read) return std::nullopt;
  return t_.anchor_of(factors[0].term);
}

/// Of a value that is made of whole numbers alone and has a type of few bits: the largest of them, without the powers of two that divide them all, if
/// the type does not hold all up to it. A sum comes to every number on its way. Zero for all others.
std::int64_t Engine::whole_beyond(const Side& side, std::uint32_t node) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // beyond it nothing is known of the number
  const InstructionId id = side.flat.nodes[node].instruction;
  const Type& type = *side.module->type(id).leaves()[0];
  if (!type.is_array() || !narrow(type.element) || side.literals[node] || rearranges((*side.module)[id].op)) return 0;
  const auto whole = t_.whole_sum(side.conclusions[side.first_leaf[node]]);
  if (!whole) return 0;
  const LinNode& form = t_[*whole];
  if (form.lo < -kMost || form.hi > kMost) return 0;
  std::int64_t step = folds((*side.module)[id].op) ? 1 : form.c0;
  for (const LinTerm& part : t_.terms(*whole)) step |= part.coef;
  const std::int64_t most = std::max(-form.lo, form.hi), largest = most == 0 ? 0 : most >> __builtin_ctzll(static_cast<unsigned long long>(step));
  return largest > std::int64_t{1} << info(type.element).significand ? largest : 0;
}

/// Positions, counts and indices that a type of few bits does not hold, where the sequential program has none so large in such a type.
void Engine::note_whole_numbers(std::vector<std::string>& notes) {
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
    notes.push_back(std::string(distributed_.module->name_of(id)) + " " + std::string(info(type).name) + ", whole numbers of which it holds those up to " +
                    std::to_string(std::int64_t{1} << info(type).significand) + " only");
  }
}

/// Roundings that are written out and that the sequential program does not have.
void Engine::note_reduced(std::vector<std::string>& notes) const {
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
    notes.push_back(std::string(module.name_of(n.instruction)) + " keeps " + std::to_string(exponent) + " bits of the exponent and " + std::to_string(mantissa) + " of the mantissa, nothing in the sequential program does");
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

std::vector<std::string> Engine::precision_notes() {
  std::vector<std::string> notes;
  const Module& module = *distributed_.module;
  for (std::uint32_t node = 0; node < distributed_.flat.nodes.size(); ++node) {
    const InstructionId id = distributed_.flat.nodes[node].instruction;
    const Type& type = *module.type(id).leaves()[0];
    if (!folds(module[id].op) || !narrow(type.element)) continue;
    const auto anchor = single_anchor(distributed_.conclusions[distributed_.first_leaf[node]]);
    const auto it = anchor ? places_.find(*anchor) : places_.end();
    if (it == places_.end() || it->second.place.side != Which::Sequential) continue;
    const Place& place = it->second.place;
    const InstructionId origin = sequential_.flat.nodes[place.node].instruction;
    const ElementType wide = sequential_.module->type(origin).leaves()[place.leaf]->element;
    const bool narrower = is_float(wide) && info(wide).bits > info(type.element).bits;
    if (!narrower && !adds_partials(module[id].op)) continue;
    std::string note = std::string(module.name_of(id)) + " " + std::string(info(type.element).name) + ", sequential " +
                       std::string(sequential_.module->name_of(origin)) + " " + std::string(info(wide).name);
    if (!narrower) note += ", partial sums are rounded before they are added";
    if (const auto source = module.source(id)) note += ", " + source->file + ":" + std::to_string(source->line);
    notes.push_back(std::move(note));
  }
  note_whole_numbers(notes);
  note_reduced(notes);
  return notes;
}

}  // namespace gg::prover
