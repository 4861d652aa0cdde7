// Exact rationals: an int64 fast path in front of Boost's arbitrary precision.
#include "prover/term/rational.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "models/base/check.h"

namespace gg::prover {
namespace {
using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr unsigned kMaxBits = 8192;

struct Entry {
  std::int64_t num = 0, den = 1;
  std::int64_t big = -1;  // index of the big value, or -1
};

struct PairHash {
  std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& p) const {
    return static_cast<std::size_t>(p.first) * 0x9E3779B97F4A7C15ULL ^
           (static_cast<std::size_t>(p.second) * 0xC2B2AE3D27D4EB4FULL + 0x165667B19E3779F9ULL);
  }
};
}  // namespace

struct Rationals::Store {
  std::vector<Entry> entries;
  std::vector<cpp_rational> bigs;
  std::unordered_map<std::pair<std::int64_t, std::int64_t>, std::uint32_t, PairHash> small;
  std::map<cpp_rational, std::uint32_t> large;

  const Entry& at(RatId id) const { return entries[static_cast<std::uint32_t>(id)]; }

  cpp_rational value(RatId id) const {
    const Entry& e = at(id);
    return e.big >= 0 ? bigs[static_cast<std::size_t>(e.big)] : cpp_rational(e.num, e.den);
  }

  RatId put_small(std::int64_t num, std::int64_t den) {
    const auto [it, fresh] = small.try_emplace({num, den}, static_cast<std::uint32_t>(entries.size()));
    if (fresh) entries.push_back({num, den, -1});
    return static_cast<RatId>(it->second);
  }

  RatId put(const cpp_rational& v) {
    const cpp_int num = numerator(v), den = denominator(v);
    const cpp_int limit = std::numeric_limits<std::int64_t>::max();
    if (abs(num) <= limit && den <= limit)
      return put_small(static_cast<std::int64_t>(num), static_cast<std::int64_t>(den));
    if (msb(abs(num)) > kMaxBits || msb(den) > kMaxBits) throw TermLimit("rational number too large");
    const auto [it, fresh] = large.try_emplace(v, static_cast<std::uint32_t>(entries.size()));
    if (fresh) {
      entries.push_back({0, 1, static_cast<std::int64_t>(bigs.size())});
      bigs.push_back(v);
    }
    return static_cast<RatId>(it->second);
  }
};

Rationals::Rationals() : store_(std::make_unique<Store>()) {
  store_->put_small(0, 1);
  store_->put_small(1, 1);
}
Rationals::~Rationals() = default;

RatId Rationals::of(std::int64_t numerator, std::int64_t denominator) {
  GG_CHECK(denominator != 0, "rational with denominator 0");
  if (numerator == std::numeric_limits<std::int64_t>::min() || denominator == std::numeric_limits<std::int64_t>::min())
    return store_->put(cpp_rational(cpp_int(numerator), cpp_int(denominator)));
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const std::int64_t g = std::gcd(numerator, denominator);
  return store_->put_small(numerator / g, denominator / g);
}

RatId Rationals::of_double(double value) {
  GG_CHECK(std::isfinite(value), "rational of a number that is not finite");
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  const auto digits = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
  exponent -= 53;
  const cpp_int power = cpp_int(1) << static_cast<unsigned>(std::abs(exponent));
  return store_->put(exponent >= 0 ? cpp_rational(digits * power) : cpp_rational(digits, power));
}

RatId Rationals::add(RatId a, RatId b) {
  if (a == RatId::Zero) return b;
  if (b == RatId::Zero) return a;
  const Entry x = store_->at(a), y = store_->at(b);
  if (x.big < 0 && y.big < 0) {
    std::int64_t p = 0, q = 0, s = 0, d = 0;
    if (!__builtin_mul_overflow(x.num, y.den, &p) && !__builtin_mul_overflow(y.num, x.den, &q) &&
        !__builtin_add_overflow(p, q, &s) && !__builtin_mul_overflow(x.den, y.den, &d))
      return of(s, d);
  }
  return store_->put(store_->value(a) + store_->value(b));
}

