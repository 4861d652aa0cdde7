#include "runtime/met.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "models/body/reads.h"
#include "models/ir/finite_tests.h"
#include "models/ir/flatten.h"
#include "models/ir/kinds.h"
#include "models/ir/mask_shift.h"

namespace gg {
namespace {

constexpr std::size_t kMostTargets = 24;    ///< of one value
constexpr std::size_t kMostNumbers = 8;     ///< that a value is which hangs on no input
constexpr std::size_t kMostLiteral = 4096;  ///< elements of a constant that are looked at
constexpr double kLargest = 0x1p100, kLargestInteger = 0x1p62;

using Numbers = std::set<double>;

/// The least and the largest stand for many.
void bound(Numbers& numbers) {
  if (numbers.size() > kMostNumbers) numbers = {*numbers.begin(), *numbers.rbegin()};
}

/// One program. Only the first leaf of each value is followed.
class Program {
 public:
  Program(const Module& module, std::int64_t ranks) : module_(module), ranks_(ranks), flat_(flatten(module)), given_(flat_.nodes.size()), targets_(flat_.nodes.size()) {
    for (std::size_t node = 0; node < flat_.nodes.size(); ++node) given_[node] = numbers_of(node);
    for (std::size_t node = flat_.nodes.size(); node-- > 0;) hand_back(node);
  }

  /// Of a parameter's leaf.
  const Numbers& of_leaf(std::size_t leaf) const {
    static const Numbers kNone;
    return flat_.inputs[leaf].leaf == 0 ? targets_[flat_.inputs[leaf].node] : kNone;
  }

 private:
  InstructionId at(std::size_t node) const { return flat_.nodes[node].instruction; }
  Op op(std::size_t node) const { return module_[at(node)].op; }
  std::span<const FlatValue> operands(std::size_t node) const { return flat_.operands(flat_.nodes[node]); }
  std::optional<Numbers> given(FlatValue v) const { return v.leaf == 0 ? given_[v.node] : std::nullopt; }
  std::optional<ScalarFn> function(std::size_t node) const { return scalar_of(op(node), module_.attributes(at(node))); }

  /// The operands whose elements a move hands on.
  std::span<const FlatValue> moved(std::size_t node) const {
    const auto all = operands(node);
    if (!moves_elements(op(node)) && !converts(op(node))) return {};
    return takes_part(op(node)) || places_block(op(node)) ? all.first(std::min<std::size_t>(all.size(), 1)) : all;
  }

  /// What a value is that hangs on no input; of many the least and the largest.
  std::optional<Numbers> numbers_of(std::size_t node) const {
    const InstructionId id = at(node);
    const Type& type = module_.type(id);
    if (!type.is_array() || type.element == ElementType::Pred) return std::nullopt;
    if (has_values(module_, id)) return of_literal(module_.attributes(id).literal());
    if (is_count(module_, id)) return Numbers{0, static_cast<double>(type.dims[static_cast<std::size_t>(module_.attributes(id).integer(Attr::IotaDimension))] - 1)};
    if (rank_number(op(node), 0, {})) return Numbers{0, static_cast<double>(ranks_ - 1)};
    const auto function = this->function(node);
    std::span<const FlatValue> read = moved(node);
    if (read.empty() && function) read = operands(node).subspan(*function == ScalarFn::Select ? 1 : 0);
    if (read.empty()) return std::nullopt;
    Numbers all;
    for (const FlatValue v : read) {
      const auto one = given(v);
      if (!one) return std::nullopt;
      all.insert(one->begin(), one->end());
    }
    if (function && read.size() == 1 && *function != ScalarFn::Convert) return std::nullopt;
    if (function && read.size() == 2 && *function != ScalarFn::Select && !combine(*function, *given(read[0]), *given(read[1]), all)) return std::nullopt;
    bound(all);
    return all;
  }

  static bool combine(ScalarFn function, const Numbers& a, const Numbers& b, Numbers& out) {
    out.clear();
    for (const double x : a) {
      for (const double y : b) {
        if (function == ScalarFn::Add) out.insert(x + y);
        else if (function == ScalarFn::Subtract) out.insert(x - y);
        else if (function == ScalarFn::Multiply) out.insert(x * y);
        else if (function == ScalarFn::Max) out.insert(std::max(x, y));
        else if (function == ScalarFn::Min) out.insert(std::min(x, y));
        else return false;
      }
    }
    return true;
  }

