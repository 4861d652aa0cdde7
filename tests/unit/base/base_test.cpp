// Diagnostics, checks and files.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "models/base/check.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "tests/unit/refusal.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("gg_base_test_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST(Diag, Prints) {
  EXPECT_EQ("gg-harness: error: x [GG-U001]", to_string({DiagCode::Usage, {}, "x", {}}));
  EXPECT_EQ("a.hlo: error: x [GG-U001]", to_string({DiagCode::Usage, {"a.hlo"}, "x", {}}));
  EXPECT_EQ("a.hlo:3:4: error: x [GG-P001]\nnote: y\nnote: z",
            to_string({DiagCode::Syntax, {"a.hlo", 3, 4}, "x", {"y", "z"}}));
}

TEST(Diag, CodesAreUniqueAndComplete) {
  std::set<std::string_view> seen;
  for (const DiagInfo& row : diagnostics()) {
    EXPECT_TRUE(seen.insert(row.id).second) << row.id;
    EXPECT_EQ(7U, row.id.size()) << row.id;
    EXPECT_EQ(&row, &info(row.code));
    EXPECT_FALSE(row.title.empty());
    EXPECT_EQ('.', row.text.back()) << row.id;
  }
}

TEST(InputErrors, CarrySeveralDiagnostics) {
  const InputError error(std::vector<Diag>{{DiagCode::Usage, {}, "a", {}}, {DiagCode::Syntax, {"f", 1, 2}, "b", {}}});
  EXPECT_EQ(2U, error.diags().size());
  EXPECT_STREQ("gg-harness: error: a [GG-U001]\nf:1:2: error: b [GG-P001]", error.what());
  EXPECT_THROW(InputError(std::vector<Diag>{}), InternalError);
}

TEST(Checks, NameTheCondition) {
  try {
    GG_CHECK(1 + 1 == 3, "sum of " + std::to_string(2));
    FAIL();
  } catch (const InternalError& error) {
    const std::string text = error.what();
    EXPECT_NE(std::string::npos, text.find("base_test.cpp:"));
    EXPECT_NE(std::string::npos, text.find("1 + 1 == 3 (sum of 2)"));
  }
}

TEST_F(Files, WriteAndRead) {
  const std::string text("a\0b\n", 4);
  write_file(path("f"), text);
  EXPECT_EQ(text, read_file(path("f")));
  write_file(path("f"), "");
  EXPECT_EQ("", read_file(path("f")));
  EXPECT_EQ(1, std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));  // no temporary file left
}

TEST_F(Files, GzipIsRead) {
  const std::string text(300000, 'x');
  gzFile file = gzopen(path("f.gz").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  EXPECT_EQ(text, read_file(path("f.gz")));
  EXPECT_EQ(path("f.gz"), find_file(folder_.string(), "f"));
  write_file(path("f"), "plain");
  EXPECT_EQ(path("f"), find_file(folder_.string(), "f"));
}

TEST_F(Files, TruncatedGzipIsRefused) {
  gzFile file = gzopen(path("f.gz").c_str(), "wb");
  for (int k = 0; k < 20000; ++k) gzprintf(file, "%d ", k * 7919);
  gzclose(file);
  fs::resize_file(path("f.gz"), fs::file_size(path("f.gz")) / 2);
  EXPECT_EQ(DiagCode::FileMissing, code_of([&] { read_file(path("f.gz")); }));
}

TEST_F(Files, MissingAndUnwritable) {
  EXPECT_EQ(DiagCode::FileMissing, code_of([&] { read_file(path("none")); }));
  EXPECT_EQ(DiagCode::FileMissing, code_of([&] { read_file(folder_.string()); }));
  EXPECT_EQ(DiagCode::FileMissing, code_of([&] { find_file(folder_.string(), "none"); }));
  EXPECT_EQ(DiagCode::FileWrite, code_of([&] { write_file(path("no/such/folder"), "x"); }));
}

TEST(ContentHash, IsStable) {
  EXPECT_EQ(32U, content_hash("").size());
  EXPECT_EQ(content_hash("abc"), content_hash("abc"));
  EXPECT_NE(content_hash("abc"), content_hash("abd"));
  EXPECT_EQ("06b05ab6733a618578af5f94892f3950", content_hash("abc"));  // XXH3-128, as xxhsum -H2 prints it
}

}  // namespace
}  // namespace gg
