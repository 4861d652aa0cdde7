// What repairs are made from (harness/pinpoint/repair.h).
#include <algorithm>
#include <set>

#include "harness/pinpoint/repair.h"
#include "models/base/text.h"
#include "models/ir/control_flow.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxAxes = 4;
constexpr std::size_t kMaxLiteral = 4096;  ///< elements of a sequential constant worth comparing

/// Groups of ranks that have the same key; `inside(rank)`: it, and the place in the group.
template <class Inside>
AxisSet axis_set(std::string name, int axes, std::int64_t ranks, const Inside& inside) {
  AxisSet set;
  set.name = std::move(name);
  set.axes = axes;
  std::map<std::vector<std::int64_t>, std::vector<std::pair<std::int64_t, std::int64_t>>> classes;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const auto [key, position] = inside(rank);
    classes[key].push_back({position, rank});
  }
  for (auto& [key, members] : classes) {
    std::sort(members.begin(), members.end());
    auto& group = set.groups.emplace_back();
    for (const auto& [position, rank] : members) group.push_back(rank);
  }
  set.size = static_cast<std::int64_t>(set.groups.front().size());
  return set;
}

/// What a table by sequential values says of one, or of another one of the same numbers.
template <class Entry>
const Entry& of_numbers(const std::map<ValueId, Entry>& table, std::optional<ValueId> numbers) {
  static const Entry kNothing;
  const auto found = numbers ? table.find(*numbers) : table.end();
  return found == table.end() ? kNothing : found->second;
}

}  // namespace

bool Holder::whole() const {
  return match->partial.empty() && std::all_of(match->splits.begin(), match->splits.end(), [](const auto& digits) { return digits.empty(); });
}

std::optional<Ref> gathered(const Context& context, InstructionId block, const Match& match, Maker& maker) {
  Ref ref{block, false};
  if (!match.partial.empty() && !match.sum) return std::nullopt;  // the largest of this run
  if (!match.partial.empty()) ref = maker.all_reduce(ref, context.digit_set(match.partial).groups, mutation::kSum);
  const IntList& whole = context.trace()->numbers(match).dims;
  for (std::size_t d = 0; d < match.splits.size(); ++d) {
    if (match.splits[d].empty()) continue;
    const AxisSet axes = context.digit_set(match.splits[d]);
    if (maker.type(ref).dims[d] * axes.size != whole[d]) return std::nullopt;
    ref = maker.all_gather(ref, axes.groups, d);
  }
  return ref;
}

std::vector<SplitExtent> split_extents(const Case& c) {
  std::set<SplitExtent> found;
  const Relation& relation = c.relation;
  const auto leaves = input_leaves(*c.sequential);
  for (std::size_t k = 0; k < relation.input_placements.size() && k < leaves.size(); ++k) {
    const auto& dims = relation.input_placements[k].dims;
    for (std::size_t d = 0; d < dims.size() && d < leaves[k].type.dims.size(); ++d) {
      std::int64_t parts = 1;
      for (const auto& axis : dims[d].axes) {
        for (const MeshAxis& a : relation.mesh.axes) parts *= a.name == axis ? a.size : 1;
      }
      const std::int64_t n = leaves[k].type.dims[d];
      if (parts > 1) found.insert({(n + parts - 1) / parts, n, parts, dims[d].axes});
    }
  }
  return {found.begin(), found.end()};
}

Context::Context(const Case& c, const DivergenceTrace* trace) : case_(c), trace_(trace) {
  users_.resize(module().size());
  for (InstructionId id = 0; id < module().size(); ++id) {
    for (const InstructionId operand : module().operands(id)) {
      auto& users = users_[operand];
      if (users.empty() || users.back() != id) users.push_back(id);
    }
  }
  find_axes();
  find_operators();
  for (InstructionId id = 0; id < c.sequential->size(); ++id) {
    if (!has_values(*c.sequential, id)) continue;
    const ConstantArray& literal = c.sequential->attributes(id).literal();
    if (literal.values.size() > kMaxLiteral) continue;
    if (std::find(constants_.begin(), constants_.end(), literal) == constants_.end()) constants_.push_back(literal);
  }
  if (trace_ == nullptr) return;
  find_values();
  states_.resize(c.distributed->size());
  for (const auto& [id, value] : values_) states_[id] = &trace_->state(value);
  if (trace_->complete()) find_sequential();
}

