// Private to kernels/numbers: the loops over rows, written once for all number types. A domain D has
//   Stored, Value, load(Stored) -> Value, store(Stored&, Value): a number in memory and in registers,
//   operator()(Fn<F>, Value...) -> Value or bool for every scalar function F but select and convert,
//   from_integer(int64, is_u64) -> Value, to_integer(Value, ElementType) -> int64: conversions,
//   settle(Value) -> Value: the rounding of one step of a fold (integers are wrapped once at its end: a ring),
//   kFast: whether its loops are worth one version a stride (then vectorised); with_itself<F>(Value): F of one number twice, where more is known of it than of two numbers.
// A function missing in a domain does not compile: make_row_table instantiates all of scalar.def.
#pragma once

#include <type_traits>

#include "kernels/numbers/row_table.h"
#include "models/base/check.h"

namespace gg::numbers {

/// The element type that decides signs and widths: that of the first argument.
inline ElementType operand_type(const RowContext& context) { return context.types[0]; }

template <class D>
void finish(const RowContext& context, typename D::Stored* out, std::int64_t n) {
  if constexpr (std::is_same_v<typename D::Stored, std::int64_t>) finish_integers(context.rounding.type, out, n);
  if constexpr (std::is_same_v<typename D::Stored, double>) finish_doubles(context.rounding, out, n);
}

/// Writes a result: a number of the domain, or a truth value as an integer.
template <class D, class Out, class Result>
void put(Out& out, const Result& value) {
  if constexpr (std::is_same_v<Result, bool>)
    out = value ? 1 : 0;
  else
    D::store(out, value);
}

template <class D, ScalarFn F, class Out>
void unary(const D& d, Out* out, const typename D::Stored* a, std::int64_t sa, std::int64_t n) {
  if constexpr (D::kFast) {
    if (sa == 1) {
      for (std::int64_t k = 0; k < n; ++k) put<D>(out[k], d(Fn<F>{}, D::load(a[k])));
      return;
    }
  }
  for (std::int64_t k = 0; k < n; ++k) put<D>(out[k], d(Fn<F>{}, D::load(a[k * sa])));
}

template <class D, ScalarFn F, class Out>
void binary(const D& d, Out* out, const typename D::Stored* a, std::int64_t sa, const typename D::Stored* b,
            std::int64_t sb, std::int64_t n) {
  if constexpr (D::kFast) {
    if (sa == 1 && sb == 1) {
      for (std::int64_t k = 0; k < n; ++k) put<D>(out[k], d(Fn<F>{}, D::load(a[k]), D::load(b[k])));
      return;
    }
    if (sa == 0 && sb == 1) {
      const auto first = D::load(*a);
      for (std::int64_t k = 0; k < n; ++k) put<D>(out[k], d(Fn<F>{}, first, D::load(b[k])));
      return;
    }
    if (sa == 1 && sb == 0) {
      const auto second = D::load(*b);
      for (std::int64_t k = 0; k < n; ++k) put<D>(out[k], d(Fn<F>{}, D::load(a[k]), second));
      return;
    }
  }
  if constexpr (requires { d.template with_itself<F>(D::load(*a)); }) {
    if (a == b && sa == sb) {  // a number with itself
      for (std::int64_t k = 0; k < n; ++k) put<D>(out[k], d.template with_itself<F>(D::load(a[k * sa])));
      return;
    }
  }
  for (std::int64_t k = 0; k < n; ++k) put<D>(out[k], d(Fn<F>{}, D::load(a[k * sa]), D::load(b[k * sb])));
}

/// out[k] = a[k] ? b[k] : c[k]; the untaken side may be anything.
template <class D>
void select_row(const RowContext&, void* out, const Row* args, std::int64_t n) {
  using S = typename D::Stored;
  auto* o = static_cast<S*>(out);
  const auto* p = static_cast<const std::int64_t*>(args[0].data);
  const auto* b = static_cast<const S*>(args[1].data);
  const auto* c = static_cast<const S*>(args[2].data);
  for (std::int64_t k = 0; k < n; ++k) {
    o[k] = p[k * args[0].stride] != 0 ? b[k * args[1].stride] : c[k * args[2].stride];
  }
}

template <class D>
void convert_row(const RowContext& context, void* out, const Row* args, std::int64_t n) {
  using S = typename D::Stored;
  const D d(context);
  const std::int64_t stride = args[0].stride;
  if constexpr (!std::is_same_v<S, std::int64_t>) {
    const auto* integers = static_cast<const std::int64_t*>(args[0].data);
    const auto* floats = static_cast<const S*>(args[0].data);
    if (context.storages[0] == Storage::Int64) {
      const bool u64 = operand_type(context) == ElementType::U64;
      auto* o = static_cast<S*>(out);
      for (std::int64_t k = 0; k < n; ++k) D::store(o[k], d.from_integer(integers[k * stride], u64));
    } else if (is_integral(context.rounding.type)) {
      auto* o = static_cast<std::int64_t*>(out);
      for (std::int64_t k = 0; k < n; ++k) o[k] = d.to_integer(D::load(floats[k * stride]), context.rounding.type);
      return;
    } else {
      auto* o = static_cast<S*>(out);
      for (std::int64_t k = 0; k < n; ++k) o[k] = floats[k * stride];
    }
    finish<D>(context, static_cast<S*>(out), n);
  } else {
    const auto* from = static_cast<const std::int64_t*>(args[0].data);
    auto* o = static_cast<std::int64_t*>(out);
    for (std::int64_t k = 0; k < n; ++k) o[k] = from[k * stride];
    finish_integers(context.rounding.type, o, n);
  }
}

template <class D, ScalarFn F, int arity>
void apply_row(const RowContext& context, void* out, const Row* args, std::int64_t n) {
  using S = typename D::Stored;
  using V = typename D::Value;
  const D d(context);
  const auto* a = static_cast<const S*>(args[0].data);
  if constexpr (arity == 1) {
    using Result = decltype(d(Fn<F>{}, std::declval<V>()));
    using Out = std::conditional_t<std::is_same_v<Result, bool>, std::int64_t, S>;
    unary<D, F>(d, static_cast<Out*>(out), a, args[0].stride, n);
    if constexpr (!std::is_same_v<Result, bool>) finish<D>(context, static_cast<S*>(out), n);
  } else if constexpr (arity == 2) {
    using Result = decltype(d(Fn<F>{}, std::declval<V>(), std::declval<V>()));
    using Out = std::conditional_t<std::is_same_v<Result, bool>, std::int64_t, S>;
    const auto* b = static_cast<const S*>(args[1].data);
    binary<D, F>(d, static_cast<Out*>(out), a, args[0].stride, b, args[1].stride, n);
    if constexpr (!std::is_same_v<Result, bool>) finish<D>(context, static_cast<S*>(out), n);
  } else {
    const auto* b = static_cast<const S*>(args[1].data);
    const auto* c = static_cast<const S*>(args[2].data);
    auto* o = static_cast<S*>(out);
    for (std::int64_t k = 0; k < n; ++k) {
      D::store(o[k], d(Fn<F>{}, D::load(a[k * args[0].stride]), D::load(b[k * args[1].stride]),
                       D::load(c[k * args[2].stride])));
    }
    finish<D>(context, o, n);
  }
}

/// Ascending fold of a row into one value, floats rounded after each step.
template <class D, ScalarFn F>
void fold_row(const RowContext& context, void* acc, Row x, std::int64_t n) {
  using S = typename D::Stored;
  const D d(context);
  const auto* data = static_cast<const S*>(x.data);
  auto total = D::load(*static_cast<const S*>(acc));
  for (std::int64_t k = 0; k < n; ++k) total = d.settle(d(Fn<F>{}, total, D::load(data[k * x.stride])));
  D::store(*static_cast<S*>(acc), total);
  if constexpr (std::is_same_v<S, std::int64_t>) finish<D>(context, static_cast<S*>(acc), 1);
}

template <class D>
void multiply_add_row(const RowContext& context, void* acc, Row a, Row b, std::int64_t n, Turns turns) {
  using S = typename D::Stored;
  const D d(context);
  auto* o = static_cast<S*>(acc);
  const auto* p = static_cast<const S*>(a.data);
  const auto* q = static_cast<const S*>(b.data);
  const auto step = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const auto product = d.settle(d(Fn<ScalarFn::Multiply>{}, D::load(p[i]), D::load(q[j])));
    D::store(o[k], d.settle(d(Fn<ScalarFn::Add>{}, D::load(o[k]), product)));
  };
  for (; turns.count > 0; --turns.count, p += turns.a, q += turns.b) {
    if (D::kFast && a.stride == 0 && b.stride == 1) {
      for (std::int64_t k = 0; k < n; ++k) step(0, k, k);
    } else if (D::kFast && a.stride == 1 && b.stride == 0) {
      for (std::int64_t k = 0; k < n; ++k) step(k, 0, k);
    } else if (D::kFast && a.stride == 1 && b.stride == 1) {
      for (std::int64_t k = 0; k < n; ++k) step(k, k, k);
    } else {
      for (std::int64_t k = 0; k < n; ++k) step(k * a.stride, k * b.stride, k);
    }
  }
  if constexpr (std::is_same_v<S, std::int64_t>) finish<D>(context, o, n);
}

