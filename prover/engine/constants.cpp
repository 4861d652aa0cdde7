// Constant arrays: what is known of them is their elements, whatever shape a program gives them (certificate.md, A).
#include <algorithm>
#include <cmath>
#include <functional>

#include "models/body/elements.h"
#include "prover/engine/import.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxArrayTable = 65536;  ///< integer constants that become tables, and arrays whose dimensions are exchanged
constexpr std::size_t kMaxElements = 4096;     ///< other constants whose elements are known where indices are numbers
constexpr std::size_t kMaxExchanged = 4;       ///< dimensions of these

}  // namespace

std::optional<RatId> Importer::number_read(const Scalar& value) {
  if (const auto it = readings_.find({value.type, value.real}); it != readings_.end())
    return t_.is_lit(it->second) ? std::optional(t_.rat(it->second)) : std::nullopt;
  return std::isfinite(value.real) ? std::optional(t_.q.of_double(value.real)) : std::nullopt;
}

std::optional<RatId> Importer::multiple(ElementType type, const std::vector<Scalar>& values, const Content& content) {
  if (!is_float(type) || !is_float(content.type) || values.size() < 2 || values.size() != content.values.size()) return std::nullopt;
  std::optional<std::pair<RatId, RatId>> first;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto x = number_read(values[k]), y = number_read(content.values[k]);
    if (!x || !y || (*x == RatId::Zero) != (*y == RatId::Zero)) return std::nullopt;
    if (!first && *x != RatId::Zero) first = {*x, *y};
    if (first && t_.q.mul(*x, first->second) != t_.q.mul(*y, first->first)) return std::nullopt;
  }
  return first ? std::optional(t_.q.div(first->first, first->second)) : std::nullopt;
}

std::optional<TermId> Importer::rounded_elements(ElementType to, ElementType from, TermId literal) {
  const auto [times, elements] = t_.content(literal);
  const auto own = std::ranges::find_if(contents_, [&, read = elements](const Content& c) { return t_[read].kind == Kind::Read && c.anchor == t_.anchor_of(read); });
  if (own == contents_.end()) return std::nullopt;
  std::vector<Scalar> values = own->values;
  for (Scalar& s : values) {  // what the text has
    double text = s.real;
    if (own->type != from || times != RatId::One) {
      const auto one = number_read(s);
      const auto number = one ? std::optional(t_.q.mul(times, *one)) : std::nullopt;
      if (!number) return std::nullopt;
      text = t_.q.approximate(*number);
      for (const auto& [read, term] : readings_)
        if (read.first == from && t_.is_lit(term) && t_.rat(term) == *number) text = read.second;
    }
    s = Scalar::of(to, round_to(to, text));
  }
  auto other = std::ranges::find_if(contents_, [&](const Content& c) { return c.type == to && c.values == values; });
  if (other == contents_.end()) other = contents_.insert(other, Content{to, std::move(values)});
  return t_.read(array_anchor(*other), t_.index_of(elements));
}

