// Repairs from the sequential operation of the same operator whose operands are the same but for one at most: where they are all the same,
// it is computed on the whole; else the operand is what is read there, from what is at hand, or made of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/synthesis.h"
#include "harness/pinpoint/walk.h"
#include "models/hlo/print_values.h"
#include "models/ir/kinds.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMostOperands = 3;
constexpr std::size_t kMostCopied = 3;                       ///< instructions of an operation that is computed on the whole
constexpr std::size_t kMostDivisors = 6, kMostCounted = 16;  ///< divisors that are tried in a number's place, instructions of one
constexpr int kMostLost = 6;                                 ///< operations that are put in at a place
constexpr int kMostAlike = 12;                               ///< values that hold what the sequential operator reads

class Counterparts {
 public:
  Counterparts(const Context& context, InstructionId place, std::vector<Repair>& out)
      : context_(context), trace_(*context.trace()), module_(context.module()), place_(place), out_(out) {}

  void run() {
    const auto wrong = context_.bad_value(place_);
    if (!wrong) return;
    const auto& operands = trace_.distributed().values()[*wrong].operands;
    if (operands.empty() || operands.size() > kMostOperands) return;
    for (const ValueId operand : operands) {
      const auto& match = trace_.state(operand).match;
      held_.push_back(match ? trace_.representative(trace_.anchor(*match)) : std::nullopt);
    }
    const auto& others = trace_.sequential().values();
    std::set<ValueId> near;  // one operand at least is the same
    for (const auto& held : held_) {
      if (held) near.insert(context_.readers(*held).begin(), context_.readers(*held).end());
    }
    for (const ValueId id : near) {
      if (others[id].operands.size() != held_.size()) continue;
      if (sequential()[at(id)].op == module_[place_].op) compare(id, others[id].operands);
      else other_operator(id, others[id].operands);
    }
    for (std::size_t k = 0; k < context_.lost().size() && lost_ < kMostLost; ++k) put_in(context_.lost()[k], others[context_.lost()[k]].operands);
  }

 private:
  const Module& sequential() const { return trace_.sequential().module(); }
  InstructionId at(ValueId id) const { return trace_.sequential().values()[id].instance.instruction; }

  bool same_constant(std::size_t k, ValueId other) const {
    const InstructionId here = k < module_.operands(place_).size() ? module_.operands(place_)[k] : place_;
    return has_values(module_, here) && has_values(sequential(), at(other)) && module_.attributes(here).literal() == sequential().attributes(at(other)).literal();
  }

