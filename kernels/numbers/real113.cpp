// The 113-bit real numbers: one of the two files that include Boost.Multiprecision.
#include "kernels/numbers/fast113.h"
#include "kernels/numbers/real_domain.h"

namespace gg {

template struct RealOps<Real113>;

namespace numbers {
namespace {

/// The domain of sums and products: the general one where the fast functions decline.
struct FastDomain {
  using Stored = Real113;
  using Value = Fast113;
  static constexpr bool kFast = false;
  using General = RealDomain<Real113>;

  explicit FastDomain(const RowContext& context) : general(context) {}
  General general;

  static Value load(const Real113& value) { return Fast113::load(value); }
  static void store(Real113& out, const Value& value) { Fast113::store(out, value); }
  static const Value& settle(const Value& value) { return value; }

  template <ScalarFn F>
  Value slow(Fn<F> fn, const Value& a, const Value& b) const {
    Real113 p, q, out;
    store(p, a);
    store(q, b);
    General::store(out, general(fn, General::load(p), General::load(q)));
    return load(out);
  }
  Value operator()(Fn<ScalarFn::Add> fn, const Value& a, const Value& b) const {
    Value out;
    return fast_add(a, b, out) ? out : slow(fn, a, b);
  }
  Value operator()(Fn<ScalarFn::Subtract> fn, const Value& a, const Value& b) const {
    Value out, negative = b;
    if (b.finite_nonzero()) negative.sign ^= 1U;
    return b.exponent <= kStoredZero && fast_add(a, negative, out) ? out : slow(fn, a, b);
  }
  Value operator()(Fn<ScalarFn::Multiply> fn, const Value& a, const Value& b) const {
    Value out;
    return fast_multiply(a, b, out) ? out : slow(fn, a, b);
  }
};

constexpr std::size_t at(ScalarFn fn) { return static_cast<std::size_t>(fn); }

constexpr RowTable make_table() {
  RowTable table = make_row_table<RealDomain<Real113>>();
  table.apply[at(ScalarFn::Add)] = &apply_row<FastDomain, ScalarFn::Add, 2>;
  table.apply[at(ScalarFn::Subtract)] = &apply_row<FastDomain, ScalarFn::Subtract, 2>;
  table.apply[at(ScalarFn::Multiply)] = &apply_row<FastDomain, ScalarFn::Multiply, 2>;
  table.fold[at(ScalarFn::Add)] = &fold_row<FastDomain, ScalarFn::Add>;
  table.fold[at(ScalarFn::Multiply)] = &fold_row<FastDomain, ScalarFn::Multiply>;
  table.multiply_add = &multiply_add_row<FastDomain>;
  return table;
}

constexpr RowTable kTable = make_table();

}  // namespace

const RowTable& real113_rows() { return kTable; }

}  // namespace numbers
}  // namespace gg
