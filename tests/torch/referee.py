#!/usr/bin/env python3
"""Compares every lowered overload with torch in float64, on random instances, and its schema with torch's.
The same for what torch._decomp makes of a call, on fewer. docs/aten.md is the table of it all.
usage: referee.py FX_RUN [INSTANCES] [--write TABLE | --table TABLE]; exit code 1 where something differs or the table is old, 77 (skipped) where torch is not there."""
import json
import math
import re
import subprocess
import sys
import warnings

try:
    import torch
    import torch._inductor.inductor_prims  # noqa: F401  (these two register operators)
    import torch.distributed._functional_collectives  # noqa: F401
    import instances
    import instances_attention
    import instances_complex
    import instances_core
    import instances_exported
    from torch._decomp import decomposition_table
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ABBREVIATION = {torch.float64: "f64", torch.float32: "f32", torch.int64: "i64", torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.bool: "b8", torch.uint8: "u8", torch.complex128: "c128"}
IGNORED = {"pin_memory", "layout", "device", "memory_format", "non_blocking", "requires_grad"}


def type_of(x):
    return f'{ABBREVIATION[getattr(x, "printed", x.dtype)]}[{", ".join(str(n) for n in x.shape)}]'


def text_of(value, names):
    if isinstance(value, torch.Tensor) and getattr(value, "arange", False):  # known to be one: made in the graph
        return "arange"
    if isinstance(value, torch.Tensor):
        names.append(value)
        return f"x{len(names) - 1}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(v, names) for v in value) + "]"
    return repr(value)


def graph(name, args, kwargs, result):
    """The printed text of a call, its inputs, and the results that are tensors."""
    inputs, lines, outputs, wanted = [], [], [], []
    for a in (b for arg in args for b in (arg if isinstance(arg, list) else [arg])):
        if getattr(a, "arange", False):
            lines.append(f'arange: "{type_of(a)}" = torch.ops.aten.arange.default({len(a)})')
    call = [text_of(a, inputs) for a in args] + [f"{k} = {text_of(v, inputs)}" for k, v in kwargs.items()]
    called = f"torch.ops.{name}({', '.join(call)})"
    if isinstance(result, torch.Tensor):
        lines.append(f'out: "{type_of(result)}" = {called}')
        outputs, wanted = ["out"], [result]
    else:
        lines.append(f"out = {called}")
        for k, item in enumerate(result):
            if item is None or getattr(item, "dtype", None) == torch.uint8:  # a reserve that nobody reads
                continue
            if isinstance(item, (list, tuple)):
                lines.append(f"getitem_{k} = out[{k}]")
                for j, part in enumerate(item):
                    lines.append(f'getitem_{k}_{j}: "{type_of(part)}" = getitem_{k}[{j}]')
                    outputs.append(f"getitem_{k}_{j}")
                    wanted.append(part)
                continue
            lines.append(f'getitem_{k}: "{type_of(item)}" = out[{k}]')
            outputs.append(f"getitem_{k}")
            wanted.append(item)
    head = ", ".join(f'x{k}: "{type_of(x)}"' for k, x in enumerate(inputs))
    text = "class GraphModule(torch.nn.Module):\n    def forward(self" + (", " + head if head else "") + "):\n"
    return text + "".join(f"        {line}\n" for line in lines) + f"        return [{', '.join(outputs)}]\n", inputs, wanted


def plain(x):
    flat = [v.item() for v in (torch.view_as_real(x.resolve_conj()) if x.is_complex() else x).reshape(-1)]
    return [("nan" if math.isnan(v) else "inf" if v > 0 else "-inf") if isinstance(v, float) and not math.isfinite(v) else (int(v) if isinstance(v, bool) else v) for v in flat]


