// Names of dumped files, pairing, and the message for each way to have no pair.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "harness/dump/names.h"
#include "harness/dump/pairs.h"
#include "models/base/diag.h"
#include "models/base/file.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

TEST(DumpNames, EveryStage) {
  const auto before = parse_dump_name(
      "module_0016.jit_step.0000.spmd-partitioner.after_shardy-xla.before_spmd-partitioning.txt");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->stem, "module_0016.jit_step");
  EXPECT_EQ(before->module, "jit_step");
  EXPECT_EQ(before->pass, "0000");
  EXPECT_EQ(before->stage, DumpStage::BeforePartitioning);
  const struct {
    const char* file;
    DumpStage stage;
    const char* module;
    bool binary;
  } rows[] = {
      {"module_0016.jit_f.0001.spmd-partitioner.after_spmd-partitioning.before_x.txt", DumpStage::AfterPartitioning, "jit_f", false},
      {"module_1.jit_f.0007.p.after_sharding-propagation.before_spmd-partitioning.txt.gz", DumpStage::BeforePartitioning, "jit_f", false},
      {"module_1.jit_f.0007.p.after_spmd-partitioning.before_x.hlo.pb", DumpStage::AfterPartitioning, "jit_f", true},
      {"module_12345.a.b.0001.p.after_x.before_y.txt", DumpStage::Other, "a.b", false},
      {"module_0000.jit_f.before_optimizations.txt", DumpStage::BeforeOptimizations, "jit_f", false},
      {"module_0000.jit_f.after_optimizations.txt", DumpStage::AfterOptimizations, "jit_f", false},
      {"module_0000.jit_f.cpu_after_optimizations.txt", DumpStage::AfterOptimizations, "jit_f", false},
      {"module_0000.jit_f.sm_9.0_gpu_after_optimizations.txt", DumpStage::AfterOptimizations, "jit_f", false},
      {"module_0000.jit_f.cpu_after_optimizations-buffer-assignment.txt", DumpStage::Other, "jit_f", false},
      {"module_0000.jit_f.debug_options", DumpStage::Options, "jit_f", false},
      {"module_0000.jit_f.kernel.ir-no-opt.ll", DumpStage::Other, "jit_f", false},
  };
  for (const auto& row : rows) {
    const auto name = parse_dump_name(row.file);
    ASSERT_TRUE(name) << row.file;
    EXPECT_EQ(name->stage, row.stage) << row.file;
    EXPECT_EQ(name->module, row.module) << row.file;
    EXPECT_EQ(name->binary, row.binary) << row.file;
  }
  const auto stamped = parse_dump_name("1763712345.module_0003.jit_f.before_optimizations.txt");
  ASSERT_TRUE(stamped);
  EXPECT_EQ(stamped->prefix, "1763712345");
  EXPECT_EQ(stamped->stem, "1763712345.module_0003.jit_f");
}

TEST(DumpNames, OtherFiles) {
  for (const char* file : {"", "module_", "module_x.txt", "train.py", "my_module_0001.jit_f.txt", "module_0001"}) {
    EXPECT_FALSE(parse_dump_name(file)) << file;
  }
}

class Dump : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = (fs::temp_directory_path() / ("gg_dump_" + std::to_string(::getpid()))).string();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string header(int partitions, const std::string& parameters) {
    const std::string count = partitions > 1 ? ", num_partitions=" + std::to_string(partitions) : "";
    return "HloModule jit_f, entry_computation_layout={(" + parameters + ")->f32[]}" + count + "\n";
  }
  void put(const std::string& name, const std::string& text) const { write_file(folder_ + "/" + name, text); }
  void put_pair(const std::string& stem, const std::string& parameters, std::size_t padding) const {
    put(stem + ".0000.p.after_x.before_spmd-partitioning.txt", header(8, parameters) + std::string(padding, ' '));
    put(stem + ".0001.p.after_spmd-partitioning.before_y.txt", header(8, parameters));
  }
  DiagCode refusal(const std::string& regex = "") const {
    try {
      read_dump_folder(folder_, regex);
    } catch (const InputError& error) {
      return error.diags().front().code;
    }
    ADD_FAILURE() << "not refused";
    return DiagCode::Usage;
  }
  std::string folder_;
};

