// Pairs of small HLO texts for the tests of the engine: a mesh dp x tp of 2 x 2 ranks, placements by axis name.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "prover/prover.h"
#include "tests/unit/text.h"

namespace gg {

/// Over `tp` of a mesh of two by two.
inline const std::string kTp = "channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true";

/// A pair as texts: entry computations, and placements of inputs and outputs (lists of axes by dimension, JSON).
struct PairText {
  std::string sequential, distributed;
  std::string inputs, outputs;
  std::string ranges = "{}";
};

/// `more`: further regions.
inline Case load_pair(const PairText& p, const std::string& more = "") {
  const std::string regions =
      std::string(
          "add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }\n"
          "add16 { a = bf16[] parameter(0)  b = bf16[] parameter(1)  ROOT r = bf16[] add(a, b) }\n"
          "max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }\n") +
      more;
  const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / ("gg-pair-" + name);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "sequential.hlo") << "HloModule s\n"
                                           << regions << "ENTRY main {\n"
                                           << p.sequential << "}\n";
  std::ofstream(folder / "distributed.hlo") << "HloModule d, num_partitions=4\n"
                                            << regions << "ENTRY main {\n"
                                            << p.distributed << "}\n";
  std::ofstream(folder / "relation.json") << R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": )" << p.inputs << R"(, "outputs": )"
                                          << p.outputs << R"(, "ranges": )" << p.ranges << "}";
  Case c = load_case(folder.string());
  std::filesystem::remove_all(folder);
  return c;
}

inline ProofResult proof_of(const PairText& p) {
  Case c = load_pair(p);
  return prove(c);
}

inline void expect_proved(const PairText& p) {
  const ProofResult r = proof_of(p);
  EXPECT_TRUE(r.proved) << (r.outputs.empty() ? "" : r.outputs[0].text);
  EXPECT_TRUE(r.certificate.has_value());
}

/// The pair with one replacement in its distributed program is not proved.
inline void expect_unproved(PairText p, const std::string& from, const std::string& to) {
  p.distributed = replaced(p.distributed, from, to);
  EXPECT_FALSE(proof_of(p).proved) << from << " -> " << to;
}

}  // namespace gg
