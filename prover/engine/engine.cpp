// The forward pass over both programs.
#include "prover/engine/engine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/base/progress.h"
#include "models/ir/kinds.h"
#include "models/ir/mask_flow.h"
#include "models/op/facts.h"
#include "models/pair/rounded.h"
#include "models/pair/spelled.h"
#include "prover/engine/loop.h"
#include "prover/engine/piecewise.h"
#include "prover/engine/repeat.h"
#include "prover/term/parts.h"

namespace gg::prover {
namespace {

constexpr std::uint64_t kPieceSteps = 500, kFewPieces = 16;  ///< steps for each operand of what is joined of more than so many
constexpr int kRich = 3;                                     ///< operations in one operator's term that make it more than a step of the sequential program

/// Folds, functions, sums and powers inside a term (not in its conditions), counted up to `most`.
int operations(const Terms& t, TermId id, int most) {
  const TermNode& n = t[id];
  if (most <= 0 || n.kind == Kind::Row) return 0;
  int count = n.kind == Kind::Fold || n.kind == Kind::Fn || (n.kind == Kind::Poly && t.summands(id).size() > 1) ? 1 : 0;
  if (n.kind == Kind::Mono)
    for (const Factor& f : t.factors(id)) count += f.exp != RatId::One ? 1 : 0;
  const TermId condition = condition_of(t, id);
  for_each_part(
      t, id, [&](TermId part) {
    if (part != condition) count += operations(t, part, most - count); }, [](LinId, bool) {});
  return count;
}

/// Is there a function of whole rows inside that no line of a certificate says?
bool has_rows(const Terms& t, TermId id) {
  const auto row = [&](TermId part) { return t[part].kind == Kind::Row && (t.row_parts(part).signature & Terms::kOrder) == 0; };
  return some_part(t, id, true, row, [](TermId) { return true; });
}

}  // namespace

Engine::Engine(Case& c, const ProverOptions& options, const std::vector<Assumption>& in_bounds)
    : case_(c), options_(options), in_bounds_(in_bounds), importer_(t_, *c.arena), matcher_(t_), sequential_{Which::Sequential, c.sequential.get(), c.sequential_bodies.get()}, distributed_{Which::Distributed, c.distributed.get(), c.distributed_bodies.get()}, flow_(*c.distributed, c.relation.layout) {
  t_.set_step_limit(options.max_steps);
  t_.exact_integers = exact_integers(c);
  t_.sigmoids_by_exponentials = sigmoids_by_exponentials(c);
}

Engine::~Engine() = default;

std::string Engine::name_of(const Side& side, const Instance& instance) const {
  const std::string own = to_string(*side.module, instance);
  const Module& m = *side.module;
  return side.prefix.empty() ? own : side.prefix + own.substr(m.string(m.computation(m.entry()).name).size());
}

std::size_t Engine::digits_of(const Side& side) const { return side.which == Which::Distributed ? side.bodies->digits().digits().size() : 0; }

void Engine::layout(Side& side) {
  if (side.frame == 0) side.flat = flatten(*side.module);
  std::uint32_t total = 0;
  for (const FlatNode& n : side.flat.nodes) {
    side.first_leaf.push_back(total);
    total += static_cast<std::uint32_t>(side.module->type(n.instruction).leaves().size());
  }
  side.conclusions.assign(total, TermId::Unknown);
  side.masks.assign(side.flat.nodes.size(), false);
  if (side.frame == 0) side.masks = mask_constants(*side.module, side.flat, mask_candidates(*side.module, side.flat));
  side.pending.assign(total, false);
  for (std::uint32_t node = 0; node < side.flat.nodes.size(); ++node) side.literals.push_back(is_literal(side, node));
}

Engine::Extents Engine::extents_of(const Side& side, std::uint32_t node, std::uint32_t leaf) const {
  Extents e;
  if (side.which == Which::Distributed)
    for (const Digit& d : side.bodies->digits().digits()) e.all.push_back(d.extent);
  const Type& type = *side.module->type(side.flat.nodes[node].instruction).leaves()[leaf];
  e.all.insert(e.all.end(), side.times.begin(), side.times.end());
  e.all.insert(e.all.end(), type.dims.begin(), type.dims.end());
  e.type = type.element;
  return e;
}

TermId Engine::at(TermId conclusion, std::span<const LinId> index) { return t_.substitute(conclusion, Terms::Map(0, index)); }

TermId Engine::operand(const Side& side, std::uint32_t node, int operand, std::span<const LinId> index) {
  const FlatValue v = side.flat.operands(side.flat.nodes[node])[static_cast<std::size_t>(operand)];
  return at(side.conclusions[side.first_leaf[v.node] + v.leaf], index);
}

bool Engine::trivial(TermId t) {
  const TermNode n = t_[t];
  switch (n.kind) {
    case Kind::Lit:
    case Kind::Special:
    case Kind::Unknown:
    case Kind::True:
    case Kind::False:
    case Kind::FromInt:
    case Kind::Read: return true;
    case Kind::Int: return n.size <= kMaxTrivial;
    case Kind::Fn: return (t_[t].flags & kTestsNan) != 0 && t_[t].sort == Sort::Bool && trivial(t_.kid(t, 0));  // whether a value is NaN
    case Kind::Not: return trivial(t_.kid(t, 0));
    case Kind::Ge:
    case Kind::Eq:
    case Kind::And:
    case Kind::Or: return t_.index_guard(t) && n.size <= kMaxTrivial;
    case Kind::Poly: {
      if (n.size <= kMaxTrivial && t_.whole(t)) return true;
      const std::vector<Summand> s = t_.summands(t);
      if (s.size() != 1) return false;
      const std::vector<Factor> f = t_.factors(s[0].mono);
      return f.size() == 1 && f[0].exp == RatId::One && trivial(f[0].term);
    }
    case Kind::Case: {
      if (!t_.index_guard(t_.kid(t, 0)) || n.size > kMaxTrivial) return false;
      const TermId a = t_.kid(t, 1), b = t_.kid(t, 2);
      if (a == TermId::Unknown || b == TermId::Unknown) return trivial(a) && trivial(b);  // known of some ranks
      if (t_.choice(t) && (a == TermId::Zero || b == TermId::Zero)) return trivial(a) && trivial(b);
      return t_.is_lit(a) && t_.is_lit(b);
    }
    default: return false;
  }
}

void Engine::walk(Side& side) {
  const auto& inputs = side.which == Which::Sequential ? case_.relation.sequential_inputs : case_.relation.distributed_inputs;
  for (std::size_t k = 0; k < side.flat.inputs.size(); ++k) {
    const FlatValue v = side.flat.inputs[k];
    const TermId t = importer_.body(inputs[k], [&](int input, std::span<const LinId> index) {
      return t_.read(inputs_[static_cast<std::size_t>(input)], index);
    });
    side.at(v) = t;
  }
  walk_nodes(side);
}

void Engine::walk_nodes(Side& side) {
  for (std::uint32_t node = 0; node < side.flat.nodes.size(); ++node) {
    ask_deadline();
    if (node % 64 == 0) enter_share(static_cast<double>(node) / static_cast<double>(side.flat.nodes.size()));
    const FlatNode& n = side.flat.nodes[node];
    if (is_parameter(*side.module, n.instruction)) continue;
    const bool a_loop = is_loop(*side.module, n.instruction);
    const LoopSearch::End loop = a_loop ? LoopSearch(*this, side, node).run() : LoopSearch::End::NotWalked;
    const bool walked = loop != LoopSearch::End::NotWalked;
    if (side.which == Which::Distributed) duties(side, node, walked, loop == LoopSearch::End::Shown);
    if (walked) continue;
    if (take_equal(side, node)) continue;
    const std::size_t leaves = side.module->type(n.instruction).leaves().size();
    for (std::uint32_t k = 0; k < leaves; ++k) leaf(side, node, k);
  }
}

/// The part of a sequential value that a distributed one is assumed to be.
bool Engine::take_equal(Side& side, std::uint32_t node) {
  const auto it = equal_.find(node);
  if (it == equal_.end() || side.which != Which::Distributed || side.frame != 0) return false;
  const TermId whole = sequential_.conclusions[sequential_.first_leaf[it->second.sequential]];
  side.conclusions[side.first_leaf[node]] =
      importer_.body(it->second.body, [&](int, std::span<const LinId> index) { return at(whole, index); });
  ++instructions_;
  ++related_;
  return true;
}

void Engine::leaf(Side& side, std::uint32_t node, std::uint32_t leaf) {
  const Type& type = *side.module->type(side.flat.nodes[node].instruction).leaves()[leaf];
  if (!type.is_array()) return;  // tokens
  if (side.which == Which::Distributed) ++instructions_;
  const auto key = repeats_ ? repeats_->key(side, node, leaf) : std::nullopt;
  const Repeats::Before before = repeats_ ? repeats_->before() : Repeats::Before{};
  TermId t = TermId::Unknown;
  try {
    const std::uint64_t pieces = side.flat.operands(side.flat.nodes[node]).size();
    const StepBudget budget(t_, std::max(options_.value_steps * shares_of_value(), pieces > kFewPieces ? kPieceSteps * pieces : 0));  // not beyond the try: what is left of it would not do for a gap
    t_.take_respelled(0);
    if (key && repeats_->repeat(*key, side, node, leaf)) return;
    t = body_of(side, node, leaf);
    if (side.which == Which::Sequential) conclude_sequential(side, node, leaf, t);
    else conclude_distributed(side, node, leaf, t);
  } catch (const TermLimit& limit) {
    return take_gap(side, node, leaf, limit.what());
  }
  if (repeats_) repeats_->keep(key, before, side, node, leaf, t);
}

TermId Engine::body_of(Side& side, std::uint32_t node, std::uint32_t leaf) {
  const InstructionId id = side.flat.nodes[node].instruction;
  if (const auto row = row_of(side, node, leaf)) return *row;
  const Body* body = side.bodies->body(id, static_cast<int>(leaf));
  if (body == nullptr) throw TermLimit(side.bodies->reason(id));
  // Bodies know rank digits and dimensions; all happens at the same times.
  const std::vector<std::int64_t> all = extents_of(side, node, leaf).all;
  const std::size_t digits = digits_of(side), times = side.times.size();
  std::vector<LinId> levels, now;
  for (std::size_t k = 0; k < all.size(); ++k)
    (k >= digits && k < digits + times ? now : levels).push_back(t_.var(static_cast<VarId>(k), all[k]));
  const auto read = [&](int k, std::span<const LinId> index) {
    std::vector<LinId> whole(index.begin(), index.end());
    whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(digits), now.begin(), now.end());
    return operand(side, node, k, whole);
  };
  const TermId t = importer_.body(*body, levels, read, side.literals[node]);
  return is_mask(side, node, t) ? t_.special(Special::NegInf) : t;
}

