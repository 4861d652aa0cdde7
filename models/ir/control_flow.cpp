#include "models/ir/control_flow.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <variant>

#include "models/op/groups.h"

namespace gg {
namespace {

constexpr std::size_t kMaxCalls = 100'000;

/// Classes of ranks, joined one pair at a time.
class Classes {
 public:
  explicit Classes(std::int64_t ranks) : parent_(static_cast<std::size_t>(ranks)) { std::iota(parent_.begin(), parent_.end(), 0U); }

  void join(std::int64_t a, std::int64_t b) { parent_[root(static_cast<std::size_t>(a))] = root(static_cast<std::size_t>(b)); }

  void join_all() {
    for (std::size_t k = 1; k < parent_.size(); ++k) join(0, static_cast<std::int64_t>(k));
  }

  Meetings meetings() {
    Meetings all(parent_.size());
    for (std::size_t k = 0; k < parent_.size(); ++k) all[root(k)].push_back(static_cast<std::int64_t>(k));
    std::erase_if(all, [](const auto& one) { return one.size() < 2; });
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::size_t root(std::size_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  std::vector<std::size_t> parent_;
};

void join(const Module& module, InstructionId id, RankLayout layout, Classes& classes) {
  try {
    if (module[id].op == Op::CollectivePermute) {
      for (const auto& [source, target] : rank_pairs(module.attributes(id), layout)) classes.join(source, target);
      return;
    }
    for (const auto& group : rank_groups(module[id].op, module.attributes(id), layout)) {
      for (const std::int64_t rank : group) classes.join(group.front(), rank);
    }
  } catch (const TypeError&) {  // groups without a meaning here: they may be anybody
    classes.join_all();
  }
}

/// The computations and all that they call.
std::set<ComputationId> closure(const Module& module, const ComputationList& computations) {
  std::set<ComputationId> seen(computations.begin(), computations.end());
  std::vector<ComputationId> todo(seen.begin(), seen.end());
  while (!todo.empty()) {
    const Computation& c = module.computation(todo.back());
    todo.pop_back();
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      for (const ComputationId callee : computations_of(module, id)) {
        if (seen.insert(callee).second) todo.push_back(callee);
      }
    }
  }
  return seen;
}

}  // namespace

ComputationList computations_of(const Module& module, InstructionId id) {
  if (module[id].op == Op::Conditional) return branches_of(module, id);
  ComputationList all;
  for (const auto& [attr, value] : module.attributes(id).entries()) {
    const auto* list = std::get_if<ComputationList>(&value);
    if (list != nullptr) all.insert(all.end(), list->begin(), list->end());
  }
  return all;
}

Attributes with_computations(const Attributes& attributes, const std::function<ComputationId(ComputationId)>& to) {
  Attributes result = attributes;
  for (const auto& [attr, value] : attributes.entries()) {
    const auto* list = std::get_if<ComputationList>(&value);
    if (list == nullptr) continue;
    ComputationList moved;
    for (const ComputationId called : *list) moved.push_back(to(called));
    result.set(attr, std::move(moved));
  }
  return result;
}

ControlFlow::ControlFlow(const Module& module, RankLayout layout)
    : module_(module), layout_(layout), owing_(module.computations().size()) {}

const Meetings& ControlFlow::meetings(InstructionId id) {
  const auto known = meetings_.find(id);
  if (known != meetings_.end()) return known->second;
  Classes classes(layout_.ranks());
  std::set<AttributesId> seen;
  for (const ComputationId computation : closure(module_, computations_of(module_, id))) {
    const Computation& c = module_.computation(computation);
    for (InstructionId k = c.first; k < c.first + c.count; ++k) {
      if (info(module_[k].op).traits == OpTraits::Collective && seen.insert(module_[k].attributes).second) join(module_, k, layout_, classes);
    }
  }
  return meetings_[id] = classes.meetings();
}

bool ControlFlow::owing(ComputationId id) {
  if (owing_[id]) return *owing_[id];
  const Computation& c = module_.computation(id);
  bool found = false;
  for (InstructionId k = c.first; k < c.first + c.count && !found; ++k) {
    found = module_[k].op == Op::While || (module_[k].op == Op::Conditional && !meetings(k).empty()) || owes(k);
  }
  owing_[id] = found;
  return found;
}

bool ControlFlow::owes(InstructionId id) {
  const ComputationList callees = computations_of(module_, id);
  return std::any_of(callees.begin(), callees.end(), [this](ComputationId c) { return owing(c); });
}

void ControlFlow::walk(const Instance& outer, ComputationId computation, std::vector<Duty>& found) {
  if (++calls_ > kMaxCalls) throw InputError(DiagCode::TooLarge, module_.where(outer.instruction), "the program has more than 100,000 calls");
  const Computation& c = module_.computation(computation);
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    const bool loop = module_[id].op == Op::While, conditional = module_[id].op == Op::Conditional;
    Instance here = outer;
    here.instruction = id;
    if (loop || (conditional && !meetings(id).empty())) found.push_back({here, loop});
    if (!owes(id)) continue;
    const std::vector<Duty> more = inside(here, computations_of(module_, id));
    found.insert(found.end(), more.begin(), more.end());
  }
}

std::vector<Duty> ControlFlow::inside(const Instance& outer, const ComputationList& computations) {
  std::vector<Duty> found;
  Instance inner = outer;
  inner.path.push_back(outer.instruction);
  const bool conditional = module_[outer.instruction].op == Op::Conditional;
  for (std::uint32_t k = 0; k < computations.size(); ++k) {
    if (conditional) inner.branches.push_back(k);
    if (owing(computations[k])) walk(inner, computations[k], found);
    if (conditional) inner.branches.pop_back();
  }
  return found;
}

std::vector<Duty> ControlFlow::all() {
  calls_ = 0;
  std::vector<Duty> found;
  walk({}, module_.entry(), found);
  return found;
}

std::string without_iterations(std::string name) {
  for (std::size_t at = name.find('#'); at != std::string::npos; at = name.find('#', at)) {
    name.erase(at, name.find('/', at) - at);
  }
  return name;
}

std::string to_string(const Meetings& meetings) {
  constexpr std::size_t kShown = 8;
  std::string text = "ranks ";
  for (std::size_t k = 0; k < meetings.size() && k < kShown; ++k) {
    text += k == 0 ? "{" : ", {";
    for (std::size_t m = 0; m < meetings[k].size() && m < kShown; ++m) text += (m == 0 ? "" : ", ") + std::to_string(meetings[k][m]);
    text += meetings[k].size() > kShown ? ", ...}" : "}";
  }
  return text + (meetings.size() > kShown ? ", ... meet in it" : " meet in it");
}

}  // namespace gg
