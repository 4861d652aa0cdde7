// Loading cases from folders and files, and the spellings of verdicts.
#include "models/pair/case.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>

#include "models/base/file.h"
#include "models/pair/verdict.h"

namespace gg {
namespace {
namespace fs = std::filesystem;

constexpr const char* kCaseSequential = R"(HloModule s
ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4]{0} parameter(0)
  ROOT %y = f32[4]{0} negate(%x)
}
)";
constexpr const char* kCaseDistributed = R"(HloModule d, num_partitions=2
ENTRY %main (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  ROOT %y = f32[2]{0} negate(%x)
}
)";
constexpr const char* kCaseRelation = R"({"mesh": [["tp", 2]], "inputs": [[["tp"]]], "outputs": [[["tp"]]]})";

class CaseTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("gg_case_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_);
    put("sequential.hlo", kCaseSequential);
    put("distributed.hlo", kCaseDistributed);
    put("relation.json", kCaseRelation);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& text) const { write_file(path(name), text); }
  static std::string code(const std::string& folder) {
    try {
      load_case(folder);
    } catch (const InputError& error) {
      return std::string(info(error.diags().front().code).id);
    }
    return "accepted";
  }
  fs::path folder_;
};

TEST_F(CaseTest, Folder) {
  const Case c = load_case(folder_.string() + "/");
  EXPECT_EQ(c.name, folder_.filename().string());
  EXPECT_EQ(c.hashes.sequential, content_hash(kCaseSequential));
  EXPECT_EQ(c.hashes.relation, content_hash(kCaseRelation));
  EXPECT_EQ(c.relation.digits.count(), 1);
  EXPECT_EQ(c.sequential_bodies->digits().count(), 0);
  const Body* body = c.distributed_bodies->body(c.distributed->computation(c.distributed->entry()).root);
  ASSERT_NE(body, nullptr);
  EXPECT_EQ(body->extents, (std::vector<std::int64_t>{2, 2}));
}

TEST_F(CaseTest, CompressedIsTheSameCase) {
  const std::string before = load_case(folder_.string()).hashes.distributed;
  gzFile file = gzopen(path("distributed.hlo.gz").c_str(), "wb");
  gzwrite(file, kCaseDistributed, static_cast<unsigned>(std::string_view(kCaseDistributed).size()));
  gzclose(file);
  fs::remove(path("distributed.hlo"));
  EXPECT_EQ(load_case(folder_.string()).hashes.distributed, before);
}

TEST_F(CaseTest, TwoFiles) {
  CaseOptions options;
  options.relation_file = path("relation.json");
  const Case c = load_case(path("sequential.hlo"), path("distributed.hlo"), options);
  EXPECT_EQ(c.name, "distributed");
  EXPECT_EQ(c.folder, "");
}

TEST_F(CaseTest, RangesOfTheCommandLine) {
  CaseOptions options;
  options.ranges["x"] = {0.25, 0.5, Range::Origin::Given};
  const Case c = load_case(folder_.string(), options);
  EXPECT_EQ(c.relation.free[0].range.lo, 0.25);
  EXPECT_EQ(c.relation.free[0].range.origin, Range::Origin::Given);
  options.ranges = {{"nobody", {0, 1, Range::Origin::Given}}};
  EXPECT_THROW(load_case(folder_.string(), options), InputError);
}

TEST_F(CaseTest, MissingThings) {
  EXPECT_EQ(code(path("nowhere")), "GG-U002");
  fs::remove(path("relation.json"));
  EXPECT_EQ(code(folder_.string()), "GG-U002");
  fs::remove(path("sequential.hlo"));
  EXPECT_EQ(code(folder_.string()), "GG-U002");
  put("sequential.fx", "def forward(self): pass");
  EXPECT_EQ(code(folder_.string()), "GG-U001");  // graphs need a relation
}

TEST_F(CaseTest, RelationHashCoversItsModules) {
  put("relation.json", R"({"mesh": [["tp", 2]], "inputs": [{"hlo": "cut.hlo"}], "outputs": ["ignored"]})");
  const std::string start =
      "HloModule c\nENTRY %main (x: f32[4]) -> f32[2] {\n  %x = f32[4]{0} parameter(0)\n  ROOT %y = f32[2]{0} ";
  put("cut.hlo", start + "slice(%x), slice={[0:2]}\n}\n");
  const std::string before = load_case(folder_.string()).hashes.relation;
  put("cut.hlo", start + "slice(%x), slice={[1:3]}\n}\n");
  EXPECT_NE(load_case(folder_.string()).hashes.relation, before);
}

TEST(Verdicts, Spellings) {
  EXPECT_EQ(to_string(Verdict::Unknown), "unknown");
  EXPECT_EQ(exit_code(Verdict::Proved), 0);
  EXPECT_EQ(exit_code(Verdict::Refuted), 1);
  EXPECT_EQ(exit_code(Verdict::Unknown), 2);
  EXPECT_EQ(to_string(Reason::UnsupportedOperator), "unsupported-operator");
  EXPECT_EQ(to_string(Reason::AgreesOnly), "agrees-only");
  EXPECT_EQ(to_string(AssumptionKind::FiniteInputs), "finite-inputs");
  EXPECT_EQ(to_string(AssumptionKind::PointToPointOrder), "point-to-point-order");
  EXPECT_EQ(to_string(Assumption{AssumptionKind::InputRange, {"a", "[0,1]"}}), "range(a:[0,1])");
  EXPECT_EQ(to_string(Assumption{AssumptionKind::InBounds, {"ids", "[0,32)", "gather.3"}}), "in-bounds(ids:[0,32) gather.3)");
  EXPECT_EQ(to_string(Assumption{AssumptionKind::Equal, {"a", "b", "[[]]"}}), "equal(a,b,[[]])");
  EXPECT_EQ(to_string(Assumption{AssumptionKind::FiniteInputs, {}}), "finite-inputs");
}

}  // namespace
}  // namespace gg
