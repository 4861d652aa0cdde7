// What the index of a read says of the dimension that it indexes.
#include <algorithm>

#include "models/size/body_sizes.h"

namespace gg {

void state_window(SizeSystem& sizes, SizeVar dim, SizeVar place, std::int64_t reach, SizeOrigin origin) {
  const std::int64_t more = sizes.size(place) - sizes.size(dim);
  if (more == 0) return sizes.equal(dim, place, origin);
  sizes.linear({{{1, dim}, {-1, place}}, more}, origin);
  sizes.at_least(dim, reach);
  sizes.at_least(place, 2);
}

BodySizes::Piece BodySizes::variable(const Atom& atom, std::int64_t coef) const {
  Piece piece{coef, atom.m, kNoSize, atom.level};
  if (is_rank(piece)) {
    if (!frame_.ranks.empty()) piece.var = frame_.ranks[atom.level];
    return piece;
  }
  const std::size_t dim = atom.level - frame_.digits;
  piece.fold = dim >= frame_.result.size();
  if (!piece.fold) {
    piece.var = frame_.result[dim];
    piece.extent = sizes_.size(piece.var);
  } else if (const auto known = folds_.find(atom.level); known != folds_.end()) {
    piece.var = known->second;
  }
  return piece;
}

BodySizes::Interval BodySizes::values_of(const Piece& piece) const {
  const auto bound = bounds_.find(piece.level);
  return bound == bounds_.end() || piece.part != Piece::Part::None ? Interval{0, piece.extent} : bound->second;
}

SizeVar BodySizes::unknown(Piece& piece) {
  if (piece.var != kNoSize || (!piece.fold && piece.whole == kNoSize)) return piece.var;
  piece.var = sizes_.add(piece.extent);
  if (piece.fold) folds_[piece.level] = piece.var;
  else is_part(piece);
  return piece.var;
}

void BodySizes::is_part(const Piece& piece) {
  std::vector<SizeFactor> factors;
  if (piece.part == Piece::Part::Upper) factors.push_back({piece.var, 1});
  const std::int64_t whole = sizes_.size(piece.whole);
  if (piece.part == Piece::Part::Lower) factor_above(piece.level, piece.extent, whole, factors);
  else factor_above(piece.level, 1, whole / piece.extent, factors);
  if (piece.part == Piece::Part::Lower) factors.push_back({piece.var, 1});
  sizes_.factor(piece.whole, factors, frame_.origin);
}

/// What counts a variable from one stride to another: digits of the rank, where they cover it, else a number.
void BodySizes::factor_above(std::uint16_t level, std::int64_t from, std::int64_t to, std::vector<SizeFactor>& factors) const {
  std::vector<SizeFactor> ranks;
  std::int64_t stride = from;
  if (const auto parts = rank_parts_.find(level); parts != rank_parts_.end()) {
    for (const RankPart& part : parts->second) {
      if (part.stride != stride || stride >= to) continue;
      ranks.insert(ranks.begin(), {part.ranks, 1});
      stride *= part.extent;
    }
  }
  if (stride != to) ranks = {{kNoSize, to / from}};
  factors.insert(factors.end(), ranks.begin(), ranks.end());
}

/// The index of an operand's digit of the rank: a variable, or a digit of one, has as many values as ranks.
void BodySizes::rank_index(SizeVar ranks, LinId index) {
  const auto terms = arena_.terms(index);
  if (arena_[index].c0 != 0 || terms.empty() || terms.size() > 2) return;
  const auto inner = [&](const Multiple& term) -> const Atom* {
    const Atom& atom = arena_.atom(term.atom);
    if (atom.kind == AtomKind::Var) return &atom;
    if (atom.kind != AtomKind::Div) return nullptr;
    const auto below = arena_.terms(LinId{atom.arg});
    const bool plain = below.size() == 1 && below[0].coef == 1 && arena_[LinId{atom.arg}].c0 == 0 && arena_.atom(below[0].atom).kind == AtomKind::Var;
    return plain ? &arena_.atom(below[0].atom) : nullptr;
  };
  const auto stride = [&](const Multiple& term) { return arena_.atom(term.atom).kind == AtomKind::Div ? arena_.atom(term.atom).m : 1; };
  const Atom* const of = inner(terms[0]);
  if (of == nullptr || (terms.size() == 2 && (inner(terms[1]) == nullptr || inner(terms[1])->level != of->level))) return;
  const Multiple &low = terms.size() == 2 && stride(terms[1]) < stride(terms[0]) ? terms[1] : terms[0], &high = &low == &terms[0] && terms.size() == 2 ? terms[1] : terms[0];
  if (low.coef != 1) return;
  const Piece piece = variable(*of, 1);
  if (terms.size() == 1 && stride(low) == 1) {
    if (piece.fold) folds_[piece.level] = ranks;
    else if (piece.var != kNoSize && piece.extent == sizes_.size(ranks)) sizes_.equal(piece.var, ranks, frame_.origin);
    return;
  }
  const std::int64_t extent = terms.size() == 2 ? -high.coef : piece.extent / stride(low);
  if (extent != sizes_.size(ranks) || (terms.size() == 2 && stride(high) != stride(low) * extent)) return;
  std::vector<RankPart>& parts = rank_parts_[piece.level];
  parts.push_back({stride(low), extent, ranks});
  std::sort(parts.begin(), parts.end(), [](const RankPart& a, const RankPart& b) { return a.stride < b.stride; });
}

bool BodySizes::is_divided(LinId index) const {
  const auto terms = arena_.terms(index);
  return std::any_of(terms.begin(), terms.end(), [&](const Multiple& t) { return arena_.atom(t.atom).kind == AtomKind::Div; });
}

/// c * (v div m) beside -c / m * v is the part of v below m; alone it is the part above.
bool BodySizes::cut(Form& form, const Multiple& term) {
  const Atom& atom = arena_.atom(term.atom);
  const auto inner = arena_.terms(LinId{atom.arg});
  if (inner.size() != 1 || inner[0].coef != 1 || arena_[LinId{atom.arg}].c0 != 0 || arena_.atom(inner[0].atom).kind != AtomKind::Var) return false;
  Piece whole = variable(arena_.atom(inner[0].atom), 1);
  if (whole.fold || whole.extent % atom.m != 0) return false;
  Piece piece = whole;
  const auto beside = std::find_if(form.pieces.begin(), form.pieces.end(), [&](const Piece& p) { return p.level == whole.level && p.coef * atom.m == -term.coef; });
  const bool below = beside != form.pieces.end();
  piece.coef = below ? beside->coef : term.coef;
  piece.extent = below ? atom.m : whole.extent / atom.m;
  if (below) form.pieces.erase(beside);
  piece.part = below ? Piece::Part::Lower : Piece::Part::Upper;
  piece.whole = whole.var;
  piece.var = kNoSize;
  form.pieces.push_back(piece);
  return true;
}

BodySizes::Form BodySizes::form(LinId index) {
  Form form;
  form.constant = arena_[index].c0;
  std::vector<Multiple> divided;
  for (const Multiple& term : arena_.terms(index)) {
    const Atom& atom = arena_.atom(term.atom);
    switch (atom.kind) {
      case AtomKind::Var: form.pieces.push_back(variable(atom, term.coef)); break;
      case AtomKind::Table:  // of ranks: a number of the rank
        form.known = form.known && atom.lo == 0 && atom.levels <= frame_.digits;
        form.pieces.push_back({term.coef, atom.hi + 1});
        break;
      case AtomKind::Data:
        form.known = form.known && form.data_coef == 0;
        form.data_coef = term.coef;
        form.data = data_kind(atom.arg);
        form.data_expr = atom.arg;
        break;
      case AtomKind::Div: divided.push_back(term); break;
    }
  }
  for (const Multiple& term : divided) form.known = form.known && cut(form, term);
  return form;
}

// From the minor dimension: an index that is a part of a number is taken together with those above it that have the rest.
void BodySizes::read(ExprId id) {
  const auto indices = arena_.indices(id).subspan(frame_.digits);
  const int operand = static_cast<int>(arena_[id].arg);
  rank_parts_.clear();
  for (std::size_t d = 0; d < frame_.ranks.size(); ++d) rank_index(frame_.ranks[d], arena_.indices(id)[d]);
  for (const LinId rank : arena_.indices(id).first(frame_.ranks.empty() ? frame_.digits : 0)) {
    for (const Multiple& term : arena_.terms(rank)) {
      const Atom& atom = arena_.atom(term.atom);
      if (atom.kind != AtomKind::Var) continue;
      const Piece piece = variable(atom, term.coef);
      if (piece.var != kNoSize && !piece.fold) sizes_.factor(piece.var, {{kNoSize, piece.extent}}, frame_.origin);  // as many as ranks
    }
  }
  for (std::size_t d = indices.size(); d > 0;) {
    std::size_t first = --d;
    LinId index = indices[d], sum = index;
    std::int64_t stride = 1;
    for (std::size_t at = d; is_divided(index) && at-- > 0;) {
      stride *= sizes_.size(frame_.dim(operand, at + 1));
      sum = arena_.axpy(stride, indices[at], sum);
      if (is_divided(sum)) continue;
      index = sum;
      first = at;
    }
    Dims dims;
    for (std::size_t k = first; k <= d; ++k) {
      if (sizes_.size(frame_.dim(operand, k)) != 1) dims.push_back(frame_.dim(operand, k));
    }
    dimension(dims, index);
    d = first;
  }
}

void BodySizes::dimension(const Dims& dims, LinId index) {
  const Form f = form(index);
  if (dims.empty()) {  // one element; a variable that has one value here says where it stands
    for (const Piece& piece : f.pieces) {
      const Interval v = values_of(piece);
      if (v.hi == v.lo + 1 && piece.var != kNoSize && !is_rank(piece)) sizes_.span(piece.var, v.lo, v.hi, sizes_.add(1), frame_.origin);
    }
    return;
  }
  if (!f.known) return refuse(dims, f, "an index without a rule for sizes");
  if (f.data_coef != 0) {
    if (!block(dims, f)) refuse(dims, f, "a window at places that data choose");
  } else if (f.pieces.size() <= 1) {
    if (!single(dims, f)) refuse(dims, f, "a slice with a stride");
  } else if ((f.constant != 0 || !digits(dims, f.pieces)) && (dims.size() != 1 || !window(dims[0], f))) {
    refuse(dims, f, "a window with strides or dilation");
  }
}

void BodySizes::refuse(const Dims& dims, const Form& form, const char* reason) {
  for (const SizeVar dim : dims) sizes_.keep(dim, reason, frame_.origin);
  for (const Piece& piece : form.pieces) {
    if (piece.fold) taps_.push_back(piece.level);
    else if (const SizeVar v = piece.whole != kNoSize ? piece.whole : piece.var; v != kNoSize) sizes_.keep(v, reason, frame_.origin);
  }
}

/// One variable, or a place.
bool BodySizes::single(const Dims& dims, const Form& form) {
  if (form.pieces.empty()) {
    if (dims.size() == 1) sizes_.span(dims[0], form.constant, form.constant + 1, sizes_.add(1), frame_.origin);
    return dims.size() == 1;
  }
  Piece piece = form.pieces[0];
  const Interval v = values_of(piece);
  const bool all = v.lo == 0 && v.hi == piece.extent;
  if (piece.part == Piece::Part::Upper) return false;
  if (piece.part == Piece::Part::Lower && piece.whole != kNoSize) {
    if (dims.size() != 1 || form.constant != 0 || piece.coef != 1 || sizes_.size(dims[0]) != piece.extent) return false;
    piece.var = dims[0];
    is_part(piece);
    return true;
  }
  if (dims.size() != 1 || (piece.var == kNoSize && !piece.fold)) return form.constant == 0 && digits(dims, {piece});
  const SizeVar dim = dims[0];
  const std::int64_t n = sizes_.size(dim), from = form.constant + v.lo, to = form.constant + v.hi;
  if (piece.coef == 1 && from == 0 && to == n && all) {
    if (piece.var == kNoSize) folds_[piece.level] = dim;
    else sizes_.equal(dim, piece.var, frame_.origin);
    return true;
  }
  if (piece.coef == 1 && from >= 0 && from < to && to <= n) {
    const bool whole = from == 0 && to == n;
    const SizeVar common = all ? unknown(piece) : whole ? dim
                                                        : sizes_.add(to - from);
    if (!all) sizes_.span(unknown(piece), v.lo, v.hi, common, frame_.origin);
    if (!whole) sizes_.span(dim, from, to, common, frame_.origin);
    return true;
  }
  if (!all) return false;
  const bool reversed = piece.coef == -1 && piece.extent == n && form.constant == n - 1;
  if (reversed) sizes_.equal(dim, unknown(piece), frame_.origin);
  const bool strided = piece.coef > 1 && form.constant >= 0 && form.constant < piece.coef && piece.extent * piece.coef == n;
  if (strided) sizes_.factor(dim, {{unknown(piece), 1}, {kNoSize, piece.coef}}, frame_.origin);
  return reversed || strided;
}

/// Digits of a number: each counts in units of all below it.
bool BodySizes::digits(const Dims& dims, std::vector<Piece> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.coef > b.coef; });
  std::int64_t below = 1, whole = 1;
  for (const SizeVar dim : dims) whole *= sizes_.size(dim);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const Interval v = values_of(*piece);
    if (piece->coef != below || v.lo != 0 || v.hi != piece->extent) return false;
    below *= piece->extent;
  }
  if (below != whole) return false;
  const bool placed = std::any_of(pieces.begin(), pieces.end(), [&](const Piece& p) { return p.var != kNoSize && !p.fold && !is_rank(p) && p.whole == kNoSize; });
  std::vector<SizeFactor> factors, given;
  for (Piece& piece : pieces) {
    factors.push_back(unknown(piece) == kNoSize ? SizeFactor{kNoSize, piece.extent} : SizeFactor{piece.var, 1});
    if (piece.fold && placed) taps_.push_back(piece.level);  // windows side by side
  }
  for (const SizeVar dim : dims) given.push_back({dim, 1});
  if (given.size() == 1) sizes_.factor(dims[0], factors, frame_.origin);
  else if (factors.size() == 1 && factors[0].var != kNoSize) sizes_.factor(factors[0].var, given, frame_.origin);
  else {
    const SizeVar product = sizes_.add(whole);
    sizes_.factor(product, factors, frame_.origin);
    sizes_.factor(product, given, frame_.origin);
  }
  return true;
}