TEST_F(Dump, LargestFirst) {
  put_pair("module_0001.jit_f", "f32[2]{0}", 10);
  put_pair("module_0002.jit_g", "f32[2,3]{1,0}, (s32[], pred[4]{0}), /*index=2*/s32[], s32[], s32[]", 5000);
  put("module_0003.jit_h.before_optimizations.txt", header(1, ""));
  const DumpFolder found = read_dump_folder(folder_, "");
  ASSERT_EQ(found.pairs.size(), 2U);
  EXPECT_EQ(found.pairs[0].module, "jit_g");
  EXPECT_EQ(found.pairs[0].partitions, 8);
  EXPECT_NE(describe(found.pairs[0]).find("5 parameters"), std::string::npos) << describe(found.pairs[0]);
  EXPECT_EQ(read_dump_folder(folder_, "_f$").pairs[0].module, "jit_f");
}

TEST_F(Dump, Empty) {
  EXPECT_EQ(refusal(), DiagCode::DumpMissing);
  put("train.py", "");
  EXPECT_EQ(refusal(), DiagCode::DumpMissing);
}

TEST_F(Dump, NoPasses) {
  put("module_0001.jit_f.before_optimizations.txt", header(8, "f32[2]{0}"));
  EXPECT_EQ(refusal(), DiagCode::DumpNoPasses);
}

TEST_F(Dump, OneDevice) {
  put("module_0001.jit_f.before_optimizations.txt", header(1, "f32[2]{0}"));
  EXPECT_EQ(refusal(), DiagCode::DumpOneDevice);
}

TEST_F(Dump, Cached) {
  put("module_0001.jit_small.before_optimizations.txt", header(1, ""));
  put("module_0002.jit_f.after_optimizations.txt", header(8, "f32[2]{0}"));
  put("module_0002.jit_f.debug_options", "");
  EXPECT_EQ(refusal(), DiagCode::DumpCached);
  put_pair("module_0003.jit_other", "f32[2]{0}", 0);
  EXPECT_EQ(read_dump_folder(folder_, "").notes.size(), 1U);
  EXPECT_EQ(refusal("jit_f"), DiagCode::DumpCached);
}

TEST_F(Dump, Binary) {
  put("module_0001.jit_f.before_optimizations.hlo.pb", "\x08");
  EXPECT_EQ(refusal(), DiagCode::DumpBinary);
}

TEST_F(Dump, Half) {
  put("module_0001.jit_f.0000.p.after_x.before_spmd-partitioning.txt", header(8, ""));
  EXPECT_EQ(refusal(), DiagCode::DumpHalf);
}

TEST_F(Dump, Hosts) {
  put("module_0001.jit_f.0000.p.after_x.before_spmd-partitioning.txt", header(8, ""));
  put("module_0002.jit_f.0001.p.after_spmd-partitioning.before_y.txt", header(8, ""));
  EXPECT_EQ(refusal(), DiagCode::DumpHosts);
  put("module_0001.jit_f.0001.p.after_spmd-partitioning.before_y.txt", header(4, ""));
  EXPECT_EQ(refusal("0001"), DiagCode::DumpHosts);
}

TEST_F(Dump, FoldersOfHosts) {
  for (const char* host : {"/host0", "/host1"}) {
    fs::create_directories(folder_ + host);
    write_file(folder_ + host + "/module_0001.jit_f.before_optimizations.txt", header(8, ""));
  }
  EXPECT_EQ(refusal(), DiagCode::DumpHosts);
  fs::remove_all(folder_ + "/host1");
  EXPECT_EQ(refusal(), DiagCode::DumpMissing);
}

TEST_F(Dump, NoSuchModule) {
  put_pair("module_0001.jit_f", "f32[2]{0}", 10);
  EXPECT_EQ(refusal("nothere"), DiagCode::DumpModule);
  EXPECT_EQ(refusal("("), DiagCode::Usage);
}

}  // namespace
}  // namespace gg
