// Repairs of places: offsets of the rank's own block.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr int kOwnPlaces = 14, kOffset = 28;  ///< costs of an offset that is added
constexpr std::size_t kMostReaders = 32;      ///< instructions between a count and what compares it
constexpr std::size_t kFewReaders = 4;        ///< of a count: each may be the one that wants the offset

/// The operand of an instruction that reads or writes a part from which the places of the part follow, one a dimension; none for others.
std::size_t first_start(const Module& module, InstructionId id) { return is_dynamic_slice(module, id) ? 1 : is_dynamic_update(module, id) ? 2
                                                                                                                                          : 0; }

/// What is read or written of the whole.
const Type& part_of(const Module& module, InstructionId id) { return is_dynamic_update(module, id) ? module.type(module.operands(id)[1]) : module.type(id); }

/// A part along d starts at the rank's own block: the start of a dynamic slice is made so, of a static one a dynamic one.
void start_at_own(const Context& context, InstructionId place, std::size_t d, const AxisSet& axes, Patch& patch) {
  const Module& module = context.module();
  const std::size_t first = first_start(module, place);
  const std::int64_t block = part_of(module, place).dims[d];
  Maker maker = context.maker(patch);
  if (first != 0) {
    Changed change = unchanged(module, place);
    change.operands[first + d] = maker.position(axes.groups, module.type(module.operands(place)[first + d]).element, block);
    patch.changed.push_back(std::move(change));
    return;
  }
  std::vector<Ref> begins;
  for (const SliceDim& s : module.attributes(place).slice()) begins.push_back(begins.size() == d ? maker.position(axes.groups, ElementType::S32, block) : maker.whole(ElementType::S32, s.start));
  patch.reroutes.push_back({place, maker.part({module.operands(place)[0], false}, module.type(place).dims, begins), std::nullopt});
}

/// Is a part one block along d of the value that it is a part of, at a place that can be changed?
bool is_one_block(const Context& context, InstructionId place, std::size_t d, const AxisSet& axes) {
  const Module& module = context.module();
  const std::size_t first = first_start(module, place);
  const std::int64_t all = part_of(module, place).dims[d] * axes.size, whole = module.type(module.operands(place)[0]).dims[d];
  if (first == 0 ? all != whole : all > whole) return false;  // a table may be longer
  if (first == 0) return module.attributes(place).slice()[d].stride == 1;
  return first + d < module.operands(place).size() && module.type(module.operands(place)[first + d]).dims.empty();
}

/// Parts of the same place of other values of the same type: a mask and its weights.
std::vector<InstructionId> sliced_alike(const Context& context, InstructionId place) {
  const Module& module = context.module();
  std::vector<InstructionId> found = {place};
  const auto starts = [&](InstructionId id) {
    const std::size_t first = first_start(module, id);
    return first == 0 ? std::span<const InstructionId>() : module.operands(id).subspan(first);
  };
  for (InstructionId id = 0; id < module.size(); ++id) {
    const bool same = id != place && alike(module, id, place) && module.attributes(id) == module.attributes(place) && module.computation_of(id) == module.computation_of(place);
    if (same && std::ranges::equal(starts(id), starts(place)) && module.type(module.operands(id)[0]) == module.type(module.operands(place)[0])) found.push_back(id);
  }
  return found;
}

/// The part of a value, which is one block of it along a dimension, as the rank's own block: ranks hardly ever take the same one.
void own_block(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const std::vector<InstructionId> all = sliced_alike(context, place);
  for (std::size_t d = 0; d < part_of(context.module(), place).dims.size(); ++d) {
    for (const AxisSet& axes : context.axes()) {
      if (!is_one_block(context, place, d, axes)) continue;
      for (std::size_t count = 1; count <= all.size(); count += std::max<std::size_t>(1, all.size() - 1)) {  // alone, and all of them
        Patch patch;
        for (std::size_t k = 0; k < count; ++k) start_at_own(context, all[k], d, axes, patch);
        const std::string more = count == 1 ? "" : fmt::format("; so do the other {} like it", count - 1), where = fmt::format("over {} in dimension {}", axes.name, d);
        out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::OffsetBlock, .text = fmt::format("{} does not take the block of its rank {}{}", context.name(place), where, more), .edit = fmt::format("start {}{} at the rank's own block {}", context.name(place), count == 1 ? "" : " and those like it", where), .cost = 24 + (count == 1 ? 0 : 1)});
      }
    }
  }
}

constexpr std::int64_t kMostTurns = 8;

