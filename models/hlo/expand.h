// Instructions that the printer may write as several plain ones: custom calls with a definition, and rank ids of
// modules that are printed as replicas.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg::hlo {

/// One printed line: `%name = type rhs`.
struct Line {
  std::string name;
  Type type;
  std::string rhs;
  bool as_written = false;  ///< the type is printed as it is, also where others are widened
};

/// What an expansion may ask for.
struct Expansion {
  const Module& module;
  InstructionId id;
  std::function<std::string()> fresh;           ///< an unused instruction name
  std::function<std::string(ElementType)> sum;  ///< the computation that adds two scalars
};

/// The lines that compute the instruction; the last one has its name. Nothing if it is no custom call with a
/// definition.
std::optional<std::vector<Line>> expand_custom_call(const Expansion& expansion);

/// A bitcast-convert of floats among widened values: rounded to the type whose bits are meant, or widened again. Nothing
/// where no float takes part.
std::vector<Line> expand_bits(const Expansion& expansion);

/// partition-id or replica-id of a program of `layout`, in terms of replica-id over all ranks.
std::vector<Line> expand_rank_id(const Expansion& expansion, RankLayout layout);

}  // namespace gg::hlo
