// Repairs of places: offsets of the rank's own block.
#include <fmt/format.h>

#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

/// The operand of an instruction that reads or writes a part from which the places of the part follow, one a dimension; none for others.
std::size_t first_start(const Module& module, InstructionId id) { return is_dynamic_slice(module, id) ? 1 : is_dynamic_update(module, id) ? 2
                                                                                                                                          : 0; }

/// What is read or written of the whole.
const Type& part_of(const Module& module, InstructionId id) { return is_dynamic_slice(module, id) ? module.type(id) : module.type(module.operands(id)[1]); }

/// The start of a dynamic slice as the rank's own block.
void own_block(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const std::size_t first = first_start(module, place);
  const Type &whole = module.type(module.operands(place)[0]), &part = part_of(module, place);
  for (std::size_t d = 0; d < whole.dims.size() && first + d < module.operands(place).size(); ++d) {
    const Type& index = module.type(module.operands(place)[first + d]);
    for (const AxisSet& axes : context.axes()) {
      if (part.dims[d] * axes.size != whole.dims[d] || !index.dims.empty()) continue;
      Patch patch;
      Changed change = unchanged(module, place);
      change.operands[first + d] = context.maker(patch).position(axes.groups, index.element, part.dims[d]);
      patch.changed.push_back(std::move(change));
      out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::OffsetBlock, .text = fmt::format("{} does not take the block of its rank over {} in dimension {}", context.name(place), axes.name, d), .edit = fmt::format("start {} at the rank's own block over {} in dimension {}", context.name(place), axes.name, d), .cost = 24});
    }
  }
}

/// The k largest elements and their indices.
bool picks_largest(const Module& module, InstructionId id) { return module.attributes(id).has(Attr::K); }

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
    if (is_count(module, place) && extent > 1) blocks.insert(extent);
  }
  return {blocks.begin(), blocks.end()};
}

/// Global positions from local ones, and local ones from global ones: +- the rank's own offset.
void own_origin(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Type& type = context.type(place);
  if (!type.is_array() || type.element == ElementType::Pred || !(is_integral(type.element) || (is_float(type.element) && is_count(module, place)))) return;
  if (is_constant(module, place) || DivergenceTrace::moves(module[place].op)) return;
  const bool counts = is_count(module, place) || is_element(module, place);  // numbers in the block, to which the offset is added
  for (const std::int64_t block : blocks_behind(context, place)) {
    for (const AxisSet& axes : context.axes()) {
      if (axes.axes > 1) continue;
      for (const bool add : {counts, !counts}) {
        Patch patch;
        Maker maker = context.maker(patch);
        const Ref offset = is_integral(type.element) ? maker.position(axes.groups, type.element, block) : maker.convert(maker.position(axes.groups, ElementType::S32, block), type.element);
        const Ref wide = type.dims.empty() ? offset : maker.broadcast(offset, type.dims, {}), value = {place, false};
        patch.reroutes.push_back({place, add ? maker.sum(value, wide) : maker.difference(value, wide), std::nullopt});
        out.push_back({.patch = std::move(patch), .place = place, .kind = FindingKind::Missing, .diagnosis = Diagnosis::OffsetBlock, .text = fmt::format("{} lacks the offset of the rank's own block over {} ({} times its coordinate)", context.name(place), axes.name, block), .edit = fmt::format("{} {} times the coordinate over {} {} {}", add ? "add" : "subtract", block, axes.name, add ? "to" : "from", context.name(place)), .after = std::string(module.name_of(place)), .cost = 28});
      }
    }
  }
}

}  // namespace

void index_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (first_start(module, place) != 0) own_block(context, place, out);
  if (picks_largest(module, place)) {
    for (const InstructionId part : context.users(place)) own_origin(context, part, out);
  }
  own_origin(context, place, out);
}

}  // namespace gg::pinpoint
