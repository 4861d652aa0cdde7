#include "prover/engine/piecewise.h"

#include <algorithm>
#include <bit>

#include "prover/engine/cases.h"
#include "prover/term/text.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMostPieces = 64;      ///< that are joined one by one
constexpr std::uint32_t kMaxDefined = 2000;  ///< size of a definition

/// Can a certificate state it?
bool has_text(const Terms& t, TermId id) {
  try {
    TermText(t, [](TermId) { return std::string("r"); }).term(id);
    return true;
  } catch (const TermLimit&) {
    return false;
  }
}

}  // namespace

Piecewise::Piecewise(Engine& engine)
    : e_(engine), t_(engine.t_), pieces_(find_pieces(*engine.sequential_.bodies, engine.sequential_.flat)), over_(engine.sequential_) {}

/// A conclusion that is the same for all pieces, over the number of the piece and the dimensions.
TermId Piecewise::with_number(FlatValue v, TermId conclusion) {
  const std::vector<std::int64_t>& dims = over_.module->type(over_.flat.nodes[v.node].instruction).leaves()[v.leaf]->dims;
  Terms::Map map;
  for (std::size_t d = 0; d < dims.size(); ++d) map.set(static_cast<VarId>(d), t_.var(static_cast<VarId>(d + 1), dims[d]));
  return t_.substitute(conclusion, map);
}

std::optional<TermId> Piecewise::form_of(FlatValue v) {
  const Piece& p = pieces_[v.node];
  const bool same = p.family == Piece::kNone || alike_.count({p.family, v.leaf}) != 0;
  if (same) return with_number(v, e_.sequential_.at(v));
  const auto it = forms_.find({p.family, v.leaf});
  return it == forms_.end() || it->second == TermId::Unknown ? std::nullopt : std::optional(it->second);
}

/// A value of `count` pieces as an anchor, or nothing if no line can state it.
std::optional<TermId> Piecewise::define(std::uint32_t node, std::uint32_t leaf, std::int64_t count, TermId definition) {
  if ((t_[definition].flags & kHasUnknown) != 0 || t_[definition].size > kMaxDefined || !has_text(t_, definition)) return std::nullopt;
  if (t_[definition].sort == Sort::Int) {
    const auto [lo, hi] = t_.int_range(t_[definition].kind == Kind::Case ? t_.expand_all(definition, 1) : definition);
    const auto [least, most] = Terms::integer_bounds(over_.module->type(over_.flat.nodes[node].instruction).leaves()[leaf]->element);
    if (lo < least || hi > most) return std::nullopt;
  }
  if (const auto known = e_.match_whole(definition, 1); known && e_.trivial(known->after)) return known->after;
  over_.times = {count};
  const TermId value = e_.new_anchor(over_, node, leaf, definition);
  const auto anchor = static_cast<AnchorId>(t_.anchors() - 1);
  e_.places_[anchor].pieces = count;
  definitions_[anchor] = definition;
  return value;
}

/// A slice with the number of the piece as a variable, of a value that is the same for all pieces.
TermId Piecewise::slice(std::uint32_t node, TermId whole) {
  const Piece& p = pieces_[node];
  const std::vector<SliceDim>& from = over_.module->attributes(over_.flat.nodes[node].instruction).slice();
  const std::vector<std::int64_t> all = e_.extents_of(over_, node, 0).all;
  const LinId number = t_.var(0, p.count);
  Terms::Map map;
  for (std::size_t d = 0; d < from.size(); ++d) {
    const auto v = static_cast<VarId>(d + 1);
    const LinId first = t_.offset(t_.scale(p.step[d], number), from[d].start - p.piece * p.step[d]);
    map.set(v, t_.axpy(from[d].stride, t_.var(v, all[v]), first));
  }
  return t_.substitute(whole, map);
}

/// The body of a piece with its number as a variable.
TermId Piecewise::form(std::uint32_t node, std::uint32_t leaf) {
  const Piece& p = pieces_[node];
  const auto [it, fresh] = forms_.try_emplace({p.family, leaf}, TermId::Unknown);
  if (!fresh) return it->second;
  const auto operands = over_.flat.operands(over_.flat.nodes[node]);
  for (const FlatValue v : operands) {
    const auto operand = form_of(v);
    if (!operand) return TermId::Unknown;
    over_.at(v) = *operand;
  }
  over_.times = {p.count};
  const TermId whole = p.step.empty() ? e_.body_of(over_, node, leaf) : slice(node, over_.at(operands[0]));
  if ((t_[whole].free & bit(0)) == 0) alike_.emplace(p.family, leaf);
  else if (e_.trivial(whole)) it->second = whole;
  else it->second = define(node, leaf, p.count, whole).value_or(TermId::Unknown);
  return it->second;
}

