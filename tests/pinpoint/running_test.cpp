// A running sum in the body of a loop that is not rescaled when its maximum grows: the edit is inside the body.
#include <gtest/gtest.h>

#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "tests/pinpoint/pair.h"

namespace gg::pinpoint {
namespace {

constexpr const char* kSequential = R"(q: f32[4], k: f32[4], v: f32[4]) -> f32[4] {
 %s = f32[4,4] dot(%q, %k), lhs_contracting_dims={}, rhs_contracting_dims={}
 %low = f32[] constant(-inf)
 %m = f32[4] reduce(%s, %low), dimensions={1}, to_apply=%max
 %mm = f32[4,4] broadcast(%m), dimensions={0}
 %d = f32[4,4] subtract(%s, %mm)
 %e = f32[4,4] exponential(%d)
 %l = f32[4] reduce(%e, %zero), dimensions={1}, to_apply=%sum
 %o = f32[4] dot(%e, %v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
 ROOT %y = f32[4] divide(%o, %l)
)";

constexpr const char* kDistributed = R"(HloModule m, num_partitions=2
%sum (a: f32[], b: f32[]) -> f32[] {
 %a = f32[] parameter(0)
 %b = f32[] parameter(1)
 ROOT %sum_r = f32[] add(%a, %b)
}
%max (c: f32[], d: f32[]) -> f32[] {
 %c = f32[] parameter(0)
 %d = f32[] parameter(1)
 ROOT %max_r = f32[] maximum(%c, %d)
}
%step (p: (s32[], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2])) -> (s32[], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) {
 %p = (s32[], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) parameter(0)
 %i = s32[] get-tuple-element(%p), index=0
 %q = f32[2] get-tuple-element(%p), index=1
 %k = f32[2] get-tuple-element(%p), index=2
 %v = f32[2] get-tuple-element(%p), index=3
 %m = f32[2] get-tuple-element(%p), index=4
 %o = f32[2] get-tuple-element(%p), index=5
 %l = f32[2] get-tuple-element(%p), index=6
 %zero = f32[] constant(0)
 %low = f32[] constant(-inf)
 %s = f32[2,2] dot(%q, %k), lhs_contracting_dims={}, rhs_contracting_dims={}
 %x = f32[2] reduce(%s, %low), dimensions={1}, to_apply=%max
 %n = f32[2] maximum(%m, %x)
 %nn = f32[2,2] broadcast(%n), dimensions={0}
 %t = f32[2,2] subtract(%s, %nn)
 %e = f32[2,2] exponential(%t)
 %el = f32[2] reduce(%e, %zero), dimensions={1}, to_apply=%sum
 %eo = f32[2] dot(%e, %v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
 %g = f32[2] subtract(%m, %n)
 %f = f32[2] exponential(%g)
 %lf = f32[2] multiply(%l, %f)
 %ln = f32[2] add(%lf, %el)
 %on = f32[2] add(%o, %eo)
 %kn = f32[2] collective-permute(%k), channel_id=1, source_target_pairs={{0,1},{1,0}}
 %vn = f32[2] collective-permute(%v), channel_id=2, source_target_pairs={{0,1},{1,0}}
 %one = s32[] constant(1)
 %in = s32[] add(%i, %one)
 ROOT %r = (s32[], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) tuple(%in, %q, %kn, %vn, %n, %on, %ln)
}
%more (p2: (s32[], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2])) -> pred[] {
 %p2 = (s32[], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) parameter(0)
 %i2 = s32[] get-tuple-element(%p2), index=0
 %two = s32[] constant(2)
 ROOT %less = pred[] compare(%i2, %two), direction=LT
}
ENTRY %main (q0: f32[2], k0: f32[2], v0: f32[2]) -> f32[2] {
 %q0 = f32[2] parameter(0)
 %k0 = f32[2] parameter(1)
 %v0 = f32[2] parameter(2)
 %none = s32[] constant(0)
 %zero0 = f32[] constant(0)
 %start = f32[2] broadcast(%zero0), dimensions={}
 %lowest = f32[] constant(-1e+09)
 %m0 = f32[2] broadcast(%lowest), dimensions={}
 %init = (s32[], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) tuple(%none, %q0, %k0, %v0, %m0, %start, %start)
 %w = (s32[], f32[2], f32[2], f32[2], f32[2], f32[2], f32[2]) while(%init), condition=%more, body=%step
 %num = f32[2] get-tuple-element(%w), index=5
 %den = f32[2] get-tuple-element(%w), index=6
 ROOT %y = f32[2] divide(%num, %den)
}
)";

Case in_a_loop() {
  Case c;
  c.name = "loop";
  c.arena = std::make_unique<Arena>();
  c.sequential = std::make_unique<Module>(parse_hlo(module_text(kSequential, 1), "sequential.hlo"));
  c.distributed = std::make_unique<Module>(parse_hlo(kDistributed, "distributed.hlo"));
  c.relation_text = R"({"mesh": [["tp", 2]], "inputs": [[["tp"]], [["tp"]], [["tp"]]], "outputs": [[["tp"]]]})";
  c.relation = read_relation(*c.arena, c.relation_text, "relation.json", *c.sequential, *c.distributed);
  c.sequential_bodies = std::make_unique<BodyTable>(*c.arena, *c.sequential, RankDigits(), RankLayout());
  c.distributed_bodies = std::make_unique<BodyTable>(*c.arena, *c.distributed, c.relation.digits, c.relation.layout);
  infer_ranges(c);
  return c;
}

TEST(RunningSum, OfALoopIsRescaledInItsBody) {
  Case c = in_a_loop();
  const Pinpointed found = found_in(c, run_pair(c, {}));
  ASSERT_FALSE(found.defects.empty());
  EXPECT_EQ(c.distributed->name_of(found.defects[0].place), "on") << found.defects[0].text;
  EXPECT_EQ(info(found.defects[0].diagnosis).id, "GG-D023");
  ASSERT_FALSE(found.mends.empty());
  EXPECT_TRUE(found.mends[0].mends);
  EXPECT_NE(print_hlo(*found.mends[0].module).find("%on = f32[2]{0} add(%mend_multiply, %eo)"), std::string::npos) << print_hlo(*found.mends[0].module);
}

}  // namespace
}  // namespace gg::pinpoint
