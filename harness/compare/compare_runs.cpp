#include "harness/compare/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "harness/compare/tensors.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/rank/digits.h"
#include "models/relation/bodies.h"
#include "models/relation/json.h"
#include "runtime/plans.h"

namespace gg {
namespace {

/// A row stands out when it is this far above every row before it, and above rounding.
constexpr double kStandsOut = 32;
constexpr double kRounding = 64;

struct Layout {
  Mesh mesh;
  Json tensors = Json::object();
  Json fallback;
  std::string file;
};

Layout read_layout(const std::string& file) {
  const JsonPath top{file, ""};
  const Json value = parse_json(read_file(file), file);
  require_keys(require_object(value, top), {"mesh", "devices", "tensors", "default", "note"}, top);
  Layout layout;
  layout.file = file;
  if (!value.contains("mesh")) top.fail("\"mesh\" is missing");
  layout.mesh = mesh_from_json(value, top);
  if (value.contains("tensors")) layout.tensors = require_object(value["tensors"], top / "tensors");
  layout.fallback = value.contains("default") ? value["default"] : Json("replicated");
  return layout;
}

using ByName = std::map<std::string, const DumpedTensor*>;

ByName by_name(const std::vector<DumpedTensor>& tensors, const std::string& where) {
  ByName names;
  for (const DumpedTensor& tensor : tensors) {
    if (!names.emplace(tensor.name, &tensor).second) {
      throw InputError(DiagCode::BadTensors, {where}, "two tensors are called '" + tensor.name + "'");
    }
  }
  return names;
}

/// One tensor under its placement: claims evaluated over all ranks.
class Joined {
 public:
  Joined(const Layout& layout, const std::string& name, const Type& local, const Type* global)
      : digits_(RankDigits::refine(layout.mesh, {}, {})), mesh_(arena_, layout.mesh, digits_) {
    const JsonPath at{layout.file, "tensors." + name};
    const Json& entry = layout.tensors.contains(name) ? layout.tensors[name] : layout.fallback;
    placement = placement_from_json(entry, layout.mesh, local.rank(), at);
    if (placement.dims.empty()) placement.dims.resize(static_cast<std::size_t>(local.rank()));
    const LeafPlace place{"tensor '" + name + "'", {layout.file}};
    global_ = global != nullptr ? *global : whole(local);
    check_block(mesh_, placement.dims, global_, local, place);
    claim_ = tiled_claim(mesh_, placement, 0, global_, local, place);
  }

  Placement placement;

  Buffer sequential(const Buffer& data) const { return evaluate(claim_.sequential, data, global_.dims, global_.element); }
  Buffer distributed(const Buffer& data, const Type& local) const {
    return evaluate(claim_.distributed, data, lifted_extents(digits_, local.dims), local.element);
  }
  /// 1 where the claim compares.
  Buffer compared() const {
    const ExprId one = arena_.lit(Scalar::of_int(ElementType::S64, 1)), zero = arena_.lit(Scalar::of_int(ElementType::S64, 0));
    return evaluate(arena_.select(claim_.compared, one, zero), Buffer(Storage::Int64, 1), {}, ElementType::S64);
  }
  /// The flat index of the sequential element that each element of the claim is.
  Buffer sources() const {
    const bool integral = is_integral(global_.element);
    Buffer numbers(integral ? Storage::Int64 : Storage::Double, global_.count());
    if (integral) std::iota(numbers.as<std::int64_t>().begin(), numbers.as<std::int64_t>().end(), 0);
    else std::iota(numbers.as<double>().begin(), numbers.as<double>().end(), 0);
    return evaluate(claim_.sequential, numbers, global_.dims, integral ? ElementType::S64 : global_.element);
  }
  std::int64_t rank_of(std::int64_t element) const { return element / std::max<std::int64_t>(1, count() / digits_.ranks()); }
  std::int64_t count() const { return element_count(claim_.extents); }
  bool partial() const { return placement.kind == Placement::Kind::Partial; }

