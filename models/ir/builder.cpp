// Construction of modules: hash-consing of strings, types and attributes, and the structural rules of computations.
#include <xxhash.h>

#include <algorithm>
#include <limits>

#include "models/base/check.h"
#include "models/base/hash.h"
#include "models/base/id_set.h"
#include "models/ir/control_flow.h"
#include "models/ir/module.h"

namespace gg {
namespace {

/// Equality of types as printed: layouts count, so that a module keeps them.
bool same_printed(const Type& a, const Type& b) {
  if (a.element != b.element || a.dims != b.dims || a.layout != b.layout) return false;
  return std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(), same_printed);
}

template <class T>
std::uint32_t appended(std::vector<T>& all, T&& one) {
  all.push_back(std::move(one));
  return static_cast<std::uint32_t>(all.size() - 1);
}

/// Where a computation is called first; the file alone where nothing calls it.
Location first_call(const Module& module, ComputationId id) {
  for (InstructionId user = 0; user < module.size(); ++user) {
    const ComputationList called = computations_of(module, user);
    if (std::find(called.begin(), called.end(), id) != called.end()) return module.where(user);
  }
  return {module.file};
}

}  // namespace

struct Builder::Interned {
  IdSet strings, types, attributes;
  std::vector<std::uint32_t> computation_by_name;  // StringId -> ComputationId or kNone
  std::vector<bool> defined;                       // by ComputationId
};

Builder::Builder(std::string file) : interned_(std::make_unique<Interned>()) {
  module_.file = std::move(file);
  module_.string_ends_.push_back(0);
  module_.entry_ = kNone;
}

Builder::~Builder() = default;

Module& Builder::module() { return module_; }

StringId Builder::intern(std::string_view text) {
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  const auto same = [&](StringId id) { return module_.string(id) == text; };
  return interned_->strings.find_or_add(hash, same, [&] {
    if (module_.text_.size() + text.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError(DiagCode::TooLarge, {module_.file}, "names and metadata exceed 4 GiB");
    }
    module_.text_ += text;
    module_.string_ends_.push_back(static_cast<std::uint32_t>(module_.text_.size()));
    return static_cast<StringId>(module_.string_ends_.size() - 2);
  });
}

TypeId Builder::intern(Type type) {
  const auto same = [&](TypeId id) { return same_printed(module_.types_[id], type); };
  return interned_->types.find_or_add(hash(type), same, [&] { return appended(module_.types_, std::move(type)); });
}

AttributesId Builder::intern(Attributes attributes) {
  const auto same = [&](AttributesId id) { return module_.attributes_[id] == attributes; };
  return interned_->attributes.find_or_add(hash(attributes), same, [&] { return appended(module_.attributes_, std::move(attributes)); });
}

ComputationId Builder::reserve(std::string_view name) {
  const StringId id = intern(name);
  auto& by_name = interned_->computation_by_name;
  if (by_name.size() <= id) by_name.resize(id + 1, kNone);
  if (by_name[id] == kNone) {
    by_name[id] = static_cast<ComputationId>(module_.computations_.size());
    Computation computation;
    computation.name = id;
    module_.computations_.push_back(std::move(computation));
    interned_->defined.push_back(false);
  }
  return by_name[id];
}

void Builder::reserve_all(const Module& from) {
  for (const Computation& computation : from.computations()) reserve(from.string(computation.name));
}

void Builder::begin(ComputationId id, std::uint32_t line) {
  GG_CHECK(open_ == kNone && id < module_.computations_.size(), "begin of computation " + std::to_string(id));
  Computation& computation = module_.computations_[id];
  if (interned_->defined[id]) {
    throw InputError(DiagCode::DuplicateName, {module_.file, line, 0},
                     "computation '%" + std::string(module_.string(computation.name)) + "' is defined twice",
                     {"the first definition is in line " + std::to_string(computation.line)});
  }
  interned_->defined[id] = true;
  computation.line = line;
  computation.first = static_cast<InstructionId>(module_.instructions_.size());
  module_.order_.push_back(id);
  open_ = id;
}

