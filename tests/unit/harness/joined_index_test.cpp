// cat(a, b) where ranks hold rows of both (the two views of a contrastive loss): rows of the whole in another order.
#include <gtest/gtest.h>

#include "harness/prove/proof.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

const std::string over_dp = "channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true";

/// The logsumexp of the rows of cat(parts), weighted, summed over all ranks and divided: `rows` of a part, the factor of a row of 'N' in `weight`.
std::string step(int rows, const std::string& joined, int parts, const std::string& weight, const std::string& end) {
  const std::string n = std::to_string(rows), all = std::to_string(parts * rows);
  std::string text;
  for (int k = 0; k < 3; ++k) text += "  p" + std::to_string(k) + " = f32[" + n + ",6] parameter(" + std::to_string(k) + ")\n";
  text += "  x = f32[" + all + ",6] concatenate(" + joined + "), dimensions={0}\n";
  text +=
      "  lowest = f32[] constant(-inf)\n  o = f32[] constant(0)\n"
      "  top = f32[N] reduce(x, lowest), dimensions={1}, to_apply=max\n  wide = f32[N,6] broadcast(top), dimensions={0}\n  low = f32[N,6] subtract(x, wide)\n"
      "  e = f32[N,6] exponential(low)\n  s = f32[N] reduce(e, o), dimensions={1}, to_apply=add\n  l = f32[N] log(s)\n  y = f32[N] add(l, top)\n" +
      weight + "  t = f32[] reduce(w, o), dimensions={0}, to_apply=add\n" + end;
  for (std::size_t at = text.find("[N"); at != std::string::npos; at = text.find("[N")) text.replace(at + 1, 1, all);
  return text;
}

const std::string plain = "  w = f32[N] copy(y)\n";
const std::string first_doubled =  // the first two rows count double
    "  i = s32[N] iota(), iota_dimension=0\n  two = s32[] constant(2)\n  twos = s32[N] broadcast(two), dimensions={}\n  b = pred[N] compare(i, twos), direction=LT\n"
    "  dd = f32[N] add(y, y)\n  w = f32[N] select(b, dd, y)\n";
const std::string own = "  ROOT r = f32[] copy(t)\n", summed = "  ROOT r = f32[] all-reduce(t), " + over_dp + ", to_apply=add\n";
const std::string split_rows = R"([[["dp"], []], [["dp"], []], [["dp"], []]])";

CheckedProof proof_of_steps(const std::string& sequential, const std::string& distributed, const std::string& outputs = "[[]]") {
  Case c = load_pair({sequential, distributed, split_rows, outputs});
  return prove_and_check(c);
}

void expect_accepted(const CheckedProof& found) {
  EXPECT_TRUE(found.accepted()) << found.checked.problem;
  EXPECT_TRUE(found.refusals.empty());
}

TEST(JoinedIndex, TwoParts) { expect_accepted(proof_of_steps(step(4, "p0, p1", 2, plain, own), step(2, "p0, p1", 2, plain, summed))); }
TEST(JoinedIndex, TheOtherWayAround) { expect_accepted(proof_of_steps(step(4, "p1, p0", 2, plain, own), step(2, "p1, p0", 2, plain, summed))); }
TEST(JoinedIndex, ThreeParts) { expect_accepted(proof_of_steps(step(4, "p0, p1, p2", 3, plain, own), step(2, "p0, p1, p2", 3, plain, summed))); }
TEST(JoinedIndex, OnePartTwice) { expect_accepted(proof_of_steps(step(8, "p0, p1, p0", 3, plain, own), step(4, "p0, p1, p0", 3, plain, summed))); }

TEST(JoinedIndex, AnotherPart) { EXPECT_FALSE(proof_of_steps(step(4, "p0, p1", 2, plain, own), step(2, "p0, p2", 2, plain, summed)).accepted()); }
TEST(JoinedIndex, RowsOfTheFirstPartCountedByTheirPlaceOnTheRank) {
  EXPECT_FALSE(proof_of_steps(step(4, "p0, p1", 2, first_doubled, own), step(2, "p0, p1", 2, first_doubled, summed)).accepted());
}
TEST(JoinedIndex, NotSummed) { EXPECT_FALSE(proof_of_steps(step(4, "p0, p1", 2, plain, own), step(2, "p0, p1", 2, plain, own)).accepted()); }

/// Its rows are not those of a shard: rank 1 has the third and fourth of each part.
TEST(JoinedIndex, IsNoShard) {
  const std::string end = "  ROOT r = f32[N] copy(y)\n";
  const auto rows = [&](int n) {
    std::string text = step(n, "p0, p1", 2, plain, end);
    for (std::size_t at = text.find("[N"); at != std::string::npos; at = text.find("[N")) text.replace(at + 1, 1, std::to_string(2 * n));
    return text;
  };
  EXPECT_FALSE(proof_of_steps(rows(4), rows(2), R"([[["dp"]]])").accepted());
}

}  // namespace
}  // namespace gg
