// Traced programs of a search (harness/pinpoint/views.h).
#include "harness/pinpoint/views.h"

#include "harness/pinpoint/reach.h"
#include "harness/pinpoint/trial.h"

namespace gg::pinpoint {
namespace {

DivergenceTrace trace_of(Case& c, const InputSet& inputs, const std::shared_ptr<const SequentialTrace>& sequential, const Budget& budget,
                         const Recording* recorded, const View* before) {
  if (before == nullptr) return {c, inputs, sequential, budget, recorded};
  const TracedBefore known{before->trace, same_values(before->module(), *c.distributed)};
  return {c, inputs, sequential, budget, nullptr, &known};
}

}  // namespace

View::View(Case edited, const InputSet& inputs, const std::shared_ptr<const SequentialTrace>& sequential, const Budget& budget,
           const Recording* recorded, const View* earlier)
    : pair(std::move(edited)), before(earlier), trace(trace_of(pair, inputs, sequential, budget, recorded, earlier)), context(pair, &trace) {}

Views::Views(Case& original, const InputSet& inputs, NumberMode mode, const Budget& budget, std::shared_ptr<const RecordedPair> recorded, double apart)
    : original_(original), inputs_(inputs), mode_(mode), budget_(budget), recorded_(recorded != nullptr && recorded->mode == mode ? std::move(recorded) : nullptr), apart_(apart) {}

std::unique_ptr<View> Views::look(const Module& module, NumberMode mode, const View* before) {
  const bool given = recorded_ != nullptr && mode == mode_;
  auto& sequential = sequential_[mode];
  if (!sequential) sequential = std::make_shared<const SequentialTrace>(original_, inputs_, mode, budget_, given ? &recorded_->sequential : nullptr, apart_);
  const Recording* run = given && &module == original_.distributed.get() ? &recorded_->distributed : nullptr;
  return std::make_unique<View>(with_distributed(original_, Module(module)), inputs_, sequential, budget_, run, before);
}

View& Views::original() {
  if (!first_) first_ = look(*original_.distributed, mode_, nullptr);
  return *first_;
}

std::unique_ptr<View> Views::of(const Module& module, const View& before) { return look(module, before.trace.mode(), &before); }

std::unique_ptr<View> Views::again(const View& view, NumberMode mode) { return look(view.module(), mode, nullptr); }

const Kinship& Views::kin(View& view) {
  if (!anchors_) anchors_ = anchors_of(view.trace.sequential_half());
  if (!view.kin) view.kin = std::make_unique<const Kinship>(view.context, *anchors_, view.before != nullptr ? view.before->kin.get() : nullptr);
  return *view.kin;
}

}  // namespace gg::pinpoint
