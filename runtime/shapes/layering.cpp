#include "runtime/shapes/layering.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <unordered_map>

namespace gg {
namespace {

constexpr std::size_t kLeast = 4;  ///< instructions of a role that count as layers

using Hash = std::uint64_t;

Hash mixed(Hash hash, Hash word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29U);
}

/// What an instruction computes of its operands: operator, type, how many they are, attributes, and what it calls by content.
class Contents {
 public:
  explicit Contents(const Module& module) : module_(module) {}

  Hash of(InstructionId id) {
    Attributes rest = module_.attributes(id);
    Hash hash = mixed(mixed(static_cast<Hash>(module_[id].op), module_[id].type), module_.operands(id).size());
    for (const auto& [attr, value] : module_.attributes(id).entries()) {
      if (const auto* list = std::get_if<ComputationList>(&value)) {
        for (const ComputationId called : *list) hash = mixed(hash, of_computation(called));
        rest.set(attr, ComputationList{});
      } else if (attr == Attr::Parameter && module_.computation_of(id) == module_.entry()) {
        rest.set(attr, std::int64_t{0});
      }
    }
    return mixed(hash, gg::hash(rest));
  }

 private:
  Hash of_computation(ComputationId id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    const Computation& c = module_.computation(id);
    Hash hash = c.root - c.first;
    for (InstructionId k = c.first; k < c.first + c.count; ++k) {
      hash = mixed(hash, of(k));
      for (const InstructionId operand : module_.operands(k)) hash = mixed(hash, operand - c.first);
    }
    return known_[id] = hash;
  }

  const Module& module_;
  std::unordered_map<ComputationId, Hash> known_;
};

}  // namespace

Layering::Layering(const Module& module, int rounds) : module_(module) {
  const Computation& entry = module.computation(module.entry());
  first_ = entry.first;
  count_ = entry.count;
  root_ = entry.root - entry.first;
  uses_.resize(count_);
  for (std::uint32_t at = 0; at < count_; ++at) {
    for (std::uint32_t k = 0; at != root_ && k < operands(at).size(); ++k) uses_[operands(at)[k] - first_].push_back({at, k});
  }
  find_roles(rounds);
}

void Layering::find_roles(int rounds) {
  Contents contents(module_);
  for (std::uint32_t at = 0; at < count_; ++at) contents_.push_back(contents.of(first_ + at));
  for (const InstructionId output : operands(root_)) contents_[output - first_] = mixed(contents_[output - first_], 1);
  std::vector<Hash> colors = contents_, next(count_);
  std::vector<Hash> around;
  for (int round = 0; round < rounds; ++round) {
    for (std::uint32_t at = 0; at < count_; ++at) {
      Hash hash = colors[at];
      if (at != root_) {
        for (const InstructionId operand : operands(at)) hash = mixed(hash, colors[operand - first_]);
      }
      around.clear();
      for (const Use& use : uses_[at]) around.push_back(mixed(colors[use.user], use.operand));
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());  // how many layers read it says nothing
      for (const Hash one : around) hash = mixed(hash, one);
      next[at] = hash;
    }
    colors.swap(next);
  }
  std::unordered_map<Hash, std::uint32_t> numbers;
  role_.resize(count_);
  for (std::uint32_t at = 0; at < count_; ++at) {
    const auto [entry, fresh] = numbers.try_emplace(colors[at], static_cast<std::uint32_t>(roles_.size()));
    if (fresh) roles_.emplace_back();
    role_[at] = entry->second;
    roles_[entry->second].push_back(at);
  }
}

void Layering::number() {
  places_.assign(count_, std::nullopt);
  numbered_.assign(roles_.size(), false);
  std::vector<std::uint32_t> order;
  for (std::uint32_t role = 0; role < roles_.size(); ++role) {
    if (roles_[role].size() >= kLeast) order.push_back(role);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return roles_[a].size() > roles_[b].size(); });
  for (const std::uint32_t role : order) {
    if (numbered_[role]) continue;
    std::int64_t layer = 0;
    for (const std::uint32_t at : roles_[role]) places_[at] = LayerPlace{chains_, layer++};
    ++chains_;
    numbered_[role] = true;
    spread({role});
  }
  finish();
}

