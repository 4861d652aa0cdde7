// Repairs of halos: the edge that a rank's block needs from its neighbour is missing, is that of another value, or is counted twice.
#include <fmt/format.h>

#include <algorithm>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr int kEvident = 8;  ///< cost of an edit for which the rest of the program speaks
constexpr std::size_t kMaxCone = 4000;
constexpr std::size_t kMaxPieces = 6;

/// Which edge of the neighbour's block: of `width` elements along `dim`, from the rank before (its end) or after (its begin).
struct Edge {
  std::size_t dim;
  std::int64_t width;
  bool before;
};

/// `value` sent to the next rank (or the one before); zeros at the ends, or around the ring.
Ref sent(Maker& maker, Ref value, bool next, const AxisSet& axes, bool ring) {
  PairList ways;
  for (const auto& group : axes.groups) {
    const std::size_t n = group.size();
    for (std::size_t k = ring ? 0 : 1; k < n; ++k) {
      const std::int64_t left = group[(k + n - 1) % n], right = group[k];
      ways.emplace_back(next ? left : right, next ? right : left);
    }
  }
  return maker.permute(value, std::move(ways));
}

/// The neighbour's edge of a block.
Ref edge_of(Maker& maker, InstructionId block, const Edge& edge, const AxisSet& axes, bool ring) {
  const std::int64_t extent = maker.type({block, false}).dims[edge.dim], start = edge.before ? extent - edge.width : 0;
  return sent(maker, maker.slice({block, false}, edge.dim, start, start + edge.width), edge.before, axes, ring);
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
    if (is_select(module, id)) id = operands[1];
    else if (moves_one(module, id) || module.attributes(id).has(Attr::Padding)) id = operands[0];
    else return kNone;
  }
}

std::size_t along(const Module& module, InstructionId concatenate) {
  return static_cast<std::size_t>(module.attributes(concatenate).ints(Attr::BroadcastDims).at(0));
}

bool computed(const Context& context, InstructionId id) {
  const ValueState* state = context.state(id);
  return state != nullptr && state->derived;
}

/// What the block was before its end went to make room for the neighbour's edge, or itself.
InstructionId whole_block(const Module& module, InstructionId block, const Edge& edge) {
  const InstructionId whole = module.attributes(block).has(Attr::Slice) ? module.operands(block)[0] : kNone;
  if (whole == kNone) return block;
  const auto& slice = module.attributes(block).slice();
  for (std::size_t d = 0; d < slice.size(); ++d) {
    const std::int64_t left = module.type(whole).dims[d] - module.type(block).dims[d];
    const bool ends = d == edge.dim ? left == edge.width && slice[d].start == (edge.before ? 0 : left) : left == 0;
    if (!ends || slice[d].stride != 1) return block;
  }
  return whole;
}

/// The operand that is the block itself: the longest one that hangs on inputs, if it is the only one of that length.
std::optional<std::size_t> block_of(const Context& context, InstructionId concatenate) {
  const Module& module = context.module();
  const auto operands = module.operands(concatenate);
  const std::size_t d = along(module, concatenate);
  std::optional<std::size_t> best;
  bool alone = false;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (const ValueState* state = context.state(operands[k]); state != nullptr && !state->derived) continue;
    const std::int64_t now = module.type(operands[k]).dims[d], most = best ? module.type(operands[*best]).dims[d] : 0;
    alone = now > most || (alone && now < most);
    if (now > most) best = k;
  }
  return alone ? best : std::nullopt;
}

/// A piece of the rank's own block goes to the neighbour, and that of the other neighbour is taken: a shift inside a shard.
Repair own_piece_sent(const Context& context, InstructionId place, std::size_t k, bool next, const AxisSet& axes, bool ring) {
  const InstructionId piece = context.module().operands(place)[k];
  Patch patch;
  Maker maker = context.maker(patch);
  Changed change = unchanged(context.module(), place);
  change.operands[k] = sent(maker, {piece, false}, next, axes, ring);
  patch.changed.push_back(std::move(change));
  const std::string name = context.name(piece), at = context.name(place);
  return {.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::MissingHalo, .text = fmt::format("{} takes {} of the rank's own block where that of the {} neighbour over {} is right", at, name, next ? "left" : "right", axes.name), .edit = fmt::format("send {} to the {} neighbour over {}{} before {}", name, next ? "next" : "previous", axes.name, ring ? " (around the ring)" : "", at), .cost = kEvident + 1 + (ring ? 2 : 0)};
}