/// The table entry of one scalar function; select and convert have loops of their own.
template <class D, ScalarFn F, int arity>
constexpr ApplyRow apply_entry() {
  if constexpr (F == ScalarFn::Select)
    return &select_row<D>;
  else if constexpr (F == ScalarFn::Convert)
    return &convert_row<D>;
  else
    return &apply_row<D, F, arity>;
}

template <class D>
constexpr RowTable make_row_table() {
  RowTable table{};
  std::size_t k = 0;
#define SCALAR(Enum, name, arity, Class, Result, Fact) table.apply[k++] = apply_entry<D, ScalarFn::Enum, arity>();
#include "models/body/scalar.def"
#undef SCALAR
  const auto monoid = [&table]<ScalarFn F>(Fn<F>) { table.fold[static_cast<std::size_t>(F)] = &fold_row<D, F>; };
  monoid(Fn<ScalarFn::Add>{});
  monoid(Fn<ScalarFn::Multiply>{});
  monoid(Fn<ScalarFn::Max>{});
  monoid(Fn<ScalarFn::Min>{});
  monoid(Fn<ScalarFn::And>{});
  monoid(Fn<ScalarFn::Or>{});
  monoid(Fn<ScalarFn::Xor>{});
  table.multiply_add = &multiply_add_row<D>;
  return table;
}

}  // namespace gg::numbers
