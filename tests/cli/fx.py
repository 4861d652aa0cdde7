#!/usr/bin/env python3
"""FX texts as tables: small pairs with the verdict they must get, and one edit a row that must end in a diagnostic (exit code 3, its code in
the first error, nothing on stdout, no file written).

usage: fx.py PROGRAM [NAME...]      closing line: N passed, M failed
       fx.py --write FOLDER         the pairs as case folders
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import counted

HEAD = "class GraphModule(torch.nn.Module):\n    def forward(self, {}):\n"
SEQUENTIAL = HEAD.format('x: "f32[4, 8]", w: "f32[8, 6]"') + """        # File: model.py:3 in forward, code: return x @ w
        mm: "f32[4, 6]" = torch.ops.aten.mm.default(x, w);  x = w = None
        return [mm]
"""
RANK = "# Graph[rank={rank}]\n" + HEAD.format('x: "f32[4, 4]", w: "f32[4, 6]"') + """        # File: model.py:7 in forward, code: y = x @ w; # "quoted" in inner
        mm: "f32[4, 6]" = torch.ops.aten.mm.default(x, w);  x = w = None
        all_reduce: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce.default(mm, 'sum', '0')
        wait_tensor: "f32[4, 6]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        copy: "f32[4, 6]" = torch.ops.aten.copy.default(mm, wait_tensor);  mm = wait_tensor = None
        return [copy]
"""
RELATION = {"mesh": [["tp", 2]], "groups": {"0": [0, 1]}, "inputs": {"x": [[], ["tp"]], "w": [["tp"], []]}, "default": "replicated", "outputs": ["replicated"]}
REDUCE = RANK[RANK.index("        all_reduce:"):RANK.index("        return")]


def body(lines, result="mm"):
    return RANK.replace(REDUCE, "".join(f"        {line}\n" for line in lines)).replace("return [copy]", f"return [{result}]")


IN_PLACE = body(["_torchbind_obj0 = self._torchbind_obj0", "_torchbind_obj1 = self._torchbind_obj1",
                 "allreduce_ = torch.ops.c10d.allreduce_.default([mm], _torchbind_obj0, _torchbind_obj1, None, False);  _torchbind_obj0 = _torchbind_obj1 = None",
                 "getitem = allreduce_[0]", 'getitem_1: "f32[4, 6]" = getitem[0];  getitem = None', "getitem_2 = allreduce_[1];  allreduce_ = getitem_2 = None"])
OBJECTS = {"objects": {"_torchbind_obj0": {"group": "0"}, "_torchbind_obj1": {"op": "sum"}}}
SHARED = body(['zeros: "f32[2, 4, 6]" = torch.ops.aten.zeros.default([2, 4, 6], device = device(type=\'cpu\'), pin_memory = False)',
               'select: "f32[4, 6]" = torch.ops.aten.select.int(zeros, 0, 1)', 'copy_: "f32[4, 6]" = torch.ops.aten.copy_.default(select, mm)',
               'all_reduce_: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce_.default(select, \'sum\', \'0\')',
               'select_1: "f32[4, 6]" = torch.ops.aten.select.int(zeros, 0, 1)'], "select_1")
VIEWS = body(['t: "f32[6, 4]" = torch.ops.aten.t.default(mm)', 'view: "f32[3, 2, 4]" = torch.ops.aten.view.default(t, [3, 2, 4])',
              'slice_1: "f32[2, 2, 4]" = torch.ops.aten.slice.Tensor(view, 0, 0, 2)', 'mul_: "f32[2, 2, 4]" = torch.ops.aten.mul_.Tensor(slice_1, 2.0)',
              'split = torch.ops.aten.split.Tensor(mm, 4, 1)', 'getitem: "f32[4, 4]" = split[0]', 'getitem_1: "f32[4, 2]" = split[1]',
              'div_: "f32[4, 4]" = torch.ops.aten.div_.Tensor(getitem, 2)'] + [line.strip() for line in REDUCE.strip().split("\n")], "copy")
STALE = body(['mul: "f32[4, 6]" = torch.ops.aten.mul.Tensor(mm, 1)', 'all_reduce_: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce_.default(mm, \'sum\', \'0\')'], "mul")
OFFSETS = HEAD.format('table: "f32[3, 2]", i: "i64[5]"') + """        lt: "b8[5]" = torch.ops.aten.lt.Scalar(i, {lo})
        ge: "b8[5]" = torch.ops.aten.ge.Scalar(i, {hi})
        bitwise_or: "b8[5]" = torch.ops.aten.bitwise_or.Tensor(lt, ge);  lt = ge = None
        sub: "i64[5]" = torch.ops.aten.sub.Tensor(i, {lo});  i = None
        masked_fill: "i64[5]" = torch.ops.aten.masked_fill.Scalar(sub, bitwise_or, 0);  sub = None
        embedding: "f32[5, 2]" = torch.ops.aten.embedding.default(table, masked_fill);  table = masked_fill = None
        unsqueeze: "b8[5, 1]" = torch.ops.aten.unsqueeze.default(bitwise_or, -1);  bitwise_or = None
        masked_fill_1: "f32[5, 2]" = torch.ops.aten.masked_fill.Scalar(embedding, unsqueeze, 0.0);  embedding = unsqueeze = None
        all_reduce: "f32[5, 2]" = torch.ops._c10d_functional.all_reduce.default(masked_fill_1, 'sum', '0');  masked_fill_1 = None
        return [all_reduce]
"""
LOOKUP = HEAD.format('table: "f32[6, 2]", i: "i64[5]"') + '        embedding: "f32[5, 2]" = torch.ops.aten.embedding.default(table, i)\n        return [embedding]\n'
TABLES = {**RELATION, "inputs": {"table": [["tp"], []]}, "ranges": {"i": [0, 6]}}


MASKED = OFFSETS.format(lo=0, hi=6).replace("f32[3, 2]", "f32[6, 2]").replace("return [all_reduce]", "return [masked_fill_1]").replace("  masked_fill_1 = None", "")
MASKED = "".join(line + "\n" for line in MASKED.split("\n") if line and "all_reduce:" not in line)


def offsets(wrong=False):
    return [OFFSETS.format(lo=3 * r, hi=3 * r + (2 if wrong else 3)) for r in range(2)]


PIECE = HEAD.format('x: "f32[4, 6]"') + "        split = torch.ops.aten.split.Tensor(x, 2)\n        getitem_{r}: \"f32[2, 6]\" = split[{r}]\n        return [getitem_{r}]\n"
WHOLE = HEAD.format('x: "f32[4, 6]"') + '        alias: "f32[4, 6]" = torch.ops.aten.alias.default(x)\n        return (alias,)\n'
FLAT = HEAD.format('a: "f32[2, 2]", b: "f32[3]"') + """        view: "f32[4]" = torch.ops.aten.view.default(a, [-1])
        cat: "f32[7]" = torch.ops.aten.cat.default([view, b])
        mul: "f32[7]" = torch.ops.aten.mul.Tensor(cat, 2)
        constant_pad: "f32[1]" = torch.ops.aten.zeros.default([1], device = device(type='cpu'), pin_memory = False)
        cat_1: "f32[8]" = torch.ops.aten.cat.default([mul, constant_pad])
        return {'flat': cat_1, 'none': None}
"""
FLAT_RANK = HEAD.format('p: "f32[4]"') + '        mul: "f32[4]" = torch.ops.aten.mul.Tensor(p, 2)\n        return [mul, None]\n'
FLAT_RELATION = {"mesh": [["dp", 2]], "inputs": {"p": {"flat": ["a", "b"], "axes": ["dp"], "pad": 8, "pad_value": 0}}, "default": "replicated", "outputs": [[["dp"]]]}


PARTS = ((0, 2), (5, 8), (2, 5), (8, 10))
ROWS = HEAD.format('x: "f32[10, 3]"') + "".join(f'        slice_{k}: "f32[{b - a}, 3]" = torch.ops.aten.slice.Tensor(x, 0, {a}, {b})\n' for k, (a, b) in enumerate(PARTS)) + \
    '        cat: "f32[10, 3]" = torch.ops.aten.cat.default([slice_0, slice_1, slice_2, slice_3])\n        return [cat]\n'
SENT = ("[2, 3], [2, 3]", "[3, 2], [3, 2]")


def exchange(splits):
    return [HEAD.format('x: "f32[5, 3]"') + f'        all_to_all_single: "f32[5, 3]" = torch.ops._c10d_functional.all_to_all_single.default(x, {s}, \'0\')\n'
            '        wait_tensor: "f32[5, 3]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single)\n        return [wait_tensor]\n' for s in splits]


EXCHANGE = {"mesh": [["ep", 2]], "groups": {"0": [0, 1]}, "inputs": {"x": [["ep"], []]}, "outputs": [[["ep"], []]]}


def attention(heads, name="_scaled_dot_product_flash_attention", extra="0.0, True"):
    """Attention and its backward; the heads are split over the ranks."""
    q = f"f32[2, {heads}, 4, 3]"
    args = ", ".join(f'{n}: "{q}"' for n in ("q", "k", "v", "g"))
    items = "".join(f'        grad_{n}: "{q}" = back[{k}]\n' for k, n in enumerate("qkv"))
    return HEAD.format(args) + f"""        sdpa = torch.ops.aten.{name}.default(q, k, v, {extra})
        getitem: "{q}" = sdpa[0]
        getitem_1: "f32[2, {heads}, 4]" = sdpa[1]
        getitem_2 = sdpa[2];  getitem_3 = sdpa[3];  sdpa = None
""".replace(";  getitem_3 = sdpa[3];  sdpa = None", "\n        getitem_3 = sdpa[3]") + f"""        back = torch.ops.aten.{name}_backward.default(g, q, k, v, getitem, getitem_1, getitem_2, getitem_3, 4, 4, {extra}, getitem_2, getitem_3)
{items}        return [getitem, grad_q, grad_k, grad_v]
"""


HEADS = [[], ["tp"], [], []]
ATTENTION = {"mesh": [["tp", 2]], "inputs": {n: HEADS for n in "qkvg"}, "outputs": [HEADS] * 4}


SIZED = HEAD.format('arg0_1: "Sym(s77)", x: "f32[s77, 3]"') + """        sym_size_int: "Sym(s77)" = torch.ops.aten.sym_size.int(x, 0)
        mul: "Sym(6*s77)" = sym_size_int * 6
        floordiv: "Sym(((3*s77)//2))" = mul // 4
        cat: "f32[2*s77, 3]" = torch.ops.aten.cat.default([x, x], 1)
        view: "f32[((3*s77)//2), 4]" = torch.ops.aten.view.default(cat, [floordiv, 4]);  cat = None
        neg: "f32[((3*s77)//2), 4]" = torch.ops.aten.neg.default(view)
        return [neg, arg0_1]
""".replace('"f32[2*s77, 3]" = torch.ops.aten.cat', '"f32[s77, 6]" = torch.ops.aten.cat')
SIZES = {"mesh": [["dp", 2]], "inputs": {"x": [["dp"], []]}, "outputs": [[["dp"], []]], "sizes": {"s77": 2}, "sequential_sizes": {"s77": 4}}


def log(texts):
    """An AOT log of several ranks, their lines interleaved."""
    columns = [[f"[rank{r}]:I1122 15:21:38.593000 41 torch/_functorch/logging.py:12] [0/0] [__aot_graphs] {line}" for line in [" ===== Forward graph 0 =====", *t.split("\n")[1:]]]
               for r, t in enumerate(texts)]
    return "\n".join(line for row in zip(*columns) for line in row) + "\n"


def steps(rows):
    """An AOT log of a forward and its backward, as torch prints them: a message, two graphs, what is saved returned last."""
    forward = [" ===== Forward graph 0 =====", " /lib/torch/fx/_lazy_graph_module.py class GraphModule(torch.nn.Module):",
               f'    def forward(self, primals_1: "f32[{rows}, 8][8, 1]cpu", primals_2: "f32[8, 6][6, 1]cpu"):', "        # File: step.py:4 in loss, code: return (x @ w).relu()",
               f'        mm: "f32[{rows}, 6][6, 1]cpu" = torch.ops.aten.mm.default(primals_1, primals_2);  primals_2 = None',
               f'        relu: "f32[{rows}, 6][6, 1]cpu" = torch.ops.aten.relu.default(mm)', "        return (relu, primals_1, mm)", ""]
    back = [" ===== Backward graph 0 =====", " <eval_with_key>.2 class GraphModule(torch.nn.Module):",
            f'    def forward(self, primals_1: "f32[{rows}, 8][8, 1]cpu", mm: "f32[{rows}, 6][6, 1]cpu", tangents_1: "f32[{rows}, 6][6, 1]cpu"):',
            "        # Backward of forward node: File: step.py:4 in loss, code: return (x @ w).relu()",
            f'        mul: "f32[{rows}, 6][6, 1]cpu" = torch.ops.aten.threshold_backward.default(tangents_1, mm, 0);  tangents_1 = mm = None',
            f'        t: "f32[8, {rows}][1, 8]cpu" = torch.ops.aten.t.default(primals_1);  primals_1 = None',
            '        mm_1: "f32[8, 6][6, 1]cpu" = torch.ops.aten.mm.default(t, mul);  t = mul = None',
            "        return (None, mm_1)", ""]
    mark = ":I1122 15:21:38.593000 41 torch/_functorch/graph_compile.py:1890] [0/0] [__aot_graphs] "
    return "compiling\n" + "".join(f"[rank{r}]{mark}{line}\n" for r in range(2) for line in ["aot_config id: 0, fw_metadata=ViewAndMutationMeta(a=1)", *forward, "TRACED GRAPH", *back])


STEP = {"mesh": [["dp", 2]], "inputs": {"primals_1": [["dp"], []], "tangents_1": [["dp"], []]}, "default": "replicated"}


def whole_step():
    return "".join(line + "\n" for line in steps(4).replace("[rank0]:", "").split("\n") if not line.startswith("[rank1]"))


def inner(name, inputs, lines, result):
    """A nested graph, behind its parent."""
    text = f"\n    class {name}(torch.nn.Module):\n        def forward(self, {inputs}):\n"
    return text + "".join(f"            {line}\n" for line in lines) + f"            return {result}\n"


def nested(kind, cols, reduce=True, wrong=False):
    """x [4, 3*cols] by columns of w; the carried value of loops is replicated."""
    w, x = f"f32[{cols}, 6]", f"f32[4, {cols}]"
    sum_of = ['all_reduce: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce.default(mm, \'sum\', \'0\')'] if reduce else []
    product = [f'mm: "f32[4, 6]" = torch.ops.aten.mm.default(a, b)', *sum_of]
    y = "all_reduce" if reduce else "mm"
    if kind == "cond":
        main = f"""        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x, w));  p = true_graph_0 = false_graph_0 = x = w = None
        getitem: "f32[4, 6]" = cond[0];  cond = None
        return [getitem]
