// The discrete Fourier transform as matrix products over the reals.
#include "models/hlo/complex.h"

namespace gg::hlo {
namespace {

struct Shape {
  std::string element;
  std::vector<long> dims;
};

Shape shape_of(const std::string& type) {
  Shape shape{type.substr(0, type.find('[')), {}};
  const auto open = type.find('['), close = type.find(']');
  for (std::size_t at = open + 1; at < close;) {
    const auto end = std::min(type.find(',', at), close);
    shape.dims.push_back(std::stol(type.substr(at, end - at)));
    at = end + 1;
  }
  return shape;
}

std::string type_of(const std::string& element, const std::vector<long>& dims) {
  std::string text;
  for (const long n : dims) text += (text.empty() ? "" : ",") + std::to_string(n);
  return element + "[" + text + "]";
}

/// cos and sin of 2 pi j k / n for j < rows, k < columns.
struct Roots {
  std::string cos, sin;
};

class Transform {
 public:
  Transform(PairWriter& writer, const Shape& shape) : w_(writer), dims_(shape.dims) {}

  std::string constant(double value, const std::vector<long>& dims) {
    std::string text = std::to_string(static_cast<long>(value));
    const std::string scalar = w_.add("f64[]", "constant(" + text + ")");
    return w_.add(type_of("f64", dims), "broadcast(" + scalar + "), dimensions={}");
  }

  Roots roots(long n, long rows, long columns) {
    const std::string whole = type_of("s64", {rows, columns}), real = type_of("f64", {rows, columns});
    const std::string j = w_.add(whole, "iota(), iota_dimension=0"), k = w_.add(whole, "iota(), iota_dimension=1");
    const std::string scalar = w_.add("s64[]", "constant(" + std::to_string(n) + ")");
    const std::string modulus = w_.add(whole, "broadcast(" + scalar + "), dimensions={}");
    const std::string product = w_.add(whole, "multiply(" + j + ", " + k + ")");
    const std::string turn = w_.add(real, "convert(" + w_.add(whole, "remainder(" + product + ", " + modulus + ")") + ")");
    const std::string zero = w_.add("f64[]", "constant(0)"), minus = w_.add("f64[]", "constant(-1)");
    const std::string pi = w_.add("f64[]", "atan2(" + zero + ", " + minus + ")"), two = w_.add("f64[]", "add(" + pi + ", " + pi + ")");
    const std::string count = w_.add("f64[]", "constant(" + std::to_string(n) + ")");
    const std::string step = w_.add(real, "broadcast(" + w_.add("f64[]", "divide(" + two + ", " + count + ")") + "), dimensions={}");
    const std::string angle = w_.add(real, "multiply(" + turn + ", " + step + ")");
    return {w_.add(real, "cosine(" + angle + ")"), w_.add(real, "sine(" + angle + ")")};
  }

  /// x times a matrix over dimension d, which has `columns` entries afterwards.
  std::string along(const std::string& x, const std::string& matrix, std::size_t d, long columns) const {
    std::vector<long> out;
    for (std::size_t k = 0; k < dims_.size(); ++k) {
      if (k != d) out.push_back(dims_[k]);
    }
    out.push_back(columns);
    const std::string product = w_.add(type_of("f64", out), "dot(" + x + ", " + matrix + "), lhs_contracting_dims={" + std::to_string(d) +
                                                                "}, rhs_contracting_dims={0}");
    if (d + 1 == dims_.size()) return product;
    std::string order;
    std::vector<long> moved = dims_;
    moved[d] = columns;
    for (std::size_t k = 0; k < dims_.size(); ++k) {
      const std::size_t from = k < d ? k : k == d ? dims_.size() - 1
                                                  : k - 1;
      order += (k == 0 ? "" : ",") + std::to_string(from);
    }
    return w_.add(type_of("f64", moved), "transpose(" + product + "), dimensions={" + order + "}");
  }

  std::string binary(const char* op, const std::string& a, const std::string& b) const {
    return w_.add(type(), std::string(op) + "(" + a + ", " + b + ")");
  }

