// Values that a certificate defines (docs/certificate.md, section 2): no program computes them, but one that computes a batch piece by piece
// has values that are theirs at the number of a piece.
#include "prover/checker/anchor.h"
#include "prover/checker/bounds.h"
#include "prover/checker/check.h"
#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
namespace {

constexpr std::uint64_t kDefinedSteps = 1'000'000;  ///< of one definition

}  // namespace

Value TermBuilder::term(const TermSyntax& s, ElementType type) {
  const Typed v = build(s);
  const Sort wanted = sort_of(type);
  if (v.sort != wanted && (v.sort != Sort::Int || wanted != Sort::Real)) fail(s.where, "a term of another sort than " + std::string(info(type).name));
  return v.value;
}

// A definition says nothing of other values, so nothing can contradict it; what is known of its elements comes from its term alone.
void Check::introduce(const Program& p, FlatValue v, const LineSyntax& line) {
  if (&p != &sides_[0]) reject(place(line) + " defines a value outside of the sequential entry computation");
  if (!line.marks.empty() || line.left > 0 || !line.split.empty()) reject(place(line) + " is a definition, which is not compared with anything");
  if (line.extent < 1) reject(place(line) + " defines a value of no element");
  t_.allow(kDefinedSteps);
  Anchor a = anchor_of("", p.type(v).element, {});
  a.vars.push_back(t_.var(Space::Out, 0, sized_text(line.extent)));
  for (const std::int64_t n : p.type(v).dims) a.vars.push_back(t_.var(Space::Out, static_cast<std::uint32_t>(a.vars.size()), sized(n)));
  const Value definition = TermBuilder(t_, names_, as_indices(t_, a.vars)).term(line.term, a.type);
  if (has_unknown(t_, definition)) reject(place(line) + " defines an unknown value");
  const Range of_type{a.lo, a.hi}, own = define(a, definition);
  if (own.lo < of_type.lo || own.hi > of_type.hi) reject(place(line) + " defines integers beyond " + std::string(info(a.type).name));
  a.used = used_parts(t_, a.vars, 0, definition);
  t_.anchors.push_back(std::move(a));
  name(line, static_cast<std::uint32_t>(t_.anchors.size() - 1));
}

}  // namespace gg::checker
