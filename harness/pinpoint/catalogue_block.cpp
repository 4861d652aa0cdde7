// Repairs that mask what a rank does not own, and that compute on the whole of a distributed dimension.
#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "harness/pinpoint/make.h"
#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr int kMaxBack = 24;
constexpr std::size_t kMaxBefore = 32;

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
    Repair r;
    r.place = rows.value;
    r.kind = FindingKind::Missing;
    const Ref flat = reshape(r.patch, {raw, false}, Type::array(element, batch));
    const Ref low = context.spread(r.patch, Scalar::of_int(element, 0), Type::array(element, batch));
    const Ref high = context.spread(r.patch, Scalar::of_int(element, extent), Type::array(element, batch));
    const Ref above = compare(r.patch, flat, low, batch, "GE"), below = compare(r.patch, flat, high, batch, "LT");
    const Ref inside = r.patch.add({Op::And, Type::array(ElementType::Pred, batch), {}, {above, below}, std::nullopt, false});
    const Ref wide = context.broadcast(r.patch, inside, ElementType::Pred, type.dims, rows.at);
    const Ref zero = context.spread(r.patch, Scalar::of(type.element, 0), type);
    const Ref masked = select(r.patch, type, wide, {rows.value, false}, zero);
    r.patch.reroutes.push_back({rows.value, masked, std::nullopt});
    r.diagnosis = Diagnosis::PaddingCounted;
    r.text = fmt::format("missing mask after {}: indices {} outside the rank's block of {} rows are looked up all the same{}",
                         context.name(rows.value), context.name(raw), extent, context.consumer(rows.value));
    r.edit = fmt::format("set rows of {} to zero where {} is outside [0,{})", context.name(rows.value), context.name(raw), extent);
    r.after = std::string(module.name_of(rows.value));
    r.cost = cost;
    out.push_back(std::move(r));
  }
}

/// The gathers from which a value is computed element by element, or by moves.
std::vector<InstructionId> gathers_behind(const Module& module, InstructionId value) {
  auto found = behind(module, value, kMaxBefore, [&](InstructionId id) {
    return gg::info(module[id].op).traits == OpTraits::Elementwise || DivergenceTrace::moves(module[id].op);
  });
  found.erase(std::remove_if(found.begin(), found.end(), [&](InstructionId id) { return module[id].op != Op::Gather; }), found.end());
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

/// Uneven blocks: elements beyond the global extent become zero (or -infinity before a maximum).
void mask_padding(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Type& type = context.type(place);
  if (!context.is_float_array(place) || is_constant(context.module(), place)) return;
  struct Uneven {
    std::int64_t local, global;
    std::vector<std::string> axes;
    auto operator<=>(const Uneven&) const = default;
  };
  std::set<Uneven> uneven;
  const Relation& relation = context.pair().relation;
  const auto leaves = input_leaves(*context.pair().sequential);
  for (std::size_t k = 0; k < relation.input_placements.size() && k < leaves.size(); ++k) {
    const auto& dims = relation.input_placements[k].dims;
    for (std::size_t d = 0; d < dims.size() && d < leaves[k].type.dims.size(); ++d) {
      std::int64_t parts = 1;
      for (const auto& axis : dims[d].axes) {
        for (const MeshAxis& a : relation.mesh.axes) parts *= a.name == axis ? a.size : 1;
      }
      const std::int64_t n = leaves[k].type.dims[d];
      if (parts > 1 && n % parts != 0) uneven.insert({(n + parts - 1) / parts, n, dims[d].axes});
    }
  }
  for (const Uneven& u : uneven) {
    const std::string name = fmt::format("{}", fmt::join(u.axes, ", "));
    for (const AxisSet& axes : context.axes()) {
      if (axes.name != name) continue;
      for (std::size_t d = 0; d < type.dims.size(); ++d) {
        if (type.dims[d] != u.local) continue;
        for (const bool lowest : {false, true}) {
          Repair r;
          r.place = place;
          r.kind = FindingKind::Missing;
          Attributes along;
          along.set(Attr::IotaDimension, std::int64_t{0});
          const IntList row = {u.local};
          const Type counts = Type::array(ElementType::S32, row);
          const Ref iota = r.patch.add({Op::Iota, counts, std::move(along), {}, std::nullopt, false});
          const Ref first = own_begin(context, r.patch, axes, ElementType::S32, u.local);
          const Ref position = sum(r.patch, counts, iota, context.broadcast(r.patch, first, ElementType::S32, row, {}));
          const Ref end = context.spread(r.patch, Scalar::of_int(ElementType::S32, u.global), counts);
          const Ref inside = context.broadcast(r.patch, compare(r.patch, position, end, row, "LT"), ElementType::Pred, type.dims, {static_cast<std::int64_t>(d)});
          const Ref fill = context.spread(r.patch, Scalar::of(type.element, lowest ? -HUGE_VAL : 0), type);
          const Ref masked = select(r.patch, type, inside, {place, false}, fill);
          r.patch.reroutes.push_back({place, masked, std::nullopt});
          r.diagnosis = Diagnosis::PaddingCounted;
          r.text = fmt::format("padding counted: {} is used beyond the {} elements of dimension {} over {}{}", context.name(place), u.global, d, axes.name, context.consumer(place));
          r.edit = fmt::format("set {} to {} beyond element {} of dimension {} over {}", context.name(place), lowest ? "-inf" : "0", u.global, d, axes.name);
          r.after = std::string(context.module().name_of(place));
          r.cost = 30 + (lowest ? 1 : 0);
          out.push_back(std::move(r));
        }
      }
    }
  }
}

Type grown(const Type& type, std::size_t d, std::int64_t n) {
  Type result = Type::array(type.element, type.dims);
  result.dims[d] *= n;
  return result;
}

}  // namespace

