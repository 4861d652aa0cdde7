// Type rules and bodies of known custom calls; others are opaque and have the type that the text states.
#include "models/op/custom_calls.h"

#include <algorithm>
#include <charconv>

#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

void need_operands(const Call& call, std::size_t count) {
  if (call.operands.size() != count) {
    refuse_operand(call.attributes->text(Attr::CustomCallTarget) + " takes " + std::to_string(count) +
                   " operands, not " + std::to_string(call.operands.size()));
  }
}

/// AwsNeuronRmsNorm(x, w, eps): the dimension over which the mean is taken, backend_config="d".
std::int64_t norm_dimension(const Call& call) {
  const std::string& text = call.attributes->text(Attr::BackendConfig);
  std::int64_t d = -1;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), d);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) {
    refuse_attribute("AwsNeuronRmsNorm: backend_config=\"" + text + "\" must be the number of a dimension");
  }
  need_dimension(call, d, call.operands[0]->rank(), "backend_config of AwsNeuronRmsNorm");
  return d;
}

Type rms_norm_type(const Call& call) {
  need_operands(call, 3);
  const Type& x = array_operand(call, 0);
  const Type& weight = array_operand(call, 1);
  const Type& epsilon = array_operand(call, 2);
  const Type& result = stated_array(call);
  const std::int64_t d = norm_dimension(call);
  if (!is_float(x.element) || !is_float(weight.element) || !is_float(epsilon.element) || epsilon.rank() != 0 ||
      weight.rank() != 1 || weight.dims[0] != x.dims[static_cast<std::size_t>(d)]) {
    refuse_operand("AwsNeuronRmsNorm of " + to_string(x) + ", " + to_string(weight) + " and " + to_string(epsilon) +
                   " over dimension " + std::to_string(d));
  }
  if (!is_float(result.element) || result.dims != x.dims) {
    refuse(DiagCode::TypeMismatch, "AwsNeuronRmsNorm of " + to_string(x) + " does not give " + to_string(result));
  }
  return Type::array(result.element, result.dims);
}

/// y[i] = w[i_d] * x[i] * rsqrt((sum over dimension d of x^2) / n + eps), in f32 (f64 where x has it), then converted.
Body rms_norm_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const std::int64_t d = norm_dimension(call);
  const ElementType element = call.operands[0]->element == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  const auto fn = [&](ScalarFn f, std::initializer_list<ExprId> kids) {
    return arena.fn(f, element, {kids.begin(), kids.size()});
  };
  const std::int64_t n[] = {lift.type.dims[static_cast<std::size_t>(d)]};
  const ExprId other = lift.convert(lift.read(0, with(lift.index, d, lift.fold_var(0, n[0]))), element);
  const ExprId squares = arena.fold(ScalarFn::Add, unit_of(arena, ScalarFn::Add, element), lift.depth(), n,
                                    arena.always(), fn(ScalarFn::Multiply, {other, other}));
  const ExprId count = arena.lit(Scalar::of(element, static_cast<double>(n[0])));
  const ExprId mean = fn(ScalarFn::Divide, {squares, count});
  const ExprId epsilon = lift.convert(lift.scalar(2), element);
  const ExprId scale = fn(ScalarFn::Rsqrt, {fn(ScalarFn::Add, {mean, epsilon})});
  const LinId place = lift.at(d);
  const ExprId weight = lift.convert(lift.read(1, {&place, 1}), element);
  const ExprId normal = fn(ScalarFn::Multiply, {lift.convert(lift.read(0, lift.index), element), scale});
  return lift.finish(lift.convert(fn(ScalarFn::Multiply, {normal, weight}), lift.type.element));
}

/// AwsNeuronTransferWithStaticRing(x) = x.
Type transfer_type(const Call& call) {
  need_operands(call, 1);
  const Type& x = array_operand(call, 0);
  return Type::array(x.element, x.dims);
}

Body transfer_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  return lift.finish(lift.read(0, lift.index));
}

/// Borders of manual regions change extents only; without tiles in the attributes the form is not supported.
Type manual_border_type(const Call& call) {
  need_operands(call, 1);
  const Type& from = array_operand(call, 0);
  const Type& to = stated_array(call);
  const bool enters = call.attributes->text(Attr::CustomCallTarget) == "SPMDFullToShardShape";
  const Type& global = enters ? from : to;
  const Type& local = enters ? to : from;
  const IntList& tiles = call.attributes->ints(Attr::ManualTiles);
  bool fits = from.element == to.element && from.rank() == to.rank();
  for (std::size_t d = 0; fits && d < tiles.size() && call.attributes->has(Attr::ManualTiles); ++d) {
    fits = d < local.dims.size() && local.dims[d] == (global.dims[d] + tiles[d] - 1) / tiles[d];
  }
  if (!fits) {
    refuse(DiagCode::TypeMismatch, call.attributes->text(Attr::CustomCallTarget) + " of " + to_string(from) +
                                       " does not give " + to_string(to));
  }
  return Type::array(to.element, to.dims);
}

