// One graph as a module.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/fx/definitions.h"
#include "models/fx/lowering.h"
#include "models/relation/relation.h"

namespace gg::fx {

/// A value of the graph that is made from parameters of the module instead: an input (all of them are listed), or a cut.
struct Binding {
  enum class Kind : std::uint8_t {
    Plain,  ///< the parameter of that name
    Flat,   ///< parameters flattened, joined, padded, and this rank's block of that
    Ignore  ///< the parameter, and `ignored` where a second parameter is 0
  } kind = Kind::Plain;
  std::string name;                     ///< in the graph
  Type type;                            ///< of the value on a rank
  std::vector<std::string> parts;       ///< Flat: parameters of the module
  std::vector<std::int64_t> positions;  ///< Flat: the block of each rank
  double pad = 0;                       ///< Flat: in the padding
  std::int64_t padded = 0;              ///< Flat: the length with padding
  std::int64_t ignored = 0;             ///< Ignore
  bool elements = false;                ///< on a rank: its elements are some of those of the sequential input of this name
};

/// Behind the name of an input with ignored elements: the parameter that chooses them (Binding::Kind::Ignore).
inline constexpr const char* kIgnore = ".ignore";

/// A parameter of the module.
struct ParameterSpec {
  std::string name;
  Type type;
  bool complex = false;  ///< stored as its parts (models/fx/complex.h)
};

/// The values on which torch raises nowhere.
struct Accepted {
  std::map<std::string, IntegerSpan> instructions;  ///< by parameters and other instructions of the module
  std::map<std::string, IntegerSpan> inputs;        ///< by expressions of one input (Emitter::accepted_inputs)
};

/// What a graph is lowered with.
struct Plan {
  Groups groups;
  std::vector<ParameterSpec> parameters;  ///< of the module, in order
  std::vector<Binding> bindings;
  std::vector<std::string> outputs;            ///< nodes of the graph
  std::vector<std::string> output_names;       ///< what the module calls them
  std::map<std::string, double> constants;     ///< values of tensor constants by name, or by a prefix that ends in '*'
  std::map<std::string, std::string> objects;  ///< what `_torchbind_objN` is: a group's or a reduction's name
  const Definitions* definitions = nullptr;    ///< operators of a user's own
  std::vector<std::int64_t> ranks;             ///< of the program, for sends and receives
  const Accepted* sequential = nullptr;        ///< of ranks: where the sequential graph does not raise
  bool with_in_range = false;                  ///< the last output is kInRange in any case
};

/// The module of a graph, and where it does not raise. That of ranks has an output kInRange where they may. Throws InputError.
Module lower_graph(const Graph& graph, const Plan& plan, Accepted* accepted = nullptr);

/// The statements and inputs that these nodes need; cut nodes need nothing. Sends stay.
Graph pruned(const Graph& graph, const std::vector<std::string>& outputs, const std::set<std::string>& cuts, const Definitions& definitions = {});

/// The type of a node: an input's, or what torch printed for a statement. Throws InputError(UnknownName) with similar names.
Type type_of(const Graph& graph, const std::string& node, const Location& where);

}  // namespace gg::fx
