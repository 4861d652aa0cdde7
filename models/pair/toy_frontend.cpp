// The toy front end of docs/design.md: `ranks N`, `NAME f32 EXTENT` for a parameter, `NAME = OPERATOR NAME...`, last the result.
#include <map>
#include <sstream>

#include "models/base/file.h"
#include "models/ir/verify.h"
#include "models/pair/case.h"
#include "models/pair/hlo_frontend.h"

namespace gg {
namespace {

Module parse_toy(const std::string& file) {
  Builder builder(file);
  const ComputationId main = builder.reserve("main");
  builder.begin(main, 1);
  std::istringstream lines(read_file(file));
  std::map<std::string, InstructionId> names;
  std::int64_t parameters = 0;
  InstructionId last = 0;
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string name, kind, word;
    words >> name >> kind;
    Instruction instruction{};
    Attributes attributes;
    std::vector<InstructionId> operands;
    if (name == "ranks") {
      builder.module().num_partitions = std::stoll(kind);
      continue;
    }
    if (kind == "f32") {
      std::int64_t extent = 0;
      words >> extent;
      instruction.op = Op::Parameter;
      instruction.type = builder.intern(Type::array(ElementType::F32, {extent}));
      attributes.set(Attr::Parameter, parameters++);
    } else {
      words >> word;
      const std::optional<Op> op = find_op(word);
      while (words >> word) operands.push_back(names.at(word));
      if (!op || operands.empty()) throw InputError(DiagCode::UnknownName, {file, number, 1}, "'" + line + "' is no statement");
      instruction.op = *op;
      instruction.type = builder.module()[operands[0]].type;
    }
    instruction.name = builder.intern(name);
    instruction.attributes = builder.intern(std::move(attributes));
    names[name] = last = builder.add(instruction, operands);
  }
  builder.end(last);
  builder.set_entry(main);
  Module module = builder.finish();
  verify(module);
  return module;
}

}  // namespace

ReadPair load_toy_pair(const PairFiles& files, const CaseOptions&) {
  ReadPair pair;
  pair.sequential = std::make_unique<Module>(parse_toy(files.sequential));
  pair.distributed = std::make_unique<Module>(parse_toy(files.distributed));
  pair.relation = read_file(files.relation);
  pair.sequential_hash = content_hash(read_file(files.sequential));
  pair.distributed_hash = content_hash(read_file(files.distributed));
  return pair;
}

}  // namespace gg
