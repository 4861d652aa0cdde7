// Rank digits: edge cases, device orders, the groups and permutes of the 405B step, fits of rank tables.
#include "models/rank/digits.h"

#include <gtest/gtest.h>

#include <functional>

#include "models/base/check.h"
#include "models/rank/refine.h"

namespace gg {
namespace {

// Groups of `size` consecutive entries of `order`.
RankGroups chop(const std::vector<std::int64_t>& order, std::size_t size) {
  RankGroups groups;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k % size == 0) groups.emplace_back();
    groups.back().push_back(order[k]);
  }
  return groups;
}

// The ranks of `[..]<=[dims]T(perm)`, row-major.
std::vector<std::int64_t> iota(const std::vector<std::int64_t>& dims, const std::vector<std::size_t>& perm) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  for (std::size_t d = dims.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * dims[d];
  std::vector<std::int64_t> order = {0};
  for (const std::size_t d : perm) {
    std::vector<std::int64_t> next;
    for (const std::int64_t base : order) {
      for (std::int64_t k = 0; k < dims[d]; ++k) next.push_back(base + k * strides[d]);
    }
    order = std::move(next);
  }
  return order;
}

std::string describe(const RankDigits& digits) {
  std::string text;
  for (const Digit& digit : digits.digits()) {
    text += (text.empty() ? "" : " ") + digit.name + ":" + std::to_string(digit.extent) + "*" +
            std::to_string(digit.stride);
  }
  return text;
}

// Value of an index form at the digits of `rank`.
std::int64_t evaluate(Arena& arena, const RankDigits& digits, LinId form, std::int64_t rank) {
  Arena::Substitution at;
  for (int d = 0; d < digits.count(); ++d) at.vars.push_back(arena.constant(digits.value(rank, d)));
  const Lin& value = arena[arena.substitute(form, at)];
  EXPECT_EQ(value.lo, value.hi);
  return value.c0;
}

bool holds(Arena& arena, const RankDigits& digits, GuardId guard, std::int64_t rank) {
  Arena::Substitution at;
  for (int d = 0; d < digits.count(); ++d) at.vars.push_back(arena.constant(digits.value(rank, d)));
  return arena.substitute(guard, at) == arena.always();
}

bool has_kind(const Arena& arena, LinId form, AtomKind kind) {
  for (const Multiple& term : arena.terms(form)) {
    const Atom& atom = arena.atom(term.atom);
    if (atom.kind == kind) return true;
    if (atom.kind == AtomKind::Div && has_kind(arena, LinId{atom.arg}, kind)) return true;
  }
  return false;
}

RankPairs permute_of(std::int64_t ranks, const std::function<std::int64_t(std::int64_t)>& target) {
  RankPairs pairs;
  for (std::int64_t rank = 0; rank < ranks; ++rank) pairs.emplace_back(rank, target(rank));
  return pairs;
}

TEST(Pieces, EdgeCases) {
  using Pieces = std::vector<RankPiece>;
  EXPECT_EQ(pieces_of(std::vector<std::int64_t>{5}), Pieces{});
  EXPECT_EQ(pieces_of(std::vector<std::int64_t>{0, 1, 2, 3}), (Pieces{{4, 1}}));
  EXPECT_EQ(pieces_of(std::vector<std::int64_t>{0, 2, 1, 3}), (Pieces{{2, 2}, {2, 1}}));
  EXPECT_EQ(pieces_of(std::vector<std::int64_t>{3, 2, 1, 0}), std::nullopt);
  EXPECT_EQ(pieces_of(std::vector<std::int64_t>{0, 1, 2, 4}), std::nullopt);
  EXPECT_EQ(pieces_of(std::vector<std::int64_t>{0, 1, 4}), std::nullopt);
}

TEST(RankDigits, NoAxesNoDigits) {
  Arena arena;
  const RankDigits digits = RankDigits::refine({}, {}, {});
  EXPECT_EQ(digits.count(), 0);
  EXPECT_EQ(digits.ranks(), 1);
  EXPECT_EQ(digits.rank_form(arena), arena.constant(0));
  EXPECT_EQ(digits.by_rank(arena, std::vector<std::int64_t>{7}), arena.constant(7));
  EXPECT_EQ(digits.group_digits(RankGroups{{0}}), std::vector<int>{});
  EXPECT_EQ(RankDigits::whole(1).count(), 0);
}

