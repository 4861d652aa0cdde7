// Control flow of distributed programs: what is shown to end on all ranks together, what the user has to say, and what the
// checker makes of a certificate that says it or does not.
#include "models/pair/stated.h"
#include "tests/unit/prover/loop_pairs.h"

namespace gg::loops {
namespace {

constexpr const char* kDutiesSequential = "ENTRY main {\n  x = f32[4] parameter(0)\n  f = pred[] parameter(1)\n  ROOT r = f32[4] negate(x)\n}\n";

constexpr const char* kRegions = R"(add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}
meet {
  p = f32[2] parameter(0)
  ROOT q = f32[2] all-reduce(p), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add
}
skip {
  ROOT p = f32[2] parameter(0)
}
own {
  p = f32[2] parameter(0)
  ROOT q = f32[2] abs(p)
}
halve {
  v = f32[2] parameter(0)
  ROOT w = f32[2] add(v, v)
}
small {
  v = f32[2] parameter(0)
  s = f32[1] slice(v), slice={[0:1]}
  t = f32[] reshape(s)
  one = f32[] constant(1)
  ROOT c = pred[] compare(t, one), direction=LT
}
nested {
  v = f32[2] parameter(0)
  w = f32[2] while(v), condition=small, body=halve
  m = f32[2] call(w), to_apply=meet
  ROOT q = f32[2] add(m, v)
}
)";

/// -x beside something that nobody uses; `own_flag`: its condition hangs on the rank's own elements.
Pair beside(const std::string& dead, const std::string& regions = "") {
  return {kDutiesSequential,
          kRegions + regions + R"(ENTRY main {
  x = f32[2] parameter(0)
  f = pred[] parameter(1)
  s = f32[1] slice(x), slice={[0:1]}
  t = f32[] reshape(s)
  one = f32[] constant(1)
  own_flag = pred[] compare(t, one), direction=LT
  id = u32[] partition-id()
  zero = u32[] constant(0)
  rank_flag = pred[] compare(id, zero), direction=EQ
)" + dead + "  ROOT r = f32[2] negate(x)\n}\n",
          R"([[["tp"]], []])", R"([[["tp"]]])"};
}

struct Outcome {
  bool proved;
  std::optional<Reason> reason;
  std::vector<std::string> open;
  std::string certificate;
};

Outcome outcome(const Pair& p, const std::vector<std::string>& assumed = {}) {
  Case c = load(p);
  ProverOptions options;
  for (const std::string& text : assumed) {
    for (const Assumption& a : parse_control(c, text)) options.control.push_back(a);
  }
  const ProofResult r = prove(c, options);
  Outcome result{r.proved, r.reason, {}, r.certificate ? print_certificate(*r.certificate) : ""};
  for (const OpenDuty& o : r.open) result.open.push_back(to_string(o.assumption));
  return result;
}

/// `accepted` with the assumptions that are no finite inputs, or the first problem.
std::string checked(const Pair& p, std::string text) {
  Case c = load(p);
  text = text.substr(0, text.rfind("end "));
  const CheckResult r = check_certificate(text + "end " + content_hash(text) + "\n", "certificate", c);
  std::string said = r.accepted ? "accepted" : r.problem;
  for (const Assumption& a : r.assumptions) {
    if (r.accepted && a.kind != AssumptionKind::FiniteInputs) said += " " + to_string(a);
  }
  return said;
}

constexpr const char* kEnd = "output 0 left 0 right 0\n";

std::string conditional(const std::string& flag, const std::string& yes = "meet", const std::string& no = "skip") {
  return "  d = f32[2] conditional(" + flag + ", x, x), true_computation=" + yes + ", false_computation=" + no + "\n";
}

TEST(Duties, ABranchWithACollectiveNeedsOneConditionForAllRanks) {
  EXPECT_TRUE(outcome(beside(conditional("f"))).proved);
  EXPECT_TRUE(outcome(beside(conditional("own_flag", "own"))).proved) << "nobody meets in it";
  EXPECT_TRUE(outcome(beside(conditional("rank_flag", "own"))).proved);
  for (const std::string flag : {"own_flag", "rank_flag"}) {
    const Outcome open = outcome(beside(conditional(flag)));
    EXPECT_FALSE(open.proved) << flag;
    EXPECT_EQ(open.reason, Reason::Termination);
    EXPECT_EQ(open.open, std::vector<std::string>{"uniform(main/%d)"});
    EXPECT_FALSE(outcome(beside(conditional(flag, "skip", "meet"))).proved);
    const Outcome given = outcome(beside(conditional(flag)), {"uniform:%d"});
    EXPECT_TRUE(given.proved);
    EXPECT_NE(given.certificate.find("assume uniform main/%d\n"), std::string::npos);
  }
}

