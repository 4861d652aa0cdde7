// Complex numbers as pairs: types, places, what is refused. Values are compared with XLA by tests/xla.
#include "models/hlo/complex.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"
#include "models/hlo/printer.h"

namespace gg {
namespace {

std::string entry(const std::string& parameters, const std::string& lines, const std::string& before = "") {
  return "HloModule m, entry_computation_layout={(c64[2]{0})->c64[2]{0}}\n\n" + before + "ENTRY %main (" + parameters + ") -> c64[2] {\n" + lines + "}\n";
}

TEST(Complex, OnlyTypesCount) {
  const Module module = parse_hlo("HloModule m\n\nENTRY %c64 {\n  ROOT %c128 = f32[2] parameter(0), metadata={op_name=\"c64[2]\"}\n}\n", "m");
  EXPECT_EQ(to_string(module.type(module.computation(module.entry()).root)), "f32[2]");
}

TEST(Complex, BlanksAndLayoutsAreNoMatter) {
  const std::string text = entry("z: c64[2]", "  %z = c64[2]{0} parameter(0)\n  %e = c64[2]{0} exponential(%z)\n  ROOT %y = c64[2]{0} divide(%e, %z)\n");
  std::string dense = text;
  for (const std::string piece : {"{0}", "  "}) {
    for (auto at = dense.find(piece); at != std::string::npos; at = dense.find(piece)) dense.erase(at, piece.size());
  }
  for (char& c : dense) c = c == '\n' ? ' ' : c;
  EXPECT_EQ(print_hlo(parse_hlo(text, "m")), print_hlo(parse_hlo(dense, "m")));
}

TEST(Complex, ConstantsArePairs) {
  const Module module = parse_hlo("HloModule m\n\nENTRY %m {\n  ROOT %c = c64[2,1] constant({ {(1, -2)}, { ( 0.5, nan ) } })\n}\n", "m");
  const std::string text = print_hlo(module);
  EXPECT_NE(text.find("constant({ {1}, {0.5} })"), std::string::npos) << text;
  EXPECT_NE(text.find("constant({ {-2}, {nan} })"), std::string::npos) << text;
  for (const std::string data : {"(1)", "(1, 2, 3)", "1", "{1, 2}", "(1, 2"}) EXPECT_THROW(parse_hlo("HloModule m\n\nENTRY %m {\n  ROOT %c = c64[] constant(" + data + ")\n}\n", "m"), InputError) << data;
}

TEST(Complex, NamesThatAreTakenStay) {
  const Module module = parse_hlo(entry("z: c64[2]", "  %z = c64[2]{0} parameter(0)\n  %y.re = f32[2]{0} real(%z)\n  %y.part.0 = f32[2]{0} imag(%z)\n  %x = f32[2]{0} real(%y.re)\n  ROOT %y = c64[2]{0} complex(%x, %y.part.0)\n"), "m");
  parse_hlo(print_hlo(module), "again");
}

TEST(Complex, DonatedLeavesAreBoth) {
  const Module module = parse_hlo("HloModule m, input_output_alias={ {1}: (1, {}, may-alias) }\n\nENTRY %m {\n  %a = c64[2] parameter(0)\n  %b = c64[2] parameter(1)\n  ROOT %t = (c64[2], c64[2]) tuple(%a, %b)\n}\n", "m");
  ASSERT_EQ(module.aliases.size(), 2U);
  EXPECT_EQ(module.aliases[1].output_leaf, 3);
  EXPECT_EQ(module.aliases[1].input_leaf, 3);
}

TEST(Complex, ALeafIsTwo) {
  const Module module = parse_hlo(entry("z: c64[2]", "  %z = c64[2]{0} parameter(0), metadata={op_name=\"z\"}\n  ROOT %n = c64[2]{0} negate(%z)\n"), "m");
  const Computation& main = module.computation(module.entry());
  EXPECT_EQ(to_string(module.type(main.parameters.at(0))), "(f32[2], f32[2])");
  EXPECT_EQ(to_string(module.type(main.root)), "(f32[2], f32[2])");
  EXPECT_EQ(module.op_name(main.parameters.at(0)), "z");
  parse_hlo(print_hlo(module), "again");
}

TEST(Complex, PlacesStayOnTheirLines) {
  const std::string text = entry("z: c64[2]", "  %z = c64[2]{0} parameter(0)\n  %e = c64[2]{0} exponential(%z)\n  ROOT %y = c64[2]{0} add(%e, %w)\n");
  try {
    parse_hlo(text, "m");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diags().at(0).where.line, 6U);
  }
}

TEST(Complex, TuplesLoopsAndText) {
  const Module module = parse_hlo(R"(HloModule m

cond.1 {
  t.1 = (s32[], c64[2]) parameter(0)
  i.1 = s32[] get-tuple-element(t.1), index=0
  n.1 = s32[] constant(3)
  ROOT less.1 = pred[] compare(i.1, n.1), direction=LT
}

body.1 {
  t.2 = (s32[], c64[2]) parameter(0)
  i.2 = s32[] get-tuple-element(t.2), index=0
  one.2 = s32[] constant(1)
  next.2 = s32[] add(i.2, one.2)
  z.2 = c64[2] get-tuple-element((s32[], c64[2]) t.2), index=1
  square.2 = c64[2] multiply(c64[2] z.2, c64[2] z.2)
  ROOT r.2 = (s32[], c64[2]) tuple(next.2, square.2)
}

ENTRY main.3 {
  z.3 = c64[2] parameter(0)
  zero.3 = s32[] constant(0)
  t.3 = (s32[], /*index=1*/c64[2]) tuple(zero.3, /*index=1*/z.3), sharding={{replicated}, {devices=[2]<=[2]}}
  w.3 = (s32[], c64[2]) while(t.3), condition=cond.1, body=body.1
  ROOT r.3 = c64[2] get-tuple-element(w.3), index=1, metadata={op_name="c64[2] stays in a string"}
}
)",
                                  "m");
  EXPECT_EQ(to_string(module.type(module.computation(module.entry()).root)), "(f32[2], f32[2])");
  EXPECT_NE(print_hlo(module).find("c64[2] stays in a string"), std::string::npos);
}

