// Counting iterations, and sequential loops.
#include "prover/engine/loop.h"

#include <algorithm>

#include "models/ir/kinds.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMaxCount = std::int64_t{1} << 30;

}  // namespace

AnchorId LoopMemory::pattern(std::vector<std::int64_t> extents, TermId form) {
  Anchor a;
  a.kind = AnchorKind::Value;
  a.sort = t_[form].sort;
  a.extents = std::move(extents);
  a.form = form;
  return t_.add_anchor(std::move(a));
}

// Patterns never occur in terms: only what a match finds for their parameters is used.
void LoopMemory::add(AnchorId anchor, std::int64_t trips, std::size_t times, TermId initial, TermId result) {
  carries.push_back({anchor, trips, times, result, Matcher(t_), Matcher(t_)});
  std::vector<std::int64_t> extents = t_.anchor(anchor).extents;
  Terms::Map without_time;
  for (std::size_t k = times + 1; k < extents.size(); ++k)
    without_time.set(static_cast<VarId>(k), t_.var(static_cast<VarId>(k - 1), extents[k]));
  extents[times] = trips;
  if (result != TermId::Unknown) carries.back().result.add(pattern(extents, result));
  extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(times));
  if (t_[initial].free != 0) carries.back().initial.add(pattern(extents, t_.substitute(initial, without_time)));
}

void LoopMemory::add_recurrence(Carry& carry, TermId form) {
  std::vector<std::int64_t> extents = t_.anchor(carry.anchor).extents;
  extents[carry.times] = carry.trips;
  carry.recurrence.emplace(t_);
  carry.recurrence->add(pattern(std::move(extents), form));
}

TermId LoopMemory::start() {
  if (!start_) {
    Anchor a;
    a.kind = AnchorKind::Opaque;
    a.attributes.finite = a.attributes.below_inf = true;
    start_ = t_.add_anchor(std::move(a));
  }
  return t_.read(*start_, {});
}

LoopSearch::LoopSearch(Engine& engine, Engine::Side& side, std::uint32_t node)
    : e_(engine), side_(side), t_(engine.t_), node_(node) {}

bool LoopSearch::prepare() {
  const Module& module = *side_.module;
  const InstructionId id = side_.flat.nodes[node_].instruction;
  body_ = flatten(module, module.attributes(id).computations(Attr::Body).at(0));
  condition_ = flatten(module, module.attributes(id).computations(Attr::Condition).at(0));
  const auto operands = side_.flat.operands(side_.flat.nodes[node_]);
  for (std::uint32_t k = 0; k < operands.size(); ++k) {
    if (!module.type(id).leaves()[k]->is_array()) return false;
    Carry c;
    c.extents = e_.extents_of(side_, node_, k).all;
    const std::size_t context = e_.digits_of(side_) + side_.times.size();
    position_ = static_cast<VarId>(context);
    std::vector<LinId> index;
    for (std::size_t d = 0; d < c.extents.size(); ++d)
      index.push_back(t_.var(static_cast<VarId>(d < context ? d : d + 1), c.extents[d]));
    if (c.extents.size() + 1 > kFreeVars) return false;
    c.initial = e_.operand(side_, node_, static_cast<int>(k), index);
    c.extents.insert(c.extents.begin() + position_, 0);
    carries_.push_back(std::move(c));
  }
  return true;
}

/// Is the carry the same in all iterations?
bool LoopSearch::handed_on(std::uint32_t leaf) const {
  FlatValue v = body_.outputs[leaf];
  while (is_copy(*side_.module, body_.nodes[v.node].instruction)) v = body_.operands(body_.nodes[v.node])[0];
  return v == body_.inputs[leaf];
}