/// Tiles and devices of a border, checked against the ranks of the program.
struct Border {
  const IntList& tiles;
  const IntList& devices;
  std::int64_t copies;  ///< ranks that hold the same tile
};

Border border_of(const Lift& lift) {
  const Attributes& attributes = *lift.call.attributes;
  const IntList& tiles = attributes.ints(Attr::ManualTiles);
  const IntList& devices = attributes.ints(Attr::ManualDevices);
  const std::string& target = attributes.text(Attr::CustomCallTarget);
  if (!attributes.has(Attr::ManualTiles)) refuse_form(target + ": manual over some of the mesh axes only is not supported");
  std::int64_t count = 1;
  for (const std::int64_t n : tiles) count *= n;
  const std::int64_t ranks = lift.digits.ranks();
  if (count > 1 && (lift.digits.count() == 0 || static_cast<std::int64_t>(devices.size()) != ranks)) {
    refuse_form(target + " needs a program of " + std::to_string(devices.size()) + " ranks");
  }
  return {tiles, devices, count > 1 ? ranks / count : 1};
}

/// out[rank, i] = x[rank, tile(rank) * block + i]; beyond the end nothing is defined.
Body full_to_shard_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Border border = border_of(lift);
  std::vector<std::int64_t> position(border.devices.size());
  for (std::size_t k = 0; k < border.devices.size(); ++k) {
    position[static_cast<std::size_t>(border.devices[k])] = static_cast<std::int64_t>(k) / border.copies;
  }
  std::vector<LinId> index = lift.index;
  std::vector<GuardId> inside;
  std::int64_t below = 1;
  for (std::size_t d = border.tiles.size(); d-- > 0;) {
    if (border.tiles[d] == 1) continue;
    std::vector<std::int64_t> tile = position;
    for (std::int64_t& t : tile) t = t / below % border.tiles[d];
    below *= border.tiles[d];
    index[d] = arena.axpy(lift.type.dims[d], lift.digits.by_rank(arena, tile), index[d]);
    inside.push_back(arena.lt(index[d], arena.constant(call.operands[0]->dims[d])));
  }
  return lift.finish(arena.select(arena.all(inside), lift.read(0, index), arena.unknown(lift.type.element)));
}

/// out[rank, i] = x[owner, i mod block], owner the rank with that tile among those that stand where `rank` does in the
/// order of copies: where copies differ, the result differs from rank to rank.
Body shard_to_full_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Border border = border_of(lift);
  const std::vector<std::int64_t>& block = call.operands[0]->dims;
  std::vector<LinId> index = lift.index;
  LinId tile = arena.constant(0);
  for (std::size_t d = 0; d < border.tiles.size(); ++d) {
    const LinId at = arena.div(index[d], std::max<std::int64_t>(1, block[d]));
    tile = arena.axpy(border.tiles[d], tile, at);
    if (border.tiles[d] > 1) index[d] = arena.sub(index[d], arena.scale(block[d], at));
  }
  if (border.devices.empty() || border.copies == lift.digits.ranks()) return lift.finish(lift.read(0, index));
  std::vector<std::int64_t> copy(border.devices.size());
  for (std::size_t k = 0; k < copy.size(); ++k) {
    copy[static_cast<std::size_t>(border.devices[k])] = static_cast<std::int64_t>(k) % border.copies;
  }
  const LinId place = arena.axpy(border.copies, tile, lift.digits.by_rank(arena, copy));
  const LinId owner = arena.table(arena.make_table(border.devices), place);
  return lift.finish(lift.read_on(0, lift.digits.digits_of(arena, owner), index));
}

constexpr CustomCall kCustomCalls[] = {
#define CUSTOM_CALL(target, type, body) {target, &type, &body, #type},
#include "models/op/custom_calls.def"
#undef CUSTOM_CALL
};

}  // namespace

std::span<const CustomCall> custom_calls() { return kCustomCalls; }

const CustomCall* find_custom_call(std::string_view target) {
  for (const CustomCall& row : kCustomCalls) {
    if (row.target == target) return &row;
  }
  return nullptr;
}

IntList before_matrix(const Type& type) {
  IntList dims;
  for (std::int64_t d = 0; type.is_array() && d + 2 < type.rank(); ++d) dims.push_back(d);
  return dims;
}

bool is_library_function(std::string_view target) { return target.starts_with("lapack_") && target.ends_with("_ffi"); }

Type custom_call_type(const Call& call) {
  const CustomCall* row = find_custom_call(call.attributes->text(Attr::CustomCallTarget));
  return row != nullptr ? row->type(call) : stated_type(call);
}

Body custom_call_body(Arena& arena, const Call& call, int leaf) {
  const std::string& target = call.attributes->text(Attr::CustomCallTarget);
  const CustomCall* row = find_custom_call(target);
  if (row == nullptr) refuse_form("the custom call " + target + " is opaque");
  return row->body(arena, call, leaf);
}

}  // namespace gg
