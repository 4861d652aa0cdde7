// Repairs of collectives: other groups, another order, another reducer, none at all, on the other side of a function.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "models/ir/mask_shift.h"
#include "models/op/facts.h"
#include "models/op/groups.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxBehind = 100;                      ///< instructions behind a value
constexpr std::size_t kMaxBeforeSum = 64;                    ///< instructions looked at before a sum
constexpr std::size_t kMostSummands = 1024;                  ///< instructions looked at for one that is counted once a rank
constexpr int kFunction = 10, kReducer = 12, kSummand = 14;  ///< costs: a function that is not linear is more likely too early than a sum is meant to be a maximum

std::string axes_of(const Context& context, const RankGroups& groups) {
  for (const AxisSet& axes : context.axes()) {
    if (sorted(axes.groups) == sorted(groups)) return axes.name;
  }
  return "other ranks";
}

void regroup(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto now = groups_of(context, place);
  if (!now || now->empty()) return;
  const std::string name = context.name(place);
  const auto propose = [&](const AxisSet& axes, const RankGroups& groups, int cost) {
    if (groups == *now) return;
    Changed change = unchanged(module, place);
    ReplicaGroups list;
    list.groups = groups;
    change.attributes.set(Attr::ReplicaGroups, std::move(list));
    if (module[place].channel >= 0) change.attributes.set(Attr::UseGlobalDeviceIds, true);
    const bool order = same_members(groups, *now);
    out.push_back({.patch = changing(std::move(change)), .place = place, .diagnosis = order ? Diagnosis::GroupOrder : Diagnosis::WrongGroup, .text = order ? name + " takes the blocks of " + axes.name + " in the wrong order inside its groups" : "wrong replica groups: " + name + " works over " + axes_of(context, *now) + ", not over " + axes.name, .edit = order ? "order the groups of " + name + " by " + axes.name : "make " + name + " work over " + axes.name, .cost = cost});
  };
  for (const AxisSet& axes : context.axes()) {
    const bool blocks = !is_all_reduce(module, place);
    if (!blocks && same_members(axes.groups, *now)) continue;  // the order says nothing
    if (blocks && axes.size != static_cast<std::int64_t>(now->front().size())) continue;
    propose(axes, axes.groups, 10 + axes.axes);
    auto reversed = axes.groups;
    for (auto& group : reversed) std::reverse(group.begin(), group.end());
    if (blocks) propose(axes, reversed, 30);
  }
}

/// Where all ranks hold one value its maximum is the value too: a sum that is counted once a rank would be told to be a maximum that nobody meant.
bool spoken_of(const Context& context, Op op) {
  const auto& free = context.pair().relation.free;
  return op == mutation::kSum || context.sequential_ops().contains(op) || std::any_of(free.begin(), free.end(), [](const FreeInput& input) { return !input.combined_by.empty(); });
}

void change_reducer(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto now = reducer(module, place);
  if (!now || module.operands(place).size() > 1 || !module.type(place).is_array()) return;
  for (const Op then : mutation::kReductions) {
    if (then == *now || !spoken_of(context, then)) continue;
    Changed change = unchanged(module, place);
    change.reducer = Reducer{then, module.type(place).element};
    out.push_back({.patch = changing(std::move(change)), .place = place, .diagnosis = Diagnosis::WrongReducer, .text = fmt::format("{} combines with {}, not with {}", context.name(place), info(*now).name, info(then).name), .edit = fmt::format("combine with {} in {}", info(then).name, context.name(place)), .cost = kReducer});
  }
}

/// One of two operands, by the first.
bool masks(const Module& module, InstructionId id) { return chooses(module[id].op) && module.type(module.operands(id)[0]).element == ElementType::Pred; }

