// A body with random operands, run compiled and by the tree walk in several number types, compared bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/device/device.h"
#include "kernels/plan/plan.h"
#include "tests/unit/reference.h"

namespace gg::test {

inline constexpr ElementType kF32 = ElementType::F32, kS32 = ElementType::S32, kBF16 = ElementType::BF16;

inline std::int64_t product(std::span<const std::int64_t> extents) {
  std::int64_t n = 1;
  for (const std::int64_t e : extents) n *= e;
  return n;
}

/// Operands drawn once as doubles or integers, given in any mode.
class PlanCase {
 public:
  explicit PlanCase(std::uint64_t seed = 1) : engine_(seed) {}

  /// Index forms of the output box, variables 0.. with these extents.
  std::vector<LinId> output(std::vector<std::int64_t> extents) {
    extents_ = std::move(extents);
    std::vector<LinId> vars;
    for (std::size_t d = 0; d < extents_.size(); ++d) vars.push_back(arena.var(static_cast<int>(d), extents_[d]));
    return vars;
  }
  LinId fold_var(int k, std::int64_t extent) { return arena.var(static_cast<int>(extents_.size()) + k, extent); }

  /// Adds an operand; integers are drawn from [lo, hi].
  int operand(ElementType type, std::vector<std::int64_t> extents, std::int64_t lo = -9, std::int64_t hi = 9) {
    Data d{type, std::move(extents), {}, {}};
    for (std::int64_t k = product(d.extents); k > 0; --k) {
      d.integers.push_back(lo + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(hi - lo + 1)));
      const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
      d.reals.push_back(round_to(is_float(type) ? type : ElementType::F64, 2 * unit - 1));
    }
    data_.push_back(std::move(d));
    return static_cast<int>(data_.size()) - 1;
  }
  ExprId read(int k, std::vector<LinId> index) { return arena.read(k, data_[static_cast<std::size_t>(k)].type, index); }
  ExprId lit(ElementType type, double value) {
    return arena.lit(is_integral(type) ? Scalar::of_int(type, static_cast<std::int64_t>(value))
                                       : Scalar::of(type, value));
  }
  ExprId fn(ScalarFn f, ElementType type, std::vector<ExprId> kids) { return arena.fn(f, type, kids); }
  ExprId sum(ExprId body, std::vector<std::int64_t> box, GuardId guard = {}) {
    return fold(ScalarFn::Add, 0, body, std::move(box), guard);
  }
  ExprId fold(ScalarFn f, double init, ExprId body, std::vector<std::int64_t> box, GuardId guard = {}) {
    return arena.fold(f, lit(arena[body].type, init), static_cast<int>(extents_.size()), box, guard, body);
  }

  /// The steps that devices run against the tree walk. False where the body does not fit the machine.
  bool check_on_device(ExprId root, const std::string& name, NumberMode mode) {
    const Body body{arena[root].type, extents_, root};
    const std::vector<Buffer> buffers = materialise(mode);
    const std::vector<Operand> operands = operands_of(buffers);
    std::vector<ElementType> types;
    std::vector<std::vector<std::int64_t>> extents;
    for (const Operand& operand : operands) {
      types.push_back(operand.type);
      extents.emplace_back(operand.extents.begin(), operand.extents.end());
    }
    const auto code = device::lower(arena, body, types, extents, mode);
    if (!code) return false;
    const auto device = device::host_device();
    std::vector<std::shared_ptr<device::Block>> blocks;
    std::vector<const device::Block*> given;
    for (const Operand& operand : operands) {
      const auto bytes = device::to_elements(*operand.buffer, *device::element_of(operand.type, mode));
      blocks.push_back(device->allocate(bytes.size()));
      device->upload(*blocks.back(), bytes.data(), bytes.size());
      given.push_back(blocks.back().get());
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(code->elements) * 8);
    const auto out = device->allocate(bytes.size());
    device->run(*code, given, *out);
    device->download(*out, bytes.data(), bytes.size());
    const Storage storage = storage_of(body.type, mode);
    Buffer expected(storage, product(extents_)), got(storage, product(extents_));
    device::from_elements(bytes, code->type, got);
    TieCounter ties;
    evaluate(arena, body, mode, operands, expected, ties);
    compare(expected, got, name + " on the device\n" + arena.print(root));
    return true;
  }