TEST(RankDigits, UnitAxesVanish) {
  const Mesh mesh{{{"dp", 1}, {"tp", 4}, {"pp", 1}}, {}};
  const RankDigits digits = RankDigits::refine(mesh, {}, {});
  EXPECT_EQ(describe(digits), "tp:4*1");
  EXPECT_EQ(digits.axis_digits(mesh, 0), std::vector<int>{});
  EXPECT_EQ(digits.axis_digits(mesh, 1), std::vector<int>{0});
}

TEST(RankDigits, StridesMustTelescope) {
  EXPECT_THROW(RankDigits({{2, 4, "a"}, {2, 1, "b"}}), InternalError);
  EXPECT_NO_THROW(RankDigits({{2, 2, "a"}, {1, 2, "one"}, {2, 1, "b"}}));
}

TEST(RankDigits, GroupsCutAnAxis) {
  const Mesh mesh{{{"dp", 2}, {"tp", 4}}, {}};
  const std::vector<RankGroups> groups = {chop(iota({2, 2, 2}, {0, 2, 1}), 2)};
  ASSERT_EQ(groups[0], (RankGroups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  const RankDigits digits = RankDigits::refine(mesh, groups, {});
  EXPECT_EQ(describe(digits), "dp:2*4 tp.0:2*2 tp.1:2*1");
  EXPECT_EQ(digits.group_digits(groups[0]), std::vector<int>{1});
  EXPECT_EQ(digits.group_digits(RankGroups{{0, 1, 2, 3}, {4, 5, 6, 7}}), (std::vector<int>{1, 2}));
  EXPECT_EQ(digits.group_digits(RankGroups{{0, 2, 1, 3}, {4, 6, 5, 7}}), (std::vector<int>{2, 1}));
  EXPECT_EQ(digits.group_digits(RankGroups{{0, 2, 1, 3}, {4, 5, 6, 7}}), std::nullopt);  // orders differ
  EXPECT_EQ(digits.group_digits(RankGroups{{3, 2, 1, 0}, {7, 6, 5, 4}}), std::nullopt);  // reversed
  EXPECT_EQ(digits.group_digits(RankGroups{{0, 1}, {2, 3}}), std::nullopt);              // misses ranks
  EXPECT_EQ(digits.group_digits(RankGroups{{0, 1}, {1, 2}, {4, 5}, {6, 7}}), std::nullopt);
  EXPECT_EQ(digits.group_digits(RankGroups{{0, 3}, {1, 2}, {4, 7}, {5, 6}}), std::nullopt);
}

TEST(RankDigits, CoarseDigitIsNoGroup) {
  const RankDigits digits = RankDigits::whole(4);
  EXPECT_EQ(digits.group_digits(RankGroups{{0, 1}, {2, 3}}), std::nullopt);
  EXPECT_EQ(digits.group_digits(RankGroups{{0, 1, 2, 3}}), std::vector<int>{0});
}

TEST(RankDigits, CutsThatDoNotDivideAreLeftToTables) {
  const Mesh mesh{{{"a", 2}, {"b", 3}}, {}};
  const std::vector<RankGroups> groups = {
      chop(iota({3, 2}, {0, 1}), 2)};  // {0,1},{2,3},{4,5}: cut at 2, mesh cuts at 3
  const RankDigits digits = RankDigits::refine(mesh, groups, {});
  EXPECT_EQ(describe(digits), "a:2*3 b:3*1");
  EXPECT_EQ(digits.group_digits(groups[0]), std::nullopt);
}

TEST(RankDigits, DeviceOrder) {
  const Mesh swapped{{{"a", 2}, {"b", 2}}, {0, 2, 1, 3}};
  EXPECT_EQ(swapped.coordinate(1, 0), 1);
  EXPECT_EQ(swapped.coordinate(1, 1), 0);
  const RankDigits digits = RankDigits::refine(swapped, {}, {});
  EXPECT_EQ(describe(digits), "b:2*2 a:2*1");
  const Mesh odd{{{"a", 2}, {"b", 2}}, {0, 3, 1, 2}};  // no digits fit: a table
  const RankDigits one = RankDigits::refine(odd, {}, {});
  EXPECT_EQ(describe(one), "rank:4*1");
  Arena arena;
  std::vector<std::int64_t> coordinates;
  for (std::int64_t rank = 0; rank < 4; ++rank) coordinates.push_back(odd.coordinate(rank, 1));
  EXPECT_EQ(coordinates, (std::vector<std::int64_t>{0, 0, 1, 1}));
  const LinId form = one.by_rank(arena, coordinates);
  for (std::int64_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(evaluate(arena, one, form, rank), coordinates.at(static_cast<std::size_t>(rank)));
}

// The 405B step: mesh fsdp 16 x tp 8, groups over [64,2]<=[2,8,8]T(2,1,0), a permute 16a+b -> 8b+a.
TEST(RankDigits, Llama405) {
  const Mesh mesh{{{"fsdp", 16}, {"tp", 8}}, {}};
  const auto order = iota({2, 8, 8}, {2, 1, 0});
  const std::vector<RankGroups> groups = {chop(order, 2), chop(iota({16, 8}, {1, 0}), 16)};
  ASSERT_EQ(groups[0][1], (std::vector<std::int64_t>{8, 72}));
  const RankDigits without = RankDigits::refine(mesh, groups, {});
  EXPECT_EQ(describe(without), "fsdp.0:2*64 fsdp.1:8*8 tp:8*1");
  EXPECT_EQ(without.group_digits(groups[0]), std::vector<int>{0});
  EXPECT_EQ(without.group_digits(groups[1]), (std::vector<int>{0, 1}));

  const std::vector<RankPairs> permutes = {permute_of(128, [](std::int64_t r) { return 8 * (r % 16) + r / 16; })};
  const RankDigits digits = RankDigits::refine(mesh, groups, permutes);
  EXPECT_EQ(digits.ranks(), 128);
  EXPECT_EQ(digits.count(), 7);
  EXPECT_EQ(digits.digits().front().name, "fsdp.0");
  EXPECT_EQ(digits.digits().back().name, "tp.2");
  std::vector<std::int64_t> source(128);
  for (const auto& [from, to] : permutes[0]) source[static_cast<std::size_t>(to)] = from;
  Arena arena;
  const LinId form = digits.by_rank(arena, source);
  EXPECT_FALSE(has_kind(arena, form, AtomKind::Table));
  EXPECT_FALSE(has_kind(arena, form, AtomKind::Div));
  const auto parts = digits.digits_of(arena, form);  // each digit of the source is one digit of the target
  for (const LinId part : parts) EXPECT_EQ(arena.terms(part).size(), 1U);
  for (std::int64_t rank = 0; rank < 128; ++rank) {
    EXPECT_EQ(evaluate(arena, digits, form, rank), source[static_cast<std::size_t>(rank)]);
  }
}

TEST(RankDigits, ManyPermutedDigitsAreNotCut) {
  const Mesh mesh{{{"a", 32}, {"b", 32}}, {}};
  const std::vector<RankPairs> permutes = {permute_of(1024, [](std::int64_t r) { return r / 2 + 512 * (r % 2); })};
  const RankDigits digits = RankDigits::refine(mesh, {}, permutes);
  EXPECT_EQ(digits.count(), 2);
  Arena arena;
  std::vector<std::int64_t> source(1024);
  for (const auto& [from, to] : permutes[0]) source[static_cast<std::size_t>(to)] = from;
  const LinId form = digits.by_rank(arena, source);
  for (std::int64_t rank = 0; rank < 1024; rank += 7) {
    EXPECT_EQ(evaluate(arena, digits, form, rank), source[static_cast<std::size_t>(rank)]);
  }
}

TEST(RankDigits, NonPowerMeshPermute) {
  const Mesh mesh{{{"a", 2}, {"b", 3}}, {}};  // rank 3a+b to 2b+a: strides 2 and 3 do not divide each other
  const std::vector<RankPairs> permutes = {permute_of(6, [](std::int64_t r) { return 2 * (r % 3) + r / 3; })};
  EXPECT_EQ(describe(RankDigits::refine(mesh, {}, permutes)), "a:2*3 b:3*1");
}

TEST(ByRank, RingOnOneAxisIsAModularForm) {
  Arena arena;
  const Mesh mesh{{{"dp", 2}, {"sp", 4}}, {}};
  const RankDigits digits = RankDigits::refine(mesh, {}, {});
  std::vector<std::int64_t> source;
  for (std::int64_t rank = 0; rank < 8; ++rank) source.push_back(rank / 4 * 4 + (rank + 3) % 4);
  const LinId form = digits.by_rank(arena, source);
  EXPECT_FALSE(has_kind(arena, form, AtomKind::Table));
  for (std::int64_t rank = 0; rank < 8; ++rank)
    EXPECT_EQ(evaluate(arena, digits, form, rank), source.at(static_cast<std::size_t>(rank)));
}

TEST(ByRank, RingOverACutAxis) {
  Arena arena;
  const RankDigits digits({{2, 4, "dp"}, {2, 2, "sp.0"}, {2, 1, "sp.1"}});
  std::vector<std::int64_t> source;
  for (std::int64_t rank = 0; rank < 8; ++rank) source.push_back(rank / 4 * 4 + (rank + 1) % 4);
  const LinId form = digits.by_rank(arena, source);
  EXPECT_FALSE(has_kind(arena, form, AtomKind::Table));
  for (std::int64_t rank = 0; rank < 8; ++rank)
    EXPECT_EQ(evaluate(arena, digits, form, rank), source.at(static_cast<std::size_t>(rank)));
}

TEST(ByRank, UndefinedRanksDoNotSpoilAFit) {
  Arena arena;
  const RankDigits digits = RankDigits::whole(4);
  const std::vector<std::int64_t> halo = {kAnyValue, 0, 1, 2};
  EXPECT_EQ(digits.by_rank(arena, halo), arena.offset(arena.var(0, 4), -1));
  EXPECT_EQ(digits.by_rank(arena, std::vector<std::int64_t>(4, kAnyValue)), arena.constant(0));
}

TEST(ByRank, TablesAndLargeValues) {
  Arena arena;
  const RankDigits digits = RankDigits::whole(4);
  for (const std::vector<std::int64_t>& values :
       {std::vector<std::int64_t>{0, 5, 1, 7}, {INT64_MAX, INT64_MIN + 1, 0, 3}, {3, 2, 1, 0}, {-4, -2, 0, 2}}) {
    const LinId form = digits.by_rank(arena, values);
    for (std::int64_t rank = 0; rank < 4; ++rank)
      EXPECT_EQ(evaluate(arena, digits, form, rank), values.at(static_cast<std::size_t>(rank)));
  }
  EXPECT_TRUE(has_kind(arena, digits.by_rank(arena, std::vector<std::int64_t>{0, 5, 1, 7}), AtomKind::Table));
  EXPECT_THROW(digits.by_rank(arena, std::vector<std::int64_t>{0, 1}), InternalError);
}

TEST(ByRank, EveryTableOfFourRanksIsExact) {
  Arena arena;
  const RankDigits digits({{2, 2, "a"}, {2, 1, "b"}});
  for (std::int64_t code = 0; code < 256; ++code) {
    const std::vector<std::int64_t> values = {code % 4, code / 4 % 4, code / 16 % 4, code / 64};
    const LinId form = digits.by_rank(arena, values);
    const GuardId guard = digits.where(arena, values);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const std::int64_t value = values[static_cast<std::size_t>(rank)];
      ASSERT_EQ(evaluate(arena, digits, form, rank), value) << code;
      ASSERT_EQ(holds(arena, digits, guard, rank), value != 0) << code;
    }
  }
}

TEST(DigitsOf, InverseOfRankForm) {
  Arena arena;
  const RankDigits digits({{3, 10, "a"}, {5, 2, "b"}, {2, 1, "c"}});
  EXPECT_EQ(digits.digits_of(arena, digits.rank_form(arena)), digits.variables(arena));
}

}  // namespace
}  // namespace gg