/// A scalar of the body or condition as a function of one carry, if it hangs on nothing else but scalars that are handed on.
std::optional<TermId> LoopSearch::cone(const FlatProgram& flat, FlatValue value, std::uint32_t leaf, TermId counter) {
  const FlatNode& n = flat.nodes[value.node];
  if (is_parameter(*side_.module, n.instruction)) {
    if (value.leaf == leaf) return counter;
    const Carry& other = carries_[value.leaf];
    return other.extents.size() == std::size_t{position_} + 1 && handed_on(value.leaf) ? std::optional(other.initial) : std::nullopt;
  }
  const Body* body = side_.bodies->body(n.instruction, static_cast<int>(value.leaf));
  if (body == nullptr || !side_.module->type(n.instruction).leaves()[value.leaf]->dims.empty()) return std::nullopt;
  std::vector<TermId> kids;
  for (const FlatValue v : flat.operands(n)) {
    const auto kid = cone(flat, v, leaf, counter);
    if (!kid) return std::nullopt;
    kids.push_back(*kid);
  }
  const std::vector<LinId> digits = t_.variables(std::span(body->extents).first(e_.digits_of(side_)));
  return e_.importer_.body(*body, digits, [&](int k, std::span<const LinId>) { return kids[static_cast<std::size_t>(k)]; });
}

/// For how many T from 0 on a condition on T holds.
std::optional<std::int64_t> LoopSearch::trips_while(TermId condition) {
  const TermNode n = t_[condition];
  if (condition == TermId::False) return 0;
  const bool negated = n.kind == Kind::Not;
  const TermId test = negated ? t_.kid(condition, 0) : condition;
  if (t_[test].kind != (negated ? Kind::Eq : Kind::Ge)) return std::nullopt;
  const LinId l = t_.lin(test);
  const std::vector<LinTerm> terms = t_.term_list(l);
  const std::int64_t c0 = t_[l].c0;
  if (terms.size() != 1 || t_[terms[0].atom].kind != AtomKind::Var || t_[terms[0].atom].m != 1) return std::nullopt;
  const std::int64_t c1 = terms[0].coef;
  if (negated) return c0 % c1 == 0 && -c0 / c1 >= 0 ? std::optional(-c0 / c1) : std::nullopt;
  if (c1 >= 0) return std::nullopt;
  return c0 < 0 ? 0 : c0 / -c1 + 1;
}

/// What each iteration adds to an integer that is a number at first.
std::optional<std::int64_t> LoopSearch::step_of(std::uint32_t leaf) {
  const Carry& c = carries_[leaf];
  if (t_[c.initial].kind != Kind::Int || !t_.is_num(t_.lin(c.initial)) || c.extents.size() != std::size_t{position_} + 1) return std::nullopt;
  const auto next = cone(body_, body_.outputs[leaf], leaf, c.initial);
  if (!next || t_[*next].kind != Kind::Int) return std::nullopt;
  const LinId step = t_.sub(t_.lin(*next), t_.lin(c.initial));
  return t_.is_num(step) ? std::optional(t_[step].c0) : std::nullopt;
}

/// An integer at times 0 to `trips`, if each iteration adds as much as the first: what wraps around does not.
std::optional<TermId> LoopSearch::counter(std::uint32_t leaf, std::int64_t trips) {
  const auto step = step_of(leaf);
  if (!step) return std::nullopt;
  const auto at = [&](std::int64_t extent, std::int64_t later) {
    return t_.integer(t_.axpy(*step, t_.offset(t_.var(position_, extent), later), t_.lin(carries_[leaf].initial)));
  };
  if (trips > 0 && cone(body_, body_.outputs[leaf], leaf, at(trips, 0)) != at(trips, 1)) return std::nullopt;
  return at(trips + 1, 0);
}

// A counter: constant at first, plus a constant in each iteration; the condition compares it.
bool LoopSearch::count() {
  for (std::uint32_t k = 0; k < carries_.size(); ++k) {
    const std::int64_t s = step_of(k).value_or(0);
    if (s == 0) continue;
    const std::int64_t a = t_[t_.lin(carries_[k].initial)].c0;
    const LinId at = t_.offset(t_.scale(s, t_.var(position_, kMaxCount / std::abs(s) / 2)), a);
    const auto holds = cone(condition_, condition_.outputs.at(0), k, t_.integer(at));
    if (!holds) continue;
    const auto trips = trips_while(*holds);
    if (!trips || *trips > kMaxCount / std::abs(s) / 2 || !counter(k, *trips)) continue;
    trips_ = *trips;
    return true;
  }
  return false;
}

