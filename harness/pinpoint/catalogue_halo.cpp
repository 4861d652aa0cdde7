// Repairs of halos: the edge that a rank's block needs from its neighbour is missing, is that of another value, or is counted twice.
#include <algorithm>

#include <fmt/format.h>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr int kEvident = 8;       ///< cost of an edit for which the rest of the program speaks
constexpr std::size_t kMaxCone = 4000;
constexpr std::size_t kMaxPieces = 6;

/// Which edge of the neighbour's block: of `width` elements along `dim`, from the rank before (its end) or after (its begin).
struct Edge {
  std::size_t dim;
  std::int64_t width;
  bool before;
};

/// `value` sent to the next rank (or the one before); zeros at the ends, or around the ring.
Ref sent(const Context& context, Patch& patch, Ref value, const Type& type, bool next, const AxisSet& axes, bool ring) {
  PairList ways;
  for (const auto& group : axes.groups) {
    const std::size_t n = group.size();
    for (std::size_t k = ring ? 0 : 1; k < n; ++k) {
      const std::int64_t left = group[(k + n - 1) % n], right = group[k];
      ways.emplace_back(next ? left : right, next ? right : left);
    }
  }
  Attributes pairs;
  pairs.set(Attr::SourceTargetPairs, std::move(ways));
  if (context.by_partition()) pairs.set(Attr::HasChannel, true);
  return patch.add({Op::CollectivePermute, type, std::move(pairs), {value}, std::nullopt, context.by_partition()});
}

/// The neighbour's edge of a block.
Ref edge_of(const Context& context, Patch& patch, InstructionId block, const Edge& edge, const AxisSet& axes, bool ring) {
  const Type& whole = context.type(block);
  std::vector<SliceDim> dims;
  for (const std::int64_t extent : whole.dims) dims.push_back({0, extent, 1});
  if (edge.before) dims[edge.dim].start = whole.dims[edge.dim] - edge.width;
  else dims[edge.dim].limit = edge.width;
  Type part = Type::array(whole.element, whole.dims);
  part.dims[edge.dim] = edge.width;
  Attributes slice;
  slice.set(Attr::Slice, dims);
  const Ref own = patch.add({Op::Slice, part, std::move(slice), {{block, false}}, std::nullopt, false});
  return sent(context, patch, own, part, edge.before, axes, ring);
}

/// Is `id` computed from `other`, or the same?
bool computed_from(const Module& module, InstructionId id, InstructionId other) {
  const auto all = behind(module, id, kMaxCone, [](InstructionId) { return true; });
  return std::find(all.begin(), all.end(), other) != all.end();
}

/// The collective-permute behind moves and masks, or kNone.
InstructionId permute_behind(const Module& module, InstructionId id) {
  for (;;) {
    if (is_message(module, id)) return id;
    const auto operands = module.operands(id);
    const bool pad = module[id].op == Op::Pad;
    if (module[id].op == Op::Select && operands.size() == 3) id = operands[1];
    else if (DivergenceTrace::moves(module[id].op) && (operands.size() == 1 || pad)) id = operands[0];
    else return kNone;
  }
}

std::size_t along(const Module& module, InstructionId concatenate) {
  return static_cast<std::size_t>(module.attributes(concatenate).ints(Attr::BroadcastDims).at(0));
}

/// The operand that is the block itself: the longest one, if it is the only one of that length.
std::optional<std::size_t> block_of(const Module& module, InstructionId concatenate) {
  const auto operands = module.operands(concatenate);
  const std::size_t d = along(module, concatenate);
  std::optional<std::size_t> best;
  bool alone = false;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::int64_t now = module.type(operands[k]).dims[d], most = best ? module.type(operands[*best]).dims[d] : 0;
    alone = now > most || (alone && now < most);
    if (now > most) best = k;
  }
  return alone ? best : std::nullopt;
}

bool computed(const Context& context, InstructionId id) {
  const ValueState* state = context.state(id);
  return state != nullptr && state->derived;
}