  static std::optional<Numbers> of_literal(const ConstantArray& literal) {
    if (literal.values.empty() || literal.values.size() > kMostLiteral) return std::nullopt;
    Numbers all;
    for (const Scalar& s : literal.values) all.insert(is_float(s.type) ? s.real : static_cast<double>(s.integer));
    if (std::any_of(all.begin(), all.end(), [](double x) { return !std::isfinite(x); })) return std::nullopt;
    bound(all);
    return all;
  }

  void aim(FlatValue v, double target) {
    if (v.leaf != 0 || given_[v.node] || !std::isfinite(target) || std::abs(target) > kLargest) return;
    Numbers& targets = targets_[v.node];
    const Type& type = module_.type(at(v.node));
    if (type.is_array() && is_integral(type.element) && std::abs(target) < kLargestInteger && target == std::floor(target)) target = static_cast<double>(wrap_to(type.element, static_cast<std::int64_t>(target)));
    if (targets.size() < kMostTargets) targets.insert(target + 0.0);
  }

  /// What the operands must be for the result to be one of its targets.
  void hand_back(std::size_t node) {
    const auto read = operands(node);
    const auto function = this->function(node);
    const bool compares = is_comparison(module_, at(node));
    if ((compares || function == ScalarFn::Max || function == ScalarFn::Min) && read.size() == 2) meet(read);
    if (compares) return;
    const bool exchanges = info(op(node)).traits == OpTraits::Collective && !combines_ranks(op(node)) && read.size() == 1;
    const bool whole = makes_integers(module_, at(node));
    const bool halves = function == ScalarFn::RoundAfz || function == ScalarFn::RoundEven;
    if (whole || rounds_to_integers(op(node))) {
      for (const double step : {1.0, 2.0, 3.0, -1.0}) aim(read[0], halves ? step - 0.5 : step);
    }
    const auto bits = [&](std::size_t n) { return module_.type(at(n)).is_array() && is_integral(module_.type(at(n)).element) ? info(module_.type(at(n)).element).bits : 0; };
    const bool narrows = function == ScalarFn::Convert && bits(node) > 1 && bits(node) < bits(read[0].node);
    for (const double target : targets_[node]) {
      for (const FlatValue v : exchanges ? read : moved(node)) {
        aim(v, target);
        if (whole) aim(v, target + 1);
        if (narrows) aim(v, target + std::ldexp(1, bits(node)));
      }
      if (function && *function != ScalarFn::Convert) inverse(*function, read, target);
      if (!read.empty()) unreduce(node, read[0], target);
    }
  }

  /// One of two numbers is known: the other is that one, or lies to either side of it.
  void meet(std::span<const FlatValue> read) {
    for (std::size_t k = 0; k < 2; ++k) {
      const auto other = given(read[1 - k]);
      const bool whole = is_integral(module_.type(at(read[k].node)).element);
      for (const double number : other.value_or(Numbers())) {
        const double size = std::abs(number), beside = whole ? 1 : size < 1 && size != 0 ? size / 2
                                                                                         : std::max(1.0, size) / 4;
        for (const double target : {number, number + beside, number - beside}) aim(read[k], target);
      }
    }
  }

  /// What all elements that are combined must be, or one of them beside others that change nothing.
  void unreduce(std::size_t node, FlatValue operand, double target) {
    const auto how = reducer(module_, at(node));
    if (how && chooses(*how)) aim(operand, target);
    if (!how || term_sign(*how) != 1 || !module_.type(at(node)).is_array() || !module_.type(at(operand.node)).is_array()) return;
    const auto count = static_cast<double>(std::max<std::int64_t>(1, module_.type(at(node)).count()));
    const double summands = combines_ranks(op(node)) ? static_cast<double>(ranks_) : static_cast<double>(module_.type(at(operand.node)).count()) / count;
    if (summands >= 1) aim(operand, target / summands);
  }

  void inverse(ScalarFn function, std::span<const FlatValue> read, double target) {
    if (function == ScalarFn::Select) {
      for (const FlatValue v : read.subspan(1)) aim(v, target);
    } else if (read.size() == 1) {
      for (const double x : of_one(function, target)) aim(read[0], x);
    } else if (read.size() == 2 && read[0] == read[1] && function == ScalarFn::Multiply) {
      for (const double x : {std::sqrt(target), -std::sqrt(target)}) aim(read[0], x);
    } else {
      for (std::size_t k = 0; k < read.size() && read.size() == 2; ++k) {
        const auto other = given(read[1 - k]);
        for (const double y : other.value_or(Numbers())) {
          for (const double x : of_two(function, k, y, target)) aim(read[k], x);
        }
      }
    }
  }

