// Runs one-graph FX texts on given numbers, for the comparison with torch (tests/torch/referee.py). Standard input: a line of JSON an
// instance, {"text", "inputs": [[numbers]]}; output: {"outputs": [[numbers]]} or {"error": "..."}. `--schemas` prints the rows and which of them are views; other
// arguments are files of definitions.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "models/fx/aliases.h"
#include "models/fx/complex.h"
#include "models/fx/functional.h"
#include "models/fx/program.h"
#include "models/ir/region.h"
#include "models/ir/verify.h"
#include "runtime/executor.h"

namespace {

using namespace gg;
using Json = nlohmann::ordered_json;

fx::Definitions definitions;

Module module_of(const std::string& text) {
  const fx::Graph graph = fx::functional(fx::read_graphs(text, "graph.fx").at(0), definitions);
  fx::Plan plan;
  plan.definitions = &definitions;
  plan.groups.find = [](const auto&, const auto&) { return std::vector<std::vector<std::int64_t>>{{0}}; };
  for (const fx::Placeholder& input : graph.inputs) {
    plan.parameters.push_back({input.name, fx::stored(input.type)});
    fx::Binding binding;
    binding.name = input.name;
    binding.type = input.type;
    plan.bindings.push_back(binding);
  }
  for (const fx::Argument& output : graph.outputs) plan.outputs.push_back(output.text);
  plan.output_names = plan.outputs;
  return fx::lower_graph(graph, plan);
}

double number(const Json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string text = value;
  return text == "nan" ? std::nan("") : text == "inf" ? std::numeric_limits<double>::infinity()
                                                      : -std::numeric_limits<double>::infinity();
}

Json printed(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json run(const Json& instance) {
  const Module module = module_of(instance["text"]);
  verify(module);
  Arena arena;
  BodyTable bodies(arena, module, RankDigits(), RankLayout());
  Executor executor(bodies, nullptr);
  std::vector<Buffer> inputs;
  const auto& parameters = module.computation(module.entry()).parameters;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const Type& type = module.type(parameters[k]);
    const bool real = is_float(type.element);
    Buffer buffer(real ? Storage::Double : Storage::Int64, type.count());
    for (std::int64_t i = 0; i < type.count(); ++i) {
      const Json& value = instance["inputs"][k][static_cast<std::size_t>(i)];
      if (real) buffer.as<double>()[static_cast<std::size_t>(i)] = number(value);
      else buffer.as<std::int64_t>()[static_cast<std::size_t>(i)] = value.get<std::int64_t>();
    }
    inputs.push_back(std::move(buffer));
  }
  RunOptions options;
  options.mode = NumberMode::F64;
  const RunResult result = executor.run(std::move(inputs), options);
  Json outputs = Json::array();
  for (std::size_t k = 0; k < result.outputs.size(); ++k) {
    Json list = Json::array();
    const Type& type = *module.type(module.computation(module.entry()).root).leaves()[k];
    for (std::int64_t i = 0; i < type.count(); ++i) {
      if (is_float(type.element)) list.push_back(printed(result.outputs[k].as<double>()[static_cast<std::size_t>(i)]));
      else list.push_back(result.outputs[k].as<std::int64_t>()[static_cast<std::size_t>(i)]);
    }
    outputs.push_back(std::move(list));
  }
  return {{"outputs", outputs}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--schemas") {
    for (const auto& group : fx::overload_groups()) {
      for (const fx::Overload& row : group) std::printf("%s\t%s\t%s\n", std::string(row.name).c_str(), std::string(row.schema).c_str(), fx::may_alias(row.name) ? "view" : "");
    }
    return 0;
  }
  for (int k = 1; k < argc; ++k) definitions.load(argv[k]);
  std::string line;
  while (std::getline(std::cin, line)) {
    Json answer;
    try {
      answer = run(Json::parse(line));
    } catch (const std::exception& error) {
      answer = {{"error", error.what()}};
    }
    std::cout << answer.dump() << "\n"
              << std::flush;
  }
}
