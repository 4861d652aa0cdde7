// Inputs that satisfy a circumstance (harness/pinpoint/circumstances.h).
#include "harness/pinpoint/circumstances.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

namespace gg::pinpoint {
namespace {

constexpr double kGrid = 1024;  ///< floats are moved to multiples of 1/1024, so that equal sums are equal exactly

struct Row {
  Circumstance circumstance;
  const char *name, *text;
};

constexpr std::array kCircumstances = {
    Row{Circumstance::EqualSums, "equal-sums", "the sum of {input} is the same on all {ranks} ranks"},
    Row{Circumstance::SameValues, "same-values", "all {ranks} ranks have the same values of {input}, in any order"},
    Row{Circumstance::SameBlocks, "same-blocks", "{input} is the same on all {ranks} ranks"},
    Row{Circumstance::NothingMasked, "nothing-masked", "every element of {input} is 1"},
    Row{Circumstance::BoundKept, "bound-kept", ""},
};

constexpr bool in_order() {
  for (std::size_t k = 0; k < kCircumstances.size(); ++k) {
    if (kCircumstances[k].circumstance != Circumstance(k)) return false;
  }
  return kCircumstances.size() == static_cast<std::size_t>(Circumstance::BoundKept) + 1;
}
static_assert(in_order());

const Row& row(Circumstance circumstance) { return kCircumstances[static_cast<std::size_t>(circumstance)]; }

std::int64_t axis_size(const Case& c, const std::string& name) {
  for (const MeshAxis& axis : c.relation.mesh.axes) {
    if (axis.name == name) return axis.size;
  }
  return 1;
}

/// Elements of an input by the coordinate of the ranks that hold them over `axes`, each list in row-major order.
std::vector<std::vector<std::size_t>> blocks_over(const Case& c, std::size_t input, const std::vector<std::string>& axes) {
  const Placement* placement = even_blocks(c, input);
  const IntList& dims = c.relation.free[input].type.dims;
  if (placement == nullptr) return {};
  std::map<std::int64_t, std::vector<std::size_t>> blocks;
  const auto count = static_cast<std::size_t>(c.relation.free[input].type.count());
  for (std::size_t element = 0; element < count; ++element) {
    std::int64_t key = 0;
    auto rest = static_cast<std::int64_t>(element);
    for (std::size_t d = dims.size(); d-- > 0;) {
      const std::int64_t at = rest % dims[d];
      rest /= dims[d];
      std::int64_t parts = 1;
      for (const std::string& axis : placement->dims[d].axes) parts *= axis_size(c, axis);
      if (dims[d] % parts != 0) return {};
      std::int64_t coordinate = at / (dims[d] / parts);
      for (auto axis = placement->dims[d].axes.rbegin(); axis != placement->dims[d].axes.rend(); ++axis) {
        const std::int64_t size = axis_size(c, *axis), digit = coordinate % size;
        coordinate /= size;
        if (std::find(axes.begin(), axes.end(), *axis) != axes.end()) key = key * size + digit;
      }
    }
    blocks[key].push_back(element);
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [key, elements] : blocks) result.push_back(std::move(elements));
  return result;
}

/// Values as whole numbers of a step, with the bounds of the range.
struct Ladder {
  double step = 1;
  std::int64_t lo = 0, hi = 0;
  std::vector<std::int64_t> values;
};

Ladder ladder_of(const Buffer& buffer, const Range& range) {
  Ladder s;
  if (buffer.storage() == Storage::Double) {
    s.step = 1 / kGrid;
    s.lo = static_cast<std::int64_t>(std::ceil(range.lo * kGrid));
    s.hi = static_cast<std::int64_t>(std::floor(range.hi * kGrid));
    for (const double x : buffer.as<double>()) {
      s.values.push_back(std::clamp(static_cast<std::int64_t>(std::clamp(std::floor(x * kGrid), -1e15, 1e15)), s.lo, std::max(s.lo, s.hi)));
    }
  } else {
    s.lo = static_cast<std::int64_t>(range.lo);
    s.hi = static_cast<std::int64_t>(range.hi) - 1;
    for (const std::int64_t x : buffer.as<std::int64_t>()) s.values.push_back(std::clamp(x, s.lo, std::max(s.lo, s.hi)));
  }
  return s;
}

void store(const Ladder& s, Buffer& buffer) {
  for (std::size_t k = 0; k < s.values.size(); ++k) {
    if (buffer.storage() == Storage::Double) buffer.as<double>()[k] = static_cast<double>(s.values[k]) * s.step;
    else buffer.as<std::int64_t>()[k] = s.values[k];
  }
}

/// Elements are raised or lowered, each by as much as its range allows, until every block has the sum of the first.
bool equal_sums(Ladder& s, const std::vector<std::vector<std::size_t>>& blocks) {
  if (s.lo >= s.hi) return false;
  const auto sum = [&](const std::vector<std::size_t>& block) {
    std::int64_t total = 0;
    for (const std::size_t element : block) total += s.values[element];
    return total;
  };
  const std::int64_t wanted = sum(blocks[0]);
  for (const auto& block : blocks) {
    std::int64_t missing = wanted - sum(block);
    for (const std::size_t element : block) {
      std::int64_t& value = s.values[element];
      const std::int64_t change = std::clamp(missing, s.lo - value, s.hi - value);
      value += change;
      missing -= change;
    }
    if (missing != 0) return false;
  }
  return true;
}

void share_values(Ladder& s, const std::vector<std::vector<std::size_t>>& blocks, bool shuffled, std::uint64_t seed) {
  std::vector<std::int64_t> values;
  for (const std::size_t element : blocks[0]) values.push_back(s.values[element]);
  std::mt19937_64 random(seed);
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    if (shuffled) {
      for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[random() % k]);
    }
    for (std::size_t k = 0; k < values.size(); ++k) s.values[blocks[b][k]] = values[k];
  }
}

}  // namespace

