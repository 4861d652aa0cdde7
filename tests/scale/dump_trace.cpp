#include <cstdio>
#include "models/pair/case.h"
#include "runtime/divergence.h"
#include "runtime/inputs.h"
int main(int, char** argv) {
  gg::Case c = gg::load_case(argv[1]);
  gg::infer_ranges(c);
  const gg::InputSet in = gg::draw_inputs(c.relation, 42, 0);
  gg::Budget b;
  const gg::DivergenceTrace t(c, in, gg::NumberMode::Real, b);
  std::printf("complete %d wrong %zu suspects %zu sources %zu values %zu\n", t.complete(), t.wrong_outputs().size(), t.suspects().size(), t.sources().size(), t.distributed().values().size());
  int n = 0;
  for (auto id : t.sources()) {
    if (++n > 25) break;
    std::printf("source %s", t.name(id).c_str());
    for (auto o : t.distributed().values()[id].operands) {
      std::printf("  | %s%s", t.name(o).c_str(), t.state(o).match ? " = " : t.state(o).derived ? " healed" : " const");
      if (t.state(o).match) std::printf("%s partial %zu", t.anchor_name(*t.state(o).match).c_str(), t.state(o).match->partial.size());
    }
    std::printf("\n");
    const auto& mine = t.distributed().values()[id];
    for (const auto& v : t.sequential().values()) {
      if (t.sequential().module()[v.instance.instruction].op != t.op(id) || v.operands.size() != mine.operands.size()) continue;
      int shared = 0;
      std::string text;
      for (size_t k = 0; k < v.operands.size(); ++k) {
        const auto& m = t.state(mine.operands[k]).match;
        auto a = m ? t.representative(t.anchor(*m)) : std::nullopt;
        auto bb = t.representative(v.operands[k]);
        if (a && a == bb) ++shared;
        else text += " [" + std::to_string(k) + "] " + gg::to_string(*c.sequential, t.sequential().values()[v.operands[k]].instance) + (bb ? "" : " none");
      }
      if (shared) std::printf("   like %s%s\n", gg::to_string(*c.sequential, v.instance).c_str(), text.c_str());
    }
  }
}