void mask_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Op op = context.module()[place].op;
  if (op == Op::Gather) mask_gather(context, place, rows_of(context.module(), place), 29, out);
  if (op == Op::AllReduce || op == Op::ReduceScatter) mask_summed(context, place, out);
  mask_padding(context, place, out);
}

// Operators along a dimension that the ranks hold in blocks: gather the blocks, compute on the whole, take the own block.
void block_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Op op = module[place].op;
  if ((op != Op::ReduceWindow && op != Op::Reverse && op != Op::Sort) || !module.type(place).is_array()) return;
  if (op == Op::Sort && module.operands(place).size() != 1) return;
  const InstructionId operand = module.operands(place)[0];
  const Type& from = module.type(operand);
  const Type& type = module.type(place);
  for (const AxisSet& axes : context.axes()) {
    for (std::size_t d = 0; d < from.dims.size(); ++d) {
      Changed now = unchanged(module, place);
      if (op == Op::ReduceWindow) {
        auto window = now.attributes.window();
        if (window.size() != from.dims.size()) continue;
        WindowDim& w = window[d];  // a prefix (or suffix) over the whole block grows with it
        if (w.size != from.dims[d]) continue;
        const std::int64_t more = from.dims[d] * (axes.size - 1);
        (w.pad_low >= w.pad_high ? w.pad_low : w.pad_high) += more;
        w.size += more;
        now.attributes.set(Attr::Window, window);
      }
      Repair r;
      r.place = place;
      const Ref whole = all_gather(context, r.patch, {operand, false}, grown(from, d, axes.size), axes, d);
      std::vector<Ref> operands = now.operands;
      operands[0] = whole;
      const Ref result = r.patch.add({op, grown(type, d, axes.size), now.attributes, operands, std::nullopt, false});
      const Ref first = own_begin(context, r.patch, axes, ElementType::S32, type.dims[d]);
      const Ref zero = context.spread(r.patch, Scalar::of_int(ElementType::S32, 0), Type::array(ElementType::S32, {}));
      std::vector<Ref> begins(type.dims.size(), zero);
      begins[d] = first;
      const Ref own = part_at(r.patch, result, type, begins);
      r.patch.reroutes.push_back({place, own, std::nullopt});
      r.diagnosis = Diagnosis::LocalStatistic;
      r.text = fmt::format("{} works on the rank's own block of dimension {} only, not on the whole over {}", context.name(place), d, axes.name);
      r.edit = fmt::format("gather {} over {} along dimension {}, compute {} on the whole, take the own block", context.name(operand), axes.name, d, context.name(place));
      r.cost = 31;
      out.push_back(std::move(r));
    }
  }
}

}  // namespace gg::pinpoint
