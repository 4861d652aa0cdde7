// Where the time is over, every phase of a command stops: what is past its first loops never returns.
#include <atomic>

#include "harness/decide/decide.h"
#include "harness/explain/explain.h"
#include "harness/explain/shapes.h"
#include "harness/prove/proof.h"
#include "kernels/numbers/parallel.h"
#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/ir/flatten.h"
#include "prover/checker/checker.h"
#include "prover/prover.h"
#include "runtime/differential.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

PairText products() {
  const std::string program =
      "x = f32[8,8] parameter(0)\n  y = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  ROOT r = f32[8,8] add(y, x)\n";
  return {program, program, R"(["replicated"])", R"(["replicated"])"};
}

/// The time of this process is over while it stands.
struct Over {
  Over() { progress().over = true; }
  ~Over() { progress().over = false; }
};

TEST(Deadline, EveryPhaseAsks) {
  Case c = load_pair(products());
  const ProofResult proof = prove(c);
  ASSERT_TRUE(proof.proved && proof.certificate);
  const std::string certificate = print_certificate(*proof.certificate);
  const Over over;
  EXPECT_THROW(load_pair(products()), OutOfTime) << "reading";
  EXPECT_THROW(read_file("/proc/self/status"), OutOfTime) << "bytes";
  EXPECT_THROW(flatten(*c.distributed, Branches::WrittenOut), OutOfTime) << "flattening";
  EXPECT_THROW(prove(c), OutOfTime) << "proof";
  EXPECT_THROW(check_certificate(certificate, "certificate", c), OutOfTime) << "checker";
  EXPECT_THROW(theorem_over_sizes(c), OutOfTime) << "all sizes";
  const DifferentialResult run = run_pair(c, {});
  ASSERT_TRUE(run.stopped) << "run";
  EXPECT_EQ(run.stopped->kind, RuntimeFailure::Kind::Budget);
}

TEST(Deadline, LoopsInThreadsStopToo) {
  std::atomic<int> parts{0};
  const auto part = [&](std::int64_t) {
    if (++parts == 8) progress().over = true;
    ask_deadline();
  };
  EXPECT_THROW(for_each_part(1'000'000, part), OutOfTime);
  progress().over = false;
  EXPECT_LT(parts, 1000);
}

TEST(Deadline, GraceIsForWhatIsShort) {
  const Over over;
  EXPECT_TRUE(out_of_time());
  {
    const Grace grace;
    EXPECT_FALSE(out_of_time());
  }
  EXPECT_THROW(ask_deadline(), OutOfTime);
}

TEST(Deadline, APhaseThatTheTimeEndedInStays) {
  enter_phase("proof");
  const Over over;
  enter_phase("report");
  EXPECT_EQ(progress().phase.get(), "proof");
}

}  // namespace
}  // namespace gg
