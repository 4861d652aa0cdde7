// Ten ways to an unsound "proved" (the design's list), each as a right pair and twins that one careless rule would accept. Of a
// twin three things are held: a run shows that it differs, the prover does not prove it, and the checker does not accept the
// right pair's certificate for it.
#include <algorithm>

#include "models/base/diag.h"
#include "models/hlo/parser.h"
#include "prover/checker/checker.h"
#include "runtime/differential.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

struct Edit {
  std::string from, to;
};

bool accepted(const Certificate& certificate, Case& c) {
  try {
    return check_certificate(print_certificate(certificate), "", c).accepted;
  } catch (const InputError&) {
    return false;
  }
}

/// The certificate of a pair that is proved.
Certificate certificate_of(const PairText& p) {
  Case c = load_pair(p);
  const ProofResult proof = prove(c);
  EXPECT_TRUE(proof.proved) << (proof.outputs.empty() ? "" : proof.outputs[0].text);
  if (!proof.certificate) return {};
  EXPECT_TRUE(accepted(*proof.certificate, c));
  EXPECT_FALSE(run_pair(c, {}).differing);
  return *proof.certificate;
}

/// The right pair is proved; the twin (an edit of either program) differs and is caught.
void expect_caught(const PairText& right, const Edit& edit) {
  Certificate certificate = certificate_of(right);
  PairText wrong = right;
  std::string& program = wrong.distributed.find(edit.from) != std::string::npos ? wrong.distributed : wrong.sequential;
  program = replaced(program, edit.from, edit.to);
  Case c = load_pair(wrong);
  EXPECT_TRUE(run_pair(c, {}).differing) << edit.to;
  EXPECT_FALSE(prove(c).proved) << edit.to;
  certificate.sequential_hash = c.hashes.sequential;
  certificate.distributed_hash = c.hashes.distributed;
  EXPECT_FALSE(accepted(certificate, c)) << edit.to;
}

// 1. A clamp is forgotten: the last rank's slice would start one element too late.
TEST(TenWays, Clamp) {
  const PairText p{R"(
  x = f32[8] parameter(0)
  zero = f32[] constant(0)
  rest = f32[7] slice(x), slice={[1:8]}
  ROOT y = f32[8] pad(rest, zero), padding=0_1
)",
                   R"(
  x = f32[8] parameter(0)
  zero = f32[] constant(0)
  longer = f32[9] pad(x, zero), padding=0_1
  table = s32[4] constant({1, 3, 5, 7})
  pid = u32[] partition-id()
  one = s32[1] dynamic-slice(table, pid), dynamic_slice_sizes={1}
  at = s32[] reshape(one)
  ROOT y = f32[2] dynamic-slice(longer, at), dynamic_slice_sizes={2}
)",
                   R"([[[]]])", R"([[["dp", "tp"]]])"};
  expect_caught(p, {"dynamic-slice(longer, at)", "dynamic-slice(x, at)"});
  expect_caught(p, {"{1, 3, 5, 7}", "{1, 3, 5, 6}"});
  PairText clamped = p;  // 9 is clamped to 7: the same program
  clamped.distributed = replaced(p.distributed, "{1, 3, 5, 7}", "{1, 3, 5, 9}");
  expect_proved(clamped);
}