/// What changes no sum, minimum or maximum.
Scalar nothing_of(Op combines, ElementType element) {
  if (combines == mutation::kSum) return Scalar::whole(element, 0);
  const bool large = combines == mutation::kSmallest;
  if (is_float(element)) return Scalar::of(element, large ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
  const auto [lo, hi] = IntegerSpan::of(element);
  return Scalar::of_int(element, large ? hi : lo);
}

/// Ranks put a constant where they have no value of their own, and combine what all have: it goes with the function. Of numbers of places alone, of which the first or the last one
/// is meant; a sum of those counts ties.
void change_masked_reducer(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto now = reducer(module, place);
  const InstructionId select = module.operands(place).size() == 1 ? behind_moves(module, module.operands(place)[0]) : kNone;
  if (!now || !is_all_reduce(module, place) || select == kNone || !masks(module, select) || !is_integral(module.type(place).element)) return;
  for (const Op then : mutation::kReductions) {
    for (const std::size_t side : {1U, 2U}) {
      if (then == *now || !has_values(module, behind_moves(module, module.operands(select)[side]))) continue;
      Patch patch;
      Changed combine = unchanged(module, place), put = unchanged(module, select);
      combine.reducer = Reducer{then, module.type(place).element};
      const Scalar nothing = nothing_of(then, module.type(place).element);
      put.operands[side] = context.maker(patch).full(nothing, module.type(select).dims);
      patch.changed = {std::move(put), std::move(combine)};
      const std::string name = context.name(place), mask = context.name(select);
      out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::WrongReducer, .text = fmt::format("{} combines with {} what {} takes, not with {}", name, info(*now).name, mask, info(then).name), .edit = fmt::format("combine with {} in {}, and let {} put {} where a rank has nothing", info(then).name, name, mask, nothing.integer), .cost = kReducer + 1});
    }
  }
}

/// The collective's users read its operand instead.
void remove(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto operands = module.operands(place);
  if (operands.size() != 1 || !(module.type(operands[0]) == module.type(place))) return;
  const bool reduces = is_all_reduce(module, place);
  Repair r{.patch = rerouting(place, {operands[0], false}), .place = place, .kind = FindingKind::Extra, .diagnosis = reduces ? Diagnosis::ExtraReduction : Diagnosis::PermuteNeighbour, .text = fmt::format("extra {}: {} works on {}, which is complete", info(module[place].op).name, context.name(place), context.name(operands[0])), .edit = "remove " + context.name(place), .cost = reduces ? 10 : 20};
  if (reduces && context.users(place).size() == 1) {
    const InstructionId user = context.users(place).front(), next = context.user_behind_copies(user);
    if (term_sign(module[user].op) != 0 && next != kNone && is_all_reduce(module, next)) {
      r.diagnosis = Diagnosis::DoubleCount;
      r.text = fmt::format("{} is complete before {} adds it to a partial value, and {} counts it once a rank", context.name(place), context.name(user), context.name(next));
    }
  }
  out.push_back(std::move(r));
}

/// The all-reduces over these groups of which a value is a sum, behind moves.
std::vector<InstructionId> sums_in(const Context& context, InstructionId value, const RankGroups& groups) {
  const Module& module = context.module();
  const auto reduces = [&](InstructionId id) {
    const auto inner = is_all_reduce(module, id) && module.operands(id).size() == 1 ? groups_of(context, id) : std::nullopt;
    return inner && same_members(*inner, groups);
  };
  auto found = behind(module, value, kMaxBeforeSum, [&](InstructionId id) {
    return term_sign(module[id].op) != 0 || moves_one(module, id);
  });
  found.erase(std::remove_if(found.begin(), found.end(), [&](InstructionId id) { return !reduces(id); }), found.end());
  std::sort(found.begin(), found.end());
  return found;
}