  /// (re, im) along dimension d of n entries, forward or backward.
  void turn(std::string& re, std::string& im, std::size_t d, bool forward) {
    const long n = dims_[d];
    const Roots r = roots(n, n, n);
    const std::string rc = along(re, r.cos, d, n), rs = along(re, r.sin, d, n), ic = along(im, r.cos, d, n), is = along(im, r.sin, d, n);
    re = binary(forward ? "add" : "subtract", rc, is);
    im = binary(forward ? "subtract" : "add", ic, rs);
    if (forward) return;
    re = binary("divide", re, constant(static_cast<double>(n), dims_));
    im = binary("divide", im, constant(static_cast<double>(n), dims_));
  }

  /// The first n/2 + 1 entries of a real row's transform.
  void from_real(const std::string& x, std::string& re, std::string& im) {
    const std::size_t d = dims_.size() - 1;
    const long n = dims_[d], columns = n / 2 + 1;
    const Roots r = roots(n, n, columns);
    re = along(x, r.cos, d, columns);
    const std::string negative = along(x, r.sin, d, columns);
    dims_[d] = columns;
    im = w_.add(type(), "negate(" + negative + ")");
  }

  /// The real row of n entries whose transform starts with these n/2 + 1.
  std::string to_real(const std::string& re, const std::string& im, long n) {
    const std::size_t d = dims_.size() - 1;
    const long rows = dims_[d];
    const Roots r = roots(n, rows, n);
    const std::string whole = type_of("s64", {rows, n}), real = type_of("f64", {rows, n}), flags = type_of("pred", {rows, n});
    const std::string k = w_.add(whole, "iota(), iota_dimension=0"), twice = w_.add(whole, "add(" + k + ", " + k + ")");
    const std::string zero = w_.add(whole, "broadcast(" + w_.add("s64[]", "constant(0)") + "), dimensions={}");
    const std::string length = w_.add(whole, "broadcast(" + w_.add("s64[]", "constant(" + std::to_string(n) + ")") + "), dimensions={}");
    const std::string first = w_.add(flags, "compare(" + k + ", " + zero + "), direction=EQ");
    const std::string middle = w_.add(flags, "compare(" + twice + ", " + length + "), direction=EQ");
    const std::string once = w_.add(flags, "or(" + first + ", " + middle + ")");
    const std::string weight = w_.add(real, "select(" + once + ", " + constant(1, {rows, n}) + ", " + constant(2, {rows, n}) + ")");
    const std::string cos = w_.add(real, "multiply(" + weight + ", " + r.cos + ")"), sin = w_.add(real, "multiply(" + weight + ", " + r.sin + ")");
    const std::string a = along(re, cos, d, n), b = along(im, sin, d, n);
    dims_[d] = n;
    return binary("divide", binary("subtract", a, b), constant(static_cast<double>(n), dims_));
  }

  std::string type() const { return type_of("f64", dims_); }
  std::string as(const std::string& element) const { return type_of(element, dims_); }

 private:
  PairWriter& w_;
  std::vector<long> dims_;
};

}  // namespace

ComplexParts lower_fft(PairWriter& writer, const std::string& kind, const std::vector<long>& lengths, ComplexParts x) {
  const Shape shape = shape_of(x.type);
  Transform t(writer, shape);
  std::string re = writer.add(t.type(), "convert(" + x.re + ")");
  std::string im = x.im.empty() ? "" : writer.add(t.type(), "convert(" + x.im + ")");
  const std::size_t last = shape.dims.size() - 1, first = shape.dims.size() - lengths.size();
  const bool forward = kind == "FFT" || kind == "RFFT";
  if (kind == "RFFT") t.from_real(std::string(re), re, im);
  for (std::size_t d = first; d < shape.dims.size(); ++d) {
    if (d == last && (kind == "RFFT" || kind == "IRFFT")) continue;
    t.turn(re, im, d, forward);
  }
  if (kind == "IRFFT") re = t.to_real(re, im, lengths.back()), im.clear();
  ComplexParts result{writer.add(t.as(shape.element), "convert(" + re + ")"), "", t.as(shape.element)};
  if (!im.empty()) result.im = writer.add(t.as(shape.element), "convert(" + im + ")");
  return result;
}

}  // namespace gg::hlo
