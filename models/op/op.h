// The operator table (ops.def): names, operand counts, type rules, bodies, traits. One line an operator; whoever must
// touch a switch elsewhere to add one has found a defect of the design.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/diag.h"
#include "models/body/body.h"
#include "models/op/attributes.h"
#include "models/rank/digits.h"
#include "models/type/type.h"

namespace gg {

enum class Op : std::uint8_t {
#define OP(Enum, name, least, most, type, body, traits) Enum,
#include "models/op/ops.def"
#undef OP
};

enum class OpTraits : std::uint8_t {
  Elementwise,
  Layout,
  Reduction,
  Contraction,
  Indexing,
  Collective,
  Structure,
  Opaque,
  Source
};

/// A computation used as a scalar function (`to_apply` of reduce, all-reduce, scatter, map, sort): its results as
/// expressions over reads of its scalar parameters, `read(k, {})`. Read once by content (models/ir/region.h).
struct Region {
  std::vector<ElementType> parameters;
  std::vector<ExprId> results;     ///< empty if the computation is no scalar function
  std::optional<ScalarFn> monoid;  ///< recognised: one result, op(p0, p1) or op(p1, p0) with is_monoid(op)
};

/// One operator with its operand types: what a type rule and a body depend on, and nothing else (no names, no channel
/// number, no metadata), so that it can be a memo key.
struct Call {
  Op op;
  const Attributes* attributes;
  std::vector<const Type*> operands;
  const Type* result = nullptr;        ///< the type printed in the text
  std::vector<const Region*> regions;  ///< of to_apply, in the order of the attribute; bodies only
  const RankDigits* digits = nullptr;  ///< of the program; null or empty digits for a sequential one; bodies only
  RankLayout layout;                   ///< replicas x partitions of the program
};

/// The result type, or throws TypeError with one sentence. Where the operands and attributes do not say it (reshape,
/// broadcast, convert, iota, custom calls, results of called computations), the rule checks `result` and returns it.
using TypeRule = Type (*)(const Call& call);

/// A violated typing constraint; the verifier adds the place.
struct TypeError {
  DiagCode code;
  std::string message;
};

/// The body of array leaf `leaf` of the result (0 unless variadic). Throws TypeError(UnsupportedForm) where a form has
/// no body (a region that is no monoid, say): the instruction is then opaque.
using BodyRule = Body (*)(Arena& arena, const Call& call, int leaf);

struct OpInfo {
  Op op;
  std::string_view name;
  int least_operands;
  int most_operands;  ///< -1: any number
  TypeRule type;
  BodyRule body;  ///< of `opaque` and `structure` one that throws: has_body
  OpTraits traits;
  std::string_view type_rule_name, body_name;  ///< for documentation
};

std::span<const OpInfo> operators();
const OpInfo& info(Op op);
/// False: type and executor only, or a matter of the interpreter's and the engine's walk.
bool has_body(Op op);
std::optional<Op> find_op(std::string_view name);

/// Attributes that an operator takes (op_attributes.def); the parser refuses others. HasChannel in the list means that
/// the operator may have a channel_id; its number is kept in the Instruction, outside the Attributes.
struct OpAttribute {
  Op op;
  Attr attr;
  bool required;
};
std::span<const OpAttribute> attributes_of(Op op);
/// The attribute of `op` that is spelled `name` in HLO text, or nothing.
std::optional<OpAttribute> find_attribute(Op op, std::string_view name);

/// Runs the type rule after checking the operand count and the presence of required attributes. Throws TypeError.
Type infer_type(const Call& call);

/// The body of array leaf `leaf`, by the operator's rule: an empty result has a trivial one. Throws TypeError
/// (UnsupportedForm where the operator is opaque or structural, or has no body in this form).
Body make_body(Arena& arena, const Call& call, int leaf = 0);

/// For elementwise operators: the scalar function (compare: by its direction attribute).
std::optional<ScalarFn> scalar_of(Op op, const Attributes& attributes);

}  // namespace gg