/// Blocks of one value that the steps of a ring read, each at a computed place: all of them some blocks further around.
void turned_blocks(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!module.attributes(place).has(Attr::DynamicSliceSizes)) return;
  const Type &part = module.type(place), &whole = module.type(module.operands(place)[0]);
  std::vector<InstructionId> all;
  for (const InstructionId user : context.users(module.operands(place)[0])) {
    if (alike(module, user, place) && module.computation_of(user) == module.computation_of(place)) all.push_back(user);
  }
  for (std::size_t d = 0; d < part.dims.size(); ++d) {
    const std::int64_t blocks = whole.dims[d] / part.dims[d];
    if (blocks < 2 || blocks > kMostTurns || whole.dims[d] % part.dims[d] != 0) continue;
    if (std::any_of(all.begin(), all.end(), [&](InstructionId id) { return has_values(module, module.operands(id)[d + 1]); })) continue;
    for (std::int64_t turn = 1; turn < blocks; ++turn) {
      Patch patch;
      Maker maker = context.maker(patch);
      for (const InstructionId id : all) {
        const InstructionId start = module.operands(id)[d + 1];
        const ElementType element = module.type(start).element;
        Changed change = unchanged(module, id);
        const Ref further = maker.sum({start, false}, maker.whole(element, turn * part.dims[d]));
        change.operands[d + 1] = maker.apply(mutation::kRemainder, {further, maker.whole(element, whole.dims[d])});
        patch.changed.push_back(std::move(change));
      }
      const std::string name = context.name(all.front()), of = context.name(module.operands(place)[0]), more = all.size() == 1 ? "" : fmt::format(", as do the other {} that read it", all.size() - 1);
      out.push_back({.patch = std::move(patch), .place = all.front(), .diagnosis = Diagnosis::OffsetBlock, .text = fmt::format("{} takes a block of {} where that {} further around the {} of dimension {} is right{}", name, of, turn, blocks, d, more), .edit = fmt::format("let {} start {} block{} further around {}{}", name, turn, turn == 1 ? "" : "s", of, more), .cost = 23});
    }
  }
}

/// The k largest elements and their indices.
bool picks_largest(const Module& module, InstructionId id) { return module.attributes(id).has(Attr::K); }

/// The numbers of an array's places, in any type?
bool numbers_places(const Module& module, InstructionId id) {
  while (converts(module[id].op)) id = module.operands(id)[0];
  return is_count(module, id);
}

/// Local extents that an index may count in: of values that are gathered from or compared with.
std::vector<std::int64_t> blocks_behind(const Context& context, InstructionId place) {
  const Module& module = context.module();
  std::set<std::int64_t> blocks;
  for (const InstructionId user : context.users(place)) {
    for (const InstructionId operand : module.operands(user)) {
      const InstructionId origin = moves_one(module, operand) ? module.operands(operand)[0] : operand;
      if (!has_values(module, origin)) continue;
      const auto& values = module.attributes(origin).literal().values;
      if (!values.empty() && values[0].integer > 1 && is_integral(values[0].type)) blocks.insert(values[0].integer);
    }
  }
  if (is_element(module, place) && picks_largest(module, module.operands(place)[0])) {
    blocks.insert(module.type(module.operands(module.operands(place)[0])[0]).dims.back());
  }
  for (const std::int64_t extent : context.type(place).dims) {
    if (numbers_places(module, place) && extent > 1) blocks.insert(extent);
  }
  return {blocks.begin(), blocks.end()};
}

/// Is this the number of a block's own places, along a dimension that inputs are split along, to which nothing of the rank is added where it is compared?
bool counts_own(const Context& context, InstructionId place) {
  const Module& module = context.module();
  if (!is_count(module, place)) return false;
  const std::int64_t extent = context.type(place).dims[static_cast<std::size_t>(module.attributes(place).integer(Attr::IotaDimension))];
  const auto splits = split_extents(context.pair());
  if (std::none_of(splits.begin(), splits.end(), [&](const SplitExtent& s) { return s.local == extent; })) return false;
  const auto of_rank = [&](InstructionId id) { return rank_number(module[id].op, 0, context.pair().relation.layout).has_value(); };
  std::set<InstructionId> seen;
  std::vector<InstructionId> todo = {place};
  bool compared = false;
  for (std::size_t k = 0; k < todo.size() && k < kMostReaders; ++k) {
    for (const InstructionId user : context.users(todo[k])) {
      if (is_comparison(module, user)) {
        compared = true;
        continue;
      }
      const ValueState* state = context.state(user);
      if (state == nullptr || state->derived || !module.type(user).is_array() || !seen.insert(user).second) continue;
      todo.push_back(user);
      for (const InstructionId other : module.operands(user)) {
        const auto made_of = other == todo[k] ? std::vector<InstructionId>{} : behind(module, other, kMostReaders, [](InstructionId) { return true; });
        if (std::any_of(made_of.begin(), made_of.end(), of_rank)) return false;
      }
    }
  }
  return compared;
}

