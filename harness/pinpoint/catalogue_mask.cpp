// Repairs that mask what a rank does not own.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr int kMaxBack = 24;
constexpr std::size_t kMaxBeforeBlock = 32;

/// Integer values behind a gather's indices that have one element a lookup.
std::vector<InstructionId> raw_indices(const Context& context, InstructionId indices, std::int64_t lookups) {
  const Module& module = context.module();
  std::vector<InstructionId> found, todo = {indices};
  std::set<InstructionId> seen;
  for (int k = 0; k < kMaxBack && !todo.empty(); ++k) {
    const InstructionId id = todo.front();
    todo.erase(todo.begin());
    if (!seen.insert(id).second || !module.type(id).is_array() || !is_integral(module.type(id).element)) continue;
    const ValueState* state = context.state(id);
    if (state == nullptr || !state->derived) continue;
    if (module.type(id).element != ElementType::Pred && module.type(id).count() == lookups) found.push_back(id);
    const auto operands = module.operands(id);
    todo.insert(todo.end(), operands.begin(), operands.end());
  }
  return found;
}

/// A value that has one element, or one row, a lookup of a gather, and where the lookups lie in it.
struct Looked {
  InstructionId value;
  IntList batch, at;
};

Looked rows_of(const Module& module, InstructionId gather) {
  Looked rows{gather, {}, {}};
  const IntList& offsets = module.attributes(gather).ints(Attr::OffsetDims);
  for (std::int64_t d = 0; d < module.type(gather).rank(); ++d) {
    if (std::find(offsets.begin(), offsets.end(), d) != offsets.end()) continue;
    rows.at.push_back(d);
    rows.batch.push_back(module.type(gather).dims[static_cast<std::size_t>(d)]);
  }
  return rows;
}

/// What is computed from a gather's rows at indices outside the block becomes zero.
void mask_gather(const Context& context, InstructionId gather, const Looked& rows, int cost, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Attributes& attributes = module.attributes(gather);
  const IntList &map = attributes.ints(Attr::StartIndexMap), &batch = rows.batch;
  const Type& type = module.type(rows.value);
  if (map.empty() || !is_float(type.element)) return;
  const std::int64_t lookups = Type::array(type.element, batch).count();
  const std::int64_t extent = module.type(module.operands(gather)[0]).dims[static_cast<std::size_t>(map.back())];
  for (const InstructionId raw : raw_indices(context, module.operands(gather)[1], lookups)) {
    const ElementType element = module.type(raw).element;
    Patch patch;
    Maker maker = context.maker(patch);
    const Ref flat = maker.reshape({raw, false}, batch);
    const Ref inside = maker.both(maker.compare(flat, maker.whole(element, 0, batch), "GE"), maker.compare(flat, maker.whole(element, extent, batch), "LT"));
    const Ref zero = maker.full(Scalar::of(type.element, 0), type.dims);
    patch.reroutes.push_back({rows.value, maker.select(maker.broadcast(inside, type.dims, rows.at), {rows.value, false}, zero), std::nullopt});
    const std::string name = context.name(rows.value), index = context.name(raw);
    out.push_back({.patch = std::move(patch), .place = rows.value, .kind = FindingKind::Missing, .diagnosis = Diagnosis::PaddingCounted, .text = fmt::format("missing mask after {}: indices {} outside the rank's block of {} rows are looked up all the same{}", name, index, extent, context.consumer(rows.value)), .edit = fmt::format("set rows of {} to zero where {} is outside [0,{})", name, index, extent), .after = std::string(module.name_of(rows.value)), .cost = cost});
  }
}

/// The gathers from which a value is computed element by element, or by moves.
std::vector<InstructionId> gathers_behind(const Module& module, InstructionId value) {
  auto found = behind(module, value, kMaxBeforeBlock, [&](InstructionId id) {
    return gg::info(module[id].op).traits == OpTraits::Elementwise || DivergenceTrace::moves(module[id].op);
  });
  found.erase(std::remove_if(found.begin(), found.end(), [&](InstructionId id) { return !is_lookup(module, id); }), found.end());
  return found;
}

/// A sum over ranks adds what each has looked up in its block: the mask may stand after what was made of the rows.
void mask_summed(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const InstructionId value = module.operands(place)[0];
  const Type& type = module.type(value);
  if (!context.is_float_array(value)) return;
  for (const InstructionId gather : gathers_behind(module, value)) {
    Looked rows = rows_of(module, gather);
    if (gather == value) continue;  // told there
    if (type.count() == Type::array(type.element, rows.batch).count()) {
      rows.batch = type.dims;
      rows.at.resize(type.dims.size());
      std::iota(rows.at.begin(), rows.at.end(), 0);
    } else if (type.dims != module.type(gather).dims) {
      continue;
    }
    rows.value = value;
    mask_gather(context, gather, rows, 20, out);
  }
}

