#!/usr/bin/env python3
"""Where torch raises: rows of a table at an index, the table split over two ranks, what a rank has none of masked afterwards. Where the index of the
rank is masked too no rank raises; where it is not, one does, whatever the index is made of. Rows as those of fx_values.py.

usage: fx_indices.py PROGRAM [NAME...]         closing line: N passed, M failed
       fx_indices.py PROGRAM --write FOLDER   the pairs as case folders
"""
import sys

from fx_values import graph, run_rows

# An index of three elements in [0, 8): inputs, their ranges, statements.
INDICES = {
    "given": ("i: i64[3]", {"i": [0, 8]}, []),
    "shifted": ("h: i64[3]", {"h": [1, 9]}, ["i: i64[3] = aten.sub.Tensor(h, 1)"]),
    "sorted": ("h: i64[3]", {"h": [0, 8]}, ["s = aten.sort.default(h)", "i: i64[3] = s[0]"]),
    "places of a sort": ("x: f32[8]", {}, ["s = aten.sort.default(x)", "p: i64[8] = s[1]", "i: i64[3] = aten.slice.Tensor(p, 0, 0, 3)"]),
    "the largest": ("x: f32[3, 8]", {}, ["i: i64[3] = aten.argmax.default(x, 1)"]),
    "places of the largest": ("x: f32[8]", {}, ["t = aten.topk.default(x, 3)", "i: i64[3] = t[1]"]),
    "looked up": ("h: i64[3]; p: i64[5]", {"h": [0, 5], "p": [0, 8]}, ["i: i64[3] = aten.index.Tensor(p, [h])"]),
    "counted": ("b: b8[3, 7]", {}, ["i: i64[3] = aten.sum.dim_IntList(b, [1])"]),
    "counted on": ("b: b8[3]", {}, ["n: i64[3] = aten.cumsum.default(b, 0)", "i: i64[3] = aten.add.Tensor(n, 4)"]),
    "rounded": ("x: f32[3]", {"x": [0, 7]}, ["f: f32[3] = aten.floor.default(x)", "i: i64[3] = aten._to_copy.default(f, dtype = torch.int64)"]),
    "a remainder": ("h: i64[3]", {}, ["i: i64[3] = aten.remainder.Scalar(h, 8)"]),
    "a mask's": ("m: b8[3]", {}, ["i: i64[3] = aten._to_copy.default(m, dtype = torch.int64)"]),
}
MASKED = "aten.masked_fill.Scalar(j, m_1, 0)"
RAISES = "aten.clone.default(j)"


def whole(kind, lookup="aten.embedding.default(w, i)"):
    inputs, _, lines = INDICES[kind]
    return graph(f"w: f32[8, 2]; {inputs}", *lines, f"r: f32[3, 2] = {lookup}", "r")


def shards(kind, index, lookup="aten.embedding.default(w, k)"):
    """One graph a rank: rows of its half of the table."""
    inputs, _, lines = INDICES[kind]
    own = lambda r: ["a: b8[3] = aten.lt.Scalar(i, %d)" % (4 * r), "b_1: b8[3] = aten.ge.Scalar(i, %d)" % (4 * r + 4), "m_1: b8[3] = aten.bitwise_or.Tensor(a, b_1)", "j: i64[3] = aten.sub.Tensor(i, %d)" % (4 * r), f"k: i64[3] = {index}",
                     f"e: f32[3, 2] = {lookup}", "u: b8[3, 1] = aten.unsqueeze.default(m_1, 1)", "z: f32[3, 2] = aten.masked_fill.Scalar(e, u, 0.0)", "c: f32[3, 2] = _c10d_functional.all_reduce.default(z, 'sum', '0')",
                     "r: f32[3, 2] = _c10d_functional.wait_tensor.default(c)", "r"]
    return [graph(f"w: f32[4, 2]; {inputs}", *lines, *own(r)) for r in (0, 1)]


def split(kind):
    return {"inputs": {"w": [["tp"], []]}, "ranges": INDICES[kind][1]}


CASES = [
    *[(f"{kind}: masked", whole(kind), shards(kind, MASKED), split(kind), [], *((2, "unknown") if kind == "rounded" else (0, "proved"))) for kind in INDICES],
    *[(f"{kind}: a rank raises", whole(kind), shards(kind, RAISES), split(kind), [], 1, "indices.in.range") for kind in INDICES],
    *[(f"{kind}: the whole table", whole(kind), whole(kind), {"ranges": INDICES[kind][1]}, [], *((2, "unknown") if kind == "rounded" else (0, "proved"))) for kind in INDICES],  # what is left: numbers of 64 bits in the checker
]

if __name__ == "__main__":
    sys.exit(run_rows(CASES))
