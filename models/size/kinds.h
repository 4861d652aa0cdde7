// Kinds of integers: which dimensions an integer value indexes. Values that are added, compared, selected or moved belong
// to one kind; a literal of a kind is read as an expression of the kind's sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/size/system.h"

namespace gg {

using KindId = std::uint32_t;

class Kinds {
 public:
  KindId add();
  void tie(KindId a, KindId b);
  /// Values of the kind index `dimension`, in windows of `window` elements (kNoSize: single ones).
  void attach(KindId kind, SizeVar dimension, SizeVar window = kNoSize);
  KindId root(KindId kind) const;

  struct Attachment {
    SizeVar dimension, window;
  };
  /// Collects the attachments by root; call after the last tie.
  void close();
  const std::vector<Attachment>& attachments(KindId kind) const;
  /// A size that is counted together with one that stays, and is no multiple or part of it (the ticks of a pipeline beside its
  /// microbatches), stays too. True if there was one. After close.
  bool keep_mixed(SizeSystem& sizes) const;
  /// Equal sizes of one kind become one class (the layer dimensions of a scan).
  void unite_sizes(SizeSystem& sizes) const;

 private:
  std::vector<KindId> parents_;
  std::vector<std::pair<KindId, Attachment>> given_;
  std::map<KindId, std::vector<Attachment>> by_root_;
};

/// How an integer literal is read.
struct Reading {
  enum class Status : std::uint8_t {
    Small,        ///< 0, 1, 2, -1, -2: as it is
    Explained,    ///< an expression of sizes
    Ambiguous,    ///< several expressions: those sizes are kept
    Unexplained,  ///< none: the kind's sizes are kept
    Free,         ///< the kind indexes nothing that shrinks: as it is
  } status = Status::Small;
  SizeExpr expr;
};

/// Reads `value` of `kind`. Ambiguous and Unexplained keep sizes, with `origin` as the reason's place.
Reading read_literal(SizeSystem& sizes, const Kinds& kinds, KindId kind, std::int64_t value, SizeOrigin origin);

}  // namespace gg