// Counters, and carries that the body hands on.
void LoopSearch::recognise() {
  for (std::uint32_t k = 0; k < carries_.size(); ++k) {
    Carry& c = carries_[k];
    c.extents[position_] = trips_ + 1;
    c.value = handed_on(k) ? std::optional(c.initial) : counter(k, trips_);
  }
}

TermId LoopSearch::at_time(TermId value, LinId time) { return t_.substitute(value, Terms::Map(position_, time)); }

/// A carry's anchor at a time.
TermId LoopSearch::own(const Carry& c, LinId time) {
  std::vector<LinId> index = t_.variables(c.extents);
  index[position_] = time;
  return t_.read(*c.anchor, index);
}

/// An anchor is that of a sequential carry, finite at all times unless an earlier run found otherwise.
void LoopSearch::carry(AnchorId anchor, std::uint32_t leaf, TermId initial) {
  AnchorPlace& place = e_.places_[anchor];
  place.carry = true;
  place.finite = t_.anchor(anchor).sort == Sort::Real && t_.attributes(initial).finite && e_.not_finite.count(finite_key(leaf)) == 0;
  Attributes& known = t_.anchor(anchor).attributes;
  known.finite = known.below_inf = place.finite;
}

AnchorId LoopSearch::new_anchor(Carry& c, std::uint32_t leaf) {
  const bool sequential = side_.which == Which::Sequential;
  c.leaf.anchor = c.anchor = e_.anchor_of_type(side_, node_, leaf, sequential ? AnchorKind::Value : AnchorKind::Gap, c.extents);
  if (sequential) carry(*c.anchor, leaf, c.initial);
  return *c.anchor;
}

Engine::Side& LoopSearch::enter(AnchorId first_own, std::optional<std::int64_t> iteration, bool timed) {
  timed = timed && !iteration;
  Engine::Side frame{side_.which, side_.module, side_.bodies, body_, side_.times, static_cast<std::uint32_t>(e_.frames_.size() + 1)};
  frame.prefix = e_.name_of(side_, node_);
  frame.prefix.erase(frame.prefix.rfind('%'), 1);
  if (iteration) frame.prefix += "#" + std::to_string(*iteration);
  if (timed) frame.times.push_back(trips_);
  frame.first_own = side_.first_own;
  if (side_.which == Which::Sequential && timed) frame.first_own.push_back(first_own);
  e_.frames_.push_back(std::move(frame));
  e_.layout(e_.frames_.back());
  return e_.frames_.back();
}

/// The body in a frame of its own, its parameters being `inputs`: the results.
std::vector<TermId> LoopSearch::walk(Engine::Side& frame, const std::vector<TermId>& inputs) {
  for (std::size_t k = 0; k < inputs.size(); ++k) frame.at(body_.inputs[k]) = inputs[k];
  e_.walk_nodes(frame);
  std::vector<TermId> results;
  for (const FlatValue v : body_.outputs) results.push_back(frame.at(v));
  return results;
}

// One symbolic pass: the body at time t under what is known or named of the carries.
void LoopSearch::walk_body(AnchorId first_own) {
  Engine::Side& frame = enter(first_own);
  std::vector<TermId> inputs;
  for (const Carry& c : carries_) {
    inputs.push_back(c.value ? at_time(*c.value, now()) : trips_ == 1 ? c.initial
                                                                      : own(c, now()));
  }
  const std::vector<TermId> results = walk(frame, inputs);
  for (std::size_t k = 0; k < carries_.size(); ++k) carries_[k].result = results[k];
}

/// The node's leaf: the carry after the last iteration.
void LoopSearch::conclude(const Carry& c, std::uint32_t leaf) {
  const TermId value = c.leaf.closed ? *c.leaf.closed : c.value ? *c.value
                                                                : own(c, t_.var(position_, trips_ + 1));
  Terms::Map map(position_, t_.num(trips_));
  for (std::size_t d = position_ + 1U; d < c.extents.size(); ++d)
    map.set(static_cast<VarId>(d), t_.var(static_cast<VarId>(d - 1), c.extents[d]));
  const TermId last = t_.substitute(value, map);
  const bool anchored = side_.which == Which::Sequential && !e_.trivial(last) && (t_[last].flags & kHasUnknown) == 0;
  side_.conclusions[side_.first_leaf[node_] + leaf] = anchored ? e_.new_anchor(side_, node_, leaf, last) : last;
}

