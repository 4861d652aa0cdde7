#include "prover/engine/repeat.h"

#include <algorithm>

#include "models/op/facts.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

std::vector<TermId> terms_of(const Record& record) {
  std::vector<TermId> all;
  for (const Step& s : record.steps) {
    all.push_back(s.after);
    for (const auto& [read, levels] : s.marks) all.push_back(read);
  }
  return all;
}

template <class Each>
void each_term(Record& record, const Each& each) {
  for (Step& s : record.steps) {
    s.after = each(s.after);
    for (auto& mark : s.marks) mark.first = each(mark.first);
  }
}

/// Levels of definitions that the steps of a record expand beyond those of the anchors that they name.
int levels_of(const Record& record) {
  int most = 0;
  for (const Step& s : record.steps) {
    most = std::max(most, s.left);
    for (const auto& [read, levels] : s.marks) most = std::max(most, levels - 1 + s.left);
  }
  return most;
}

}  // namespace

Repeats::Repeats(Engine& engine) : e_(engine), t_(engine.t_) {}

std::optional<Repeats::Key> Repeats::key(Engine::Side& side, std::uint32_t node, std::uint32_t leaf) {
  const FlatNode& n = side.flat.nodes[node];
  if (side.frame != 0 || side.masks[node]) return std::nullopt;
  const Body* body = side.bodies->body(n.instruction, static_cast<int>(leaf));
  if (body == nullptr) return std::nullopt;
  Key key;
  key.words.push_back(bodies_.try_emplace(body, static_cast<std::uint32_t>(bodies_.size())).first->second);
  for (const FlatValue v : side.flat.operands(n)) {
    const std::size_t at = side.first_leaf[v.node] + v.leaf;
    const Outline* o = outline_of(side, at);
    if (o == nullptr) return std::nullopt;
    key.words.push_back(side.pending[at] ? 1 : 0);
    key.words.push_back(raw(o->shape));
    for (const AnchorId anchor : o->anchors) {
      const auto number = static_cast<std::size_t>(std::find(key.anchors.begin(), key.anchors.end(), anchor) - key.anchors.begin());
      key.words.push_back(static_cast<std::uint32_t>(number));
      if (number < key.anchors.size()) continue;
      if (number == kMaxAnchors) return std::nullopt;
      key.anchors.push_back(anchor);
    }
  }
  return key;
}

Repeats::Before Repeats::before() const { return {e_.records_.size(), t_.anchors(), e_.assumptions_.size()}; }

/// Numbers what the definitions of anchors read: of cases, which reads may look into, and of all of them `levels` times.
bool Repeats::open(Known& known, std::vector<AnchorId>& anchors, int levels) {
  std::size_t from = 0, to = anchors.size();
  for (int level = 0; level == 0 || level < levels; ++level) {
    for (std::size_t k = from; k < to; ++k) {
      const Anchor& a = t_.anchor(anchors[k]);
      if (a.kind != AnchorKind::Value || (level >= levels && !a.transparent)) continue;
      const Outline* d = definition(anchors[k]);
      if (d == nullptr) return false;
      Opened opened{static_cast<std::uint32_t>(k), {}};
      for (const AnchorId inner : d->anchors) {
        if (std::find(anchors.begin(), anchors.end(), inner) != anchors.end()) continue;
        if (anchors.size() == kMaxAnchors) return false;
        anchors.push_back(inner);
      }
      opened.form = *numbered(*d, anchors);
      known.opened.push_back(std::move(opened));
    }
    from = to;
    to = anchors.size();
  }
  return true;
}

/// Numbers an anchor that is found by its definition, after those that this reads.
bool Repeats::find(Known& known, std::vector<AnchorId>& anchors, AnchorId wanted, int depth) {
  if (std::find(anchors.begin(), anchors.end(), wanted) != anchors.end()) return true;
  const Outline* d = definition(wanted);
  if (d == nullptr || depth == 0) return false;
  for (const AnchorId inner : d->anchors)
    if (!find(known, anchors, inner, depth - 1)) return false;
  Found found{*numbered(*d, anchors), facts(wanted)};
  const auto it = defined_.find(words_of(found.form, anchors));
  if (it == defined_.end() || it->second != wanted || anchors.size() == kMaxAnchors) return false;
  known.found.push_back(std::move(found));
  anchors.push_back(wanted);
  return true;
}

bool Repeats::find_all(Known& known, std::vector<AnchorId>& anchors, std::span<const TermId> terms) {
  constexpr int kMaxDepth = 4;
  for (const TermId term : terms)
    for (const AnchorId anchor : e_.matcher_.reads_of(term))
      if (!find(known, anchors, anchor, kMaxDepth)) return false;
  return true;
}

