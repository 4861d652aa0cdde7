// Certificates written line by line: what the checker says of them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "models/base/file.h"
#include "prover/checker/checker.h"

namespace gg {

/// `accepted`, or the first problem. Two programs of which inputs and output are cut over two ranks, if nothing else is said; the lines
/// between the hashes and the end.
inline std::string checked(const std::string& sequential, const std::string& distributed, const std::vector<std::string>& lines,
                           const std::string& placed = R"("inputs": [[["tp"]],[["tp"]]], "outputs": [[["tp"]]])") {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / (std::string("gg-lines-") + testing::UnitTest::GetInstance()->current_test_info()->name() + "-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  write_file((folder / "sequential.hlo").string(), sequential);
  write_file((folder / "distributed.hlo").string(), distributed);
  write_file((folder / "relation.json").string(), R"({"mesh": [["tp", 2]], )" + placed + "}");
  Case c = load_case(folder.string());
  std::filesystem::remove_all(folder);
  std::string text = "gg-certificate 1\nsequential " + c.hashes.sequential + "\ndistributed " + c.hashes.distributed + "\nrelation " +
                     c.hashes.relation + "\nassume finite-inputs\n";
  for (const std::string& line : lines) text += line + "\n";
  text += "end " + content_hash(text) + "\n";
  try {
    const CheckResult r = check_certificate(text, "certificate", c);
    return r.accepted ? "accepted" : r.problem;
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace gg
