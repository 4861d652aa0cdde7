// What models/op/facts.h and models/ir/kinds.h read from the tables of operators means what their callers take it for.
#include "models/op/facts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/op/attributes.h"

namespace gg::testing {
namespace {

TEST(Facts, TermsAndFactors) {
  for (const OpInfo& row : operators()) {
    const Op op = row.op;
    EXPECT_EQ(term_sign(op), op == Op::Add ? 1 : op == Op::Subtract ? -1
                                                                    : 0)
        << row.name;
    EXPECT_EQ(factor_exponent(op), op == Op::Multiply ? 1 : op == Op::Divide ? -1
                                                                             : 0)
        << row.name;
    EXPECT_EQ(combines_ranks(op), op == Op::AllReduce || op == Op::ReduceScatter) << row.name;
  }
}

// kinds.h knows these operators by an attribute that only they take.
TEST(Facts, AttributesOfOneOperator) {
  const std::pair<Attr, Op> only[] = {{Attr::Literal, Op::Constant}, {Attr::IotaDimension, Op::Iota}, {Attr::SourceTargetPairs, Op::CollectivePermute}, {Attr::Direction, Op::Compare}};
  for (const OpInfo& row : operators()) {
    const auto taken = attributes_of(row.op);
    for (const auto& [attribute, op] : only) {
      const bool takes = std::any_of(taken.begin(), taken.end(), [&, wanted = attribute](const OpAttribute& a) { return a.attr == wanted; });
      EXPECT_EQ(takes, row.op == op) << row.name;
    }
  }
}

}  // namespace
}  // namespace gg::testing
