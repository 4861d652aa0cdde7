// What disjoint balls say of programs that cancel, overflow, vanish, mask and tie: right pairs never differ, wrong ones do where the
// last precision tells. Both programs of a pair have the same input f32[4] on two ranks.
#include <gtest/gtest.h>

#include "case_builder.h"
#include "runtime/differential.h"

namespace gg {
namespace {

constexpr const char* kRegions = R"(
%plus (p: f32[], q: f32[]) -> f32[] {
  %p = f32[] parameter(0)
  %q = f32[] parameter(1)
  ROOT %o = f32[] add(%p, %q)
}
%most (p: f32[], q: f32[]) -> f32[] {
  %p = f32[] parameter(0)
  %q = f32[] parameter(1)
  ROOT %o = f32[] maximum(%p, %q)
}
%before (p: f32[], q: f32[], i: s32[], j: s32[]) -> pred[] {
  %p = f32[] parameter(0)
  %q = f32[] parameter(1)
  %i = s32[] parameter(2)
  %j = s32[] parameter(3)
  ROOT %o = pred[] compare(%p, %q), direction=LT
}
)";

/// The text of a program: one instruction a `;`, the last one the root; `#v` is the literal v, broadcast to f32[4].
std::string program(const std::string& header, std::string body, const std::string& type) {
  std::string text, statement;
  int literals = 0;
  body += ";";
  std::vector<std::string> statements;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] != ';') {
      statement += body[at];
      continue;
    }
    for (std::size_t mark; (mark = statement.find('#')) != std::string::npos;) {
      std::size_t end = statement.find_first_of(",)", mark);
      const std::string name = "l" + std::to_string(literals++);
      text += "  %" + name + "s = f32[] constant(" + statement.substr(mark + 1, end - mark - 1) + ")\n  %" + name + " = f32[4] broadcast(%" + name + "s), dimensions={}\n";
      statement.replace(mark, end - mark, "%" + name);
    }
    statements.push_back(statement);
    text += "  " + statement + "\n";
    statement.clear();
  }
  const std::size_t root = text.rfind("  " + statements.back());
  text.insert(root + 2, "ROOT ");
  return "HloModule m" + header + "\n" + kRegions + "\nENTRY %main (x: f32[4]) -> " + type + " {\n  %x = f32[4] parameter(0)\n  %z = f32[] constant(0)\n" + text + "}\n";
}

const char* const kCopy = "%r = f32[4] copy(%x)";
const char* const kBig = "%e = f32[4] exponential(#208);%a = f32[4] add(%x, %e);%r0 = f32[4] subtract(%a, %e)";

std::string joined(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : ";") + part;
  return all;
}
/// x / by * by - x: zero over the reals, and a ball around it.
std::string zero(const std::string& by) {
  return joined({"%q = f32[4] divide(%x, #" + by + ")", "%p = f32[4] multiply(%q, #" + by + ")", "%n = f32[4] subtract(%p, %x)"});
}
/// 1 / by * by: one over the reals.
std::string one(const std::string& by) {
  return joined({"%u = f32[4] divide(#1, #" + by + ")", "%n = f32[4] multiply(%u, #" + by + ")"});
}
std::string sinh_and_cosh(const std::string& of) {
  return joined({"%e = f32[4] exponential(#" + of + ")", "%c = f32[4] cosh(#" + of + ")", "%h = f32[4] sinh(#" + of + ")",
                 "%u = f32[4] add(%c, %h)", "%a = f32[4] add(%x, %e)", "%r0 = f32[4] subtract(%a, %u)"});
}
std::string softmax(const std::string& logits) {
  return joined({logits, "%low = f32[] constant(-inf)", "%m = f32[] reduce(%t, %low), dimensions={0}, to_apply=%most",
                 "%mb = f32[4] broadcast(%m), dimensions={}", "%d = f32[4] subtract(%t, %mb)", "%e = f32[4] exponential(%d)",
                 "%s = f32[] reduce(%e, %z), dimensions={0}, to_apply=%plus", "%sb = f32[4] broadcast(%s), dimensions={}", "%r = f32[4] divide(%e, %sb)"});
}
std::string sorted(const std::string& keys, const std::string& second = "%i = s32[4] iota(), iota_dimension=0") {
  return joined({keys, second, "%so = (f32[4], s32[4]) sort(%n, %i), dimensions={0}, is_stable=true, to_apply=%before",
                 "%r = s32[4] get-tuple-element(%so), index=1"});
}
std::string topk(const std::string& keys, const std::string& largest = "true") {
  return joined({keys, "%so = (f32[2], s32[2]) topk(%n), k=2, largest=" + largest, "%r = s32[2] get-tuple-element(%so), index=1"});
}
std::string then(const std::string& first, const std::string& last) { return joined({first, last}); }

