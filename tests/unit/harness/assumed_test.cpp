// Values that are taken as equal: what they prove, what contradicts them, and what the runs propose by themselves.
#include "harness/prove/assumed.h"

#include <algorithm>

#include "models/pair/stated.h"
#include "prover/checker/checker.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

// No law says that a tangent is a quotient. The rest of the program is tensor parallel.
const PairText kTangent{R"(
  x = f32[4,8] parameter(0)
  w = f32[8,6] parameter(1)
  t = f32[4,8] tan(x)
  y = f32[4,6] dot(t, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  n = f32[4,8] negate(x)
  ROOT r = (f32[4,6], f32[4,8]) tuple(y, n)
)",
                        R"(
  x = f32[2,4] parameter(0)
  w = f32[4,6] parameter(1)
  s = f32[2,4] sine(x)
  c = f32[2,4] cosine(x)
  t = f32[2,4] divide(s, c)
  d = f32[2,6] dot(t, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[2,6] all-reduce(d), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add
  n = f32[2,4] negate(x)
  ROOT r = (f32[2,6], f32[2,4]) tuple(y, n)
)",
                        R"([[["dp"],["tp"]], [["tp"],[]]])", R"([[["dp"],[]], [["dp"],["tp"]]])"};

const std::string kEqual = "equal:t:t:[[\"dp\"],[\"tp\"]]";

ProofResult proof_under(Case& c, const std::string& text) {
  ProverOptions options;
  options.equal.push_back(parse_equal(c, text));
  return prove(c, options);
}

TEST(Assumed, ProvesTheRest) {
  Case c = load_pair(kTangent);
  EXPECT_FALSE(prove(c).proved);
  const ProofResult proof = proof_under(c, kEqual);
  ASSERT_TRUE(proof.proved && proof.certificate);
  const std::string text = print_certificate(*proof.certificate);
  EXPECT_NE(text.find("assume equal main/%t main/%t [[\"dp\"],[\"tp\"]]\n"), std::string::npos) << text;
  const CheckResult checked = check_certificate(text, "", c);
  EXPECT_TRUE(checked.accepted) << checked.problem;
  EXPECT_EQ(std::count_if(checked.assumptions.begin(), checked.assumptions.end(),
                          [](const Assumption& a) { return a.kind == AssumptionKind::Equal; }),
            1);
}

TEST(Assumed, SaysNothingOfWhatFollows) {  // a defect behind the assumed value is none the less one
  PairText p = kTangent;
  p.distributed = replaced(p.distributed, "{{0,1},{2,3}}", "{{0,2},{1,3}}");
  Case c = load_pair(p);
  EXPECT_FALSE(proof_under(c, kEqual).proved);
}

TEST(Assumed, RunsContradictIt) {
  PairText p = kTangent;
  p.sequential = replaced(p.sequential, "x = f32[4,8] parameter(0)", "x = f32[4,8] parameter(0)\n  z = f32[4,8] tan(x)");
  p.sequential = replaced(p.sequential, "t = f32[4,8] tan(x)", "t = f32[4,8] negate(z)");
  Case c = load_pair(p);
  EXPECT_TRUE(proof_under(c, kEqual).proved);  // whatever it is: the assumption stands in the certificate ...
  const auto text = contradiction(c, parse_equal(c, kEqual), {});
  ASSERT_TRUE(text);  // ... and a run contradicts it
  EXPECT_NE(text->find("main/%t is not main/%t in a run: rank 0, element 0"), std::string::npos) << *text;
  Case right = load_pair(kTangent);
  EXPECT_FALSE(contradiction(right, parse_equal(right, kEqual), {}));
}

TEST(Assumed, TheCertificateMustFitThePrograms) {
  Case c = load_pair(kTangent);
  const ProofResult proof = proof_under(c, kEqual);
  ASSERT_TRUE(proof.certificate);
  const auto changed = [&](const std::string& instance, const std::string& placement) {
    Certificate certificate = *proof.certificate;
    for (Assumption& a : certificate.assumptions) {
      if (a.kind == AssumptionKind::Equal) a.arguments = {"main/%t", instance, placement};
    }
    return check_certificate(print_certificate(certificate), "", c).accepted;
  };
  EXPECT_TRUE(changed("main/%t", R"([["dp"],["tp"]])"));
  EXPECT_FALSE(changed("main/%s", R"([["dp"],["tp"]])"));  // says nothing of %t
  EXPECT_FALSE(changed("main/%none", R"([["dp"],["tp"]])"));
  EXPECT_FALSE(changed("main/%t", R"([["tp"],["dp"]])"));
  EXPECT_FALSE(changed("main/%t", R"([["dp"],[]])"));
  EXPECT_FALSE(changed("main/%x", R"([["dp"],["tp"]])"));  // a parameter is placed by the relation
}

TEST(Assumed, BadTexts) {
  const Case c = load_pair(kTangent);
  for (const std::string text : {"equal:t", "same:t:t", "equal:none:t", "equal:t:none", "equal:t:t", "equal:t:t:[[\"dp\"]]",
                                 "equal:t:t:[[\"dp\"],[\"qp\"]]", "equal:r:t", "equal::", ""}) {
    EXPECT_THROW(parse_equal(c, text), InputError) << text;
  }
}

TEST(Assumed, RunsProposeIt) {
  Case c = load_pair(kTangent);
  const ProofResult proof = prove(c);
  const auto theorem = conditional(c, c, proof, {}, {}, "");
  ASSERT_TRUE(theorem);
  EXPECT_EQ(theorem->outputs, (std::vector<int>{0, 1}));
  ASSERT_EQ(theorem->assumptions.size(), 1U);
  EXPECT_EQ(to_string(theorem->assumptions[0]), "equal(main/%t,main/%t,[[\"dp\"],[\"tp\"]])");
}

TEST(Assumed, NotOfAnOutputItself) {
  PairText p = kTangent;
  p.sequential = replaced(p.sequential, "(f32[4,6], f32[4,8]) tuple(y, n)", "(f32[4,8], f32[4,8]) tuple(t, n)");
  p.distributed = replaced(p.distributed, "(f32[2,6], f32[2,4]) tuple(y, n)", "(f32[2,4], f32[2,4]) tuple(t, n)");
  p.outputs = R"([[["dp"],["tp"]], [["dp"],["tp"]]])";
  Case c = load_pair(p);
  EXPECT_FALSE(conditional(c, c, prove(c), {}, {}, ""));
}

}  // namespace
}  // namespace gg
