// Runs that round, judged in roundings (runtime/float_verdict.h), on the host and through the interface of devices.
#include "runtime/float_verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "kernels/device/device.h"

namespace gg {
namespace {

Case example(const std::string& name) {
  Case c = load_case(std::string(GG_SOURCE_DIR) + "/examples/" + name);
  infer_ranges(c);
  return c;
}

/// Both programs from one text, one input over no mesh axis.
Case twice(const std::string& name, const std::string& text) {
  const std::string folder = ::testing::TempDir() + "/" + name;
  std::filesystem::create_directories(folder);
  for (const char* file : {"/sequential.hlo", "/distributed.hlo"}) std::ofstream(folder + file) << text;
  std::ofstream(folder + "/relation.json") << R"({"mesh": [["x", 1]], "inputs": ["replicated"], "outputs": ["replicated"]})";
  Case c = load_case(folder);
  infer_ranges(c);
  return c;
}

FloatVerdict judge(Case& c, NumberMode mode, device::Device* device = nullptr, std::uint64_t seed = 42) {
  FloatOptions options;
  options.mode = mode;
  options.device = device;
  return judge_rounding(c, draw_inputs(c.relation, seed, 0), options);
}

/// A host device with one wrong kernel.
class Faulty final : public device::Device {
 public:
  explicit Faulty(double factor) : factor_(factor) {}
  std::string name() const override { return "faulty"; }
  std::shared_ptr<device::Block> allocate(std::size_t bytes) override { return inner_->allocate(bytes); }
  void upload(device::Block& to, const void* from, std::size_t bytes) override { inner_->upload(to, from, bytes); }
  void download(const device::Block& from, void* to, std::size_t bytes) override { inner_->download(from, to, bytes); }
  void run(const device::Code& code, std::span<const device::Block* const> operands, device::Block& out) override {
    inner_->run(code, operands, out);
  }
  bool multiply(const device::Product& p, const device::Block& a, const device::Block& w, device::Block& c) override {
    if (!inner_->multiply(p, a, w, c)) return false;
    auto* first = static_cast<float*>(c.data());
    *first = static_cast<float>(*first * factor_ + (factor_ - 1));
    return true;
  }

 private:
  double factor_;
  std::unique_ptr<device::Device> inner_ = device::host_device();
};

TEST(FloatVerdict, RoundingIsWithinItsBound) {
  for (const char* name : {"tp-mlp", "bf16-train-step", "sp-norm-grad", "masked-loss-grad", "vocab-embedding"}) {
    Case c = example(name);
    for (const NumberMode mode : {NumberMode::Model, NumberMode::F32, NumberMode::F64}) {
      const FloatVerdict verdict = judge(c, mode);
      EXPECT_FALSE(verdict.beyond()) << name;
      EXPECT_FALSE(verdict.distributed.empty()) << name;
      for (const OutputRounding& out : verdict.distributed) EXPECT_LE(out.largest_share, 1) << name << " " << out.worst;
    }
  }
}

TEST(FloatVerdict, RoundingIsSeen) {
  Case c = example("tp-mlp");
  const FloatVerdict verdict = judge(c, NumberMode::Model);
  EXPECT_GT(verdict.distributed[0].largest_units, 0);
  EXPECT_GT(verdict.distributed[0].largest_share, 0);
  EXPECT_EQ(verdict.order_dependent.size(), 4U);
}

TEST(FloatVerdict, DevicesAreWithinTheSameBound) {
  for (const char* name : {"tp-mlp", "bf16-train-step", "sp-norm-grad", "masked-loss-grad", "vocab-embedding"}) {
    Case c = example(name);
    for (const NumberMode mode : {NumberMode::Model, NumberMode::F32, NumberMode::F64}) {
      const auto device = device::host_device();
      const FloatVerdict verdict = judge(c, mode, device.get());
      EXPECT_FALSE(verdict.beyond()) << name << " " << verdict.blamed;
      EXPECT_GT(device->counts.launches, 0) << name;
      EXPECT_GT(device->counts.uploads, 0) << name;
    }
  }
}

TEST(FloatVerdict, AWrongKernelIsBlamed) {
  Case c = example("tp-mlp");
  Faulty wrong(2), right(1);
  const FloatVerdict bad = judge(c, NumberMode::Model, &wrong), good = judge(c, NumberMode::Model, &right);
  EXPECT_TRUE(bad.beyond());
  EXPECT_NE(bad.blamed.find("(dot)"), std::string::npos) << bad.blamed;
  EXPECT_FALSE(good.beyond());
  EXPECT_EQ(good.blamed, "");
}

TEST(FloatVerdict, AnOverflowInTheTypeIsNoBug) {
  Case c = twice("overflow", R"(HloModule m
ENTRY %main (x: f16[4]) -> f16[4] {
  %x = f16[4]{0} parameter(0)
  %big = f16[] constant(60000)
  %b = f16[4]{0} broadcast(%big), dimensions={}
  %e = f16[4]{0} exponential(%x)
  %f = f16[4]{0} exponential(%e)
  %p = f16[4]{0} multiply(%f, %b)
  ROOT %q = f16[4]{0} divide(%p, %b)
}
)");
  const FloatVerdict verdict = judge(c, NumberMode::Model);
  EXPECT_FALSE(verdict.beyond());
  EXPECT_GT(verdict.sequential[0].not_finite, 0);  // exp(exp(x)) * 60000 is beyond f16, exp(exp(x)) is not
  EXPECT_EQ(verdict.sequential[0].not_finite, verdict.sequential[0].undecided);
  EXPECT_FALSE(judge(c, NumberMode::F64).beyond());
  EXPECT_EQ(judge(c, NumberMode::F64).sequential[0].undecided, 0);
}

TEST(FloatVerdict, ADecisionWithinItsErrorIsUndecided) {
  Case c = twice("decision", R"(HloModule m
ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0)
  %e = f32[8]{0} exponential(%x)
  %l = f32[8]{0} log(%e)
  %c = pred[8]{0} compare(%l, %x), direction=GE
  %one = f32[] constant(1)
  %b = f32[8]{0} broadcast(%one), dimensions={}
  ROOT %s = f32[8]{0} select(%c, %x, %b)
}
)");
  const FloatVerdict verdict = judge(c, NumberMode::Model);
  EXPECT_FALSE(verdict.beyond());
  EXPECT_EQ(verdict.sequential[0].undecided, 8);
}

TEST(FloatVerdict, OperatorsThatDevicesDoNotTakeRunOnTheHost) {
  Case c = twice("sorted", R"(HloModule m
%less (a: f32[], b: f32[]) -> pred[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = pred[] compare(%a, %b), direction=LT
}
ENTRY %main (x: f32[16]) -> f32[16] {
  %x = f32[16]{0} parameter(0)
  %n = f32[16]{0} negate(%x)
  %s = f32[16]{0} sort(%n), dimensions={0}, to_apply=%less
  ROOT %m = f32[16]{0} multiply(%s, %s)
}
)");
  const auto device = device::host_device();
  const FloatVerdict verdict = judge(c, NumberMode::Model, device.get());
  EXPECT_FALSE(verdict.beyond());
  EXPECT_EQ(device->counts.host_operators, 2);  // the sort of both programs
  EXPECT_EQ(device->counts.launches, 4);
  EXPECT_EQ(device->counts.uploads, 4);    // x and the sorted values, twice
  EXPECT_EQ(device->counts.downloads, 4);  // what is sorted, and the result
  EXPECT_EQ(device->counts.upload_bytes, 4 * 64);
}

}  // namespace
}  // namespace gg
