#!/usr/bin/env python3
"""Compares every lowered overload with torch in float64, on random instances, and its schema with torch's.
usage: referee.py FX_RUN [INSTANCES]; exit code 1 where something differs, 77 (skipped) where torch is not there."""
import json
import math
import subprocess
import sys
import warnings

try:
    import torch
    import torch.distributed._functional_collectives  # noqa: F401  (registers the operators)
    import instances
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ABBREVIATION = {torch.float64: "f64", torch.float32: "f32", torch.int64: "i64", torch.int32: "i32", torch.bool: "b8"}
IGNORED = {"pin_memory", "layout", "device", "memory_format", "non_blocking"}


def type_of(x):
    return f'{ABBREVIATION[x.dtype]}[{", ".join(str(n) for n in x.shape)}]'


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
    for a in (b for arg in args if isinstance(arg, list) for b in arg):
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
            if item is None:
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
    flat = [v.item() for v in x.reshape(-1)]
    return [("nan" if math.isnan(v) else "inf" if v > 0 else "-inf") if isinstance(v, float) and not math.isfinite(v) else (int(v) if isinstance(v, bool) else v) for v in flat]


def same(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a == b or abs(a - b) <= 1e-11 * max(1.0, abs(a), abs(b))


def schema_of(name):
    namespace, op, overload = name.split(".")
    schema = getattr(getattr(getattr(torch.ops, namespace), op), overload)._schema
    parts, star = [], False
    for argument in schema.arguments:
        if argument.name in IGNORED:
            continue
        if argument.kwarg_only and not star:
            parts.append("*")
            star = True
        parts.append(argument.name + (f"={argument.default_value!r}" if argument.has_default_value() else ""))
    return ", ".join(parts)


def main(program, count):
    torch.set_default_dtype(torch.float64)
    warnings.simplefilter("ignore")
    rows = dict(line.split("\t") for line in subprocess.run([program, "--schemas"], capture_output=True, text=True, check=True).stdout.splitlines())
    problems, compared, refused = [], 0, {}
    for name, schema in rows.items():
        if not name.startswith(("aten.", "_c10d_functional.")):
            continue
        real = schema_of(name)
        if real != schema:
            problems.append(f"{name}: torch's schema is ({real}), the row says ({schema})")
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for name in rows:
        if not name.startswith("aten."):
            continue
        makers = instances.INSTANCES.get(name)
        if makers is None:
            if name not in instances.ELSEWHERE:
                problems.append(f"{name}: no instance in tests/torch/instances.py")
            continue
        _, op, overload = name.split(".")
        for k in range(count):
            args, kwargs = makers[k % len(makers)](instances.Draw(1000 * k + 7))
            result = instances.CALLS.get(name, getattr(getattr(torch.ops.aten, op), overload))(*args, **kwargs)
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
    process.stdin.close()
    for name, errors in refused.items():
        problems.append(f"{name}: {len(errors)} of {count} instances refused: {errors[0]}")
    for problem in problems:
        print(problem)
    print(f"{len(rows)} rows, {compared} instances compared with torch {torch.__version__}, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50))