TEST(Complex, SumsOfPartsAndNothingElse) {
  const auto region = [](const std::string& op) {
    return "%f (a: c64[], b: c64[]) -> c64[] {\n  %a = c64[] parameter(0)\n  %b = c64[] parameter(1)\n  ROOT %r = c64[] " + op + "(%a, %b)\n}\n\n";
  };
  const std::string lines =
      "  %z = c64[2]{0} parameter(0)\n  ROOT %s = c64[2]{0} all-reduce(%z), replica_groups={{0,1}}, to_apply=%f\n";
  const Module module = parse_hlo(entry("z: c64[2]", lines, region("add")), "m");
  EXPECT_NE(print_hlo(module).find("to_apply=%f.part"), std::string::npos);
  EXPECT_THROW(parse_hlo(entry("z: c64[2]", lines, region("multiply")), "m"), InputError);
}

TEST(Complex, WhatHasNoRuleIsNamed) {
  for (const std::string op : {"tanh(%z)", "sort(%z), dimensions={0}", "power(%z, %z)", "fft(%z), fft_type=FFT, fft_length={8192}",
                               "fft(%z), fft_type=FFT, fft_length={0}", "maximum(%z, %z)", "add(%z, %r)", "reshape(%r)"}) {
    try {
      parse_hlo(entry("z: c64[2]", "  %z = c64[2]{0} parameter(0)\n  %r = f32[2]{0} real(%z)\n  ROOT %y = c64[2]{0} " + op + "\n"), "m");
      ADD_FAILURE() << op;
    } catch (const InputError& error) {
      EXPECT_EQ(error.diags().at(0).code, DiagCode::UnsupportedForm) << error.what();
      EXPECT_NE(std::string(error.what()).find("complex numbers"), std::string::npos) << error.what();
    }
  }
}

TEST(Complex, DeepAndLongTextsEnd) {
  const std::string deep = std::string(200'000, '(') + "c64[2]" + std::string(200'000, ')');
  EXPECT_THROW(parse_hlo(entry("z: c64[2]", "  %z = c64[2]{0} parameter(0)\n  ROOT %t = " + deep + " tuple(%z), sharding={{replicated}}\n"), "m"), InputError);
  std::string header = "HloModule m";
  for (int k = 0; k < 100'000; ++k) header += ", buffer_donor={ (0, {}) }";
  EXPECT_THROW(parse_hlo(header + "\n\nENTRY %main (z: c64[2]) -> c64[2] {\n", "m"), InputError);
}

TEST(Complex, BrokenLinesAreRefusedNotLooped) {
  for (const std::string line : {"  %y = c64[2]{0} add(%z, %z", "  %y = c64[2", "  %y = c64[2]{0} constant({(1, 2)", "  %y = c64[2]{0} convert()",
                                 "  %y = c64[2]{0} complex(%z)", "  %y = c64[2]{0} fft(), fft_type=FFT, fft_length={2}",
                                 "  %y = c64[2]{0} fft(%z), fft_type=FFT", "  %y = c64[2]{0} fft(%z), fft_type=DCT, fft_length={2}",
                                 "  %y = c64[] fft(%z), fft_type=FFT, fft_length={2,2}", "  %y = c64[2]{0} constant(\"", "  %y = (c64[2], c64[", "  %y = c64[2]{0} real(%z)"}) {
    EXPECT_THROW(parse_hlo(entry("z: c64[2]", "  %z = c64[2]{0} parameter(0)\n" + line + "\n  ROOT %r = c64[2]{0} negate(%z)\n"), "m"), InputError) << line;
  }
}

}  // namespace
}  // namespace gg