void Repeats::keep(const std::optional<Key>& found, const Before& before, const Engine::Side& side, std::uint32_t node, std::uint32_t leaf,
                   TermId term) {
  const std::size_t records = e_.records_.size() - before.records, fresh = t_.anchors() - before.anchors;
  if (fresh > 0 && side.frame == 0) define(static_cast<AnchorId>(before.anchors));
  if (!found) return;
  const Key& key = *found;
  if (records > 1 || fresh > 1 || (records > 0 && fresh > 0) || e_.assumptions_.size() != before.assumptions) return;
  const std::size_t at = side.first_leaf[node] + leaf;
  Known known;
  known.pending = side.pending[at];
  if (records > 0 && !known.pending) known.record = e_.records_.back();
  if (known.record && known.record->gap) return;
  known.conclusion = known.pending ? term : side.conclusions[at];
  std::vector<AnchorId> anchors = key.anchors;
  const bool opens = known.record && std::ranges::any_of(known.record->steps, [](const Step& s) { return !s.opened.empty(); });
  const bool selects = chooses((*side.module)[side.flat.nodes[node].instruction].op);  // looks at what its operands are
  if (opens || !open(known, anchors, std::max(selects ? 1 : 0, known.record ? levels_of(*known.record) : 0))) return;
  if (fresh > 0) {
    const auto anchor = static_cast<AnchorId>(before.anchors);
    const Outline* d = t_.anchor(anchor).support == TermId::True ? definition(anchor) : nullptr;
    const auto form = d == nullptr ? std::nullopt : numbered(*d, anchors);
    if (!form || anchors.size() == kMaxAnchors) return;
    known.anchor = anchor;
    known.form = *form;
    anchors.push_back(anchor);
  } else {
    std::vector<TermId> terms{known.conclusion};
    if (known.record) {
      const std::vector<TermId> more = terms_of(*known.record);
      terms.insert(terms.end(), more.begin(), more.end());
    }
    if (!find_all(known, anchors, terms)) return;
  }
  const Outline* o = known.pending ? nullptr : outline_of(side, at);
  if (o != nullptr) known.outline = numbered(*o, anchors);
  known.anchors = std::move(anchors);
  known_.insert_or_assign(key.words, std::move(known));
}

bool Repeats::take_opened(const Opened& opened, std::vector<AnchorId>& anchors) {
  const Outline* d = definition(anchors[opened.number]);
  if (d == nullptr || d->shape != opened.form.shape || d->anchors.size() != opened.form.numbers.size()) return false;
  for (std::size_t k = 0; k < d->anchors.size(); ++k) {
    const std::uint32_t number = opened.form.numbers[k];
    if (number == anchors.size()) anchors.push_back(d->anchors[k]);
    else if (anchors[number] != d->anchors[k]) return false;
  }
  return true;
}

bool Repeats::repeat(const Key& key, Engine::Side& side, std::uint32_t node, std::uint32_t leaf) {
  const auto it = known_.find(key.words);
  if (it == known_.end()) return false;
  const Known& known = it->second;
  std::vector<AnchorId> anchors = key.anchors;
  for (const Opened& o : known.opened)
    if (!take_opened(o, anchors)) return false;
  for (const Found& f : known.found) {
    const auto found = defined_.find(words_of(f.form, anchors));
    if (found == defined_.end() || facts(found->second) != f.facts) return false;
    anchors.push_back(found->second);
  }
  const auto here = [&](TermId term) { return t_.rename_anchors(term, std::span(known.anchors).first(anchors.size()), anchors, false); };
  if (known.anchor) {
    Words words = words_of(known.form, anchors);
    Anchor a = t_.anchor(*known.anchor);
    a.form = here(a.form);
    if (!forms_.insert(a.form).second) return false;  // there is one already
    const AnchorId anchor = t_.add_anchor(std::move(a));
    AnchorPlace place = e_.places_.at(*known.anchor);
    place.place = {side.which, node, leaf, side.frame};
    e_.places_.emplace_hint(e_.places_.end(), anchor, std::move(place));
    e_.matcher_.add(anchor);
    facts_.resize(std::max<std::size_t>(facts_.size(), anchor + 1));
    facts_[anchor] = facts(*known.anchor);
    definitions_[anchor] = Outline{known.form.shape, {words.begin() + 1, words.end()}};
    defined_.emplace(std::move(words), anchor);
    anchors.push_back(anchor);
  }
  const TermId conclusion = here(known.conclusion);
  if (known.pending) return e_.conclude_distributed(side, node, leaf, conclusion), true;
  const std::size_t at = side.first_leaf[node] + leaf;
  side.conclusions[at] = conclusion;
  if (known.outline) {
    outline_of(side, at);
    Outline o{known.outline->shape, {}};
    for (const std::uint32_t number : known.outline->numbers) o.anchors.push_back(anchors[number]);
    outlines_[side.which == Which::Sequential ? 0 : 1][at] = {true, std::move(o)};
  }
  if (known.record) {
    Record record = *known.record;
    record.node = node;
    record.leaf = leaf;
    each_term(record, here);
    e_.records_.push_back(std::move(record));
  }
  if (side.which == Which::Distributed) ++e_.related_;
  return true;
}

}  // namespace gg::prover