/// place + tap - padding.
bool BodySizes::window(SizeVar dim, const Form& form) {
  if (form.pieces.size() != 2 || form.pieces[0].fold == form.pieces[1].fold) return false;
  const auto& [place, tap] = form.pieces[0].fold ? std::pair(form.pieces[1], form.pieces[0]) : std::pair(form.pieces[0], form.pieces[1]);
  if (place.var == kNoSize || is_rank(place) || place.whole != kNoSize || place.coef != 1 || tap.coef < 1) return false;
  taps_.push_back(tap.level);
  state_window(sizes_, dim, place.var, (tap.extent - 1) * tap.coef + 1, frame_.origin);
  return true;
}

bool BodySizes::block(const Dims& dims, const Form& form) {
  if (dims.size() != 1 || form.constant != 0 || form.pieces.size() > 1) return false;
  const bool replaces = form.data_coef == -1;  // place - start: the operand is the block
  if (form.data_coef != 1 && !replaces) return false;
  if (form.pieces.empty()) {
    if (replaces) return false;
    block_in(dims[0], kNoSize, form);
    return true;
  }
  Piece piece = form.pieces[0];
  if (piece.coef != 1 || is_rank(piece) || piece.whole != kNoSize || unknown(piece) == kNoSize) return false;
  if (replaces) block_in(piece.var, dims[0], form);
  else block_in(dims[0], piece.var, form);
  return true;
}

