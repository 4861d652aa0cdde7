// Time of compiled bodies relative to the loops one would write by hand, for doubles and for 113-bit numbers, and the
// time to compile. Not a test: results are compared in tests/unit/plan. Build against gg_plan, run alone on a machine.
#include "kernels/plan/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace gg;  // NOLINT
using Extents = std::vector<std::int64_t>;

double seconds(const std::function<void()>& f) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    int runs = 0;
    const auto start = Clock::now();
    std::chrono::duration<double> spent{};
    do {
      f();
      ++runs;
      spent = Clock::now() - start;
    } while (spent.count() < 0.02);
    best = std::min(best, spent.count() / runs);
  }
  return best;
}

std::int64_t product(const Extents& e) {
  std::int64_t n = 1;
  for (const std::int64_t x : e) n *= x;
  return n;
}

struct Bench {
  Arena a;
  Extents out;
  std::vector<Extents> shapes;
  std::vector<ElementType> types;

  LinId v(int level) { return a.var(level, out[static_cast<std::size_t>(level)]); }
  LinId fold_var(int k, std::int64_t n) { return a.var(static_cast<int>(out.size()) + k, n); }
  int operand(Extents e, ElementType t = ElementType::F64) {
    shapes.push_back(std::move(e));
    types.push_back(t);
    return static_cast<int>(shapes.size()) - 1;
  }
  ExprId read(int k, std::vector<LinId> index) { return a.read(k, types[static_cast<std::size_t>(k)], index); }
  ExprId f(ScalarFn fn, std::vector<ExprId> kids) { return a.fn(fn, ElementType::F64, kids); }
  ExprId fold(ScalarFn fn, double init, Extents box, ExprId body, GuardId g = {}) {
    return a.fold(fn, a.lit(Scalar::of(ElementType::F64, init)), static_cast<int>(out.size()), box, g, body);
  }
};

// Hand-written loops over doubles: in[k] are the operands.
using Hand = std::function<void(const std::vector<const double*>& in, const std::int64_t* at, double* out)>;

void report(const char* name, Bench& b, ExprId root, const Hand& hand, double flops113 = 0) {
  const Body body{ElementType::F64, b.out, root};
  std::mt19937_64 engine(7);
  double relative = 0, compile_us = 0, hand_us = 0, real_ns = 0;
  for (const NumberMode mode : {NumberMode::F64, NumberMode::Real}) {
    std::vector<Buffer> buffers;
    std::vector<Operand> operands;
    for (std::size_t k = 0; k < b.shapes.size(); ++k) {
      Buffer buffer(storage_of(b.types[k], mode), product(b.shapes[k]));
      auto* to = static_cast<unsigned char*>(buffer.data());
      for (std::int64_t i = 0; i < buffer.count(); ++i, to += bytes_of(buffer.storage())) {
        store_scalar(buffer.storage(), to, b.types[k], static_cast<double>(engine() >> 11) * 0x1p-53,
                     static_cast<std::int64_t>(engine() % 800));
      }
      buffers.push_back(std::move(buffer));
    }
    for (std::size_t k = 0; k < buffers.size(); ++k) operands.push_back({&buffers[k], b.types[k], b.shapes[k]});
    Buffer out(storage_of(ElementType::F64, mode), product(b.out));
    TieCounter ties;
    const Plan plan = compile(b.a, body, operands);
    if (mode == NumberMode::Real) {
      if (flops113 > 0) real_ns = 1e9 * seconds([&] { run(plan, mode, operands, out, ties); }) / flops113;
      continue;
    }
    compile_us = 1e6 * seconds([&] { compile(b.a, body, operands); });
    std::vector<const double*> in;
    const std::int64_t* at = nullptr;
    for (const Buffer& x : buffers) {
      if (x.storage() == Storage::Int64) {
        at = x.as<std::int64_t>().data();
      } else {
        in.push_back(x.as<double>().data());
      }
    }
    std::vector<double> by_hand(static_cast<std::size_t>(out.count()));
    hand_us = 1e6 * seconds([&] { hand(in, at, by_hand.data()); });
    relative = 1e6 * seconds([&] { run(plan, mode, operands, out, ties); }) / hand_us;
    if (!std::equal(by_hand.begin(), by_hand.end(), out.as<double>().begin())) std::printf("DIFFERENT ");
  }
  std::printf("%-34s double %5.2f x of %8.1f us   compile %6.1f us", name, relative, hand_us, compile_us);
  if (flops113 > 0) std::printf("   113 bits: %6.1f ns an operation", real_ns);
  std::printf("\n");
}

