// Repairs of running sums: what is accumulated under a running maximum has to be multiplied by exp(old - new) whenever the
// maximum grows (online softmax, ring attention, split key-value decoding), in every step and in the body of a loop same_kind.
#include <fmt/format.h>

#include <algorithm>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxWays = 6;      ///< to lay the dimensions of a maximum into those of a sum
constexpr std::size_t kMaxMaxima = 4;    ///< chains of maxima that are tried
constexpr std::size_t kMaxRepairs = 32;  ///< of one sum

bool same_kind(const Module& module, InstructionId a, InstructionId b) {
  return module[a].op == module[b].op && module.type(a) == module.type(b) && module.computation_of(a) == module.computation_of(b);
}

/// The instruction and those that combine it further by the same operator, one after the other.
std::vector<InstructionId> chain_from(const Context& context, InstructionId first) {
  std::vector<InstructionId> chain = {first};
  for (;;) {
    InstructionId next = kNone;
    for (const InstructionId user : context.users(chain.back())) {
      if (next == kNone && same_kind(context.module(), user, first)) next = user;
    }
    if (next == kNone) return chain;
    chain.push_back(next);
  }
}

InstructionId start_of_chain(const Module& module, InstructionId id) {
  for (;;) {
    InstructionId earlier = kNone;
    for (const InstructionId operand : module.operands(id)) {
      if (same_kind(module, operand, id)) earlier = operand;
    }
    if (earlier == kNone) return id;
    id = earlier;
  }
}

/// Is it subtracted, behind moves, from something whose exponential is taken?
bool shifts_exponential(const Context& context, InstructionId id, int depth = 0) {
  for (const InstructionId user : context.users(id)) {
    const Op op = context.module()[user].op;
    if (term_sign(op) == -1) {
      for (const InstructionId next : context.users(user)) {
        const auto function = scalar_of(context.module()[next].op, context.module().attributes(next));
        if (function && info(*function).cls == ScalarClass::Unit) return true;
      }
    } else if (depth < 6 && DivergenceTrace::moves(op) && shifts_exponential(context, user, depth + 1)) {
      return true;
    }
  }
  return false;
}

/// Chains of maxima under which exponentials are taken, at least `length` long.
std::vector<std::vector<InstructionId>> running_maxima(const Context& context, InstructionId place, std::size_t length) {
  const Module& module = context.module();
  const Computation& c = module.computation(module.computation_of(place));
  std::vector<std::vector<InstructionId>> found;
  for (InstructionId id = c.first; id < c.first + c.count && found.size() < kMaxMaxima; ++id) {
    if (module[id].op != mutation::kLargest || !context.is_float_array(id) || module.type(id).element != module.type(place).element) continue;
    if (start_of_chain(module, id) != id || !shifts_exponential(context, id)) continue;
    std::vector<InstructionId> chain = chain_from(context, id);
    if (chain.size() >= length) found.push_back(std::move(chain));
  }
  return found;
}

/// The extents of a maximum that lie in those of a sum: without those of 1, unless they are all the same.
IntList extended(IntList dims, const IntList& wide) {
  if (dims != wide) std::erase(dims, 1);
  return dims;
}

/// value * exp(before - after), the factor laid into the dimensions of the value.
Ref rescaled(const Context& context, Patch& patch, InstructionId value, InstructionId before, InstructionId after, const IntList& way) {
  Maker maker = context.maker(patch);
  const IntList& wide = context.type(value).dims;
  Ref factor = maker.exponential(maker.difference({before, false}, {after, false}));
  if (maker.type(factor).dims != wide || !std::is_sorted(way.begin(), way.end())) {
    factor = maker.reshape(factor, extended(maker.type(factor).dims, wide));
    // A broadcast keeps the order of dimensions: a transpose before it brings them into that of the value.
    std::vector<std::pair<std::int64_t, std::int64_t>> order;
    for (std::size_t k = 0; k < way.size(); ++k) order.emplace_back(way[k], static_cast<std::int64_t>(k));
    std::sort(order.begin(), order.end());
    IntList permutation, at;
    for (const auto& [to, from] : order) {
      permutation.push_back(from);
      at.push_back(to);
    }
    if (!std::is_sorted(way.begin(), way.end())) factor = maker.transpose(factor, permutation);
    factor = maker.broadcast(factor, wide, at);
  }
  return maker.product({value, false}, factor);
}

struct Step {
  InstructionId add, running;   ///< running: its operand that is the sum so far
  InstructionId before, after;  ///< the maximum before and after it
};

/// The steps of a chain of additions beside the last ones of a chain of maxima; the first step's sum and maximum so far
/// are operands `side` and `other`.
std::vector<Step> steps(const Module& module, const std::vector<InstructionId>& adds, const std::vector<InstructionId>& maxima,
                        std::size_t side, std::size_t other) {
  std::vector<Step> result;
  const std::size_t skip = maxima.size() - adds.size();
  for (std::size_t k = 0; k < adds.size(); ++k) {
    Step step{adds[k], k == 0 ? module.operands(adds[0])[side] : adds[k - 1], 0, maxima[skip + k]};
    step.before = skip + k == 0 ? module.operands(maxima[0])[other] : maxima[skip + k - 1];
    result.push_back(step);
  }
  return result;
}

}  // namespace

