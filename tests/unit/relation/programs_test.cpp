// Several programs as one case: whose leaves hold what, which rank is which, what a transfer becomes.
#include "models/relation/programs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "models/base/file.h"
#include "models/hlo/printer.h"
#include "models/pair/case.h"

namespace gg {
namespace {
namespace fs = std::filesystem;

constexpr const char* kWholeProgram = R"(HloModule s
ENTRY main {
  x = f32[4,2] parameter(0), metadata={op_name="batch['x']"}
  w = f32[6,2] parameter(1)
  ww = f32[4,2] slice(w), slice={[0:4], [0:2]}
  a = f32[4,2] multiply(x, ww)
  b = f32[4,2] add(a, x)
  ROOT r = (f32[4,2], f32[4,2]) tuple(a, b)
}
)";

std::string transfer(const std::string& kind, const std::string& pairs) {
  return kind + ", channel_id=7, frontend_attributes={_xla_send_recv_source_target_pairs=" + pairs + "}\n";
}

/// x times its part of w, sent on; ends in tokens.
std::string first(const std::string& pairs) {
  return R"(HloModule one, num_partitions=2
ENTRY main {
  p = (f32[2,2], f32[2,2]) parameter(0)
  x = f32[2,2] get-tuple-element(p), index=0
  w = f32[2,2] get-tuple-element(p), index=1
  a = f32[2,2] multiply(x, w)
  t = token[] after-all()
)" + transfer("  s = (f32[2,2], u32[], token[]) send(a, t)", pairs) +
         "  d = token[] send-done(s)\n  ROOT r = (f32[2,2], token[]) tuple(a, d)\n}\n";
}

std::string second(const std::string& pairs) {
  return "HloModule two, num_partitions=2\nENTRY main {\n  x = f32[2,2] parameter(0)\n  t = token[] after-all()\n" +
         transfer("  r = (f32[2,2], u32[], token[]) recv(t)", pairs) +
         "  d = (f32[2,2], token[]) recv-done(r)\n  a = f32[2,2] get-tuple-element(d), index=0\n  id = u32[] partition-id()\n"
         "  ROOT b = f32[2,2] add(a, x)\n}\n";
}

constexpr const char* kStagesRelation = R"({"mesh": [["tp", 2]],
 "programs": [{"file": "one.hlo", "ranks": [5, 3], "inputs": ["batch['x']", {"of": "w", "slice": [[0, 2]]}], "outputs": [0]},
              {"file": "two.hlo", "ranks": [8, 9], "inputs": [0], "outputs": [1]}],
 "inputs": [[["tp"], []], "replicated"], "outputs": [[["tp"], []], [["tp"], []]]})";

class ProgramsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("gg_programs_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_);
    put("sequential.hlo", kWholeProgram);
    put("one.hlo", first("{{5,8},{3,9}}"));
    put("two.hlo", second("{{5,8},{3,9}}"));
    put("relation.json", kStagesRelation);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const std::string& name, const std::string& text) const { write_file((folder_ / name).string(), text); }
  Case load() const { return load_case(folder_.string()); }
  std::string text() const { return print_hlo(*load().distributed); }
  static bool has(const std::string& where, const std::string& what) { return where.find(what) != std::string::npos; }
  fs::path folder_;
};

TEST_F(ProgramsTest, SideBySide) {
  const Case c = load();
  const std::string text = print_hlo(*c.distributed);
  EXPECT_EQ(c.distributed->num_partitions, 2);
  EXPECT_EQ(c.relation.layout.ranks(), 2);
  EXPECT_TRUE(has(text, "%two.d = f32[2,2]{1,0} copy(%one.a)")) << text;  // seat 0 to seat 0, 1 to 1
  EXPECT_TRUE(has(text, "%two.b = f32[2,2]{1,0} add(%two.d, %x)")) << text;
  EXPECT_TRUE(has(text, "slice(%w), slice={[0:2], [0:2]}")) << text;
  EXPECT_TRUE(has(text, "ROOT %outputs = (f32[2,2]{1,0}, f32[2,2]{1,0}) tuple(%one.a, %two.b)")) << text;
  EXPECT_FALSE(has(text, "token")) << text;
  EXPECT_TRUE(has_transfers(c));
  const InstructionId root = c.distributed->computation(c.distributed->entry()).root;
  EXPECT_EQ(fs::path(c.distributed->where(c.distributed->operands(root)[1]).file).filename(), "two.hlo");
  EXPECT_EQ(c.distributed->where(c.distributed->operands(root)[1]).line, 9U);
}

TEST_F(ProgramsTest, OtherSeatsAreAPermuteOfSeats) {
  put("one.hlo", first("{{5,9},{3,8}}"));
  put("two.hlo", second("{{5,9},{3,8}}"));
  EXPECT_TRUE(has(text(), "collective-permute(%one.a), channel_id=7, source_target_pairs={{0,1},{1,0}}")) << text();
}

TEST_F(ProgramsTest, WhoGetsNothingGetsZeros) {
  put("one.hlo", first("{{5,8}}"));
  put("two.hlo", second("{{5,8}}"));
  EXPECT_TRUE(has(text(), "collective-permute(%one.a), channel_id=7, source_target_pairs={{0,0}}")) << text();
}

