#!/usr/bin/env python3
"""What graphs compute, as a table of small pairs: complex numbers, running statistics, values at which operators of torch are peculiar, operators that are
not known. A row: name, sequential graph, the rank's graph (or one a rank), changes of the relation, options, exit code, what is said.

usage: fx_values.py PROGRAM [NAME...]         closing line: N passed, M failed
       fx_values.py PROGRAM --write FOLDER   the pairs as case folders
"""
import os
import re
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import answer, counted
from fx import HEAD, write


def graph(inputs, *lines):
    """`name: type = namespace.operator(arguments)` a line; the last one names what is returned."""
    text = HEAD.format(", ".join(f'{name}: "{kind}"' for name, kind in (i.split(": ") for i in inputs.split("; "))))
    for line in lines[:-1]:
        left, call = line.split(" = ", 1)
        name, _, kind = left.partition(": ")
        text += f'        {name}{f": {chr(34)}{kind}{chr(34)}" if kind else ""} = {call if "(" not in call else "torch.ops." + call}\n'
    return text + f"        return [{lines[-1]}]\n"


RELATION = {"mesh": [["tp", 2]], "groups": {"0": [0, 1]}, "default": "replicated", "outputs": ["replicated"]}
ROWS = {"inputs": {"x": [["tp"], [], []]}, "outputs": [[["tp"], [], []]]}


def rotary(rows, sign=""):
    """Llama's rotary embedding: pairs of x as complex numbers, turned."""
    turn = ["u: c64[1, 2] = aten.unsqueeze.default(f, 0)", f"t: c64[{rows}, 3, 2] = aten.mul.Tensor(z, u)"]
    return graph(f"x: f32[{rows}, 3, 4]; f: c64[2]", f"v: f32[{rows}, 3, 2, 2] = aten.view.default(x, [{rows}, 3, 2, 2])", f"z: c64[{rows}, 3, 2] = aten.view_as_complex.default(v)",
                 *([f"f_1: c64[2] = aten.{sign}.default(f)"] + [t.replace("default(f,", "default(f_1,") for t in turn] if sign else turn),
                 f"r: f32[{rows}, 3, 2, 2] = aten.view_as_real.default(t)", f"o: f32[{rows}, 3, 4] = aten.view.default(r, [{rows}, 3, 4])", "o")


def by_hand(rows):
    """The same by real numbers: (a c - b d, a d + b c)."""
    half = lambda name, k: [f"{name}: f32[{rows}, 3, 2] = aten.select.int(v, 3, {k})"]
    return graph(f"x: f32[{rows}, 3, 4]; f: f32[2, 2]", f"v: f32[{rows}, 3, 2, 2] = aten.view.default(x, [{rows}, 3, 2, 2])", *half("a", 0), *half("b", 1),
                 "c: f32[2] = aten.select.int(f, 1, 0)", "d: f32[2] = aten.select.int(f, 1, 1)",
                 *(f"{p}{q}: f32[{rows}, 3, 2] = aten.mul.Tensor({p}, {q})" for p in "ab" for q in "cd"), f"re: f32[{rows}, 3, 2] = aten.sub.Tensor(ac, bd)",
                 f"im: f32[{rows}, 3, 2] = aten.add.Tensor(ad, bc)", f"r: f32[{rows}, 3, 2, 2] = aten.stack.default([re, im], -1)", f"o: f32[{rows}, 3, 4] = aten.view.default(r, [{rows}, 3, 4])", "o")


