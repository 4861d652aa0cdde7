// Repairs of values that are used before they are reduced: complete sums, maxima, minima and means inserted.
#include <array>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {
namespace {

constexpr std::array kReducers = {Op::Add, Op::Maximum, Op::Minimum};

/// The value, behind moves, divides another one: a count, or a sum of weights.
bool divisor(const Context& context, InstructionId id) {
  const Module& module = context.module();
  while (!context.users(id).empty()) {
    const InstructionId user = context.users(id).front();
    if (module[user].op == Op::Divide) return module.operands(user)[1] == id && module.operands(user)[0] != id;
    if (!DivergenceTrace::moves(module[user].op)) return false;
    id = user;
  }
  return false;
}

}  // namespace

// Insertion after a value: complete sums, maxima, minima, means over every set of axes; first where the run says so.
void reduction_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Op op = module[place].op;
  if (!context.type(place).is_array() || op == Op::Constant || op == Op::Parameter || op == Op::PartitionId) return;
  const ElementType element = context.type(place).element;
  if (element == ElementType::Pred) return;
  const ValueState* state = context.state(place);
  if (state != nullptr && !state->derived) return;
  const InstructionId user = context.user_behind_copies(place);
  // A copy right behind a computed value stands in the place of the collective.
  const auto computes = [&](InstructionId id) { return !DivergenceTrace::moves(module[id].op) && gg::info(module[id].op).traits != OpTraits::Structure; };
  const auto moved = [&](InstructionId id) {
    while (DivergenceTrace::moves(module[id].op) && module[id].op != Op::Copy && module.operands(id).size() == 1) id = module.operands(id)[0];
    return id;
  };
  const bool standing = op == Op::Copy && module.type(module.operands(place)[0]) == module.type(place) && computes(moved(module.operands(place)[0]));
  const InstructionId source = standing ? module.operands(place)[0] : place;
  if (computes(place) && context.users(place).size() == 1 && module[context.users(place)[0]].op == Op::Copy) return;  // told there
  const int late = standing || computes(place) ? 0 : 6;
  for (const AxisSet& axes : context.axes()) {
    for (const Op reducer : kReducers) {
      for (const bool mean : {false, true}) {
        if (mean && (reducer != Op::Add || !is_float(element))) continue;
        Repair r;
        r.place = place;
        r.kind = FindingKind::Missing;
        Ref total = context.all_reduce(r.patch, {source, false}, context.type(place), axes, reducer);
        if (mean) total = context.scaled(r.patch, total, context.type(place), 1.0 / static_cast<double>(axes.size));
        r.patch.reroutes.push_back({place, total, std::nullopt});
        r.diagnosis = Diagnosis::MissingReduction;
        const bool divides = reducer == Op::Add && divisor(context, place);
        if (divides) r.diagnosis = Diagnosis::MeanOfMeans;
        const std::string what = reducer == Op::Add ? (mean ? "mean " : "") : reducer == Op::Maximum ? "max " : "min ";
        r.text = "missing " + what + "all-reduce over " + axes.name + " after " + context.name(source) + context.consumer(place);
        if (divides) r.text += ": the quotient is of local sums, so means of means are taken";
        r.edit = "insert a" + std::string(what.empty() ? "n " : " ") + what + "all-reduce over " + axes.name + " after " + context.name(source);
        r.after = std::string(module.name_of(source));
        if (user != kNone) r.before = std::string(module.name_of(user));
        r.cost = 22 + late - (standing ? 4 : 0) + 2 * axes.axes + (mean ? 3 : 0) + (reducer == Op::Add ? 0 : reducer == Op::Maximum ? 2 : 6);
        if (state != nullptr && state->match && !state->match->partial.empty() && context.trace() != nullptr) {
          const bool axes_fit = context.trace()->digit_names(state->match->partial) == axes.name;
          const bool read_by_collective = user != kNone && gg::info(module[user].op).traits == OpTraits::Collective;
          const bool fits = axes_fit && !read_by_collective && !mean && state->match->sum == (reducer == Op::Add);
          r.cost -= fits ? 14 : 0;
        }
        out.push_back(std::move(r));
      }
    }
  }
}

}  // namespace gg::pinpoint
