// A training step of many layers, written out: forward, backward, a gradient of every layer and the sum of their squares.
#pragma once

#include <memory>
#include <string>

#include "models/hlo/parser.h"
#include "models/pair/hlo_frontend.h"
#include "runtime/inputs.h"

namespace gg {

struct UnrolledPair {
  std::string sequential, distributed, relation;
};

/// The batch is split over two ranks; a layer is a product and its tanh. Outputs: the gradients, then the sum.
inline UnrolledPair unrolled(int layers, const std::string& batch = "8", const std::string& share = "4") {
  const auto program = [&](const std::string& b, bool ranks) {
    const std::string x = "f32[" + b + ",16]", w = "f32[16,16]";
    std::string text = ranks ? "HloModule d, num_partitions=2\n" : "HloModule s\n";
    text += "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %s = f32[] add(%a, %b)\n}\n";
    std::string parameters = "x: " + x, results, lines = "  %x = " + x + " parameter(0)\n  %zero = f32[] constant(0)\n", values;
    const auto line = [&](const std::string& name, const std::string& type, const std::string& what) { lines += "  %" + name + " = " + type + " " + what + "\n"; };
    const auto name = [](const char* stem, int k) { return stem + std::to_string(k); };
    std::string y = "x";
    for (int k = 0; k < layers; ++k) {
      parameters += ", w" + std::to_string(k) + ": " + w;
      line(name("w", k), w, "parameter(" + std::to_string(k + 1) + ")");
      line(name("h", k), x, "dot(%" + y + ", %" + name("w", k) + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
      line(name("y", k), x, "tanh(%" + name("h", k) + ")");
      y = name("y", k);
    }
    std::string g = y, n = "zero";
    for (int k = layers; k-- > 0;) {
      const std::string before = k == 0 ? "x" : name("y", k - 1);
      line(name("l", k), w, "dot(%" + before + ", %" + g + "), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
      std::string u = name("l", k);
      if (ranks) {
        line(name("u", k), w, "all-reduce(%" + u + "), channel_id=" + std::to_string(k + 1) + ", replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum");
        u = name("u", k);
      }
      line(name("q", k), w, "multiply(%" + u + ", %" + u + ")");
      line(name("r", k), "f32[]", "reduce(%" + name("q", k) + ", %zero), dimensions={0,1}, to_apply=%sum");
      line(name("n", k), "f32[]", "add(%" + n + ", %" + name("r", k) + ")");
      n = name("n", k);
      line(name("g", k), x, "dot(%" + g + ", %" + name("w", k) + "), lhs_contracting_dims={1}, rhs_contracting_dims={1}");
      g = name("g", k);
      values = "%" + u + ", " + values;
      results += w + ", ";
    }
    results = "(" + results + "f32[])";
    return text + "ENTRY %main (" + parameters + ") -> " + results + " {\n" + lines + "  ROOT %out = " + results + " tuple(" + values + "%" + n + ")\n}\n";
  };
  std::string in = "[[\"dp\"], []]", out;
  for (int k = 0; k < layers; ++k) in += ", [[], []]", out += "[[], []], ";
  return {program(batch, false), program(share, true), R"({"mesh": [["dp", 2]], "inputs": [)" + in + R"(], "outputs": [)" + out + "[]]}"};
}

/// The texts as a case.
inline Case pair_of(const UnrolledPair& texts) {
  Case c = case_of_texts(texts.sequential, texts.distributed, texts.relation);
  infer_ranges(c);
  return c;
}

}  // namespace gg
