// Broken inputs: each is refused with its code at its line, and nothing crashes.
#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

struct Broken {
  const char* what;
  std::string text;
  const char* id;
  std::uint32_t line;    ///< 0: not checked
  const char* mentions;  ///< must occur in the message
};

std::string entry(const std::string& body) { return "HloModule m\nENTRY e {\n" + body + "\n}\n"; }

constexpr const char* kAdd =
    "HloModule m\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n";

const Broken kBroken[] = {
    // the file
    {"empty", "", "GG-P007", 0, "empty"},
    {"blank", "\n\n  ", "GG-P007", 0, "empty"},
    {"mlir", "module @jit_f {\n  func.func public @main() {}\n}", "GG-P007", 1, "MLIR"},
    {"binary", std::string("\x0a\x05jit_f\0\x12", 9), "GG-P007", 0, "binary"},
    {"prose", "hello", "GG-P007", 1, "HloModule"},
    {"no computation", "HloModule m\n", "GG-T005", 0, "ENTRY"},
    {"no entry", "HloModule m\nf { ROOT a = f32[] parameter(0) }", "GG-T005", 0, "ENTRY"},
    {"two entries", entry("ROOT a = f32[] parameter(0)") + "ENTRY f { ROOT a = f32[] parameter(0) }", "GG-P003", 5,
     "ENTRY"},
    {"text behind", entry("ROOT a = f32[] parameter(0)") + "}", "GG-P001", 5, "computation"},
    {"truncated body", "HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n", "GG-P001", 4, "end of the text"},
    {"truncated line", "HloModule m\nENTRY e {\n  a = f32[4] add(", "GG-P001", 3, "operand"},
    {"open comment", "HloModule m /* x", "GG-P001", 1, "comment"},
    {"open string", "HloModule m\nENTRY e { a = f32[] parameter(0), metadata={op_name=\"x", "GG-P001", 2, "string"},
    {"open brace", "HloModule m\nENTRY e { a = f32[] parameter(0), metadata={x", "GG-P001", 2, "not closed"},
    {"mixed brackets", "HloModule m\nENTRY e { a = f32[] parameter(0), metadata={(}", "GG-P001", 2, "unbalanced"},
    {"deep brackets", "HloModule m, frontend_attributes=" + std::string(1000, '{'), "GG-P006", 1, "256"},
    {"deep tuple", entry("a = " + std::string(200, '(') + "f32[]" + std::string(200, ')') + " parameter(0)"), "GG-P006",
     3, "64"},
    // the header
    {"unknown header attribute", "HloModule m, colour=red\n", "GG-A001", 1, "colour"},
    {"header attribute twice", "HloModule m, num_partitions=2, num_partitions=2\n", "GG-A004", 1, "num_partitions"},
    {"no ranks", "HloModule m, num_partitions=0\n", "GG-P004", 1, "num_partitions"},
    {"too many ranks", "HloModule m, num_partitions=1000000000\n", "GG-P004", 1, "num_partitions"},
    {"too many ranks together", "HloModule m, num_partitions=1000000, replica_count=2\n", "GG-U004", 0, "2^20"},
    {"layout differs",
     "HloModule m, entry_computation_layout={(f32[3]{0})->f32[2]{0}}\nENTRY e { ROOT a = f32[2] parameter(0) }",
     "GG-T005", 1, "parameter 0"},
    {"layout result differs",
     "HloModule m, entry_computation_layout={(f32[2]{0})->f32[3]{0}}\nENTRY e { ROOT a = f32[2] parameter(0) }",
     "GG-T005", 1, "result"},
    {"layout count differs",
     "HloModule m, entry_computation_layout={()->f32[2]{0}}\nENTRY e { ROOT a = f32[2] parameter(0) }", "GG-T005", 1,
     "0 parameters"},
    {"alias of nothing",
     "HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }\nENTRY e { ROOT a = f32[2] parameter(0) }", "GG-A003",
     1, "input_output_alias"},
    {"alias of no parameter",
     "HloModule m, input_output_alias={ {}: (4, {}, may-alias) }\nENTRY e { ROOT a = f32[2] parameter(0) }", "GG-A003",
     1, "input_output_alias"},
    // names
    {"unknown operand", entry("ROOT b = f32[] negate(a)"), "GG-P002", 3, "'%a'"},
    {"operand defined later", entry("b = f32[] negate(a)\nROOT a = f32[] parameter(0)"), "GG-P002", 3, "'%a'"},
    {"operand of another computation",
     "HloModule m\nf { ROOT a = f32[] parameter(0) }\nENTRY e { ROOT b = f32[] negate(a) }", "GG-P002", 3, "'%a'"},
    {"duplicate instruction", entry("a = f32[] parameter(0)\nROOT a = f32[] parameter(1)"), "GG-P003", 4, "'%a'"},
    {"duplicate computation", "HloModule m\nf { ROOT a = f32[] parameter(0) }\nf { ROOT a = f32[] parameter(0) }",
     "GG-P003", 3, "'%f'"},
    {"unknown computation", entry("a = f32[] parameter(0)\nROOT b = f32[] call(a), to_apply=g"), "GG-P002", 4, "'%g'"},
    // computations
    {"empty computation", "HloModule m\nENTRY e {\n}", "GG-T005", 2, "empty"},
    {"two roots", entry("ROOT a = f32[] parameter(0)\nROOT b = f32[] parameter(1)"), "GG-T005", 4, "two ROOT"},
    {"parameter gap", entry("ROOT a = f32[] parameter(1)"), "GG-T005", 3, "0 is expected"},
    {"parameter twice", entry("a = f32[] parameter(0)\nROOT b = f32[] parameter(0)"), "GG-T005", 4, "'%b'"},
    {"negative parameter", entry("ROOT a = f32[] parameter(-1)"), "GG-P004", 3, "-1"},
    {"signature parameter", "HloModule m\nENTRY e (a: f32[3]) -> f32[2] { ROOT a = f32[2] parameter(0) }", "GG-T005", 2,
     "f32[3]"},
    {"signature result", "HloModule m\nENTRY e (a: f32[2]) -> f32[3] { ROOT a = f32[2] parameter(0) }", "GG-T005", 2,
     "f32[3]"},
    {"signature count", "HloModule m\nENTRY e () -> f32[2] { ROOT a = f32[2] parameter(0) }", "GG-T005", 2,
     "0 parameters"},
    {"calls itself", "HloModule m\nENTRY e { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=e }", "GG-T004", 2,
     "'%e' calls '%e'"},
    {"cyclic calls",
     "HloModule m\nf { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=g }\ng { a = f32[] parameter(0) ROOT b "
     "= f32[] call(a), to_apply=f }\nENTRY e { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=f }",
     "GG-T004", 0, "calls"},
    {"call with wrong type",
     "HloModule m\nf { ROOT a = f32[2] parameter(0) }\nENTRY e { a = f32[3] parameter(0) ROOT b = f32[3] call(a), "
     "to_apply=f }",
     "GG-T005", 3, "f32[2]"},
    {"call with wrong count",
     "HloModule m\nf { ROOT a = f32[2] parameter(0) }\nENTRY e { a = f32[2] parameter(0) ROOT b = f32[2] call(a, a), "
     "to_apply=f }",
     "GG-T005", 3, "1 parameters"},
    {"loop condition",
     std::string("HloModule m\nf { ROOT a = f32[2] parameter(0) }\nENTRY e { a = f32[2] parameter(0) ROOT b = f32[2] "
                 "while(a), condition=f, body=f }"),
     "GG-T005", 3, "pred[]"},
    {"reducer type",
     std::string(kAdd) + "ENTRY e { a = s32[2] parameter(0) z = s32[] constant(0)\nROOT b = s32[] reduce(a, z), "
                         "dimensions={0}, to_apply=add }",
     "GG-T005", 4, "f32[]"},
    // types
    {"wrong result type", entry("a = f32[4] parameter(0)\nROOT b = f32[5] negate(a)"), "GG-T001", 4, "f32[5]"},
    {"wrong element type", entry("a = f32[4] parameter(0)\nROOT b = s32[4] negate(a)"), "GG-T001", 4, "s32[4]"},
    {"wrong operand type printed", entry("a = f32[4] parameter(0)\nROOT b = f32[4] negate(f32[5] a)"), "GG-T001", 4,
     "f32[5]"},
    {"too few operands", entry("a = f32[4] parameter(0)\nROOT b = f32[4] add(a)"), "GG-T002", 4, "add"},
    {"overflowing count", entry("ROOT a = f32[4294967296,4294967296] parameter(0)"), "GG-T003", 3, "2^48"},
    {"unknown element type", entry("ROOT a = f33[4] parameter(0)"), "GG-P001", 3, "f33"},
    {"dynamic dimension", entry("ROOT a = f32[<=4] parameter(0)"), "GG-N003", 3, "dynamic"},
    {"tiled bitcast", entry("a = f32[8,128]{1,0:T(8,128)} parameter(0)\nROOT b = f32[1024] bitcast(a)"), "GG-N003", 4,
     "tiled"},
    {"bitcast to a type of fewer bits", entry("a = f32[4] parameter(0)\nROOT b = bf16[8] bitcast(a)"), "GG-N003", 4, "change of the element type"},
    {"bitcast to another type and shape", entry("a = f32[4,2] parameter(0)\nROOT b = s32[8] bitcast(a)"), "GG-N003", 4, "change of the element type"},
    {"bitcast to another type and layout", entry("a = f32[4,2]{1,0} parameter(0)\nROOT b = s32[4,2]{0,1} bitcast(a)"), "GG-N003", 4, "change of the element type"},
    // attributes
    {"unknown attribute", entry("ROOT a = f32[4] parameter(0), colour=red"), "GG-A001", 3, "'colour'"},
    {"attribute of another operator", entry("a = f32[4] parameter(0)\nROOT b = f32[4] negate(a), dimensions={0}"),
     "GG-A001", 4, "'dimensions'"},
    {"channel of no collective", entry("a = f32[4] parameter(0)\nROOT b = f32[4] negate(a), channel_id=1"), "GG-A001",
     4, "'channel_id'"},
    {"sparsity",
     entry("a = f32[4] parameter(0)\nROOT b = f32[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}, "
           "sparsity=L.0@2:4"),
     "GG-A001", 4, "'sparsity'"},
    {"attribute twice", entry("a = f32[4] parameter(0)\nROOT b = f32[4] transpose(a), dimensions={0}, dimensions={0}"),
     "GG-A004", 4, "dimensions"},
    {"metadata twice", entry("ROOT a = f32[4] parameter(0), metadata={}, metadata={}"), "GG-A004", 3, "metadata"},
    {"missing attribute", entry("a = f32[4] parameter(0)\nROOT b = f32[4] transpose(a)"), "GG-A002", 4, "dimensions"},
    {"attribute without value", entry("a = f32[4] parameter(0)\nROOT b = f32[4] transpose(a), dimensions="), "GG-P001",
     0, ""},
    {"trailing text in value", entry("a = f32[4] parameter(0)\nROOT b = f32[4] transpose(a), dimensions={0}x"),
     "GG-P001", 4, "end of the value"},
    {"side effect",
     entry("a = f32[4] parameter(0)\nROOT b = f32[4] custom-call(a), "
           "custom_call_target=\"AwsNeuronTransferWithStaticRing\", custom_call_has_side_effect=true"),
     "GG-N003", 4, "side effects"},
    {"bad groups",
     "HloModule m, num_partitions=4\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) "
     "}\nENTRY e { a = f32[4] parameter(0)\nROOT b = f32[4] all-reduce(a), channel_id=1, use_global_device_ids=true, "
     "replica_groups={{0,1},{1,2}}, to_apply=add }",
     "GG-A005", 4, "1"},
    {"huge groups",
     std::string(kAdd) + "ENTRY e { a = f32[4] parameter(0)\nROOT b = f32[4] all-reduce(a), "
                         "replica_groups=[1000000000,1000000000]<=[1000000000,1000000000], to_apply=add }",
     "GG-P004", 4, "1000000000"},
    {"bad pairs",
     "HloModule m, num_partitions=4\nENTRY e { a = f32[4] parameter(0)\nROOT b = f32[4] collective-permute(a), "
     "channel_id=1, source_target_pairs={{0,1},{0,2}} }",
     "GG-A006", 3, "0"},
    // constants
    {"elided constant", entry("ROOT a = f32[4] constant({...})"), "GG-P005", 3, "'%a'"},
    {"constant too short", entry("ROOT a = f32[4] constant({1, 2})"), "GG-P001", 3, "f32[4]"},
    {"constant of many", entry("ROOT a = f32[281474976710656] constant({1})"), "GG-P001", 3, "shape"},
    {"constant out of range", entry("ROOT a = s8[] constant(200)"), "GG-P004", 3, "200"},
    {"tuple constant", entry("ROOT a = (f32[], f32[]) constant((1, 2))"), "GG-N003", 3, "constants"},
    // operators
    {"unknown operators",
     entry("a = f32[4,4] parameter(0)\nb = f32[4,4] cholesky(a), lower=true\nROOT c = f32[4,4] ragged-dot(b, b), "
           "lhs_ragged_dims={0}"),
     "GG-N001", 5, "ragged-dot"},
    {"fft of real numbers", entry("a = f32[4] parameter(0)\nROOT c = f32[4] fft(a), fft_type=FFT, fft_length={4}"), "GG-N003", 4, "fft"},
    {"unknown custom calls with operators",
     entry("a = f32[4] parameter(0)\nb = f32[4] custom-call(a), custom_call_target=\"magic\"\nROOT c = f32[4] frob(b)"),
     "GG-N001", 4, "custom call 'magic', frob"},
};