/// Rows that are looked up have weights, which may be what the mask is missing on: a row of weight zero counts nowhere.
void mask_weights(const Context& context, InstructionId gather, std::vector<Repair>& out) {
  const Module& module = context.module();
  Looked rows = rows_of(module, gather);
  for (const InstructionId user : context.users(gather)) {
    const auto operands = module.operands(user);
    if (factor_exponent(module[user].op) != 1 || operands[0] == operands[1]) continue;
    const InstructionId weight = behind_moves(module, operands[operands[0] == gather ? 1 : 0]);
    const Type& type = module.type(weight);
    if (!context.is_float_array(weight) || type.count() != Type::array(type.element, rows.batch).count() || has_values(module, weight)) continue;
    rows.value = weight;
    rows.batch = type.dims;
    rows.at.resize(type.dims.size());
    std::iota(rows.at.begin(), rows.at.end(), 0);
    mask_gather(context, gather, rows, 27, out);
  }
}

/// Uneven blocks: elements beyond the global extent become zero (or -infinity before a maximum).
void mask_padding(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Type& type = context.type(place);
  if (!context.is_float_array(place) || is_constant(context.module(), place)) return;
  for (const SplitExtent& u : split_extents(context.pair())) {
    if (u.whole % u.parts == 0) continue;
    const std::string name = fmt::format("{}", fmt::join(u.axes, ", "));
    for (const AxisSet& axes : context.axes()) {
      if (axes.name != name) continue;
      for (std::size_t d = 0; d < type.dims.size(); ++d) {
        if (type.dims[d] != u.local) continue;
        for (const bool lowest : {false, true}) {
          Patch patch;
          Maker maker = context.maker(patch);
          const Ref first = maker.position(axes.groups, ElementType::S32, u.local);
          const Ref place_of = maker.sum(maker.count(ElementType::S32, u.local), maker.broadcast(first, {u.local}, {}));
          const Ref inside = maker.compare(place_of, maker.whole(ElementType::S32, u.whole, {u.local}), "LT");
          const Ref fill = maker.full(Scalar::of(type.element, lowest ? -HUGE_VAL : 0), type.dims);
          patch.reroutes.push_back({place, maker.select(maker.broadcast(inside, type.dims, {static_cast<std::int64_t>(d)}), {place, false}, fill), std::nullopt});
          const std::string where = fmt::format("{} of dimension {} over {}", u.whole, d, axes.name);
          out.push_back({.patch = std::move(patch), .place = place, .kind = FindingKind::Missing, .diagnosis = Diagnosis::PaddingCounted, .text = fmt::format("padding counted: {} is used beyond the {} elements of dimension {} over {}{}", context.name(place), u.whole, d, axes.name, context.consumer(place)), .edit = fmt::format("set {} to {} beyond element {}", context.name(place), lowest ? "-inf" : "0", where), .after = std::string(context.module().name_of(place)), .cost = 30 + (lowest ? 1 : 0)});
        }
      }
    }
  }
}

/// A mask made of positions lets through those below 0, where no element stands: a halo has them on the first rank, to which nobody sends.
void mask_positions(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto choice = module.operands(place);
  if (gg::info(module[place].op).traits != OpTraits::Elementwise || choice.size() != 3 || !context.is_float_array(place)) return;
  const Type& mask = module.type(choice[0]);
  if (mask.element != ElementType::Pred || mask.dims.empty()) return;
  const auto through = [&](InstructionId id) { return module.type(id).element == ElementType::Pred && !is_comparison(module, id); };
  std::set<InstructionId> seen;
  for (const InstructionId test : behind(module, choice[0], kMaxBeforeBlock, through)) {
    if (!is_comparison(module, test)) continue;
    for (const InstructionId position : module.operands(test)) {
      const Type& type = module.type(position);
      const ValueState* state = context.state(position);
      const InstructionId origin = behind_moves(module, position);
      if (!is_signed(type.element) || !is_integral(type.element) || type.dims != mask.dims || state == nullptr || state->derived || has_values(module, origin) || !seen.insert(origin).second) continue;
      Patch patch;
      Maker maker = context.maker(patch);
      const Ref stands = maker.compare({position, false}, maker.whole(type.element, 0, type.dims), "GE");
      Changed change = unchanged(module, place);
      change.operands[0] = maker.both({choice[0], false}, stands);
      patch.changed.push_back(std::move(change));
      const std::string name = context.name(place), at = context.name(position);
      out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::PaddingCounted, .text = fmt::format("the mask of {} lets positions {} below 0 through, where no element stands", name, at), .edit = fmt::format("mask {} where {} is below 0", name, at), .cost = 27});
    }
  }
}

}  // namespace

void mask_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (is_lookup(module, place)) {
    mask_gather(context, place, rows_of(module, place), 29, out);
    mask_weights(context, place, out);
  }
  if (is_all_reduce(module, place) || is_reduce_scatter(module, place)) mask_summed(context, place, out);
  mask_padding(context, place, out);
  mask_positions(context, place, out);
}

}  // namespace gg::pinpoint