InstructionId Builder::add(Instruction instruction, std::span<const InstructionId> operands) {
  GG_CHECK(open_ != kNone, "add outside a computation");
  Computation& computation = module_.computations_[open_];
  const auto id = static_cast<InstructionId>(module_.instructions_.size());
  GG_CHECK(id != kNone && module_.operands_.size() + operands.size() < kNone, "module too large");
  for (const InstructionId operand : operands) {
    GG_CHECK(operand >= computation.first && operand < id, "operand outside the open computation");
  }
  instruction.first_operand = static_cast<std::uint32_t>(module_.operands_.size());
  instruction.operand_count = static_cast<std::uint32_t>(operands.size());
  module_.operands_.insert(module_.operands_.end(), operands.begin(), operands.end());
  module_.instructions_.push_back(instruction);
  if (instruction.op == Op::Parameter) computation.parameters.push_back(id);
  return id;
}

Instruction Builder::like(const Module& from, InstructionId id) {
  Instruction copy = from[id];
  for (StringId* text : {&copy.name, &copy.metadata, &copy.sharding}) {
    if (*text != kNone) *text = intern(from.string(*text));
  }
  return copy;
}

void Builder::end(InstructionId root) {
  GG_CHECK(open_ != kNone, "end outside a computation");
  Computation& computation = module_.computations_[open_];
  computation.count = static_cast<std::uint32_t>(module_.instructions_.size()) - computation.first;
  GG_CHECK(root >= computation.first && root < computation.first + computation.count, "root outside the computation");
  computation.root = root;
  auto number = [this](InstructionId id) { return module_.attributes(id).integer(Attr::Parameter, -1); };
  std::stable_sort(computation.parameters.begin(), computation.parameters.end(),
                   [&](InstructionId a, InstructionId b) { return number(a) < number(b); });
  for (std::size_t k = 0; k < computation.parameters.size(); ++k) {
    const InstructionId id = computation.parameters[k];
    if (number(id) == static_cast<std::int64_t>(k)) continue;
    throw InputError(DiagCode::BadComputation, module_.where(id),
                     "parameters of '%" + std::string(module_.string(computation.name)) +
                         "' are not numbered 0, 1, ...: '%" + std::string(module_.name_of(id)) + "' has number " +
                         std::to_string(number(id)) + " where " + std::to_string(k) + " is expected");
  }
  open_ = kNone;
}

void Builder::copy_header(const Module& from) {
  module_.name = from.name;
  module_.replica_count = from.replica_count;
  module_.num_partitions = from.num_partitions;
  module_.aliases = from.aliases;
  module_.header_extra = from.header_extra;
  module_.files = from.files;
  module_.replaced_transfers = from.replaced_transfers;
}

void Builder::copy_sources(const Module& from) {
  module_.file_names_ = from.file_names_;
  module_.file_locations_ = from.file_locations_;
  module_.stack_frames_ = from.stack_frames_;
}

void Builder::set_entry(ComputationId id) { module_.entry_ = id; }

void Builder::file_name(std::int64_t number, std::string name) { module_.file_names_[number] = std::move(name); }

void Builder::file_location(std::int64_t number, std::int64_t file, std::int64_t line) {
  module_.file_locations_[number] = {file, line};
}

void Builder::stack_frame(std::int64_t number, std::int64_t location) { module_.stack_frames_[number] = location; }

Module Builder::finish() {
  GG_CHECK(open_ == kNone, "finish inside a computation");
  std::vector<Diag> problems;
  for (ComputationId id = 0; id < module_.computations_.size() && problems.size() < 20; ++id) {
    if (interned_->defined[id]) continue;
    problems.push_back(
        {DiagCode::UnknownName,
         first_call(module_, id),
         "computation '%" + std::string(module_.string(module_.computations_[id].name)) + "' is used but not defined",
         {}});
  }
  if (module_.entry_ == kNone) {
    problems.push_back({DiagCode::BadComputation, {module_.file}, "the module has no ENTRY computation", {}});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return std::move(module_);
}

}  // namespace gg