POLAR = graph("x: f32[4, 2]; y: f32[4, 2]", "z: c64[4, 2] = aten.polar.default(x, y)", "n: c64[4, 2] = aten.add.Tensor(z, 1)", "z_1: c64[4, 2] = aten.mul.Tensor(n, n)", "z_1")
SUM = "s: c64[2] = aten.sum.dim_IntList(x, [0])"
DIVIDED = graph("x: c64[3]; y: c64[3]", "u: f32[3, 2] = aten.view_as_real.default(x)", "v: f32[3, 2] = aten.view_as_real.default(y)",
                *(f"{name}: f32[3] = aten.select.int({of}, 1, {k})" for name, of, k in (("a", "u", 0), ("b", "u", 1), ("c", "v", 0), ("d", "v", 1))),
                *(f"{p}{q}: f32[3] = aten.mul.Tensor({p}, {q})" for p, q in ("ac", "bd", "bc", "ad", "cc", "dd")), "n: f32[3] = aten.add.Tensor(cc, dd)",
                "s: f32[3] = aten.add.Tensor(ac, bd)", "t: f32[3] = aten.sub.Tensor(bc, ad)", "re: f32[3] = aten.div.Tensor(s, n)", "im: f32[3] = aten.div.Tensor(t, n)",
                "r: f32[3, 2] = aten.stack.default([re, im], -1)", "r")
NORM = "x: f32[6, 3]; w: f32[3]; m: f32[3]; v: f32[3]"
STATISTICS = ["mc: f32[3] = aten.clone.default(m)", "vc: f32[3] = aten.clone.default(v)"]


def normalised(call, *results):
    return graph(NORM, *STATISTICS, f"n = {call}", "y: f32[6, 3] = n[0]", ", ".join(results))


FUNCTIONAL = graph(NORM, "n = aten._native_batch_norm_legit_functional.default(x, w, None, m, v, True, 0.1, 1e-05)", "y: f32[6, 3] = n[0]", "mc: f32[3] = n[3]", "vc: f32[3] = n[4]", "y, mc, vc")
IN_PLACE = normalised("aten.native_batch_norm.default(x, w, None, mc, vc, True, 0.1, 1e-05)", "y", "mc", "vc")
WHOLE_NORM = graph(NORM, *STATISTICS, "y: f32[6, 3] = aten.batch_norm.default(x, w, None, mc, vc, True, 0.1, 1e-05, False)", "y, mc, vc")
THREE = {"outputs": ["replicated"] * 3}


def opaque(call, *before):
    return graph("x: f32[4]; y: f32[4]", *before, f"z: f32[4] = {call}", "z")


def masked(number, product=False):
    """A softmax under a mask; its product with a matrix."""
    lines = [f"l: f32[2, 4] = aten.masked_fill.Scalar(x, c, {number})", "p: f32[2, 4] = aten._softmax.default(l, 1, False)"]
    return graph("x: f32[2, 4]; c: b8[2, 4]; v: f32[4, 3]", *lines, *(["o: f32[2, 3] = aten.mm.default(p, v)", "o"] if product else ["p"]))


def scaled(name, alpha, batch=""):
    kind = f"f32[{batch}2, 2]"
    view = lambda to, x: f"{to}: {kind} = aten.view.default({x}, [{batch}2, 2])"
    return graph("y: f32[2, 2]; a: f32[2, 2]; b: f32[2, 2]", "l: f32[2, 2] = aten.log.default(a)", view("m", "l"), view("n", "b"), view("w", "y"), f"p: {kind} = aten.{name}.default(w, m, n, alpha = {alpha})",
                 "z: f32[2, 2] = aten.view.default(p, [2, 2])", "z")


JUST_Y = graph("y: f32[2, 2]; a: f32[2, 2]; b: f32[2, 2]", "z: f32[2, 2] = aten.clone.default(y)", "z")


def low_bits(call):
    return graph("x: f32[8]", f"c: f32[8] = {call}", "z: u8[8] = aten._to_copy.default(c, dtype = torch.uint8)", "z")


def byte(call, kind="u8", more="", first=None):
    lines = ([first] if first else []) + [f"r: {kind}[6] = aten.{call}"]
    return graph(f"x: {kind}[6]" + ("; " + more if more else ""), *lines, "r")
