// What tests ask of pairs at reduced shapes.
#pragma once

#include <gtest/gtest.h>

#include "runtime/differential.h"
#include "runtime/shapes/reduce.h"

namespace gg {

/// Do two seeds show a difference at reduced shapes?
inline bool differs(const Case& c, const ShapeReduction& reduction) {
  Case small = reduced_case(c, reduction);
  infer_ranges(small);
  DifferentialOptions options;
  options.seeds = 2;
  const DifferentialResult run = run_pair(small, options);
  EXPECT_FALSE(run.stopped);
  return run.differing.has_value();
}

inline std::int64_t first_extent(const Module& m, std::size_t parameter = 0, std::size_t dimension = 0) {
  return m.type(m.computation(m.entry()).parameters[parameter]).dims[dimension];
}

}  // namespace gg