def same(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a == b or abs(a - b) <= 1e-11 * max(1.0, abs(a), abs(b))


def handle_of(name):
    namespace, op, overload = name.split(".")
    return getattr(getattr(getattr(torch.ops, namespace), op), overload)


def schema_of(name):
    schema = handle_of(name)._schema
    parts, star = [], False
    for argument in schema.arguments:
        if argument.name in IGNORED:
            continue
        if argument.kwarg_only and not star:
            parts.append("*")
            star = True
        parts.append(argument.name + (f"={argument.default_value!r}" if argument.has_default_value() else ""))
    return ", ".join(parts)


DECOMPOSED = 5  # instances whose decomposition is compared


def decomposed(op, args, kwargs):
    """The printed graph of what torch makes of a call, and its inputs."""
    flat, spec = tree_flatten((args, kwargs))
    places = [k for k, value in enumerate(flat) if isinstance(value, torch.Tensor)]

    def call(*tensors):
        values = list(flat)
        for k, tensor in zip(places, tensors):
            values[k] = tensor
        given, named = tree_unflatten(values, spec)
        return [x for x in tree_leaves(op(*given, **named)) if isinstance(x, torch.Tensor)]
    inputs = [flat[k] for k in places]
    traced = make_fx(call, decomposition_table={op: decomposition_table[op]}, tracing_mode="fake")(*inputs)
    if any(node.target is op for node in traced.graph.nodes):
        return None
    return traced.print_readable(print_output=False), inputs


class Table:
    """What was compared of each row."""

    def __init__(self):
        self.direct, self.parts = {}, {}

    def text(self, rows):
        lines = ["# Operators of PyTorch", "",
                 "Every overload of models/fx, printed by `tests/torch/referee.py --write`: on how many random instances its values are torch's (float64; broadcasts, empty",
                 "tensors, negative and out-of-range dimensions, NaN, infinities, ties), and on how many the lowering of what torch._decomp makes of the call has the same values.", "",
                 "| overload | arguments | torch | its decomposition |", "|---|---|---|---|"]
        for name, schema in sorted(rows.items()):
            escaped = schema.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")
            lines.append(f"| `{name}` | {escaped} | {self.direct.get(name, '')} | {self.parts.get(name, '')} |")
        return "\n".join(lines) + "\n"


# Where torch's decomposition has other values than its own kernel.
OTHERWISE = {"aten._scaled_dot_product_flash_attention_for_cpu.default": "gives the probabilities in the place of their logarithms' sums"}
WHERE = {"aten.": "", "prims.": "", "_c10d_functional.": "no values on one rank: examples/torch/run.py", "_dtensor.": "no values on one rank: examples/torch/run.py", "apex.": "tests/torch/definitions.py", "gg.": "tests/torch/definitions.py"}


def main(program, count, table_file=None, write=False):
    torch.set_default_dtype(torch.float64)
    warnings.simplefilter("ignore")
    for module in (instances_attention, instances_core, instances_exported):
        instances.INSTANCES.update(module.INSTANCES)
    for name, makers in instances_complex.INSTANCES.items():
        instances.INSTANCES[name] = instances.INSTANCES.get(name, []) + makers
    instances.ELSEWHERE.update(instances_exported.ELSEWHERE)
    calls = {**instances_attention.CALLS, **instances_core.CALLS}
    listed = [line.split("\t") for line in subprocess.run([program, "--schemas"], capture_output=True, text=True, check=True).stdout.splitlines()]
    rows, views = {name: schema for name, schema, _ in listed}, {name for name, _, view in listed if view}
    problems, compared, refused, table, parts = [], 0, {}, Table(), 0
    for name in rows:
        table.direct[name] = instances.ELSEWHERE.get(name, next(text for prefix, text in WHERE.items() if name.startswith(prefix)))
    for name, schema in rows.items():
        if not name.startswith(("aten.", "prims.", "_c10d_functional.")):
            continue
        if name not in views and any(r.alias_info is not None for r in handle_of(name)._schema.returns):
            problems.append(f"{name}: torch says that its result is a view, models/fx/aliases.cpp does not")
        real = schema_of(name)
        said = ", ".join(part for part in schema.split(", ") if part.split("=")[0] not in IGNORED)  # a row may take one by its place
        if real != said:
            problems.append(f"{name}: torch's schema is ({real}), the row says ({schema})")
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for name in rows:
        if not name.startswith(("aten.", "prims.")):
            continue
        makers = instances.INSTANCES.get(name)
        if makers is None:
            if name not in instances.ELSEWHERE:
                problems.append(f"{name}: no instance in tests/torch/instances.py")
            continue
        handle = handle_of(name)
        has_parts = name not in calls and handle in decomposition_table
        table.parts[name] = 0 if has_parts else "none"
        for k in range(count):
            args, kwargs = makers[k % len(makers)](instances.Draw(1000 * k + 7))
            result = calls.get(name, handle)(*args, **kwargs)
            text, inputs, wanted = graph(name, args, kwargs, result)
            process.stdin.write(json.dumps({"text": text, "inputs": [plain(x) for x in inputs]}) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            if "error" in answer:
                refused.setdefault(name, []).append(answer["error"].split("\n")[0])
                continue
            compared += 1
            got = answer["outputs"]
            if any(not same(a, b) for x, y in zip(wanted, got) for a, b in zip(plain(x), y)) or any(len(plain(x)) != len(y) for x, y in zip(wanted, got)):
                problems.append(f"{name}: torch {[plain(x) for x in wanted]} ours {got}\n{text}inputs {[plain(x) for x in inputs]}")
                break
            table.direct[name] = k + 1
            if not has_parts or k >= DECOMPOSED or isinstance(table.parts[name], str):
                continue
            try:
                made = decomposed(handle, args, kwargs)
            except Exception as error:  # torch cannot trace it without values
                table.parts[name] = f"not traced: {type(error).__name__}"
                continue
            if made is None:
                table.parts[name] = "is itself"
                continue
            process.stdin.write(json.dumps({"text": made[0], "inputs": [plain(x) for x in made[1]]}) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            if "error" in answer:
                unread = re.search(r"torch\.ops\.(\S+) .* is not known", answer["error"])
                table.parts[name] = f"into `{unread.group(1)}`, which is not read" if unread else "refused: " + re.sub(r"^\S+: error: ", "", answer["error"].split("\n")[0]).replace("_", "\\_")
                continue
            if name in OTHERWISE:
                table.parts[name] = OTHERWISE[name]
                continue
            tensors = [x for x in tree_leaves(result) if isinstance(x, torch.Tensor)]
            if len(tensors) != len(answer["outputs"]) or any(not same(a, b) for x, y in zip(tensors, answer["outputs"]) for a, b in zip(plain(x), y)):
                problems.append(f"{name}: its decomposition gives {answer['outputs']}, torch {[plain(x) for x in tensors]}\n{made[0]}")
                break
            table.parts[name] += 1
            parts += 1
    process.stdin.close()
    for name, errors in refused.items():
        problems.append(f"{name}: {len(errors)} of {count} instances refused: {errors[0]}")
    text = table.text(rows)
    if write:
        open(table_file, "w").write(text)
    elif table_file and open(table_file).read() != text:
        problems.append(f"{table_file} is old: referee.py --write")
    for problem in problems:
        print(problem)
    print(f"{len(rows)} rows, {compared} instances compared with torch {torch.__version__}, {parts} with their decompositions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[2:] if a.isdigit()]
    option = next((a for a in sys.argv if a in ("--write", "--table")), None)
    sys.exit(main(sys.argv[1], numbers[0] if numbers else 50, sys.argv[-1] if option else None, option == "--write"))