// 2. Replication or the order inside a group is assumed.
TEST(TenWays, ReplicationAndOrder) {
  const PairText p{R"(
  x = f32[4,6] parameter(0)
  ROOT y = f32[4,6] tanh(x)
)",
                   R"(
  x = f32[2,3] parameter(0)
  t = f32[2,3] tanh(x)
  ROOT y = f32[2,6] all-gather(t), )" +
                       kTp + R"(, dimensions={1}
)",
                   R"([[["dp"],["tp"]]])", R"([[["dp"],[]]])"};
  expect_caught(p, {"{{0,1},{2,3}}", "{{1,0},{3,2}}"});
  expect_caught(p, {"{{0,1},{2,3}}", "{{0,2},{1,3}}"});
  const PairText q{R"(
  x = f32[4] parameter(0)
  ROOT y = f32[4] multiply(x, x)
)",
                   R"(
  x = f32[4] parameter(0)
  pid = u32[] partition-id()
  zero = u32[] constant(0)
  never = pred[] compare(pid, zero), direction=LT
  one = f32[] constant(1)
  two = f32[] constant(2)
  f = f32[] select(never, two, one)
  all = f32[4] broadcast(f), dimensions={}
  s = f32[4] multiply(x, x)
  ROOT y = f32[4] multiply(s, all)
)",
                   "[[[]]]", "[[[]]]"};
  expect_caught(q, {"direction=LT", "direction=GT"});  // right on rank 0 alone
}

// 3. A partial sum goes through a nonlinear operator, a factor that varies over its ranks, or another partial sum.
TEST(TenWays, PartialSums) {
  const PairText p{R"(
  x = f32[4,8] parameter(0)
  w = f32[8,6] parameter(1)
  d = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT y = f32[4,6] multiply(d, d)
)",
                   R"(
  x = f32[2,4] parameter(0)
  w = f32[4,6] parameter(1)
  d = f32[2,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[2,6] all-reduce(d), )" +
                       kTp + R"(, to_apply=add
  ROOT y = f32[2,6] multiply(s, s)
)",
                   R"([[["dp"],["tp"]], [["tp"],[]]])", R"([[["dp"],[]]])"};
  PairText late = p;
  late.distributed = replaced(late.distributed, "all-reduce(d)", "all-reduce(q)");
  late.distributed = replaced(late.distributed, "  s = ", "  q = f32[2,6] multiply(d, d)\n  s = ");
  late.distributed = replaced(late.distributed, "multiply(s, s)", "copy(s)");
  Case c = load_pair(late);
  EXPECT_TRUE(run_pair(c, {}).differing);
  EXPECT_FALSE(prove(c).proved);
  expect_caught(p, {"multiply(s, s)", "multiply(s, d)"});
  expect_caught(p, {"to_apply=add", "to_apply=max"});
}

// 4. Premises that hold nowhere, or that nobody gave.
TEST(TenWays, Premises) {
  const PairText p{R"(
  x = f32[4] parameter(0)
  a = f32[4] abs(x)
  ROOT y = f32[4] sqrt(a)
)",
                   R"(
  x = f32[2] parameter(0)
  a = f32[2] abs(x)
  ROOT y = f32[2] sqrt(a)
)",
                   R"([[["dp"]]])", R"([[["dp"]]])", R"({"0": [-1, 1]})"};
  const Certificate right = certificate_of(p);
  Case c = load_pair(p);
  const auto with = [&](const std::string& lo, const std::string& hi) {
    Certificate changed = right;
    std::erase_if(changed.assumptions, [](const Assumption& a) { return a.kind == AssumptionKind::InputRange; });
    changed.assumptions.push_back({AssumptionKind::InputRange, {"x0", lo, hi}});
    std::sort(changed.assumptions.begin(), changed.assumptions.end());
    return accepted(changed, c);
  };
  EXPECT_TRUE(with("-1", "1"));
  EXPECT_FALSE(with("1", "-1"));  // empty: everything would follow
  EXPECT_FALSE(with("0", "1"));   // narrower than what was given
  EXPECT_FALSE(with("nan", "1"));
  expect_caught(p, {"sqrt(a)", "sqrt(x)"});  // |x| = x only where x is not negative
}

