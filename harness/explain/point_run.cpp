// Elements on demand (harness/explain/point_run.h).
#include "harness/explain/point_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/plan/plan.h"
#include "models/base/check.h"
#include "models/ir/kinds.h"
#include "models/ir/structure.h"
#include "runtime/inputs.h"
#include "runtime/value.h"

namespace gg {
namespace {

constexpr std::int64_t kAllSteps = 8'000'000;  ///< of all elements
constexpr int kMaxDepth = 60;
constexpr std::size_t kMostKnown = 1'000'000;
constexpr std::uint64_t kSeed = 2026;

const Type& leaf_type(const Module& module, InstructionId id, std::size_t leaf) {
  return *array_leaf_types(module.type(id)).at(leaf);
}

std::int64_t coordinate(const Digit& digit, std::int64_t rank) { return rank / digit.stride % digit.extent; }

/// The instruction that is this leaf of a value, behind tuples.
InstructionId behind_tuples(const Module& module, InstructionId id, std::size_t leaf) {
  while (structure_of(module, id) == Structure::Join) {
    const OperandLeaf from = handed_leaves(module, id).at(leaf);
    id = from.id, leaf = from.leaf;
  }
  return id;
}

void subtract(Storage storage, void* out, double value) {
  GG_CHECK(storage == Storage::Bits128, "summands are reals");
  Ball128& x = *static_cast<Ball128*>(out);
  x = BallOps<Ball128>::subtract(x, BallOps<Ball128>::from_double(value));
}

}  // namespace

Range DrawnValues::bounds(std::uint32_t candidate, const std::vector<double>& values) const {
  const auto [entry, fresh] = bounds_.try_emplace(candidate);
  if (!fresh) return entry->second;
  std::optional<Range> seen;
  for (const double value : values) {
    if (std::isfinite(value)) seen = seen ? Range{std::min(seen->lo, value), std::max(seen->hi, value)} : Range{value, value};
  }
  return entry->second = seen.value_or(Range{});
}

double DrawnValues::number(const Match& match, std::uint32_t part, std::uint64_t address) const {
  const Samples& numbers = trace_.numbers(match);
  const Range seen = bounds(match.candidate, numbers.values);
  const auto input = static_cast<std::uint32_t>(trace_.anchor(match));
  if (part != 0) {  // a summand, of either sign, of about the size of the sum
    const double most = std::max(std::abs(seen.lo), std::abs(seen.hi));
    return draw_real(kSeed + part, 0, input, address, Range{-most, most});
  }
  if (numbers.integral) {
    return static_cast<double>(draw_int(kSeed, 0, input, address, Range{seen.lo, seen.hi + 1}));
  }
  return draw_real(kSeed, 0, input, address, seen);
}

/// The full type of the sequential value: of the first one that holds these numbers and of which the local array is a
/// block under the placement, at full shape too.
const Type* DrawnValues::whole(const Match& match, const Type& local) const {
  const auto [entry, fresh] = wholes_.try_emplace({&match, &local}, nullptr);
  if (!fresh) return entry->second;
  const auto& digits = trace_.pair().distributed_bodies->digits().digits();
  const auto numbers = trace_.representative(trace_.anchor(match));
  const auto& values = trace_.sequential().values();
  for (ValueId v = 0; v < values.size(); ++v) {
    if (v != trace_.anchor(match) && (!numbers || trace_.representative(v) != numbers)) continue;
    const Type& type = leaf_type(*full_.sequential, values[v].instance.instruction, values[v].leaf);
    bool block = type.dims.size() == local.dims.size() && type.dims.size() == match.splits.size();
    for (std::size_t d = 0; block && d < local.dims.size(); ++d) {
      std::int64_t blocks = 1;
      for (const int k : match.splits[d]) blocks *= digits[static_cast<std::size_t>(k)].extent;
      block = (type.dims[d] + local.dims[d] - 1) / local.dims[d] == blocks;
    }
    if (!block) continue;
    entry->second = &type;
    break;
  }
  return entry->second;
}

bool DrawnValues::fits(const Match& match, const Type& local) const {
  return whole(match, local) != nullptr && (match.partial.empty() || !is_integral(local.element));
}

bool DrawnValues::raises(const Match& match, std::int64_t number) const {
  const auto numbers = trace_.representative(trace_.anchor(match));
  const auto& values = trace_.sequential().values();
  for (ValueId v = 0; v < values.size(); ++v) {
    if (v != trace_.anchor(match) && (!numbers || trace_.representative(v) != numbers)) continue;
    const auto span = full_.accepted.find(std::string(full_.sequential->name_of(values[v].instance.instruction)));
    if (span != full_.accepted.end() && (number < span->second.lo || number > span->second.hi)) return true;
  }
  return false;
}

void DrawnValues::draw(const Match& match, const Type& local, std::int64_t rank, std::span<const std::int64_t> index, void* out) const {
  const auto& digits = trace_.pair().distributed_bodies->digits().digits();
  const Type& all = *whole(match, local);
  std::uint64_t address = 0;
  for (std::size_t d = 0; d < local.dims.size(); ++d) {
    std::int64_t block = 0;
    for (const int k : match.splits[d]) {
      const Digit& digit = digits[static_cast<std::size_t>(k)];
      block = block * digit.extent + coordinate(digit, rank);
    }
    const std::int64_t at = block * local.dims[d] + index[d];
    address = address * static_cast<std::uint64_t>(all.dims[d]) + static_cast<std::uint64_t>(at);
  }
  const Storage storage = storage_of(local.element, NumberMode::Real);
  const double total = number(match, 0, address);
  store_scalar(storage, out, local.element, total, static_cast<std::int64_t>(total));
  if (match.partial.empty()) return;
  std::uint32_t own = 0, count = 1;
  for (const int k : match.partial) {
    const Digit& digit = digits[static_cast<std::size_t>(k)];
    own = own * static_cast<std::uint32_t>(digit.extent) + static_cast<std::uint32_t>(coordinate(digit, rank));
    count *= static_cast<std::uint32_t>(digit.extent);
  }
  if (!match.sum) {  // one of the ranks holds the maximum
    if (address % count != own) subtract(storage, out, std::abs(number(match, own + 1, address)) + 1);
    return;
  }
  if (own + 1 < count) {
    store_scalar(storage, out, local.element, number(match, own + 1, address), 0);
    return;
  }
  for (std::uint32_t k = 0; k + 1 < count; ++k) subtract(storage, out, number(match, k + 1, address));
}

Ball128 PointRun::element(const Path& path, InstructionId id, std::int64_t rank, std::span<const std::int64_t> index) {
  steps_ = std::min(most_steps_, kAllSteps - all_steps_);
  depth_ = 0;
  const ElementType type = leaf_type(*case_.distributed, id, 0).element;
  if (is_integral(type)) {
    std::int64_t out = 0;
    value(path, id, 0, rank, index, &out);
    return BallOps<Ball128>::from_int(out);
  }
  Ball128 out{};
  value(path, id, 0, rank, index, &out);
  return out;
}

/// A value that the edits do not reach and that holds a sequential one.
bool PointRun::drawn(const Path& path, InstructionId id, std::size_t leaf, std::int64_t rank, std::span<const std::int64_t> index, void* out) {
  const InstructionId there = same_[id];
  if (there == kNone) return false;
  Path other;
  bool second = false;
  for (const InstructionId call : path) {
    const InstructionId plain = call & ~kSecond;
    if (same_[plain] == kNone) return false;
    if (second && structure_of(*case_.distributed, plain) == Structure::Loop) return false;  // a loop in a second iteration: computed
    second = second || call != plain;
    other.push_back(same_[plain]);
  }
  if ((second && !alone_ ? reach_.later : reach_.first).holds(there, leaf)) return false;
  const auto traced = trace_.first_value(other, there, leaf, second ? 1 : 0);
  if (!traced) return false;
  const auto& match = trace_.state(*traced).match;
  if (!match || !drawn_.fits(*match, leaf_type(*case_.distributed, id, leaf))) return false;
  drawn_.draw(*match, leaf_type(*case_.distributed, id, leaf), rank, index, out);
  return true;
}

/// An index that is computed from drawn values may be none that the sequential program takes.
void PointRun::refuse_raised(const Path& path, InstructionId id, std::size_t leaf, const Cell& cell) const {
  if (case_.accepted.empty() || same_[id] == kNone || !is_integral(leaf_type(*case_.distributed, id, leaf).element)) return;
  const auto traced = trace_.first_value(path, same_[id], leaf);
  std::int64_t number = 0;
  std::memcpy(&number, cell.bytes, sizeof number);
  if (traced && trace_.state(*traced).match && drawn_.raises(*trace_.state(*traced).match, number)) throw NoElement("the sequential program raises on such operands");
}

/// The result of a loop that holds no sequential value: what its body leaves. Of a stack, one entry an iteration, the entry
/// is what the body stores; all else is looked at after the first iteration.
void PointRun::loop(const Path& path, InstructionId id, std::size_t leaf, std::int64_t rank, std::span<const std::int64_t> index, void* out) {
  const Module& module = *case_.distributed;
  // After one iteration a right program may hold what another one holds only after all.
  if (same_[id] == kNone || reach_.later.holds(same_[id], leaf)) throw NoElement("the edit reaches it through all iterations of a loop");
  const Computation& body = module.computation(body_of(module, id));
  Path inner = path;
  inner.push_back(id);
  const InstructionId found = behind_tuples(module, body.root, leaf);
  if (!is_dynamic_update(module, found)) return value(inner, body.root, leaf, rank, index, out);
  const auto operands = module.operands(found);
  const Type& stack = module.type(operands[0]);
  const Type& entry = module.type(operands[1]);
  std::vector<std::int64_t> at(index.begin(), index.end());
  bool entries = true;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (entry.dims[d] == stack.dims[d]) continue;
    entries = entries && entry.dims[d] == 1;
    at[d] = 0;
  }
  if (entries) value(inner, operands[1], 0, rank, at, out);
  else value(inner, body.root, leaf, rank, index, out);
}

