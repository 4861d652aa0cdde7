// Relation files: reading, every refusal, printing, relations from shardings.
#include "models/relation/relation.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "element.h"
#include "models/base/file.h"
#include "models/hlo/parser.h"

namespace gg {
namespace {

constexpr const char* kSequential = R"(HloModule seq
ENTRY %main (x: f32[8,4], w: f32[4,6], n: s32[]) -> (f32[8,6], s32[]) {
  %x = f32[8,4]{1,0} parameter(0)
  %w = f32[4,6]{1,0} parameter(1)
  %n = s32[] parameter(2)
  %dot = f32[8,6]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %t = (f32[8,6]{1,0}, s32[]) tuple(%dot, %n)
}
)";

constexpr const char* kDistributed = R"(HloModule dist, num_partitions=4
ENTRY %main (x: f32[4,4], w: f32[4,3], n: s32[]) -> (f32[4,3], s32[]) {
  %x = f32[4,4]{1,0} parameter(0)
  %w = f32[4,3]{1,0} parameter(1)
  %n = s32[] parameter(2)
  %dot = f32[4,3]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %t = (f32[4,3]{1,0}, s32[]) tuple(%dot, %n)
}
)";

struct Pair {
  explicit Pair(const char* seq = kSequential, const char* dist = kDistributed)
      : sequential(parse_hlo(seq, "seq.hlo")), distributed(parse_hlo(dist, "dist.hlo")) {}
  Relation read(const std::string& json, const std::string& file = "relation.json") {
    return read_relation(arena, json, file, sequential, distributed);
  }
  std::string code(const std::string& json) {
    try {
      read(json);
    } catch (const InputError& error) {
      message = error.what();
      return std::string(info(error.diags().front().code).id);
    }
    return "accepted";
  }
  Arena arena;
  Module sequential, distributed;
  std::string message;
};

std::string relation(const std::string& more = "", const std::string& x = "[[\"dp\"],[]]") {
  return R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": [)" + x +
         R"(, [[], ["tp"]], []], "outputs": [[["dp"], ["tp"]], []])" + (more.empty() ? "" : ", " + more) + "}";
}

TEST(Relation, Reads) {
  Pair pair;
  const Relation r = pair.read(relation());
  EXPECT_EQ(r.mesh.ranks(), 4);
  EXPECT_EQ(r.digits.count(), 2);
  EXPECT_EQ(r.layout, (RankLayout{1, 4}));
  ASSERT_EQ(r.free.size(), 3U);
  EXPECT_EQ(r.free[1].name, "w");
  EXPECT_EQ(r.free[1].range.lo, -1);
  EXPECT_EQ(r.free[2].range.hi, 8);
  EXPECT_EQ(r.free[2].range.origin, Range::Origin::Default);
  ASSERT_EQ(r.distributed_inputs.size(), 3U);
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[0].root, {1, 0, 2, 3}), "x0[6,3]");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[1].root, {0, 1, 3, 2}), "x1[3,5]");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[2].root, {1, 1}), "x2[]");
  EXPECT_EQ(element_at(pair.arena, r.sequential_inputs[0].root, {7, 1}), "x0[7,1]");
  ASSERT_EQ(r.outputs.size(), 2U);
  EXPECT_EQ(r.outputs[0].name, "dot");
  EXPECT_EQ(element_at(pair.arena, r.outputs[0].sequential, {1, 1, 0, 0}), "x0[4,3]");
  EXPECT_EQ(r.next, (std::vector<std::optional<std::int64_t>>{std::nullopt, std::nullopt}));
}

TEST(Relation, MeshObjectKeepsTheOrderOfTheText) {
  Pair pair;
  const Relation r = pair.read(
      R"j({"mesh": {"tp": 2, "dp": 2}, "inputs": ["P('dp')", "P(None, 'tp')", "replicated"],
           "outputs": ["P('dp', 'tp')", "ignored"]})j");
  EXPECT_EQ(r.mesh.axes[0].name, "tp");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[0].root, {1, 0, 0, 0}), "x0[0,0]");
  EXPECT_EQ(r.outputs[1].kind, OutputClaim::Kind::Ignored);
}

