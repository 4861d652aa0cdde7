// Type rules of operators that have an executor only.
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// A stack of square matrices of floats.
const Type& square_operand(const Call& call, std::size_t k) {
  const Type& type = array_operand(call, k);
  const std::size_t n = type.dims.size();
  if (n < 2 || type.dims[n - 1] != type.dims[n - 2] || !is_float(type.element)) {
    refuse_operand(name_of(call) + " takes square matrices of floats, not " + to_string(type));
  }
  return type;
}

}  // namespace

Type cholesky_type(const Call& call) {
  const Type& a = square_operand(call, 0);
  return Type::array(a.element, a.dims);
}

Type triangular_solve_type(const Call& call) {
  const Type& a = square_operand(call, 0);
  const Type& b = array_operand(call, 1);
  const std::size_t n = a.dims.size();
  bool fits = b.element == a.element && b.dims.size() == n;
  for (std::size_t d = 0; fits && d + 2 < n; ++d) fits = a.dims[d] == b.dims[d];
  fits = fits && b.dims[call.attributes->flag(Attr::LeftSide) ? n - 2 : n - 1] == a.dims[n - 1];
  if (!fits) refuse_operand("triangular-solve: " + to_string(b) + " does not fit " + to_string(a));
  const std::string& transpose = call.attributes->text(Attr::TransposeA);
  if (!transpose.empty() && transpose != "NO_TRANSPOSE" && transpose != "TRANSPOSE" && transpose != "ADJOINT") {
    refuse_attribute("triangular-solve: transpose_a=" + transpose + " is none of NO_TRANSPOSE, TRANSPOSE, ADJOINT");
  }
  return Type::array(b.element, b.dims);
}

Type rng_bit_generator_type(const Call& call) {
  const Type& state = array_operand(call, 0);
  const Type& result = stated_type(call);
  if (info(state.element).kind != ElementKind::Unsigned) refuse_operand("rng-bit-generator: the state is " + to_string(state));
  const auto bits = [](const Type& type) { return type.is_array() && is_integral(type.element) && type.element != ElementType::Pred; };
  if (result.is_tuple() && result.elements.size() == 2 && result.elements[0] == state && bits(result.elements[1])) return result;
  if (bits(result)) return result;
  refuse(DiagCode::TypeMismatch, "rng-bit-generator of " + to_string(state) + " does not give " + to_string(result));
}

Type select_and_scatter_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& source = array_operand(call, 1);
  const Type& initial = array_operand(call, 2);
  const std::vector<WindowDim>& window = call.attributes->window();
  if (window.size() != operand.dims.size() || initial.rank() != 0 || initial.element != operand.element ||
      source.element != operand.element) {
    refuse_operand("select-and-scatter of " + to_string(operand) + ", " + to_string(source) + " and " + to_string(initial));
  }
  std::vector<std::int64_t> places;
  for (std::size_t d = 0; d < window.size(); ++d) {
    if (window[d].base_dilation != 1 || window[d].reversal) refuse_form("select-and-scatter: a dilated base or a reversed window");
    places.push_back(window_places(call, window[d], operand.dims[d]));
  }
  if (places != source.dims) {
    refuse_operand("select-and-scatter: the source is " + to_string(source) + ", the window has " + list(places) + " places");
  }
  return Type::array(operand.element, operand.dims);
}

}  // namespace gg