/// One piece of a concatenation becomes the neighbour's edge of the block; with `all`, of every concatenation made like it.
void piece_of_halo(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto operands = module.operands(place);
  const auto at = operands.size() <= kMaxPieces ? block_of(context, place) : std::nullopt;
  if (!at || !context.is_float_array(place)) return;
  const std::size_t d = along(module, place);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (k + 1 != *at && k != *at + 1) continue;
    const InstructionId other = permute_behind(module, operands[k]);
    if (other != kNone && computed_from(module, module.operands(other)[0], operands[*at])) continue;  // its own edge: other rows judge it
    std::vector<InstructionId> alike;
    for (InstructionId id = 0; id < module.size(); ++id) {
      const bool same = module[id].op == module[place].op && module.type(id) == module.type(place) && module.operands(id).size() == operands.size() &&
                        module.operands(id)[k] == operands[k] && block_of(context, id) == at && module.computation_of(id) == module.computation_of(place);
      if (same) alike.push_back(id);
    }
    const bool all = alike.size() > 1 && other == kNone;
    for (const AxisSet& axes : context.axes()) {
      for (const bool ring : {false, true}) {
        if (axes.axes > 1) continue;
        Patch patch;
        Maker maker = context.maker(patch);
        const bool before = k < *at;
        const Edge edge{d, module.type(operands[k]).dims[d], before};
        for (const InstructionId id : all ? alike : std::vector<InstructionId>{place}) {
          Changed change = unchanged(module, id);
          change.operands[k] = edge_of(maker, whole_block(module, module.operands(id)[*at], edge), edge, axes, ring);
          patch.changed.push_back(std::move(change));
        }
        const std::string piece = context.name(operands[k]), block = context.name(whole_block(module, operands[*at], edge)), name = context.name(place);
        std::string text = fmt::format("{} takes {} where the {} neighbour's edge of {} over {} is right", name, piece, before ? "left" : "right", block, axes.name);
        if (other != kNone) text += ": it is the edge of another value, " + context.name(behind_moves(module, module.operands(other)[0]));
        if (all) text += fmt::format("; so do the other {} like it", alike.size() - 1);
        out.push_back({.patch = std::move(patch), .place = place, .diagnosis = other == kNone ? Diagnosis::MissingHalo : Diagnosis::RepeatedHalo, .text = std::move(text), .edit = fmt::format("send the {} of {} to the {} neighbour over {}{} and let {} take it in place of {}", before ? "end" : "begin", block, before ? "next" : "previous", axes.name, ring ? " (around the ring)" : "", name, piece), .cost = kEvident + (ring ? 2 : 0)});
        if (other == kNone && computed(context, operands[k])) out.push_back(own_piece_sent(context, place, k, k < *at, axes, ring));
      }
    }
  }
}

/// Padding of the rank's own block along one dimension becomes the edges of the neighbours' blocks, zeros at the ends.
void padded_block(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const std::vector<PadDim>& padding = module.attributes(place).padding();
  const auto pads = [](const PadDim& p) { return p.low != 0 || p.high != 0 || p.interior != 0; };
  const InstructionId block = module.operands(place)[0];
  if (std::count_if(padding.begin(), padding.end(), pads) != 1 || !context.is_float_array(place) || !computed(context, block)) return;
  const auto d = static_cast<std::size_t>(std::find_if(padding.begin(), padding.end(), pads) - padding.begin());
  const auto [low, high, interior] = padding[d];
  if (interior != 0 || low < 0 || high < 0 || std::max(low, high) > module.type(block).dims[d]) return;
  for (const AxisSet& axes : context.axes()) {
    if (axes.axes > 1) continue;
    Patch patch;
    Maker maker = context.maker(patch);
    std::vector<Ref> parts = {{block, false}};
    if (low > 0) parts.insert(parts.begin(), edge_of(maker, block, {d, low, true}, axes, false));
    if (high > 0) parts.push_back(edge_of(maker, block, {d, high, false}, axes, false));
    patch.reroutes.push_back({place, maker.concatenate(parts, d), std::nullopt});
    out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::MissingHalo, .text = pads_own_block(context, place), .edit = fmt::format("exchange edges of {} with the neighbours over {} and let {} take them in place of its padding", context.name(block), axes.name, context.name(place)), .cost = kEvident + 1});
  }
}

/// What came from the neighbour is added to, or put into, a value that has it already: pairs of operands, the value and what comes in.
void added_twice(const Context& context, InstructionId place, const std::vector<std::pair<std::size_t, std::size_t>>& roles, std::vector<Repair>& out) {
  const Module& module = context.module();
  for (const auto& [whole, more] : roles) {
    const InstructionId value = module.operands(place)[whole], sent = permute_behind(module, module.operands(place)[more]);
    if (!(module.type(value) == module.type(place)) || sent == kNone || !computed_from(module, value, sent)) continue;
    const std::string name = context.name(value), at = context.name(place);
    out.push_back({.patch = rerouting(place, {value, false}), .place = place, .kind = FindingKind::Extra, .diagnosis = Diagnosis::RepeatedHalo, .text = fmt::format("{} adds {} from the neighbour once more: {} has it already", at, context.name(sent), name), .edit = fmt::format("use {} in place of {}", name, at), .cost = kEvident});
  }
}

}  // namespace

std::string pads_own_block(const Context& context, InstructionId place) {
  return fmt::format("{} pads the rank's own block {}: the edges of its neighbours are missing", context.name(place), context.name(context.module().operands(place)[0]));
}

void halo_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (module.attributes(place).has(Attr::Padding)) padded_block(context, place, out);
  if (is_concatenation(module, place)) piece_of_halo(context, place, out);
  if (term_sign(module[place].op) != 0) added_twice(context, place, {{0, 1}, {1, 0}}, out);
  if (is_dynamic_update(module, place)) added_twice(context, place, {{0, 1}}, out);
  if (is_scatter(module, place)) added_twice(context, place, {{0, 2}}, out);
}

}  // namespace gg::pinpoint
