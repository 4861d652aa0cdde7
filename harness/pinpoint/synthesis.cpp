// What the sequential program computes, made in the distributed one (harness/pinpoint/synthesis.h).
#include "harness/pinpoint/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/pinpoint/causes.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxNodes = 80;  ///< sequential instructions copied
constexpr std::size_t kMaxSuspects = 40;
constexpr std::size_t kMaxReplacements = 80;
constexpr std::size_t kMaxPlacements = 8;
constexpr std::size_t kMaxInPlace = 4000;
constexpr int kAnew = 10;  ///< more for the whole of an output, after what else mends

std::string in_its_place(const Context& context, InstructionId place, ValueId id) {
  const Module& sequential = *context.pair().sequential;
  return fmt::format("{} is not what the sequential program has in its place, %{}", context.name(place), sequential.name_of(context.trace()->sequential().values()[id].instance.instruction));
}

Repair repair_of(const Context& context, InstructionId place, ValueId id, Replacement made, double factor) {
  const Module& sequential = *context.pair().sequential;
  const InstructionId source = context.trace()->sequential().values()[id].instance.instruction;
  const std::string name = "%" + std::string(sequential.name_of(source));
  Repair r;
  r.place = place;
  r.patch = std::move(made.patch);
  if (factor != 1) r.patch.reroutes.back().to = context.maker(r.patch).scaled(r.patch.reroutes.back().to, factor);
  r.diagnosis = lacks_term(context, id) ? Diagnosis::MissingTerm : made.copied == 0 ? Diagnosis::StaleOperand
                                                                                    : Diagnosis::Other;
  r.text = in_its_place(context, place, id);
  const InstructionId exchange = moves_one(context.module(), place) ? exchange_beside(context, place) : kNone;
  if (exchange != kNone) {
    r.diagnosis = Diagnosis::GroupOrder;
    r.text = context.name(place) + " " + puts_in_other_order(context, exchange);
  }
  r.edit = fmt::format("replace {} by {}{} of the sequential program ({} instruction{} copied)", context.name(place), factor == 1 ? "" : fmt::format("{} times ", factor), name,
                       made.copied, made.copied == 1 ? "" : "s");
  r.copied = made.copied;
  r.cost = 60 + static_cast<int>(r.patch.added.size());
  return r;
}

}  // namespace

Synthesis::Synthesis(const Context& context, InstructionId place) : context_(context), place_(place) {
  std::vector<InstructionId> todo = {place};
  while (!todo.empty()) {
    const InstructionId id = todo.back();
    todo.pop_back();
    if (!after_.insert(id).second) continue;
    todo.insert(todo.end(), context.users(id).begin(), context.users(id).end());
  }
}

const Type& Synthesis::type_of(ValueId id) const { return *array_leaf_types(sequential().type(value(id).instance.instruction)).at(value(id).leaf); }

std::vector<Replacement> Synthesis::replacements(ValueId id, bool anew) {
  const Type &local = context_.type(place_), &global = type_of(id);
  if (global.element != local.element || global.dims.size() != local.dims.size()) return {};
  const auto ways = plain_placements(context_.pair().relation.digits, local.dims, global.dims);
  std::vector<Replacement> result;
  for (std::size_t k = 0; k < ways.size() && ways.size() <= kMaxPlacements; ++k) {
    Replacement made;
    const auto own = block(id, local, ways[k], made.patch, anew);
    if (made_.count(id) == 0) break;
    if (!own) continue;
    made.copied = copied_;
    made.patch.reroutes.push_back({place_, *own, std::nullopt});
    result.push_back(std::move(made));
  }
  return result;
}

