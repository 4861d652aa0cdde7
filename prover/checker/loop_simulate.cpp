// Loops whose number of iterations is data (docs/certificate.md, section 8, simulation).
#include <algorithm>

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/loop.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"

namespace gg::checker {
SimulationCheck::SimulationCheck(Check& check, Program& outer, std::uint32_t node, const LineSyntax& line)
    : check_(check), t_(check.t_), outer_(outer), node_(node), line_(line) {}

void SimulationCheck::open() {
  Check::OpenLoop loop;
  std::vector<const LineSyntax*> named;
  std::vector<Value> state;
  const auto operands = outer_.operands(node_);
  for (std::uint32_t leaf = 0; leaf < outer_.leaves(node_); ++leaf) {
    const FlatValue v{node_, leaf};
    const Check::Lines lines = check_.take_lines(outer_, v);
    if (lines.size() > 1 || (!lines.empty() && lines[0]->kind != LineKind::Carry)) throw Rejected{"'" + line_.instance + "': no line for a leaf of a loop over any state"};
    loop.initial.push_back(outer_.conclusion(operands[leaf]));
    const std::uint32_t anchor = check_.fresh(outer_, v, outer_.name(node_));
    named.push_back(lines.empty() ? nullptr : lines[0]);
    if (named.back() != nullptr) check_.name(*named.back(), anchor);
    if (named.back() != nullptr && named.back()->finite && is_float(outer_.type(v).element)) t_.anchors[anchor].classes = Classes(Classes::kReal);
    loop.state.push_back(anchor);
    state.push_back(outer_.conclusion(v));
  }
  loop.results = check_.body_over(outer_, node_, state);
  for (std::size_t k = 0; k < state.size(); ++k) {
    const bool finite = classes_of(t_, loop.initial[k]).finite() && classes_of(t_, loop.results[k]).finite();
    if (named[k] != nullptr && named[k]->finite && !finite) throw Rejected{"'" + line_.instance + "' leaf " + std::to_string(k) + " may not be finite"};
  }
  loop.condition = check_.condition_over(outer_, node_, state);
  loop.certain = &outer_ == &check_.sides_[0] && line_.instance.find('@') == std::string::npos;
  check_.open_loops_.emplace(line_.instance, std::move(loop));
}

// Every read of a carry of the sequential loop by what that carry is at some moment.
Value SimulationCheck::moment(const Check::OpenLoop& s, Value term, const std::vector<Value>& values) {
  return replace_reads(t_, term, [&](std::uint32_t anchor, const auto& index, const auto&) -> std::optional<Value> {
    const auto it = std::find(s.state.begin(), s.state.end(), anchor);
    if (it == s.state.end()) return std::nullopt;
    return instantiate(t_, anchor, values[static_cast<std::size_t>(it - s.state.begin())], index);
  });
}

void SimulationCheck::compare(const LineSyntax& line, Value stated, Value derived) {
  check_.split(line, outer_.variables({node_, static_cast<std::uint32_t>(line.leaf)}), [&](const Check::Replace& at) {
    const Value left = unfold_all(t_, at(stated), line.left), right = unfold_all(t_, at(derived), line.left);
    check_.compare_by_cases(left, right, line, Check::place(line) + ": the term of the certificate", "the one derived");
  });
}

void SimulationCheck::follow(const Check::OpenLoop& s) {
  const auto operands = outer_.operands(node_);
  if (outer_.leaves(node_) != s.state.size()) throw Rejected{"'" + line_.instance + "' has not the carries of the loop that it follows"};
  std::vector<const LineSyntax*> stated;
  std::vector<Value> state;
  for (std::uint32_t leaf = 0; leaf < s.state.size(); ++leaf) {
    const FlatValue v{node_, leaf};
    const Check::Lines lines = check_.take_lines(outer_, v);
    const bool fits = lines.size() <= 1 && (lines.empty() || lines[0]->kind == LineKind::Invariant || lines[0]->kind == LineKind::Gap);
    if (!fits) throw Rejected{"'" + line_.instance + "': no line for a leaf of a loop that follows another"};
    stated.push_back(!lines.empty() && lines[0]->kind == LineKind::Invariant ? lines[0] : nullptr);
    if (stated.back() == nullptr) {
      const std::uint32_t anchor = check_.fresh(outer_, v, outer_.name(node_));
      if (!lines.empty()) check_.name(*lines[0], anchor);
    } else {
      const Value term = check_.stated(*stated.back(), outer_.variables(v)).term;
      // A carry of the sequential loop, inside its box: elsewhere its initial value says nothing of it.
      for (const Value part : values_inside(t_, term)) {
        const ValueNode& node = t_[part];
        if (node.kind != ValueKind::Read) continue;
        const bool inside = std::find(s.state.begin(), s.state.end(), node.ref) != s.state.end() && in_extents(t_, node.ref, node.index);
        if (!inside) throw Rejected{"'" + line_.instance + "': a term that reads more than the carries of the loop that it follows"};
      }
      outer_.conclude(v, term);
      compare(*stated.back(), moment(s, term, s.initial), outer_.conclusion(operands[leaf]));
    }
    state.push_back(outer_.conclusion(v));
  }
  check_.compare(check_.condition_over(outer_, node_, state), *s.condition, "'" + line_.instance + "': the condition", "that of the loop that it follows");
  const std::vector<Value> results = check_.body_over(outer_, node_, state);
  for (std::size_t k = 0; k < state.size(); ++k)
    if (stated[k] != nullptr) compare(*stated[k], moment(s, state[k], s.results), results[k]);
}

void SimulationCheck::run() {
  if (!line_.distributed) return open();
  const auto it = check_.open_loops_.find(line_.follows);
  if (it == check_.open_loops_.end()) throw Rejected{"'" + line_.instance + "' follows '" + line_.follows + "', which is no sequential loop over any state"};
  follow(it->second);
}

}  // namespace gg::checker
