// One leaf of a walk: its term from its body, what the lines say of it, and the anchor that it becomes (docs/certificate.md, section 1).
#include <algorithm>
#include <utility>

#include "prover/checker/anchor.h"
#include "prover/checker/bounds.h"
#include "prover/checker/check.h"
#include "prover/checker/choice.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/translate.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr std::uint64_t kLeafSteps = 4'000'000;  ///< of one leaf and its records
constexpr std::uint64_t kPieceSteps = 20'000;    ///< more for each operand of what is joined of many, and each definition that a line opens
constexpr std::size_t kMostOpened = 500;         ///< of these

// A branch that is not taken at some assignment says nothing about it: only marks of anchors that are still read.
Marks marks_inside(const Terms& t, Value v, const Marks& all) {
  Marks result;
  for (const Value inside : values_inside(t, v)) {
    if (t[inside].kind != ValueKind::Read) continue;
    if (const auto it = all.find(t[inside].ref); it != all.end()) result.insert(*it);
  }
  return result;
}

}  // namespace

void Check::conclude(Program& p, FlatValue v) {
  const Lines& lines = take_lines(p, v);
  if (const auto it = equal_.find(v.node); it != equal_.end() && &p == &sides_[1]) {
    if (!lines.empty()) reject("a line for '" + p.name(v.node) + "', which is assumed");
    Operands reads;
    reads.read = [&](int, const std::vector<Index>& index) { return sides_[0].at({it->second.sequential, 0}, index); };
    p.conclude(v, Translator(t_, *case_.arena, as_indices(t_, p.variables(v)), reads).value(it->second.body.root));
    return;
  }
  for (const LineSyntax* line : lines) {
    const bool fits = line->kind == LineKind::Record || line->kind == LineKind::Anchor || line->kind == LineKind::Gap;
    if (line->kind == LineKind::Define) introduce(p, v, *line);
    else if (!fits) reject("a line of a loop for '" + p.name(v.node) + "', which has no loop line");
  }
  if (!lines.empty() && lines[0]->kind == LineKind::Gap) {
    if (lines[0]->defined && &p != &sides_[1]) reject("'" + p.name(v.node) + "' keeps a definition in a loop");
    if (lines[0]->defined) derive(p, v, lines);
    else name(*lines[0], fresh(p, v, "g" + std::to_string(names_.gaps.size())));
    return;
  }
  auto key = key_of(p, v, lines);
  const Repeats::Known* known = key ? repeats_.find(*key) : nullptr;
  if (known != nullptr) ++repeated_;
  if (known != nullptr && !recheck_) return repeat(p, v, lines, *key, *known);
  t_.opened.clear();
  const Derived derived = derive(p, v, lines);
  if (known != nullptr) {
    if (!repeats_.same(*key, *known, derived.anchor, p.conclusion(v))) reject("'" + p.name(v.node) + "' does not repeat what it seems to repeat");
  } else if (key && derived.shallow) {
    repeats_.keep(*std::move(key), derived.anchor, p.conclusion(v));
  }
}

// The conclusion from the body, and what the lines say of it.
Check::Derived Check::derive(Program& p, FlatValue v, const Lines& lines) {
  std::optional<Value> term;
  std::string why = "it has no body";
  std::size_t opened = 0;
  for (const LineSyntax* line : lines) opened += line->opened.size();
  t_.allow(kLeafSteps + kPieceSteps * (p.operands(v.node).size() + std::min(opened, kMostOpened)));
  try {
    if (assumes(p, v)) term = p.derive(v);
  } catch (const Limit& limit) {
    why = limit.what();
    t_.open_binders = 0;
    t_.allow(kPieceSteps);  // to be a value of its own
  }
  const bool anchored = !lines.empty() && (lines[0]->kind == LineKind::Anchor || lines[0]->kind == LineKind::Gap);
  const int s = p.distributed() ? 1 : 0;
  const bool taken = &p == &sides_[s] && taken_[s][v.node];
  if (taken && anchored) reject("an anchor for the mask '" + p.name(v.node) + "'");
  Derived result;
  if (!term) {
    if (lines.size() > (anchored ? 1 : 0)) reject("'" + p.name(v.node) + "' is not derived: " + why);
    const std::uint32_t anchor = fresh(p, v, p.name(v.node));
    if (anchored) name(*lines[0], anchor);
    return result;
  }
  result.shallow = std::all_of(t_.opened.begin(), t_.opened.end(), [&](std::uint32_t a) { return t_.by_cases(a); });
  if (anchored) {
    result.anchor = define(p, v, *term);
    name(*lines[0], *result.anchor);
    t_.anchors[*result.anchor].named = lines.size() > 1;
  } else {
    p.conclude(v, taken ? special(t_, ValueKind::NegInf) : *term);
  }
  for (const LineSyntax* line : lines)
    if (line->kind == LineKind::Record) p.conclude(v, record(p, v, *line));
  return result;
}

