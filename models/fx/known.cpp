// Evaluation of bodies at single elements, over integers; floats count while they are small integers, which every type holds.
#include "models/fx/known.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/body/integers.h"

namespace gg::fx {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 18;  ///< of all values on the way
constexpr std::int64_t kMostSteps = std::int64_t{1} << 24;     ///< nodes of expressions, visited
constexpr std::int64_t kExact = 256;                           ///< floats up to it are exact in bf16 too

using Elements = std::vector<std::int64_t>;

/// Functions that give the same of floats as of the integers that these are.
bool exact(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::Add:
    case ScalarFn::Subtract:
    case ScalarFn::Multiply:
    case ScalarFn::Negate:
    case ScalarFn::Abs:
    case ScalarFn::Max:
    case ScalarFn::Min:
    case ScalarFn::Select:
      return true;
    default:
      return info(fn).cls == ScalarClass::Order && info(fn).name.starts_with("compare.");
  }
}

struct NotKnown {};

/// One body at one place after the other.
class BodyAt {
 public:
  BodyAt(const Arena& arena, std::vector<const Elements*> operands, std::vector<const Type*> types, std::int64_t& steps)
      : arena_(arena), operands_(std::move(operands)), types_(std::move(types)), steps_(steps) {}

  std::int64_t at(ExprId expr, std::vector<std::int64_t>& vars) {
    const Expr& e = arena_[expr];
    if (++steps_ > kMostSteps) throw NotKnown{};
    const std::int64_t value = unbounded(expr, e, vars);
    if (is_float(e.type) && std::abs(value) > kExact) throw NotKnown{};
    return value;
  }

 private:
  std::int64_t unbounded(ExprId expr, const Expr& e, std::vector<std::int64_t>& vars) {
    switch (e.kind) {
      case ExprKind::Read:
        return (*operands_[e.arg])[flat(arena_.indices(expr), types_[e.arg]->dims, vars)];
      case ExprKind::Index:
        return wrap_to(e.type, at(LinId{e.arg}, vars));
      case ExprKind::Lit:
        return integer(arena_.scalar(expr));
      case ExprKind::Constant: {
        const ConstantArray& array = arena_.array(ArrayId{e.arg});
        return integer(array.values[flat(arena_.indices(expr), array.type.dims, vars)]);
      }
      case ExprKind::Fn:
        return function(e, arena_.kids(expr), vars);
      case ExprKind::Case:
        return at(arena_.kids(expr)[holds(arena_.guard(expr), vars) ? 0 : 1], vars);
      case ExprKind::Fold:
      case ExprKind::Unknown:
        break;
    }
    throw NotKnown{};
  }

  std::int64_t function(const Expr& e, std::span<const ExprId> kids, std::vector<std::int64_t>& vars) {
    Elements arguments;
    for (const ExprId kid : kids) arguments.push_back(at(kid, vars));
    const ElementType from = arena_[kids.back()].type;
    if (e.fn == ScalarFn::Convert) return e.type == ElementType::Pred ? arguments[0] != 0 : is_float(e.type) ? arguments[0]
                                                                                                             : wrap_to(e.type, arguments[0]);
    if (is_float(from) && !exact(e.fn)) throw NotKnown{};
    const auto value = integer_fn(e.fn, is_float(from) ? ElementType::S64 : from, arguments);
    if (!value) throw NotKnown{};
    return *value;
  }

  std::int64_t integer(const Scalar& scalar) const {
    if (!is_float(scalar.type)) return scalar.integer;
    if (!(std::abs(scalar.real) <= kExact) || scalar.real != static_cast<double>(static_cast<std::int64_t>(scalar.real))) throw NotKnown{};
    return static_cast<std::int64_t>(scalar.real);
  }

  std::int64_t at(LinId lin, std::vector<std::int64_t>& vars) {
    std::int64_t sum = arena_[lin].c0;
    for (const Multiple& term : arena_.terms(lin)) sum += term.coef * atom(arena_.atom(term.atom), vars);
    return sum;
  }

  std::int64_t atom(const Atom& a, std::vector<std::int64_t>& vars) {
    switch (a.kind) {
      case AtomKind::Var:
        return vars[a.level];
      case AtomKind::Div:
        return floor_div(at(LinId{a.arg}, vars), a.m);
      case AtomKind::Data:
        return std::clamp(at(ExprId{a.arg}, vars), a.lo, a.hi);
      case AtomKind::Table:
        break;
    }
    return arena_.table_values(TableId{a.arg})[static_cast<std::size_t>(at(LinId{a.index}, vars))];
  }

