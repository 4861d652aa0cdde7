// What repeats: a leaf whose operands, lines and anchors are those of an earlier leaf but for the names of anchors has the conclusion of
// that leaf, with its own anchors. Laws are schematic in anchors, so a derivation stays one when they are renamed; what a derivation
// looks at of an anchor is what the anchor says itself (Outlines::facts) and the definitions that it opens (Terms::definition).
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "prover/checker/outline.h"

namespace gg::checker {

class Repeats {
 public:
  static constexpr std::size_t kMaxAnchors = 64;  ///< of a key
  /// All that a leaf's conclusion is made of.
  struct Key {
    Words words;
    std::vector<std::uint32_t> anchors;                          ///< by number
    std::vector<bool> opened;                                    ///< by number: the words tell its definition
    bool large() const { return anchors.size() > kMaxAnchors; }  ///< too much to be looked up
  };
  /// A leaf that was concluded; anchors are numbers of its key.
  struct Known {
    std::optional<std::uint32_t> anchor;  ///< the sequential value that it is
    std::optional<Outline> definition;    ///< of this
    Outline conclusion;                   ///< if it is no such value
    std::vector<std::uint32_t> anchors;   ///< its own, by number
    std::optional<Value> term;            ///< its own: the conclusion, of an anchor the definition
  };

  explicit Repeats(Terms& t) : t_(t), outlines_(t) {}
  Outlines& outlines() { return outlines_; }
  static void add(Key& key, std::uint32_t word) { key.words.push_back(word); }
  void add(Key& key, std::uint32_t shape, std::span<const std::uint32_t> anchors);
  /// The earlier leaf with this key, which grows by the definitions that the earlier one opened.
  const Known* find(Key& key);
  /// To be called for a key that was not found, after its leaf was concluded: `anchor` if it became one. `Terms::opened` is what was opened.
  void keep(Key key, std::optional<std::uint32_t> anchor, Value conclusion);
  /// Is a leaf with an equal key, derived all the same, what was known with other anchors?
  bool same(const Key& key, const Known& known, std::optional<std::uint32_t> anchor, Value conclusion);
  /// An outline over a key's numbers, of the anchors of another key that is equal.
  static Outline renamed(const Outline& numbered, const Key& key);
  /// The definition of a late anchor.
  void define(std::uint32_t anchor, Outline definition) { definitions_[anchor] = std::move(definition); }

 private:
  struct Entry {
    std::vector<std::uint32_t> open;  ///< numbers: what is known is found with these definitions
    std::optional<Known> known;
  };
  std::uint32_t number(Key& key, std::uint32_t anchor);
  bool open(Key& key, std::uint32_t number);
  const Outline* definition(std::uint32_t anchor);
  std::optional<Outline> numbered(const Outline& outline, const Key& key) const;

  Terms& t_;
  Outlines outlines_;
  std::unordered_map<Words, Entry, WordsHash> entries_;
  std::unordered_map<std::uint32_t, std::optional<Outline>> definitions_;
};

}  // namespace gg::checker
