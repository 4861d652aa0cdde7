// From placements to bodies: blocks, segments, strides and interleaving as index forms, padding as Unknown.
#include "models/relation/bodies.h"

#include <algorithm>
#include <limits>

#include "models/base/check.h"
#include "models/base/text.h"
#include "models/body/store.h"
#include "models/rank/digits.h"

namespace gg {
namespace {

// One way in which a local index comes from the global tensor: `when` it applies, the global index, and whether that
// lies inside the tensor (else padding).
struct Source {
  GuardId when;
  GuardId inside;
  LinId index;
};

// All sources of one dimension; exactly one applies at each local index.
std::vector<Source> sources_of(const MeshForms& mesh, const DimPlacement& dim, std::int64_t extent, LinId local) {
  Arena& arena = mesh.arena();
  const std::int64_t ranks = mesh.extent(dim.axes);
  const LinId rank = mesh.position(dim.axes);
  if (!dim.segments.empty()) {
    std::vector<Source> sources;
    std::int64_t start = 0;
    std::int64_t local_start = 0;
    for (const std::int64_t segment : dim.segments) {
      const std::int64_t block = ceil_div(segment, ranks);
      const LinId inner = arena.axpy(block, rank, arena.offset(local, -local_start));
      sources.push_back({arena.between(local_start, local, local_start + block),
                         arena.lt(inner, arena.constant(segment)), arena.offset(inner, start)});
      start += segment;
      local_start += block;
    }
    return sources;
  }
  LinId global = local;
  if (dim.stride > 0) {  // block q of this rank is block q * ranks + rank of the tensor
    const LinId block = arena.div(local, dim.stride);
    global = arena.axpy((ranks - 1) * dim.stride, block, local);
    global = arena.axpy(dim.stride, rank, global);
  } else {
    const std::int64_t unit = std::max<std::int64_t>(dim.interleave, 1);
    const std::int64_t length = std::max(extent, dim.pad);
    global = arena.axpy(ceil_div(length, unit * ranks) * unit, rank, local);
  }
  return {{arena.always(), arena.lt(global, arena.constant(extent)), global}};
}

// The sources of every dimension; local index d is the variable at `first_level` + d.
std::vector<std::vector<Source>> all_sources(const MeshForms& mesh, const std::vector<DimPlacement>& dims,
                                             const Type& global, std::span<const LinId> local) {
  std::vector<std::vector<Source>> sources;
  for (std::size_t d = 0; d < global.dims.size(); ++d) {
    sources.push_back(sources_of(mesh, dims.empty() ? DimPlacement{} : dims[d], global.dims[d], local[d]));
  }
  return sources;
}

// A read for every combination of sources, Unknown in the padding.
ExprId read_sources(Arena& arena, const std::vector<std::vector<Source>>& sources, int operand, const Type& global,
                    std::vector<LinId>& index, std::vector<GuardId>& inside, std::size_t dim) {
  if (dim == sources.size()) {
    return arena.select(arena.all(inside), arena.read(operand, global.element, index), arena.unknown(global.element));
  }
  const auto one = [&](const Source& source) {
    index.push_back(source.index);
    inside.push_back(source.inside);
    const ExprId result = read_sources(arena, sources, operand, global, index, inside, dim + 1);
    index.pop_back();
    inside.pop_back();
    return result;
  };
  const auto& choices = sources[dim];
  ExprId result = one(choices.back());
  for (std::size_t k = choices.size() - 1; k-- > 0;) result = arena.select(choices[k].when, one(choices[k]), result);
  return result;
}

// How a partial tensor is put together: `sum` as the relation spells it.
struct Combination {
  std::string_view op;
  ScalarFn monoid;
  double unit;
  bool mean;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Combination kCombinations[] = {{"sum", ScalarFn::Add, 0, false},
                                         {"max", ScalarFn::Max, -kInfinity, false},
                                         {"min", ScalarFn::Min, kInfinity, false},
                                         {"mul", ScalarFn::Multiply, 1, false},
                                         {"avg", ScalarFn::Add, 0, true}};

[[noreturn]] void no_combination(const std::string& op, ElementType type, const LeafPlace& place) {
  throw InputError(DiagCode::UnsupportedForm, place.where,
                   place.text + ": '" + op + "' of partial values of type " + std::string(info(type).name));
}

// The unit of max and min over integers: the least and the largest value.
Scalar extreme(ElementType type, bool least) {
  const int bits = info(type).bits;
  if (type == ElementType::Pred) return Scalar::of_int(type, least ? 0 : 1);
  if (is_signed(type)) {
    const std::int64_t low = bits == 64 ? INT64_MIN : -(std::int64_t{1} << (bits - 1));
    return Scalar::of_int(type, least ? low : -(low + 1));
  }
  if (least) return Scalar::of_int(type, 0);
  return Scalar::of_int(type, bits == 64 ? -1 : (std::int64_t{1} << bits) - 1);
}

ExprId combine(Arena& arena, const std::string& op, int first_level, const std::vector<std::int64_t>& extents,
               ExprId value, ElementType type, const LeafPlace& place) {
  const auto found = std::find_if(std::begin(kCombinations), std::end(kCombinations),
                                  [&](const Combination& candidate) { return candidate.op == op; });
  GG_CHECK(found != std::end(kCombinations), "unchecked partial operation " + op);
  const bool order = found->monoid == ScalarFn::Max || found->monoid == ScalarFn::Min;
  Scalar unit;
  if (is_float(type)) {
    if (order && !has_infinity(type)) no_combination(op, type, place);
    unit = Scalar::of(type, found->unit);
  } else if (is_integral(type) && !found->mean && (order || type != ElementType::Pred)) {
    unit = order ? extreme(type, found->monoid == ScalarFn::Max)
                 : Scalar::of_int(type, static_cast<std::int64_t>(found->unit));
  } else {
    no_combination(op, type, place);
  }
  const ExprId folded = arena.fold(found->monoid, arena.lit(unit), first_level, extents, arena.always(), value);
  if (!found->mean) return folded;
  double count = 1;
  for (const std::int64_t extent : extents) count *= static_cast<double>(extent);
  const ExprId kids[] = {folded, arena.lit(Scalar::of(type, count))};
  return arena.fn(ScalarFn::Divide, type, kids);
}

}  // namespace

MeshForms::MeshForms(Arena& arena, const Mesh& mesh, const RankDigits& digits)
    : arena_(arena), mesh_(mesh), digits_(digits) {
  const auto ranks = static_cast<std::size_t>(mesh.ranks());
  std::int64_t below = mesh.ranks();
  for (const MeshAxis& axis : mesh.axes) {
    below /= axis.size;
    std::vector<std::int64_t> coordinate(ranks);
    for (std::size_t place = 0; place < ranks; ++place) {
      const std::size_t rank = mesh.devices.empty() ? place : static_cast<std::size_t>(mesh.devices[place]);
      coordinate[rank] = static_cast<std::int64_t>(place) / below % axis.size;
    }
    coordinates_.push_back(digits.by_rank(arena, coordinate));
  }
}

std::size_t MeshForms::index(const std::string& axis) const {
  const auto found = mesh_.find(axis);
  GG_CHECK(found.has_value(), "unchecked placement: axis " + axis);
  return *found;
}

LinId MeshForms::position(const std::vector<std::string>& axes) const {
  LinId form = arena_.constant(0);
  for (const std::string& axis : axes) {
    const std::size_t a = index(axis);
    form = arena_.axpy(mesh_.axes[a].size, form, coordinates_[a]);
  }
  return form;
}

std::int64_t MeshForms::extent(const std::vector<std::string>& axes) const {
  std::int64_t product = 1;
  for (const std::string& axis : axes) product *= mesh_.axes[index(axis)].size;
  return product;
}

std::vector<int> MeshForms::digits_of(const std::vector<std::string>& axes, const Location& where) const {
  std::vector<int> result;
  for (const std::string& axis : axes) {
    const auto digits = digits_.axis_digits(mesh_, static_cast<int>(index(axis)));
    if (!digits) {
      throw InputError(
          DiagCode::UnsupportedForm, where,
          "axis '" + axis + "' is no digit of the rank in this device order, so nothing can be partial over it");
    }
    result.insert(result.end(), digits->begin(), digits->end());
  }
  return result;
}

std::int64_t local_extent(const DimPlacement& dim, std::int64_t extent, std::int64_t ranks, const LeafPlace& place) {
  const auto bad = [&](const std::string& problem) {
    throw InputError(DiagCode::BadPlacement, place.where, place.text + ": " + problem);
  };
  if (!dim.segments.empty()) {
    std::int64_t sum = 0;
    std::int64_t local = 0;
    for (const std::int64_t segment : dim.segments) {
      if (segment > extent - sum) bad("the segments are longer than the dimension of " + std::to_string(extent));
      sum += segment;
      local += ceil_div(segment, ranks);
    }
    if (sum != extent) {
      bad("the segments have " + std::to_string(sum) + " elements, the dimension has " + std::to_string(extent));
    }
    return local;
  }
  if (dim.pad > 0 && dim.pad < extent) {
    bad("the padded length " + std::to_string(dim.pad) + " is shorter than the dimension of " + std::to_string(extent));
  }
  if (dim.interleave > 0 && extent % dim.interleave != 0) {
    bad("a dimension of " + std::to_string(extent) + " is no interleaving of " + std::to_string(dim.interleave) +
        " streams");
  }
  const std::int64_t unit = std::max<std::int64_t>({dim.interleave, dim.stride, 1});
  if (unit > kMaxElements || dim.pad > kMaxElements) bad("a length exceeds the supported size");
  return ceil_div(ceil_div(std::max(extent, dim.pad), unit), ranks) * unit;
}

void check_block(const MeshForms& mesh, const std::vector<DimPlacement>& dims, const Type& global, const Type& local,
                 const LeafPlace& place) {
  const auto bad = [&](const std::string& problem) {
    throw InputError(DiagCode::BlockMismatch, place.where, place.text + ": " + problem,
                     {"sequential " + to_string(global) + ", distributed " + to_string(local)});
  };
  if (global.dims.size() != local.dims.size()) {
    bad("the sequential tensor has " + std::to_string(global.dims.size()) + " dimensions, the distributed one " +
        std::to_string(local.dims.size()));
  }
  const bool floats = is_float(global.element) && is_float(local.element);
  const bool integers = is_integral(global.element) && is_integral(local.element);
  if (global.element != local.element && !floats && !integers) bad("the element types differ in kind");
  for (std::size_t d = 0; d < global.dims.size(); ++d) {
    const DimPlacement dim = dims.empty() ? DimPlacement{} : dims[d];
    const std::int64_t ranks = mesh.extent(dim.axes);
    const std::int64_t expected = local_extent(dim, global.dims[d], ranks, place);
    if (expected == local.dims[d]) continue;
    const std::string axes = joined_text(dim.axes);
    bad("dimension " + std::to_string(d) + " of " + std::to_string(global.dims[d]) +
        (axes.empty() ? ", not split," : " split over " + axes + " (" + std::to_string(ranks) + " shards)") +
        " gives " + std::to_string(expected) + " elements a rank, the distributed program has " +
        std::to_string(local.dims[d]));
  }
}

ExprId converted(Arena& arena, ExprId value, ElementType type) {
  if (arena[value].type == type) return value;
  const ExprId kids[] = {value};
  return arena.fn(ScalarFn::Convert, type, kids);
}

std::vector<LinId> index_variables(Arena& arena, int first, std::span<const std::int64_t> extents) {
  std::vector<LinId> result;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    result.push_back(extents[d] <= 1 ? arena.constant(0) : arena.var(first + static_cast<int>(d), extents[d]));
  }
  return result;
}

Body shard_body(const MeshForms& mesh, const std::vector<DimPlacement>& dims, int free, std::span<const LinId> leading,
                const Type& global, const Type& local) {
  Arena& arena = mesh.arena();
  const auto variables = index_variables(arena, mesh.digits().count(), local.dims);
  const auto sources = all_sources(mesh, dims, global, variables);
  std::vector<LinId> index(leading.begin(), leading.end());
  std::vector<GuardId> inside;
  const ExprId value = read_sources(arena, sources, free, global, index, inside, 0);
  return {local.element, lifted_extents(mesh.digits(), local.dims), converted(arena, value, local.element)};
}

Body fold_body(Arena& arena, const std::string& op, int free, const std::vector<std::int64_t>& leading,
               const Type& global, const LeafPlace& place) {
  std::vector<LinId> index = index_variables(arena, global.rank(), leading);
  const auto inner = index_variables(arena, 0, global.dims);
  index.insert(index.end(), inner.begin(), inner.end());
  const ExprId value = arena.read(free, global.element, index);
  return {global.element, global.dims, combine(arena, op, global.rank(), leading, value, global.element, place)};
}

Body plain_body(Arena& arena, int free, const Type& type) {
  return {type.element, type.dims, arena.read(free, type.element, index_variables(arena, 0, type.dims))};
}

OutputClaim tiled_claim(const MeshForms& mesh, const Placement& placement, int leaf, const Type& global,
                        const Type& local, const LeafPlace& place) {
  Arena& arena = mesh.arena();
  const int digits = mesh.digits().count();
  OutputClaim claim;
  claim.extents = lifted_extents(mesh.digits(), local.dims);
  const auto variables = index_variables(arena, digits, local.dims);
  const auto sources = all_sources(mesh, placement.dims, global, variables);
  std::vector<GuardId> compared;
  for (const auto& choices : sources) {
    std::vector<GuardId> any;
    bool whole = true;
    for (const Source& source : choices) {
      const GuardId both[] = {source.when, source.inside};
      any.push_back(arena.all(both));
      whole = whole && source.inside == arena.always();
    }
    compared.push_back(whole ? arena.always() : arena.any(any));
  }
  claim.compared = arena.all(compared);
  std::vector<LinId> index;
  std::vector<GuardId> inside;
  claim.sequential = read_sources(arena, sources, leaf, global, index, inside, 0);

  std::vector<LinId> read_index = mesh.digits().variables(arena);
  std::vector<std::int64_t> extents;
  int level = digits + local.rank();
  for (const int digit : mesh.digits_of(placement.partial_axes, place.where)) {
    extents.push_back(mesh.digits().digits()[static_cast<std::size_t>(digit)].extent);
    read_index[static_cast<std::size_t>(digit)] = arena.var(level++, extents.back());
  }
  read_index.insert(read_index.end(), variables.begin(), variables.end());
  claim.distributed = arena.read(leaf, local.element, read_index);
  if (placement.kind == Placement::Kind::Partial) {
    claim.distributed =
        combine(arena, placement.partial_op, digits + local.rank(), extents, claim.distributed, local.element, place);
  }
  return claim;
}

}  // namespace gg