/// Two numbers by a condition on indices, none of them zero, as a sum of one of them and a case of a number and zero: 2 eye - 1.
std::vector<Step> Engine::sum_of_literals(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const auto [coef, rest] = t_.content(t);
  if (t_[rest].kind != Kind::Case || !t_.index_guard(t_.kid(rest, 0))) return {};
  const TermId a = t_.kid(rest, 1), b = t_.kid(rest, 2);
  if (!t_.is_lit(a) || !t_.is_lit(b) || a == TermId::Zero || b == TermId::Zero) return {};
  const TermId sum = t_.scale(coef, t_.add(b, t_.choose(t_.kid(rest, 0), t_.add(a, t_.negative(b)), TermId::Zero)));
  auto step = refused(name_of(side, node), leaf) == 0 ? match_whole(sum, 1) : std::nullopt;
  return step ? std::vector{*std::move(step)} : std::vector<Step>();
}

void Engine::conclude(Side& side, std::uint32_t node, std::uint32_t leaf, std::vector<Step> steps) {
  side.at({node, leaf}) = steps.back().after;
  records_.push_back({side.which, node, leaf, std::move(steps), {}, side.frame});
}

/// Integer cases with another spelling are compared value by value.
void Engine::state_respelled(Side& side, std::uint32_t node, std::uint32_t leaf, VarSet digits) {
  const TermId t = side.at({node, leaf});
  const std::vector<VarId> respelled = few_cases(t_.take_respelled(digits), extents_of(side, node, leaf).all);
  if (!respelled.empty() && !has_rows(t_, t)) conclude(side, node, leaf, {{t, {}, 0, respelled}});
}