void LoopSearch::conclude_all() {
  LoopRecord record{{side_.which, node_, 0, side_.frame}, false, trips_, {}};
  for (std::uint32_t k = 0; k < carries_.size(); ++k) {
    Carry& c = carries_[k];
    if (!c.anchor) c.leaf.value = *c.value;
    conclude(c, k);
    record.leaves.push_back(c.leaf);
  }
  e_.loops_.push_back(std::move(record));
}

LoopSearch::End LoopSearch::run() {
  if (!prepare()) return End::NotWalked;
  const bool followed = e_.attempt == Engine::Attempt::Followed;
  const End first = followed ? simulate() : End::NotWalked;
  if (first != End::NotWalked) return first;
  if (!count()) return followed ? End::NotWalked : simulate();
  e_.saw_loop = true;
  if (e_.attempt == Engine::Attempt::UnrollAll && trips_ <= kMaxUnrolled) {
    unroll();
    return End::Shown;
  }
  recognise();
  if (side_.which == Which::Distributed) distributed();
  else sequential();
  return End::Shown;
}

/// Iteration by iteration, as if the body were written so many times.
void LoopSearch::unroll() {
  std::vector<TermId> values;
  const auto operands = side_.flat.operands(side_.flat.nodes[node_]);
  for (const FlatValue v : operands) values.push_back(side_.conclusions[side_.first_leaf[v.node] + v.leaf]);
  for (std::int64_t iteration = 0; iteration < trips_; ++iteration) values = walk(enter(0, iteration), values);
  for (std::size_t k = 0; k < values.size(); ++k) side_.conclusions[side_.first_leaf[node_] + k] = values[k];
  e_.loops_.push_back({{side_.which, node_, 0, side_.frame}, true, trips_, {}});
}

void LoopSearch::sequential() {
  const auto first_own = static_cast<AnchorId>(t_.anchors());
  for (std::uint32_t k = 0; k < carries_.size(); ++k)
    if (!carries_[k].value) new_anchor(carries_[k], k);
  if (trips_ > 0) walk_body(first_own);
  close_all();
  NotFinite not_finite;
  for (std::uint32_t k = 0; k < carries_.size() && trips_ > 0; ++k) {
    const Carry& c = carries_[k];
    if (c.anchor && e_.places_[*c.anchor].finite && !t_.attributes(c.result).finite) not_finite.carries.push_back(finite_key(k));
  }
  if (!not_finite.carries.empty()) throw not_finite;
  for (Carry& c : carries_)
    if (c.anchor) define(c);
  conclude_all();
}

bool LoopSearch::reads(TermId term, AnchorId anchor) {
  const std::vector<AnchorId> all = Matcher(t_).reads_of(term);
  return std::find(all.begin(), all.end(), anchor) != all.end();
}

bool LoopSearch::reads_carry(TermId term, bool (*which)(const Carry&)) {
  const std::vector<AnchorId> all = Matcher(t_).reads_of(term);
  return std::any_of(carries_.begin(), carries_.end(), [&](const Carry& c) { return c.anchor && which(c) && std::find(all.begin(), all.end(), *c.anchor) != all.end(); });
}

// After the body: what a carry is at time T in terms of time T - 1.
void LoopSearch::define(Carry& c) {
  const LinId every = t_.var(position_, trips_ + 1);
  TermId form = c.initial;
  bool known = trips_ == 0;
  if (!known) {
    if (c.leaf.closed) {
      form = *c.leaf.closed;
      known = true;
    } else {
      known = !reads_carry(c.result, [](const Carry&) { return true; });
      if (known) form = t_.choose(t_.eq(every), c.initial, at_time(c.result, t_.offset(every, -1)));
    }
  }
  if (!known) return;
  Anchor& a = t_.anchor(*c.anchor);
  a.form = form;
  const TermId shape = t_.content(form).second;
  t_.anchor(*c.anchor).transparent = t_[shape].kind == Kind::Case && t_.index_guard(t_.kid(shape, 0));
  e_.loop_memory_->add(*c.anchor, trips_, side_.times.size(), c.initial, trips_ > 0 ? c.result : TermId::Unknown);
}

}  // namespace gg::prover
