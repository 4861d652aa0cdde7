// Which runs of a pair are made, by what they cost: full shape or reduced shapes, and which number type. Estimates only, no clock.
#pragma once

#include <vector>

#include "harness/options/options.h"

namespace gg {

/// One way to run a pair.
struct Attempt {
  bool reduced = false;
  NumberMode mode = NumberMode::Real;
  int draws = 1;
  friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// What one draw of a pair takes that is run as it is.
struct RunCost {
  double operations = 0;  ///< estimated_operations, and what every instruction takes beside its elements
  bool fits = true;       ///< into memory, and at all into the time given
};
RunCost cost_of_run(const Case& c, const Options& options);

/// What any run of the pair takes at least, at whatever shapes.
double least_cost(const Case& c);

/// What runs are for: they decide what no proof does, or guard a proof.
enum class Purpose : std::uint8_t { Decide,
                                    Guard };

/// The runs to make, in order: the next one where the one before decides nothing. None: no guard is cheap enough.
std::vector<Attempt> attempts(const RunCost& cost, const Options& options, Purpose purpose);

/// Draws beside those asked for, for a pair that is not proved and whose draws agree: none where one is not cheap.
int further_draws(const Case& c);

/// Are runs of so many operations in all cheap enough?
bool is_affordable(double operations, NumberMode mode, Purpose purpose);

/// May the user's number type be chosen by cost?
bool chooses_number_type(const Options& options);

}  // namespace gg
