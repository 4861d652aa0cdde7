// Repairs of places in a recurrence written out step by step (pipeline schedules, microbatches): instructions that read
// the values of successive steps, each one step too early or too late. The step after the last one is copied from it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxStep = 96;  ///< instructions of a step
constexpr std::size_t kMaxSites = 64;

/// What depends on a value, in its computation.
class Dependents {
 public:
  Dependents(const Module& module, const Computation& c, InstructionId value) : first_(c.first), depends_(c.count, false) {
    depends_[value - first_] = true;
    for (InstructionId id = value + 1; id < c.first + c.count; ++id) {
      for (const InstructionId operand : module.operands(id)) {
        if (operand >= first_ && depends_[operand - first_]) depends_[id - first_] = true;
      }
    }
  }
  bool has(InstructionId id) const { return depends_[id - first_]; }

 private:
  InstructionId first_;
  std::vector<bool> depends_;
};

/// The instructions that lead from one value to a later one, the later one last.
std::vector<InstructionId> step_between(const Module& module, const Dependents& dependents, InstructionId from, InstructionId to) {
  std::set<InstructionId> step = {to};
  for (auto at = step.rbegin(); at != step.rend(); ++at) {
    for (const InstructionId operand : module.operands(*at)) {
      if (operand > from && dependents.has(operand)) step.insert(operand);
    }
    if (step.size() > kMaxStep) return {};
  }
  return {step.begin(), step.end()};
}

bool same_step(const Module& module, const std::vector<InstructionId>& a, const std::vector<InstructionId>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](auto x, auto y) { return alike(module, x, y); });
}

/// Instructions like `place` in order, whose operand `k` is one of successive values.
struct Series {
  std::vector<InstructionId> sites, values;
};

Series series(const Module& module, const Computation& c, InstructionId place, std::size_t k) {
  Series s;
  const InstructionId first = module.operands(place)[k];
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    if (!alike(module, id, place) || !alike(module, module.operands(id)[k], first)) continue;
    s.sites.push_back(id);
    s.values.push_back(module.operands(id)[k]);
  }
  if (s.sites.size() < 2 || s.sites.size() > kMaxSites || s.sites[0] != place) return {};
  for (std::size_t n = 0; n + 1 < s.values.size(); ++n) {
    if (s.values[n] >= s.values[n + 1]) return {};
    if (!Dependents(module, c, s.values[n]).has(s.values[n + 1]) || Dependents(module, c, s.sites[n]).has(s.values[n + 1])) return {};
  }
  return s;
}

/// The step after `last`, made like the one that ends there.
Ref copied_step(const Module& module, Patch& patch, const std::vector<InstructionId>& step, InstructionId before, InstructionId last) {
  std::map<InstructionId, Ref> made = {{before, Ref{last, false}}};
  for (const InstructionId id : step) {
    Added added{module[id].op, module.type(id), module.attributes(id), {}, std::nullopt, module[id].channel > 0};
    for (const InstructionId operand : module.operands(id)) {
      const auto found = made.find(operand);
      added.operands.push_back(found == made.end() ? Ref{operand, false} : found->second);
    }
    made[id] = patch.add(std::move(added));
  }
  return made.at(step.back());
}

/// The value one step after the last, if the program computes it.
std::optional<InstructionId> computed_after(const Module& module, const Computation& c, const Series& s, const std::vector<InstructionId>& step) {
  const InstructionId last = s.values.back();
  const Dependents dependents(module, c, last);
  for (InstructionId id = last + 1; id < c.first + c.count; ++id) {
    if (alike(module, id, last) && dependents.has(id) && same_step(module, step, step_between(module, dependents, last, id))) return id;
  }
  return std::nullopt;
}

/// The value one step before the first.
std::optional<InstructionId> computed_before(const Module& module, const Computation& c, const Series& s, const std::vector<InstructionId>& step) {
  const InstructionId first = s.values.front();
  for (InstructionId id = first; id-- > c.first;) {
    if (!alike(module, id, first)) continue;
    const Dependents dependents(module, c, id);
    if (dependents.has(first) && same_step(module, step, step_between(module, dependents, id, first))) return id;
  }
  return std::nullopt;
}

Repair shifted(const Context& context, const Series& s, std::size_t k, Patch patch, const std::vector<Ref>& now, bool later, bool copied) {
  const Module& module = context.module();
  std::string names;
  for (std::size_t n = 0; n < s.sites.size(); ++n) {
    Changed change = unchanged(module, s.sites[n]);
    change.operands[k] = now[n];
    patch.changed.push_back(std::move(change));
    names += (names.empty() ? "" : ", ") + context.name(s.sites[n]);
  }
  const std::string last = context.name(s.values.back()), right = now.front().added ? "the next" : context.name(now.front().id);
  return {.patch = std::move(patch), .place = s.sites.front(), .diagnosis = Diagnosis::StaleOperand, .text = fmt::format("{} and {} more like it read the values of successive steps, each one step too {}: {} where {} is right{}", context.name(s.sites[0]), s.sites.size() - 1, later ? "early" : "late", context.name(s.values[0]), right, copied ? fmt::format("; the step after {} is left out", last) : ""), .edit = fmt::format("let {} read the value of the {} step{}", names, later ? "next" : "previous", copied ? fmt::format(", and compute one step after {}", last) : ""), .cost = copied ? 24 : 20};
}

}  // namespace

void series_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Computation& c = module.computation(module.computation_of(place));
  const auto operands = module.operands(place);
  if (!context.is_float_array(place) || is_tuple(module, place)) return;
  for (std::size_t k = 0; k < operands.size() && k < 3; ++k) {
    if (!context.is_float_array(operands[k]) || module.operands(operands[k]).empty()) continue;
    const Series s = series(module, c, place, k);
    if (s.sites.empty()) continue;
    const std::size_t n = s.values.size();
    const InstructionId last = s.values[n - 1], before = s.values[n - 2];
    const auto step = step_between(module, Dependents(module, c, before), before, last);
    if (step.empty()) continue;
    std::vector<Ref> next;
    for (std::size_t m = 1; m < n; ++m) next.push_back({s.values[m], false});
    Patch patch;
    const auto computed = computed_after(module, c, s, step);
    next.push_back(computed ? Ref{*computed, false} : copied_step(module, patch, step, before, last));
    out.push_back(shifted(context, s, k, std::move(patch), next, true, !computed));
    if (const auto earlier = computed_before(module, c, s, step)) {
      std::vector<Ref> previous = {{*earlier, false}};
      for (std::size_t m = 0; m + 1 < n; ++m) previous.push_back({s.values[m], false});
      out.push_back(shifted(context, s, k, Patch{}, previous, false, false));
    }
  }
}

}  // namespace gg::pinpoint
