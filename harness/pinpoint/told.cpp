// Repairs that follow from kin (harness/pinpoint/kin.h).
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "harness/pinpoint/kin.h"

namespace gg::pinpoint {
namespace {

constexpr int kTold = 8;          ///< as cheap as a reduction that the trace asks for
constexpr int kEverywhere = 34;   ///< the same edit at several places: after every single edit
constexpr int kAlike = 10;        ///< at every instruction of one line of the program
constexpr std::size_t kMostOrders = 40;   ///< places behind a value in another order
constexpr std::size_t kMostMessages = 12;
constexpr std::size_t kMostNamed = 3;

/// A name without the numbers that tell instructions of the same making apart: `mm_4` and `mm_8`, `dot.3` and `dot`.
std::string stem(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) text += c;
  }
  while (!text.empty() && (text.back() == '_' || text.back() == '.')) text.pop_back();
  return text;
}

/// `b` behind `a`, as one patch.
void append(Patch& a, const Patch& b) {
  const auto offset = static_cast<std::uint32_t>(a.added.size());
  const auto moved = [&](Ref ref) { return ref.added ? Ref{ref.id + offset, true} : ref; };
  for (Added added : b.added) {
    for (Ref& operand : added.operands) operand = moved(operand);
    a.added.push_back(std::move(added));
  }
  for (Changed changed : b.changed) {
    for (Ref& operand : changed.operands) operand = moved(operand);
    a.changed.push_back(std::move(changed));
  }
  for (const Reroute& reroute : b.reroutes) a.reroutes.push_back({reroute.from, moved(reroute.to), reroute.only});
}

class Telling {
 public:
  Telling(const Context& context, const Kinship& kinship, bool any_factor)
      : context_(context), kinship_(kinship), values_(context.trace()->distributed().values()), any_factor_(any_factor) {}

  std::vector<Repair> run() {
    for (const ValueId source : kinship_.sources()) {
      if (kinship_.known(source)) look_at(source);
      else for (const ValueId operand : values_[source].operands) look_at(operand);
    }
    everywhere();
    for (const ValueId source : kinship_.sources()) {
      if (!kinship_.known(source)) for (const ValueId operand : values_[source].operands) rearrange(operand);
    }
    exchange_messages();
    std::vector<Repair> all = std::move(single_);
    for (std::vector<Repair>* more : {&joint_, &moves_}) all.insert(all.end(), more->begin(), more->end());
    std::stable_sort(all.begin(), all.end(), [](const Repair& a, const Repair& b) { return a.cost < b.cost; });
    for (Repair& r : all) r.at = r.place;
    return all;
  }

 private:
  using Places = std::map<std::string, std::vector<Repair>>;  ///< single repairs by kind
  InstructionId at(ValueId id) const { return values_[id].instance.instruction; }
  bool array(InstructionId id) const { return context_.type(id).is_array(); }

  /// What the value needs to be the sequential one, at the place where that comes up.
  void look_at(ValueId id) {
    const Kin* kin = kinship_.of(id);
    if (kin == nullptr || (kin->partial.empty() && (kin->factor == 1 || !(any_factor_ || ranks(kin->factor))))) return;
    const ValueId near = origin(id, *kin), far = origin(moved_from(near), *kin);
    put(far, *kin, far_);
    if (far != near) put(near, *kin, near_);
  }

  /// The value behind `id` that is the first with this factor and these partial digits; where several are, the one that they meet in.
  ValueId origin(ValueId id, const Kin& kin) const {
    std::set<ValueId> seen, first;
    std::vector<ValueId> todo = {id};
    while (!todo.empty()) {
      const ValueId at = todo.back();
      todo.pop_back();
      if (!seen.insert(at).second) continue;
      const std::vector<ValueId> before = alike_before(at, kin);
      if (before.empty()) first.insert(at);
      todo.insert(todo.end(), before.begin(), before.end());
    }
    if (first.size() == 1) return *first.begin();
    for (std::vector<ValueId> before = {id}; before.size() == 1; before = alike_before(id, kin)) id = before.front();
    return id;
  }

