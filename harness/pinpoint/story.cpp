// Rows of the page (harness/pinpoint/story.h).
#include "harness/pinpoint/story.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/pinpoint/chains.h"
#include "models/hlo/printer.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxRows = 600;
constexpr std::size_t kMaxNumbers = std::size_t{1} << 23U;

/// First leaves of all instructions of one f64 run, the last execution of each.
std::map<Name, std::vector<double>> values_of(Case& c, const InputSet& inputs, const Budget& budget) {
  std::map<Name, std::vector<double>> values;
  std::size_t kept = 0;
  PairRunner runner(c);
  RunOptions options;
  options.mode = NumberMode::F64;
  options.budget = budget;
  options.seed = inputs.seed;
  options.probe = [&](const Instance& instance, Leaves leaves) {
    if (leaves.empty() || kept > kMaxNumbers) return;
    auto& list = values[name_of(*c.distributed, instance.instruction)];
    list.clear();
    kept += static_cast<std::size_t>(leaves[0]->count());
    if (leaves[0]->storage() == Storage::Double) {
      list.assign(leaves[0]->as<double>().begin(), leaves[0]->as<double>().end());
    } else {
      for (const std::int64_t x : leaves[0]->as<std::int64_t>()) list.push_back(static_cast<double>(x));
    }
  };
  runner.run_distributed(inputs, options);
  return values;
}

/// Largest difference by rank, in units in the last place of the largest magnitude.
std::vector<double> errors_of(const std::vector<double>& now, const std::vector<double>& right, std::size_t ranks, ElementType type) {
  std::vector<double> errors(ranks, -1);
  if (now.size() != right.size() || now.empty()) return errors;
  double scale = 0;
  for (const double x : right) scale = std::isfinite(x) ? std::max(scale, std::abs(x)) : scale;
  const double unit = is_float(type) ? std::ldexp(scale == 0 ? 1 : scale, -info(type).significand) : 1;
  const std::size_t n = now.size() / ranks;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    double worst = 0;
    for (std::size_t k = rank * n; k < (rank + 1) * n; ++k) {
      const double d = std::abs(now[k] - right[k]);
      worst = std::isnan(d) ? (std::isnan(now[k]) == std::isnan(right[k]) ? worst : HUGE_VAL) : std::max(worst, d);
    }
    errors[rank] = worst / unit < 1e-3 ? 0 : worst / unit;
  }
  return errors;
}

std::string relation_of(const DivergenceTrace& trace, const Match& match) {
  std::string text = match.partial.empty() ? "= " : std::string("partial ") + (match.sum ? "sum" : "maximum") + " over " + trace.digit_names(match.partial) + " of ";
  const InstructionId id = trace.sequential().values()[trace.anchor(match)].instance.instruction;
  text += "%" + std::string(trace.pair().sequential->name_of(id));
  for (std::size_t d = 0; d < match.splits.size(); ++d) {
    if (!match.splits[d].empty()) text += ", " + trace.digit_names(match.splits[d]) + " on dimension " + std::to_string(d);
  }
  return text;
}

}  // namespace

std::vector<StoryRow> story(Case& c, const InputSet& inputs, const Pinpointed& found, const Search& search) {
  const Budget& budget = search.budget;
  const DivergenceTrace trace(c, inputs, search.mode, budget);
  if (!trace.complete()) return {};
  const Module& module = *c.distributed;
  std::map<Name, std::vector<double>> now, right;
  if (!found.mends.empty() && found.mends.front().module) {
    Case mended = with_distributed(c, Module(*found.mends.front().module));
    now = values_of(c, inputs, budget);
    right = values_of(mended, inputs, budget);
  }
  std::set<InstructionId> blamed, told;
  for (const Defect& defect : found.defects) blamed.insert(defect.place);
  const std::set<ValueId> bad(trace.suspects().begin(), trace.suspects().end());
  PrintOptions print;
  print.metadata = false;
  std::vector<StoryRow> rows;
  const auto& values = trace.distributed().values();
  for (ValueId id = 0; id < values.size() && rows.size() < kMaxRows; ++id) {
    const InstructionId instruction = values[id].instance.instruction;
    if (values[id].leaf != 0 || !told.insert(instruction).second) continue;
    StoryRow row;
    row.distributed = print_instruction(module, instruction, print);
    row.state = blamed.count(instruction) != 0 ? "blamed" : bad.count(id) != 0 ? "bad"
                                                                               : "good";
    if (const auto& match = trace.state(id).match) {
      row.relation = relation_of(trace, *match);
      row.sequential = print_instruction(*c.sequential, trace.sequential().values()[trace.anchor(*match)].instance.instruction, print);
    }
    const auto a = now.find(name_of(module, instruction)), b = right.find(name_of(module, instruction));
    if (a != now.end() && b != right.end()) {
      row.errors = errors_of(a->second, b->second, static_cast<std::size_t>(c.relation.layout.ranks()), trace.element(id));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gg::pinpoint