RatId Rationals::mul(RatId a, RatId b) {
  if (a == RatId::One) return b;
  if (b == RatId::One) return a;
  const Entry x = store_->at(a), y = store_->at(b);
  if (x.big < 0 && y.big < 0) {
    std::int64_t n = 0, d = 0;
    if (!__builtin_mul_overflow(x.num, y.num, &n) && !__builtin_mul_overflow(x.den, y.den, &d)) return of(n, d);
  }
  return store_->put(store_->value(a) * store_->value(b));
}

RatId Rationals::neg(RatId a) { return mul(of(-1), a); }

RatId Rationals::inv(RatId a) {
  GG_CHECK(a != RatId::Zero, "inverse of zero");
  const Entry x = store_->at(a);
  if (x.big < 0) return of(x.den, x.num);
  return store_->put(1 / store_->value(a));
}

RatId Rationals::pow(RatId a, std::int64_t n) {
  if (n < 0) return pow(inv(a), -n);
  RatId result = RatId::One, base = a;
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = mul(result, base);
    if (n > 1) base = mul(base, base);
  }
  return result;
}

std::optional<RatId> Rationals::root(RatId a, std::int64_t k) {
  if (sign(a) < 0 || k < 1) return std::nullopt;
  if (a == RatId::Zero || a == RatId::One || k == 1) return a;
  if (k != 2) return std::nullopt;
  const cpp_rational v = store_->value(a);
  const cpp_int n = sqrt(numerator(v)), d = sqrt(denominator(v));
  if (n * n != numerator(v) || d * d != denominator(v)) return std::nullopt;
  return store_->put(cpp_rational(n, d));
}

int Rationals::sign(RatId a) const {
  const Entry& x = store_->at(a);
  if (x.big < 0) return x.num > 0 ? 1 : x.num < 0 ? -1
                                                  : 0;
  return store_->bigs[static_cast<std::size_t>(x.big)].sign();
}

bool Rationals::long_to_write(RatId a) const {
  constexpr unsigned kBits = 512;
  const Entry& e = store_->at(a);
  if (e.big < 0) return false;
  const cpp_rational& value = store_->bigs[static_cast<std::size_t>(e.big)];
  return msb(abs(numerator(value))) >= kBits || msb(denominator(value)) >= kBits;
}

int Rationals::compare(RatId a, RatId b) const {
  if (a == b) return 0;
  const Entry &x = store_->at(a), &y = store_->at(b);
  if (x.big < 0 && y.big < 0 && x.den == y.den) return x.num < y.num ? -1 : 1;
  return store_->value(a).compare(store_->value(b)) < 0 ? -1 : 1;
}

bool Rationals::is_integer(RatId a) const {
  const Entry& x = store_->at(a);
  return x.big < 0 ? x.den == 1 : denominator(store_->bigs[static_cast<std::size_t>(x.big)]) == 1;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Rationals::fraction(RatId a) const {
  const Entry& x = store_->at(a);
  if (x.big >= 0) return std::nullopt;
  return std::pair{x.num, x.den};
}

std::optional<std::int64_t> Rationals::integer(RatId a) const {
  const Entry& x = store_->at(a);
  if (x.big >= 0 || x.den != 1) return std::nullopt;
  return x.num;
}

double Rationals::approximate(RatId a) const { return store_->value(a).convert_to<double>(); }

std::string Rationals::text(RatId a) const {
  const Entry& x = store_->at(a);
  if (x.big >= 0) return store_->bigs[static_cast<std::size_t>(x.big)].str();
  return x.den == 1 ? std::to_string(x.num) : std::to_string(x.num) + "/" + std::to_string(x.den);
}

}  // namespace gg::prover
