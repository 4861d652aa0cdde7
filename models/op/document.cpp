// The operator page, in the order of ops.def.

#include "models/op/custom_calls.h"
#include "models/op/examples.h"

namespace gg {

namespace {

struct RuleText {
  std::string_view function, sentence;
};
constexpr RuleText kRules[] = {
#define RULE(function, sentence) {#function, sentence},
#include "models/op/type_rules.def"
#undef RULE
};

constexpr std::string_view kTraitNames[] = {"elementwise", "layout", "reduction", "contraction", "indexing",
                                            "collective", "structure", "opaque", "source"};

constexpr std::string_view kIntroduction =
    "# Operators\n\n"
    "Printed by `gg-harness ops` from the tables `models/op/ops.def`, `op_attributes.def`, `type_rules.def` and\n"
    "`custom_calls.def`; do not edit. An example body is what the rule makes of one small instance: `x0`, `x1`, ... "
    "are\n"
    "the operands, `i`, `j`, ... the indices of the result, for collectives the rank digits first (examples with\n"
    "groups: `i` is the coordinate on `dp`, `j` on `tp`, both of extent 2, and the groups are the rows of `tp`). An\n"
    "attribute in brackets may be absent. *Opaque* operators have a type and an executor only; *structure* is handled\n"
    "by the walk over the program. `send`, `recv` and their `-done` have no row: when a text is read they are matched\n"
    "and become collective-permutes (docs/formats.md, *Several programs*).\n";

std::string attributes_text(Op op) {
  std::string text;
  for (const OpAttribute& row : attributes_of(op)) {
    std::string name(info(row.attr).name);
    if (row.attr == Attr::HasChannel) name = "channel_id";
    if (name.empty()) continue;
    text += text.empty() ? "" : ", ";
    text += row.required ? "`" + name + "`" : "[`" + name + "`]";
  }
  return text.empty() ? "none" : text;
}

std::string operands_text(const OpInfo& row) {
  if (row.most_operands < 0) return std::to_string(row.least_operands) + " or more";
  return std::to_string(row.least_operands);
}

/// `f32[2,5] dot(f32[2,3], f32[3,5])`.
std::string example_text(const OpExample& example) {
  std::string text = to_string(infer_type(example.call())) + " " + std::string(info(example.op).name) + "(";
  for (std::size_t k = 0; k < example.operands.size(); ++k) {
    text += (k == 0 ? "" : ", ") + to_string(example.operands[k]);
  }
  return text + ")";
}

std::string body_text(Arena& arena, const OpExample& example) {
  const Body body = make_body(arena, example.call());
  return "- example: `" + example_text(example) + "`\n\n      " + arena.print(body.root) + "\n";
}

}  // namespace

std::string_view describe_type_rule(std::string_view function) {
  for (const RuleText& rule : kRules) {
    if (rule.function == function) return rule.sentence;
  }
  return {};
}

std::string print_ops_markdown() {
  Arena arena;
  std::string page(kIntroduction);
  for (const OpInfo& row : operators()) {
    page += "\n## " + std::string(row.name) + "\n\n";
    page += "- " + std::string(kTraitNames[static_cast<std::size_t>(row.traits)]) +
            "; operands: " + operands_text(row) + "; attributes: " + attributes_text(row.op) + "\n";
    page += "- type: " + std::string(describe_type_rule(row.type_rule_name)) + "\n";
    if (const auto example = example_of(arena, row.op)) page += body_text(arena, *example);
  }
  page += "\n# Custom calls\n";
  for (const CustomCall& row : custom_calls()) {
    page += "\n## " + std::string(row.target) + "\n\n";
    page += "- type: " + std::string(describe_type_rule(row.type_rule_name)) + "\n";
    page += body_text(arena, *example_of(arena, Op::CustomCall, row.target));
  }
  return page;
}

}  // namespace gg
