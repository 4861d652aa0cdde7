// Front ends: the forms in which programs are given (HLO text, FX graphs). Each turns files into two modules and a plain relation;
// everything after that knows modules only.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/ir/module.h"
#include "models/pair/verdict.h"
#include "models/relation/relation.h"

namespace gg {

struct CaseOptions;

/// Files of a pair; `distributed` is "" where the relation lists programs, `relation` where there is none.
struct PairFiles {
  std::string sequential, distributed, relation;
};

/// A pair as read.
struct ReadPair {
  std::unique_ptr<Module> sequential, distributed;
  std::string relation;                           ///< the plain relation of these modules (docs/formats.md); "" without a relation file
  std::string sequential_hash, distributed_hash;  ///< of the texts and of what their meaning hangs on
  /// What was read, under the names of a case folder: a witness keeps it beside the modules. Empty where the modules' text is what was read.
  std::vector<std::pair<std::string, std::string>> originals;
  std::vector<Assumption> stated;    ///< what the options and the relation say of the texts: meanings of custom calls, cuts, results nobody waited for
  std::vector<std::string> unused;   ///< files of --define that give a meaning to no call
  std::vector<std::string> written;  ///< inputs that a program writes, and what they hold at the end is no output
  std::size_t left_out = 0;          ///< outputs of the sequential text that the relation does not compare, and that the modules leave out
  /// By instructions of the sequential program, parameters and others: the values on which it raises nowhere (torch, of indices). Nothing is
  /// said of inputs that give others.
  std::map<std::string, IntegerSpan> accepted{};
};

struct Frontend {
  std::string_view name;
  std::string_view sequential, distributed;  ///< how a case folder calls the files; `distributed` may be a pattern
  bool (*detect)(const std::string& sequential);
  /// Throws InputError.
  ReadPair (*load)(const PairFiles& files, const CaseOptions& options);
};

std::span<const Frontend> frontends();
/// The front end that takes this sequential program: the first that detects it, else HLO text.
const Frontend& frontend_of(const std::string& sequential);
/// The front end whose sequential program the folder holds, or null.
const Frontend* frontend_of_folder(const std::string& folder);

/// `folder/stem`, compressed or not, or "".
std::string optional_file(const std::string& folder, const std::string& stem);

}  // namespace gg
