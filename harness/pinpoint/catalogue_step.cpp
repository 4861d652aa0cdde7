// Repairs of schedules that end early (a pipeline that is not drained): a loop gets another number of rounds; written out step by step,
// one more step is made like the last one, with the numbers that count steps counted on.
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/rounds.h"
#include "harness/pinpoint/walk.h"
#include "models/body/store.h"
#include "models/ir/kinds.h"
#include "models/op/op.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxSteps = 128;  ///< instructions of a step
constexpr std::size_t kLeastSteps = 2, kLeastStep = 3;
constexpr std::int64_t kMaxCount = std::int64_t{1} << 30U;  ///< products of two fit
constexpr std::int64_t kMaxRounds = 1'000'000;
constexpr int kMaxNumber = 64;  ///< instructions of a number

bool is_whole_number(const Type& type) { return type.is_array() && type.dims.empty() && is_integral(type.element) && type.element != ElementType::Pred; }

/// The number that an integer scalar is, if constants alone say so; `most` instructions are looked at.
std::optional<std::int64_t> number(const Module& module, InstructionId id, int& most) {
  if (--most < 0 || !module.type(id).is_array() || !module.type(id).dims.empty()) return std::nullopt;
  if (is_constant(module, id)) return constant_number(module, id);
  std::vector<std::int64_t> n;
  for (const InstructionId operand : module.operands(id)) {
    const auto value = number(module, operand, most);
    if (!value) return std::nullopt;
    n.push_back(*value);
  }
  if (n.size() == 1 && DivergenceTrace::moves(module[id].op)) return n[0];
  const auto function = scalar_of(module[id].op, module.attributes(id));
  if (!function || n.empty()) return std::nullopt;
  return integer_fn(*function, module.type(module.operands(id).back()).element, n);
}

std::optional<std::int64_t> number(const Module& module, InstructionId id) {
  int most = kMaxNumber;
  return number(module, id, most);
}

/// Two successive steps of a recurrence, value by value, and the step after them.
class Steps {
 public:
  /// `before` and `last`: the same value of the last two steps.
  Steps(const Module& module, InstructionId before, InstructionId last) : module_(module), last_(last) { sound_ = pair(before, last); }

  /// The same value of the step after the last; nothing where the steps are not made alike.
  std::optional<Ref> next(Patch& patch) { return sound_ ? copy(last_, patch) : std::nullopt; }
  std::size_t size() const { return after_.size(); }

 private:
  bool pair(InstructionId a, InstructionId b) {
    if (a == b || after_.count(a) != 0) return true;
    if (is_whole_number(module_.type(b)) && number(module_, a) && number(module_, b)) return true;
    if (!alike(module_, a, b) || after_.size() > kMaxSteps || !(module_.attributes(a) == module_.attributes(b))) return false;
    after_[a] = b;
    before_[b] = a;
    for (std::size_t k = 0; k < module_.operands(b).size(); ++k) {
      const InstructionId here = module_.operands(b)[k];
      if (after_.count(here) != 0) continue;  // a value of the step before: the link between steps
      if (!pair(module_.operands(a)[k], here)) return false;
    }
    return true;
  }

  std::optional<Ref> copy(InstructionId b, Patch& patch) {
    const auto known = made_.find(b);
    if (known != made_.end()) return known->second;
    Added added{module_[b].op, module_.type(b), module_.attributes(b), {}, std::nullopt, module_[b].channel > 0};
    const auto was = module_.operands(before_.at(b));
    for (std::size_t k = 0; k < was.size(); ++k) {
      const auto operand = counted_on(was[k], module_.operands(b)[k], patch);
      if (!operand) return std::nullopt;
      added.operands.push_back(*operand);
    }
    return made_[b] = patch.add(std::move(added));
  }

  std::optional<Ref> counted_on(InstructionId a, InstructionId b, Patch& patch) {
    if (a == b) return Ref{b, false};
    const auto link = after_.find(b);
    if (link != after_.end()) return Ref{link->second, false};
    const auto x = number(module_, a), y = number(module_, b);
    if (before_.count(b) == 0 && x && y && std::abs(*x) <= kMaxCount && std::abs(*y) <= kMaxCount) {
      if (*x == *y) return Ref{b, false};
      const ElementType element = module_.type(b).element;
      const Scalar next = Scalar::of_int(element, wrap_to(element, 2 * *y - *x));
      return Maker(module_, {}, patch).constant({Type::array(element, {}), {next}});
    }
    return before_.count(b) == 0 ? std::nullopt : copy(b, patch);
  }

