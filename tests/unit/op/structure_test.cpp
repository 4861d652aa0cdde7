// Operators without a body are typed as the text says: structure and opaque ones, in all their forms.
#include "op_case.h"

namespace gg::testing {
namespace {

const std::string kNegate =
    "%n (a: f32[2]) -> f32[2] {\n  %a = f32[2] parameter(0)\n  ROOT %r = f32[2] negate(%a)\n}\n\n";
const std::string kOther = "%o (a: f32[2]) -> f32[2] {\n  ROOT %a = f32[2] parameter(0)\n}\n\n";
const std::string kBelow =
    "%c (a: s32[]) -> pred[] {\n  %a = s32[] parameter(0)\n  %n = s32[] constant(3)\n"
    "  ROOT %r = pred[] compare(%a, %n), direction=LT\n}\n\n"
    "%b (a: s32[]) -> s32[] {\n  %a = s32[] parameter(0)\n  ROOT %r = s32[] add(%a, %a)\n}\n\n";
const std::string kLess =
    "%l (a: f32[], b: f32[]) -> pred[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  ROOT %r = pred[] compare(%a, %b), direction=LT\n}\n\n";
const std::string kLessOfTwo =
    "%l (a: f32[], b: f32[], c: s32[], d: s32[]) -> pred[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  %c = s32[] parameter(2)\n  %d = s32[] parameter(3)\n  ROOT %r = pred[] compare(%a, %b), direction=LT\n}\n\n";

class Structure : public ::testing::TestWithParam<OpCase> {};

TEST_P(Structure, IsTypedAndHasNoBody) {
  const OpCase& c = GetParam();
  SCOPED_TRACE(text_of(c));
  EXPECT_NE(reason_of(c), "");
}

class Choice : public ::testing::TestWithParam<OpCase> {};

// Over the results of its branches, not over its operands (models/ir/flatten.h).
TEST_P(Choice, HasABodyOverTheResultsOfItsBranches) {
  const OpCase& c = GetParam();
  const Module module = parse_hlo(text_of(c), "test.hlo");
  Arena arena;
  BodyTable table(arena, module, RankDigits(), RankLayout());
  const Body* body = table.body(module.computation(module.entry()).root);
  ASSERT_NE(body, nullptr) << text_of(c);
  const std::string text = arena.print(body->root);
  const bool number = c.name.find("Number") != std::string::npos;
  EXPECT_EQ(text, number ? "select(x0[] == 0, x1[i], select(x0[] == 1, x2[i], x3[i]))" : "select(x0[], x1[i], x2[i])");
}

std::vector<OpCase> forms_of_choice() {
  return {
      OpCase{"ConditionalByPred",
             {"pred[]", "f32[2]"},
             "f32[2] conditional(%p0, %p1, %p1), true_computation=%n, false_computation=%o",
             {},
             {},
             kNegate + kOther},
      OpCase{"ConditionalByPredAndBranches",
             {"pred[]", "f32[2]"},
             "f32[2] conditional(%p0, %p1, %p1), branch_computations={%n, %o}",
             {},
             {},
             kNegate + kOther},
      OpCase{"ConditionalByNumber",
             {"s32[]", "f32[2]"},
             "f32[2] conditional(%p0, %p1, %p1, %p1), branch_computations={%n, %o, %n}",
             {},
             {},
             kNegate + kOther}};
}

INSTANTIATE_TEST_SUITE_P(Forms, Choice, ::testing::ValuesIn(forms_of_choice()), case_name);

std::vector<OpCase> forms_of_structure() {
  return {
      OpCase{"AfterAll", {"token[]", "token[]"}, "token[] after-all(%p0, %p1)", {}, {}},
      OpCase{"AfterNothing", {}, "token[] after-all()", {}, {}},
      OpCase{"Call", {"f32[2]"}, "f32[2] call(%p0), to_apply=%n", {}, {}, kNegate},
      OpCase{"Fusion", {"f32[2]"}, "f32[2] fusion(%p0), kind=kLoop, calls=%n", {}, {}, kNegate},
      OpCase{"GetTupleElement",
             {"(f32[2], (s32[], pred[3]))"},
             "(s32[], pred[3]) get-tuple-element(%p0), index=1",
             {},
             {}},
      OpCase{"OptimizationBarrier", {"(f32[2], s32[])"}, "(f32[2], s32[]) opt-barrier(%p0)", {}, {}},
      OpCase{"Sort", {"f32[2,3]"}, "f32[2,3] sort(%p0), dimensions={1}, is_stable=true, to_apply=%l", {}, {}, kLess},
      OpCase{"SortPairs",
             {"f32[3]", "s32[3]"},
             "(f32[3], s32[3]) sort(%p0, %p1), dimensions={0}, to_apply=%l",
             {},
             {},
             kLessOfTwo},
      OpCase{"TopK", {"f32[2,3]"}, "(f32[2,2], s32[2,2]) topk(%p0), k=2, largest=true", {}, {}},
      OpCase{"TupleOfNothing", {}, "() tuple()", {}, {}},
      OpCase{"TupleNested", {"f32[2]", "(s32[], token[])"}, "(f32[2], (s32[], token[])) tuple(%p0, %p1)", {}, {}},
      OpCase{"While", {"s32[]"}, "s32[] while(%p0), condition=%c, body=%b", {}, {}, kBelow}};
}

INSTANTIATE_TEST_SUITE_P(Forms, Structure, ::testing::ValuesIn(forms_of_structure()), case_name);

}  // namespace
}  // namespace gg::testing
