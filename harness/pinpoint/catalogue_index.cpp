// Repairs of places and bounds: slices, comparisons, offsets of the rank's own block.
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "harness/pinpoint/make.h"
#include "harness/pinpoint/repair.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr int kEvident = 4;  ///< cost of an edit for which the rest of the program speaks
constexpr std::size_t kMostSiblings = 3;

/// Is every place of dimension d of the operand read by some slice, if this one starts at `start`? Nothing where others read
/// it too.
std::optional<bool> all_read(const Context& context, InstructionId place, std::size_t d, std::int64_t start) {
  const Module& module = context.module();
  const InstructionId operand = module.operands(place)[0];
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;
  for (const InstructionId user : context.users(operand)) {
    if (module[user].op != Op::Slice) return std::nullopt;
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

void shift_slice(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const std::vector<SliceDim>& now = module.attributes(place).slice();
  const Type& whole = module.type(module.operands(place)[0]);
  for (std::size_t d = 0; d < now.size(); ++d) {
    const std::int64_t size = now[d].limit - now[d].start;
    std::set<std::int64_t> starts = {now[d].start - 1, now[d].start + 1, now[d].start - size, now[d].start + size};
    for (std::int64_t k = 0; size > 0 && k < std::min<std::int64_t>(whole.dims[d] / size, 8); ++k) starts.insert(k * size);
    for (const std::int64_t start : starts) {
      if (start == now[d].start || start < 0 || start + size > whole.dims[d]) continue;
      Repair r;
      r.place = place;
      Changed change = unchanged(module, place);
      std::vector<SliceDim> dims = now;
      dims[d].start = start;
      dims[d].limit = start + size;
      change.attributes.set(Attr::Slice, dims);
      r.patch.changed.push_back(std::move(change));
      const bool block = std::abs(start - now[d].start) % size == 0 && size > 1;
      r.diagnosis = block ? Diagnosis::OffsetBlock : Diagnosis::SliceShifted;
      r.text = fmt::format("{} starts at {} of dimension {}, not at {}", context.name(place), now[d].start, d, start);
      r.edit = fmt::format("let {} start at {} in dimension {}", context.name(place), start, d);
      const bool gap_closed = all_read(context, place, d, now[d].start) == false && all_read(context, place, d, start) == true;
      r.cost = gap_closed ? kEvident : 16;
      out.push_back(std::move(r));
    }
  }
}

void shift_pad(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const std::vector<PadDim>& now = module.attributes(place).padding();
  for (std::size_t d = 0; d < now.size(); ++d) {
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{-1}, now[d].high, -now[d].low}) {
      if (step == 0) continue;
      Repair r;
      r.place = place;
      Changed change = unchanged(module, place);
      std::vector<PadDim> dims = now;
      dims[d].low += step;
      dims[d].high -= step;
      if (dims[d].low < 0 || dims[d].high < 0) continue;
      change.attributes.set(Attr::Padding, dims);
      r.patch.changed.push_back(std::move(change));
      r.diagnosis = Diagnosis::SliceShifted;
      r.text = fmt::format("{} puts its operand at {} of dimension {}, not at {}", context.name(place), now[d].low, d, dims[d].low);
      r.edit = fmt::format("pad {} below by {} in dimension {}", context.name(place), dims[d].low, d);
      r.cost = 18;
      out.push_back(std::move(r));
    }
  }
}

void other_direction(const Context& context, InstructionId place, std::vector<Repair>& out) {
  static constexpr std::array kDirections = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  const std::string now = context.module().attributes(place).text(Attr::Direction);
  for (const char* direction : kDirections) {
    if (now == direction) continue;
    Repair r;
    r.place = place;
    Changed change = unchanged(context.module(), place);
    change.attributes.set(Attr::Direction, std::string(direction));
    r.patch.changed.push_back(std::move(change));
    r.diagnosis = Diagnosis::MaskBound;
    r.text = context.name(place) + " compares with " + now + " where " + direction + " is right";
    r.edit = "compare with " + std::string(direction) + " in " + context.name(place);
    r.cost = now[0] == direction[0] ? 12 : 16;
    out.push_back(std::move(r));
  }
}

/// The start of a dynamic slice as the rank's own block.
void own_block(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Op op = module[place].op;
  const std::size_t first = op == Op::DynamicSlice ? 1 : 2;
  const Type& whole = module.type(module.operands(place)[0]);
  const Type& part = op == Op::DynamicSlice ? module.type(place) : module.type(module.operands(place)[1]);
  for (std::size_t d = 0; d < whole.dims.size() && first + d < module.operands(place).size(); ++d) {
    const Type& index = module.type(module.operands(place)[first + d]);
    for (const AxisSet& axes : context.axes()) {
      if (part.dims[d] * axes.size != whole.dims[d] || !index.dims.empty()) continue;
      Repair r;
      r.place = place;
      Changed change = unchanged(module, place);
      change.operands[first + d] = own_begin(context, r.patch, axes, index.element, part.dims[d]);
      r.patch.changed.push_back(std::move(change));
      r.diagnosis = Diagnosis::OffsetBlock;
      r.text = fmt::format("{} does not take the block of its rank over {} in dimension {}", context.name(place), axes.name, d);
      r.edit = fmt::format("start {} at the rank's own block over {} in dimension {}", context.name(place), axes.name, d);
      r.cost = 24;
      out.push_back(std::move(r));
    }
  }
}

