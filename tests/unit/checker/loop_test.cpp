// Loop lines of certificates as the checker reads them: what is right is accepted, one change away it is not.
#include "tests/unit/checker/lines.h"

namespace gg {
namespace {

constexpr const char* kProgram = R"(
body {
  p = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  w = f32[4] get-tuple-element(p), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[4] multiply(x, w)
  ROOT t = (s32[], f32[4], f32[4]) tuple(next, y, w)
}
condition {
  p = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(TRIPS)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[4] parameter(0)
  w = f32[4] parameter(1)
  start = s32[] constant(0)
  t = (s32[], f32[4], f32[4]) tuple(start, x, w)
  l = (s32[], f32[4], f32[4]) while(t), condition=condition, body=body
  ROOT y = f32[4] get-tuple-element(l), index=1
}
)";

class LoopLines : public testing::Test {
 protected:
  static std::string program(const std::string& name, const std::string& trips, const std::string& n) {
    std::string text = "HloModule " + name + kProgram;
    text.replace(text.find("TRIPS"), 5, trips);
    for (std::size_t at = text.find("f32[4]"); n != "4" && at != std::string::npos; at = text.find("f32[4]", at)) text.replace(at, 6, "f32[" + n + "]");
    return text;
  }

  /// `accepted`, or the first problem. The lines between the hashes and the end.
  static std::string check(const std::vector<std::string>& lines, const std::string& trips = "3", const std::string& distributed_trips = "3") {
    return checked(program("s", trips, "4"), program("d, num_partitions=2", distributed_trips, "2"), lines);
  }

  /// The certificate of the pair, with one line replaced (an empty one is left out).
  static std::vector<std::string> lines(const std::string& from = "", const std::string& to = "") {
    std::vector<std::string> all{"carry 0 1 main/%l finite",
                                 "anchor 1 0 main/l/%y",
                                 "loop S 3 main/%l",
                                 "invariant S 0 main/%l i(v0)",
                                 "invariant S 2 main/%l x1[v1]",
                                 "loop D 3 main/%l",
                                 "invariant D 0 main/%l i(v1)",
                                 "invariant D 1 main/%l s0[v1,2*v0+v2]",
                                 "invariant D 2 main/%l x1[2*v0+v2]",
                                 "D 0 main/l/%y s1[v1,2*v0+v2]!",
                                 "output 0 left 0 right 0"};
    bool found = from.empty();
    for (auto it = all.begin(); it != all.end() && !found; ++it) {
      if (*it != from) continue;
      found = true;
      if (to.empty()) all.erase(it);
      else *it = to;
      break;
    }
    EXPECT_TRUE(found) << from;
    return all;
  }
};

TEST_F(LoopLines, Accepted) { EXPECT_EQ(check(lines()), "accepted"); }

TEST_F(LoopLines, Trips) {
  EXPECT_NE(check(lines("loop D 3 main/%l", "loop D 2 main/%l")), "accepted");
  EXPECT_NE(check(lines("loop D 3 main/%l", "loop D 4 main/%l")), "accepted");
  EXPECT_NE(check(lines("loop S 3 main/%l", "loop S 4 main/%l")), "accepted");
  EXPECT_NE(check(lines("loop S 3 main/%l", "loop S 0 main/%l")), "accepted");
  EXPECT_NE(check(lines("loop D 3 main/%l", "")), "accepted");
  EXPECT_NE(check(lines(), "3", "4"), "accepted");
  EXPECT_NE(check(lines("loop D 3 main/%l", "loop D 4 main/%l"), "3", "4"), "accepted");
  EXPECT_NE(check(lines("invariant D 0 main/%l i(v1)", "")), "accepted");  // a counter of which nothing is known
}

TEST_F(LoopLines, Invariants) {
  EXPECT_NE(check(lines("invariant D 0 main/%l i(v1)", "invariant D 0 main/%l i(2*v1)")), "accepted");
  EXPECT_EQ(check(lines("invariant D 0 main/%l i(v1)", "invariant D 0 main/%l i(v1) split v1")), "accepted");  // cases of the time
  EXPECT_NE(check(lines("invariant D 0 main/%l i(v1)", "invariant D 0 main/%l i(2*v1) split v1")), "accepted");
  EXPECT_NE(check(lines("invariant D 0 main/%l i(v1)", "invariant D 0 main/%l i(v1) split v2")), "accepted");  // no such variable
  EXPECT_EQ(check(lines("invariant D 0 main/%l i(v1)", "invariant D 0 main/%l i(v1) split v0")), "accepted");
  EXPECT_EQ(check(lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "invariant D 1 main/%l s0[v1,2*v0+v2] split v0,v2")), "accepted");
  EXPECT_NE(check(lines("invariant D 0 main/%l i(v1)", "invariant D 0 main/%l i(v1+1)")), "accepted");
  EXPECT_NE(check(lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "invariant D 1 main/%l s0[v1,2*v0-v2+1]")), "accepted");
  EXPECT_NE(check(lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "invariant D 1 main/%l s0[3-v1,2*v0+v2]")), "accepted");
  EXPECT_NE(check(lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "invariant D 1 main/%l x0[2*v0+v2]")), "accepted");
  EXPECT_NE(check(lines("invariant D 2 main/%l x1[2*v0+v2]", "invariant D 2 main/%l x0[2*v0+v2]")), "accepted");
  EXPECT_NE(check(lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "gap 0 D 1 main/%l")), "accepted");  // not related
  EXPECT_NE(check(lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "invariant D 1 main/%l ?")), "accepted");
}

