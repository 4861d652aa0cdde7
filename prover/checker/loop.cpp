#include "prover/checker/loop.h"

#include "prover/checker/anchor.h"
#include "prover/checker/cases.h"
#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMaxTrips = std::int64_t{1} << 40;
constexpr std::int64_t kMaxUnrolled = 4096;

}  // namespace

LoopCheck::LoopCheck(Check& check, Program& outer, std::uint32_t node, const LineSyntax& line)
    : check_(check), t_(check.t_), outer_(outer), node_(node), trips_(sized_text(line.number)) {
  if (!within(trips_, kMaxTrips)) throw Rejected{"a loop of too many iterations"};
  position_ = outer.context().size();
  const auto number = static_cast<std::uint32_t>(position_);
  every_ = t_.var(Space::Out, number, trips_ + 1);
  time_ = t_.var(Space::Out, number, std::max<Size>(trips_, 1));
}

// A term over the variables of a carry at another time.
Value LoopCheck::at_time(const Carry& c, Value v, Index time) { return Substitution(t_, {{c.vars[position_], time}})(v); }

std::vector<Value> LoopCheck::all_at(Index time) {
  std::vector<Value> all;
  for (const Carry& c : carries_) all.push_back(at_time(c, c.value, time));
  return all;
}

// C_k of every leaf. Terms of sequential invariants are read before the loop's own anchors have names.
void LoopCheck::open() {
  const std::vector<Var> context = outer_.context();
  const auto operands = outer_.operands(node_);
  for (std::uint32_t leaf = 0; leaf < outer_.leaves(node_); ++leaf) {
    const FlatValue v{node_, leaf};
    Carry c;
    c.leaf = leaf;
    c.vars = context;
    c.vars.push_back(every_);
    std::vector<Index> initial = as_indices(t_, context);
    for (const std::int64_t extent : outer_.type(v).dims) {
      c.vars.push_back(t_.var(Space::Out, static_cast<std::uint32_t>(c.vars.size()), sized(extent)));
      initial.push_back(variable(t_, c.vars.back()));
    }
    c.initial = outer_.at(operands[leaf], initial);
    for (const LineSyntax* line : check_.take_lines(outer_, v)) {
      if (line->kind == LineKind::Invariant) c.invariant = line;
      else if (line->kind == LineKind::Anchor && c.last == nullptr) c.last = line;
      else if (line->kind == LineKind::Carry || line->kind == LineKind::Gap) c.named = line;
      else if (line->kind == LineKind::Closed && c.named != nullptr && c.closed == nullptr) c.closed = line;
      else throw Rejected{Check::place(*line) + ": no line for a leaf of a loop"};
    }
    if (c.invariant != nullptr) {
      auto [term, marks] = check_.stated(*c.invariant, c.vars);
      c.value = term;
      c.marks = std::move(marks);
    }
    carries_.push_back(std::move(c));
  }
  for (Carry& c : carries_) {
    if (c.invariant != nullptr) continue;
    Anchor a = check_.anchor_of(outer_.name(node_), outer_.type({node_, c.leaf}).element, {});
    a.vars = c.vars;
    if (c.named != nullptr && c.named->finite && is_float(a.type)) a.classes = Classes(Classes::kReal);
    c.anchor = static_cast<std::uint32_t>(t_.anchors.size());
    t_.anchors.push_back(a);
    own_.insert(*c.anchor);
    if (c.closed != nullptr) closed_.insert(*c.anchor);
    if (c.named != nullptr) check_.name(*c.named, *c.anchor);
    c.value = plain_read(t_, *c.anchor, as_indices(t_, c.vars));
  }
}

void LoopCheck::compare(const Carry& c, Value stated, Value derived, const LineSyntax& line, const Marks& marks, bool step) {
  const auto wide = [&](Value v) { return unfold_all(t_, unfold(t_, v, marks), line.left); };
  std::vector<Var> vars = c.vars;
  if (step) vars[position_] = time_;  // the base is at time 0, whatever is split
  check_.split(line, vars, [&](const Check::Replace& at) {
    const Value left = wide(at(stated)), whole = wide(at(derived));
    const std::string is = Check::place(line) + ": the term of the certificate";
    if (!outer_.distributed()) check_.compare(left, left, is, "itself");         // no unknown values
    const Value right = outer_.distributed() ? forget(t_, left, whole) : whole;  // less may be said than is known
    if (left == right || (step && (agree(t_, left, right) || agree(t_, peel(t_, left, time_), right)))) return;
    check_.compare(left, whole, is, "the one derived");
  });
}

