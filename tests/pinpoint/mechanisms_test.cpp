// Defects as they were reported, each as a small pair: is the instruction blamed, is the cause told, does an edit mend the
// program? The reference of each row is the report that describes the mechanism.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/ir/verify.h"
#include "tests/pinpoint/pair.h"

namespace gg::pinpoint {
namespace {

struct Mechanism {
  const char* name;
  const char* reference;
  const char* relation;    ///< "inputs": ..., "outputs": ...
  const char* sequential;  ///< parameters and body
  const char* distributed;
  std::set<std::string> places;     ///< accepted
  std::set<std::string> diagnoses;  ///< accepted for the first finding
  int ranks = 2;
};

// AR(x) stands for an all-reduce of x over all ranks, AR02(x) for one over {0,2},{1,3}.
const Mechanism kMechanisms[] = {
    {"norm_weight_grad_of_sequence_shards", "NVIDIA/Megatron-LM#1446", R"("inputs": [[["tp"],[]], [["tp"],[]]], "outputs": [[[]]])", "x: f32[4,3], dy: f32[4,3]) -> f32[3] {\n %m = f32[4,3] multiply(%x, %dy)\n ROOT %dw = f32[3] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n", "x: f32[2,3], dy: f32[2,3]) -> f32[3] {\n %m = f32[2,3] multiply(%x, %dy)\n ROOT %dw = f32[3] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n", {"dw"}, {"GG-D001"}},
    {"bias_before_the_row_parallel_reduction", "reported as added tp times in row-parallel layers", R"("inputs": [[[],["tp"]], [["tp"],[]], [[]]], "outputs": [[[],[]]])",
     "x: f32[2,4], w: f32[4,3], b: f32[3]) -> f32[2,3] {\n %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " %bb = f32[2,3] broadcast(%b), dimensions={1}\n ROOT %y = f32[2,3] add(%d, %bb)\n",
     "x: f32[2,2], w: f32[2,3], b: f32[3]) -> f32[2,3] {\n %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " %bb = f32[2,3] broadcast(%b), dimensions={1}\n %y = f32[2,3] add(%d, %bb)\n ROOT %r = f32[2,3] AR(%y)\n",
     {"r"},
     {"GG-D005"}},
    {"shared_expert_left_partial", "shared expert without its reduction", R"("inputs": [[[],["tp"]], [["tp"],[]], [[],[]]], "outputs": [[[],[]]])",
     "x: f32[2,4], w: f32[4,3], s: f32[2,3]) -> f32[2,3] {\n %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " ROOT %y = f32[2,3] add(%d, %s)\n",
     "x: f32[2,2], w: f32[2,3], s: f32[2,3]) -> f32[2,3] {\n %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " ROOT %y = f32[2,3] add(%d, %s)\n",
     {"d"},
     {"GG-D001"}},
    {"a_rotation_too_many", "a value put together again of its pieces in another order", R"("inputs": [[["tp"],[]], [["tp"],[]]], "outputs": [[["tp"],[]]])", "x: f32[4,4], w: f32[4,4]) -> f32[4,4] {\n %e = f32[4,4] exponential(%x)\n ROOT %y = f32[4,4] multiply(%e, %w)\n",
     "x: f32[2,4], w: f32[2,4]) -> f32[2,4] {\n %e = f32[2,4] exponential(%x)\n %last = f32[2,1] slice(%e), slice={[0:2], [3:4]}\n"
     " %others = f32[2,3] slice(%e), slice={[0:2], [0:3]}\n %turned = f32[2,4] concatenate(%last, %others), dimensions={1}\n ROOT %y = f32[2,4] multiply(%turned, %w)\n",
     {"turned"},
     {"GG-D012"}},
    {"reduced_twice", "NVIDIA/Megatron-LM#6839", R"("inputs": [[[],["tp"]], [["tp"],[]]], "outputs": [[[],[]]])", "x: f32[2,4], w: f32[4,3]) -> f32[2,3] {\n %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n ROOT %y = f32[2,3] tanh(%d)\n",
     "x: f32[2,2], w: f32[2,3]) -> f32[2,3] {\n %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " %a = f32[2,3] AR(%d)\n %b = f32[2,3] AR(%a)\n ROOT %y = f32[2,3] tanh(%b)\n",
     {"a", "b"},
     {"GG-D002"}},
    {"a_sum_starts_where_a_maximum_does", "an operand of another reduction, of which the constant is not wrong", R"("inputs": [[["tp"],[]]], "outputs": [[["tp"]]])",
     "x: f32[4,3]) -> f32[4] {\n %low = f32[] constant(-inf)\n %m = f32[4] reduce(%x, %low), dimensions={1}, to_apply=%max\n"
     " %s = f32[4] reduce(%x, %zero), dimensions={1}, to_apply=%sum\n %p = f32[4] multiply(%m, %s)\n %z = f32[4] broadcast(%zero), dimensions={}\n ROOT %y = f32[4] add(%p, %z)\n",
     "x: f32[2,3]) -> f32[2] {\n %low = f32[] constant(-inf)\n %m = f32[2] reduce(%x, %low), dimensions={1}, to_apply=%max\n"
     " %s = f32[2] reduce(%x, %low), dimensions={1}, to_apply=%sum\n %p = f32[2] multiply(%m, %s)\n %z = f32[2] broadcast(%zero), dimensions={}\n ROOT %y = f32[2] add(%p, %z)\n",
     {"s"},
     {"GG-D015"}},
    {"mean_of_masked_means", "huggingface/transformers gradient accumulation, Entangle bug 6", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[]], "ranges": {"1": [0.25, 1]})",
     "l: f32[4], m: f32[4]) -> f32[] {\n %lm = f32[4] multiply(%l, %m)\n %s = f32[] reduce(%lm, %zero), dimensions={0}, to_apply=%sum\n"
     " %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n ROOT %q = f32[] divide(%s, %n)\n",
     "l: f32[2], m: f32[2]) -> f32[] {\n %lm = f32[2] multiply(%l, %m)\n %s = f32[] reduce(%lm, %zero), dimensions={0}, to_apply=%sum\n"
     " %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n %q = f32[] divide(%s, %n)\n %two = f32[] constant(2)\n"
     " %a = f32[] AR(%q)\n ROOT %r = f32[] divide(%a, %two)\n",
     {"n"},
     {"GG-D017"}},
    {"microbatch_gradients_summed", "gradient accumulation without the mean", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]]])",
     "g: f32[4], h: f32[4]) -> f32[4] {\n %s = f32[4] add(%g, %h)\n %c = f32[] constant(3)\n %cc = f32[4] broadcast(%c), dimensions={}\n"
     " ROOT %m = f32[4] divide(%s, %cc)\n",
     "g: f32[2], h: f32[2]) -> f32[2] {\n ROOT %s = f32[2] add(%g, %h)\n",
     {"s"},
     {"GG-D003"}},
    {"mean_over_the_wrong_number_of_ranks", "expert gradients divided by dp instead of dp times ep (databricks/megablocks#86)", R"("inputs": [[["tp"],[]]], "outputs": [[[]]])",
     "x: f32[4,3]) -> f32[3] {\n %s = f32[3] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n %c = f32[] constant(4)\n"
     " %cc = f32[3] broadcast(%c), dimensions={}\n ROOT %m = f32[3] divide(%s, %cc)\n",
     "x: f32[2,3]) -> f32[3] {\n %s = f32[3] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n %c = f32[] constant(2)\n"
     " %cc = f32[3] broadcast(%c), dimensions={}\n %d = f32[3] divide(%s, %cc)\n ROOT %m = f32[3] AR(%d)\n",
     {"c"},
     {"GG-D003", "GG-D015"}},
    {"logarithm_before_the_reduction", "vocabulary-parallel cross entropy, logs summed over ranks", R"("inputs": [[["tp"]]], "outputs": [[]])", "x: f32[4]) -> f32[] {\n %e = f32[4] exponential(%x)\n %s = f32[] reduce(%e, %zero), dimensions={0}, to_apply=%sum\n ROOT %l = f32[] log(%s)\n",
     "x: f32[2]) -> f32[] {\n %e = f32[2] exponential(%x)\n %s = f32[] reduce(%e, %zero), dimensions={0}, to_apply=%sum\n %l = f32[] log(%s)\n"
     " ROOT %r = f32[] AR(%l)\n",
     {"r"},
     {"GG-D006"}},
    {"maximum_before_the_reduction", "max(P) on a partial sum", R"("inputs": [[["tp"],[]]], "outputs": [[[]]])",
     "x: f32[4,3]) -> f32[3] {\n %s = f32[3] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n %z = f32[3] broadcast(%zero), dimensions={}\n"
     " ROOT %m = f32[3] maximum(%s, %z)\n",
     "x: f32[2,3]) -> f32[3] {\n %s = f32[3] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n %z = f32[3] broadcast(%zero), dimensions={}\n"
     " %m = f32[3] maximum(%s, %z)\n ROOT %r = f32[3] AR(%m)\n",
     {"r"},
     {"GG-D006"}},
    {"replicated_parameter_in_the_clip_norm", "norm of replicated parameters counted tp times", R"("inputs": [[[]], [["tp"]]], "outputs": [[]])",
     "p: f32[3], q: f32[4]) -> f32[] {\n %pp = f32[3] multiply(%p, %p)\n %qq = f32[4] multiply(%q, %q)\n"
     " %a = f32[] reduce(%pp, %zero), dimensions={0}, to_apply=%sum\n %b = f32[] reduce(%qq, %zero), dimensions={0}, to_apply=%sum\n"
     " %s = f32[] add(%a, %b)\n ROOT %n = f32[] sqrt(%s)\n",
     "p: f32[3], q: f32[2]) -> f32[] {\n %pp = f32[3] multiply(%p, %p)\n %qq = f32[2] multiply(%q, %q)\n"
     " %a = f32[] reduce(%pp, %zero), dimensions={0}, to_apply=%sum\n %b = f32[] reduce(%qq, %zero), dimensions={0}, to_apply=%sum\n"
     " %s = f32[] add(%a, %b)\n %r = f32[] AR(%s)\n ROOT %n = f32[] sqrt(%r)\n",
     {"r"},
     {"GG-D005"}},
    {"own_rows_of_a_partial_gradient", "NVIDIA-NeMo/Automodel#1260: backward of a gather slices its own gradient", R"("inputs": [[["tp"],[]], [["tp"],[]]], "outputs": [[["tp"],[]]])", "x: f32[6,4], dy: f32[6,3]) -> f32[4,3] {\n ROOT %g = f32[4,3] dot(%x, %dy), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n",
     "x: f32[3,4], dy: f32[3,3]) -> f32[2,3] {\n %g = f32[4,3] dot(%x, %dy), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
     " %id = u32[] partition-id()\n %i = s32[] convert(%id)\n %two = s32[] constant(2)\n %at = s32[] multiply(%i, %two)\n %no = s32[] constant(0)\n"
     " ROOT %own = f32[2,3] dynamic-slice(%g, %at, %no), dynamic_slice_sizes={2,3}\n",
     {"g"},
     {"GG-D001"}},
    {"gradient_of_one_stage_only", "tied embedding: the update takes one of two gradients", R"("inputs": [[[]], [["tp"],[]], [["tp"],[]]], "outputs": [[[]], [[]]])",
     "w: f32[3], x: f32[4,3], y: f32[4,3]) -> (f32[3], f32[3]) {\n %a = f32[3] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n"
     " %b = f32[3] reduce(%y, %zero), dimensions={0}, to_apply=%sum\n %g = f32[3] add(%a, %b)\n %n = f32[3] subtract(%w, %g)\n"
     " ROOT %t = (f32[3], f32[3]) tuple(%n, %b)\n",
     "w: f32[3], x: f32[2,3], y: f32[2,3]) -> (f32[3], f32[3]) {\n %a = f32[3] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n"
     " %b = f32[3] reduce(%y, %zero), dimensions={0}, to_apply=%sum\n %ra = f32[3] AR(%a)\n %rb = f32[3] AR(%b)\n"
     " %n = f32[3] subtract(%w, %ra)\n ROOT %t = (f32[3], f32[3]) tuple(%n, %rb)\n",
     {"n", "ra"},
     {"GG-D023", "GG-D018", "GG-D025"}},
    {"own_chunk_in_both_ring_steps", "NVIDIA/TransformerEngine#1557", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]]])",
     "x: f32[4], k: f32[4]) -> f32[4] {\n %s = f32[] reduce(%k, %zero), dimensions={0}, to_apply=%sum\n %ss = f32[4] broadcast(%s), dimensions={}\n"
     " ROOT %y = f32[4] multiply(%x, %ss)\n",
     "x: f32[2], k: f32[2]) -> f32[2] {\n %a = f32[] reduce(%k, %zero), dimensions={0}, to_apply=%sum\n"
     " %p = f32[2] collective-permute(%k), channel_id=2, source_target_pairs={{0,1},{1,0}}\n"
     " %b = f32[] reduce(%k, %zero), dimensions={0}, to_apply=%sum\n %s = f32[] add(%a, %b)\n %ss = f32[2] broadcast(%s), dimensions={}\n"
     " ROOT %y = f32[2] multiply(%x, %ss)\n",
     {"a", "b", "s"},
     {"GG-D018", "GG-D001", "GG-D005"}},
    {"positions_without_offset", "rotary positions start at 0 on every rank of a sequence shard", R"("inputs": [[["tp"]]], "outputs": [[["tp"]]])", "x: f32[4]) -> f32[4] {\n %i = s32[4] iota(), iota_dimension=0\n %f = f32[4] convert(%i)\n %c = f32[4] cosine(%f)\n ROOT %y = f32[4] multiply(%x, %c)\n", "x: f32[2]) -> f32[2] {\n %i = s32[2] iota(), iota_dimension=0\n %f = f32[2] convert(%i)\n %c = f32[2] cosine(%f)\n ROOT %y = f32[2] multiply(%x, %c)\n", {"i"}, {"GG-D011"}},
    {"prefix_sum_of_the_own_block", "cumulative sum over a sharded dimension", R"("inputs": [[["tp"]]], "outputs": [[["tp"]]])", "x: f32[4]) -> f32[4] {\n ROOT %c = f32[4] reduce-window(%x, %zero), window={size=4 pad=3_0}, to_apply=%sum\n", "x: f32[2]) -> f32[2] {\n ROOT %c = f32[2] reduce-window(%x, %zero), window={size=2 pad=1_0}, to_apply=%sum\n", {"c"}, {"GG-D022"}},
    {"reduced_over_the_other_axis", "all-reduce over dp instead of tp", R"("inputs": [[["dp"],["tp"]], [["tp"],[]]], "outputs": [[["dp"],[]]])", "x: f32[2,4], w: f32[4,3]) -> f32[2,3] {\n ROOT %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n", "x: f32[1,2], w: f32[2,3]) -> f32[1,3] {\n %d = f32[1,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n ROOT %r = f32[1,3] AR02(%d)\n", {"r"}, {"GG-D007"}, 4},
    {"shared_key_gradient_not_reduced", "NVIDIA/Megatron-LM#6838 and its review", R"("inputs": [[[]], [["tp"],[]]], "outputs": [[[]]])",
     "k: f32[3], q: f32[4,3]) -> f32[3] {\n %kk = f32[4,3] broadcast(%k), dimensions={1}\n %t = f32[4,3] multiply(%kk, %q)\n"
     " %c = f32[4,3] cosine(%t)\n %m = f32[4,3] multiply(%c, %q)\n ROOT %g = f32[3] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n",
     "k: f32[3], q: f32[2,3]) -> f32[3] {\n %kk = f32[2,3] broadcast(%k), dimensions={1}\n %t = f32[2,3] multiply(%kk, %q)\n"
     " %c = f32[2,3] cosine(%t)\n %m = f32[2,3] multiply(%c, %q)\n ROOT %g = f32[3] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n",
     {"g"},
     {"GG-D001"}},
    {"different_tokens_summed", "tensor-parallel reduction fed with different tokens on each rank", R"("inputs": [[["tp"],[]], [[],[]]], "outputs": [[["tp"],[]]])", "x: f32[4,3], w: f32[3,2]) -> f32[4,2] {\n ROOT %d = f32[4,2] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n", "x: f32[2,3], w: f32[3,2]) -> f32[2,2] {\n %d = f32[2,2] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n ROOT %r = f32[2,2] AR(%d)\n", {"r"}, {"GG-D002"}},
    {"transpose_left_out", "[B,S,H] against [S,B,H] with B equal to S", R"("inputs": [[[],[]], [[],["tp"]]], "outputs": [[[],["tp"]]])",
     "x: f32[3,3], w: f32[3,4]) -> f32[3,4] {\n %t = f32[3,3] transpose(%x), dimensions={1,0}\n"
     " ROOT %d = f32[3,4] dot(%t, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
     "x: f32[3,3], w: f32[3,2]) -> f32[3,2] {\n ROOT %d = f32[3,2] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
     {"d", "x"},
     {"GG-D016"}},
    {"dropped_term", "auxiliary loss not attached: its gradient is left out", R"("inputs": [[["tp"]], [["tp"]], [["tp"]]], "outputs": [[["tp"]]])", "a: f32[4], b: f32[4], c: f32[4]) -> f32[4] {\n %p = f32[4] multiply(%a, %b)\n %q = f32[4] multiply(%b, %c)\n ROOT %y = f32[4] add(%p, %q)\n", "a: f32[2], b: f32[2], c: f32[2]) -> f32[2] {\n ROOT %p = f32[2] multiply(%a, %b)\n", {"p"}, {"GG-D023"}},
    {"rows_of_other_ranks_looked_up", "vocabulary-parallel embedding without its range mask (TTrace)", R"("inputs": [[[]], [["tp"],[]]], "outputs": [[[],[]]], "ranges": {"0": [0, 4]})",
     "t: s32[3], w: f32[4,2]) -> f32[3,2] {\n %i = s32[3,1] reshape(%t)\n"
     " ROOT %g = f32[3,2] gather(%w, %i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}\n",
     "t: s32[3], w: f32[2,2]) -> f32[3,2] {\n %id = u32[] partition-id()\n %r = s32[] convert(%id)\n %two = s32[] constant(2)\n %at = s32[] multiply(%r, %two)\n"
     " %o = s32[3] broadcast(%at), dimensions={}\n %l = s32[3] subtract(%t, %o)\n %i = s32[3,1] reshape(%l)\n"
     " %g = f32[3,2] gather(%w, %i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}\n"
     " ROOT %y = f32[3,2] AR(%g)\n",
     {"g"},
     {"GG-D014"}},
    {"halo_from_the_wrong_side", "convolution halo sent to the opposite neighbour", R"("inputs": [[["tp"]]], "outputs": [[["tp"]]])", "x: f32[8]) -> f32[8] {\n %p = f32[9] pad(%x, %zero), padding=1_0\n %s = f32[8] slice(%p), slice={[0:8]}\n ROOT %y = f32[8] subtract(%x, %s)\n",
     "x: f32[2]) -> f32[2] {\n %e = f32[1] slice(%x), slice={[1:2]}\n"
     " %h = f32[1] collective-permute(%e), channel_id=2, source_target_pairs={{1,0},{2,1},{3,2}}\n %f = f32[1] slice(%x), slice={[0:1]}\n"
     " %s = f32[2] concatenate(%h, %f), dimensions={0}\n ROOT %y = f32[2] subtract(%x, %s)\n",
     {"h"},
     {"GG-D009"},
     4},
    {"dropped_reduction_of_a_transpose", "an all-reduce that became a copy is blamed where it stood", R"("inputs": [[[],["tp"]], [["tp"],[]]], "outputs": [[[],[]]])",
     "x: f32[2,4], w: f32[4,3]) -> f32[3,2] {\n %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " %t = f32[3,2] transpose(%d), dimensions={1,0}\n ROOT %y = f32[3,2] tanh(%t)\n",
     "x: f32[2,2], w: f32[2,3]) -> f32[3,2] {\n %d = f32[2,3] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " %t = f32[3,2] transpose(%d), dimensions={1,0}\n %was = f32[3,2] copy(%t)\n ROOT %y = f32[3,2] tanh(%was)\n",
     {"was"},
     {"GG-D001"}},
    {"value_left_unread", "a constant stands where a computed value was", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]]])",
     "a: f32[4], b: f32[4]) -> f32[4] {\n %half = f32[] constant(0.5)\n %h = f32[4] broadcast(%half), dimensions={}\n"
     " %q = f32[4] cosine(%b)\n %m = f32[4] multiply(%q, %h)\n ROOT %y = f32[4] multiply(%a, %m)\n",
     "a: f32[2], b: f32[2]) -> f32[2] {\n %half = f32[] constant(0.5)\n %h = f32[2] broadcast(%half), dimensions={}\n"
     " %q = f32[2] cosine(%b)\n %m = f32[2] multiply(%q, %h)\n ROOT %y = f32[2] multiply(%a, %h)\n",
     {"y"},
     {"GG-D018"}},
    {"microbatches_stored_one_step_early", "pipeline schedule whose outputs are stored one step early; the last step is left out", R"("inputs": [[[]], [["tp"]]], "outputs": [[[]]])",
     "x: f32[4], w: f32[2]) -> f32[4] {\n %a = f32[1] slice(%w), slice={[0:1]}\n %b = f32[1] slice(%w), slice={[1:2]}\n"
     " %as = f32[] reshape(%a)\n %bs = f32[] reshape(%b)\n %aa = f32[4] broadcast(%as), dimensions={}\n %bb = f32[4] broadcast(%bs), dimensions={}\n"
     " %p = f32[4] multiply(%x, %aa)\n %t = f32[4] tanh(%p)\n %y = f32[4] add(%x, %t)\n"
     " %q = f32[4] multiply(%y, %bb)\n %u = f32[4] tanh(%q)\n ROOT %z = f32[4] add(%y, %u)\n",
     "x: f32[4], w: f32[1]) -> f32[4] {\n %id = u32[] partition-id()\n %none = u32[] constant(0)\n %one = u32[] constant(1)\n"
     " %is_first = pred[] compare(%id, %none), direction=EQ\n %first = pred[2] broadcast(%is_first), dimensions={}\n"
     " %is_last = pred[] compare(%id, %one), direction=EQ\n %last = pred[2] broadcast(%is_last), dimensions={}\n"
     " %empty = f32[2] broadcast(%zero), dimensions={}\n %ws = f32[] reshape(%w)\n %ww = f32[2] broadcast(%ws), dimensions={}\n"
     " %m0 = f32[2] slice(%x), slice={[0:2]}\n %m1 = f32[2] slice(%x), slice={[2:4]}\n"
     " %s0 = f32[2] select(%first, %m0, %empty)\n %p0 = f32[2] multiply(%s0, %ww)\n %t0 = f32[2] tanh(%p0)\n %o0 = f32[2] add(%s0, %t0)\n"
     " %r0 = f32[2] collective-permute(%o0), channel_id=2, source_target_pairs={{0,1},{1,0}}\n"
     " %s1 = f32[2] select(%first, %m1, %r0)\n %p1 = f32[2] multiply(%s1, %ww)\n %t1 = f32[2] tanh(%p1)\n %o1 = f32[2] add(%s1, %t1)\n"
     " %k0 = f32[2] select(%last, %o0, %empty)\n %k1 = f32[2] select(%last, %o1, %empty)\n"
     " %c = f32[4] concatenate(%k0, %k1), dimensions={0}\n ROOT %r = f32[4] AR(%c)\n",
     {"k0"},
     {"GG-D018"}},
    {"ring_mask_of_local_numbers", "causal mask of a ring step from local row and column numbers", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]]])",
     "q: f32[4], k: f32[4]) -> f32[4] {\n %a = s32[4,4] iota(), iota_dimension=0\n %b = s32[4,4] iota(), iota_dimension=1\n"
     " %g = pred[4,4] compare(%a, %b), direction=GE\n %s = f32[4,4] dot(%q, %k), lhs_contracting_dims={}, rhs_contracting_dims={}\n"
     " %e = f32[4,4] exponential(%s)\n %z = f32[4,4] broadcast(%zero), dimensions={}\n %m = f32[4,4] select(%g, %e, %z)\n"
     " ROOT %y = f32[4] reduce(%m, %zero), dimensions={1}, to_apply=%sum\n",
     "q: f32[2], k: f32[2]) -> f32[2] {\n %a = s32[2,2] iota(), iota_dimension=0\n %b = s32[2,2] iota(), iota_dimension=1\n"
     " %g = pred[2,2] compare(%a, %b), direction=GE\n %s = f32[2,2] dot(%q, %k), lhs_contracting_dims={}, rhs_contracting_dims={}\n"
     " %e = f32[2,2] exponential(%s)\n %z = f32[2,2] broadcast(%zero), dimensions={}\n %m = f32[2,2] select(%g, %e, %z)\n"
     " %y = f32[2] reduce(%m, %zero), dimensions={1}, to_apply=%sum\n"
     " %n = f32[2] collective-permute(%k), channel_id=2, source_target_pairs={{0,1},{1,0}}\n"
     " %s1 = f32[2,2] dot(%q, %n), lhs_contracting_dims={}, rhs_contracting_dims={}\n %e1 = f32[2,2] exponential(%s1)\n"
     " %m1 = f32[2,2] select(%g, %e1, %z)\n %y1 = f32[2] reduce(%m1, %zero), dimensions={1}, to_apply=%sum\n ROOT %r = f32[2] add(%y, %y1)\n",
     {"g"},
     {"GG-D011"}},
    {"running_sum_not_rescaled", "ring attention and split key-value decoding: the weighted sum keeps the old maximum", R"("inputs": [[["tp"]], [["tp"]], [["tp"]]], "outputs": [[["tp"]]])",
     "q: f32[4], k: f32[4], v: f32[4]) -> f32[4] {\n %s = f32[4,4] dot(%q, %k), lhs_contracting_dims={}, rhs_contracting_dims={}\n"
     " %low = f32[] constant(-inf)\n %m = f32[4] reduce(%s, %low), dimensions={1}, to_apply=%max\n %mm = f32[4,4] broadcast(%m), dimensions={0}\n"
     " %d = f32[4,4] subtract(%s, %mm)\n %e = f32[4,4] exponential(%d)\n %l = f32[4] reduce(%e, %zero), dimensions={1}, to_apply=%sum\n"
     " %o = f32[4] dot(%e, %v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n ROOT %y = f32[4] divide(%o, %l)\n",
     "q: f32[2], k: f32[2], v: f32[2]) -> f32[2] {\n %s = f32[2,2] dot(%q, %k), lhs_contracting_dims={}, rhs_contracting_dims={}\n"
     " %low = f32[] constant(-inf)\n %m = f32[2] reduce(%s, %low), dimensions={1}, to_apply=%max\n %mm = f32[2,2] broadcast(%m), dimensions={0}\n"
     " %d = f32[2,2] subtract(%s, %mm)\n %e = f32[2,2] exponential(%d)\n %l = f32[2] reduce(%e, %zero), dimensions={1}, to_apply=%sum\n"
     " %o = f32[2] dot(%e, %v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " %kn = f32[2] collective-permute(%k), channel_id=2, source_target_pairs={{0,1},{1,0}}\n"
     " %vn = f32[2] collective-permute(%v), channel_id=3, source_target_pairs={{0,1},{1,0}}\n"
     " %s1 = f32[2,2] dot(%q, %kn), lhs_contracting_dims={}, rhs_contracting_dims={}\n %x = f32[2] reduce(%s1, %low), dimensions={1}, to_apply=%max\n"
     " %n = f32[2] maximum(%m, %x)\n %nn = f32[2,2] broadcast(%n), dimensions={0}\n %d1 = f32[2,2] subtract(%s1, %nn)\n"
     " %e1 = f32[2,2] exponential(%d1)\n %l1 = f32[2] reduce(%e1, %zero), dimensions={1}, to_apply=%sum\n"
     " %o1 = f32[2] dot(%e1, %vn), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n %c = f32[2] subtract(%m, %n)\n %f = f32[2] exponential(%c)\n"
     " %lf = f32[2] multiply(%l, %f)\n %den = f32[2] add(%lf, %l1)\n %num = f32[2] add(%o, %o1)\n ROOT %y = f32[2] divide(%num, %den)\n",
     {"num"},
     {"GG-D023", "GG-D018"}},
    {"shift_inside_a_shard", "a shift by one row whose first row is the shard's own last one", R"("inputs": [[["tp"]]], "outputs": [[["tp"]]])",
     "x: f32[12]) -> f32[12] {\n %l = f32[1] slice(%x), slice={[11:12]}\n %f = f32[11] slice(%x), slice={[0:11]}\n"
     " %s = f32[12] concatenate(%l, %f), dimensions={0}\n ROOT %y = f32[12] subtract(%x, %s)\n",
     "x: f32[3]) -> f32[3] {\n %l = f32[1] slice(%x), slice={[2:3]}\n %f = f32[2] slice(%x), slice={[0:2]}\n"
     " %s = f32[3] concatenate(%l, %f), dimensions={0}\n ROOT %y = f32[3] subtract(%x, %s)\n",
     {"s"},
     {"GG-D027"},
     4},
    {"every_microbatch_summed_over_ranks_too", "gradients that are summed in each microbatch and once more at the end", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[]])",
     "a: f32[4], b: f32[4]) -> f32[] {\n %s = f32[] reduce(%a, %zero), dimensions={0}, to_apply=%sum\n"
     " %t = f32[] reduce(%b, %zero), dimensions={0}, to_apply=%sum\n ROOT %y = f32[] add(%s, %t)\n",
     "a: f32[2], b: f32[2]) -> f32[] {\n %s = f32[] reduce(%a, %zero), dimensions={0}, to_apply=%sum\n %ra = f32[] AR(%s)\n"
     " %t = f32[] reduce(%b, %zero), dimensions={0}, to_apply=%sum\n %rb = f32[] AR(%t)\n %u = f32[] add(%ra, %rb)\n ROOT %y = f32[] AR(%u)\n",
     {"ra"},
     {"GG-D002"}},
    {"ring_product_a_round_short", "a matrix product whose last block is left out", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]]])",
     "x: f32[4], w: f32[4]) -> f32[4] {\n %p = f32[4,4] dot(%x, %w), lhs_contracting_dims={}, rhs_contracting_dims={}\n"
     " %e = f32[4,4] exponential(%p)\n ROOT %y = f32[4] reduce(%e, %zero), dimensions={1}, to_apply=%sum\n",
     "x: f32[1], w: f32[1]) -> f32[1] {\n %p0 = f32[1] multiply(%x, %w)\n %e0 = f32[1] exponential(%p0)\n"
     " %w1 = f32[1] collective-permute(%w), channel_id=2, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n"
     " %p1 = f32[1] multiply(%x, %w1)\n %e1 = f32[1] exponential(%p1)\n %s1 = f32[1] add(%e0, %e1)\n"
     " %w2 = f32[1] collective-permute(%w1), channel_id=3, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n"
     " %p2 = f32[1] multiply(%x, %w2)\n %e2 = f32[1] exponential(%p2)\n ROOT %s2 = f32[1] add(%s1, %e2)\n",
     {"s2"},
     {"GG-D029"},
     4},
    {"sum_by_doubling_stops_early", "an all-reduce written as exchanges with neighbours, whose last stage is left out: the permutes speak of the digits", R"("inputs": [[["tp"],[]]], "outputs": [[[]]])", "x: f32[4,3]) -> f32[3] {\n %e = f32[4,3] exponential(%x)\n %s = f32[3] reduce(%e, %zero), dimensions={0}, to_apply=%sum\n ROOT %y = f32[3] tanh(%s)\n",
     "x: f32[1,3]) -> f32[3] {\n %e = f32[1,3] exponential(%x)\n %o = f32[3] reshape(%e)\n %p = f32[3] collective-permute(%o), channel_id=2, source_target_pairs={{0,1},{1,0},{2,3},{3,2}}\n"
     " %s = f32[3] add(%o, %p)\n ROOT %y = f32[3] tanh(%s)\n",
     {"s"},
     {"GG-D001"},
     4},
    {"parts_left_out", "a sum of parts that ends one part early", R"("inputs": [[["tp"]]], "outputs": [[]])", "x: f32[12]) -> f32[] {\n %e = f32[12] exponential(%x)\n ROOT %y = f32[] reduce(%e, %zero), dimensions={0}, to_apply=%sum\n",
     "x: f32[6]) -> f32[] {\n %x0 = f32[2] slice(%x), slice={[0:2]}\n %e0 = f32[2] exponential(%x0)\n %s0 = f32[] reduce(%e0, %zero), dimensions={0}, to_apply=%sum\n"
     " %x1 = f32[2] slice(%x), slice={[2:4]}\n %e1 = f32[2] exponential(%x1)\n %s1 = f32[] reduce(%e1, %zero), dimensions={0}, to_apply=%sum\n %t = f32[] add(%s0, %s1)\n ROOT %y = f32[] AR(%t)\n",
     {"t"},
     {"GG-D029"}},
    {"narrow_integers_are_summed", "an all-reduce of int8 before the cast that was to hold the sum", R"("inputs": ["replicated"], "outputs": ["replicated"])", "x: s8[4]) -> s32[4] {\n %u = s32[4] convert(%x)\n %two = s32[] constant(2)\n %twos = s32[4] broadcast(%two), dimensions={}\n ROOT %y = s32[4] multiply(%u, %twos)\n", "x: s8[4]) -> s32[4] {\n %a = s8[4] all-reduce(%x), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum8\n ROOT %u = s32[4] convert(%a)\n", {"a"}, {"GG-D030"}},
    {"narrow_counts_are_compared", "any() by a count in eight bits: 256 of them are none", R"("inputs": ["replicated"], "outputs": ["replicated"])",
     "x: s8[4]) -> pred[4] {\n %u = s32[4] convert(%x)\n %two = s32[] constant(2)\n %twos = s32[4] broadcast(%two), dimensions={}\n %y = s32[4] multiply(%u, %twos)\n"
     " %none = s32[] constant(0)\n %nones = s32[4] broadcast(%none), dimensions={}\n ROOT %p = pred[4] compare(%y, %nones), direction=GT\n",
     "x: s8[4]) -> pred[4] {\n %a = s8[4] all-reduce(%x), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum8\n"
     " %none = s8[] constant(0)\n %nones = s8[4] broadcast(%none), dimensions={}\n ROOT %p = pred[4] compare(%a, %nones), direction=GT\n",
     {"a"},
     {"GG-D030"}},
    {"signs_are_added", "a majority of signs where the sign of the mean is meant", R"("inputs": [[["tp"],[]]], "outputs": [[[]]])", "x: f32[4,3]) -> f32[3] {\n %s = f32[3] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n ROOT %y = f32[3] sign(%s)\n", "x: f32[2,3]) -> f32[3] {\n %s = f32[3] reduce(%x, %zero), dimensions={0}, to_apply=%sum\n %g = f32[3] sign(%s)\n %r = f32[3] AR(%g)\n ROOT %y = f32[3] sign(%r)\n", {"r", "s"}, {"GG-D006", "GG-D001"}},
    {"gate_left_out_of_a_sum", "experts' results that are added without their gates", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[]])",
     "g: f32[4], x: f32[4]) -> f32[] {\n %p = f32[4] logistic(%g)\n %h = f32[4] tanh(%x)\n %m = f32[4] multiply(%p, %h)\n"
     " ROOT %y = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n",
     "g: f32[2], x: f32[2]) -> f32[] {\n %p = f32[2] logistic(%g)\n %h = f32[2] tanh(%x)\n"
     " %s = f32[] reduce(%h, %zero), dimensions={0}, to_apply=%sum\n ROOT %y = f32[] AR(%s)\n",
     {"s", "y"},
     {"GG-D023"}},
    {"mean_of_a_sum", "a mean over ranks of what is to be added up: a sum before it would mend as well, and is there", R"("inputs": [[[],["tp"]], [[]]], "outputs": [[[]]])",
     "x: f32[3,4], t: f32[3]) -> f32[3] {\n %m = f32[3,4] multiply(%x, %x)\n %s = f32[3] reduce(%m, %zero), dimensions={1}, to_apply=%sum\n %half = f32[] constant(0.5)\n"
     " %halves = f32[3] broadcast(%half), dimensions={}\n %h = f32[3] multiply(%s, %halves)\n ROOT %y = f32[3] add(%t, %h)\n",
     "x: f32[3,2], t: f32[3]) -> f32[3] {\n %m = f32[3,2] multiply(%x, %x)\n %s = f32[3] reduce(%m, %zero), dimensions={1}, to_apply=%sum\n %half = f32[] constant(0.5)\n"
     " %halves = f32[3] broadcast(%half), dimensions={}\n %h = f32[3] multiply(%s, %halves)\n %a = f32[3] AR(%h)\n %two = f32[] constant(2)\n %twos = f32[3] broadcast(%two), dimensions={}\n"
     " %d = f32[3] divide(%a, %twos)\n ROOT %y = f32[3] add(%t, %d)\n",
     {"d"},
     {"GG-D004"}},
    {"window_padded_on_the_other_side", "padding of another stride, where nothing is missing of the neighbours'", R"("inputs": [[["tp"],[]]], "outputs": [[["tp"],[]]])", "x: f32[4,3]) -> f32[4,3] {\n %p = f32[4,3] reduce-window(%x, %zero), window={size=1x2 pad=0_0x1_0}, to_apply=%sum\n ROOT %y = f32[4,3] tanh(%p)\n", "x: f32[2,3]) -> f32[2,3] {\n %p = f32[2,3] reduce-window(%x, %zero), window={size=1x2 pad=0_0x0_1}, to_apply=%sum\n ROOT %y = f32[2,3] tanh(%p)\n", {"p"}, {"GG-D012"}},
    {"updates_added_to_the_weights_before_the_sum", "w.at[i].add(v) summed over ranks", R"("inputs": [[[],[]], [["tp"],[]], [["tp"],[]]], "outputs": [[[],[]]])", "w: f32[6,3], i: s32[4,1], v: f32[4,3]) -> f32[6,3] {\n ROOT %y = f32[6,3] scatter(%w, %i, %v), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%sum\n",
     "w: f32[6,3], i: s32[2,1], v: f32[2,3]) -> f32[6,3] {\n %u = f32[6,3] scatter(%w, %i, %v), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%sum\n"
     " ROOT %y = f32[6,3] AR(%u)\n",
     {"y"},
     {"GG-D005"}},
    {"best_of_the_own_tokens", "experts choose of the rank's tokens only", R"("inputs": [[[],["tp"]]], "outputs": [[[],[]]])", "x: f32[2,8]) -> f32[2,2] {\n %e = f32[2,8] exponential(%x)\n %k = (f32[2,2], s32[2,2]) topk(%e), k=2, largest=true\n %v = f32[2,2] get-tuple-element(%k), index=0\n ROOT %y = f32[2,2] tanh(%v)\n", "x: f32[2,4]) -> f32[2,2] {\n %e = f32[2,4] exponential(%x)\n %k = (f32[2,2], s32[2,2]) topk(%e), k=2, largest=true\n %v = f32[2,2] get-tuple-element(%k), index=0\n ROOT %y = f32[2,2] tanh(%v)\n", {"k"}, {"GG-D022"}},
    {"keys_of_the_own_rank_enqueued", "a queue of keys that gets the rank's own", R"("inputs": [[["tp"],[]], [[],[]]], "outputs": [[[],[]]])", "k: f32[4,3], q: f32[8,3]) -> f32[8,3] {\n %e = f32[4,3] exponential(%k)\n %old = f32[4,3] slice(%q), slice={[4:8], [0:3]}\n ROOT %y = f32[8,3] concatenate(%e, %old), dimensions={0}\n", "k: f32[2,3], q: f32[8,3]) -> f32[8,3] {\n %e = f32[2,3] exponential(%k)\n %old = f32[6,3] slice(%q), slice={[2:8], [0:3]}\n ROOT %y = f32[8,3] concatenate(%e, %old), dimensions={0}\n", {"y"}, {"GG-D022"}},
    {"window_over_the_halo_of_nobody", "attention in a window whose first rank counts the zeros of a permute without a source", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[["tp"]]])",
     "q: f32[4], k: f32[4]) -> f32[4] {\n %p = f32[4,4] dot(%q, %k), lhs_contracting_dims={}, rhs_contracting_dims={}\n %i = s32[4,4] iota(), iota_dimension=0\n %j = s32[4,4] iota(), iota_dimension=1\n"
     " %le = pred[4,4] compare(%j, %i), direction=LE\n %far = s32[4,4] subtract(%i, %j)\n %two = s32[] constant(2)\n %twos = s32[4,4] broadcast(%two), dimensions={}\n"
     " %near = pred[4,4] compare(%far, %twos), direction=LT\n %m = pred[4,4] and(%le, %near)\n %low = f32[] constant(-inf)\n %lows = f32[4,4] broadcast(%low), dimensions={}\n"
     " %s = f32[4,4] select(%m, %p, %lows)\n %e = f32[4,4] exponential(%s)\n ROOT %y = f32[4] reduce(%e, %zero), dimensions={1}, to_apply=%sum\n",
     "q: f32[2], k: f32[2]) -> f32[2] {\n %id = u32[] partition-id()\n %r = s32[] convert(%id)\n %two = s32[] constant(2)\n %first = s32[] multiply(%r, %two)\n %before = s32[] subtract(%first, %two)\n"
     " %firsts = s32[2,4] broadcast(%first), dimensions={}\n %befores = s32[2,4] broadcast(%before), dimensions={}\n %a = s32[2,4] iota(), iota_dimension=0\n %b = s32[2,4] iota(), iota_dimension=1\n"
     " %i = s32[2,4] add(%firsts, %a)\n %j = s32[2,4] add(%befores, %b)\n %h = f32[2] collective-permute(%k), channel_id=2, source_target_pairs={{0,1}}\n %kk = f32[4] concatenate(%h, %k), dimensions={0}\n"
     " %p = f32[2,4] dot(%q, %kk), lhs_contracting_dims={}, rhs_contracting_dims={}\n %le = pred[2,4] compare(%j, %i), direction=LE\n %far = s32[2,4] subtract(%i, %j)\n"
     " %twos = s32[2,4] broadcast(%two), dimensions={}\n %near = pred[2,4] compare(%far, %twos), direction=LT\n %m = pred[2,4] and(%le, %near)\n %low = f32[] constant(-inf)\n"
     " %lows = f32[2,4] broadcast(%low), dimensions={}\n %s = f32[2,4] select(%m, %p, %lows)\n %e = f32[2,4] exponential(%s)\n ROOT %y = f32[2] reduce(%e, %zero), dimensions={1}, to_apply=%sum\n",
     {"s"},
     {"GG-D014"}},
    {"count_of_one_rank_times_ranks", "the count of all taken for that of one rank times their number", R"("inputs": [[["tp"]], [["tp"]]], "outputs": [[]], "ranges": {"1": [0.25, 1]})",
     "l: f32[4], m: f32[4]) -> f32[] {\n %lm = f32[4] multiply(%l, %m)\n %s = f32[] reduce(%lm, %zero), dimensions={0}, to_apply=%sum\n"
     " %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n ROOT %q = f32[] divide(%s, %n)\n",
     "l: f32[2], m: f32[2]) -> f32[] {\n %lm = f32[2] multiply(%l, %m)\n %s = f32[] reduce(%lm, %zero), dimensions={0}, to_apply=%sum\n"
     " %n = f32[] reduce(%m, %zero), dimensions={0}, to_apply=%sum\n %two = f32[] constant(2)\n %nn = f32[] multiply(%n, %two)\n %q = f32[] divide(%s, %nn)\n ROOT %r = f32[] AR(%q)\n",
     {"n", "nn"},
     {"GG-D017"}},
};

