// The discrete Fourier transform as matrix products over the reals.
#include <algorithm>

#include "models/hlo/complex.h"

namespace gg::hlo {
namespace {

using Dims = std::vector<std::int64_t>;
constexpr ElementType kReal = ElementType::F64, kPlaces = ElementType::S64;

class Transform {
 public:
  explicit Transform(PairEmitter& e) : e_(e) {}

  /// (re, im) along dimension d, forward or backward.
  void turn(Parts& x, std::size_t d, bool forward) {
    const std::int64_t n = e_.type(x.re).dims[d];
    const Parts r = roots(n, n, n);
    const InstructionId rc = along(x.re, r.re, d), rs = along(x.re, r.im, d), ic = along(x.im, r.re, d), is = along(x.im, r.im, d);
    x = {e_.binary(forward ? Op::Add : Op::Subtract, rc, is), e_.binary(forward ? Op::Subtract : Op::Add, ic, rs)};
    if (!forward) x = {scaled(x.re, n), scaled(x.im, n)};
  }

  /// The first n/2 + 1 entries of a real row's transform.
  Parts from_real(InstructionId x) {
    const Dims dims = e_.type(x).dims;
    const Parts r = roots(dims.back(), dims.back(), dims.back() / 2 + 1);
    return {along(x, r.re, dims.size() - 1), e_.unary(Op::Negate, along(x, r.im, dims.size() - 1))};
  }

  /// The real row of n entries whose transform starts with these n/2 + 1.
  InstructionId to_real(Parts x, std::int64_t n) {
    const Dims dims = e_.type(x.re).dims, square{dims.back(), n};
    const Parts r = roots(n, dims.back(), n);
    const InstructionId k = iota(square, 0), twice = e_.binary(Op::Add, k, k);
    const InstructionId first = e_.compare("EQ", k, e_.number(kPlaces, 0, square)), middle = e_.compare("EQ", twice, e_.number(kPlaces, static_cast<double>(n), square));
    const InstructionId weight = e_.add(Op::Select, {e_.binary(Op::Or, first, middle), e_.number(kReal, 1, square), e_.number(kReal, 2, square)}, Type::array(kReal, square));
    const auto part = [&](InstructionId half, InstructionId root) { return along(half, e_.binary(Op::Multiply, weight, root), dims.size() - 1); };
    return scaled(e_.binary(Op::Subtract, part(x.re, r.re), part(x.im, r.im)), n);
  }

 private:
  InstructionId iota(const Dims& dims, std::int64_t d) {
    return e_.add(Op::Iota, {}, Type::array(kPlaces, dims), {Attr::IotaDimension, d});
  }

  InstructionId scaled(InstructionId x, std::int64_t n) { return e_.binary(Op::Divide, x, e_.number(kReal, static_cast<double>(n), e_.type(x).dims)); }

  /// cos and sin of 2 pi j k / n for j < rows, k < columns.
  Parts roots(std::int64_t n, std::int64_t rows, std::int64_t columns) {
    const Dims dims{rows, columns};
    const InstructionId product = e_.binary(Op::Multiply, iota(dims, 0), iota(dims, 1));
    const InstructionId turn = e_.convert(e_.binary(Op::Remainder, product, e_.number(kPlaces, static_cast<double>(n), dims)), kReal);
    const InstructionId pi = e_.binary(Op::Atan2, e_.number(kReal, 0), e_.number(kReal, -1));
    const InstructionId step = e_.binary(Op::Divide, e_.binary(Op::Add, pi, pi), e_.number(kReal, static_cast<double>(n)));
    const InstructionId angle = e_.binary(Op::Multiply, turn, e_.add(Op::Broadcast, {step}, Type::array(kReal, dims), {Attr::BroadcastDims, IntList{}}));
    return {e_.unary(Op::Cosine, angle), e_.unary(Op::Sine, angle)};
  }

  /// x times a matrix over dimension d.
  InstructionId along(InstructionId x, InstructionId matrix, std::size_t d) {
    Dims dims = e_.type(x).dims, order;
    const std::int64_t columns = e_.type(matrix).dims[1];
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(d));
    dims.push_back(columns);
    Attributes contracted;
    contracted.set(Attr::LhsContractingDims, IntList{static_cast<std::int64_t>(d)});
    contracted.set(Attr::RhsContractingDims, IntList{0});
    const InstructionId product = e_.add(Op::Dot, {x, matrix}, Type::array(kReal, dims), std::move(contracted));
    if (d + 1 == dims.size()) return product;
    for (std::size_t k = 0; k + 1 < dims.size(); ++k) order.push_back(static_cast<std::int64_t>(k));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(d), static_cast<std::int64_t>(dims.size()) - 1);
    std::rotate(dims.begin() + static_cast<std::ptrdiff_t>(d), dims.end() - 1, dims.end());
    return e_.add(Op::Transpose, {product}, Type::array(kReal, dims), {Attr::BroadcastDims, std::move(order)});
  }

  PairEmitter& e_;
};

}  // namespace

Parts lower_fft(PairEmitter& e, const std::string& kind, const std::vector<std::int64_t>& lengths, Parts x) {
  const ElementType element = e.type(x.re).element;
  const std::size_t rank = e.type(x.re).dims.size();
  const bool forward = kind == "FFT" || kind == "RFFT", half = kind == "RFFT" || kind == "IRFFT";
  Transform t(e);
  x.re = e.convert(x.re, kReal);
  if (kind == "RFFT") x = t.from_real(x.re);
  else x.im = e.convert(x.im, kReal);
  for (std::size_t d = rank - lengths.size(); d + (half ? 1 : 0) < rank; ++d) t.turn(x, d, forward);
  if (kind == "IRFFT") return {e.convert(t.to_real(x, lengths.back()), element), kNone};
  return {e.convert(x.re, element), e.convert(x.im, element)};
}

}  // namespace gg::hlo