TEST(Relation, NamedEntriesAndDefault) {
  Pair pair;
  const Relation r = pair.read(R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": {"w": [[], ["tp"]], "0": [["dp"], []]},
                                   "default": "replicated", "outputs": {"dot": [["dp"], ["tp"]]}})");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[0].root, {1, 0, 2, 3}), "x0[6,3]");
  EXPECT_EQ(r.outputs[1].kind, OutputClaim::Kind::Ignored);
}

TEST(Relation, RangesAndNext) {
  Pair pair;
  const Relation r = pair.read(relation(R"("ranges": {"0": [0, 2.5], "n": [3, 3]}, "next": {"1": 2})"));
  EXPECT_EQ(r.free[0].range.hi, 2.5);
  EXPECT_EQ(r.free[0].range.origin, Range::Origin::Given);
  EXPECT_EQ(r.free[2].range.lo, 3);
  EXPECT_EQ(r.next[1], 2);
  EXPECT_EQ(r.next[0], std::nullopt);
}

TEST(Relation, DefectiveFiles) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", "GG-R001"},
      {"{", "GG-R001"},
      {"[]", "GG-R001"},
      {"{}", "GG-R001"},
      {"{\"mesh\": [], \"mesh\": []}", "GG-R001"},
      {"{\"mesh\": [[\"a\", 1e999]]}", "GG-R001"},
      {"\xff", "GG-R001"},
      {relation("\"surprise\": 1"), "GG-R001"},
      {relation("\"groups\": {}"), "GG-N002"},
      {relation("\"cut\": {}"), "GG-N002"},
      {relation("\"constants\": {}"), "GG-N002"},
      {R"({"mesh": [["dp", 0]], "inputs": [], "outputs": []})", "GG-R001"},
      {R"({"mesh": [["dp", -4]], "inputs": [], "outputs": []})", "GG-R001"},
      {R"({"mesh": [["dp", 2.5]], "inputs": [], "outputs": []})", "GG-R001"},
      {R"({"mesh": [["dp", 2], ["dp", 2]], "inputs": [], "outputs": []})", "GG-R001"},
      {R"({"mesh": [["dp", 4294967296], ["tp", 4294967296]], "inputs": [], "outputs": []})", "GG-U004"},
      {R"({"mesh": [["dp", 2], ["tp", 4]], "inputs": [[[],[]],[[],[]],[]], "outputs": [[[],[]],[]]})", "GG-R005"},
      {relation("\"devices\": [0, 1, 2]"), "GG-R005"},
      {relation("\"devices\": [0, 1, 2, 4]"), "GG-R005"},
      {relation("\"devices\": [0, 1, 2, 2]"), "GG-R005"},
      {relation("\"devices\": \"all\""), "GG-R001"},
      {R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": [[[],[]]], "outputs": []})", "GG-R002"},
      {R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": {"x": [[],[]]}, "outputs": []})", "GG-R002"},
      {R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": {"y": [[],[]]}, "outputs": []})", "GG-R003"},
      {R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": {"x": [[],[]], "0": [[],[]]}, "outputs": []})", "GG-R003"},
      {relation("", "[[\"pp\"],[]]"), "GG-R003"},
      {relation("", "[[\"dp\"],[\"dp\"]]"), "GG-R003"},
      {relation("", "[[\"dp\"]]"), "GG-R003"},
      {relation("", "\"ignored\""), "GG-R003"},
      {relation("", "\"P('dp', None, None)\""), "GG-R003"},
      {relation("", "{\"partial\": []}"), "GG-R003"},
      {relation("", "{\"partial\": [\"dp\"], \"op\": \"xor\"}"), "GG-R003"},
      {relation("", "{\"partial\": [\"dp\"], \"dims\": [[\"dp\"],[]]}"), "GG-R003"},
      {relation("", "{\"concat\": [\"nobody\"], \"dim\": 0}"), "GG-R003"},
      {relation("", "{\"concat\": [], \"dim\": 0}"), "GG-R003"},
      {relation("", "{\"concat\": [\"x\"], \"dim\": 2}"), "GG-R003"},
      {relation("", "{\"concat\": [\"x\", \"x\"], \"dim\": 0}"), "GG-R003"},
      {relation("", "{\"what\": 1}"), "GG-R001"},
      {relation("", "{\"node\": \"add_1\"}"), "GG-N002"},
      {relation("", "{\"hlo\": \"missing.hlo\"}"), "GG-U002"},
      {relation("", "[{\"axes\": [\"dp\"], \"pad\": -8}, []]"), "GG-R003"},
      {relation("", "[{\"axes\": [\"dp\"], \"pad\": 4}, []]"), "GG-R003"},
      {relation("", "[{\"axes\": [\"dp\"], \"stride\": 1, \"interleave\": 2}, []]"), "GG-R003"},
      {relation("", "[{\"axes\": [\"dp\"], \"segments\": [4, 3]}, []]"), "GG-R003"},
      {relation("", "[{\"axes\": [\"dp\"], \"split\": \"half\"}, []]"), "GG-R003"},
      {relation("", "[{\"axes\": [\"dp\"], \"lanes\": 2}, []]"), "GG-R001"},
      {relation("", "[3, []]"), "GG-R001"},
      {relation("", "null"), "GG-R001"},
      {relation("", "[[], []]"), "GG-R004"},
      {relation("", "[[\"dp\", \"tp\"], []]"), "GG-R004"},
      {relation("\"ranges\": {\"0\": [1, 0]}"), "GG-R006"},
      {relation("\"ranges\": {\"0\": [1]}"), "GG-R006"},
      {relation("\"ranges\": {\"0\": [\"low\", 1]}"), "GG-R006"},
      {relation("\"ranges\": {\"9\": [0, 1]}"), "GG-R006"},
      {relation("\"ranges\": {\"n\": [0.5, 1]}"), "GG-R006"},
      {relation("\"ranges\": {\"n\": [0, 4294967296]}"), "GG-R006"},
      {relation("\"ranges\": []"), "GG-R001"},
      {relation("\"recorded\": {\"n\": [3]}"), "GG-R006"},
      {relation("\"recorded\": {\"m\": [3]}"), "GG-R006"},
      {relation("\"recorded\": {\"n\": [0.5]}"), "GG-R006"},
      {relation("\"recorded\": {\"n\": [4294967296]}"), "GG-R006"},
      {relation("\"recorded\": {\"n\": [\"low\"]}"), "GG-R006"},
      {relation("\"recorded\": {\"n\": [1, 2]}"), "GG-R006"},
      {relation("\"recorded\": {\"n\": 3}"), "GG-R001"},
      {relation("\"next\": {\"7\": 0}"), "GG-R002"},
      {relation("\"next\": {\"0\": 0}"), "GG-R002"},
  };
  Pair pair;
  for (const auto& [json, code] : table) EXPECT_EQ(pair.code(json), code) << json << "\n"
                                                                          << pair.message;
}

