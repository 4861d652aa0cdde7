// Written-out terms: what the normal form must identify, and what it must keep apart because some assignment tells the
// two terms apart (infinities, NaN, zeros, wraps, other boxes). Terms in the certificate's syntax.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "models/base/file.h"
#include "prover/checker/build.h"
#include "prover/checker/cases.h"
#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/print.h"
#include "prover/checker/program.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"
#include "tests/unit/seeds.h"

namespace gg::checker::testing {
namespace {

/// Anchors: x0 real[16], x1 positive[16], x2 anything[16], x3 real or -inf[16], x4 s32 0..15[16], x5 pred[16],
/// x6 real[16,16], x7 u32[16], x8 s64[16], x9 nonnegative or inf[16]; s0[16] = (case (ge v0-8) x0[v0] 0). Variables v0:16, v1:4.
class Laws : public ::testing::Test {
 protected:
  Laws() {
    anchor(ElementType::F32, 1, Classes(Classes::kReal));
    anchor(ElementType::F32, 1, Classes(Classes::kPos));
    anchor(ElementType::F32, 1, Classes());
    anchor(ElementType::F32, 1, Classes(Classes::kReal | Classes::kNegInf));
    anchor(ElementType::S32, 1, Classes(Classes::kReal), Range{0, 15});
    anchor(ElementType::Pred, 1, Classes(Classes::kReal));
    anchor(ElementType::F32, 2, Classes(Classes::kReal));
    anchor(ElementType::U32, 1, Classes(Classes::kReal), range_of_type(ElementType::U32));
    anchor(ElementType::S64, 1, Classes(Classes::kReal), range_of_type(ElementType::S64));
    anchor(ElementType::F32, 1, Classes(Classes::kZero | Classes::kPos | Classes::kPosInf));
    Anchor s = t_.anchors[0];
    s.definition = term("(case (ge v0-8) x0[v0] 0)", s.vars);
    names_.sequential.push_back(static_cast<std::uint32_t>(t_.anchors.size()));
    t_.anchors.push_back(std::move(s));
  }

  void anchor(ElementType type, int rank, Classes classes, Range range = {-kFar, kFar}) {
    Anchor a;
    a.type = type;
    for (int k = 0; k < rank; ++k) a.vars.push_back(t_.var(Space::Out, static_cast<std::uint32_t>(k), 16));
    a.classes = classes;
    a.lo = range.lo;
    a.hi = range.hi;
    names_.inputs.push_back(static_cast<std::uint32_t>(t_.anchors.size()));
    t_.anchors.push_back(std::move(a));
  }

  Value term(const std::string& text) {
    return term(text, {t_.var(Space::Rank, 0, 16), t_.var(Space::Out, 1, 4)});
  }
  Value term(const std::string& text, const std::vector<Var>& vars) {
    const std::string body = "gg-certificate 1\nsequential a\ndistributed b\nrelation c\nD 0 main/%x " + text + "\n";
    const CertificateSyntax syntax = parse_certificate(body + "end " + content_hash(body) + "\n", "laws");
    TermBuilder builder(t_, names_, as_indices(t_, vars));
    marks_ = {};
    const Value v = builder.term(syntax.lines[0].term);
    marks_ = builder.marks();
    return v;
  }

  void same(const std::string& a, const std::string& b) {
    const Value x = term(a), y = term(b);
    EXPECT_EQ(x, y) << a << " is " << print(t_, x) << "\n"
                    << b << " is " << print(t_, y);
  }
  void differ(const std::string& a, const std::string& b) { EXPECT_NE(term(a), term(b)) << a << " and " << b; }

