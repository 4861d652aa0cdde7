#include "runtime/shapes/float_context.h"

#include <algorithm>
#include <optional>

#include "models/body/reads.h"
#include "models/ir/kinds.h"
#include "models/ir/structure.h"
#include "models/op/facts.h"
#include "models/type/type.h"

namespace gg {
namespace {

constexpr int kSteps = 6;
constexpr int kMostVisits = 400;

/// The values are those of other ranks, or of the first operand: some of them, or with others beside them.
bool passes_on(Op op) { return info(op).traits == OpTraits::Collective || takes_part(op) || places_block(op) || pads(op); }

bool adds_terms(std::optional<ScalarFn> fn) {
  return fn == ScalarFn::Add || fn == ScalarFn::Subtract || fn == ScalarFn::Negate || fn == ScalarFn::Select;
}

bool is_one_float(const Module& module, InstructionId id) {
  if (!module.type(id).is_array() || !is_float(module.type(id).element) || !module.attributes(id).has(Attr::Literal)) return false;
  const auto& values = module.attributes(id).literal().values;
  return !values.empty() && std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s == values.front(); });
}

}  // namespace

FloatContexts::FloatContexts(const Constraints& all, std::size_t side)
    : all_(all), program_(all.programs[side]), module_(program_.module()), literals_(module_.size(), kNone), users_(module_.size()), callers_(module_.computations().size()) {
  for (InstructionId id = 0; id < module_.size(); ++id) {
    const auto operands = module_.operands(id);
    for (std::uint32_t k = 0; k < operands.size(); ++k) users_[operands[k]].emplace_back(id, k);
    if (is_constant(module_, id) && is_one_float(module_, id)) literals_[id] = id;
    else if (hands_literal(module_[id].op) && is_float(module_.type(id).element)) literals_[id] = literals_[operands[0]];
    if (structure_of(module_, id) == Structure::Call) callers_[callee_of(module_, id)].push_back(id);
  }
}

/// One literal at one use.
class FloatContexts::Walk {
 public:
  explicit Walk(const FloatContexts& c) : c_(c), module_(c.module_), program_(c.program_) {}

  /// Where a value that is a literal is read at last: behind calls and what moves it.
  void read_by(InstructionId user, std::uint32_t operand, InstructionId value, const Path& path) {
    if (++visits_ > kMostVisits) return;
    if (structure_of(module_, user) == Structure::Call) {
      Path inner = path;
      inner.push_back(user);
      return read(parameter(user, operand), inner);
    }
    if (hands_literal(module_[user].op)) return read(user, path);
    const auto fn = function(user);
    divides_ = fn == ScalarFn::Divide && operand == 1;
    if (!module_.type(value).dims.empty()) emit(FloatContext::Kind::Spread, all_dims(value));
    if (divides_ || fn == ScalarFn::Multiply) up(module_.operands(user)[1 - operand], 0, path, 0, {{}, false, true, 1});
    if (is_linear(fn, operand)) down(user, path, 0, {});
  }

  std::vector<FloatContext> take() { return std::move(found_); }

 private:
  struct Above {
    SizeProduct size;
    bool summed = false;     ///< below a sum: only what is linear in one operand
    bool linear = true;      ///< of places
    std::int64_t scale = 1;  ///< of places: whole numbers that they were multiplied with
  };

  void emit(FloatContext::Kind kind, SizeProduct size) {
    if (!size.sizes.empty() || size.constant > 1 || size.has_small || kind == FloatContext::Kind::Ranks) {
      found_.push_back({kind, divides_, std::move(size)});
    }
  }

  void read(InstructionId value, const Path& path) {
    for (const auto& [user, operand] : c_.users_[value]) read_by(user, operand, value, path);
  }

  InstructionId parameter(InstructionId call, std::uint32_t k) const { return module_.computation(callee_of(module_, call)).parameters.at(k); }
  std::optional<ScalarFn> function(InstructionId id) const { return scalar_of(module_[id].op, module_.attributes(id)); }
  /// In this operand alone.
  static bool is_linear(std::optional<ScalarFn> fn, std::uint32_t operand) {
    if (fn == ScalarFn::Divide || fn == ScalarFn::Select) return (operand == 0) == (fn == ScalarFn::Divide);
    return fn == ScalarFn::Multiply || adds_terms(fn);
  }

  void append(SizeProduct& product, InstructionId value, std::size_t d) const {
    const std::int64_t extent = program_.type(value).dims[d];
    if (extent > 1) product.sizes.push_back(program_.dim(value, 0, d));
    product.has_small = product.has_small || extent <= c_.all_.sizes.small();
  }