TEST(Relation, MessagesNameThePlace) {
  Pair pair;
  pair.code("{\n \"mesh\": [,]\n}");
  EXPECT_EQ(pair.message.rfind("relation.json:2:11: error: ", 0), 0U) << pair.message;
  pair.code(relation("", "[[\"pp\"],[]]"));
  EXPECT_NE(pair.message.find("inputs[0]: the mesh has no axis 'pp'"), std::string::npos) << pair.message;
  EXPECT_NE(pair.message.find("axes of the mesh: dp, tp"), std::string::npos);
  pair.code(R"({"mesh": [["dp", 2], ["tp", 2]], "inputs": [[[],[]], [[],[]], []], "outputs": [[["dp"], ["tp"]], []]})");
  EXPECT_NE(pair.message.find("inputs[0] 'x'"), std::string::npos);
  EXPECT_NE(pair.message.find("inputs[1] 'w'"), std::string::npos);  // both are told
}

TEST(Relation, CountsOfTheDistributedProgram) {
  Pair fewer(kSequential, R"(HloModule dist, num_partitions=4
ENTRY %main (x: f32[4,4]) -> (f32[4,4], s32[]) {
  %x = f32[4,4]{1,0} parameter(0)
  %n = s32[] constant(1)
  ROOT %t = (f32[4,4]{1,0}, s32[]) tuple(%x, %n)
}
)");
  EXPECT_EQ(fewer.code(relation()), "GG-R002");
}

