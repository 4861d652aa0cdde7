// Parts of a gathered tensor that are taken apart and put together again.
#include "prover/certificate/writer.h"
#include "prover/checker/checker.h"
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

/// The rows of one value, last first, put together again; columns over `tp`, of which a rank has `columns`.
std::string last_first(int rows, int columns) {
  const std::string n = std::to_string(columns);
  std::string text = "  x = f32[" + std::to_string(rows) + "," + n + "] parameter(0)\n", all;
  for (int k = 0; k < rows; ++k) {
    const std::string row = std::to_string(rows - 1 - k), name = "s" + std::to_string(k);
    text += "  " + name + " = f32[1," + n + "] slice(x), slice={[" + row + ":" + std::to_string(rows - k) + "], [0:" + n + "]}\n";
    all += (all.empty() ? "" : ", ") + name;
  }
  return text + "  ROOT r = f32[" + std::to_string(rows) + "," + n + "] concatenate(" + all + "), dimensions={0}\n";
}

// As many conditions as pieces, one in the other, would be beyond every limit: they are halves of halves, in the checker too.
TEST(Joined, ManyPieces) {
  for (const int pieces : {65, 128}) {
    const PairText p{last_first(pieces, 4), last_first(pieces, 2), R"([[[],["tp"]]])", R"([[[],["tp"]]])"};
    Case c = load_pair(p);
    const ProofResult r = prove(c);
    ASSERT_TRUE(r.proved) << pieces;
    const CheckResult checked = check_certificate(print_certificate(*r.certificate), "", c);
    EXPECT_TRUE(checked.accepted) << pieces << ": " << checked.problem;
    if (pieces > 65) continue;
    expect_unproved(p, "(s0, s1, s2,", "(s0, s2, s1,");
    expect_unproved(p, "s63, s64)", "s64, s63)");
  }
}

}  // namespace
}  // namespace gg
