// Operators that move elements, and sums, act on both parts alike: their rows are run twice. The others are formulas, at the end.
#include "models/fx/complex.h"

#include <algorithm>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

using Parts = Complex<NodeId>;
using Formulas = ComplexFormulas<Emitter, NodeId>;

/// A row that is run once for each part.
struct Alike {
  std::string_view name;
  int number = -1;    ///< position of a Python number that is an element: its imaginary part is 0
  bool sums = false;  ///< integer tensors are numbers too; in other rows they are places
};

constexpr Alike kAlike[] = {
    {"_c10d_functional.all_gather_into_tensor.default"}, {"_c10d_functional.all_to_all_single.default"}, {"_c10d_functional.broadcast.default"}, {"_c10d_functional.wait_tensor.default"}, {"aten._reshape_alias.default"}, {"aten._to_copy.default", -1, true}, {"aten._unsafe_view.default"}, {"aten.alias.default"}, {"aten.cat.default"}, {"aten.clone.default"}, {"aten.constant_pad_nd.default", 2}, {"aten.contiguous.default"}, {"aten.copy.default"}, {"aten.cumsum.default"}, {"aten.detach.default"}, {"aten.expand.default"}, {"aten.flip.default"}, {"aten.gather.default"}, {"aten.index.Tensor"}, {"aten.index_select.default"}, {"aten.masked_fill.Scalar", 2}, {"aten.neg.default"}, {"aten.new_zeros.default"}, {"aten.permute.default"}, {"aten.repeat.default"}, {"aten.reshape.default"}, {"aten.roll.default"}, {"aten.select.int"}, {"aten.select_backward.default"}, {"aten.select_scatter.default"}, {"aten.slice.Tensor"}, {"aten.slice_backward.default"}, {"aten.slice_scatter.default"}, {"aten.split.Tensor"}, {"aten.split_with_sizes.default"}, {"aten.squeeze.default"}, {"aten.squeeze.dim"}, {"aten.squeeze.dims"}, {"aten.stack.default"}, {"aten.sum.default"}, {"aten.sum.dim_IntList"}, {"aten.t.default"}, {"aten.transpose.int"}, {"aten.unbind.int"}, {"aten.unsqueeze.default"}, {"aten.view.default"}, {"aten.where.self", -1, true}, {"aten.zeros_like.default"}};

bool names_complex(const Argument& argument) {
  const auto type = argument.kind == Argument::Kind::Word ? dtype_of(argument.text) : std::nullopt;
  return type && is_complex(*type);
}

/// The words of complex types as those of their parts.
void name_parts(Argument& argument) {
  if (names_complex(argument)) argument.text = dtype_word(part_of(*dtype_of(argument.text)));
}

/// What one part of a value is: real numbers have an imaginary part of 0, places and conditions are the same for both.
Value part(Emitter& e, const Value& value, const Alike& row, std::size_t which) {
  if (value.kind == Value::Kind::Complex) return value.items[which];
  if (value.kind == Value::Kind::Tuple) {
    Value result = value;
    for (Value& item : result.items) item = part(e, item, row, which);
    return result;
  }
  if (value.kind != Value::Kind::Tensor || which == 0) return value;
  const Type& type = e.type(value.node);
  const bool number = is_float(type.element) || (row.sums && type.element != ElementType::Pred);
  return number ? done(e.full(type.dims, e.number(type.element, 0))) : value;
}

Value zipped(const Value& re, const Value& im) {
  if (re.kind == Value::Kind::Tensor) return Value::complex(re.node, im.node);
  Value result = re;
  for (std::size_t k = 0; k < re.items.size(); ++k) result.items[k] = zipped(re.items[k], im.items[k]);
  return result;
}