  const Module& module_;
  InstructionId last_;
  bool sound_ = false;
  std::map<InstructionId, InstructionId> after_, before_;  ///< a value and the same one of the next step
  std::map<InstructionId, Ref> made_;
};

/// The value of which this one is the next step: the nearest one like it from which it is computed directly.
InstructionId step_before(const Module& module, InstructionId id) {
  for (const InstructionId operand : module.operands(id)) {
    if (alike(module, operand, id)) return operand;
  }
  return kNone;
}

/// Numbers of rounds that a loop may have meant: one more or less, once around the ranks of an axis, a number of the sequential program.
std::vector<std::int64_t> other_rounds(const Context& context, std::int64_t now) {
  std::set<std::int64_t> others = {now + 1, now - 1};
  for (const AxisSet& axes : context.axes()) {
    if (axes.axes == 1) others.insert({now + axes.size - 1, now + 1 - axes.size, now + axes.size, now - axes.size});
  }
  for (const ConstantArray& constant : context.sequential_constants()) {
    if (constant.values.size() == 1 && is_integral(constant.type.element)) others.insert(constant.values[0].integer);
  }
  others.erase(now);
  return {others.lower_bound(0), others.lower_bound(kMaxRounds)};
}

/// What the body reads out of a stored count of rounds (0, 1, ...) is its counter, which goes on after the end of the stored ones.
void count_without_end(const Context& context, const Loop& loop, Patch& patch) {
  const Module& module = context.module();
  for (const auto& [state, before] : loop.kept) {
    if (!is_count(module, before) || module.type(before).dims.size() != 1) continue;
    for (const InstructionId user : context.users(state)) {
      if (!is_dynamic_slice(module, user) || module.operands(user)[1] != loop.counter) continue;
      const Type& one = module.type(user);
      if (one.count() != 1) continue;
      Maker maker = context.maker(patch);
      patch.reroutes.push_back({user, maker.reshape(maker.convert({loop.counter, false}, one.element), one.dims), std::nullopt});
    }
  }
}

void rounds_of_loop(const Context& context, InstructionId place, InstructionId while_loop, std::vector<Repair>& out) {
  const Module& module = context.module();
  const std::int64_t now = *constant_number(module, place);
  if (now < 0 || now > kMaxRounds) return;
  const auto loop = loop_of(context, module.attributes(while_loop).computations(Attr::Body).at(0));
  if (!loop) return;  // the number counts no rounds
  for (const std::int64_t to : other_rounds(context, now)) {
    Changed change = unchanged(module, place);
    ConstantArray literal = module.attributes(place).literal();
    literal.values = {Scalar::of_int(literal.type.element, wrap_to(literal.type.element, to))};
    change.attributes.set(Attr::Literal, std::move(literal));
    Patch patch = changing(std::move(change));
    if (to > now) count_without_end(context, *loop, patch);
    const std::int64_t more = to - now;
    out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::WrongSteps, .text = fmt::format("{} ends after {} rounds ({}), not after {}: {} too {}", context.name(while_loop), now, context.name(place), to, std::abs(more), more > 0 ? "few" : "many"), .edit = fmt::format("change {} from {} to {}", context.name(place), now, to), .cost = 8 + (std::abs(more) == 1 ? 0 : 2)});
  }
}

}  // namespace

void step_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const InstructionId loop = is_constant(module, place) ? ended_loop(context, place) : kNone;
  if (loop != kNone) return rounds_of_loop(context, place, loop, out);
  if (!context.is_float_array(place) || is_tuple(module, place)) return;
  for (const InstructionId user : context.users(place)) {
    if (step_before(module, user) == place) return;  // not the last step
  }
  std::size_t count = 1;
  for (InstructionId id = step_before(module, place); id != kNone; id = step_before(module, id)) ++count;
  if (count < kLeastSteps) return;
  Patch patch;
  Steps steps(module, step_before(module, place), place);
  const auto next = steps.next(patch);
  if (!next || steps.size() < kLeastStep) return;
  patch.reroutes.push_back({place, *next, std::nullopt});
  out.push_back({.patch = std::move(patch), .place = place, .kind = FindingKind::Missing, .diagnosis = Diagnosis::WrongSteps, .text = fmt::format("{} is the value after {} steps of {} instructions: a step is missing after it", context.name(place), count, steps.size()), .edit = fmt::format("compute one step more after {}", context.name(place)), .after = std::string(module.name_of(place)), .cost = 14});
}

}  // namespace gg::pinpoint
