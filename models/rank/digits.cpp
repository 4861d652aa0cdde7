// Rank digits: construction from mesh, groups and permutes; index forms over them; fits of rank tables.
#include "models/rank/digits.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/body/store.h"
#include "models/rank/refine.h"

namespace gg {
namespace {

// Values beyond this are left to tables, so that no difference below can overflow.
constexpr std::int64_t kMaxFitted = std::int64_t{1} << 40;

// Values of the digits: coefficient of each digit, and the constant, of an affine form.
struct AffineFit {
  std::vector<std::int64_t> coefficients;
  std::int64_t constant = 0;
};

// The affine form through all defined values, modulo `modulus` (0 = none), or nothing.
std::optional<AffineFit> fit_affine(const RankDigits& digits, std::span<const std::int64_t> values,
                                    std::int64_t modulus) {
  const auto same = [&](std::int64_t a, std::int64_t b) {
    return modulus == 0 ? a == b : floor_mod(a - b, modulus) == 0;
  };
  const auto at = [&](std::int64_t rank) { return values[static_cast<std::size_t>(rank)]; };
  const std::int64_t ranks = digits.ranks();
  AffineFit fit;
  for (int d = 0; d < digits.count(); ++d) {
    const std::int64_t stride = digits.digits()[static_cast<std::size_t>(d)].stride;
    std::int64_t coefficient = 0;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      if (digits.value(rank, d) == 0 || at(rank) == kAnyValue || at(rank - stride) == kAnyValue) continue;
      coefficient = at(rank) - at(rank - stride);
      break;
    }
    if (modulus != 0) {  // balanced: a ring backwards is -1, not N-1
      coefficient = floor_mod(coefficient, modulus);
      if (2 * coefficient > modulus) coefficient -= modulus;
    }
    fit.coefficients.push_back(coefficient);
  }
  bool first = true;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    if (at(rank) == kAnyValue) continue;
    std::int64_t sum = 0;
    for (int d = 0; d < digits.count(); ++d)
      sum += fit.coefficients[static_cast<std::size_t>(d)] * digits.value(rank, d);
    if (first) {
      fit.constant = modulus == 0 ? at(rank) - sum : floor_mod(at(rank) - sum, modulus);
      first = false;
    }
    if (!same(at(rank), sum + fit.constant)) return std::nullopt;
  }
  return fit;
}

LinId form_of(Arena& arena, const RankDigits& digits, const AffineFit& fit) {
  LinId form = arena.constant(fit.constant);
  for (int d = 0; d < digits.count(); ++d) {
    const auto position = static_cast<std::size_t>(d);
    form = arena.axpy(fit.coefficients[position], arena.var(d, digits.digits()[position].extent), form);
  }
  return form;
}

// Maps from ranks to ranks that differ: fits runs of digits, each an affine form modulo the run's extent.
std::optional<LinId> fit_rank_map(Arena& arena, const RankDigits& digits, std::span<const std::int64_t> values) {
  std::vector<std::int64_t> seen;
  for (const std::int64_t value : values) {
    if (value == kAnyValue) continue;
    if (value < 0 || value >= digits.ranks()) return std::nullopt;
    seen.push_back(value);
  }
  std::sort(seen.begin(), seen.end());
  if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) return std::nullopt;
  LinId form = arena.constant(0);
  int minor = digits.count() - 1;
  while (minor >= 0) {  // the shortest run of digits [major, minor] that fits, from the minor end
    const std::int64_t stride = digits.digits()[static_cast<std::size_t>(minor)].stride;
    std::int64_t extent = 1;
    std::optional<AffineFit> fit;
    int major = minor;
    for (; major >= 0; --major) {
      extent *= digits.digits()[static_cast<std::size_t>(major)].extent;
      std::vector<std::int64_t> run(values.begin(), values.end());
      for (std::int64_t& value : run) value = value == kAnyValue ? value : value / stride % extent;
      fit = fit_affine(digits, run, 0);
      if (fit) {
        form = arena.axpy(stride, form_of(arena, digits, *fit), form);
        break;
      }
      fit = fit_affine(digits, run, extent);
      if (fit) {
        form = arena.axpy(stride, arena.mod(form_of(arena, digits, *fit), extent), form);
        break;
      }
    }
    if (!fit) return std::nullopt;
    minor = major - 1;
  }
  return form;
}