  Terms t_;
  Names names_;
  Marks marks_;
};

// A range that is cut at 2^61 says nothing of numbers beyond: neither a limit there nor a range that is cut on both sides is one number.
TEST_F(Laws, BeyondTheEndOfRanges) {
  anchor(ElementType::S64, 1, Classes(Classes::kReal), Range{std::int64_t{1} << 58, (std::int64_t{1} << 58) + 1});
  const auto apart = [&](const std::string& a, const std::string& b) {
    try {
      differ(a, b);
    } catch (const Limit&) {  // nothing is said of it
    }
  };
  const std::string x = "f({x8[v0]})";
  for (const std::string end : {"2305843009213693952", "-2305843009213693952"}) {
    for (const std::string op : {"maximum:s64", "minimum:s64", "maximum", "minimum"}) {
      const std::string extremum = "(" + op + " " + x + " " + end + ")";
      apart(extremum, x);
      apart(extremum, end);
    }
  }
  differ("(maximum 1 (add [b0:16] true f({x10[b0]})))", "2305843009213693952");
  apart("(eq clamp({x8[v0]},-2305843009213693952,5)+2305843009213693952)", "(not (ge {x8[v0]}+2305843009213693953))");
}

TEST_F(Laws, SumsAndProducts) {
  same("(+ x0[v0] (* -1 x0[v0]))", "0");
  differ("(+ x2[v0] (* -1 x2[v0]))", "0");
  differ("(+ x3[v0] (* -1 x3[v0]))", "0");
  same("(+ x2[v0] x2[v0])", "(* 2 x2[v0])");
  same("(* 0 x0[v0])", "0");
  differ("(* 0 x2[v0])", "0");
  differ("(* 0 x9[v0])", "0");
  same("(* x0[v0] (+ x0[1] x2[v0]))", "(+ (* x0[v0] x0[1]) (* x0[v0] x2[v0]))");
  differ("(* x2[v0] (+ x0[1] x0[2]))", "(+ (* x2[v0] x0[1]) (* x2[v0] x0[2]))");
  differ("(+ x0[v0] 1/3)", "(+ x0[v0] 33333333/100000000)");
  same("(+ inf x0[v0])", "inf");
  differ("(+ inf x3[v0])", "inf");
  differ("(+ -inf x2[v0])", "-inf");
  same("(+ -inf x3[v0])", "-inf");
  same("(* -2 inf)", "-inf");
  differ("(* x0[v0] inf)", "inf");
  same("(* x1[v0] -inf)", "-inf");
  differ("(* x9[v0] inf)", "inf");
  differ("(+ nan x0[v0])", "0");
}

TEST_F(Laws, BindersTurned) {
  same("(add [b0:5] true x2[6-b0])", "(add [b0:5] true x2[b0+2])");
  same("(maximum [b0:4] (ge 2-b0) x2[3-b0])", "(maximum [b0:3] true x2[b0+1])");
  same("(add [b0:2,b1:3] true x6[8-3*b0-b1,0])", "(add [b0:6] true x6[b0+3,0])");
  differ("(add [b0:5] true x2[5-b0])", "(add [b0:5] true x2[b0])");
  differ("(add [b0:5] true (* x0[b0] x0[4-b0]))", "(add [b0:5] true (* x0[b0] x0[b0]))");
  differ("(add [b0:5] (ge b0-v1) x2[4-b0])", "(add [b0:5] (ge b0-v1) x2[b0])");
}

TEST_F(Laws, CountsUnderBounds) {
  same("(add [b0:7] (ge b0-v1) x0[0])", "(+ (* 7 x0[0]) (* -1 x0[0] f(v1)))");
  same("(add [b0:7] (ge v1-b0) x0[0])", "(+ x0[0] (* x0[0] f(v1)))");
  same("(+ (add [b0:3] (ge b0-v1) x0[0]) (* 4 x0[0]))", "(add [b0:7] (ge b0-v1) x0[0])");
  same("(add [b0:2,b1:3] (ge b0-v1+3) x0[b1])", "(* 2 (add [b0:3] true x0[b0]))");
  differ("(add [b0:7] (ge b0-v1) x2[0])", "(+ (* 7 x2[0]) (* -1 x2[0] f(v1)))");
  differ("(add [b0:2] (ge b0-v1) x0[0])", "(+ (* 2 x0[0]) (* -1 x0[0] f(v1)))");
  differ("(add [b0:7] (ge b0-v1-1) x0[0])", "(+ (* 7 x0[0]) (* -1 x0[0] f(v1)))");
}

TEST_F(Laws, GuardedBoxesJoin) {
  same("(+ (add [b0:5] true x2[b0]) (add [b0:4] (ge v1-b0) x2[b0+5]))", "(add [b0:9] (ge v1+5-b0) x2[b0])");
  same("(maximum (maximum [b0:4] (ge v1-b0) x2[b0+5]) (maximum [b0:5] true x2[b0]))", "(maximum [b0:9] (ge v1+5-b0) x2[b0])");
  differ("(+ (add [b0:5] true x2[b0]) (add [b0:4] (ge v1-b0) x2[b0+5]))", "(add [b0:9] (ge v1+4-b0) x2[b0])");
  differ("(+ (add [b0:5] (ge v1-b0) x2[b0]) (add [b0:4] (ge v1-b0) x2[b0+5]))", "(add [b0:9] (ge v1+5-b0) x2[b0])");
}

// Signs of sums whose integers have ranges: 3 - f(v1) is not negative for v1 < 4.
TEST_F(Laws, SignsOfIntegers) {
  same("(maximum (+ (* 3 x1[0]) (* -1 x1[0] f(v1))) 0)", "(+ (* 3 x1[0]) (* -1 x1[0] f(v1)))");
  differ("(maximum (+ (* 2 x1[0]) (* -1 x1[0] f(v1))) 0)", "(+ (* 2 x1[0]) (* -1 x1[0] f(v1)))");
  differ("(maximum (+ (* 3 x0[0]) (* -1 x0[0] f(v1))) 0)", "(+ (* 3 x0[0]) (* -1 x0[0] f(v1)))");
  differ("(maximum (+ (* 3 x9[0]) (* -1 x9[0] f(v1))) 0)", "(+ (* 3 x9[0]) (* -1 x9[0] f(v1)))");
}

TEST_F(Laws, CasesInIndices) {
  same("x2[{(case (ge v0-3) i(v0-1) i(v0+2))}]", "(case (ge v0-3) x2[v0-1] x2[v0+2])");
  same("x2[({(case (ge v0-3) i(2*v1) i(v1))}/2)]", "(case (ge v0-3) x2[v1] x2[(v1/2)])");
  same("x2[tab(4,1,0,3;{(case (ge v0-3) i(v1) i(0))})]", "(case (ge v0-3) x2[tab(4,1,0,3;v1)] x2[4])");
  same("(case (ge {(case (ge v0-3) i(v1) i(v0))}-1) x0[0] x0[1])", "(case (ge v0-3) (case (ge v1-1) x0[0] x0[1]) (case (ge v0-1) x0[0] x0[1]))");
  same("x6[{(case (ge v0-3) i(0) i(v1))},{(case (ge v0-3) i(1) i(2))}]", "(case (ge v0-3) x6[0,1] x6[v1,2])");
  differ("x2[{(case (ge v0-3) i(v0-1) i(v0+2))}]", "(case (ge v0-2) x2[v0-1] x2[v0+2])");
  differ("x6[{(case (ge v0-3) i(0) i(v1))},{(case (ge v0-3) i(1) i(2))}]", "(case (ge v0-3) x6[0,2] x6[v1,1])");
  same("(maximum (* 1/2 (maximum [b0:4] true x2[b0])) x2[v0] (* 1/2 (maximum [b0:4] true x2[b0+4])))", "(maximum (* 1/2 (maximum [b0:8] true x2[b0])) x2[v0])");
  differ("(maximum (* 1/2 (maximum [b0:4] true x2[b0])) x2[v0] (* 1/3 (maximum [b0:4] true x2[b0+4])))", "(maximum (* 1/2 (maximum [b0:8] true x2[b0])) x2[v0])");
}

TEST_F(Laws, Powers) {
  same("(* x1[v0] (^ x1[v0] -1))", "1");
  differ("(* x0[v0] (^ x0[v0] -1))", "1");
  differ("(* x2[v0] (^ x2[v0] -1))", "1");
  differ("(^ (^ x0[v0] 2) 1/2)", "x0[v0]");
  same("(^ (^ x1[v0] 2) 1/2)", "x1[v0]");
  differ("(^ (^ x0[v0] 1/2) 2)", "x0[v0]");
  differ("(^ (* x0[1] x0[2]) 1/2)", "(* (^ x0[1] 1/2) (^ x0[2] 1/2))");
  differ("(^ (* x0[1] x0[2]) -1)", "(* (^ x0[1] -1) (^ x0[2] -1))");
  differ("(^ (* -1 x0[1]) -1)", "(* -1 (^ x0[1] -1))");
  same("(^ (* 4 x1[1]) -1/2)", "(* 1/2 (^ x1[1] -1/2))");
  differ("(^ (* (^ x9[1] -2) x0[2]) -1)", "(* (^ x9[1] 2) (^ x0[2] -1))");
  same("(^ -inf -1/2)", "nan");
  same("(^ 0 -1)", "inf");
  same("(^ (+ x0[1] x0[2]) 2)", "(+ (^ x0[1] 2) (^ x0[2] 2) (* 2 x0[1] x0[2]))");
  differ("(^ (+ x2[1] x0[2]) 2)", "(+ (^ x2[1] 2) (^ x0[2] 2) (* 2 x2[1] x0[2]))");
}

TEST_F(Laws, ExponentialsAndLogarithms) {
  same("(exponential (+ x2[1] x2[2]))", "(* (exponential x2[1]) (exponential x2[2]))");
  same("(* (exponential x0[1]) (exponential (* -1 x0[1])))", "1");
  differ("(* (exponential x3[1]) (exponential (* -1 x3[1])))", "1");
  same("(log (exponential x0[1]))", "x0[1]");
  same("(log (* x1[1] (exponential x0[1])))", "(+ x0[1] (log x1[1]))");
  differ("(log (* x0[1] x0[2]))", "(+ (log x0[1]) (log x0[2]))");
  differ("(log (^ x0[1] 2))", "(* 2 (log x0[1]))");
  same("(exponential -inf)", "0");
}

TEST_F(Laws, Maxima) {
  same("(maximum x2[1] -inf)", "x2[1]");
  differ("(maximum x2[1] inf)", "inf");
  same("(maximum x1[1] 0)", "x1[1]");
  differ("(maximum x0[1] 0)", "x0[1]");
  differ("(maximum x0[1] x0[2])", "(minimum x0[1] x0[2])");
  same("(maximum [b0:16] true (+ x0[3] x2[b0]))", "(+ x0[3] (maximum [b0:16] true x2[b0]))");
  differ("(maximum [b0:16] true (+ x2[3] x0[b0]))", "(+ x2[3] (maximum [b0:16] true x0[b0]))");
  differ("(maximum [b0:16] true (* -2 x0[b0]))", "(* -2 (maximum [b0:16] true x0[b0]))");
  same("(maximum [b0:0] true x0[b0])", "-inf");
  same("(minimum [b0:0] true x0[b0])", "inf");
}

TEST_F(Laws, FoldBoxes) {
  same("(add [b0:0] true x2[b0])", "0");
  same("(multiply [b0:0] true x2[b0])", "1");
  same("(and [b0:0] true x5[b0])", "true");
  same("(add [b0:4] true x2[3])", "(* 4 x2[3])");
  differ("(add [b0:4] x5[b0] x2[3])", "(* 4 x2[3])");
  same("(add [b0:4] x5[v0] x0[b0])", "(case x5[v0] (add [b0:4] true x0[b0]) 0)");
  same("(add [b0:4,b1:4] true x0[4*b0+b1])", "(add [b0:16] true x0[b0])");
  same("(add [b0:4,b1:4] true x0[4*b0+b1])", "(add [b1:4,b0:4] true x0[4*b0+b1])");
  differ("(add [b0:4,b1:4] true x0[3*b0+b1])", "(add [b0:16] true x0[b0])");
  same("(add [b0:4,b1:4] true x6[b0,b1])", "(add [b0:4,b1:4] true x6[b1,b0])");
  differ("(add [b0:4,b1:5] true x6[b0,b1])", "(add [b0:5,b1:4] true x6[b0,b1])");
  same("(add [b0:4,b1:5] true x6[b0,b1])", "(add [b0:5,b1:4] true x6[b1,b0])");
  same("(add [b0:16] (ge b0-8) x2[b0])", "(add [b0:8] true x2[b0+8])");
  same("(add [b0:16] (eq b0-v0) x2[b0])", "x2[v0]");
  differ("(add [b0:16] (eq 2*b0-v0) x2[b0])", "x2[(v0/2)]");
  same("(add [b0:16] (and (ge v0-4*b0) (ge 4*b0-v0+3)) x2[b0])", "x2[(v0/4)]");
  differ("(add [b0:16] (and (ge v0-4*b0) (ge 4*b0-v0+4)) x2[b0])", "x2[(v0/4)]");
  same("(add [b0:8] true (* x0[v0] x2[b0]))", "(* x0[v0] (add [b0:8] true x2[b0]))");
  differ("(add [b0:8] true (* x2[v0] x0[b0]))", "(* x2[v0] (add [b0:8] true x0[b0]))");
  differ("(add [b0:4] true x0[b0])", "(add [b0:5] true x0[b0])");
  same("(add [b0:8] (eq {x4[v0]}-b0) x0[b0])", "(case (ge -{x4[v0]}+7) x0[{x4[v0]}] 0)");
}

// A summand that all cases have is summed once, whatever stands beside it; also where one case has it as another one is there.
TEST_F(Laws, SumsOfCases) {
  same("(add [b0:16] true (case (eq b0-{x4[0]}) (+ x2[b0] x3[3]) x2[b0]))", "(+ (add [b0:16] true x2[b0]) x3[3])");
  same("(add [b0:16] true (case (eq b0-{x4[0]}) (+ x2[{x4[0]}] x3[3]) x2[b0]))", "(+ (add [b0:16] true x2[b0]) x3[3])");
  differ("(add [b0:16] true (case (eq b0-{x4[0]}) (+ x2[{x4[1]}] x3[3]) x2[b0]))", "(+ (add [b0:16] true x2[b0]) x3[3])");
  differ("(add [b0:16] true (case (eq b0-{x4[0]}) (+ (* 2 x2[b0]) x3[3]) x2[b0]))", "(+ (add [b0:16] true x2[b0]) x3[3])");
  differ("(add [b0:16] true (case (eq b0-{x4[0]}) x3[3] x2[b0]))", "(+ (add [b0:16] true x2[b0]) x3[3])");
  // By two conditions, the second of which is the same in both branches of the first, or follows from it.
  same("(add [b0:16] true (case (ge b0-{x4[0]}) (case x5[b0] x2[b0] 0) (case x5[b0] (+ x2[b0] x3[b0]) 0)))",
       "(+ (add [b0:16] x5[b0] x2[b0]) (add [b0:16] (and x5[b0] (not (ge b0-{x4[0]}))) x3[b0]))");
  same("(add [b0:16] true (case (eq b0-{x4[0]}) (case (ge {x4[0]}-3) (+ x2[b0] x3[3]) 0) (case (ge b0-3) x2[b0] 0)))",
       "(+ (add [b0:16] (ge b0-3) x2[b0]) (case (ge {x4[0]}-3) x3[3] 0))");
  differ("(add [b0:16] true (case (eq b0-{x4[0]}) (case (ge {x4[0]}-4) (+ x2[b0] x3[3]) 0) (case (ge b0-3) x2[b0] 0)))",
         "(+ (add [b0:16] (ge b0-3) x2[b0]) (case (ge {x4[0]}-4) x3[3] 0))");
  differ("(add [b0:16] true (case (ge b0-{x4[0]}) (case x5[b0] x2[b0] 0) (case x5[0] (+ x2[b0] x3[b0]) 0)))",
         "(+ (add [b0:16] x5[b0] x2[b0]) (add [b0:16] (and x5[b0] (not (ge b0-{x4[0]}))) x3[b0]))");
  // An unknown element leaves nothing known.
  differ("(add [b0:16] true (case (eq b0-{x4[0]}) ? x2[b0]))", "(add [b0:16] true x2[b0])");
}

// Two spellings are compared in blocks of a variable: by its values, or by those of its quotient.
TEST_F(Laws, SpellingsInBlocks) {
  const auto agreed = [&](const std::string& a, const std::string& b, std::int64_t extent) {
    const std::vector<Var> vars{t_.var(Space::Rank, 0, 4), t_.var(Space::Out, 1, extent)};
    const Value x = term(a, vars), y = term(b, vars);
    EXPECT_NE(x, y) << a << " and " << b;
    return agree(t_, x, y);
  };
  const auto chain = [](int from, int to, const std::string& last) {
    std::string text, ends;
    for (int k = from; k < to; ++k) text += "(case (eq v1-" + std::to_string(k) + ") x0[" + std::to_string(k) + "] ", ends += ")";
    return text + last + ends;
  };
  EXPECT_TRUE(agreed(chain(1, 12, "x0[0]"), "x0[v1]", 12));
  EXPECT_FALSE(agreed(chain(1, 12, "x0[1]"), "x0[v1]", 12));
  EXPECT_FALSE(agreed(chain(1, 11, "x0[0]"), "x0[v1]", 12));
  EXPECT_FALSE(agreed(chain(2, 12, "x0[0]"), "x0[v1]", 12));
  // 4*v0 + v1 is 23 in one place.
  EXPECT_TRUE(agreed("(case (eq 4*v0+v1-23) x0[2*v0+5] x0[1])", "(case (eq v0-3) (case (eq v1-11) x0[11] x0[1]) x0[1])", 12));
  EXPECT_FALSE(agreed("(case (eq 4*v0+v1-19) x0[2*v0+5] x0[1])", "(case (eq v0-3) (case (eq v1-7) x0[11] x0[1]) x0[1])", 12));
  EXPECT_FALSE(agreed("(case (eq 4*v0+v1-23) x0[2*v0+5] x0[1])", "(case (eq v0-3) (case (eq v1-11) x0[10] x0[1]) x0[1])", 12));
  // Of 2,048 rows those of one block are one.
  const std::string other = "(case (ge 2-v0-(v1/512)+4*(v0+(v1/512)/4)-1) x0[v0] x0[5])";
  EXPECT_TRUE(agreed("(case (eq v0+(v1/512)-4*(v0+(v1/512)/4)-2) x0[5] (case (eq v0+(v1/512)-4*(v0+(v1/512)/4)-3) x0[5] x0[v0]))", other, 2048));
  EXPECT_FALSE(agreed("(case (eq v0+(v1/512)-4*(v0+(v1/512)/4)-1) x0[5] (case (eq v0+(v1/512)-4*(v0+(v1/512)/4)-3) x0[5] x0[v0]))", other, 2048));
  EXPECT_FALSE(agreed("(case (eq v0+(v1/512)-4*(v0+(v1/512)/4)-2) x0[5] (case (eq v0+(v1/511)-4*(v0+(v1/511)/4)-3) x0[5] x0[v0]))", other, 2048));
}

// Sums of digits of one variable have more than one spelling, however many cases there are around them.
TEST_F(Laws, SpellingsOfDigits) {
  const auto agreed = [&](const std::string& at, const std::string& other) {
    const std::vector<Var> vars{t_.var(Space::Rank, 0, 4), t_.var(Space::Out, 1, 256)};
    const auto bucket = [](const std::string& index) {
      std::string text, ends;
      for (int k = 1; k < 12; ++k) text += "(case (ge " + std::to_string(20 * k) + "-v1) x0[" + std::to_string(k) + "] ", ends += ")";
      return text + "x0[" + index + "]" + ends;
    };
    const Value x = term(bucket(at), vars), y = term(bucket(other), vars);
    EXPECT_NE(x, y) << at << " and " << other;
    return agree(t_, x, y);
  };
  EXPECT_TRUE(agreed("(v1/16)-(v1/32)", "(v1+16/32)"));
  EXPECT_TRUE(agreed("v1-32*(v1/16)+32*(v1/32)+16", "v1-32*(v1+16/32)+16"));
  EXPECT_FALSE(agreed("(v1/16)-(v1/32)", "(v1+15/32)"));
  EXPECT_FALSE(agreed("(v1/16)-(v1/64)", "(v1+16/32)"));
  EXPECT_FALSE(agreed("v1-32*(v1/16)+32*(v1/32)+16", "v1-32*(v1+16/32)+17"));
}

// What the body has a binder in takes its place, where a guard bounds it and it has no more places.
TEST_F(Laws, NeighbouringBoxesJoin) {
  same("(+ (add [b0:4] true x2[b0]) (add [b0:4] true x2[b0+4]))", "(add [b0:8] true x2[b0])");
  same("(+ (add [b0:5] true x2[b0+4]) (add [b0:4] true x2[b0]))", "(add [b0:9] true x2[b0])");
  differ("(+ (add [b0:4] true x2[b0]) (add [b0:4] true x2[b0+5]))", "(add [b0:8] true x2[b0])");
  differ("(+ (add [b0:4] true x2[b0]) (add [b0:4] true x2[b0+3]))", "(add [b0:8] true x2[b0])");
  differ("(+ (add [b0:4] true x2[b0]) (* 2 (add [b0:4] true x2[b0+4])))", "(add [b0:8] true x2[b0])");
  same("(+ (add [b0:2,b1:4] true x0[b0+4*b1]) (add [b0:2,b1:4] true x0[b0+4*b1+2]))", "(add [b0:16] true x0[b0])");
  same("(* x0[v0] (+ (add [b0:4] true x2[b0]) (add [b0:4] true x2[b0+4])))", "(* x0[v0] (add [b0:8] true x2[b0]))");
  differ("(+ (* x2[v0] (add [b0:4] true x0[b0])) (* x2[v0] (add [b0:4] true x0[b0+4])))", "(* x2[v0] (add [b0:8] true x0[b0]))");
  same("(maximum (maximum [b0:4] true x2[b0]) (maximum [b0:4] true x2[b0+4]))", "(maximum [b0:8] true x2[b0])");
  differ("(maximum (maximum [b0:4] true x2[b0]) (maximum [b0:4] true x2[b0+5]))", "(maximum [b0:8] true x2[b0])");
  differ("(+ (maximum [b0:4] true x2[b0]) (maximum [b0:4] true x2[b0+4]))", "(maximum [b0:8] true x2[b0])");
  // The element beside a box, the same standing beside both.
  same("(+ (* x0[v0] (add [b0:4] true x2[b0])) (* x0[v0] x2[4]))", "(* x0[v0] (add [b0:5] true x2[b0]))");
  differ("(+ (add [b0:4] true x2[b0]) x2[5])", "(add [b0:5] true x2[b0])");
  differ("(+ (add [b0:4] true x2[b0]) (* 2 x2[4]))", "(add [b0:5] true x2[b0])");
  differ("(+ (* x2[v0] (add [b0:4] true x0[b0])) (* x2[v0] x0[4]))", "(* x2[v0] (add [b0:5] true x0[b0]))");
  same("(maximum (* 2 (maximum [b0:4] true x2[b0])) (* 2 x2[4]))", "(* 2 (maximum [b0:5] true x2[b0]))");
  differ("(maximum (* 2 (maximum [b0:4] true x2[b0])) x2[4])", "(* 2 (maximum [b0:5] true x2[b0]))");
  differ("(maximum (* -1 (maximum [b0:4] true x0[b0])) (* -1 x0[4]))", "(* -1 (maximum [b0:5] true x0[b0]))");
  differ("(+ (add [b0:4] (ge v0-b0) x2[b0]) x2[4])", "(add [b0:5] (ge v0-b0) x2[b0])");
}

TEST_F(Laws, GuardsAndCases) {
  same("(case (ge v0-3) (case (ge v0-1) x0[1] x0[2]) x0[3])", "(case (ge v0-3) x0[1] x0[3])");
  same("(case (eq v0-3) x0[v0] x0[3])", "x0[3]");
  differ("(case (ge v0-3) x0[1] x0[2])", "(case (ge v0-4) x0[1] x0[2])");
  same("(ge v0)", "true");
  same("(ge v0-16)", "false");
  same("(case (ge v0-8) x0[clamp(v0,8,12)] 0)", "(case (ge v0-8) x0[clamp(v0,0,12)] 0)");
  differ("x0[clamp(v0,0,12)]", "x0[v0]");
  same("(not (not x5[v0]))", "x5[v0]");
  same("(or x5[1] (not x5[1]))", "true");
  same("(compare.LT i({x4[v0]}) 16)", "true");
  differ("(compare.LE x2[v0] x2[v0])", "true");
  same("(compare.LE x0[v0] x0[v0])", "true");
  same("(compare.EQ x2[v0] x2[v0])", "(compare.EQ x2[v0] x2[v0])");
  differ("(compare.EQ x2[v0] x2[v0])", "true");
  differ("(compare.GE x2[1] x2[2])", "(not (compare.LT x2[1] x2[2]))");
  differ("(compare.NE x2[1] x2[2])", "(compare.EQ x2[1] x2[2])");
  // Facts with quotients: 11*v0 + v1 <= 23 gives 2*v0 + (v1-v0) div 6 <= 3, but not <= 2.
  same("(case (ge -11*v0-v1+23) (case (ge 3-2*v0-(v1-v0/6)) x0[1] x0[2]) 0)", "(case (ge -11*v0-v1+23) x0[1] 0)");
  differ("(case (ge -11*v0-v1+23) (case (ge 2-2*v0-(v1-v0/6)) x0[1] x0[2]) 0)", "(case (ge -11*v0-v1+23) x0[1] 0)");
}

// 4*v0 is no number from 1 to 3; it may be 0, or 4.
TEST_F(Laws, MultiplesAreApartFromSmallNumbers) {
  const auto under = [&](const std::string& known, const std::string& test) {
    return decide(t_, literals_of(t_, term(known)), literal_of(t_, term(test))->test);
  };
  EXPECT_EQ(under("(and (ge 3-{x4[1]}) (not (eq {x4[1]})))", "(eq 4*v0-{x4[1]})"), false);
  EXPECT_EQ(under("(ge 3-{x4[1]})", "(eq 4*v0-{x4[1]})"), std::nullopt);
  EXPECT_EQ(under("(and (ge 4-{x4[1]}) (not (eq {x4[1]})))", "(eq 4*v0-{x4[1]})"), std::nullopt);
  EXPECT_EQ(under("(and (ge 3-{x4[1]}) (not (eq {x4[2]})))", "(eq 4*v0-{x4[1]})"), std::nullopt);
  EXPECT_EQ(under("(and (ge 3-{x4[1]}) (not (eq {x4[1]}-2)))", "(eq 4*v0-{x4[1]}+2)"), false);
  EXPECT_EQ(under("(and (ge 6-{x4[1]}) (not (eq {x4[1]}-2)))", "(eq 4*v0-{x4[1]}+2)"), std::nullopt);
}

TEST_F(Laws, IntegersWrapAtTheirWidth) {
  differ("(add:u32 x7[v0] 1)", "i({x7[v0]}+1)");
  same("(add:u32 (subtract:u32 x7[v0] 5) 5)", "x7[v0]");
  same("(add:s32 x4[v0] 1)", "i({x4[v0]}+1)");
  differ("(divide:s32 x8[v0] 2)", "i(({x8[v0]}/2))");
  same("(divide:s32 x4[v0] 2)", "i(({x4[v0]}/2))");
  differ("(multiply:u32 x7[1] x7[2])", "(* x7[1] x7[2])");
  same("(shift-right-arithmetic:u32 4294967295 1)", "4294967295");
  differ("(shift-right-arithmetic:u32 x7[1] 1)", "(shift-right-logical:u32 x7[1] 1)");
  same("(wrap s64 {x8[1]}-16*({x8[1]}/16))", "i({x8[1]}-16*({x8[1]}/16))");
  same("(wrap s64 {x8[1]})", "x8[1]");
  differ("(wrap s32 {x8[1]})", "x8[1]");
  differ("(wrap s64 {x8[1]}+1)", "i({x8[1]}+1)");
  // Ranges beyond 2^61 are open: a part of one proves nothing.
  differ("(wrap s64 {x8[1]}+{x8[2]}-16*({x8[1]}+{x8[2]}/16))", "i({x8[1]})");
  differ("(add:s64 x8[1] (subtract:s64 x8[2] (* 7 (divide:s64 x8[2] 7))))", "(+ x8[1] x8[2] (* -7 (divide:s64 x8[2] 7)))");
  differ("(ge {x8[v0]}+2305843009213693951)", "true");
  differ("i(clamp({x8[v0]},-2305843009213693950,2305843009213693950))", "x8[v0]");
}

TEST_F(Laws, OpenRangesStayOpen) {
  // x8 + (y mod 16): no bound of x8 is known, so none of the sum.
  const Value v = term("(+ x8[1] i({x4[2]}+{x4[3]}-16*({x4[2]}+{x4[3]}/16)))");
  const Range r = integer_range(t_, v);
  EXPECT_LE(r.lo, -kFar);
  EXPECT_GE(r.hi, kFar);
  const Index i = to_index(t_, v);
  EXPECT_LE(t_[i].lo, -kFar);
  EXPECT_GE(t_[i].hi, kFar);
  EXPECT_LE(integer_range(t_, term("(+ x8[1] x4[2] 5)")).lo, -kFar);
  EXPECT_LE(integer_range(t_, term("(+ (* x8[1] x8[2]) (* x4[2] x4[2]) 7)")).lo, -kFar);
}

TEST_F(Laws, ReadsAreExpandedInsideTheirBoxOnly) {
  const auto unfolded = [&](const std::string& text) {
    const Value v = term(text);
    return unfold(t_, v, marks_);
  };
  EXPECT_EQ(unfolded("s0[v0]!"), term("(case (ge v0-8) x0[v0] 0)"));
  EXPECT_EQ(unfolded("s0[v0+1]!"), term("s0[v0+1]"));
  EXPECT_EQ(unfolded("(case (ge 14-v0) s0[v0+1]! 0)"), term("(case (ge v0-7) (case (ge 14-v0) x0[v0+1] 0) 0)"));
  EXPECT_EQ(unfolded("(add [b0:20] (ge 15-b0) s0[b0]!)"), term("(add [b0:8] true x0[b0+8])"));
  EXPECT_EQ(unfolded("(add [b0:20] true s0[b0]!)"), term("(add [b0:20] true s0[b0])"));
  EXPECT_EQ(unfolded("s0[-1]!"), term("s0[-1]"));
  EXPECT_EQ(term("s0[9]"), term("x0[9]"));  // rule A
  EXPECT_EQ(term("s0[3]"), term("0"));
  EXPECT_NE(term("s0[16]"), term("x0[16]"));
}

// What holds around a read is known of it, and no more: an element b of a fold over b <= v0 is none at v0.
TEST_F(Laws, ReadsAreReplacedUnderTheConditionsAroundThem) {
  const Index v0 = variable(t_, t_.var(Space::Rank, 0, 16));
  std::vector<Value> before, at;
  replace_reads(t_, term("(case (ge v0-2) (add [b0:16] (ge v0-b0) x0[b0]) x0[v0])"), [&](std::uint32_t, const std::vector<Index>& index, const auto& facts) {
    const Path path = t_.intern(facts);
    before.push_back(restrict(t_, path, ge(t_, sub(t_, v0, index[0]))));
    at.push_back(restrict(t_, path, eq(t_, sub(t_, v0, index[0]))));
    return std::nullopt;
  });
  const Value yes = boolean(t_, true);
  EXPECT_EQ(before, (std::vector{yes, yes}));
  EXPECT_EQ(std::count(at.begin(), at.end(), yes), 1);
}

TEST_F(Laws, UnknownValues) {
  same("(+ ? x0[1])", "?");
  same("(* 0 ?)", "?");
  same("(maximum ? x0[1])", "?");
  same("(case (ge v0-3) x0[1] ?)", "(case (ge v0-3) x0[1] ?)");
  differ("(case (ge v0-3) x0[1] ?)", "x0[1]");
}

TEST_F(Laws, DepthIsALimitAndNoCrash) {
  std::string text = "x2[1]";
  for (int k = 0; k < 190; ++k) text = "(exponential (maximum " + text + " x2[2]))";
  EXPECT_THROW(term(text), InputError);  // nested deeper than 200
  const Value other = term("x2[2]");
  Value v = term("x2[v0]");
  constexpr std::size_t kDeep = kSanitized ? 20'000 : 100'000;
  for (std::size_t k = 0; k < kDeep; ++k) v = exponential(t_, maximum(t_, v, other));
  EXPECT_GT(values_inside(t_, v).size(), kDeep);
  Substitution s(t_, {{t_.var(Space::Rank, 0, 16), constant(t_, 3)}});
  EXPECT_THROW(s(v), Limit);
  EXPECT_EQ(t_.depth, 0U);
  EXPECT_LT(print(t_, v).size(), 10000U);
  EXPECT_THROW(classes_of(t_, maximum(t_, v, number(t_, 0))), Limit);
}

}  // namespace
}  // namespace gg::checker::testing
