// Layers that repeat (prover/engine/repeat.h, prover/checker/repeat.h): what is known of one layer holds of another one with other names
// only where nothing else differs. Each near miss is one change of one layer; the certificate of the right pair does not pass for it.
#include "models/base/file.h"
#include "prover/checker/checker.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

constexpr int kLayers = 6;

/// A layer of one program; `k` is its number, and the weights that it reads are those of `weights`.
struct Layer {
  int k = 0, weights = 0;
  std::string eps = "0.001", more = "";
  bool swapped = false;  ///< operands of the last addition
};

/// x + (norm(x) * w * U) V; in the distributed program columns of U and rows of V over tp, and w as a product of roots.
std::string layer(const Layer& l, bool distributed) {
  const std::string k = std::to_string(l.k), w = std::to_string(l.weights), width = distributed ? "2" : "4";
  const auto n = [&](const std::string& name) { return name + k; };
  std::string text;
  const auto add = [&](const std::string& name, const std::string& dims, const std::string& rest) { text += "  " + n(name) + " = f32[" + dims + "] " + rest + "\n"; };
  const std::string x = l.k == 0 ? "x" : "out" + std::to_string(l.k - 1);
  add("square", "8,4", "multiply(" + x + ", " + x + ")");
  add("sum", "8", "reduce(" + n("square") + ", zero), dimensions={1}, to_apply=add");
  add("eps", "", "constant(" + l.eps + ")");
  add("epsb", "8", "broadcast(" + n("eps") + "), dimensions={}");
  add("shifted", "8", "add(" + n("sum") + ", " + n("epsb") + ")");
  add("root", "8", "rsqrt(" + n("shifted") + ")");
  add("rootb", "8,4", "broadcast(" + n("root") + "), dimensions={0}");
  add("norm", "8,4", "multiply(" + x + ", " + n("rootb") + ")");
  add("half", "4", distributed ? "sqrt(w" + w + ")" : "copy(w" + w + ")");
  add("scale", "4", distributed ? "multiply(" + n("half") + ", " + n("half") + ")" : "copy(" + n("half") + ")");
  add("scaleb", "8,4", "broadcast(" + n("scale") + "), dimensions={1}");
  add("h", "8,4", "multiply(" + n("norm") + ", " + n("scaleb") + ")");
  add("g", "8," + width, "dot(" + n("h") + ", u" + w + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  add("part", "8,4", "dot(" + n("g") + ", v" + w + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  if (distributed) add("whole", "8,4", "all-reduce(" + n("part") + "), channel_id=" + std::to_string(l.k + 1) + ", replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add");
  std::string y = n(distributed ? "whole" : "part");
  if (!l.more.empty()) {
    add("more", "8,4", "add(" + y + ", " + l.more + ")");
    y = n("more");
  }
  add("out", "8,4", "add(" + (l.swapped ? y + ", " + x : x + ", " + y) + ")");
  return text;
}

/// Six layers; `sequential` and `distributed` change one of a program. A range of each w but that of layer `unranged`.
PairText network(const std::function<void(Layer&)>& sequential, const std::function<void(Layer&)>& distributed, int unranged = -1) {
  PairText p;
  for (const bool d : {false, true}) {
    std::string text = "\n  x = f32[8,4] parameter(0)\n  zero = f32[] constant(0)\n";
    for (int k = 0; k < kLayers; ++k) {
      const std::string n = std::to_string(k);
      text += "  w" + n + " = f32[4] parameter(" + std::to_string(3 * k + 1) + ")\n  u" + n + " = f32[4," + (d ? "2" : "4") + "] parameter(" +
              std::to_string(3 * k + 2) + ")\n  v" + n + " = f32[" + (d ? "2" : "4") + ",4] parameter(" + std::to_string(3 * k + 3) + ")\n";
    }
    if (d) text += "  pid = u32[] partition-id()\n  rank = f32[] convert(pid)\n  ranks = f32[8,4] broadcast(rank), dimensions={}\n";
    for (int k = 0; k < kLayers; ++k) {
      Layer l{k, k};
      (d ? distributed : sequential)(l);
      text += layer(l, d);
    }
    (d ? p.distributed : p.sequential) = text + "  ROOT y = f32[8,4] copy(out" + std::to_string(kLayers - 1) + ")\n";
  }
  p.inputs = "[[[],[]]";
  p.ranges = "{";
  for (int k = 0; k < kLayers; ++k) {
    p.inputs += R"(,[[]],[[],["tp"]],[["tp"],[]])";
    if (k != unranged) p.ranges += (p.ranges == "{" ? "\"" : ",\"") + std::to_string(3 * k + 1) + "\":[0.5,2]";
  }
  p.inputs += "]";
  p.ranges += "}";
  p.outputs = "[[[],[]]]";
  return p;
}

void same(Layer&) {}

/// The checked proof of a pair, checked with and without what repeats.
CheckResult checked(const PairText& p) {
  Case c = load_pair(p);
  const ProofResult r = prove(c);
  EXPECT_TRUE(r.proved) << (r.outputs.empty() ? "" : r.outputs[0].text);
  if (!r.certificate) return {};
  const std::string text = print_certificate(*r.certificate);
  const CheckResult result = check_certificate(text, "", c), again = check_certificate(text, "", c, true);
  EXPECT_TRUE(result.accepted) << result.problem;
  EXPECT_TRUE(again.accepted) << again.problem;
  return result;
}

/// `wrong` is not proved, and the lines that prove the right pair are refused for it.
void expect_refused(const PairText& wrong) {
  Case right = load_pair(network(same, same)), c = load_pair(wrong);
  EXPECT_FALSE(prove(c).proved);
  const ProofResult proof = prove(right);
  ASSERT_TRUE(proof.certificate.has_value());
  Certificate forged = *proof.certificate;
  forged.sequential_hash = c.hashes.sequential;
  forged.distributed_hash = c.hashes.distributed;
  forged.relation_hash = c.hashes.relation;
  std::erase_if(forged.assumptions, [&](const Assumption& a) {  // what the relation does not give is no assumption of it
    const bool range = a.kind == AssumptionKind::InputRange;
    return range && c.relation.free[static_cast<std::size_t>(std::stoi(a.arguments[0].substr(1)))].range.origin != Range::Origin::Given;
  });
  const CheckResult result = check_certificate(print_certificate(forged), "", c);
  EXPECT_FALSE(result.accepted);
  EXPECT_TRUE(result.refused.has_value()) << result.problem;
}

TEST(Repeats, LayersAreKnownFromTheFirst) {
  const CheckResult result = checked(network(same, same));
  EXPECT_GT(result.repeated, std::size_t{(kLayers - 2) * 20});
}

TEST(Repeats, ALayerWithAnotherEps) {
  for (const int k : {0, 3, kLayers - 1}) {
    const auto other = [k](Layer& l) { l.eps = l.k == k ? "0.002" : l.eps; };
    expect_refused(network(same, other));
    expect_refused(network(other, same));
    checked(network(other, other));
  }
}

TEST(Repeats, LayersWithANumberOfManyDigits) {
  const auto tiny = [](Layer& l) { l.eps = "1e-30"; };  // its denominator is a power of two above 64 bits
  EXPECT_EQ(checked(network(tiny, tiny)).repeated, checked(network(same, same)).repeated);
  expect_refused(network(tiny, [](Layer& l) { l.eps = l.k == 3 ? "2e-30" : "1e-30"; }));
}

TEST(Repeats, ALayerWhoseWeightHasNoRange) {
  for (const int k : {0, 3, kLayers - 1}) expect_refused(network(same, same, k));  // sqrt(w) sqrt(w) is not w of a negative one
}

TEST(Repeats, ALayerWithTheWeightsOfAnother) {
  for (const int k : {1, 3, kLayers - 1}) {
    const auto other = [k](Layer& l) { l.weights = l.k == k ? k - 1 : l.k; };
    expect_refused(network(same, other));
    expect_refused(network(other, same));
    checked(network(other, other));
  }
}

TEST(Repeats, ALayerThatUsesTheRank) {
  for (const int k : {0, 3, kLayers - 1}) expect_refused(network(same, [k](Layer& l) { l.more = l.k == k ? "ranks" : ""; }));
}

TEST(Repeats, ALayerWrittenInAnotherOrder) {
  const CheckResult result = checked(network(same, [](Layer& l) { l.swapped = l.k == 3; }));
  EXPECT_GT(result.repeated, std::size_t{(kLayers - 3) * 20});
}

}  // namespace
}  // namespace gg
