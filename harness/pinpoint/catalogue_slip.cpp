// Repairs of slips: what one of the alternatives of models/mutation has made of a right instruction, another one takes back.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/mutation/alternatives.h"

namespace gg::pinpoint {
namespace {

using mutation::Form;
using mutation::Slip;

constexpr int kEvidentSlip = 4;  ///< cost of an edit for which the rest of the program speaks

/// Is every place of dimension d of the operand read by some slice, if this one starts at `start`? Nothing where others read it too.
std::optional<bool> all_read(const Context& context, InstructionId place, std::size_t d, std::int64_t start) {
  const Module& module = context.module();
  const InstructionId operand = module.operands(place)[0];
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;
  for (const InstructionId user : context.users(operand)) {
    if (module[user].op != module[place].op) return std::nullopt;
    const SliceDim& s = module.attributes(user).slice()[d];
    if (s.stride != 1) return std::nullopt;
    parts.emplace_back(user == place ? start : s.start, user == place ? start + s.limit - s.start : s.limit);
  }
  std::sort(parts.begin(), parts.end());
  std::int64_t end = 0;
  for (const auto& [from, to] : parts) {
    if (from > end) return false;
    end = std::max(end, to);
  }
  return end == module.type(operand).dims[d];
}

/// What is told of an alternative.
struct Words {
  Diagnosis diagnosis;
  std::string text, edit;
  int cost;
};

Words direction(const Context& context, InstructionId place, const Form& form) {
  const std::string &now = context.module().attributes(place).text(Attr::Direction), &then = form.attributes.text(Attr::Direction);
  return {Diagnosis::MaskBound, fmt::format("{} compares with {} where {} is right", context.name(place), now, then),
          fmt::format("compare with {} in {}", then, context.name(place)), now[0] == then[0] ? 12 : 16};
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
          fmt::format("exchange {} and {} in {}", a, b, context.name(place)), 15};
}

struct SlipRow {
  Slip slip;
  Words (*words)(const Context& context, InstructionId place, const Form& form);
};

constexpr std::array kSlips = {SlipRow{Slip::Order, order}, SlipRow{Slip::Start, start}, SlipRow{Slip::Direction, direction}, SlipRow{Slip::Dimensions, dimensions}};

}  // namespace

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

void slip_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  for (const SlipRow& row : kSlips) {
    for (Form& form : alternatives(context.module(), place, row.slip)) {
      Words words = row.words(context, place, form);
      out.push_back({.patch = changing(changed_to(place, std::move(form))), .place = place, .diagnosis = words.diagnosis, .text = std::move(words.text), .edit = std::move(words.edit), .cost = words.cost});
    }
  }
}

}  // namespace gg::pinpoint