/// Start indices of slices of as long windows in as long dimensions, where no other slice starts at the same value.
void as_siblings(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto windows = [&](InstructionId id, const auto& each) {
    const std::size_t first = is_dynamic_slice(module, id) ? 1 : 2;
    const Type& whole = module.type(module.operands(id)[0]);
    const Type& part = first == 1 ? module.type(id) : module.type(module.operands(id)[1]);
    for (std::size_t d = 0; d < whole.dims.size() && first + d < module.operands(id).size(); ++d) {
      if (part.dims[d] < whole.dims[d]) each(std::pair(whole.dims[d], part.dims[d]), first + d);
    }
  };
  const Computation& c = module.computation(module.computation_of(place));
  windows(place, [&](const std::pair<std::int64_t, std::int64_t>& window, std::size_t at) {
    const InstructionId now = module.operands(place)[at];
    std::vector<InstructionId> read;
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      if (id == place || (!is_dynamic_slice(module, id) && module[id].op != Op::DynamicUpdateSlice)) continue;
      windows(id, [&](const std::pair<std::int64_t, std::int64_t>& other, std::size_t k) {
        const InstructionId start = module.operands(id)[k];
        if (other == window && module.type(start) == module.type(now) && std::find(read.begin(), read.end(), start) == read.end()) read.push_back(start);
      });
    }
    if (std::find(read.begin(), read.end(), now) != read.end()) return;
    for (std::size_t k = 0; k < std::min(kMostSiblings, read.size()); ++k) {
      Repair r;
      r.place = place;
      Changed change = unchanged(module, place);
      change.operands[at] = {read[k], false};
      r.patch.changed.push_back(std::move(change));
      r.diagnosis = Diagnosis::OffsetBlock;
      r.text = fmt::format("{} starts at {} where other slices of such windows start at {}", context.name(place), context.name(now), context.name(read[k]));
      r.edit = fmt::format("start {} at {} in place of {}", context.name(place), context.name(read[k]), context.name(now));
      r.cost = kEvident;
      out.push_back(std::move(r));
    }
  });
}

/// Local extents that an index may count in: of values that are gathered from or compared with.
std::vector<std::int64_t> blocks_behind(const Context& context, InstructionId place) {
  const Module& module = context.module();
  std::set<std::int64_t> blocks;
  for (const InstructionId user : context.users(place)) {
    for (const InstructionId operand : module.operands(user)) {
      const InstructionId origin = DivergenceTrace::moves(module[operand].op) && module.operands(operand).size() == 1
                                       ? module.operands(operand)[0] : operand;
      if (!has_values(module, origin)) continue;
      const auto& values = module.attributes(origin).literal().values;
      if (!values.empty() && values[0].integer > 1 && is_integral(values[0].type)) blocks.insert(values[0].integer);
    }
  }
  if (is_element(module, place) && module[module.operands(place)[0]].op == Op::TopK) {
    blocks.insert(module.type(module.operands(module.operands(place)[0])[0]).dims.back());
  }
  for (const std::int64_t extent : context.type(place).dims) {
    if (is_count(module, place) && extent > 1) blocks.insert(extent);
  }
  return {blocks.begin(), blocks.end()};
}

/// Global positions from local ones, and local ones from global ones: +- the rank's own offset.
void own_origin(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Type& type = context.type(place);
  if (!type.is_array() || !is_integral(type.element) || type.element == ElementType::Pred) return;
  const Op op = context.module()[place].op;
  if (op == Op::Constant || DivergenceTrace::moves(op)) return;
  const bool counts = op == Op::Iota || op == Op::GetTupleElement;  // numbers in the block, to which the offset is added
  for (const std::int64_t block : blocks_behind(context, place)) {
    for (const AxisSet& axes : context.axes()) {
      if (axes.axes > 1) continue;
      for (const bool add : {counts, !counts}) {
        Repair r;
        r.place = place;
        r.kind = FindingKind::Missing;
        const Ref offset = own_begin(context, r.patch, axes, type.element, block);
        Ref wide = offset;
        if (!type.dims.empty()) {
          wide = context.broadcast(r.patch, offset, type.element, type.dims, {});
        }
        const Ref sum = r.patch.add({add ? Op::Add : Op::Subtract, Type::array(type.element, type.dims), {}, {{place, false}, wide}, std::nullopt, false});
        r.patch.reroutes.push_back({place, sum, std::nullopt});
        r.diagnosis = Diagnosis::OffsetBlock;
        r.text = fmt::format("{} lacks the offset of the rank's own block over {} ({} times its coordinate)", context.name(place), axes.name, block);
        r.edit = fmt::format("{} {} times the coordinate over {} {} {}", add ? "add" : "subtract", block, axes.name, add ? "to" : "from", context.name(place));
        r.after = std::string(context.module().name_of(place));
        r.cost = 28;
        out.push_back(std::move(r));
      }
    }
  }
}

}  // namespace

void index_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  switch (context.module()[place].op) {
    case Op::Slice: shift_slice(context, place, out); break;
    case Op::Pad: shift_pad(context, place, out); break;
    case Op::Compare: other_direction(context, place, out); break;
    case Op::DynamicSlice:
    case Op::DynamicUpdateSlice:
      own_block(context, place, out);
      as_siblings(context, place, out);
      break;
    case Op::TopK:
      for (const InstructionId part : context.users(place)) own_origin(context, part, out);
      break;
    default: break;
  }
  own_origin(context, place, out);
}

}  // namespace gg::pinpoint