void products() {
  constexpr std::int64_t n = 64;
  for (const bool transposed : {false, true}) {
    Bench b;
    b.out = {n, n};
    b.operand({n, n});
    b.operand({n, n});
    const LinId k = b.fold_var(0, n);
    const ExprId y = transposed ? b.read(1, {b.v(1), k}) : b.read(1, {k, b.v(1)});
    const ExprId e = b.fold(ScalarFn::Add, 0, {n}, b.f(ScalarFn::Multiply, {b.read(0, {b.v(0), k}), y}));
    report(
        transposed ? "dot 64^3 NT" : "dot 64^3 NN", b, e,
        [&](const auto& in, auto, double* out) {
          for (std::int64_t i = 0; i < n; ++i) {
            for (std::int64_t j = 0; j < n; ++j) out[i * n + j] = 0;
            if (transposed) {
              for (std::int64_t j = 0; j < n; ++j) {
                for (std::int64_t l = 0; l < n; ++l) out[i * n + j] += in[0][i * n + l] * in[1][j * n + l];
              }
            } else {
              for (std::int64_t l = 0; l < n; ++l) {
                for (std::int64_t j = 0; j < n; ++j) out[i * n + j] += in[0][i * n + l] * in[1][l * n + j];
              }
            }
          }
        },
        n * n * n);
  }
}

void elementwise() {
  constexpr std::int64_t n = 100'000;
  Bench b;
  b.out = {n};
  for (int k = 0; k < 3; ++k) b.operand({n});
  const auto x = [&](int k) { return b.read(k, {b.v(0)}); };
  report(
      "add 1e5", b, b.f(ScalarFn::Add, {x(0), x(1)}),
      [](const auto& in, auto, double* out) {
        for (std::int64_t i = 0; i < n; ++i) out[i] = in[0][i] + in[1][i];
      },
      n);
  const ExprId sum = b.f(ScalarFn::Multiply, {b.f(ScalarFn::Add, {x(0), x(1)}), x(2)});
  report(
      "chain max((a+b)*c-a, b) 1e5", b, b.f(ScalarFn::Max, {b.f(ScalarFn::Subtract, {sum, x(0)}), x(1)}),
      [](const auto& in, auto, double* out) {
        for (std::int64_t i = 0; i < n; ++i) {
          const double y = (in[0][i] + in[1][i]) * in[2][i] - in[0][i];
          out[i] = y >= in[1][i] ? y : in[1][i];
        }
      },
      4 * n);
  Bench e;
  e.out = {1000};
  e.operand({1000});
  report(
      "exp 1e3", e, e.f(ScalarFn::Exp, {e.read(0, {e.v(0)})}),
      [](const auto& in, auto, double* out) {
        for (std::int64_t i = 0; i < 1000; ++i) out[i] = std::exp(in[0][i]);
      },
      1000);
}