std::optional<Ref> Synthesis::block(ValueId id, const Type& local, const std::vector<std::vector<int>>& splits, Patch& patch, bool anew) {
  patch_ = &patch;
  copied_ = 0;
  made_.clear();
  if (anew) {
    if (const auto made = computed(id)) made_.emplace(id, *made);
  }
  const auto all = whole(id);
  if (!all || std::all_of(splits.begin(), splits.end(), [](const auto& s) { return s.empty(); })) return all;
  std::vector<Ref> begins;
  for (std::size_t d = 0; d < splits.size(); ++d) {
    if (splits[d].empty()) {
      begins.push_back(maker().whole(ElementType::S32, 0));
      continue;
    }
    const AxisSet axes = context_.digit_set(splits[d]);
    if (axes.size * local.dims[d] != type_of(id).dims[d]) return std::nullopt;
    begins.push_back(maker().position(axes.groups, ElementType::S32, local.dims[d]));
  }
  return maker().part(*all, local.dims, begins);
}

/// The whole sequential value, on every rank.
std::optional<Ref> Synthesis::whole(ValueId id) {
  const auto found = made_.find(id);
  if (found != made_.end()) return found->second;
  std::optional<Ref> ref = held(id);
  if (!ref) ref = computed(id);
  if (ref) made_.emplace(id, *ref);
  return ref;
}

/// A value that the computation holds already, before the place.
std::optional<Ref> Synthesis::held(ValueId id) {
  std::vector<Holder> holders = context_.holders(id);
  std::stable_sort(holders.begin(), holders.end(), [](const Holder& a, const Holder& b) { return std::pair(!a.match->partial.empty(), !a.whole()) < std::pair(!b.match->partial.empty(), !b.whole()); });
  for (const auto& [instruction, match] : holders) {
    const bool here = context_.module().computation_of(instruction) == context_.module().computation_of(place_);
    if (!here || after_.count(instruction) != 0) continue;
    Maker make = maker();
    const auto ref = gathered(context_, instruction, *match, make);
    if (ref && make.type(*ref).element == type_of(id).element && make.type(*ref).dims == type_of(id).dims) return ref;
  }
  return value(id).operands.empty() && context_.trace()->hangs_on_inputs(id) ? given(id) : std::nullopt;
}

/// An input that is one number everywhere says nothing by its values: the parameter, or a copy of it, that is that number on all ranks.
std::optional<Ref> Synthesis::given(ValueId id) {
  const DivergenceTrace& trace = *context_.trace();
  const Module& module = context_.module();
  const Buffer* right = trace.sequential_half().value(id);
  if (right == nullptr) return std::nullopt;
  const std::vector<double> numbers = numbers_of(*right);
  const auto same = [&](double x) { return x == numbers.front(); };
  const Computation& c = module.computation(module.computation_of(place_));
  for (InstructionId k = c.first; k < c.first + c.count; ++k) {
    const auto here = after_.count(k) == 0 ? context_.value(k) : std::nullopt;
    if (!here || !module.type(k).is_array() || module.type(k).element != type_of(id).element || module.type(k).dims != type_of(id).dims || trace.value(*here) == nullptr) continue;
    const ValueId origin = DivergenceTrace::origin(trace.distributed(), *here);
    const std::vector<double> held = numbers_of(*trace.value(*here));
    if (trace.state(origin).derived && trace.distributed().values()[origin].operands.empty() && std::all_of(numbers.begin(), numbers.end(), same) && std::all_of(held.begin(), held.end(), same)) return Ref{k, false};
  }
  return std::nullopt;
}

std::optional<Ref> Synthesis::computed(ValueId id) {
  const InstructionId instruction = value(id).instance.instruction;
  const Op op = sequential()[instruction].op;
  const Type& type = sequential().type(instruction);
  const OpTraits traits = info(op).traits;
  const bool copies = type.is_array() ? traits != OpTraits::Opaque : sequential().attributes(instruction).has(Attr::K);  // the k largest
  if (!copies || traits == OpTraits::Structure || traits == OpTraits::Collective) return std::nullopt;
  if (++copied_ > kMaxNodes) return std::nullopt;
  Added added{op, type, sequential().attributes(instruction), {}, std::nullopt, false};
  if (type.is_array()) added.type = Type::array(type.element, type.dims);
  if (added.attributes.has(Attr::ToApply)) {
    const ComputationId applied = added.attributes.computations(Attr::ToApply).at(0);
    const Computation& region = sequential().computation(applied);
    if (const auto there = region_like(sequential(), applied, context_.module())) added.attributes.set(Attr::ToApply, ComputationList{*there});
    else if (region.count == 3 && region.parameters.size() == 2) added.reducer = Reducer{sequential()[region.root].op, sequential().type(region.root).element};
    else return std::nullopt;
  }
  for (const ValueId operand : value(id).operands) {
    const auto ref = whole(operand);
    if (!ref) return std::nullopt;
    added.operands.push_back(*ref);
  }
  if (added.operands.size() != sequential().operands(instruction).size()) return std::nullopt;
  const Ref result = patch_->add(std::move(added));
  if (type.is_array()) return result;
  return maker().element(result, static_cast<std::size_t>(value(id).leaf), type_of(id));
}

