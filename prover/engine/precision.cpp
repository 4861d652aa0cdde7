// Precision notes: real arithmetic proves a program whatever its types are, so that places where the distributed program
// rounds more than the sequential one are said beside a proof (docs/design.md). Literals of the program are what rounds.
#include <algorithm>

#include "models/op/facts.h"
#include "prover/engine/engine.h"

namespace gg::prover {

bool narrow(ElementType type) { return is_float(type) && info(type).bits < 32; }

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

void Engine::note_sums(PrecisionNotes& notes) const {
  each_float(Which::Distributed, [&](const Side& side, std::uint32_t node, std::uint32_t leaf, ElementType type) {
    const InstructionId id = side.flat.nodes[node].instruction;
    const Op op = (*side.module)[id].op;
    if (leaf != 0 || !folds(op) || !narrow(type)) return;
    for (const AnchorId anchor : anchors_joined(side.conclusions[side.first_leaf[node]])) {
      const auto [origin, wide] = sequential_origin(anchor);
      const bool narrower = origin != kNone && is_float(wide) && info(wide).bits > info(type).bits;
      if (origin == kNone || (!narrower && !adds_across_ranks(*side.module, id))) continue;
      std::string note = std::string(side.module->name_of(id)) + " " + std::string(info(type).name) + ", sequential " +
                         std::string(sequential_.module->name_of(origin)) + " " + std::string(info(wide).name);
      if (!narrower) note += ", partial sums are rounded before they are added";
      if (const auto source = side.module->source(id)) note += ", " + source->file + ":" + std::to_string(source->line);
      notes.emplace(id, std::move(note));
    }
  });
}

std::vector<std::string> Engine::precision_notes() {
  PrecisionNotes notes;
  const bool given = !options_.sizes_stand_for_all;
  if (given) note_sums(notes);
  note_whole_numbers(notes);
  note_narrower(notes);
  if (given) note_running_sums(notes), note_reduced(notes);
  if (given) note_rounded(notes), note_residues(notes);
  std::vector<std::string> texts;
  for (auto& [id, note] : notes) texts.push_back(std::move(note));
  return texts;
}

}  // namespace gg::prover
