// Repairs from the sequential operation of the same operator whose operands are the same but for one at most: where they are all the same,
// it is computed on the whole; else the operand is what is read there, from what is at hand, or made of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/synthesis.h"
#include "models/hlo/print_values.h"
#include "models/ir/kinds.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMostOperands = 3;
constexpr std::size_t kMostCopied = 3;  ///< instructions of an operation that is computed on the whole
constexpr int kMostLost = 6;            ///< operations that are put in at a place
constexpr int kMostAlike = 12;          ///< values that hold what the sequential operator reads

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
      if (sequential()[at(id)].op == module_[place_].op && others[id].operands.size() == held_.size()) compare(id, others[id].operands);
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
    const InstructionId now = module_.operands(place_)[k];
    if (!has_values(module_, now) || !has_values(sequential(), at(other)) || !module_.type(now).dims.empty()) return;
    const ConstantArray& right = sequential().attributes(at(other)).literal();
    if (!(right.type == module_.attributes(now).literal().type)) return;
    Patch patch;
    Changed change = unchanged(module_, place_);
    change.operands[k] = context_.maker(patch).constant(right);
    patch.changed.push_back(std::move(change));
    const auto shown = [](const ConstantArray& constant) {
      const Scalar& value = constant.values.at(0);
      return is_float(constant.type.element) ? fmt::format("{}", value.real) : fmt::format("{}", value.integer);
    };
    const std::string name = context_.name(place_), number = shown(right), instead = shown(module_.attributes(now).literal());
    out_.push_back({.patch = std::move(patch), .place = place_, .diagnosis = Diagnosis::LiteralDiffers, .text = fmt::format("{} takes {} where {} is right", name, instead, number), .edit = fmt::format("let {} take {} in place of {}", name, number, instead), .cost = 8});
  }

  /// The value of a sequential operation stands nowhere: an operand that is one of its two is combined with the other one.
  void put_in(ValueId id, const std::vector<ValueId>& operands) {
    const Op op = sequential()[at(id)].op;
    const bool commutes = term_sign(op) != -1 && factor_exponent(op) != -1;
    for (std::size_t k = 0; k < held_.size() && k < module_.operands(place_).size(); ++k) {
      const InstructionId now = module_.operands(place_)[k];
      const ValueState* state = context_.state(now);
      if (!held_[k] || state == nullptr || !state->match || !state->match->partial.empty()) continue;
      for (std::size_t side = 0; side < (commutes ? 2U : 1U); ++side) {
        if (trace_.representative(operands[side]) == held_[k]) put_in(id, now, k, operands[1 - side], *state->match);
      }
    }
  }

  void put_in(ValueId id, InstructionId now, std::size_t k, ValueId other, const Match& match) {
    const Op op = sequential()[at(id)].op;
    Repair r{.place = place_, .kind = FindingKind::Missing, .diagnosis = Diagnosis::MissingTerm, .cost = 20};
    Synthesis synthesis(context_, place_);
    const auto more = synthesis.block(other, context_.type(now), match.splits, r.patch);
    if (!more || synthesis.copied() > kMostCopied) return;
    ++lost_;
    Changed change = unchanged(module_, place_);
    change.operands[k] = context_.maker(r.patch).apply(op, {{now, false}, *more});
    r.patch.changed.push_back(std::move(change));
    const std::string what = factor_exponent(op) == 0 ? "term" : factor_exponent(op) == -1 ? "divisor"
                                                                                           : "factor",
                      name = context_.name(place_);
    const std::string of = "%" + std::string(sequential().name_of(at(other)));
    r.text = fmt::format("{} reads {} without the {} {} of the sequential program", name, context_.name(now), what, of);
    r.edit = fmt::format("let {} read {} {} {}", name, context_.name(now), info(op).name, of);
    r.after = std::string(module_.name_of(now));
    r.before = std::string(module_.name_of(place_));
    out_.push_back(std::move(r));
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
  int lost_ = 0;  ///< operations that were put in
};

}  // namespace

void counterpart_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  if (context.trace() != nullptr && context.trace()->complete()) Counterparts(context, place, out).run();
}

}  // namespace gg::pinpoint