// 5. A step of real algebra on values that are not finite or not there: 0 * padding, log(0) - log(0).
TEST(TenWays, NotFinite) {
  const PairText p{R"(
  x = f32[3,6] parameter(0)
  zero = f32[] constant(0)
  ROOT y = f32[6] reduce(x, zero), dimensions={0}, to_apply=add
)",
                   R"(
  x = f32[2,6] parameter(0)
  all = f32[4,6] all-gather(x), channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, dimensions={0}
  row = s32[4,6] iota(), iota_dimension=0
  three = s32[] constant(3)
  limit = s32[4,6] broadcast(three), dimensions={}
  here = pred[4,6] compare(row, limit), direction=LT
  zero = f32[] constant(0)
  zeros = f32[4,6] broadcast(zero), dimensions={}
  kept = f32[4,6] select(here, all, zeros)
  ROOT y = f32[6] reduce(kept, zero), dimensions={0}, to_apply=add
)",
                   R"([[["dp"],[]]])", "[[[]]]"};
  expect_caught(p, {"direction=LT", "direction=LE"});
  PairText masked = p;  // 0 times whatever the padding is
  masked.distributed = replaced(masked.distributed, "kept = f32[4,6] select(here, all, zeros)",
                                "m = f32[4,6] convert(here)\n  kept = f32[4,6] multiply(m, all)");
  EXPECT_FALSE(proof_of(masked).proved);
  const PairText q{R"(
  x = f32[4] parameter(0)
  ROOT y = f32[4] subtract(x, x)
)",
                   R"(
  x = f32[2] parameter(0)
  ROOT y = f32[2] subtract(x, x)
)",
                   R"([[["dp"]]])", R"([[["dp"]]])", R"({"0": [0, 1]})"};
  expect_proved(q);
  PairText logs = q;
  logs.distributed = replaced(logs.distributed, "ROOT y = f32[2] subtract(x, x)",
                              "l = f32[2] log(x)\n  ROOT y = f32[2] subtract(l, l)");
  EXPECT_FALSE(proof_of(logs).proved);
  PairText quotient = q;
  quotient.sequential = replaced(quotient.sequential, "subtract(x, x)", "power(x, zero)");
  quotient.sequential = replaced(quotient.sequential, "ROOT", "zero = f32[4] subtract(x, x)\n  ROOT");
  quotient.distributed = replaced(quotient.distributed, "subtract(x, x)", "divide(x, x)");
  EXPECT_FALSE(proof_of(quotient).proved);
}

// 6. A literal is read as a rounder one, or a type is dropped.
TEST(TenWays, LiteralsAndTypes) {
  const PairText p{R"(
  x = f32[4] parameter(0)
  c = f32[] constant(0.1)
  b = f32[4] broadcast(c), dimensions={}
  ROOT y = f32[4] multiply(x, b)
)",
                   R"(
  x = f32[2] parameter(0)
  c = f32[] constant(0.1)
  b = f32[2] broadcast(c), dimensions={}
  ROOT y = f32[2] multiply(x, b)
)",
                   R"([[["dp"]]])", R"([[["dp"]]])"};
  expect_unproved(p, "c = f32[] constant(0.1)", "h = bf16[] constant(0.1)\n  c = f32[] convert(h)");
  expect_caught(p, {"constant(0.1)\n  b = f32[2]", "constant(0.10001)\n  b = f32[2]"});
  const PairText q{R"(
  n = s32[4] parameter(0)
  two = s32[] constant(2)
  b = s32[4] broadcast(two), dimensions={}
  h = s32[4] divide(n, b)
  ROOT y = f32[4] convert(h)
)",
                   R"(
  n = s32[2] parameter(0)
  two = s32[] constant(2)
  b = s32[2] broadcast(two), dimensions={}
  h = s32[2] divide(n, b)
  ROOT y = f32[2] convert(h)
)",
                   R"([[["dp"]]])", R"([[["dp"]]])", R"({"0": [0, 9]})"};
  expect_caught(q, {"h = s32[2] divide(n, b)\n  ROOT y = f32[2] convert(h)",
                    "f = f32[2] convert(n)\n  g = f32[2] convert(b)\n  ROOT y = f32[2] divide(f, g)"});
}

