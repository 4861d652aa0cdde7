// Repairs of slips: what one of the alternatives of models/mutation has made of a right instruction, another one takes back.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "models/mutation/alternatives.h"

namespace gg::pinpoint {
namespace {

using mutation::Form;
using mutation::Slip;

constexpr std::size_t kMostBehind = 6;  ///< between a slice and what reads it
constexpr int kNextPart = 16;
constexpr int kEvidentSlip = 4;  ///< cost of an edit for which the rest of the program speaks

/// The parts of dimension d that slices read of the operand of this one, ascending; none where others read it too.
std::vector<std::pair<std::int64_t, std::int64_t>> parts_read(const Context& context, InstructionId place, std::size_t d, std::int64_t start) {
  const Module& module = context.module();
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;
  for (const InstructionId user : context.users(module.operands(place)[0])) {
    if (module[user].op != module[place].op) return {};
    const SliceDim& s = module.attributes(user).slice()[d];
    if (s.stride != 1) return {};
    parts.emplace_back(user == place ? start : s.start, user == place ? start + s.limit - s.start : s.limit);
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

/// What no slice reads of dimension d, if this one starts at `start`.
std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>> gaps(const Context& context, InstructionId place, std::size_t d, std::int64_t start) {
  const auto parts = parts_read(context, place, d, start);
  if (parts.empty()) return std::nullopt;
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  std::int64_t end = 0;
  for (const auto& [from, to] : parts) {
    if (from > end) found.emplace_back(end, from);
    end = std::max(end, to);
  }
  const std::int64_t extent = context.module().type(context.module().operands(place)[0]).dims[d];
  if (end < extent) found.emplace_back(end, extent);
  return found;
}

/// Is every place of dimension d of the operand read by some slice, if this one starts at `start`? Nothing where others read it too.
std::optional<bool> all_read(const Context& context, InstructionId place, std::size_t d, std::int64_t start) {
  const auto left = gaps(context, place, d, start);
  return left ? std::optional(left->empty()) : std::nullopt;
}

/// What is told of an alternative.
struct Words {
  Diagnosis diagnosis;
  std::string text, edit;
  int cost;
  bool any = false;
};

Words direction(const Context& context, InstructionId place, const Form& form) {
  const std::string &now = context.module().attributes(place).text(Attr::Direction), &then = form.attributes.text(Attr::Direction);
  return {Diagnosis::MaskBound, fmt::format("{} compares with {} where {} is right", context.name(place), now, then),
          fmt::format("compare with {} in {}", then, context.name(place)), now[0] == then[0] ? 12 : 16, now[0] != then[0]};
}

Words start(const Context& context, InstructionId place, const Form& form) {
  const auto &now = context.module().attributes(place).slice(), &then = form.attributes.slice();
  std::size_t d = 0;
  while (now[d].start == then[d].start) ++d;
  const std::int64_t size = now[d].limit - now[d].start;
  const bool block = size > 1 && (then[d].start - now[d].start) % size == 0;
  const bool gap_closed = all_read(context, place, d, now[d].start) == false && all_read(context, place, d, then[d].start) == true;
  return {block ? Diagnosis::OffsetBlock : Diagnosis::SliceShifted,
          fmt::format("{} starts at {} of dimension {}, not at {}", context.name(place), now[d].start, d, then[d].start),
          fmt::format("let {} start at {} in dimension {}", context.name(place), then[d].start, d), gap_closed ? kEvidentSlip : 16};
}

std::string dimensions_of(const Attributes& attributes, Attr attr) {
  return attr == Attr::IotaDimension ? std::to_string(attributes.integer(attr)) : fmt::format("{{{}}}", fmt::join(attributes.ints(attr), ","));
}

Words dimensions(const Context& context, InstructionId place, const Form& form) {
  const Attributes& now = context.module().attributes(place);
  Attr changed = Attr::BroadcastDims;
  for (const Attr attr : {Attr::IotaDimension, Attr::LhsContractingDims, Attr::RhsContractingDims}) {
    if (now.has(attr) && dimensions_of(now, attr) != dimensions_of(form.attributes, attr)) changed = attr;
  }
  const std::string from = dimensions_of(now, changed), to = dimensions_of(form.attributes, changed);
  const bool places = changed == Attr::IotaDimension || std::is_permutation(from.begin(), from.end(), to.begin(), to.end());
  const InstructionId exchange = exchange_beside(context, place);
  const bool blocks = exchange != kNone && moves_one(context.module(), place);
  std::string text = fmt::format("{} takes dimensions {} where {} is right", context.name(place), from, to);
  if (blocks) text += fmt::format(": the blocks that {} exchanges come into another order than the ranks hold them in", context.name(exchange));
  return {blocks ? Diagnosis::GroupOrder : Diagnosis::SwappedDims, text, fmt::format("use dimensions {} in {}", to, context.name(place)), places ? 18 : 20};
}

Words order(const Context& context, InstructionId place, const Form& form) {
  const auto operands = context.module().operands(place);
  const auto other = std::mismatch(operands.begin(), operands.end(), form.operands.begin());
  const std::string a = context.name(*other.first), b = context.name(*other.second);
  return {Diagnosis::SwappedOperands, fmt::format("{} takes {} and {} in the wrong order", context.name(place), a, b),
          fmt::format("exchange {} and {} in {}", a, b, context.name(place)), 15, info(form.op).traits == OpTraits::Elementwise};
}

Words function(const Context& context, InstructionId place, const Form& form) {
  const Repair repair = another_function(context, place, form.op, form.attributes, context.sequential_ops().contains(form.op) ? 17 : 24);
  return {repair.diagnosis, repair.text, repair.edit, repair.cost};
}

struct SlipRow {
  Slip slip;
  Words (*words)(const Context& context, InstructionId place, const Form& form);
};

constexpr std::array kSlips = {SlipRow{Slip::Order, order}, SlipRow{Slip::Start, start}, SlipRow{Slip::Direction, direction}, SlipRow{Slip::Dimensions, dimensions}, SlipRow{Slip::Laid, dimensions}, SlipRow{Slip::Function, function}};

}  // namespace

Repair another_function(const Context& context, InstructionId place, Op then, const Attributes& attributes, int cost) {
  Changed change = unchanged(context.module(), place);
  const std::string name = context.name(place), now(info(change.op).name), right(info(then).name);
  change.op = then;
  change.attributes = attributes;
  return {.patch = changing(std::move(change)), .place = place, .diagnosis = Diagnosis::WrongOperator, .text = fmt::format("{} is the {} of its operands where the {} is right", name, now, right), .edit = fmt::format("let {} be the {} in place of the {}", name, right, now), .cost = cost};
}

InstructionId exchange_beside(const Context& context, InstructionId place) {
  const Module& module = context.module();
  const auto exchanges = [&](InstructionId id) { return id != kNone && is_exchange(module, id); };
  const InstructionId origin = behind_moves(module, place), user = context.user_behind_copies(place);
  return exchanges(origin) ? origin : exchanges(user) ? user
                                                      : kNone;
}

std::string puts_in_other_order(const Context& context, InstructionId exchange) {
  return fmt::format("puts the blocks that {} exchanges into another order than the ranks hold them in", context.name(exchange));
}

Changed changed_to(InstructionId place, Form form) {
  Changed change{place, form.op, std::move(form.attributes), {}};
  for (const InstructionId operand : form.operands) change.operands.push_back({operand, false});
  return change;
}

/// Another part of what a slice reads, as large: the one that nobody reads, or the next one where the start is computed.
struct OtherPart {
  Ref part;
  std::string text, edit;  ///< behind "%x reads " and "let %x read "
  int cost;
};

std::optional<OtherPart> other_part(const Context& context, InstructionId slice, Patch& patch) {
  const Module& module = context.module();
  const auto operands = module.operands(slice);
  const std::string whole = context.name(operands[0]);
  if (module.attributes(slice).has(Attr::DynamicSliceSizes)) {
    Maker maker = context.maker(patch);
    const IntList &extents = module.type(operands[0]).dims, &part = module.type(slice).dims;
    std::vector<Ref> begins;
    std::optional<std::size_t> moved;
    for (std::size_t d = 0; d < part.size(); ++d) {
      const InstructionId start = operands[d + 1];
      begins.push_back({start, false});
      if (moved || has_values(module, start) || 2 * part[d] > extents[d]) continue;
      moved = d;
      begins.back() = maker.sum(begins.back(), maker.whole(module.type(start).element, part[d]));
    }
    if (!moved) return std::nullopt;
    return OtherPart{maker.part({operands[0], false}, part, begins), fmt::format("the same part of {} as others do, where the next one is right", whole), fmt::format("the next {} of dimension {} of {}", part[*moved], *moved, whole), kNextPart};
  }
  const std::vector<SliceDim>& now = module.attributes(slice).slice();
  for (std::size_t d = 0; d < now.size(); ++d) {
    const auto left = gaps(context, slice, d, now[d].start);
    if (!left || left->size() != 1 || left->front().second - left->front().first != now[d].limit - now[d].start) continue;
    std::vector<SliceDim> then = now;
    std::tie(then[d].start, then[d].limit) = left->front();
    Attributes attributes = module.attributes(slice);
    attributes.set(Attr::Slice, then);
    const std::string right = fmt::format("[{}, {})", then[d].start, then[d].limit), where = fmt::format("of dimension {} of {}", d, whole);
    return OtherPart{patch.add({module[slice].op, module.type(slice), attributes, {{operands[0], false}}, std::nullopt, false}), fmt::format("[{}, {}) {} as others do; nobody reads {}", now[d].start, now[d].limit, where, right), right + " " + where, kEvidentSlip};
  }
  return std::nullopt;
}

/// An operand that only moves a part of a value, which others read too: the moves once more, of another part.
void read_other_part(const Context& context, InstructionId place, std::size_t operand, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto reads_part = [&](InstructionId id) { return module.attributes(id).has(Attr::Slice) || module.attributes(id).has(Attr::DynamicSliceSizes); };
  std::vector<InstructionId> moves;  // the last one first
  InstructionId slice = module.operands(place)[operand];
  bool shared = false;
  for (; !reads_part(slice) && moves_one(module, slice) && moves.size() < kMostBehind; slice = module.operands(slice)[0]) {
    shared = shared || context.users(slice).size() > 1;
    moves.push_back(slice);
  }
  if (!reads_part(slice) || module.operands(slice).empty() || !(shared || context.users(slice).size() > 1)) return;
  Patch patch;
  auto other = other_part(context, slice, patch);
  if (!other) return;
  for (; !moves.empty(); moves.pop_back()) other->part = patch.add({module[moves.back()].op, module.type(moves.back()), module.attributes(moves.back()), {other->part}, std::nullopt, false});
  Changed reads = unchanged(module, place);
  reads.operands[operand] = other->part;
  patch.changed.push_back(std::move(reads));
  out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::SliceShifted, .text = context.name(place) + " reads " + other->text, .edit = "let " + context.name(place) + " read " + other->edit, .cost = other->cost});
}

/// The negation of a comparison of floats, which is false of NaN too: a choice by it takes its operands the other way round, a negation of it goes.
void negated(const Context& context, InstructionId place, std::vector<Repair>& out) {
  static const std::map<std::string, const char*> kNegation = {{"LT", "GE"}, {"GE", "LT"}, {"GT", "LE"}, {"LE", "GT"}};
  const Module& module = context.module();
  const auto operands = module.operands(place);
  const bool chooses = gg::chooses(module[place].op) && operands.size() == 3 && module.type(operands[0]).element == ElementType::Pred, negates = scalar_of(module[place].op, module.attributes(place)) == ScalarFn::Not;
  if ((!chooses && !negates) || !is_comparison(module, operands[0])) return;
  const InstructionId test = operands[0];
  const auto other = kNegation.find(module.attributes(test).text(Attr::Direction));
  if (other == kNegation.end() || !is_float(module.type(module.operands(test)[0]).element)) return;
  Patch patch;
  const Ref turned = context.maker(patch).compare({module.operands(test)[0], false}, {module.operands(test)[1], false}, other->second);
  Changed change = unchanged(module, place);
  if (chooses) {
    change.operands = {turned, {operands[2], false}, {operands[1], false}};
    patch.changed.push_back(std::move(change));
  } else {
    patch.reroutes.push_back({place, turned, std::nullopt});
  }
  const std::string name = context.name(place), at = context.name(test);
  out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::NotComparable, .text = fmt::format("{} asks {} by {}, which is false of NaN, as {} is: it goes the other way there", name, at, other->first, other->second), .edit = fmt::format("let {} ask by {}{}", name, other->second, chooses ? " and take its operands the other way round" : ""), .cost = 5});
}

/// Sums and products are many: another function is tried of those that make a bad value of good ones.
bool may_be_another(const Context& context, InstructionId place) {
  const Op op = context.module()[place].op;
  if ((term_sign(op) == 0 && factor_exponent(op) == 0) || context.trace() == nullptr || !context.trace()->complete()) return true;
  const auto bad = context.bad_value(place);
  return bad && context.trace()->operands_good(*bad);
}

void slip_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  for (std::size_t k = 0; k < context.module().operands(place).size(); ++k) read_other_part(context, place, k, out);
  negated(context, place, out);
  for (const SlipRow& row : kSlips) {
    if (row.slip == Slip::Function && !may_be_another(context, place)) continue;
    for (Form& form : alternatives(context.module(), place, row.slip)) {
      Words words = row.words(context, place, form);
      out.push_back({.patch = changing(changed_to(place, std::move(form))), .place = place, .diagnosis = words.diagnosis, .text = std::move(words.text), .edit = std::move(words.edit), .cost = words.cost, .any = words.any});
    }
  }
}

}  // namespace gg::pinpoint
