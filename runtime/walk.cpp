// Walk over computations (runtime/walk.h). Rank-varying decisions: every branch that some active rank takes runs for all
// ranks under a mask, and the results are merged by the mask; a loop goes on while some active rank's predicate holds. A
// collective under a mask that divides one of its groups is a mismatch (InstructionRunner).
#include "runtime/walk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/base/check.h"
#include "models/base/progress.h"
#include "models/ir/control_flow.h"
#include "runtime/error_bounds.h"

namespace gg {
namespace {

constexpr int kMaxCallDepth = 256;

template <class T>
class Restore {
 public:
  explicit Restore(T& place) : place_(place), old_(place) {}
  ~Restore() { place_ = std::move(old_); }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;

 private:
  T& place_;
  T old_;
};

void mark_tied(Values& values) {
  for (Value& value : values) value.ties = std::max<std::int64_t>(value.ties, 1);
}

void mark_uncertain(Values& values) {
  for (Value& value : values) value.error = unbounded_error(value);
}

/// Does the computation, or what it calls, hold a collective that may be met by this one? Those of one channel and the same groups can, wherever
/// they stand (XLA: "only AllReduce operations with the same channel_id can communicate to each other").
bool holds_partner(const Module& module, ComputationId id, InstructionId collective) {
  const Computation& computation = module.computation(id);
  for (InstructionId other = computation.first; other < computation.first + computation.count; ++other) {
    const Attributes &a = module.attributes(other), &b = module.attributes(collective);
    const auto equal = [&](Attr attr, const auto& value) { return a.has(attr) == b.has(attr) && (!a.has(attr) || value(a) == value(b)); };
    const bool meet = module[other].op == module[collective].op && module[other].channel == module[collective].channel;
    if (meet && equal(Attr::ReplicaGroups, [](const Attributes& x) { return x.groups(); }) && equal(Attr::SourceTargetPairs, [](const Attributes& x) { return x.pairs(); })) return true;
    const ComputationList called = computations_of(module, other);
    if (std::any_of(called.begin(), called.end(), [&](ComputationId inner) { return holds_partner(module, inner, collective); })) return true;
  }
  return false;
}

}  // namespace

struct Walk::Frame {
  InstructionId first = 0;
  std::vector<Values> arguments;
  std::vector<Values> values;  ///< by position in the computation
  Values& at(InstructionId id) { return values[id - first]; }
};

Walk::Rule Walk::rule(Structure structure) {
  static constexpr std::array<Rule, 8> kRules = {nullptr, &Walk::parameter, &Walk::after_all, &Walk::tuple,
                                                 &Walk::element, &Walk::call, &Walk::loop, &Walk::conditional};
  return kRules.at(static_cast<std::size_t>(structure));
}

Walk::Walk(InstructionRunner& runner, Lifetimes& lifetimes, const RunOptions& options)
    : runner_(runner), lifetimes_(lifetimes), module_(runner.bodies().module()), options_(options) {}

Values Walk::entry(Values inputs) {
  const Computation& entry = module_.computation(module_.entry());
  std::vector<Values> arguments;
  std::size_t next = 0;
  for (const InstructionId parameter : entry.parameters) {
    Values& leaves = arguments.emplace_back();
    for (std::size_t count = array_leaves(module_.type(parameter)); count > 0; --count) {
      GG_CHECK(next < inputs.size(), "fewer inputs than parameter leaves");
      leaves.push_back(std::move(inputs[next++]));
    }
  }
  GG_CHECK(next == inputs.size(), "more inputs than parameter leaves");
  inputs.clear();
  return computation(module_.entry(), std::move(arguments));
}

Values Walk::computation(ComputationId id, std::vector<Values> arguments) {
  if (++depth_ > kMaxCallDepth) {
    throw RuntimeFailure(RuntimeFailure::Kind::Unsupported, "calls nested deeper than " + std::to_string(kMaxCallDepth), here_);
  }
  const Computation& computation = module_.computation(id);
  Frame frame;
  frame.first = computation.first;
  frame.arguments = std::move(arguments);
  frame.values.resize(computation.count);
  const InstructionId outer = here_.instruction;
  for (std::uint32_t i = 0; i < computation.count; ++i) {
    const InstructionId current = computation.first + i;
    here_.instruction = current;
    frame.values[i] = instruction(current, frame);
    here_.instruction = current;
    if (options_.probe) {
      SharedBuffers leaves;
      for (const Value& value : frame.values[i]) leaves.push_back(on_host(value));
      options_.probe(here_, leaves);
    }
    release(current, frame);
  }
  here_.instruction = outer;
  --depth_;
  return std::move(frame.at(computation.root));
}

Values Walk::instruction(InstructionId id, Frame& frame) {
  if (++steps_ > options_.max_steps) {
    throw RuntimeFailure(RuntimeFailure::Kind::Budget,
                         to_string(module_, here_) + ": stopped after " + std::to_string(options_.max_steps) +
                             " instructions (a loop that does not end?)",
                         here_);
  }
  options_.budget.check(here_);
  if (const InstructionId same = lifetimes_.of(module_.computation_of(id)).same[id - frame.first]; same != id) return frame.at(same);
  if (const Rule structure = rule(structure_of(module_, id))) return (this->*structure)(id, frame);
  if (const SharedBuffers* given = options_.given && here_.path.empty() ? options_.given(id) : nullptr) {
    Values values;
    for (const auto& leaf : *given) values.push_back({leaf, nullptr, nullptr, 0, false});
    return values;
  }
  Values operands;
  for (const InstructionId operand : runner_.operands(id)) {
    const Values& leaves = frame.at(operand);
    operands.insert(operands.end(), leaves.begin(), leaves.end());
  }
  try {
    return runner_.run(id, operands, options_, active_, here_);
  } catch (const RanksParted& parted) {
    throw explained(parted);
  } catch (const OutOfTime&) {
    throw RuntimeFailure(RuntimeFailure::Kind::Budget, "the time budget is used up", here_);
  }
}

/// Says where the two ranks went different ways. Whether they are here at all may hang on a fork farther out.
RuntimeFailure Walk::explained(const RanksParted& parted) const {
  const auto way = [&](const Fork& fork, std::int64_t rank) { return fork.chosen[static_cast<std::size_t>(rank)]; };
  const auto at = std::find_if(forks_.begin(), forks_.end(), [&](const Fork& fork) { return way(fork, parted.here) != way(fork, parted.absent); });
  const bool branches = at != forks_.end() && structure_of(module_, at->control) == Structure::Branches;
  const bool elsewhere = branches && holds_partner(module_, branches_of(module_, at->control)[static_cast<std::size_t>(way(*at, parted.absent))], parted.where.instruction);
  const bool doubtful = elsewhere || std::any_of(forks_.begin(), forks_.end(), [](const Fork& fork) { return fork.doubtful; });
  std::string text = parted.what();
  if (at != forks_.end()) {
    const std::string here = "rank " + std::to_string(parted.here), absent = "rank " + std::to_string(parted.absent);
    const std::string name = "%" + std::string(module_.name_of(at->control));
    const bool truth = structure_of(module_, at->control) == Structure::Branches && module_.type(module_.operands(at->control)[0]).element == ElementType::Pred;
    const auto branch = [&](std::int64_t rank) {
      const std::int64_t k = way(*at, rank);
      return truth ? std::string(k == 0 ? "the true branch" : "the false branch") : "branch " + std::to_string(k);
    };
    if (structure_of(module_, at->control) == Structure::Loop) text += "; " + here + " goes on with the loop " + name + ", which " + absent + " has left";
    else text += "; at the conditional " + name + " " + here + " takes " + branch(parted.here) + ", " + absent + " takes " + branch(parted.absent);
  }
  return {doubtful ? RuntimeFailure::Kind::Doubtful : RuntimeFailure::Kind::Mismatch, text, parted.where};
}

void Walk::release(InstructionId id, Frame& frame) {
  const Lifetimes::Text& text = lifetimes_.of(module_.computation_of(id));
  const auto drop = [&](InstructionId value) {
    if (text.last_use[value - frame.first] == id) frame.at(value).clear();
  };
  drop(id);
  drop(text.same[id - frame.first]);
  for (const auto& operands : {module_.operands(id), runner_.operands(id)}) {
    for (const InstructionId operand : operands) {
      drop(operand);
      drop(text.same[operand - frame.first]);
    }
  }
}

Values Walk::parameter(InstructionId id, Frame& frame) {
  const auto number = static_cast<std::size_t>(module_.attributes(id).integer(Attr::Parameter));
  GG_CHECK(number < frame.arguments.size(), "parameter without argument");
  return std::move(frame.arguments[number]);
}

Values Walk::after_all(InstructionId, Frame&) { return {}; }

Values Walk::tuple(InstructionId id, Frame& frame) {
  Values all;
  for (const InstructionId operand : module_.operands(id)) {
    const Values& leaves = frame.at(operand);
    all.insert(all.end(), leaves.begin(), leaves.end());
  }
  return all;
}

Values Walk::element(InstructionId id, Frame& frame) {
  const InstructionId source = module_.operands(id)[0];
  const std::size_t first = first_leaf(module_.type(source), module_.attributes(id).integer(Attr::Index));
  const auto begin = frame.at(source).begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(array_leaves(module_.type(id)))};
}