// 7. Induction over a loop: the number of iterations, a carry that is not kept, a collective inside over other ranks.
TEST(TenWays, Loops) {
  const auto loop = [](const std::string& shape, const std::string& step) {
    return "body {\n  c = (s32[], " + shape + ") parameter(0)\n  t = s32[] get-tuple-element(c), index=0\n  h = " + shape +
           " get-tuple-element(c), index=1\n  one = s32[] constant(1)\n  n = s32[] add(t, one)\n" + step +
           "  ROOT r = (s32[], " + shape + ") tuple(n, k)\n}\ncondition {\n  c = (s32[], " + shape +
           ") parameter(0)\n  t = s32[] get-tuple-element(c), index=0\n  last = s32[] constant(5)\n"
           "  ROOT r = pred[] compare(t, last), direction=LT\n}\n";
  };
  const std::string entry =
      "  zero = s32[] constant(0)\n  c = (s32[], SHAPE) tuple(zero, x)\n"
      "  w = (s32[], SHAPE) while(c), condition=condition, body=body\n  ROOT y = SHAPE get-tuple-element(w), index=1\n";
  const auto shaped = [](std::string text, const std::string& shape) {
    for (std::size_t at = text.find("SHAPE"); at != std::string::npos; at = text.find("SHAPE")) text.replace(at, 5, shape);
    return text;
  };
  // The helper closes the last computation: it becomes `unused`, after the real entry.
  const auto module = [&](const std::string& shape, const std::string& step) {
    return shaped("  x = SHAPE parameter(0)\n" + entry, shape) + "}\n" + loop(shape, step) + "unused {\n  ROOT p = f32[] parameter(0)\n";
  };
  const PairText p{module("f32[4]", "  s = f32[4] sine(h)\n  k = f32[4] add(h, s)\n"),
                   module("f32[2]", "  s = f32[2] sine(h)\n  k = f32[2] add(h, s)\n"), R"([[["dp"]]])", R"([[["dp"]]])"};
  expect_caught(p, {"last = s32[] constant(5)", "last = s32[] constant(4)"});
  expect_caught(p, {"k = f32[2] add(h, s)", "k = f32[2] add(s, s)"});
  const std::string reduce = "channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add";
  const PairText q{module("f32[]", "  s = f32[] sine(h)\n  f = f32[] constant(2)\n  k = f32[] multiply(s, f)\n"),
                   module("f32[]", "  s = f32[] sine(h)\n  k = f32[] all-reduce(s), " + reduce + "\n"), "[[]]", "[[]]"};
  expect_caught(q, {"{{0,1},{2,3}}", "{{0,1,2,3}}"});
}

// 8. The reader passes over what it does not know.
TEST(TenWays, AttributesAreConsumed) {
  const PairText p{R"(
  x = f32[2,6,1] parameter(0)
  w = f32[3,1,1] parameter(1)
  ROOT y = f32[2,4,1] convolution(x, w), window={size=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f
)",
                   R"(
  x = f32[1,6,1] parameter(0)
  w = f32[3,1,1] parameter(1)
  ROOT y = f32[1,4,1] convolution(x, w), window={size=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f
)",
                   R"([[["dp"],[],[]], [[],[],[]]])", R"([[["dp"],[],[]]])"};
  expect_caught(p, {"f32[1,4,1] convolution(x, w), window={size=3 rhs_reversal=1}", "f32[1,4,1] convolution(x, w), window={size=3}"});
  for (const std::string unknown : {"tanh(x), speed=fast", "tanh(x), dimensions={0}", "tanh(x), to_apply=nothing"}) {
    EXPECT_THROW(parse_hlo("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] " + unknown + "\n}\n", "m"), InputError);
  }
}