void layouts() {
  {
    Bench b;
    b.out = {100, 1000};
    b.operand({100});
    report("broadcast [100] to [100,1000]", b, b.read(0, {b.v(0)}), [](const auto& in, auto, double* out) {
      for (int i = 0; i < 100; ++i) {
        for (int j = 0; j < 1000; ++j) out[i * 1000 + j] = in[0][i];
      }
    });
  }
  {
    Bench b;
    b.out = {400, 250};
    b.operand({250, 400});
    report("transpose 250x400", b, b.read(0, {b.v(1), b.v(0)}), [](const auto& in, auto, double* out) {
      for (int i = 0; i < 400; ++i) {
        for (int j = 0; j < 250; ++j) out[i * 250 + j] = in[0][j * 400 + i];
      }
    });
  }
  {
    Bench b;
    b.out = {8, 16, 50, 16};
    b.operand({8, 50, 16, 16});
    report("transpose [8,50,16,16] 0213", b, b.read(0, {b.v(0), b.v(2), b.v(1), b.v(3)}),
           [](const auto& in, auto, double* out) {
             for (int i = 0; i < 8; ++i)
               for (int j = 0; j < 16; ++j)
                 for (int k = 0; k < 50; ++k)
                   for (int l = 0; l < 16; ++l) *out++ = in[0][((i * 50 + k) * 16 + j) * 16 + l];
           });
  }
  const auto reshape = [](const char* name, const Extents& from, const std::vector<int>& order, const Extents& to) {
    Bench b;  // reshape of a transpose
    b.out = to;
    b.operand(from);
    Extents middle;
    for (const int d : order) middle.push_back(from[static_cast<std::size_t>(d)]);
    std::vector<LinId> at;
    for (std::size_t d = 0; d < to.size(); ++d) at.push_back(b.v(static_cast<int>(d)));
    const std::vector<LinId> digits = b.a.unflatten(b.a.flatten(at, to), middle);
    std::vector<LinId> index(from.size());
    for (std::size_t d = 0; d < order.size(); ++d) index[static_cast<std::size_t>(order[d])] = digits[d];
    report(name, b, b.read(0, index), [&](const auto& in, auto, double* out) {
      Extents stride(3);
      stride[2] = 1, stride[1] = from[2], stride[0] = from[1] * from[2];
      for (std::int64_t i = 0; i < middle[0]; ++i)
        for (std::int64_t j = 0; j < middle[1]; ++j)
          for (std::int64_t k = 0; k < middle[2]; ++k) {
            *out++ =
                in[0][i * stride[static_cast<std::size_t>(order[0])] + j * stride[static_cast<std::size_t>(order[1])] +
                      k * stride[static_cast<std::size_t>(order[2])]];
          }
    });
  };
  reshape("reshape [60,70,24] to [40,105,24]", {60, 70, 24}, {0, 1, 2}, {40, 105, 24});
  reshape("reshape of transpose, digits", {60, 70, 24}, {1, 0, 2}, {35, 120, 24});
  reshape("reshape of transpose, no digits", {60, 70, 24}, {2, 0, 1}, {80, 63, 20});
  {
    Bench b;
    b.out = {100, 300};
    b.operand({300, 700});
    report("slice with strides", b,
           b.read(0, {b.a.offset(b.a.scale(2, b.v(0)), 3), b.a.offset(b.a.scale(2, b.v(1)), 1)}),
           [](const auto& in, auto, double* out) {
             for (int i = 0; i < 100; ++i)
               for (int j = 0; j < 300; ++j) *out++ = in[0][(3 + 2 * i) * 700 + 1 + 2 * j];
           });
  }
}

void pieces() {
  {
    Bench b;
    b.out = {210, 230};
    b.operand({200, 200});
    b.operand({});
    const LinId i = b.a.offset(b.v(0), -4), j = b.a.offset(b.v(1), -10);
    const GuardId inside = b.a.all(std::vector<GuardId>{b.a.between(0, i, 200), b.a.between(0, j, 200)});
    report("pad edges", b, b.a.select(inside, b.read(0, {i, j}), b.read(1, {})), [](const auto& in, auto, double* out) {
      for (int r = 0; r < 210; ++r)
        for (int c = 0; c < 230; ++c)
          *out++ = r >= 4 && r < 204 && c >= 10 && c < 210 ? in[0][(r - 4) * 200 + c - 10] : in[1][0];
    });
  }
  {
    Bench b;
    b.out = {199, 298};
    b.operand({100, 100});
    b.operand({});
    const GuardId inside = b.a.all(std::vector<GuardId>{b.a.eq0(b.a.mod(b.v(0), 2)), b.a.eq0(b.a.mod(b.v(1), 3))});
    report("pad interior", b, b.a.select(inside, b.read(0, {b.a.div(b.v(0), 2), b.a.div(b.v(1), 3)}), b.read(1, {})),
           [](const auto& in, auto, double* out) {
             for (int r = 0; r < 199; ++r)
               for (int c = 0; c < 298; ++c) *out++ = r % 2 == 0 && c % 3 == 0 ? in[0][r / 2 * 100 + c / 3] : in[1][0];
           });
  }
  {
    Bench b;
    b.out = {100, 600};
    b.operand({100, 100});
    b.operand({100, 200});
    b.operand({100, 300});
    const ExprId tail = b.a.select(b.a.lt(b.v(1), b.a.constant(300)), b.read(1, {b.v(0), b.a.offset(b.v(1), -100)}),
                                   b.read(2, {b.v(0), b.a.offset(b.v(1), -300)}));
    report("concatenate 3", b, b.a.select(b.a.lt(b.v(1), b.a.constant(100)), b.read(0, {b.v(0), b.v(1)}), tail),
           [](const auto& in, auto, double* out) {
             for (int r = 0; r < 100; ++r) {
               for (int c = 0; c < 100; ++c) *out++ = in[0][r * 100 + c];
               for (int c = 0; c < 200; ++c) *out++ = in[1][r * 200 + c];
               for (int c = 0; c < 300; ++c) *out++ = in[2][r * 300 + c];
             }
           });
  }
}

