// Leaves that repeat earlier ones (repeat.h): what their conclusions are made of, and terms made when they are asked for.
#include <algorithm>
#include <utility>

#include "prover/checker/check.h"

namespace gg::checker {
namespace {

constexpr std::uint64_t kLateSteps = 1'000'000;  ///< of one term that is made late

}  // namespace

// The body and which operands are literals, the operands' conclusions, the text of the lines; anchors by number.
std::optional<Repeats::Key> Check::key_of(Program& p, FlatValue v, const Lines& lines) {
  const int s = p.distributed() ? 1 : 0;
  const bool anchored = !lines.empty() && lines[0]->kind == LineKind::Anchor;
  if (&p != &sides_[s] || taken_[s][v.node] || !assumes(p, v) || in_range(p, v) || (anchored && lines.size() > 1)) return std::nullopt;
  const Body* body = p.body(v);
  if (body == nullptr) return std::nullopt;
  const auto [it, fresh] = bodies_.try_emplace(body, static_cast<std::uint32_t>(bodies_.size()));
  Repeats::Key key;
  key.words = {it->second, anchored ? 1U : 0U, static_cast<std::uint32_t>(lines.size())};
  for (const FlatValue operand : p.operands(v.node)) {
    const Outline* outline = p.outline(operand, repeats_.outlines());
    if (outline == nullptr) return std::nullopt;
    key.words.push_back(p.literal(operand.node) ? 1 : 0);
    repeats_.add(key, outline->shape, outline->anchors);
  }
  for (const LineSyntax* line : lines) {
    if (line->kind == LineKind::Define || !line->opened.empty()) return std::nullopt;
    std::vector<std::uint32_t> anchors;
    for (const auto& [head, number] : line->form.names) {
      const auto& list = head == 's' ? names_.sequential : head == 'x' ? names_.inputs
                                                                       : names_.gaps;
      if (static_cast<std::size_t>(number) >= list.size()) return std::nullopt;
      anchors.push_back(list[static_cast<std::size_t>(number)]);
    }
    if (line->kind == LineKind::Record) repeats_.add(key, repeats_.outlines().number(line->form.text), anchors);
  }
  return key.large() ? std::nullopt : std::optional(std::move(key));
}

void Check::repeat(Program& p, FlatValue v, const Lines& lines, const Repeats::Key& key, const Repeats::Known& known) {
  t_.allow(kLateSteps);
  t_.step();
  records_ += static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [](const LineSyntax* l) { return l->kind == LineKind::Record; }));
  if (!known.anchor) return p.conclude_late(v, Repeats::renamed(known.conclusion, key));
  Anchor a = t_.anchors[*known.anchor];
  a.late = t_.defined(*known.anchor);
  a.definition.reset();
  const std::uint32_t anchor = conclude_read(p, v, std::move(a));
  repeats_.outlines().same_facts(*known.anchor, anchor);
  if (known.definition) repeats_.define(anchor, Repeats::renamed(*known.definition, key));
  late_.emplace(anchor, v);
  name(*lines[0], anchor);
}

// The operands' conclusions come first, one after the other: a program may be a long chain of moves.
void Check::settle(Program& p, std::vector<FlatValue> todo) {
  while (!todo.empty()) {
    const FlatValue v = todo.back();
    const Lines& lines = this->lines(p, v);
    const std::size_t before = todo.size();
    if (p.late(v) && lines.empty()) {
      for (const FlatValue operand : p.operands(v.node))
        if (p.late(operand)) todo.push_back(operand);
    }
    if (todo.size() > before) continue;
    todo.pop_back();
    if (!p.late(v)) continue;
    t_.allow(kLateSteps);
    p.settle(v, lines.empty() ? *p.derive(v) : TermBuilder(t_, names_, as_indices(t_, p.variables(v))).term(lines.back()->term));
  }
}

// What is looked at here is nothing that the leaf which asks for the term rests on: that has its outline.
template <class Make>
Value Check::late(const Make& make) {
  std::vector<std::uint32_t> opened = std::exchange(t_.opened, {});
  const std::uint64_t allowed = t_.allowed();
  const Value result = make();
  t_.allow(allowed);
  t_.opened = std::move(opened);
  return result;
}

Value Check::late_conclusion(Program& p, FlatValue v) {
  return late([&] {
    settle(p, {v});
    return p.conclusion(v);
  });
}

Value Check::late_definition(std::uint32_t anchor) {
  return late([&] {
    const FlatValue v = late_.at(anchor);
    const auto operands = sides_[0].operands(v.node);
    settle(sides_[0], {operands.begin(), operands.end()});
    t_.allow(kLateSteps);
    return *sides_[0].derive(v);
  });
}

}  // namespace gg::checker