  void compare(ValueId id, const std::vector<ValueId>& operands) {
    std::size_t different = 0, at = 0;
    bool constants = true;  // what differs is no constant of the same values
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const auto reads = trace_.representative(operands[k]);
      if (held_[k] && reads == held_[k]) continue;
      constants = constants && same_constant(k, operands[k]);
      ++different;
      at = k;
    }
    if (different == 0 || constants) {
      as_there(id);
      return on_the_whole(id);
    }
    if (different != 1 || at >= module_.operands(place_).size()) return;
    if (!wanted_.insert({at, trace_.representative(operands[at])}).second) return;
    put_constant(at, operands[at]);
    read_other(at, operands[at]);
  }

  /// The sequential program has another function of the same operands.
  void other_operator(ValueId id, const std::vector<ValueId>& operands) {
    const Op then = sequential()[at(id)].op, now = module_[place_].op;
    const auto same = [&](std::size_t k) { return held_[k] ? trace_.representative(operands[k]) == held_[k] : same_constant(k, operands[k]); };
    bool all = info(then).traits == OpTraits::Elementwise && info(now).traits == OpTraits::Elementwise && sequential().type(at(id)).element == module_.type(place_).element;
    for (std::size_t k = 0; all && k < operands.size(); ++k) all = same(k);
    if (!all || !functions_.insert(then).second) return;
    out_.push_back(another_function(context_, place_, then, sequential().attributes(at(id)), 6));
  }

  /// The operator gets a window, dimensions, .. of the sequential one's, where its own are others.
  void as_there(ValueId id) {
    const Attributes &now = module_.attributes(place_), &there = sequential().attributes(at(id));
    for (const auto& [attr, value] : there.entries()) {
      const AttrKind kind = info(attr).kind;
      const bool places = kind == AttrKind::Slice || kind == AttrKind::Padding || kind == AttrKind::Window;
      if (!places && kind != AttrKind::Ints && kind != AttrKind::Int && kind != AttrKind::DimLabels) continue;
      if (info(attr).name.empty() || !now.has(attr) || *now.find(attr) == value) continue;
      Changed change = unchanged(module_, place_);
      change.attributes.set(attr, value);
      const auto shown = [attr = attr](const AttrValue& v) { return fmt::format("{}={}", info(attr).name, hlo::print_attribute(attr, v, [](ComputationId) { return std::string(); })); };
      const std::string name = context_.name(place_), right = shown(value);
      out_.push_back({.patch = changing(std::move(change)), .place = place_, .diagnosis = places ? Diagnosis::SliceShifted : Diagnosis::SwappedDims, .text = fmt::format("{} has {} where the sequential program has {}", name, shown(*now.find(attr)), right), .edit = fmt::format("let {} have {}", name, right), .cost = 9});
    }
  }

  /// The operator works along a dimension of which the rank has a block.
  void on_the_whole(ValueId id) {
    if (!context_.type(place_).is_array()) return;
    for (Replacement& made : Synthesis(context_, place_).replacements(id)) {
      if (made.copied > kMostCopied || made.copied == 0) continue;
      const std::string name = context_.name(place_), operand = context_.name(module_.operands(place_)[0]);
      const bool edges = halo();
      Repair r{.patch = std::move(made.patch), .place = place_, .diagnosis = edges ? Diagnosis::MissingHalo : Diagnosis::LocalStatistic, .cost = edges ? 10 : 31};
      r.text = edges ? pads_own_block(context_, place_) : fmt::format("{} works on the rank's own block of {} only, not on the whole", name, operand);
      r.edit = fmt::format("gather {}, compute {} on the whole, take the own block", operand, name);
      out_.push_back(std::move(r));
    }
  }

  /// Does a window pad what it reads, and end before the block does?
  bool halo() const {
    const Attributes& attributes = module_.attributes(place_);
    if (!attributes.has(Attr::Window)) return false;
    const Type& block = module_.type(module_.operands(place_)[0]);
    return std::any_of(attributes.window().begin(), attributes.window().end(), [&](const WindowDim& w) {
      return w.pad_low + w.pad_high > 0 && std::any_of(block.dims.begin(), block.dims.end(), [&](std::int64_t extent) { return w.size < extent; });
    });
  }

  /// A constant operand gets the number that stands there in the sequential program.
  void put_constant(std::size_t k, ValueId other) {
    const InstructionId now = behind_moves(module_, module_.operands(place_)[k]), there = at(DivergenceTrace::origin(trace_.sequential(), other));
    if (!has_values(module_, now) || !has_values(sequential(), there) || !module_.type(now).dims.empty()) return;
    if (now != module_.operands(place_)[k] && context_.users(now).size() == 1) return;  // the literal itself is looked at
    const ConstantArray& right = sequential().attributes(there).literal();
    if (!(right.type == module_.attributes(now).literal().type) || right == module_.attributes(now).literal()) return;
    Patch patch;
    Changed change = unchanged(module_, place_);
    change.operands[k] = context_.maker(patch).full(right.values.at(0), context_.type(module_.operands(place_)[k]).dims);
    patch.changed.push_back(std::move(change));
    const std::string name = context_.name(place_), number = shown(right.values.at(0)), instead = shown(module_.attributes(now).literal().values.at(0));
    out_.push_back({.patch = std::move(patch), .place = place_, .diagnosis = Diagnosis::LiteralDiffers, .text = fmt::format("{} takes {} where {} is right", name, instead, number), .edit = fmt::format("let {} take {} in place of {}", name, number, instead), .cost = 8});
  }

  /// The value of a sequential operation stands nowhere: where an operand of it is read, and at all readers of that, it is put in.
  void put_in(ValueId id, const std::vector<ValueId>& operands) {
    std::set<std::pair<InstructionId, std::size_t>> done;
    for (const InstructionId now : module_.operands(place_)) {
      const ValueState *state = context_.state(now), *origin = context_.state(behind_moves(module_, now));
      const bool itself = state != nullptr && state->match;
      if (!itself) state = origin;
      if (state == nullptr || !state->match || !state->match->partial.empty()) continue;
      const auto held = trace_.representative(trace_.anchor(*state->match));
      for (std::size_t side = 0; side < operands.size(); ++side) {
        if (trace_.hangs_on_inputs(operands[side]) && trace_.representative(operands[side]) == held && done.insert({now, side}).second) put_in(id, operands, now, side, itself ? &*state->match : nullptr);
      }
    }
  }

  /// `match`: of what is read, as it is; null where only its elements are those of the sequential operand.
  void put_in(ValueId id, const std::vector<ValueId>& operands, InstructionId now, std::size_t side, const Match* match) {
    const InstructionId there = at(id);
    const Op op = sequential()[there].op;
    const Type& type = module_.type(now);
    Patch patch;
    std::vector<Ref> reads;
    std::string with, others;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const InstructionId operand = at(operands[k]), number = at(DivergenceTrace::origin(trace_.sequential(), operands[k]));
      if (k == side) {
        reads.push_back({now, false});
        continue;
      }
      std::string name = "%" + std::string(sequential().name_of(operand));
      if (trace_.hangs_on_inputs(operands[k])) {
        Synthesis synthesis(context_, place_);
        const auto made = match != nullptr ? synthesis.block(operands[k], Type::array(sequential().type(operand).element, type.dims), match->splits, patch) : std::nullopt;
        if (!made || synthesis.copied() > kMostCopied) return;
        reads.push_back(*made);
      } else {
        const Scalar& stated = sequential().attributes(number).literal().values.at(0);
        const double x = is_float(stated.type) ? stated.real : static_cast<double>(stated.integer);
        reads.push_back(context_.maker(patch).full(is_float(type.element) ? Scalar::of(type.element, x) : Scalar::of_int(type.element, static_cast<std::int64_t>(x)), type.dims));
        name = shown(stated);
      }
      with += (with.empty() ? " with " : " and ") + name;
      others = name;
    }
    const Ref result = patch.add({op, Type::array(type.element, type.dims), sequential().attributes(there), reads, std::nullopt, false});
    const bool combines = term_sign(op) != 0 || factor_exponent(op) != 0;
    const std::string name = context_.name(place_), function = std::string(info(op).name) + with;
    const std::string what = !combines ? function : (factor_exponent(op) == 0 ? "term " : factor_exponent(op) == -1 && side == 0 ? "divisor "
                                                                                                                                 : "factor ") +
                                                        others;
    ++lost_;
    const std::size_t readers = context_.users(now).size();
    for (const bool all : {false, true}) {
      if (all && readers < 2) continue;
      Patch here = patch;
      here.reroutes.push_back({now, result, all ? std::nullopt : std::optional(place_)});
      const std::string likewise = !all ? "" : readers == 2 ? ", and so the other one that reads it"
                                                            : fmt::format(", and so the other {} that read it", readers - 1);
      out_.push_back({.patch = std::move(here), .place = place_, .kind = FindingKind::Missing, .diagnosis = Diagnosis::MissingTerm, .text = fmt::format("{} reads {} without the {} of the sequential program", name, context_.name(now), what), .edit = fmt::format("let {} read the {} of {}{}", name, function, context_.name(now), likewise), .after = std::string(module_.name_of(now)), .before = std::string(module_.name_of(place_)), .cost = combines ? 20 : 19});
    }
  }

  /// What holds the sequential operand is read.
  void read_other(std::size_t k, ValueId other) {
    const InstructionId now = module_.operands(place_)[k];
    const auto value = trace_.representative(other);
    const Computation& c = module_.computation(module_.computation_of(place_));
    int count = 0;
    for (InstructionId id = place_; id-- > c.first && count < kMostAlike;) {
      const ValueState* state = context_.state(id);
      if (id == now || state == nullptr || !(module_.type(id) == module_.type(now))) continue;
      const bool fits = value ? state->match && trace_.representative(trace_.anchor(*state->match)) == value : !state->derived;
      if (fits) out_.push_back(reading(context_, place_, k, id, 25 + count++ / 4));  // after what explains more: a factor left out, an operator too many
    }
  }

  const Context& context_;
  const DivergenceTrace& trace_;
  const Module& module_;
  InstructionId place_;
  std::vector<Repair>& out_;
  std::vector<std::optional<ValueId>> held_;  ///< by operand, the sequential value that it holds
  std::set<std::pair<std::size_t, std::optional<ValueId>>> wanted_;
  std::set<Op> functions_;
  int lost_ = 0;  ///< operations that were put in
};