  std::vector<ValueId> alike_before(ValueId id, const Kin& kin) const {
    std::vector<ValueId> before;
    for (const ValueId operand : values_[id].operands) {
      const Kin* k = kinship_.of(operand);
      if (k != nullptr && k->partial == kin.partial && k->sum == kin.sum && k->factor == kin.factor) before.push_back(operand);
    }
    return before;
  }

  /// What was only moved from there, as pieces of a larger value perhaps.
  ValueId moved_from(ValueId id) const { return DivergenceTrace::origin(context_.trace()->distributed(), id); }

  Repair reduced(InstructionId place, const Kin& kin) const {
    const AxisSet axes = context_.digit_set(kin.partial);
    const Op reducer = kin.sum ? Op::Add : Op::Maximum;
    Repair r;
    r.place = place;
    r.kind = FindingKind::Missing;
    const Ref total = context_.all_reduce(r.patch, {place, false}, context_.type(place), axes, reducer);
    r.patch.reroutes.push_back({place, total, std::nullopt});
    r.diagnosis = Diagnosis::MissingReduction;
    const std::string what = kin.sum ? "n " : " max ";
    r.text = fmt::format("missing {}all-reduce over {} after {}{}", kin.sum ? "" : "max ", axes.name, context_.name(place), context_.consumer(place));
    r.edit = fmt::format("insert a{}all-reduce over {} after {}", what, axes.name, context_.name(place));
    r.after = std::string(context_.module().name_of(place));
    const InstructionId user = context_.user_behind_copies(place);
    if (user != kNone) r.before = std::string(context_.module().name_of(user));
    return r;
  }

  /// A product or quotient with one number: its other operand.
  std::optional<InstructionId> factored(InstructionId place) const {
    const Module& module = context_.module();
    const Op op = module[place].op;
    if (op != Op::Multiply && op != Op::Divide) return std::nullopt;
    for (std::size_t k = 0; k < 2; ++k) {
      InstructionId number = module.operands(place)[1 - k];
      while (DivergenceTrace::moves(module[number].op) && module.operands(number).size() == 1) number = module.operands(number)[0];
      if (module[number].op == Op::Constant && (k == 0 || op == Op::Multiply)) return module.operands(place)[k];
    }
    return std::nullopt;
  }

  Repair scaled(InstructionId place, const Kin& kin) const {
    Repair r;
    r.place = place;
    const bool large = kin.factor > 1;
    const double n = large ? kin.factor : 1 / kin.factor;
    std::string ranks;
    for (const AxisSet& axes : context_.axes()) {
      if (ranks.empty() && static_cast<double>(axes.size) == n) ranks = ", the number of ranks of " + axes.name;
    }
    r.diagnosis = large ? Diagnosis::ScaleTooLarge : Diagnosis::ScaleTooSmall;
    const auto operand = factored(place);
    if (operand && context_.type(*operand) == context_.type(place)) {
      r.kind = FindingKind::Extra;
      r.patch.reroutes.push_back({place, {*operand, false}, std::nullopt});
      r.text = fmt::format("{} should not be there: {} is the right value, and {} is {} times too {}{}", context_.name(place), context_.name(*operand),
                           context_.name(place), n, large ? "large" : "small", ranks);
      r.edit = fmt::format("use {} in place of {}", context_.name(*operand), context_.name(place));
    } else {
      const Ref right = context_.scaled(r.patch, {place, false}, context_.type(place), 1 / kin.factor);
      r.patch.reroutes.push_back({place, right, std::nullopt});
      const bool collective = gg::info(context_.module()[place].op).traits == OpTraits::Collective;
      const std::string why = collective && large && !ranks.empty() ? ": it sums where a mean is right" : "";
      r.text = fmt::format("{} is {} times too {}{}{}{}", context_.name(place), n, large ? "large" : "small", ranks, context_.consumer(place), why);
      r.edit = fmt::format("{} {} by {}", large ? "divide" : "multiply", context_.name(place), n);
    }
    return r;
  }

