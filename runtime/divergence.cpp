// The trace behind blame (runtime/divergence.h).
#include "runtime/divergence.h"

#include <xxhash.h>

#include <algorithm>

#include "models/base/text.h"
#include "models/ir/kinds.h"
#include "models/ir/structure.h"
#include "models/op/facts.h"
#include "runtime/differential.h"
#include "runtime/value.h"

namespace gg {
namespace {

constexpr std::size_t kManySources = 6;
constexpr std::size_t kMaxSamples = std::size_t{1} << 25U;  ///< numbers kept of a trace
constexpr std::size_t kMaxBytes = std::size_t{1} << 28U;    ///< of values that are kept as they are

bool all_same(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double x) { return x == values.front(); });
}

Samples samples_of(const Module& module, const TracedValue& value, const Buffer& buffer) {
  const Type& type = *array_leaf_types(module.type(value.instance.instruction)).at(value.leaf);
  return make_samples(buffer.storage() == Storage::Int64, type.dims, numbers_of(buffer));
}

/// In f64 (which this trace runs without error bounds) only what no rounding explains differs; of balls also that of which nothing is known.
bool differs(const ClaimedValues& values) {
  if (!values.integral && values.sequential.storage() == Storage::Double) return look_in_doubles(values).differing != 0;
  const Look look = look_at(values);
  return !look.differing.empty() || look.first_unknown >= 0;
}

}  // namespace

bool TraceRoom::take(Leaves leaves) {
  for (const auto& leaf : leaves) kept += static_cast<std::size_t>(leaf->count());
  too_large = too_large || kept > kMaxSamples;
  return !too_large;
}

void TracedBuffers::keep(ValueId id, const std::shared_ptr<const Buffer>& value) {
  bytes_ += value->bytes();
  if (bytes_ > kMaxBytes) return values_.clear();
  values_.resize(std::max<std::size_t>(values_.size(), id + 1));
  values_[id] = value;
}

const std::shared_ptr<const Buffer>& TracedBuffers::of(ValueId id) const {
  static const std::shared_ptr<const Buffer> none;
  return id < values_.size() ? values_[id] : none;
}

namespace {

bool same_digits(const Case& a, const Case& b) {
  const auto &one = a.distributed_bodies->digits().digits(), &other = b.distributed_bodies->digits().digits();
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const Digit& x, const Digit& y) { return x.extent == y.extent && x.stride == y.stride; });
}

}  // namespace

SequentialTrace::SequentialTrace(Case& c, const InputSet& inputs, NumberMode mode, const Budget& budget, const Recording* recorded, double apart)
    : mode_(mode), apart_(apart), literals_(comparable_literals(*c.sequential, *c.distributed)), module_(*c.sequential), graph_(module_) {
  const auto event = [this](const Instance& instance, Leaves leaves) { anchor(instance, leaves); };
  if (recorded != nullptr && literals_.as_printed()) {
    recorded->replay(event);
    result_ = recorded->result;
  } else {
    result_ = std::make_shared<const RunResult>(PairRunner(c).run_sequential(inputs, {.mode = mode, .budget = budget, .probe = event, .seed = inputs.seed, .literals = literals_}));
  }
}

DivergenceTrace::DivergenceTrace(Case& c, const InputSet& inputs, NumberMode mode, const Budget& budget)
    : DivergenceTrace(c, inputs, std::make_shared<const SequentialTrace>(c, inputs, mode, budget), budget) {}

