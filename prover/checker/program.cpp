#include "prover/checker/program.h"

#include <algorithm>

#include "models/base/text.h"
#include "models/ir/kinds.h"
#include "models/ir/structure.h"
#include "models/op/facts.h"
#include "models/op/opaque_form.h"
#include "models/op/row_form.h"
#include "models/op/row_order.h"
#include "models/op/semilattice.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/order.h"
#include "prover/checker/permuted.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/translate.h"

namespace gg::checker {
namespace {

// Does the expression only choose among these parameters?
bool selects(const Arena& arena, ExprId id, std::size_t one, std::size_t other) {
  const Expr& e = arena[id];
  if (e.kind == ExprKind::Read) return e.arg == one || e.arg == other;
  if (e.kind != ExprKind::Fn) return false;
  const auto kids = arena.kids(id);
  if (e.fn == ScalarFn::Select) return selects(arena, kids[1], one, other) && selects(arena, kids[2], one, other);
  const bool order = e.fn == ScalarFn::Max || e.fn == ScalarFn::Min;
  return order && selects(arena, kids[0], one, other) && selects(arena, kids[1], one, other);
}

}  // namespace

Program::Program(Terms& t, const Module& module, BodyTable& bodies, bool distributed)
    : t_(t), module_(module), bodies_(bodies), distributed_(distributed), flat_(flatten(module)) {
  prepare();
}

Program::Program(const Program& outer, std::uint32_t at, ComputationId computation, std::optional<Var> time,
                 std::optional<std::int64_t> iteration)
    : t_(outer.t_), module_(outer.module_), bodies_(outer.bodies_), distributed_(outer.distributed_), flat_(flatten(outer.module_, computation)), prefix_(outer.name(at)), times_(outer.times_) {
  prefix_.erase(prefix_.rfind('%'), 1);
  if (iteration) prefix_ += "#" + std::to_string(*iteration);
  if (time) times_.push_back(*time);
  prepare();
}

void Program::prepare() {
  if (distributed_)
    for (const Digit& d : bodies_.digits().digits()) context_.push_back(t_.var(Space::Rank, static_cast<std::uint32_t>(context_.size()), sized(d.extent)));
  context_.insert(context_.end(), times_.begin(), times_.end());
  std::uint32_t total = 0;
  for (std::uint32_t node = 0; node < flat_.nodes.size(); ++node) {
    first_leaf_.push_back(total);
    total += static_cast<std::uint32_t>(leaves(node));
    literal_.push_back(is_literal(node));
  }
  conclusions_.assign(total, {special(t_, ValueKind::Unknown)});
}

void Program::conclude(FlatValue v, Value conclusion) { conclusions_[number(v)] = {conclusion}; }

void Program::conclude_late(FlatValue v, Outline outline) { conclusions_[number(v)] = {Value{}, true, true, std::move(outline)}; }

void Program::settle(FlatValue v, Value conclusion) {
  conclusions_[number(v)].value = conclusion;
  conclusions_[number(v)].late = false;
}

Value Program::conclusion(FlatValue v) const { return late(v) ? make_late(v) : conclusions_[number(v)].value; }

const Outline* Program::outline(FlatValue v, Outlines& outlines) {
  Conclusion& c = conclusions_[number(v)];
  if (!c.outlined) c.outline = outlines.of(c.value);
  c.outlined = true;
  return c.outline ? &*c.outline : nullptr;
}

// A constant, moved by operators of one operand or rounded.
bool Program::is_literal(std::uint32_t node) const {
  if (is_constant(module_, flat_.nodes[node].instruction)) return true;
  const auto operands = this->operands(node);
  if (operands.empty() || !literal_[operands[0].node]) return false;
  const ElementInfo &from = info(type(operands[0]).element), &to = info(type({node, 0}).element);
  if (converts(op(node))) return from.kind == ElementKind::Float && to.kind == from.kind && to.significand < from.significand;
  return rearranges(op(node));
}

std::string Program::name(const Instance& instance) const {
  const std::string own = to_string(module_, instance);
  return prefix_.empty() ? own : prefix_ + own.substr(module_.string(module_.computation(module_.entry()).name).size());
}

std::vector<Var> Program::variables(FlatValue v) const {
  std::vector<Var> result = context();
  for (const std::int64_t extent : type(v).dims)
    result.push_back(t_.var(Space::Out, static_cast<std::uint32_t>(result.size()), sized(extent)));
  return result;
}

Value Program::at(FlatValue v, const std::vector<Index>& index) {
  const std::vector<Var> vars = variables(v);
  if (as_indices(t_, vars) == index) return conclusion(v);
  return Substitution(t_, vars, index)(conclusion(v));
}

std::optional<Value> Program::derive(FlatValue v) {
  const FlatNode& node = flat_.nodes[v.node];
  const auto operands = flat_.operands(node);
  const Body* body = bodies_.body(node.instruction, static_cast<int>(v.leaf));
  if (body == nullptr) return row(v);
  // Bodies know rank digits and dimensions; all happens at the same times.
  const std::vector<Index> times = as_indices(t_, times_);
  const auto digits = static_cast<std::ptrdiff_t>(context().size() - times.size());
  std::vector<Index> levels = as_indices(t_, variables(v));
  levels.erase(levels.begin() + digits, levels.begin() + digits + static_cast<std::ptrdiff_t>(times.size()));
  Operands reads;
  reads.read = [&](int k, std::vector<Index> index) {
    index.insert(index.begin() + digits, times.begin(), times.end());
    return at(operands[static_cast<std::size_t>(k)], index);
  };
  reads.literal = [&](int k) -> bool { return literal_[operands[static_cast<std::size_t>(k)].node]; };
  return Translator(t_, bodies_.arena(), std::move(levels), reads).value(body->root);
}

// A function of whole arrays (docs/certificate.md, R).
std::optional<Value> Program::opaque(FlatValue v, const Call& call, const OpaqueForm& form) {
  const FlatNode& node = flat_.nodes[v.node];
  const Type& own = type(v);
  RowFunction function{form.text, {}};
  std::vector<const Type*> types(call.operands.begin(), call.operands.end());
  for (const Type* leaf : module_.type(node.instruction).leaves()) {
    types.push_back(leaf);
    function.results.push_back({leaf->element, {}, form.summed});
  }
  // A block has `size` elements in an array of the result's extent, and one in an array with an element a block.
  const auto in_block = [&](const Type& array, std::size_t d) -> std::optional<std::int64_t> {
    const std::int64_t size = form.block_at(d);
    if (d >= own.dims.size()) return std::nullopt;
    if (array.dims[d] == own.dims[d]) return size;
    return same(sized(array.dims[d]) * sized(size), sized(own.dims[d])) ? std::optional<std::int64_t>(1) : std::nullopt;
  };
  for (int k = 0; k < static_cast<int>(types.size()); ++k) {
    const Type* array = types[static_cast<std::size_t>(k)];
    const int place = k < static_cast<int>(call.operands.size()) ? k : -1;  // a result is whole nowhere
    if (!array->is_array()) return std::nullopt;
    function.signature += " " + std::string(info(array->element).name);
    for (const OpaqueForm::Block& b : form.batch)
      if (array->rank() > 0 && form.block_at(static_cast<std::size_t>(b.dim), place) > 0 && (b.dim >= array->rank() || !in_block(*array, static_cast<std::size_t>(b.dim)))) return std::nullopt;
    for (std::size_t d = 0; d < array->dims.size(); ++d)
      function.signature += form.block_at(d, place) == 0 ? " " + std::to_string(array->dims[d]) : " block " + std::to_string(*in_block(*array, d));
  }
  const std::vector<Index> variables = as_indices(t_, this->variables(v));
  const std::size_t digits = context().size();
  const std::uint32_t array = row_function(t_, {"array", {{}}});
  std::vector<Value> arrays;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    Binders scope(t_);
    const Type& whole = *call.operands[k];
    std::vector<Var> binders;
    std::vector<Index> index(variables.begin(), variables.begin() + static_cast<std::ptrdiff_t>(digits));
    for (std::size_t d = 0; d < whole.dims.size(); ++d) {
      const std::int64_t size = form.block_at(d, static_cast<int>(k));
      const Size extent = sized(size == 0 ? whole.dims[d] : *in_block(whole, d));
      binders.push_back(scope.open(extent));
      const Index at_binder = variable(t_, binders.back());
      index.push_back(size == 0 ? at_binder : axpy(t_, extent, divide(t_, variables[digits + d], sized(size)), at_binder));
    }
    arrays.push_back(checker::row(t_, array, 0, binders, {at(flat_.operands(node)[k], index)}, {}));
  }
  std::vector<Index> place;
  for (std::size_t d = 0; d < own.dims.size(); ++d) {
    const Size size = sized(form.block_at(d));
    const Index at = variables[digits + d];
    place.push_back(same(size, 0) ? at : axpy(t_, -size, divide(t_, at, size), at));
  }
  return checker::row(t_, row_function(t_, std::move(function)), v.leaf, {}, arrays, place);
}