// True on the smallest box of digits that holds all members, if it holds nothing else.
std::optional<GuardId> box_guard(Arena& arena, const RankDigits& digits, std::span<const std::int64_t> members) {
  std::vector<GuardId> sides;
  std::int64_t volume = 1;
  std::int64_t count = 0;
  for (const std::int64_t member : members) count += member != 0 ? 1 : 0;
  for (int d = 0; d < digits.count(); ++d) {
    const std::int64_t extent = digits.digits()[static_cast<std::size_t>(d)].extent;
    std::int64_t low = extent;
    std::int64_t high = -1;
    for (std::size_t rank = 0; rank < members.size(); ++rank) {
      if (members[rank] == 0) continue;
      low = std::min(low, digits.value(static_cast<std::int64_t>(rank), d));
      high = std::max(high, digits.value(static_cast<std::int64_t>(rank), d));
    }
    if (high < 0) return arena.never();
    volume *= high - low + 1;
    sides.push_back(arena.between(low, arena.var(d, extent), high + 1));
  }
  if (volume != count) return std::nullopt;
  return arena.all(sides);
}

}  // namespace

std::int64_t Mesh::ranks() const {
  std::int64_t product = 1;
  for (const MeshAxis& axis : axes) product *= axis.size;
  return product;
}

std::optional<std::size_t> Mesh::find(const std::string& name) const {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const MeshAxis& axis) { return axis.name == name; });
  return found == axes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - axes.begin()));
}

std::int64_t Mesh::coordinate(std::int64_t rank, int axis) const {
  std::int64_t place = rank;
  if (!devices.empty()) {
    const auto found = std::find(devices.begin(), devices.end(), rank);
    GG_CHECK(found != devices.end(), "rank " + std::to_string(rank) + " is not in the mesh");
    place = found - devices.begin();
  }
  for (std::size_t a = axes.size() - 1; a > static_cast<std::size_t>(axis); --a) place /= axes[a].size;
  return place % axes[static_cast<std::size_t>(axis)].size;
}

RankDigits::RankDigits(std::vector<Digit> digits) : digits_(std::move(digits)) {
  std::erase_if(digits_, [](const Digit& digit) { return digit.extent == 1; });
  std::int64_t stride = 1;
  for (auto digit = digits_.rbegin(); digit != digits_.rend(); ++digit) {
    GG_CHECK(digit->extent > 1 && digit->stride == stride, "digits do not telescope at '" + digit->name + "'");
    stride *= digit->extent;
  }
}

RankDigits RankDigits::whole(std::int64_t ranks) { return RankDigits({{ranks, 1, "rank"}}); }

RankDigits RankDigits::refine(const Mesh& mesh, std::span<const RankGroups> groups,
                              std::span<const RankPairs> permutes) {
  RankCuts cuts(mesh.ranks());
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
    if (const auto pieces = common_pieces(axis_groups(mesh, static_cast<int>(a)))) cuts.add(*pieces);
  }
  for (const RankGroups& group : groups) {
    if (const auto pieces = common_pieces(group)) cuts.add(*pieces);
  }
  cuts.close(permutes);
  std::vector<Digit> digits;
  for (const std::int64_t stride : cuts.strides()) {
    if (!digits.empty()) digits.back().extent = stride / digits.back().stride;
    digits.push_back({1, stride, ""});
  }
  digits.pop_back();
  std::reverse(digits.begin(), digits.end());
  RankDigits result(std::move(digits));
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
    const auto parts = result.axis_digits(mesh, static_cast<int>(a));
    if (!parts) continue;
    for (std::size_t k = 0; k < parts->size(); ++k) {
      result.digits_[static_cast<std::size_t>((*parts)[k])].name =
          mesh.axes[a].name + (parts->size() == 1 ? "" : "." + std::to_string(k));
    }
  }
  const auto nameless = [](const Digit& digit) { return digit.name.empty(); };
  const auto count = std::count_if(result.digits_.begin(), result.digits_.end(), nameless);
  int number = 0;
  for (Digit& digit : result.digits_) {
    if (nameless(digit)) digit.name = count == 1 ? "rank" : "rank." + std::to_string(number++);
  }
  return result;
}

