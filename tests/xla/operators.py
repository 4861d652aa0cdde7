#!/usr/bin/env python3
"""Writes one small HLO module for each form of each operator into a folder: the inputs of run_modules and compare.py.
usage: operators.py FOLDER

A row is (name, parameter types, result type and instruction, options). %p0, %p1, ... are the parameters; `pre` are
instructions before the root; `ranks` or `partitions` > 1 makes it a distributed program; `ranges` {parameter: (lo, hi)}.
"""
import os
import sys

from regions import REGIONS

ROWS = []


def row(name, params, root, **options):
    ROWS.append((name, params, root, options))


# --- elementwise
for op, lo, hi in [("abs", -2, 2), ("ceil", -3, 3), ("cosine", -9, 9), ("erf", -3, 3), ("exponential", -5, 5),
                   ("exponential-minus-one", -1e-3, 1e-3), ("floor", -3, 3), ("log", 0.01, 9), ("log-plus-one", -0.5, 0.5),
                   ("logistic", -9, 9), ("negate", -1, 1), ("rsqrt", 0.01, 9), ("sign", -1, 1), ("sine", -9, 9),
                   ("sqrt", 0, 9), ("tanh", -4, 4), ("is-finite", -1, 1), ("cbrt", -9, 9), ("tan", -1.4, 1.4),
                   ("round-nearest-afz", -3, 3), ("round-nearest-even", -3, 3), ("log", -1, 1), ("sqrt", -1, 1)]:
    result = "pred" if op == "is-finite" else "f32"
    row(f"{op}_{lo}_{hi}", ["f32[3,5]"], f"{result}[3,5] {op}(%p0)", ranges={0: (lo, hi)})
# XLA's CPU compiler has no code for these, its evaluator of constants does.
POINTS = ["-0.9", "-0.5", "-1e-3", "0", "1e-20", "0.001", "0.3", "0.99", "1"]
for op in ["acos", "asin", "atanh", "asinh", "cosh", "sinh"]:
    row(f"{op}_points", [], f"f32[9] {op}(%c)", pre=[f"%c = f32[9] constant({{{', '.join(POINTS)}}})"])
row("acosh_points", [], "f32[5] acosh(%c)", pre=["%c = f32[5] constant({1, 1.001, 1.5, 7, 1e9})"])
for op in ["abs", "negate", "sign"]:
    row(f"{op}_s32", ["s32[7]"], f"s32[7] {op}(%p0)", ranges={0: (-4, 5)})
row("atan2_f32", ["f32[40]", "f32[40]"], "f32[40] atan2(%p0, %p1)")
row("rounding_ties", [], "f32[8] round-nearest-even(%c)", pre=["%c = f32[8] constant({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5})"])
row("rounding_ties_away", [], "f32[8] round-nearest-afz(%c)", pre=["%c = f32[8] constant({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5})"])
for t, lo in [("s32", -99), ("u32", 0), ("s8", -99), ("u8", 0), ("s64", -99), ("u16", 0)]:
    row(f"popcnt_{t}", [f"{t}[30]"], f"{t}[30] popcnt(%p0)", ranges={0: (lo, 99)})
    row(f"count-leading-zeros_{t}", [f"{t}[30]"], f"{t}[30] count-leading-zeros(%p0)", ranges={0: (lo, 99)})
row("bitcast-convert_same", ["s32[9]"], "u32[9] bitcast-convert(%p0)", ranges={0: (-9, 9)})
row("bitcast-convert_to_float", ["u32[9]"], "f32[9] bitcast-convert(%p0)", ranges={0: (0, 2000000000)})
row("bitcast-convert_of_float", ["f32[9]"], "s32[9] bitcast-convert(%p0)")
row("bitcast-convert_float_halves", ["f32[9]"], "u16[9,2] bitcast-convert(%p0)")
row("bitcast-convert_bf16", ["bf16[9]"], "u16[9] bitcast-convert(%p0)")
row("bitcast-convert_narrow", ["s32[9]"], "u8[9,4] bitcast-convert(%p0)", ranges={0: (-70000, 70000)})
row("bitcast-convert_wide", ["u8[9,4]"], "s32[9] bitcast-convert(%p0)", ranges={0: (0, 256)})
row("reduce-precision_constant", [], "f32[4] reduce-precision(%c), exponent_bits=8, mantissa_bits=7",
    pre=["%c = f32[4] constant({0.5, -3, 384, 0})"])
