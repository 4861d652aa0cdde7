// Literals as balls (runtime/literals.h).
#include "runtime/literals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <set>

#include "models/base/check.h"
#include "models/ir/kinds.h"
#include "models/op/facts.h"
#include "models/type/closed_form.h"

namespace gg {
namespace {

template <class T>
T number_of(double value, double radius) {
  if constexpr (kIsBall<T>) return BallOps<T>::around(value, radius);
  else return static_cast<T>(value);
}

/// Is an integer below 2^`exponent` meant as it stands? As far as the type has all integers; powers of two, but for those after the largest integers of 32
/// and 64 bits; what no count reaches (-1e30); and masks, negative numbers of two digits that the type holds (-1e9). bf16(256) may have been 257.
bool integer_stands(double value, int exponent, int significand) {
  if (exponent <= significand || exponent > 65 || (exponent > 33 && exponent < 64 && std::ldexp(0.5, exponent) == std::abs(value))) return true;
  double digits = -value;
  while (std::fmod(digits, 10) == 0) digits /= 10;
  return digits > 0 && digits < 100 && significand >= info(ElementType::F32).significand;
}

/// Is a literal, moved or not, converted to a narrower type?
bool rounds_some_literal(const Module& module) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module.operands(id).size() != 1 || !module.type(id).is_array()) continue;
    InstructionId from = module.operands(id)[0];
    if (!module.type(from).is_array() || !rounds_literal(module.type(from).element, module.type(id).element)) continue;
    while (rearranges(module[from].op)) from = module.operands(from)[0];
    if (is_constant(module, from)) return true;
  }
  return false;
}

}  // namespace

double literal_radius(double value, ElementType type) {
  if (!std::isfinite(value)) return 0;
  const ElementInfo& row = info(type);
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent), half = std::ldexp(fraction, row.significand / 2);
  if (value == std::floor(value) ? integer_stands(value, exponent, row.significand) : half == std::floor(half)) return 0;
  const int folded = row.significand < info(ElementType::F32).significand ? 0 : 2;  // several roundings; of bf16 four halves would be a percent
  return std::ldexp(1.0, std::max(exponent - 1, row.low) - row.significand + folded);
}

bool rounds_literal(ElementType from, ElementType to) {
  return is_float(from) && is_float(to) && info(to).significand < info(from).significand;
}

int LiteralReading::walsh(int literal, int draw) {
  return std::popcount(static_cast<unsigned>((1 + literal % kColumns) & (draw - 1))) % 2 == 0 ? 1 : -1;
}

LiteralReading::Number LiteralReading::rounded(double literal, ElementType from, ElementType type) const {
  const double printed = round_to(from, literal);
  const auto form = meant ? closed_form(from, printed) : std::nullopt;
  const double value = form && type == from ? form->value() : round_to(type, form ? form->value() : printed);
  if (!balls) return {value, 0};
  const double radius = literal_radius(value, type);
  const auto at = shared == nullptr ? LiteralSet::const_iterator{} : shared->find({from, printed});
  if (shared == nullptr || at == shared->end()) return {value, radius};
  if (draw == 0) return {value, 0};
  const auto number = static_cast<int>(std::distance(shared->begin(), at));
  return {value + walsh(number, draw) * radius / (2 * (1 + number / kColumns)), 0};
}

namespace {

constexpr std::size_t kTable = 16;  ///< different numbers that nobody wrote one by one
constexpr int kTableBits = 7;

/// Elements of a table that was computed in f32 or f64 (positions, products along a schedule) carry the roundings of what they were computed of: 64 units in the last
/// place of the largest. Zero for few numbers, and where they stand as they are.
template <class Get>
double table_radius(std::size_t count, ElementType type, const LiteralReading& reading, const Get& value) {
  const int significand = info(type).significand;
  if (!reading.balls || count < kTable || significand < info(ElementType::F32).significand) return 0;
  std::set<double> different;
  double largest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double number = value(k);
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    if (different.size() < kTable && reading.of(number, type).radius != 0) different.insert(number);
  }
  return different.size() < kTable ? 0 : std::ldexp(largest, kTableBits - significand);
}

