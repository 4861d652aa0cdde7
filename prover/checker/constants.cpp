// Constant arrays by their elements (docs/certificate.md, A): without the dimensions along which nothing changes, perhaps with
// the others in another order, and of floats as a multiple of others.
#include <algorithm>
#include <cmath>

#include "models/body/elements.h"
#include "prover/checker/choice.h"
#include "prover/checker/limit.h"
#include "prover/checker/number.h"
#include "prover/checker/order.h"
#include "prover/checker/scalar.h"

namespace gg::checker {
namespace {

constexpr std::size_t kMostExchanged = 65536, kMostOrders = 4;

// The elements in this order of dimensions, as an array of one.
ConstantArray listed(const ConstantArray& a, const std::vector<std::size_t>& order) {
  ConstantArray result{a.type, elements_in_order(a, order)};
  result.type.dims = {static_cast<std::int64_t>(result.values.size())};
  return result;
}

std::optional<std::uint32_t> known(const Terms& t, const ConstantArray& elements) {
  const auto it = std::find_if(t.arrays.begin(), t.arrays.end(), [&](const ConstantArray& a) {
    return a.type.element == elements.type.element && a.values == elements.values;
  });
  return it == t.arrays.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(it - t.arrays.begin()));
}

std::optional<Rational> number_read(const Terms& t, const Scalar& s) {
  if (const auto it = t.readings.find({s.type, s.real}); it != t.readings.end()) return number_of(t, it->second);
  return std::isfinite(s.real) ? std::optional(Rational::of(s.real)) : std::nullopt;
}

// What `a` is times `b`, of floats that are numbers.
std::optional<Rational> multiple(const Terms& t, const ConstantArray& a, const ConstantArray& b) {
  if (!is_float(a.type.element) || !is_float(b.type.element) || a.values.size() < 2 || a.values.size() != b.values.size()) return std::nullopt;
  std::optional<std::pair<Rational, Rational>> first;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    const auto x = number_read(t, a.values[k]), y = number_read(t, b.values[k]);
    if (!x || !y || x->is_zero() != y->is_zero()) return std::nullopt;
    if (!first && !x->is_zero()) first = {*x, *y};
    if (first && !(*x * first->second == *y * first->first)) return std::nullopt;
  }
  return first ? std::optional(first->first * first->second.inverse()) : std::nullopt;
}

// Where the elements are those of an array before, or a multiple of them.
std::optional<ArrayPlace> placed(const Terms& t, const ConstantArray& array, const std::vector<std::size_t>& order) {
  const ConstantArray elements = listed(array, order);
  if (const auto number = known(t, elements)) return ArrayPlace{*number, 1, order};
  for (std::uint32_t n = 0; n < t.arrays.size(); ++n)
    if (const auto times = multiple(t, elements, t.arrays[n])) return ArrayPlace{n, *times, order};
  return std::nullopt;
}

}  // namespace

std::uint32_t elements_of(Terms& t, const ConstantArray& array) {
  ConstantArray elements = listed(array, varying_dims(array));
  if (const auto number = known(t, elements)) return *number;
  t.arrays.push_back(std::move(elements));
  return static_cast<std::uint32_t>(t.arrays.size() - 1);
}

Value element_of(Terms& t, const ConstantArray& array, const std::vector<Index>& at) {
  const auto [it, fresh] = t.places.try_emplace(&array);
  ArrayPlace& place = it->second;
  if (fresh) {
    std::vector<std::size_t> order = varying_dims(array);
    std::optional<ArrayPlace> found = placed(t, array, order);
    const bool others = order.size() <= kMostOrders && elements_in_order(array, order).size() <= kMostExchanged;
    while (!found && others && std::next_permutation(order.begin(), order.end())) found = placed(t, array, order);
    place = found ? *found : ArrayPlace{elements_of(t, array), 1, varying_dims(array)};
  }
  Index position = constant(t, 0);
  for (const std::size_t d : place.order) position = axpy(t, sized(array.type.dims[d]), position, at[d]);
  const Value read = element(t, place.elements, position);
  return place.times.is_one() ? read : scaled(t, place.times, read);
}

std::optional<Value> rounded_element(Terms& t, ElementType to, ElementType from, Value v) {
  const auto parts = poly_parts(t, v);
  if (parts.size() != 1) return std::nullopt;
  const ValueNode node = t[from_part(t, {parts[0].monomial, 1})];
  if (node.kind != ValueKind::Element) return std::nullopt;
  ConstantArray array = t.arrays[node.ref];
  const bool itself = array.type.element == from && parts[0].coef.is_one();
  array.type.element = to;
  for (Scalar& s : array.values) {  // what the text has is rounded, whatever it is read as
    std::optional<double> text = itself ? std::optional(s.real) : std::nullopt;
    for (const auto& [read, value] : t.readings) {
      const auto number = number_of(t, value), one = text ? std::nullopt : number_read(t, s);
      if (one && read.first == from && number && *number == *one * parts[0].coef) text = read.second;
    }
    const auto plain = text ? std::nullopt : number_read(t, s);
    if (plain) text = (*plain * parts[0].coef).exact_double();
    if (!text) throw Limit("a literal that is no number of 64 bits");
    s = Scalar::of(to, round_to(to, *text));
  }
  return element(t, elements_of(t, array), node.index[0]);
}

Value element(Terms& t, std::uint32_t array, Index position) {
  const ConstantArray& data = t.arrays[array];
  if (data.values.empty()) return special(t, ValueKind::Unknown);  // nothing to read
  if (const auto at = data.values.size() == 1 ? std::optional<Size>(0) : constant_of(t, position)) {
    const auto last = static_cast<std::int64_t>(data.values.size()) - 1;
    return literal(t, data.values[static_cast<std::size_t>(std::clamp<std::int64_t>(static_cast<std::int64_t>(*at), 0, last))]);
  }
  if (is_integral(data.type.element)) {
    std::vector<Size> entries;
    for (const Scalar& s : data.values) {
      if (!is_signed(data.type.element) && s.integer < 0) throw Limit("u64 literal above 2^63");
      entries.push_back(sized(s.integer));
    }
    const Index entry = table(t, entries, position);
    if (data.type.element == ElementType::Pred) return negate(t, eq(t, entry));
    return from_index(t, entry);
  }
  // A mask: zero before some place and one number from there on, or the number first.
  std::vector<std::size_t> changes;
  for (std::size_t k = 1; k < data.values.size(); ++k)
    if (!(data.values[k] == data.values[k - 1])) changes.push_back(k);
  if (changes.size() == 1) {
    const Value first = literal(t, data.values.front()), last = literal(t, data.values.back());
    const auto a = number_of(t, first), b = number_of(t, last);
    if (a && b && (a->sign() == 0 || b->sign() == 0)) return choose(t, ge(t, offset(t, position, -sized(static_cast<std::int64_t>(changes[0])))), last, first);
  }
  return t.intern(ValueNode{.kind = ValueKind::Element, .ref = array, .index = {position}});
}

}  // namespace gg::checker