DivergenceTrace::DivergenceTrace(Case& c, const InputSet& inputs, std::shared_ptr<const SequentialTrace> sequential, const Budget& budget,
                                 const Recording* recorded, const TracedBefore* before)
    : case_(c), sequential_(std::move(sequential)), distributed_(*c.distributed), room_(sequential_->room_) {
  if (room_.too_large) return;
  const NumberMode mode = sequential_->mode_;
  // Digits may come from what the programs differ in, and placements are told in them.
  if (before != nullptr && !same_digits(before->trace.case_, c)) before = nullptr;
  const auto event = [&](const Instance& instance, Leaves leaves) { relate(instance, leaves, before); };
  RunOptions run{.mode = mode, .budget = budget, .probe = event, .seed = inputs.seed, .literals = sequential_->literals_};
  if (!sequential_->literals_.as_printed()) recorded = nullptr;
  SharedBuffers given;
  if (before != nullptr) run.given = [&](InstructionId id) { return leaves_before(*before, id, given) ? &given : nullptr; };
  if (recorded != nullptr) recorded->replay(event);
  const auto made = recorded != nullptr ? recorded->result : std::make_shared<const RunResult>(PairRunner(c).run_distributed(inputs, run));
  const RunResult& result = *made;
  for (const ValueState& state : states_) own_good_.push_back(state.good);
  OutputClaims claims(c);
  const auto outputs = distributed_.outputs();
  for (std::size_t k = 0; k < c.relation.outputs.size() && k < outputs.size(); ++k) {
    if (c.relation.outputs[k].kind != OutputClaim::Kind::Compared) continue;
    if (differs(claims.values(k, *sequential_->result_, result, mode))) wrong_.push_back(outputs[k]);
  }
  absolve();
  find_suspects();
}

Op DivergenceTrace::op(ValueId id) const {
  return distributed_.module()[distributed_.values()[id].instance.instruction].op;
}

std::string DivergenceTrace::name(ValueId id) const {
  return to_string(distributed_.module(), distributed_.values()[id].instance);
}

ElementType DivergenceTrace::element(ValueId id) const {
  const TracedValue& value = distributed_.values()[id];
  return array_leaf_types(case_.distributed->type(value.instance.instruction)).at(value.leaf)->element;
}

std::string DivergenceTrace::digit_names(const std::vector<int>& digits) const {
  const auto& all = case_.distributed_bodies->digits().digits();
  return joined_text(digits, ", ", [&](int digit) { return all[static_cast<std::size_t>(digit)].name; });
}

std::string DivergenceTrace::anchor_name(const Match& match) const {
  return to_string(sequential_->module_, sequential().values()[anchor(match)].instance);
}

std::optional<ValueId> SequentialTrace::representative(ValueId id) const {
  return id < representatives_.size() ? representatives_[id] : std::nullopt;
}

std::optional<ValueId> DivergenceTrace::representative(ValueId sequential) const { return sequential_->representative(sequential); }

std::optional<ValueId> DivergenceTrace::first_value(const std::vector<InstructionId>& path, InstructionId id, std::size_t leaf,
                                                    int iteration) const {
  const Firsts& firsts = iteration == 0 ? first_ : second_;
  const auto found = firsts.find({path, id});
  if (found == firsts.end() || leaf >= found->second.size()) return std::nullopt;
  return found->second[leaf];
}

std::map<InstructionId, ValueId> DivergenceTrace::first_values() const {
  std::map<InstructionId, ValueId> values;
  for (const auto& [place, ids] : first_) {
    if (ids.empty()) continue;
    const auto [entry, fresh] = values.try_emplace(place.second, ids.front());
    if (!fresh) entry->second = std::min(entry->second, ids.front());
  }
  return values;
}

bool DivergenceTrace::moves(Op op) { return moves_elements(op) || converts(op) || structure_of(op) == Structure::Branches; }

ValueId DivergenceTrace::origin(const ValueGraph& graph, ValueId id) {
  for (;;) {
    const TracedValue& value = graph.values()[id];
    if (!moves(graph.module()[value.instance.instruction].op) || value.operands.size() != 1) return id;
    id = value.operands[0];
  }
}

void SequentialTrace::anchor(const Instance& instance, Leaves leaves) {
  bool fresh = false;
  const auto ids = graph_.add(instance, fresh);
  if (!fresh || !room_.take(leaves)) return;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const TracedValue& value = graph_.values()[ids[leaf]];
    derived_.resize(ids[leaf] + 1);
    derived_[ids[leaf]] = is_parameter(module_, instance.instruction) ||
                          std::any_of(value.operands.begin(), value.operands.end(), [&](ValueId id) { return derived_[id]; });
    if (!derived_[ids[leaf]]) continue;
    buffers_.keep(ids[leaf], leaves[leaf]);
    Samples samples = samples_of(module_, value, *leaves[leaf]);
    samples.apart = apart_;
    nowhere_finite_ = nowhere_finite_ || samples.nowhere_finite;
    if (samples.trivial) continue;
    const auto bytes = std::as_bytes(std::span(samples.values));
    const std::uint64_t key = XXH3_64bits(bytes.data(), bytes.size());
    representatives_.resize(ids[leaf] + 1);
    representatives_[ids[leaf]] = same_numbers_.try_emplace({samples.dims, key}, ids[leaf]).first->second;
    anchors_.push_back(std::move(samples));
    anchor_values_.push_back(ids[leaf]);
  }
}

