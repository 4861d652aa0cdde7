// What repeats (the layers of an unrolled network): a leaf whose operands are those of an earlier leaf with other anchors is concluded as
// that one was, with its own anchors. A proposal like all that the search finds: the checker looks at every line, and where it refuses
// one, nothing is repeated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "prover/engine/engine.h"

namespace gg::prover {

class Repeats {
 public:
  static constexpr std::size_t kMaxAnchors = 48;  ///< of a key

  using Words = std::vector<std::uint32_t>;
  /// What a leaf's conclusion is made of, but for the anchors, which are numbered.
  struct Key {
    Words words;
    std::vector<AnchorId> anchors;
  };
  /// How much there was before a leaf.
  struct Before {
    std::size_t records, anchors, assumptions;
  };

  explicit Repeats(Engine& engine);
  std::optional<Key> key(Engine::Side& side, std::uint32_t node, std::uint32_t leaf);
  /// Concludes the leaf if it repeats one.
  bool repeat(const Key& key, Engine::Side& side, std::uint32_t node, std::uint32_t leaf);
  Before before() const;
  /// After a leaf was concluded, by its body `term`.
  void keep(const std::optional<Key>& key, const Before& before, const Engine::Side& side, std::uint32_t node, std::uint32_t leaf, TermId term);

 private:
  /// A term: its shape reads holes in place of the anchors, in their order.
  struct Outline {
    TermId shape;
    std::vector<AnchorId> anchors;
  };
  /// The same of a known leaf, whose anchors are numbers.
  struct Numbered {
    TermId shape = TermId::Unknown;
    std::vector<std::uint32_t> numbers;
  };
  struct Opened {
    std::uint32_t number;
    Numbered form;
  };
  struct Found {
    Numbered form;
    std::uint32_t facts;
  };
  struct Known {
    std::vector<Opened> opened;      ///< definitions that it may rest on
    std::vector<Found> found;        ///< then, anchors that are found by their definitions
    std::optional<AnchorId> anchor;  ///< that it became: the last number
    Numbered form;                   ///< of this
    std::vector<AnchorId> anchors;   ///< its own, by number
    TermId conclusion = TermId::Unknown;
    std::optional<Numbered> outline;  ///< of the conclusion
    std::optional<Record> record;
    bool pending = false;  ///< no sequential value: `conclusion` is the body's term, of which more may be known elsewhere
  };
  struct WordsHash {
    std::size_t operator()(const Words& words) const {
      std::uint64_t h = words.size();
      for (const std::uint32_t word : words) h = mix(h, word);
      return static_cast<std::size_t>(h);
    }
  };

  void define(AnchorId anchor);
  std::optional<Outline> outline(TermId term);
  const Outline* outline_of(const Engine::Side& side, std::size_t at);
  const Outline* definition(AnchorId anchor);
  std::uint32_t facts(AnchorId anchor);
  AnchorId hole(std::size_t k, AnchorId anchor);
  std::optional<Numbered> numbered(const Outline& outline, std::span<const AnchorId> anchors) const;
  static Words words_of(const Numbered& form, std::span<const AnchorId> anchors);
  bool open(Known& known, std::vector<AnchorId>& anchors, int levels);
  bool find(Known& known, std::vector<AnchorId>& anchors, AnchorId wanted, int depth);
  bool find_all(Known& known, std::vector<AnchorId>& anchors, std::span<const TermId> terms);
  bool take_opened(const Opened& opened, std::vector<AnchorId>& anchors);

  Engine& e_;
  Terms& t_;
  std::unordered_map<std::uint64_t, AnchorId> holes_;  // by place and facts
  std::unordered_map<const Body*, std::uint32_t> bodies_;
  std::unordered_map<Words, std::uint32_t, WordsHash> numbers_;
  std::vector<std::uint32_t> facts_;  // by anchor; 0: not asked for yet
  std::unordered_map<AnchorId, std::optional<Outline>> definitions_;
  std::unordered_map<Words, AnchorId, WordsHash> defined_;            // by definition, the first one
  std::unordered_set<TermId> forms_;                                  // definitions themselves
  std::vector<std::pair<bool, std::optional<Outline>>> outlines_[2];  // by side and leaf: asked for, and what it is
  std::unordered_map<Words, Known, WordsHash> known_;
};

}  // namespace gg::prover