namespace {

/// A sequential value, and how many times it is what should stand in a place.
struct Right {
  ValueId sequential;
  double factor;
};

using InPlace = std::map<ValueId, Right>;

/// What a product or quotient with one number multiplies its other operand by; nothing for other values.
std::optional<std::pair<ValueId, double>> scaled_by_number(const ValueGraph& graph, ValueId id) {
  const auto& operands = graph.values()[id].operands;
  const Module& module = graph.module();
  const int exponent = factor_exponent(module[graph.values()[id].instance.instruction].op);
  for (std::size_t k = 0; exponent != 0 && k < 2 && operands.size() == 2; ++k) {
    const InstructionId number = graph.values()[DivergenceTrace::origin(graph, operands[1 - k])].instance.instruction;
    if (!has_values(module, number) || !module.type(number).dims.empty() || (exponent == -1 && k == 1)) continue;
    const double x = module.attributes(number).literal().values[0].real;
    if (x != 0 && std::isfinite(x)) return std::pair(operands[k], exponent == -1 ? 1 / x : x);
  }
  return std::nullopt;
}

/// Values of both programs that stand in each other's place: from outputs that differ back through the same operators, behind moves, collectives and factors. Outputs themselves, behind
/// moves, are none: whatever is wrong, they can be replaced.
InPlace in_place(const Context& context) {
  const DivergenceTrace& trace = *context.trace();
  const ValueGraph &here = trace.distributed(), &there = trace.sequential();
  const auto op_of = [](const ValueGraph& graph, ValueId id) { return graph.module()[graph.values()[id].instance.instruction].op; };
  const auto outputs = here.outputs(), expected = there.outputs();
  struct Pair {
    ValueId own, other;
    double factor;  ///< the own one should be so many times the other one
    bool output;    ///< or what an output is moved from: it is another value of this run at most
  };
  std::vector<Pair> todo;
  for (std::size_t k = 0; k < outputs.size() && k < expected.size(); ++k) {
    if (std::find(trace.wrong_outputs().begin(), trace.wrong_outputs().end(), outputs[k]) != trace.wrong_outputs().end()) todo.push_back({outputs[k], expected[k], 1, true});
  }
  std::set<std::pair<ValueId, ValueId>> seen;
  InPlace found;
  while (!todo.empty() && seen.size() < kMaxInPlace) {
    const auto [own, other, factor, output] = todo.back();
    todo.pop_back();
    if ((trace.state(own).match && !output) || !seen.emplace(own, other).second) continue;
    const auto &reads = here.values()[own].operands, &read = there.values()[other].operands;
    const ValueId from = DivergenceTrace::origin(here, own), origin = DivergenceTrace::origin(there, other);
    if (from != own || origin != other) todo.push_back({from, origin, factor, output});
    if (info(op_of(here, own)).traits == OpTraits::Collective && reads.size() == 1) todo.push_back({reads[0], other, factor, false});
    else if (op_of(here, own) == op_of(there, other) && reads.size() == read.size()) {
      for (std::size_t k = 0; k < reads.size(); ++k) todo.push_back({reads[k], read[k], factor, false});
      for (std::size_t k = 0; k < reads.size() && from == own; ++k) found.emplace(reads[k], Right{trace.representative(read[k]).value_or(read[k]), factor});
    } else if (const auto scaled = scaled_by_number(here, own)) {
      todo.push_back({scaled->first, other, factor / scaled->second, false});
    }
  }
  return found;
}

}  // namespace