void Layering::number(const Places& known) {
  places_ = known;
  numbered_.assign(roles_.size(), false);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t at = 0; at < count_; ++at) {
    if (!places_[at]) continue;
    chains_ = std::max(chains_, places_[at]->chain + 1);
    if (numbered_[role_[at]]) continue;
    numbered_[role_[at]] = true;
    todo.push_back(role_[at]);
  }
  spread(std::move(todo));
  finish();
}

/// Hands the numbers of roles on to those that they read and that read them, one instruction to one.
void Layering::spread(std::vector<std::uint32_t> roles) {
  std::deque<std::uint32_t> todo(roles.begin(), roles.end());
  using Ways = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  while (!todo.empty()) {
    const std::uint32_t role = todo.front();
    todo.pop_front();
    std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, Ways> ways;  // read or reads, operand, the other role
    for (const std::uint32_t at : roles_[role]) {
      if (!places_[at]) continue;
      for (std::uint32_t k = 0; k < operands(at).size(); ++k) {
        const std::uint32_t other = operands(at)[k] - first_;
        ways[{false, k, role_[other]}].emplace_back(at, other);
      }
      for (const Use& use : uses_[at]) ways[{true, use.operand, role_[use.user]}].emplace_back(at, use.user);
    }
    for (const auto& [way, list] : ways) {
      const std::uint32_t other = std::get<2>(way);
      if (!numbered_[other] && roles_[other].size() >= kLeast && carry(other, list)) todo.push_back(other);
    }
  }
}

bool Layering::carry(std::uint32_t role, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ways) {
  if (2 * ways.size() < roles_[role].size()) return false;  // an end of the chain says too little of it
  std::set<std::uint32_t> from, to;
  for (const auto& [at, other] : ways) {
    if (!from.insert(at).second || !to.insert(other).second) return false;
  }
  for (const auto& [at, other] : ways) places_[other] = places_[at];
  numbered_[role] = true;
  return true;
}

/// Roles that stand in few layers of their chain are not numbered; of the others it is found what most of them read.
void Layering::finish() {
  std::vector<std::size_t> largest(chains_);
  const auto chain_of = [&](std::uint32_t role) -> std::optional<std::uint32_t> {
    for (const std::uint32_t at : roles_[role]) {
      if (places_[at]) return places_[at]->chain;
    }
    return std::nullopt;
  };
  const auto size_of = [&](std::uint32_t role) {
    return static_cast<std::size_t>(std::count_if(roles_[role].begin(), roles_[role].end(), [&](std::uint32_t at) { return places_[at].has_value(); }));
  };
  for (std::uint32_t role = 0; role < roles_.size(); ++role) {
    if (const auto chain = chain_of(role)) largest[*chain] = std::max(largest[*chain], size_of(role));
  }
  for (std::uint32_t role = 0; role < roles_.size(); ++role) {
    const auto chain = chain_of(role);
    if (chain && size_of(role) >= std::max(kLeast, largest[*chain] / 2)) continue;
    numbered_[role] = false;
    for (const std::uint32_t at : roles_[role]) places_[at].reset();
  }
  for (std::uint32_t at = 0; at < count_; ++at) {
    if (places_[at]) at_.emplace(std::pair(role_[at], *places_[at]), at);
  }
  find_habits();
  grow();
}

