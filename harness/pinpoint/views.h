// Programs of a search, looked at: each is traced on the inputs that differ. What a program has in common with one that was looked at
// before is neither run nor judged again.
#pragma once

#include <map>
#include <memory>

#include "harness/pinpoint/kin.h"
#include "harness/pinpoint/repair.h"
#include "runtime/divergence.h"

namespace gg::pinpoint {

struct View {
  View(Case edited, const InputSet& inputs, const std::shared_ptr<const SequentialTrace>& sequential, const Budget& budget,
       const Recording* recorded, const View* earlier);
  const Module& module() const { return *pair.distributed; }

  Case pair;
  const View* before;  ///< what it has in common with this one was taken from there; may be null
  DivergenceTrace trace;
  Context context;
  std::unique_ptr<const Kinship> kin;  ///< once asked (Views::kin)
};

/// All of one pair on one set of inputs, which must outlive it. What looks at a program throws RuntimeFailure.
class Views {
 public:
  /// `recorded`: what the pair as given did on the inputs, in this mode; may be null. `apart`: which numbers are taken for the same (Samples).
  Views(Case& original, const InputSet& inputs, NumberMode mode, const Budget& budget, std::shared_ptr<const RecordedPair> recorded,
        double apart = kSameNumber);
  /// The program as given.
  View& original();
  /// Another one, in the mode of `before`, which must outlive the result.
  std::unique_ptr<View> of(const Module& module, const View& before);
  /// The program of `view` in another mode.
  std::unique_ptr<View> again(const View& view, NumberMode mode);
  /// What its values are kin to.
  const Kinship& kin(View& view);

 private:
  std::unique_ptr<View> look(const Module& module, NumberMode mode, const View* before);

  Case& original_;
  const InputSet& inputs_;
  NumberMode mode_;
  const Budget& budget_;
  std::shared_ptr<const RecordedPair> recorded_;
  double apart_;
  std::map<NumberMode, std::shared_ptr<const SequentialTrace>> sequential_;
  std::shared_ptr<const Anchors> anchors_;
  std::unique_ptr<View> first_;
};

}  // namespace gg::pinpoint