bool Piecewise::conclude_as(Engine::Side& side, std::uint32_t node, std::uint32_t leaf, TermId t, std::vector<Step> steps) {
  e_.conclude_as(side, node, leaf, t, std::move(steps));
  return true;
}

/// A piece of a value over the number and the dimensions, and the marks that open it.
Step Piecewise::piece(TermId whole, std::int64_t number, std::span<const std::int64_t> dims) {
  Terms::Map map;
  map.set(0, t_.num(number));
  for (std::size_t d = 0; d < dims.size(); ++d) map.set(static_cast<VarId>(d + 1), t_.var(static_cast<VarId>(d), dims[d]));
  Step step{t_.substitute(whole, map), {}, 0};
  for (const TermId read : t_.reads_in(step.after))
    if (definitions_.count(t_.anchor_of(read)) != 0) step.marks.emplace_back(read, 1);
  return step;
}

/// A piece by the value that it is a piece of.
bool Piecewise::name(Engine::Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const TermId whole = form(node, leaf);
  if (whole == TermId::Unknown || e_.trivial(t)) return false;
  Step step = piece(whole, pieces_[node].piece, e_.extents_of(side, node, leaf).all);
  return t_.expand_marked(step.after, step.marks) == t && conclude_as(side, node, leaf, t, {std::move(step)});
}

bool Piecewise::conclude(Engine::Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  if (side.frame != 0) return false;
  if (pieces_[node].family != Piece::kNone) return name(side, node, leaf, t);
  if (some_combined(t)) return conclude_as(side, node, leaf, t, {});
  const std::vector<std::int64_t> dims = e_.extents_of(side, node, leaf).all;
  std::vector<Step> steps = joined(dims, t);
  if (steps.empty()) {
    if (auto step = concatenated(node, dims, t)) steps.push_back(*std::move(step));
  }
  if (steps.empty()) return false;
  if (e_.trivial(steps.back().after)) return conclude_as(side, node, leaf, t, std::move(steps));
  const TermId all = steps.back().after;
  if (auto known = e_.match_whole(all, 1)) {
    steps.push_back(*std::move(known));
    return conclude_as(side, node, leaf, t, std::move(steps));
  }
  const auto value = define(node, leaf, 1, with_number({node, leaf}, all));
  if (!value) return false;
  steps.push_back(piece(*value, 0, dims));
  return conclude_as(side, node, leaf, t, std::move(steps));
}

/// How many pieces the value has that is read at the number of one; no more than 1: it has none.
std::int64_t Piecewise::pieces_of(TermId read) const {
  const auto it = e_.places_.find(t_.anchor_of(read));
  return it == e_.places_.end() ? 0 : it->second.pieces;
}

/// The one number of all pieces that a term reads.
std::optional<std::int64_t> Piecewise::number_of(TermId t) {
  std::optional<std::int64_t> number;
  bool one = true;
  t_.replace_reads(
      t, [&](TermId read, TermId) -> std::optional<TermId> {
        if (pieces_of(read) <= 1) return std::nullopt;
        const LinId at = t_.substitute(e_.places_.at(t_.anchor_of(read)).index[0], Terms::Map(0, t_.index_of(read)));
        one = one && t_.is_num(at) && (!number || *number == t_[at].c0);
        number = t_[at].c0;
        return std::nullopt;
      },
      true);
  return one ? number : std::nullopt;
}

/// How many pieces there are of what a term reads; 0: of several numbers, or none.
std::int64_t Piecewise::count_in(TermId t) {
  std::int64_t count = 0;
  t_.replace_reads(
      t, [&](TermId read, TermId) -> std::optional<TermId> {
        const std::int64_t here = pieces_of(read);
        if (here > 1) count = count == 0 || count == here ? here : -1;
        return std::nullopt;
      },
      true);
  return std::max<std::int64_t>(count, 0);
}

/// The same of another piece: every piece that it reads has this number.
TermId Piecewise::at_number(TermId t, LinId number) {
  return t_.replace_reads(
      t, [&](TermId read, TermId) -> std::optional<TermId> {
        const AnchorId anchor = t_.anchor_of(read);
        if (pieces_of(read) <= 1) return std::nullopt;
        // The parameters of the number come first.
        const VarSet own = t_[e_.places_.at(anchor).index[0]].free;
        std::vector<LinId> index = t_.index_of(read);
        for (std::size_t k = 0; k < index.size(); ++k) {
          if ((own & bit(static_cast<VarId>(k))) == 0) continue;
          if (own != bit(static_cast<VarId>(k))) return std::nullopt;
          index[k] = number;
        }
        return t_.read(anchor, index);
      },
      true);
}