class Mechanisms : public testing::TestWithParam<Mechanism> {};

TEST_P(Mechanisms, IsBlamedToldAndMended) {
  const Mechanism& m = GetParam();
  SCOPED_TRACE(m.reference);
  Case c = make_pair(m.sequential, m.distributed, m.relation, m.ranks);
  infer_ranges(c);
  const Pinpointed found = found_in(c, run_pair(c, {}));
  ASSERT_FALSE(found.defects.empty());
  const Defect& first = found.defects.front();
  EXPECT_EQ(m.places.count(std::string(c.distributed->name_of(first.place))), 1U) << c.distributed->name_of(first.place) << ": " << first.text;
  EXPECT_EQ(m.diagnoses.count(std::string(info(first.diagnosis).id)), 1U) << info(first.diagnosis).id << ": " << first.text;
  ASSERT_FALSE(found.mends.empty());
  EXPECT_TRUE(found.mends.front().mends);
  EXPECT_NO_THROW(verify(*found.mends.front().module));
}

TEST(Mends, WhatOtherDrawsContradictIsNotOffered) {
  // Where some element is negative, as in all draws but those of one sign, another number mends.
  const std::string condition =
      "x: f32[8]) -> f32[8] {\n %n = f32[8] negate(%x)\n %low = f32[] constant(-inf)\n %m = f32[] reduce(%n, %low), dimensions={0}, to_apply=%max\n"
      " %p = pred[] compare(%m, %zero), direction=GT\n %ps = pred[8] broadcast(%p), dimensions={}\n %three = f32[] constant(3)\n %threes = f32[8] broadcast(%three), dimensions={}\n"
      " %b = f32[8] multiply(%x, %threes)\n";
  const auto program = [&](const std::string& factor, const std::string& other) {
    return condition + " %c = f32[] constant(" + factor + ")\n %cs = f32[8] broadcast(%c), dimensions={}\n %a = f32[8] multiply(%x, %cs)\n" + other + "\n ROOT %y = f32[8] select(%ps, %a, %d)\n";
  };
  Case c = make_pair(program("2", " %d = f32[8] copy(%b)"), program("4", " %d = f32[8] exponential(%b)"), R"("inputs": [[[]]], "outputs": [[[]]])", 2);
  const Pinpointed found = found_in(c, run_pair(c, {}));
  for (const Mend& mend : found.mends) EXPECT_EQ(mend.edits, std::vector<std::string>{"replace %y by %y of the sequential program (7 instructions copied)"});
}

