#include "harness/dump/names.h"

#include <algorithm>
#include <array>

namespace gg {
namespace {

constexpr std::string_view kModule = "module_";

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool take_end(std::string_view& text, std::string_view end) {
  if (text.size() < end.size() || text.substr(text.size() - end.size()) != end) return false;
  text.remove_suffix(end.size());
  return true;
}

/// `module_` at the start of a dotted part and followed by a digit.
std::size_t find_module(std::string_view file) {
  for (auto at = file.find(kModule); at != std::string_view::npos; at = file.find(kModule, at + 1)) {
    const std::size_t digit = at + kModule.size();
    if ((at == 0 || file[at - 1] == '.') && digit < file.size() && is_digits(file.substr(digit, 1))) return at;
  }
  return std::string_view::npos;
}

/// The part of a pass, `NNNN.PIPELINE.after_A.before_B`: where it starts in `rest`, and its stage.
bool parse_pass(std::string_view rest, DumpName& name) {
  const auto after = rest.rfind(".after_");
  const auto before = rest.rfind(".before_");
  if (after == std::string_view::npos || before == std::string_view::npos || after > before) return false;
  const std::string_view done = rest.substr(after + 7, before - after - 7);
  const std::string_view next = rest.substr(before + 8);
  std::string_view head = rest.substr(0, after);  // jit_step.0001.spmd-partitioner
  const auto pipeline = head.rfind('.');
  if (pipeline == std::string_view::npos) return false;
  name.pipeline = std::string(head.substr(pipeline + 1));
  name.done = std::string(done);
  head = head.substr(0, pipeline);
  const auto counter = head.rfind('.');
  const std::string_view number = counter == std::string_view::npos ? head : head.substr(counter + 1);
  if (!is_digits(number)) return false;
  name.module = counter == std::string_view::npos ? "" : std::string(head.substr(0, counter));
  name.pass = std::string(number);
  constexpr std::string_view kPass = "spmd-partitioning";
  if (next == kPass) name.stage = DumpStage::BeforePartitioning;
  else if (done == kPass) name.stage = DumpStage::AfterPartitioning;
  return true;
}

constexpr std::array kTargets = {std::string_view("cpu_"), std::string_view("gpu_"), std::string_view("tpu_")};

/// `.after_optimizations`, `.cpu_after_optimizations`, `.sm_9.0_gpu_after_optimizations`.
bool parse_after_optimizations(std::string_view rest, DumpName& name) {
  if (!take_end(rest, "after_optimizations")) return false;
  for (const std::string_view target : kTargets) take_end(rest, target);
  if (const auto sm = rest.rfind(".sm_"); sm != std::string_view::npos) rest = rest.substr(0, sm + 1);
  take_end(rest, ".");
  name.module = std::string(rest);
  name.stage = DumpStage::AfterOptimizations;
  return true;
}

}  // namespace

std::optional<DumpName> parse_dump_name(std::string_view file) {
  const std::size_t at = find_module(file);
  if (at == std::string_view::npos) return std::nullopt;
  DumpName name;
  name.prefix = std::string(file.substr(0, at == 0 ? 0 : at - 1));
  std::string_view rest = file.substr(at + kModule.size());
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  name.number = std::string(rest.substr(0, digits));
  rest.remove_prefix(digits);
  if (rest.empty() || rest.front() != '.') return std::nullopt;
  rest.remove_prefix(1);
  take_end(rest, ".gz");
  name.binary = take_end(rest, ".hlo.pb") || take_end(rest, ".pb");
  const bool text = !name.binary && take_end(rest, ".txt");
  if (name.binary || text) {
    std::string_view head = rest;
    if (parse_pass(rest, name)) {
    } else if (take_end(head, ".before_optimizations")) {
      name.module = std::string(head);
      name.stage = DumpStage::BeforeOptimizations;
    } else if (!parse_after_optimizations(rest, name)) {
      name.module = std::string(rest.substr(0, rest.find('.')));
    }
  } else if (take_end(rest, ".debug_options")) {
    name.module = std::string(rest);
    name.stage = DumpStage::Options;
  } else {
    name.module = std::string(rest.substr(0, rest.find('.')));
  }
  name.stem = (name.prefix.empty() ? "" : name.prefix + ".") + std::string(kModule) + name.number + "." + name.module;
  return name;
}

}  // namespace gg
