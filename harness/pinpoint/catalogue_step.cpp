// Repairs of steps: a loop gets another number of rounds; of steps written out, one more is made like the last one (a pipeline that is not
// drained), or what reads the values of successive steps reads those of the next or the previous ones.
#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/rounds.h"
#include "harness/pinpoint/steps.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kLeastSteps = 2, kLeastStep = 3;
constexpr std::int64_t kMaxRounds = 1'000'000;
constexpr std::size_t kMaxSites = 64;

/// Numbers of rounds that a loop may have meant: one more or less, once around the ranks of an axis, a number of the sequential program.
std::vector<std::int64_t> other_rounds(const Context& context, std::int64_t now) {
  std::set<std::int64_t> others = {now + 1, now - 1};
  for (const AxisSet& axes : context.axes()) {
    if (axes.axes == 1) others.insert({now + axes.size - 1, now + 1 - axes.size, now + axes.size, now - axes.size});
  }
  for (const ConstantArray& constant : context.sequential_constants()) {
    if (constant.values.size() == 1 && is_integral(constant.type.element)) others.insert(constant.values[0].integer);
  }
  others.erase(now);
  return {others.lower_bound(0), others.lower_bound(kMaxRounds)};
}

/// What the body reads out of a stored count of rounds (0, 1, ...) is its counter, which goes on after the end of the stored ones.
void count_without_end(const Context& context, const Loop& loop, Patch& patch) {
  const Module& module = context.module();
  for (const auto& [state, before] : loop.kept) {
    if (!is_count(module, before) || module.type(before).dims.size() != 1) continue;
    for (const InstructionId user : context.users(state)) {
      if (!is_dynamic_slice(module, user) || module.operands(user)[1] != loop.counter) continue;
      const Type& one = module.type(user);
      if (one.count() != 1) continue;
      Maker maker = context.maker(patch);
      patch.reroutes.push_back({user, maker.reshape(maker.convert({loop.counter, false}, one.element), one.dims), std::nullopt});
    }
  }
}

void rounds_of_loop(const Context& context, InstructionId place, InstructionId while_loop, std::vector<Repair>& out) {
  const Module& module = context.module();
  const std::int64_t now = *constant_number(module, place);
  if (now < 0 || now > kMaxRounds) return;
  const auto loop = loop_of(context, module.attributes(while_loop).computations(Attr::Body).at(0));
  if (!loop) return;  // the number counts no rounds
  for (const std::int64_t to : other_rounds(context, now)) {
    Changed change = unchanged(module, place);
    ConstantArray literal = module.attributes(place).literal();
    literal.values = {Scalar::of_int(literal.type.element, wrap_to(literal.type.element, to))};
    change.attributes.set(Attr::Literal, std::move(literal));
    Patch patch = changing(std::move(change));
    if (to > now) count_without_end(context, *loop, patch);
    const std::int64_t more = to - now;
    out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::WrongSteps, .text = fmt::format("{} ends after {} rounds ({}), not after {}: {} too {}", context.name(while_loop), now, context.name(place), to, std::abs(more), more > 0 ? "few" : "many"), .edit = fmt::format("change {} from {} to {}", context.name(place), now, to), .cost = 8 + (std::abs(more) == 1 ? 0 : 2)});
  }
}

/// A last step that is left out.
void one_step_more(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  for (const InstructionId user : context.users(place)) {
    if (step_before(module, user) == place) return;  // not the last step
  }
  std::size_t count = 1;
  for (InstructionId id = step_before(module, place); id != kNone; id = step_before(module, id)) ++count;
  if (count < kLeastSteps) return;
  Steps steps(module, step_before(module, place), place);
  if (!steps.exact() || steps.size() < kLeastStep) return;
  Patch patch;
  const Ref next = steps.next(patch);
  patch.reroutes.push_back({place, next, std::nullopt});
  out.push_back({.patch = std::move(patch), .place = place, .kind = FindingKind::Missing, .diagnosis = Diagnosis::WrongSteps, .text = fmt::format("{} is the value after {} steps of {} instructions: a step is missing after it", context.name(place), count, steps.size()), .edit = fmt::format("compute one step more after {}", context.name(place)), .after = std::string(module.name_of(place)), .cost = 14});
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
    if (s.sites.empty() && id != place) return {};
    s.sites.push_back(id);
    s.values.push_back(module.operands(id)[k]);
  }
  if (s.sites.size() < 2 || s.sites.size() > kMaxSites) return {};
  for (std::size_t n = 0; n + 1 < s.values.size(); ++n) {
    if (s.values[n] >= s.values[n + 1] || !Steps(module, s.values[n], s.values[n + 1]).linked()) return {};
  }
  return s;
}

