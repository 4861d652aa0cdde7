// Repairs of collectives: other groups, another order, another reducer, none at all, on the other side of a function.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "models/op/groups.h"

namespace gg::pinpoint {
namespace {

constexpr std::array kGrouped = {Op::AllReduce, Op::AllGather, Op::ReduceScatter, Op::AllToAll};
constexpr std::size_t kMaxBefore = 64;  ///< instructions looked at before a sum
constexpr std::array kReducers = {Op::Add, Op::Maximum, Op::Minimum};
template <class Table>
bool in(const Table& table, Op op) {
  return std::find(table.begin(), table.end(), op) != table.end();
}

std::optional<std::vector<std::vector<std::int64_t>>> groups_of(const Context& context, InstructionId id) {
  try {
    return rank_groups(context.module()[id].op, context.module().attributes(id), context.pair().relation.layout);
  } catch (const TypeError&) {
    return std::nullopt;
  }
}

std::string axes_of(const Context& context, std::vector<std::vector<std::int64_t>> groups) {
  for (auto& group : groups) std::sort(group.begin(), group.end());
  std::sort(groups.begin(), groups.end());
  for (const AxisSet& axes : context.axes()) {
    auto sorted = axes.groups;
    for (auto& group : sorted) std::sort(group.begin(), group.end());
    std::sort(sorted.begin(), sorted.end());
    if (sorted == groups) return axes.name;
  }
  return "other ranks";
}

bool same_members(std::vector<std::vector<std::int64_t>> a, std::vector<std::vector<std::int64_t>> b) {
  for (auto* groups : {&a, &b}) {
    for (auto& group : *groups) std::sort(group.begin(), group.end());
    std::sort(groups->begin(), groups->end());
  }
  return a == b;
}

/// The collective over the groups of `axes`, with its other attributes.
Attributes regrouped(const Context& context, InstructionId id, const std::vector<std::vector<std::int64_t>>& groups) {
  Attributes attributes = context.module().attributes(id);
  ReplicaGroups list;
  list.groups = groups;
  attributes.set(Attr::ReplicaGroups, list);
  const bool channel = context.module()[id].channel >= 0;
  if (channel) attributes.set(Attr::UseGlobalDeviceIds, true);
  return attributes;
}

void regroup(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Op op = context.module()[place].op;
  const auto now = groups_of(context, place);
  if (!now || now->empty()) return;
  const std::string op_name(gg::info(op).name), name = context.name(place), before = axes_of(context, *now);
  const auto propose = [&](const AxisSet& axes, const std::vector<std::vector<std::int64_t>>& groups, int cost) {
    if (groups == *now) return;
    Repair r;
    r.place = place;
    Changed change = unchanged(context.module(), place);
    change.attributes = regrouped(context, place, groups);
    r.patch.changed.push_back(std::move(change));
    const bool order = same_members(groups, *now);
    r.diagnosis = order ? Diagnosis::GroupOrder : Diagnosis::WrongGroup;
    r.text = order ? name + " takes the blocks of " + axes.name + " in the wrong order inside its groups"
                   : "wrong replica groups: " + name + " works over " + before + ", not over " + axes.name;
    r.edit = (order ? "order the groups of " + name + " by " + axes.name : "make " + name + " work over " + axes.name);
    r.cost = cost;
    out.push_back(std::move(r));
  };
  for (const AxisSet& axes : context.axes()) {
    if (op == Op::AllReduce && same_members(axes.groups, *now)) continue;  // the order says nothing
    if (op != Op::AllReduce && axes.size != static_cast<std::int64_t>(now->front().size())) continue;
    propose(axes, axes.groups, 10 + axes.axes);
    auto reversed = axes.groups;
    for (auto& group : reversed) std::reverse(group.begin(), group.end());
    if (op != Op::AllReduce) propose(axes, reversed, 30);
  }
}

void change_reducer(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto& regions = module.attributes(place).computations(Attr::ToApply);
  if (regions.size() != 1 || module.operands(place).size() > 2 || !module.type(place).is_array()) return;
  const Op now = module[module.computation(regions[0]).root].op;
  for (const Op reducer : kReducers) {
    if (reducer == now) continue;
    Repair r;
    r.place = place;
    Changed change = unchanged(module, place);
    change.reducer = Reducer{reducer, module.type(place).element};
    if (module[place].op == Op::Reduce || module[place].op == Op::ReduceWindow) {
      continue;  // the initial value would have to change too
    }
    r.patch.changed.push_back(std::move(change));
    r.diagnosis = Diagnosis::WrongReducer;
    const std::string from(gg::info(now).name), to(gg::info(reducer).name);
    r.text = context.name(place) + " combines with " + from + ", not with " + to;
    r.edit = "combine with " + to + " in " + context.name(place);
    r.cost = 12;
    out.push_back(std::move(r));
  }
}

/// The collective's users read its operand instead.
void remove(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto operands = module.operands(place);
  if (operands.size() != 1 || !(module.type(operands[0]) == module.type(place))) return;
  Repair r;
  r.place = place;
  r.kind = FindingKind::Extra;
  r.patch.reroutes.push_back({place, {operands[0], false}, std::nullopt});
  const std::string op_name(gg::info(module[place].op).name);
  const bool reduces = is_all_reduce(module, place);
  r.diagnosis = reduces ? Diagnosis::ExtraReduction : Diagnosis::PermuteNeighbour;
  r.text = "extra " + op_name + ": " + context.name(place) + " works on " + context.name(operands[0]) + ", which is complete";
  if (reduces && context.users(place).size() == 1) {
    const InstructionId user = context.users(place).front();
    const InstructionId next = context.user_behind_copies(user);
    if (module[user].op == Op::Add && next != kNone && is_all_reduce(module, next)) {
      r.diagnosis = Diagnosis::DoubleCount;
      r.text = context.name(place) + " is complete before " + context.name(user) + " adds it to a partial value, and " +
               context.name(next) + " counts it once a rank";
    }
  }
  r.edit = "remove " + context.name(place);
  r.cost = reduces ? 10 : 20;
  out.push_back(std::move(r));
}

/// The all-reduces over these groups of which a value is a sum, behind moves.
std::vector<InstructionId> summed_before(const Context& context, InstructionId value, const std::vector<std::vector<std::int64_t>>& groups) {
  const Module& module = context.module();
  const auto reduces = [&](InstructionId id) {
    const auto inner = is_all_reduce(module, id) && module.operands(id).size() == 1 ? groups_of(context, id) : std::nullopt;
    return inner && same_members(*inner, groups);
  };
  auto found = behind(module, value, kMaxBefore, [&](InstructionId id) {
    return module[id].op == Op::Add || (DivergenceTrace::moves(module[id].op) && module.operands(id).size() == 1);
  });
  found.erase(std::remove_if(found.begin(), found.end(), [&](InstructionId id) { return !reduces(id); }), found.end());
  std::sort(found.begin(), found.end());
  return found;
}

/// A sum of what other collectives have summed over the same ranks already: those go.
void reduced_before(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if ((module[place].op != Op::ReduceScatter && !is_all_reduce(module, place)) || module.operands(place).size() != 1) return;
  const auto groups = groups_of(context, place);
  const auto inner = groups ? summed_before(context, module.operands(place)[0], *groups) : std::vector<InstructionId>();
  if (inner.empty()) return;
  const bool alone = behind_moves(module, module.operands(place)[0]) == inner.front();
  if (is_all_reduce(module, place) && alone) return;  // nothing else is summed: the second one is too many (remove)
  Repair r;
  r.place = inner.front();
  r.kind = FindingKind::Extra;
  std::string names;
  for (const InstructionId id : inner) {
    r.patch.reroutes.push_back({id, {module.operands(id)[0], false}, std::nullopt});
    names += (names.empty() ? "" : ", ") + context.name(id);
  }
  r.diagnosis = Diagnosis::ExtraReduction;
  r.text = fmt::format("{} reduces over {} what {} reduces over the same ranks once more", context.name(inner.front()), axes_of(context, *groups), context.name(place));
  if (inner.size() > 1) r.text += fmt::format("; so do {} more before it", inner.size() - 1);
  r.edit = "remove " + names;
  r.cost = 6;
  out.push_back(std::move(r));
}

/// all-reduce(f(x, y)) becomes f(all-reduce(x), y).
void exchange(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!is_all_reduce(module, place) || module.operands(place).size() != 1) return;
  const InstructionId direct = module.operands(place)[0];
  InstructionId inner = direct;
  while ((module[inner].op == Op::Reshape || is_copy(module, inner)) && context.users(inner).size() == 1) inner = module.operands(inner)[0];
  const Op op = module[inner].op;
  const auto operands = module.operands(inner);
  if (gg::info(op).traits != OpTraits::Elementwise || op == Op::Compare || op == Op::Convert) return;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!(module.type(operands[k]) == module.type(inner))) continue;
    const ValueState* state = context.state(operands[k]);
    if (state != nullptr && !state->derived) continue;
    Repair r;
    r.place = place;
    Added moved{module[place].op, module.type(inner), module.attributes(place), {{operands[k], false}}, std::nullopt, module[place].channel >= 0};
    const Ref reduced = r.patch.add(std::move(moved));
    Changed function = unchanged(module, inner);
    function.operands[k] = reduced;
    if (inner == direct) {
      const Ref again = r.patch.add({op, module.type(inner), function.attributes, function.operands, std::nullopt, false});
      r.patch.reroutes.push_back({place, again, std::nullopt});
    } else {
      r.patch.changed.push_back(std::move(function));
      r.patch.reroutes.push_back({place, {direct, false}, std::nullopt});
    }
    const bool sum = op == Op::Add || op == Op::Subtract;
    r.diagnosis = sum ? Diagnosis::DoubleCount : Diagnosis::PartialNonlinear;
    if (sum) {
      r.text = context.name(place) + " counts " + context.name(operands[1 - k]) + " once a rank: " + context.name(inner) +
               " adds it to the partial value " + context.name(operands[k]) + " before the reduction";
    } else {
      r.text = context.name(inner) + " is not linear, but reads the partial value " + context.name(operands[k]) + "; " +
               context.name(place) + " reduces too late";
    }
    r.edit = "reduce " + context.name(operands[k]) + " before " + context.name(inner) + " in place of " + context.name(place);
    r.cost = 14 + static_cast<int>(k);
    out.push_back(std::move(r));
  }
}

}  // namespace