/// The instruction of the program before that has the value of this one of the entry computation; kNone where there is none.
InstructionId DivergenceTrace::same_before(const TracedBefore& before, InstructionId id) const {
  return before.same[id - case_.distributed->computation(case_.distributed->entry()).first];
}

std::optional<ValueId> DivergenceTrace::found_in(const TracedBefore& before, const Instance& instance, std::size_t leaf) const {
  const InstructionId same = instance.path.empty() ? same_before(before, instance.instruction) : kNone;
  return same == kNone ? std::nullopt : before.trace.first_value({}, same, leaf);
}

/// True if all leaves of that instruction were kept.
bool DivergenceTrace::leaves_before(const TracedBefore& before, InstructionId id, SharedBuffers& leaves) const {
  const InstructionId same = same_before(before, id);
  const auto found = before.trace.first_.find({{}, same});
  leaves.clear();
  if (same == kNone || found == before.trace.first_.end()) return false;
  for (const ValueId value : found->second) leaves.push_back(before.trace.buffers_.of(value));
  return std::find(leaves.begin(), leaves.end(), nullptr) == leaves.end();
}

std::optional<ValueId> DivergenceTrace::taken_from(ValueId id) const {
  const auto found = taken_.find(id);
  return found == taken_.end() ? std::nullopt : std::optional(found->second);
}

void DivergenceTrace::relate(const Instance& instance, Leaves leaves, const TracedBefore* before) {
  bool fresh = false;
  const auto ids = distributed_.add(instance, fresh);
  first_.try_emplace({instance.path, instance.instruction}, ids.begin(), ids.end());
  if (instance.iteration == 1) second_.try_emplace({instance.path, instance.instruction}, ids.begin(), ids.end());
  if (!fresh) return;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    states_.resize(ids[leaf] + 1);
    buffers_.keep(ids[leaf], leaves[leaf]);
    const auto known = before != nullptr ? found_in(*before, instance, leaf) : std::nullopt;
    if (!known) {
      states_[ids[leaf]] = judge(ids[leaf], *leaves[leaf]);
      continue;
    }
    taken_.emplace(ids[leaf], *known);
    states_[ids[leaf]] = before->trace.states_[*known];
    states_[ids[leaf]].good = before->trace.own_good_[*known];
  }
}

ValueState DivergenceTrace::judge(ValueId id, const Buffer& buffer) {
  const TracedValue& value = distributed_.values()[id];
  const bool given = is_parameter(*case_.distributed, value.instance.instruction);
  ValueState result;
  result.derived = given || std::any_of(value.operands.begin(), value.operands.end(), [&](ValueId operand) { return states_[operand].derived; });
  result.good = given || !result.derived;
  if (result.good && !given) return result;
  const Samples samples = samples_of(*case_.distributed, value, buffer);
  result.good = result.good || operands_good(id);
  if (samples.nowhere_finite && !sequential_->nowhere_finite_) result.good = given;  // no sequential value is
  if (samples.trivial) return result;
  result.match = match_placement(case_.distributed_bodies->digits(), samples, sequential_->anchors_);
  result.uniform = all_same(samples.values) || (result.match && all_same(sequential_->anchors_[result.match->candidate].values));
  result.good = given || result.match.has_value() || (moves(op(id)) && operands_good(id));
  return result;
}

bool DivergenceTrace::operands_good(ValueId id) const {
  const auto& operands = distributed_.values()[id].operands;
  return std::all_of(operands.begin(), operands.end(), [&](ValueId operand) { return states_[operand].good; });
}