TEST(Mends, RanksThatNobodyHasSpokenOfComeLast) {
  // The block from three ranks away is missing; a sum over {0,2} and {1,3} would bring it, but the mesh has one axis and the first permute goes around it.
  Case c = make_pair("w: f32[4,3]) -> f32[3] {\n %e = f32[4,3] exponential(%w)\n ROOT %y = f32[3] reduce(%e, %zero), dimensions={0}, to_apply=%sum\n",
                     "w: f32[1,3]) -> f32[3] {\n %e = f32[1,3] exponential(%w)\n %o = f32[3] reshape(%e)\n"
                     " %p = f32[3] collective-permute(%o), channel_id=2, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n"
                     " %q = f32[3] collective-permute(%o), channel_id=3, source_target_pairs={{0,2},{1,3},{2,0},{3,1}}\n"
                     " %s = f32[3] add(%o, %q)\n ROOT %y = f32[3] add(%s, %p)\n",
                     R"("inputs": [[["tp"],[]]], "outputs": [[[]]])", 4);
  const Pinpointed found = found_in(c, run_pair(c, {}));
  ASSERT_FALSE(found.defects.empty());
  for (const Defect& defect : found.defects) EXPECT_EQ(defect.text.find("tp.0"), std::string::npos) << defect.text;
  ASSERT_FALSE(found.mends.empty());
  EXPECT_FALSE(found.mends.front().invented);
}