struct Pair {
  std::string name, sequential, distributed;
  Agreement expected;
  std::string type = "f32[4]";
};

std::vector<Pair> pairs() {
  using enum Agreement;
  const std::string copy = kCopy, big = kBig, same = "%r = f32[4] copy(%r0)", twice = "%r = f32[4] add(%x, %x)";
  const std::string quarter = "%k = f32[4] multiply(%x, #0);%r = f32[4] add(%k, #0.25)", fifth = "%k = f32[4] multiply(%x, #0);%r = f32[4] add(%k, #0.2)";
  const std::string tiny = "%r = f32[4] add(%r0, #8.8817841970012523e-16)", more = "%r = f32[4] add(%r0, #1)";
  const std::string same_keys = "%n = f32[4] multiply(%x, #0)", by_x = "%n = f32[4] copy(%x)", by_minus_x = "%n = f32[4] negate(%x)";
  const std::string count = "%r = s32[4] iota(), iota_dimension=0", masked = "%k0 = f32[4] multiply(%x, #0);%t = f32[4] add(%k0, #-1e30)";
  const std::string noise = "%k0 = f32[4] multiply(%x, %x);%k1 = f32[4] add(%k0, #2);%s = f32[4] sqrt(%k1);%k2 = f32[4] multiply(%s, %s);%n = f32[4] subtract(%k2, %k1)";
  const std::string positions = "s32[4]", two = "s32[2]";
  return {
      {"cancels at 2^300", copy, then(big, same), Agrees},
      {"cancels at 2^300, and is wrong", copy, then(big, tiny), Differs},
      {"the small summand is swallowed", copy, then(sinh_and_cosh("200"), same), Agrees},
      {"the small summand is swallowed, and is wrong", copy, then(sinh_and_cosh("200"), tiny), Differs},
      {"swallowed at every precision", copy, then(sinh_and_cosh("400"), same), Open},
      {"swallowed at every precision, and is wrong", copy, then(sinh_and_cosh("400"), more), Open},
      {"exp(1e30) exp(-1e30)", copy, "%e = f32[4] exponential(#1e30);%f = f32[4] exponential(#-1e30);%g = f32[4] multiply(%e, %f);%r = f32[4] multiply(%x, %g)", Open},
      {"exp(-1e30) beside a number", copy, "%f = f32[4] exponential(#-1e30);%r = f32[4] add(%x, %f)", Agrees},
      {"exp(-1e30) beside a wrong number", twice, "%f = f32[4] exponential(#-1e30);%r = f32[4] add(%x, %f)", Differs},
      {"log(exp(1e30)) - 1e30", copy, "%e = f32[4] exponential(#1e30);%l = f32[4] log(%e);%m = f32[4] subtract(%l, #1e30);%r = f32[4] add(%x, %m)", Open},
      {"log(exp(-30000)) + 30000", copy, "%e = f32[4] exponential(#-30000);%l = f32[4] log(%e);%m = f32[4] add(%l, #30000);%r = f32[4] add(%x, %m)", Agrees},
      {"a masked row", quarter, softmax(masked), Agrees},
      {"a masked row, wrong", fifth, softmax(masked), Differs},
      {"a row masked by a sum", softmax("%t = f32[4] copy(%x)"), softmax("%t = f32[4] add(%x, #-1e30)"), Agrees},
      {"a row masked by a sum, wrong", quarter, softmax("%t = f32[4] add(%x, #-1e30)"), Differs},
      {"a row masked by infinity", quarter, softmax("%k0 = f32[4] multiply(%x, #0);%t = f32[4] add(%k0, #-inf)"), Differs},
      {"undefined where masked by infinity", softmax("%k0 = f32[4] multiply(%x, #0);%t = f32[4] add(%k0, #-inf)"), quarter, Undefined},
      {"a sum that vanishes", then(zero("3"), "%r = f32[4] copy(%n)"), then(zero("7"), "%r = f32[4] copy(%n)"), Agrees},
      {"a sum that vanishes, wrong", then(zero("3"), "%r = f32[4] copy(%n)"), then(zero("7"), "%r = f32[4] add(%n, #8.8817841970012523e-16)"), Differs},
      {"divided by what vanishes", then(zero("3"), "%r = f32[4] divide(%x, %n)"), then(zero("7"), "%r = f32[4] divide(%x, %n)"), Open},
      {"the root of what vanishes", then(zero("3"), "%r = f32[4] sqrt(%n)"), then(zero("7"), "%r = f32[4] sqrt(%n)"), Open},
      {"infinity times what vanishes", copy, then(zero("3"), "%i = f32[4] divide(#1, #0);%r = f32[4] multiply(%i, %n)"), Differs},
      {"infinity times what vanishes, on the sequential side", then(zero("3"), "%i = f32[4] divide(#1, #0);%r = f32[4] multiply(%i, %n)"), copy, Undefined},
      {"0 / 0", "%n = f32[4] subtract(%x, %x);%r = f32[4] divide(%n, %n)", copy, Undefined},
      {"sort: equal keys stay in order", count, sorted(same_keys), Agrees, positions},
      {"sort: equal keys in another order", "%o = s32[4] iota(), iota_dimension=0;%r = s32[4] reverse(%o), dimensions={0}", sorted(same_keys), Differs, positions},
      {"sort: keys that rounding makes different", sorted(zero("3")), sorted(noise), Tied, positions},
      {"sort: the wrong way", sorted(by_x), sorted(by_minus_x), Differs, positions},
      {"topk: equal keys are taken by position", "%o = s32[4] iota(), iota_dimension=0;%r = s32[2] slice(%o), slice={[0:2]}", topk(same_keys), Agrees, two},
      {"topk: keys that tie, with one result", topk(zero("3")), topk(noise), Tied, two},
      {"topk: the smallest", topk(by_x), topk(by_x, "false"), Differs, two},
      {"a selection at a tie", then(one("3"), "%b = pred[4] compare(%n, #1), direction=GE;%r = f32[4] select(%b, %x, %n)"),
       then(one("3"), "%b = pred[4] compare(%n, #1), direction=LT;%r = f32[4] select(%b, %x, %n)"), Tied},
      {"a selection apart from the tie", then(one("3"), "%b = pred[4] compare(%n, #0.5), direction=GE;%r = f32[4] select(%b, %x, %n)"),
       then(one("3"), "%b = pred[4] compare(%n, #0.5), direction=LT;%r = f32[4] select(%b, %x, %n)"), Differs},
      {"an index at a tie", then(one("3"), "%r = s32[4] convert(%n)"), then(one("7"), "%m = f32[4] add(%n, #1);%r = s32[4] convert(%m)"), Tied, positions},
      {"floor at a tie", copy, then(one("3"), "%f = f32[4] floor(%n);%r = f32[4] multiply(%x, %f)"), Open},
      {"floor apart from the tie", copy, then(one("3"), "%m = f32[4] add(%n, #1.5);%f = f32[4] floor(%m);%r = f32[4] multiply(%x, %f)"), Differs},
      {"a maximum needs no decision", copy, "%u = f32[4] divide(%x, #3);%n = f32[4] multiply(%u, #3);%r = f32[4] maximum(%n, %x)", Agrees},
      {"a remainder at a tie", "%r = f32[4] multiply(%x, #0)", then(one("3"), "%f = f32[4] remainder(%n, #1);%r = f32[4] multiply(%x, %f)"), Open},
      {"a literal beside its closed form", "%r = f32[4] multiply(%x, #0.353553385)", "%r = f32[4] divide(%x, #2.82842708)", Literals},
      {"a literal of another number", "%r = f32[4] multiply(%x, #0.353553385)", "%r = f32[4] multiply(%x, #0.353552)", Differs},
      {"a literal that is meant", "%r = f32[4] multiply(%x, #0.125)", "%r = f32[4] divide(%x, #8)", Agrees},
  };
}

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

class Balls : public testing::TestWithParam<Pair> {};

TEST_P(Balls, SayWhatTheyMay) {
  const Pair& pair = GetParam();
  Case c = test::make_case(program("", pair.sequential, pair.type), program(", num_partitions=2", pair.distributed, pair.type),
                           R"({"mesh": [["tp", 2]], "inputs": [[[]]], "outputs": [[[]]], "ranges": {"0": [-1, 1]}})");
  const DifferentialResult result = run_pair(c, {});
  ASSERT_FALSE(result.stopped) << result.stopped->what();
  const OutputOutcome& out = result.outputs.at(0);
  EXPECT_EQ(static_cast<int>(out.agreement), static_cast<int>(pair.expected)) << pair.name << ": " << out.compared << " compared, " << out.unresolved << " open";
  EXPECT_EQ(result.differing.has_value(), pair.expected == Agreement::Differs) << pair.name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Balls, testing::ValuesIn(pairs()), [](const auto& one) {
  std::string name;
  for (const char c : one.param.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace gg
