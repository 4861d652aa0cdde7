// Pairs with loops for tests: whole module texts on a mesh of one axis of two ranks; proofs count only with the checker.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "models/base/file.h"
#include "prover/checker/checker.h"
#include "prover/prover.h"

namespace gg::loops {

struct Pair {
  std::string sequential, distributed;
  std::string inputs, outputs;  ///< placements by axis name, JSON
};

/// The text with every occurrence replaced; there is one at least.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

inline Case load(const Pair& p) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / (std::string("gg-loop-") + testing::UnitTest::GetInstance()->current_test_info()->name() + "-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  write_file((folder / "sequential.hlo").string(), "HloModule s\n" + p.sequential);
  write_file((folder / "distributed.hlo").string(), "HloModule d, num_partitions=2\n" + p.distributed);
  write_file((folder / "relation.json").string(),
             R"({"mesh": [["tp", 2]], "inputs": )" + p.inputs + R"(, "outputs": )" + p.outputs + "}");
  Case c = load_case(folder.string());
  std::filesystem::remove_all(folder);
  return c;
}

/// `proved` (accepted by the checker), `unknown`, or why the checker refuses what the search claims.
inline std::string verdict(const Pair& p) {
  Case c = load(p);
  const ProofResult r = prove(c);
  if (!r.proved) return "unknown";
  const CheckResult checked = check_certificate(print_certificate(*r.certificate), "certificate", c);
  return checked.accepted ? "proved" : "refused: " + checked.problem;
}

/// Why an output is not proved, for messages.
inline std::string why(const Pair& p) {
  Case c = load(p);
  const ProofResult r = prove(c);
  std::string text;
  for (const Island& i : r.islands) text += i.instance + ": " + i.distributed_form + "\n";
  for (const OutputProof& o : r.outputs) text += o.text + "\n";
  return text;
}

}  // namespace gg::loops
