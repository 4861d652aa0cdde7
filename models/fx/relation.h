// The relation file of graphs: the plain keys, and those that only graphs need (groups, cut, flat, ignore, on, ...).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/fx/program.h"
#include "models/relation/json.h"

namespace gg::fx {

/// What must hold of one node of the sequential graph.
struct OutputSpec {
  std::string node;  ///< of the sequential graph
  std::string name;  ///< what reports call it
  Type type;         ///< of the node
  Json placement;
  std::string other;  ///< node of the ranks' graphs; "" = their output number `index`
  std::size_t index = 0;
  std::map<std::string, std::int64_t> on;  ///< coordinates of the ranks that have it; empty: all
};

/// Behind the name of a dropout: the input that its declared mask is.
inline constexpr const char* kMask = ".mask";

class GraphRelation {
 public:
  /// Throws InputError (GG-R...).
  GraphRelation(const std::string& text, const std::string& file);

  const Mesh& mesh() const { return mesh_; }
  const std::set<std::string>& cuts() const { return cuts_; }
  /// Nodes that are given instead of computed: of the sequential graph (`ranks` false) or of the ranks'.
  std::vector<std::string> cut_nodes(bool ranks) const;
  /// Inputs that a captured step writes and does not return: the text has no writes left.
  std::vector<std::string> written() const;
  /// A list of inputs is in the order of the sequential graph: from here on they are placed by name. Throws InputError(LeafCount).
  void name_inputs(const Graph& sequential);
  /// The graph with the masks of declared dropouts as inputs, called by the sequential graph's name of the dropout. Throws InputError(UnknownName).
  Graph with_masks(Graph graph, bool ranks) const;
  /// Every name of `objects` and `constants` is one that the texts read. Throws InputError(UnknownName).
  void check_attributes(const std::string& sequential, const std::string& ranks) const;
  /// What is compared, in the order of the relation.
  std::vector<OutputSpec> outputs(const Graph& sequential) const;
  /// The process groups of a program that these ranks run (none: the sequential program).
  Groups groups(const std::vector<std::int64_t>& ranks) const;
  /// The members of the group that a rank of the distributed program means by a name. Throws InputError.
  std::vector<std::int64_t> members(const std::string& name, std::int64_t rank, const Location& where) const { return group_of(name, rank, false, where); }
  std::map<std::string, double> constants() const;
  /// What symbols of sizes are in the sequential graph, or in those of the ranks.
  Sizes sizes(bool sequential) const;
  std::map<std::string, std::string> objects(bool sequential) const;

  /// Parameters and bindings of the sequential program; sets what `parameter_names` gives.
  Plan sequential_plan(const Graph& graph, const std::vector<OutputSpec>& outputs) const;
  /// Those of a program that `ranks` run; `alone`: it is the only one, and takes all parameters of the sequential one, in its order;
  /// those that no output needs as the `whole` graph of the ranks has them.
  Plan rank_plan(const Graph& graph, const Graph& whole, const std::vector<std::int64_t>& ranks, const Plan& sequential, bool alone) const;

  /// What the ranks of a program hold of a value that is placed so, between two bounds in each dimension: its place along the axes in which ranks of no
  /// program differ. Empty: all, or a placement that does not say it.
  using Part = std::vector<std::optional<std::pair<std::int64_t, std::int64_t>>>;
  Part part_of(const Json& placement, const Type& whole, std::int64_t rank, const std::vector<std::vector<std::int64_t>>& programs) const;
  Part input_part(const ParameterSpec& whole, std::int64_t rank, const std::vector<std::vector<std::int64_t>>& programs) const;

  /// The plain relation for these parameters and outputs; the mesh is that of one program.
  std::string plain(const Plan& sequential, const std::vector<OutputSpec>& outputs, const std::vector<std::vector<std::int64_t>>& programs) const;
  JsonPath top() const { return {file_, ""}; }

 private:
  const Json* flat_of(const std::string& name) const;
  void check_taken(const std::string& name, const Graph& ranks) const;
  Json placement_of(const std::string& name, const Type& type) const;
  bool holds_elements(const std::string& name) const;
  /// The placement of a complex tensor as it is stored: its parts are not split.
  static Json with_parts(Json placement, bool complex);
  std::vector<std::int64_t> group_of(const std::string& name, std::int64_t rank, bool sequential, const Location& where) const;
  void check_groups(const char* key, std::int64_t ranks) const;
  std::vector<std::int64_t> along(const std::vector<std::string>& axes, std::int64_t rank) const;
  Binding flat(const std::string& name, const Type& type, const std::vector<std::int64_t>& ranks, const Plan& sequential) const;
  void add_input(Plan& plan, const std::string& name, const Type& type) const;
  /// Do ranks of one program differ along an axis?
  bool inside(std::size_t axis, const std::vector<std::vector<std::int64_t>>& programs) const;
  /// A placement without the axes that parts say.
  Json within(Json placement, const Type& whole, const std::vector<std::vector<std::int64_t>>& programs) const;
  Json dims_placement(const Json& entry, const Type& type, const JsonPath& at) const;

  std::string file_;
  Json value_;
  Mesh mesh_;
  std::set<std::string> cuts_;
};

}  // namespace gg::fx