for op in ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder"]:
    row(f"{op}_f32", ["f32[4,3]", "f32[4,3]"], f"f32[4,3] {op}(%p0, %p1)",
        ranges={0: (0.1, 3), 1: (0.2, 2)} if op == "power" else {})
    for t, lo in [("s32", -7), ("u32", 0), ("s8", -9), ("u8", 0), ("s16", -9), ("u16", 0), ("s64", -7), ("u64", 0)]:
        row(f"{op}_{t}", [f"{t}[40]", f"{t}[40]"], f"{t}[40] {op}(%p0, %p1)",
            ranges={0: (lo, 8), 1: (0 if op == "power" else lo // 2, 4)})
row("multiply_s8_wrap", ["s8[30]", "s8[30]"], "s8[30] multiply(%p0, %p1)", ranges={0: (-128, 128), 1: (-128, 128)})
row("add_u8_wrap", ["u8[30]", "u8[30]"], "u8[30] add(%p0, %p1)", ranges={0: (0, 256), 1: (0, 256)})
row("subtract_u32_wrap", ["u32[30]", "u32[30]"], "u32[30] subtract(%p0, %p1)", ranges={0: (0, 5), 1: (0, 9)})
for op in ["and", "or", "xor"]:
    row(f"{op}_s32", ["s32[20]", "s32[20]"], f"s32[20] {op}(%p0, %p1)", ranges={0: (-9, 9), 1: (-9, 9)})
    row(f"{op}_pred", ["pred[8]", "pred[8]"], f"pred[8] {op}(%p0, %p1)")
row("not_pred", ["pred[8]"], "pred[8] not(%p0)")
row("not_s32", ["s32[8]"], "s32[8] not(%p0)", ranges={0: (-9, 9)})
row("not_u8", ["u8[8]"], "u8[8] not(%p0)")
for op in ["shift-left", "shift-right-arithmetic", "shift-right-logical"]:
    for t, lo, bits in [("s32", -100, 32), ("u32", 0, 32), ("s8", -100, 8)]:
        row(f"{op}_{t}", [f"{t}[50]", f"{t}[50]"], f"{t}[50] {op}(%p0, %p1)", ranges={0: (lo, 100), 1: (0, bits + 4)})
for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"]:
    row(f"compare_{direction}_f32", ["f32[9]", "f32[9]"], f"pred[9] compare(%p0, %p1), direction={direction}")
    row(f"compare_{direction}_s32", ["s32[30]", "s32[30]"], f"pred[30] compare(%p0, %p1), direction={direction}",
        ranges={0: (-2, 3), 1: (-2, 3)})
row("compare_u32", ["u32[30]", "u32[30]"], "pred[30] compare(%p0, %p1), direction=LT")
row("compare_pred", ["pred[9]", "pred[9]"], "pred[9] compare(%p0, %p1), direction=LT")
row("select", ["pred[4,3]", "f32[4,3]", "f32[4,3]"], "f32[4,3] select(%p0, %p1, %p2)")
row("select_scalar_pred", ["pred[]", "f32[4,3]", "f32[4,3]"], "f32[4,3] select(%p0, %p1, %p2)")
row("clamp", ["f32[9]", "f32[9]", "f32[9]"], "f32[9] clamp(%p0, %p1, %p2)")
row("clamp_scalar", ["f32[]", "f32[9]", "f32[]"], "f32[9] clamp(%p0, %p1, %p2)", ranges={0: (-1, -0.2), 2: (0.2, 1)})
row("clamp_s32", ["s32[]", "s32[9]", "s32[]"], "s32[9] clamp(%p0, %p1, %p2)", ranges={0: (-3, 0), 1: (-9, 9), 2: (0, 4)})
for a, b, lo, hi in [("f32", "s32", -9, 9), ("s32", "f32", -9, 9), ("s32", "u8", -300, 300), ("f32", "u8", -5, 300),
                     ("f32", "s8", -300, 300), ("f32", "pred", -1, 1), ("s32", "pred", -2, 2), ("pred", "f32", 0, 2),
                     ("u32", "f32", 0, 99), ("s32", "s64", -9, 9), ("s64", "s32", -9, 9), ("u8", "s32", 0, 256)]:
    row(f"convert_{a}_{b}", [f"{a}[20]"], f"{b}[20] convert(%p0)", ranges={0: (lo, hi)})
row("map", ["f32[4,3]", "f32[4,3]"], "f32[4,3] map(%p0, %p1), dimensions={0,1}, to_apply=%square_sum")


# --- infinities, NaN, zero and what overflows f64: every pair of them through the binary operators
SPECIAL = ["nan", "inf", "-inf", "0", "1", "-2", "0.5", "3e38"]
for op in ["abs", "ceil", "cosine", "erf", "exponential", "exponential-minus-one", "floor", "log", "log-plus-one", "logistic",
           "negate", "rsqrt", "sign", "sine", "sqrt", "tanh", "acos", "acosh", "asin", "asinh", "atanh", "cbrt", "cosh", "sinh",
           "tan", "round-nearest-afz", "round-nearest-even"]:
    # XLA's argument reduction is not exact at 3e38; exp(3e38) has no exponent of 64 bits, so that nothing is known of it.
    few = SPECIAL[:-1] + {"cosine": [], "sine": [], "tan": []}.get(op, ["1e4" if op in ("exponential", "exponential-minus-one", "cosh", "sinh") else "3e38"])
    row(f"{op}_special", [], f"f32[{len(few)}] {op}(%c)", pre=[f"%c = f32[{len(few)}] constant({{{', '.join(few)}}})"])
row("is-finite_special", [], "pred[8] is-finite(%c)", pre=[f"%c = f32[8] constant({{{', '.join(SPECIAL)}}})"])
PAIR = ["%c = f32[8] constant({" + ", ".join(SPECIAL) + "})", "%x = f32[8,8] broadcast(%c), dimensions={0}",
        "%y = f32[8,8] broadcast(%c), dimensions={1}"]
for op in ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder", "atan2"]:
    row(f"{op}_special", [], f"f32[8,8] {op}(%x, %y)", pre=[line.replace("3e38", "1e4") for line in PAIR] if op == "power" else PAIR)
for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"]:
    row(f"compare_{direction}_special", [], f"pred[8,8] compare(%x, %y), direction={direction}", pre=PAIR)
for low, high in [("-1", "1"), ("nan", "1"), ("-inf", "inf"), ("1", "-1"), ("0", "nan")]:
    row(f"clamp_special_{low}_{high}".replace("-", "m"), [], "f32[8] clamp(%l, %c, %h)",
        pre=PAIR[:1] + [f"%l = f32[] constant({low})", f"%h = f32[] constant({high})"])
for t in ["s32", "u8", "s8", "s64"]:
    row(f"convert_special_{t}", [], f"{t}[8] convert(%c)", pre=PAIR[:1])
EXTREME = ["%m = s32[6] constant({-2147483648, -1, 0, 1, 2147483647, 7})", "%x = s32[6,6] broadcast(%m), dimensions={0}",
           "%y = s32[6,6] broadcast(%m), dimensions={1}"]
for op in ["add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "shift-left", "shift-right-arithmetic",
           "shift-right-logical"]:
    row(f"{op}_extreme", [], f"s32[6,6] {op}(%x, %y)", pre=EXTREME)
for op in ["abs", "negate", "sign"]:
    row(f"{op}_extreme", [], f"s32[6] {op}(%m)", pre=EXTREME[:1])
row("reduce_max_special", [], "f32[8] reduce(%x, %i), dimensions={1}, to_apply=%max_f", pre=PAIR + ["%i = f32[] constant(-inf)"])
row("reduce_add_special", [], "f32[8] reduce(%x, %i), dimensions={1}, to_apply=%add_f", pre=PAIR + ["%i = f32[] constant(0)"])

# --- sources
row("iota_0", [], "s32[3,4] iota(), iota_dimension=0")
row("iota_f32", [], "f32[3,4] iota(), iota_dimension=1")
row("constant", ["f32[2,2]"], "f32[2,2] add(%p0, %c)", pre=["%c = f32[2,2] constant({ {1, 2.5}, {-3e-2, 0.1} })"])
row("constant_bits", ["f32[4]"], "f32[4] multiply(%p0, %c)", pre=["%c = f32[4] constant({0.1, 1e-30, 3.40282347e+38, -0})"])

# --- layout
row("broadcast_scalar", ["f32[]"], "f32[2,3] broadcast(%p0), dimensions={}")
row("broadcast", ["f32[3]"], "f32[2,3,4] broadcast(%p0), dimensions={1}")
row("broadcast_two", ["f32[3,4]"], "f32[3,2,4] broadcast(%p0), dimensions={0,2}")
row("transpose", ["f32[2,3,4]"], "f32[4,2,3] transpose(%p0), dimensions={2,0,1}")
row("reshape", ["f32[6,4]"], "f32[2,3,2,2] reshape(%p0)")
row("reshape_uncommon", ["f32[6,4]"], "f32[4,6] reshape(%p0)")
row("reshape_scalar", ["f32[1,1]"], "f32[] reshape(%p0)")
row("reverse", ["f32[3,4]"], "f32[3,4] reverse(%p0), dimensions={1}")
row("slice", ["f32[7,9]"], "f32[3,3] slice(%p0), slice={[1:7:2], [0:9:3]}")
row("concatenate", ["f32[2,3]", "f32[1,3]", "f32[3,3]"], "f32[6,3] concatenate(%p0, %p1, %p2), dimensions={0}")
row("concatenate_empty", ["f32[2,3]", "f32[2,0]"], "f32[2,3] concatenate(%p0, %p1), dimensions={1}")
row("pad", ["f32[3,2]", "f32[]"], "f32[6,8] pad(%p0, %p1), padding=1_2x2_3_1")
row("pad_negative", ["f32[5,6]", "f32[]"], "f32[3,7] pad(%p0, %p1), padding=-1_-1x2_-1")
row("pad_interior_negative", ["f32[4]", "f32[]"], "f32[7] pad(%p0, %p1), padding=-1_-2_2")
row("copy", ["f32[3,2]"], "f32[3,2] copy(%p0)")
row("bitcast", ["f32[6,4]"], "f32[24] bitcast(%p0)")

# --- contractions and reductions
row("dot", ["f32[3,4]", "f32[4,5]"], "f32[3,5] dot(%p0, %p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}")
row("dot_transposed", ["f32[4,3]", "f32[5,4]"], "f32[3,5] dot(%p0, %p1), lhs_contracting_dims={0}, rhs_contracting_dims={1}")
row("dot_batch", ["f32[2,3,4]", "f32[4,2,5]"],
    "f32[2,3,5] dot(%p0, %p1), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0}")
row("dot_two", ["f32[3,4,2]", "f32[2,5,4]"], "f32[3,5] dot(%p0, %p1), lhs_contracting_dims={1,2}, rhs_contracting_dims={2,0}")
row("dot_outer", ["f32[3]", "f32[4]"], "f32[3,4] dot(%p0, %p1), lhs_contracting_dims={}, rhs_contracting_dims={}")
row("dot_vector", ["f32[4]", "f32[4]"], "f32[] dot(%p0, %p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}")
row("reduce_add", ["f32[3,4,5]", "f32[]"], "f32[4] reduce(%p0, %p1), dimensions={0,2}, to_apply=%add_f")
row("reduce_max", ["f32[3,4]", "f32[]"], "f32[3] reduce(%p0, %p1), dimensions={1}, to_apply=%max_f")
row("reduce_mul_all", ["f32[3,4]", "f32[]"], "f32[] reduce(%p0, %p1), dimensions={0,1}, to_apply=%mul_f")
row("reduce_or", ["pred[3,4]", "pred[]"], "pred[3] reduce(%p0, %p1), dimensions={1}, to_apply=%or_p")
row("reduce_empty", ["f32[3,0]", "f32[]"], "f32[3] reduce(%p0, %p1), dimensions={1}, to_apply=%add_f")
row("reduce_argmax", ["f32[4,9]", "s32[4,9]", "f32[]", "s32[]"],
    "(f32[4], s32[4]) reduce(%p0, %p1, %p2, %p3), dimensions={1}, to_apply=%argmax",
    ranges={2: (-2, -1.5), 3: (0, 1)})
row("reduce_window", ["f32[6,7]", "f32[]"],
    "f32[3,5] reduce-window(%p0, %p1), window={size=2x3 stride=2x1 pad=0_0x0_0}, to_apply=%add_f")
row("reduce_window_dilated", ["f32[6,7]", "f32[]"],
    "f32[7,7] reduce-window(%p0, %p1), window={size=2x3 stride=1x2 pad=1_1x2_2 lhs_dilate=1x2 rhs_dilate=1x2}, to_apply=%max_f")
row("cumulative_sum", ["f32[9]", "f32[]"], "f32[9] reduce-window(%p0, %p1), window={size=9 pad=8_0}, to_apply=%add_f",
    ranges={1: (0, 0)})
row("convolution", ["f32[2,5,6,3]", "f32[3,2,3,4]"],
    "f32[2,5,3,4] convolution(%p0, %p1), window={size=3x2 stride=1x2 pad=1_1x0_0}, dim_labels=b01f_01io->b01f")
row("convolution_dilated", ["f32[1,3,7]", "f32[4,3,2]"],
    "f32[1,4,12] convolution(%p0, %p1), window={size=2 pad=1_1 lhs_dilate=2 rhs_dilate=3}, dim_labels=bf0_oi0->bf0")
row("convolution_reversed", ["f32[1,3,7]", "f32[4,3,2]"],
    "f32[1,4,6] convolution(%p0, %p1), window={size=2 rhs_reversal=1}, dim_labels=bf0_oi0->bf0")
row("convolution_groups", ["f32[2,7,4]", "f32[3,2,6]"],
    "f32[2,5,6] convolution(%p0, %p1), window={size=3}, dim_labels=b0f_0io->b0f, feature_group_count=2")
row("convolution_batch_groups", ["f32[4,7,3]", "f32[3,3,6]"],
    "f32[2,5,6] convolution(%p0, %p1), window={size=3}, dim_labels=b0f_0io->b0f, batch_group_count=2")

# --- data-dependent indices
row("dynamic_slice", ["f32[5,6]", "s32[]", "s32[]"], "f32[2,3] dynamic-slice(%p0, %p1, %p2), dynamic_slice_sizes={2,3}",
    ranges={1: (3, 6), 2: (-3, 0)})
row("dynamic_update_slice", ["f32[5,6]", "f32[2,3]", "s32[]", "s32[]"],
    "f32[5,6] dynamic-update-slice(%p0, %p1, %p2, %p3)", ranges={2: (4, 5), 3: (1, 4)})
row("gather_rows", ["f32[5,3]", "s32[4]"],
    "f32[4,3] gather(%p0, %p1), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
    "slice_sizes={1,3}", ranges={1: (-2, 8)})
row("gather_window", ["f32[5,6]", "s32[3,2]"],
    "f32[2,3,3] gather(%p0, %p1), offset_dims={0,1}, collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=1, "
    "slice_sizes={2,3}", ranges={1: (-1, 6)})
row("gather_batching", ["f32[3,5]", "s32[3,4,1]"],
    "f32[3,4] gather(%p0, %p1), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, "
    "start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}")
row("scatter_add", ["f32[5,3]", "s32[4,1]", "f32[4,3]"],
    "f32[5,3] scatter(%p0, %p1, %p2), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
    "index_vector_dim=1, to_apply=%add_f", ranges={1: (-1, 7)})
row("scatter_window", ["f32[6,7]", "s32[3,2]", "f32[3,2,3]"],
    "f32[6,7] scatter(%p0, %p1, %p2), update_window_dims={1,2}, inserted_window_dims={}, "
    "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=%add_f", ranges={1: (-1, 7)})
row("scatter_max", ["f32[5]", "s32[9,1]", "f32[9]"],
    "f32[5] scatter(%p0, %p1, %p2), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
    "index_vector_dim=1, to_apply=%max_f", ranges={1: (0, 6)})
row("scatter_set_unique", ["f32[9]", "s32[2,1]", "f32[2]"],
    "f32[9] scatter(%p0, %i, %p2), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
    "index_vector_dim=1, unique_indices=true, to_apply=%second_f",
    pre=["%c = s32[2,1] constant({ {7}, {2} })", "%z = s32[2,1] multiply(%p1, %k)", "%i = s32[2,1] add(%c, %z)"],
    before=["%k0 = s32[] constant(0)", "%k = s32[2,1] broadcast(%k0), dimensions={}"])
row("scatter_batching", ["f32[3,5]", "s32[3,4,1]", "f32[3,4]"],
    "f32[3,5] scatter(%p0, %p1, %p2), update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
    "input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2, to_apply=%add_f")

# --- opaque
row("sort", ["f32[3,7]"], "f32[3,7] sort(%p0), dimensions={1}, to_apply=%less_f")
row("sort_pair", ["f32[9]", "s32[9]"], "(f32[9], s32[9]) sort(%p0, %p1), dimensions={0}, is_stable=true, to_apply=%greater_pair")
row("topk", ["f32[3,8]"], "(f32[3,2], s32[3,2]) topk(%p0), k=2, largest=true")

# --- structure
row("while", ["f32[3]"], "f32[3] get-tuple-element(%w), index=1",
    pre=["%z = s32[] constant(0)", "%t = (s32[], f32[3]) tuple(%z, %p0)",
         "%w = (s32[], f32[3]) while(%t), condition=%condition, body=%body"])
row("conditional_pred", ["pred[]", "f32[3]"],
    "f32[3] conditional(%p0, %p1, %p1), true_computation=%branch_sin, false_computation=%branch_neg")
row("conditional_index", ["s32[]", "f32[3]"],
    "f32[3] conditional(%p0, %p1, %p1), branch_computations={%branch_sin, %branch_neg}", ranges={0: (-1, 4)})
row("call", ["f32[3]"], "f32[3] call(%p0), to_apply=%branch_sin")
row("fusion", ["f32[3]"], "f32[3] fusion(%p0), kind=kLoop, calls=%branch_sin")
row("after_all", ["f32[3]"], "f32[3] sine(%p0)", pre=["%t = token[] after-all()"])
row("barrier", ["f32[3]"], "f32[3] opt-barrier(%p0)")
row("tuple_result", ["f32[3]", "s32[2]"], "(f32[3], (s32[2], f32[3])) tuple(%p0, %t)",
    pre=["%t = (s32[2], f32[3]) tuple(%p1, %p0)"])

# --- collectives, 4 replicas
GROUPS = "replica_groups={{0,2},{3,1}}"
row("all_reduce", ["f32[3]"], "f32[3] all-reduce(%p0), " + GROUPS + ", to_apply=%add_f", ranks=4)
row("all_reduce_all", ["f32[3]"], "f32[3] all-reduce(%p0), replica_groups={}, to_apply=%max_f", ranks=4)
row("all_reduce_variadic", ["f32[3]", "f32[2]"], "(f32[3], f32[2]) all-reduce(%p0, %p1), " + GROUPS + ", to_apply=%add_f", ranks=4)
row("all_reduce_and", ["pred[3]"], "pred[3] all-reduce(%p0), " + GROUPS + ", to_apply=%and_p", ranks=4)
row("all_reduce_min", ["f32[3]"], "f32[3] all-reduce(%p0), " + GROUPS + ", to_apply=%min_f", ranks=4)
row("all_gather", ["f32[2,3]"], "f32[2,6] all-gather(%p0), " + GROUPS + ", dimensions={1}", ranks=4)
row("all_gather_iota", ["f32[2,3]"], "f32[4,3] all-gather(%p0), replica_groups=[2,2]<=[2,2]T(1,0), dimensions={0}", ranks=4)
row("reduce_scatter", ["f32[4,3]"], "f32[2,3] reduce-scatter(%p0), " + GROUPS + ", dimensions={0}, to_apply=%add_f", ranks=4)
row("all_to_all_array", ["f32[4,3]"], "f32[4,3] all-to-all(%p0), " + GROUPS + ", dimensions={0}", ranks=4)
row("all_to_all_tuple", ["f32[4,3]", "f32[4,3]"], "(f32[4,3], f32[4,3]) all-to-all(%p0, %p1), " + GROUPS, ranks=4)
row("collective_permute", ["f32[3]"], "f32[3] collective-permute(%p0), source_target_pairs={{0,1},{1,2},{3,0}}", ranks=4)
row("all_gather_variadic", ["f32[2,3]", "f32[1,3]"], "(f32[4,3], f32[2,3]) all-gather(%p0, %p1), " + GROUPS + ", dimensions={0}",
    ranks=4)
row("all_to_all_inner", ["f32[3,4]"], "f32[3,4] all-to-all(%p0), " + GROUPS + ", dimensions={1}", ranks=4)
row("reduce_scatter_max", ["f32[3,4]"], "f32[3,1] reduce-scatter(%p0), replica_groups={{2,0,3,1}}, dimensions={1}, to_apply=%max_f",
    ranks=4)
row("collective_permute_pred", ["pred[3]"], "pred[3] collective-permute(%p0), source_target_pairs={{0,3},{3,2}}", ranks=4)
row("partition_id", ["u32[]"], "u32[] add(%p0, %r)", pre=["%r = u32[] partition-id()"], partitions=4)
row("neuron_rms_norm", ["f32[4,3]", "f32[4]", "f32[]"],
    'f16[4,3] custom-call(%p0, %p1, %p2), custom_call_target="AwsNeuronRmsNorm", backend_config="0"', ranges={2: (0.001, 0.1)})
row("neuron_transfer", ["f32[4]"], 'f32[4] custom-call(%p0), custom_call_target="AwsNeuronTransferWithStaticRing"')
row("replica_id", ["u32[]"], "u32[] add(%p0, %r)", pre=["%r = u32[] replica-id()"], ranks=4)


for name, dims, source, window in [("", "4,6", "2,3", "size=2x2 stride=2x2"), ("_overlap", "5,7", "2,3", "size=3x3 stride=2x2"),
                                   ("_pad", "4,6", "3,4", "size=2x2 stride=2x2 pad=1_1x1_1")]:
    row(f"select-and-scatter{name}", [f"f32[{dims}]", f"f32[{source}]", "f32[]"],
        f"f32[{dims}] select-and-scatter(%p0, %p1, %p2), window={{{window}}}, select=%ge_f, scatter=%add_f")

# Complex numbers: read as pairs. compare.py gives XLA the text as it stands here (c128), not what became of it.
Z = ["%a = c128[3,4] complex(%p0, %p1)", "%b = c128[3,4] complex(%p1, %p2)"]
REALS = ["f64[3,4]"] * 3


def complex_row(name, shape, pre, params=REALS, parts=("real", "imag")):
    """`pre` ends in %z, a complex value; the outputs are its two parts."""
    real = [f"%{part}.z = f64[{shape}] {part}(%z)" for part in parts]
    row("complex_" + name, params, f"(f64[{shape}], f64[{shape}]) tuple(%real.z, %imag.z)", pre=pre + real)


for name in ("add", "subtract", "multiply", "divide"):
    complex_row(name, "3,4", Z + [f"%z = c128[3,4] {name}(%a, %b)"])
for name in ("negate", "exponential", "log"):
    complex_row(name, "3,4", Z + [f"%z = c128[3,4] {name}(%a)"])
complex_row("convert_real", "3,4", ["%z = c128[3,4] convert(%p0)"])
complex_row("transpose", "4,3", Z + ["%z = c128[4,3] transpose(%a), dimensions={1,0}"])
complex_row("slice", "2,2", Z + ["%z = c128[2,2] slice(%a), slice={[1:3], [0:4:2]}"])
complex_row("concatenate", "3,8", Z + ["%z = c128[3,8] concatenate(%a, %b), dimensions={1}"])
complex_row("reverse", "3,4", Z + ["%z = c128[3,4] reverse(%a), dimensions={0,1}"])
complex_row("pad", "5,4", Z + ["%v = c128[] constant((1.5, -2))", "%z = c128[5,4] pad(%a, %v), padding=1_1x0_0"])
complex_row("select", "3,4", Z + ["%p = pred[3,4] compare(%p0, %p2), direction=LT", "%z = c128[3,4] select(%p, %a, %b)"])
complex_row("constant", "2,2", ["%z = c128[2,2] constant({{(1, 2), (-0.5, 3)}, {(0, -1e-3), (4, 5)}})"])
complex_row("dot", "3,3", Z + ["%z = c128[3,3] dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={1}"])
complex_row("reduce", "3", Z + ["%v = c128[] constant((0.5, 0.25))", "%z = c128[3] reduce(%a, %v), dimensions={1}, to_apply=%add_c"])
row("complex_abs", REALS, "f64[3,4] abs(%a)", pre=Z)
row("complex_compare", REALS, "pred[3,4] compare(%a, %c), direction=NE", pre=Z + ["%c = c128[3,4] complex(%p0, %p2)"])
for kind in ("FFT", "IFFT"):
    for n in (1, 2, 3, 4, 5, 8):
        complex_row(f"{kind.lower()}_{n}", f"3,{n}", [f"%a = c128[3,{n}] complex(%p0, %p1)", f"%z = c128[3,{n}] fft(%a), fft_type={kind}, fft_length={{{n}}}"],
                    params=[f"f64[3,{n}]"] * 2)
    complex_row(f"{kind.lower()}_two", "2,3,4", ["%a = c128[2,3,4] complex(%p0, %p1)", f"%z = c128[2,3,4] fft(%a), fft_type={kind}, fft_length={{3,4}}"],
                params=["f64[2,3,4]"] * 2)
for n in (1, 3, 4, 7, 8):  # 2: the imaginary part is zero, f64 leaves rounding there
    m = n // 2 + 1
    complex_row(f"rfft_{n}", f"2,{m}", [f"%z = c128[2,{m}] fft(%p0), fft_type=RFFT, fft_length={{{n}}}"], params=[f"f64[2,{n}]"])
    row(f"complex_irfft_{n}", [f"f64[2,{m}]"] * 2, f"f64[2,{n}] fft(%a), fft_type=IRFFT, fft_length={{{n}}}",
        pre=[f"%a = c128[2,{m}] complex(%p0, %p1)"])
complex_row("rfft_two", "2,3,3", ["%z = c128[2,3,3] fft(%p0), fft_type=RFFT, fft_length={3,4}"], params=["f64[2,3,4]"])
row("complex_irfft_two", ["f64[2,3,3]"] * 2, "f64[2,3,4] fft(%a), fft_type=IRFFT, fft_length={3,4}", pre=["%a = c128[2,3,3] complex(%p0, %p1)"])

def module_text(name, params, root, options):
    lines = [f"// ranks: {options.get('ranks', options.get('partitions', 1))}"]
    lines += [f"// range {k}: {lo} {hi}" for k, (lo, hi) in sorted(options.get("ranges", {}).items())]
    result = root.split(" ", 1)[0] if not root.startswith("(") else root[:matching(root) + 1]
    head = f", replica_count={options['ranks']}" if "ranks" in options else ""
    head += f", num_partitions={options['partitions']}" if "partitions" in options else ""
    lines += [f"HloModule {name.replace('-', '_').replace('.', '_')}{head}", REGIONS]
    signature = ", ".join(f"p{k}: {t}" for k, t in enumerate(params))
    lines.append(f"ENTRY %main ({signature}) -> {result} {{")
    lines += [f"  %p{k} = {t} parameter({k})" for k, t in enumerate(params)]
    lines += ["  " + line for line in options.get("before", []) + options.get("pre", [])]
    lines += [f"  ROOT %root = {root}", "}", ""]
    return "\n".join(lines)


def matching(text):
    depth = 0
    for k, ch in enumerate(text):
        depth += (ch == "(") - (ch == ")")
        if depth == 0:
            return k
    raise ValueError(text)


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, params, root, options in ROWS:
        with open(os.path.join(sys.argv[1], name + ".hlo"), "w") as f:
            f.write(module_text(name, params, root, options))
    print(f"{len(ROWS)} modules")