 private:
  /// The sequential type where no sequential run says it: every split dimension as long as its blocks together.
  Type whole(const Type& local) const {
    Type type = local;
    for (std::size_t d = 0; d < type.dims.size(); ++d) type.dims[d] *= mesh_.extent(placement.dims[d].axes);
    return type;
  }

  Buffer evaluate(ExprId root, const Buffer& data, std::span<const std::int64_t> extents, ElementType type) const {
    const Body body{arena_[root].type, claim_.extents, root};
    const Operand operand{&data, type, extents};
    TieCounter ties;
    return evaluate_once(arena_, body, NumberMode::F64, {&operand, 1}, ties);
  }

  mutable Arena arena_;
  RankDigits digits_;
  MeshForms mesh_;
  Type global_;
  OutputClaim claim_;
};

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Copies of one sequential element must be the same on all ranks, bit for bit.
void compare_replicas(const Joined& joined, const Buffer& values, const Buffer& compared, TensorRow& row) {
  if (joined.partial()) return;
  const Buffer sources = joined.sources();
  std::map<std::int64_t, std::size_t> first;
  for (std::size_t k = 0; k < static_cast<std::size_t>(joined.count()); ++k) {
    if (compared.as<std::int64_t>()[k] == 0) continue;
    const auto [it, fresh] = first.emplace(static_cast<std::int64_t>(number_at(sources, k)), k);
    if (fresh || same(number_at(values, it->second), number_at(values, k))) continue;
    const std::int64_t rank = joined.rank_of(static_cast<std::int64_t>(k));
    if (row.replicas.empty() || row.replicas.back() != rank) row.replicas.push_back(rank);
  }
}

void compare_values(const Buffer& want, const Buffer& got, const Buffer& compared, ElementType type, TensorRow& row) {
  double scale = 0;
  row.exact = is_integral(type);
  for (std::size_t k = 0; k < static_cast<std::size_t>(want.count()); ++k) {
    if (compared.as<std::int64_t>()[k] == 0) continue;
    ++row.compared;
    const double a = number_at(want, k), b = number_at(got, k);
    if (std::isfinite(a)) scale = std::max(scale, std::fabs(a));
    if (same(a, b)) continue;
    ++row.differing;
    const double difference = std::fabs(a - b);
    row.largest = std::max(row.largest, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
  }
  if (row.exact) return;
  const double unit = std::ldexp(scale > 0 ? scale : 1.0, -info(type).significand);
  row.roundings = row.largest / unit;
}

Buffer stacked(const std::vector<const DumpedTensor*>& parts) {
  const Buffer& first = parts.front()->data;
  Buffer all(first.storage(), first.count() * static_cast<std::int64_t>(parts.size()));
  auto* to = static_cast<unsigned char*>(all.data());
  for (const DumpedTensor* part : parts) {
    if (first.count() != 0) std::copy_n(static_cast<const unsigned char*>(part->data.data()), first.bytes(), to);
    to += first.bytes();
  }
  return all;
}

TensorRow compare_tensor(const Layout& layout, const std::string& name, const DumpedTensor* sequential,
                         const std::vector<ByName>& ranks) {
  TensorRow row;
  row.name = name;
  row.sequential = sequential != nullptr;
  std::vector<const DumpedTensor*> parts;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto it = ranks[r].find(name);
    if (it == ranks[r].end()) {
      row.problem = fmt::format("rank {} did not write it", r);
      return row;
    }
    if (!(it->second->type == ranks[0].at(name)->type)) {
      row.problem = fmt::format("{} on rank {}, {} on rank 0", to_string(it->second->type), r, to_string(ranks[0].at(name)->type));
      return row;
    }
    parts.push_back(it->second);
  }
  const Type& local = parts[0]->type;
  row.type = to_string(sequential != nullptr ? sequential->type : local);
  try {
    const Joined joined(layout, name, local, sequential != nullptr ? &sequential->type : nullptr);
    row.placement = print_placement(joined.placement, layout.mesh, Notation::Json);
    const Buffer values = joined.distributed(stacked(parts), local);
    const Buffer compared = joined.compared();
    compare_replicas(joined, values, compared, row);
    if (sequential != nullptr) compare_values(joined.sequential(sequential->data), values, compared, local.element, row);
  } catch (const InputError& error) {
    row.problem = error.diags().front().message;
  }
  return row;
}

void mark(std::vector<TensorRow>& rows) {
  double before = kRounding;
  for (TensorRow& row : rows) {
    if (!row.problem.empty()) continue;
    const bool differs = !row.replicas.empty() || (row.exact && row.differing != 0);
    if (differs || row.roundings > kStandsOut * before) {
      row.marked = true;
      return;
    }
    before = std::max(before, row.roundings);
  }
}

}  // namespace

bool TensorComparison::refuted() const {
  return std::any_of(rows.begin(), rows.end(), [](const TensorRow& row) {
    return !row.replicas.empty() || (row.exact && row.differing != 0);
  });
}

TensorComparison compare_runs(const std::string& sequential, const std::string& distributed, const std::string& relation) {
  const Layout layout = read_layout(relation);
  std::vector<std::vector<DumpedTensor>> parts;
  std::vector<ByName> ranks;
  for (const std::string& path : rank_paths(distributed)) parts.push_back(load_tensors(path));
  for (std::size_t r = 0; r < parts.size(); ++r) ranks.push_back(by_name(parts[r], distributed));
  TensorComparison result;
  result.ranks = static_cast<std::int64_t>(ranks.size());
  if (result.ranks != layout.mesh.ranks()) {
    throw InputError(DiagCode::RankCount, {relation},
                     fmt::format("the mesh has {} ranks, '{}' holds {}", layout.mesh.ranks(), distributed, ranks.size()));
  }
  std::vector<DumpedTensor> whole;
  if (!sequential.empty()) whole = load_tensors(sequential);
  result.sequential = !sequential.empty();
  const ByName names = by_name(whole, sequential);
  for (const DumpedTensor& tensor : result.sequential ? whole : parts[0]) {
    result.rows.push_back(compare_tensor(layout, tensor.name, result.sequential ? &tensor : nullptr, ranks));
  }
  std::set<std::string> told;  // what a rank wrote and no row has: its copies are compared
  for (const TensorRow& row : result.rows) told.insert(row.name);
  for (const std::vector<DumpedTensor>& part : parts) {
    for (const DumpedTensor& tensor : part) {
      if (told.insert(tensor.name).second) result.rows.push_back(compare_tensor(layout, tensor.name, nullptr, ranks));
    }
  }
  mark(result.rows);
  return result;
}

std::string to_text(const TensorComparison& comparison) {
  std::size_t width = 6;
  for (const TensorRow& row : comparison.rows) width = std::max(width, row.name.size());
  std::string text;
  for (const TensorRow& row : comparison.rows) {
    text += fmt::format("{} {:{}}  {:16}  ", row.marked ? ">" : " ", row.name, width, row.type);
    if (!row.problem.empty()) text += "not compared: " + row.problem;
    else if (!row.sequential) text += std::string(comparison.sequential ? "not of the sequential run; " : "") + (row.replicas.empty() ? "replicas equal" : "");
    else if (row.exact) text += row.differing == 0 ? "equal" : fmt::format("{} of {} elements differ", row.differing, row.compared);
    else text += fmt::format("{:.3g} roundings (largest difference {:.3g})", row.roundings, row.largest);
    if (!row.replicas.empty()) {
      text += fmt::format("{}replicas differ, first on rank {}", row.sequential ? "; " : "", row.replicas.front());
    }
    text += "\n";
  }
  return text;
}

}  // namespace gg
