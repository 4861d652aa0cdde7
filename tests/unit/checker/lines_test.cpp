// Lines of certificates of programs without loops: what a line may say, and what must not follow from it.
#include "tests/unit/checker/lines.h"

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

}  // namespace
}  // namespace gg
