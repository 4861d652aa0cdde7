// Edits of a part of a pair, made in the whole one.
#include "harness/pinpoint/transplant.h"

#include <gtest/gtest.h>

#include "harness/pinpoint/copier.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "runtime/shapes/layers.h"
#include "tests/unit/text.h"
#include "tests/unit/text_layers.h"

namespace gg {
namespace {

using mutation::changing;
using mutation::rerouting;
using mutation::unchanged;

InstructionId find(const Module& module, const std::string& name) {
  const auto names = pinpoint::names_of(module, module.computation(module.entry()));
  const auto found = names.find(name);
  EXPECT_NE(found, names.end()) << name;
  return found == names.end() ? 0 : found->second;
}

/// The names of what it reads.
std::string reads(const Module& module, const std::string& name) {
  std::string text;
  for (const InstructionId operand : module.operands(find(module, name))) text += std::string(module.name_of(operand)) + " ";
  return text;
}

TEST(Transplant, AChangedOperand) {
  UnrolledPair texts = unrolled(40);
  const std::string right = texts.distributed;
  texts.distributed = replaced(texts.distributed, "multiply(%u17, %u17)", "multiply(%u17, %l17)");
  const Case c = pair_of(texts);
  const auto fewer = with_fewer_layers(c);
  ASSERT_TRUE(fewer);
  const Module& part = *fewer->pair.distributed;
  auto change = unchanged(part, find(part, "q17"));
  change.operands[1] = {find(part, "u17"), false};
  const auto whole = pinpoint::transplanted(part, {changing(change)}, *c.distributed);
  ASSERT_TRUE(whole);
  EXPECT_EQ(print_hlo(*whole), print_hlo(parse_hlo(right, "d.hlo")));
}

// Where layers were left out, the next one reads what is replaced; in the whole program that is another one.
TEST(Transplant, AValueAtTheBorder) {
  const Case c = pair_of(unrolled(40));
  const auto fewer = with_fewer_layers(c);
  ASSERT_TRUE(fewer);
  const Module& part = *fewer->pair.distributed;
  const auto names = pinpoint::names_of(part, part.computation(part.entry()));
  std::string before, after;
  for (int k = 0; k < 40 && before.empty(); ++k) {
    const auto y = names.find("y" + std::to_string(k));
    if (y == names.end()) continue;
    const std::string read(part.name_of(part.operands(y->second)[0]));
    if (read != "h" + std::to_string(k)) before = read.substr(1), after = std::to_string(k);
  }
  ASSERT_FALSE(before.empty());
  const auto whole = pinpoint::transplanted(part, {rerouting(find(part, "h" + before), {find(part, "x"), false})}, *c.distributed);
  ASSERT_TRUE(whole);
  EXPECT_EQ(reads(*whole, "y" + before), "x ");
  EXPECT_EQ(reads(*whole, "y" + after), "h" + after + " ");
}

TEST(Transplant, OfAnotherProgram) {
  const Case c = pair_of(unrolled(40)), other = pair_of(unrolled(12));
  const Module& module = *c.distributed;
  EXPECT_FALSE(pinpoint::transplanted(module, {rerouting(find(module, "y30"), {find(module, "x"), false})}, *other.distributed));
}

}  // namespace
}  // namespace gg
