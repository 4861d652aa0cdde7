// Loops (docs/certificate.md, section 8). A sequential while becomes anchors with a time index; of a distributed one the
// search guesses what each carry is at every time (from its initial value, from one symbolic pass through the body),
// drops what fails until the rest is stable, and finds closed forms of updates and accumulations.
#pragma once

#include <deque>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"

namespace gg::prover {

inline constexpr std::int64_t kMaxUnrolled = 64;
inline constexpr int kLoopRounds = 12;  ///< in which guesses about carries are dropped
inline constexpr int kStepLevels = 2;   ///< to which both sides of a step are expanded

/// Carries that were taken for finite at all times are not, even if the others are: the search starts anew without that.
struct NotFinite {
  std::vector<std::string> carries{};
};

/// What distributed loops are compared with: the carries of the sequential loops seen so far.
class LoopMemory {
 public:
  explicit LoopMemory(Terms& terms) : t_(terms) {}
  struct Carry {
    AnchorId anchor;
    std::int64_t trips;
    std::size_t times;                    ///< indices before T
    TermId body;                          ///< what the body makes of it, at time t
    Matcher initial, result;              ///< one pattern each
    std::optional<Matcher> recurrence{};  ///< the result over any value of the carry, made when it is first asked for
    bool asked = false;
  };
  void add(AnchorId anchor, std::int64_t trips, std::size_t times, TermId initial, TermId result);
  void add_recurrence(Carry& carry, TermId form);
  /// A finite value that stands for a carry.
  TermId start();
  std::deque<Carry> carries;

 private:
  std::optional<AnchorId> start_;
  AnchorId pattern(std::vector<std::int64_t> extents, TermId form);
  Terms& t_;
};

class LoopSearch {
 public:
  LoopSearch(Engine& engine, Engine::Side& side, std::uint32_t node);
  /// What is known of the end of a loop that was walked.
  enum class End : std::uint8_t { NotWalked,
                                  Unknown,
                                  Shown };
  /// Concludes the node's leaves, if anything is known of the loop.
  End run();

 private:
  struct Guess {
    TermId value;                  ///< at time T
    std::optional<TermId> next{};  ///< at t + 1, where that is not seen from its normal form
    std::vector<VarId> split{};    ///< rank digits whose values are looked at one by one
  };
  struct Carry {
    TermId initial;                     ///< over digits, times around, T, dimensions
    std::vector<std::int64_t> extents;  ///< of these variables
    std::optional<TermId> value;        ///< the same at time T, if known
    std::vector<Guess> guesses;         ///< still to try
    std::optional<TermId> next;         ///< of the guess that is tried
    std::vector<VarId> split;
    bool guess = false, asked = false;
    std::optional<AnchorId> anchor;
    TermId result = TermId::Unknown;  ///< of the body at time t
    LoopLeaf leaf;
  };
  struct Snapshot {
    std::size_t records, islands, loops, frames, related, pending, instructions, assumptions, open;
    AnchorId anchors;
  };

  bool prepare();
  std::optional<std::int64_t> step_of(std::uint32_t leaf);
  std::optional<TermId> counter(std::uint32_t leaf, std::int64_t trips);
  bool count();
  bool handed_on(std::uint32_t leaf) const;
  std::optional<TermId> cone(const FlatProgram& flat, FlatValue value, std::uint32_t leaf, TermId counter);
  std::optional<std::int64_t> trips_while(TermId condition);
  void recognise();
  TermId own(const Carry& c, LinId time);
  TermId at_time(TermId value, LinId time);
  LinId now() { return t_.var(position_, trips_); }
  Engine::Side& enter(AnchorId first_own, std::optional<std::int64_t> iteration = std::nullopt, bool timed = true);
  void unroll();
  std::vector<TermId> walk(Engine::Side& frame, const std::vector<TermId>& inputs);
  void walk_body(AnchorId first_own);
  void carry(AnchorId anchor, std::uint32_t leaf, TermId initial);
  AnchorId new_anchor(Carry& c, std::uint32_t leaf);
  void conclude(const Carry& c, std::uint32_t leaf);
  void conclude_all();

  End simulate();
  bool open();
  bool follow(const Engine::OpenLoop& s);
  bool follows(const Engine::OpenLoop& s, Carry& c, std::uint32_t leaf, TermId derived);
  bool guesses_from_state(const Engine::OpenLoop& s);
  std::vector<std::vector<LinId>> placements(const std::vector<std::int64_t>& whole, const std::vector<std::int64_t>& own);
  TermId moment(const Engine::OpenLoop& s, TermId term, const std::vector<TermId>& values);
  std::vector<TermId> walk_once(const std::vector<TermId>& inputs) { return walk(enter(0, std::nullopt, false), inputs); }  ///< at any state
  TermId condition_over(const std::vector<TermId>& inputs);
  std::string finite_key(std::uint32_t leaf) const;

  void sequential();
  void define(Carry& c);
  void close_all();
  void close(Carry& c);
  std::optional<TermId> closed_form(const Carry& c, TermId result);
  std::optional<TermId> written(const Carry& c, TermId guard, TermId update);
  std::optional<TermId> gathered(const Carry& c, TermId result, TermId self);
  bool reads(TermId term, AnchorId anchor);
  /// Does a term read a carry that has an anchor and is one of `which`?
  bool reads_carry(TermId term, bool (*which)(const Carry&));

  void distributed();
  bool pass();
  void give_up();
  void guesses_from(Carry& c, TermId of, bool timed);
  void guesses_from_recurrence(Carry& c);
  bool hangs_on(AnchorId anchor, AnchorId carry, std::vector<bool>& known);
  std::optional<TermId> recurrence(const LoopMemory::Carry& s, TermId start);
  Cases deciding(TermId a, TermId b);
  TermId where_equal(const Cases& ranks, TermId a, TermId b);
  std::optional<std::pair<TermId, TermId>> linear(TermId result, TermId self);
  TermId forgotten(TermId stated, TermId derived);
  void guess(Carry& c, const Match& m, const LoopMemory::Carry& s, bool timed);
  bool stable(Carry& c, std::uint32_t leaf);
  bool meets(Carry& c, TermId stated, TermId derived);
  bool steps_to(Carry& c, TermId stated);  // loop_cases.cpp
  Snapshot snapshot() const;
  void roll_back(const Snapshot& s);

  Engine& e_;
  Engine::Side& side_;
  Terms& t_;
  std::uint32_t node_;
  FlatProgram body_, condition_;
  VarId position_ = 0;
  std::int64_t trips_ = 0;
  std::vector<Carry> carries_;
  std::vector<Island> why_;  ///< what was not related when the first guess failed
};

}  // namespace gg::prover
