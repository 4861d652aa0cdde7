// The check itself (docs/certificate.md, section 1): both programs are walked in order; each leaf's term is recomputed
// from its body and the operands' conclusions; records replace it only after both sides, expanded where the certificate
// says, have become the same term; at the end the output claims are compared in the same way.
#include "prover/checker/check.h"

#include <algorithm>

#include "models/ir/structure.h"
#include "models/pair/rounded.h"
#include "models/pair/spelled.h"
#include "prover/checker/anchor.h"
#include "prover/checker/bounds.h"
#include "prover/checker/cases.h"
#include "prover/checker/choice.h"
#include "prover/checker/loop.h"
#include "prover/checker/number.h"
#include "prover/checker/print.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/translate.h"

namespace gg::checker {
namespace {

constexpr std::uint64_t kCaseSteps = 1'000'000;             ///< of two terms by cases
constexpr std::int64_t kMaxPieced = std::int64_t{1} << 40;  ///< extent of a variable that is cut into pieces
constexpr int kMoreLevels = 8;                              ///< of an output whose sides have not met
constexpr std::uint64_t kOutputSteps = 2'000'000;           ///< of one output

// May a leaf have lines of both kinds? Records follow each other; a leaf of a loop has one line for the time in it, and may
// have a closed form and an anchor for the value after it.
bool exclusive(LineKind a, LineKind b) {
  if (a == b) return a != LineKind::Record;
  if (a == LineKind::Define || b == LineKind::Define) return a != LineKind::Record && b != LineKind::Record;
  if (a == LineKind::Closed || b == LineKind::Closed) return a == LineKind::Record || b == LineKind::Record;
  const LineKind other = a == LineKind::Anchor ? b : a;
  return (a != LineKind::Anchor && b != LineKind::Anchor) || (other != LineKind::Carry && other != LineKind::Invariant && other != LineKind::Record);
}

}  // namespace

Check::Check(const CertificateSyntax& certificate, Case& c, bool recheck)
    : certificate_(certificate), case_(c), sides_{Program(t_, *c.sequential, *c.sequential_bodies, false), Program(t_, *c.distributed, *c.distributed_bodies, true)}, repeats_(t_), recheck_(recheck), flow_(*c.distributed, c.relation.layout) {
  for (Program& p : sides_) p.make_late = [this, &p](FlatValue v) { return late_conclusion(p, v); };
  t_.exact_integers = exact_integers(c);
  t_.sigmoids_by_exponentials = sigmoids_by_exponentials(c);
  t_.derive_late = [this](std::uint32_t anchor) { return late_definition(anchor); };
}

CheckResult Check::run() {
  CheckResult result;
  try {
    inputs();
    sort_lines();
    for (const int s : {0, 1}) find_masks(s);
    walk(sides_[0]);
    walk(sides_[1]);
    for (const auto& [name, mask] : masks_)
      if (!mask.met) reject("'" + name + "' is no constant of the program");
    for (const Assumption& a : assumed_) {
      const bool duty = a.kind == AssumptionKind::Terminates || a.kind == AssumptionKind::Uniform;
      if (duty && needed_.count(a) == 0) reject(to_string(a) + " is assumed, and nothing needs it");
    }
    if (unused_ > 0) reject(std::to_string(unused_) + " lines whose instruction does not exist or is not reached");
    outputs();
    result.accepted = true;
  } catch (const Rejected& r) {
    result.problem = r.problem;
  } catch (const Limit& limit) {
    result.limited = true;
    result.problem = std::string("limit of the checker: ") + limit.what() + (refused_ ? " at '" + refused_->instance + "'" : "");
  }
  if (!result.accepted) result.refused = refused_;
  result.records = records_;
  result.repeated = repeated_;
  result.steps = t_.steps();
  result.assumptions = assumed_;
  return result;
}

Anchor Check::anchor_of(std::string name, ElementType type, const std::vector<std::int64_t>& extents) {
  Anchor a;
  a.name = std::move(name);
  a.type = type;
  for (const std::int64_t n : extents) a.vars.push_back(t_.var(Space::Out, static_cast<std::uint32_t>(a.vars.size()), sized(n)));
  const Range all = is_integral(type) ? range_of_type(type) : Range{-kFar, kFar};
  a.lo = all.lo;
  a.hi = all.hi;
  if (is_integral(type)) a.classes = Classes(Classes::kReal);
  return a;
}

// Lines by their instance; numbering at once.
void Check::sort_lines() {
  std::int64_t arrays = 0, anchors = 0, gaps = 0;
  for (const LineSyntax& line : certificate_.lines) {
    if (line.kind == LineKind::Output) {
      if (!outputs_.emplace(line.number, &line).second) reject("output " + std::to_string(line.number) + " twice");
      continue;
    }
    const bool named = line.kind == LineKind::Anchor || line.kind == LineKind::Define || line.kind == LineKind::Carry;
    const int s = line.distributed && !named ? 1 : 0;
    if (line.kind == LineKind::Array) {
      const ConstantArray* data = constant_at(s == 0 ? *case_.sequential : *case_.distributed, line.instance);
      if (data == nullptr || line.number != arrays++) reject("'" + line.instance + "' as an array");
      names_.arrays.push_back(elements_of(t_, *data));
      continue;
    }
    ++unused_;
    if (line.kind == LineKind::Loop) {
      if (!loops_[s].emplace(line.instance, &line).second) reject("two loop lines for '" + line.instance + "'");
      continue;
    }
    if (named && line.number != anchors++) reject("anchors are numbered from 0 in order");
    if (line.kind == LineKind::Gap) {
      if (!line.distributed) reject("a gap in the sequential program");
      if (line.number != gaps++) reject("gaps are numbered from 0 in order");
    }
    Lines& list = lines_[s][line.instance][static_cast<std::uint32_t>(line.leaf)];
    const auto excludes = [&](const LineSyntax* other) { return exclusive(line.kind, other->kind); };
    if (std::any_of(list.begin(), list.end(), excludes)) reject("two lines for '" + line.instance + "'");
    list.push_back(&line);
  }
}

const Check::Lines& Check::lines(const Program& p, FlatValue v) const {
  static const Lines kNone;
  const auto& all = lines_[p.distributed() ? 1 : 0];
  const auto leaves = all.find(p.name(v.node));
  if (leaves == all.end()) return kNone;
  const auto list = leaves->second.find(v.leaf);
  return list == leaves->second.end() ? kNone : list->second;
}

const Check::Lines& Check::take_lines(const Program& p, FlatValue v) {
  const Lines& list = lines(p, v);
  unused_ -= list.size();
  return list;
}

// A loop's line is used once: the node is entered once a frame.
const LineSyntax* Check::loop_line(const Program& p, std::uint32_t node) {
  if (structure_of(p.op(node)) != Structure::Loop) return nullptr;
  const auto it = loops_[p.distributed() ? 1 : 0].find(p.name(node));
  if (it == loops_[p.distributed() ? 1 : 0].end()) return nullptr;
  --unused_;
  return it->second;
}

void Check::walk(Program& p) {
  for (std::uint32_t node = 0; node < p.nodes(); ++node) {
    if (p.is_parameter(node)) continue;
    const LineSyntax* line = loop_line(p, node);
    if (p.distributed()) duties(p, node, line);
    for (std::uint32_t leaf = 0; leaf < p.leaves(node); ++leaf) {
      const bool array = p.type({node, leaf}).is_array();
      if (line == nullptr && array) conclude(p, {node, leaf});
      if (line != nullptr && !array) reject("'" + line->instance + "': a loop that carries a token");
    }
    if (line != nullptr && line->simulated) SimulationCheck(*this, p, node, *line).run();
    else if (line != nullptr && line->unrolled) LoopCheck(*this, p, node, *line).unroll();
    else if (line != nullptr) LoopCheck(*this, p, node, *line).run();
  }
}

std::string Check::place(const LineSyntax& line) {
  if (line.kind == LineKind::Output) return "output " + std::to_string(line.number);
  return "'" + line.instance + "' leaf " + std::to_string(line.leaf) + " (line " + std::to_string(line.where.line) + ")";
}

void Check::split(const LineSyntax& line, const std::vector<Var>& vars, const std::function<void(const Replace&)>& each) {
  refused_ = line.kind == LineKind::Output ? CertificateLine{place(line), 0} : CertificateLine{line.instance, static_cast<std::uint32_t>(line.leaf)};
  std::int64_t points = 1;
  std::vector<Var> own;
  std::vector<std::vector<std::int64_t>> ends;  // of the pieces, after 0; none: each value
  for (std::size_t k = 0; k < line.split.size(); ++k) {
    const std::int64_t v = line.split[k];
    if (v >= static_cast<std::int64_t>(vars.size()) || (k > 0 && v <= line.split[k - 1])) reject(place(line) + " splits on no variable of it, ascending");
    own.push_back(vars[static_cast<std::size_t>(v)]);
    const Size extent = t_[own.back()].extent;
    ends.push_back(line.starts[k]);
    if (!ends[k].empty()) {
      if (!small(extent, kMaxPieced)) reject(place(line) + " cuts a variable whose extent is no number");
      ends[k].push_back(static_cast<std::int64_t>(extent));
      if (ends[k][0] != 0 || std::adjacent_find(ends[k].begin(), ends[k].end(), std::greater_equal()) != ends[k].end()) reject(place(line) + " cuts a variable at no places of it, 0 and ascending");
      points *= static_cast<std::int64_t>(ends[k].size()) - 1;
    } else points *= small(extent, kMaxLineCases) ? static_cast<std::int64_t>(extent) : kMaxLineCases + 1;
    if (points > kMaxLineCases) reject(place(line) + " splits into more than " + std::to_string(kMaxLineCases) + " cases");
  }
  if (!own.empty()) t_.allow(kOutputSteps);
  for (std::int64_t point = 0; point < points; ++point) {
    std::vector<std::pair<Var, Index>> map;
    std::int64_t rest = point;
    for (std::size_t k = 0; k < own.size(); ++k) {
      const VarNode var = t_[own[k]];
      const std::int64_t pieces = ends[k].empty() ? static_cast<std::int64_t>(var.extent) : static_cast<std::int64_t>(ends[k].size()) - 1;
      const auto piece = static_cast<std::size_t>(rest % pieces);
      rest /= pieces;
      const std::int64_t first = ends[k].empty() ? static_cast<std::int64_t>(piece) : ends[k][piece], length = ends[k].empty() ? 1 : ends[k][piece + 1] - first;
      map.emplace_back(own[k], offset(t_, variable(t_, t_.var(var.space, var.number, sized_text(length))), sized_text(first)));
    }
    Substitution substitute(t_, std::move(map));
    each([&](Value v) { return own.empty() ? v : substitute(v); });
  }
  refused_.reset();
}

Check::Stated Check::stated(const LineSyntax& line, const std::vector<Var>& vars) {
  TermBuilder builder(t_, names_, as_indices(t_, vars));
  const Value term = builder.term(line.term);
  for (const TermSyntax& m : line.marks) builder.mark(m);
  std::int64_t most = line.left;
  for (const auto& [anchor, levels] : builder.marks()) most = std::max(most, levels);
  if (most > kMaxLineLevels) reject(place(line) + ": more than " + std::to_string(kMaxLineLevels) + " levels");
  return {term, builder.marks()};
}

void Check::compare(Value a, Value b, const std::string& left, const std::string& right) {
  for (const Value v : {a, b})
    if (has_unknown(t_, v)) reject(left + " or " + right + " has an unknown value");
  if (a != b) reject(left + " is " + print(t_, a) + " and " + right + " is " + print(t_, b));
}

// Where the two sides have two spellings, they are compared in the cases that they hang on, with short folds written out.
void Check::compare_by_cases(Value a, Value b, const LineSyntax& line, const std::string& left, const std::string& right) {
  if (a != b && line.split.empty()) t_.allow(kCaseSteps);  // a case is small
  const bool known = !has_unknown(t_, a) && !has_unknown(t_, b);
  if (known && (a == b || agree_by_branches(t_, a, b) || agree(t_, a, b))) return;
  Value x = a, y = b;  // where an output's branches have been opened unequally far
  for (int more = 0; known && line.right > 0 && more < kMoreLevels && x != y; ++more) x = unfold_all(t_, x, 1), y = unfold_all(t_, y, 1);
  if (!known || x != y) compare(a, b, left, right);
}

void Check::outputs() {
  bool any = false;
  for (std::size_t k = 0; k < case_.relation.outputs.size(); ++k) {
    const OutputClaim& claim = case_.relation.outputs[k];
    const auto it = outputs_.find(static_cast<std::int64_t>(k));
    if (claim.kind == OutputClaim::Kind::Ignored) {
      if (it != outputs_.end()) reject("output " + std::to_string(k) + " is not compared");
      continue;
    }
    if (!compares(*case_.arena, claim)) reject("no element of output " + std::to_string(k) + " is compared");
    if (it == outputs_.end()) reject("no line for output " + std::to_string(k));
    output(claim, *it->second);
    any = true;
  }
  if (!any) reject("no output is compared");
  if (outputs_.size() > case_.relation.outputs.size()) reject("a line for an output that does not exist");
}

Value Check::open(Value v, const LineSyntax& line) {
  for (const TermSyntax& s : line.opened) {
    const auto& list = s.head == "s" ? names_.sequential : names_.gaps;
    if (static_cast<std::size_t>(s.number) >= list.size()) reject(place(line) + ": there is no " + s.head + std::to_string(s.number));
    v = unfold(t_, v, {{list[static_cast<std::size_t>(s.number)], 1}});
  }
  return v;
}

void Check::output(const OutputClaim& claim, const LineSyntax& line) {
  if (std::max(line.left, line.right) > kMaxLineLevels) reject(place(line) + ": more than " + std::to_string(kMaxLineLevels) + " levels");
  t_.allow(kOutputSteps);
  const std::size_t digits = case_.relation.digits.digits().size();
  std::vector<Var> vars;
  for (const std::int64_t extent : claim.extents) {
    const auto k = static_cast<std::uint32_t>(vars.size());
    vars.push_back(t_.var(k < digits ? Space::Rank : Space::Out, k, sized(extent)));
  }
  const std::vector<Index> own = as_indices(t_, vars);
  const bool real = is_float((*case_.arena)[claim.sequential].type);
  Value side[2];
  for (int s = 0; s < 2; ++s) {
    Operands reads;
    reads.read = [&](int leaf, const std::vector<Index>& index) {
      return sides_[s].at(sides_[s].flat().outputs[static_cast<std::size_t>(leaf)], index);
    };
    Translator translate(t_, *case_.arena, own, reads);
    const ExprId claimed = s == 0 ? claim.sequential : claim.distributed;
    const Value v = translate.value(claimed);
    const bool boolean_output = (*case_.arena)[claimed].type == ElementType::Pred;
    const Value none = boolean_output ? boolean(t_, false) : number(t_, 0);
    side[s] = choose(t_, translate.guard(claim.compared), v, none);
  }
  split(line, vars, [&](const Replace& at) {
    Value there = open(unfold_all(t_, at(side[1]), line.left), line), here = open(unfold_all(t_, at(side[0]), line.right), line);
    // Nothing is claimed where the sequential one is not finite.
    if (there != here && real && !has_unknown(t_, there) && !has_unknown(t_, here) && same_where_finite(t_, here, there)) return;
    compare_by_cases(there, here, line, place(line) + " of the distributed program", "the sequential one");
  });
}

}  // namespace gg::checker

#ifndef GG_OF_SIZES
namespace gg {

CheckResult check_certificate(std::string_view text, const std::string& file, Case& c, bool recheck) {
  const checker::CertificateSyntax certificate = checker::parse_certificate(text, file);
  const std::pair<const std::string*, const std::string*> hashes[] = {
      {&certificate.sequential, &c.hashes.sequential}, {&certificate.distributed, &c.hashes.distributed}, {&certificate.relation, &c.hashes.relation}};
  std::uint32_t line = 2;
  for (const auto& [stated, actual] : hashes) {
    if (*stated != *actual) {
      throw InputError(DiagCode::CertificateHash, {file, line, 1}, "the certificate is of another input: " + *stated + " instead of " + *actual);
    }
    ++line;
  }
  return checker::Check(certificate, c, recheck).run();
}

}  // namespace gg
#endif