const Importer::Placed& Importer::placed(ArrayId id) {
  if (const auto it = placed_.find(id.value); it != placed_.end()) return it->second;
  const ConstantArray& array = arena_.array(id);
  std::vector<std::size_t> order = varying_dims(array);
  const auto found_at = [&](std::uint32_t content, RatId times = RatId::One) -> const Placed& {
    Placed result{content, std::vector<std::int64_t>(array.type.dims.size(), 0), times};
    std::int64_t pitch = 1;
    for (std::size_t k = order.size(); k > 0; --k) {
      result.pitch[order[k - 1]] = pitch;
      pitch *= array.type.dims[order[k - 1]];
    }
    return placed_.emplace(id.value, std::move(result)).first->second;
  };
  std::vector<Scalar> plain = elements_in_order(array, order);
  const bool exchanges = order.size() <= kMaxExchanged && plain.size() <= kMaxArrayTable;
  do {
    const std::vector<Scalar> values = elements_in_order(array, order);
    for (std::uint32_t k = 0; k < contents_.size(); ++k)
      if (contents_[k].type == array.type.element && contents_[k].values == values) return found_at(k);
    for (std::uint32_t k = 0; k < contents_.size(); ++k)
      if (const auto times = multiple(array.type.element, values, contents_[k])) return found_at(k, *times);
  } while (exchanges && std::next_permutation(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  contents_.push_back({array.type.element, std::move(plain)});
  return found_at(static_cast<std::uint32_t>(contents_.size() - 1));
}

AnchorId Importer::array_anchor(Content& content) {
  if (content.anchor) return *content.anchor;
  const std::vector<Scalar>& values = content.values;
  Anchor a;
  a.kind = AnchorKind::Array;
  a.extents = {static_cast<std::int64_t>(values.size())};
  a.sort = sort_of(content.type);
  const auto all = [&](const auto& holds) { return std::ranges::all_of(values, [&](const Scalar& s) { return holds(s.real); }); };
  if (a.sort == Sort::Int) {
    const auto [lo, hi] = std::ranges::minmax(values, {}, &Scalar::integer);
    a.lo = lo.integer;
    a.hi = hi.integer;
  } else if (a.sort == Sort::Real && all([](double x) { return std::isfinite(x); })) {
    a.attributes = {true, all([](double x) { return x >= 0; }), all([](double x) { return x > 0; }), all([](double x) { return x != 0; }), true};
  }
  if (values.size() <= kMaxElements)
    for (const Scalar& s : values) a.values.push_back(literal(s));
  content.anchor = t_.add_anchor(std::move(a));
  return *content.anchor;
}

bool Importer::names(ArrayId id, AnchorId anchor) {
  if (arena_.array(id).values.empty()) return false;
  Placed place = placed(id);
  std::erase(place.pitch, 0);
  return place.times == RatId::One && contents_[place.content].anchor == anchor && std::ranges::is_sorted(place.pitch, std::greater{});
}

TermId Importer::constant(ExprId id, Context& c) {
  const ArrayId number{arena_[id].arg};
  std::vector<LinId> index;
  for (const gg::LinId l : arena_.indices(id)) index.push_back(lin(l, c));
  if (arena_.array(number).values.empty()) throw TermLimit("constant without data");
  const Placed& place = placed(number);
  LinId flat = LinId::Zero;
  for (std::size_t k = 0; k < index.size(); ++k) flat = t_.axpy(place.pitch[k], index[k], flat);
  const TermId read = element(contents_[place.content], flat);
  return place.times == RatId::One ? read : t_.scale(place.times, read);
}

TermId Importer::element(Content& content, LinId flat) {
  if (t_.is_num(flat) && t_[flat].c0 >= 0 && t_[flat].c0 < static_cast<std::int64_t>(content.values.size()))
    return literal(content.values[static_cast<std::size_t>(t_[flat].c0)]);
  if (is_integral(content.type) && content.values.size() <= kMaxArrayTable) {
    std::vector<std::int64_t> values;
    for (const Scalar& s : content.values) values.push_back(s.integer);
    const LinId entry = t_.table(std::move(values), flat);
    return content.type == ElementType::Pred ? t_.negate(t_.eq(entry)) : t_.integer(entry);
  }
  // Zero up to some place and one number from there on, or the other way round: a mask.
  const std::vector<Scalar>& values = content.values;
  const auto change = std::ranges::adjacent_find(values, [](const Scalar& a, const Scalar& b) { return !(a == b); });
  const bool once = change != values.end() && std::adjacent_find(change + 1, values.end(), [](const Scalar& a, const Scalar& b) { return !(a == b); }) == values.end();
  if (once) {
    const TermId before = literal(values.front()), after = literal(values.back());
    if ((before == TermId::Zero && t_.is_lit(after)) || (after == TermId::Zero && t_.is_lit(before)))
      return t_.choose(t_.ge(t_.offset(flat, -(change + 1 - values.begin()))), after, before);
  }
  return t_.read(array_anchor(content), std::array{flat});
}

}  // namespace gg::prover