// Arguments are moved out of the frame where this is their last use, so that the callee can drop them.
Values Walk::call(InstructionId id, Frame& frame) {
  std::vector<Values> arguments;
  for (const InstructionId operand : module_.operands(id)) arguments.push_back(frame.at(operand));
  release(id, frame);
  here_.path.push_back(id);
  Values result = computation(callee_of(module_, id), std::move(arguments));
  here_.path.pop_back();
  return result;
}

std::vector<std::int64_t> Walk::decisions(const Value& value) const {
  const auto data = on_host(value)->as<std::int64_t>();
  GG_CHECK(static_cast<std::int64_t>(data.size()) == runner_.ranks(), "a decision is one scalar a rank");
  return {data.begin(), data.end()};
}

Values Walk::branch(ComputationId id, Values argument, const RankMask& active) {
  const Restore<RankMask> mask(active_);
  active_ = active;
  std::vector<Values> arguments;
  arguments.push_back(std::move(argument));
  return computation(id, std::move(arguments));
}

Values Walk::conditional(InstructionId id, Frame& frame) {
  const ComputationList branches = branches_of(module_, id);
  const auto operands = module_.operands(id);
  GG_CHECK(operands.size() == branches.size() + 1, "a conditional has one operand a branch");
  const bool pred = module_.type(operands[0]).element == ElementType::Pred;
  const Value decision = frame.at(operands[0]).at(0);
  std::vector<std::int64_t> chosen = decisions(decision);
  const auto last = static_cast<std::int64_t>(branches.size()) - 1;
  for (auto& choice : chosen) choice = pred ? (choice != 0 ? 0 : 1) : (choice < 0 || choice > last ? last : choice);

  here_.path.push_back(id);
  forks_.push_back({id, chosen, decision.ties != 0 || decision.error != nullptr});
  Values result;
  bool first = true;
  for (std::int64_t k = 0; k <= last; ++k) {
    std::vector<bool> takes(chosen.size());
    for (std::size_t rank = 0; rank < chosen.size(); ++rank) takes[rank] = chosen[rank] == k;
    const RankMask mask = restrict_ranks(active_, takes);
    const std::int64_t count = count_ranks(mask, runner_.ranks());
    if (count == 0) continue;
    const bool all = count == count_ranks(active_, runner_.ranks());
    Values values = branch(branches[static_cast<std::size_t>(k)], frame.at(operands[static_cast<std::size_t>(k) + 1]),
                           all ? active_ : mask);
    if (first) {
      result = std::move(values);
    } else {
      for (std::size_t leaf = 0; leaf < result.size(); ++leaf) {
        result[leaf] = merge(takes, runner_.ranks(), values[leaf], result[leaf]);
      }
    }
    first = false;
    if (all) break;
  }
  forks_.pop_back();
  here_.path.pop_back();
  if (decision.ties != 0) mark_tied(result);
  if (decision.error) mark_uncertain(result);
  return result;
}

