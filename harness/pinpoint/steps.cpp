// Steps written out (harness/pinpoint/steps.h).
#include "harness/pinpoint/steps.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "harness/pinpoint/rounds.h"
#include "harness/pinpoint/walk.h"
#include "models/body/store.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxStep = 128;                       ///< instructions of a step
constexpr std::int64_t kMaxCount = std::int64_t{1} << 30U;  ///< products of two fit
constexpr int kMaxNumber = 64;                              ///< instructions of a number

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
  const Type& type = module.type(id);
  int most = kMaxNumber;
  const bool whole = type.is_array() && type.dims.empty() && is_integral(type.element) && type.element != ElementType::Pred;
  return whole ? number(module, id, most) : std::nullopt;
}

/// What is sent as far from where the last round sends to as that is from where the one before it does.
std::optional<PairList> counted_on(const PairList& then, const PairList& now) {
  std::map<std::int64_t, std::int64_t> source;
  for (const auto& [from, to] : then) source.emplace(to, from);
  std::map<std::int64_t, std::int64_t> target(now.begin(), now.end());
  PairList next;
  for (const auto& [from, to] : now) {
    const auto back = source.find(to);
    if (back == source.end() || target.count(back->second) == 0) return std::nullopt;
    next.emplace_back(from, target.at(back->second));
  }
  return next.size() == then.size() ? std::optional(std::move(next)) : std::nullopt;
}

/// The part behind two successive ones, whether there is one or not.
std::optional<std::vector<SliceDim>> counted_on(const std::vector<SliceDim>& then, std::vector<SliceDim> now) {
  for (std::size_t d = 0; d < now.size(); ++d) {
    const std::int64_t by = now[d].start - then[d].start;
    if (now[d].stride != then[d].stride || now[d].limit - then[d].limit != by) return std::nullopt;
    now[d].start += by;
    now[d].limit += by;
  }
  return now;
}

/// What two instructions that are alike are told, counted on; nothing where they are told different things.
std::optional<Attributes> told_next(const Module& module, const Attributes& a, const Attributes& b) {
  Attributes next = b;
  if (a == b) return next;
  if (a.entries().size() != b.entries().size()) return std::nullopt;
  for (std::size_t k = 0; k < a.entries().size(); ++k) {
    const auto& [attribute, was] = a.entries()[k];
    const auto& [other, is] = b.entries()[k];
    if (attribute != other) return std::nullopt;
    if (was == is) continue;
    if (attribute == Attr::SourceTargetPairs) {
      const auto pairs = counted_on(a.pairs(), b.pairs());
      if (!pairs) return std::nullopt;
      next.set(attribute, *pairs);
    } else if (attribute == Attr::Slice) {
      const auto part = counted_on(a.slice(), b.slice());
      if (!part) return std::nullopt;
      next.set(attribute, *part);
    } else if (attribute != Attr::ToApply || !same_region(module, a.computations(attribute).at(0), module, b.computations(attribute).at(0))) {
      return std::nullopt;
    }
  }
  return next;
}

}  // namespace

InstructionId step_before(const Module& module, InstructionId id) {
  for (const InstructionId operand : module.operands(id)) {
    if (alike(module, operand, id)) return operand;
  }
  return kNone;
}

InstructionId alike_before(const Module& module, InstructionId id) {
  std::set<InstructionId, std::greater<>> todo(module.operands(id).begin(), module.operands(id).end());
  for (std::size_t looked = 0; !todo.empty() && looked < kMaxStep; ++looked) {
    const InstructionId at = *todo.begin();
    todo.erase(todo.begin());
    if (alike(module, at, id)) return at;
    todo.insert(module.operands(at).begin(), module.operands(at).end());
  }
  return kNone;
}

Steps::Steps(const Module& module, InstructionId before, InstructionId last) : module_(&module), last_(last) {
  todo_.emplace(last, before);
  pair_all();
}

// The latest values first: when one comes up, all that are made of it are known, and so is whether it belongs to the step before.
void Steps::pair_all() {
  while (!todo_.empty()) {
    const auto [later, earlier] = *todo_.begin();
    todo_.erase(todo_.begin());
    if (after_.count(later) == 0 && before_.count(later) == 0 && after_.count(earlier) == 0) pair(earlier, later);
  }
}

/// Nothing is noted where the two are not made in the same way. What the first step has of its own is sent on to the second.
void Steps::pair(InstructionId earlier, InstructionId later) {
  if (is_message(*module_, later) && module_->operands(later)[0] == earlier) {
    after_[earlier] = later;
    sends_ = true;
    return;
  }
  const bool fits = alike(*module_, earlier, later) && after_.size() <= kMaxStep;
  const auto told = fits ? told_next(*module_, module_->attributes(earlier), module_->attributes(later)) : std::nullopt;
  if (!told) {
    exact_ = false;
    return;
  }
  after_[earlier] = later;
  before_[later] = earlier;
  sends_ = sends_ || is_message(*module_, later);
  counts_ = counts_ || !(module_->attributes(later) == *told);
  for (std::size_t k = 0; k < module_->operands(later).size(); ++k) {
    const InstructionId was = module_->operands(earlier)[k], is = module_->operands(later)[k];
    if (was == is || after_.count(is) != 0) continue;
    const auto then = number(*module_, was), now = number(*module_, is);
    if (!then || !now) {
      todo_.emplace(is, was);
      continue;
    }
    if (*then == *now || std::abs(*then) > kMaxCount || std::abs(*now) > kMaxCount) continue;
    counts_ = true;
    numbers_[{later, k}] = {*then, *now};
  }
}