/// A sum of what other collectives have summed over the same ranks already: those go.
void reduced_before(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if ((!is_reduce_scatter(module, place) && !is_all_reduce(module, place)) || module.operands(place).size() != 1) return;
  const auto groups = groups_of(context, place);
  const auto inner = groups ? sums_in(context, module.operands(place)[0], *groups) : std::vector<InstructionId>();
  if (inner.empty()) return;
  const bool alone = behind_moves(module, module.operands(place)[0]) == inner.front();
  if (is_all_reduce(module, place) && alone) return;  // nothing else is summed: the second one is too many (remove)
  Patch patch;
  std::string names;
  for (const InstructionId id : inner) {
    patch.reroutes.push_back({id, {module.operands(id)[0], false}, std::nullopt});
    names += (names.empty() ? "" : ", ") + context.name(id);
  }
  const std::string more = inner.size() > 1 ? fmt::format("; so do {} more before it", inner.size() - 1) : "";
  out.push_back({.patch = std::move(patch), .place = inner.front(), .kind = FindingKind::Extra, .diagnosis = Diagnosis::ExtraReduction, .text = fmt::format("{} reduces over {} what {} reduces over the same ranks once more{}", context.name(inner.front()), axes_of(context, *groups), context.name(place), more), .edit = "remove " + names, .cost = 6});
}

/// The sum over ranks does not fit the integers of its summands: convert(all-reduce(x)) to integers of more bits becomes all-reduce(convert(x)), and a comparison with the sum one of s32.
void widen(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto groups = groups_of(context, place);
  const auto combined = reducer(module, place);
  if (!is_all_reduce(module, place) || module.operands(place).size() != 1 || !groups || !combined) return;
  const InstructionId user = context.user_behind_copies(place);
  const bool compares = user != kNone && module.attributes(user).has(Attr::Direction);
  if (user == kNone || (!compares && !converts(module[user].op))) return;
  const ElementType narrow = context.type(place).element, wide = compares ? ElementType::S32 : context.type(user).element;
  if (!is_integral(narrow) || !is_integral(wide) || info(wide).bits <= info(narrow).bits) return;
  Patch patch;
  Maker maker = context.maker(patch);
  Ref sum = maker.all_reduce(maker.convert({module.operands(place)[0], false}, wide), *groups, *combined);
  if (compares) {
    const auto operands = module.operands(user);
    const bool first = behind_moves(module, operands[0]) == place;
    const Ref other = maker.convert({operands[first ? 1 : 0], false}, wide);
    sum = maker.compare(first ? sum : other, first ? other : sum, module.attributes(user).text(Attr::Direction).c_str());
  }
  patch.reroutes.push_back({user, sum, std::nullopt});
  const std::string all = context.name(place), uses = context.name(user);
  const std::string_view from = info(narrow).name, to = info(wide).name;
  const std::string why = compares ? fmt::format("{} adds in {} what {} compares", all, from, uses) : fmt::format("{} adds in {} what {} makes {} afterwards", all, from, uses, to);
  out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::NarrowSum, .text = fmt::format("{}: a sum that {} does not hold wraps", why, from), .edit = fmt::format("convert {} to {} before {}", context.name(module.operands(place)[0]), to, all), .cost = compares ? 2 : 8});
}

/// all-reduce(f(x, y)) becomes f(all-reduce(x), y).
void exchange(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!is_all_reduce(module, place) || module.operands(place).size() != 1) return;
  const InstructionId direct = module.operands(place)[0];
  InstructionId inner = direct;
  while (moves_one(module, inner) && module.type(inner).count() == module.type(module.operands(inner)[0]).count() && context.users(inner).size() == 1) inner = module.operands(inner)[0];
  const Op op = module[inner].op;
  const auto operands = module.operands(inner);
  if (info(op).traits != OpTraits::Elementwise) return;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!(module.type(operands[k]) == module.type(inner))) continue;
    const ValueState* state = context.state(operands[k]);
    if (state != nullptr && !state->derived) continue;
    Patch patch;
    const Ref reduced = patch.add({module[place].op, module.type(inner), module.attributes(place), {{operands[k], false}}, std::nullopt, module[place].channel >= 0});
    Changed function = unchanged(module, inner);
    function.operands[k] = reduced;
    if (inner == direct) {
      const Ref again = patch.add({op, module.type(inner), function.attributes, function.operands, std::nullopt, false});
      patch.reroutes.push_back({place, again, std::nullopt});
    } else {
      patch.changed.push_back(std::move(function));
      patch.reroutes.push_back({place, {direct, false}, std::nullopt});
    }
    const std::string all = context.name(place), at = context.name(inner), value = context.name(operands[k]);
    const bool sum = term_sign(op) != 0;
    out.push_back({.patch = std::move(patch), .place = place, .diagnosis = sum ? Diagnosis::DoubleCount : Diagnosis::PartialNonlinear, .text = sum ? fmt::format("{} counts {} once a rank: {} adds it to the partial value {} before the reduction", all, context.name(operands[1 - k]), at, value) : fmt::format("{} is not linear, but reads the partial value {}; {} reduces too late", at, value, all), .edit = fmt::format("reduce {} before {} in place of {}", value, at, all), .cost = (sum ? kSummand : kFunction) + static_cast<int>(k)});
  }
}

