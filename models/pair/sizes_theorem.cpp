#include "models/pair/sizes_theorem.h"

#include "models/base/text.h"

namespace gg {
namespace {

std::string lower_bounds(const SizesTheorem& theorem) {
  return joined_text(theorem.sizes, ", ", [&](const SizeSymbol& s) { return s.name + (s.least > 1 ? " >= " + std::to_string(s.least) : ""); });
}

}  // namespace

std::string bounds_of(const SizesTheorem& theorem) {
  std::string any = lower_bounds(theorem);
  for (const std::string& condition : theorem.conditions) any += ", " + condition;
  return any;
}

std::vector<std::string> size_lines(const SizesTheorem& theorem) {
  if (!theorem.proved) return {"note: shown at the sizes of the text only: " + theorem.reason};
  const std::string any = lower_bounds(theorem);
  const std::string here = joined_text(theorem.sizes, " ", [&](const SizeSymbol& s) { return s.name + "=" + std::to_string(s.value); });
  std::vector<std::string> lines{any.empty() ? "all sizes: none is free" : "all sizes: proved for any " + any + " (here " + here + ")"};
  for (const std::string& condition : theorem.conditions) lines.push_back("  where " + condition);
  for (const std::string& input : theorem.inputs) lines.push_back("  input " + input);
  for (const std::string& output : theorem.outputs) lines.push_back("  output " + output);
  for (const std::string& reading : theorem.readings) lines.push_back("  the " + reading);
  for (const std::string& literal : theorem.kept) lines.push_back("  the " + literal + " stays");
  return lines;
}

}  // namespace gg
