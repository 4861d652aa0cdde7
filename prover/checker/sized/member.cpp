#include "prover/checker/sized/member.h"

#include <map>
#include <vector>

#include "models/ir/kinds.h"
#include "models/op/facts.h"

namespace gg::checker {
namespace {

/// A walk over the member's module that finds the user's instruction of each.
class Comparison {
 public:
  Comparison(const Module& user, const Module& member) : user_(user), member_(member), found_(member.size(), kNone) {}

  std::string run() {
    if (user_.replica_count != member_.replica_count || user_.num_partitions != member_.num_partitions) return "another number of ranks";
    computations_.emplace(member_.entry(), user_.entry());
    open_.push_back(member_.entry());
    while (!open_.empty()) {
      const ComputationId next = open_.back();
      open_.pop_back();
      std::string difference = computation(next, computations_.at(next));
      if (!difference.empty()) return difference;
    }
    return "";
  }

 private:
  std::string computation(ComputationId m, ComputationId u) {
    const Computation &mine = member_.computation(m), &theirs = user_.computation(u);
    std::map<std::string_view, InstructionId> names;
    for (InstructionId id = theirs.first; id < theirs.first + theirs.count; ++id) names.emplace(user_.name_of(id), id);
    std::vector<bool> met(theirs.count);
    for (InstructionId id = mine.first; id < mine.first + mine.count; ++id) {
      std::string_view name = member_.name_of(id);
      const bool copy = names.count(name) == 0 && (is_constant(member_, id) || hands_literal(member_[id].op));
      if (copy) name = name.substr(0, name.rfind(".use"));
      const auto own = names.find(name);
      if (own == names.end() || !same(id, own->second)) return "another instruction %" + std::string(member_.name_of(id));
      met[own->second - theirs.first] = true;
      found_[id] = own->second;
    }
    for (InstructionId id = theirs.first; id < theirs.first + theirs.count; ++id) {
      if (!met[id - theirs.first]) return "an instruction more, %" + std::string(user_.name_of(id));
    }
    bool interface = found_[mine.root] == theirs.root && mine.parameters.size() == theirs.parameters.size();
    for (std::size_t k = 0; interface && k < mine.parameters.size(); ++k) interface = found_[mine.parameters[k]] == theirs.parameters[k];
    return interface ? "" : "another result or parameter of %" + std::string(user_.string(theirs.name));
  }

  bool same(InstructionId m, InstructionId u) {
    const auto mine = member_.operands(m), theirs = user_.operands(u);
    const auto &a = member_.attributes(m).entries(), &b = user_.attributes(u).entries();
    bool holds = member_[m].op == user_[u].op && member_.type(m) == user_.type(u) && member_[m].channel == user_[u].channel &&
                 mine.size() == theirs.size() && a.size() == b.size();
    for (std::size_t k = 0; holds && k < mine.size(); ++k) holds = found_[mine[k]] == theirs[k];
    for (std::size_t k = 0; holds && k < a.size(); ++k) {
      holds = a[k].first == b[k].first && (info(a[k].first).kind == AttrKind::Computations ? callees(a[k].second, b[k].second) : a[k].second == b[k].second);
    }
    return holds;
  }

  bool callees(const AttrValue& m, const AttrValue& u) {
    const auto &mine = std::get<ComputationList>(m), &theirs = std::get<ComputationList>(u);
    if (mine.size() != theirs.size()) return false;
    for (std::size_t k = 0; k < mine.size(); ++k) {
      const auto [it, fresh] = computations_.emplace(mine[k], theirs[k]);
      if (it->second != theirs[k]) return false;
      if (fresh) open_.push_back(mine[k]);
    }
    return true;
  }

  const Module &user_, &member_;
  std::vector<InstructionId> found_;  ///< by instruction of the member
  std::map<ComputationId, ComputationId> computations_;
  std::vector<ComputationId> open_;  ///< met, and not compared yet
};

}  // namespace

std::string not_the_member(const Case& user, const Case& member) {
  for (const auto& [side, u, m] : {std::tuple("sequential", &user.sequential, &member.sequential), std::tuple("distributed", &user.distributed, &member.distributed)}) {
    const std::string difference = Comparison(**u, **m).run();
    if (!difference.empty()) return std::string("the ") + side + " program has " + difference;
  }
  if (print_relation(user.relation, Notation::Json) != print_relation(member.relation, Notation::Json)) return "the relation is another one";
  return "";
}

}  // namespace gg::checker
