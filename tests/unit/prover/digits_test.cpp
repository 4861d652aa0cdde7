// Values that hang on some digits of an index only: group statistics that were broadcast and put in one dimension.
#include "models/base/file.h"
#include "prover/certificate.h"
#include "prover/checker/checker.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

/// The numbers of places, the first of them `first`, mixed as generators of random bits do: each round uses twice what the one before gives.
std::string mixed(const std::string& count, const std::string& first) {
  const std::string u = " = u32[" + count + "] ";
  std::string text = "  x = f32[" + count + "] parameter(0)\n  i" + u + "iota(), iota_dimension=0\n" + first + "  fs" + u + "broadcast(f), dimensions={}\n  a0" + u +
                     "add(i, fs)\n  c = u32[] constant(13)\n  l" + u + "broadcast(c), dimensions={}\n  d = u32[] constant(19)\n  r" + u + "broadcast(d), dimensions={}\n  b0" + u + "add(a0, l)\n";
  constexpr int kRounds = 30;
  for (int k = 0; k < kRounds; ++k) {
    const std::string n = std::to_string(k), next = std::to_string(k + 1);
    text += "  a" + next + u + "add(a" + n + ", b" + n + ")\n  l" + n + u + "shift-left(b" + n + ", l)\n  r" + n + u + "shift-right-logical(b" + n + ", r)\n  o" + n + u + "or(l" + n +
            ", r" + n + ")\n  b" + next + u + "xor(a" + next + ", o" + n + ")\n";
  }
  return text + "  f32s = f32[" + count + "] convert(b" + std::to_string(kRounds) + ")\n  ROOT y = f32[" + count + "] multiply(x, f32s)\n";
}

/// b[i,j] = c[i, a digit of j], then what is not written out again for each use; `rows` of them.
std::string chain(const std::string& rows, const std::string& digit) {
  const std::string m = "f32[" + rows + ",4]";
  std::string text = "  c = f32[" + rows + ",2] parameter(0)\n  x = " + m + " parameter(1)\n  b = f32[" + rows + ",2,2] broadcast(c), dimensions={0," + digit +
                     "}\n  r = " + m + " reshape(b)\n  e = f32[] constant(0.5)\n  es = " + m + " broadcast(e), dimensions={}\n  a0 = " + m + " add(r, es)\n";
  for (int k = 0; k < 9; ++k) {
    const std::string a = "a" + std::to_string(k), t = "t" + std::to_string(k);
    text += "  " + t + " = " + m + " tanh(" + a + ")\n  a" + std::to_string(k + 1) + " = " + m + " add(" + t + ", " + a + ")\n";
  }
  return text + "  ROOT y = " + m + " multiply(a9, x)\n";
}

PairText pair_of(const std::string& digit) {
  return {chain("4", digit), chain("2", digit), R"([[["dp"],[]], [["dp"],[]]])", R"([[["dp"],[]]])"};
}

TEST(Digits, ThatAreNotUsed) {
  for (const std::string digit : {"1", "2"}) {
    const PairText p = pair_of(digit);
    expect_proved(p);
    expect_unproved(p, "dimensions={0," + digit + "}", "dimensions={0," + (digit == "1" ? std::string("2}") : std::string("1}")));
    expect_unproved(p, "a0 = f32[2,4] add(r, es)", "a0 = f32[2,4] add(r, x)");
    expect_unproved(p, "a1 = f32[2,4] add(t0, a0)", "a1 = f32[2,4] add(t0, x)");
    PairText other = p;
    other.sequential = chain("4", digit == "1" ? "2" : "1");
    EXPECT_FALSE(proof_of(other).proved);
  }
}

// Terms whose parts are used twice in each round are walked part by part, not use by use: a search that fails ends too.
TEST(Digits, MixedInManyRounds) {
  const std::string own = "  id = u32[] partition-id()\n  two = u32[] constant(2)\n  f = u32[] multiply(id, two)\n";
  const PairText p{mixed("8", "  f = u32[] constant(0)\n"), mixed("2", own), R"([[["dp","tp"]]])", R"([[["dp","tp"]]])"};
  expect_proved(p);
  expect_unproved(p, "multiply(id, two)", "add(id, two)");
}

// The checker names a value by the digits that its definition uses: others may be anything, these may not.
TEST(Digits, OfACertificate) {
  Case c = load_pair(pair_of("1"));
  const ProofResult r = prove(c);
  ASSERT_TRUE(r.certificate.has_value());
  const std::string text = print_certificate(*r.certificate);
  ASSERT_TRUE(check_certificate(text, "certificate", c).accepted);
  const auto with = [&](const std::string& index) {
    std::string other = replaced(text, "s3[v2+2*v0,2*(v3/2)]", "s3[v2+2*v0," + index + "]");
    other = other.substr(0, other.rfind("end "));
    return check_certificate(other + "end " + content_hash(other) + "\n", "certificate", c).accepted;
  };
  EXPECT_TRUE(with("v3"));
  EXPECT_TRUE(with("1+2*(v3/2)"));
  EXPECT_FALSE(with("0"));
  EXPECT_FALSE(with("2-2*(v3/2)"));
  EXPECT_FALSE(with("v3-2*(v3/2)"));
  EXPECT_FALSE(with("1+v3"));  // not inside the extent
}

}  // namespace
}  // namespace gg