"""
        args = f'a: "{x}", b: "{w}"'
        return HEAD.format(f'p: "b8[]", x: "{x}", w: "{w}"') + main + inner("true_graph_0", args, product, f"({y},)") + \
            inner("false_graph_0", args, [f'c: "{x}" = torch.ops.aten.mul.Tensor(a, {3 if wrong else 2})', *[line.replace("(a, b)", "(c, b)") for line in product]], f"({y},)")
    if kind == "scan":
        main = f"""        graph_0 = self.graph_0
        scan = torch.ops.higher_order.scan(graph_0, [init], [xs], (w,))
        getitem: "f32[4, 6]" = scan[0]
        getitem_1: "f32[5, 4]" = scan[1];  scan = None
        return [getitem, getitem_1]
"""
        lines = [*product, f'add: "f32[4, 6]" = torch.ops.aten.add.Tensor(carry, {y})', 'sum_1: "f32[4]" = torch.ops.aten.sum.dim_IntList(add, [1])']
        if wrong:
            lines[-2] = lines[-2].replace("add.Tensor(carry", "sub.Tensor(carry")
        return HEAD.format(f'init: "f32[4, 6]", xs: "f32[5, 4, {cols}]", w: "{w}"') + main + inner("graph_0", f'carry: "f32[4, 6]", a: "{x}", b: "{w}"', lines, "[add, sum_1]")
    main = f"""        graph_0 = self.graph_0
        graph_1 = self.graph_1
        while_loop = torch.ops.higher_order.while_loop(graph_0, graph_1, (i, y), (x, w))
        getitem: "i64[]" = while_loop[0]
        getitem_1: "f32[4, 6]" = while_loop[1];  while_loop = None
        return [getitem_1]
"""
    args = f'i: "i64[]", y: "f32[4, 6]", a: "{x}", b: "{w}"'
    lines = ['n: "i64[]" = torch.ops.aten.add.Tensor(i, 1)', *product, f'add: "f32[4, 6]" = torch.ops.aten.add.Tensor(y, {y})']
    start = """        i: "i64[]" = torch.ops.aten.full.default([], 0, dtype = torch.int64, layout = torch.strided, device = device(type='cpu'), pin_memory = False)\n"""
    return HEAD.format(f'y: "f32[4, 6]", x: "{x}", w: "{w}"') + start + main + \
        inner("graph_0", args, [f'lt: "b8[]" = torch.ops.aten.lt.Scalar(i, {4 if wrong else 3})'], "lt") + inner("graph_1", args, lines, "(n, add)")


NESTED = {"cond": {**RELATION, "outputs": ["replicated"]}, "while": RELATION,
          "scan": {**RELATION, "inputs": {"xs": [[], [], ["tp"]], "w": [["tp"], []]}, "outputs": ["replicated", "replicated"]}}


def places(rows, shift=""):
    """Where each row's softmax is largest; rows are split over the ranks."""
    return HEAD.format(f'x: "f32[{rows}, 3]"') + f"""        _softmax: "f32[{rows}, 3]" = torch.ops.aten._softmax.default(x, 1, False)
        max_1 = torch.ops.aten.max.dim(_softmax, 1)
        getitem: "i64[{rows}]" = max_1[1];  max_1 = None
        add: "i64[{rows}]" = torch.ops.aten.add.Tensor(getitem, {shift or 0})
        return [add]
"""


def dropout(rows, cols=6):
    return HEAD.format(f'x: "f32[{rows}, {cols}]"') + f"""        native_dropout = torch.ops.aten.native_dropout.default(x, 0.25, True)
        getitem: "f32[{rows}, {cols}]" = native_dropout[0]
        getitem_1: "b8[{rows}, {cols}]" = native_dropout[1];  native_dropout = None
        native_dropout_backward: "f32[{rows}, {cols}]" = torch.ops.aten.native_dropout_backward.default(getitem, getitem_1, 1.3333333333333333)
        return [native_dropout_backward]
"""


def random(rows):
    """What rand draws, times x."""
    return HEAD.format(f'x: "f32[{rows}, 6]"') + f"""        rand: "f32[{rows}, 6]" = torch.ops.aten.rand.default([{rows}, 6], device = device(type='cpu'), pin_memory = False)
        mul: "f32[{rows}, 6]" = torch.ops.aten.mul.Tensor(x, rand);  x = rand = None
        return [mul]
"""


def reshaped(factor):
    """A matrix that is turned in place, scaled through a view from before, turned back, and given a dimension that it loses again."""
    return body(['view: "f32[24]" = torch.ops.aten.view.default(mm, [24])', 'transpose_: "f32[6, 4]" = torch.ops.aten.transpose_.default(mm, 0, 1)',
                 f'mul_: "f32[24]" = torch.ops.aten.mul_.Tensor(view, {factor})', 'mul__1: "f32[6, 4]" = torch.ops.aten.mul_.Tensor(transpose_, 0.5)',
                 't_: "f32[4, 6]" = torch.ops.aten.t_.default(mm)', 'unsqueeze_: "f32[4, 1, 6]" = torch.ops.aten.unsqueeze_.default(mm, 1)',
                 'squeeze_: "f32[4, 6]" = torch.ops.aten.squeeze_.dim(unsqueeze_, -2)'] + [line.strip() for line in REDUCE.strip().split("\n")], "copy")


def drawn(masks, placement="replicated"):
    return {"mesh": [["tp", 2]], "default": placement, "outputs": [placement], **({"masks": {"native_dropout": masks}} if masks else {})}


ROWWISE = {"mesh": [["dp", 2]], "inputs": {"x": [["dp"], []]}, "outputs": [[["dp"]]]}


def turned(shape):
    dims = ", ".join(map(str, shape))
    return HEAD.format(f'x: "f32[{dims}]"') + f'        neg: "f32[{dims}]" = torch.ops.aten.neg.default(x)\n        return [neg]\n'


def gathered(whole, part, order):
    """All parts joined along the first dimension in an order, and cut to what the sequential program has."""
    rows, n = part * len(order), len(order)
    pieces = "".join(f'        slice_{k}: "f32[{part}, 3]" = torch.ops.aten.slice.Tensor(all, 0, {part * k}, {part * (k + 1)})\n' for k in range(n))
    return HEAD.format(f'x: "f32[{part}, 3]"') + f"""        all: "f32[{rows}, 3]" = torch.ops._c10d_functional.all_gather_into_tensor.default(x, {n}, '0')
{pieces}        cat: "f32[{rows}, 3]" = torch.ops.aten.cat.default([{", ".join(f"slice_{k}" for k in order)}])
        slice_w: "f32[{whole}, 3]" = torch.ops.aten.slice.Tensor(cat, 0, 0, {whole})
        neg: "f32[{whole}, 3]" = torch.ops.aten.neg.default(slice_w)
        return [neg]
"""


def placed(placement, output=None):
    return {"mesh": [["dp", 2], ["tp", 2]], "groups": {"0": [0, 1, 2, 3]}, "inputs": {"x": placement}, "default": "replicated", "outputs": [output or "replicated"]}


# DTensor's and Megatron's placements: what the ranks hold put together again gives the whole tensor, in the right order only.
PLACED = [
    ("_StridedShard", turned((8, 3)), [gathered(8, 2, (0, 2, 1, 3))] * 4, placed([["tp", "dp"], []]), "proved"),
    ("_StridedShard as two Shards", turned((8, 3)), [gathered(8, 2, (0, 1, 2, 3))] * 4, placed([["tp", "dp"], []]), "refuted"),
    ("chunks of ten", turned((10, 3)), [gathered(10, 3, (0, 1, 2, 3))] * 4, placed([{"axes": ["dp", "tp"], "split": "chunk"}, []]), "proved"),
    ("a padded vocabulary", turned((10, 3)), [gathered(10, 4, (0, 1, 2, 3))] * 4, placed([{"axes": ["dp", "tp"], "pad": 16}, []]), "proved"),
    ("partition_stride 2", turned((8, 3)), [turned((4, 3))] * 4, placed([{"axes": ["tp"], "segments": [4, 4]}, []], [{"axes": ["tp"], "segments": [4, 4]}, []]), "proved"),
    ("partition_stride 2 read as 1", turned((8, 3)), [turned((4, 3))] * 4, placed([{"axes": ["tp"], "segments": [4, 4]}, []], [["tp"], []]), "refuted"),
    *[(f"Partial {op}", turned((8, 3)), [turned((8, 3))] * 4, placed({"partial": ["tp"], "op": "sum"}, {"partial": ["tp"], "op": op}), verdict) for op, verdict in (("sum", "proved"), ("avg", "refuted"), ("max", "refuted"))],
    ("Partial beside Shard", turned((8, 3)), [turned((4, 3))] * 4, placed({"partial": ["tp"], "op": "avg", "dims": [["dp"], []]}, {"partial": ["tp"], "op": "avg", "dims": [["dp"], []]}), "proved"),
    ("sequential groups", turned((8, 3)).replace("neg.default(x)", "neg.default(y)").replace("        neg", '        y: "f32[8, 3]" = torch.ops._c10d_functional.all_reduce.default(x, \'sum\', \'7\')\n        neg'), [turned((8, 3))] * 4,
     {**placed("replicated"), "sequential_groups": {"7": [0]}}, "proved"),
    ("output names", turned((8, 3)), [turned((8, 3))] * 4, {**placed("replicated"), "output_names": ["loss"]}, "proved"),
]


def region(kind, cols, reduce):
    """A product in a graph that is only marked."""
    call = {"wrap": "wrap(graph_0, x, w)", "checkpoint": "tag_activation_checkpoint(graph_0, x, w, use_reentrant = False)", "invoke": "invoke_subgraph(graph_0, 'subgraph_0', x, w)"}[kind]
    main = f"        graph_0 = self.graph_0\n        wrapped = torch.ops.higher_order.{call};  graph_0 = x = w = None\n        getitem: \"f32[4, 6]\" = wrapped[0];  wrapped = None\n        return [getitem]\n"
    lines = ['mm: "f32[4, 6]" = torch.ops.aten.mm.default(a, b)'] + (['all_reduce: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce.default(mm, \'sum\', \'0\')'] if reduce else [])
    args = f'"f32[4, {cols}]", {{}}: "f32[{cols}, 6]"'
    return HEAD.format("x: " + args.format("w")) + main + inner("graph_0", "a: " + args.format("b"), lines, "(all_reduce,)" if reduce else "(mm,)")


def memory(*lines):
    return HEAD.format('x: "f32[4, 4]"') + "".join(f"        {line}\n" for line in ('clone: "f32[4, 4]" = torch.ops.aten.clone.default(x)', *lines))


def windows(rows):
    """The gradients of overlapping windows with a stride: means, a convolution's input and kernel."""
    return HEAD.format(f'g: "f32[{rows}, 3, 4, 4]", x: "f32[{rows}, 2, 8, 8]", y: "f32[{rows}, 3, 8, 8]", w: "f32[3, 2, 3, 3]"') + f"""        means: "f32[{rows}, 3, 8, 8]" = torch.ops.aten.avg_pool2d_backward.default(g, y, [3, 3], [2, 2], [1, 1], False, True, None)
        convolution_backward = torch.ops.aten.convolution_backward.default(g, x, w, [3], [2, 2], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True])
        getitem: "f32[{rows}, 2, 8, 8]" = convolution_backward[0]
        getitem_1: "f32[3, 2, 3, 3]" = convolution_backward[1]
        getitem_2: "f32[3]" = convolution_backward[2]
        all_reduce: "f32[3, 2, 3, 3]" = torch.ops._c10d_functional.all_reduce.default(getitem_1, 'sum', '0')
        all_reduce_1: "f32[3]" = torch.ops._c10d_functional.all_reduce.default(getitem_2, 'sum', '0')
        return [means, getitem, all_reduce, all_reduce_1]
"""


IMAGES = [["dp"], [], [], []]
CONVOLVED = {"mesh": [["dp", 2]], "groups": {"0": [0, 1]}, "inputs": {"g": IMAGES, "x": IMAGES, "y": IMAGES}, "default": "replicated", "outputs": [IMAGES, IMAGES, "replicated", "replicated"]}
ALIKE = {"mesh": [["dp", 2]], "default": "replicated", "outputs": ["replicated"]}
NO_DIAGONAL = memory('tril: "f32[4, 4]" = torch.ops.aten.tril.default(x, -1)', 'triu: "f32[4, 4]" = torch.ops.aten.triu.default(x, 1)',
                     'add: "f32[4, 4]" = torch.ops.aten.add.Tensor(tril, triu)', "return [add]")
