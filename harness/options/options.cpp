#include "harness/options/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "harness/options/option_table.h"
#include "models/base/diag.h"

namespace gg {

NumberMode number_mode(const Options& o) {
  if (o.dtype == "f64") return NumberMode::F64;
  return NumberMode::Real;
}

DifferentialOptions differential_options(const Options& options) {
  DifferentialOptions result;
  result.seed = options.seed;
  result.seeds = options.seeds;
  result.mode = number_mode(options);
  if (options.memory_mb != 0) result.budget.max_bytes = std::min(result.budget.max_bytes, options.memory_mb << 20U);
  return result;
}

Options with_number_type(Options options, const Case& c) {
  if (options.dtype == "auto" || options.dtype == "model" || options.dtype == "f32") options.dtype = affordable_mode(c) == NumberMode::F64 ? "f64" : "real";
  return options;
}

std::string witness_folder(const Options& options, const std::string& name) {
  if (options.witness == kNoWitness) return "";
  return options.witness.empty() && options.command == "check" ? name + ".witness" : options.witness;
}

Options parse_check_arguments(const std::string& line, const Options& defaults) {
  Options options = defaults;
  options.inputs.clear();
  for (std::string* file : {&options.json, &options.junit, &options.sarif, &options.html, &options.repaired, &options.output}) file->clear();
  const std::string witness = options.witness, certificate = options.certificate;
  CLI::App app;
  app.add_option("inputs", options.inputs);
  add_options(app, "check", options);
  try {
    app.parse(line, false);
  } catch (const CLI::Error& error) {
    throw InputError(DiagCode::Usage, {}, error.get_exit_code() == 0 ? "the line asks for help" : error.what());
  }
  refuse_contradictions(options);
  bool files = false;
  for (const std::string* file : {&options.json, &options.junit, &options.sarif, &options.html, &options.repaired, &options.output}) files |= !file->empty();
  if (files || options.witness != witness || options.certificate != certificate || options.backend != defaults.backend) {
    throw InputError(DiagCode::Usage, {}, "report files, --repaired, --output, --witness, --certificate and --backend belong to the whole suite");
  }
  return options;
}

}  // namespace gg
