// Collectives between ranks that live in one process: the lifted buffers hold all ranks, so the collective's body over
// the rank digits is all there is to do.
#include "kernels/kernels.h"
#include "models/base/check.h"
#include "runtime/communicator.h"
#include "runtime/plans.h"

namespace gg {
namespace {

class LocalCommunicator final : public Communicator {
 public:
  LocalCommunicator(std::int64_t ranks, PlanStore* plans) : ranks_(ranks), plans_(plans) { GG_CHECK(ranks >= 1, "a communicator needs ranks"); }
  std::string name() const override { return "local"; }
  std::int64_t ranks() const override { return ranks_; }

  void run(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands, std::span<Buffer> results,
           TieCounter& ties) override {
    if (const Kernel kernel = find_kernel(call.call, mode)) {
      kernel(*call.arena, call.call, ranks_, mode, operands, results, ties);
      return;
    }
    for (std::size_t leaf = 0; leaf < results.size(); ++leaf) {
      const Body* body = call.bodies[leaf];
      if (body == nullptr) {
        throw TypeError{DiagCode::UnsupportedForm, std::string(info(call.call.op).name) + " in this form has no executor"};
      }
      if (results[leaf].count() == 0) continue;
      gg::run(plans_.get(*call.arena, *body, operands), mode, operands, results[leaf], ties);
    }
  }

 private:
  std::int64_t ranks_;
  PlanCache plans_;
};

}  // namespace

void Communicator::run_errors(const CollectiveCall&, NumberMode, std::span<const Operand>, std::span<const Operand>,
                              std::span<Buffer>) {
  GG_CHECK(false, "error bounds of a collective without a body");
}

std::unique_ptr<Communicator> local_communicator(std::int64_t ranks, PlanStore* plans) {
  return std::make_unique<LocalCommunicator>(ranks, plans);
}

}  // namespace gg
