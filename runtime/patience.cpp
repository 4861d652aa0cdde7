#include "runtime/patience.h"

#include <algorithm>
#include <limits>
#include <map>

#include "models/ir/control_flow.h"
#include "models/ir/structure.h"

namespace gg {
namespace {

constexpr double kLeast = 2.5e5, kTimes = 20, kMost = 1e15;

class Patience {
 public:
  explicit Patience(const Module& module) : module_(module) {
    for (InstructionId id = 0; id < module.size(); ++id) {
      loops_ |= structure_of(module, id) == Structure::Loop;
      if (!module.attributes(id).has(Attr::Literal) || !module.type(id).is_array() || !is_integral(module.type(id).element)) continue;
      for (const Scalar& value : module.attributes(id).literal().values) trips_ = std::max(trips_, static_cast<double>(value.integer));
    }
    trips_ = std::min(trips_, kMostTrips);
  }

  std::int64_t most() {
    if (!loops_) return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(kLeast + kTimes * executed(module_.entry()));
  }

 private:
  static constexpr double kMostTrips = 1e6;  ///< beyond: an infinite bound, not a count

  double executed(ComputationId id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    const Computation& c = module_.computation(id);
    double sum = c.count;
    for (std::uint32_t i = 0; i < c.count; ++i) {
      const InstructionId at = c.first + i;
      const Structure kind = structure_of(module_, at);
      if (kind != Structure::Call && kind != Structure::Loop && kind != Structure::Branches) continue;
      double inner = 0;
      for (const ComputationId called : computations_of(module_, at)) inner += executed(called);
      sum += (kind == Structure::Loop ? trips_ : 1) * inner;
    }
    return known_[id] = std::min(sum, kMost);
  }

  const Module& module_;
  bool loops_ = false;
  double trips_ = 1;
  std::map<ComputationId, double> known_;
};

}  // namespace

std::int64_t patience_with(const Module& module) { return Patience(module).most(); }

}  // namespace gg
