#include "prover/checker/repeat.h"

#include <algorithm>

#include "prover/checker/anchor.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
std::uint32_t Repeats::number(Key& key, std::uint32_t anchor) {
  const auto it = std::find(key.anchors.begin(), key.anchors.end(), anchor);
  if (it != key.anchors.end()) return static_cast<std::uint32_t>(it - key.anchors.begin());
  key.anchors.push_back(anchor);
  key.opened.push_back(false);
  return static_cast<std::uint32_t>(key.anchors.size() - 1);
}

void Repeats::add(Key& key, std::uint32_t shape, std::span<const std::uint32_t> anchors) {
  key.words.push_back(shape);
  for (const std::uint32_t anchor : anchors) {
    if (key.large()) return;
    const std::size_t before = key.anchors.size();
    key.words.push_back(number(key, anchor));
    if (key.anchors.size() > before) key.words.push_back(outlines_.facts(anchor));
  }
}

const Outline* Repeats::definition(std::uint32_t anchor) {
  const auto [it, fresh] = definitions_.try_emplace(anchor);
  if (fresh && t_.anchors[anchor].definition) it->second = outlines_.of(*t_.anchors[anchor].definition);
  return it->second ? &*it->second : nullptr;
}

bool Repeats::open(Key& key, std::uint32_t number) {
  const Outline* outline = definition(key.anchors[number]);
  if (outline == nullptr) return false;
  key.opened[number] = true;
  add(key, number);
  add(key, outline->shape, outline->anchors);
  return true;
}

const Repeats::Known* Repeats::find(Key& key) {
  while (!key.large()) {
    const auto it = entries_.find(key.words);
    if (it == entries_.end()) return nullptr;
    if (it->second.known) return &*it->second.known;
    for (const std::uint32_t number : it->second.open)
      if (!open(key, number)) return nullptr;
  }
  return nullptr;
}

void Repeats::keep(Key key, std::optional<std::uint32_t> anchor, Value conclusion) {
  std::vector<std::uint32_t> opened = t_.opened;
  std::sort(opened.begin(), opened.end());
  opened.erase(std::unique(opened.begin(), opened.end()), opened.end());
  while (!opened.empty()) {
    std::vector<std::uint32_t> rest, now;
    for (const std::uint32_t a : opened) {
      const auto it = std::find(key.anchors.begin(), key.anchors.end(), a);
      if (it == key.anchors.end()) rest.push_back(a);
      else now.push_back(static_cast<std::uint32_t>(it - key.anchors.begin()));
    }
    std::sort(now.begin(), now.end());
    now.erase(std::remove_if(now.begin(), now.end(), [&](std::uint32_t k) { return key.opened[k]; }), now.end());
    if (now.empty() && !rest.empty()) return;  // it rests on an anchor that nothing leads to
    if (now.empty()) break;
    entries_[key.words].open = now;
    for (const std::uint32_t k : now)
      if (!open(key, k) || key.large()) return;
    opened = std::move(rest);
  }
  Known known{anchor, std::nullopt, {}, key.anchors, anchor ? t_.anchors[*anchor].definition : conclusion};
  if (anchor) {
    if (t_.by_cases(*anchor)) return;  // whoever reads it may look at it
    if (t_.defined(*anchor)) {
      const Outline* outline = definition(*anchor);
      known.definition = outline == nullptr ? std::nullopt : numbered(*outline, key);
      if (!known.definition) return;
    }
  } else {
    const auto outline = outlines_.of(conclusion);
    const auto inside = outline ? numbered(*outline, key) : std::nullopt;
    if (!inside) return;
    known.conclusion = *inside;
  }
  entries_[key.words].known = std::move(known);
}

bool Repeats::same(const Key& key, const Known& known, std::optional<std::uint32_t> anchor, Value conclusion) {
  if (anchor.has_value() != known.anchor.has_value()) return false;
  if (anchor && outlines_.facts(*anchor) != outlines_.facts(*known.anchor)) return false;
  const std::optional<Value> term = anchor ? t_.anchors[*anchor].definition : conclusion;
  if (!term || !known.term) return term.has_value() == known.term.has_value();
  const auto renamed = [&](Value v, const std::vector<std::uint32_t>& from) {  // put together anew: index forms may be spelled otherwise then
    return replace_reads(t_, v, [&](std::uint32_t anchor_of, const auto& index, const auto&) -> std::optional<Value> {
      const auto it = std::find(from.begin(), from.end(), anchor_of);
      if (it == from.end()) return std::nullopt;
      return checker::read(t_, key.anchors[static_cast<std::size_t>(it - from.begin())], index);
    });
  };
  return renamed(*known.term, known.anchors) == renamed(*term, key.anchors);
}

std::optional<Outline> Repeats::numbered(const Outline& outline, const Key& key) const {
  Outline result{outline.shape, {}};
  for (const std::uint32_t anchor : outline.anchors) {
    const auto it = std::find(key.anchors.begin(), key.anchors.end(), anchor);
    if (it == key.anchors.end()) return std::nullopt;
    result.anchors.push_back(static_cast<std::uint32_t>(it - key.anchors.begin()));
  }
  return result;
}

Outline Repeats::renamed(const Outline& numbered, const Key& key) {
  Outline result{numbered.shape, {}};
  for (const std::uint32_t number : numbered.anchors) result.anchors.push_back(key.anchors[number]);
  return result;
}

}  // namespace gg::checker