TEST(BrokenHlo, IsRefusedWithItsCode) {
  for (const Broken& row : kBroken) {
    try {
      parse_hlo(row.text, "in.hlo");
      ADD_FAILURE() << row.what << " was accepted";
    } catch (const InputError& error) {
      const Diag& diag = error.diags()[0];
      EXPECT_EQ(row.id, info(diag.code).id) << row.what << ": " << error.what();
      EXPECT_EQ("in.hlo", diag.where.file) << row.what;
      EXPECT_TRUE(row.line == 0 || row.line == diag.where.line) << row.what << ": " << error.what();
      EXPECT_NE(std::string::npos, diag.message.find(row.mentions)) << row.what << ": " << error.what();
    }
  }
}

TEST(BrokenHlo, SeveralUnknownAttributesTogether) {
  try {
    parse_hlo(entry("a = f32[4] parameter(0), x=1\nROOT b = f32[4] negate(a), y=2"), "");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(2U, error.diags().size());
  }
}

TEST(BrokenHlo, EveryPrefixOfAModule) {
  const std::string text =
      "HloModule m, num_partitions=2\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
      "ENTRY %e (p: f32[4]) -> f32[4] {\n  %p = f32[4]{0} parameter(0), sharding={replicated}\n"
      "  %k = s32[2] constant({1, -2})\n"
      "  ROOT %r = f32[4]{0} all-reduce(%p), channel_id=1, replica_groups=mesh['a'=2], device_ids=(1,0) {'a'}, "
      "use_global_device_ids=true, to_apply=add, metadata={op_name=\"x\\\"\"}\n}";
  EXPECT_NO_THROW(parse_hlo(text, ""));
  for (std::size_t n = 0; n < text.size(); ++n) {
    EXPECT_THROW(parse_hlo(std::string_view(text).substr(0, n), ""), InputError) << n;
  }
}

TEST(BrokenHlo, LongChainsOfCallsAreRefused) {
  std::string text = "HloModule m\nf0 { ROOT a = f32[] parameter(0) }\n";
  for (int k = 1; k < 2000; ++k) {
    const std::string number = std::to_string(k);
    text +=
        "f" + number + " { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=f" + std::to_string(k - 1) + " }\n";
  }
  text += "ENTRY e { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=f1999 }";
  try {
    parse_hlo(text, "");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(DiagCode::TooDeep, error.diags()[0].code);
  }
}

TEST(BrokenHlo, GroupsOfAllInstructionsTogetherAreBounded) {
  std::string text = std::string(kAdd) + "ENTRY e { a = f32[4] parameter(0)\n";
  for (int k = 0; k < 12; ++k) {
    const std::string number = std::to_string(1 << k);
    text += "b" + number + " = f32[4] all-reduce(a), replica_groups=[" + number + "," + std::to_string(1 << (20 - k)) +
            "]<=[1048576], to_apply=add\n";
  }
  try {
    parse_hlo(text + "}", "");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(DiagCode::TooLarge, error.diags()[0].code);
  }
}

}  // namespace
}  // namespace gg