Values Walk::loop(InstructionId id, Frame& frame) {
  const ComputationId condition = condition_of(module_, id), body = body_of(module_, id);
  Values state = frame.at(module_.operands(id)[0]);
  release(id, frame);
  const Restore<RankMask> mask(active_);
  const Restore<std::int64_t> iteration(here_.iteration);
  here_.path.push_back(id);
  bool divided = false;  // some rank has left before the others
  bool doubtful = false;
  for (std::int64_t trip = 0;; ++trip) {
    here_.iteration = trip;
    const Value go = branch(condition, state, active_).at(0);
    const std::vector<std::int64_t> chosen = decisions(go);
    std::vector<bool> goes(chosen.size());
    for (std::size_t rank = 0; rank < chosen.size(); ++rank) goes[rank] = chosen[rank] != 0;
    const RankMask next = restrict_ranks(active_, goes);
    const std::int64_t count = count_ranks(next, runner_.ranks());
    if (go.ties != 0) mark_tied(state);
    if (go.error) mark_uncertain(state);
    if (count == 0) break;
    if (++trips_ > options_.budget.max_trips) throw RuntimeFailure(RuntimeFailure::Kind::Budget, "the iterations allowed are used up", here_);
    doubtful = doubtful || go.ties != 0 || go.error != nullptr;
    if (count != count_ranks(active_, runner_.ranks())) {
      if (divided) forks_.pop_back();
      divided = true;
      active_ = next;
      forks_.push_back({id, chosen, doubtful});
      for (std::size_t rank = 0; rank < goes.size(); ++rank) forks_.back().chosen[rank] = next[rank] ? 1 : 0;
    }
    Values after = branch(body, divided ? state : std::move(state), active_);
    if (divided) {
      for (std::size_t leaf = 0; leaf < after.size(); ++leaf) {
        after[leaf] = merge(next, runner_.ranks(), after[leaf], state[leaf]);
      }
    }
    state = std::move(after);
  }
  if (divided) forks_.pop_back();
  here_.path.pop_back();
  return state;
}

}  // namespace gg
