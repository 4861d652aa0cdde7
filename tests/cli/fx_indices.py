#!/usr/bin/env python3
"""Where torch raises: rows of a table at an index, the table split over two ranks, what a rank has none of masked afterwards. Where the index of the
rank is masked too no rank raises; where it is not, one does, whatever the index is made of. Rows as those of fx_values.py.

usage: fx_indices.py PROGRAM [NAME...]         closing line: N passed, M failed
       fx_indices.py PROGRAM --write FOLDER   the pairs as case folders
"""
import sys

from fx import HEAD, inner
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
    "a mask's": ("q: b8[3]", {}, ["i: i64[3] = aten._to_copy.default(q, dtype = torch.int64)"]),
}
MASKED = "aten.masked_fill.Scalar(j, m, 0)"
RAISES = "aten.clone.default(j)"


def whole(kind, lookup="aten.embedding.default(w, i)"):
    inputs, _, lines = INDICES[kind]
    return graph(f"w: f32[8, 2]; {inputs}", *lines, f"r: f32[3, 2] = {lookup}", "r")


def shards(kind, index, lookup="aten.embedding.default(w, k)"):
    """One graph a rank: rows of its half of the table."""
    inputs, _, lines = INDICES[kind]
    own = lambda r: ["a: b8[3] = aten.lt.Scalar(i, %d)" % (4 * r), "b_1: b8[3] = aten.ge.Scalar(i, %d)" % (4 * r + 4), "m: b8[3] = aten.bitwise_or.Tensor(a, b_1)", "j: i64[3] = aten.sub.Tensor(i, %d)" % (4 * r), f"k: i64[3] = {index}",
                     f"e: f32[3, 2] = {lookup}", "u: b8[3, 1] = aten.unsqueeze.default(m, 1)", "z: f32[3, 2] = aten.masked_fill.Scalar(e, u, 0.0)", "c: f32[3, 2] = _c10d_functional.all_reduce.default(z, 'sum', '0')",
                     "r: f32[3, 2] = _c10d_functional.wait_tensor.default(c)", "r"]
    return [graph(f"w: f32[4, 2]; {inputs}", *lines, *own(r)) for r in (0, 1)]


def split(kind):
    return {"inputs": {"w": [["tp"], []]}, "ranges": INDICES[kind][1]}


OWN = "a: b8[3] = aten.lt.Scalar({i}, {lo}); b: b8[3] = aten.ge.Scalar({i}, {hi}); m: b8[3] = aten.bitwise_or.Tensor(a, b); j: i64[3] = aten.sub.Tensor({i}, {lo}); k: i64[3] = {index}; " \
      "e: f32[3, 2] = aten.embedding.default(w, k); u: b8[3, 1] = aten.unsqueeze.default(m, 1); z: f32[3, 2] = aten.masked_fill.Scalar(e, u, 0.0); c: f32[3, 2] = _c10d_functional.all_reduce.default(z, 'sum', '0')"


def lines_of(text):
    return [f'{name.split(": ")[0]}: "{name.split(": ")[1]}" = torch.ops.{call}' for name, call in (line.split(" = ", 1) for line in text.split("; "))]


def in_branch(rank, index):
    """Rows in one branch of a condition, their opposites in the other."""
    rows, look = ("8", "e: f32[3, 2] = aten.embedding.default(w, i)") if rank is None else ("4", OWN.format(i="i", lo=4 * rank, hi=4 * rank + 4, index=index))
    last = "e" if rank is None else "c"
    args = f'w: "f32[{rows}, 2]", i: "i64[3]"'
    return HEAD.format(f'p: "b8[]", {args}') + """        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (w, i))
        getitem: "f32[3, 2]" = cond[0]
        return [getitem]
""" + inner("true_graph_0", args, lines_of(look), f"({last},)") + inner("false_graph_0", args, lines_of(look + f"; n: f32[3, 2] = aten.neg.default({last})"), "(n,)")


