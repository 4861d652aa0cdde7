// Repairs that insert a reduction: sums, means, maxima, minima over every set of axes; first where the run says so.
#include <fmt/format.h>

#include <array>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "models/ir/mask_shift.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMostTogether = 3;  ///< reductions that are completed together with one
constexpr int kSummedAnyway = 16;         ///< more for a sum of what is summed anyway: what is meant is a factor

struct Total {
  Op reducer;
  bool mean;
  const char *article, *what;
  int rare;  ///< cost where the value itself is combined in another way
};

constexpr std::array kTotals = {Total{mutation::kSum, false, "an", "all-reduce", 1}, Total{mutation::kSum, true, "a", "mean all-reduce", 1},
                                Total{mutation::kLargest, false, "a", "max all-reduce", 2}, Total{mutation::kSmallest, false, "a", "min all-reduce", 6}};

bool computes(const Module& module, InstructionId id) { return !DivergenceTrace::moves(module[id].op) && info(module[id].op).traits != OpTraits::Structure; }

/// Behind moves other than copies: a copy right behind a computed value stands in the place of a collective.
InstructionId behind_proper_moves(const Module& module, InstructionId id) {
  while (moves_one(module, id) && !is_copy(module, id)) id = module.operands(id)[0];
  return id;
}

/// Does the run say that the value is to be completed like this?
bool fits(const Context& context, const ValueState* state, const Total& total, const AxisSet& axes, InstructionId user) {
  if (state == nullptr || !state->match || state->match->partial.empty() || context.trace() == nullptr || total.mean) return false;
  const bool read_by_collective = user != kNone && info(context.module()[user].op).traits == OpTraits::Collective;
  const bool sum = total.reducer == mutation::kSum;
  return !read_by_collective && state->match->sum == sum && context.trace()->digit_names(state->match->partial) == axes.name;
}

/// The other reductions of the same making, if this is the first one, that are not whole and are not summed over these ranks later: a backward pass sums more than once over the rows of a
/// rank.
std::vector<InstructionId> reduced_alike(const Context& context, InstructionId place, const AxisSet& axes) {
  const Module& module = context.module();
  std::vector<InstructionId> found;
  if (info(module[place].op).traits != OpTraits::Reduction) return found;
  for (InstructionId id = 0; id < module.size() && found.size() <= kMostTogether; ++id) {
    const ValueState* state = context.state(id);
    const bool open = state != nullptr && state->derived && (!state->match || !state->match->partial.empty()) && reducer(module, id) == reducer(module, place);
    const bool same = id != place && open && !summed_later(context, id, axes.groups) && alike(module, id, place) && module.attributes(id).ints(Attr::BroadcastDims) == module.attributes(place).ints(Attr::BroadcastDims) && module.computation_of(id) == module.computation_of(place);
    if (same && id < place) return {};
    if (same) found.push_back(id);
  }
  return found.size() > kMostTogether ? std::vector<InstructionId>() : found;
}

}  // namespace

void reduction_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!context.type(place).is_array() || is_parameter(module, place) || info(module[place].op).traits == OpTraits::Source) return;
  const ElementType element = context.type(place).element;
  const ValueState* state = context.state(place);
  if (element == ElementType::Pred || (state != nullptr && !state->derived)) return;
  const InstructionId user = context.user_behind_copies(place);
  const bool standing = is_copy(module, place) && module.type(module.operands(place)[0]) == module.type(place) &&
                        computes(module, behind_proper_moves(module, module.operands(place)[0]));
  if (computes(module, place) && context.users(place).size() == 1 && is_copy(module, context.users(place)[0])) return;  // told there
  const InstructionId source = standing ? module.operands(place)[0] : place, made = behind_proper_moves(module, source);
  const Op own = info(module[made].op).traits == OpTraits::Reduction ? reducer(module, made).value_or(mutation::kSum) : mutation::kSum;
  const int late = standing ? -4 : computes(module, place) ? 0
                                                           : 6;
  for (const AxisSet& axes : context.axes()) {
    const bool again = summed_later(context, place, axes.groups) || summed_before(context, place, axes.groups);
    for (const Total& total : kTotals) {
      if (total.mean && !is_float(element)) continue;
      const auto completed = [&](InstructionId from, InstructionId read) {
        Repair r;
        Maker maker = context.maker(r.patch);
        const Ref sum = maker.all_reduce({from, false}, axes.groups, total.reducer);
        r.patch.reroutes.push_back({read, total.mean ? maker.scaled(sum, 1.0 / static_cast<double>(axes.size)) : sum, std::nullopt});
        r.place = r.at = read;
        r.kind = FindingKind::Missing;
        const bool divides = total.reducer == mutation::kSum && is_divisor(context, read);
        r.diagnosis = divides ? Diagnosis::MeanOfMeans : Diagnosis::MissingReduction;
        const std::string what = fmt::format("{} over {} after {}", total.what, axes.name, context.name(from));
        r.text = fmt::format("missing {}{}{}", what, context.consumer(read), divides ? kMeansOfMeans : "");
        r.edit = fmt::format("insert {} {}", total.article, what);
        r.after = std::string(module.name_of(from));
        if (const InstructionId next = context.user_behind_copies(read); next != kNone) r.before = std::string(module.name_of(next));
        return r;
      };
      Repair single = completed(source, place);
      single.cost = 22 + late + 2 * axes.axes + (total.mean ? 3 : 0) + (total.reducer == own ? 0 : total.rare);
      single.cost += again && total.reducer == mutation::kSum ? kSummedAnyway : fits(context, state, total, axes, user) ? -14
                                                                                                                        : 0;
      out.push_back(single);
      if (standing || again || axes.axes > 1 || total.reducer != mutation::kSum) continue;
      std::vector<Repair> together = {std::move(single)};
      for (const InstructionId id : reduced_alike(context, place, axes)) together.push_back(completed(id, id));
      if (together.size() > 1) out.push_back(joined(context, together, together.front().cost + 1));
    }
  }
}

}  // namespace gg::pinpoint
