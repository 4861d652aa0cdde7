// Numbers at the ends of s64, and folds whose type no certificate says: neither stops the search, nor is it an error of the texts.
#include "prover/checker/checker.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

/// Of a pair of these texts, with an input s64[2] in [0,100): is it proved, and does the checker accept what the search believes?
bool proved(const std::string& sequential, const std::string& distributed, const std::string& more = "") {
  Case c = load_pair({sequential, distributed, "[[[]]]", "[[[]]]", R"({"0": [0, 100]})"}, more);
  const ProofResult r = prove(c);
  if (!r.proved) return false;
  const CheckResult checked = check_certificate(print_certificate(*r.certificate), "", c);
  EXPECT_TRUE(checked.accepted) << checked.problem;
  return true;
}
bool of_text(const std::string& text, const std::string& more = "") { return proved(text, text, more); }

TEST(Far, LimitOfAClampAtTheEnd) {
  EXPECT_NO_THROW(of_text(R"(
  x = s64[2] parameter(0)
  one = s64[] constant(1)
  ones = s64[2] broadcast(one), dimensions={}
  less = s64[2] subtract(x, ones)
  zero = s64[] constant(0)
  most = s64[] constant(9223372036854775807)
  ROOT y = s64[2] clamp(zero, less, most)
)"));
}

TEST(Far, AllBitsButTheSign) {
  EXPECT_TRUE(of_text(R"(
  x = s64[2] parameter(0)
  most = s64[] constant(9223372036854775807)
  mask = s64[2] broadcast(most), dimensions={}
  ROOT y = s64[2] and(x, mask)
)"));
}

const std::string kBits = R"(
  x = s64[2] parameter(0)
  zero = s64[] constant(0)
  bits = s64[] reduce(x, zero), dimensions={0}, to_apply=OP
  ROOT z = s64[2] broadcast(bits), dimensions={}
)";
const std::string kRegions = R"(
or { a = s64[] parameter(0)  b = s64[] parameter(1)  ROOT r = s64[] or(a, b) }
xor { a = s64[] parameter(0)  b = s64[] parameter(1)  ROOT r = s64[] xor(a, b) }
)";

TEST(Far, FoldOfBits) {
  const std::string by_or = replaced(kBits, "OP", "or"), by_xor = replaced(kBits, "OP", "xor");
  EXPECT_TRUE(proved(by_or, by_or, kRegions));
  EXPECT_TRUE(proved(by_xor, by_xor, kRegions));
  EXPECT_FALSE(proved(by_or, by_xor, kRegions));
}

TEST(Far, FoldOfBitsInALoop) {
  const std::string regions = R"(
or { a = s64[] parameter(0)  b = s64[] parameter(1)  ROOT r = s64[] or(a, b) }
body { p = (s32[], s64[], s64[]) parameter(0)  i = s32[] get-tuple-element(p), index=0  a = s64[] get-tuple-element(p), index=1  b = s64[] get-tuple-element(p), index=2
  one = s32[] constant(1)  next = s32[] add(i, one)  sum = s64[] subtract(a, b)  ROOT t = (s32[], s64[], s64[]) tuple(next, sum, b) }
cond { p = (s32[], s64[], s64[]) parameter(0)  i = s32[] get-tuple-element(p), index=0  n = s32[] constant(3)  ROOT c = pred[] compare(i, n), direction=LT }
)";
  EXPECT_NO_THROW(of_text(R"(
  x = s64[2] parameter(0)
  zero = s64[] constant(0)
  bits = s64[] reduce(x, zero), dimensions={0}, to_apply=or
  first = s32[] constant(0)
  start = (s32[], s64[], s64[]) tuple(first, zero, bits)
  end = (s32[], s64[], s64[]) while(start), condition=cond, body=body
  y = s64[] get-tuple-element(end), index=1
  ROOT z = s64[2] broadcast(y), dimensions={}
)",
                          regions));
}

}  // namespace
}  // namespace gg