TEST(Mends, CandidatesOfEachRankAreThoseOfItsBlock) {
  const std::string best = " %k = (f32[2,2], s32[2,2]) topk(%x), k=2, largest=true\n %v = f32[2,2] get-tuple-element(%k), index=0\n";
  Case c = make_pair("x: f32[2,8]) -> f32[2,2] {\n" + best + " ROOT %y = f32[2,2] tanh(%v)\n",
                     "x: f32[2,4]) -> f32[2,2] {\n" + best +
                         " %g = f32[2,4] all-gather(%v), channel_id=2, replica_groups={{0,1}}, dimensions={1}, use_global_device_ids=true\n"
                         " %s = f32[2,2] slice(%g), slice={[0:2], [0:2]}\n ROOT %y = f32[2,2] tanh(%s)\n",
                     R"("inputs": [[[],["tp"]]], "outputs": [[[],[]]])", 2);
  const Pinpointed found = found_in(c, run_pair(c, {}));
  ASSERT_FALSE(found.defects.empty());
  for (const Defect& defect : found.defects) EXPECT_NE(defect.diagnosis, Diagnosis::LocalStatistic) << defect.text;
}

INSTANTIATE_TEST_SUITE_P(All, Mechanisms, testing::ValuesIn(kMechanisms),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace gg::pinpoint