def shard_of_table(index):
    """One graph a rank: rows of its half of a table, what it has none of is 0."""
    lines = lambda r: ["a: b8[3] = aten.lt.Scalar(i, %d)" % (4 * r), "b: b8[3] = aten.ge.Scalar(i, %d)" % (4 * r + 4), "m: b8[3] = aten.bitwise_or.Tensor(a, b)", "j: i64[3] = aten.sub.Tensor(i, %d)" % (4 * r),
                       f"k: i64[3] = aten.{index}", "e: f32[3, 2] = aten.embedding.default(w, k)", "u: b8[3, 1] = aten.unsqueeze.default(m, 1)", "z: f32[3, 2] = aten.masked_fill.Scalar(e, u, 0.0)",
                       "c: f32[3, 2] = _c10d_functional.all_reduce.default(z, 'sum', '0')", "r: f32[3, 2] = _c10d_functional.wait_tensor.default(c)", "r"]
    return [graph("w: f32[4, 2]; i: i64[3]", *lines(r)) for r in (0, 1)]


TABLE = graph("w: f32[8, 2]; i: i64[3]", "r: f32[3, 2] = aten.embedding.default(w, i)", "r")
SPLIT_TABLE = {"inputs": {"w": [["tp"], []]}, "ranges": {"i": [0, 8]}}


def best(call, of="x", more=()):
    """Places of the best of a row."""
    return graph("x: f32[6]", "f: f32[6] = aten.flip.default(x, [0])", f"m = aten.{call.format(of)}", "v: f32[{}] = m[0]".format(2 if "topk" in call else 6), "i: i64[{}] = m[1]".format(2 if "topk" in call else 6), *more)


def made(call):
    """A tensor that is made and then written over."""
    return graph("x: f32[6]", f"e: f32[6] = aten.{call}", "r: f32[6] = aten.copy.default(e, x)", "r")


def moved(to, length):
    """The first elements of a tensor written into those from `to` on."""
    return graph("x: f32[6]", "c: f32[6] = aten.clone.default(x)", f"a: f32[{length}] = aten.slice.Tensor(c, 0, {to}, {to + length})", f"b: f32[{length}] = aten.slice.Tensor(c, 0, 0, {length})",
                 f"w: f32[{length}] = aten.copy_.default(a, b)", "c")


COPIED = graph("x: f32[6]", "r: f32[6] = aten.clone.default(x)", "r")
BACK = ["j: i64[{}] = aten.rsub.Scalar(i, 5)"]
TIED = {"ranges": {"x": [0, 0]}}


def labelled():
    return graph("x: f32[3, 5]; labels: i64[3]", "n = aten.nll_loss_forward.default(x, labels, None, 2, -100)", "l: f32[] = n[0]", "l")


def gathered_label():
    """The same without what is ignored."""
    return graph("x: f32[3, 5]; labels: i64[3]", "u: i64[3, 1] = aten.unsqueeze.default(labels, 1)", "c: i64[3, 1] = aten.clamp.default(u, 0, 4)", "g: f32[3, 1] = aten.gather.default(x, 1, c)",
                 "s: f32[] = aten.sum.default(g)", "l: f32[] = aten.neg.default(s)", "l")


def of_wide(call, inputs="k: i64[4, 4]", kind="i64[4]", *before):
    """What numbers of 64 bits are made to, whatever they are."""
    return graph(inputs, *before, f"r: {kind} = aten.{call}", "r")


def bits_reduced(reduction, second="clone.default(k)"):
    """Integers that every rank has, combined over ranks; the second rank's may be others."""
    return [graph("k: i64[4]", f"h: i64[4] = aten.{own}", f"a: i64[4] = _c10d_functional.all_reduce.default(h, '{reduction}', '0')", "r: i64[4] = _c10d_functional.wait_tensor.default(a)", "r")
            for own in ("clone.default(k)", second)]


