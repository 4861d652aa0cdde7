// Parts of a gathered tensor that are taken apart and put together again.
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

// The largest of each row of which each rank has a half: the largest of the halves, gathered, and these side by side.
const PairText kRows{R"(
  x = f32[3,8] parameter(0)
  low = f32[] constant(-inf)
  m = f32[3] reduce(x, low), dimensions={1}, to_apply=max
  t = f32[3] tanh(m)
  ROOT r = f32[3] exponential(t)
)",
                     R"(
  x = f32[3,4] parameter(0)
  low = f32[] constant(-inf)
  m = f32[3] reduce(x, low), dimensions={1}, to_apply=max
  row = f32[1,3] reshape(m)
  g = f32[2,3] all-gather(row), )" +
                         kTp +
                         R"(, dimensions={0}
  a = f32[1,3] slice(g), slice={[0:1], [0:3]}
  b = f32[1,3] slice(g), slice={[1:2], [0:3]}
  ca = f32[3,1] reshape(a)
  cb = f32[3,1] reshape(b)
  c = f32[3,2] concatenate(ca, cb), dimensions={1}
  mm = f32[3] reduce(c, low), dimensions={1}, to_apply=max
  t = f32[3] tanh(mm)
  ROOT r = f32[3] exponential(t)
)",
                     R"([[[],["tp"]]])", "[[[]]]"};

TEST(Joined, MaximaOfParts) {
  expect_proved(kRows);
  expect_unproved(kRows, "slice={[1:2], [0:3]}", "slice={[0:1], [0:3]}");
  expect_unproved(kRows, "concatenate(ca, cb)", "concatenate(cb, cb)");
}

}  // namespace
}  // namespace gg
