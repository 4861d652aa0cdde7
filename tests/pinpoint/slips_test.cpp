// Is every mutation taken back by an edit of the catalogue at its place? On programs of examples, without a run: edits alone are compared.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/trial.h"
#include "models/mutation/mutate.h"

namespace gg::pinpoint {
namespace {

/// The program as text, without what edits need not restore: names, layouts, channels, and copies, which are their operands.
class Shape {
 public:
  explicit Shape(const Module& module) : module_(module) {}
  std::string of() { return value(module_.computation(module_.entry()).root); }

 private:
  std::string computation(ComputationId id) { return "{" + value(module_.computation(id).root) + "}"; }

  std::string value(InstructionId id) {
    if (module_[id].op == Op::Copy) return value(module_.operands(id)[0]);
    const auto known = numbers_.find(id);
    if (known != numbers_.end()) return "#" + std::to_string(known->second);
    std::string text = std::string(info(module_[id].op).name) + to_string(Type::array(module_.type(id).element, module_.type(id).dims));
    Attributes attributes = module_.attributes(id);
    attributes.set(Attr::HasChannel, true);
    attributes.set(Attr::UseGlobalDeviceIds, true);
    for (const Attr regions : {Attr::ToApply, Attr::Calls, Attr::Body, Attr::Condition, Attr::Branches}) {
      if (!attributes.has(regions)) continue;
      for (const ComputationId c : module_.attributes(id).computations(regions)) text += computation(c);
      attributes.set(regions, ComputationList{});
    }
    text += " " + std::to_string(hash(attributes)) + "(";
    for (const InstructionId operand : module_.operands(id)) text += value(operand) + ",";
    numbers_[id] = numbers_.size();
    return text + ")";
  }

  const Module& module_;
  std::map<InstructionId, std::size_t> numbers_;
};

/// Of the mutations of this kind in the distributed program: how many there are, and how many an edit takes back.
struct SlipCount {
  std::size_t made = 0, undone = 0;
};

std::map<gg::Defect, SlipCount> counts(const std::string& folder) {
  const Case right = load_case(std::string(GG_SOURCE_DIR) + folder);
  const std::string shape = Shape(*right.distributed).of();
  std::map<gg::Defect, SlipCount> result;
  for (const Edit& edit : edits(*right.distributed)) {
    const Case wrong = with_distributed(right, apply(*right.distributed, edit));
    const Context context(wrong, nullptr);
    bool undone = false;
    for (const Repair& repair : repairs_at(context, edit.instruction)) {
      const auto mended = patched(*wrong.distributed, repair.patch);
      undone = undone || (mended && Shape(*mended).of() == shape);
    }
    ++result[edit.defect].made;
    result[edit.defect].undone += undone ? 1 : 0;
  }
  return result;
}

// Not among them: a permute that was dropped says nothing of its pairs, and an operand that was replaced is looked for by what a run tells.
TEST(Slips, MutationsAreTakenBack) {
  std::map<gg::Defect, SlipCount> all;
  for (const char* folder : {"/examples/tp-mlp", "/examples/vocab-embedding", "/examples/masked-loss-grad", "/tests/pairs/ring-scan-causal", "/tests/pairs/halo-conv-centred", "/tests/pairs/interleaved-scan"}) {
    for (const auto& [defect, count] : counts(folder)) {
      all[defect].made += count.made;
      all[defect].undone += count.undone;
    }
  }
  for (const gg::Defect defect : {gg::Defect::RegroupCollective, gg::Defect::ReorderGroup, gg::Defect::ReversePermute, gg::Defect::ShiftTable, gg::Defect::ShiftLiteral, gg::Defect::SwapOperands,
                                  gg::Defect::ShiftSlice, gg::Defect::FlipCompare, gg::Defect::AddCollective, gg::Defect::SwapDimensions, gg::Defect::ReduceMax, gg::Defect::ScaleLiteral}) {
    EXPECT_EQ(all[defect].undone, all[defect].made) << static_cast<int>(defect);
  }
}

}  // namespace
}  // namespace gg::pinpoint