KEPT = graph("k: i64[4]", "r: i64[4] = aten.clone.default(k)", "r")
TWO = "k: i64[4] = aten.full.default([4], 2, dtype = torch.int64)"
WIDE = [(f"of 64 bits: {name}", of_wide(*one), of_wide(*other), {}, [], code, "proved" if code == 0 else "refuted") for name, one, other, code in (
    ("a float as an integer", ("_to_copy.default(x, dtype = torch.int64)", "x: f32[4]"), ("_to_copy.default(x, dtype = torch.int64)", "x: f32[4]"), 0),
    ("a float as an integer, and one more", ("_to_copy.default(x, dtype = torch.int64)", "x: f32[4]"), ("_to_copy.default(y, dtype = torch.int64)", "x: f32[4]", "i64[4]", "y: f32[4] = aten.add.Tensor(x, 1)"), 1),
    ("the first largest", ("argmax.default(k, 0)",), ("argmax.default(k, 0)",), 0),
    ("the first smallest", ("argmin.default(k, 0)",), ("argmin.default(k, 0)",), 0),
    ("the largest and the smallest", ("argmax.default(k, 0)",), ("argmin.default(k, 0)",), 1),
    ("a remainder of numbers that are known", ("remainder.Scalar(h, 3)", "x: f32[4]", "i64[4]", "f: f32[4] = aten.full.default([4], 2)", "h: i64[4] = aten._to_copy.default(f, dtype = torch.int64)"),
     ("remainder.Scalar(h, 3)", "x: f32[4]", "i64[4]", "f: f32[4] = aten.full.default([4], 2)", "h: i64[4] = aten._to_copy.default(f, dtype = torch.int64)"), 0),
    ("a quotient by a negative number", ("div.Tensor_mode(h, -3, rounding_mode = 'trunc')", "x: f32[4]", "i64[4]", TWO.replace("k:", "h:")), ("full.default([4], 0, dtype = torch.int64)", "x: f32[4]"), 0),
    ("a quotient by a negative number, rounded down", ("div.Tensor_mode(h, -3, rounding_mode = 'floor')", "x: f32[4]", "i64[4]", TWO.replace("k:", "h:")), ("full.default([4], 0, dtype = torch.int64)", "x: f32[4]"), 1),
    ("a product of equal numbers", ("prod.default(h)", "x: f32[4]", "i64[]", TWO.replace("k:", "h:")), ("full.default([], 16, dtype = torch.int64)", "x: f32[4]", "i64[]"), 0),
    ("a product of equal numbers, and their sum", ("prod.default(h)", "x: f32[4]", "i64[]", TWO.replace("k:", "h:")), ("sum.default(h)", "x: f32[4]", "i64[]", TWO.replace("k:", "h:")), 1))]