  bool ranks(double factor) const {
    const double n = std::max(factor, 1 / factor);
    return std::any_of(context_.axes().begin(), context_.axes().end(), [&](const AxisSet& axes) { return static_cast<double>(axes.size) == n; });
  }

  /// Keeps the repair, and the same one at all instructions of its line of the program.
  void put(ValueId id, const Kin& kin, Places& places) {
    const InstructionId place = at(id);
    const bool reduction = !kin.partial.empty();
    const std::string kind = reduction ? fmt::format("{} over {}", kin.sum ? "sum" : "maximum", context_.trace()->digit_names(kin.partial)) : fmt::format("factor {}", kin.factor);
    if (!array(place) || (!reduction && !context_.is_float_array(place)) || !seen_.insert({place, kind}).second) return;
    const auto made = [&](InstructionId where) { return reduction ? reduced(where, kin) : scaled(where, kin); };
    Repair single = made(place);
    single.cost = kTold + (&places == &near_ ? 1 : 0);
    places[kind].push_back(single);
    single_.push_back(single);
    std::vector<Repair> alike = {std::move(single)};
    for (const InstructionId other : of_the_line(place)) alike.push_back(made(other));
    if (alike.size() > 1) joint_.push_back(joined(alike, kAlike));
  }

  /// Other instructions that do the same for the same line of the program, in other layers or steps.
  std::vector<InstructionId> of_the_line(InstructionId place) const {
    const Module& module = context_.module();
    const auto line = module.source(place);
    std::vector<InstructionId> found;
    for (InstructionId id = 0; line && id < module.size(); ++id) {
      if (id == place || module[id].op != module[place].op || !(module.type(id) == module.type(place))) continue;
      if (stem(module.name_of(id)) != stem(module.name_of(place))) continue;
      const auto other = module.source(id);
      const bool same = other && other->file == line->file && other->line == line->line;
      if (same && module.computation_of(id) == module.computation_of(place) && module.attributes(id) == module.attributes(place)) found.push_back(id);
    }
    return found;
  }

  /// Several repairs as one.
  Repair joined(const std::vector<Repair>& which, int cost) const {
    Repair all = which.front();
    std::string names;
    for (std::size_t k = 1; k < which.size(); ++k) {
      append(all.patch, which[k].patch);
      if (k <= kMostNamed) names += (k == 1 ? "" : ", ") + context_.name(which[k].place);
    }
    if (which.size() > kMostNamed + 1) names += fmt::format(" and {} more", which.size() - kMostNamed - 1);
    all.text += "; likewise " + names;
    all.edit += ", likewise at " + names;
    all.cost = cost;
    return all;
  }

  /// Repairs of the same kind at all places that need it.
  void everywhere() {
    for (const Places* places : {&far_, &near_}) {
      for (const auto& [kind, repairs] : *places) {
        if (repairs.size() > 1) joint_.push_back(joined(repairs, kEverywhere + (places == &near_ ? 1 : 0)));
      }
    }
  }

  /// An exchange of two parts of a dimension where the elements stand in another order, behind what they come from.
  void rearrange(ValueId id) {
    std::set<ValueId> seen;
    std::vector<ValueId> todo = {id};
    for (std::size_t k = 0; k < todo.size() && k < kMostOrders; ++k) {
      const Kin* kin = kinship_.of(todo[k]);
      if (kin == nullptr || kin->plain || !seen.insert(todo[k]).second) continue;
      if (at_exchange(todo[k])) reorder(at(todo[k]), static_cast<int>(k));
      for (const ValueId operand : values_[todo[k]].operands) todo.push_back(operand);
    }
  }

  /// What an exchange of blocks brings, or sends.
  bool at_exchange(ValueId id) const {
    const auto exchanges = [&](InstructionId i) { return context_.module()[i].op == Op::AllToAll || context_.module()[i].op == Op::AllGather; };
    const auto& users = context_.users(at(id));
    return exchanges(at(id)) || std::any_of(users.begin(), users.end(), exchanges);
  }

