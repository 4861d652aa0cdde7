#include "harness/explain/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "harness/explain/explain.h"
#include "harness/explain/reduced_texts.h"
#include "harness/options/load.h"
#include "models/hlo/printer.h"

namespace gg {
namespace {

/// Multiply-adds, loops counted once: an order of magnitude.
constexpr double kRealOperationsPerSecond = 1e7, kDoubleOperationsPerSecond = 2e9;
constexpr double kBallBytes = 48, kBoundedBytes = 16;  ///< a number of 128 bits; a double and its bound

/// Bytes of the largest operands and results of one instruction over all ranks.
double largest_step(const Module& module, std::int64_t ranks, double bytes_each) {
  std::vector<double> bytes(module.type_count(), 0);
  for (TypeId t = 0; t < module.type_count(); ++t) {
    for (const Type* leaf : module.type_by_id(t).leaves()) {
      double count = leaf->is_array() ? bytes_each : 0;
      for (const std::int64_t extent : leaf->dims) count *= static_cast<double>(extent);
      bytes[t] += count;
    }
  }
  double largest = 0;
  for (InstructionId id = 0; id < module.size(); ++id) {
    double step = bytes[module[id].type];
    for (const InstructionId operand : module.operands(id)) step += bytes[module[operand].type];
    if (info(module[id].op).traits != OpTraits::Structure) largest = std::max(largest, step);
  }
  return largest * static_cast<double>(ranks);
}

bool same_instructions(const Module& a, const Module& b) {
  if (a.size() != b.size()) return false;
  for (InstructionId id = 0; id < a.size(); ++id) {
    if (a[id].op != b[id].op || a.name_of(id) != b.name_of(id)) return false;
  }
  return true;
}

}  // namespace

bool same_instructions(const Case& a, const Case& b) {
  return same_instructions(*a.sequential, *b.sequential) && same_instructions(*a.distributed, *b.distributed);
}

std::string beyond_memory(const Case& c, const DifferentialOptions& options) {
  const double each = options.mode == NumberMode::Real ? kBallBytes : kBoundedBytes;
  const double bytes = std::max(largest_step(*c.sequential, 1, each), largest_step(*c.distributed, c.relation.layout.ranks(), each));
  if (bytes <= static_cast<double>(options.budget.max_bytes)) return "";
  return fmt::format("one instruction alone would need {:.3g} GiB of the {} MiB that a run may use", bytes / (1U << 30U), options.budget.max_bytes >> 20U);
}

std::string too_large(const Case& c, const DifferentialOptions& options, double seconds) {
  if (std::string why = beyond_memory(c, options); !why.empty()) return why;
  const double operations = estimated_operations(c) * options.seeds;
  const double rate = options.mode == NumberMode::F64 ? kDoubleOperationsPerSecond : kRealOperationsPerSecond;
  if (operations > 10 * seconds * rate) {
    return fmt::format("{:.1g} operations do not fit the time budget", operations);
  }
  return "";
}

std::unique_ptr<Case> shrink(const Case& c) {
  auto reduced = std::make_unique<Case>(reduced_case(c, reduce_shapes(c)));
  infer_ranges(*reduced);
  return reduced;
}

std::unique_ptr<Case> shrink_with_floats(const Case& c, std::string& why) {
  const ShapeReduction reduction = reduce_shapes(c, nullptr, Floats::Rewrite);
  why = reduction.floats_kept;
  if (!reduction.floats_rewritten) return nullptr;
  auto reduced = std::make_unique<Case>(reduced_case(c, reduction));
  infer_ranges(*reduced);
  return reduced;
}

int reduce_command(const Options& options) {
  if (options.output.empty()) throw InputError(DiagCode::Usage, {}, "'reduce' needs -o DIR for the smaller pair");
  if (!options.shapes) return reduce_instructions(options);
  const Case c = load_case(options);
  std::unique_ptr<Case> like;
  if (!options.like.empty()) like = std::make_unique<Case>(gg::load_case(options.like));
  const ShapeReduction reduction = reduce_shapes(c, like.get(), options.floats == "rewrite" ? Floats::Rewrite : Floats::Keep);
  if (!reduction.floats_kept.empty()) {
    std::cout << "not reduced: the float literals cannot be rewritten: " << reduction.floats_kept << "\n";
    return exit_code(Verdict::Unknown);
  }
  write_reduction(options.output, print_hlo(reduction.sequential), print_hlo(reduction.distributed), reduction.relation);
  for (const SizeChange& change : reduction.sizes) {
    std::cout << fmt::format("size {} -> {} in {} dimensions, first {}\n", change.before, change.after, change.dimensions,
                             change.example);
  }
  for (const std::string& literal : reduction.literals) std::cout << "literal " << literal << "\n";
  for (const std::string& kept : reduction.kept) std::cout << "kept " << kept << "\n";
  if (like) {
    std::size_t lines = 0;
    const auto different = different_lines(reduction, *like, lines);
    for (const std::string& line : different) std::cout << "different " << line << "\n";
    std::cout << fmt::format("{} of {} lines as in {}\n", lines - different.size(), lines, options.like);
  }
  std::cout << fmt::format("largest array {} -> {} elements\nreduced {}\n", reduction.largest_before,
                           reduction.largest_after, options.output);
  return 0;
}

}  // namespace gg