CASES = [
    *WIDE,
    ("bits of all ranks", KEPT, bits_reduced("band"), {}, [], 0, "proved"),
    ("bits of any rank", KEPT, bits_reduced("bor"), {}, [], 0, "proved"),
    ("bits of all ranks, of which one has others", KEPT, bits_reduced("band", "add.Tensor(k, 1)"), {}, [], 1, "refuted"),
    ("a float that is one number", graph("x: f32[4]", "r: f32[4] = aten.clone.default(x)", "r"), graph("x: f32[4]", "r: f32[4] = aten.neg.default(x)", "r"), {"ranges": {"x": [0, 0]}}, [], 0, "proved"),
    ("a float of two numbers", graph("x: f32[4]", "r: f32[4] = aten.clone.default(x)", "r"), graph("x: f32[4]", "r: f32[4] = aten.neg.default(x)", "r"), {"ranges": {"x": [0, 1]}}, [], 1, "refuted"),
    ("complex numbers: rotary positions", rotary(4), rotary(2), ROWS, [], 0, "proved"),
    ("complex numbers: turned back", rotary(4), rotary(2, "_conj"), ROWS, [], 1, "%f_1"),
    ("complex numbers: turned back on both sides", rotary(4, "_conj"), rotary(2, "conj_physical"), ROWS, [], 0, "proved"),
    ("complex numbers: the input split", rotary(4), rotary(2).replace("c64[2]", "c64[1]"), ROWS, [], 3, "GG-"),
    ("complex numbers: an output", POLAR, POLAR, {}, [], 0, "proved"),
    ("complex numbers: an output that is split", POLAR, POLAR.replace("[4, 2]", "[2, 2]"), {"inputs": {"x": [["tp"], []], "y": [["tp"], []]}, "outputs": [[["tp"], []]]}, [], 0, "proved"),
    ("complex numbers: a sum over ranks", graph("x: c64[4, 2]", SUM, "s"),
     graph("x: c64[2, 2]", SUM, "r: f32[2, 2] = aten.view_as_real.default(s)", "a: f32[2, 2] = _c10d_functional.all_reduce.default(r, 'sum', '0')", "c: c64[2] = aten.view_as_complex.default(a)", "c"),
     {"inputs": {"x": [["tp"], []]}}, [], 0, "proved"),
    ("complex numbers: a sum over ranks that is left out", graph("x: c64[4, 2]", SUM, "s"), graph("x: c64[2, 2]", SUM, "s"), {"inputs": {"x": [["tp"], []]}}, [], 1, "GG-D001"),
    ("complex numbers: by hand", rotary(4).replace('f: "c64[2]"', 'g: "f32[2, 2]"').replace("        u:", '        f: "c64[2]" = torch.ops.aten.view_as_complex.default(g)\n        u:'),
     by_hand(2).replace('f: "f32[2, 2]"', 'g: "f32[2, 2]"').replace("(f,", "(g,"), ROWS, [], 0, "proved"),
    ("complex numbers: a quotient", POLAR.replace("mul.Tensor(n, n)", "div.Tensor(z, n)"), POLAR.replace("mul.Tensor(n, n)", "div.Tensor(z, n)").replace("[4, 2]", "[2, 2]"), {"inputs": {"x": [["tp"], []], "y": [["tp"], []]}, "outputs": [[["tp"], []]]}, [], 0, "proved"),
    ("complex numbers: a quotient the wrong way", POLAR.replace("mul.Tensor(n, n)", "div.Tensor(z, n)"), POLAR.replace("mul.Tensor(n, n)", "div.Tensor(n, z)"), {}, [], 1, "refuted"),
    ("complex numbers: a quotient by hand", graph("x: c64[3]; y: c64[3]", "q: c64[3] = aten.div.Tensor(x, y)", "r: f32[3, 2] = aten.view_as_real.default(q)", "r"), DIVIDED, {}, [], 0, "proved"),
    ("complex numbers: a quotient by hand, of the conjugate", graph("x: c64[3]; y: c64[3]", "q: c64[3] = aten.div.Tensor(x, y)", "r: f32[3, 2] = aten.view_as_real.default(q)", "r"), DIVIDED.replace("aten.sub.", "aten.add."), {}, [], 1, "refuted"),
    ("complex numbers: the absolute value of a power", graph("x: f32[3]; y: f32[3]", "z: c64[3] = aten.complex.default(x, y)", "e: c64[3] = aten.exp.default(z)", "a: f32[3] = aten.abs.default(e)", "s: f32[3] = aten.mul.Tensor(a, a)", "s"),
     graph("x: f32[3]; y: f32[3]", "e: f32[3] = aten.exp.default(x)", "c: f32[3] = aten.cos.default(y)", "d: f32[3] = aten.sin.default(y)", "p: f32[3] = aten.mul.Tensor(e, c)", "q: f32[3] = aten.mul.Tensor(e, d)",
           "pp: f32[3] = aten.mul.Tensor(p, p)", "qq: f32[3] = aten.mul.Tensor(q, q)", "n: f32[3] = aten.add.Tensor(pp, qq)", "r: f32[3] = aten.sqrt.default(n)", "s: f32[3] = aten.mul.Tensor(r, r)", "s"), {}, [], 0, "proved"),
    ("complex numbers: a logarithm", POLAR.replace("mul.Tensor(n, n)", "log.default(n)"), POLAR.replace("mul.Tensor(n, n)", "log.default(n)").replace("[4, 2]", "[2, 2]"), {"inputs": {"x": [["tp"], []], "y": [["tp"], []]}, "outputs": [[["tp"], []]]}, [], 0, "proved"),
    ("complex numbers: an operator without a form", POLAR, POLAR.replace("aten.mul.Tensor(n, n)", "aten.tan.default(n)"), {}, [], 3, "of complex numbers is not read"),
    ("complex numbers: a write through view_as_real", POLAR, POLAR.replace("        n:", '        r: "f32[4, 2, 2]" = torch.ops.aten.view_as_real.default(z)\n        m: "f32[4, 2, 2]" = torch.ops.aten.mul_.Tensor(r, 2)\n        n:'), {}, [], 3, "GG-N"),
    ("running statistics in place", FUNCTIONAL, IN_PLACE, THREE, [], 0, "proved"),
    ("running statistics in place, of one result", FUNCTIONAL, WHOLE_NORM, THREE, [], 0, "proved"),
    ("running statistics that stay", FUNCTIONAL, IN_PLACE.replace("True, 0.1", "False, 0.1").replace("mc, vc]", "m, v]"), THREE, [], 1, "refuted"),
    ("another momentum", FUNCTIONAL, IN_PLACE.replace("True, 0.1", "True, 0.2"), THREE, [], 1, "output 1"),
    ("running statistics from before the write", FUNCTIONAL, IN_PLACE.replace("y, mc, vc]", "y, m, v]"), THREE, [], 1, "output 1"),
    ("a mask of -1e9 beside one of -inf", masked("-inf"), masked("-1e9"), {}, [], 2, "reason=underflow"),
    ("a mask of -1e9 beside one of -inf, before a product", masked("-inf", True), masked("-1e9", True), {}, [], 0, "mask-is-minus-infinity"),
    ("a mask of -1 beside one of -inf", masked("-inf"), masked("-1.0"), {}, [], 1, "refuted"),
    ("addmm with alpha = 0 does not read its factors", JUST_Y, scaled("addmm", 0), {}, [], 0, "proved"),
    ("addmm with alpha = 1 does", JUST_Y, scaled("addmm", 1), {}, [], 1, "refuted"),
    ("baddbmm with alpha = 0 reads them or not", JUST_Y, scaled("baddbmm", 0, "1, "), {}, [], 3, "hangs on sizes and devices"),
    ("bytes of floats are their low bits", low_bits("aten.clamp.default(x, 0, 255)"), low_bits("aten.clone.default(x)"), {}, ["--range", "x=0:600"], 1, "refuted"),
    ("bytes of floats within their range", low_bits("aten.clamp.default(x, 0, 255)"), low_bits("aten.clamp.default(x, 0.0, 255)"), {}, ["--range", "x=0:600"], 0, "proved"),
    ("an upper bound beyond a signed type", byte("clamp_max.default(x, 300)", "i8"), byte("hardtanh.default(x, -128, 127)", "i8"), {}, [], 0, "proved"),
    ("a bound below all numbers of the type", byte("clamp.default(x, 5, -1)"), byte("clone.default(x)"), {}, [], 3, "outside of its type"),
    ("bounds that are tensors wrap", byte("clamp_max.Tensor(x, y)", more="y: i64[]"), byte("clamp_max.Tensor(x, z)", more="y: i64[]", first="z: u8[] = aten._to_copy.default(y, dtype = torch.uint8)"), {}, [], 0, "proved"),
    ("what is compared wraps", byte("add.Tensor(x, 300)"), byte("add.Tensor(x, 44)"), {}, [], 0, "proved"),
    ("what is stored does not", byte("full.default([6], 300, dtype = torch.uint8)"), byte("full.default([6], 44, dtype = torch.uint8)"), {}, [], 3, "is no number of the type u8"),
    ("what is stored is negative", byte("fill.Scalar(x, -1)"), byte("fill.Scalar(x, 255)"), {}, [], 0, "proved"),
    ("a tensor given as out", graph("x: f32[4]; y: f32[4]", "z: f32[4] = aten.add.Tensor(x, x)", "z"), graph("x: f32[4]; y: f32[4]", "z: f32[4] = aten.add.Tensor(x, x, out = y)", "z"), {}, [], 3, "writes into a given tensor"),
    ("a tensor given as out that nobody reads", graph("x: f32[4]; y: f32[4]", "z: f32[4] = aten.add.Tensor(x, x)", "y"), graph("x: f32[4]; y: f32[4]", "z: f32[4] = aten.add.Tensor(x, x, out = y)", "y"), {}, [], 3, "writes into a given tensor"),
    ("top-k: places that differ where elements are equal", best("topk.default({}, 2)", more=["i"]), best("topk.default({}, 2)", "f", [BACK[0].format(2), "j"]), {}, [], 2, "unknown"),
    ("top-k: other places", best("topk.default({}, 2)", more=["i"]), best("topk.default({}, 2)", "f", ["i"]), {}, [], 1, "refuted"),
    ("top-k: values where all elements are equal", best("topk.default({}, 2)", more=["v"]), best("topk.default({}, 2)", "f", ["w: f32[2] = aten.add.Tensor(v, 1)", "w"]), TIED, [], 1, "refuted"),
    ("top-k: places where all elements are equal", best("topk.default({}, 2)", more=["i"]), best("topk.default({}, 2)", "f", ["i"]), TIED, [], 0, "proved"),
    ("a sort: places that differ where elements are equal", best("sort.default({})", more=["i"]), best("sort.default({})", "f", [BACK[0].format(6), "j"]), {}, [], 2, "unknown"),
    ("a sort: other places", best("sort.default({})", more=["i"]), best("sort.default({})", "f", ["i"]), {}, [], 1, "refuted"),
    ("a creation of another element type than is printed", COPIED, made("empty.memory_format([6], dtype = torch.int64)"), {}, [], 3, "another element type"),
    ("a creation of another shape than is printed", COPIED, made("zeros.default([8], dtype = torch.float32)"), {}, [], 3, "another shape"),
    ("a strided creation of another shape", COPIED, made("empty_strided.default([8], [1])"), {}, [], 3, "another shape"),
    ("a creation as it is printed", COPIED, made("empty_strided.default([6], [1], dtype = torch.float32)"), {}, [], 0, "proved"),
    ("written into what it overlaps", moved(1, 5), moved(1, 5), {}, [], 3, "torch raises"),
    ("written into what it is apart from", moved(3, 3), moved(3, 3), {}, [], 0, "proved"),
    ("written into itself", moved(0, 4), COPIED, {}, [], 0, "proved"),
    ("a label out of range", labelled(), gathered_label(), {}, [], 1, "labels holds -100"),
    ("a label in its range", labelled(), gathered_label(), {"ranges": {"labels": [0, 5]}}, [], 0, "proved"),
    ("rows of a shard, masked", TABLE, shard_of_table("masked_fill.Scalar(j, m, 0)"), SPLIT_TABLE, [], 0, "proved"),
    ("rows of a shard, clamped", TABLE, shard_of_table("clamp.default(j, 0, 3)"), SPLIT_TABLE, [], 0, "proved"),
    ("rows of a shard, where torch raises", TABLE, shard_of_table("clone.default(j)"), SPLIT_TABLE, [], 1, "refuted"),
    ("rows of a shard, where torch raises above", TABLE, shard_of_table("clamp_min.default(j, 0)"), SPLIT_TABLE, [], 1, "refuted"),
    ("opaque: the same call", opaque("mylib.f.default(x, 2)"), opaque("mylib.f.default(x, 2)"), {}, ["--opaque", "mylib.f.default"], 0, "opaque-pure(mylib.f.default)"),
    ("opaque: another number", opaque("mylib.f.default(x, 2)"), opaque("mylib.f.default(x, 3)"), {}, ["--opaque", "mylib.f.default"], 2, "unknown"),
    ("opaque: its rows", opaque("mylib.f.default(x, 2)"), opaque("mylib.f.default(x, 2)").replace("[4]", "[2]"), {"inputs": {"x": [["tp"]], "y": [["tp"]]}, "outputs": [[["tp"]]]}, ["--opaque", "mylib.f.default"], 2, "unknown"),
    ("opaque: tensors in a list", opaque("mylib.f.default([a])", "a: f32[4] = aten.mul.Tensor(x, y)"), opaque("mylib.f.default([a])", "a: f32[4] = aten.add.Tensor(x, y)"), {}, ["--opaque", "mylib.f.default:batch=0"], 2, "unknown"),
    ("opaque: the same tensors in a list", opaque("mylib.f.default([x, y])"), opaque("mylib.f.default([x, y])"), {}, ["--opaque", "mylib.f.default:batch=0"], 0, "opaque-pure(mylib.f.default)"),
]


