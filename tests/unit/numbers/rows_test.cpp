// Rows: strides, aliasing, select, accumulation, folds and multiply-adds with rounding, buffers.
#include <gtest/gtest.h>

#include <numeric>

#include "models/base/check.h"
#include "tests/unit/numbers/support.h"

namespace gg::test {
namespace {

using enum ElementType;

TEST(Rows, AllStridesAgree) {
  const std::vector<double> a = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, b = {7, 5, 3, 1, -1, -3, -5, -7, -9, -11};
  const Storage storages[2] = {Storage::Double, Storage::Double};
  const ElementType types[2] = {F64, F64};
  TieCounter ties;
  for (const std::int64_t sa : {0, 1, 2, 3}) {
    for (const std::int64_t sb : {0, 1, 2}) {
      const Row rows[2] = {{a.data(), sa}, {b.data(), sb}};
      std::vector<double> out(4), acc = {1, 1, 1, 1};
      row_apply(ScalarFn::Subtract, {F64, NumberMode::F64}, Storage::Double, out.data(), rows, storages, types, 4,
                ties);
      row_multiply_add({F64, NumberMode::F64}, Storage::Double, acc.data(), rows[0], rows[1], 4);
      for (std::size_t k = 0; k < 4; ++k) {
        const double x = a[k * static_cast<std::size_t>(sa)], y = b[k * static_cast<std::size_t>(sb)];
        EXPECT_EQ(out[k], x - y);
        EXPECT_EQ(acc[k], 1 + x * y);
      }
    }
  }
  std::vector<double> in_place = a;
  const Row rows[2] = {{in_place.data(), 1}, {b.data(), 1}};
  row_apply(ScalarFn::Add, {F64, NumberMode::F64}, Storage::Double, in_place.data(), rows, storages, types, 10, ties);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(in_place[k], a[k] + b[k]);
}

TEST(Rows, SelectLooksAtTheTakenSideOnly) {
  const std::vector<std::int64_t> p = {1, 0, 1};
  const std::vector<double> a = {1, kNaN, 3}, b = {kNaN, 2, kNaN};
  const Row rows[3] = {{p.data(), 1}, {a.data(), 1}, {b.data(), 1}};
  const Storage storages[3] = {Storage::Int64, Storage::Double, Storage::Double};
  const ElementType types[3] = {Pred, F32, F32};
  TieCounter ties;
  std::vector<double> out(3);
  row_apply(ScalarFn::Select, {F32, NumberMode::F32}, Storage::Double, out.data(), rows, storages, types, 3, ties);
  EXPECT_EQ(out, (std::vector<double>{1, 2, 3}));
}

TEST(Rows, CopyAndLiterals) {
  const std::vector<std::int64_t> in = {1, 2, 3, 4, 5, 6};
  std::vector<std::int64_t> out(3);
  row_copy(Storage::Int64, out.data(), {in.data(), 2}, 3);
  EXPECT_EQ(out, (std::vector<std::int64_t>{1, 3, 5}));
  row_copy(Storage::Int64, out.data(), {in.data() + 5, 0}, 3);
  EXPECT_EQ(out, (std::vector<std::int64_t>{6, 6, 6}));
  store_scalar(Storage::Int64, out.data(), U8, 0, 300);
  EXPECT_EQ(out[0], 44);
  Ball128 real{};
  store_scalar(Storage::Bits128, &real, F32, 0.5, 0);
  EXPECT_EQ(BallOps<Ball128>::to_double(real), 0.5);
  store_scalar(Storage::Bits128, &real, F32, -0.0, 0);
  EXPECT_EQ(BallOps<Ball128>::to_string(real), "0");
}

TEST(Rows, FoldsAscendAndRoundEachStep) {
  // In f32, 2^24 absorbs ones that come one by one.
  std::vector<double> x(9, 1.0);
  x[0] = 0x1p24;
  TieCounter ties;
  double sum = 0;
  row_fold(ScalarFn::Add, {F32, NumberMode::F32}, Storage::Double, &sum, {x.data(), 1}, 9, ties);
  EXPECT_EQ(sum, 0x1p24);
  sum = 0;
  row_fold(ScalarFn::Add, {F32, NumberMode::F64}, Storage::Double, &sum, {x.data(), 1}, 9, ties);
  EXPECT_EQ(sum, 0x1p24 + 8);
  sum = 256;
  row_fold(ScalarFn::Add, {BF16, NumberMode::Model}, Storage::Double, &sum, {x.data() + 1, 1}, 8, ties);
  EXPECT_EQ(sum, 256);
  double acc = 0x1p24;
  row_multiply_add({F32, NumberMode::Model}, Storage::Double, &acc, {x.data() + 1, 1}, {x.data() + 1, 1}, 1);
  EXPECT_EQ(acc, 0x1p24);
  double top = -kInf;
  const std::vector<double> y = {1, 5, 3};
  row_fold(ScalarFn::Max, {F32, NumberMode::F64}, Storage::Double, &top, {y.data(), 1}, 3, ties);
  EXPECT_EQ(top, 5);
  row_accumulate(ScalarFn::Min, {F32, NumberMode::F64}, Storage::Double, &top, {y.data(), 0}, 1, ties);
  EXPECT_EQ(top, 1);
  EXPECT_EQ(ties.ties, 0);
  EXPECT_THROW(row_fold(ScalarFn::Subtract, {F32, NumberMode::F64}, Storage::Double, &top, {y.data(), 1}, 3, ties),
               InternalError);
}

TEST(Rows, IntegerFoldsWrap) {
  const std::vector<std::int64_t> x = {100, 100, 100};
  TieCounter ties;
  std::int64_t sum = 0;
  row_fold(ScalarFn::Add, {S8, NumberMode::Real}, Storage::Int64, &sum, {x.data(), 1}, 3, ties);
  EXPECT_EQ(sum, 44);
  std::int64_t acc = 1;
  row_multiply_add({U8, NumberMode::Real}, Storage::Int64, &acc, {x.data(), 1}, {x.data(), 1}, 1);
  EXPECT_EQ(acc, 10001 % 256);
  const std::vector<std::int64_t> p = {1, 1, 0};
  std::int64_t all = 1, any = 0;
  row_fold(ScalarFn::And, {Pred, NumberMode::Real}, Storage::Int64, &all, {p.data(), 1}, 3, ties);
  row_fold(ScalarFn::Or, {Pred, NumberMode::Real}, Storage::Int64, &any, {p.data(), 1}, 3, ties);
  EXPECT_EQ(all, 0);
  EXPECT_EQ(any, 1);
}

template <class R>
void real_rows() {
  using Ops = BallOps<R>;
  std::vector<R> x, acc(4);
  for (int k = 0; k < 4; ++k) x.push_back(Ops::from_double(0.1 * k));
  const NumberMode mode = kModeOf<R>;
  row_multiply_add({F32, mode}, kStorageOf<R>, acc.data(), {x.data(), 1}, {x.data() + 3, 0}, 4);
  TieCounter ties;
  R sum{};
  row_fold(ScalarFn::Add, {F32, mode}, kStorageOf<R>, &sum, {x.data(), 1}, 4, ties);
  R expected{};
  for (int k = 0; k < 4; ++k) expected = real<R>(ScalarFn::Add, {expected, x[static_cast<std::size_t>(k)]});
  EXPECT_FALSE(Ops::disjoint(sum, expected));
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_FALSE(Ops::disjoint(acc[k], real<R>(ScalarFn::Multiply, {x[k], x[3]})));
  }
  row_accumulate(ScalarFn::Add, {F32, mode}, kStorageOf<R>, acc.data(), {x.data(), 1}, 4, ties);
  EXPECT_FALSE(Ops::disjoint(acc[3], real<R>(ScalarFn::Add, {real<R>(ScalarFn::Multiply, {x[3], x[3]}), x[3]})));
  R dot{};
  EXPECT_TRUE(row_dot(kStorageOf<R>, &dot, {x.data() + 3, -1}, {x.data(), 1}, 4));  // 2 (0 * 0.3 + 0.1 * 0.2)
  EXPECT_NEAR(Ops::to_double(dot), 0.04, 1e-15);
  EXPECT_LT(Ops::radius_exponent(dot), -R::kBits + 4);
  x[1] = Ops::from_double(kInf);
  EXPECT_TRUE(row_dot(kStorageOf<R>, &dot, {x.data() + 1, 1}, {x.data() + 2, 0}, 3));
  EXPECT_EQ(Ops::to_double(dot), kInf);
  double none = 0;
  EXPECT_FALSE(row_dot(Storage::Double, &none, {&none, 0}, {&none, 0}, 1));
}

TEST(Rows, OfReals) {
  real_rows<Ball128>();
  real_rows<Ball256>();
  real_rows<Ball512>();
}

TEST(Buffers, AreZeroAlignedAndCounted) {
  const std::size_t before = live_buffer_bytes();
  {
    Buffer buffer(Storage::Bits256, 5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
    EXPECT_GE(live_buffer_bytes(), before + 5 * sizeof(Ball256));
    for (const Ball256& x : buffer.as<Ball256>()) EXPECT_EQ(BallOps<Ball256>::to_string(x), "0");
    EXPECT_THROW(buffer.as<double>(), InternalError);
    buffer.as<Ball256>()[2] = BallOps<Ball256>::from_double(7);
    const Buffer copy = buffer.clone();
    EXPECT_EQ(BallOps<Ball256>::to_double(copy.as<Ball256>()[2]), 7);
    const Buffer moved = std::move(buffer);
    EXPECT_EQ(moved.count(), 5);
    const Buffer none(Storage::Double, 0);
    EXPECT_TRUE(none.as<double>().empty());
    EXPECT_EQ(Buffer().clone().count(), 0);
  }
  EXPECT_EQ(live_buffer_bytes(), before);
  EXPECT_THROW(Buffer(Storage::Double, -1), InternalError);
  EXPECT_EQ(storage_of(BF16, NumberMode::Real), Storage::Bits128);
  EXPECT_EQ(storage_of(BF16, NumberMode::Model), Storage::Double);
  EXPECT_EQ(storage_of(Pred, NumberMode::Real256), Storage::Int64);
  EXPECT_EQ(storage_of(F64, NumberMode::Real256), Storage::Bits256);
}

}  // namespace
}  // namespace gg::test
