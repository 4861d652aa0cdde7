// Replacement by the sequential computation (harness/pinpoint/synthesis.h).
#include "harness/pinpoint/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/pinpoint/causes.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxNodes = 80;  ///< sequential instructions copied
constexpr std::size_t kMaxSuspects = 40;
constexpr std::size_t kMaxReplacements = 80;

struct Leaf {
  InstructionId instruction;
  std::vector<std::vector<int>> splits;
};

/// One attempt: a sequential value built inside the computation of a distributed one.
class Synthesis {
 public:
  Synthesis(const Context& context, InstructionId place, const std::map<ValueId, std::vector<Leaf>>& leaves)
      : context_(context), trace_(*context.trace()), leaves_(leaves) {
    const Module& module = context.module();
    computation_ = module.computation_of(place);
    std::vector<InstructionId> todo = {place};
    while (!todo.empty()) {
      const InstructionId id = todo.back();
      todo.pop_back();
      if (!after_.insert(id).second) continue;
      todo.insert(todo.end(), context.users(id).begin(), context.users(id).end());
    }
  }

  /// The whole sequential value, on every rank.
  std::optional<Ref> whole(ValueId id) {
    const auto found = made_.find(id);
    if (found != made_.end()) return found->second;
    std::optional<Ref> ref = held(id);
    if (!ref) ref = computed(id);
    if (ref) made_.emplace(id, *ref);
    return ref;
  }

  /// The rank's own block.
  std::optional<Ref> block(Ref value, const Type& global, const Type& local, const std::vector<std::vector<int>>& splits) {
    if (std::all_of(splits.begin(), splits.end(), [](const auto& s) { return s.empty(); })) return value;
    std::vector<Ref> begins;
    for (std::size_t d = 0; d < splits.size(); ++d) {
      if (splits[d].empty()) {
        begins.push_back(maker().whole(ElementType::S32, 0));
        continue;
      }
      const AxisSet axes = context_.digit_set(splits[d]);
      if (axes.size * local.dims[d] != global.dims[d]) return std::nullopt;
      begins.push_back(maker().position(axes.groups, ElementType::S32, local.dims[d]));
    }
    return maker().part(value, local.dims, begins);
  }

  Patch patch;
  std::size_t copied = 0;

 private:
  Maker maker() { return context_.maker(patch); }
  const Module& sequential() const { return *context_.pair().sequential; }
  const TracedValue& value(ValueId id) const { return trace_.sequential().values()[id]; }
  const Type& type_of(ValueId id) const {
    return *array_leaf_types(sequential().type(value(id).instance.instruction)).at(value(id).leaf);
  }

  /// A value that this computation holds already, before the place.
  std::optional<Ref> held(ValueId id) {
    const auto representative = trace_.representative(id);
    if (!representative) return std::nullopt;
    const auto found = leaves_.find(*representative);
    if (found == leaves_.end()) return std::nullopt;
    for (const Leaf& leaf : found->second) {
      if (after_.count(leaf.instruction) != 0 || context_.module().computation_of(leaf.instruction) != computation_) continue;
      Ref ref{leaf.instruction, false};
      Type type = Type::array(context_.type(leaf.instruction).element, context_.type(leaf.instruction).dims);
      bool even = true;
      for (std::size_t d = 0; d < leaf.splits.size() && even; ++d) {
        if (leaf.splits[d].empty()) continue;
        const AxisSet axes = context_.digit_set(leaf.splits[d]);
        even = type.dims[d] * axes.size == type_of(id).dims[d];
        type.dims[d] *= axes.size;
        ref = maker().all_gather(ref, axes.groups, d);
      }
      if (even && type == type_of(id)) return ref;
    }
    return std::nullopt;
  }

  std::optional<Ref> computed(ValueId id) {
    const InstructionId instruction = value(id).instance.instruction;
    const Op op = sequential()[instruction].op;
    const Type& type = sequential().type(instruction);
    const OpTraits traits = info(op).traits;
    const bool copies = type.is_array() ? traits != OpTraits::Opaque : sequential().attributes(instruction).has(Attr::K);  // the k largest
    if (!copies || traits == OpTraits::Structure || traits == OpTraits::Collective) return std::nullopt;
    if (++copied > kMaxNodes) return std::nullopt;
    Added added{op, type, sequential().attributes(instruction), {}, std::nullopt, false};
    if (type.is_array()) added.type = Type::array(type.element, type.dims);
    if (added.attributes.has(Attr::ToApply)) {
      const Computation& region = sequential().computation(added.attributes.computations(Attr::ToApply).at(0));
      if (region.count != 3 || region.parameters.size() != 2) return std::nullopt;
      added.reducer = Reducer{sequential()[region.root].op, sequential().type(region.root).element};
    }
    for (const ValueId operand : value(id).operands) {
      const auto ref = whole(operand);
      if (!ref) return std::nullopt;
      added.operands.push_back(*ref);
    }
    if (added.operands.size() != sequential().operands(instruction).size()) return std::nullopt;
    const Ref result = patch.add(std::move(added));
    if (type.is_array()) return result;
    return maker().element(result, static_cast<std::size_t>(value(id).leaf), type_of(id));
  }

