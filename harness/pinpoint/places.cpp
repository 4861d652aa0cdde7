// Where to look (harness/pinpoint/places.h).
#include "harness/pinpoint/places.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr int kFar = 6;
constexpr int kReach = 4;
constexpr int kCounter = 2;

class Spread {
 public:
  explicit Spread(const Context& context) : context_(context) {}

  void from(ValueId id, int distance) {
    const auto& values = context_.trace()->distributed().values();
    std::deque<std::pair<ValueId, int>> todo = {{id, distance}};
    while (!todo.empty()) {
      const auto [value, steps] = todo.front();
      todo.pop_front();
      const auto seen = best_.find(value);
      if (steps > distance + kReach || (seen != best_.end() && seen->second <= steps)) continue;
      best_[value] = steps;
      reach(values[value].instance.instruction, steps);
      for (const InstructionId call : values[value].instance.path) reach(call, steps + 2);
      // What is wrong below a source was hidden by a value that looks right: a factor that is 1 in this run.
      const bool hidden = value != id && !context_.trace()->state(value).good && is_float(context_.trace()->element(value));
      const bool free = hidden || DivergenceTrace::moves(context_.trace()->op(value)) || !context_.trace()->state(value).derived;
      for (const ValueId operand : values[value].operands) {
        const int next = steps + (free ? 0 : 1);
        if (next > steps) todo.push_back({operand, next});
        else todo.push_front({operand, next});
      }
    }
  }

  void reach(InstructionId id, int distance) {
    const auto [entry, fresh] = distance_.try_emplace(id, distance);
    if (!fresh) entry->second = std::min(entry->second, distance);
  }

  std::vector<Candidate> sorted() const {
    std::vector<Candidate> all;
    for (const auto& [id, distance] : distance_) all.push_back({id, distance});
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
    return all;
  }

 private:
  const Context& context_;
  std::map<ValueId, int> best_;
  std::map<InstructionId, int> distance_;
};

/// The integers that a loop counts with, and the floats that decide whether it goes on: its values may all be right, and their number wrong.
void reach_counters(const Context& context, Spread& spread) {
  const Module& module = context.module();
  for (InstructionId loop = 0; loop < module.size(); ++loop) {
    if (!is_loop(module, loop)) continue;
    for (const Attr attr : {Attr::Body, Attr::Condition}) {
      const Computation& c = module.computation(module.attributes(loop).computations(attr).at(0));
      for (InstructionId id = c.first; attr == Attr::Condition && id < c.first + c.count; ++id) {
        if (context.is_float_array(id) && !has_values(module, id)) spread.reach(id, kCounter);
      }
      std::vector<InstructionId> todo = {c.root};
      if (is_tuple(module, c.root)) todo.assign(module.operands(c.root).begin(), module.operands(c.root).end());
      std::set<InstructionId> seen;
      while (!todo.empty()) {
        const InstructionId id = todo.back();
        todo.pop_back();
        const bool number = module.type(id).is_array() && module.type(id).dims.empty() && is_integral(module.type(id).element);
        if (!number || !seen.insert(id).second) continue;
        if (is_constant(module, id)) spread.reach(id, kCounter);
        todo.insert(todo.end(), module.operands(id).begin(), module.operands(id).end());
      }
    }
  }
}

}  // namespace

std::vector<Candidate> places(const Context& context) {
  Spread spread(context);
  const DivergenceTrace* trace = context.trace();
  if (trace == nullptr || !trace->complete()) {
    for (InstructionId id = 0; id < context.module().size(); ++id) spread.reach(id, kFar);
    return spread.sorted();
  }
  const auto& values = trace->distributed().values();
  std::vector<ValueId> sources = trace->sources();
  if (sources.size() > kMaxSources) sources.resize(kMaxSources);
  int late = 0;
  for (const ValueId source : sources) {
    const InstructionId id = values[source].instance.instruction;
    spread.from(source, late);
    for (const InstructionId user : context.users(id)) spread.reach(user, late + 2);
    late = std::min(late + 1, 2);
  }
  for (const Candidate& near : spread.sorted()) {  // parameters of called computations are no values of the trace
    for (const InstructionId operand : context.module().operands(near.id)) {
      if (is_parameter(context.module(), operand)) spread.reach(operand, near.distance + 1);
    }
  }
  reach_counters(context, spread);
  for (const ValueId output : trace->wrong_outputs()) spread.from(output, sources.empty() ? 0 : 3);
  for (const ValueId suspect : trace->suspects()) spread.reach(values[suspect].instance.instruction, kFar);
  return spread.sorted();
}

std::vector<bool> asks_whether_it_raises(const Context& context) {
  const Module& module = context.module();
  std::vector<bool> result(module.size(), false);
  const auto& outputs = context.pair().relation.outputs;
  const auto asks = [](const OutputClaim& output) { return output.name == kInRange; };
  if (std::none_of(outputs.begin(), outputs.end(), asks)) return result;
  const Computation& entry = module.computation(module.entry());
  std::vector<InstructionId> todo;
  std::vector<bool> seen(module.size(), false);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (!asks(outputs[k])) todo.push_back(module.operands(entry.root)[k]);
  }
  for (InstructionId id = entry.first; id < entry.first + entry.count; ++id) {
    result[id] = id != entry.root && module.name_of(id).find('.') != std::string_view::npos;  // a statement's own value may be what is wrong
  }
  while (!todo.empty()) {
    const InstructionId id = todo.back();
    todo.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    result[id] = false;
    todo.insert(todo.end(), module.operands(id).begin(), module.operands(id).end());
  }
  return result;
}

}  // namespace gg::pinpoint