ON_DIAGONAL = memory('diagonal: "f32[4]" = torch.ops.aten.diagonal.default(clone)', 'zero_: "f32[4]" = torch.ops.aten.zero_.default(diagonal)', "return [clone]")
PIECES = memory("unsafe_split = torch.ops.aten.unsafe_split.Tensor(clone, 2, 1)", 'getitem: "f32[4, 2]" = unsafe_split[0]', 'zero_: "f32[4, 2]" = torch.ops.aten.zero_.default(getitem)', "return [clone]")
HALF = memory('slice_1: "f32[4, 2]" = torch.ops.aten.slice.Tensor(x, 1, 2, 4)', 'constant_pad_nd: "f32[4, 4]" = torch.ops.aten.constant_pad_nd.default(slice_1, [2, 0])', "return [constant_pad_nd]")
OWN_ITEM = memory("max_1 = torch.ops.aten.max.dim(x, 1)", 'getitem: "f32[4]" = max_1[0]', 'mul_: "f32[4]" = torch.ops.aten.mul_.Tensor(getitem, 2.0)', "return [getitem]")
TWICE_MOST = memory('mul: "f32[4, 4]" = torch.ops.aten.mul.Tensor(x, 2.0)', 'amax: "f32[4]" = torch.ops.aten.amax.default(mul, [1])', "return [amax]")
SORTED = memory('slice_1: "f32[4, 2]" = torch.ops.aten.slice.Tensor(x, 1, 0, 2)', 'zeros: "f32[4, 2]" = torch.ops.aten.zeros.default([4, 2])',
                "sort = torch.ops.aten.sort.default(slice_1, 1)", 'getitem: "i64[4, 2]" = sort[1]', 'scatter: "f32[4, 2]" = torch.ops.aten.scatter.src(zeros, {dim}, getitem, slice_1)', "return [scatter]")


def ranks(text):
    return [text.replace("{rank}", str(r)) for r in range(2)]


# name, sequential, texts of the ranks (one string: a single file), relation, verdict
def one_tensor(*lines, result="c"):
    """A graph of one tensor; lines are `name = operator(arguments)`, all values f32[4]."""
    text = HEAD.format('x: "f32[4]"')
    for line in lines:
        name, call = line.split(" = ", 1)
        text += f'        {name} = torch.ops.{call}\n' if name.startswith("s") else f'        {name}: "f32[4]" = {"torch.ops." * ("." in call)}{call}\n'
    return text + f"        return [{result}]\n"


TWO_GROUPS = {"mesh": [["dp", 2]], "groups": {"0": [0, 1], "1": [0, 1]}, "default": "replicated", "outputs": ["replicated"]}
TWICE, SAME = one_tensor("c = aten.mul.Tensor(x, 2)"), one_tensor("c = aten.clone.default(x)")
MEAN_IN_PLACE = one_tensor("c = aten.clone.default(x)", "a = _c10d_functional.all_reduce_.default(c, 'sum', '0')", "w = _c10d_functional.wait_tensor.default(a)", "q = aten.div_.Tensor(w, 2)")
MEAN_OF_LISTS = one_tensor("c = aten.clone.default(x)", "s = _c10d_functional.all_reduce_coalesced_.default([c], 'sum', '0')", "a = s[0]", "w = _c10d_functional.wait_tensor.default(a)", "q = aten.div_.Tensor(w, 2)")
IN_TURN = [one_tensor(f"a = _c10d_functional.all_reduce.default(x, 'sum', '{g}')", "b = _c10d_functional.wait_tensor.default(a)", f"d = _c10d_functional.all_reduce.default(x, 'sum', '{h}')",
                      "e = _c10d_functional.wait_tensor.default(d)", "c = aten.add.Tensor(b, e)") for g, h in ("01", "10")]
FOUR_TIMES = one_tensor("c = aten.mul.Tensor(x, 4)")
TRANSPOSED_ALIAS = HEAD.format('x: "f32[2, 2]"') + """        v: "f32[2, 2]" = torch.ops.aten.{alias}.default(x)
        t_: "f32[2, 2]" = torch.ops.aten.t_.default(v)
        return [x]
"""
TURNED, AS_IT_WAS = (HEAD.format('x: "f32[2, 2]"') + f'        c: "f32[2, 2]" = torch.ops.aten.{op}.default(x)\n        return [c]\n' for op in ("t", "clone"))

OTHER_SHAPE = ('view: "f32[24]" = torch.ops.aten.view.default(mm, [24])\n'
               '        sum_1: "f32[24]" = torch.ops._c10d_functional.all_reduce.default(view, \'sum\', \'0\')\n'
               '        all_reduce: "f32[4, 6]" = torch.ops.aten.view.default(sum_1, [4, 6])')


# Collectives among ranks that run different programs: rank 1 turns its signs twice.
def apart(call, result, group=(0, 1), placement="replicated"):
    """The ranks' texts, and the relation of x f32[2, 4] by rows and a result."""
    def rank(r):
        lines = ['v: "f32[4]" = torch.ops.aten.view.default(x, [4])']
        lines += ['n: "f32[4]" = torch.ops.aten.neg.default(v)', 'v_1: "f32[4]" = torch.ops.aten.neg.default(n)'] if r == 1 else []
        lines += [f'c: "{result}" = torch.ops._c10d_functional.{call.format(v="v_1" if r == 1 else "v")}', f'w: "{result}" = torch.ops._c10d_functional.wait_tensor.default(c)', "return [w]"]
        return f"# Graph[rank={r}]\n" + HEAD.format('x: "f32[1, 4]"') + "".join(f"        {line}\n" for line in lines)
    return [rank(0), rank(1)], {"mesh": [["dp", 2]], "groups": {"0": list(group)}, "inputs": {"x": [["dp"], []]}, "default": "replicated", "outputs": [placement]}


def of_rows(*lines):
    return HEAD.format('x: "f32[2, 4]"') + "".join(f"        {line}\n" for line in lines)


def reduced(operator, arguments="[0]"):
    return of_rows(f'c: "f32[4]" = torch.ops.aten.{operator}(x, {arguments})', "return [c]")


ALL_REDUCE, SCATTER, GATHER = "all_reduce.default({{v}}, '{}', '0')", "reduce_scatter_tensor.default({v}, 'sum', 2, '0')", "all_gather_into_tensor.default({v}, 2, '0')"
EXCHANGED, FROM_ONE = "all_to_all_single.default({v}, [2, 2], [2, 2], '0')", "broadcast.default({v}, 1, '0')"
JOINED = of_rows('c: "f32[8]" = torch.ops.aten.view.default(x, [8])', "return [c]")
CROSSED = of_rows('v: "f32[2, 2, 2]" = torch.ops.aten.view.default(x, [2, 2, 2])', 't: "f32[2, 2, 2]" = torch.ops.aten.transpose.int(v, 0, 1)', 'c: "f32[8]" = torch.ops.aten.reshape.default(t, [8])', "return [c]")
SECOND_ROW = of_rows('c: "f32[4]" = torch.ops.aten.select.int(x, 0, 1)', "return [c]")
REDUCTIONS = {"sum": reduced("sum.dim_IntList"), "avg": reduced("mean.dim"), "max": reduced("amax.default"), "min": reduced("amin.default"), "product": reduced("prod.dim_int", "0")}
APART = [
    *[(f"{kind} among two programs", text, *apart(ALL_REDUCE.format(kind), "f32[4]"), "proved") for kind, text in REDUCTIONS.items()],
    *[(f"{kind} for another among two programs", text, *apart(ALL_REDUCE.format("sum" if kind != "sum" else "avg"), "f32[4]"), "refuted") for kind, text in REDUCTIONS.items()],
    ("gathered among two programs", JOINED, *apart(GATHER, "f32[8]"), "proved"),
    ("gathered among two programs in another order", JOINED, *apart(GATHER, "f32[8]", (1, 0)), "refuted"),
    ("scattered among two programs", REDUCTIONS["sum"], *apart(SCATTER, "f32[2]", placement=[["dp"]]), "proved"),
    ("scattered among two programs in another order", REDUCTIONS["sum"], *apart(SCATTER, "f32[2]", (1, 0), [["dp"]]), "refuted"),
    ("exchanged among two programs", CROSSED, *apart(EXCHANGED, "f32[4]", placement=[["dp"]]), "proved"),
    ("not exchanged among two programs", JOINED, *apart(EXCHANGED, "f32[4]", placement=[["dp"]]), "refuted"),
    ("broadcast among two programs", SECOND_ROW, *apart(FROM_ONE, "f32[4]"), "proved"),
    ("broadcast from the other of two programs", SECOND_ROW, *apart(FROM_ONE.replace("1", "0", 1), "f32[4]"), "refuted"),
]

# Rows over two ranks: the mean of what labels count, a norm of norms, a sum of three products that is cut and joined before it is scattered.
BY_ROWS = {"mesh": [["dp", 2]], "groups": {"0": [0, 1]}, "default": "replicated"}


def graph(inputs, *lines, results="c"):
    """Lines are `name: type = operator(arguments)`."""
    return HEAD.format(inputs) + "".join(f"        {line.replace(' = ', ' = torch.ops.', 1)}\n" for line in lines) + f"        return [{results}]\n"


COUNTED = graph('x: "f32[4]", i: "i64[4]"', 'ne: "b8[4]" = aten.ne.Scalar(i, -100)', 'f: "f32[4]" = aten._to_copy.default(ne, dtype = torch.float32)', 'n: "f32[]" = aten.sum.default(f)',
                's: "f32[]" = aten.sum.default(x)', 'c: "f32[]" = aten.div.Tensor(s, n)')
COUNT_APART = graph('x: "f32[2]", i: "i64[2]"', 'ne: "b8[2]" = aten.ne.Scalar(i, -100)', 'n: "i64[]" = aten.sum.default(ne)', "m: \"i64[]\" = _c10d_functional.all_reduce.default(n, 'sum', '0')",
                    's: "f32[]" = aten.sum.default(x)', "t: \"f32[]\" = _c10d_functional.all_reduce.default(s, 'sum', '0')", 'c: "f32[]" = aten.div.Tensor(t, m)')
LABELLED = {**BY_ROWS, "inputs": {"x": [["dp"]], "i": [["dp"]]}, "ranges": {"i": [-100, 3]}, "outputs": ["replicated"]}
NORM = graph('a: "f32[4]", b: "f32[6]"', 'v: "f32[]" = aten.linalg_vector_norm.default(a, 2.0)', 'w: "f32[]" = aten.linalg_vector_norm.default(b, 2.0)', 's: "f32[2]" = aten.stack.default([v, w])',
             'c: "f32[]" = aten.linalg_vector_norm.default(s, 2.0)')
NORM_APART = NORM.replace("f32[4]", "f32[2]").replace("f32[6]", "f32[3]").replace("        return", "        p: \"f32[]\" = torch.ops.aten.pow.Tensor_Scalar(c, 2)\n"
                                                                               "        r: \"f32[]\" = torch.ops._c10d_functional.all_reduce.default(p, 'sum', '0')\n"
                                                                               "        q: \"f32[]\" = torch.ops.aten.sqrt.default(r)\n        return").replace("[c]", "[q]")
VECTORS = {**BY_ROWS, "inputs": {"a": [["dp"]], "b": [["dp"]]}, "outputs": ["replicated"]}
PRODUCTS = graph('x: "f32[4, 4]", u: "f32[4, 3]", v: "f32[4, 3]", w: "f32[4, 3]"', 'a: "f32[4, 3]" = aten.mm.default(x, u)', 'b: "f32[4, 3]" = aten.mm.default(x, v)', 'd: "f32[4, 3]" = aten.mm.default(x, w)',
                 'e: "f32[4, 3]" = aten.add.Tensor(a, b)', 'f: "f32[4, 3]" = aten.add.Tensor(e, d)', 'c: "f32[4, 3]" = aten.exp.default(f)')
CUT = PRODUCTS.replace("f32[4, 4]", "f32[4, 2]").replace('u: "f32[4, 3]", v: "f32[4, 3]", w: "f32[4, 3]"', 'u: "f32[2, 3]", v: "f32[2, 3]", w: "f32[2, 3]"').replace('        c: "f32[4, 3]" = torch.ops.aten.exp.default(f)', """        view: "f32[1, 4, 3]" = torch.ops.aten.view.default(f, [1, 4, 3])
        split = torch.ops.aten.split.Tensor(view, 2, 1)
        g: "f32[1, 2, 3]" = split[0]
        h: "f32[1, 2, 3]" = split[1]
        k: "f32[2, 2, 3]" = torch.ops.aten.cat.default([g, h])
        l: "f32[1, 2, 3]" = torch.ops._c10d_functional.reduce_scatter_tensor.default(k, 'sum', 2, '0')
        m: "f32[2, 3]" = torch.ops.aten.view.default(l, [2, 3])
        c: "f32[2, 3]" = torch.ops.aten.exp.default(m)""")
MATRICES = {**BY_ROWS, "inputs": {"x": [[], ["dp"]], **{name: [["dp"], []] for name in "uvw"}}, "outputs": [[["dp"], []]]}
STEPPED = graph('p: "f32[4]", g: "f32[4]", m: "f32[4]", v: "f32[4]", n: "f32[]"', "_fused_adamw{in_place} = aten._fused_adamw{in_place}.default([p], [g], [m], [v], [], [n], lr = {rate}, beta1 = 0.875, beta2 = 0.75, "
                "weight_decay = 0.5, eps = 0.125, amsgrad = False, maximize = False)", results="{results}")
FUSED_STEP = STEPPED.format(in_place="", rate=0.25, results="c, d").replace("        return", """        getitem = _fused_adamw[0]
        c: "f32[4]" = getitem[0]
        getitem_1 = _fused_adamw[2]
        d: "f32[4]" = getitem_1[0]
        return""")
FUSED_STATE = {**BY_ROWS, "inputs": {name: [["dp"]] for name in "pgmv"}, "outputs": [[["dp"]], [["dp"]]], "ranges": {"v": [0, 4], "n": [1, 9]}}


def stepped(**given):
    return ranks(STEPPED.format(in_place="_", **{"rate": 0.25, "results": "p, m", **given}).replace("f32[4]", "f32[2]"))


# Means by counts of Booleans, and flags of any or all of them, over the ranks.
REDUCED = '{0}_: "{2}" = _c10d_functional.all_reduce.default({0}, \'{1}\', \'0\')', '{0}_1: "{2}" = _c10d_functional.wait_tensor.default({0}_)'