std::vector<IntList> ways(const IntList& from, const IntList& to) {
  std::vector<IntList> all = {{}};
  for (const std::int64_t extent : from) {
    std::vector<IntList> longer;
    for (const IntList& way : all) {
      for (std::size_t d = 0; d < to.size(); ++d) {
        const auto at = static_cast<std::int64_t>(d);
        if (to[d] != extent || std::find(way.begin(), way.end(), at) != way.end()) continue;
        longer.push_back(way);
        longer.back().push_back(at);
      }
    }
    all = std::move(longer);
    if (all.size() > 64) return {};
  }
  std::stable_sort(all.begin(), all.end(), [](const IntList& a, const IntList& b) {
    return std::is_sorted(a.begin(), a.end()) > std::is_sorted(b.begin(), b.end());
  });
  all.resize(std::min(all.size(), kMaxWays));
  return all;
}

namespace {

/// Every step of a running sum is put under the new maximum.
std::vector<Step> rescale(const Context& context, const std::vector<InstructionId>& adds, const std::vector<InstructionId>& maxima, std::size_t variant, const IntList& way, Patch& patch) {
  const std::vector<Step> all = steps(context.module(), adds, maxima, variant % 2, variant / 2);
  for (const Step& step : all) {
    Changed change = unchanged(context.module(), step.add);
    const Ref scaled = rescaled(context, patch, step.running, step.before, step.after, way);
    std::replace(change.operands.begin(), change.operands.end(), Ref{step.running, false}, scaled);
    patch.changed.push_back(std::move(change));
  }
  return all;
}

/// Sums of as many steps beside this one: of the weights, and of what they weigh.
std::vector<std::vector<InstructionId>> sums_beside(const Context& context, const std::vector<InstructionId>& adds) {
  const Module& module = context.module();
  const Computation& c = module.computation(module.computation_of(adds.front()));
  std::vector<std::vector<InstructionId>> found;
  for (InstructionId id = c.first; id < c.first + c.count && found.size() < kMaxMaxima; ++id) {
    if (module[id].op != mutation::kSum || !context.is_float_array(id) || id == adds.front() || start_of_chain(module, id) != id) continue;
    std::vector<InstructionId> chain = chain_from(context, id);
    if (chain.size() == adds.size()) found.push_back(std::move(chain));
  }
  return found;
}

}  // namespace

void running_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (module[place].op != mutation::kSum || !context.is_float_array(place)) return;
  const InstructionId start = start_of_chain(module, place);  // one edit for the whole chain, whichever link is looked at
  const std::vector<InstructionId> adds = chain_from(context, start);
  std::size_t made = 0;
  for (const auto& maxima : running_maxima(context, place, adds.size())) {
    const std::size_t others = maxima.size() == adds.size() ? 2 : 1;
    const auto ways_to = [&](InstructionId sum) { return ways(extended(module.type(maxima[0]).dims, module.type(sum).dims), module.type(sum).dims); };
    const auto beside = sums_beside(context, adds);
    for (const IntList& way : ways_to(place)) {
      for (std::size_t variant = 0; variant < 2 * others && made < kMaxRepairs; ++variant, ++made) {
        Patch patch;
        const std::vector<Step> all = rescale(context, adds, maxima, variant, way, patch);
        std::string names;
        for (const Step& step : all) names += (names.empty() ? "" : ", ") + context.name(step.add);
        const Step& first = all.front();
        const std::string later = all.size() > 1 ? fmt::format(", here and in {} later step{}", all.size() - 1, all.size() > 2 ? "s" : "") : "";
        Repair r{.patch = std::move(patch), .place = start, .kind = FindingKind::Missing, .diagnosis = Diagnosis::MissingTerm, .text = fmt::format("{} adds to the running sum {} as it was under the old maximum {}: the factor exp(old - new) to the new one, {}, is missing{}", context.name(start), context.name(first.running), context.name(first.before), context.name(first.after), later), .edit = fmt::format("multiply the running sum by exp(old maximum - new maximum){} in {}", way.empty() ? "" : fmt::format(" along dimensions {{{}}}", fmt::join(way, ",")), names), .after = std::string(module.name_of(first.running)), .before = std::string(module.name_of(start)), .cost = 12};  // few programs have what it takes: tried early
        Repair joint = r;
        std::string too;
        for (const auto& sums : beside) {
          const auto possible = ways_to(sums.front());
          if (possible.empty()) continue;
          rescale(context, sums, maxima, variant, possible.front(), joint.patch);
          too += (too.empty() ? "" : ", ") + context.name(sums.front());
        }
        out.push_back(std::move(r));
        if (too.empty()) continue;
        joint.text += "; so it is in the sums from " + too + " on";
        joint.edit += ", and likewise in the sums from " + too + " on";
        out.push_back(std::move(joint));
      }
    }
  }
}

}  // namespace gg::pinpoint
