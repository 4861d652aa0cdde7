// What the search states the checker sees: over the pairs of examples and tests no line of a certificate is refused, and the first certificate is
// accepted.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/prove/mutants.h"
#include "harness/prove/proof.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

TEST(Agreement, NoCertificateIsRefused) {
  std::vector<std::string> folders;
  for (const char* root : {"/examples", "/tests/pairs", "/tests/xla/pairs", "/tests/certificate"}) {
    for (const auto& entry : fs::directory_iterator(std::string(GG_SOURCE_DIR) + root)) {
      if (fs::exists(entry.path() / "expect.json") && fs::exists(entry.path() / "sequential.hlo")) folders.push_back(entry.path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  std::size_t accepted = 0;
  for (const std::string& folder : folders) {
    Case c = load_case(folder);
    ProverOptions told;
    told.relations = true;  // what is told of every value changes nothing, functions of whole rows included
    const CheckedProof found = prove_and_check(c, told);
    EXPECT_FALSE(found.proof.relations.empty()) << folder;
    EXPECT_TRUE(found.certificate.empty() || found.accepted()) << folder << ": " << found.checked.problem;
    for (const std::string& refusal : found.refusals) ADD_FAILURE() << folder << ": " << refusal;
    accepted += found.accepted() ? 1 : 0;
  }
  EXPECT_GT(accepted, 90U) << "of " << folders.size();
}

/// Defects that change nothing leave other spellings: a label that is replaced where it does not count by another one, a larger maximum that is subtracted.
TEST(Agreement, HarmlessDefects) {
  const std::pair<std::string, std::string> defects[] = {{"labels-left-out", "stale-operand at %select_n.6"}, {"bias-by-distance", "stale-operand at %reduce_max.8"}};
  for (const auto& [name, defect] : defects) {
    Case c = load_case(std::string(GG_SOURCE_DIR) + "/tests/pairs/" + name);
    infer_ranges(c);
    int met = 0;
    for (const Edit& edit : edits(*c.distributed)) {
      if (to_string(*c.distributed, edit) != defect) continue;
      ++met;
      Case mutant = mutated(c, edit);
      const CheckedProof found = prove_and_check(mutant);
      EXPECT_TRUE(found.accepted()) << name;
      for (const std::string& refusal : found.refusals) ADD_FAILURE() << name << ": " << refusal;
    }
    EXPECT_EQ(met, 1) << name;
  }
}

/// Sums of 64-bit counts are exact where no sum can leave the type, so those over ranks are those of the whole.
TEST(Agreement, WideCountsAddUp) {
  const std::string count =
      "  b = pred[N] compare(x, z), direction=GT\n  n = s64[N] convert(b)\n  i = s64[] constant(0)\n"
      "  c = s64[] reduce(n, i), dimensions={0}, to_apply=add64\n";
  const std::string region = "}\nadd64 { a = s64[] parameter(0)  b = s64[] parameter(1)  ROOT r = s64[] add(a, b) ";
  const auto text = [&](const std::string& n, const std::string& end) {
    std::string body = "  x = f32[N] parameter(0)\n  o = f32[] constant(0)\n  z = f32[N] broadcast(o), dimensions={}\n" + count + end;
    for (std::size_t at = body.find('N'); at != std::string::npos; at = body.find('N')) body.replace(at, 1, n);
    return body + region;
  };
  const std::string whole = "  ROOT r = s64[] copy(c)\n";
  const std::string summed = "  ROOT r = s64[] all-reduce(c), channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, to_apply=add64\n";
  Case c = load_pair({text("8", whole), text("4", summed), R"([[["dp"]]])", "[[]]"});
  const CheckedProof found = prove_and_check(c);
  EXPECT_TRUE(found.accepted()) << found.checked.problem;
}

}  // namespace
}  // namespace gg