def reduced_over(name, kind, scalar):
    return [line.format(name, kind, scalar) for line in REDUCED]


BY_MASK = {**BY_ROWS, "inputs": {"x": [["dp"]], "m": [["dp"]]}, "outputs": ["replicated"]}
MASK = 'x: "f32[{n}]", m: "b8[{n}]"'


def mean_of(n, *lines, masked=True, results="c"):
    """s: the sum of x, masked by m; k: the count of m."""
    first = ['f: "f32[{n}]" = aten._to_copy.default(m, dtype = torch.float32)', 'p: "f32[{n}]" = aten.mul.Tensor(x, f)' if masked else 'p: "f32[{n}]" = aten.exp.default(x)',
             's: "f32[]" = aten.sum.default(p)', 'k: "i64[]" = aten.sum.default(m)', 'g: "f32[]" = aten.sum.default(f)']
    return graph(MASK.format(n=n), *[line.replace("{n}", str(n)) for line in [*first, *lines]], results=results)


def mean_apart(count="k_1", masked=True):
    """Each rank divides its own sum by the count over all ranks."""
    return ranks(mean_of(2, *reduced_over("k", "sum", "i64[]"), f'd: "f32[]" = aten.div.Tensor(s, {count})', *reduced_over("d", "sum", "f32[]"), masked=masked, results="d_1"))


def mean_of_means(weight="g", least=1, total="g_1", of="g"):
    """Means of the ranks, weighted by their counts."""
    return ranks(mean_of(2, f'l: "{"i64" if of == "k" else "f32"}[]" = aten.clamp_min.default({of}, {least})', 'd: "f32[]" = aten.div.Tensor(s, l)', f'w: "f32[]" = aten.mul.Tensor(d, {weight})', *reduced_over("w", "sum", "f32[]"),
                         *reduced_over("g", "sum", "f32[]"), *([] if of == "k" else reduced_over("l", "sum", "f32[]")), f'c: "f32[]" = aten.div.Tensor(w_1, {total})'))


MEAN, MEAN_OF_ALL = (mean_of(4, 'c: "f32[]" = aten.div.Tensor(s, k)', masked=masked) for masked in (True, False))
MEAN_BY_SUM = mean_of(4, 'c: "f32[]" = aten.div.Tensor(s, g)')


def flag(n, among, kind=None, compare=None):
    """Any or all of x > 0 as a number; compared with a number where the ranks' are joined."""
    lines = [f'b: "b8[{n}]" = aten.gt.Scalar(x, 0.0)', f'a: "b8[]" = aten.{among}.default(b)', 'h: "f32[]" = aten._to_copy.default(a, dtype = torch.float32)']
    lines += reduced_over("h", kind, "f32[]") if kind else ['h_1: "f32[]" = aten.clone.default(h)']
    return graph(f'x: "f32[{n}]"', *lines, 'c: "b8[]" = aten.gt.Scalar(h_1, {})'.format(compare) if compare else 'c: "f32[]" = aten.clone.default(h_1)')


def over_vocabulary(rank, ignored="ign", counted=-100, mean=True, test="eq.Scalar(y, -100)"):
    """The loss of rows whose vocabulary is split: the label's score is looked up on the rank that has it."""
    score = ["lt: \"b8[5]\" = aten.lt.Scalar(y, {lo})", "ge: \"b8[5]\" = aten.ge.Scalar(y, {hi})", 'out: "b8[5]" = aten.bitwise_or.Tensor(lt, ge)', 'sub: "i64[5]" = aten.sub.Tensor(y, {lo})',
             'own: "i64[5]" = aten.masked_fill.Scalar(sub, out, 0)', 'at: "i64[5, 1]" = aten.unsqueeze.default(own, 1)', 'pk: "f32[5, 1]" = aten.gather.default(u, 1, at)',
             'pl: "f32[5]" = aten.squeeze.dim(pk, 1)', 'v: "f32[5]" = aten.masked_fill.Scalar(pl, out, 0.0)', *reduced_over("v", "sum", "f32[5]")]
    return graph('x: "f32[5, 4]", y: "i64[5]"', 'h: "f32[5, 1]" = aten.amax.default(x, [-1], True)', *reduced_over("h", "max", "f32[5, 1]"), 'u: "f32[5, 4]" = aten.sub.Tensor(x, h_1)',
                 'e: "f32[5, 4]" = aten.exp.default(u)', 'z: "f32[5]" = aten.sum.dim_IntList(e, [-1])', *reduced_over("z", "sum", "f32[5]"), *[line.format(lo=4 * rank, hi=4 * rank + 4) for line in score],
                 'l: "f32[5]" = aten.log.default(z_1)', 'd: "f32[5]" = aten.sub.Tensor(l, v_1)', f'ign: "b8[5]" = aten.{test}', f'w: "f32[5]" = aten.masked_fill.Scalar(d, {ignored}, 0.0)',
                 's: "f32[]" = aten.sum.default(w)', f'ne: "b8[5]" = aten.ne.Scalar(y, {counted})', 'k: "i64[]" = aten.sum.default(ne)', 'c: "f32[]" = aten.div.Tensor(s, k)', results="c" if mean else "s")


def whole_vocabulary(mean=True):
    text = graph('x: "f32[5, 8]", y: "i64[5]"', 'ls: "f32[5, 8]" = aten._log_softmax.default(x, 1, False)')
    return text.replace("        return", f"        nl = torch.ops.aten.nll_loss_forward.default(ls, y, None, {1 if mean else 2}, -100)\n        c: \"f32[]\" = nl[0]\n        n = nl[1]\n        return")


IGNORED = {**BY_ROWS, "inputs": {"x": [[], ["dp"]]}, "outputs": ["replicated"], "ranges": {"y": [0, 8]}, "ignore": {"y": [-100, 0.3]}}
IGNORED_APART = {**IGNORED, "inputs": {"x": [["dp"]], "y": [["dp"]]}, "outputs": [[["dp"]]]}
SPLIT_LABELS = 'x: "f32[{n}]", y: "i64[{n}]"'
FLAGGED = {**BY_ROWS, "inputs": {"x": [["dp"]]}, "outputs": ["replicated"]}
FLAGGED_ROWS = {**FLAGGED, "outputs": [[["dp"]]]}
# Integers are received into what nobody has written, through a view of it; a copy that need not block; Booleans put in order.
RECEIVED = HEAD.format('x: "i64[4]"') + """        empty: "i64[2, 4]" = torch.ops.aten.empty.memory_format([2, 4], dtype = torch.int64, device = device(type='cpu'), pin_memory = False)
        view: "i64[8]" = torch.ops.aten.view.default(empty, [-1]);  empty = None
        all_gather_into_tensor: "i64[8]" = torch.ops._c10d_functional.all_gather_into_tensor.default(x, 2, '0');  x = None
        wait_tensor: "i64[8]" = torch.ops._c10d_functional.wait_tensor.default(all_gather_into_tensor);  all_gather_into_tensor = None
        copy: "i64[8]" = torch.ops.aten.copy.default(view, wait_tensor, True);  view = wait_tensor = None
        flip: "i64[8]" = torch.ops.aten.{f}.default(copy{args})
        return [flip]
"""
GATHERED_TO_ALL = {"mesh": [["dp", 2]], "groups": {"0": [0, 1]}, "inputs": {"x": [["dp"]]}, "outputs": ["replicated"]}
KEPT = HEAD.format('x: "i64[8]"') + '        alias: "i64[8]" = torch.ops.aten.alias.default(x)\n        return [alias]\n'
ORDERED = HEAD.format('m: "b8[{n}, 4]"') + """        sort = torch.ops.aten.sort.stable(m, stable = True, dim = 1, descending = {d})
        a: "b8[{n}, 4]" = sort[0]
        b: "i64[{n}, 4]" = sort[1]
        return [a, b]
"""
BY_FLAGS = {"mesh": [["dp", 2]], "inputs": {"m": [["dp"], []]}, "outputs": [[["dp"], []], [["dp"], []]]}
RECEIVERS = [
    ("integers received through a view", KEPT, [RECEIVED.format(f="alias", args="")] * 2, GATHERED_TO_ALL, "proved"),
    ("integers received through a view, and turned round", KEPT, [RECEIVED.format(f="flip", args=", [0]")] * 2, GATHERED_TO_ALL, "refuted"),
    ("flags in order", ORDERED.format(n=6, d=False), [ORDERED.format(n=3, d=False)] * 2, BY_FLAGS, "proved"),
    ("flags in the other order", ORDERED.format(n=6, d=False), [ORDERED.format(n=3, d=True)] * 2, BY_FLAGS, "refuted"),
]
COUNTS = [
    ("a mean by a count of Booleans", MEAN, mean_apart(), BY_MASK, "proved"),
    ("a mean by a count of the rank's Booleans", MEAN, mean_apart("k"), BY_MASK, "refuted"),
    ("a mean of what no mask has by a count", MEAN_OF_ALL, mean_apart(masked=False), BY_MASK, "proved"),
    ("a mean of what no mask has by the rank's count", MEAN_OF_ALL, mean_apart("k", False), BY_MASK, "refuted"),
    ("a mean of means weighted by counts", MEAN_BY_SUM, mean_of_means(), BY_MASK, "proved"),
    ("a mean of means weighted by counts of integers", MEAN_BY_SUM, mean_of_means("k", of="k"), BY_MASK, "proved"),
    ("a mean of means of counts from two on", MEAN, mean_of_means(least=2), BY_MASK, "refuted"),
    ("a mean of means by counts from one on", MEAN, mean_of_means(total="l_1"), BY_MASK, "refuted"),
    ("a split vocabulary and ignored labels", whole_vocabulary(), [over_vocabulary(r) for r in range(2)], IGNORED, "proved"),
    ("a split vocabulary and ignored labels, summed", whole_vocabulary(False), [over_vocabulary(r, mean=False) for r in range(2)], IGNORED, "proved"),
    ("a split vocabulary and ignored labels that count", whole_vocabulary(), [over_vocabulary(r, counted=-101) for r in range(2)], IGNORED, "refuted"),
    ("a split vocabulary and ignored labels that are not masked", whole_vocabulary(False), [over_vocabulary(r, "ge", mean=False) for r in range(2)], IGNORED, "refuted"),
    ("a split vocabulary and labels below zero", whole_vocabulary(), [over_vocabulary(r, test="lt.Scalar(y, -7)") for r in range(2)], IGNORED, "proved"),
    ("a split vocabulary and labels up to zero", whole_vocabulary(), [over_vocabulary(r, test="le.Scalar(y, 0)") for r in range(2)], IGNORED, "refuted"),
    *[(f"a split vocabulary and ignored labels above it{what}", whole_vocabulary(mean).replace("-100", "100000"), [over_vocabulary(r, mean=mean, **more).replace("-100", "100000") for r in range(2)],
       {**IGNORED, "ignore": {"y": [100000, 0.3]}}, verdict)
      for what, mean, more, verdict in [("", True, {}, "proved"), (", summed", False, {}, "proved"), (", that count", True, {"counted": 100001}, "refuted"), (", not masked", False, {"ignored": "ge"}, "refuted"),
                                        (", masked from 8 on", False, {"test": "ge.Scalar(y, 8)"}, "proved"), (", masked from 7 on", False, {"test": "ge.Scalar(y, 7)"}, "refuted")]],
    ("ignored labels that no graph reads", graph(SPLIT_LABELS.format(n=4), 'c: "f32[4]" = aten.exp.default(x)'), ranks(graph(SPLIT_LABELS.format(n=2), 'c: "f32[2]" = aten.exp.default(x)')), IGNORED_APART, "proved"),
    ("ignored labels that only one side reads", graph(SPLIT_LABELS.format(n=4), 'n: "b8[4]" = aten.ne.Scalar(y, -100)', 'c: "f32[4]" = aten.mul.Tensor(x, n)'), ranks(graph(SPLIT_LABELS.format(n=2), 'c: "f32[2]" = aten.clone.default(x)')), IGNORED_APART, "refuted"),
    ("any by a maximum", flag(4, "any"), ranks(flag(2, "any", "max")), FLAGGED, "proved"),
    ("any by a minimum", flag(4, "any"), ranks(flag(2, "any", "min")), FLAGGED, "refuted"),
    ("all by a minimum", flag(4, "all"), ranks(flag(2, "all", "min")), FLAGGED, "proved"),
    ("all by a maximum", flag(4, "all"), ranks(flag(2, "all", "max")), FLAGGED, "refuted"),
    ("any by a sum of flags", flag(4, "any", compare="0.0"), ranks(flag(2, "any", "sum", "0.0")), FLAGGED, "proved"),
    ("any by two flags", flag(4, "any", compare="0.0"), ranks(flag(2, "any", "sum", "1.0")), FLAGGED, "refuted"),
]