  bool holds(GuardId guard, std::vector<std::int64_t>& vars) {
    const auto kid = [&](GuardId g) { return holds(g, vars); };
    switch (arena_[guard].kind) {
      case GuardKind::True:
        return true;
      case GuardKind::False:
        return false;
      case GuardKind::Le0:
        return at(arena_.lin(guard), vars) <= 0;
      case GuardKind::Eq0:
        return at(arena_.lin(guard), vars) == 0;
      case GuardKind::And:
        return std::all_of(arena_.kids(guard).begin(), arena_.kids(guard).end(), kid);
      case GuardKind::Or:
        return std::any_of(arena_.kids(guard).begin(), arena_.kids(guard).end(), kid);
      case GuardKind::Not:
        break;
    }
    return !kid(arena_.kids(guard)[0]);
  }

  std::size_t flat(std::span<const LinId> index, const std::vector<std::int64_t>& dims, std::vector<std::int64_t>& vars) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) place = place * dims[d] + at(index[d], vars);
    return static_cast<std::size_t>(place);
  }

  const Arena& arena_;
  std::vector<const Elements*> operands_;
  std::vector<const Type*> types_;
  std::int64_t& steps_;
};

/// Instructions of a module as an emitter gives its nodes.
struct Instructions {
  const Module& module;
  Op op(InstructionId id) const { return module[id].op; }
  const Type& type(InstructionId id) const { return module.type(id); }
  std::span<const InstructionId> operands(InstructionId id) const { return module.operands(id); }
  const Attributes& attributes(InstructionId id) const { return module.attributes(id); }
};

/// All that `x` is made of, operands first; throws where it is too much, or an input. Operands have smaller numbers than what reads them.
template <class Nodes>
std::vector<NodeId> parts_of(const Nodes& e, NodeId x) {
  std::vector<NodeId> found{x};
  std::int64_t elements = 0;
  std::set<NodeId> seen{x};
  for (std::size_t k = 0; k < found.size(); ++k) {
    const NodeId node = found[k];
    elements += e.type(node).is_array() ? e.type(node).count() : kMostElements;
    const bool source = e.op(node) == Op::Constant || e.op(node) == Op::Iota || e.op(node) == Op::PartitionId;
    if (elements >= kMostElements || (!source && (e.operands(node).empty() || !has_body(e.op(node)))) || e.attributes(node).has(Attr::ToApply)) throw NotKnown{};
    for (const NodeId operand : e.operands(node)) {
      if (seen.insert(operand).second) found.push_back(operand);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

template <class Nodes>
Elements elements_of(const Nodes& e, NodeId node, const std::map<NodeId, Elements>& made, std::int64_t& steps) {
  Arena arena;
  Call call{e.op(node), &e.attributes(node), {}, &e.type(node), {}, nullptr, {}};
  std::vector<const Elements*> operands;
  for (const NodeId operand : e.operands(node)) {
    call.operands.push_back(&e.type(operand));
    operands.push_back(&made.at(operand));
  }
  const Body body = make_body(arena, call);
  BodyAt body_at(arena, std::move(operands), call.operands, steps);
  Elements result(static_cast<std::size_t>(e.type(node).count()));
  std::vector<std::int64_t> vars(body.extents.size(), 0);
  for (std::int64_t& element : result) {
    element = body_at.at(body.root, vars);
    for (std::size_t d = vars.size(); d-- > 0 && ++vars[d] == body.extents[d];) vars[d] = 0;
  }
  return result;
}

template <class Nodes>
std::optional<std::vector<Elements>> known(const Nodes& e, NodeId x, std::int64_t ranks) try {
  std::vector<Elements> result;
  std::int64_t steps = 0;
  const std::vector<NodeId> parts = parts_of(e, x);
  const bool alike = std::none_of(parts.begin(), parts.end(), [&](NodeId node) { return e.op(node) == Op::PartitionId; });
  for (std::int64_t rank = 0; rank < (alike ? 1 : ranks); ++rank) {
    std::map<NodeId, Elements> made;
    for (const NodeId node : parts) made.emplace(node, e.op(node) == Op::PartitionId ? Elements{rank} : elements_of(e, node, made, steps));
    result.push_back(std::move(made.at(x)));
  }
  result.resize(static_cast<std::size_t>(ranks), result.front());
  return result;
} catch (const NotKnown&) {
  return std::nullopt;
} catch (const TypeError&) {  // no body in this form
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::vector<std::int64_t>>> known_elements(const Emitter& e, NodeId x, std::int64_t ranks) { return known(e, x, ranks); }

std::optional<std::vector<std::int64_t>> known_elements(const Module& module) {
  InstructionId root = module.computation(module.entry()).root;
  if (module[root].op == Op::Tuple) root = module.operands(root)[0];
  auto found = known(Instructions{module}, root, 1);
  return found ? std::optional(std::move(found->front())) : std::nullopt;
}

}  // namespace gg::fx
