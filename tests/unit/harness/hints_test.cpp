// What the other files of a dump say: axes, donated inputs, names of outputs.
#include "harness/dump/hints.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "models/base/diag.h"
#include "models/base/file.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

TEST(DumpHints, Meshes) {
  const auto meshes = parse_meshes(
      R"(HloModule m, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["dp"=2, "tp"=4]>, other = #sdy.mesh<["x"=8], device_ids=[1,0,2,3,4,5,6,7]>}})");
  ASSERT_EQ(meshes.size(), 1U);
  ASSERT_EQ(meshes[0].size(), 2U);
  EXPECT_EQ(meshes[0][1].name, "tp");
  EXPECT_EQ(meshes[0][1].size, 4);
  EXPECT_EQ(parse_meshes(R"(xla.sdy.meshes="{mesh = #sdy.mesh<[\"a.b\"=8]>}")").at(0).at(0).name, "a.b");
  const auto of_shardings = parse_meshes(
      "sharding={mesh['dp'=2,'tp'=4], [{'dp'}]}, sharding={mesh[], replicated}, sharding={mesh['dp'=2,'tp'=4], replicated}, "
      "sharding={mesh['x'=2], device_ids=(1,0), [{'x'}]}");
  ASSERT_EQ(of_shardings.size(), 1U);
  EXPECT_EQ(of_shardings[0][1].name, "tp");
  for (const char* text : {"", "mesh['", "mesh['a'=]", "#sdy.mesh<[", "#sdy.mesh<[]>", R"(#sdy.mesh<["a"=0]>)", R"(#sdy.mesh<["a"=2 "b"=2]>)",
                           R"(#sdy.mesh<["a"=99999999999999999999]>)", R"(#sdy.mesh<["a]>)"}) {
    EXPECT_TRUE(parse_meshes(text).empty()) << text;
  }
}

TEST(DumpHints, Buffers) {
  DumpHints hints;
  parse_buffers("HloModule m, input_output_alias={ {0}: (3, {}, may-alias), {2}: (1, {}) }, buffer_donor={ (7, {}), (3, {}) }", hints);
  ASSERT_EQ(hints.aliases.size(), 2U);
  EXPECT_EQ(hints.aliases[1].output_leaf, 2);
  EXPECT_EQ(hints.aliases[1].input_leaf, 1);
  EXPECT_EQ(hints.donors, (std::vector<std::int64_t>{1, 3, 7}));
  DumpHints single;
  parse_buffers("HloModule m, input_output_alias={ {}: (0, {}, may-alias) }", single);
  ASSERT_EQ(single.aliases.size(), 1U);
  EXPECT_EQ(single.aliases[0].output_leaf, 0);
  DumpHints nested;
  parse_buffers("HloModule m, input_output_alias={ {0,1}: (0, {}), {1}: (0, {1}) }", nested);
  EXPECT_TRUE(nested.aliases.empty());
}

TEST(DumpHints, ResultNames) {
  const auto names = parse_result_names(
      "module {\n  func.func public @main(%arg0: tensor<2xf32> loc(\"s['a']\")) -> (tensor<2xf32> {jax.result_info = "
      "\"result[0]['a']\"}, tensor<f32> {jax.result_info = \"result[1][\\22b\\22]\"}) {\n    jax.result_info = \"no\"\n");
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0], "result[0]['a']");
  EXPECT_EQ(names[1], "result[1][\"b\"]");
  EXPECT_TRUE(parse_result_names("jax.result_info = \"result\"").empty());
}

TEST(DumpHints, ParameterNames) {
  const std::string helper = "HloModule m\n\nf.1 {\n  a.1 = f32[] parameter(0)\n}\n";
  const auto names = parse_parameter_names(helper + R"(
ENTRY main.7 {
  b.2 = f32[2]{0} parameter(1), sharding={replicated}, metadata={op_name="s[\'b\']" source_line=3}
  a.1 = f32[2]{0} parameter(0), metadata={op_name="s[\'a\']"}
}
)");
  EXPECT_EQ(names, (std::vector<std::string>{"s['a']", "s['b']"}));
  EXPECT_TRUE(parse_parameter_names(helper).empty());
  EXPECT_TRUE(parse_parameter_names(helper + "\nENTRY m {\n  a = f32[] parameter(0)\n}\n").empty());
  EXPECT_TRUE(parse_parameter_names(helper + "\nENTRY m {\n  a = f32[] parameter(1), metadata={op_name=\"x\"}\n}\n").empty());
}

TEST(DumpHints, AxesAreProductsOfConsecutiveNamedAxes) {
  const Mesh mesh{{{"axis_0", 2}, {"axis_1", 4}}, {}};
  const auto names = name_axes(mesh, {{"one", 1}, {"dp", 2}, {"tp", 2}, {"pp", 2}, {"last", 1}});
  ASSERT_TRUE(names);
  EXPECT_EQ(names->at(1), (std::vector<std::string>{"tp", "pp"}));
  EXPECT_FALSE(name_axes(mesh, {{"dp", 4}, {"tp", 2}}));
  EXPECT_FALSE(name_axes(mesh, {{"dp", 2}}));
  EXPECT_FALSE(name_axes(mesh, {{"dp", 2}, {"tp", 4}, {"pp", 2}}));
  EXPECT_FALSE(name_axes(Mesh{{{"axis_0", 2}}, {1, 0}}, {{"dp", 2}}));
}