def best_of(n, own=2, offset=None, order=""):
    """The two best of rows of n scores; `offset`: of the `own` best of a part of them, gathered, with their places in the whole row."""
    select = lambda at, x, n, k: [f"{at} = aten.topk.default({x}, {k})"] if not order else [f"{at} = aten.sort.stable({x}, stable = {order == 'stable'}, dim = -1, descending = True)"]
    taken = lambda at, k, width, v, i: [f'{v}w: "f32[5, {width}]" = getitem({at}, 0)', f'{i}w: "i64[5, {width}]" = getitem({at}, 1)',
                                        f'{v}: "f32[5, {k}]" = aten.slice.Tensor({v}w, 1, 0, {k})', f'{i}: "i64[5, {k}]" = aten.slice.Tensor({i}w, 1, 0, {k})']
    lines = select("t", "x", n, 2 if offset is None else own) + taken("t", 2 if offset is None else own, n if order else 2 if offset is None else own, "v", "i")
    if offset is not None:
        lines += [f'j: "i64[5, {own}]" = aten.add.Tensor(i, {offset})']
        for x, kind in (("v", "f32"), ("j", "i64")):
            lines += [f'{x}a: "{kind}[10, {own}]" = _c10d_functional.all_gather_into_tensor.default({x}, 2, \'0\')', f'{x}b: "{kind}[10, {own}]" = _c10d_functional.wait_tensor.default({x}a)',
                      f'{x}c: "{kind}[2, 5, {own}]" = aten.view.default({x}b, [2, 5, {own}])', f'{x}d: "{kind}[5, 2, {own}]" = aten.permute.default({x}c, [1, 0, 2])',
                      f'{x}e: "{kind}[5, {2 * own}]" = aten.reshape.default({x}d, [5, {2 * own}])']
        lines += ["u = aten.topk.default(ve, 2)", 'r: "f32[5, 2]" = getitem(u, 0)', 'w: "i64[5, 2]" = getitem(u, 1)', 'g: "i64[5, 2]" = aten.gather.default(je, 1, w)']
    text = graph(f'x: "f32[5, {n}]"', *lines, results="v, i" if offset is None else "r, g")
    return re.sub(r'( \w+): "[^"]*" = torch\.ops\.getitem\((\w+), (\d)\)', r"\1 = \2[\3]", text)


SCORES = {**BY_ROWS, "inputs": {"x": [[], ["dp"]]}, "outputs": ["replicated"] * 2}
BEST = [
    ("the best of the best of two parts", best_of(8), [best_of(4, offset=4 * r) for r in range(2)], SCORES, "proved"),
    ("the best of whole parts", best_of(8), [best_of(4, own=4, offset=4 * r) for r in range(2)], SCORES, "proved"),
    ("the best of parts, by a stable sort", best_of(8), [best_of(4, offset=4 * r, order="stable") for r in range(2)], SCORES, "proved"),
    ("the best of one of each part", best_of(8), [best_of(4, own=1, offset=4 * r) for r in range(2)], SCORES, "refuted"),
    ("the best of two parts by places in the parts", best_of(8), [best_of(4, offset=0) for r in range(2)], SCORES, "refuted"),
    ("the best of two parts by places among those kept", best_of(8), [best_of(4, offset=2 * r) for r in range(2)], SCORES, "refuted"),
]
SUMS = [
    *COUNTS,
    *RECEIVERS,
    *BEST,
    ("a fused step in place", FUSED_STEP, stepped(), FUSED_STATE, "proved"),
    ("a fused step in place at another rate", FUSED_STEP, stepped(rate=0.5), FUSED_STATE, "refuted"),
    ("a fused step in place, the moment of squares", FUSED_STEP, stepped(results="p, v"), FUSED_STATE, "refuted"),
    ("a mean of what labels count", COUNTED, ranks(COUNT_APART), LABELLED, "proved"),
    ("a mean of what labels of the rank count", COUNTED, ranks(COUNT_APART.replace("(t, m)", "(t, n)")), LABELLED, "refuted"),
    ("a norm of norms", NORM, ranks(NORM_APART), VECTORS, "proved"),
    ("a norm of a norm twice", NORM, ranks(NORM_APART.replace("[v, w]", "[v, v]")), VECTORS, "refuted"),
    ("a sum that is cut and joined", PRODUCTS, ranks(CUT), MATRICES, "proved"),
    ("a sum that is cut and joined in another order", PRODUCTS, ranks(CUT.replace("[g, h]", "[h, g]")), MATRICES, "refuted"),
]