// Every instruction's value: its own, or of what an element of a loop's state or a parameter of a called computation stands
// for.
void Context::find_values() {
  const auto& values = trace_->distributed().values();
  for (ValueId id = 0; id < values.size(); ++id) {
    if (values[id].leaf == 0) values_.try_emplace(values[id].instance.instruction, id);
  }
  for (const auto& [id, value] : trace_->first_values()) {
    if (is_element(module(), id) && module().type(id).is_array()) values_.try_emplace(id, value);
  }
  for (InstructionId id = static_cast<InstructionId>(module().size()); id-- > 0;) {  // callers stand behind their callees
    const Attributes& attributes = module().attributes(id);
    if (info(module()[id].op).traits != OpTraits::Structure || !(attributes.has(Attr::Calls) || attributes.has(Attr::ToApply))) continue;
    const Computation& callee = module().computation(attributes.computations(attributes.has(Attr::Calls) ? Attr::Calls : Attr::ToApply).at(0));
    for (std::size_t k = 0; k < callee.parameters.size(); ++k) {
      const auto argument = values_.find(module().operands(id)[k]);
      if (argument != values_.end()) values_.try_emplace(callee.parameters[k], argument->second);
    }
  }
  for (const auto& [id, value] : values_) {
    const auto& match = trace_->state(value).match;
    const auto held = match ? trace_->representative(trace_->anchor(*match)) : std::nullopt;
    if (held && module().type(id).is_array()) holders_[*held].push_back({id, &*match});
  }
}

void Context::find_axes() {
  const Mesh& mesh = case_.relation.mesh;
  const std::int64_t ranks = case_.relation.layout.ranks();
  std::set<std::vector<std::vector<std::int64_t>>> seen;
  const auto add = [&](const std::string& name, int count, const auto& inside) {
    AxisSet set = axis_set(name, count, ranks, inside);
    if (set.size > 1 && seen.insert(set.groups).second) axes_.push_back(std::move(set));
  };
  const std::size_t count = std::min(mesh.axes.size(), kMaxAxes);
  for (std::size_t bits = 1; bits <= count; ++bits) {
    for (unsigned mask = 1; mask < (1U << count); ++mask) {
      std::string name;
      std::size_t ones = 0;
      for (std::size_t a = 0; a < count; ++a) {
        if ((mask >> a & 1U) == 0) continue;
        name += (ones++ == 0 ? "" : ", ") + mesh.axes[a].name;
      }
      if (ones != bits) continue;
      add(name, static_cast<int>(bits), [&](std::int64_t rank) {
        std::pair<std::vector<std::int64_t>, std::int64_t> where;
        for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
          const std::int64_t at = mesh.coordinate(rank, static_cast<int>(a));
          if (a < count && (mask >> a & 1U) != 0) where.second = where.second * mesh.axes[a].size + at;
          else where.first.push_back(at);
        }
        return where;
      });
    }
  }
  for (const AxisSet& set : axes_) own_groups_.insert(sorted(set.groups));
  for (std::size_t a = kMaxAxes; a < mesh.axes.size(); ++a) {  // sets of these are not tried, but each is one of the program's
    own_groups_.insert(sorted(axis_set(mesh.axes[a].name, 1, ranks, [&](std::int64_t rank) {
                                std::vector<std::int64_t> others;
                                for (std::size_t b = 0; b < mesh.axes.size(); ++b) others.push_back(b == a ? 0 : mesh.coordinate(rank, static_cast<int>(b)));
                                return std::pair(others, mesh.coordinate(rank, static_cast<int>(a)));
                              }).groups));
  }
  for (InstructionId id = 0; id < module().size(); ++id) {
    if (const auto groups = module().attributes(id).has(Attr::ReplicaGroups) ? groups_of(*this, id) : std::nullopt) own_groups_.insert(sorted(*groups));
  }
  std::vector<RankGroups> by_digit;
  for (const Digit& digit : case_.relation.digits.digits()) {
    add(digit.name, 1, [&](std::int64_t rank) {
      const std::int64_t at = rank / digit.stride % digit.extent;
      return std::pair(std::vector<std::int64_t>{rank - at * digit.stride}, at);
    });
    by_digit.push_back(sorted(digit_set({static_cast<int>(by_digit.size())}).groups));
  }
  // A program whose permutes each go along one digit is written in these digits.
  const auto along = [](const PairList& pairs, const RankGroups& groups) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return std::any_of(groups.begin(), groups.end(), [&](const auto& group) { return std::count(group.begin(), group.end(), pair.first) + std::count(group.begin(), group.end(), pair.second) == (pair.first == pair.second ? 1 : 2); });
    });
  };
  for (InstructionId id = 0; id < module().size(); ++id) {
    if (!is_message(module(), id)) continue;
    const PairList& pairs = module().attributes(id).pairs();
    if (std::none_of(by_digit.begin(), by_digit.end(), [&](const RankGroups& groups) { return along(pairs, groups); })) return;
  }
  own_groups_.insert(by_digit.begin(), by_digit.end());
}