// A reduction of tuples by a join (docs/certificate.md, R), if nothing in it is NaN.
std::optional<Value> Program::joined(const Call& call, std::uint32_t leaf, const std::vector<Var>& binders, const std::vector<Value>& kids) {
  const Region& region = *call.regions[0];
  const std::size_t places = region.results.size();
  RowFunction function{"join", {}, true};
  for (std::size_t k = 0; k < 2 * places; ++k) {
    const ElementType type = call.operands[k]->element;
    if (type == ElementType::Pred || (is_float(type) && !classes_of(t_, kids[k]).no_nan())) return std::nullopt;
    if (k >= places) continue;
    function.signature += " " + std::string(info(type).name) + " " + std::to_string(region.results[k].value);
    function.results.push_back({type, {}});
  }
  function.results.push_back({ElementType::F64, {}});  // the tuple itself
  if (const auto kept = keeps_largest(bodies_.arena(), region)) function.keeps = *kept ? RowFunction::Keeps::Largest : RowFunction::Keeps::Smallest;
  const std::uint32_t number = row_function(t_, std::move(function));
  const auto tuple = [&](std::size_t from) {
    const auto first = kids.begin() + static_cast<std::ptrdiff_t>(from);
    return checker::row(t_, number, static_cast<std::uint32_t>(places), {}, {first, first + static_cast<std::ptrdiff_t>(places)}, {});
  };
  const Value seeds = tuple(places);
  const Value elements = fold(t_, ScalarFn::Max, ElementType::Token, binders, boolean(t_, true), tuple(0));
  return checker::row(t_, number, leaf, {}, {combine(t_, ScalarFn::Max, ElementType::Token, seeds, elements)}, {});
}

