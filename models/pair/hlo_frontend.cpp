// HLO text, one program or several that a relation lists.
#include "models/pair/hlo_frontend.h"

#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "models/ir/verify.h"
#include "models/relation/programs.h"

namespace gg {
namespace {

// How texts are read, and what their hashes cover beside them.
struct Reading {
  ParseOptions options;
  std::string definitions;
};

/// Does a text, or another file, call what this file defines? (Programs that were put side by side have names with a prefix.)
bool calls(const Module& module, const DefinitionFile& file) {
  const auto of_file = [&](ComputationId id) {
    return std::any_of(file.definitions.begin(), file.definitions.end(), [&](const Definition& d) { return module.string(module.computation(id).name).ends_with(d.computation); });
  };
  for (ComputationId id = 0; id < module.computations().size(); ++id) {
    const Computation& computation = module.computation(id);
    for (InstructionId call = computation.first; !of_file(id) && call < computation.first + computation.count; ++call) {
      const ComputationList& callees = module.attributes(call).computations(Attr::ToApply);
      if (module[call].op == Op::Call && std::any_of(callees.begin(), callees.end(), of_file)) return true;
    }
  }
  return false;
}

/// Which of the definitions a pair rests on.
void note_definitions(const Reading& how, const CaseOptions& options, ReadPair& pair) {
  for (std::size_t k = 0; k < how.options.definitions.size(); ++k) {
    const DefinitionFile& file = how.options.definitions[k];
    if (calls(*pair.sequential, file) || calls(*pair.distributed, file)) pair.stated.push_back({AssumptionKind::Defined, {file.target, file.hash}});
    else pair.unused.push_back(options.definitions[k]);
  }
}

Reading reading(const CaseOptions& options) {
  Reading result;
  result.options.allow_elided = options.allow_elided;
  result.options.accept_unknown_calls = true;  // opaque: the rest of the program is still looked at
  for (const std::string& text : options.opaque_targets) {
    const OpaqueTarget opaque = parse_opaque_target(text);
    result.options.opaque_batch_dims.emplace_back(opaque.target, opaque.batch_dims);
  }
  for (const std::string& path : options.definitions) {
    result.options.definitions.push_back(load_definitions(path));
    const DefinitionFile& file = result.options.definitions.back();
    for (const DefinitionFile& other : result.options.definitions) {
      if (&other != &file && other.target == file.target) throw InputError(DiagCode::Usage, {path}, "--define gives '" + file.target + "' a meaning twice");
    }
    for (const std::string& text : options.opaque_targets) {
      if (parse_opaque_target(text).target != file.target) continue;
      throw InputError(DiagCode::Usage, {path}, "--define gives '" + file.target + "' a meaning and --opaque says that it has none: give one of them");
    }
    result.definitions += file.text;
  }
  return result;
}

std::unique_ptr<Module> parse(const std::string& file, const Reading& how, std::string& hash) {
  const std::string text = read_file(file);
  hash = content_hash(text + how.definitions);
  return std::make_unique<Module>(parse_hlo(text, file, how.options));
}

// The programs of a relation as one module, and what becomes of the sequential one and the relation's text; the hash is of all
// texts, in the order of the list.
void parse_programs(const ProgramList& list, const std::string& relation, Reading how, ReadPair& c) {
  const ParseOptions checked = how.options;
  how.options.keep_transfers = true;
  std::vector<Module> modules;
  std::string texts;
  for (const ProgramText& program : list.programs) {
    const std::string file = path_beside(relation, program.file);
    const std::string text = read_file(file);
    texts += content_hash(text) + "\n";
    modules.push_back(parse_hlo(text, file, how.options));
  }
  c.distributed_hash = content_hash(texts + how.definitions);
  MergedPrograms merged = merge_rank_classes(list, modules, *c.sequential, relation);
  verify(merged.module, {checked.opaque_targets, checked.allow_elided, checked.accept_unknown_calls});
  c.distributed = std::make_unique<Module>(std::move(merged.module));
  c.relation = list.relation;
  if (merged.copies.empty()) return;
  c.relation = relation_with_copies(list.relation, relation, *c.sequential, merged.copies);
  c.sequential = std::make_unique<Module>(with_output_copies(*c.sequential, merged.copies));
}

}  // namespace

ReadPair load_hlo_pair(const PairFiles& files, const CaseOptions& options) {
  const Reading how = reading(options);
  const std::string relation_text = files.relation.empty() ? "" : read_file(files.relation);
  const auto programs = files.relation.empty() ? std::nullopt : read_programs(relation_text, files.relation);
  if (!programs && files.distributed.empty()) {
    throw InputError(DiagCode::Usage, {files.sequential}, "there is no distributed program: neither a text nor \"programs\" in a relation");
  }
  ReadPair pair;
  pair.relation = relation_text;
  pair.sequential = parse(files.sequential, how, pair.sequential_hash);
  if (files.distributed.empty()) {
    parse_programs(*programs, files.relation, how, pair);
  } else {
    pair.distributed = parse(files.distributed, how, pair.distributed_hash);
  }
  note_definitions(how, options, pair);
  return pair;
}

Case case_of_texts(const std::string& sequential, const std::string& distributed, const std::string& relation) {
  Case c;
  c.arena = std::make_unique<Arena>();
  c.sequential = std::make_unique<Module>(parse_hlo(sequential, "sequential.hlo"));
  c.distributed = std::make_unique<Module>(parse_hlo(distributed, "distributed.hlo"));
  c.relation_text = relation;
  c.relation = read_relation(*c.arena, relation, "relation.json", *c.sequential, *c.distributed);
  c.sequential_bodies = std::make_unique<BodyTable>(*c.arena, *c.sequential, RankDigits(), RankLayout());
  c.distributed_bodies = std::make_unique<BodyTable>(*c.arena, *c.distributed, c.relation.digits, c.relation.layout);
  return c;
}

}  // namespace gg
