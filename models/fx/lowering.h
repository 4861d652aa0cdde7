// From one call of a torch operator to the operator table. Each overload is a row: name, torch's schema, a function; the rows of a
// group stand in one file. An operator without a row is refused, with the nearest known name.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/fx/emitter.h"
#include "models/fx/graph.h"
#include "models/op/complex.h"

namespace gg::fx {

/// What a name of a graph stands for.
struct Value {
  enum class Kind : std::uint8_t { None,
                                   Tensor,
                                   Tuple,
                                   Object,
                                   Complex } kind = Kind::None;
  NodeId node = 0;           ///< Tensor
  std::vector<Value> items;  ///< Tuple; Complex: the real and the imaginary part
  std::string object;        ///< Object: a process group's or reduction's name
  static Value tensor(NodeId node) { return {Kind::Tensor, node, {}, {}}; }
  static Value complex(NodeId re, NodeId im) { return {Kind::Complex, 0, {tensor(re), tensor(im)}, {}}; }
  static Value tuple(std::vector<Value> items) { return {Kind::Tuple, 0, std::move(items), {}}; }
};

/// Ranks of the program that is lowered and what its names of process groups mean.
struct Groups {
  std::int64_t ranks = 1;
  /// The groups (a partition of the ranks) that `names` mean, one name a rank or one for all. Throws InputError.
  std::function<std::vector<std::vector<std::int64_t>>(const std::vector<std::string>& names, const Location& where)> find;
};

struct Overload;

/// One call: arguments by their position in the schema, defaults filled in.
class Operation {
 public:
  /// What is known of memory: is the first operand all of its storage, row-major?
  struct Dense {
    bool first = false;
  };
  /// Throws InputError where the arguments do not fit the schema.
  Operation(Emitter& emitter, const Groups& groups, const Overload& overload, const Statement& statement, const std::function<Value(const std::string&)>& lookup,
            Dense dense);

  Emitter& e;
  const Groups& groups;
  const Statement& statement;
  const Dense dense;

  bool none(std::size_t k) const { return arguments_[k].kind == Argument::Kind::None; }
  bool is_tensor(std::size_t k) const;
  const Argument& raw(std::size_t k) const { return arguments_[k]; }
  NodeId tensor(std::size_t k) const;
  /// Real and imaginary part of a tensor or of a Python number; real ones have 0.
  Complex<NodeId> parts(std::size_t k) const;
  std::vector<NodeId> tensors(std::size_t k) const;
  /// Items of a list, absent where None.
  std::vector<std::optional<NodeId>> optional_tensors(std::size_t k) const;
  std::int64_t integer(std::size_t k) const;
  double number(std::size_t k) const;
  bool flag(std::size_t k) const;
  std::string text(std::size_t k) const;
  std::vector<std::int64_t> integers(std::size_t k) const;
  std::vector<double> numbers(std::size_t k) const;
  /// Which of `count` results are wanted (`output_mask`).
  std::vector<bool> mask(std::size_t k, std::size_t count) const;
  std::optional<ElementType> dtype(std::size_t k) const;
  /// A dimension of a tensor of `rank` dimensions, negative ones counted from the end.
  std::int64_t dim(std::size_t k, std::size_t rank) const { return wrap(integer(k), rank); }
  std::int64_t wrap(std::int64_t d, std::size_t rank) const;
  /// Distinct dimensions of a list; all of them where it is None or empty.
  std::vector<std::int64_t> dim_list(std::size_t k, std::size_t rank) const;
  /// An integer of each rank (all the same unless the ranks' graphs differ).
  std::vector<std::int64_t> by_rank(std::size_t k) const;
  /// The name of a process group of each rank.
  std::vector<std::string> names(std::size_t k) const;
  /// A tensor, or a Python scalar as a scalar of `type`.
  NodeId operand(std::size_t k, ElementType type) const;
  /// The same of a value that is stored, not computed with: refuses a Python integer that torch does not convert to `type` (300 to u8; -1 wraps).
  NodeId stored(std::size_t k, ElementType type) const;
  bool is_float_literal(std::size_t k) const;
  /// What another overload gives: its arguments by position; `stated`: the type of its result, where that is not this one's.
  Value as(std::string_view overload, std::vector<Argument> arguments, std::optional<Type> stated = std::nullopt) const;
  /// Arguments for it.
  static Argument node(NodeId x);
  static Argument whole(std::int64_t value);
  static Argument whole(const std::vector<std::int64_t>& values);
  /// The type that torch printed for the result. Throws where it printed none.
  const Type& out() const;
  ElementType element() const { return out().element; }
  /// Throws InputError(UnsupportedForm): `aten.x.y 'name': problem`.
  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  Value value(const Argument& argument) const;
  const std::function<Value(const std::string&)>& lookup_;
  std::vector<Argument> arguments_;
};

using Lowering = Value (*)(Operation& call);

/// One row: `schema` is torch's, `self, other, *, alpha=1`, without arguments that no value hangs on (device, layout, ...).
struct Overload {
  std::string_view name, schema;
  Lowering lower;
};

/// Arguments by their position in the schema, defaults filled in. Throws InputError where they do not fit it.
std::vector<Argument> bound_arguments(const Overload& overload, const Statement& statement);

/// All rows, by name within their groups.
std::span<const std::span<const Overload>> overload_groups();
const Overload* find_overload(std::string_view name);
/// Does an operator draw the numbers that it gives? It has no row: "masks" of a relation makes them an input.
bool draws_numbers(std::string_view target);
/// Does it draw what it keeps of its operand, where it is switched on?
bool is_dropout(std::string_view target);
/// Known names that resemble this one, nearest first.
std::vector<std::string> nearest_overloads(std::string_view name);

// The groups of rows, one a file.
std::span<const Overload> view_rows();
std::span<const Overload> pointwise_rows();
std::span<const Overload> composite_rows();
std::span<const Overload> activation_rows();
std::span<const Overload> reduction_rows();
std::span<const Overload> matmul_rows();
std::span<const Overload> attention_rows();
std::span<const Overload> optimizer_rows();
std::span<const Overload> indexing_rows();
std::span<const Overload> scatter_rows();
std::span<const Overload> rearrange_rows();
std::span<const Overload> padding_rows();
std::span<const Overload> convolution_rows();
std::span<const Overload> pooling_rows();
std::span<const Overload> channel_norm_rows();
std::span<const Overload> norm_rows();
std::span<const Overload> loss_rows();
std::span<const Overload> creation_rows();
std::span<const Overload> collective_rows();
std::span<const Overload> foreach_rows();
std::span<const Overload> random_rows();
std::span<const Overload> exported_rows();
std::span<const Overload> complex_rows();

}  // namespace gg::fx
