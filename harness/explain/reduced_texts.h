// The texts of a reduced pair: files, and lines that another capture of the same program has otherwise.
#pragma once

#include <string>
#include <vector>

#include "runtime/shapes/reduce.h"

namespace gg {

/// Lines of the reduced texts that differ from those of `like`: `sequential: ... against ...`, `names, ...` where only
/// the names of instructions differ; and how many lines there are.
std::vector<std::string> different_lines(const ShapeReduction& reduction, const Case& like, std::size_t& lines);

/// Writes sequential.hlo, distributed.hlo and relation.json, and what tells that the folder is of this command and may be replaced
/// by it. Throws InputError(FileWrite), also where the folder holds anything else.
void write_reduction(const std::string& folder, const std::string& sequential, const std::string& distributed, const std::string& relation);

}  // namespace gg
