// Lines of certificates of programs without loops: what a line may say, and what must not follow from it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "models/base/file.h"
#include "prover/checker/checker.h"

namespace gg {
namespace {

class Lines : public testing::Test {
 protected:
  /// `accepted`, or the first problem. Bodies of the two entries, extents of the inputs on a rank; the lines between the
  /// hashes and the end.
  static std::string check(const std::string& sequential, const std::string& distributed, const std::vector<std::string>& lines) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / (std::string("gg-lines-") + testing::UnitTest::GetInstance()->current_test_info()->name() + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    write_file((folder / "sequential.hlo").string(), "HloModule s\nENTRY main {\n" + sequential + "}\n");
    write_file((folder / "distributed.hlo").string(), "HloModule d, num_partitions=2\nENTRY main {\n" + distributed + "}\n");
    write_file((folder / "relation.json").string(), R"({"mesh": [["tp", 2]], "inputs": [[["tp"]],[["tp"]]], "outputs": [[["tp"]]]})");
    Case c = load_case(folder.string());
    std::filesystem::remove_all(folder);
    std::string text = "gg-certificate 1\nsequential " + c.hashes.sequential + "\ndistributed " + c.hashes.distributed + "\nrelation " +
                       c.hashes.relation + "\nassume finite-inputs\n";
    for (const std::string& line : lines) text += line + "\n";
    text += "end " + content_hash(text) + "\n";
    try {
      const CheckResult r = check_certificate(text, "certificate", c);
      return r.accepted ? "accepted" : r.problem;
    } catch (const InputError& error) {
      return error.what();
    }
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