NEGATED = [text.replace(f"return [{y}]", f'neg: "f32[4, 6]" = torch.ops.aten.neg.default({y})\n        return [neg]') for text, y in ((SEQUENTIAL, "mm"), (RANK, "copy"))]
PAIRS = [
    *SUMS,
    ("a write after a wait", SAME, ranks(MEAN_IN_PLACE), TWO_GROUPS, "proved"),
    ("a wait gives its own tensor", TWICE, ranks(MEAN_IN_PLACE), TWO_GROUPS, "refuted"),
    ("a list reduced in place", SAME, ranks(MEAN_OF_LISTS), TWO_GROUPS, "proved"),
    ("a list reduced in place and not divided", SAME, ranks(MEAN_OF_LISTS.replace("(w, 2)", "(w, 1)")), TWO_GROUPS, "refuted"),
    ("a list added to in place", TWICE, ranks(one_tensor("c = aten.clone.default(x)", "s = aten._foreach_add_.List([c], [x])")), TWO_GROUPS, "proved"),
    ("two groups in one order", FOUR_TIMES, [IN_TURN[0]] * 2, TWO_GROUPS, "proved"),
    ("two groups in a circle", FOUR_TIMES, IN_TURN, TWO_GROUPS, "refuted"),
    ("another object keeps its shape", AS_IT_WAS, ranks(TRANSPOSED_ALIAS.format(alias="alias")), TWO_GROUPS, "proved"),
    ("another object changes its shape", TURNED, ranks(TRANSPOSED_ALIAS.format(alias="alias")), TWO_GROUPS, "refuted"),
    ("one object after a wait", TURNED, ranks(TRANSPOSED_ALIAS.format(alias="wait_tensor").replace("aten.wait", "_c10d_functional.wait")), TWO_GROUPS, "proved"),
    *[(f"bounds of {kind} that bind nothing: {other}", graph(f'x: "{kind}[4]"', f'c: "{kind}[4]" = aten.{one}'), ranks(graph(f'x: "{kind}[2]"', f'c: "{kind}[2]" = aten.{other}')), FLAGGED_ROWS, verdict)
      for kind, one, other, verdict in [("u8", "clamp.default(x, -3, 300)", "clamp.default(x, 253, 44)", "refuted"), ("u8", "clamp.default(x, -3, 300)", "clone.default(x)", "proved"),
                                        ("i8", "clamp_max.default(x, 300)", "clone.default(x)", "proved"), ("i8", "clamp_max.default(x, 300)", "clamp_max.default(x, 44)", "refuted"),
                                        ("i32", "clamp_min.default(x, -4294967297)", "clone.default(x)", "proved"), ("i32", "clamp_min.default(x, -4294967297)", "clamp_min.default(x, -1)", "refuted")]],
    ("plain", SEQUENTIAL, ranks(RANK), RELATION, "proved"),
    ("groups along axes", SEQUENTIAL, ranks(RANK), {**RELATION, "groups": {"*": ["tp"]}}, "proved"),
    ("groups as a partition", SEQUENTIAL, ranks(RANK), {**RELATION, "groups": {"0": [[1, 0]]}}, "proved"),
    ("missing reduction", SEQUENTIAL, ranks(body([])), RELATION, "refuted"),
    ("another group name a rank", SEQUENTIAL, [ranks(RANK)[0], ranks(RANK)[1].replace("'0')", "'9')")], {**RELATION, "groups": {"0": [0, 1], "9": [0, 1]}}, "proved"),
    ("boxed all_reduce in place", SEQUENTIAL, ranks(IN_PLACE), {**RELATION, **OBJECTS}, "proved"),
    ("shared buffer", SEQUENTIAL, ranks(SHARED), RELATION, "proved"),
    ("writes through views", SEQUENTIAL, ranks(VIEWS.replace("mul_.Tensor(slice_1, 2.0)", "mul_.Tensor(slice_1, 2.0)")), RELATION, "proved"),
    ("a view written by half", SEQUENTIAL, ranks(VIEWS.replace("div_.Tensor(getitem, 2)", "div_.Tensor(getitem_1, 2)").replace('div_: "f32[4, 4]"', 'div_: "f32[4, 2]"')), RELATION, "refuted"),
    ("a value from before the write", SEQUENTIAL, ranks(STALE), RELATION, "refuted"),
    ("a write into a diagonal", NO_DIAGONAL, ranks(ON_DIAGONAL), ALIKE, "proved"),
    ("a diagonal that is not written", NO_DIAGONAL, ranks(ON_DIAGONAL.replace("zero_.default(diagonal)", "zeros_like.default(diagonal)")), ALIKE, "refuted"),
    ("a write into a piece", HALF, ranks(PIECES), ALIKE, "proved"),
    ("a write into the other piece", HALF, ranks(PIECES.replace("unsafe_split[0]", "unsafe_split[1]")), ALIKE, "refuted"),
    ("a write into one of several results", TWICE_MOST, ranks(OWN_ITEM), ALIKE, "proved"),
    ("gradients of overlapping windows", windows(4), ranks(windows(2)), CONVOLVED, "proved"),
    ("a kernel's gradient that is not reduced", windows(4), ranks(windows(2).replace("return [means, getitem, all_reduce,", "return [means, getitem, getitem_1,")), CONVOLVED, "refuted"),
    ("a batch's gradient over the wrong rows", windows(4), ranks(windows(2).replace("default(g, x, w", "default(g_1, x, w").replace("        means", '        g_1: "f32[2, 3, 4, 4]" = torch.ops.aten.flip.default(g, [0])\n        means', 1)), CONVOLVED, "refuted"),
    ("places of a sort differ", SORTED.format(dim=1), ranks(SORTED.format(dim=1)), ALIKE, "proved"),
    ("offsets of the rank", LOOKUP, offsets(), TABLES, "proved"),
    ("a wrong upper bound", LOOKUP, offsets(wrong=True), TABLES, "refuted"),
    ("offsets and any index, masked on both sides", MASKED, offsets(), {k: v for k, v in TABLES.items() if k != "ranges"}, "proved"),
    ("another piece a rank", WHOLE, [PIECE.format(r=r) for r in range(2)], {"mesh": [["tp", 2]], "default": "replicated", "outputs": [[["tp"], []]]}, "proved"),
    ("pieces the wrong way round", WHOLE, [PIECE.format(r=1 - r) for r in range(2)], {"mesh": [["tp", 2]], "default": "replicated", "outputs": [[["tp"], []]]}, "refuted"),
    ("flat and padded", FLAT, [FLAT_RANK] * 2, FLAT_RELATION, "proved"),
    ("interleaved log", SEQUENTIAL, log(ranks(RANK)), RELATION, "proved"),
    ("uneven exchange", ROWS, exchange(SENT), EXCHANGE, "proved"),
    ("uneven exchange of the wrong rows", ROWS.replace("(x, 0, 5, 8)", "(x, 0, 7, 10)"), exchange(SENT), EXCHANGE, "refuted"),
    ("attention by heads", attention(4), [attention(2)] * 2, ATTENTION, "proved"),
    ("attention without its mask", attention(4), [attention(2, extra="0.0, False")] * 2, ATTENTION, "refuted"),
    ("symbolic sizes", SIZED, [SIZED] * 2, SIZES, "proved"),
    ("forward and backward of a log", whole_step(), steps(2), {**STEP, "outputs": [[["dp"], []], {"partial": ["dp"]}]}, "proved"),
    ("a gradient that is not summed", whole_step(), steps(2), {**STEP, "outputs": [[["dp"], []], "replicated"]}, "refuted"),
    ("outputs by name", SEQUENTIAL, ranks(RANK), {**RELATION, "outputs": {"mm": {"equals": "copy"}}}, "proved"),
    ("partial", SEQUENTIAL, ranks(body([])), {**RELATION, "outputs": [{"partial": ["tp"]}]}, "proved"),
    *[(kind, nested(kind, 8, False), [nested(kind, 4)] * 2, NESTED[kind], "proved") for kind in NESTED],
    *[(f"{kind}, one thing changed", nested(kind, 8, False), [nested(kind, 4, wrong=True)] * 2, NESTED[kind], "refuted") for kind in NESTED],
    *[(f"{kind} without its sum", nested(kind, 8, False), [nested(kind, 4, False)] * 2, NESTED[kind], "refuted") for kind in NESTED],
    *[(f"{kind}, a marked region", region(kind, 8, False), [region(kind, 4, True)] * 2, RELATION, "proved") for kind in ("wrap", "checkpoint", "invoke")],
    ("dropout with one mask", dropout(4), [dropout(4)] * 2, drawn("replicated"), "proved"),
    ("dropout by blocks of a mask", dropout(4), [dropout(2)] * 2, drawn({"placement": [["tp"], []]}, [["tp"], []]), "proved"),
    ("dropout by blocks of the wrong mask", dropout(4, 4), [dropout(2, 4).replace("x:", "y:").replace("(x,", "(t,").replace("        native", '        t: "f32[2, 4]" = torch.ops.aten.neg.default(y)\n        native', 1).replace("y:", "x:").replace("(y)", "(x)")] * 2,
     drawn([["tp"], []], [["tp"], []]), "refuted"),
    ("random numbers by blocks", random(4), [random(2)] * 2, {"mesh": [["tp", 2]], "default": [["tp"], []], "masks": {"rand": [["tp"], []]}, "outputs": [[["tp"], []]]}, "proved"),
    ("random numbers in the wrong place", random(4), [random(2).replace("mul.Tensor(x, rand)", "sub.Tensor(x, rand)")] * 2, {"mesh": [["tp", 2]], "default": [["tp"], []], "masks": {"rand": [["tp"], []]}, "outputs": [[["tp"], []]]}, "refuted"),
    ("shapes changed in place", SEQUENTIAL, ranks(reshaped(2.0)), RELATION, "proved"),
    ("shapes changed in place, another factor", SEQUENTIAL, ranks(reshaped(1.0)), RELATION, "refuted"),
    *PLACED,
    ("places of maxima", places(4), [places(2)] * 2, ROWWISE, "proved"),
    ("places of maxima on one rank", places(4), [places(2), places(2, "1")], ROWWISE, "refuted"),
    *APART,
    ("the same buffer in another shape", SEQUENTIAL, [ranks(RANK)[0], ranks(RANK)[1].replace(REDUCE.split("\n")[0].strip(), OTHER_SHAPE)], RELATION, "proved"),
    ("cut", NEGATED[0], ranks(NEGATED[1]), {**RELATION, "cut": {"mm": {"node": "copy", "placement": "replicated"}}}, "proved"),
]
S, R, A = "sequential", "rank1", "ranks"
CALL = REDUCE.split("\n")[0].strip()
# name, file, old, new, code
BROKEN = [
    ("a kernel of another rank", S, '        mm: "f32[4, 6]" = torch.ops.aten.mm.default(x, w)',
     '        u: "f32[1, 4, 8]" = torch.ops.aten.unsqueeze.default(x, 0)\n        mm: "f32[4, 6]" = torch.ops.aten.convolution.default(u, w, None, [1], [0], [1], False, [0], 1)', "N003"),
    ("empty", S, SEQUENTIAL, "", "P001"), ("other language", S, SEQUENTIAL, "HloModule m\n", "P001"), ("no class", S, "class GraphModule(torch.nn.Module):\n", "", "P001"),
    ("no def", S, "    def forward", "    fed forward", "P001"), ("no self", S, "(self, ", "(", "P001"), ("open parameters", S, '"f32[8, 6]"):', '"f32[8, 6]"', "P001"),
    ("a view of what nobody has written", S, "return [mm]", "e: \"i64[4]\" = torch.ops.aten.empty.memory_format([4], dtype = torch.int64)\n        v: \"i64[2, 2]\" = torch.ops.aten.view.default(e, [2, 2])\n        b: \"i64[2, 2]\" = torch.ops.aten.add.Tensor(v, 1)\n        return [b]", "N003"),
    ("no return", S, "        return [mm]\n", "", "P001"), ("two returns", S, "return [mm]", "return [mm]\n        return [mm]", "P001"), ("return of a number", S, "[mm]", "[3]", "P001"),
    ("return of nobody", S, "return [mm]", "return [nn]", "P002"), ("unknown operand", S, "default(x, w)", "default(x, v)", "P002"), ("later operand", S, "default(x, w)", "default(x, mm)", "P002"),
    ("defined twice", S, "        return", '        mm: "f32[4, 6]" = torch.ops.aten.neg.default(mm)\n        return', "P003"), ("parameter twice", S, 'w: "f32[8, 6]"', 'x: "f32[8, 6]"', "P003"),
    ("parameter again", S, "        mm:", "        x:", "P003"), ("no type", S, 'x: "f32[4, 8]"', "x", "P001"), ("bad type", S, '"f32[4, 8]"', '"q32[4, 8]"', "P001"),
    ("bad extent", S, '"f32[4, 8]"', '"f32[4; 8]"', "N003"), ("open type", S, '"f32[4, 8]"', '"f32[4, 8"', "P001"), ("symbol", S, '"f32[4, 8]"', '"f32[s0, 8]"', "N003"),
    ("unbound size", S, SEQUENTIAL, SIZED, "N003"), ("symbol input", S, 'w: "f32[8, 6]"', 'w: "f32[8, 6]", s0: "Sym(s0)"', "N003"), ("huge extent", S, '"f32[4, 8]"', '"f32[99999999999999999999, 8]"', "T003"),
    ("huge product", S, '"f32[4, 8]"', '"f32[9999999999, 9999999999]"', "T003"), ("negative extent", S, '"f32[4, 8]"', '"f32[-4, 8]"', "T003"), ("open string", S, '"f32[4, 6]" =', '"f32[4, 6] =', "P001"),
    ("no operator", S, "torch.ops.aten.mm.default(x, w)", "x @ w", "P001"), ("no overload", S, "aten.mm.default(", "aten.mm(", "P001"), ("python call", S, "torch.ops.aten.mm.default(x, w)", "len(x)", "P002"),
    ("misspelt operator", S, "aten.mm.default(", "aten.nm.default(", "N001"), ("other namespace", S, "torch.ops.aten.mm.default(", "torch.ops.mylib.mm.default(", "N001"),
    ("higher order", S, "torch.ops.aten.mm.default(x, w)", "torch.ops.higher_order.flex_attention(x, w)", "N001"), ("no graph", S, "torch.ops.aten.mm.default(x, w)", "torch.ops.higher_order.cond(x, w)", "N003"), ("too many arguments", S, "(x, w);", "(x, w, w);", "N003"), ("too few arguments", S, "(x, w);", "(x);", "N003"),
    ("unknown keyword", S, "(x, w);", "(x, w, out_dtype = torch.float32);", "N003"), ("given twice", S, "(x, w);", "(x, w, mat2 = w);", "N003"), ("position behind keyword", S, "(x, w);", "(self = x, w);", "P001"),
    ("number for a tensor", S, "(x, w);", "(x, 3);", "N003"), ("list for a tensor", S, "(x, w);", "(x, [w]);", "N003"), ("open call", S, "(x, w);  x = w = None", "(x, w", "P001"), ("no comma", S, "(x, w);", "(x w);", "P001"),
    ("bad tail", S, "x = w = None", "x + w", "P001"), ("number in the tail", S, "x = w = None", "x = 3", "P001"), ("huge number", S, "(x, w);", "(x, 99999999999999999999);", "P004"), ("bad number", S, "(x, w);", "(x, 1.2.3);", "P001"),
    ("beyond doubles", S, "(x, w);", "(x, 1e999);", "P004"), ("deep list", S, "(x, w);", "(x, " + "[" * 60 + "]" * 60 + ");", "P006"), ("shapes do not fit", S, 'w: "f32[8, 6]"', 'w: "f32[7, 6]"', "T002"),
    ("printed type", S, 'mm: "f32[4, 6]"', 'mm: "f32[4, 7]"', "T001"), ("printed element type", S, 'mm: "f32[4, 6]"', 'mm: "f64[4, 6]"', "T001"), ("item of a tensor", S, "        return [mm]", '        g: "f32[6]" = mm[0]\n        return [g]', "T002"),
    ("item by name", S, "        return [mm]", "        g = mm[x]\n        return [g]", "P001"), ("a write in a nested graph", S, SEQUENTIAL, nested("cond", 8, False).replace("aten.mul.Tensor(a, 2)", "aten.mul_.Tensor(a, 2)"), "N003"),
    ("no such nested graph", S, SEQUENTIAL, nested("cond", 8, False).replace("class false_graph_0", "class false_graph_1"), "N003"), ("another number of operands", S, SEQUENTIAL, nested("cond", 8, False).replace("(x, w))", "(x,))"), "N003"),
    ("branches of other types", S, SEQUENTIAL, nested("cond", 8, False).replace("            return (mm,)\n", "            return (mm, mm)\n", 1), "N003"), ("a condition of several", S, SEQUENTIAL, nested("cond", 8, False).replace("b8[]", "b8[3]"), "N003"),
    ("operands of other types", S, SEQUENTIAL, nested("cond", 8, False).replace('a: "f32[4, 8]"', 'a: "f32[4, 9]"'), "T001"), ("a body that gives other types", S, SEQUENTIAL, nested("while", 8, False).replace("(n, add)", "(add, n)"), "N003"),
    ("nothing to scan along", S, SEQUENTIAL, nested("scan", 8, False).replace("[xs]", "[]").replace("xs: ", "x: ").replace("return [getitem, getitem_1]", "return [getitem]"), "N003"), ("a nested graph that is cut off", S, SEQUENTIAL, nested("scan", 8, False).replace("            return [add, sum_1]\n", ""), "P001"),
    ("nested too deep", S, SEQUENTIAL, SEQUENTIAL + "".join("    " * d + f"class g_{d}(torch.nn.Module):\n" + "    " * d + "    def forward(self):\n" + "    " * d + "        return []\n" for d in range(1, 12)), "P006"),
    ("two graphs", S, "        return [mm]\n", "        return [mm]\n" + SEQUENTIAL, "N003"), ("complex", S, SEQUENTIAL, SEQUENTIAL.replace("f32", "c64"), "N003"),
    ("in place on the unknown", S, "        return [mm]", '        f_ = torch.ops.mylib.fill_.default(mm)\n        return [mm]', "N001"), ("custom operator that may write", S, "        return [mm]", "        f = torch.ops.mylib.fill.default(mm)\n        return [mm]", "N001"),
    ("out overload", S, "  x = w = None\n        return [mm]", '\n        o: "f32[4, 6]" = torch.ops.aten.mm.out(x, w, out = mm)\n        return [mm]', "N003"), ("write through expand", A, "        all_reduce:", '        e: "f32[2, 4, 6]" = torch.ops.aten.expand.default(mm, [2, 4, 6])\n        z_: "f32[2, 4, 6]" = torch.ops.aten.mul_.Tensor(e, 2)\n        all_reduce:', "N003"),
    ("used after it was freed", A, "        copy:", '        t: "f32[4, 6]" = torch.ops.aten.neg.default(all_reduce)\n        copy:', "P002"), ("returned after it was freed", A, "wait_tensor);  mm = wait_tensor = None", "wait_tensor);  copy = None", "P002"),
    ("an item of what was freed", A, "        copy:", "        t = all_reduce[0]\n        copy:", "P002"), ("draws that nobody declared", A, "torch.ops.aten.mm.default(x, w)", "torch.ops.aten.rand.default([4, 6])", "N001"),
    ("perhaps a view", A, "        all_reduce:", '        c: "f32[4, 6]" = torch.ops.aten.contiguous.default(mm)\n        z_: "f32[4, 6]" = torch.ops.aten.mul_.Tensor(c, 2)\n        all_reduce:', "N003"),
    ("unknown group", A, "'0')", "'5')", "A005"), ("unknown reduction", A, "'sum'", "'xor'", "N003"), ("group is no name", A, "'0')", "7)", "N003"), ("other ranks other operator", R, "'sum', '0'", "'sum', '0', 1", "N003"),
    ("argument differs", R, "mm.default(x, w)", "mm.default(x, x)", "T001"), ("strided storage", A, "return [copy]", 't: "f32[6, 4]" = torch.ops.aten.t.default(copy)\n        s: "f32[24]" = torch.ops.aten.as_strided.default(t, [24], [1], 0)\n        return [s]', "N003"),
]
CLONE = 'all_reduce: "f32[4, 6]" = torch.ops.aten.clone.default(mm)'
SECOND = CALL.replace("all_reduce: ", "other: ").replace("'0'", "'7'")
PIPE = '        irecv: "f32[4, 6]" = torch.ops._c10d_functional.irecv.default(copy, 1, 3, \'0\')\n        return [irecv]'
# name, edits by rank (old, new), what the finding says
HANGS = [
    ("never called", {1: (CALL, CLONE)}, "rank 0 waits in all_reduce at model.py:7 in forward: rank 1 never calls it (group '0': ranks 0 1)"),
    ("another collective", {1: (CALL, CALL.replace("all_reduce.default(mm, 'sum', '0')", "broadcast.default(mm, 0, '0')"))}, "rank 1 calls broadcast at model.py:7 in forward in its place"),
    ("another reduction", {1: (CALL, CALL.replace("'sum'", "'max'"))}, "rank 1 calls it otherwise"),
    ("another size", {1: (CALL, 'cat: "f32[8, 6]" = torch.ops.aten.cat.default([mm, mm])\n        sum_1: "f32[8, 6]" = torch.ops._c10d_functional.all_reduce.default(cat, \'sum\', \'0\')\n        all_reduce: "f32[4, 6]" = torch.ops.aten.slice.Tensor(sum_1, 0, 0, 4)')}, "rank 1 calls it otherwise"),
    ("once more", {1: (CALL, CALL + "\n        " + CALL.replace("all_reduce: ", "again: "))}, "rank 1 waits in all_reduce at model.py:7 in forward: rank 0 never calls it"),
    ("dead code counts", {0: (CALL, SECOND + "\n        " + CALL)}, "rank 0 waits in all_reduce at model.py:7 in forward: rank 1 never calls it"),
    ("received from nobody", {0: ("        return [copy]", PIPE)}, "rank 0 waits in irecv at model.py:7 in forward: rank 1 sends it nothing under tag 3"),
]
PASSED = '        irecv: "f32[4, 6]" = torch.ops._c10d_functional.irecv.default({x}, {peer}, 3, \'0\')\n        got: "f32[4, 6]" = torch.ops._c10d_functional.wait_tensor.default(irecv)\n'
SENT = '        isend: "f32[0]" = torch.ops._c10d_functional.isend.default({x}, {peer}, 3, \'0\')\n        gone: "f32[0]" = torch.ops._c10d_functional.wait_tensor.default(isend)\n'
LATER = "        return [copy]"
HANGS += [
    ("each receives first", {r: (LATER, (PASSED + SENT).format(x="copy", peer=1 - r) + LATER) for r in range(2)}, "rank 0 waits in irecv at model.py:7 in forward: rank 1 waits in irecv at model.py:7 in forward before it sends"),
    ("received before a reduction", {0: ("        " + CALL, PASSED.format(x="mm", peer=1) + "        " + CALL), 1: (LATER, SENT.format(x="copy", peer=0) + LATER)}, "rank 1 waits in all_reduce at model.py:7 in forward before it sends"),
]
RELATIONS = [
    ("no mesh", {"outputs": ["replicated"]}, "R001"), ("no outputs", {"mesh": [["tp", 2]]}, "R001"), ("unknown key", {**RELATION, "input": {}}, "R001"), ("list of no inputs", {**RELATION, "inputs": []}, "R002"), ("inputs as a name", {**RELATION, "inputs": "replicated"}, "R001"),
    ("misspelt input", {**RELATION, "inputs": {"xx": [[], ["tp"]]}}, "R003"), ("too many outputs", {**RELATION, "outputs": ["replicated", "replicated"]}, "R002"), ("nothing compared", {**RELATION, "outputs": ["ignored"]}, "R002"),
    ("misspelt output", {**RELATION, "outputs": {"nn": "replicated"}}, "P002"), ("misspelt node", {**RELATION, "outputs": {"mm": {"node": "nn"}}}, "P002"), ("more ranks", {**RELATION, "mesh": [["tp", 4]]}, "R005"), ("fewer ranks", {**RELATION, "mesh": [], "groups": {}}, "R005"),
    ("unknown axis", {**RELATION, "inputs": {"x": [[], ["pp"]]}}, "R003"), ("wrong block", {**RELATION, "inputs": {"x": [["tp"], []]}}, "R004"), ("no default", {k: v for k, v in RELATION.items() if k != "default"} | {"inputs": {"x": [[], ["tp"]]}}, "R002"),
    ("output number", {**RELATION, "outputs": [{"index": 3, "placement": "replicated"}]}, "R002"), ("on an unknown axis", {**RELATION, "outputs": [{"on": {"pp": 0}}]}, "R003"), ("on one rank of a program", {**RELATION, "outputs": [{"on": {"tp": 0}}]}, "N003"),
    ("names of another length", {**RELATION, "output_names": ["a", "b"]}, "R002"), ("group without the rank", {**RELATION, "groups": {"0": [0]}}, "A005"), ("ignore what is no integer", {**RELATION, "ignore": {"x": [-1, 0.2]}}, "R001"),
    ("misspelt cut", {**RELATION, "cut": {"nn": {"node": "copy"}}}, "P002"), ("misspelt cut of the ranks", {**RELATION, "cut": {"mm": {"node": "copi"}}}, "P002"), ("misspelt ignore", {**RELATION, "ignore": {"label": [-1, 0.2]}}, "R003"),
    ("object of nobody", {**RELATION, "objects": {"_torchbind_obj7": {"group": "0"}}}, "P002"), ("constant of nobody", {**RELATION, "constants": {"_tensor_constant*": 0}}, "P002"),
    ("mask of nobody", {**RELATION, "masks": {"native_dropout": "replicated"}}, "P002"), ("masks as a list", {**RELATION, "masks": []}, "R001"),
    ("groups that overlap", {**RELATION, "groups": {"0": [[0, 1], [1]]}}, "A005"), ("a group twice", {**RELATION, "groups": {"0": [[0, 1], [0, 1]]}}, "A005"), ("a group in two orders", {**RELATION, "groups": {"0": [[0, 1], [1, 0]]}}, "A005"),
    ("an axis twice", {**RELATION, "groups": {"0": ["tp", "tp"]}}, "A005"), ("a group along no axis", {**RELATION, "groups": {"0": ["tp", "pp"]}}, "A005"), ("a group of ranks that are not there", {**RELATION, "groups": {"0": [[0, 1, 2]]}}, "A005"),
    ("a group that nobody calls, of one rank twice", {**RELATION, "groups": {"0": [0, 1], "3": [1, 1]}}, "A005"), ("a group of a rank below 0", {**RELATION, "groups": {"0": [0, 1], "3": [-1]}}, "A005"),
    ("a sequential group of two ranks", {**RELATION, "sequential_groups": {"0": [0, 1]}}, "A005"), ("every output is cut", {**RELATION, "cut": {"mm": {"node": "copy"}}}, "R002"),
    ("shard of no dimension", {**RELATION, "inputs": {"x": {"shard": ["tp"], "dim": 5}, "w": [["tp"], []]}}, "R003"), ("flat of nobody", {**RELATION, "inputs": {**RELATION["inputs"], "q": {"flat": ["x"]}, "x": {"flat": ["y"]}}}, "R001"),
]