  /// Compares both evaluations in all number types.
  void check(ExprId root, const std::string& name) {
    check(root, name, {NumberMode::F64, NumberMode::Real, NumberMode::Model});
  }
  void check(ExprId root, const std::string& name, const std::vector<NumberMode>& modes) {
    const Body body{arena[root].type, extents_, root};
    for (const NumberMode mode : modes) {
      const std::vector<Buffer> buffers = materialise(mode);
      const std::vector<Operand> operands = operands_of(buffers);
      const Plan plan = compile(arena, body, operands);
      const Storage storage = storage_of(body.type, mode);
      Buffer expected(storage, product(extents_)), got(storage, product(extents_));
      fill_garbage(got);
      const Buffer unknown = unknowns(storage);
      TieCounter ties;
      evaluate(arena, body, mode, operands, expected, ties, &unknown);
      run(plan, mode, operands, got, ties, &unknown);
      compare(expected, got, name + " mode " + std::to_string(static_cast<int>(mode)) + "\n" + arena.print(root));
      if (::testing::Test::HasFailure()) return;
    }
  }

  std::vector<Buffer> materialise(NumberMode mode) const {
    std::vector<Buffer> buffers;
    for (const Data& d : data_) {
      const Storage storage = storage_of(d.type, mode);
      Buffer b(storage, static_cast<std::int64_t>(d.reals.size()));
      auto* to = static_cast<unsigned char*>(b.data());
      for (std::size_t k = 0; k < d.reals.size(); ++k, to += bytes_of(storage)) {
        store_scalar(storage, to, d.type, d.reals[k], d.integers[k]);
      }
      buffers.push_back(std::move(b));
    }
    return buffers;
  }
  std::vector<Operand> operands_of(const std::vector<Buffer>& buffers) const {
    std::vector<Operand> operands;
    for (std::size_t k = 0; k < data_.size(); ++k) operands.push_back({&buffers[k], data_[k].type, data_[k].extents});
    return operands;
  }
  const std::vector<std::int64_t>& extents() const { return extents_; }

  Arena arena;

 private:
  struct Data {
    ElementType type;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
  };

  static void fill_garbage(Buffer& b) {
    for (std::int64_t k = 0; k < b.count(); ++k) {
      store_scalar(b.storage(),
                   static_cast<unsigned char*>(b.data()) + static_cast<std::size_t>(k) * bytes_of(b.storage()),
                   b.storage() == Storage::Int64 ? ElementType::S64 : ElementType::F64, 1e9, 123456789);
    }
  }
  Buffer unknowns(Storage storage) const {
    Buffer b(storage, product(extents_));
    for (std::int64_t k = 0; k < b.count(); ++k) {
      store_scalar(storage, static_cast<unsigned char*>(b.data()) + static_cast<std::size_t>(k) * bytes_of(storage),
                   storage == Storage::Int64 ? ElementType::S64 : ElementType::F64, 0.25 + static_cast<double>(k), k);
    }
    return b;
  }

  template <class T, class Same>
  static void each(const Buffer& a, const Buffer& b, const std::string& name, const Same& same) {
    for (std::size_t k = 0; k < a.as<T>().size(); ++k) {
      ASSERT_TRUE(same(a.as<T>()[k], b.as<T>()[k])) << name << "\nelement " << k;
    }
  }
  static void compare(const Buffer& a, const Buffer& b, const std::string& name) {
    with_storage(a.storage(), [&](auto element) { each<decltype(element)>(a, b, name, same<decltype(element)>); });
  }
  /// Doubles bit by bit; balls may enclose one number differently, as sums have no order there.
  template <class T>
  static bool same(const T& x, const T& y) {
    if constexpr (kIsBall<T>) {
      return BallOps<T>::known(x) == BallOps<T>::known(y) && !(BallOps<T>::is_finite(x) && BallOps<T>::disjoint(x, y));
    } else {
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (x != x && y != y);
    }
  }

  std::mt19937_64 engine_;
  std::vector<std::int64_t> extents_;
  std::vector<Data> data_;
};

}  // namespace gg::test