/// The operands of a concatenation, if they are pieces of one value: this value at the number of the piece in which a place lies.
std::optional<Step> Piecewise::concatenated(std::uint32_t node, std::span<const std::int64_t> dims, TermId t) {
  const auto operands = over_.flat.operands(over_.flat.nodes[node]);
  const IntList& along = over_.module->attributes(over_.flat.nodes[node].instruction).ints(Attr::BroadcastDims);
  if (operands.size() < 2 || along.size() != 1) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const FlatValue v : operands) {
    const Piece& p = pieces_[v.node];
    if (p.family == Piece::kNone || p.family != pieces_[operands[0].node].family || v.leaf != operands[0].leaf) return std::nullopt;
    numbers.push_back(p.piece);
  }
  const auto whole = form_of(operands[0]);
  const auto v = static_cast<VarId>(along[0]);
  const auto count = static_cast<std::int64_t>(numbers.size());
  if (!whole || v >= dims.size() || dims[v] < count || dims[v] % count != 0) return std::nullopt;
  const std::int64_t block = dims[v] / count;
  const LinId variable = t_.var(v, dims[v]);
  Terms::Map map;
  map.set(0, t_.refit(t_.table(numbers, t_.div(variable, block))));
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const LinId at = t_.var(static_cast<VarId>(d), dims[d]);
    map.set(static_cast<VarId>(d + 1), d == v ? t_.mod(at, block) : at);
  }
  return block_by_block(t_.substitute(*whole, map), t, v, dims[v], block);
}

/// The step from a term to what it is in each block of a variable.
std::optional<Step> Piecewise::block_by_block(TermId whole, TermId t, VarId v, std::int64_t extent, std::int64_t block) {
  std::vector<std::int64_t> starts;
  for (std::int64_t at = 0; at < extent; at += block) {
    Terms::Map map;
    map.set(v, t_.offset(t_.var(v, block), at));
    if (t_.substitute(whole, map) != t_.substitute(t, map)) return std::nullopt;
    starts.push_back(at);
  }
  return Step{whole, {}, 0, {v}, {std::move(starts)}};
}

/// One piece after the other along a dimension.
std::optional<Step> Piecewise::side_by_side(std::span<const std::int64_t> extents, TermId t) {
  const TermId shape = t_.content(t).second;
  const std::int64_t count = t_[shape].kind == Kind::Case ? count_in(t) : 0;
  if (count < 2 || count > static_cast<std::int64_t>(kMostPieces) || !t_.index_guard(t_.kid(shape, 0))) return std::nullopt;
  const VarSet free = t_[t_.kid(shape, 0)].free;
  const auto v = static_cast<VarId>(std::countr_zero(free));
  if (v >= extents.size() || free != bit(v) || extents[v] < count || extents[v] % count != 0) return std::nullopt;
  const std::int64_t block = extents[v] / count;
  std::optional<TermId> first;
  std::vector<std::int64_t> numbers;
  for (std::int64_t k = 0; k < count; ++k) {
    Terms::Map map;
    map.set(v, t_.offset(t_.var(v, block), k * block));
    const TermId there = t_.substitute(t, map);
    const auto number = number_of(there);
    if (!number) return std::nullopt;
    if (!first) first = there;
    numbers.push_back(*number);
  }
  const LinId variable = t_.var(v, extents[v]);
  Terms::Map inside;
  inside.set(v, t_.mod(variable, block));
  const TermId whole = at_number(t_.substitute(*first, inside), t_.refit(t_.table(numbers, t_.div(variable, block))));
  return block_by_block(whole, t, v, extents[v], block);
}

/// Are some of the pieces combined, and others still to come?
bool Piecewise::some_combined(TermId t) {
  const auto all = combination(t_, t);
  const auto named = [&](TermId part) { return e_.trivial(part) && number_of(part); };
  return all && static_cast<std::int64_t>(all->parts.size()) < count_in(t) && std::all_of(all->parts.begin(), all->parts.end(), named);
}

std::vector<Step> Piecewise::joined(std::span<const std::int64_t> extents, TermId t) {
  if (auto step = side_by_side(extents, t)) return {*std::move(step)};
  const auto parts = combination(t_, t);
  const auto all = parts && static_cast<std::int64_t>(parts->parts.size()) == count_in(t) ? as_fold(t_, t) : std::nullopt;
  return all ? std::vector<Step>{Step{*all, {}, 0}} : std::vector<Step>();
}

}  // namespace gg::prover
