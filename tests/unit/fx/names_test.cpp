// Names of operators that are not known.
#include <gtest/gtest.h>

#include "models/fx/lowering.h"

namespace gg::fx {
namespace {

TEST(Names, OnlyWhatMayHaveBeenMeantIsNamed) {
  const auto first = [](const char* name) {
    const auto known = nearest_overloads(name);
    return known.empty() ? std::string("none") : known.front();
  };
  EXPECT_EQ(first("aten.softmx.int"), "aten.softmax.int");
  EXPECT_EQ(first("aten.add.Tensr"), "aten.add.Tensor");
  EXPECT_EQ(first("aten.add_.Tensor"), "aten.add.Tensor");
  for (const char* other : {"aten.copysign.Tensor", "aten.signbit.default", "aten.frexp.Tensor"}) EXPECT_EQ(first(other), "none") << other;
  for (const std::string& name : nearest_overloads("aten.threshold.default")) EXPECT_NE(name.find("threshold"), std::string::npos) << name;
}

}  // namespace
}  // namespace gg::fx
