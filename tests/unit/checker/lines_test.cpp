// Lines of certificates of programs without loops: what a line may say, and what must not follow from it.
#include "tests/unit/checker/lines.h"

#include "tests/unit/prover/finite_pairs.h"

namespace gg {
namespace {

class Lines : public testing::Test {
 protected:
  /// `accepted`, or the first problem. Bodies of the two entries, extents of the inputs on a rank; the lines between the
  /// hashes and the end.
  static std::string check(const std::string& sequential, const std::string& distributed, const std::vector<std::string>& lines) {
    return checked("HloModule s\nENTRY main {\n" + sequential + "}\n", "HloModule d, num_partitions=2\nENTRY main {\n" + distributed + "}\n", lines);
  }

  /// x * x + c, elements of a vector.
  static std::string square_plus(const std::string& n, const std::string& c) {
    const std::string v = "f32[" + n + "]";
    return "x = " + v + " parameter(0)\nw = " + v + " parameter(1)\nc = f32[] constant(" + c + ")\ncs = " + v +
           " broadcast(c), dimensions={}\ny = " + v + " multiply(x, x)\nROOT z = " + v + " add(y, cs)\n";
  }
};

TEST_F(Lines, Accepted) {
  const std::vector<std::string> lines{"anchor 0 0 main/%y", "anchor 1 0 main/%z", "D 0 main/%y s0[2*v0+v1]!", "D 0 main/%z s1[2*v0+v1]!",
                                       "output 0 left 0 right 0"};
  EXPECT_EQ(check(square_plus("4", "2"), square_plus("2", "2"), lines), "accepted");
  EXPECT_NE(check(square_plus("4", "2"), square_plus("2", "3"), lines), "accepted");
}

// A record may say less than is known, but then no name stands for what it says: a sequential value whose definition would be
// anything is known as itself only.
TEST_F(Lines, UnknownValuesHaveNoDefinition) {
  for (const std::string unknown : {"?", "(case (eq v0-3) ? (^ x0[v0] 2))"}) {
    const std::vector<std::string> lines{"anchor 0 0 main/%z", "S 0 main/%y " + unknown, "D 0 main/%z ?", "D 0 main/%z s0[2*v0+v1]!",
                                         "output 0 left 0 right 0"};
    EXPECT_NE(check(square_plus("4", "2"), square_plus("2", "3"), lines), "accepted") << unknown;
  }
  const std::vector<std::string> partly{"anchor 0 0 main/%z",
                                        "S 0 main/%y (case (ge v0-2) ? (^ x0[v0] 2))",
                                        "D 0 main/%z (case (eq v0) (+ 2 (^ x0[2*v0+v1] 2)) ?)",
                                        "D 0 main/%z s0[2*v0+v1]!",
                                        "output 0 left 0 right 0"};
  EXPECT_NE(check(square_plus("4", "2"), square_plus("2", "2"), partly), "accepted");
}

// A distributed value that keeps its name: what it is made of is seen where a line opens it.
TEST_F(Lines, GapsThatKeepTheirDefinition) {
  const auto with = [&](const std::string& gap, const std::string& output, const std::string& c) {
    return check(square_plus("4", "2"), square_plus("2", c), {"anchor 0 0 main/%y", "anchor 1 0 main/%z", gap, output});
  };
  const std::string gap = "gap 0 D 0 main/%y defined", output = "output 0 left 0 right 0 open g0,s1,s0";
  EXPECT_EQ(with(gap, output, "2"), "accepted");
  EXPECT_EQ(with(gap, "output 0 left 1 right 2", "2"), "accepted");
  EXPECT_NE(with(gap, output, "3"), "accepted");
  EXPECT_NE(with("gap 0 D 0 main/%y", output, "2"), "accepted");
  EXPECT_NE(with(gap, "output 0 left 0 right 0 open s1,s0", "2"), "accepted");
  EXPECT_NE(with(gap, "output 0 left 0 right 0 open g1,s1,s0", "2").find("there is no g1"), std::string::npos);
  EXPECT_NE(with(gap, "output 0 left 0 right 0 open x0", "2").find("s<n> or g<n> is expected"), std::string::npos);
  const std::vector<std::string> marked{"anchor 0 0 main/%y", "anchor 1 0 main/%z", gap, "D 0 main/%z s1[2*v0+v1]!2 | g0[v0,v1]!", "output 0 left 0 right 0"};
  EXPECT_EQ(check(square_plus("4", "2"), square_plus("2", "2"), marked), "accepted");
  EXPECT_NE(check(square_plus("4", "2"), square_plus("2", "3"), marked), "accepted");
}

// A value that the certificate defines: two halves, each squared, against the square of a rank's half.
const char* const kHalves = R"(x = f32[4] parameter(0)
w = f32[4] parameter(1)
k = s8[2] iota(), iota_dimension=0
a = f32[2] slice(x), slice={[0:2]}
y = f32[2] multiply(a, a)
b = f32[2] slice(x), slice={[2:4]}
z = f32[2] multiply(b, b)
ROOT r = f32[4] concatenate(y, z), dimensions={0}
)";
const char* const kHalf = "x = f32[2] parameter(0)\nw = f32[2] parameter(1)\nROOT y = f32[2] multiply(x, x)\n";
const char* const kThree = "x = f32[2] parameter(0)\nw = f32[2] parameter(1)\nq = f32[2] multiply(x, x)\nROOT y = f32[2] multiply(x, q)\n";

std::vector<std::string> of_pieces(const std::string& definition) {
  return {definition, "S 0 main/%y s0[0,v0]!", "S 0 main/%z s0[1,v0]!", "S 0 main/%r s0[(v0/2),v0-2*(v0/2)] split v0@0@2", "D 0 main/%y s0[v0,v1]!", "output 0 left 0 right 0"};
}

TEST_F(Lines, DefinedValues) {
  const std::vector<std::string> lines = of_pieces("define 0 2 0 main/%y (^ x0[2*v0+v1] 2)");
  EXPECT_EQ(check(kHalves, kHalf, lines), "accepted");
  EXPECT_NE(check(kHalves, kThree, lines), "accepted");
  for (const std::string other : {"(^ x0[v0+v1] 2)", "(^ x0[2*v0+v1] 3)", "(^ x0[2*v0-v1+1] 2)", "(^ x0[v1] 2)", "(^ x1[2*v0+v1] 2)", "(case (eq v0) (^ x0[v1] 2) 0)"})
    EXPECT_NE(check(kHalves, kHalf, of_pieces("define 0 2 0 main/%y " + other)), "accepted") << other;
}

TEST_F(Lines, DefinitionsThatAreNone) {
  const std::pair<std::string, std::string> all[] = {
      {"define 0 2 0 main/%y ?", "defines an unknown value"},
      {"define 0 2 0 main/%y (case (eq v0) ? x0[v1])", "defines an unknown value"},
      {"define 0 2 0 main/%y (ge v0)", "a term of another sort than f32"},
      {"define 0 2 0 main/%k x0[v1]", "a term of another sort than s8"},
      {"define 0 2 0 main/%k i(100*v0+v1)", "'main/%y'"},  // an s8 it is, but no square
      {"define 0 2 0 main/%k i(127*v0+v1)", "defines integers beyond s8"},
      {"define 0 0 0 main/%y x0[v1]", "defines a value of no element"},
      {"define 0 2 0 main/%y x0[v1] left 1", "is a definition, which is not compared with anything"},
      {"define 0 2 0 main/%y x0[v1] split v0", "is a definition, which is not compared with anything"},
      {"define 0 2 0 main/%y s0[v0,v1]", "names nothing here"},
      {"define 0 2 0 main/%y x0[v2]", "variable v2 of a value with 2"},
      {"define 1 2 0 main/%y x0[v1]", "anchors are numbered from 0 in order"},
      {"define 0 2 0 main/%nobody x0[v1]", "names nothing here"},
  };
  for (const auto& [line, why] : all) EXPECT_NE(check(kHalves, kHalf, of_pieces(line)).find(why), std::string::npos) << line << ": " << check(kHalves, kHalf, of_pieces(line));
}

// What is known where an output is finite, whatever a certificate names.
TEST_F(Lines, WhereTheOutputIsFinite) {
  const std::string regions =
      "add { a = f32[] parameter(0)\nb = f32[] parameter(1)\nROOT r = f32[] add(a, b) }\nmax { a = f32[] parameter(0)\nb = f32[] parameter(1)\nROOT r = f32[] maximum(a, b) }\n";
  const std::string head = "HloModule m", entry = "\n" + regions + "ENTRY main {\n";
  for (const FinitePair& p : finite_pairs()) {
    const auto verdict = [&](const std::string& output) {
      return checked(head + entry + finite_sequential(p) + "}\n", head + ", num_partitions=2" + entry + finite_distributed(p) + "}\n",
                     {"anchor 0 0 main/%z", "anchor 1 0 main/%r", "D 0 main/%z s0[v1,v2]!", output}, R"("inputs": [[[],[]],[[],[]]], "outputs": [[]])");
    };
    EXPECT_EQ(verdict("output 0 left 0 right 1") == "accepted", p.right) << p.name;
    EXPECT_EQ(verdict("output 0 left 0 right 0 open s1") == "accepted", p.right) << p.name;
    EXPECT_NE(verdict("output 0 left 0 right 0 open s2").find("there is no s2"), std::string::npos) << p.name;
  }
}

}  // namespace
}  // namespace gg