// A bad value from which a later value matches again was right, in a form that the sequential program has not. A clip
// that is inactive matches whatever went into it, so that uniform values say nothing of their operands; nor do outputs that
// differ in digits below what a match looks at, nor values that are a part of the operand: a layer's slice of a stack is right
// whatever the other layers left there; nor values that are an operand unchanged: of what else was added to it, zeros say nothing.
void DivergenceTrace::absolve() {
  std::vector<bool> heals(states_.size());
  for (std::size_t id = states_.size(); id-- > 0;) {
    const bool wrong = std::find(wrong_.begin(), wrong_.end(), id) != wrong_.end();
    const bool right = !wrong && ((states_[id].match.has_value() && !states_[id].uniform) || heals[id]);
    if (right && !states_[id].good) states_[id].good = true;
    if (!right || states_[id].uniform || takes_part(op(static_cast<ValueId>(id)))) continue;
    const auto& operands = distributed_.values()[id].operands;
    const auto held = [&](ValueId value) { return states_[value].match ? representative(anchor(*states_[value].match)) : std::nullopt; };
    const auto value = held(static_cast<ValueId>(id));
    const auto unchanged = [&](ValueId operand) { return value && states_[operand].good && held(operand) == value; };
    if (std::any_of(operands.begin(), operands.end(), unchanged)) continue;
    for (const ValueId operand : operands) heals[operand] = true;
  }
  for (ValueId id = 0; id < states_.size(); ++id) {  // what only moves them, on the way to other users, is right too
    if (!states_[id].good && moves(op(id)) && operands_good(id)) states_[id].good = true;
  }
}

void DivergenceTrace::find_suspects() {
  std::set<ValueId> seen;
  std::vector<ValueId> todo = wrong_;
  while (!todo.empty()) {
    const ValueId id = todo.back();
    todo.pop_back();
    if (states_[id].good || !seen.insert(id).second) continue;
    const TracedValue& value = distributed_.values()[id];
    todo.insert(todo.end(), value.operands.begin(), value.operands.end());
  }
  suspects_.assign(seen.begin(), seen.end());
}

std::vector<ValueId> DivergenceTrace::sources() const {
  std::vector<ValueId> floats, integers;
  for (const ValueId id : suspects_) {
    if (operands_good(id)) (is_float(element(id)) ? floats : integers).push_back(id);
  }
  floats.insert(floats.end(), integers.begin(), integers.end());
  if (floats.size() > kManySources) sort_sources(floats);
  return floats;
}

void DivergenceTrace::sort_sources(std::vector<ValueId>& sources) const {
  std::map<ValueId, std::vector<bool>> reaches;
  for (std::size_t k = 0; k < wrong_.size(); ++k) {
    auto& mine = reaches[wrong_[k]];
    mine.resize(wrong_.size());
    mine[k] = true;
  }
  const std::set<ValueId> bad(suspects_.begin(), suspects_.end());
  for (auto id = suspects_.rbegin(); id != suspects_.rend(); ++id) {
    const std::vector<bool> mine = reaches[*id];
    for (const ValueId operand : distributed_.values()[*id].operands) {
      if (bad.count(operand) == 0) continue;
      auto& more = reaches[operand];
      more.resize(wrong_.size());
      for (std::size_t k = 0; k < mine.size(); ++k) more[k] = more[k] || mine[k];
    }
  }
  std::set<InstructionId> told;
  std::map<ValueId, int> rank;
  for (const ValueId id : sources) {
    const auto& all = reaches[id];
    const bool stack = places_block(op(id));
    const bool again = !told.insert(distributed_.values()[id].instance.instruction).second;
    const bool some = std::find(all.begin(), all.end(), false) != all.end();
    rank[id] = (some ? 4 : 0) + (stack ? 2 : 0) + (again || !is_float(element(id)) ? 1 : 0);
  }
  std::stable_sort(sources.begin(), sources.end(), [&](ValueId a, ValueId b) { return rank[a] < rank[b]; });
}

bool DivergenceTrace::would_match(ValueId id, const Buffer& buffer) const {
  Samples samples = samples_of(*case_.distributed, distributed_.values()[id], buffer);
  if (samples.trivial || all_same(samples.values)) return false;
  for (int sign = 0; sign < 2; ++sign) {
    const auto match = match_placement(case_.distributed_bodies->digits(), samples, sequential_->anchors_);
    if (match) return !all_same(sequential_->anchors_[match->candidate].values);
    for (double& x : samples.values) x = -x;
  }
  return false;
}

}  // namespace gg