TEST(Relation, TupleParametersAreLeavesDepthFirst) {
  constexpr const char* text = R"(HloModule m
ENTRY %main (p: (f32[2], (s32[], f32[3])), q: f32[]) -> f32[] {
  %p = (f32[2]{0}, (s32[], f32[3]{0})) parameter(0)
  ROOT %q = f32[] parameter(1)
}
)";
  Pair pair(text, text);
  const Relation r = pair.read(R"({"mesh": [], "inputs": [[[]], [], [[]], []], "outputs": [[]]})");
  ASSERT_EQ(r.free.size(), 4U);
  EXPECT_EQ(r.free[0].name, "p{0}");
  EXPECT_EQ(r.free[2].name, "p{1,1}");
  EXPECT_EQ(r.free[3].name, "q");
  EXPECT_EQ(r.digits.count(), 0);
}

TEST(Relation, PartialInputs) {
  Pair pair(R"(HloModule s
ENTRY %main (g: f32[4]) -> f32[4] {
  ROOT %g = f32[4]{0} parameter(0)
}
)",
            R"(HloModule d, replica_count=2
ENTRY %main (g: f32[4]) -> f32[4] {
  ROOT %g = f32[4]{0} parameter(0)
}
)");
  const Relation r = pair.read(R"({"mesh": [["dp", 2]], "inputs": [{"partial": ["dp"], "op": "sum"}],
                                   "outputs": [{"partial": ["dp"]}]})");
  EXPECT_EQ(r.layout, (RankLayout{2, 1}));
  EXPECT_EQ(r.free[0].type.dims, (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[0].root, {1, 3}), "x0[1,3]");
  EXPECT_EQ(pair.arena[r.sequential_inputs[0].root].kind, ExprKind::Fold);
  EXPECT_EQ(pair.arena[r.outputs[0].distributed].kind, ExprKind::Fold);
}

constexpr const char* kParts = R"(HloModule d, replica_count=2
ENTRY %main (a: f32[4,3], c: f32[], b: f32[2,3]) -> f32[] {
  %a = f32[4,3]{1,0} parameter(0)
  %c = f32[] parameter(1)
  %b = f32[2,3]{1,0} parameter(2)
  ROOT %copy = f32[] copy(%c)
}
)";
constexpr const char* kWhole = R"(HloModule s
ENTRY %main (x: f32[6,3], c: f32[]) -> f32[] {
  %x = f32[6,3]{1,0} parameter(0)
  ROOT %c = f32[] parameter(1)
}
)";

