// Repairs of schedules written out step by step whose last step is missing (a pipeline that ends a tick early): one more step is made
// like the last one, with the numbers that count steps counted on.
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxStep = 128;  ///< instructions of a step
constexpr std::size_t kLeastSteps = 3;
constexpr int kMaxDepth = 24;

bool alike(const Module& module, InstructionId a, InstructionId b) {
  return module[a].op == module[b].op && module.type(a) == module.type(b) && module.operands(a).size() == module.operands(b).size();
}

bool is_count(const Type& type) { return type.is_array() && type.dims.empty() && is_integral(type.element) && type.element != ElementType::Pred; }

/// The number that an integer scalar is, if constants alone say so.
std::optional<std::int64_t> number(const Module& module, InstructionId id, int depth = 0) {
  const auto operands = module.operands(id);
  if (depth > kMaxDepth || !module.type(id).is_array() || !module.type(id).dims.empty()) return std::nullopt;
  if (module[id].op == Op::Constant) {
    const auto& values = module.attributes(id).literal().values;
    return is_integral(values.at(0).type) ? std::optional(values[0].integer) : std::nullopt;
  }
  std::vector<std::int64_t> n;
  for (const InstructionId operand : operands) {
    const auto value = number(module, operand, depth + 1);
    if (!value) return std::nullopt;
    n.push_back(*value);
  }
  switch (module[id].op) {
    case Op::Add: return n[0] + n[1];
    case Op::Subtract: return n[0] - n[1];
    case Op::Multiply: return n[0] * n[1];
    case Op::Maximum: return std::max(n[0], n[1]);
    case Op::Minimum: return std::min(n[0], n[1]);
    case Op::Clamp: return std::min(std::max(n[1], n[0]), n[2]);
    case Op::Select: return n[0] != 0 ? n[1] : n[2];
    case Op::Convert:
    case Op::Copy:
    case Op::Reshape: return n[0];
    case Op::Compare: {
      const std::string& direction = module.attributes(id).text(Attr::Direction);
      if (direction == "LT") return n[0] < n[1];
      if (direction == "GE") return n[0] >= n[1];
      return std::nullopt;
    }
    default: return std::nullopt;
  }
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
    if (is_count(module_.type(b)) && number(module_, a) && number(module_, b)) return true;
    if (!alike(module_, a, b) || after_.size() > kMaxStep || !(module_.attributes(a) == module_.attributes(b))) return false;
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
    if (before_.count(b) == 0 && x && y) {
      if (*x == *y) return Ref{b, false};
      const ElementType element = module_.type(b).element;
      Attributes literal;
      const Type scalar = Type::array(element, {});
      literal.set(Attr::Literal, ConstantArray{scalar, {Scalar::of_int(element, wrap_to(element, 2 * *y - *x))}});
      return patch.add({Op::Constant, scalar, std::move(literal), {}, std::nullopt, false});
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

}  // namespace

void step_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!context.is_float_array(place) || module[place].op == Op::Tuple) return;
  for (const InstructionId user : context.users(place)) {
    if (step_before(module, user) == place) return;  // not the last step
  }
  std::size_t count = 1;
  for (InstructionId id = step_before(module, place); id != kNone; id = step_before(module, id)) ++count;
  if (count < kLeastSteps) return;
  Repair r;
  r.place = place;
  r.kind = FindingKind::Missing;
  Steps steps(module, step_before(module, place), place);
  const auto next = steps.next(r.patch);
  if (!next) return;
  r.patch.reroutes.push_back({place, *next, std::nullopt});
  r.diagnosis = Diagnosis::WrongSteps;
  r.text = fmt::format("{} is the value after {} steps of {} instructions: a step is missing after it", context.name(place), count, steps.size());
  r.edit = fmt::format("compute one step more after {}", context.name(place));
  r.after = std::string(module.name_of(place));
  r.cost = 14;
  out.push_back(std::move(r));
}

}  // namespace gg::pinpoint