/// all-reduce(.. + (x + y) + ..), y being whole, becomes all-reduce(.. + x + ..) + y.
void count_once(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!is_all_reduce(module, place) || module.operands(place).size() != 1 || reducer(module, place) != mutation::kSum) return;
  const auto adds = [&](InstructionId id) { return module[id].op == mutation::kSum && context.users(id).size() == 1 && module.type(id) == module.type(place); };
  for (const InstructionId sum : behind(module, module.operands(place)[0], kMostSummands, adds)) {
    if (sum == module.operands(place)[0] || !adds(sum)) continue;  // what is added last: `exchange`
    for (std::size_t k = 0; k < 2; ++k) {
      const InstructionId whole = module.operands(sum)[k], rest = module.operands(sum)[1 - k];
      const ValueState* state = context.state(whole);
      if (state == nullptr || !state->derived || !state->match || !state->match->partial.empty()) continue;
      Patch patch = rerouting(sum, {rest, false});
      patch.reroutes.push_back({place, context.maker(patch).sum({place, false}, {whole, false}), std::nullopt});
      const std::string all = context.name(place), counted = context.name(whole);
      out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::DoubleCount, .text = fmt::format("{} counts {} once a rank: {} adds it to partial values before the reduction", all, counted, context.name(sum)), .edit = fmt::format("add {} to {}, not to {}", counted, all, context.name(rest)), .cost = kSummand});
    }
  }
}

/// all-reduce(scatter(x, ..)), which adds to x, becomes x + all-reduce(scatter(0, ..)).
void add_behind(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!is_all_reduce(module, place) || module.operands(place).size() != 1) return;
  const InstructionId inner = module.operands(place)[0];
  if (info(module[inner].op).traits != OpTraits::Indexing || reducer(module, inner) != mutation::kSum || module.operands(inner).size() != 3) return;
  const InstructionId added = module.operands(inner)[0];
  const ValueState* state = context.state(added);
  if (state == nullptr || !state->derived || !state->match || !state->match->partial.empty() || !module.type(added).is_array()) return;
  Patch patch;
  Maker maker = context.maker(patch);
  const ElementType element = module.type(added).element;
  Changed alone = unchanged(module, inner);
  alone.operands[0] = maker.whole(element, 0, module.type(added).dims);
  patch.changed.push_back(std::move(alone));
  patch.reroutes.push_back({place, maker.sum({place, false}, {added, false}), std::nullopt});
  const std::string all = context.name(place), scatter = context.name(inner), whole = context.name(added);
  out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::DoubleCount, .text = fmt::format("{} counts {} once a rank: {} adds to it before the reduction", all, whole, scatter), .edit = fmt::format("let {} add to zeros, and add {} to {}", scatter, whole, all), .cost = kSummand});
}

/// Is what `user` makes of this operand a sum or a multiple of it?
bool is_linear(const Module& module, InstructionId user, InstructionId operand) {
  const auto operands = module.operands(user);
  const Op op = module[user].op;
  const bool once = std::count(operands.begin(), operands.end(), operand) == 1, divided = factor_exponent(op) == -1 && operands[0] == operand;
  return once && (DivergenceTrace::moves(op) || converts(op) || term_sign(op) != 0 || factor_exponent(op) == 1 || divided);
}

}  // namespace