std::vector<Repair> replacements(const Context& context) {
  const DivergenceTrace& trace = *context.trace();
  const auto& values = trace.distributed().values();
  std::vector<ValueId> suspects = trace.suspects();
  const InPlace same_place = in_place(context);
  if (suspects.size() > kMaxSuspects) {
    // The first ones, those before the outputs, and those in whose place a sequential value stands.
    const auto middle = suspects.begin() + kMaxSuspects / 2, end = suspects.end() - static_cast<std::ptrdiff_t>(kMaxSuspects / 2);
    suspects.erase(std::remove_if(middle, end, [&](ValueId id) { return !same_place.contains(id); }), end);
  }
  suspects.insert(suspects.end(), trace.wrong_outputs().begin(), trace.wrong_outputs().end());
  struct Suspected {
    Repair repair;
    ValueId suspect, sequential;
    std::size_t copied;
  };
  std::vector<Suspected> found, times;
  std::set<InstructionId> done;
  std::set<std::pair<ValueId, ValueId>> expected;
  const auto outputs = trace.distributed().outputs(), right_ones = trace.sequential().outputs();
  for (std::size_t k = 0; k < outputs.size() && k < right_ones.size(); ++k) expected.emplace(outputs[k], DivergenceTrace::origin(trace.sequential(), right_ones[k]));
  for (const auto& [own, right] : same_place) {  // a truth says nothing by its values
    if (trace.element(own) != ElementType::Pred || !trace.state(own).derived) continue;
    suspects.push_back(own);
    expected.emplace(own, right.sequential);
  }
  for (const ValueId suspect : suspects) {
    const InstructionId place = values[suspect].instance.instruction;
    const auto right = same_place.find(suspect);
    if (!context.type(place).is_array() || values[suspect].instance.iteration >= 0 || !done.insert(place).second) continue;
    Synthesis synthesis(context, place);
    for (ValueId id = 0; id < trace.sequential().values().size(); ++id) {
      const bool anew = expected.contains({suspect, id}) && trace.representative(id) != id;  // an output that is another value in this run
      if (trace.representative(id) != id && !anew) continue;                                 // another value of the same numbers stands for it
      for (Replacement& made : synthesis.replacements(id, anew)) {
        const std::size_t copied = made.copied;
        if (right != same_place.end() && right->second.sequential == id && right->second.factor != 1 && is_float(context.type(place).element)) {
          times.push_back({repair_of(context, place, id, made, right->second.factor), suspect, id, copied});
        }
        found.push_back({repair_of(context, place, id, std::move(made), 1), suspect, id, copied});
        if (!anew) continue;
        Repair& told = found.back().repair;
        told.place = values[DivergenceTrace::origin(trace.distributed(), suspect)].instance.instruction;  // where it is made
        told.text = in_its_place(context, told.place, id);
        told.cost += kAnew;
      }
    }
  }
  const auto cheaper = [](const Suspected& a, const Suspected& b) { return a.repair.cost < b.repair.cost; };
  std::stable_sort(found.begin(), found.end(), cheaper);
  const std::size_t first = std::min(found.size(), kMaxReplacements);
  const auto is_elsewhere = [&](const Suspected& s) {
    const auto there = same_place.find(s.suspect);
    return there == same_place.end() || there->second.sequential != s.sequential || 2 * s.copied > context.pair().sequential->size();  // most of the program in one place says little
  };
  found.erase(std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(), is_elsewhere), found.end());
  std::move(times.begin(), times.end(), std::back_inserter(found));
  std::stable_sort(found.begin(), found.end(), cheaper);
  std::vector<Repair> repairs;
  for (Suspected& replacement : found) {
    if (const auto cause = cause_of(context, replacement.suspect, replacement.sequential, replacement.repair.patch)) {
      replacement.repair.diagnosis = cause->diagnosis;
      replacement.repair.text = cause->place ? cause->text : replacement.repair.text + ": " + cause->text;
      replacement.repair.place = cause->place.value_or(replacement.repair.place);
    }
    repairs.push_back(std::move(replacement.repair));
  }
  return repairs;
}

}  // namespace gg::pinpoint
