// Repairs of steps: a loop gets another number of rounds; of steps written out, one more is made like the last one (a pipeline that is not
// drained), or what reads the values of successive steps reads those of the next or the previous ones.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/rounds.h"
#include "harness/pinpoint/steps.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kLeastStep = 3, kMaxFollowing = 64;
constexpr int kMostMore = 7;
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

/// Does another step follow the one that ends with this value?
bool goes_on(const Context& context, InstructionId value) {
  const Module& module = context.module();
  std::set<InstructionId> todo(context.users(value).begin(), context.users(value).end());
  for (std::size_t looked = 0; !todo.empty() && looked < kMaxFollowing; ++looked) {
    const InstructionId at = *todo.begin();
    todo.erase(todo.begin());
    if (alike(module, at, value)) return alike_before(module, at) == value && Steps(module, value, at).exact();
    todo.insert(context.users(at).begin(), context.users(at).end());
  }
  return false;
}

/// ", in which %permute sends 3 ranks on over tp": where the steps send farther and farther.
std::string distance(const Context& context, const Steps& steps, int more) {
  const auto [message, pairs] = steps.farther(more);
  for (const AxisSet& axes : context.axes()) {
    std::map<std::int64_t, std::pair<std::size_t, std::int64_t>> places;
    for (std::size_t g = 0; g < axes.groups.size(); ++g) {
      for (std::size_t k = 0; k < axes.groups[g].size(); ++k) places[axes.groups[g][k]] = {g, static_cast<std::int64_t>(k)};
    }
    std::set<std::int64_t> distances;
    for (const auto& [from, to] : pairs) {
      const bool inside = places[from].first == places[to].first;
      distances.insert(inside ? (places[to].second - places[from].second + axes.size) % axes.size : -1);
    }
    if (distances.size() == 1 && *distances.begin() > 0) return fmt::format(", in which {} sends {} ranks on over {}", context.name(message), *distances.begin(), axes.name);
  }
  return "";
}

/// The steps of which a value is the last one: it is computed from the one before, or is a sum of the first two.
struct Written {
  Steps steps;
  int count;
  bool sum;
};

std::optional<Written> written_steps(const Context& context, InstructionId place) {
  const Module& module = context.module();
  const bool direct = step_before(module, place) != kNone, adds = term_sign(module[place].op) == 1;
  if (!direct && !adds) return std::nullopt;  // sums are what steps end with
  const auto before = [&](InstructionId id) { return direct ? step_before(module, id) : alike_before(module, id); };
  const InstructionId first = before(place);
  if ((first != kNone && module.computation_of(first) != module.computation_of(place)) || goes_on(context, place)) return std::nullopt;
  if (first == kNone) {
    const auto terms = module.operands(place);
    if (terms[0] == terms[1] || !alike(module, terms[0], terms[1])) return std::nullopt;
    return Written{Steps(module, terms[0], terms[1]), 2, true};
  }
  int count = 1;
  for (InstructionId id = first; id != kNone; id = before(id)) ++count;
  return Written{Steps(module, first, place), count, false};
}

/// Last steps that are left out, one or up to a whole round of the ranks of an axis: of all values that go from step to step.
void more_steps(const Context& context, InstructionId place, std::vector<Repair>& out) {
  auto written = written_steps(context, place);
  if (!written) return;
  Steps& steps = written->steps;
  const bool direct = step_before(context.module(), place) != kNone;
  if (!steps.exact() || steps.size() < (written->sum ? 2 : kLeastStep) || !(direct || steps.counts())) return;
  if (!written->sum) steps.widen(context);
  const std::vector<InstructionId> last = written->sum ? std::vector{place} : steps.carried(context);
  std::int64_t round = written->count + 1;
  for (const AxisSet& axes : context.axes()) round = steps.sends() && axes.axes == 1 ? std::max(round, axes.size) : round;
  std::string names;
  for (const InstructionId value : last) names += (value == last.front() ? "" : ", ") + context.name(value);
  for (int more = 1; written->count + more <= round && more <= kMostMore; ++more) {
    Patch patch;
    Steps made = steps;
    Ref sum{place, false};
    for (int step = 1; written->sum && step <= more; ++step) {
      if (const auto term = made.next(context.module().operands(place)[1], patch, step)) sum = context.maker(patch).sum(sum, *term);
    }
    for (const InstructionId value : last) {
      const auto next = written->sum ? std::optional(sum) : made.next(value, patch, more);
      if (next && next->added) patch.reroutes.push_back({value, *next, std::nullopt});
    }
    if (patch.reroutes.empty() || made.ended()) return;
    const bool one = last.size() == 1;
    const std::string missing = more == 1 ? "a step is" : fmt::format("{} steps are", more), what = more == 1 ? "one step" : fmt::format("{} steps", more);
    out.push_back({.patch = std::move(patch), .place = last.front(), .kind = FindingKind::Missing, .diagnosis = Diagnosis::WrongSteps, .text = fmt::format("{} {} after {} steps of {} instructions: {} missing after {}{}", names, one ? "is the value" : "are the values", written->count, steps.size(), missing, one ? "it" : "them", distance(context, steps, more)), .edit = fmt::format("compute {} more after {}", what, names), .after = std::string(context.module().name_of(last.front())), .cost = 12 + 2 * more});
  }
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
  Ref next{other, false};
  if (copied) {
    const auto made = Steps(module, s.values[s.values.size() - 2], s.values.back()).next(s.values.back(), r.patch);
    if (!made) return r;
    next = *made;
  }
  now.erase(later ? now.begin() : now.end() - 1);
  now.insert(later ? now.end() : now.begin(), next);
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
  more_steps(context, place, out);
  other_steps(context, place, out);
}

}  // namespace gg::pinpoint
