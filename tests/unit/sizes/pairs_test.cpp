// One theorem from two captures of a program. All pairs of the project: tests/sizes.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "harness/prove/proof.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

SizesTheorem theorem(const fs::path& folder) {
  Case c = load_case(folder.string());
  return theorem_over_sizes(c);
}

TEST(AllSizesPairs, TwoCapturesOfAProgramGiveOneTheorem) {
  for (const char* name : {"sizes-adamw", "sizes-cross-entropy", "sizes-fsdp", "sizes-grouped-attention", "sizes-ring-step"}) {
    const std::string folder = std::string(GG_SOURCE_DIR) + "/tests/pairs/" + name;
    const SizesTheorem small = theorem(folder), large = theorem(folder + "-larger");
    EXPECT_TRUE(small.proved && large.proved) << name << " " << small.reason << large.reason;
    EXPECT_EQ(small.inputs, large.inputs) << name;
    EXPECT_EQ(small.outputs, large.outputs) << name;
    ASSERT_EQ(small.sizes.size(), large.sizes.size()) << name;
    for (std::size_t k = 0; k < small.sizes.size(); ++k) EXPECT_EQ(small.sizes[k].name, large.sizes[k].name) << name;
  }
}

}  // namespace
}  // namespace gg