// Nothing that a loop changes keeps a definition.
TEST_F(LoopLines, NoDefinitionsOfGaps) {
  const std::string carry = check(lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "gap 0 D 1 main/%l defined"));
  EXPECT_NE(carry.find("has no definition"), std::string::npos) << carry;
  std::vector<std::string> all = lines();
  all.end()[-2] = "gap 0 D 0 main/l/%y defined";
  EXPECT_NE(check(all).find("keeps a definition in a loop"), std::string::npos) << check(all);
}

// Of rank 1 nothing is said: what is said of rank 0 must hold, and no output follows.
TEST_F(LoopLines, PartlyUnknownInvariants) {
  const auto with = [&](const std::string& invariant) {
    std::vector<std::string> all = lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "invariant D 1 main/%l " + invariant);
    all.end()[-2] = "D 0 main/l/%y (case (eq v0) s1[v1,v2]! ?)";
    return check(all);
  };
  const std::string none = "output 0 of the distributed program or the sequential one has an unknown value";
  const std::string invariant = "leaf 1 (line";
  EXPECT_NE(with("(case (eq v0) s0[v1,v2] ?)").find(none), std::string::npos) << with("(case (eq v0) s0[v1,v2] ?)");
  EXPECT_NE(with("(case (eq v0) s0[v1,v2] ?) split v0").find(none), std::string::npos);
  EXPECT_NE(with("s0[v1,2*v0+v2]").find(invariant), std::string::npos);                // more than the record says
  EXPECT_NE(with("(case (eq v0-1) s0[v1,v2] ?)").find(invariant), std::string::npos);  // of the other rank
  EXPECT_NE(with("(case (eq v0) s0[v1,v2+2] ?)").find(invariant), std::string::npos);  // the other half
  EXPECT_NE(with("(case (eq v0) x0[v2] ?)").find("'main/l/%y'"), std::string::npos);   // at the first time only
  EXPECT_NE(with("(case (eq v0) s0[v1,v2] ?) split v1").find(none), std::string::npos);
  EXPECT_NE(with("(case (eq v0) s0[v1,v2+2] ?) split v1").find(invariant), std::string::npos);
  EXPECT_NE(with("(case (eq v1) x0[2*v0+v2] ?)"), "accepted");
  EXPECT_NE(check(lines("D 0 main/l/%y s1[v1,2*v0+v2]!", "D 0 main/l/%y (case (eq v0) s1[v1,v2+2]! ?)")).find("'main/l/%y'"), std::string::npos);
  EXPECT_NE(check(lines("invariant D 0 main/%l i(v1)", "invariant D 0 main/%l (case (eq v0) i(v1) ?)")), "accepted");  // the condition
  EXPECT_NE(check(lines("invariant S 2 main/%l x1[v1]", "invariant S 2 main/%l (case (eq v1) x1[v1] ?)")), "accepted");
}

TEST_F(LoopLines, OwnAnchorsAtThePresentTimeOnly) {
  // What is to be shown of time t + 1 must not be taken from a definition there.
  EXPECT_NE(check(lines("invariant S 2 main/%l x1[v1]", "invariant S 2 main/%l s0[v0,v1]")), "accepted");
  EXPECT_NE(check(lines("invariant S 2 main/%l x1[v1]", "invariant S 2 main/%l s1[v0,v1]")), "accepted");
  std::vector<std::string> future = lines();
  future.insert(future.begin() + 5, "S 0 main/l/%next i({s0[v0+1,0]})");
  EXPECT_NE(check(future), "accepted");
}

TEST_F(LoopLines, LinesInPlacesWithoutLoop) {
  std::vector<std::string> all = lines();
  all.insert(all.begin() + 5, "S 0 main/l/%nothing 1");
  EXPECT_NE(check(all), "accepted");
  all = lines();
  all.insert(all.end() - 1, "closed D 1 main/%l x0[2*v0+v2]");
  EXPECT_NE(check(all), "accepted");
}

TEST_F(LoopLines, ClosedForms) {
  // x * w^T is no closed form with a syntax; a constant one is refused, as is one that reads itself.
  std::vector<std::string> all = lines("invariant D 1 main/%l s0[v1,2*v0+v2]", "gap 0 D 1 main/%l");
  all.end()[-2] = "closed D 1 main/%l x0[2*v0+v2]";  // in place of the record in the body
  EXPECT_NE(check(all).find("'main/%l' leaf 1"), std::string::npos) << check(all);
  all.end()[-2] = "closed D 1 main/%l g0[v0,v1,v2]";
  EXPECT_NE(check(all).find("a closed form that reads a carry with a closed form"), std::string::npos) << check(all);
}

TEST_F(LoopLines, Unrolled) {
  const std::vector<std::string> all{"anchor 0 0 main/l#0/%y", "anchor 1 0 main/l#1/%y", "anchor 2 0 main/l#2/%y", "unroll S 3 main/%l",
                                     "unroll D 3 main/%l", "D 0 main/l#0/%y s0[2*v0+v1]!", "D 0 main/l#1/%y s1[2*v0+v1]!",
                                     "D 0 main/l#2/%y s2[2*v0+v1]!", "output 0 left 0 right 0"};
  EXPECT_EQ(check(all), "accepted");
  EXPECT_NE(check(all, "3", "2"), "accepted");
  EXPECT_NE(check(all, "3", "4"), "accepted");
}

}  // namespace
}  // namespace gg
