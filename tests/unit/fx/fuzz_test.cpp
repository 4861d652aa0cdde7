// Damaged FX texts: the reader and the lowering end in a module or in an InputError, never otherwise.
#include <gtest/gtest.h>

#include <random>

#include "models/fx/fold.h"
#include "models/fx/functional.h"
#include "models/fx/program.h"
#include "models/ir/verify.h"

namespace gg::fx {
namespace {

constexpr const char* kText = R"(# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 6]", w: "f32[6, 6][6, 1]cpu", i: "i64[4]"):
        # File: a/model.py:12 in forward, code: y = "x;" # @ w
        t: "f32[6, 6]" = torch.ops.aten.t.default(w)
        addmm: "f32[4, 6]" = torch.ops.aten.addmm.default(x, x, t, beta = 0.5, alpha = -1e-05);  t = None
        split = torch.ops.aten.split.Tensor(addmm, 2, -1)
        getitem: "f32[4, 2]" = split[0]
        getitem_1: "f32[4, 2]" = split[1];  split = None
        mul_: "f32[4, 2]" = torch.ops.aten.mul_.Tensor(getitem, 2)
        cat: "f32[4, 4]" = torch.ops.aten.cat.default([getitem, getitem_1], 1)
        arange: "i64[4]" = torch.ops.aten.arange.start(0, 4, device = device(type='cpu'), pin_memory = False)
        clamp: "i64[4]" = torch.ops.aten.clamp.default(i, 0, 3)
        index_put: "f32[4, 4]" = torch.ops.aten.index_put.default(cat, [arange, clamp], getitem_1, True)
        max_1 = torch.ops.aten.max.dim(cat, -1)
        getitem_2: "i64[4]" = max_1[1]
        _softmax: "f32[4, 4]" = torch.ops.aten._softmax.default(cat, -1, False)
        slice_1: "f32[2, 4]" = torch.ops.aten.slice.Tensor(_softmax, 0, 1, 9223372036854775807, 2)
        masked_fill: "f32[2, 4]" = torch.ops.aten.masked_fill.Scalar(slice_1, b, -inf)
        return {'a': [masked_fill, None], 'b': (getitem_2,), 'c': pow_1}
)";

std::string whole() {
  std::string text = kText;
  text.replace(text.find("        slice_1"), 0, "        lt: \"b8[4]\" = torch.ops.aten.lt.Scalar(i, 2)\n        part: \"b8[2]\" = torch.ops.aten.slice.Tensor(lt, 0, 0, 2)\n"
                                                "        b: \"b8[2, 1]\" = torch.ops.aten.unsqueeze.default(part, 1)\n"
                                                "        pow_1: \"f32[4, 4]\" = torch.ops.aten.pow.Tensor_Scalar(cat, 2.0)\n");
  return text;
}

std::string last;  // what the reader said

/// Reads, folds with itself, lowers what is returned. True if a module came of it.
bool survive(const std::string& text) {
  try {
    const auto graphs = read_graphs(text, "fuzz.fx");
    const Graph graph = functional(fold_ranks({graphs[0], graphs[0]})[0].graph);
    Plan plan;
    plan.groups.ranks = 2;
    plan.ranks = {0, 1};
    plan.groups.find = [](const auto&, const auto&) { return std::vector<std::vector<std::int64_t>>{{0, 1}}; };
    for (const Argument& output : graph.outputs) {
      if (output.kind == Argument::Kind::Name) plan.outputs.push_back(output.text);
    }
    plan.output_names = plan.outputs;
    for (const Placeholder& input : graph.inputs) {
      plan.parameters.push_back({input.name, input.type});
      Binding binding;
      binding.name = input.name;
      binding.type = input.type;
      plan.bindings.push_back(binding);
    }
    verify(lower_graph(pruned(graph, plan.outputs, {}), plan));
    return true;
  } catch (const InputError& error) {
    EXPECT_FALSE(error.diags().empty());
    last = error.what();
    return false;
  }
}

std::string damaged(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % std::max<std::size_t>(n, 1)); };
  constexpr std::string_view kPieces[] = {"-1", "0", "9223372036854775807", "[", "]", "(", ")", ",", "None", "True", "x", "[x]", "1e999", "nan", "\"", "'", "=", "\n", ": \"f32[]\"", "i64", "-9"};
  for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
    const std::size_t at = below(text.size()), length = below(12);
    switch (random() % 4) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, kPieces[below(std::size(kPieces))]); break;
      case 2: text.replace(at, std::min(length, text.size() - at), kPieces[below(std::size(kPieces))]); break;
      default: text.insert(at, text.substr(below(text.size()), length * 4)); break;
    }
  }
  return text;
}

TEST(Fuzz, DamagedTexts) {
  ASSERT_TRUE(survive(whole())) << last;
  std::mt19937 random(7);
  int modules = 0;
  for (int round = 0; round < 20000; ++round) modules += survive(damaged(whole(), random)) ? 1 : 0;
  EXPECT_GT(modules, 100);
}

TEST(Fuzz, NumbersReplaced) {
  const std::string text = whole();
  constexpr std::string_view kNumbers[] = {"-9223372036854775807", "-7", "-1", "0", "1", "3", "5", "64", "4611686018427387904", "9223372036854775807", "0.5", "None", "True"};
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0 || (at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0)) continue;
    std::size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    for (const std::string_view number : kNumbers) survive(text.substr(0, at) + std::string(number) + text.substr(end));
  }
}

}  // namespace
}  // namespace gg::fx