TEST(Duties, TheCheckerAsksForTheLine) {
  const Pair p = beside(conditional("own_flag"));
  const std::string certificate = outcome(p, {"uniform:d"}).certificate;
  EXPECT_EQ(checked(p, certificate), "accepted uniform(main/%d)");
  EXPECT_NE(checked(p, with(certificate, "assume uniform main/%d\n", "")).find("does not assume uniform(main/%d)"), std::string::npos);
  EXPECT_NE(checked(p, with(certificate, "assume uniform main/%d\n", "assume uniform main/%e\n")).find("does not assume uniform(main/%d)"), std::string::npos);
  EXPECT_NE(checked(p, with(certificate, "assume uniform main/%d\n", "assume terminates main/%d\n")).find("does not assume"), std::string::npos);
  const Pair fine = beside(conditional("f"));
  const std::string plain = outcome(fine).certificate;
  EXPECT_EQ(checked(fine, plain), "accepted");
  EXPECT_NE(checked(fine, with(plain, kEnd, std::string(kEnd))), "");
  EXPECT_NE(checked(fine, with(plain, "assume finite-inputs\n", "assume finite-inputs\nassume uniform main/%d\n")).find("nothing needs it"), std::string::npos);
}

TEST(Duties, ALoopWithoutTripsNeedsTheUser) {
  const Pair p = beside("  w = f32[2] while(x), condition=small, body=halve\n");
  EXPECT_EQ(outcome(p).reason, Reason::Termination);
  EXPECT_EQ(outcome(p).open, std::vector<std::string>{"terminates(main/%w)"});
  const Outcome given = outcome(p, {"terminates:w"});
  EXPECT_TRUE(given.proved);
  EXPECT_EQ(checked(p, given.certificate), "accepted terminates(main/%w)");
  EXPECT_NE(checked(p, with(given.certificate, "assume terminates main/%w\n", "")).find("not shown to end"), std::string::npos);
}

TEST(Duties, InsideOfBranchesLoopsAndRegions) {
  const Pair p = beside(conditional("own_flag", "nested"));
  EXPECT_EQ(outcome(p).open, (std::vector<std::string>{"terminates(main/d@0/%w)", "uniform(main/%d)"}));
  EXPECT_FALSE(outcome(p, {"uniform:d"}).proved);
  const Outcome given = outcome(p, {"uniform:%d", "terminates:%w"});
  EXPECT_TRUE(given.proved);
  EXPECT_EQ(checked(p, given.certificate), "accepted terminates(main/d@0/%w) uniform(main/%d)");
  const std::string outer = R"(outer {
  v = f32[2] parameter(0)
  s2 = f32[1] slice(v), slice={[0:1]}
  t2 = f32[] reshape(s2)
  one2 = f32[] constant(1)
  g = pred[] compare(t2, one2), direction=LT
  ROOT e = f32[2] conditional(g, v, v), true_computation=meet, false_computation=skip
}
)";
  const Pair loop = beside("  w = f32[2] while(x), condition=small, body=outer\n", outer);
  EXPECT_EQ(outcome(loop).open, (std::vector<std::string>{"terminates(main/%w)", "uniform(main/w/%e)"}));
  EXPECT_FALSE(outcome(loop, {"terminates:w"}).proved);
  EXPECT_TRUE(outcome(loop, {"terminates:w", "uniform:main/w/%e"}).proved);
  const std::string region = R"(longest {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  w = f32[] while(a), condition=below, body=twice
  ROOT r = f32[] maximum(w, b)
}
)";
  const std::string twice = R"(twice {
  v = f32[] parameter(0)
  ROOT w = f32[] add(v, v)
}
below {
  v = f32[] parameter(0)
  one = f32[] constant(1)
  ROOT c = pred[] compare(v, one), direction=LT
}
)";
  EXPECT_EQ(outcome(beside("  m = f32[] reduce(x, t), dimensions={0}, to_apply=longest\n", twice + region)).open,
            std::vector<std::string>{"terminates(main/m/%w)"});
}

TEST(Duties, NamesThatDoNotFit) {
  const Case c = load(beside(conditional("f") + "  w = f32[2] while(x), condition=small, body=halve\n"));
  const auto message = [&](const std::string& text) -> std::string {
    try {
      parse_control(c, text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("terminates:%x").find("no while '%x'; there are 'main/%w'"), std::string::npos) << message("terminates:%x");
  EXPECT_NE(message("uniform:%w").find("no conditional with a collective inside '%w'; there are 'main/%d'"), std::string::npos);
  EXPECT_NE(message("terminates:").find("no while ''"), std::string::npos);
  EXPECT_EQ(message("uniform:d"), "");
}

}  // namespace
}  // namespace gg::loops
