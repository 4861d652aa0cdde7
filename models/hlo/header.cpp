// The HloModule line: counts and types are checked, aliases are kept, the rest must be on the list of ignored
// attributes.
#include "models/hlo/header.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "models/hlo/complex.h"
#include "models/hlo/values.h"

namespace gg::hlo {
namespace {

struct IgnoredHeader {
  std::string_view name;
  bool printed;
};

constexpr std::array kIgnoredHeader = {
#define IGNORED(name, value, reason)
#define IGNORED_HEADER(name, printed, reason) IgnoredHeader{name, printed},
#include "models/hlo/ignored_attributes.def"
#undef IGNORED
#undef IGNORED_HEADER
};

[[noreturn]] void not_hlo(const Cursor& cursor) {
  const std::string_view rest = cursor.rest();
  std::string guess = "the text does not start with 'HloModule'";
  if (rest.empty()) {
    guess = "the file is empty";
  } else if (rest.substr(0, 6) == "module" || rest[0] == '#' || rest.find("func.func") != std::string_view::npos) {
    guess = "this looks like MLIR (StableHLO); convert it to HLO text";
  } else if (rest.substr(0, 256).find('\0') != std::string_view::npos || static_cast<unsigned char>(rest[0]) < 9) {
    guess = "this looks like a binary file (a serialized HloProto?); dump with --xla_dump_hlo_as_text";
  }
  cursor.fail(DiagCode::NotHloText, "not HLO text: " + guess);
}

/// `{(f32[4]{0}, s32[])->f32[4]{0}}`.
StatedTypes parse_entry_types(Cursor& cursor) {
  StatedTypes types;
  cursor.skip_space();
  types.where = cursor.place();
  cursor.expect('{');
  cursor.list('(', ')', [&] { types.parameters.push_back(parse_type(cursor)); });
  if (!cursor.accept_text("->")) cursor.unexpected("'->'");
  types.result = parse_type(cursor);
  cursor.expect('}');
  return types;
}

std::vector<std::int64_t> parse_path(Cursor& cursor) {
  std::vector<std::int64_t> path;
  cursor.list('{', '}', [&] { path.push_back(cursor.integer_in("a tuple index", 0, std::int64_t{1} << 32)); });
  return path;
}

/// `{ {1}: (6, {}, must-alias), {2}: (7, {}, may-alias) }`.
std::vector<Header::AliasEntry> parse_aliases(Cursor& cursor) {
  std::vector<Header::AliasEntry> aliases;
  cursor.list('{', '}', [&] {
    Header::AliasEntry& entry = aliases.emplace_back();
    cursor.skip_space();
    entry.where = cursor.place();
    entry.output = parse_path(cursor);
    cursor.expect(':');
    cursor.expect('(');
    entry.parameter = cursor.integer_in("a parameter number", 0, std::int64_t{1} << 32);
    if (cursor.accept(',')) entry.input = parse_path(cursor);
    if (cursor.accept(',') && !cursor.accept("may-alias") && !cursor.accept("must-alias")) {
      cursor.unexpected("may-alias or must-alias");
    }
    cursor.expect(')');
  });
  return aliases;
}

/// `{file_name_id=1 function_name_id=2 line=85 ...}`; other keys are skipped.
struct TableRow {
  std::int64_t file_name_id = 0;
  std::int64_t line = 0;
  std::int64_t file_location_id = 0;
};

TableRow parse_row(Cursor& cursor) {
  TableRow row;
  cursor.expect('{');
  while (!cursor.accept('}')) {
    const std::string_view name = cursor.identifier();
    if (name.empty()) cursor.unexpected("a field of a source table");
    cursor.expect('=');
    const std::int64_t value = cursor.integer("a number");
    if (name == "file_name_id") row.file_name_id = value;
    if (name == "line") row.line = value;
    if (name == "file_location_id") row.file_location_id = value;
  }
  return row;
}

void parse_table(Cursor& cursor, Builder& builder, std::string_view table) {
  for (;;) {
    cursor.skip_space();
    if (cursor.peek() < '0' || cursor.peek() > '9') return;
    const std::int64_t number = cursor.integer("a row number");
    if (table == "FileNames") {
      builder.file_name(number, cursor.quoted("a file name"));
    } else if (table == "FunctionNames") {
      cursor.quoted("a function name");
    } else if (table == "FileLocations") {
      const TableRow row = parse_row(cursor);
      builder.file_location(number, row.file_name_id, row.line);
    } else {
      builder.stack_frame(number, parse_row(cursor).file_location_id);
    }
  }
}

}  // namespace

Header parse_header(Cursor& cursor, Builder& builder) {
  Header header;
  Module& module = builder.module();
  cursor.skip_space();
  if (!cursor.accept("HloModule")) not_hlo(cursor);
  module.name = std::string(cursor.name("the module's name"));
  std::vector<std::string_view> seen;
  while (cursor.accept(',')) {
    cursor.skip_space();
    const Location where = cursor.place();
    const std::string_view name = cursor.identifier();
    if (name.empty()) cursor.unexpected("a module attribute");
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      throw InputError(DiagCode::DuplicateAttribute, where,
                       "module attribute '" + std::string(name) + "' is given twice");
    }
    seen.push_back(name);
    cursor.expect('=');
    if (name == "entry_computation_layout") {
      header.entry = parse_entry_types(cursor);
    } else if (name == "input_output_alias") {
      header.aliases = parse_aliases(cursor);
    } else if (name == "num_partitions") {
      module.num_partitions = cursor.integer_in(name, 1, kMaxGroupRanks);
    } else if (name == "replica_count") {
      module.replica_count = cursor.integer_in(name, 1, kMaxGroupRanks);
    } else {
      const auto* row = std::find_if(kIgnoredHeader.begin(), kIgnoredHeader.end(),
                                     [name](const IgnoredHeader& ignored) { return ignored.name == name; });
      if (row == kIgnoredHeader.end()) {
        throw InputError(DiagCode::UnknownAttribute, where, "unknown module attribute '" + std::string(name) + "'");
      }
      const std::string_view value = scan_attribute(cursor, name);
      module.scheduled = module.scheduled || (name == "is_scheduled" && value == "true");
      if (row->printed) module.header_extra += ", " + std::string(name) + "=" + std::string(value);
    }
  }
  if (module.replica_count.value_or(1) * module.num_partitions.value_or(1) > kMaxGroupRanks) {
    cursor.fail(DiagCode::TooLarge, "replica_count * num_partitions exceeds 2^20 ranks");
  }
  return header;
}