bool Context::invents_groups(const Patch& patch) const {
  const auto foreign = [&](const auto& edited) {
    if (!edited.attributes.has(Attr::ReplicaGroups)) return false;
    try {
      return own_groups_.count(sorted(rank_groups(edited.op, edited.attributes, case_.relation.layout))) == 0;
    } catch (const TypeError&) {
      return false;
    }
  };
  return std::any_of(patch.added.begin(), patch.added.end(), foreign) || std::any_of(patch.changed.begin(), patch.changed.end(), foreign);
}

AxisSet Context::digit_set(const std::vector<int>& digits) const {
  const auto& all = case_.relation.digits.digits();
  const std::string name = joined_text(digits, ", ", [&](int digit) { return all[static_cast<std::size_t>(digit)].name; });
  return axis_set(name, static_cast<int>(digits.size()), case_.relation.layout.ranks(), [&](std::int64_t rank) {
    std::int64_t position = 0, rest = rank;
    for (const int digit : digits) {
      const Digit& d = all[static_cast<std::size_t>(digit)];
      const std::int64_t at = rank / d.stride % d.extent;
      position = position * d.extent + at;
      rest -= at * d.stride;
    }
    return std::pair(std::vector<std::int64_t>{rest}, position);
  });
}

std::optional<ValueId> Context::value(InstructionId id) const {
  const auto found = values_.find(id);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

const ValueState* Context::state(InstructionId id) const { return trace_ == nullptr ? nullptr : states_[id]; }

void Context::find_operators() {
  const Module& module = *case_.sequential;
  std::set<ComputationId> called{module.entry()};  // a text may define what it does not call
  for (std::size_t known = 0; known != called.size();) {
    known = called.size();
    for (InstructionId id = 0; id < module.size(); ++id) {
      if (!called.contains(module.computation_of(id))) continue;
      ops_.insert(module[id].op);
      const ComputationList all = computations_of(module, id);
      called.insert(all.begin(), all.end());
    }
  }
}

/// Is it a function, of its type, of values that are held, of numbers and masks?
bool Context::is_function(ValueId id) const {
  const ValueGraph& graph = trace_->sequential();
  const auto type_of = [&](ValueId of) -> const Type& { return graph.module().type(graph.values()[of].instance.instruction); };
  const Type& type = type_of(id);
  bool values = false;
  bool fits = info(graph.module()[graph.values()[id].instance.instruction].op).traits == OpTraits::Elementwise && type.is_array() && type.element != ElementType::Pred && trace_->hangs_on_inputs(id);
  for (const ValueId operand : graph.values()[id].operands) {
    const InstructionId number = graph.values()[DivergenceTrace::origin(graph, operand)].instance.instruction;
    const bool derived = trace_->hangs_on_inputs(operand), mask = type_of(operand).element == ElementType::Pred;
    values = values || (derived && !mask);
    if (!derived && factor_exponent(graph.module()[graph.values()[id].instance.instruction].op) != 0) return false;  // told as a factor
    fits = fits && (derived ? mask || (!holders(operand).empty() && type_of(operand).element == type.element) : has_values(graph.module(), number) && graph.module().type(number).dims.empty());
  }
  return fits && values;
}

void Context::find_sequential() {
  const auto& values = trace_->sequential().values();
  for (ValueId id = 0; id < values.size(); ++id) {
    const auto& operands = values[id].operands;
    for (const ValueId operand : operands) {
      if (const auto numbers = trace_->representative(operand)) readers_[*numbers].push_back(id);
    }
    if (holders(id).empty() && trace_->representative(id).value_or(id) == id && is_function(id)) lost_.push_back(id);
  }
  for (ValueId id = 0; id < trace_->distributed().values().size(); ++id) {
    if (!trace_->state(id).good) bad_.try_emplace(trace_->distributed().values()[id].instance.instruction, id);
  }
}

const std::vector<Holder>& Context::holders(ValueId sequential) const { return of_numbers(holders_, trace_->representative(sequential)); }

const std::vector<ValueId>& Context::readers(ValueId sequential) const { return of_numbers(readers_, trace_->representative(sequential)); }

std::optional<ValueId> Context::bad_value(InstructionId id) const {
  const auto found = bad_.find(id);
  return found == bad_.end() ? std::nullopt : std::optional(found->second);
}

std::string Context::name(InstructionId id) const { return "%" + std::string(module().name_of(id)); }

InstructionId Context::user_behind_copies(InstructionId id) const {
  for (;;) {
    if (users_[id].empty()) return kNone;
    id = users_[id].front();
    if (!is_copy(module(), id)) return id;
  }
}

std::string Context::consumer(InstructionId id) const {
  const InstructionId user = user_behind_copies(id);
  return user == kNone || is_tuple(module(), user) ? "" : " (consumed by " + name(user) + ")";
}

bool Context::is_float_array(InstructionId id) const { return type(id).is_array() && is_float(type(id).element); }

}  // namespace gg::pinpoint
