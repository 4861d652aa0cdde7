// Ranges as premises: what a proof may assume of an input that nobody gave a range for, what draws try beside it, and what the
// range of a partial input says. Right pairs are proved with the premises that they need and no others; wrong ones are refuted,
// however narrow the range is that an input is mostly drawn from.
#include <algorithm>
#include <array>

#include "harness/decide/decide.h"
#include "models/base/diag.h"
#include "models/pair/index_uses.h"
#include "prover/checker/checker.h"
#include "runtime/inputs.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

Report decided(const PairText& p, Parts parts = {}) {
  Case c = load_pair(p);
  return decide(c, Options{}, parts);
}

std::string assumptions(const Report& report) {
  std::string text;
  for (const Assumption& a : report.assumptions) text += (text.empty() ? "" : " ") + to_string(a);
  return text;
}

void expect_proved_under(const PairText& p, const std::string& expected) {
  const Report report = decided(p);
  EXPECT_EQ(report.verdict, Verdict::Proved);
  EXPECT_EQ(assumptions(report), expected);
}

void expect_refuted(const PairText& p) {
  EXPECT_EQ(decided(p).verdict, Verdict::Refuted);
  EXPECT_NE(decided(p, {false, true}).verdict, Verdict::Proved);
}

bool notes(const Report& report, const std::string& text) {
  return std::any_of(report.notes.begin(), report.notes.end(), [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

const std::string kSumOverTp = "replica_groups={{0,1},{2,3}}, channel_id=1, use_global_device_ids=true, to_apply=add";
const std::string kLookup = "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}";

/// Rows of a table that is split over tp: the other shards' rows are masked, and all are summed.
PairText lookup_in_shards() {
  return {
      "table = f32[8,4] parameter(0)  ids = s32[6] parameter(1)  column = s32[6,1] reshape(ids)\n"
      "ROOT rows = f32[6,4] gather(table, column), " +
          kLookup,
      "table = f32[4,4] parameter(0)  ids = s32[6] parameter(1)  p = u32[] partition-id()  two = u32[] constant(2)\n"
      "tp = u32[] remainder(p, two)  tps = s32[] convert(tp)  n = s32[] constant(4)  start = s32[] multiply(tps, n)\n"
      "starts = s32[6] broadcast(start), dimensions={}  local = s32[6] subtract(ids, starts)  zero = s32[] constant(0)\n"
      "zeros = s32[6] broadcast(zero), dimensions={}  ns = s32[6] broadcast(n), dimensions={}\n"
      "low = pred[6] compare(local, zeros), direction=GE  high = pred[6] compare(local, ns), direction=LT\n"
      "here = pred[6] and(low, high)  column = s32[6,1] reshape(local)  rows = f32[6,4] gather(table, column), " +
          kLookup +
          "\nheres = pred[6,4] broadcast(here), dimensions={0}  z = f32[] constant(0)  zs = f32[6,4] broadcast(z), dimensions={}\n"
          "masked = f32[6,4] select(heres, rows, zs)  ROOT all = f32[6,4] all-reduce(masked), " +
          kSumOverTp,
      R"([[["tp"],[]], "replicated"])", R"(["replicated"])"};
}

TEST(Ranges, ALookupInShardsNeedsItsBoundsAndSaysSo) {
  expect_proved_under(lookup_in_shards(), "finite-inputs in-bounds(ids:[0,8) rows)");
}

TEST(Ranges, GivenBoundsAreNoInferredOnes) {
  PairText p = lookup_in_shards();
  p.ranges = R"({"ids": [0, 5]})";
  expect_proved_under(p, "finite-inputs range(ids:[0,5))");
}

TEST(Ranges, NoneAllowedIsNoExitCodeZero) {
  Case c = load_pair(lookup_in_shards());
  Options options;
  options.allow_assumptions = {"none"};
  EXPECT_EQ(exit_code(decide(c, options, {}), options), 2);
  options.allow_assumptions = {"in-bounds"};
  EXPECT_EQ(exit_code(decide(c, options, {}), options), 0);
}

TEST(Ranges, ALookupOfWholeTablesNeedsNone) {
  PairText p = lookup_in_shards();
  p.distributed = p.sequential;
  p.inputs = R"(["replicated", "replicated"])";
  expect_proved_under(p, "finite-inputs");
}

TEST(Ranges, WhatDiffersOutsideIsTold) {
  const Report report = decided(lookup_in_shards(), {true, false});
  EXPECT_EQ(report.verdict, Verdict::Unknown);
  EXPECT_TRUE(notes(report, "differs for ids >= 8"));
  EXPECT_TRUE(notes(report, "differs for ids < 0"));
}

TEST(Ranges, NumbersFromTheEndOfTheTableAreOutside) {  // as numpy indexes: -1 is the last row
  const std::string wrapped =
      "zero = s32[] constant(0)  zeros = s32[6] broadcast(zero), dimensions={}  neg = pred[6] compare(ids, zeros), direction=LT\n"
      "n = s32[] constant(8)  ns = s32[6] broadcast(n), dimensions={}  moved = s32[6] add(ids, ns)\n"
      "at = s32[6] select(neg, moved, ids)  column = s32[6,1] reshape(at)\n";
  PairText p = lookup_in_shards();
  p.sequential = "table = f32[8,4] parameter(0)  ids = s32[6] parameter(1)\n" + wrapped + "ROOT rows = f32[6,4] gather(table, column), " + kLookup;
  expect_proved_under(p, "finite-inputs in-bounds(ids:[0,8) rows)");  // the shards do not know of it
  EXPECT_TRUE(notes(decided(p, {true, false}), "differs for ids in [-8, 0), which the sequential program counts from the end"));
  const auto detail = [](const Report& report) {
    return std::any_of(report.details.begin(), report.details.end(), [](const Detail& d) { return d.key == "from-end" && d.value == "1"; });
  };
  const Report proved = decided(p, {true, true});  // what the sequential program takes and the proof does not cover is told, and run
  EXPECT_EQ(proved.verdict, Verdict::Proved);
  EXPECT_TRUE(detail(proved));
  EXPECT_TRUE(notes(proved, "takes ids in [-8, 0) too, counted from the end at %rows"));
  EXPECT_TRUE(notes(proved, "--range ids=-8:8"));
  EXPECT_TRUE(notes(proved, "differs for ids in [-8, 0), which the proof does not cover"));
  const Report alone = decided(p, {false, true});
  EXPECT_TRUE(detail(alone));
  EXPECT_TRUE(notes(alone, "counted from the end"));
  EXPECT_FALSE(detail(decided(lookup_in_shards(), {true, true})));  // nothing is counted from the end
  p.ranges = R"({"ids": [0, 8]})";
  EXPECT_FALSE(detail(decided(p, {true, true})));  // the user says that none is
  p.ranges = R"({"ids": [-8, 8]})";
  EXPECT_EQ(decided(p, {true, true}).verdict, Verdict::Refuted);
}

PairText pick(const std::string& sequential, const std::string& distributed, const std::string& shape = "s32[6]") {
  const std::string head = "x = f32[40] parameter(0)  ids = " + shape + " parameter(1)  ";
  return {head + sequential, head + distributed, R"(["replicated", "replicated"])", R"(["replicated"])"};
}

TEST(Ranges, AClampedLabelOfTheTable) {
  const std::string rest =
      "column = s32[6,1] reshape(at)  ROOT r = f32[6] gather(x, column), offset_dims={}, collapsed_slice_dims={0}, "
      "start_index_map={0}, index_vector_dim=1, slice_sizes={1}";
  const std::string clamped =
      "lo = s32[] constant(0)  hi = s32[] constant(3)  los = s32[6] broadcast(lo), dimensions={}  "
      "his = s32[6] broadcast(hi), dimensions={}  at = s32[6] clamp(los, ids, his)  ";
  expect_refuted(pick("at = s32[6] copy(ids)  " + rest, clamped + rest));
}

TEST(Ranges, AnIgnoredLabelIsDrawn) {
  const std::string number = "c = s32[] constant(-100)  ignored = pred[] compare(ids, c), direction=EQ  z = f32[] constant(0)  ";
  const std::string at =
      "zero = s32[] constant(0)  safe = s32[] maximum(ids, zero)  piece = f32[1] dynamic-slice(x, safe), dynamic_slice_sizes={1}  "
      "value = f32[] reshape(piece)  ";
  expect_refuted(pick(number + at + "ROOT r = f32[] select(ignored, z, value)", at + "ROOT r = f32[] copy(value)", "s32[]"));
}

TEST(Ranges, AnIgnoredLabelOnBothSides) {
  const std::string text =
      "c = s32[] constant(-100)  ignored = pred[] compare(ids, c), direction=EQ  z = f32[] constant(0)  "
      "piece = f32[1] dynamic-slice(x, ids), dynamic_slice_sizes={1}  value = f32[] reshape(piece)  "
      "ROOT r = f32[] select(ignored, z, value)";
  expect_proved_under(pick(text, text, "s32[]"), "finite-inputs");
}

TEST(Ranges, ANumberThatOneProgramTreatsApartIsDrawn) {
  const std::string at = "piece = f32[1] dynamic-slice(x, ids), dynamic_slice_sizes={1}  value = f32[] reshape(piece)  ";
  const std::string apart = "c = s32[] constant(17)  special = pred[] compare(ids, c), direction=EQ  two = f32[] add(value, value)  ";
  expect_refuted(pick(at + "ROOT r = f32[] copy(value)", at + apart + "ROOT r = f32[] select(special, two, value)", "s32[]"));
  expect_refuted(pick(at + apart + "ROOT r = f32[] select(special, two, value)", at + "ROOT r = f32[] copy(value)", "s32[]"));
}

TEST(Ranges, TheLargestOfTheTablesCounts) {
  const std::string small = "y = f32[5] slice(x), slice={[0:5]}  a = f32[1] dynamic-slice(y, ids), dynamic_slice_sizes={1}  ";
  const std::string large = "b = f32[1] dynamic-slice(x, at), dynamic_slice_sizes={1}  s = f32[1] add(a, b)  ROOT r = f32[] reshape(s)";
  const std::string four = "c = s32[] constant(4)  at = s32[] minimum(ids, c)  ";
  Case c = load_pair(pick(small + "at = s32[] copy(ids)  " + large, small + four + large, "s32[]"));
  EXPECT_EQ(index_uses(c)[1].indexed, (IntegerSpan{0, 39}));
  expect_refuted(pick(small + "at = s32[] copy(ids)  " + large, small + four + large, "s32[]"));
}

TEST(Ranges, ConstantsThatAreAddedMoveTheBounds) {
  const std::string text = "c = s32[] constant(3)  at = s32[] add(ids, c)  a = f32[1] dynamic-slice(x, at), dynamic_slice_sizes={1}  ROOT r = f32[] reshape(a)";
  Case c = load_pair(pick(text, text, "s32[]"));
  EXPECT_EQ(index_uses(c)[1].indexed, (IntegerSpan{-3, 36}));
}

TEST(Ranges, OtherValuesAreNotFollowed) {  // an iota beside it, a product, a sum of two inputs, a float on the way
  const std::string slice = "a = f32[1] dynamic-slice(x, at), dynamic_slice_sizes={1}  ROOT r = f32[] reshape(a)";
  const std::string ways[] = {"two = s32[] constant(2)  at = s32[] multiply(ids, two)  ", "at = s32[] add(ids, ids)  ",
                              "f = f32[] convert(ids)  at = s32[] convert(f)  ",
                              "io = s32[2] iota(), iota_dimension=0  one = s32[1] reshape(ids)  both = s32[3] concatenate(io, one), dimensions={0}  "
                              "last = s32[1] slice(both), slice={[1:2]}  at = s32[] reshape(last)  "};
  for (const std::string& way : ways) {
    Case c = load_pair(pick(way + slice, way + slice, "s32[]"));
    EXPECT_FALSE(index_uses(c)[1].indexed) << way;
  }
}

TEST(Ranges, SquareRootsAreDrawnNegativeAndZeroToo) {
  const std::string head = "v = f32[4] parameter(0)  g = f32[4] parameter(1)  s = f32[4] sqrt(v)  ";
  const std::string z = "z = f32[] constant(0)  zs = f32[4] broadcast(z), dimensions={}  ";
  const std::string tail = "ROOT t = (f32[4], f32[4]) tuple(s, n)";
  const PairText sign{head + "n = f32[4] subtract(v, g)  " + tail, head + "a = f32[4] abs(v)  n = f32[4] subtract(a, g)  " + tail,
                      R"(["replicated", "replicated"])", R"(["replicated", "replicated"])"};
  expect_refuted(sign);
  const PairText zero{head + z + "c = pred[4] compare(v, zs), direction=GT  n = f32[4] select(c, g, zs)  " + tail,
                      head + z + "c = pred[4] compare(v, zs), direction=GE  n = f32[4] select(c, g, zs)  " + tail,
                      R"(["replicated", "replicated"])", R"(["replicated", "replicated"])"};
  expect_refuted(zero);
}

TEST(Ranges, AnOptimizerStepNeedsNoSign) {
  const std::string step =
      "b = f32[] constant(0.9)  bs = f32[4] broadcast(b), dimensions={}  m = f32[4] multiply(v, bs)  g2 = f32[4] multiply(g, g)\n"
      "w = f32[4] add(m, g2)  s = f32[4] sqrt(w)  u = f32[4] divide(g, s)  ROOT t = (f32[4], f32[4]) tuple(w, u)";
  const PairText p{"v = f32[4] parameter(0)  g = f32[4] parameter(1)\n" + step,
                   "v = f32[4] parameter(0)  part = f32[4] parameter(1)  g = f32[4] all-reduce(part), " + kSumOverTp + "\n" + step,
                   R"(["replicated", {"partial": ["tp"]}])", R"(["replicated", "replicated"])"};
  expect_proved_under(p, "finite-inputs");
}

// --- ranges of partial inputs

PairText partial(const std::string& op, const std::string& sequential, const std::string& distributed, const std::string& type = "f32[4]") {
  return {"x = " + type + " parameter(0)  " + sequential, "x = " + type + " parameter(0)  " + distributed,
          R"([{"partial": ["tp"], "op": ")" + op + R"("}])", R"(["replicated"])", type[0] == 's' ? R"({"0": [0, 4]})" : R"({"0": [0, 1]})"};
}

TEST(PartialRanges, SummandsMayBeNegative) {
  for (const char* op : {"sum", "avg"}) {
    const std::string scale = op == std::string("avg") ? "h = f32[] constant(0.5)  hs = f32[4] broadcast(h), dimensions={}  ROOT m = f32[4] multiply(r, hs)" : "ROOT m = f32[4] copy(r)";
    expect_refuted(partial(op, "ROOT a = f32[4] abs(x)", "a = f32[4] abs(x)  r = f32[4] all-reduce(a), " + kSumOverTp + "  " + scale));
  }
}

TEST(PartialRanges, SummandsOfIntegersMayBeNegative) {
  const PairText p = partial("sum", "ROOT c = s32[4] copy(x)",
                             "z = s32[] constant(0)  zs = s32[4] broadcast(z), dimensions={}  m = s32[4] maximum(x, zs)  "
                             "o = s32[4] collective-permute(m), channel_id=1, source_target_pairs={{0,1},{1,0},{2,3},{3,2}}  ROOT r = s32[4] add(m, o)",
                             "s32[4]");
  expect_refuted(p);
}

TEST(PartialRanges, WhatIsSummedFirstIsProvedWithoutARange) {
  expect_proved_under(partial("sum", "ROOT a = f32[4] abs(x)", "r = f32[4] all-reduce(x), " + kSumOverTp + "  ROOT a = f32[4] abs(r)"), "finite-inputs");
}

TEST(PartialRanges, AMaximumOfNegativeSummands) {
  const std::string max = replaced(kSumOverTp, "to_apply=add", "to_apply=max");
  expect_refuted(partial("max", "ROOT a = f32[4] copy(x)", "a = f32[4] abs(x)  ROOT r = f32[4] all-reduce(a), " + max));
}

TEST(PartialRanges, EqualUnderTheRangeIsNeverRefuted) {  // the minimum is at least 0, so every summand is
  const PairText p = partial("min", "ROOT a = f32[4] copy(x)",
                             "a = f32[4] abs(x)  o = f32[4] collective-permute(a), channel_id=1, source_target_pairs={{0,1},{1,0},{2,3},{3,2}}  ROOT r = f32[4] minimum(a, o)");
  EXPECT_NE(decided(p).verdict, Verdict::Refuted);
}

TEST(PartialRanges, NoDrawLeavesTheRange) {
  for (const char* op : {"sum", "avg", "max", "min", "mul"}) {
    for (const char* range : {"[0, 1]", "[-3, -0.1]", "[0.1, 0.1]", "[1e-9, 2e-9]", "[0, 1e30]"}) {
      PairText p = partial(op, "ROOT s = f32[4] copy(x)", "ROOT s = f32[4] copy(x)");
      p.ranges = std::string(R"({"0": )") + range + "}";
      const Case c = load_pair(p);
      const Range& r = c.relation.free[0].range;
      bool free = false;
      for (int regime = 0; regime < 8; ++regime) {
        const InputSet set = draw_inputs(c.relation, 7, regime);
        const auto x = set.free[0].as<double>();
        for (std::size_t k = 0; k < 4; ++k) {
          const long double a = x[k], b = x[k + 4];
          const std::string name = op;
          const long double whole = name == "max" ? std::max(a, b) : name == "min" ? std::min(a, b)
                                                                 : name == "mul"   ? a * b
                                                                 : name == "avg"   ? (a + b) / 2
                                                                                   : a + b;
          EXPECT_GE(whole, static_cast<long double>(r.lo)) << op << range;
          EXPECT_LE(whole, static_cast<long double>(r.hi)) << op << range;
          free = free || a < r.lo || a > r.hi || b < r.lo || b > r.hi;
        }
      }
      EXPECT_TRUE(free || r.lo == r.hi) << op << range;
    }
  }
}

TEST(PartialRanges, ProductsOfSummandsHaveAnySign) {
  expect_refuted(partial("mul", "ROOT a = f32[4] copy(x)",
                         "a = f32[4] abs(x)  o = f32[4] collective-permute(x), channel_id=1, source_target_pairs={{0,1},{1,0},{2,3},{3,2}}  "
                         "b = f32[4] copy(o)  ROOT r = f32[4] multiply(a, b)"));
}

TEST(PartialRanges, ABoundOfTheWholeIsNoneOfASummand) {  // x <= 1, and a summand may be 2
  const std::string clip = "one = f32[] constant(1)  ones = f32[4] broadcast(one), dimensions={}  ";
  expect_refuted(partial("sum", clip + "ROOT a = f32[4] minimum(x, ones)",
                         clip + "a = f32[4] minimum(x, ones)  ROOT r = f32[4] all-reduce(a), " + kSumOverTp));
  expect_proved_under(partial("sum", clip + "ROOT a = f32[4] minimum(x, ones)",
                              clip + "r = f32[4] all-reduce(x), " + kSumOverTp + "  ROOT a = f32[4] minimum(r, ones)"),
                      "finite-inputs");
}

TEST(PartialRanges, ZerosOfTheWholeAreNoneOfItsSummands) {
  PairText p = partial("sum", "ROOT c = f32[4] copy(x)", "z = f32[] constant(0)  ROOT c = f32[4] broadcast(z), dimensions={}");
  p.ranges = R"({"0": [0, 0]})";
  EXPECT_NE(decided(p).verdict, Verdict::Refuted);  // equal: the sum is 0
  p.distributed = "x = f32[4] parameter(0)  ROOT c = f32[4] copy(x)";
  expect_refuted(p);  // a rank's summand is not
}

TEST(PartialRanges, WithoutARangeNothingChanges) {
  PairText p = partial("sum", "ROOT a = f32[4] abs(x)", "a = f32[4] abs(x)  ROOT r = f32[4] all-reduce(a), " + kSumOverTp);
  p.ranges = "{}";
  expect_refuted(p);
}

TEST(PartialRanges, RootsOfTheWholeValueAreAlwaysDefined) {
  PairText p = partial("sum", "ROOT s = f32[4] sqrt(x)", "r = f32[4] all-reduce(x), " + kSumOverTp + "  ROOT s = f32[4] sqrt(r)");
  const Report report = decided(p);
  EXPECT_EQ(report.verdict, Verdict::Proved);
  EXPECT_TRUE(std::any_of(report.details.begin(), report.details.end(), [](const auto& d) { return d.key == "undefined" && d.value.rfind("0/", 0) == 0; }));
}

// --- the checker derives premises again

Certificate certificate_of(Case& c) {
  const ProofResult proof = prove(c);
  EXPECT_TRUE(proof.proved);
  return *proof.certificate;
}

CheckResult checked(Certificate certificate, Case& c, Assumption premise) {
  std::erase_if(certificate.assumptions, [](const Assumption& a) { return a.kind == AssumptionKind::InBounds; });
  certificate.assumptions.push_back(std::move(premise));
  std::sort(certificate.assumptions.begin(), certificate.assumptions.end());
  return check_certificate(print_certificate(certificate), "", c);
}

TEST(CheckedRanges, BoundsAreDerivedAgain) {
  Case c = load_pair(lookup_in_shards());
  const Certificate certificate = certificate_of(c);
  EXPECT_TRUE(checked(certificate, c, {AssumptionKind::InBounds, {"x1", "0", "8", "rows"}}).accepted);
  for (const auto& [input, lo, hi, instruction] : {std::array{"x1", "0", "7", "rows"}, {"x1", "1", "8", "rows"}, {"x1", "0", "9", "rows"}, {"x1", "0", "8", "column"}, {"x0", "0", "8", "rows"}, {"x2", "0", "8", "rows"}, {"x01", "0", "8", "rows"}}) {
    EXPECT_FALSE(checked(certificate, c, {AssumptionKind::InBounds, {input, lo, hi, instruction}}).accepted) << input << lo << hi << instruction;
  }
}

/// The shards' rows at ids that are rounded numbers; the reader of the texts says where the sequential program raises.
Case rounded_lookup() {
  PairText p = lookup_in_shards();
  for (std::string* text : {&p.sequential, &p.distributed}) {
    const std::string given = "ids = s32[6] parameter(1)";
    text->replace(text->find(given), given.size(), "r = f32[6] parameter(1)  f = f32[6] floor(r)  ids = s32[6] convert(f)");
  }
  Case c = load_pair(p);
  c.accepted = {{"ids", {0, 7}}};
  return c;
}

TEST(CheckedRanges, WhereTheSequentialProgramDoesNotRaise) {
  Case c = rounded_lookup();
  Certificate certificate = certificate_of(c);
  const Assumption premise{AssumptionKind::InRange, {"0", "8", "ids"}};
  EXPECT_EQ(std::count(certificate.assumptions.begin(), certificate.assumptions.end(), premise), 1);
  EXPECT_TRUE(check_certificate(print_certificate(certificate), "", c).accepted);
  const auto with = [&](const Assumption& other) {
    Certificate forged = certificate;
    std::replace(forged.assumptions.begin(), forged.assumptions.end(), premise, other);
    std::sort(forged.assumptions.begin(), forged.assumptions.end());
    return check_certificate(print_certificate(forged), "", c).accepted;
  };
  EXPECT_TRUE(with(premise));
  for (const auto& [lo, hi, instruction] : {std::array{"0", "7", "ids"}, {"1", "8", "ids"}, {"0", "9", "ids"}, {"0", "8", "f"}, {"0", "8", "column"}, {"0", "8", "r"}}) {
    EXPECT_FALSE(with({AssumptionKind::InRange, {lo, hi, instruction}})) << lo << hi << instruction;
  }
  c.accepted.clear();
  EXPECT_FALSE(with(premise));
}

TEST(CheckedRanges, WithoutThePremiseTheProofIsRefused) {
  Case c = load_pair(lookup_in_shards());
  Certificate certificate = certificate_of(c);
  std::erase_if(certificate.assumptions, [](const Assumption& a) { return a.kind == AssumptionKind::InBounds; });
  EXPECT_FALSE(check_certificate(print_certificate(certificate), "", c).accepted);
}

TEST(CheckedRanges, ARangeThatNobodyGaveIsListedAsSuch) {
  Case c = load_pair(lookup_in_shards());
  const CheckResult result = checked(certificate_of(c), c, {AssumptionKind::InputRange, {"x1", "0", "8"}});
  ASSERT_TRUE(result.accepted) << result.problem;
  ASSERT_EQ(result.assumptions.size(), 2U);
  EXPECT_EQ(to_string(result.assumptions[1]), "range-not-given(ids:[0,8))");
  EXPECT_NE(not_allowed(result.assumptions, {}), nullptr);
  EXPECT_EQ(not_allowed(result.assumptions, {"range-not-given"}), nullptr);
}

TEST(CheckedRanges, NoRangeOfASummand) {
  Case c = load_pair(partial("sum", "ROOT a = f32[4] abs(x)", "r = f32[4] all-reduce(x), " + kSumOverTp + "  ROOT a = f32[4] abs(r)"));
  EXPECT_FALSE(checked(certificate_of(c), c, {AssumptionKind::InputRange, {"x0", "0", "1"}}).accepted);
}

}  // namespace
}  // namespace gg
