#include "tests/gpu/device_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/device/elements.h"
#include "models/op/examples.h"
#include "tests/unit/reference.h"

namespace gg::device {
namespace {

constexpr std::array kTypes = {ElementType::Pred, ElementType::S8, ElementType::S16, ElementType::S32, ElementType::S64,
                               ElementType::U8, ElementType::U16, ElementType::U32, ElementType::U64, ElementType::BF16,
                               ElementType::F16, ElementType::F32, ElementType::F64};
constexpr std::int64_t kCounts[] = {1, 3, 255, 257, 4099};
constexpr double kLibraryUnits = 8;  ///< as runtime/error_rules.cpp takes it

struct FunctionRow {
  ScalarFn fn;
  int arity;
};
constexpr std::array kFunctions = {
#define SCALAR(Enum, name, arity, Class, Result, Fact) FunctionRow{ScalarFn::Enum, arity},
#include "models/body/scalar.def"
#undef SCALAR
};

constexpr std::array kFloatOnly = {ScalarFn::Cbrt, ScalarFn::Ceil, ScalarFn::Cos, ScalarFn::Erf, ScalarFn::Exp,
                                   ScalarFn::Expm1, ScalarFn::Floor, ScalarFn::Log, ScalarFn::Log1p, ScalarFn::Logistic,
                                   ScalarFn::RoundAfz, ScalarFn::RoundEven, ScalarFn::Rsqrt, ScalarFn::Sin, ScalarFn::Sqrt,
                                   ScalarFn::Tan, ScalarFn::Tanh, ScalarFn::Atan2, ScalarFn::IsFinite};
constexpr std::array kIntegerOnly = {ScalarFn::And, ScalarFn::Or, ScalarFn::Xor, ScalarFn::Not, ScalarFn::ShiftLeft,
                                     ScalarFn::ShiftRightA, ScalarFn::ShiftRightL};
/// Rounded by a library, not by IEEE.
constexpr std::array kLibrary = {ScalarFn::Cbrt, ScalarFn::Cos, ScalarFn::Erf, ScalarFn::Exp, ScalarFn::Expm1, ScalarFn::Log,
                                 ScalarFn::Log1p, ScalarFn::Logistic, ScalarFn::Rsqrt, ScalarFn::Sin, ScalarFn::Tan,
                                 ScalarFn::Tanh, ScalarFn::Atan2, ScalarFn::Power};

template <class List>
bool in(const List& list, ScalarFn fn) {
  return std::find(list.begin(), list.end(), fn) != list.end();
}

std::int64_t product_of(const std::vector<std::int64_t>& extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

/// Values of the type, the special ones first.
Buffer drawn(ElementType type, std::int64_t count, unsigned seed, NumberMode mode = NumberMode::Model, bool special = true) {
  std::mt19937_64 random(seed);
  Buffer out(storage_of(type, mode), count);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const double floats[] = {0.0, -0.0, 1, -1, kInfinite, -kInfinite, std::nan(""), 0.5, 1e-8, 65519, 65520, 3e38, 1e-40};
  const std::int64_t integers[] = {0, 1, -1, INT64_MIN, INT64_MAX, 127, 128, 255, 1LL << 31, 1LL << 53, (1LL << 60) + 1};
  for (std::int64_t k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const std::uint64_t word = random();
    if (is_integral(type)) {
      const bool chosen = special && word % 4 == 0;
      const auto small = static_cast<std::int64_t>(word >> 40U) % 200 - 100;
      out.as<std::int64_t>()[at] = wrap_to(type, chosen ? integers[(word >> 8U) % std::size(integers)] : small);
    } else {
      const bool chosen = special && word % 4 == 0;
      const double plain = (static_cast<double>(word >> 12U) * 0x1p-52 - 0.5) * 8;
      const ElementType own = mode == NumberMode::F64 ? ElementType::F64 : mode == NumberMode::F32 ? ElementType::F32
                                                                                                   : type;
      out.as<double>()[at] = round_to(own, chosen ? floats[(word >> 8U) % std::size(floats)] : plain);
    }
  }
  return out;
}

/// One unit in the last place of a float type at a value.
double unit_at(Element type, double value) {
  struct Row {
    Element type;
    int significand, low;
  };
  constexpr Row kRows[] = {{Element::BF16, 8, -126}, {Element::F16, 11, -14}, {Element::F32, 24, -126}, {Element::F64, 53, -1022}};
  for (const Row& row : kRows) {
    if (row.type != type) continue;
    const int exponent = value == 0 ? row.low : std::max(std::ilogb(value), row.low);
    return std::ldexp(1.0, exponent - row.significand + 1);
  }
  return 0;
}

std::string compare_values(const Buffer& expected, const Buffer& got, Element type, double units) {
  for (std::int64_t k = 0; k < expected.count(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (expected.storage() == Storage::Int64) {
      if (expected.as<std::int64_t>()[at] == got.as<std::int64_t>()[at]) continue;
      return "element " + std::to_string(k) + ": expected " + std::to_string(expected.as<std::int64_t>()[at]) + ", got " +
             std::to_string(got.as<std::int64_t>()[at]);
    }
    const double a = expected.as<double>()[at], b = got.as<double>()[at];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (units > 0 && std::abs(a - b) <= units * unit_at(type, a)) continue;
    char text[120];
    std::snprintf(text, sizeof text, "element %lld: expected %.17g, got %.17g", static_cast<long long>(k), a, b);
    return text;
  }
  return "";
}

/// fn applied to operands 0, 1, 2 element by element.
std::string check_function(Device& device, const FunctionRow& row, ElementType type) {
  for (const std::int64_t count : kCounts) {
    Arena arena;
    const std::vector<LinId> at = {arena.var(0, count)};
    std::vector<ElementType> types;
    std::vector<std::vector<std::int64_t>> extents;
    std::vector<Buffer> values;
    std::vector<ExprId> reads;
    for (int k = 0; k < row.arity; ++k) {
      const ElementType own = row.fn == ScalarFn::Select && k == 0 ? ElementType::Pred : type;
      types.push_back(own);
      extents.push_back({count});
      values.push_back(drawn(own, count, static_cast<unsigned>(count + 17 * k)));
      reads.push_back(arena.read(k, own, at));
    }
    const bool predicate = info(row.fn).name.starts_with("compare") || row.fn == ScalarFn::IsFinite;
    const ElementType result = predicate ? ElementType::Pred : type;
    const Body body{result, {count}, arena.fn(row.fn, result, reads)};
    const double units = is_float(type) && in(kLibrary, row.fn) ? kLibraryUnits : 0;
    const std::string wrong = compare_body(device, arena, body, NumberMode::Model, types, extents, values, units);
    if (!wrong.empty()) return std::string(info(type).name) + "[" + std::to_string(count) + "] " + wrong;
  }
  return "";
}

std::string check_function_in_all_types(Device& device, const FunctionRow& row) {
  for (const ElementType type : kTypes) {
    if (is_float(type) ? in(kIntegerOnly, row.fn) : in(kFloatOnly, row.fn)) continue;
    const bool bits = row.fn == ScalarFn::And || row.fn == ScalarFn::Or || row.fn == ScalarFn::Xor || row.fn == ScalarFn::Not ||
                      row.fn == ScalarFn::Select || info(row.fn).name.starts_with("compare");
    if (type == ElementType::Pred && !bits) continue;
    const std::string wrong = check_function(device, row, type);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string check_conversions(Device& device, ElementType from) {
  for (const ElementType to : kTypes) {
    Arena arena;
    const std::int64_t count = 1027;
    const std::vector<LinId> at = {arena.var(0, count)};
    const ExprId read[] = {arena.read(0, from, at)};
    const Body body{to, {count}, arena.fn(ScalarFn::Convert, to, read)};
    std::vector<Buffer> values;
    values.push_back(drawn(from, count, 5));
    const std::string wrong = compare_body(device, arena, body, NumberMode::Model, {from}, {{count}}, values, 0);
    if (!wrong.empty()) return "to " + std::string(info(to).name) + ": " + wrong;
  }
  return "";
}

std::string check_fold(Device& device, ScalarFn monoid, ElementType type) {
  for (const std::int64_t length : {2, 33, 500}) {
    Arena arena;
    const std::int64_t outer = 7, inner = 5;
    const std::vector<LinId> at = {arena.var(0, outer), arena.var(2, length), arena.var(1, inner)};
    const double start = monoid == ScalarFn::Multiply ? 1 : 0;
    const ExprId init = arena.lit(is_integral(type) ? Scalar::of_int(type, static_cast<std::int64_t>(start)) : Scalar::of(type, start));
    const std::int64_t box[] = {length};
    const ExprId root = arena.fold(monoid, init, 2, box, arena.always(), arena.read(0, type, at));
    std::vector<Buffer> values;
    values.push_back(drawn(type, outer * length * inner, 9, NumberMode::Model, false));
    const std::string wrong = compare_body(device, arena, {type, {outer, inner}, root}, NumberMode::Model, {type},
                                           {{outer, length, inner}}, values, 0);
    if (!wrong.empty()) return std::to_string(length) + " terms: " + wrong;
  }
  return "";
}

/// [5, 4] transposed, its rows reversed, padded by one before and two behind.
std::string check_remap(Device& device, ElementType type) {
  Arena arena;
  const LinId i = arena.var(0, 7), j = arena.var(1, 5);
  const std::vector<LinId> from = {arena.sub(arena.constant(4), j), arena.data(arena.index(arena.offset(i, -1), ElementType::S64), 0, 3)};
  const ExprId inside = arena.read(0, type, from);
  const ExprId fill = arena.lit(is_integral(type) ? Scalar::of_int(type, 1) : Scalar::of(type, 1));
  const ExprId root = arena.select(arena.between(1, i, 5), inside, fill);
  std::vector<Buffer> values;
  values.push_back(drawn(type, 20, 4));
  return compare_body(device, arena, {type, {7, 5}, root}, NumberMode::Model, {type}, {{5, 4}}, values, 0);
}

/// Rows of a table by indices that may lie outside.
std::string check_gather(Device& device, ElementType type, ElementType index) {
  Arena arena;
  const std::int64_t rows = 9, width = 6, count = 300;
  const LinId k = arena.var(0, count), w = arena.var(1, width);
  const std::vector<LinId> one = {k};
  const std::vector<LinId> at = {arena.data(arena.read(1, index, one), 0, rows - 1), w};
  std::vector<Buffer> values;
  values.push_back(drawn(type, rows * width, 4));
  values.push_back(drawn(index, count, 6));
  return compare_body(device, arena, {type, {count, width}, arena.read(0, type, at)}, NumberMode::Model, {type, index},
                      {{rows, width}, {count}}, values, 0);
}

constexpr std::array kOps = {
#define OP(Enum, name, lo, hi, type_rule, body_rule, traits) Op::Enum,
#include "models/op/ops.def"
#undef OP
};

/// The example of the operator in all modes; an operator that the device does not take says so by lower().
std::string check_example(Device& device, Op op) {
  for (const NumberMode mode : {NumberMode::F64, NumberMode::F32, NumberMode::Model}) {
    Arena arena;
    const auto example = example_of(arena, op);
    if (!example) return "";
    const Body body = make_body(arena, example->call());
    std::vector<ElementType> types;
    std::vector<std::vector<std::int64_t>> extents;
    std::vector<Buffer> values;
    for (const Type& type : example->operands) {
      if (!type.is_array()) return "";
      auto& dims = extents.emplace_back();
      for (const Digit& digit : example->digits.digits()) dims.push_back(digit.extent);
      dims.insert(dims.end(), type.dims.begin(), type.dims.end());
      types.push_back(type.element);
      values.push_back(drawn(type.element, product_of(dims), 11 + static_cast<unsigned>(types.size()), mode, false));
    }
    const std::string wrong = compare_body(device, arena, body, mode, types, extents, values, kLibraryUnits);
    if (!wrong.empty() && wrong != "not for devices") return "mode " + std::to_string(static_cast<int>(mode)) + ": " + wrong;
  }
  return "";
}

std::string check_product(Device& device, ElementType in_type, ElementType out_type) {
  const Element in = *element_of(in_type, NumberMode::Model), out = *element_of(out_type, NumberMode::Model);
  const auto shape = [&](std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k) { return Product{in, out, b, m, n, k}; };
  for (const Product& p : {shape(1, 1, 1, 1), shape(2, 3, 5, 7), shape(4, 64, 33, 129), shape(1, 1, 257, 3), shape(3, 17, 1, 31)}) {
    const Buffer a = drawn(in_type, p.batch * p.m * p.k, 7, NumberMode::Model, false);
    const Buffer w = drawn(in_type, p.batch * p.k * p.n, 8, NumberMode::Model, false);
    const auto place = [&](const Buffer& values) {
      const auto bytes = to_elements(values, in);
      const auto block = device.allocate(bytes.size());
      device.upload(*block, bytes.data(), bytes.size());
      return block;
    };
    const auto left = place(a), right = place(w);
    const std::int64_t count = p.batch * p.m * p.n;
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes_of(out)));
    const auto result = device.allocate(bytes.size());
    if (!device.multiply(p, *left, *right, *result)) return "the device has no such product";
    device.download(*result, bytes.data(), bytes.size());
    Buffer got(Storage::Double, count);
    from_elements(bytes, out, got);
    const double accumulated = in == Element::F64 ? 0x1p-52 : 0x1p-23;
    for (std::int64_t e = 0; e < count; ++e) {
      const std::int64_t b = e / (p.m * p.n), i = e / p.n % p.m, j = e % p.n;
      double sum = 0, scale = 0;
      for (std::int64_t r = 0; r < p.k; ++r) {
        const double term = a.as<double>()[static_cast<std::size_t>((b * p.m + i) * p.k + r)] *
                            w.as<double>()[static_cast<std::size_t>((b * p.k + r) * p.n + j)];
        sum += term;
        scale += std::abs(term);
      }
      const double bound = accumulated * static_cast<double>(p.k + 1) * scale + unit_at(out, sum);
      if (!(std::abs(got.as<double>()[static_cast<std::size_t>(e)] - sum) <= bound)) {
        return "[" + std::to_string(p.batch) + "," + std::to_string(p.m) + "," + std::to_string(p.n) + "," + std::to_string(p.k) +
               "] element " + std::to_string(e) + ": expected " + std::to_string(sum) + ", got " +
               std::to_string(got.as<double>()[static_cast<std::size_t>(e)]);
      }
    }
  }
  return "";
}

std::string check_transfers(Device& device, ElementType type) {
  for (const std::int64_t count : {0, 1, 3, 257}) {
    const Element element = *element_of(type, NumberMode::Model);
    const Buffer values = drawn(type, count, 3);
    const auto bytes = to_elements(values, element);
    const auto block = device.allocate(bytes.size());
    device.upload(*block, bytes.data(), bytes.size());
    std::vector<std::byte> back(bytes.size());
    device.download(*block, back.data(), back.size());
    Buffer got(values.storage(), count);
    from_elements(back, element, got);
    const std::string wrong = compare_values(values, got, element, 0);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

/// A write behind the end must be seen.
std::string check_sentinels(Device& device) {
  Arena arena;
  const std::vector<LinId> at = {arena.var(0, 8)};
  const auto code = lower(arena, {ElementType::F32, {8}, arena.read(0, ElementType::F32, at)}, std::vector{ElementType::F32},
                          std::vector<std::vector<std::int64_t>>{{8}}, NumberMode::Model);
  const auto in = device.allocate(32), small = device.allocate(28);
  const std::vector<float> ones(8, 1.0F);
  device.upload(*in, ones.data(), 32);
  const Block* const operands[] = {in.get()};
  device.run(*code, operands, *small);
  std::vector<float> out(7);
  try {
    device.download(*small, out.data(), 28);
  } catch (const Failure&) {
    return "";
  }
  return "a write behind the end of a block was not seen";
}

}  // namespace

std::string compare_body(Device& device, const Arena& arena, const Body& body, NumberMode mode,
                         const std::vector<ElementType>& types, const std::vector<std::vector<std::int64_t>>& extents,
                         const std::vector<Buffer>& values, double units) {
  const auto code = lower(arena, body, types, extents, mode);
  if (!code) return "not for devices";
  std::vector<Operand> operands;
  std::vector<std::shared_ptr<Block>> blocks;
  std::vector<const Block*> given;
  for (std::size_t k = 0; k < types.size(); ++k) {
    operands.push_back({&values[k], types[k], extents[k]});
    const auto bytes = to_elements(values[k], *element_of(types[k], mode));
    blocks.push_back(device.allocate(bytes.size()));
    device.upload(*blocks.back(), bytes.data(), bytes.size());
    given.push_back(blocks.back().get());
  }
  const Storage storage = storage_of(body.type, mode);
  Buffer expected(storage, code->elements), got(storage, code->elements);
  TieCounter ties;
  evaluate(arena, body, mode, operands, expected, ties);
  std::vector<std::byte> bytes(static_cast<std::size_t>(code->elements) * static_cast<std::size_t>(bytes_of(code->type)));
  const auto out = device.allocate(bytes.size());
  device.run(*code, given, *out);
  device.download(*out, bytes.data(), bytes.size());
  from_elements(bytes, code->type, got);
  return compare_values(expected, got, code->type, units);
}

std::vector<RowCheck> device_rows() {
  std::vector<RowCheck> rows;
  for (const FunctionRow& row : kFunctions) {
    if (row.fn == ScalarFn::Convert) continue;
    rows.push_back({"function " + std::string(info(row.fn).name), [&row](Device& d) { return check_function_in_all_types(d, row); }});
  }
  for (const ElementType type : kTypes) {
    const std::string name(info(type).name);
    rows.push_back({"convert " + name, [type](Device& d) { return check_conversions(d, type); }});
    rows.push_back({"transfer " + name, [type](Device& d) { return check_transfers(d, type); }});
    rows.push_back({"remap " + name, [type](Device& d) { return check_remap(d, type); }});
    rows.push_back({"gather " + name, [type](Device& d) { return check_gather(d, type, ElementType::S32); }});
    if (type == ElementType::Pred) continue;
    for (const ScalarFn fn : {ScalarFn::Add, ScalarFn::Multiply, ScalarFn::Max, ScalarFn::Min}) {
      rows.push_back({"fold " + std::string(info(fn).name) + " " + name, [type, fn](Device& d) { return check_fold(d, fn, type); }});
    }
  }
  for (const ElementType index : {ElementType::S8, ElementType::U32, ElementType::S64, ElementType::U64}) {
    rows.push_back({"gather by " + std::string(info(index).name), [index](Device& d) { return check_gather(d, ElementType::F32, index); }});
  }
  for (const ElementType type : {ElementType::F64, ElementType::F32, ElementType::BF16, ElementType::F16}) {
    rows.push_back({"product " + std::string(info(type).name), [type](Device& d) { return check_product(d, type, type); }});
  }
  rows.push_back({"product bf16 to f32", [](Device& d) { return check_product(d, ElementType::BF16, ElementType::F32); }});
  for (const Op op : kOps) {
    rows.push_back({"operator " + std::string(info(op).name), [op](Device& d) { return check_example(d, op); }});
  }
  rows.push_back({"sentinels", check_sentinels});
  return rows;
}

}  // namespace gg::device
