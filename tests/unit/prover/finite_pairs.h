// Programs that are finite where some of their values are not, and programs that are not: z is the logarithm of numbers, so minus infinity
// or NaN at some of them.
#pragma once

#include <string>
#include <vector>

namespace gg {

struct FinitePair {
  std::string name;
  std::string sequential;  ///< lines that make `n`, a number, of z, p and k
  std::string more;        ///< lines that make `e`, a number; the distributed program is n + 0 e
  bool right;              ///< wherever n is finite, so is e
};

inline std::vector<FinitePair> finite_pairs() {
  const std::string all = "  n = f32[] reduce(z, zero), dimensions={0,1}, to_apply=add\n", sum = "  e = f32[] reduce(z, zero), dimensions={0,1}, to_apply=add\n";
  const std::string largest = "  e = f32[] reduce(z, low), dimensions={0,1}, to_apply=max\n";
  const auto total = [](const std::string& y, const std::string& type = "f32[3,2]") { return "  y = " + type + " " + y + "\n  n = f32[] reduce(y, zero), dimensions={0,1}, to_apply=add\n"; };
  const auto logarithm = [](const std::string& lines) { return "  x = f32[3,2] exponential(z)\n" + lines + "  n = f32[] log(s)\n"; };
  const std::string exponentials = "  s = f32[] reduce(x, zero), dimensions={0,1}, to_apply=add\n";
  const auto number = [](const std::string& n) {
    return "  u = f32[3,2] negate(z)\n  y = f32[] reduce(u, zero), dimensions={0,1}, to_apply=add\n  w = f32[] reduce(p, zero), dimensions={0,1}, to_apply=add\n  v = f32[] add(y, one)\n  n = f32[] " + n + "\n";
  };
  const std::string diagonal = R"(  i = s32[3,2] iota(), iota_dimension=0
  j = s32[3,2] iota(), iota_dimension=1
  c = pred[3,2] compare(i, j), direction=EQ
  y = f32[3,2] select(c, z, zeros)
  n = f32[] reduce(y, zero), dimensions={0,1}, to_apply=add
)";
  return {
      {"a sum over all", all, sum, true},
      {"a sum of products", total("multiply(z, p)"), sum, true},
      {"a sum of sums of products", total("multiply(z, p)") + "  a = f32[] multiply(n, n)\n", sum, true},
      {"a sum of one row", total("slice(z), slice={[1:2], [0:2]}", "f32[1,2]"), sum, false},
      {"a sum of one column", total("slice(z), slice={[0:3], [1:2]}", "f32[3,1]"), sum, false},
      {"a sum of a diagonal", diagonal, sum, false},
      {"a sum under conditions", total("select(k, z, zeros)"), sum, false},
      {"a sum of exponentials", total("exponential(z)"), sum, false},
      {"a sum of what is bounded", total("tanh(z)"), sum, false},
      {"a sum of inverses", total("divide(ones, z)"), sum, false},
      {"a factor of a product", number("multiply(y, w)"), sum, true},
      {"a summand of a factor", number("multiply(v, w)"), sum, true},
      {"a summand under a root", number("sqrt(v)"), sum, true},
      {"a summand under a root below the line", number("rsqrt(v)"), sum, false},
      {"a number below the line", number("divide(w, y)"), sum, false},
      {"a number that is bounded", number("tanh(y)"), sum, false},
      {"a maximum", "  n = f32[] reduce(z, low), dimensions={0,1}, to_apply=max\n", sum, false},
      {"the logarithm of exponentials and the largest", logarithm(exponentials), largest, true},
      {"the logarithm of exponentials and all", logarithm(exponentials), sum, false},
      {"the logarithm of products with exponentials", logarithm("  w = f32[3,2] multiply(x, p)\n  s = f32[] reduce(w, zero), dimensions={0,1}, to_apply=add\n"), largest, true},
      {"exponentials and the largest", total("exponential(z)"), largest, false},
      {"the logarithm of exponentials of a row", logarithm("  y = f32[1,2] slice(x), slice={[1:2], [0:2]}\n  s = f32[] reduce(y, zero), dimensions={0,1}, to_apply=add\n"), largest, false},
      {"the logarithm of exponentials under conditions", logarithm("  y = f32[3,2] select(k, x, zeros)\n  s = f32[] reduce(y, zero), dimensions={0,1}, to_apply=add\n"), largest, false},
      {"the logarithm of exponentials and one", logarithm("  y = f32[3,2] add(x, ones)\n  s = f32[] reduce(y, zero), dimensions={0,1}, to_apply=add\n"), largest, false},
      {"the logarithm of one and exponentials", logarithm("  y = f32[] reduce(x, zero), dimensions={0,1}, to_apply=add\n  s = f32[] add(y, one)\n"), largest, false},
  };
}

inline std::string finite_head() {
  return R"(  p = f32[3,2] parameter(0)
  k = pred[3,2] parameter(1)
  zero = f32[] constant(0)
  zeros = f32[3,2] broadcast(zero), dimensions={}
  one = f32[] constant(1)
  ones = f32[3,2] broadcast(one), dimensions={}
  low = f32[] constant(-inf)
  z = f32[3,2] log(p)
)";
}

inline std::string finite_sequential(const FinitePair& p) { return finite_head() + p.sequential + "  ROOT r = f32[] add(n, zero)\n"; }
inline std::string finite_distributed(const FinitePair& p) {
  return finite_head() + p.sequential + p.more + "  f = f32[] multiply(zero, e)\n  ROOT r = f32[] add(n, f)\n";
}

}  // namespace gg
