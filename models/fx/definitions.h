// Meanings that a user gives to operators, as graphs in a file (docs/torch.md, *Operators of your own*): inputs with symbols for extents, `T` for
// the type of the first, numbers by name. What a call means is the first graph of its operator that fits the call.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/fx/graph.h"

namespace gg::fx {

/// A call that is a pure function: of whole operands, or of their elements along these dimensions.
struct OpaqueCall {
  std::vector<std::int64_t> batch_dims;
};

/// The graph that a call means; inputs are the call's tensors, in order.
struct Meaning {
  Graph graph;
  std::vector<std::string> inputs;  ///< names in the caller's graph
};

class Definitions {
 public:
  /// Adds a file. Throws InputError.
  void load(const std::string& path);
  /// When all are loaded: none is of an operator that has a meaning already; their graphs call what is known, and write into nothing. Throws InputError.
  void check() const;
  void declare_opaque(const std::string& target, OpaqueCall call) { opaque_[target] = std::move(call); }

  bool knows(const std::string& target) const { return variants_.count(target) != 0 || opaque_.count(target) != 0; }
  const OpaqueCall* opaque(const std::string& target) const;
  /// Parameters that a call writes into: what its graphs return in a dictionary; empty if it is pure.
  std::vector<std::string> written(const std::string& target) const;
  /// What a call gives for a parameter, by position or by name; null if nothing. Throws InternalError if there is no such parameter.
  const Argument* argument(const Statement& call, const std::string& parameter) const;
  /// `type_of`: of a name of the caller's graph, null where it is no tensor. Throws InputError where no graph fits the call.
  Meaning meaning(const Statement& call, const std::function<const Type*(const std::string&)>& type_of) const;

  /// All that was read, and a hash for each operator.
  std::string text;
  std::vector<std::pair<std::string, std::string>> hashes;
  mutable std::set<std::string> used;  ///< operators whose meaning was asked for

 private:
  struct Parameter {
    std::string name, type;
    bool has_default = false;
    Argument fallback;
  };
  struct Variant {
    std::string file, text;  ///< of one class
    std::vector<Parameter> parameters;
    std::vector<std::string> written;
    std::vector<Statement> calls;  ///< with the arguments that stand by position
    Location where;
  };
  Variant variant(const std::string& file, std::uint32_t line, const std::string& text) const;
  std::map<std::string, std::vector<Variant>> variants_;
  std::map<std::string, OpaqueCall> opaque_;
};

}  // namespace gg::fx