std::int64_t RankDigits::ranks() const { return digits_.empty() ? 1 : digits_.front().extent * digits_.front().stride; }

std::int64_t RankDigits::value(std::int64_t rank, int d) const {
  const Digit& digit = digits_[static_cast<std::size_t>(d)];
  return rank / digit.stride % digit.extent;
}

LinId RankDigits::rank_form(Arena& arena) const {
  LinId form = arena.constant(0);
  for (int d = 0; d < count(); ++d) {
    const Digit& digit = digits_[static_cast<std::size_t>(d)];
    form = arena.axpy(digit.stride, arena.var(d, digit.extent), form);
  }
  return form;
}

std::vector<LinId> RankDigits::variables(Arena& arena) const {
  std::vector<LinId> result;
  for (int d = 0; d < count(); ++d) result.push_back(arena.var(d, digits_[static_cast<std::size_t>(d)].extent));
  return result;
}

std::vector<LinId> RankDigits::digits_of(Arena& arena, LinId rank) const {
  std::vector<LinId> result;
  for (const Digit& digit : digits_) result.push_back(arena.mod(arena.div(rank, digit.stride), digit.extent));
  return result;
}

LinId RankDigits::by_rank(Arena& arena, std::span<const std::int64_t> values) const {
  GG_CHECK(static_cast<std::int64_t>(values.size()) == ranks(), "a rank table needs one value a rank");
  const bool small = std::all_of(values.begin(), values.end(), [](std::int64_t value) {
    return value == kAnyValue || (value <= kMaxFitted && value >= -kMaxFitted);
  });
  if (small) {
    if (const auto fit = fit_affine(*this, values, 0)) return form_of(arena, *this, *fit);
    if (const auto form = fit_rank_map(arena, *this, values)) return *form;
  }
  std::vector<std::int64_t> table(values.begin(), values.end());
  const auto known = std::find_if(table.begin(), table.end(), [](std::int64_t value) { return value != kAnyValue; });
  std::replace(table.begin(), table.end(), kAnyValue, known == table.end() ? 0 : *known);
  return arena.table(arena.make_table(std::move(table)), rank_form(arena));
}

GuardId RankDigits::where(Arena& arena, std::span<const std::int64_t> members) const {
  GG_CHECK(static_cast<std::int64_t>(members.size()) == ranks(), "a rank table needs one value a rank");
  if (const auto guard = box_guard(arena, *this, members)) return *guard;
  std::vector<std::int64_t> others;
  for (const std::int64_t member : members) others.push_back(member == 0 ? 1 : 0);
  if (const auto guard = box_guard(arena, *this, others)) return arena.negate(*guard);
  return arena.eq0(arena.table(arena.make_table(std::move(others)), rank_form(arena)));
}

std::optional<std::vector<int>> RankDigits::axis_digits(const Mesh& mesh, int axis) const {
  return group_digits(axis_groups(mesh, axis));
}

std::optional<std::vector<int>> RankDigits::group_digits(std::span<const std::vector<std::int64_t>> groups) const {
  const auto pieces = common_pieces({groups.begin(), groups.end()});
  if (!pieces) return std::nullopt;
  std::vector<bool> member(static_cast<std::size_t>(ranks()), false);
  for (const auto& group : groups) {
    for (const std::int64_t rank : group) {
      if (rank < 0 || rank >= ranks() || member[static_cast<std::size_t>(rank)]) return std::nullopt;
      member[static_cast<std::size_t>(rank)] = true;
    }
  }
  if (std::find(member.begin(), member.end(), false) != member.end()) return std::nullopt;
  std::vector<int> result;
  for (auto piece = pieces->rbegin(); piece != pieces->rend(); ++piece) {
    std::int64_t covered = 1;
    for (int d = 0; d < count(); ++d) {
      const Digit& digit = digits_[static_cast<std::size_t>(d)];
      if (digit.stride < piece->stride || digit.stride >= piece->stride * piece->extent) continue;
      result.push_back(d);
      covered *= digit.extent;
    }
    // Whole digits cover the piece, from its first stride on.
    const bool starts = covered == 1 || digits_[static_cast<std::size_t>(result.back())].stride == piece->stride;
    if (covered != piece->extent || !starts) return std::nullopt;
  }
  return result;
}

}  // namespace gg
