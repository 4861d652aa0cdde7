// The module: header, source tables, computations, and the final checks.
#include "models/hlo/parser.h"

#include <algorithm>
#include <map>

#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/hlo/complex.h"
#include "models/hlo/header.h"
#include "models/hlo/instruction.h"
#include "models/ir/verify.h"
#include "models/transfer/merge.h"

namespace gg {
namespace hlo {
namespace {

class ModuleParser {
 public:
  ModuleParser(std::string_view text, const std::string& file, const ParseOptions& options)
      : options_(options), cursor_(text, file), builder_(file), instructions_(cursor_, builder_, options) {}

  Module run() {
    const Header header = parse_header(cursor_, builder_);
    parse_source_tables(cursor_, builder_);
    for (cursor_.skip_space(); !cursor_.at_end(); cursor_.skip_space()) computation();
    Module module = builder_.finish();
    if (has_complex(module)) module = lower_complex(module);
    report(module);
    apply_header(header, module);
    return module;
  }

 private:
  /// A printed signature: `(x: f32[2], y: s32[]) -> f32[2]`.
  StatedTypes signature(const Location& where) {
    StatedTypes out{where, {}, {}};
    const auto type = [this] { return builder_.module().type_by_id(instructions_.type()); };
    cursor_.list('(', ')', [&] {
      cursor_.name("a parameter's name");
      cursor_.expect(':');
      out.parameters.push_back(type());
    });
    if (!cursor_.accept_text("->")) cursor_.unexpected("'->'");
    out.result = type();
    return out;
  }

  void computation() {
    const bool entry = cursor_.accept("ENTRY");
    cursor_.skip_space();
    const Location where = cursor_.place();
    const std::string_view name = cursor_.name("a computation");
    const ComputationId id = builder_.reserve(name);
    if (entry) {
      if (has_entry_) throw InputError(DiagCode::DuplicateName, where, "the module has two ENTRY computations");
      has_entry_ = true;
      builder_.set_entry(id);
    }
    cursor_.skip_space();
    std::optional<StatedTypes> printed;
    if (cursor_.peek() == '(') printed = signature(where);
    cursor_.expect('{');
    builder_.begin(id, where.line);
    instructions_.open_computation();
    std::optional<InstructionId> root;
    InstructionId last = kNone;
    while (!cursor_.accept('}')) {
      ask_deadline();
      const auto [instruction, is_root] = instructions_.parse();
      last = instruction;
      if (!is_root) continue;
      if (root) {
        throw InputError(DiagCode::BadComputation, builder_.module().where(instruction),
                         "computation '%" + std::string(name) + "' has two ROOT instructions");
      }
      root = instruction;
    }
    if (last == kNone) {
      throw InputError(DiagCode::BadComputation, where, "computation '%" + std::string(name) + "' is empty");
    }
    builder_.end(root.value_or(last));
    if (printed) check_types("the signature of '%" + std::string(name) + "'", *printed, builder_.module(), id);
    if (cursor_.accept(',')) {  // }, execution_thread="host"
      cursor_.expect("execution_thread");
      cursor_.expect('=');
      cursor_.quoted("the name of a thread");
    }
  }

  /// Throws what was collected: operators and custom calls without a meaning in one diagnostic, unknown attributes.
  void report(const Module& module) {
    auto& found = instructions_.unsupported;
    const VerifyOptions accepted{options_.opaque_targets, options_.allow_elided, options_.accept_unknown_calls};
    for (const InstructionId id : unsupported_calls(module, accepted)) {
      const auto is_this = [id](const Transfer& transfer) { return transfer.instruction == id; };
      if (std::any_of(module.transfers.begin(), module.transfers.end(), is_this)) continue;
      const std::string& target = module.attributes(id).text(Attr::CustomCallTarget);
      if (!target.empty()) found.push_back({"custom call '" + target + "'", module.where(id)});  // else a placeholder
    }
    std::vector<Diag> problems = std::move(instructions_.problems);
    if (!found.empty()) problems.insert(problems.begin(), summary(found));
    if (!problems.empty()) throw InputError(std::move(problems));
  }

  static Diag summary(std::vector<Unsupported>& found) {
    struct Count {
      std::size_t times = 0;
      Location first;
    };
    std::map<std::string, Count> counts;
    for (const Unsupported& item : found) {
      Count& count = counts[item.what];
      if (count.times++ == 0 || item.where.line < count.first.line) count.first = item.where;
    }
    const auto first = std::min_element(found.begin(), found.end(), [](const Unsupported& a, const Unsupported& b) {
      return a.where.line < b.where.line;
    });
    Diag diag{DiagCode::UnsupportedOps, first->where, "no meaning is known for ", {}};
    for (const auto& [what, count] : counts) {
      if (diag.notes.size() == 20) {
        diag.notes.push_back("... and " + std::to_string(counts.size() - 20) + " more");
        break;
      }
      if (!diag.notes.empty()) diag.message += ", ";
      diag.message += what;
      diag.notes.push_back(what + ": " + std::to_string(count.times) + (count.times == 1 ? " time" : " times") +
                           ", first in line " + std::to_string(count.first.line));
    }
    return diag;
  }

  const ParseOptions& options_;
  Cursor cursor_;
  Builder builder_;
  InstructionParser instructions_;
  bool has_entry_ = false;
};

}  // namespace
}  // namespace hlo

namespace {

std::uint32_t line_ends_in(std::string_view text) { return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')); }

/// The errors with the files of the definitions in place of lines beyond the text's own, which nobody has before him.
InputError in_their_files(const InputError& error, std::uint32_t own, const std::string& file, const ParseOptions& options) {
  std::vector<Diag> diags = error.diags();
  for (Diag& diag : diags) {
    std::uint32_t end = own;
    if (diag.where.file != file || diag.where.line <= end) continue;
    for (const DefinitionFile& definitions : options.definitions) {
      end += line_ends_in(definitions.text);
      if (diag.where.line > end) continue;
      diag.where = {definitions.path};
      break;
    }
  }
  return InputError(std::move(diags));
}

Module parse_one(std::string_view text, const std::string& file, const ParseOptions& options) {
  Module module = hlo::ModuleParser(text, file, options).run();
  if (!module.transfers.empty()) verify(module, {{}, true, true});  // of what is replaced the rest of the checks speak
  if (!module.transfers.empty() && !options.keep_transfers) module = replace_transfers(module);
  if (options.verify && module.transfers.empty()) {
    verify(module, {options.opaque_targets, options.allow_elided, options.accept_unknown_calls});
  }
  return module;
}

}  // namespace

Module parse_hlo(std::string_view text, const std::string& file, const ParseOptions& options) {
  if (options.definitions.empty()) return parse_one(text, file, options);
  std::string whole = std::string(text) + "\n";  // the text, then the definitions: computations may be used before they are read
  const std::uint32_t own = line_ends_in(whole);
  for (const DefinitionFile& definitions : options.definitions) whole += definitions.text;
  try {
    return parse_one(whole, file, options);
  } catch (const InputError& error) {
    throw in_their_files(error, own, file, options);
  }
}

Module load_hlo(const std::string& path, const ParseOptions& options) {
  return parse_hlo(read_file(path), path, options);
}

}  // namespace gg