/// `part` elements somewhere in `whole`; kNoSize: one.
void BodySizes::block_in(SizeVar whole, SizeVar part, const Form& form) {
  const std::int64_t extent = sizes_.size(whole), length = part == kNoSize ? 1 : sizes_.size(part);
  if (form.data) kinds_.attach(*form.data, whole, length == 1 ? kNoSize : part);
  if (form.data && frame_.places != nullptr) frame_.places->push_back(*form.data);
  if (length == extent) return part == kNoSize ? void() : sizes_.equal(whole, part, frame_.origin);  // the place is 0, but may be made of offsets
  if (length == 1) return;
  if (extent % length == 0) {
    std::vector<SizeFactor> factors;
    const Expr start = arena_[ExprId{form.data_expr}];
    if (frame_.blocks && start.kind == ExprKind::Read) {
      for (const SizeVar ranks : frame_.blocks(static_cast<int>(start.arg), length, extent / length)) factors.push_back({ranks, 1});
    }
    if (factors.empty()) factors.push_back({kNoSize, extent / length});
    factors.push_back({part, 1});
    return sizes_.factor(whole, factors, frame_.origin);
  }
  sizes_.keep(whole, "a window that does not divide its dimension", frame_.origin);
  sizes_.keep(part, "a window that does not divide its dimension", frame_.origin);
}

}  // namespace gg