Value each_part(Emitter& e, const Groups& groups, const Overload& overload, const Statement& statement, const std::function<Value(const std::string&)>& lookup, const Alike& row) {
  Value parts[2];
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
    Statement one = statement;
    if (one.type) one.type->element = part_of(one.type->element);
    for (Argument& argument : one.arguments) name_parts(argument);
    for (auto& [name, argument] : one.keywords) name_parts(argument);
    const auto place = static_cast<std::size_t>(row.number);
    if (row.number >= 0 && which == 1 && place < one.arguments.size() && one.arguments[place].kind != Argument::Kind::Name) one.arguments[place] = Operation::whole(0);
    const std::function<Value(const std::string&)> half = [&](const std::string& name) { return part(e, lookup(name), row, which); };
    Operation call(e, groups, overload, one, half, {});
    parts[which] = overload.lower(call);
  }
  return zipped(parts[0], parts[1]);
}

Value of_parts(Parts parts) { return Value::complex(parts.re, parts.im); }

Value polar(Operation& call) {
  Emitter& e = call.e;
  return of_parts(Formulas{e}.polar(e.expand(call.tensor(0), call.out().dims), e.expand(call.tensor(1), call.out().dims)));
}

Value complex(Operation& call) { return Value::complex(call.e.expand(call.tensor(0), call.out().dims), call.e.expand(call.tensor(1), call.out().dims)); }

Value view_as_complex(Operation& call) {
  if (call.e.dims(call.tensor(0)).empty() || call.e.dims(call.tensor(0)).back() != 2) call.refuse("of a tensor whose last dimension is not two");
  return pair_of(call.e, call.tensor(0));
}

Value view_as_real(Operation& call) { return done(joined(call.e, of_parts(call.parts(0)))); }

Value conjugate(Operation& call) { return of_parts(Formulas{call.e}.conjugate(call.parts(0))); }

Value whole(Operation& call) { return of_parts(call.parts(0)); }

/// Argument k in the result's type and shape; real ones have an imaginary part of 0, as in torch.
Parts shaped_parts(Operation& call, std::size_t k) {
  const auto shaped = [&](NodeId x) { return call.e.expand(call.e.convert(x, part_of(call.element())), call.out().dims); };
  const Parts parts = call.parts(k);
  return {shaped(parts.re), shaped(parts.im)};
}

Value complex_product(Operation& call) { return of_parts(Formulas{call.e}.product(shaped_parts(call, 0), shaped_parts(call, 1))); }

Value complex_quotient(Operation& call) { return of_parts(Formulas{call.e}.quotient(shaped_parts(call, 0), shaped_parts(call, 1))); }

Value complex_length(Operation& call) { return done(Formulas{call.e}.length(call.parts(0))); }

Value complex_exponential(Operation& call) { return of_parts(Formulas{call.e}.exponential(call.parts(0))); }

Value complex_logarithm(Operation& call) { return of_parts(Formulas{call.e}.logarithm(call.parts(0))); }

/// x + alpha y, where alpha is a complex number as well.
template <Op kSign, std::size_t kFirst = 0>
Value sum(Operation& call) {
  const Formulas f{call.e};
  return of_parts(f.alike(kSign, shaped_parts(call, kFirst), f.product(shaped_parts(call, 2), shaped_parts(call, 1 - kFirst))));
}

/// What takes or gives complex numbers always.
constexpr Overload kComplexRows[] = {
    {"aten._conj.default", "self", conjugate},
    {"aten._conj_physical.default", "self", conjugate},
    {"aten.complex.default", "real, imag", complex},
    {"aten.conj_physical.default", "self", conjugate},
    {"aten.polar.default", "abs, angle", polar},
    {"aten.resolve_conj.default", "self", whole},
    {"aten.view_as_complex.default", "self", view_as_complex},
    {"aten.view_as_real.default", "self", view_as_real},
};