/// Is it a value of the earlier step, or computed from one?
bool Steps::continues(InstructionId id) {
  if (after_.empty() || id < after_.begin()->first) return false;  // operands stand before what reads them
  if (after_.count(id) != 0) return true;
  const auto [known, fresh] = continues_.try_emplace(id, false);
  if (!fresh || continues_.size() > kMaxStep) return known->second;
  for (const InstructionId operand : module_->operands(id)) {
    if (continues(operand)) return continues_[id] = true;
  }
  return false;
}

void Steps::widen(const Context& context) {
  for (bool grown = exact_; grown;) {
    grown = false;
    const std::map<InstructionId, InstructionId> known = before_;
    for (const auto& [later, earlier] : known) {
      for (const InstructionId reader : context.users(later)) {
        if (before_.count(reader) != 0 || after_.count(reader) != 0) continue;
        for (const InstructionId other : context.users(earlier)) {
          if (!alike(*module_, other, reader) || before_.count(other) != 0 || after_.count(other) != 0 || other >= reader) continue;
          Steps wider = *this;
          wider.todo_.emplace(reader, other);
          wider.pair_all();
          if (!wider.exact_ || wider.size() <= size()) continue;
          *this = std::move(wider);
          grown = true;
          break;
        }
      }
    }
  }
  continues_.clear();
}

std::vector<InstructionId> Steps::carried(const Context& context) const {
  std::vector<InstructionId> found;
  const auto of_the_step = [&](InstructionId id) { return before_.count(id) != 0; };
  for (const auto& [later, earlier] : before_) {
    const auto &readers = context.users(later), &goes_on = context.users(earlier);
    const bool read = module_->computation(module_->computation_of(later)).root == later || !std::all_of(readers.begin(), readers.end(), of_the_step);
    if (read && std::any_of(goes_on.begin(), goes_on.end(), of_the_step)) found.push_back(later);
  }
  return found;
}

/// Nothing where no part is left.
std::optional<Attributes> Steps::told_later(InstructionId id, int steps) const {
  const auto earlier = before_.find(id);
  if (earlier == before_.end()) return module_->attributes(id);
  Attributes then = module_->attributes(earlier->second), now = module_->attributes(id);
  for (int step = 0; step < steps; ++step) {
    auto next = told_next(*module_, then, now);
    if (!next) return std::nullopt;
    then = std::exchange(now, std::move(*next));
  }
  for (std::size_t d = 0; now.has(Attr::Slice) && d < now.slice().size(); ++d) {
    if (now.slice()[d].start < 0 || now.slice()[d].limit > module_->type(module_->operands(id)[0]).dims[d]) return std::nullopt;
  }
  return now;
}

/// Nothing for what a later step reads as the last one does.
std::optional<Ref> Steps::next(InstructionId id, Patch& patch, int steps) {
  if (const auto later = after_.find(id); later != after_.end()) return steps == 1 ? Ref{later->second, false} : next(later->second, patch, steps - 1);
  if (const auto known = made_.find({id, steps}); known != made_.end()) return known->second;
  auto& made = made_[{id, steps}];
  const auto told = told_later(id, steps);
  ended_ = ended_ || !told;
  if (!told || (before_.count(id) == 0 && !continues(id))) return made;
  Added added{(*module_)[id].op, module_->type(id), *told, {}, std::nullopt, (*module_)[id].channel > 0};
  bool changes = !(added.attributes == module_->attributes(id));
  for (std::size_t k = 0; k < module_->operands(id).size(); ++k) {
    const InstructionId operand = module_->operands(id)[k];
    std::optional<Ref> read;
    if (const auto number = numbers_.find({id, k}); number != numbers_.end()) {
      const ElementType element = module_->type(operand).element;
      const auto [then, now] = number->second;
      read = Maker(*module_, {}, patch).constant({Type::array(element, {}), {Scalar::of_int(element, wrap_to(element, now + steps * (now - then)))}});
    } else {
      read = next(operand, patch, steps);
    }
    changes = changes || read;
    added.operands.push_back(read.value_or(Ref{operand, false}));
  }
  return made = changes ? std::optional(patch.add(std::move(added))) : std::nullopt;
}

std::pair<InstructionId, PairList> Steps::farther(int steps) const {
  for (const auto& [later, earlier] : before_) {
    if (!is_message(*module_, later) || module_->attributes(later) == module_->attributes(earlier)) continue;
    if (const auto told = told_later(later, steps)) return {later, told->pairs()};
  }
  return {kNone, {}};
}

}  // namespace gg::pinpoint
