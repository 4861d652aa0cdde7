// Every rule and body on random attributes and operand types: the answer is a type or a TypeError, never an internal
// error, a crash or a wrapped number.
#include <gtest/gtest.h>

#include "models/base/check.h"
#include "models/op/op.h"

namespace gg {
namespace {

/// A small reproducible generator.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  bool chance(std::size_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

std::int64_t number(Random& random) {
  constexpr std::int64_t kWild[] = {-1,
                                    4,
                                    7,
                                    100,
                                    std::int64_t{1} << 31,
                                    std::int64_t{1} << 48,
                                    (std::int64_t{1} << 48) + 1,
                                    std::int64_t{1} << 62,
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT64_MIN + 1};
  if (random.chance(6)) return kWild[random.below(std::size(kWild))];
  return static_cast<std::int64_t>(random.below(4));
}

IntList numbers(Random& random, std::size_t most = 4) {
  IntList list;
  for (std::size_t k = random.below(most); k-- > 0;) list.push_back(number(random));
  return list;
}

Type type(Random& random) {
  constexpr ElementType kElements[] = {ElementType::F32, ElementType::F32, ElementType::F32, ElementType::S32,
                                       ElementType::S32, ElementType::U64, ElementType::Pred, ElementType::BF16,
                                       ElementType::F64, ElementType::C64, ElementType::Token, ElementType::Tuple,
                                       ElementType::F8E4M3FN};
  const ElementType element = kElements[random.below(std::size(kElements))];
  if (element == ElementType::Token) return Type::token();
  if (element == ElementType::Tuple) return Type::tuple({Type::array(ElementType::F32, {2})});
  std::vector<std::int64_t> dims;
  for (std::size_t k = random.below(4); k-- > 0;) dims.push_back(static_cast<std::int64_t>(random.below(4)));
  if (random.chance(20)) dims.push_back(std::int64_t{1} << 47);
  return Type::array(element, dims);
}

DimLabels labels(Random& random) {
  const auto some = [&] { return static_cast<int>(random.below(5)) - 1; };
  const auto spatial = [&] {
    std::vector<int> list;
    for (std::size_t k = random.below(3); k-- > 0;) list.push_back(some());
    return list;
  };
  if (random.chance(2)) return {0, 2, 1, 2, 0, 2, {1}, {0}, {1}};
  return {some(), some(), some(), some(), some(), some(), spatial(), spatial(), spatial()};
}

AttrValue value(Random& random, Attr attr) {
  switch (info(attr).kind) {
    case AttrKind::Ints:
      return numbers(random);
    case AttrKind::Int:
      return number(random);
    case AttrKind::Bool:
      return random.chance(2);
    case AttrKind::Word:
      return std::string(random.chance(2) ? "LT" : "TOTALORDER");
    case AttrKind::Text:
      return std::string(random.chance(2) ? "AwsNeuronRmsNorm" : "0");
    case AttrKind::Slice: {
      std::vector<SliceDim> list;
      for (std::size_t k = random.below(4); k-- > 0;) list.push_back({number(random), number(random), number(random)});
      return list;
    }
    case AttrKind::Padding: {
      std::vector<PadDim> list;
      for (std::size_t k = random.below(4); k-- > 0;) list.push_back({number(random), number(random), number(random)});
      return list;
    }
    case AttrKind::Window: {
      std::vector<WindowDim> list;
      for (std::size_t k = random.below(4); k-- > 0;) {
        list.push_back({number(random), number(random), number(random), number(random), number(random), number(random),
                        random.chance(4)});
      }
      return list;
    }
    case AttrKind::DimLabels:
      return labels(random);
    case AttrKind::Groups: {
      ReplicaGroups groups;
      if (random.chance(3))
        groups.groups = {{0, 1}, {2, 3}};
      else
        for (std::size_t k = random.below(3); k-- > 0;) groups.groups.push_back(numbers(random));
      groups.everyone = groups.groups.empty();
      return groups;
    }
    case AttrKind::Pairs: {
      PairList list;
      for (std::size_t k = random.below(4); k-- > 0;) list.emplace_back(number(random), number(random));
      return list;
    }
    case AttrKind::Computations:
      return ComputationList(random.below(3), 0);
    case AttrKind::Literal:
      break;
  }
  return ConstantArray{Type::array(ElementType::F32, {static_cast<std::int64_t>(random.below(3))}),
                       std::vector<Scalar>(random.below(3), Scalar::of(ElementType::F32, 1))};
}

struct Tally {
  int typed = 0, refused = 0, bodies = 0;
};

void attempt(Random& random, const OpInfo& row, Arena& arena, const Region& region, Tally& tally) {
  Attributes attributes;
  for (const OpAttribute& attribute : attributes_of(row.op)) {
    if (attribute.required || random.chance(2)) attributes.set(attribute.attr, value(random, attribute.attr));
  }
  const std::size_t most = row.most_operands < 0 ? 5 : static_cast<std::size_t>(row.most_operands) + 1;
  std::vector<Type> operands;
  const Type shared = type(random);
  for (std::size_t k = 0; k < most; ++k) operands.push_back(random.chance(2) ? shared : type(random));
  const Type result = random.chance(2) ? shared : type(random);
  const RankDigits digits = random.chance(2) ? RankDigits() : RankDigits::whole(4);
  Call call{row.op, &attributes, {}, &result, {&region}, &digits, {}};
  if (digits.count() > 0) call.layout = random.chance(2) ? RankLayout{1, 4} : RankLayout{2, 2};
  const std::size_t count = random.chance(8) ? random.below(most + 1) : static_cast<std::size_t>(row.least_operands);
  for (std::size_t k = 0; k < count; ++k) call.operands.push_back(&operands[k]);
  try {
    const Type made = infer_type(call);
    ++tally.typed;
    if (!has_body(row.op) || made.leaves().empty()) return;
    make_body(arena, call, 0);
    ++tally.bodies;
  } catch (const TypeError& error) {
    ++tally.refused;
    EXPECT_FALSE(error.message.empty());
  } catch (const InternalError& error) {
    ADD_FAILURE() << row.name << " of " << to_string(operands[0]) << " to " << to_string(result) << ": "
                  << error.what();
  }
}

TEST(RandomRules, AnswerOrRefuse) {
  Random random(20240229);
  Arena arena;
  const ExprId both[] = {arena.read(0, ElementType::F32, {}), arena.read(1, ElementType::F32, {})};
  const Region region{
      {ElementType::F32, ElementType::F32}, {arena.fn(ScalarFn::Add, ElementType::F32, both)}, ScalarFn::Add};
  Tally tally;
  for (const OpInfo& row : operators()) {
    for (int k = 0; k < 4000; ++k) {
      attempt(random, row, arena, region, tally);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(tally.refused, 100000);
  EXPECT_GT(tally.typed, 10000);
  EXPECT_GT(tally.bodies, 10000);
}

}  // namespace
}  // namespace gg