DEFINED = """# Operator: mylib.product.default
class product(torch.nn.Module):
    def forward(self, a: "T[n, k]", b: "T[k, m]", scale: "Scalar" = 1.0):
        mm: "T[n, m]" = torch.ops.aten.mm.default(a, b)
        mul: "T[n, m]" = torch.ops.aten.mul.Scalar(mm, scale)
        return mul
# Operator: mylib.product_into.default
class product_into(torch.nn.Module):
    def forward(self, out: "T[n, m]", a: "T[n, k]", b: "T[k, m]"):
        mm: "T[n, m]" = torch.ops.mylib.product.default(a, b)
        return {'out': mm}
"""
FUSED = RANK.replace("torch.ops.aten.mm.default(x, w)", "torch.ops.mylib.product.default(x, w, scale = 1.0)")
INTO = RANK.replace('mm: "f32[4, 6]" = torch.ops.aten.mm.default(x, w);', 'mm: "f32[4, 6]" = torch.ops.aten.empty.memory_format([4, 6], pin_memory = False)\n        into = torch.ops.mylib.product_into.default(mm, x, w);  into = None;')
ROWS_OF = HEAD.format('x: "f32[{n}, 3]"') + '        f: "f32[{n}, 3]" = torch.ops.mylib.f.default(x, 2)\n        return [f]\n'
NEGATED = HEAD.format('x: "f32[4, 3]"') + '        neg: "f32[4, 3]" = torch.ops.aten.neg.default(x)\n        return [neg]\n'
WAITING = '        wait: "f32[4, 3]" = torch.ops._c10d_functional.wait_tensor.default(gather)\n'
GATHERED = HEAD.format('x: "f32[2, 3]"') + f'''        clone: "f32[2, 3]" = torch.ops.aten.clone.default(x)
        gather: "f32[4, 3]" = torch.ops._c10d_functional.all_gather_into_tensor.default(clone, 2, '0')
{WAITING}        neg: "f32[4, 3]" = torch.ops.aten.neg.default(wait)
        return [neg]
'''
GATHER = {**ROWWISE, "groups": {"0": [0, 1]}, "outputs": ["replicated"]}
PART = '        part: "f32[1, 3]" = torch.ops.aten.slice.Tensor(clone, 0, 0, 1)\n        zero: "f32[1, 3]" = torch.ops.aten.zero_.default(part)\n'


def gathered(*edits):
    text = GATHERED
    for old, new in edits:
        text = text.replace(old, new)
    return [text] * 2


DROPS = HEAD.format('x: "f32[{n}, 3]"') + """        drop: "f32[{n}, 3]" = torch.ops.aten.dropout.default(x, 0.5, True)
        again: "f32[{n}, 3]" = torch.ops.aten.dropout.default(x, 0.5, True)
        sum_1: "f32[{n}, 3]" = torch.ops.aten.add.Tensor(drop, again)
        return [sum_1]
"""
BY_KEY = HEAD.format('x: "f32[6, 3]", i: "i64[6]"') + """        sort = torch.ops.aten.sort.stable(i, stable = True)
        getitem: "i64[6]" = sort[1]
        index: "f32[6, 3]" = torch.ops.aten.index.Tensor(x, [getitem])
        return [index]
"""
UNSTABLE = BY_KEY.replace("sort.stable(i, stable = True)", "sort.default(i)")
TWO_OUT = graph('x: "f32[8]"', 's: "f32[8]" = aten.neg.default(x)', 't: "f32[8]" = aten.mul.Tensor(x, 2)', results="s, t")
HALVES = {"mesh": [["dp", 2]], "inputs": {"x": [["dp"]]}, "outputs": [[["dp"]], [["dp"]]]}
UNSIGNED = (graph('x: "u8[8]"', 'c: "u8[8]" = aten.abs.default(x)'), ranks(graph('x: "u8[4]"', 'c: "u8[4]" = aten.alias.default(x)')), {"mesh": [["dp", 2]], "inputs": {"x": [["dp"]]}, "outputs": [[["dp"]]]})


def PICKED(ours, theirs, span):
    """Rows of a matrix at an index that is data."""
    text = graph('x: "f32[8, 3]", i: "i64[5]"', 'j: "i64[5]" = aten.flip.default(i, [0])', 'c: "f32[5, 3]" = aten.{}')
    return text.format(ours), ranks(text.format(theirs)), {**ALIKE, "ranges": {"i": span}}


def SHIFTED(theirs, rows=8):
    """Rows at an index that is computed; the sequential program raises on the last one."""
    text = graph('x: "f32[8, 3]", i: "i64[5]"', 'j: "i64[5]" = aten.add.Tensor(i, 1)', 'k: "i64[5]" = aten.{}', 'c: "f32[5, 3]" = aten.index_select.default(x, 0, k)')
    text = text.replace("f32[8, 3]", f"f32[{rows}, 3]")
    return text.format("clone.default(j)"), ranks(text.format(theirs)), {**ALIKE, "ranges": {"i": [0, rows]}}


RUNNING = graph('x: "f32[4, 3]", m: "f32[3]", v: "f32[3]"', 'g: "f32[6]" = _c10d_functional.all_gather_into_tensor.default(m, 2, \'0\')', 'b = aten.native_batch_norm.default(x, None, None, m, v, True, 0.1, 1e-05)',
                'w: "f32[6]" = _c10d_functional.wait_tensor.default(g)', results="w")
MEANS = graph('x: "f32[4, 3]", m: "f32[3]", v: "f32[3]"', 'w: "f32[6]" = aten.cat.default([m, m])', results="w")



def WRITTEN(rate, results="l"):
    """A step that moves its weights in place."""
    return graph('w: "f32[6]", g: "f32[6]"', 'l: "f32[]" = aten.sum.default(w)', f'n: "f32[6]" = aten.add_.Tensor(w, g, alpha = {-rate})', results=results)