void LoopCheck::base(const Carry& c) {
  if (c.invariant != nullptr) compare(c, at_time(c, c.value, constant(t_, 0)), c.initial, *c.invariant, c.marks, false);
  if (c.named != nullptr && c.named->finite && !classes_of(t_, c.initial).finite()) {
    throw Rejected{Check::place(*c.named) + ": the initial value may not be finite"};
  }
}

// A computation of the node with these values of its parameters.
static Program inside(const Program& outer, std::uint32_t node, Attr which, const std::vector<Value>& carries, std::optional<Var> time, std::optional<std::int64_t> iteration) {
  Program p(outer, node, outer.module().attributes(outer.instruction(node)).computations(which).at(0), time, iteration);
  for (std::size_t k = 0; k < carries.size(); ++k) p.conclude(p.flat().inputs[k], carries[k]);
  return p;
}

// It has no lines: what has no body in it is anything.
Value Check::condition_over(const Program& outer, std::uint32_t at, const std::vector<Value>& carries, std::optional<Var> time, std::optional<std::int64_t> iteration) {
  Program p = inside(outer, at, Attr::Condition, carries, time, iteration);
  for (std::uint32_t node = 0; node < p.nodes(); ++node) {
    if (p.is_parameter(node)) continue;
    for (std::uint32_t leaf = 0; leaf < p.leaves(node); ++leaf) {
      const FlatValue v{node, leaf};
      if (!p.type(v).is_array()) continue;
      std::optional<Value> term;
      try {
        term = p.derive(v);
      } catch (const Limit&) {
        t_.open_binders = 0;
      }
      if (term) p.conclude(v, *term);
      else fresh(p, v, p.name(node));
    }
  }
  return p.conclusion(p.flat().outputs.at(0));
}

std::vector<Value> Check::body_over(const Program& outer, std::uint32_t at, const std::vector<Value>& carries, std::optional<Var> time, std::optional<std::int64_t> iteration) {
  Program p = inside(outer, at, Attr::Body, carries, time, iteration);
  walk(p);
  std::vector<Value> results;
  for (std::size_t k = 0; k < carries.size(); ++k) results.push_back(p.conclusion(p.flat().outputs[k]));
  return results;
}

void LoopCheck::body() {
  const Index now = variable(t_, time_);
  std::vector<Value> values = all_at(now);
  for (std::size_t k = 0; k < values.size() && same(trips_, 1); ++k)
    if (carries_[k].invariant == nullptr) values[k] = carries_[k].initial;
  const bool sequential = !outer_.distributed();
  if (sequential) {
    std::size_t first = check_.names_.sequential.size();
    for (const Carry& c : carries_) first -= c.named != nullptr ? 1 : 0;
    check_.names_.present.push_back({first, position_, now});
  }
  const std::vector<Value> results = check_.body_over(outer_, node_, values, time_);
  if (sequential) check_.names_.present.pop_back();
  for (Carry& c : carries_) c.result = results[c.leaf];
}

void LoopCheck::step(const Carry& c) {
  if (c.invariant != nullptr) {
    const Value next = at_time(c, c.value, offset(t_, variable(t_, time_), 1));
    compare(c, next, *c.result, *c.invariant, c.marks, true);
  }
  if (c.named != nullptr && c.named->finite && !classes_of(t_, *c.result).finite()) {
    throw Rejected{Check::place(*c.named) + ": the value at the next time may not be finite"};
  }
}

bool LoopCheck::reads(Value v, const std::set<std::uint32_t>& anchors) const {
  for (const Value part : values_inside(t_, v))
    if (t_[part].kind == ValueKind::Read && anchors.count(t_[part].ref) != 0) return true;
  return false;
}

