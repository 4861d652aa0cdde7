// The forward pass: the sequential program becomes anchors, the distributed program is described over them one operator
// at a time, outputs are compared. Everything that is found goes into the certificate as proposals to re-derive.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/ir/control_flow.h"
#include "models/ir/flatten.h"
#include "models/op/opaque_form.h"
#include "models/op/row_order.h"
#include "models/pair/case.h"
#include "models/pair/stated.h"
#include "prover/engine/import.h"
#include "prover/engine/literals.h"
#include "prover/engine/match.h"
#include "prover/prover.h"

namespace gg::prover {

inline constexpr std::uint32_t kMaxTrivial = 60;    ///< of index computations that stay inline
inline constexpr std::uint32_t kMaxPending = 400;   ///< nodes of a conclusion that is no anchor; beyond it a fresh value
inline constexpr std::uint32_t kMaxRankCases = 32;  ///< ranks for which a value is looked at one by one

enum class Which : std::uint8_t { Sequential,
                                  Distributed };

/// One step of a conclusion: the term before equals `after` once the marked reads are expanded on both sides, and every
/// read of the term before `left` times.
inline constexpr std::uint32_t kMaxMeeting = 100'000;  ///< nodes of all sides that are opened until they meet: what the checker has steps for

struct Step {
  TermId after;
  std::vector<std::pair<TermId, int>> marks;
  int left = 0;
  std::vector<VarId> split{};                       ///< compared for each value of these variables
  std::vector<std::vector<std::int64_t>> starts{};  ///< of the pieces in which each of these stays a variable; none: each value
  std::vector<AnchorId> opened{};                   ///< on both sides, one after the other
};

/// A leaf of a node that the certificate must mention.
struct Record {
  Which side;
  std::uint32_t node, leaf;
  std::vector<Step> steps;
  std::optional<std::uint32_t> gap;  ///< number of a fresh value instead
  std::uint32_t frame = 0;
};

struct OutputLine {
  std::uint32_t leaf;
  int left, right;
  std::vector<VarId> split{};
  std::vector<std::vector<std::int64_t>> starts{};  ///< as of a step
  std::vector<AnchorId> opened{};                   ///< after the levels, on both sides, one after the other
};
struct Cases;

/// A leaf of a node; frame 0 is the entry computation, the others are bodies of loops.
struct Place {
  Which side;
  std::uint32_t node, leaf;
  std::uint32_t frame = 0;
};

/// How a read of an anchor is a read of all dimensions of its instruction: value = coef * read[parameters of index].
struct AnchorPlace {
  Place place;
  RatId coef = RatId::One;
  std::vector<LinId> index;  ///< of all dimensions, over the anchor's parameters (free variables 0..)
  bool carry = false;        ///< of a loop, at any time
  bool finite = false;       ///< such a carry is finite at all times
  std::int64_t pieces = 0;   ///< of a value that the certificate defines: one index more, the first
};

/// A leaf of a while node at time T (variables: rank digits, times around, T, dimensions); loop.h finds them.
struct LoopLeaf {
  TermId value = TermId::Unknown;
  std::optional<AnchorId> anchor;             ///< of a carry or gap; otherwise the value is an invariant
  int left = 0;                               ///< levels of the invariant's step
  std::optional<TermId> closed;               ///< of a carry or gap
  std::vector<std::pair<TermId, int>> marks;  ///< of the closed form
  std::vector<VarId> split{};                 ///< compared for each value of these variables
};

struct LoopRecord {
  static constexpr const char* kAnyState = "?";
  Place place;  ///< leaf 0
  bool unrolled = false;
  std::int64_t trips = 0;
  std::vector<LoopLeaf> leaves;
  std::string follows{};  ///< without counter: the sequential loop; of a sequential one kAnyState
};

/// A float type that rounds more than f32.
bool narrow(ElementType type);
/// A sum across ranks: each rank's part is rounded before it is added. (A maximum rounds nothing.)
bool adds_across_ranks(const Module& module, InstructionId id);

class Engine {
 public:
  /// `in_bounds`: premises about inputs (models/pair/index_uses.h) that the proof may rest on, and then states.
  Engine(Case& c, const ProverOptions& options, const std::vector<Assumption>& in_bounds = {});
  ~Engine();
  /// Carries of loops that are not finite at all times (found by an earlier run).
  std::set<std::string> not_finite;
  /// How the programs are taken: loops with a counter by their times; so, and what is joined of padded values as cases of its parts; loops step by step, without times (where a distributed
  /// one follows a sequential one); those of few iterations unrolled, of the distributed program where they have no relation, or all. What the sequential program computes piece by piece as one
  /// function of the piece. Running sums of integers of a rank by those of all. Interleaved values of ranks by names; so, and values that are blocks place by place.
  enum class Attempt : std::uint8_t { Timed,
                                      Parts,
                                      Followed,
                                      Pieces,
                                      Counted,
                                      Named,
                                      Blocks,
                                      UnrollLost,
                                      UnrollAll,
                                      Compared } attempt = Attempt::Timed;
  bool saw_loop = false, lost_loop = false, saw_counts = false;
  bool saw_interleaved = false;  ///< there are long distributed sums of padded values
  bool saw_parts = false;        ///< there are sequential sums of padded values
  bool saw_near = false;         ///< a value is seen to be the block of the nearest sequential one as outputs are
  /// Literals of masks are taken as minus infinity (an assumption that the certificate names).
  bool masks = false;
  bool saw_mask = false;  ///< there are such literals
  /// Literals are read as their closed forms (assumptions that the certificate states).
  void read_literals(const std::vector<LiteralReading>& readings);
  ProofResult run();