/// Structure: the element is another value's.
bool PointRun::through(const Path& path, InstructionId id, std::size_t leaf, std::int64_t rank, std::span<const std::int64_t> index, void* out) {
  const Module& module = *case_.distributed;
  switch (structure_of(module, id)) {
    case Structure::Join:
    case Structure::Element: {
      const OperandLeaf from = handed_leaves(module, id).at(leaf);
      value(path, from.id, from.leaf, rank, index, out);
      return true;
    }
    case Structure::Parameter: {
      if (path.empty()) throw NoElement("an input that holds no sequential value");
      const InstructionId caller = path.back() & ~kSecond;
      const Path outer(path.begin(), path.end() - 1);
      if (caller != path.back()) {  // what the first iteration has left
        Path before = outer;
        before.push_back(caller);
        const Computation& body = module.computation(body_of(module, caller));
        value(before, body.root, leaf, rank, index, out);
        return true;
      }
      const auto number = static_cast<std::size_t>(module.attributes(id).integer(Attr::Parameter));
      if (structure_of(module, caller) == Structure::Branches) throw NoElement("a branch");
      const auto arguments = module.operands(caller);
      value(outer, arguments[structure_of(module, caller) == Structure::Loop ? 0 : number], leaf, rank, index, out);
      return true;
    }
    case Structure::Call: {
      Path inner = path;
      inner.push_back(id);
      value(inner, module.computation(callee_of(module, id)).root, leaf, rank, index, out);
      return true;
    }
    case Structure::Loop: loop(path, id, leaf, rank, index, out); return true;
    case Structure::Branches: throw NoElement("a conditional");
    case Structure::Token:
    case Structure::None: return false;
  }
  return false;
}