std::string_view to_string(Circumstance circumstance) { return row(circumstance).name; }

std::string told(Circumstance circumstance, const std::string& input, const std::vector<std::string>& axes) {
  const std::string ranks = fmt::format("{}", fmt::join(axes, ", "));
  return fmt::format(fmt::runtime(row(circumstance).text), fmt::arg("input", input), fmt::arg("ranks", ranks));
}

const Placement* even_blocks(const Case& c, std::size_t input) {
  const FreeInput& free = c.relation.free[input];
  const auto leaf = static_cast<std::size_t>(free.leaf);
  if (leaf >= c.relation.input_placements.size()) return nullptr;
  const Placement& placement = c.relation.input_placements[leaf];
  if (placement.kind != Placement::Kind::Tiled || placement.dims.size() != free.type.dims.size()) return nullptr;
  for (const DimPlacement& dim : placement.dims) {
    if (!dim.segments.empty() || dim.chunk || dim.pad != 0 || dim.stride != 0 || dim.interleave != 0) return nullptr;
  }
  return &placement;
}

bool satisfy(const Case& c, std::size_t input, Circumstance circumstance, const std::vector<std::string>& axes, InputSet& inputs) {
  const Range& range = c.relation.free[input].range;
  Buffer& buffer = inputs.free[input];
  if (circumstance == Circumstance::BoundKept) return false;
  if (circumstance == Circumstance::NothingMasked) {
    const bool floats = buffer.storage() == Storage::Double;
    if (range.lo > 1 || (floats ? range.hi < 1 : range.hi <= 1)) return false;
    if (floats) std::fill(buffer.as<double>().begin(), buffer.as<double>().end(), 1.0);
    else std::fill(buffer.as<std::int64_t>().begin(), buffer.as<std::int64_t>().end(), std::int64_t{1});
    return true;
  }
  const auto blocks = blocks_over(c, input, axes);
  if (blocks.size() < 2) return false;
  Ladder s = ladder_of(buffer, range);
  if (circumstance == Circumstance::EqualSums && !equal_sums(s, blocks)) return false;
  if (circumstance != Circumstance::EqualSums) share_values(s, blocks, circumstance == Circumstance::SameValues, inputs.seed);
  store(s, buffer);
  return true;
}

}  // namespace gg::pinpoint
