// What becomes of the text of strangers (models/base/text.h), and of paths that an input names (models/base/file.h).
#include "models/base/text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "models/base/file.h"

namespace gg {
namespace {

TEST(Text, PlainTextStays) {
  EXPECT_EQ("main/%add.3 = {0,1} \"x\" grüße 数", printable("main/%add.3 = {0,1} \"x\" grüße 数"));
  EXPECT_EQ("", printable(""));
}

TEST(Text, NothingActsOnATerminalOrBeginsALine) {
  EXPECT_EQ("a\\nproved", printable("a\nproved"));
  EXPECT_EQ("\\x1b[2J\\x07\\x0d\\x7f\\x00", printable(std::string_view("\x1b[2J\x07\r\x7f\0", 8)));
  EXPECT_EQ("\\u{202e}\\u{0085}\\u{2028}", printable("\u202e\u0085\u2028"));
}

TEST(Text, InvalidBytesAreEscaped) {
  EXPECT_EQ("\\xff\\xc3", printable("\xff\xc3"));
  EXPECT_EQ("\\xe2\\x82x", printable("\xe2\x82x"));
  EXPECT_EQ("\\xed\\xa0\\x80", printable("\xed\xa0\x80"));  // a surrogate
  EXPECT_EQ("\\xc0\\xaf", printable("\xc0\xaf"));           // longer than needed
  EXPECT_EQ("\\xf4\\x90\\x80\\x80", printable("\xf4\x90\x80\x80"));
}

TEST(Text, WordsAndLines) {
  EXPECT_EQ("a\n\tb\\x1b", printable_lines("a\n\tb\x1b"));
  EXPECT_EQ("x\\x20reason\\x3dno", printable_word("x reason=no"));
  EXPECT_EQ("a/b.witness", shell_word("a/b.witness"));
  EXPECT_EQ("'a'\\''$(b)'", shell_word("a'$(b)"));
  EXPECT_EQ("'-rf'", shell_word("-rf"));
  EXPECT_EQ("''", shell_word(""));
}

TEST(Limits, ExactlyTheLimitIsAllowed) {
  const Location where{"f"};
  EXPECT_NO_THROW(check_limit(Limit::Dimensions, most(Limit::Dimensions), where));
  EXPECT_THROW(check_limit(Limit::Dimensions, most(Limit::Dimensions) + 1, where), InputError);
}

TEST(Limits, BracketsInStringsOfJsonAreNone) {
  const auto depth = static_cast<std::size_t>(most(Limit::JsonDepth));
  EXPECT_NO_THROW(check_json("\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '[') + "\"", "f"));
  EXPECT_NO_THROW(check_json(std::string(depth, '['), "f"));
  EXPECT_THROW(check_json(std::string(depth + 1, '{'), "f"), InputError);
}

TEST(Paths, StayBelowTheFolder) {
  const std::filesystem::path home = std::filesystem::temp_directory_path() / "gg_paths_test";
  std::filesystem::create_directories(home / "case/down");
  std::ofstream(home / "secret") << "x";
  std::error_code ignored;
  std::filesystem::create_symlink("../secret", home / "case/link", ignored);
  const std::string file = (home / "case/relation.json").string();
  EXPECT_EQ((home / "case/down/a.hlo").string(), path_beside(file, "down/a.hlo"));
  EXPECT_EQ((home / "case/a..b").string(), path_beside(file, "a..b"));
  for (const char* name : {"/etc/passwd", "../secret", "down/../../secret", "link", ".."}) EXPECT_THROW(path_beside(file, name), InputError) << name;
  std::filesystem::remove_all(home);
}

}  // namespace
}  // namespace gg
