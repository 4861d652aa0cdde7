// Constant arrays by their elements (docs/certificate.md, A): without the dimensions along which nothing changes, and perhaps with
// the others in another order.
#include <algorithm>

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
    place.order = varying_dims(array);
    std::vector<std::size_t> order = place.order;
    const ConstantArray plain = listed(array, order);
    std::optional<std::uint32_t> number = known(t, plain);
    const bool others = order.size() <= kMostOrders && plain.values.size() <= kMostExchanged;
    while (!number && others && std::next_permutation(order.begin(), order.end())) number = known(t, listed(array, order));
    if (number) place.order = order;
    place.elements = number ? *number : elements_of(t, array);
  }
  Index position = constant(t, 0);
  for (const std::size_t d : place.order) position = axpy(t, sized(array.type.dims[d]), position, at[d]);
  return element(t, place.elements, position);
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