  static std::vector<double> of_one(ScalarFn function, double t) {
    switch (function) {
      case ScalarFn::Negate: return {-t};
      case ScalarFn::Not: return {-1 - t};
      case ScalarFn::Abs: return {t, -t};
      case ScalarFn::Floor: return {t, t + 1};
      case ScalarFn::Ceil: return {t, t - 1};
      case ScalarFn::RoundAfz:
      case ScalarFn::RoundEven: return {t - 0.5, t + 0.5};
      case ScalarFn::Sqrt: return {t * t};
      case ScalarFn::Exp: return {std::log(t)};
      case ScalarFn::Log: return {std::exp(t)};
      default: return {};
    }
  }

  /// The other operand, the k-th is asked for, is y.
  static std::vector<double> of_two(ScalarFn function, std::size_t k, double y, double t) {
    switch (function) {
      case ScalarFn::Add: return {t - y};
      case ScalarFn::Subtract: return {k == 0 ? t + y : y - t};
      case ScalarFn::Multiply: return {t / y};
      case ScalarFn::Divide: return {k == 0 ? t * y : y / t};
      case ScalarFn::Remainder: return k == 0 ? std::vector<double>{t, t + y, t - y} : std::vector<double>();
      case ScalarFn::Xor: return std::max(std::abs(y), std::abs(t)) < kLargestInteger ? std::vector<double>{static_cast<double>(static_cast<std::int64_t>(y) ^ static_cast<std::int64_t>(t))} : std::vector<double>();
      case ScalarFn::Or: return {t, t - y};
      case ScalarFn::And: return {t, t + y + 1};
      case ScalarFn::ShiftRightA:
      case ScalarFn::ShiftRightL: return k == 0 ? std::vector<double>{std::ldexp(t, static_cast<int>(std::clamp(y, 0.0, 64.0)))} : std::vector<double>();
      case ScalarFn::ShiftLeft: return k == 0 ? std::vector<double>{std::ldexp(t, -static_cast<int>(std::clamp(y, 0.0, 64.0)))} : std::vector<double>();
      case ScalarFn::Max:
      case ScalarFn::Min: return {t};
      case ScalarFn::Power: return k == 0 ? std::vector<double>{std::pow(t, 1 / y), -std::pow(t, 1 / y)} : std::vector<double>();
      default: return {};
    }
  }

  const Module& module_;
  std::int64_t ranks_;
  FlatProgram flat_;
  std::vector<std::optional<Numbers>> given_;  ///< by node
  std::vector<Numbers> targets_;               ///< by node
};

/// Can the input be this number?
bool takes(const FreeInput& input, double x) {
  const Range& range = input.range;
  const bool integral = is_integral(input.type.element), given = range.origin == Range::Origin::Given;
  if (integral) {
    const auto value = static_cast<std::int64_t>(x);
    if (wrap_to(input.type.element, value) != value || (input.in_bounds && (value < input.in_bounds->lo || value > input.in_bounds->hi))) return false;
  }
  return !given || (x >= range.lo && (integral ? x < std::max(range.hi, range.lo + 1) : x <= range.hi));
}

}  // namespace

std::vector<std::vector<double>> met_numbers(const Case& c) {
  const auto& free = c.relation.free;
  std::vector<Numbers> all(free.size());
  const std::int64_t ranks = c.relation.layout.ranks();
  for (const bool sequential : {true, false}) {
    const Program program(sequential ? *c.sequential : *c.distributed, ranks);
    const std::vector<Body>& bodies = sequential ? c.relation.sequential_inputs : c.relation.distributed_inputs;
    for (std::size_t leaf = 0; leaf < bodies.size(); ++leaf) {
      if (program.of_leaf(leaf).empty()) continue;
      const std::vector<bool> read = operands_read(*c.arena, bodies[leaf].root, free.size());
      for (std::size_t k = 0; k < free.size(); ++k) {
        if (!read[k] || free[k].type.element == ElementType::Pred || !free[k].combined_by.empty()) continue;
        for (const double x : program.of_leaf(leaf)) {
          if (!is_integral(free[k].type.element)) all[k].insert(x);
          else if (std::abs(x) < kLargestInteger) all[k].insert({std::floor(x), std::ceil(x)});
        }
      }
    }
  }
  std::vector<std::vector<double>> met;
  for (std::size_t k = 0; k < free.size(); ++k) {
    std::erase_if(all[k], [&](double x) { return !takes(free[k], x); });
    met.emplace_back(all[k].begin(), all[k].end());
  }
  return met;
}

}  // namespace gg