/// Literals of type `from`, value k from `value(k)`, as values of `type`.
template <class Get>
Buffer read_literals(Storage storage, std::int64_t count, ElementType from, ElementType type, const LiteralReading& reading, const Get& value) {
  GG_CHECK(storage != Storage::Int64, "only floats round");
  Buffer out(storage, count);
  with_storage(storage, [&](auto element) {
    using T = decltype(element);
    const auto to = out.as<T>();
    const double table = table_radius(to.size(), type, reading, value);
    for (std::size_t k = 0; k < to.size(); ++k) {
      const auto [middle, radius] = reading.rounded(value(k), from, type);
      to[k] = number_of<T>(middle, radius == 0 ? 0 : std::max(radius, table));
    }
  });
  return out;
}

}  // namespace

Buffer literal_balls(const ConstantArray& array, std::int64_t ranks, Storage storage, const LiteralReading& reading) {
  const std::size_t count = array.values.size();
  const ElementType type = array.type.element;
  return read_literals(storage, static_cast<std::int64_t>(count) * ranks, type, type, reading, [&](std::size_t k) { return array.values[k % count].real; });
}

Buffer rounded_literal(const Buffer& values, ElementType from, ElementType type, const LiteralReading& reading) {
  return read_literals(values.storage(), values.count(), from, type, reading, [&](std::size_t k) { return number_at(values, k); });
}

Buffer literal_radii(const Buffer& values, ElementType from, ElementType type, const LiteralReading& reading) {
  Buffer out(Storage::Double, values.count());
  const auto to = out.as<double>();
  const double table = table_radius(to.size(), type, reading, [&](std::size_t k) { return number_at(values, k); });
  for (std::size_t k = 0; k < to.size(); ++k) {
    const double radius = reading.rounded(number_at(values, k), from, type).radius;
    to[k] = radius == 0 ? 0 : std::max(radius, table);
  }
  return out;
}

LiteralSet literals_of(const Module& module) {
  LiteralSet found;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (!is_constant(module, id) || !module.type(id).is_array() || !is_float(module.type(id).element)) continue;
    for (const Scalar& value : module.attributes(id).literal().values) {
      if (literal_radius(value.real, module.type(id).element) != 0) found.emplace(module.type(id).element, value.real);
    }
  }
  return found;
}

LiteralSet literals_shared(const Module& sequential, const Module& distributed) {
  LiteralSet shared = literals_of(sequential);
  const LiteralSet second = literals_of(distributed);
  std::erase_if(shared, [&](const LiteralSet::value_type& literal) { return !second.contains(literal); });
  return shared;
}

bool all_literals_shared(const Module& sequential, const Module& distributed) {
  return literals_of(sequential) == literals_of(distributed) && !rounds_some_literal(sequential) && !rounds_some_literal(distributed);
}

LiteralReading comparable_literals(const Module& sequential, const Module& distributed) {
  return {.meant = !all_literals_shared(sequential, distributed)};
}

std::optional<double> reach_of_literals(std::size_t count, double gap, const std::function<double(int draw)>& value) {
  const double printed = value(0);
  std::array<double, LiteralReading::kColumns> effects = {};
  for (int draw = 1; draw <= LiteralReading::kDraws; ++draw) {
    const double change = value(draw) - printed;
    if (!(std::abs(change) < gap)) return std::nullopt;
    for (std::size_t c = 0; c < effects.size(); ++c) effects[c] += LiteralReading::walsh(static_cast<int>(c), draw) * change / LiteralReading::kDraws;
  }
  const auto most = static_cast<double>(1 + count / LiteralReading::kColumns);
  double reach = 0;  // half radii, divided in columns of several literals
  for (const double effect : effects) reach += 2 * most * std::abs(effect);
  return reach;
}

}  // namespace gg
