// Theorems about free sizes: the checker over polynomials. The project's own pairs that have one, each tried as text at two other sizes,
// and pairs in which a number meets a size by chance.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/prove/all_sizes.h"
#include "harness/prove/proof.h"
#include "runtime/reduce/reduce.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

// Scans over layers and microbatches, loops until something holds, top-k, sorts, windows, halos, argmax: what has no reading over digits.
const std::set<std::string> kFree{
    "accumulation-masked-mean", "accumulation-scan", "argmax-annotated", "argmax-index", "argmax-lookup", "cause-dropped-halo-conv",
    "cause-mean-of-means-gradient", "cause-second-halo-layers", "cause-second-halo-overlap", "cause-stale-mask-window", "components-three",
    "embedding-bag", "fsdp-tp-scan", "halo-conv-causal", "halo-conv-centred", "library-cholesky", "loop-sum", "moe-dispatch-from-combine",
    "moe-grad-ep-tp", "muon", "noise-gumbel", "padded-logsumexp", "padded-lookup", "scan-against-unrolled", "sequence-parallel-scan",
    "sync-batch-norm", "topk-gradient", "topk-kept", "topk-one-hot", "uneven-vocabulary", "while-until-small", "window-region", "window-running"};

bool right(const fs::path& folder) {
  std::ifstream file(folder / "expect.json");
  return nlohmann::json::parse(file).at("verdict") == "proved";
}

// The family at these sizes, read as any other pair.
bool proved_at(const Case& c, const std::vector<std::int64_t>& values) {
  const auto pair = resize_shapes(c, values);
  if (!pair) return true;  // no member of the family
  Case other = reduced_case(c, pair->pair);
  return prove_and_check(other).accepted();
}

TEST(FreeSizes, OwnPairsThatHaveATheorem) {
  for (const std::string& name : kFree) {
    Case c = load_case(std::string(GG_SOURCE_DIR) + "/tests/pairs/" + name);
    const SizesTheorem t = prove_free_sizes(c);
    EXPECT_TRUE(t.proved) << name << ": " << t.reason;
    for (const std::string& condition : t.conditions) EXPECT_EQ(condition, "places fit their integer types") << name;
    std::vector<std::int64_t> least, more;
    for (const SizeSymbol& s : t.sizes) {
      least.push_back(std::max<std::int64_t>(s.least, 2));
      more.push_back(s.least + 3 + static_cast<std::int64_t>(more.size()));
    }
    EXPECT_TRUE(proved_at(c, least)) << name << " at its least sizes";
    EXPECT_TRUE(proved_at(c, more)) << name;
  }
}

TEST(FreeSizes, NoWrongPair) {
  for (const auto& entry : fs::directory_iterator(std::string(GG_SOURCE_DIR) + "/tests/pairs")) {
    if (!fs::exists(entry.path() / "sequential.hlo") || !fs::exists(entry.path() / "expect.json") || right(entry.path())) continue;
    if (entry.path().filename().string().find("scan") == std::string::npos) continue;
    const Case c = load_case(entry.path().string());
    EXPECT_FALSE(prove_free_sizes(c).proved) << entry.path();
  }
}

// A scan over the layers of a stack: any number of them.
TEST(FreeSizes, AnyNumberOfLayers) {
  const Case c = load_case(std::string(GG_SOURCE_DIR) + "/tests/pairs/fsdp-tp-scan");
  const SizesTheorem t = prove_free_sizes(c);
  ASSERT_TRUE(t.proved) << t.reason;
  EXPECT_EQ(t.inputs[0], "w1.1: f32[a, 2*b, 4*b]");
  EXPECT_NE(std::find(t.literals.begin(), t.literals.end(), "3 = a"), t.literals.end());
}

const PairText kShifted{
    "x = f32[6,8] parameter(0)\n ROOT y = f32[6,8] negate(x)\n",
    "x = f32[6,8] parameter(0)\n id = u32[] partition-id()\n two = u32[] constant(2)\n d = u32[] divide(id, two)\n"
    "ds = s32[] convert(d)\n n = s32[] constant(3)\n start = s32[] multiply(ds, n)\n zero = s32[] constant(0)\n"
    "s = f32[3,8] dynamic-slice(x, start, zero), dynamic_slice_sizes={3,8}\n ROOT y = f32[3,8] negate(s)\n",
    R"([[[], []]])", R"([[["dp"], []]])"};

TEST(FreeSizes, TheOffsetOfABlockIsItsSize) {
  Case c = load_pair(kShifted);
  const SizesTheorem t = prove_free_sizes(c);
  ASSERT_TRUE(t.proved) << t.reason;
  EXPECT_EQ(t.outputs[0].substr(t.outputs[0].find(':')), ": f32[2*a, b]");
  EXPECT_NE(std::find(t.literals.begin(), t.literals.end(), "3 = a"), t.literals.end());
}

// Sums of equal values against a literal: the number of values is that of the text.
TEST(FreeSizes, ACountAgainstALiteral) {
  const PairText p{"x = f32[6] parameter(0)\n c = f32[] constant(5)\n b = f32[6] broadcast(c), dimensions={}\n ROOT y = f32[6] multiply(x, b)\n",
                   "x = f32[3] parameter(0)\n o = f32[] constant(1)\n os = f32[5] broadcast(o), dimensions={}\n z = f32[] constant(0)\n"
                   "n = f32[] reduce(os, z), dimensions={0}, to_apply=add\n b = f32[3] broadcast(n), dimensions={}\n ROOT y = f32[3] multiply(x, b)\n",
                   R"([[["dp"]]])", R"([[["dp"]]])"};
  Case c = load_pair(p);
  EXPECT_FALSE(prove_free_sizes(c).proved);
}

}  // namespace
}  // namespace gg