def few_bits(kind, call):
    """y of x in this type, in rows of two ranks."""
    def side(rows):
        first, kinds = ("a", [f"a: {kind}[{rows}, 4] = aten._to_copy.default(x, dtype = torch.{TORCH[kind]})"]) if kind != "f32" else ("x", [])
        made = [f"y: {kind}[{rows}, 4] = {call.format(first)}"] if "layer_norm" not in call else [f"n = {call.format(first)}", f"y: {kind}[{rows}, 4] = n[0]"]
        last = [f"o: f32[{rows}, 4] = aten._to_copy.default(y, dtype = torch.float32)", "o"] if kind != "f32" else ["y"]
        return graph(f"x: f32[{rows}, 4]", *kinds, *made, *last)
    return side(4) if kind == "f32" else side(2)


TORCH = {"bf16": "bfloat16", "f16": "float16"}
NORM, TIMES = "aten.native_layer_norm.default({{}}, [4], None, None, {})", "aten.{}.Tensor({{}}, {})"
EQUAL, UNEQUAL, OTHER = (0, "precision="), (1, "refuted"), (2, "literals")
IN_ROWS = {"inputs": {"x": [["tp"], []]}, "outputs": [[["tp"], []]]}
CASES += [(f"{kind}: {call.format('x')} of {other.format('x')}", few_bits("f32", other), few_bits(kind, call), IN_ROWS, [], *said) for kind, call, other, said in (
    ("bf16", NORM.format("1e-05"), NORM.format("1e-05"), EQUAL), ("f16", NORM.format("1e-08"), NORM.format("1e-08"), EQUAL),
    ("bf16", NORM.format("1e-05"), NORM.format("1.0013e-05"), UNEQUAL), ("f16", NORM.format("1e-08"), NORM.format("1e-07"), UNEQUAL),
    ("bf16", "aten.gelu.default({})", "aten.gelu.default({})", EQUAL), ("f16", "aten.gelu.default({}, approximate = 'tanh')", "aten.gelu.default({}, approximate = 'tanh')", EQUAL),
    ("bf16", TIMES.format("mul", "0.1"), TIMES.format("mul", "0.1"), EQUAL), ("f16", TIMES.format("div", "0.3"), TIMES.format("div", "0.3"), EQUAL),
    ("bf16", TIMES.format("mul", "0.1"), TIMES.format("mul", "0.10009765625"), UNEQUAL), ("f16", TIMES.format("add", "0.1"), TIMES.format("add", "0.1"), OTHER))]


def problem(program, sequential, ranks, changes, options, code, said):
    texts = ranks if isinstance(ranks, list) else [ranks] * 2
    with tempfile.TemporaryDirectory() as folder:
        write(folder, sequential, texts, {**RELATION, **changes})
        return answer([program, "check", folder, "--witness", f"{folder}/w", *options], code, said, timeout=120)


def run_rows(cases):
    """Runs rows as the command line says, or writes them."""
    program, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    if only[:1] == ["--write"]:
        for name, sequential, ranks, changes, _, _, _ in cases:
            case = f"{only[1]}/{re.sub('[^a-z0-9]+', '-', name)}"
            os.makedirs(case, exist_ok=True)
            write(case, sequential, ranks if isinstance(ranks, list) else [ranks] * 2, {**RELATION, **changes})
        return 0
    return counted((name, problem(program, *row)) for name, *row in cases if not only or name in only)


if __name__ == "__main__":
    sys.exit(run_rows(CASES))
