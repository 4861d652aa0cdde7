#include "models/pair/sizes_theorem.h"

namespace gg {

std::string bounds_of(const SizesTheorem& theorem) {
  std::string any;
  for (const SizeSymbol& s : theorem.sizes) {
    if (s.tied.empty()) any += (any.empty() ? "" : ", ") + s.name + (s.least > 1 ? " >= " + std::to_string(s.least) : "");
  }
  for (const std::string& condition : theorem.conditions) any += ", " + condition;
  return any;
}

std::vector<std::string> size_lines(const SizesTheorem& theorem) {
  if (!theorem.proved) return {"note: shown at the sizes of the text only: " + theorem.reason};
  std::string any, here;
  for (const SizeSymbol& s : theorem.sizes) {
    if (!s.tied.empty()) continue;
    any += (any.empty() ? "" : ", ") + s.name + (s.least > 1 ? " >= " + std::to_string(s.least) : "");
    here += (here.empty() ? "" : " ") + s.name + "=" + std::to_string(s.value);
  }
  std::vector<std::string> lines{any.empty() ? "all sizes: none is free" : "all sizes: proved for any " + any + " (here " + here + ")"};
  for (const std::string& condition : theorem.conditions) lines.push_back("  where " + condition);
  for (const std::string& input : theorem.inputs) lines.push_back("  input " + input);
  for (const std::string& output : theorem.outputs) lines.push_back("  output " + output);
  for (const std::string& reading : theorem.readings) lines.push_back("  the " + reading);
  for (const std::string& literal : theorem.kept) lines.push_back("  the " + literal + " stays");
  for (const SizeSymbol& s : theorem.sizes) {
    if (s.tied.empty()) continue;
    lines.push_back("  " + (s.name == std::to_string(s.value) ? "a part of a dimension" : s.name) + " stays " + std::to_string(s.value) + ": " + s.tied);
  }
  return lines;
}

}  // namespace gg