// A sort by one key, or a top-k: what stands, in the result's operand, where the element was that comes to the place `at`; that place itself.
std::optional<Value> Program::sorted(const Call& call, bool place_itself, std::uint32_t leaf, Var binder, Index at, const std::function<Value(std::size_t, Index)>& element) {
  const auto order = row_order(bodies_.arena(), call);
  const ElementType type = call.operands[0]->element;
  if (!order || type == ElementType::Pred) return std::nullopt;
  Value key = element(0, variable(t_, binder));
  if (leaf > 0 && !order->stable && !distinct_numbers(t_, binder, key)) return std::nullopt;
  if (order->ascending) key = minus(t_, key);
  if (order->nan == RowOrder::Nan::Apart && is_float(type) && !classes_of(t_, key).no_nan()) return std::nullopt;
  const std::uint32_t function = order_function(t_, is_integral(type) || order->nan != RowOrder::Nan::Last);
  const Value place = checker::row(t_, function, static_cast<std::uint32_t>(Sorted::Place), {binder}, {key}, {at});
  return place_itself ? place : element(leaf, to_index(t_, place));
}

std::optional<Value> Program::row(FlatValue v) {
  const FlatNode& node = flat_.nodes[v.node];
  const Call call = bodies_.call(node.instruction);
  if (call.operands.empty() || !call.operands[0]->is_array()) return std::nullopt;
  if (const auto form = opaque_form(call)) return opaque(v, call, *form);
  const auto form = row_form(call);
  if (!form) return std::nullopt;
  const std::vector<std::int64_t>& dims = call.operands[0]->dims;
  const std::size_t digits = context().size();
  const std::vector<Index> own = as_indices(t_, variables(v));
  // Operand element: batch dimensions at the result's indices, row dimensions at the binders.
  std::vector<Var> binders;
  Binders scope(t_);
  for (const std::int64_t extent : form->extents) binders.push_back(scope.open(sized(extent)));
  const std::vector<Index> scalar(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(digits));
  std::vector<Index> index = scalar, position;
  std::size_t out = digits;
  Value inside = boolean(t_, true);
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const auto it = std::find(form->dims.begin(), form->dims.end(), static_cast<std::int64_t>(d));
    if (it == form->dims.end()) {
      index.push_back(own[out++]);
      continue;
    }
    Index at = variable(t_, binders[static_cast<std::size_t>(it - form->dims.begin())]);
    if (form->keeps) position.push_back(own[out++]);
    if (!form->window.empty()) {
      const WindowDim& w = form->window[d];
      at = offset(t_, axpy(t_, sized(w.window_dilation), at, scale(t_, sized(w.stride), own[out++])), -sized(w.pad_low));
      inside = both(t_, inside, between(t_, at, 0, sized(dims[d])));
    }
    index.push_back(at);
  }
  const auto operand = [&](std::size_t k) { return at(flat_.operands(node)[k], k < form->values ? index : scalar); };
  if (form->keeps) {
    const auto element = [&](std::size_t k, Index place) {
      std::vector<Index> there = index;
      there[digits + static_cast<std::size_t>(form->dims[0])] = place;
      return at(flat_.operands(node)[k], there);
    };
    if (const auto result = sorted(call, form->positions && v.leaf == 1, v.leaf, binders[0], position[0], element)) return result;
  }
  std::vector<Value> kids;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const bool window = k < form->values && !form->window.empty();
    kids.push_back(window ? choose(t_, inside, operand(k), operand(k + form->values)) : operand(k));
  }
  const bool reduces = !form->keeps;
  if (reduces && form->window.empty() && is_semilattice(bodies_.arena(), *call.regions[0])) {
    if (const auto join = joined(call, v.leaf, binders, kids)) return join;
  }
  RowFunction function{form->text, {}};
  const auto leaf_types = module_.type(node.instruction).leaves();
  for (std::size_t leaf = 0; leaf < leaf_types.size(); ++leaf) {
    RowResult result;
    result.type = leaf_types[leaf]->element;
    if (form->keeps) result.sources = {leaf};
    if (reduces && selects(bodies_.arena(), call.regions[0]->results[leaf], leaf, leaf + form->values)) {
      result.sources = {leaf, leaf + form->values};
    }
    function.results.push_back(std::move(result));
  }
  return checker::row(t_, row_function(t_, std::move(function)), v.leaf, binders, kids, position);
}

