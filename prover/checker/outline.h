// Terms up to the names of their anchors: what has the same outline is the same term of other anchors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

using Words = std::vector<std::uint32_t>;

struct WordsHash {
  std::size_t operator()(const Words& words) const {
    std::uint64_t h = words.size();
    for (const std::uint32_t word : words) h = ((h ^ word) * 0x9e3779b97f4a7c15ULL) ^ (h >> 29U);
    return static_cast<std::size_t>(h ^ (h >> 32U));
  }
};

/// A term is its shape, in which anchors are numbered by first occurrence, and the anchors that stand there.
struct Outline {
  std::uint32_t shape = 0;
  std::vector<std::uint32_t> anchors;
  bool operator==(const Outline&) const = default;
};

class Outlines {
 public:
  explicit Outlines(const Terms& t) : t_(t) {}
  /// Nothing for a large term.
  std::optional<Outline> of(Value v);
  /// All that laws may know of an anchor without opening it: equal numbers, equal facts.
  std::uint32_t facts(std::uint32_t anchor);
  /// A new anchor of which the same is known.
  void same_facts(std::uint32_t known, std::uint32_t anchor);
  std::uint32_t number(const std::string& text);

 private:
  std::uint32_t number(const Words& words);

  const Terms& t_;
  std::unordered_map<Words, std::uint32_t, WordsHash> numbers_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::vector<std::uint32_t> facts_;  ///< by anchor; 0: not asked for yet
};

}  // namespace gg::checker