void collective_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  if (gg::info(context.module()[place].op).traits != OpTraits::Collective) return;
  if (in(kGrouped, context.module()[place].op)) {
    regroup(context, place, out);
    change_reducer(context, place, out);
  }
  remove(context, place, out);
  reduced_before(context, place, out);
  exchange(context, place, out);
}

bool is_divisor(const Context& context, InstructionId id) {
  const Module& module = context.module();
  while (!context.users(id).empty()) {
    const InstructionId user = context.users(id).front();
    if (module[user].op == Op::Divide) return module.operands(user)[1] == id && module.operands(user)[0] != id;
    if (!DivergenceTrace::moves(module[user].op)) return false;
    id = user;
  }
  return false;
}

/// How partial results of this value are combined: as it combines itself.
static Op partial_of(const Module& module, InstructionId id) {
  if (module[id].op != Op::Reduce) return Op::Add;
  const Computation& region = module.computation(module.attributes(id).computations(Attr::ToApply).at(0));
  return region.count == 3 ? module[region.root].op : Op::Add;
}

// Insertion after a value: complete sums, maxima, minima, means over every set of axes; first where the run says so.
void reduction_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Op op = module[place].op;
  if (!context.type(place).is_array() || op == Op::Constant || op == Op::Parameter || op == Op::PartitionId) return;
  const ElementType element = context.type(place).element;
  if (element == ElementType::Pred) return;
  const ValueState* state = context.state(place);
  if (state != nullptr && !state->derived) return;
  const InstructionId user = context.user_behind_copies(place);
  // A copy right behind a computed value stands in the place of the collective.
  const auto computes = [&](InstructionId id) { return !DivergenceTrace::moves(module[id].op) && gg::info(module[id].op).traits != OpTraits::Structure; };
  const auto moved = [&](InstructionId id) {
    while (DivergenceTrace::moves(module[id].op) && !is_copy(module, id) && module.operands(id).size() == 1) id = module.operands(id)[0];
    return id;
  };
  const bool standing = op == Op::Copy && module.type(module.operands(place)[0]) == module.type(place) && computes(moved(module.operands(place)[0]));
  const InstructionId source = standing ? module.operands(place)[0] : place;
  if (computes(place) && context.users(place).size() == 1 && is_copy(module, context.users(place)[0])) return;  // told there
  const Op own = partial_of(module, moved(source));
  const int late = standing || computes(place) ? 0 : 6;
  for (const AxisSet& axes : context.axes()) {
    for (const Op reducer : kReducers) {
      for (const bool mean : {false, true}) {
        if (mean && (reducer != Op::Add || !is_float(element))) continue;
        Repair r;
        r.place = place;
        r.kind = FindingKind::Missing;
        Ref total = context.all_reduce(r.patch, {source, false}, context.type(place), axes, reducer);
        if (mean) total = context.scaled(r.patch, total, context.type(place), 1.0 / static_cast<double>(axes.size));
        r.patch.reroutes.push_back({place, total, std::nullopt});
        r.diagnosis = Diagnosis::MissingReduction;
        const bool divides = reducer == Op::Add && is_divisor(context, place);
        if (divides) r.diagnosis = Diagnosis::MeanOfMeans;
        const std::string what = reducer == Op::Add ? (mean ? "mean " : "") : reducer == Op::Maximum ? "max " : "min ";
        r.text = "missing " + what + "all-reduce over " + axes.name + " after " + context.name(source) + context.consumer(place);
        if (divides) r.text += kMeansOfMeans;
        r.edit = "insert a" + std::string(what.empty() ? "n " : " ") + what + "all-reduce over " + axes.name + " after " + context.name(source);
        r.after = std::string(module.name_of(source));
        if (user != kNone) r.before = std::string(module.name_of(user));
        r.cost = 22 + late - (standing ? 4 : 0) + 2 * axes.axes + (mean ? 3 : 0) + (reducer == own ? 0 : reducer == Op::Add ? 1 : reducer == Op::Maximum ? 2 : 6);
        if (state != nullptr && state->match && !state->match->partial.empty() && context.trace() != nullptr) {
          const bool axes_fit = context.trace()->digit_names(state->match->partial) == axes.name;
          const bool read_by_collective = user != kNone && gg::info(module[user].op).traits == OpTraits::Collective;
          const bool fits = axes_fit && !read_by_collective && !mean && state->match->sum == (reducer == Op::Add);
          r.cost -= fits ? 14 : 0;
        }
        out.push_back(std::move(r));
      }
    }
  }
}

}  // namespace gg::pinpoint
