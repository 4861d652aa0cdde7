#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <set>

#include "models/hlo/print_values.h"
#include "runtime/shapes/float_context.h"
#include "runtime/shapes/readings.h"

namespace gg {
namespace {

constexpr std::size_t kPlainDigits = 3;  ///< 0.05, 0.01, 0.125: what somebody chose, though 1/20, 1/100 and 1/8 may be sizes

/// How a literal is made of a number n of elements: share * n^power.
struct FloatReading {
  double power = 1, share = 1;
  std::int64_t constant = 1;  ///< of n = constant * product of sizes
  std::vector<SizeVar> sizes;
};

/// Forms that a context allows.
struct Form {
  FloatContext::Kind kind;
  bool divides;
  double power;
  bool shared;  ///< a plain decimal divided by n: the share of one of n classes
};

using Kind = FloatContext::Kind;
constexpr Form kForms[] = {
    {Kind::Sum, true, 1, false},
    {Kind::Sum, true, 0.5, false},
    {Kind::Sum, false, -1, false},
    {Kind::Sum, false, -0.5, false},
    {Kind::Dot, true, 1, false},
    {Kind::Dot, true, 0.5, false},
    {Kind::Dot, false, -1, false},
    {Kind::Dot, false, -0.5, false},
    {Kind::Places, true, 1, false},
    {Kind::Places, false, -1, false},
    {Kind::Ranks, true, 1, false},
    {Kind::Ranks, false, -1, false},
    {Kind::Spread, true, 1, false},
    {Kind::Spread, false, -1, false},
    {Kind::LaterSum, false, -1, false},
    {Kind::LaterSum, false, -1, true},
    {Kind::LaterDot, false, -1, false},
    {Kind::LaterDot, false, -0.5, false},
};

bool is_near(ElementType type, double value, double literal) {
  if (round_to(type, value) == literal) return true;
  const bool fine = type == ElementType::F32 || type == ElementType::F64;  // by one rounding: computed in another order
  return fine && std::abs(value - literal) <= std::abs(literal) * 0x1p-22;
}

std::string spelled(const Scalar& scalar) { return hlo::print_literal({Type::array(scalar.type, {}), {scalar}}, false); }

/// Significant digits of the shortest spelling.
std::size_t digits(const Scalar& scalar) {
  std::string text;
  for (const char c : spelled(scalar)) {
    if (c == 'e') break;
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) text += c;
  }
  const auto first = text.find_first_not_of('0');
  return first == std::string::npos ? 0 : text.find_last_not_of('0') - first + 1;
}

/// Does no size change it? 0, and what halves and doubles.
bool is_small(double value) {
  const double v = std::abs(value);
  return !std::isfinite(v) || v == 0 || v == 0.5 || v == 1 || v == 2;
}

/// The literals of one program.
class FloatReader {
 public:
  FloatReader(const Constraints& all, std::size_t side, std::int64_t ranks)
      : all_(all), contexts_(all, side), program_(all.programs[side]), module_(program_.module()), side_(side), ranks_(ranks) {
    for (SizeVar v = 0; v < all.sizes.count(); ++v) {
      if (all.sizes.root(v) == v && all.sizes.reduced(v) != all.sizes.size(v)) open_.insert(all.sizes.size(v));
    }
  }

  /// Why it cannot be done; "" if it can.
  std::string run(LiteralPlan& plan) {
    plan.float_literals[side_] = contexts_.literals();
    for (InstructionId user = 0; user < module_.size(); ++user) {
      if (contexts_.literal(user) != kNone) continue;
      for (std::uint32_t k = 0; k < module_.operands(user).size(); ++k) {
        if (auto problem = use(user, k, plan); !problem.empty()) return problem;
      }
    }
    return "";
  }

 private:
  const SizeSystem& sizes() const { return all_.sizes; }

  std::string use(InstructionId user, std::uint32_t operand, LiteralPlan& plan) {
    const InstructionId source = module_.operands(user)[operand], constant = contexts_.literal(source);
    if (constant == kNone) return "";
    plan.float_uses.push_back({static_cast<std::uint8_t>(side_), user, operand, source, 0});
    const Scalar& literal = module_.attributes(constant).literal().values.front();
    if (is_small(literal.real)) return "";
    const std::string name = std::string(side_ == 0 ? "sequential" : "distributed") + " %" + std::string(module_.name_of(constant)) + " (" +
                             spelled(literal) + ")";
    const std::vector<FloatReading> readings = read(literal, user, operand);
    if (readings.size() > 1) return name + " has two readings";
    if (readings.empty()) return of_one_size(literal) ? name + " has the value of a size, and nothing around it says which" : "";
    const FloatReading& reading = readings.front();
    if (reading.power < 0 && digits(literal) <= kPlainDigits && !fixed(reading)) return name + " may be a number that somebody chose, or made of a size";
    double n = static_cast<double>(reading.constant);
    for (const SizeVar v : reading.sizes) n *= static_cast<double>(sizes().reduced(v));
    const double value = round_to(literal.type, std::copysign(reading.share * std::pow(n, reading.power), literal.real));
    if (fixed(reading) || value == literal.real) return "";
    const std::size_t count = module_.attributes(constant).literal().values.size();
    plan.values[{static_cast<std::uint8_t>(side_), user, operand}] = std::vector<std::int64_t>(count, std::bit_cast<std::int64_t>(value));
    const std::string text = name + " -> " + spelled(Scalar::of(literal.type, value));
    if (std::find(plan.text.begin(), plan.text.end(), text) == plan.text.end()) plan.text.push_back(text);
    return "";
  }

