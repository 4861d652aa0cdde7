// Texts of tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace gg {

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The first `from` as `to`; a failure if there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace gg