TEST(Relation, InputsMadeOfParts) {
  Pair pair(kWhole, kParts);
  const Relation r =
      pair.read(R"({"mesh": [["dp", 2]], "inputs": [{"concat": ["a", "b"], "dim": 0}, []], "outputs": [[]],
                                   "ranges": {"b": [0, 1], "1": [2, 3]}})");
  ASSERT_EQ(r.free.size(), 3U);
  EXPECT_EQ(r.free[0].name, "a");
  EXPECT_EQ(r.free[1].range.lo, 0);
  EXPECT_EQ(r.free[2].range.lo, 2);
  EXPECT_EQ(element_at(pair.arena, r.sequential_inputs[0].root, {3, 1}), "x0[3,1]");
  EXPECT_EQ(element_at(pair.arena, r.sequential_inputs[0].root, {4, 1}), "x1[0,1]");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[2].root, {0, 1, 2}), "x1[1,2]");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[1].root, {0}), "x2[]");
  const Relation back = pair.read(print_relation(r, Notation::Json));
  EXPECT_EQ(back.input_placements, r.input_placements);
  EXPECT_EQ(back.free[1].range.hi, 1);
  EXPECT_EQ(pair.code(R"({"mesh": [["dp", 2]], "inputs": [{"concat": ["a"], "dim": 0}, []], "outputs": [[]]})"),
            "GG-R002");
  EXPECT_EQ(pair.code(R"({"mesh": [["dp", 2]], "inputs": [{"concat": ["a", "b"], "dim": 1}, []], "outputs": [[]]})"),
            "GG-R004");
}

TEST(Relation, NextFromAliases) {
  constexpr const char* text = R"(HloModule m, input_output_alias={ {0}: (1, {}, may-alias) }
ENTRY %main (a: f32[2], b: f32[2]) -> (f32[2], f32[2]) {
  %a = f32[2]{0} parameter(0)
  %b = f32[2]{0} parameter(1)
  ROOT %t = (f32[2]{0}, f32[2]{0}) tuple(%b, %a)
}
)";
  Pair pair(text, text);
  const std::string start = R"({"mesh": [], "inputs": [[[]], [[]]], "outputs": [[[]], [[]]])";
  EXPECT_EQ(pair.read(start + "}").next[0], 1);
  const Relation given = pair.read(start + R"(, "next": {"1": 0}})");
  EXPECT_EQ(given.next[0], std::nullopt);
  EXPECT_EQ(given.next[1], 0);
}

TEST(Relation, ComputedByAModule) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "gg_relation_test";
  fs::create_directories(folder);
  write_file((folder / "shift.hlo").string(), R"(HloModule shift
ENTRY %main (x: f32[8]) -> f32[4] {
  %x = f32[8]{0} parameter(0)
  %id = u32[] partition-id()
  %s = s32[] convert(%id)
  %four = s32[] constant(4)
  %start = s32[] multiply(%s, %four)
  %rev = f32[8]{0} reverse(%x), dimensions={0}
  ROOT %cut = f32[4]{0} dynamic-slice(%rev, %start), dynamic_slice_sizes={4}
}
)");
  write_file((folder / "sort.hlo").string(), R"(HloModule loop
%less (a: f32[], b: f32[]) -> pred[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = pred[] compare(%a, %b), direction=LT
}
ENTRY %main (x: f32[8]) -> f32[4] {
  %x = f32[8]{0} parameter(0)
  %sort = f32[8]{0} sort(%x), dimensions={0}, to_apply=%less
  ROOT %cut = f32[4]{0} slice(%sort), slice={[0:4]}
}
)");
  Pair pair(R"(HloModule s
ENTRY %main (x: f32[8]) -> f32[8] {
  ROOT %x = f32[8]{0} parameter(0)
}
)",
            R"(HloModule d, num_partitions=2
ENTRY %main (x: f32[4]) -> f32[4] {
  ROOT %x = f32[4]{0} parameter(0)
}
)");
  const std::string file = (folder / "relation.json").string();
  const Relation r =
      pair.read(R"({"mesh": [["tp", 2]], "inputs": [{"hlo": "shift.hlo"}], "outputs": [{"hlo": "shift.hlo"}]})", file);
  EXPECT_EQ(elements(pair.arena, r.distributed_inputs[0]), "x0[7] x0[6] x0[5] x0[4] x0[3] x0[2] x0[1] x0[0]");
  EXPECT_EQ(element_at(pair.arena, r.outputs[0].sequential, {1, 0}), "x0[3]");
  EXPECT_EQ(r.outputs[0].compared, pair.arena.always());
  try {
    pair.read(R"({"mesh": [["tp", 2]], "inputs": [{"hlo": "sort.hlo"}], "outputs": ["ignored"]})", file);
    FAIL() << "a sort is no expression";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diags().front().code, DiagCode::UnsupportedForm) << error.what();
  }
  fs::remove_all(folder);
}