/// A piece of the rank's own block goes to the neighbour, and that of the other neighbour is taken: a shift inside a shard.
Repair own_piece_sent(const Context& context, InstructionId place, std::size_t k, bool next, const AxisSet& axes, bool ring) {
  const InstructionId piece = context.module().operands(place)[k];
  Repair r;
  r.place = place;
  Changed change = unchanged(context.module(), place);
  change.operands[k] = sent(context, r.patch, {piece, false}, Type::array(context.type(piece).element, context.type(piece).dims), next, axes, ring);
  r.patch.changed.push_back(std::move(change));
  r.diagnosis = Diagnosis::MissingHalo;
  r.text = fmt::format("{} takes {} of the rank's own block where that of the {} neighbour over {} is right", context.name(place), context.name(piece),
                       next ? "left" : "right", axes.name);
  r.edit = fmt::format("send {} to the {} neighbour over {}{} before {}", context.name(piece), next ? "next" : "previous", axes.name,
                       ring ? " (around the ring)" : "", context.name(place));
  r.cost = kEvident + 1 + (ring ? 2 : 0);
  return r;
}

/// One piece of a concatenation becomes the neighbour's edge of the block; with `all`, of every concatenation made like it.
void piece_of_halo(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto operands = module.operands(place);
  const auto at = operands.size() <= kMaxPieces ? block_of(module, place) : std::nullopt;
  if (!at || !context.is_float_array(place)) return;
  const std::size_t d = along(module, place);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (k + 1 != *at && k != *at + 1) continue;
    const InstructionId other = permute_behind(module, operands[k]);
    if (other != kNone && computed_from(module, module.operands(other)[0], operands[*at])) continue;  // its own edge: other rows judge it
    std::vector<InstructionId> alike;
    for (InstructionId id = 0; id < module.size(); ++id) {
      const bool same = module[id].op == Op::Concatenate && module.type(id) == module.type(place) && module.operands(id).size() == operands.size() &&
                        module.operands(id)[k] == operands[k] && block_of(module, id) == at && module.computation_of(id) == module.computation_of(place);
      if (same) alike.push_back(id);
    }
    const bool all = alike.size() > 1 && other == kNone;
    for (const AxisSet& axes : context.axes()) {
      for (const bool ring : {false, true}) {
        if (axes.axes > 1) continue;
        Repair r;
        r.place = place;
        for (const InstructionId id : all ? alike : std::vector<InstructionId>{place}) {
          const Edge edge{d, module.type(operands[k]).dims[d], k < *at};
          Changed change = unchanged(module, id);
          change.operands[k] = edge_of(context, r.patch, module.operands(id)[*at], edge, axes, ring);
          r.patch.changed.push_back(std::move(change));
        }
        r.diagnosis = other == kNone ? Diagnosis::MissingHalo : Diagnosis::RepeatedHalo;
        r.text = fmt::format("{} takes {} where the {} neighbour's edge of {} over {} is right", context.name(place), context.name(operands[k]),
                             k < *at ? "left" : "right", context.name(operands[*at]), axes.name);
        if (other != kNone) r.text += ": it is the edge of another value, " + context.name(behind_moves(module, module.operands(other)[0]));
        if (all) r.text += fmt::format("; so do the other {} like it", alike.size() - 1);
        r.edit = fmt::format("send the {} of {} to the {} neighbour over {}{} and let {} take it in place of {}", k < *at ? "end" : "begin",
                             context.name(operands[*at]), k < *at ? "next" : "previous", axes.name, ring ? " (around the ring)" : "",
                             context.name(place), context.name(operands[k]));
        r.cost = kEvident + (ring ? 2 : 0);
        out.push_back(std::move(r));
        if (other == kNone && computed(context, operands[k])) out.push_back(own_piece_sent(context, place, k, k < *at, axes, ring));
      }
    }
  }
}