void Engine::conclude_distributed(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const std::vector<std::int64_t> extents = extents_of(side, node, leaf).all;
  matcher_.stand_at(side.times.empty() ? extents : std::vector<std::int64_t>(), digits_of(side));
  constexpr std::array kAtALook{&Engine::sum_of_literals, &Engine::counted_out, &Engine::decided, &Engine::permuted_shard, &Engine::unmoved, &Engine::running_total};
  for (const auto look : kAtALook) {
    auto steps = (this->*look)(side, node, leaf, t);
    if (steps.empty() || refused(name_of(side, node), leaf) != 0) continue;
    ++related_;
    return conclude(side, node, leaf, std::move(steps));
  }
  const VarSet digits = (VarSet{1} << digits_of(side)) - 1;
  const bool piece = !side.times.empty() && places_block((*side.module)[side.flat.nodes[node].instruction].op);
  if (trivial(t) || (piece && t_[t].size <= kMaxTrivial)) {  // a piece of what a loop gathers: read at the loop's end
    side.at({node, leaf}) = t;
    ++related_;
    return state_respelled(side, node, leaf, digits);
  }
  std::vector<Step> steps;
  const auto before = [&](std::size_t k) { return k == 0 ? t : steps[k - 1].after; };
  if (piecewise_) steps = piecewise_->joined(extents, t);
  if (auto step = steps.empty() ? in_bounds(side, extents, t) : std::nullopt) steps.push_back(*std::move(step));
  const bool deep = grows(side, node, t);
  bool related = improve(t, deep, steps);
  for (std::size_t k = 0; k < steps.size(); ++k) {  // forms with conditions on the rank are compared for each rank
    const TermId after = steps[k].after;
    if (!trivial(after) || attempt == Attempt::Parts) steps[k].split = rank_cases(side, extents, before(k));
    const bool masked = t_[after].kind == Kind::Case && (t_[t_.kid(after, 1)].kind == Kind::Special || t_[t_.kid(after, 2)].kind == Kind::Special);
    if (masked && steps[k].split.empty()) steps[k].split = few_cases(t_[t_.kid(after, 0)].free, extents);
  }
  const std::size_t so_far = steps.size();
  try {
    related = related || (!has_own_block(side, t) && improve_by_cases(side, extents, before(so_far), deep, steps).value_or(false));
  } catch (const TermLimit&) {
    steps.resize(so_far);  // of many ranks: what is computed with it may be shorter
  }
  related = related || guards_outside(t, deep, steps) || join_pieces(extents, t, deep, steps) || conditioned(side, extents, t, false, steps) || edge_opened(side, extents, t, steps);
  const bool off = !related && steps.empty() && !(steps = off_slots(side, t)).empty();
  if (off) related = improve(before(steps.size()), deep, steps);
  if (auto step = related || attempt != Attempt::Compared ? std::nullopt : nearest_block(side, node, leaf, t)) steps = {*std::move(step)}, related = true;
  try {
    if (auto step = related || !steps.empty() ? std::nullopt : running_sum(side, extents, t)) {
      steps.push_back(*std::move(step));
      related = true;
    }
  } catch (const TermLimit&) {
    // The difference may be longer than what it is of.
  }
  if (std::ranges::any_of(steps, [&](const Step& s) { return has_rows(t_, s.after); })) {
    steps.clear();
    related = false;
  }
  const VarSet respelled = t_.take_respelled(digits);
  for (std::size_t k = 0; k < steps.size() && respelled != 0 && !off; ++k) {
    VarSet set = respelled;
    for (const VarId v : steps[k].split) set |= bit(v);
    split_by(steps[k], before(k), set, extents);
  }
  const std::ptrdiff_t refusals = steps.empty() ? 0 : refused(name_of(side, node), leaf);
  for (std::size_t k = 0; refusals == 1 && k < steps.size(); ++k) split_refused(steps[k], before(k), extents);
  if (refusals > 1) return take_gap(side, node, leaf, "the checker does not see this");
  const TermId now = before(steps.size());
  const std::uint32_t most = steps.empty() || steps.back().split.empty() ? kMaxPending : kMaxPending * kMaxRankCases;
  if (!related && keeps_name(side, node, leaf, t)) return;
  if (too_large(t_, now, most)) return take_gap(side, node, leaf, "the term grows too large");
  if (steps.empty()) side.at({node, leaf}) = t;
  else conclude(side, node, leaf, std::move(steps));
  if (related) ++related_;
  else stay_pending(side, node, leaf, "");
}

