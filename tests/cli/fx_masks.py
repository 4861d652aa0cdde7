#!/usr/bin/env python3
"""Masks as indices, as a table of small pairs like that of fx_values.py: a mask that hangs on no input takes elements that are known.

usage: fx_masks.py PROGRAM [NAME...]         closing line: N passed, M failed
       fx_masks.py PROGRAM --write FOLDER   the pairs as case folders
"""
import sys

from fx_values import graph, run_rows

EYE = ["e: b8[4, 4] = aten.eye.default(4, dtype = torch.bool)", "m: b8[4, 4] = aten.bitwise_not.default(e)"]
SPLIT = {"inputs": {"x": [["tp"], []]}, "outputs": [[["tp"], []]]}


def off_diagonal(mask="m", made=EYE, count=12):
    """x[~eye(4)], a row without its diagonal element a row."""
    return graph("x: f32[4, 4]", *made, f"t: f32[{count}] = aten.index.Tensor(x, [{mask}])", "v: f32[4, 3] = aten.view.default(t, [4, 3])", "v")


def by_views(first=1, start=0):
    """The same without a mask: rows of n + 1 elements, of which the first (or, begun behind one, the last) lies on the diagonal."""
    return graph("x: f32[4, 4]", "f: f32[16] = aten.view.default(x, [16])", f"s: f32[15] = aten.slice.Tensor(f, 0, {start}, {15 + start})", "w: f32[3, 5] = aten.view.default(s, [3, 5])",
                 f"o: f32[3, 4] = aten.slice.Tensor(w, 1, {first}, {first + 4})", "v: f32[4, 3] = aten.reshape.default(o, [4, 3])", "v")


def own_rows(rank, start=None):
    """Two rows of x on each rank, and those of the mask."""
    start = 2 * rank if start is None else start
    return graph("x: f32[2, 4]", *EYE, f"n: b8[2, 4] = aten.slice.Tensor(m, 0, {start}, {start + 2})", "t: f32[6] = aten.index.Tensor(x, [n])", "v: f32[2, 3] = aten.view.default(t, [2, 3])", "v")


def written_mask(rank, offset=None):
    """lightly's NTXentLoss: the mask of a rank's rows is written into zeros, and how many elements it takes is left open by torch."""
    offset = 2 * rank if offset is None else offset
    return graph("x: f32[2, 4]", "z: b8[2, 4] = aten.zeros.default([2, 4], dtype = torch.bool)", "e: b8[2, 2] = aten.eye.default(2, dtype = torch.bool)",
                 f"s: b8[2, 2] = aten.slice.Tensor(z, 1, {offset}, {offset + 2})", "c: b8[2, 2] = aten.copy_.default(s, e)", "m: b8[2, 4] = aten.bitwise_not.default(z)",
                 "t: f32[u0] = aten.index.Tensor(x, [m])", "v: f32[2, (u0//2)] = aten.view.default(t, [2, -1])", "v")


def gradient(mask="m"):
    """That of x[~eye(4)] by what comes in."""
    return graph("g: f32[12]", *EYE, "z: f32[4, 4] = aten.zeros.default([4, 4])", f"r: f32[4, 4] = aten.index_put.default(z, [{mask}], g, True)", "r")


def gradient_by_views(front=1, behind=1):
    return graph("g: f32[12]", "o: f32[3, 4] = aten.view.default(g, [3, 4])", f"w: f32[3, 5] = aten.constant_pad_nd.default(o, [{front}, {1 - front}])", "s: f32[15] = aten.view.default(w, [15])",
                 f"f: f32[16] = aten.constant_pad_nd.default(s, [{1 - behind}, {behind}])", "r: f32[4, 4] = aten.view.default(f, [4, 4])", "r")


def triangle(rest=""):
    """The lower triangle, whose rows have different numbers of elements, by a mask made of numbers."""
    return graph(f"x: f32[3, 3{rest}]", "o: f32[3, 3] = aten.ones.default([3, 3])", "l: f32[3, 3] = aten.tril.default(o)", "m: b8[3, 3] = aten.ne.Scalar(l, 0)", f"t: f32[6{rest}] = aten.index.Tensor(x, [m])", "t")


