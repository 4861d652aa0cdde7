// Pairs with fewer layers: what may go and what stays, and that what is left is a pair that says the same.
#include "runtime/shapes/layers.h"

#include <gtest/gtest.h>

#include <set>

#include "runtime/differential.h"
#include "runtime/shapes/part.h"
#include "tests/unit/text.h"
#include "tests/unit/text_layers.h"

namespace gg {
namespace {

std::set<std::string> names(const Module& module) {
  std::set<std::string> all;
  for (InstructionId id = 0; id < module.size(); ++id) all.emplace(module.name_of(id));
  return all;
}

bool differs(Case& c) {
  infer_ranges(c);
  DifferentialOptions options;
  options.seeds = 1;
  return run_pair(c, options).differing.has_value();
}

TEST(Layers, FewOfMany) {
  const Case c = pair_of(unrolled(40));
  auto fewer = with_fewer_layers(c);
  ASSERT_TRUE(fewer);
  EXPECT_LE(fewer->outputs.size(), 6U);
  EXPECT_EQ(fewer->outputs.back(), 40U);  // the sum
  EXPECT_EQ(fewer->pair.relation.outputs.size(), fewer->outputs.size());
  EXPECT_EQ(fewer->left_out, c.sequential->size() + c.distributed->size() - fewer->pair.sequential->size() - fewer->pair.distributed->size());
  const auto all = names(*c.distributed);
  for (const std::string& name : names(*fewer->pair.distributed)) EXPECT_EQ(all.count(name), 1U) << name;
  EXPECT_FALSE(differs(fewer->pair));
}

TEST(Layers, WhatIsNotLikeTheOthersStays) {
  UnrolledPair texts = unrolled(40);
  texts.distributed = replaced(texts.distributed, "multiply(%u17, %u17)", "multiply(%u17, %l17)");
  auto fewer = with_fewer_layers(pair_of(texts));
  ASSERT_TRUE(fewer);
  EXPECT_LE(fewer->outputs.size(), 10U);
  EXPECT_EQ(names(*fewer->pair.distributed).count("q17"), 1U);
  EXPECT_TRUE(differs(fewer->pair));
}

// Two defects, in layers far from each other.
TEST(Layers, TwoOddLayersStay) {
  UnrolledPair texts = unrolled(60);
  texts.distributed = replaced(texts.distributed, "multiply(%u17, %u17)", "multiply(%u17, %l17)");
  texts.distributed = replaced(texts.distributed, "tanh(%h41)", "sine(%h41)");
  auto fewer = with_fewer_layers(pair_of(texts));
  ASSERT_TRUE(fewer);
  const auto left = names(*fewer->pair.distributed);
  EXPECT_EQ(left.count("q17") + left.count("y41"), 2U);
  EXPECT_LE(fewer->outputs.size(), 14U);
}

// The layers of one program are the inputs and outputs of other layers in the other one.
TEST(Layers, OtherOrderOnOneSide) {
  UnrolledPair texts = unrolled(40);
  std::string wrong = texts.distributed;
  for (int k = 0; k < 20; ++k) {  // gradients the other way round in the result, all but their sum
    const std::string a = "%u" + std::to_string(k) + ", ", b = "%u" + std::to_string(39 - k) + ", ";
    const std::size_t root = wrong.find("ROOT %out");
    wrong.replace(wrong.find(a, root), a.size(), "@, ");
    wrong.replace(wrong.find(b, root), b.size(), a);
    wrong.replace(wrong.find("@, ", root), 3, b);
  }
  auto fewer = with_fewer_layers(pair_of({texts.sequential, wrong, texts.relation}));
  EXPECT_TRUE(!fewer || differs(fewer->pair));
}

TEST(Layers, NoneAlike) {
  EXPECT_FALSE(with_fewer_layers(pair_of(unrolled(3))));
  UnrolledPair texts = unrolled(12);
  for (int k = 0; k < 12; ++k) {  // every layer of the sequential program adds a number of its own
    const std::string h = "tanh(%h" + std::to_string(k) + ")", c = "%c" + std::to_string(k);
    texts.sequential = replaced(texts.sequential, "%y" + std::to_string(k) + " = f32[8,16] " + h,
                                c + " = f32[] constant(0." + std::to_string(k + 1) + ")\n  " + c + "s = f32[8,16] broadcast(" + c + "), dimensions={}\n  %y" + std::to_string(k) +
                                    " = f32[8,16] add(%h" + std::to_string(k) + ", " + c + "s)");
  }
  EXPECT_FALSE(with_fewer_layers(pair_of(texts)));
}

TEST(Layers, OneOutputAndWhatItHangsOn) {
  const Case c = pair_of(unrolled(12));
  auto part = with_outputs(c, {11});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->relation.outputs.size(), 1U);
  EXPECT_LT(part->distributed->size(), c.distributed->size() / 2);
  EXPECT_EQ(names(*part->distributed).count("n3"), 0U);
  EXPECT_FALSE(differs(*part));
}

}  // namespace
}  // namespace gg