/// A pending value of one operator is usually resolved by the next (a partial sum by its all-reduce): deeper forms are worth their price where pending values are computed with, and for operators that are whole functions.
bool Engine::grows(const Side& side, std::uint32_t node, TermId t) {
  std::uint32_t largest = 0;
  for (const FlatValue v : side.flat.operands(side.flat.nodes[node])) {
    const std::uint32_t at = side.first_leaf[v.node] + v.leaf;
    if (side.pending[at]) largest = std::max(largest, t_[side.conclusions[at]].size);
  }
  return (largest > 0 && t_[t].size > largest + 2) || operations(t_, t, kRich) >= kRich || matcher_.tested(t);
}

ProofResult Engine::run() {
  ProofResult result;
  make_inputs();
  make_equal();
  loop_memory_ = std::make_unique<LoopMemory>(t_);
  layout(sequential_);
  layout(distributed_);
  if (attempt == Attempt::Pieces) piecewise_ = std::make_unique<Piecewise>(*this);
  else if (options_.refused.empty()) repeats_ = std::make_unique<Repeats>(*this);
  walk(sequential_);
  walk(distributed_);
  prove_outputs(result);
  if (result.proved && !open_.empty()) {
    result.proved = false;
    result.reason = Reason::Termination;
  }
  result.open = open_;
  result.instructions = instructions_;
  result.related = related_;
  result.pending = pending_;
  result.assumptions = assumptions_;
  result.islands = islands_of(result);
  saw_near = attempt == Attempt::Timed && near_block(result.islands);
  result.precision = precision_notes();
  result.decided = decided_tests();
  result.steps = t_.steps();
  result.lemma_uses = t_.uses;
  return result;
}

}  // namespace gg::prover