// 9. Identity by name, or by a key that leaves something out: two regions of one shape, two constants of one length.
TEST(TenWays, Identity) {
  const PairText p{R"(
  x = f32[4,6] parameter(0)
  zero = f32[] constant(0)
  s = f32[4] reduce(x, zero), dimensions={1}, to_apply=add
  m = f32[4] reduce(x, zero), dimensions={1}, to_apply=max
  t = f32[4] constant({1, 2, 3, 4})
  u = f32[4] multiply(s, t)
  ROOT r = (f32[4], f32[4]) tuple(u, m)
)",
                   R"(
  x = f32[4,6] parameter(0)
  zero = f32[] constant(0)
  s = f32[4] reduce(x, zero), dimensions={1}, to_apply=add
  m = f32[4] reduce(x, zero), dimensions={1}, to_apply=max
  t = f32[4] constant({1, 2, 3, 4})
  u = f32[4] multiply(s, t)
  ROOT r = (f32[4], f32[4]) tuple(u, m)
)",
                   "[[[],[]]]", "[[[]], [[]]]"};
  expect_caught(p, {"s = f32[4] reduce(x, zero), dimensions={1}, to_apply=add", "s = f32[4] reduce(x, zero), dimensions={1}, to_apply=max"});
  expect_caught(p, {"constant({1, 2, 3, 4})", "constant({1, 2, 4, 3})"});
  expect_caught(p, {"tuple(u, m)", "tuple(m, u)"});
}

// 10. Binders and domains: an index that is met twice or never, replicas that are counted twice.
TEST(TenWays, BindersAndDomains) {
  const PairText p{R"(
  x = f32[4,6] parameter(0)
  zero = f32[] constant(0)
  ROOT y = f32[6] reduce(x, zero), dimensions={0}, to_apply=add
)",
                   R"(
  x = f32[2,6] parameter(0)
  zero = f32[] constant(0)
  order = s32[2] constant({0, 1})
  g = f32[2,6] gather(x, order), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}
  s = f32[6] reduce(g, zero), dimensions={0}, to_apply=add
  ROOT y = f32[6] all-reduce(s), channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, to_apply=add
)",
                   R"([[["dp"],[]]])", "[[[]]]"};
  expect_caught(p, {"constant({0, 1})", "constant({1, 1})"});
  expect_caught(p, {"replica_groups={{0,2},{1,3}}", "replica_groups={{0,1,2,3}}"});
  const PairText q{R"(
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  ROOT d = f32[4,4] dot(x, y), lhs_contracting_dims={}, rhs_contracting_dims={}
)",
                   R"(
  x = f32[2] parameter(0)
  y = f32[4] parameter(1)
  ROOT d = f32[2,4] dot(x, y), lhs_contracting_dims={}, rhs_contracting_dims={}
)",
                   R"([[["dp"]], [[]]])", R"([[["dp"],[]]])"};
  PairText captured = q;  // both factors at one index
  expect_proved(q);
  captured.sequential = replaced(captured.sequential, "ROOT d = f32[4,4] dot(x, y), lhs_contracting_dims={}, rhs_contracting_dims={}",
                                 "p = f32[4] multiply(x, y)\n  ROOT d = f32[4,4] broadcast(p), dimensions={0}");
  Case c = load_pair(captured);
  EXPECT_TRUE(run_pair(c, {}).differing);
  EXPECT_FALSE(prove(c).proved);
}

/// Without the premise that inputs are finite x - x is no zero: the certificate does not hold, and finding that comes to an end.
TEST(TenWays, PremiseTakenOut) {
  const PairText p{R"(
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  e = f32[4] exponential(x)
  n = f32[4] negate(x)
  ROOT m = f32[4] multiply(e, n)
)",
                   R"(
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  z = f32[2] subtract(y, y)
  a = f32[2] maximum(x, x)
  m = f32[2] multiply(z, a)
  s = f32[2] sqrt(m)
  e = f32[2] exponential(x)
  w = f32[2] multiply(a, e)
  ROOT d = f32[2] subtract(s, w)
)",
                   R"([[["dp"]], [["dp"]]])", R"([[["dp"]]])"};
  Certificate certificate = certificate_of(p);
  std::erase_if(certificate.assumptions, [](const Assumption& a) { return a.kind == AssumptionKind::FiniteInputs; });
  Case c = load_pair(p);
  EXPECT_FALSE(accepted(certificate, c));
}

}  // namespace
}  // namespace gg
