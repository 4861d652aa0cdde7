// Names of instructions in the words of the graph that a module was read from.
#pragma once

#include <string>

#include "models/ir/module.h"

namespace gg::fx {

/// The node whose statement the instruction belongs to (`r0.max_1`: of rank 0's graph, where every rank has its own); "" where it was not
/// read from a graph, or its file is gone.
std::string node_of(const Module& module, InstructionId id);

/// The text with the instructions that it names (`%max_1.reduce`, `%constant.4`) called by their nodes.
std::string spoken(const Module& module, const std::string& text);

}  // namespace gg::fx