def triangle_by_rows(rest="", second=0):
    rows = [line for k, start in enumerate((0, second, 0)) for line in
            (f"r{k}: f32[3{rest}] = aten.select.int(x, 0, {k})", f"s{k}: f32[{k + 1}{rest}] = aten.slice.Tensor(r{k}, 0, {start}, {start + k + 1})")]
    return graph(f"x: f32[3, 3{rest}]", *rows, f"t: f32[6{rest}] = aten.cat.default([s0, s1, s2])", "t")


def put(values="y"):
    """x with the elements off its diagonal replaced."""
    return graph("x: f32[4, 4]; y: f32[12]", *EYE, "c: f32[4, 4] = aten.clone.default(x)", f"r: f32[4, 4] = aten.index_put.default(c, [m], {values})", "r")


def put_by_choice(mask="m"):
    spread = ["o: f32[3, 4] = aten.view.default(y, [3, 4])", "w: f32[3, 5] = aten.constant_pad_nd.default(o, [1, 0])", "s: f32[15] = aten.view.default(w, [15])",
              "f: f32[16] = aten.constant_pad_nd.default(s, [0, 1])", "p: f32[4, 4] = aten.view.default(f, [4, 4])"]
    return graph("x: f32[4, 4]; y: f32[12]", *EYE, *spread, f"r: f32[4, 4] = aten.where.self({mask}, p, x)", "r")


DATA = graph("x: f32[4, 4]", "m: b8[4, 4] = aten.gt.Scalar(x, 0)", "t: f32[u0] = aten.index.Tensor(x, [m])", "s: f32[] = aten.sum.default(t)", "s")
CASES = [
    ("off the diagonal, by views", off_diagonal(), by_views(), {}, [], 0, "proved"),
    ("off the diagonal, by views that begin behind an element", off_diagonal(), by_views(0, 1), {}, [], 0, "proved"),
    ("off the diagonal, by views that take it", off_diagonal(), by_views(0), {}, [], 1, "refuted"),
    ("off the diagonal, another one", off_diagonal(), off_diagonal(made=[EYE[0].replace("e:", "i:"), "e: b8[4, 4] = aten.flip.default(i, [1])", EYE[1]]), {}, [], 1, "refuted"),
    ("off the diagonal, a rank's rows", off_diagonal(), [own_rows(0), own_rows(1)], SPLIT, [], 0, "proved"),
    ("off the diagonal, the first rows on every rank", off_diagonal(), [own_rows(0, 0), own_rows(1, 0)], SPLIT, [], 1, "refuted"),
    ("off the diagonal, a mask that is written", off_diagonal(), [written_mask(0), written_mask(1)], SPLIT, [], 0, "proved"),
    ("off the diagonal, a mask that is written at the first columns", off_diagonal(), [written_mask(0, 0), written_mask(1, 0)], SPLIT, [], 1, "refuted"),
    ("the gradient of what is taken", gradient(), gradient_by_views(), {}, [], 0, "proved"),
    ("the gradient of what is taken, shifted", gradient(), gradient_by_views(0), {}, [], 1, "refuted"),
    ("a triangle", triangle(), triangle_by_rows(), {}, [], 0, "proved"),
    ("a triangle of rows", triangle(", 2"), triangle_by_rows(", 2"), {}, [], 0, "proved"),
    ("a triangle with another row", triangle(), triangle_by_rows(second=1), {}, [], 1, "refuted"),
    ("put where the mask holds", put(), put_by_choice(), {}, [], 0, "proved"),
    ("put where it does not", put(), put_by_choice("e"), {}, [], 1, "refuted"),
    ("a mask that is data", DATA, DATA, {}, [], 3, "is symbolic"),
    ("a mask that is data, of a size that is given", DATA, DATA, {"sizes": {"u0": 8}, "sequential_sizes": {"u0": 8}}, [], 3, "how many elements it takes is data"),
    ("a mask of other dimensions", off_diagonal(), off_diagonal().replace('x: "f32[4, 4]"', 'x: "f32[3, 4]"'), {}, [], 3, "GG-"),
]

if __name__ == "__main__":
    sys.exit(run_rows(CASES))