// Numbers are in the order of the walk, so that a term can only name what exists.
void Check::name(const LineSyntax& line, std::uint32_t anchor) {
  auto& list = line.kind == LineKind::Gap ? names_.gaps : names_.sequential;
  if (line.number != static_cast<std::int64_t>(list.size())) reject("anchors and gaps are numbered in program order");
  if (line.defined && !t_.defined(anchor)) reject(place(line) + " has no definition");
  t_.anchors[anchor].name = (line.kind == LineKind::Gap ? "g" : "s") + std::to_string(list.size());
  list.push_back(anchor);
}

std::uint32_t Check::add_anchor(Program& p, FlatValue v, Anchor a) {
  a.vars = p.variables(v);
  if (a.definition) a.used = used_parts(t_, a.vars, p.context().size(), *a.definition);
  return conclude_read(p, v, std::move(a));
}

std::uint32_t Check::conclude_read(Program& p, FlatValue v, Anchor a) {
  const auto id = static_cast<std::uint32_t>(t_.anchors.size());
  std::vector<Index> index = a.used.empty() ? as_indices(t_, a.vars) : a.used;
  t_.anchors.push_back(std::move(a));
  p.conclude(v, plain_read(t_, id, std::move(index)));
  return id;
}

std::uint32_t Check::fresh(Program& p, FlatValue v, std::string name) {
  return add_anchor(p, v, anchor_of(std::move(name), p.type(v).element, {}));
}

std::uint32_t Check::define(Program& p, FlatValue v, Value definition) {
  Anchor a = anchor_of(p.name(v.node), p.type(v).element, {});
  if (has_unknown(t_, definition)) return add_anchor(p, v, std::move(a));  // its own value is not anything at all
  define(a, definition);
  if (const auto span = in_range(p, v); span && is_integral(a.type) && a.type != ElementType::Pred) {
    a.lo = std::max(a.lo, sized(span->lo));
    a.hi = std::min(a.hi, sized(span->hi));
  }
  return add_anchor(p, v, std::move(a));
}

// With what the definition says of the elements.
Range Check::define(Anchor& a, Value definition) {
  a.definition = definition;
  Range range{a.lo, a.hi};
  if (is_integral(a.type) && a.type != ElementType::Pred) {
    range = integer_range(t_, is_case(t_, definition) ? unfold_all(t_, definition, 1) : definition);
    a.lo = std::max(a.lo, range.lo);
    a.hi = std::min(a.hi, range.hi);
    a.gap = gap_in(t_, definition);
  } else if (is_float(a.type)) {
    a.classes = classes_of(t_, definition);
    a.bounds = bounds_of(t_, definition);
  }
  return range;
}

Value Check::record(Program& p, FlatValue v, const LineSyntax& line) {
  ++records_;
  const Stated own = stated(line, p.variables(v));
  split(line, p.variables(v), [&](const Replace& at) {
    const Value here = at(own.term);
    const Marks marks = line.split.empty() ? own.marks : marks_inside(t_, here, own.marks);
    // Unknown values may stay: what is proved of a value that may be anything holds of its record too. A record may say less.
    const Value left = open(unfold(t_, here, marks), line), derived = open(unfold_all(t_, unfold(t_, at(p.conclusion(v)), marks), line.left), line);
    if (left != derived && left != forget(t_, left, derived)) compare_by_cases(left, derived, line, place(line) + ": the term of the certificate", "the one derived");
  });
  return own.term;
}

}  // namespace gg::checker