/// Forms of other rows for complex numbers.
constexpr std::pair<std::string_view, Lowering> kForms[] = {{"aten.abs.default", complex_length}, {"aten.add.Scalar", sum<Op::Add>}, {"aten.add.Tensor", sum<Op::Add>}, {"aten.div.Scalar", complex_quotient}, {"aten.div.Tensor", complex_quotient}, {"aten.exp.default", complex_exponential}, {"aten.log.default", complex_logarithm}, {"aten.mul.Scalar", complex_product}, {"aten.mul.Tensor", complex_product}, {"aten.rsub.Scalar", sum<Op::Subtract, 1>}, {"aten.sub.Scalar", sum<Op::Subtract>}, {"aten.sub.Tensor", sum<Op::Subtract>}};

bool involved(const Argument& argument, const std::function<Value(const std::string&)>& lookup) {
  const auto complex = [](const auto& self, const Value& value) -> bool {
    return value.kind == Value::Kind::Complex || std::any_of(value.items.begin(), value.items.end(), [&](const Value& item) { return self(self, item); });
  };
  if (argument.kind == Argument::Kind::Name) return complex(complex, lookup(argument.text));
  return names_complex(argument) || std::any_of(argument.items.begin(), argument.items.end(), [&](const Argument& item) { return involved(item, lookup); });
}

}  // namespace

Type stored(const Type& type) {
  if (!is_complex(type.element)) return type;
  Type result = Type::array(part_of(type.element), type.dims);
  result.dims.push_back(2);
  return result;
}

Value pair_of(Emitter& e, NodeId x) {
  std::vector<std::int64_t> dims = e.dims(x);
  const auto last = static_cast<std::int64_t>(dims.size()) - 1;
  dims.pop_back();
  return Value::complex(e.reshape(e.slice(x, last, 0, 1), dims), e.reshape(e.slice(x, last, 1, 2), dims));
}

NodeId joined(Emitter& e, const Value& pair) {
  std::vector<std::int64_t> dims = e.dims(pair.items[0].node);
  dims.push_back(1);
  return e.concatenate({e.reshape(pair.items[0].node, dims), e.reshape(pair.items[1].node, dims)}, static_cast<std::int64_t>(dims.size()) - 1);
}

Complex<NodeId> Operation::parts(std::size_t k) const {
  const Value found = arguments_[k].kind == Argument::Kind::Name ? value(arguments_[k]) : done(operand(k, part_of(element())));
  if (found.kind == Value::Kind::Complex) return {found.items[0].node, found.items[1].node};
  if (found.kind != Value::Kind::Tensor) refuse("'" + arguments_[k].text + "' is no tensor");
  return {found.node, e.full(e.dims(found.node), e.number(part_of(element()), 0))};
}

std::optional<Value> lower_complex(Emitter& e, const Groups& groups, const Overload& overload, const Statement& statement, const std::function<Value(const std::string&)>& lookup) {
  const auto holds = [&](const Argument& argument) { return involved(argument, lookup); };
  const bool any = (statement.type && is_complex(statement.type->element)) || std::any_of(statement.arguments.begin(), statement.arguments.end(), holds) ||
                   std::any_of(statement.keywords.begin(), statement.keywords.end(), [&](const auto& keyword) { return holds(keyword.second); });
  if (!any) return std::nullopt;
  const auto named = [&](const auto& row) { return row.name == overload.name; };
  const auto alike = std::find_if(std::begin(kAlike), std::end(kAlike), named);
  if (alike != std::end(kAlike)) return each_part(e, groups, overload, statement, lookup, *alike);
  const auto form = std::find_if(std::begin(kForms), std::end(kForms), [&](const auto& row) { return row.first == overload.name; });
  Operation call(e, groups, overload, statement, lookup, {});
  if (form != std::end(kForms)) return form->second(call);
  if (std::any_of(std::begin(kComplexRows), std::end(kComplexRows), named)) return overload.lower(call);
  call.refuse("of complex numbers is not read");
}

std::span<const Overload> complex_rows() { return kComplexRows; }

}  // namespace gg::fx