// The closed form of a carry: an induction of its own, with the body's definitions as facts.
Value LoopCheck::close(const Carry& c) {
  const LineSyntax& line = *c.closed;
  const Check::Stated own = check_.stated(line, c.vars);
  const Value form = own.term;
  if (reads(form, closed_)) throw Rejected{Check::place(line) + ": a closed form that reads a carry with a closed form"};
  compare(c, at_time(c, form, constant(t_, 0)), c.initial, line, own.marks, false);
  if (!c.result) return form;  // no iteration
  const Index now = variable(t_, time_);
  const Value result = unfold_all(t_, unfold(t_, *c.result, own.marks), line.left);
  // Every read of the carry, which must be at the present time, by the form.
  const Value derived = replace_reads(t_, result, [&](std::uint32_t anchor, const auto& index, const auto& facts) -> std::optional<Value> {
    if (anchor != *c.anchor) return std::nullopt;
    const Value present = restrict(t_, t_.intern(facts), eq(t_, axpy(t_, -1, now, index[position_])));
    if (present != boolean(t_, true)) throw Rejected{"a closed form whose body reads the carry at another time"};
    return instantiate(t_, anchor, form, index);
  });
  LineSyntax plain = line;  // expanded above
  plain.left = 0;
  compare(c, at_time(c, form, offset(t_, now, 1)), derived, plain, {}, true);
  return form;
}

// Definitions, and the leaves of the node.
void LoopCheck::finish(Carry& c) {
  if (c.closed != nullptr) c.value = close(c);
  if (c.named != nullptr && c.named->kind == LineKind::Carry) {
    std::optional<Value> definition;
    if (c.closed != nullptr) definition = c.value;
    else if (!c.result) definition = c.initial;
    else if (!reads(*c.result, own_)) {
      const Index every = variable(t_, every_);
      const Value before = Substitution(t_, {{time_, offset(t_, every, -1)}})(*c.result);
      definition = choose(t_, eq(t_, every), c.initial, before);
    }
    if (definition && has_unknown(t_, *definition)) definition.reset();
    t_.anchors[*c.anchor].definition = definition;
  }
}

void LoopCheck::unroll() {
  std::vector<Value> values;
  for (const FlatValue initial : outer_.operands(node_)) values.push_back(outer_.conclusion(initial));
  if (!small(trips_, kMaxUnrolled)) throw Rejected{"a loop of too many iterations to be unrolled"};
  const auto trips = static_cast<std::int64_t>(trips_);
  for (std::int64_t iteration = 0; iteration <= trips; ++iteration) {
    if (check_.condition_over(outer_, node_, values, std::nullopt, iteration) != boolean(t_, iteration < trips)) {
      throw Rejected{"'" + outer_.name(node_) + "': the condition is not shown at iteration " + std::to_string(iteration)};
    }
    if (iteration < trips) values = check_.body_over(outer_, node_, values, std::nullopt, iteration);
  }
  for (std::uint32_t leaf = 0; leaf < values.size(); ++leaf) outer_.conclude({node_, leaf}, values[leaf]);
}

void LoopCheck::run() {
  open();
  for (const Carry& c : carries_) base(c);
  const auto condition = [&](Index time) { return check_.condition_over(outer_, node_, all_at(time), time_); };
  if (trips_ > 0 && condition(variable(t_, time_)) != boolean(t_, true)) {
    throw Rejected{"'" + outer_.name(node_) + "': the condition is not shown to hold in all iterations"};
  }
  if (condition(constant(t_, trips_)) != boolean(t_, false)) {
    throw Rejected{"'" + outer_.name(node_) + "': the condition is not shown to fail after the last iteration"};
  }
  if (trips_ > 0) {
    body();
    for (const Carry& c : carries_) step(c);
  }
  for (Carry& c : carries_) finish(c);
  for (const Carry& c : carries_) {
    const FlatValue v{node_, c.leaf};
    std::vector<std::pair<Var, Index>> map{{every_, constant(t_, trips_)}};
    const std::vector<Var> own = outer_.variables(v);
    for (std::size_t k = position_; k < own.size(); ++k) map.emplace_back(c.vars[k + 1], variable(t_, own[k]));
    const Value value = Substitution(t_, std::move(map))(c.value);
    outer_.conclude(v, value);
    if (c.last != nullptr) check_.name(*c.last, check_.define(outer_, v, value));
  }
}

}  // namespace gg::checker