  Terms& terms() { return t_; }

 private:
  friend class CertificateWriter;
  friend class LoopSearch;
  friend class Piecewise;
  friend class Repeats;
  struct Side {
    Which which;
    const Module* module;
    BodyTable* bodies;
    FlatProgram flat{};
    std::vector<std::int64_t> times{};  ///< trips of the loops around
    std::uint32_t frame = 0;
    std::vector<std::uint32_t> first_leaf{};  ///< by node
    std::vector<TermId> conclusions{};        ///< by first_leaf[node] + leaf
    std::string prefix{};                     ///< names of calls and while nodes around
    std::vector<AnchorId> first_own{};        ///< sequential bodies, by loop around: its own anchors from here on
    std::vector<bool> masks{};                ///< by node: a constant that may count as minus infinity
    std::vector<bool> literals{};             ///< by node: a constant, moved or rounded
    std::vector<bool> pending{};              ///< by leaf: a conclusion that is no sequential value

    TermId& at(FlatValue v) { return conclusions[first_leaf[v.node] + v.leaf]; }
  };
  struct Extents {
    std::vector<std::int64_t> all;  ///< digits and dimensions
    ElementType type;
  };

  /// A sequential loop whose number of iterations is data.
  struct OpenLoop {
    std::string name;
    std::vector<AnchorId> state;  ///< by leaf: its value at any iteration, and after the last one
    std::vector<TermId> initial, results;
    bool certain = false;  ///< the program does not end if it does not
    TermId condition = TermId::Unknown;
    std::vector<std::int64_t> times;
  };

