"""Graphs as torch prints them: printing one, and what its header and its statements say."""
import re

import torch

TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32, "i16": torch.int16,
          "i8": torch.int8, "u8": torch.uint8, "b8": torch.bool, "c64": torch.complex64, "c128": torch.complex128}


def printed_graph(graph, program, log, rank):
    """A torch.fx graph as text, its inputs called as the leaves of the program, which take the names that torch prints; unused ones are told in `log`."""
    new, values = torch.fx.Graph(), {}
    inputs = [n for n in graph.graph.nodes if n.op == "placeholder"]
    for node, leaf in zip(inputs, program.leaves):
        values[node] = new.placeholder(leaf.name)
        values[node].meta = dict(node.meta)
        leaf.name = values[node].name
    for node in graph.graph.nodes:
        if node.op == "output":
            new.output(torch.fx.map_arg(node.args[0], lambda n: values[n]))
        elif node.op != "placeholder":
            values[node] = new.node_copy(node, lambda n: values[n])
    lines = torch.fx.GraphModule({}, new).print_readable(print_output=False)
    for leaf, node in zip(program.leaves, inputs):
        if not node.users:
            log.append(f"unused: {leaf.name}")
    return f"# Graph[rank={rank}]\n{lines}\n"


def graph_parameters(text):
    """[(name, type, shape)] of a graph's tensors."""
    header = text[text.index("def forward("):].splitlines()[0]
    return [(name, kind, [int(n) for n in shape.split(",") if n.strip()]) for name, kind, shape in re.findall(r'(\w+): "(\w+)\[([\d, ]*)\]', header)]


def unused_name(name, texts):
    """A name that stands in none of the texts, `name` if it does not."""
    while any(re.search(rf"\b{name}\b", text) for text in texts):
        name += "_"
    return name


def _returned(text):
    """The line that returns a graph's tensors, and their names."""
    line = re.findall(r"^ +return \[.*\]$", text, re.MULTILINE)[-1]
    return line, re.findall(r"\w+", line.split("[", 1)[1])


def _type_of(text, name):
    """(type, shape) of a value of a graph."""
    kind, shape = re.search(rf'\b{name}: "(\w+)\[([\d, ]*)\]', text).groups()
    return kind, [int(n) for n in shape.split(",") if n.strip()]


def result_shape(text, k):
    """The shape of the tensor that a graph returns at position k."""
    return _type_of(text, _returned(text)[1][k])[1]


def inputs_from(text, name, inputs, made):
    """A graph that takes inputs {name: shape} of the same type in place of the input `name`, and makes that of them by the expression `made`."""
    kind, shape = _type_of(text, name)
    header = text[text.index("def forward("):].splitlines()[0]
    taken = ", ".join(f'{new}: "{kind}{held}"' for new, held in inputs.items())
    anew = re.sub(rf'\b{name}: "[^"]*"', taken, header)
    return text.replace(header, f'{anew}\n        {name}: "{kind}{shape}" = {made}', 1)


def outputs_cut(text, cuts):
    """A graph that returns, for each (k, cut) of `cuts`, its result at position k: all of it, or with a cut (dim, start, stop) that part of it."""
    line, names = _returned(text)
    statements, results = [], []
    for k, cut in cuts:
        results.append(names[k])
        if cut is not None:
            dim, start, stop = cut
            kind, shape = _type_of(text, names[k])
            results[-1] = unused_name(f"{names[k]}_part{start}", [text])
            shape[dim] = stop - start
            statements.append(f'        {results[-1]}: "{kind}{shape}" = torch.ops.aten.slice.Tensor({names[k]}, {dim}, {start}, {stop})\n')
    before, after = text.rsplit(line, 1)
    return f"{before}{''.join(statements)}        return [{', '.join(results)}]{after}"


def numbers_of_own_type(text):
    """A graph whose Python numbers are values of the type that its statement makes, as verdicts take them, also when it runs in double precision."""
    def statement(line):
        kind = TYPES[line[2]]
        own = lambda x: repr(float(torch.tensor(float(x[0]), dtype=kind)))
        return line[1] + (re.sub(r"(?<![\w.])\d+(\.\d*(e[-+]?\d+)?|e[-+]?\d+)(?![\w.])", own, line[3]) if kind.is_floating_point else line[3])
    return re.sub(rf'^(\s+\w+: "({"|".join(TYPES)})\[.*?" = )(.*)$', statement, text, flags=re.MULTILINE)