  SizeProduct all_dims(InstructionId value) const {
    SizeProduct product;
    for (std::size_t d = 0; d < program_.type(value).dims.size(); ++d) append(product, value, d);
    return product;
  }

  /// The call from which `path` is left; kNone if it is not known.
  InstructionId caller(InstructionId inside, Path& path) const {
    if (!path.empty()) {
      const InstructionId call = path.back();
      path.pop_back();
      return call;
    }
    const auto& callers = c_.callers_[module_.computation_of(inside)];
    return callers.size() == 1 ? callers.front() : kNone;
  }

  /// A fold as it reads one of its operands.
  struct Fold {
    bool adds = false;
    std::uint32_t operand = 0;
    bool product = false;    ///< of products with another operand
    bool windows = false;    ///< over taps beside the places
    std::int64_t ranks = 1;  ///< of these, if over ranks
    SizeProduct size;        ///< on one rank
  };

  /// The fold that makes this leaf, as it reads operand `operand` (kNone: the first that it reads).
  std::optional<Fold> fold_of(InstructionId id, std::size_t leaf, std::uint32_t operand) const {
    BodyTable& bodies = program_.bodies();
    const Body* body = bodies.body(id, static_cast<int>(leaf));
    if (body == nullptr) return std::nullopt;
    const Arena& arena = bodies.arena();
    const auto converted = [&](ExprId e) {
      while (arena[e].kind == ExprKind::Fn && arena[e].fn == ScalarFn::Convert) e = arena.kids(e)[0];
      return e;
    };
    const ExprId root = converted(body->root);
    const OpTraits traits = info(module_[id].op).traits;
    const bool crosses = traits == OpTraits::Collective;
    const std::size_t stated = module_.attributes(id).ints(traits == OpTraits::Contraction ? Attr::LhsContractingDims : Attr::BroadcastDims).size();
    if (arena[root].kind != ExprKind::Fold) return folds(module_[id].op) && stated > 0 && !crosses ? fold_of_one(id, leaf, operand) : std::nullopt;
    const ExprId inside = converted(arena.kids(root)[1]);
    std::optional<ExprId> read;
    each_expression(arena, inside, [&](ExprId e) {
      if (arena[e].kind != ExprKind::Read || (operand != kNone && arena[e].arg != operand)) return;
      if (!read || arena[e].arg < arena[*read].arg) read = e;
    });
    if (!read) return std::nullopt;
    Fold fold{arena[root].fn == ScalarFn::Add, arena[*read].arg, arena[inside].kind == ExprKind::Fn && arena[inside].fn == ScalarFn::Multiply, false, 1, {}};
    fold.size.has_small = arena[root].fold_vars < stated && !crosses;
    const std::size_t digits = bodies.digits().digits().size();
    const auto indices = arena.indices(*read);
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (arena[indices[d]].levels <= arena[root].fold_level) continue;
      if (d >= digits) fold_over(fold, arena, indices[d], module_.operands(id)[fold.operand], d - digits, arena[root].fold_level);
      else fold.ranks = element_count(arena.extents(root));
    }
    return fold;
  }

  /// Over dimensions of one element each, which bodies do not show.
  std::optional<Fold> fold_of_one(InstructionId id, std::size_t leaf, std::uint32_t operand) const {
    const bool product = info(module_[id].op).traits == OpTraits::Contraction;
    const std::size_t values = product ? 2 : module_.operands(id).size() / 2;
    Fold fold{product, operand == kNone ? static_cast<std::uint32_t>(product ? 0 : leaf) : operand, product, false, 1, {}};
    if (fold.operand >= values) return std::nullopt;
    if (!product) fold.adds = program_.bodies().call(id).regions.at(0)->monoid == ScalarFn::Add;
    fold.size.has_small = true;
    return fold;
  }

  /// Over a dimension, or over windows in it: of all of it where the sum runs along.
  void fold_over(Fold& fold, const Arena& arena, LinId index, InstructionId value, std::size_t d, std::uint16_t fold_level) const {
    const auto terms = arena.terms(index);
    if (terms.size() == 1) return append(fold.size, value, d);
    fold.windows = true;
    for (const Multiple& term : terms) {
      const Atom& atom = arena.atom(term.atom);
      if (atom.kind != AtomKind::Var || atom.level < fold_level) continue;
      if (atom.m == program_.type(value).dims[d]) append(fold.size, value, d);
      else fold.size.constant *= atom.m;
    }
  }

  static void extend(SizeProduct& size, const SizeProduct& more) {
    size.sizes.insert(size.sizes.end(), more.sizes.begin(), more.sizes.end());
    size.constant *= more.constant;
    size.has_small = size.has_small || more.has_small;
  }

  void over_ranks(const Fold& fold, SizeProduct& size) {
    if (!fold.adds) return;
    size.summed_ranks *= fold.ranks;
    SizeProduct ranks;
    ranks.constant = size.summed_ranks;
    emit(FloatContext::Kind::Ranks, ranks);
  }

  /// From a leaf that is handed on as it is to where it comes from: an operand, or the result of what is called.
  bool inward(InstructionId& id, std::size_t& leaf, Path& path) const {
    const Structure structure = structure_of(module_, id);
    if (structure == Structure::Call) {
      path.push_back(id);
      id = module_.computation(callee_of(module_, id)).root;
      return true;
    }
    if (structure != Structure::Join && structure != Structure::Element) return false;
    const OperandLeaf from = handed_leaves(module_, id).at(leaf);
    id = from.id;
    leaf = from.leaf;
    return true;
  }

  void up(InstructionId id, std::size_t leaf, Path path, int steps, Above above) {
    if (steps > kSteps || ++visits_ > kMostVisits) return;
    if (inward(id, leaf, path)) return up(id, leaf, path, steps, above);
    const auto operands = module_.operands(id);
    switch (structure_of(module_, id)) {
      case Structure::Parameter: {
        const auto number = static_cast<std::size_t>(module_.attributes(id).integer(Attr::Parameter));
        const InstructionId call = caller(id, path);
        if (call == kNone || is_loop(module_, call)) return;
        return up(module_.operands(call)[number], leaf, path, steps, above);
      }
      case Structure::Loop: return passes(id, leaf, path, steps, std::move(above));
      case Structure::None: break;
      default: return;
    }
    if (const auto fold = fold_of(id, leaf, kNone)) return above_fold(*fold, operands[fold->operand], path, steps, std::move(above));
    if (operands.empty()) return is_count(module_, id) ? places(id, above) : void();
    if (hands_literal(module_[id].op)) return up(operands[0], 0, path, steps, above);
    if (passes_on(module_[id].op)) return up(operands[0], 0, path, steps + 1, above);
    elementwise(id, path, steps + 1, above);
  }

  void above_fold(const Fold& fold, InstructionId operand, const Path& path, int steps, Above above) {
    if (fold.ranks > 1) {
      over_ranks(fold, above.size);
      return up(operand, 0, path, steps + 1, above);
    }
    if (!fold.adds || (fold.product && fold.windows)) return;
    extend(above.size, fold.size);
    emit(fold.product && !above.summed ? FloatContext::Kind::Dot : FloatContext::Kind::Sum, above.size);
    if (fold.product || fold.windows) return;
    above.summed = true;
    up(operand, 0, path, steps + 1, above);
  }

  void places(InstructionId id, const Above& above) {
    if (!above.linear || above.summed) return;
    SizeProduct size;
    append(size, id, static_cast<std::size_t>(module_.attributes(id).integer(Attr::IotaDimension)));
    emit(FloatContext::Kind::Places, size);
    size.constant = above.scale;
    if (above.scale != 1) emit(FloatContext::Kind::Places, size);
  }

  void elementwise(InstructionId id, const Path& path, int steps, Above above) {
    if (info(module_[id].op).traits != OpTraits::Elementwise) return;
    const auto operands = module_.operands(id);
    const auto fn = function(id);
    const auto is_number = [&](InstructionId operand) { return c_.literals_[operand] != kNone || program_.literal(operand); };
    const auto numbers = std::count_if(operands.begin(), operands.end(), is_number);
    const bool scaled = (fn == ScalarFn::Multiply && numbers == 1) || (fn == ScalarFn::Divide && c_.literals_[operands[1]] != kNone);
    if (above.summed && !adds_terms(fn) && !scaled) return;
    if (!adds_terms(fn) && !scaled) above.linear = false;
    if (fn == ScalarFn::Multiply && scaled) above.scale *= whole_factor(operands);
    for (std::size_t k = fn == ScalarFn::Select ? 1 : 0; k < operands.size(); ++k) {
      if (!is_number(operands[k])) up(operands[k], 0, path, steps, above);
    }
  }

  std::int64_t whole_factor(std::span<const InstructionId> operands) const {
    for (const InstructionId operand : operands) {
      if (c_.literals_[operand] == kNone) continue;
      const double value = module_.attributes(c_.literals_[operand]).literal().values.front().real;
      const auto whole = static_cast<std::int64_t>(std::clamp(value, 1.0, 4096.0));
      if (static_cast<double>(whole) == value) return whole;
    }
    return 1;
  }

  /// A leaf to which each pass of a loop adds a term: a sum over the passes.
  void passes(InstructionId id, std::size_t leaf, Path path, int steps, Above above) {
    const auto trips = trip_count(id);
    if (!trips) return;
    const InstructionId root = module_.computation(body_of(module_, id)).root;
    path.push_back(id);
    if (!accumulates(root, leaf, leaf, path, kSteps)) return;
    above.size.sizes.push_back(*trips);
    emit(FloatContext::Kind::Sum, above.size);
    above.summed = true;
    up(root, leaf, path, steps + 1, above);
  }

  /// Is leaf `leaf` of this value in the body the loop's own leaf `own` and more, added?
  bool accumulates(InstructionId id, std::size_t leaf, std::size_t own, Path path, int steps) const {
    if (steps == 0) return false;
    while (inward(id, leaf, path)) {
    }
    const auto operands = module_.operands(id);
    if (structure_of(module_, id) == Structure::Parameter) {
      const InstructionId call = path.back();
      path.pop_back();
      if (is_loop(module_, call)) return leaf == own;
      const auto number = static_cast<std::size_t>(module_.attributes(id).integer(Attr::Parameter));
      return accumulates(module_.operands(call)[number], leaf, own, path, steps);
    }
    if (is_copy(module_, id)) return accumulates(operands[0], 0, own, path, steps);
    return function(id) == ScalarFn::Add && std::any_of(operands.begin(), operands.end(), [&](InstructionId x) { return accumulates(x, 0, own, path, steps - 1); });
  }

  std::optional<SizeVar> trip_count(InstructionId loop) const {
    const InstructionId root = module_.computation(condition_of(module_, loop)).root;
    for (const LiteralUse& use : c_.all_.uses) {
      if (use.side != program_.side() || use.user != root || use.user == kNone) continue;
      const Attributes& constant = module_.attributes(*program_.literal(use.source));
      if (!constant.has(Attr::Literal)) continue;
      for (const auto& a : c_.all_.kinds.attachments(use.kind)) {
        if (c_.all_.sizes.size(a.dimension) == constant.literal().values.front().integer) return a.dimension;
      }
    }
    return std::nullopt;
  }

  void down(InstructionId id, Path path, int steps, const SizeProduct& size) {
    if (steps > kSteps || ++visits_ > kMostVisits) return;
    if (id == module_.computation(module_.computation_of(id)).root) {
      Path outer = path;
      const InstructionId call = caller(id, outer);
      if (call != kNone && !is_loop(module_, call)) down(call, outer, steps, size);
    }
    for (const auto& [user, k] : c_.users_[id]) reader(id, user, k, path, steps, size);
  }

  void reader(InstructionId id, InstructionId user, std::uint32_t k, const Path& path, int steps, SizeProduct size) {
    const Op op = module_[user].op;
    if (structure_of(op) == Structure::Call) {
      Path inner = path;
      inner.push_back(user);
      return down(parameter(user, k), inner, steps, size);
    }
    if (hands_literal(op)) {
      const bool spreads = module_.type(id).dims.empty() && !module_.type(user).dims.empty();
      return spreads ? emit(FloatContext::Kind::Spread, all_dims(user)) : down(user, path, steps, size);
    }
    if (const auto fold = fold_of(user, 0, k)) {
      if (!fold->adds || fold->windows) return;
      extend(size, fold->size);
      if (fold->ranks == 1) emit(fold->product ? FloatContext::Kind::LaterDot : FloatContext::Kind::LaterSum, size);
      return fold->product ? void() : down(user, path, steps + 1, size);
    }
    if (is_linear(function(user), k) || passes_on(op)) down(user, path, steps + 1, size);
  }

  const FloatContexts& c_;
  const Module& module_;
  const ProgramSizes& program_;
  std::vector<FloatContext> found_;
  bool divides_ = false;
  int visits_ = 0;
};

std::vector<FloatContext> FloatContexts::of(InstructionId user, std::uint32_t operand) const {
  Walk walk(*this);
  walk.read_by(user, operand, module_.operands(user)[operand], {});
  return walk.take();
}

}  // namespace gg