TEST(Relation, PrintsInEveryNotation) {
  Pair pair;
  const Relation r =
      pair.read(relation(R"("ranges": {"0": [0, 0.1], "2": [3, 3]}, "next": {"1": 2}, "devices": [0, 2, 1, 3])"));
  for (const Notation notation :
       {Notation::Json, Notation::PartitionSpec, Notation::Hlo, Notation::DTensor, Notation::Shardy}) {
    const std::string text = print_relation(r, notation);
    const Relation back = pair.read(text);
    EXPECT_EQ(back.input_placements, r.input_placements) << text;
    EXPECT_EQ(back.output_placements, r.output_placements);
    EXPECT_EQ(back.mesh.devices, r.mesh.devices);
    EXPECT_EQ(back.free[0].range.hi, 0.1);
    EXPECT_EQ(back.next, r.next);
    EXPECT_EQ(print_relation(back, notation), text);
  }
}

TEST(Relation, DeviceOrderDecidesWhoHoldsWhat) {
  Pair pair;
  const Relation r = pair.read(relation("\"devices\": [0, 2, 1, 3]"));
  // Rank 1 is at dp=1, tp=0; digits are the bits of the rank.
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[0].root, {0, 1, 0, 0}), "x0[4,0]");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[1].root, {0, 1, 0, 0}), "x1[0,0]");
}

constexpr const char* kAnnotated = R"(HloModule seq, num_partitions=4
ENTRY %main (x: f32[8,4], w: f32[4,6], n: s32[]) -> (f32[8,6], s32[]) {
  %x = f32[8,4]{1,0} parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}
  %w = f32[4,6]{1,0} parameter(1), sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  %n = s32[] parameter(2)
  %dot = f32[8,6]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %t = (f32[8,6]{1,0}, s32[]) tuple(%dot, %n), sharding={{devices=[2,2]<=[4]}, {replicated}}
}
)";

TEST(FromShardings, RecoversTheMesh) {
  Pair pair(kAnnotated, kDistributed);
  const Relation r = relation_from_shardings(pair.arena, pair.sequential, pair.distributed);
  ASSERT_EQ(r.mesh.axes.size(), 2U);
  EXPECT_EQ(r.mesh.axes[0].name, "axis_0");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[0].root, {1, 0, 2, 3}), "x0[6,3]");
  EXPECT_EQ(element_at(pair.arena, r.distributed_inputs[1].root, {0, 1, 3, 2}), "x1[3,5]");
  EXPECT_EQ(element_at(pair.arena, r.outputs[0].sequential, {1, 1, 0, 0}), "x0[4,3]");
  const Relation back = pair.read(print_relation(r, Notation::Json));
  EXPECT_EQ(back.input_placements, r.input_placements);
}

TEST(FromShardings, Refusals) {
  const auto code = [](const char* sequential, const char* distributed) {
    Pair pair(sequential, distributed);
    try {
      relation_from_shardings(pair.arena, pair.sequential, pair.distributed);
    } catch (const InputError& error) {
      return std::string(info(error.diags().front().code).id);
    }
    return std::string("accepted");
  };
  EXPECT_EQ(code(kSequential, kDistributed), "GG-U002");
  std::string text = kAnnotated;
  text.replace(text.find("{devices=[2,1,2]<=[4] last_tile_dim_replicate}"), 46, "{devices=[4,1]0,3,1,2}");
  EXPECT_EQ(code(text.c_str(), kDistributed), "GG-N003");
  text = kAnnotated;
  text.replace(text.find(", sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}"), 57, "");
  EXPECT_EQ(code(text.c_str(), kDistributed), "GG-X009");
}

}  // namespace
}  // namespace gg