def in_scan(rank, index):
    """Rows of one index after the other, added up."""
    rows, look = ("8", "e: f32[3, 2] = aten.embedding.default(w, i)") if rank is None else ("4", OWN.format(i="i", lo=4 * rank, hi=4 * rank + 4, index=index))
    last = "e" if rank is None else "c"
    return HEAD.format(f'init: "f32[3, 2]", xs: "i64[5, 3]", w: "f32[{rows}, 2]"') + """        graph_0 = self.graph_0
        scan = torch.ops.higher_order.scan(graph_0, [init], [xs], (w,))
        getitem: "f32[3, 2]" = scan[0]
        return [getitem]
""" + inner("graph_0", f'carry: "f32[3, 2]", i: "i64[3]", w: "f32[{rows}, 2]"', lines_of(look + f"; add: f32[3, 2] = aten.add.Tensor(carry, {last})"), "[add]")


NESTED = {"a branch": (in_branch, {"i": [0, 8]}), "a loop": (in_scan, {"xs": [0, 8]})}


def nested(kind, index, code, said):
    graph_of, ranges = NESTED[kind]
    return graph_of(None, ""), [graph_of(rank, index) for rank in (0, 1)], {"inputs": {"w": [["tp"], []]}, "ranges": ranges}, [], code, said


def in_stage(index):
    """Two programs: rows of a table on one rank, sent to the other, which doubles them. The last row is looked up twice."""
    send = ["isend: f32[0] = _c10d_functional.isend.default(e, 1, 3, '0')", "gone: f32[0] = _c10d_functional.wait_tensor.default(isend)"]
    take = ["b: f32[3, 2] = aten.empty.memory_format([3, 2], dtype = torch.float32)", "irecv: f32[3, 2] = _c10d_functional.irecv.default(b, 0, 3, '0')", "got: f32[3, 2] = _c10d_functional.wait_tensor.default(irecv)"]
    row = ["h: i64[3] = aten.add.Tensor(i, 1)", f"k: i64[3] = {index}", "e: f32[3, 2] = aten.embedding.default(w, k)"]
    return [graph("w: f32[8, 2]; i: i64[3]", *row, *send, "e"), graph("w: f32[8, 2]; i: i64[3]", *take, "r: f32[3, 2] = aten.mul.Tensor(got, 2.0)", "r")]


STAGES = {"mesh": [["pp", 2]], "ranges": {"i": [0, 8]}, "outputs": [{"on": {"pp": 1}, "index": 0}]}
STAGED = graph("w: f32[8, 2]; i: i64[3]", "h: i64[3] = aten.add.Tensor(i, 1)", "k: i64[3] = aten.clamp_max.default(h, 7)", "e: f32[3, 2] = aten.embedding.default(w, k)", "r: f32[3, 2] = aten.mul.Tensor(e, 2.0)", "r")

CASES = [
    ("a stage", STAGED, in_stage("aten.clamp_max.default(h, 7)"), STAGES, [], 0, "proved"),
    ("a stage that bounds otherwise", STAGED, in_stage("aten.clamp.default(h, 1, 7)"), STAGES, [], 0, "proved"),
    ("a stage, inputs as a list", STAGED, in_stage("aten.clamp_max.default(h, 7)"), {**STAGES, "inputs": ["replicated", "replicated"]}, [], 0, "proved"),
    ("summands over the stages", STAGED, in_stage("aten.clamp_max.default(h, 7)"), {**STAGES, "outputs": [{"on": {"pp": 1}, "index": 0, "placement": {"partial": ["pp"]}}]}, [], 3, "run programs of their own"),
    ("a stage raises", STAGED, in_stage("aten.clone.default(h)"), STAGES, [], 1, "indices.in.range"),
    *[(f"{kind}: masked", *nested(kind, MASKED, 0, "proved")) for kind in NESTED],
    *[(f"{kind}: a rank raises", *nested(kind, RAISES, 1, "indices.in.range")) for kind in NESTED],
    *[(f"{kind}: masked", whole(kind), shards(kind, MASKED), split(kind), [], *((2, "unknown") if kind == "rounded" else (0, "proved"))) for kind in INDICES],
    *[(f"{kind}: a rank raises", whole(kind), shards(kind, RAISES), split(kind), [], 1, "indices.in.range") for kind in INDICES],
    *[(f"{kind}: the whole table", whole(kind), whole(kind), {"ranges": INDICES[kind][1]}, [], 0, "proved") for kind in INDICES],
]

if __name__ == "__main__":
    sys.exit(run_rows(CASES))
