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

/// Operators whose numbers are sizes, steps and places.
constexpr const char* kSizes = R"(# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 6]", m: "f32[2, 4, 8, 8]", k: "f32[6, 2, 3, 3]", s: "f32[4]"):
        convolution: "f32[2, 6, 4, 4]" = torch.ops.aten.convolution.default(m, k, None, [2, 2], [1, 1], [1, 1], False, [0, 0], 2)
        convolution_backward = torch.ops.aten.convolution_backward.default(convolution, m, k, [6], [2, 2], [1, 1], [1, 1], False, [0, 0], 2, [True, True, True])
        getitem: "f32[2, 4, 8, 8]" = convolution_backward[0]
        getitem_1: "f32[6, 2, 3, 3]" = convolution_backward[1]
        turned: "f32[2, 4, 16, 16]" = torch.ops.aten.convolution.default(convolution, k, None, [4, 4], [1, 1], [1, 1], True, [3, 3], 2)
        pool = torch.ops.aten.max_pool2d_with_indices.default(m, [3, 3], [2, 2], [1, 1], [1, 1])
        getitem_2: "f32[2, 4, 4, 4]" = pool[0]
        getitem_3: "i64[2, 4, 4, 4]" = pool[1]
        avg: "f32[2, 4, 4, 4]" = torch.ops.aten.avg_pool2d.default(m, [3, 3], [2, 2], [1, 1], False, False)
        back: "f32[2, 4, 8, 8]" = torch.ops.aten.avg_pool2d_backward.default(avg, m, [3, 3], [2, 2], [1, 1], False, False, None)
        adaptive: "f32[2, 4, 2, 2]" = torch.ops.aten._adaptive_avg_pool2d.default(m, [2, 2])
        norm = torch.ops.aten._native_batch_norm_legit_functional.default(m, s, s, s, s, True, 0.1, 1e-05)
        getitem_4: "f32[2, 4, 8, 8]" = norm[0]
        group = torch.ops.aten.native_group_norm.default(m, s, s, 2, 4, 64, 2, 1e-05)
        getitem_5: "f32[2, 4, 8, 8]" = group[0]
        repeat: "f32[8, 18]" = torch.ops.aten.repeat.default(x, [2, 3])
        twice: "f32[8, 6]" = torch.ops.aten.repeat_interleave.self_int(x, 2, 0)
        roll: "f32[4, 6]" = torch.ops.aten.roll.default(x, [1, -2], [0, 1])
        diagonal: "f32[4]" = torch.ops.aten.diagonal.default(x, 1, 0, 1)
        embed: "f32[5, 5]" = torch.ops.aten.diag_embed.default(diagonal, 1)
        unfold: "f32[4, 3, 2]" = torch.ops.aten.unfold.default(x, 1, 2, 2)
        folded: "f32[4, 6]" = torch.ops.aten.unfold_backward.default(unfold, [4, 6], 1, 2, 2)
        shuffle: "f32[2, 1, 16, 16]" = torch.ops.aten.pixel_shuffle.default(m, 2)
        pad: "f32[2, 4, 10, 11]" = torch.ops.aten.reflection_pad2d.default(m, [1, 2, 1, 1])
        edge: "f32[2, 4, 10, 11]" = torch.ops.aten.replication_pad2d.default(m, [1, 2, 1, 1])
        edges: "f32[2, 4, 8, 8]" = torch.ops.aten.replication_pad2d_backward.default(edge, m, [1, 2, 1, 1])
        sort = torch.ops.aten.sort.default(x, 1)
        getitem_6: "f32[4, 6]" = sort[0]
        linspace: "f32[5]" = torch.ops.aten.linspace.default(0, 1, 5)
        eye: "f32[3, 3]" = torch.ops.aten.eye.default(3)
        upsample: "f32[2, 4, 16, 24]" = torch.ops.aten.upsample_nearest2d.default(m, [16, 24])
        glu: "f32[4, 3]" = torch.ops.aten.glu.default(x, 1)
        return [getitem, getitem_1, turned, getitem_2, getitem_3, back, adaptive, getitem_4, getitem_5, repeat, twice, roll, embed, folded, shuffle, pad, edges, getitem_6, linspace, eye, upsample, glu]
)";

std::string whole() {
  std::string text = kText;
  text.replace(text.find("        slice_1"), 0,
               "        lt: \"b8[4]\" = torch.ops.aten.lt.Scalar(i, 2)\n        part: \"b8[2]\" = torch.ops.aten.slice.Tensor(lt, 0, 0, 2)\n"
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
  constexpr std::string_view kNumbers[] = {"-9223372036854775807", "-7", "-1", "0", "1", "3", "5", "64", "4611686018427387904", "9223372036854775807", "0.5", "None", "True"};
  for (const std::string& text : {whole(), std::string(kSizes)}) {
    ASSERT_TRUE(survive(text)) << last;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (std::isdigit(static_cast<unsigned char>(text[at])) == 0 || (at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0)) continue;
      std::size_t end = at;
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
      for (const std::string_view number : kNumbers) survive(text.substr(0, at) + std::string(number) + text.substr(end));
    }
  }
}

}  // namespace
}  // namespace gg::fx