/// A window that pads the rank's block reads the neighbours' edges instead.
void window_without_halo(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto& window = module.attributes(place).window();
  const InstructionId block = module.operands(place)[0];
  const Type& type = module.type(block);
  for (std::size_t w = 0; w < window.size(); ++w) {
    const std::size_t d = module[place].op == Op::Convolution ? static_cast<std::size_t>(module.attributes(place).dim_labels().lhs_spatial.at(w)) : w;
    const WindowDim& now = window[w];
    const bool plain = now.stride == 1 && now.base_dilation == 1 && now.pad_low >= 0 && now.pad_high >= 0 && now.pad_low + now.pad_high > 0;
    if (!plain || now.pad_low > type.dims[d] || now.pad_high > type.dims[d]) continue;
    for (const AxisSet& axes : context.axes()) {
      if (axes.axes > 1) continue;
      Repair r;
      r.place = place;
      r.kind = FindingKind::Missing;
      std::vector<Ref> pieces = {{block, false}};
      if (now.pad_low > 0) pieces.insert(pieces.begin(), edge_of(context, r.patch, block, {d, now.pad_low, true}, axes, false));
      if (now.pad_high > 0) pieces.push_back(edge_of(context, r.patch, block, {d, now.pad_high, false}, axes, false));
      Type wide = Type::array(type.element, type.dims);
      wide.dims[d] += now.pad_low + now.pad_high;
      Attributes joined;
      joined.set(Attr::BroadcastDims, IntList{static_cast<std::int64_t>(d)});
      Changed change = unchanged(module, place);
      change.operands[0] = r.patch.add({Op::Concatenate, wide, std::move(joined), pieces, std::nullopt, false});
      std::vector<WindowDim> unpadded = window;
      unpadded[w].pad_low = unpadded[w].pad_high = 0;
      change.attributes.set(Attr::Window, unpadded);
      r.patch.changed.push_back(std::move(change));
      r.diagnosis = Diagnosis::MissingHalo;
      r.text = fmt::format("{} pads the rank's own block of dimension {}: the edges of the neighbours over {} are missing", context.name(place), d, axes.name);
      r.edit = fmt::format("exchange the edges of {} over {} and let {} read them in place of its padding", context.name(block), axes.name, context.name(place));
      r.before = std::string(module.name_of(place));
      r.after = std::string(module.name_of(block));
      r.cost = kEvident + 2;
      out.push_back(std::move(r));
    }
  }
}

/// What came from the neighbour is added to a value that has it already.
void added_twice(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto operands = module.operands(place);
  const Op op = module[place].op;
  for (std::size_t k = 0; k < operands.size() && k < (op == Op::Add ? 2U : 1U); ++k) {
    const std::size_t other = op == Op::Scatter ? 2 : op == Op::DynamicUpdateSlice ? 1 : 1 - k;
    if (other >= operands.size() || !(module.type(operands[k]) == module.type(place))) continue;
    const InstructionId sent = permute_behind(module, operands[other]);
    if (sent == kNone || !computed_from(module, operands[k], sent)) continue;
    Repair r;
    r.place = place;
    r.kind = FindingKind::Extra;
    r.patch.reroutes.push_back({place, {operands[k], false}, std::nullopt});
    r.diagnosis = Diagnosis::RepeatedHalo;
    r.text = fmt::format("{} adds {} from the neighbour once more: {} has it already", context.name(place), context.name(sent), context.name(operands[k]));
    r.edit = fmt::format("use {} in place of {}", context.name(operands[k]), context.name(place));
    r.cost = kEvident;
    out.push_back(std::move(r));
  }
}

}  // namespace

void halo_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  switch (context.module()[place].op) {
    case Op::Concatenate: piece_of_halo(context, place, out); break;
    case Op::Convolution:
    case Op::ReduceWindow: window_without_halo(context, place, out); break;
    case Op::Add:
    case Op::Scatter:
    case Op::DynamicUpdateSlice: added_twice(context, place, out); break;
    default: break;
  }
}

}  // namespace gg::pinpoint