/// The value one step after the last of the series, or before the first, if the program computes it.
InstructionId beside(const Module& module, const Computation& c, const Series& s, bool later) {
  const InstructionId from = later ? s.values.back() : s.values.front();
  const std::size_t size = Steps(module, s.values[s.values.size() - 2], s.values.back()).size();
  for (InstructionId id = from; later ? id < c.first + c.count : id-- > c.first; id += later ? 1 : 0) {
    if (id == from || !alike(module, id, from)) continue;
    Steps steps(module, later ? from : id, later ? id : from);
    if (steps.linked() && steps.size() >= size) return id;
  }
  return kNone;
}

Repair shifted(const Context& context, const Series& s, std::size_t k, bool later) {
  const Module& module = context.module();
  const Computation& c = module.computation(module.computation_of(s.sites.front()));
  const InstructionId other = beside(module, c, s, later);
  Repair r{.place = s.sites.front(), .diagnosis = Diagnosis::StaleOperand};
  std::vector<Ref> now;
  for (const InstructionId value : s.values) now.push_back({value, false});
  const bool copied = later && other == kNone;
  if (!later && other == kNone) return r;
  now.erase(later ? now.begin() : now.end() - 1);
  now.insert(later ? now.end() : now.begin(), copied ? Steps(module, s.values[s.values.size() - 2], s.values.back()).next(r.patch) : Ref{other, false});
  std::string names;
  for (std::size_t n = 0; n < s.sites.size(); ++n) {
    Changed change = unchanged(module, s.sites[n]);
    change.operands[k] = now[n];
    r.patch.changed.push_back(std::move(change));
    names += (names.empty() ? "" : ", ") + context.name(s.sites[n]);
  }
  const std::string last = context.name(s.values.back()), right = now.front().added ? "the next" : context.name(now.front().id);
  r.text = fmt::format("{} and {} more like it read the values of successive steps, each one step too {}: {} where {} is right{}", context.name(s.sites[0]), s.sites.size() - 1, later ? "early" : "late", context.name(s.values[0]), right, copied ? fmt::format("; the step after {} is left out", last) : "");
  r.edit = fmt::format("let {} read the value of the {} step{}", names, later ? "next" : "previous", copied ? fmt::format(", and compute one step after {}", last) : "");
  r.cost = copied ? 24 : 20;
  return r;
}

/// Reads of successive steps, one step beside the right ones.
void other_steps(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto operands = module.operands(place);
  for (std::size_t k = 0; k < operands.size() && k < 3; ++k) {
    if (!context.is_float_array(operands[k]) || module.operands(operands[k]).empty()) continue;
    const Series s = series(module, module.computation(module.computation_of(place)), place, k);
    for (const bool later : {true, false}) {
      if (s.sites.empty()) continue;
      Repair r = shifted(context, s, k, later);
      if (!r.patch.changed.empty()) out.push_back(std::move(r));
    }
  }
}

}  // namespace

void step_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const InstructionId loop = is_constant(context.module(), place) ? ended_loop(context, place) : kNone;
  if (loop != kNone) return rounds_of_loop(context, place, loop, out);
  if (!context.is_float_array(place) || is_tuple(context.module(), place)) return;
  one_step_more(context, place, out);
  other_steps(context, place, out);
}

}  // namespace gg::pinpoint
