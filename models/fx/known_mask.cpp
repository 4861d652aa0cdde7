#include "models/fx/known_mask.h"

#include <algorithm>

#include "models/fx/functional.h"
#include "models/fx/indexing.h"
#include "models/fx/known.h"
#include "models/fx/program.h"

namespace gg::fx {
namespace {

using Dims = std::vector<std::int64_t>;
using ByRank = std::vector<std::vector<std::int64_t>>;

/// What a mask takes, line by line: of `lines` lines each has `taken` of its `length` elements. `where`: which these are; `place`: of each element of the
/// line how many stand before it that are taken, at most taken - 1.
struct Lines {
  std::int64_t lines, length, taken;
  ByRank where, place;
};

/// Lines of `length` elements, if all of them have as many that are taken, on every rank.
std::optional<Lines> taken_lines(const ByRank& mask, std::int64_t length) {
  const auto size = static_cast<std::int64_t>(mask.front().size());
  Lines result{length == 0 ? 0 : size / length, length, 0, {}, {}};
  if (result.lines == 0) return std::nullopt;
  result.taken = std::count(mask.front().begin(), mask.front().begin() + length, 1);
  for (const auto& elements : mask) {
    auto& where = result.where.emplace_back();
    auto& place = result.place.emplace_back();
    for (std::int64_t line = 0; line < result.lines; ++line) {
      std::int64_t before = 0;
      for (std::int64_t k = 0; k < length; ++k) {
        place.push_back(std::clamp<std::int64_t>(before, 0, std::max<std::int64_t>(result.taken - 1, 0)));
        if (elements[at(line * length + k)] == 0) continue;
        where.push_back(k);
        ++before;
      }
      if (before != result.taken) return std::nullopt;
    }
  }
  return result;
}

/// A mask over the leading dimensions of x. Lines are those along its last dimension where the rest of x has none and they are of one kind: rows stay rows
/// then, and what is split over them has its own lines; else all of the mask is one line.
struct Masked {
  Dims outer, rest;  ///< dimensions before the lines, dimensions of x behind the mask
  Lines lines;
};

std::optional<Masked> masked_lines(Operation& call, NodeId x, NodeId mask) {
  const Dims &shape = call.e.dims(mask), &dims = call.e.dims(x);
  if (shape.empty() || shape.size() > dims.size() || !std::equal(shape.begin(), shape.end(), dims.begin())) call.refuse("a mask of other dimensions than the tensor");
  const auto known = known_elements(call.e, mask, call.groups.ranks);
  if (!known) return std::nullopt;
  const Dims rest(dims.begin() + static_cast<std::ptrdiff_t>(shape.size()), dims.end());
  if (rest.empty()) {
    if (auto lines = taken_lines(*known, shape.back())) return Masked{Dims(shape.begin(), shape.end() - 1), rest, *lines};
  }
  if (auto lines = taken_lines(*known, call.e.type(mask).count())) return Masked{{}, rest, *lines};
  return std::nullopt;
}

Dims joined(Dims a, std::int64_t middle, const Dims& b) {
  a.push_back(middle);
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Of every line of `x` (dimensions outer, length, rest) the elements at these places.
NodeId along_lines(Operation& call, NodeId x, const Masked& m, std::int64_t count, const ByRank& places) {
  const NodeId index = call.e.known(joined(m.outer, count, {}), places);
  if (m.outer.empty()) return taken(call, x, 0, index);
  return gathered(call, x, static_cast<std::int64_t>(m.outer.size()), index);
}

}  // namespace

std::optional<NodeId> lone_mask(const Operation& call, std::size_t k) {
  const auto given = call.optional_tensors(k);
  if (given.size() != 1 || !given[0] || call.e.element(*given[0]) != ElementType::Pred) return std::nullopt;
  return given[0];
}

std::optional<NodeId> taken_by_mask(Operation& call, NodeId x, NodeId mask) {
  const auto m = masked_lines(call, x, mask);
  if (!m) return std::nullopt;
  Emitter& e = call.e;
  const NodeId lined = e.reshape(x, joined(m->outer, m->lines.length, m->rest));
  const NodeId found = m->lines.taken == 0 ? e.slice(lined, static_cast<std::int64_t>(m->outer.size()), 0, 0) : along_lines(call, lined, *m, m->lines.taken, m->lines.where);
  return e.reshape(found, joined({}, m->lines.lines * m->lines.taken, m->rest));
}

std::optional<NodeId> put_by_mask(Operation& call, NodeId x, NodeId mask, NodeId values, bool add) {
  const auto m = masked_lines(call, x, mask);
  if (!m) return std::nullopt;
  if (m->lines.taken == 0) return x;
  Emitter& e = call.e;
  const Dims dims = e.dims(x);
  const NodeId given = e.expand(values, joined({}, m->lines.lines * m->lines.taken, m->rest));
  const NodeId placed = e.reshape(along_lines(call, e.reshape(given, joined(m->outer, m->lines.taken, m->rest)), *m, m->lines.length, m->lines.place), dims);
  return e.select(e.broadcast(mask, dims, ascending(0, static_cast<std::int64_t>(e.dims(mask).size()))), add ? e.binary(Op::Add, x, placed) : placed, x);
}

std::optional<std::int64_t> taken_by(const Graph& graph, const std::string& mask) try {
  Graph own = graph;
  Argument output;
  output.kind = Argument::Kind::Name;
  output.text = mask;
  own.outputs = {output};
  own = functional(own, {});
  Plan plan;
  plan.outputs = {own.outputs[0].text};
  plan.output_names = {mask};
  const auto known = known_elements(lower_graph(pruned(own, plan.outputs, {}), plan));
  if (!known) return std::nullopt;
  return std::count(known->begin(), known->end(), 1);
} catch (const InputError&) {  // an input, or what has no body: the place of the type that is open tells it
  return std::nullopt;
}

}  // namespace gg::fx