OWN = [  # name, sequential, ranks, relation, the file, options, exit code, what is said
    ("a theorem about sizes", SEQUENTIAL, ranks(RANK), RELATION, "", ["--for-all-sizes"], 2, "says nothing of the graph at other sizes"),
    ("a written input that is not returned", WRITTEN(0.1), ranks(WRITTEN(0.2)), ALIKE, "", [], 0, "written=1"),
    ("a written input that is returned", WRITTEN(0.1, "l, w"), ranks(WRITTEN(0.2, "l, w")), {**ALIKE, "outputs": ["replicated"] * 2}, "", [], 1, "output 1"),
    ("written alike and returned", WRITTEN(0.1, "l, w"), ranks(WRITTEN(0.1, "l, w")), {**ALIKE, "outputs": ["replicated"] * 2}, "", [], 0, "precision=0 undefined"),
    ("written before the text was made", WRITTEN(0.1, "l"), ranks(WRITTEN(0.1, "l")), {**ALIKE, "written": ["w", "v"]}, "", [], 0, "written=2"),
    ("waited for", NEGATED, gathered(), GATHER, "", [], 0, "assumptions=finite-inputs related"),
    ("nobody waits", NEGATED, gathered((WAITING, ""), ("(wait)", "(gather)")), GATHER, "", [], 0, "waited(gather)"),
    ("returned before it is waited for", NEGATED.replace("neg.default", "clone.default"), gathered((WAITING, ""), ("neg.default(wait)", "neg.default(clone)"), ("[neg]", "[gather]"), ('neg: "f32[4', 'neg: "f32[2')), GATHER, "", [], 0, "waited(gather)"),
    ("a wait that must stand there", NEGATED, gathered((WAITING, ""), ("(wait)", "(gather)")), GATHER, "", ["--allow-assumption", "none"], 2, "waited(gather)"),
    ("written while it is gathered", NEGATED, gathered(("        wait", PART + "        wait")), GATHER, "", [], 3, "writes 'part' before wait_tensor of 'gather'"),
    ("running statistics moved while they are gathered", MEANS, ranks(RUNNING), ALIKE, "", [], 3, "writes 'm' before wait_tensor of 'g'"),
    ("written after it was gathered", NEGATED, gathered(("        neg", PART + "        neg")), GATHER, "", [], 0, "proved"),
    ("dropped twice", DROPS.replace("{n}", "4"), [DROPS.replace("{n}", "2")] * 2, {**ROWWISE, "outputs": [[["dp"], []]]}, "", [], 0, "opaque-pure"),
    ("dropped twice, and once for both", DROPS.replace("{n}", "4"), [DROPS.replace("{n}", "2").replace("(drop, again)", "(drop, drop)")] * 2, {**ROWWISE, "outputs": [[["dp"], []]]}, "", [], 2, "unknown"),
    ("rows by keys", BY_KEY, [BY_KEY] * 2, {**ALIKE, "ranges": {"i": [0, 4]}}, "", [], 0, "proved"),
    ("rows by keys, equal ones in any order", UNSTABLE, [UNSTABLE] * 2, {**ALIKE, "ranges": {"i": [0, 4]}}, "", [], 0, "proved"),
    ("rows by keys in order, against any order", UNSTABLE, [BY_KEY] * 2, {**ALIKE, "ranges": {"i": [0, 4]}}, "", [], 2, "unknown"),
    ("an operator of one's own", SEQUENTIAL, ranks(FUSED), RELATION, DEFINED, [], 0, "defined(mylib.product.default"),
    ("another number for it", SEQUENTIAL, ranks(FUSED.replace("scale = 1.0", "scale = 2.0")), RELATION, DEFINED, [], 1, "refuted"),
    ("one that writes", SEQUENTIAL, ranks(INTO), RELATION, DEFINED, [], 0, "proved"),
    ("one that writes, and is not known", SEQUENTIAL, ranks(INTO), RELATION, "", [], 3, "GG-N001"),
    ("arguments of other shapes", SEQUENTIAL, ranks(FUSED.replace("(x, w, scale", "(w, x, scale")), RELATION, DEFINED, [], 3, "no definition fits its arguments"),
    ("a flag that it is not for", SEQUENTIAL, ranks(FUSED.replace("scale = 1.0", "up = True")), RELATION, DEFINED.replace('= 1.0)', '= 1.0, up: "False" = False)'), [], 3, "no definition fits its arguments"),
    ("a flag that it is for", SEQUENTIAL, ranks(FUSED.replace("scale = 1.0", "up = False")), RELATION, DEFINED.replace('= 1.0)', '= 1.0, up: "False" = False)'), [], 0, "proved"),
    ("without end", SEQUENTIAL, ranks(FUSED), RELATION, DEFINED.replace("aten.mm.default(a, b)", "mylib.product.default(a, b)"), [], 3, "GG-P006"),
    ("no operator above it", SEQUENTIAL, ranks(FUSED), RELATION, DEFINED.split("\n", 1)[1], [], 3, "GG-P001"),
    ("written into what is no parameter", SEQUENTIAL, ranks(INTO), RELATION, DEFINED.replace("{'out'", "{'up'"), [], 3, "GG-P002"),
    ("of an operator that is built in", SEQUENTIAL, ranks(RANK), RELATION, "# Operator: aten.mm.default\n" + DEFINED.split("\n", 1)[1], [], 3, "own.fx:2: error: torch.ops.aten.mm.default is built in"),
    ("of a write that is built in", SEQUENTIAL, ranks(RANK), RELATION, DEFINED.replace("mylib.product_into.default", "aten.mm_.default"), [], 3, "is built in"),
    ("one that writes into what it is given", SEQUENTIAL, ranks(RANK), RELATION, DEFINED.replace("aten.mul.Scalar(mm", "aten.mul_.Scalar(a"), [], 3, "writes into a tensor"),
    ("one that calls one that writes", SEQUENTIAL, ranks(RANK), RELATION, DEFINED.replace("torch.ops.aten.mul.Scalar(mm, scale)", "torch.ops.mylib.product_into.default(mm, a, b)"), [], 3, "writes into a tensor"),
    ("one that moves statistics", SEQUENTIAL, ranks(RANK), RELATION, DEFINED.replace("torch.ops.aten.mul.Scalar(mm, scale)", "torch.ops.aten.native_batch_norm.default(mm, a, a, b, b, True, 0.1, 1e-05)"), [], 3, "writes into a tensor"),
    ("one that nobody calls, of what is not known", SEQUENTIAL, ranks(RANK), RELATION, DEFINED.replace("aten.mm.default", "aten.mn.default", 1), [], 3, "own.fx:4: error: torch.ops.aten.mn.default"),
    ("an output that is cut", TWO_OUT, ranks(TWO_OUT.replace("f32[8]", "f32[4]").replace("(x, 2)", "(x, 3)")), {**HALVES, "cut": {"t": {"node": "t", "placement": [["dp"]]}}}, "", [], 0, "ignored=1/2"),
    ("an output that is cut, and computed by the ranks", TWO_OUT, ranks(TWO_OUT.replace("f32[8]", "f32[4]").replace("return [s, t]", "    u: \"f32[4]\" = torch.ops.aten.mul.Tensor(t, 2)\n        return [s, u]").replace("            u:", "        u:")), {**HALVES, "cut": {"t": {"node": "t", "placement": [["dp"]]}}}, "", [], 1, "refuted"),
    ("an input that the ranks do not have", TWO_OUT.replace('x: "f32[8]"', 'x: "f32[8]", y: "f32[8]"'), ranks(TWO_OUT.replace("f32[8]", "f32[4]")), {**HALVES, "inputs": {"x": [["dp"]], "y": [["dp"]]}}, "", [], 3, "the graphs of the ranks have no input 'y'"),
    ("a share above one", TWO_OUT.replace("f32", "i64"), ranks(TWO_OUT.replace("f32[8]", "i64[4]")), {**HALVES, "ignore": {"x": [-100, 2]}}, "", [], 3, "GG-R006"),
    ("absolute values of unsigned numbers", *UNSIGNED, "", [], 0, "proved"),
    ("an index that the sequential program raises on", *PICKED("index_select.default(x, 0, i)", "index.Tensor(x, [i])", [-8, 8]), "", [], 0, "range(i:[0,8))"),
    ("an index that it counts from the end", *PICKED("index.Tensor(x, [i])", "index_select.default(x, 0, i)", [-8, 8]), "", [], 1, "refuted"),
    ("another row of the same range", *PICKED("index_select.default(x, 0, i)", "index.Tensor(x, [j])", [-8, 8]), "", [], 1, "refuted"),
    ("an index that it raises on, by --range", *[{k: v for k, v in part.items() if k != "ranges"} if isinstance(part, dict) else part for part in PICKED("index_select.default(x, 0, i)", "index.Tensor(x, [i])", [0, 0])], "", ["--range", "i=-8:8"], 0, "range(i:[0,8))"),
    ("a computed index that it raises on, where alone they differ", *SHIFTED("remainder.Scalar(j, 8)"), "", [], 2, "unknown"),
    ("that, at reduced shapes", *SHIFTED("remainder.Scalar(j, 8)"), "", ["--run-shapes", "reduced"], 2, "unknown"),
    ("a computed index, at reduced shapes", *SHIFTED("remainder.Scalar(j, 4096)", 4096), "", ["--run-shapes", "reduced"], 2, "unknown"),
    ("another one, at reduced shapes", *SHIFTED("clone.default(i)", 4096), "", ["--run-shapes", "reduced"], 1, "refuted"),
    ("another computed index", *SHIFTED("clone.default(i)"), "", [], 1, "refuted"),
    ("a range that it raises on", *PICKED("index_select.default(x, 0, i)", "index.Tensor(x, [i])", [8, 16]), "", [], 3, "GG-R006"),
    ("what fails names its operator", TWO_OUT.replace("mul.Tensor(x, 2)", "mul.Tensor(x, w)").replace('x: "f32[8]"', 'x: "f32[8]", w: "f32[7]"'), ranks(TWO_OUT), HALVES, "", [], 3, "'t' (aten.mul.Tensor)"),
    ("opaque along a dimension", ROWS_OF.replace("{n}", "4"), [ROWS_OF.replace("{n}", "2")] * 2, {**ROWWISE, "outputs": [[["dp"], []]]}, "", ["--opaque", "mylib.f.default:batch=0"], 0, "opaque-pure(mylib.f.default)"),
    ("opaque of the whole", ROWS_OF.replace("{n}", "4"), [ROWS_OF.replace("{n}", "2")] * 2, {**ROWWISE, "outputs": [[["dp"], []]]}, "", ["--opaque", "mylib.f.default"], 2, "unknown"),
    ("opaque with another number", ROWS_OF.replace("{n}", "4"), [ROWS_OF.replace("{n}", "2").replace("(x, 2)", "(x, 3)")] * 2, {**ROWWISE, "outputs": [[["dp"], []]]}, "", ["--opaque", "mylib.f.default:batch=0"], 2, "unknown"),
    ("opaque with a number a rank", ROWS_OF.replace("{n}", "4"), [ROWS_OF.replace("{n}", "2").replace("(x, 2)", f"(x, {r})") for r in range(2)], {**ROWWISE, "outputs": [[["dp"], []]]}, "", ["--opaque", "mylib.f.default:batch=0"], 3, "differs between the ranks"),
]


def own_problem(program, sequential, texts, relation, definitions, options, code, said):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, sequential, texts, relation)
        if definitions:
            with open(f"{folder}/own.fx", "w") as f:
                f.write(definitions)
            options = [*options, "--define", f"{folder}/own.fx"]
        got = subprocess.run([program, "check", folder, "--witness", f"{folder}/w", *options], capture_output=True, text=True, timeout=120)
        return "" if got.returncode == code and said in got.stdout + got.stderr else f"exit code {got.returncode}, expected {code}, '{said}'\n{got.stdout[-500:]}{got.stderr[-500:]}"


def write(folder, sequential, texts, relation):
    with open(f"{folder}/sequential.fx", "w") as f:
        f.write(sequential)
    for r, text in enumerate([texts] if isinstance(texts, str) else texts):
        with open(f"{folder}/distributed.r{r}.fx" if not isinstance(texts, str) else f"{folder}/ranks.fx", "w") as f:
            f.write(text)
    with open(f"{folder}/relation.json", "w") as f:
        json.dump(relation, f)


def run(program, command, folder, single):
    files = [f"{folder}/sequential.fx", f"{folder}/ranks.fx", "--relation", f"{folder}/relation.json"] if single else [folder]
    witness = ["--witness", f"{folder}/w"] if command != "prove" else []
    return subprocess.run([program, command, *files, *witness], capture_output=True, text=True, cwd=folder, timeout=120)


def pair_problem(program, sequential, texts, relation, verdict):
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, "case[1]")  # a name of pytest's: no pattern
        os.mkdir(folder)
        write(folder, sequential, texts, relation)
        got = run(program, "check", folder, isinstance(texts, str))
        want = {"proved": 0, "refuted": 1, "unknown": 2}[verdict]
        return "" if got.returncode == want else f"exit code {got.returncode}, expected {want}\n{got.stdout[-600:]}{got.stderr[-600:]}"


def hang_problem(program, edits, sentence):
    texts = ranks(RANK)
    for rank, (old, new) in edits.items():
        if old not in texts[rank]:
            return "the edit does not apply"
        texts[rank] = texts[rank].replace(old, new)
    with tempfile.TemporaryDirectory() as folder:
        write(folder, SEQUENTIAL, texts, {**RELATION, "groups": {"0": [0, 1], "7": [0, 1]}})
        for command in ("check", "run", "prove"):
            got = run(program, command, folder, False)
            if got.returncode != 1 or sentence not in got.stdout or "[GG-" in got.stderr:
                return f"{command}: exit code {got.returncode}\n{got.stdout[-600:]}{got.stderr[-400:]}"
    return ""


AGAIN = '        again: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce.default(wait_tensor, \'sum\', \'0\')\n        copy:'
TWICE = RANK.replace("        copy:", AGAIN).replace("copy.default(mm, wait_tensor)", "copy.default(mm, again)")
# name, the ranks' text, lines that the report must show: the statement that is blamed, the edit as statements
EDITS = [
    ("a reduction is missing", body(['t: "f32[6, 4]" = torch.ops.aten.t.default(mm)', 'alias: "f32[4, 6]" = torch.ops.aten.t.default(t)'], "alias"),
     ['  mm: "f32[4, 6]" = torch.ops.aten.mm.default(x, w)', "  + mend_all_reduce: \"f32[4, 6]\" = torch.ops._c10d_functional.all_reduce.default(mm, 'sum', <group of [0, 1]>)", "  + t: \"f32[6, 4]\" = torch.ops.aten.t.default(mend_all_reduce)"]),
    ("another reduction is meant", RANK.replace("'sum'", "'max'"), [f"  {CALL}".replace("'sum'", "'max'"), f"  - {CALL}".replace("'sum'", "'max'"), f"  + {CALL}"]),
    ("a reduction too many", TWICE, ["  - again: ", "  + copy: \"f32[4, 6]\" = torch.ops.aten.copy.default(mm, all_reduce)"]),
]
# name, edit of SIZED, relation, code
UNSIZED = [
    ("another size than printed", "sym_size_int * 6", "sym_size_int * 5", SIZES, "T001"), ("division of a size by zero", "mul // 4", "mul // 0", SIZES, "N003"), ("no expression of sizes", "mul // 4", "len(mul)", SIZES, "N003"),
    ("a size as a tensor", "cat.default([x, x], 1)", "cat.default([x, mul], 1)", SIZES, "N003"), ("a size that is no number", "", "", {**SIZES, "sizes": {"s77": "two"}}, "R001"), ("a size that does not fit", "", "", {**SIZES, "sequential_sizes": {"s77": 3}}, "N003"),
    ("a size below nothing", "", "", {**SIZES, "sequential_sizes": {"s77": -4}}, "T003"), ("a size beyond all", "", "", {**SIZES, "sequential_sizes": {"s77": 1 << 60}}, "N003"),
]


def edit_problem(program, text, wanted):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, SEQUENTIAL, ranks(text), RELATION)
        got = run(program, "check", folder, False)
        missing = [line for line in wanted if line not in got.stdout]
        return f"exit code {got.returncode}, no line {missing}\n{got.stdout}" if got.returncode != 1 or missing else ""


def broken_problem(program, sequential, texts, relation, code):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, sequential, texts, relation)
        before = sorted(os.listdir(folder))
        got = run(program, "check", folder, False)
        first = next((line for line in got.stderr.split("\n") if "error:" in line), "")
        if got.returncode != 3:
            return f"exit code {got.returncode}\n{got.stdout[-400:]}{got.stderr[-400:]}"
        if f"[GG-{code}]" not in first:
            return f"expected GG-{code}: {first}"
        return "something was written" if got.stdout or sorted(os.listdir(folder)) != before else ""


def edited(file, old, new):
    sequential, texts = SEQUENTIAL, ranks(RANK)
    if file == S:
        assert old in sequential, old
        return sequential.replace(old, new, 1), texts
    changed = [t.replace(old, new, 1) if file == A or r == 1 else t for r, t in enumerate(texts)]
    assert changed != texts, old
    return sequential, changed


def write_all(folder):
    for name, sequential, texts, relation, _ in PAIRS:
        if isinstance(texts, str):
            continue
        case = f"{folder}/{name.replace(' ', '_').replace(',', '')}"
        os.makedirs(case, exist_ok=True)
        write(case, sequential, texts, relation)


def main():
    if sys.argv[1] == "--write":
        return write_all(sys.argv[2])
    program, only = sys.argv[1], sys.argv[2:]
    rows = [(name, lambda p=p: pair_problem(program, *p)) for name, *p in PAIRS]
    rows += [(name, lambda e=(file, old, new), code=code: broken_problem(program, *edited(*e), RELATION, code)) for name, file, old, new, code in BROKEN]
    rows += [(name, lambda e=e: edit_problem(program, *e)) for name, *e in EDITS]
    rows += [(name, lambda o=o: own_problem(program, *o)) for name, *o in OWN]
    rows += [(name, lambda h=h: hang_problem(program, *h)) for name, *h in HANGS]
    rows += [(name, lambda relation=relation, code=code: broken_problem(program, SEQUENTIAL, ranks(RANK), relation, code)) for name, relation, code in RELATIONS]
    rows += [(name, lambda flat=flat: broken_problem(program, FLAT, [FLAT_RANK] * 2, {**FLAT_RELATION, "inputs": {"p": flat}}, "R003")) for name, flat in
             (("misspelt axis of a flat input", {"flat": ["a", "b"], "axes": ["dq"]}), ("misspelt part of a flat input", {"flat": ["a", "bb"], "axes": ["dp"]}))]
    rows += [(name, lambda old=old, new=new, relation=relation, code=code: broken_problem(program, SIZED.replace(old, new) if old else SIZED, [SIZED] * 2, relation, code)) for name, old, new, relation, code in UNSIZED]
    return counted((name, problem()) for name, problem in rows if not only or name in only)


if __name__ == "__main__":
    sys.exit(main())