  void reorder(InstructionId place, int distance) {
    if (!context_.is_float_array(place)) return;
    const Type& type = context_.type(place);
    for (const AxisSet& axes : context_.axes()) {
      const std::int64_t n = axes.size;
      if (type.dims.empty() || type.dims[0] % n != 0) continue;
      const std::int64_t rest = type.dims[0] / n;
      for (std::int64_t other = 2; other <= rest; ++other) {
        if (rest % other != 0) continue;
        for (const auto& [a, b] : {std::pair(n, other), std::pair(other, n)}) {
          if (!seen_.insert({place, fmt::format("order {} {}", a, b)}).second) continue;
          moves_.push_back(in_order(place, a, b, distance));
        }
      }
    }
  }

  Repair in_order(InstructionId place, std::int64_t a, std::int64_t b, int distance) {
    const Type& type = context_.type(place);
    Repair r;
    r.place = place;
    r.kind = FindingKind::Missing;
    IntList apart = {a, b, type.dims[0] / (a * b)}, order = {1, 0, 2};
    for (std::size_t d = 1; d < type.dims.size(); ++d) {
      apart.push_back(type.dims[d]);
      order.push_back(static_cast<std::int64_t>(d) + 2);
    }
    const Ref split = r.patch.add({Op::Reshape, Type::array(type.element, apart), {}, {{place, false}}, std::nullopt, false});
    std::swap(apart[0], apart[1]);
    Attributes attributes;
    attributes.set(Attr::BroadcastDims, order);
    const Ref turned = r.patch.add({Op::Transpose, Type::array(type.element, apart), std::move(attributes), {split}, std::nullopt, false});
    const Ref whole = r.patch.add({Op::Reshape, Type::array(type.element, type.dims), {}, {turned}, std::nullopt, false});
    r.patch.reroutes.push_back({place, whole, std::nullopt});
    r.diagnosis = Diagnosis::SwappedDims;
    r.text = fmt::format("the blocks of {} stand in the wrong order: missing transpose of its {} times {} blocks{}", context_.name(place), a, b, context_.consumer(place));
    r.edit = fmt::format("transpose the {} times {} blocks of dimension 0 of {}", a, b, context_.name(place));
    r.after = std::string(context_.module().name_of(place));
    r.cost = kTold + 2 + distance / 4;
    return r;
  }

  /// Two messages between the same ranks carry each other's value.
  void exchange_messages() {
    const Module& module = context_.module();
    std::vector<InstructionId> messages;
    for (InstructionId id = 0; id < module.size() && messages.size() < kMostMessages; ++id) {
      const bool message = module[id].op == Op::CollectivePermute || module[id].op == Op::Copy;  // received from another program: a copy
      if (message && array(id) && module.operands(id).size() == 1) messages.push_back(id);
    }
    for (std::size_t a = 0; a < messages.size(); ++a) {
      for (std::size_t b = a + 1; b < messages.size(); ++b) {
        const InstructionId first = messages[a], second = messages[b];
        if (!(module.attributes(first) == module.attributes(second)) || !(context_.type(first) == context_.type(second))) continue;
        if (module.computation_of(first) != module.computation_of(second)) continue;
        Repair r;
        r.place = first;
        Changed one = unchanged(module, first), other = unchanged(module, second);
        std::swap(one.operands, other.operands);
        r.patch.changed = {std::move(one), std::move(other)};
        r.diagnosis = Diagnosis::SwappedOperands;
        r.text = fmt::format("{} and {} bring each other's message", context_.name(first), context_.name(second));
        r.edit = fmt::format("exchange what {} and {} send", context_.name(first), context_.name(second));
        r.cost = kTold + 4;
        moves_.push_back(std::move(r));
      }
    }
  }

  const Context& context_;
  const Kinship& kinship_;
  const std::vector<TracedValue>& values_;
  bool any_factor_;
  std::vector<Repair> single_, joint_, moves_;
  Places far_, near_;
  std::set<std::pair<InstructionId, std::string>> seen_;
};

}  // namespace

std::vector<Repair> told_repairs(const Context& context, const Kinship& kinship, bool any_factor) { return Telling(context, kinship, any_factor).run(); }

}  // namespace gg::pinpoint
