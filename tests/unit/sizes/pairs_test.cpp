// The project's own pairs: the right ones that hold at all sizes, no wrong one, and one theorem from two captures.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "prover/sizes/sizes.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kAllSizes{
    "bf16-train-step", "dropout-counter", "ema", "global-norm-clip", "llama-block-step", "masked-loss-grad", "mlp-contracted", "qk-norm-heads",
    "remat", "reshard-chain", "reshard-chain-annotated", "sizes-adamw", "sizes-adamw-larger", "sizes-cross-entropy",
    "sizes-cross-entropy-larger", "sizes-fsdp", "sizes-fsdp-larger", "sizes-grouped-attention", "sizes-grouped-attention-larger",
    "sizes-ring-step", "sizes-ring-step-larger", "sp-norm-grad", "sync-batch-norm-centred", "sync-batch-norm-grad", "tp-mlp", "ulysses",
    "vocab-embedding"};

SizesTheorem theorem(const fs::path& folder) {
  Case c = load_case(folder.string());
  return prove_all_sizes(c);
}

std::string truth(const fs::path& folder) {
  std::ifstream file(folder / "expect.json");
  return nlohmann::json::parse(file).at("verdict");
}

TEST(AllSizesPairs, RightOnesAndNoWrongOne) {
  std::set<std::string> proved;
  for (const char* where : {"/examples", "/tests/pairs"}) {
    for (const auto& entry : fs::directory_iterator(std::string(GG_SOURCE_DIR) + where)) {
      if (!fs::exists(entry.path() / "sequential.hlo") || !fs::exists(entry.path() / "expect.json")) continue;
      const SizesTheorem t = theorem(entry.path());
      if (!t.proved) continue;
      EXPECT_EQ(truth(entry.path()), "proved") << entry.path();
      proved.insert(entry.path().filename());
    }
  }
  for (const std::string& name : kAllSizes) EXPECT_TRUE(proved.contains(name)) << name;
}

TEST(AllSizesPairs, TwoCapturesOfAProgramGiveOneTheorem) {
  for (const char* name : {"sizes-adamw", "sizes-cross-entropy", "sizes-fsdp", "sizes-grouped-attention", "sizes-ring-step"}) {
    const std::string folder = std::string(GG_SOURCE_DIR) + "/tests/pairs/" + name;
    const SizesTheorem small = theorem(folder), large = theorem(folder + "-larger");
    EXPECT_TRUE(small.proved && large.proved) << name << " " << small.reason << large.reason;
    EXPECT_EQ(small.inputs, large.inputs) << name;
    EXPECT_EQ(small.outputs, large.outputs) << name;
    ASSERT_EQ(small.sizes.size(), large.sizes.size()) << name;
    for (std::size_t k = 0; k < small.sizes.size(); ++k) {
      EXPECT_EQ(small.sizes[k].name, large.sizes[k].name) << name;
      EXPECT_EQ(small.sizes[k].tied, "") << name;
    }
  }
}

}  // namespace
}  // namespace gg