void PointRun::value(const Path& path, InstructionId id, std::size_t leaf, std::int64_t rank, std::span<const std::int64_t> index, void* out) {
  if (drawn(path, id, leaf, rank, index, out)) return;
  if (++depth_ > kMaxDepth) throw NoElement("too many instructions before values that hold sequential ones");
  if (through(path, id, leaf, rank, index, out)) {
    --depth_;
    return;
  }
  const Body* body = case_.distributed_bodies->body(id, static_cast<int>(leaf));
  const Module& module = *case_.distributed;
  if (body == nullptr) throw NoElement("%" + std::string(module.name_of(id)) + " (" + std::string(info(module[id].op).name) + ") has no body");
  const auto& digits = case_.distributed_bodies->digits().digits();
  // Sums of a norm or a softmax are read by every element of their row.
  std::vector<std::int64_t> key = {static_cast<std::int64_t>(id), static_cast<std::int64_t>(leaf), rank};
  key.insert(key.end(), path.begin(), path.end());
  key.insert(key.end(), index.begin(), index.end());
  const std::size_t bytes = bytes_of(storage_of(body->type, NumberMode::Real));
  if (const auto known = known_.find(key); known != known_.end()) {
    std::memcpy(out, known->second.bytes, bytes);
    --depth_;
    return;
  }
  std::vector<std::int64_t> at;
  for (const Digit& digit : digits) at.push_back(coordinate(digit, rank));
  at.insert(at.end(), index.begin(), index.end());
  const ElementReader read = [&](std::size_t operand, std::span<const std::int64_t> where) {
    ++all_steps_;
    if (--steps_ < 0) throw NoElement("one element takes more than " + std::to_string(most_steps_) + " reads");
    std::int64_t from = 0;
    for (std::size_t d = 0; d < digits.size(); ++d) from += where[d] * digits[d].stride;
    Cell cell{};
    for (const InstructionId source : module.operands(id)) {
      const std::size_t leaves = array_leaves(module.type(source));
      if (operand < leaves) {
        value(path, source, operand, from, where.subspan(digits.size()), cell.bytes);
        return cell;
      }
      operand -= leaves;
    }
    throw NoElement("a read of an operand that is not there");
  };
  TieCounter ties;
  const Cell cell = evaluate_element(case_.distributed_bodies->arena(), body->root, NumberMode::Real, at, read, ties);
  refuse_raised(path, id, leaf, cell);
  std::memcpy(out, cell.bytes, bytes);
  if (known_.size() < kMostKnown) known_.emplace(std::move(key), cell);
  --depth_;
}

}  // namespace gg