/// Global positions from local ones, and local ones from global ones: +- the rank's own offset.
void own_origin(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Type& type = context.type(place);
  if (!type.is_array() || type.element == ElementType::Pred || !(is_integral(type.element) || is_float(type.element))) return;
  const bool numbers = numbers_places(module, place);
  if (!numbers && (!is_integral(type.element) || is_constant(module, place) || DivergenceTrace::moves(module[place].op))) return;
  const int cost = counts_own(context, place) ? kOwnPlaces : kOffset;
  const bool counts = is_count(module, place) || is_element(module, place);  // numbers in the block, to which the offset is added
  for (const std::int64_t block : blocks_behind(context, place)) {
    for (const AxisSet& axes : context.axes()) {
      if (axes.axes > 1) continue;
      const auto propose = [&](bool add, std::optional<InstructionId> reader) {
        Patch patch;
        Maker maker = context.maker(patch);
        const Ref offset = is_integral(type.element) ? maker.position(axes.groups, type.element, block) : maker.convert(maker.position(axes.groups, ElementType::S32, block), type.element);
        const Ref wide = type.dims.empty() ? offset : maker.broadcast(offset, type.dims, {}), value = {place, false};
        patch.reroutes.push_back({place, add ? maker.sum(value, wide) : maker.difference(value, wide), reader});
        const std::string where = reader ? " where " + context.name(*reader) + " reads it" : "";
        out.push_back({.patch = std::move(patch), .place = place, .kind = FindingKind::Missing, .diagnosis = Diagnosis::OffsetBlock, .text = fmt::format("{} lacks the offset of the rank's own block over {} ({} times its coordinate){}", context.name(place), axes.name, block, where), .edit = fmt::format("{} {} times the coordinate over {} {} {}{}", add ? "add" : "subtract", block, axes.name, add ? "to" : "from", context.name(place), where), .after = std::string(module.name_of(place)), .cost = cost + (reader ? 1 : 0)});
      };
      for (const bool add : {counts, !counts})
        if (is_integral(type.element) || is_count(module, place)) propose(add, std::nullopt);
      const auto& readers = context.users(place);
      if (!numbers || readers.size() < 2 || readers.size() > kFewReaders) continue;
      for (const InstructionId reader : readers) propose(true, reader);  // it is read as something else too
    }
  }
}

/// A count of places that does not start at the rank's own block: what it is added to is another multiple of the rank's coordinate.
void own_start(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Type& type = context.type(place);
  if (!type.is_array() || type.element == ElementType::Pred || term_sign(module[place].op) != 1) return;
  for (std::size_t k = 0; k < 2; ++k) {
    const InstructionId count = behind_moves(module, module.operands(place)[k]), start = behind_moves(module, module.operands(place)[1 - k]);
    const ValueState* state = context.state(start);
    if (!is_count(module, count) || !module.type(start).dims.empty() || has_values(module, start) || state == nullptr || state->derived) continue;
    for (const AxisSet& axes : context.axes()) {
      if (axes.axes > 1) continue;
      const std::int64_t block = module.type(count).dims[static_cast<std::size_t>(module.attributes(count).integer(Attr::IotaDimension))];
      Patch patch;
      Maker maker = context.maker(patch);
      const Ref first = maker.convert(maker.position(axes.groups, ElementType::S32, block), type.element);
      Changed change = unchanged(module, place);
      change.operands[1 - k] = type.dims.empty() ? first : maker.broadcast(first, type.dims, {});
      patch.changed.push_back(std::move(change));
      out.push_back({.patch = std::move(patch), .place = start, .diagnosis = Diagnosis::OffsetBlock, .text = fmt::format("{} is not the first place of the rank's own block over {} ({} times its coordinate)", context.name(start), axes.name, block), .edit = fmt::format("let {} count from {} times the coordinate over {}", context.name(place), block, axes.name), .cost = 24});
    }
  }
}

}  // namespace

std::vector<std::int64_t> extents_at(const Context& context, InstructionId place) {
  constexpr std::size_t kMostBehind = 64;
  const Module& module = context.module();
  std::set<std::int64_t> extents;
  std::vector<InstructionId> todo = {place};
  std::set<InstructionId> seen = {place};
  for (std::size_t k = 0; k < todo.size() && k < kMostBehind; ++k) {
    for (const InstructionId user : context.users(todo[k])) {
      const auto operands = module.operands(user);
      const std::size_t first = first_start(module, user);
      if (first != 0) {
        for (std::size_t d = first; d < operands.size(); ++d) {
          if (operands[d] == todo[k] && d - first < part_of(module, user).dims.size()) extents.insert(part_of(module, user).dims[d - first]);
        }
        continue;
      }
      for (const InstructionId operand : operands) {
        const InstructionId count = behind_moves(module, operand);
        if (term_sign(module[user].op) == 1 && is_count(module, count)) extents.insert(module.type(count).dims[static_cast<std::size_t>(module.attributes(count).integer(Attr::IotaDimension))]);
      }
      const bool goes_on = module.type(user).is_array() && is_integral(module.type(user).element) && module.type(user).element != ElementType::Pred;
      if (goes_on && seen.insert(user).second) todo.push_back(user);
    }
  }
  return {extents.begin(), extents.end()};
}

void index_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (first_start(module, place) != 0 || module.attributes(place).has(Attr::Slice)) own_block(context, place, out);
  turned_blocks(context, place, out);
  if (picks_largest(module, place)) {
    for (const InstructionId part : context.users(place)) own_origin(context, part, out);
  }
  own_origin(context, place, out);
  own_start(context, place, out);
}

}  // namespace gg::pinpoint