void reductions() {
  Bench b;
  b.out = {250};
  b.operand({250, 300});
  report(
      "reduce add last", b, b.fold(ScalarFn::Add, 0, {300}, b.read(0, {b.v(0), b.fold_var(0, 300)})),
      [](const auto& in, auto, double* out) {
        for (int i = 0; i < 250; ++i) {
          double s = 0;
          for (int k = 0; k < 300; ++k) s += in[0][i * 300 + k];
          out[i] = s;
        }
      },
      75'000);
  b.out = {300};
  report(
      "reduce max first", b, b.fold(ScalarFn::Max, -1e9, {250}, b.read(0, {b.fold_var(0, 250), b.v(0)})),
      [](const auto& in, auto, double* out) {
        for (int i = 0; i < 300; ++i) {
          double s = -1e9;
          for (int k = 0; k < 250; ++k) s = s >= in[0][k * 300 + i] ? s : in[0][k * 300 + i];
          out[i] = s;
        }
      },
      75'000);
  b.out = {};
  report(
      "reduce add all", b, b.fold(ScalarFn::Add, 0, {250, 300}, b.read(0, {b.fold_var(0, 250), b.fold_var(1, 300)})),
      [](const auto& in, auto, double* out) {
        double s = 0;
        for (int k = 0; k < 75'000; ++k) s += in[0][k];
        out[0] = s;
      },
      75'000);
}

void indexed() {
  {
    Bench b;
    b.out = {800, 128};
    b.operand({1000, 128});
    b.operand({800}, ElementType::S32);
    report("gather rows 800x128", b, b.read(0, {b.a.data(b.read(1, {b.v(0)}), 0, 999), b.v(1)}),
           [](const auto& in, const std::int64_t* at, double* out) {
             for (int i = 0; i < 800; ++i)
               for (int j = 0; j < 128; ++j) *out++ = in[0][std::clamp<std::int64_t>(at[i], 0, 999) * 128 + j];
           });
  }
  {
    Bench b;
    b.out = {100'000};
    b.operand({1000});
    b.operand({100'000}, ElementType::S32);
    report("gather elements 1e5", b, b.read(0, {b.a.data(b.read(1, {b.v(0)}), 0, 999)}),
           [](const auto& in, const std::int64_t* at, double* out) {
             for (int i = 0; i < 100'000; ++i) *out++ = in[0][std::clamp<std::int64_t>(at[i], 0, 999)];
           });
  }
  {
    Bench b;
    b.out = {800, 64};
    b.operand({2000, 64});
    b.operand({2000}, ElementType::S32);
    const LinId u = b.fold_var(0, 2000), w = b.fold_var(1, 64);
    const GuardId g = b.a.all(
        std::vector<GuardId>{b.a.eq(b.a.data(b.read(1, {u}), INT32_MIN, INT32_MAX), b.v(0)), b.a.eq(w, b.v(1))});
    report("scatter-add rows 2000x64", b, b.fold(ScalarFn::Add, 0, {2000, 64}, b.read(0, {u, w}), g),
           [](const auto& in, const std::int64_t* at, double* out) {
             std::fill(out, out + 800 * 64, 0.0);
             for (int i = 0; i < 2000; ++i) {
               if (at[i] < 0 || at[i] >= 800) continue;
               for (int j = 0; j < 64; ++j) out[at[i] * 64 + j] += in[0][i * 64 + j];
             }
           });
  }
  {
    Bench b;
    b.out = {800};
    b.operand({100'000});
    b.operand({100'000}, ElementType::S32);
    const LinId u = b.fold_var(0, 100'000);
    const GuardId g = b.a.eq(b.a.data(b.read(1, {u}), INT32_MIN, INT32_MAX), b.v(0));
    report("scatter-add elements 1e5", b, b.fold(ScalarFn::Add, 0, {100'000}, b.read(0, {u}), g),
           [](const auto& in, const std::int64_t* at, double* out) {
             std::fill(out, out + 800, 0.0);
             for (int i = 0; i < 100'000; ++i) {
               if (at[i] >= 0 && at[i] < 800) out[at[i]] += in[0][i];
             }
           });
  }
  {
    Bench b;
    b.out = {100, 300};
    b.operand({300, 300});
    b.operand({1}, ElementType::S32);
    const LinId start = b.a.data(b.read(1, {b.a.constant(0)}), 0, 200);
    report("dynamic-slice", b, b.read(0, {b.a.add(start, b.v(0)), b.v(1)}),
           [](const auto& in, const std::int64_t* at, double* out) {
             const std::int64_t s = std::clamp<std::int64_t>(at[0], 0, 200);
             for (int i = 0; i < 100; ++i)
               for (int j = 0; j < 300; ++j) *out++ = in[0][(s + i) * 300 + j];
           });
  }
}

void collectives() {
  {
    Bench b;
    b.out = {4, 8, 50, 60};
    b.operand({4, 8, 50, 60});
    report(
        "all-reduce 4 x (8) x [50,60]", b,
        b.fold(ScalarFn::Add, 0, {8}, b.read(0, {b.v(0), b.fold_var(0, 8), b.v(2), b.v(3)})),
        [](const auto& in, auto, double* out) {
          for (int g = 0; g < 4; ++g) {
            double* const o = out + g * 24'000;
            std::fill(o, o + 3000, 0.0);
            for (int m = 0; m < 8; ++m)
              for (int i = 0; i < 3000; ++i) o[i] += in[0][g * 24'000 + m * 3000 + i];
            for (int m = 1; m < 8; ++m) std::copy(o, o + 3000, o + m * 3000);
          }
        },
        96'000);
  }
  {
    Bench b;
    b.out = {2, 4, 20, 60};
    b.operand({2, 4, 20, 15});
    report("all-gather 2 x (4), dim 1", b, b.read(0, {b.v(0), b.a.div(b.v(3), 15), b.v(2), b.a.mod(b.v(3), 15)}),
           [](const auto& in, auto, double* out) {
             for (int g = 0; g < 2; ++g)
               for (int m = 0; m < 4; ++m)
                 for (int i = 0; i < 20; ++i)
                   for (int p = 0; p < 4; ++p)
                     for (int j = 0; j < 15; ++j) *out++ = in[0][((g * 4 + p) * 20 + i) * 15 + j];
           });
  }
}

void convolution() {
  Bench b;
  b.out = {4, 100, 16};
  b.operand({4, 100, 16});
  b.operand({5, 16, 16});
  const LinId tap = b.fold_var(0, 5), f = b.fold_var(1, 16), at = b.a.offset(b.a.add(b.v(1), tap), -2);
  const ExprId body = b.f(ScalarFn::Multiply, {b.read(0, {b.v(0), at, f}), b.read(1, {tap, f, b.v(2)})});
  report(
      "convolution, 5 taps, 16 to 16", b, b.fold(ScalarFn::Add, 0, {5, 16}, body, b.a.between(0, at, 100)),
      [](const auto& in, auto, double* out) {
        for (int n = 0; n < 4; ++n)
          for (int i = 0; i < 100; ++i) {
            double* const o = out + (n * 100 + i) * 16;
            std::fill(o, o + 16, 0.0);
            for (int t = 0; t < 5; ++t) {
              if (i + t - 2 < 0 || i + t - 2 >= 100) continue;
              for (int c = 0; c < 16; ++c)
                for (int k = 0; k < 16; ++k)
                  o[k] += in[0][(n * 100 + i + t - 2) * 16 + c] * in[1][(t * 16 + c) * 16 + k];
            }
          }
      },
      4 * 100 * 16 * 80);
}

}  // namespace

int main() {
  products();
  elementwise();
  layouts();
  pieces();
  reductions();
  indexed();
  collectives();
  convolution();
}
