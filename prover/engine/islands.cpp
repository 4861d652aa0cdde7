// What is told of a search that did not end: the values without a sequential counterpart that failed outputs hang on, their
// local forms, and the sequential values that come nearest.
#include <algorithm>

#include "models/body/reads.h"
#include "prover/engine/engine.h"
#include "prover/term/text.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxIslands = 100;  ///< told at most
constexpr std::size_t kMaxForm = 2000;    ///< characters of a form

std::string cut(std::string text) {
  if (text.size() > kMaxForm) text = text.substr(0, kMaxForm) + " ...";
  return text;
}

}  // namespace

/// Outputs that hang on a node of the distributed entry computation, for those that are not proved.
std::vector<std::vector<int>> Engine::users_among_outputs(const ProofResult& result) const {
  const Side& side = distributed_;
  const auto nodes = static_cast<std::uint32_t>(side.flat.nodes.size());
  const auto is_open = [&](const FlatValue& v) {
    const std::uint32_t at = side.first_leaf[v.node] + v.leaf;
    return at < side.pending.size() && side.pending[at];
  };
  std::vector<std::vector<std::uint32_t>> claimed(result.outputs.size());  // nodes that the claim reads: those of its own output
  std::vector<bool> used(nodes), reached(nodes);
  for (std::size_t k = 0; k < result.outputs.size(); ++k) {
    if (result.outputs[k].proved || case_.relation.outputs[k].kind == OutputClaim::Kind::Ignored) continue;
    const std::vector<bool> read = operands_read(*case_.arena, case_.relation.outputs[k].distributed, side.flat.outputs.size());
    for (std::size_t leaf = 0; leaf < read.size(); ++leaf)
      if (read[leaf]) claimed[k].push_back(side.flat.outputs[leaf].node);
    for (const std::uint32_t node : claimed[k]) used[node] = true;
  }
  for (std::uint32_t node = nodes; node-- > 0;) {  // operands stand before their users
    if (!used[node]) continue;
    for (const FlatValue v : side.flat.operands(side.flat.nodes[node])) used[v.node] = used[v.node] || is_open(v);
  }
  std::vector<std::vector<int>> users(nodes);
  std::size_t told = 0;
  for (const Island& island : islands_) {
    if (told >= kMaxIslands) break;
    if (island.frame != 0) ++told;
    if (island.frame != 0 || !used[island.node] || !users[island.node].empty()) continue;
    ++told;
    reached.assign(nodes, false);
    reached[island.node] = true;
    for (std::uint32_t node = island.node + 1; node < nodes; ++node) {
      const auto operands = side.flat.operands(side.flat.nodes[node]);
      reached[node] = std::any_of(operands.begin(), operands.end(), [&](const FlatValue& v) { return reached[v.node] && is_open(v); });
    }
    for (std::size_t k = 0; k < claimed.size(); ++k) {
      const auto& read = claimed[k];
      if (std::any_of(read.begin(), read.end(), [&](std::uint32_t node) { return reached[node]; })) users[island.node].push_back(static_cast<int>(k));
    }
  }
  return users;
}

std::vector<Island> Engine::islands_of(const ProofResult& result) {
  if (result.proved) return {};
  const std::vector<std::vector<int>> users = users_among_outputs(result);
  std::vector<Island> told;
  for (const Island& island : islands_) {
    if (told.size() >= kMaxIslands) break;
    Island i = island;
    if (i.frame == 0) {
      if (users[i.node].empty()) continue;
      i.outputs = users[i.node];
    }
    const auto term = static_cast<TermId>(i.term);
    if (i.distributed_form.empty()) i.distributed_form = TermText(t_).term(term);
    i.distributed_form = cut(std::move(i.distributed_form));
    if (const auto near = matcher_.nearest(term)) {
      const auto place = places_.find(*near);
      const Place* where = place == places_.end() ? nullptr : &place->second.place;
      const std::string name =
          where == nullptr ? "" : name_of(side_of(*where), where->node) + " = ";
      i.sequential_form = cut(name + TermText(t_).term(t_.anchor(*near).form));
    }
    told.push_back(std::move(i));
  }
  return told;
}

}  // namespace gg::prover