  void make_inputs();
  void make_equal();
  bool take_equal(Side& side, std::uint32_t node);
  void layout(Side& side);
  void walk(Side& side);
  void walk_nodes(Side& side);
  std::string name_of(const Side& side, std::uint32_t node) const { return name_of(side, side.flat.instance(side.flat.nodes[node])); }
  std::string name_of(const Side& side, const Instance& instance) const;
  std::size_t digits_of(const Side& side) const;
  bool present(const Side& side, const Step& step);
  bool present(const Side& side, TermId read);
  void leaf(Side& side, std::uint32_t node, std::uint32_t leaf);
  Extents extents_of(const Side& side, std::uint32_t node, std::uint32_t leaf) const;
  TermId body_of(Side& side, std::uint32_t node, std::uint32_t leaf);
  static bool is_literal(const Side& side, std::uint32_t node);
  bool is_mask(Side& side, std::uint32_t node, TermId t);
  std::optional<TermId> opaque_row_of(Side& side, std::uint32_t node, std::uint32_t leaf, const OpaqueForm& form);
  std::optional<TermId> join_of(const Region& region, const Call& call, std::uint32_t leaf, std::span<const LinId> binders,
                                std::span<const TermId> bodies);
  std::optional<TermId> order_of(const RowOrder& order, bool place_itself, std::uint32_t leaf, LinId binder, LinId at,
                                 const std::function<TermId(std::size_t, LinId)>& element);
  std::optional<TermId> row_of(Side& side, std::uint32_t node, std::uint32_t leaf);
  TermId operand(const Side& side, std::uint32_t node, int operand, std::span<const LinId> index);
  TermId at(TermId conclusion, std::span<const LinId> index);
  bool trivial(TermId t);
  // What a value is at a look, as steps; none if it is nothing of that kind.
  std::vector<Step> sum_of_literals(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  std::vector<Step> decided(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  std::vector<Step> counted_out(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  std::vector<Step> permuted_shard(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  std::vector<Step> unmoved(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  void conclude(Side& side, std::uint32_t node, std::uint32_t leaf, std::vector<Step> steps);
  void conclude_sequential(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  void state_respelled(Side& side, std::uint32_t node, std::uint32_t leaf, VarSet digits);
  void conclude_distributed(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  void assume_in_range(const Side& side, Anchor& a, const AnchorPlace& place);
  TermId new_anchor(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  TermId keep_used(Anchor& a, AnchorPlace& place, std::vector<LinId>& arguments, TermId form, std::size_t first);
  TermId zero_elsewhere(const Side& side, AnchorId anchor, std::span<const LinId> index);
  AnchorId anchor_of_type(const Side& side, std::uint32_t node, std::uint32_t leaf, AnchorKind kind, std::vector<std::int64_t> extents);
  void stay_pending(Side& side, std::uint32_t node, std::uint32_t leaf, const std::string& why);
  void take_gap(Side& side, std::uint32_t node, std::uint32_t leaf, const std::string& why);
  std::uint32_t signature(const std::string& text);

  // Control flow of the distributed program (duties.cpp).
  void duties(const Side& side, std::uint32_t node, bool walked, bool ends);
  void need(AssumptionKind kind, const Side& side, const Instance& instance, const std::string& why);
  void need_inside(const Side& side, std::uint32_t node, const ComputationList& computations);
  bool uniform(const Side& side, TermId t, const Meetings& meetings);

  // Rewriting towards anchors (rewrite.cpp).
  bool improve(TermId t, bool deep, std::vector<Step>& steps);
  bool grows(const Side& side, std::uint32_t node, TermId t);
  std::optional<Step> match_whole(TermId t, int levels);
  bool recognise(TermId now, std::vector<Step>& steps);
  bool long_sum(TermId now, std::vector<Step>& steps);
  TermId take(const Match& m, std::vector<std::pair<TermId, int>>& marks);
  std::optional<TermId> case_of_sums(TermId t);
  TermId match_parts(TermId t, TermId facts, std::vector<std::pair<TermId, int>>& marks, int depth);

  TermId match_sum(TermId t, std::vector<std::pair<TermId, int>>& marks);
  TermId beside(TermId t, std::vector<std::pair<TermId, int>>& marks);
  TermId match_inner(TermId t, std::vector<std::pair<TermId, int>>& marks);

  // Shards of pieces (pieces.cpp).
  std::optional<TermId> join_reads(TermId t);
  std::optional<Step> as_pieces(std::span<const std::int64_t> extents, TermId t);
  bool join_pieces(std::span<const std::int64_t> extents, TermId t, bool deep, std::vector<Step>& steps);

  // Case by case (split.cpp).
  bool improve_cases(std::vector<TermId>& values, bool deep, std::vector<std::pair<TermId, int>>& marks);
  void mark_cases(Step& step);
  void mark_inside(Step& step);
  VarSet deciding(TermId t) const;
  bool keeps_name(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);  // interleaved.cpp
  std::optional<OutputLine> meet_by_places(const Cases& cases, TermId left, TermId right);
  std::uint64_t shares_of_value() const;
  std::optional<Step> block_by_places(const Side& side, std::uint32_t node, TermId t);
  std::optional<bool> improve_as_one(const Cases& cases, TermId t, bool deep, std::vector<Step>& steps);
  std::optional<Step> as_parts(const Side& side, TermId t);
  std::optional<Step> in_bounds(const Side& side, std::span<const std::int64_t> extents, TermId t);
  bool parts(TermId t);
  bool place_by_place() const { return saw_interleaved && (attempt == Attempt::Named || attempt == Attempt::Blocks || attempt == Attempt::UnrollAll || attempt == Attempt::UnrollLost); }
  std::vector<Step> own_counts(TermId t);
  std::vector<Step> off_slots(const Side& side, TermId t);
  std::vector<VarId> rank_cases(const Side& side, std::span<const std::int64_t> extents, TermId t) const;
  void split_by(Step& step, TermId before, VarSet set, std::span<const std::int64_t> extents);
  bool has_own_block(const Side& side, TermId t);
  std::vector<Step> running_total(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  std::optional<Step> running_sum(const Side& side, std::span<const std::int64_t> extents, TermId term);
  bool guards_outside(TermId t, bool deep, std::vector<Step>& steps);  // guarded.cpp
  bool edge_opened(const Side& side, std::span<const std::int64_t> extents, TermId t, std::vector<Step>& steps);
  bool conditioned(const Side& side, std::span<const std::int64_t> extents, TermId t, bool own_block, std::vector<Step>& steps);  // conditioned.cpp
  std::vector<Step> conditioned(const Side& side, std::span<const std::int64_t> extents, TermId t, bool own_block, bool unmoved = false);
  bool same_by_cases(Step& step, TermId before, VarSet set, std::span<const std::int64_t> extents);
  void split_refused(Step& step, TermId before, std::span<const std::int64_t> extents);
  std::vector<VarId> few_cases(VarSet set, std::span<const std::int64_t> extents) const;
  std::vector<VarId> small_cases(TermId a, TermId b, std::span<const std::int64_t> extents) const;
  std::ptrdiff_t refused(const std::string& instance, std::uint32_t leaf) const;
  std::optional<bool> improve_without_digits(VarSet digits, std::span<const std::int64_t> extents, TermId t, bool deep, std::vector<Step>& steps);
  std::optional<bool> improve_by_cases(const Side& side, std::span<const std::int64_t> extents, TermId t, bool deep,
                                       std::vector<Step>& steps);
  std::optional<std::map<VarId, std::vector<std::int64_t>>> cuts(VarSet set, std::span<const std::int64_t> extents, TermId left, TermId right);
  std::optional<OutputLine> meet_by_cases(std::span<const std::int64_t> extents, TermId left, TermId right, int levels, bool binders = false);
  std::optional<OutputLine> meet_cases(const Cases& cases, TermId left, TermId right, int levels, bool binders);

  /// The body that a value lies in: the entry computation, or that of a loop.
  const Side& side_of(const Place& place) const { return place.frame != 0 ? frames_[place.frame - 1] : place.side == Which::Sequential ? sequential_
                                                                                                                                       : distributed_; }
  /// All bodies of one program that the proof walks.
  template <class Visit>
  void each_side(Which which, Visit visit) const {
    visit(which == Which::Sequential ? sequential_ : distributed_);
    for (const Side& frame : frames_)
      if (frame.which == which) visit(frame);
  }

  /// Calls visit(side, node, leaf, type) for what is a float and no literal.
  template <class Visit>
  void each_float(Which which, Visit visit) const {
    each_side(which, [&](const Side& side) {
      for (std::uint32_t node = 0; node < side.flat.nodes.size(); ++node) {
        if (side.literals[node]) continue;
        const LeafTypes leaves = side.module->type(side.flat.nodes[node].instruction).leaves();
        for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf)
          if (leaves[leaf]->is_array() && is_float(leaves[leaf]->element)) visit(side, node, leaf, leaves[leaf]->element);
      }
    });
  }

  // Where the distributed program rounds more than the sequential one (precision.cpp).
  std::vector<std::string> precision_notes();
  DecidedTests decided_tests() const;
  std::optional<std::int64_t> count_most(TermId t);
  std::int64_t whole_beyond(const Side& side, std::uint32_t node, std::uint32_t leaf);
  using PrecisionNotes = std::map<InstructionId, std::string>;  ///< one an instruction
  void note_sums(PrecisionNotes& notes) const;
  void note_whole_numbers(PrecisionNotes& notes);
  static bool comes_back(const Side& side, std::uint32_t node);
  void note_running_sums(PrecisionNotes& notes);
  std::vector<AnchorId> anchors_joined(TermId t) const;
  std::pair<InstructionId, ElementType> sequential_origin(AnchorId anchor) const;
  void note_partial_sums(PrecisionNotes& notes, const std::map<AnchorId, int>& of_value) const;
  void note_reduced(PrecisionNotes& notes) const;
  void note_narrower(PrecisionNotes& notes);
  void note_rounded(PrecisionNotes& notes) const;
  void note_residues(PrecisionNotes& notes) const;
  std::optional<AnchorId> single_anchor(TermId t) const;

  // Outputs (outputs.cpp), islands (islands.cpp).
  void prove_outputs(ProofResult& result);
  struct OutputSteps {
    std::uint64_t whole = 0, outside = 0, cases = 0, binders = 0;  ///< used to compare outputs as they are, with cases outside, case by case, and so with short binders written out
  };
  std::optional<OutputLine> compare(TermId left, TermId right, std::span<const std::int64_t> extents, std::ptrdiff_t refusals, bool finite, OutputSteps& steps);
  std::optional<Step> nearest_block(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  bool near_block(const std::vector<Island>& islands);
  std::optional<OutputLine> prove_output(std::size_t k, std::string& why, OutputSteps& steps);
  std::vector<Island> islands_of(const ProofResult& result);
  std::vector<std::vector<int>> users_among_outputs(const ProofResult& result) const;

  bool agree(TermId a, TermId b, std::span<const std::int64_t> extents, int depth);
  std::optional<std::pair<int, int>> meet(TermId left, TermId right, std::span<const std::int64_t> extents, bool outside, int most);
  std::optional<std::vector<AnchorId>> meet_opened(std::vector<std::pair<TermId, TermId>> sides, std::optional<std::span<const std::int64_t>> extents, int steps, std::uint32_t most = kMaxMeeting);  // where_finite.cpp

  OutputSteps inside_{.whole = 45'000, .outside = 60'000, .cases = 300'000, .binders = 400'000};  ///< used from the start: values are compared by less than outputs
  int compared_ = 0;                                                                              ///< values as outputs

  Case& case_;
  ProverOptions options_;
  std::vector<Assumption> in_bounds_;
  Terms t_;
  Importer importer_;
  Matcher matcher_;
  Side sequential_, distributed_;               ///< the entry computations
  std::vector<AnchorId> inputs_;                ///< by free input
  std::map<AnchorId, AnchorPlace> places_;      ///< Value, Opaque and Gap anchors
  std::map<std::uint32_t, EqualValues> equal_;  ///< by distributed node of the entry computation
  std::deque<Side> frames_;                     ///< bodies of loops; frame k is frames_[k - 1]
  std::vector<LoopRecord> loops_;
  std::deque<OpenLoop> open_loops_;
  std::unique_ptr<class LoopMemory> loop_memory_;
  std::unique_ptr<class Repeats> repeats_;
  std::unique_ptr<class Piecewise> piecewise_;  ///< Attempt::Pieces alone
  std::vector<Record> records_;
  std::vector<OutputLine> outputs_;
  std::vector<std::string> signatures_;
  std::vector<Assumption> assumptions_;
  std::vector<Island> islands_;
  ControlFlow flow_;
  std::vector<OpenDuty> open_;
  std::size_t related_ = 0, pending_ = 0, instructions_ = 0;
};

}  // namespace gg::prover
