// Literals as closed forms in certificates: the checker rounds each form itself.
#include <algorithm>
#include <array>

#include "prover/checker/checker.h"
#include "prover/prover.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

PairText twelfths() {
  PairText p;
  p.sequential = "x = f32[4] parameter(0)  l0 = f32[] constant(0.0833333358)  l = f32[4] broadcast(l0), dimensions={}  ROOT r = f32[4] multiply(x, l)";
  p.distributed = "x = f32[4] parameter(0)  l0 = f32[] constant(12)  l = f32[4] broadcast(l0), dimensions={}  ROOT r = f32[4] divide(x, l)";
  p.inputs = p.outputs = R"(["replicated"])";
  return p;
}

std::string problem_of(Certificate certificate, Case& c, std::vector<Assumption> readings) {
  std::erase_if(certificate.assumptions, [](const Assumption& a) { return a.kind == AssumptionKind::Literal; });
  std::ranges::move(readings, std::back_inserter(certificate.assumptions));
  std::ranges::sort(certificate.assumptions);
  const CheckResult result = check_certificate(print_certificate(certificate), "", c);
  return result.accepted ? "" : result.problem;
}

TEST(ClosedLiterals, FormsAreRoundedAgain) {
  Case c = load_pair(twelfths());
  const ProofResult proof = prove(c);
  ASSERT_TRUE(proof.proved);
  const auto literal = [](const char* type, const char* value, const char* form) { return Assumption{AssumptionKind::Literal, {type, value, form}}; };
  const Certificate& own = *proof.certificate;
  EXPECT_EQ(problem_of(own, c, {literal("f32", "0.083333336", "1/12")}), "");
  EXPECT_NE(problem_of(own, c, {}), "");
  for (const auto& [type, value, form] : {std::array{"f32", "0.083333336", "1/13"}, {"f32", "0.083333336", "sqrt(1/12)"}, {"f32", "0.083333336", "-1/12"}, {"f32", "0.083333328", "1/12"}, {"f64", "0.083333336", "1/12"}, {"bf16", "0.083333336", "1/12"}, {"f32", "0.083333336", "1/12x"}, {"f32", "0.5", "1/2"}, {"f32", "12", "12"}, {"f32", "nan", "1/12"}, {"f32", "0.083333336", "sqrt("}, {"f32", "0.083333336", "1/0"}}) {
    EXPECT_NE(problem_of(own, c, {literal(type, value, form)}), "") << type << value << form;
  }
  EXPECT_NE(problem_of(own, c, {literal("f32", "0.083333336", "1/12"), literal("f32", "0.0833333358", "1/12")}), "");
}

TEST(ClosedLiterals, ATieIsNoRounding) {
  Case c = load_pair(twelfths());
  const ProofResult proof = prove(c);
  ASSERT_TRUE(proof.proved);
  // 1/12 rounds to 11184811 * 2^-27; the ends of its interval are odd multiples of 2^-28.
  for (const char* form : {"22369621/268435456", "22369623/268435456"}) {
    EXPECT_NE(problem_of(*proof.certificate, c, {{AssumptionKind::Literal, {"f32", "0.083333336", form}}}).find("does not round"), std::string::npos) << form;
  }
}

}  // namespace
}  // namespace gg