  /// Made of sizes that stay.
  bool fixed(const FloatReading& reading) const { return sizes().free_grains_of(reading.sizes).empty(); }

  /// All readings that give different values at other sizes.
  std::vector<FloatReading> read(const Scalar& literal, InstructionId user, std::uint32_t operand) const {
    std::vector<FloatReading> readings;
    const auto contexts = contexts_.of(user, operand);
    // A divisor is what the sum above it says; that it is spread counts only where there is none.
    for (const bool spread_divisors : {false, true}) {
      if (spread_divisors && !readings.empty()) break;
      for (const FloatContext& context : contexts) {
        if ((context.divides && context.kind == Kind::Spread) != spread_divisors) continue;
        for (const Form& form : kForms) {
          if (form.kind != context.kind || form.divides != context.divides) continue;
          const auto reading = match(literal, context, form);
          if (!reading) continue;
          const auto same = [&](const FloatReading& known) {
            if (fixed(known) && fixed(*reading)) return true;
            return known.power == reading->power && sizes().free_grains_of(known.sizes) == sizes().free_grains_of(reading->sizes);
          };
          if (std::none_of(readings.begin(), readings.end(), same)) readings.push_back(*reading);
        }
      }
    }
    return readings;
  }

  std::optional<FloatReading> match(const Scalar& literal, const FloatContext& context, const Form& form) const {
    double product = static_cast<double>(context.size.constant);
    for (const SizeVar v : context.size.sizes) product *= static_cast<double>(sizes().size(v));
    const double value = std::abs(literal.real);
    for (const std::int64_t k : rank_factors(context, form.power)) {
      const double n = product * static_cast<double>(k);
      if (n < 3) continue;
      const FloatReading reading{form.power, form.shared ? plain_share(value * n) : 1, k * context.size.constant, context.size.sizes};
      if (reading.share > 0 && is_near(literal.type, reading.share * std::pow(n, form.power), value)) return reading;
    }
    return std::nullopt;
  }

  /// How many ranks may hold other parts of what is counted: the elements of one rank, those that a sum over ranks adds, and
  /// those of the whole dimensions of which the rank's are shards. Sizes of one or two say nothing: any, but not under roots.
  std::set<std::int64_t> rank_factors(const FloatContext& context, double power) const {
    if (context.kind == Kind::Ranks) return {1};
    std::set<std::int64_t> factors = {1, context.size.summed_ranks};
    for (std::int64_t k = 2; context.size.has_small && std::abs(power) == 1 && k <= ranks_; ++k) factors.insert(k);
    for (const SizeVar v : context.size.sizes) {
      const std::set<std::int64_t> given = factors;
      for (const SizeVar whole : sizes().relatives(v)) {
        const std::int64_t ratio = sizes().size(whole) / std::max<std::int64_t>(sizes().size(v), 1);
        if (sizes().size(whole) != ratio * sizes().size(v)) continue;
        for (const std::int64_t k : given) factors.insert(k * ratio);
      }
    }
    std::erase_if(factors, [&](std::int64_t k) { return k == 0 || ranks_ % k != 0; });
    return factors;
  }

  /// 0.1, 0.02: the decimal of one digit that this is nearly; 0 if none. A half is no share: powers of two are made of it.
  static double plain_share(double value) {
    if (!(value > 0 && value < 0.95)) return 0;
    double places = std::floor(-std::log10(value)) + 1, digit = std::round(value * std::pow(10.0, places));
    if (digit == 10) digit = 1, --places;
    return places == 1 && digit == 5 ? 0 : digit / std::pow(10.0, places);
  }

  /// May the literal be one size that changes, or its inverse, or a root of it?
  bool of_one_size(const Scalar& literal) const {
    const double value = std::abs(literal.real);
    const bool plain = digits(literal) <= kPlainDigits;
    return std::any_of(open_.begin(), open_.end(), [&](std::int64_t size) {
      const double n = static_cast<double>(size), root = std::sqrt(n);
      if (value == n || (!plain && is_near(literal.type, 1 / n, value))) return true;
      return root != std::floor(root) && (is_near(literal.type, root, value) || is_near(literal.type, 1 / root, value));
    });
  }

  const Constraints& all_;
  FloatContexts contexts_;
  const ProgramSizes& program_;
  const Module& module_;
  std::size_t side_;
  std::int64_t ranks_;
  std::set<std::int64_t> open_;  ///< sizes that change
};

}  // namespace

std::string plan_floats(const Constraints& all, std::int64_t ranks, LiteralPlan& plan) {
  LiteralPlan extended = plan;
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string problem = FloatReader(all, side, side == 0 ? 1 : ranks).run(extended);
    if (!problem.empty()) return problem;
  }
  plan = std::move(extended);
  return "";
}

}  // namespace gg