TEST_F(ProgramsTest, RelationWithoutTheListIsThatOfTheModule) {
  Case c = load();
  EXPECT_FALSE(has(c.relation_text, "programs"));
  EXPECT_EQ(c.hashes.relation, content_hash(kStagesRelation));
  const Case again = with_modules(c, Module(*c.sequential), Module(*c.distributed));
  EXPECT_TRUE(has_transfers(again));
  const std::string before = c.hashes.distributed;
  put("one.hlo", first("{{5,8},{3,9}}") + "\n");
  EXPECT_NE(load().hashes.distributed, before);  // the hash is of every text
}

TEST_F(ProgramsTest, OutputsInPieces) {
  const std::string whole = R"({"mesh": [["rank", 1]], "programs": [
   {"file": "a.hlo", "inputs": [{"of": "x", "slice": [[2, 4]]}], "outputs": [{"of": 0, "slice": [[2, 4]]}]},
   {"file": "a.hlo", "name": "again", "inputs": [{"of": "x", "slice": [[0, 2]]}], "outputs": [{"of": 0, "slice": [[0, 2]]}]}],
   "inputs": ["replicated"], "outputs": ["replicated"]})";
  put("sequential.hlo", "HloModule s\nENTRY main {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] negate(x)\n}\n");
  put("a.hlo", "HloModule a\nENTRY main {\n  v = f32[2] parameter(0)\n  ROOT y = f32[2] negate(v)\n}\n");
  put("relation.json", whole);
  EXPECT_TRUE(has(text(), "concatenate(%again.y, %a.y), dimensions={0}")) << text();
  EXPECT_FALSE(has_transfers(load()));
  const auto refused = [&](const std::string& old, const std::string& now) {
    std::string relation = whole;
    relation.replace(relation.find(old), old.size(), now);
    put("relation.json", relation);
    EXPECT_THROW(load(), InputError) << relation;
  };
  refused(R"("outputs": [{"of": 0, "slice": [[0, 2]]}])", R"("outputs": [null])");                          // half of it
  refused(R"("outputs": [{"of": 0, "slice": [[0, 2]]}])", R"("outputs": [{"of": 0, "slice": [[2, 4]]}])");  // twice
  refused(R"("outputs": [{"of": 0, "slice": [[0, 2]]}])", R"("outputs": [0])");                             // whole and part
}

TEST_F(ProgramsTest, EveryCopyOfAnOutputIsCompared) {
  put("sequential.hlo",
      "HloModule s\nneg {\n  v = f32[2] parameter(0)\n  ROOT n = f32[2] negate(v)\n}\nENTRY main {\n"
      "  p = (f32[2], f32[2]) parameter(0)\n  x = f32[2] get-tuple-element(p), index=0\n  y = f32[2] call(x), to_apply=neg\n"
      "  o = f32[2] add(x, x)\n  in = (f32[2]) tuple(y)\n  ROOT r = (f32[2], (f32[2])) tuple(o, in)\n}\n");
  put("a.hlo", "HloModule a\nENTRY main {\n  v = f32[2] parameter(0)\n  ROOT y = f32[2] negate(v)\n}\n");
  put("b.hlo",
      "HloModule b\nENTRY main {\n  v = f32[2] parameter(0)\n  y = f32[2] negate(v)\n  o = f32[2] add(v, v)\n"
      "  ROOT r = (f32[2], f32[2]) tuple(y, o)\n}\n");
  for (const char* outputs : {R"(["replicated", "replicated"])", R"({"in{0}": "replicated", "o": "replicated"})"}) {
    put("relation.json", std::string(R"({"mesh": [["rank", 1]], "programs": [{"file": "a.hlo", "inputs": [0], "outputs": ["in{0}"]},
      {"file": "b.hlo", "inputs": [0], "outputs": [1, "o"]}], "inputs": ["replicated", "replicated"], "outputs": )") +
                             outputs + "}");
    Case c = load();
    const std::string text = print_hlo(*c.distributed), sequential = print_hlo(*c.sequential);
    EXPECT_TRUE(has(text, "tuple(%b.o, %a.y, %b.y)")) << text;
    EXPECT_TRUE(has(sequential, "tuple(%o, %y, %y)")) << sequential;
    ASSERT_EQ(c.relation.outputs.size(), 3U);
    EXPECT_EQ(c.relation.outputs[2].kind, OutputClaim::Kind::Compared);
    EXPECT_EQ(with_modules(c, Module(*c.sequential), Module(*c.distributed)).relation.outputs.size(), 3U);
  }
}

TEST_F(ProgramsTest, ASliceOfASplitDimensionDoesNotFit) {
  std::string relation = kStagesRelation;
  relation.replace(relation.find("\"replicated\""), 12, "[[\"tp\"], []]");
  put("relation.json", relation);
  try {
    load();
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diags().front().code, DiagCode::BlockMismatch);
  }
}

TEST_F(ProgramsTest, AStartAsAResultIsRefused) {
  put("two.hlo", "HloModule two, num_partitions=2\nENTRY main {\n  x = f32[2,2] parameter(0)\n  t = token[] after-all()\n" +
                     transfer("  ROOT r = (f32[2,2], u32[], token[]) recv(t)", "{{5,8},{3,9}}") + "  d = (f32[2,2], token[]) recv-done(r)\n}\n");
  EXPECT_THROW(load(), InputError);
}

}  // namespace
}  // namespace gg
