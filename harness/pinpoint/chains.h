// Edits in order, as a search makes them: each in the program that those before it have left.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/pinpoint/pinpoint.h"
#include "harness/pinpoint/views.h"

namespace gg::pinpoint {

/// An instruction by the names of its computation and of itself, which edits keep.
using Name = std::pair<std::string, std::string>;
Name name_of(const Module& module, InstructionId id);

/// How far a program is from right: wrong outputs, wrong elements of them, values on the way that match nothing.
struct Distance {
  std::size_t outputs = 0, elements = 0, suspects = 0;
  friend auto operator<=>(const Distance&, const Distance&) = default;
};

/// An edit, and the program that it made.
struct Found {
  Repair repair;
  Module module;
  Distance distance;
};

/// What is tried next is the chain with the lowest rank: its length, and the places that its edits had among those that brought the
/// program nearer.
struct Chain {
  std::vector<std::shared_ptr<const Found>> edits;
  std::size_t rank = 0;
  bool told = true;  ///< what kin tells comes first; the catalogue only where that brings nothing nearer
};

enum class Source : std::uint8_t { Catalogue,
                                   Sequential };  ///< of the edits

/// What the kin of its values tells of a program.
struct Told {
  std::vector<Repair> repairs;
  std::size_t unexplained = 0;  ///< outputs that differ and are of no kin
};

/// A chain of edits in the program of the full pair.
struct Carried {
  Module module;
  std::vector<Repair> repairs;
};

class Chains {
 public:
  /// `search.full` (may be null): the pair as given, where `original` is the same at reduced shapes.
  Chains(Case& original, const Search& search, Views& views, Trials& trials);
  /// The program after the first `length` edits.
  const Module& after(const Chain& chain, std::size_t length) const;
  const Module& after(const Chain& chain) const { return after(chain, chain.edits.size()); }
  /// It, looked at; the program as given is looked at once only.
  std::shared_ptr<View> view(const Chain& chain, std::size_t length);
  std::shared_ptr<View> view(const Chain& chain) { return view(chain, chain.edits.size()); }
  Told told_at(View& view, Source source);
  /// Without the edits that others have made needless.
  Chain simplified(Chain chain, Source source);
  /// At each step the same row of the catalogue in its place in the full pair; nothing where one does not fit there.
  std::optional<Carried> carried_over(const Chain& chain, Source source);
  /// The instruction of this name in the program as given: what an edit has added is no place.
  std::optional<InstructionId> in_original(const Module& module, InstructionId id) const;

 private:
  Chain without(const Chain& chain, std::size_t left_out, Source source);

  Case& original_;
  const Search& search_;
  Views& views_;
  Trials& trials_;
  std::map<Name, InstructionId> names_;  ///< of the program as given
};

}  // namespace gg::pinpoint