  const Context& context_;
  const DivergenceTrace& trace_;
  const std::map<ValueId, std::vector<Leaf>>& leaves_;
  ComputationId computation_ = 0;
  std::set<InstructionId> after_;
  std::map<ValueId, Ref> made_;
};

/// Distributed instructions that hold a sequential value in blocks or whole.
std::map<ValueId, std::vector<Leaf>> held_values(const Context& context) {
  std::map<ValueId, std::vector<Leaf>> leaves;
  for (InstructionId id = 0; id < context.module().size(); ++id) {
    const ValueState* state = context.state(id);
    if (state == nullptr || !state->match || !state->match->partial.empty() || !context.type(id).is_array()) continue;
    auto& list = leaves[context.trace()->anchor(*state->match)];
    const bool split = std::any_of(state->match->splits.begin(), state->match->splits.end(), [](const auto& s) { return !s.empty(); });
    const Leaf leaf{id, state->match->splits};
    if (split) list.push_back(leaf);
    else list.insert(list.begin(), leaf);
  }
  return leaves;
}

Repair repair_of(const Context& context, ValueId suspect, ValueId id, Synthesis&& made, Ref replacement) {
  const InstructionId place = context.trace()->distributed().values()[suspect].instance.instruction;
  const Module& sequential = *context.pair().sequential;
  const InstructionId source = context.trace()->sequential().values()[id].instance.instruction;
  const std::string name = "%" + std::string(sequential.name_of(source));
  Repair r;
  r.place = place;
  r.patch = std::move(made.patch);
  r.patch.reroutes.push_back({place, replacement, std::nullopt});
  const bool sum = term_sign(sequential[source].op) != 0;
  r.diagnosis = sum ? Diagnosis::MissingTerm : made.copied == 0 ? Diagnosis::StaleOperand
                                                                : Diagnosis::Other;
  r.text = fmt::format("{} is not what the sequential program has in its place, {}", context.name(place), name);
  r.edit = fmt::format("replace {} by {} of the sequential program ({} instruction{} copied)", context.name(place), name,
                       made.copied, made.copied == 1 ? "" : "s");
  r.cost = 60 + static_cast<int>(r.patch.added.size());
  return r;
}

}  // namespace

std::vector<Repair> replacements(const Context& context) {
  const DivergenceTrace& trace = *context.trace();
  const auto leaves = held_values(context);
  const auto& values = trace.distributed().values();
  const auto& anchors = trace.sequential().values();
  std::vector<ValueId> suspects = trace.suspects();
  if (suspects.size() > kMaxSuspects) {
    // The first ones, and those before the outputs.
    suspects.erase(suspects.begin() + kMaxSuspects / 2, suspects.end() - static_cast<std::ptrdiff_t>(kMaxSuspects / 2));
  }
  suspects.insert(suspects.end(), trace.wrong_outputs().begin(), trace.wrong_outputs().end());
  struct Replacement {
    Repair repair;
    ValueId suspect, sequential;
  };
  std::vector<Replacement> found;
  std::set<InstructionId> done;
  for (const ValueId suspect : suspects) {
    const InstructionId place = values[suspect].instance.instruction;
    if (!context.type(place).is_array() || values[suspect].instance.iteration >= 0 || !done.insert(place).second) continue;
    const Type& local = context.type(place);
    for (ValueId id = 0; id < anchors.size(); ++id) {
      const auto representative = trace.representative(id);
      if (!representative || *representative != id) continue;
      const Type& global = *array_leaf_types(context.pair().sequential->type(anchors[id].instance.instruction)).at(anchors[id].leaf);
      if (global.element != local.element || global.dims.size() != local.dims.size()) continue;
      const auto ways = plain_placements(context.pair().relation.digits, local.dims, global.dims);
      if (ways.empty() || ways.size() > 8) continue;
      for (const auto& splits : ways) {
        Synthesis made(context, place, leaves);
        const auto whole = made.whole(id);
        if (!whole) break;
        const auto own = made.block(*whole, global, local, splits);
        if (own) found.push_back({repair_of(context, suspect, id, std::move(made), *own), suspect, id});
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Replacement& a, const Replacement& b) { return a.repair.cost < b.repair.cost; });
  if (found.size() > kMaxReplacements) found.resize(kMaxReplacements);
  std::vector<Repair> repairs;
  for (Replacement& replacement : found) {
    if (const auto cause = cause_of(context, replacement.suspect, replacement.sequential)) {
      replacement.repair.diagnosis = cause->diagnosis;
      replacement.repair.text += ": " + cause->text;
    }
    repairs.push_back(std::move(replacement.repair));
  }
  return repairs;
}

}  // namespace gg::pinpoint