const ConstantArray* constant_at(const Module& module, const std::string& instance) {
  const auto named = [&](ComputationId computation, std::string_view name) -> std::optional<InstructionId> {
    const Computation& c = module.computation(computation);
    for (InstructionId id = c.first; id < c.first + c.count; ++id)
      if (module.name_of(id) == name) return id;
    return std::nullopt;
  };
  std::size_t from = module.string(module.computation(module.entry()).name).size();
  if (instance.compare(0, from, module.string(module.computation(module.entry()).name)) != 0) return nullptr;
  ComputationId computation = module.entry();
  while (from < instance.size() && instance[from] == '/') {
    const std::size_t end = std::min(instance.find('/', from + 1), instance.size());
    std::string_view part = std::string_view(instance).substr(from + 1, end - from - 1);
    const bool last = end == instance.size();
    if (last && (part.empty() || part[0] != '%')) return nullptr;
    if (last) part.remove_prefix(1);
    const std::size_t branch = part.find('@');
    const std::string_view number = branch == std::string_view::npos ? "0" : part.substr(branch + 1);
    if (!last) part = part.substr(0, part.find_first_of("#@"));  // an iteration, a branch
    const auto id = named(computation, part);
    if (!id) return nullptr;
    const Attributes& a = module.attributes(*id);
    if (last) return is_constant(module, *id) && a.has(Attr::Literal) ? &a.literal() : nullptr;
    const Attr callee = a.has(Attr::Body) ? Attr::Body : a.has(Attr::Calls) ? Attr::Calls
                                                                            : Attr::ToApply;
    const ComputationList callees = structure_of(module, *id) == Structure::Branches ? branches_of(module, *id) : a.computations(callee);
    const auto k = whole_number(number);
    if (!k || *k < 0 || *k >= static_cast<std::int64_t>(callees.size())) return nullptr;
    computation = callees[static_cast<std::size_t>(*k)];
    from = end;
  }
  return nullptr;
}

std::vector<Index> as_indices(Terms& t, const std::vector<Var>& vars) {
  std::vector<Index> result;
  result.reserve(vars.size());
  for (const Var v : vars) result.push_back(variable(t, v));
  return result;
}

}  // namespace gg::checker