/// A number divides where the sequential program divides by what it counts or adds up.
void put_divisor(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const DivergenceTrace& trace = *context.trace();
  const ValueGraph& graph = trace.sequential();
  if (factor_exponent(module[place].op) != -1 || !context.is_float_array(place)) return;
  std::vector<InstructionId> moved = {module.operands(place)[1]};  // the divisor, and what it was moved from
  while (moves_one(module, moved.back())) moved.push_back(module.operands(moved.back())[0]);
  if (!has_values(module, moved.back()) || !module.type(moved.back()).dims.empty()) return;
  std::set<ValueId> done;
  for (const TracedValue& value : graph.values()) {
    if (factor_exponent(graph.module()[value.instance.instruction].op) != -1 || value.operands.size() != 2) continue;
    std::vector<ValueId> ways = {value.operands[1]};  // so is the sequential one
    while (DivergenceTrace::origin(graph, ways.back()) != ways.back()) ways.push_back(graph.values()[ways.back()].operands[0]);
    const auto type_of = [&](ValueId id) -> const Type& { return graph.module().type(graph.values()[id].instance.instruction); };
    const auto same = [&](InstructionId id, ValueId other) { return module.type(id).is_array() && module.type(id).dims.empty() && type_of(other).is_array() && type_of(other).dims.empty() && module.type(id).element == type_of(other).element; };
    const auto at = std::find_if(ways.rbegin(), ways.rend(), [&](ValueId id) { return std::any_of(moved.begin(), moved.end(), [&](InstructionId here) { return same(here, id); }); });
    if (at == ways.rend()) continue;
    const ValueId divisor = *at;
    const auto fits = [&](InstructionId id) { return same(id, divisor); };
    const auto now = std::find_if(moved.rbegin(), moved.rend(), fits);
    if (now == moved.rend() || !trace.hangs_on_inputs(divisor) || !done.insert(divisor).second || done.size() > kMostDivisors) continue;
    const Type& type = type_of(divisor);
    Patch patch;
    Synthesis synthesis(context, place);
    const auto right = synthesis.block(divisor, type, {}, patch);
    if (!right || synthesis.copied() > kMostCounted) continue;
    const std::string name = context.name(place), number = context.name(*now), of = "%" + std::string(graph.module().name_of(graph.values()[divisor].instance.instruction));
    for (const bool bounded : {false, true}) {  // where nothing is counted
      Patch here = patch;
      Maker maker = context.maker(here);
      const Ref to = bounded ? maker.apply(mutation::kLargest, {*right, maker.whole(type.element, 1)}) : *right;
      here.reroutes.push_back({*now, to, std::nullopt});
      out.push_back({.patch = std::move(here), .place = place, .diagnosis = Diagnosis::LiteralDiffers, .text = fmt::format("{} divides by {}, a number, where the sequential program divides by {}, which hangs on its inputs", name, number, of), .edit = fmt::format("put {} of the sequential program{} in the place of {} ({} instructions copied)", of, bounded ? ", at least 1," : "", number, synthesis.copied()), .cost = 21, .copied = synthesis.copied()});
    }
  }
}

}  // namespace

void counterpart_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  if (context.trace() == nullptr || !context.trace()->complete()) return;
  Counterparts(context, place, out).run();
  put_divisor(context, place, out);
}

}  // namespace gg::pinpoint