void parse_source_tables(Cursor& cursor, Builder& builder) {
  constexpr std::array<std::string_view, 4> kTables = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view table : kTables) {
      if (!cursor.accept(table)) continue;
      parse_table(cursor, builder, table);
      found = true;
    }
  }
}

namespace {

/// Index paths to leaves; offsets of the elements of each tuple are made once.
class LeafIndex {
 public:
  struct Run {
    std::int64_t first, count;
  };

  std::optional<Run> at(const Type& type, const std::vector<std::int64_t>& path) {
    const Type* part = &type;
    std::int64_t first = 0;
    for (const std::int64_t index : path) {
      if (!part->is_tuple() || index >= static_cast<std::int64_t>(part->elements.size())) return std::nullopt;
      first += offsets(*part)[static_cast<std::size_t>(index)];
      part = &part->elements[static_cast<std::size_t>(index)];
    }
    return Run{first, offsets(*part).back()};
  }

 private:
  const std::vector<std::int64_t>& offsets(const Type& type) {
    auto& list = offsets_[&type];
    if (!list.empty()) return list;
    list.push_back(0);
    if (!type.is_tuple()) list.push_back(1);
    for (const Type& element : type.elements) {
      list.push_back(list.back() + static_cast<std::int64_t>(element.leaves().size()));
    }
    return list;
  }

  std::unordered_map<const Type*, std::vector<std::int64_t>> offsets_;
};

}  // namespace

void check_types(const std::string& what, const StatedTypes& stated, const Module& module, ComputationId id) {
  const Computation& computation = module.computation(id);
  const auto bad = [&](const std::string& problem) { throw InputError(DiagCode::BadComputation, stated.where, what + problem); };
  if (stated.parameters.size() != computation.parameters.size()) {
    bad(" has " + std::to_string(stated.parameters.size()) + " parameters, the computation " + std::to_string(computation.parameters.size()));
  }
  for (std::size_t k = 0; k < stated.parameters.size(); ++k) {
    const Type& type = module.type(computation.parameters[k]);
    if (stated.parameters[k] != type) bad(" says " + to_string(stated.parameters[k]) + " for parameter " + std::to_string(k) + ", which is " + to_string(type));
  }
  const Type& result = module.type(computation.root);
  if (stated.result != result) bad(" says that the result is " + to_string(stated.result) + ", the root is " + to_string(result));
}

void apply_header(const Header& header, Module& module) {
  if (header.entry) {
    StatedTypes real = *header.entry;  // complex numbers are pairs by now
    real.result = paired(real.result);
    for (Type& type : real.parameters) type = paired(type);
    check_types("entry_computation_layout", real, module, module.entry());
  }
  const Computation& entry = module.computation(module.entry());
  std::vector<std::int64_t> first{0};  // first leaf of each parameter among the leaves of all
  for (const InstructionId id : entry.parameters) {
    first.push_back(first.back() + static_cast<std::int64_t>(module.type(id).leaves().size()));
  }
  LeafIndex index;
  for (const auto& alias : header.aliases) {
    const auto output = index.at(module.type(entry.root), alias.output);
    if (!output || alias.parameter >= static_cast<std::int64_t>(entry.parameters.size())) {
      throw InputError(DiagCode::BadAttribute, alias.where,
                       "input_output_alias names an output or a parameter that is not there");
    }
    const auto number = static_cast<std::size_t>(alias.parameter);
    const auto input = index.at(module.type(entry.parameters[number]), alias.input);
    if (!input || input->count != output->count) {
      throw InputError(DiagCode::BadAttribute, alias.where, "input_output_alias names parts of different structure");
    }
    for (std::int64_t k = 0; k < output->count; ++k) {
      module.aliases.push_back({output->first + k, first[number] + input->first + k});
    }
  }
}

}  // namespace gg::hlo
