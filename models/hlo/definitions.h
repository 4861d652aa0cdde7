// Meanings of custom calls given by the user as HLO text (--define FILE.hlo). The module is called like the target; its
// ENTRY and every computation called `TARGET` or `TARGET.N` is the meaning for operands of its parameters' types, so one
// file can define a call at global and at local shapes.
#pragma once

#include <string>
#include <vector>

#include "models/type/type.h"

namespace gg {

/// The meaning of one custom call for one list of operand types.
struct Definition {
  std::string target;
  std::vector<Type> parameters;
  Type result;
  std::string computation;  ///< its name in `text`
};

/// Definitions of one file: computations with names of their own, ready to be appended to a module's text.
struct DefinitionFile {
  std::string path, target, hash;  ///< the file; the call that it means; content hash of what it says, without metadata
  std::string text;
  std::vector<Definition> definitions;
};

/// Reads a file of definitions. Throws InputError.
DefinitionFile load_definitions(const std::string& path);

}  // namespace gg