constexpr const char* kBefore = R"(HloModule jit_f, buffer_donor={ (0, {}), (1, {}) }, num_partitions=4

ENTRY %main (p.0: f32[8], p.1: f32[8], p.2: f32[8]) -> (f32[8], f32[8], f32[8]) {
  %p.0 = f32[8]{0} parameter(0), sharding={devices=[2,2]<=[4] last_tile_dim_replicate}, metadata={op_name="s['a']"}
  %p.1 = f32[8]{0} parameter(1), sharding={devices=[4]<=[4]}, metadata={op_name="s['b']"}
  %p.2 = f32[8]{0} parameter(2), sharding={replicated}, metadata={op_name="x"}
  ROOT %t = (f32[8]{0}, f32[8]{0}, f32[8]{0}) tuple(%p.1, %p.0, %p.2), sharding={{devices=[4]<=[4]}, {devices=[2,2]<=[4] last_tile_dim_replicate}, {replicated}}
}
)";

constexpr const char* kAfter = R"(HloModule jit_f, num_partitions=4

ENTRY %main (p.0: f32[4], p.1: f32[2], p.2: f32[8]) -> (f32[2], f32[4], f32[8]) {
  %p.0 = f32[4]{0} parameter(0)
  %p.1 = f32[2]{0} parameter(1)
  %p.2 = f32[8]{0} parameter(2)
  ROOT %t = (f32[2]{0}, f32[4]{0}, f32[8]{0}) tuple(%p.1, %p.0, %p.2)
}
)";

class HintsOfFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("gg_hints_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "module_0001.jit_f");
    before_ = (folder_ / "module_0001.jit_f.0000.p.after_shardy-xla.before_spmd-partitioning.txt").string();
    write_file(before_, kBefore);
    write_file((folder_ / "after.txt").string(), kAfter);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { write_file((folder_ / name).string(), text); }
  Case load() {
    const DumpHints hints = read_dump_hints(before_);
    CaseOptions options;
    options.input_names = hints.inputs;
    Case c = load_case(before_, (folder_ / "after.txt").string(), options);
    apply_hints(c, hints);
    return c;
  }

  fs::path folder_;
  std::string before_;
};

TEST_F(HintsOfFolder, NothingElseThere) {
  const Case c = load();
  EXPECT_EQ(c.relation.mesh.axes.at(0).name, "axis_0");
  EXPECT_FALSE(c.relation.next[0] || c.relation.next[1] || c.relation.next[2]);
}

TEST_F(HintsOfFolder, NamesWinOverAliasesThatContradictThem) {
  const std::string hash = load().hashes.relation;
  write("module_0001.jit_f.before_optimizations.txt", R"(HloModule jit_f, frontend_attributes={xla.sdy.meshes={m = #sdy.mesh<["dp"=2, "tp"=2]>}}
)");
  // All buffers have the same size: the compiler takes the first one that fits.
  write("module_0001.jit_f.cpu_after_optimizations.txt", "HloModule jit_f, input_output_alias={ {0}: (0, {}), {1}: (1, {}) }\n");
  write("module_0001.jit_f/module.mlir",
        "  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = \"result[0]['b']\"}, "
        "tensor<8xf32> {jax.result_info = \"result[0]['a']\"}, tensor<8xf32> {jax.result_info = \"result[1]\"}) {\n");
  const Case c = load();
  EXPECT_EQ(c.relation.mesh.axes.at(1).name, "tp");
  EXPECT_EQ(print_placement(c.relation.input_placements[1], c.relation.mesh, Notation::PartitionSpec), "P(('dp', 'tp'))");
  EXPECT_EQ(c.relation.next[0], 1);
  EXPECT_EQ(c.relation.next[1], 0);
  EXPECT_EQ(c.relation.next[2], std::nullopt);
  EXPECT_EQ(c.relation.outputs[0].name, "next s['b']");
  EXPECT_EQ(c.relation.outputs[2].name, "result[1]");
  EXPECT_EQ(c.hashes.relation, hash);
  EXPECT_NE(c.relation_text.find("\"dp\""), std::string::npos);
  Arena arena;  // the text is a relation file of its own
  const Relation again = read_relation(arena, c.relation_text, "relation.json", *c.sequential, *c.distributed);
  EXPECT_EQ(again.next, c.relation.next);
}

TEST_F(HintsOfFolder, NamesOfParametersAsTheFrameworkGaveThem) {
  write("module_0001.jit_f.before_optimizations.txt", R"(HloModule jit_f

ENTRY %main {
  %p.0 = f32[8]{0} parameter(0), metadata={op_name="t['a']"}
  %p.1 = f32[8]{0} parameter(1), metadata={op_name="t['b']"}
  %p.2 = f32[8]{0} parameter(2), metadata={op_name="y"}
}
)");
  EXPECT_EQ(load().relation.free.at(1).name, "t['b']");
}

TEST_F(HintsOfFolder, WithoutNamesAliasesCount) {
  write("module_0001.jit_f.cpu_after_optimizations.txt", "HloModule jit_f, input_output_alias={ {1}: (0, {}), {9}: (0, {}) }\n");
  const Case c = load();
  EXPECT_EQ(c.relation.next[0], std::nullopt);
  EXPECT_EQ(c.relation.next[1], 0);
  EXPECT_EQ(c.relation.outputs[1].name, "next s['a']");
}

}  // namespace
}  // namespace gg