std::optional<RankGroups> groups_of(const Context& context, InstructionId id) {
  try {
    return rank_groups(context.module()[id].op, context.module().attributes(id), context.pair().relation.layout);
  } catch (const TypeError&) {
    return std::nullopt;
  }
}

RankGroups sorted(RankGroups groups) {
  for (auto& group : groups) std::sort(group.begin(), group.end());
  std::sort(groups.begin(), groups.end());
  return groups;
}

bool same_members(const RankGroups& a, const RankGroups& b) { return sorted(a) == sorted(b); }

bool summed_before(const Context& context, InstructionId id, const RankGroups& groups) {
  const Module& module = context.module();
  const auto constant = [&](InstructionId operand) { return has_values(module, behind_moves(module, operand)); };
  for (;;) {
    const auto operands = module.operands(id);
    const int exponent = factor_exponent(module[id].op);
    if (is_all_reduce(module, id)) {
      const auto there = groups_of(context, id);
      return there && same_members(*there, groups);
    }
    if (moves_one(module, id) || (exponent != 0 && constant(operands[1]))) id = operands[0];
    else if (exponent == 1 && constant(operands[0])) id = operands[1];
    else return false;
  }
}

std::vector<InstructionId> sums_behind(const Context& context, InstructionId id, const RankGroups& groups) {
  const Module& module = context.module();
  std::vector<InstructionId> found, todo = {id};
  for (std::size_t k = 0; k < todo.size() && k < kMaxBehind; ++k) {
    for (const InstructionId user : context.users(todo[k])) {
      const bool sums = is_all_reduce(module, user) && module.operands(user).size() == 1 && reducer(module, user) == mutation::kSum;
      const auto there = sums ? groups_of(context, user) : std::nullopt;
      if (there && same_members(*there, groups)) found.push_back(user);
      else if (is_linear(module, user, todo[k])) todo.push_back(user);
    }
  }
  return found;
}

bool summed_later(const Context& context, InstructionId id, const RankGroups& groups) {
  const Module& module = context.module();
  while (context.users(id).size() == 1) {
    const InstructionId user = context.users(id).front();
    const bool collects = is_all_reduce(module, user) || is_reduce_scatter(module, user);
    if (collects) {
      const auto there = reducer(module, user) == mutation::kSum ? groups_of(context, user) : std::nullopt;
      return there && same_members(*there, groups);
    }
    if (!is_linear(module, user, id)) return false;
    id = user;
  }
  return false;
}

void collective_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  if (info(context.module()[place].op).traits != OpTraits::Collective) return;
  if (!is_message(context.module(), place)) {
    regroup(context, place, out);
    change_reducer(context, place, out);
    change_masked_reducer(context, place, out);
  }
  remove(context, place, out);
  reduced_before(context, place, out);
  widen(context, place, out);
  exchange(context, place, out);
  count_once(context, place, out);
  add_behind(context, place, out);
}

bool is_divisor(const Context& context, InstructionId id) {
  const Module& module = context.module();
  while (!context.users(id).empty()) {
    const InstructionId user = context.users(id).front();
    const auto operands = module.operands(user);
    const auto number = [&](InstructionId operand) { return has_values(module, behind_moves(module, operand)); };
    if (factor_exponent(module[user].op) == -1) return operands[1] == id && operands[0] != id;
    const bool multiple = factor_exponent(module[user].op) == 1, bounded = module[user].op == mutation::kLargest || module[user].op == mutation::kSmallest;
    const bool kept = (multiple || bounded) && (number(operands[0]) || number(operands[1]));
    if (!kept && !DivergenceTrace::moves(module[user].op)) return false;
    id = user;
  }
  return false;
}

}  // namespace gg::pinpoint