void Layering::find_habits() {
  std::map<Edge, std::map<Habit, std::size_t>> seen;
  for (std::uint32_t at = 0; at < count_; ++at) {
    if (!places_[at]) continue;
    for (std::uint32_t k = 0; k < operands(at).size(); ++k) {
      const std::uint32_t other = operands(at)[k] - first_;
      const bool layered = places_[other] && places_[other]->chain == places_[at]->chain;
      ++seen[{role_[at], k}][layered ? Habit{places_[other]->layer - places_[at]->layer, role_[other], kNone} : Habit{std::nullopt, kNone, first_ + other}];
    }
  }
  for (const auto& [edge, all] : seen) {
    const Habit& habit = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->first;
    habits_.emplace(edge, habit);
    if (habit.offset) readers_[habit.role].push_back(edge);
  }
}

/// Colours are odd so many steps around what is odd. From the layers that are numbered on, what is where it should be and computes what it
/// should is of their roles too.
void Layering::grow() {
  std::deque<std::uint32_t> todo;
  const auto take = [&](std::uint32_t at, std::uint32_t role, const LayerPlace& place) {
    if (places_[at] || contents_[at] != contents_[roles_[role].front()] || !at_.try_emplace({role, place}, at).second) return;
    places_[at] = place;
    role_[at] = role;
    todo.push_back(at);
  };
  for (std::uint32_t at = 0; at < count_; ++at) {
    if (places_[at]) todo.push_back(at);
  }
  while (!todo.empty()) {
    const std::uint32_t at = todo.front();
    todo.pop_front();
    const LayerPlace here = *places_[at];
    for (std::uint32_t k = 0; k < operands(at).size(); ++k) {
      const auto habit = habits_.find({role_[at], k});
      if (habit == habits_.end() || !habit->second.offset) continue;
      take(operands(at)[k] - first_, habit->second.role, {here.chain, here.layer + *habit->second.offset});
    }
    for (const Edge& edge : readers_[role_[at]]) {
      const auto fits = [&](const Use& use) { return use.operand == edge.operand && !places_[use.user] && contents_[use.user] == contents_[roles_[edge.role].front()]; };
      const auto user = std::find_if(uses_[at].begin(), uses_[at].end(), fits);
      if (user == uses_[at].end() || std::count_if(user, uses_[at].end(), fits) != 1) continue;
      take(user->user, edge.role, {here.chain, here.layer - *habits_.at(edge).offset});
    }
  }
}

bool Layering::follows_habit(std::uint32_t user, std::uint32_t operand) const {
  const Habit& habit = habits_.at({role_[user], operand});
  const std::uint32_t other = operands(user)[operand] - first_;
  if (!habit.offset) return first_ + other == habit.shared;
  return places_[other] && places_[other]->chain == places_[user]->chain && places_[other]->layer - places_[user]->layer == *habit.offset;
}

std::set<LayerPlace> Layering::regular() const {
  std::map<std::uint32_t, std::size_t> wanted;  // roles of each chain
  std::map<LayerPlace, std::size_t> found;
  std::set<LayerPlace> odd;
  std::set<std::uint32_t> counted;
  for (std::uint32_t at = 0; at < count_; ++at) {
    if (!places_[at]) continue;
    if (counted.insert(role_[at]).second) ++wanted[places_[at]->chain];
    if (at_.at({role_[at], *places_[at]}) != at) odd.insert(*places_[at]);  // two of one role
    else ++found[*places_[at]];
    bool usual = true;
    for (std::uint32_t k = 0; k < operands(at).size(); ++k) usual = usual && follows_habit(at, k);
    for (const Use& use : uses_[at]) usual = usual && places_[use.user] && places_[use.user]->chain == places_[at]->chain && follows_habit(use.user, use.operand);
    if (!usual) odd.insert(*places_[at]);
  }
  std::set<LayerPlace> result;
  for (const auto& [place, roles] : found) {
    if (roles == wanted[place.chain] && odd.count(place) == 0) result.insert(place);
  }
  return result;
}

InstructionId Layering::moved(InstructionId id, std::int64_t layers) const {
  const auto& from = place(id);
  if (!from) return kNone;
  const auto found = at_.find({role_[id - first_], LayerPlace{from->chain, from->layer + layers}});
  return found == at_.end() ? kNone : first_ + found->second;
}

}  // namespace gg
