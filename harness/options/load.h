// The pair that a command line names: files, a case folder, a pair of a dump folder.
#pragma once

#include <string>

#include "harness/options/options.h"
#include "models/pair/case.h"

namespace gg {

/// Reads the pair that the inputs name: a case folder, or two files and --relation. Throws InputError.
Case load_case(const Options& options, std::size_t first_input = 0);

/// The same for one pair of a dump folder; the case is called after its module.
struct DumpedPair;
Case load_dumped(const DumpedPair& pair, const Options& options);

/// Two states of one module before it is partitioned, on one device.
Case load_states(const std::string& earlier, const std::string& later, const Options& options);

}  // namespace gg
