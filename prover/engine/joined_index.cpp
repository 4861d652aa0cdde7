// A value that is joined of parts, of which a rank has its share each: cat(a, b) over ranks that hold rows of a and of b. Its rows are rows of the sequential
// value, those of the second part further on: the index is solved part by part; parts at equal distances have one form (interleaved, as in a strided layout), others a table.
#include "prover/engine/match.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

/// The variable of a condition on it alone: `v < bound` (below) or `v >= bound`.
struct Bound {
  VarId v;
  std::int64_t extent, at;
  bool below;
};

std::optional<Bound> bound_of(const Terms& t, TermId guard) {
  if (t[guard].kind != Kind::Ge) return std::nullopt;
  const LinId form = t.lin(guard);
  const std::vector<LinTerm> terms = t.term_list(form);
  if (terms.size() != 1 || std::abs(terms[0].coef) != 1) return std::nullopt;
  const AtomNode a = t[terms[0].atom];
  if (a.kind != AtomKind::Var || a.m != 1) return std::nullopt;
  const std::int64_t c0 = t[form].c0;
  return terms[0].coef < 0 ? Bound{a.var, a.extent, c0 + 1, true} : Bound{a.var, a.extent, -c0, false};
}

struct Part {
  TermId definition, term;
  std::int64_t start;          ///< of the variable
  std::vector<LinId> choices;  ///< forms that are not negative where the definition is this part
};

/// Cases on one variable, of the definition and the term alike, as parts in the order of the variable, from `part` on to `end`; one where they are no such cases.
void add_parts(Terms& t, const Part& part, std::int64_t end, std::optional<Bound>& along, std::vector<Part>& parts) {
  const bool cases = t[part.definition].kind == Kind::Case && t[part.term].kind == Kind::Case;
  const auto own = cases ? bound_of(t, t.kid(part.definition, 0)) : std::nullopt, bound = cases ? bound_of(t, t.kid(part.term, 0)) : std::nullopt;
  if (!own || !bound || (along && (bound->v != along->v || bound->at <= part.start || bound->at >= end))) {
    parts.push_back(part);
    return;
  }
  along = bound;
  const LinId form = t.lin(t.kid(part.definition, 0)), other = t.offset(t.scale(-1, form), -1);
  for (const bool below : {true, false}) {
    Part half{t.kid(part.definition, own->below == below ? 1 : 2), t.kid(part.term, bound->below == below ? 1 : 2), below ? part.start : bound->at, part.choices};
    half.choices.push_back(own->below == below ? form : other);
    add_parts(t, half, below ? bound->at : end, along, parts);
  }
}

/// Is the definition at `index` the part's term where the variable is in [start, end)?
bool is_part(Terms& t, const Part& part, const std::vector<LinId>& index, std::span<const std::int64_t> extents, const Bound& along, std::int64_t end) {
  const LinId v = t.var(along.v, along.extent);
  const std::vector<TermId> here = t.conjuncts(t.conj(t.ge(t.offset(v, -part.start)), t.ge(t.offset(t.scale(-1, v), end - 1))));
  if (!t.in_box(index, extents, here)) return false;
  const Terms::Map map(0, index);
  for (const LinId choice : part.choices)
    if (!t.implied(t.substitute(choice, map), here, kImpliedDepth)) return false;
  return t.substitute(part.definition, map) == part.term;
}

/// The index of all parts in one dimension: parts at equal distances, or a table of the places.
LinId one_form(Terms& t, const std::vector<Part>& parts, const std::vector<std::vector<LinId>>& found, std::size_t d, const Bound& along) {
  const std::int64_t length = parts[1].start;
  const LinId step = t.sub(found[1][d], found[0][d]);
  bool even = t.is_num(step);
  for (std::size_t k = 1; k < parts.size() && even; ++k) {
    const auto n = static_cast<std::int64_t>(k);
    even = t.sub(found[k][d], found[0][d]) == t.scale(n, step) && (step == LinId::Zero || parts[k].start == n * length);
  }
  if (even) return t.axpy(t[step].c0, t.var_div(along.v, along.extent, length), found[0][d]);
  const LinId place = t.var(along.v, along.extent);
  std::vector<std::int64_t> further;  // than the first part, at each place
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const LinId more = t.sub(found[k][d], found[0][d]);
    if (!t.is_num(more)) break;
    further.resize(static_cast<std::size_t>(k + 1 == parts.size() ? along.extent : parts[k + 1].start), t[more].c0);
  }
  if (further.size() == static_cast<std::size_t>(along.extent)) return t.add(found[0][d], t.table(std::move(further), place));
  TermId whole = t.integer(found.back()[d]);
  for (std::size_t k = parts.size() - 1; k-- > 0;)
    whole = t.choose(t.ge(t.offset(t.scale(-1, place), parts[k + 1].start - 1)), t.integer(found[k][d]), whole);
  return t.as_lin(whole);
}

}  // namespace

std::vector<LinId> Matcher::joined_index(const Form& form, TermId target) {
  std::optional<Bound> along;
  if (tries_ > kMaxTries) return {};
  std::vector<Part> parts;
  add_parts(t_, {form.term, target, 0, {}}, INT64_MAX, along, parts);
  if (parts.size() < 2 || along->extent > kMaxFunction) return {};
  std::vector<std::vector<LinId>> found(parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    equations_.clear();
    if (!unify(parts[k].definition, parts[k].term, [&] { return ++tries_ > kMaxTries || solve(matched_, found[k]); }) || tries_ > kMaxTries) return {};
    if (!is_part(t_, parts[k], found[k], t_.anchor(form.anchor).extents, *along, parts.size() == k + 1 ? along->extent : parts[k + 1].start)) return {};
  }
  std::vector<LinId> index;
  for (std::size_t d = 0; d < found[0].size(); ++d) {
    const LinId whole = one_form(t_, parts, found, d, *along);
    if (t_[whole].data) return {};  // too many places for a table
    index.push_back(whole);
  }
  return index;
}

}  // namespace gg::prover
