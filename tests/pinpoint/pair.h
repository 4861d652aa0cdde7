// Small pairs for the tests of this folder: bodies without boilerplate.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "harness/pinpoint/pinpoint.h"
#include "models/hlo/parser.h"
#include "models/pair/hlo_frontend.h"
#include "runtime/inputs.h"

namespace gg::pinpoint {

inline void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) text.replace(at, what.size(), with);
}

/// `body`: `x: f32[4], w: f32[4]) -> f32[4] {` and instructions. Parameters, `%sum`, `%max`, `%sum8`, `%zero` are added; `AR(x)` is an
/// all-reduce over all ranks, `AR02(x)` one over {0,2},{1,3}.
inline std::string module_text(const std::string& body, int ranks) {
  std::string text = "HloModule m" + (ranks > 1 ? ", num_partitions=" + std::to_string(ranks) : std::string()) + "\n";
  for (const auto& [name, op, type] : {std::tuple("sum", "add", "f32[]"), std::tuple("max", "maximum", "f32[]"), std::tuple("sum8", "add", "s8[]")}) {
    const std::string t = type;
    text += "%" + std::string(name) + " (a: " + t + ", b: " + t + ") -> " + t + " {\n %a = " + t + " parameter(0)\n %b = " + t + " parameter(1)\n ROOT %" + name +
            "_r = " + t + " " + op + "(%a, %b)\n}\n";
  }
  const std::size_t open = body.find("{\n") + 2;
  text += "ENTRY %main (" + body.substr(0, open);
  std::string list = body.substr(0, body.find(')'));
  for (int number = 0; !list.empty(); ++number) {
    std::size_t end = 0;
    for (int depth = 0; end < list.size() && (list[end] != ',' || depth > 0); ++end) depth += list[end] == '[' ? 1 : list[end] == ']' ? -1
                                                                                                                                      : 0;
    const std::string one = list.substr(0, end);
    list = end < list.size() ? list.substr(end + 2) : "";
    const std::size_t colon = one.find(':');
    text += " %" + one.substr(0, colon) + " = " + one.substr(colon + 2) + " parameter(" + std::to_string(number) + ")\n";
  }
  text += " %zero = f32[] constant(0)\n" + body.substr(open) + "}\n";
  std::string everyone;
  for (int r = 0; r < ranks; ++r) everyone += (r == 0 ? "" : ",") + std::to_string(r);
  int channel = 10;
  for (const auto& [mark, groups] : {std::pair(std::string(" AR("), "{{" + everyone + "}}"), std::pair(std::string(" AR02("), std::string("{{0,2},{1,3}}"))}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(text.find(')', at), 1, "), channel_id=" + std::to_string(channel++) + ", replica_groups=" + groups + ", use_global_device_ids=true, to_apply=%sum");
      text.replace(at, mark.size(), " all-reduce(");
    }
  }
  return text;
}

inline Case make_pair(const std::string& sequential, const std::string& distributed, const std::string& relation, int ranks) {
  const std::string mesh = ranks == 4 && relation.find("dp") != std::string::npos ? R"([["dp", 2], ["tp", 2]])"
                                                                                  : "[[\"tp\", " + std::to_string(ranks) + "]]";
  Case c = case_of_texts(module_text(sequential, 1), module_text(distributed, ranks), "{\"mesh\": " + mesh + ", " + relation + "}");
  c.name = "pair";
  return c;
}

/// What is found of a pair that differs, without proofs.
inline Pinpointed found_in(Case& c, const DifferentialResult& run) {
  EXPECT_TRUE(run.differing && run.witness);
  if (!run.witness) return {};
  Search search;
  search.prove = false;
  return pinpoint(c, *run.witness, search);
}

}  // namespace gg::pinpoint
