#!/usr/bin/env python3
"""Compares our runtime with XLA's CPU client: runs every NAME.hlo of a folder that run_modules wrote and demands that
each output agrees to 1e-12 of the tensor's largest magnitude (integers exactly). Of draws in f64 each element must lie within twice the radius
of our value (a radius of infinity tells nothing and is counted).

usage: compare.py FOLDER   (in the environment of scripts/requirements.txt); closing line: N passed, M failed, K not run
"""
import glob
import importlib.util
import json
import os
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BOUND = 1e-12
# Modules that XLA's CPU client cannot run on this way (HLO text, MLIR, compile): the message that it gives. One that runs
# after all is a failure, so that the entry is removed.
# bitcast: our text has the layouts of both sides; MLIR keeps that of the result only, and with equal ranks XLA's layout
# assignment still takes no bitcast: the operator exists behind that pass alone.
NOT_RUN = {"bitcast": "layout minor_to_major field contains 1 elements"}


def load_replay():
    spec = importlib.util.spec_from_file_location("replay", os.path.join(HERE, "../../harness/witness/replay.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ranks_of(path):
    with open(path, "rb") as f:
        size = struct.unpack("<Q", f.read(8))[0]
        return int(json.loads(f.read(size))["__metadata__"]["ranks"])


def worst_error(want, got):
    """Largest difference relative to the tensor's largest finite magnitude; infinities and NaN must be the same."""
    import numpy as np
    if want.dtype == np.int64:
        return 0.0 if np.array_equal(want, got.astype(np.int64)) else float("inf")
    got = got.astype(np.float64)
    finite = np.isfinite(want)
    if not np.array_equal(want[~finite], got[~finite], equal_nan=True):
        return float("inf")
    scale = np.max(np.abs(want[finite]), initial=0.0) or 1.0
    error = np.abs(want[finite] - got[finite])
    return float("inf") if np.isnan(error).any() else float(np.max(error, initial=0.0) / scale)


# What XLA's own functions are off, relative; what it flushes to zero.
XLA_OFF = {"log-plus-one": 1e-14}
XLA_FLUSHES = {"bitcast-convert_to_float": 2.0**-126}


class Radii:
    """What draws in f64 show: elements outside of twice their radius, and how large radii are."""

    def __init__(self):
        self.outside, self.families = [], {}

    def add(self, name, draw, k, middle, radius, got):
        import numpy as np
        if middle.dtype == np.int64:
            return  # exact, or of an unknown decision: compared by the exact run
        got = got.astype(np.float64)
        radius = np.zeros_like(middle) if radius is None else radius
        known = np.isfinite(radius) & np.isfinite(middle)
        gap = np.abs(got[known] - middle[known])
        own = next((off for op, off in XLA_OFF.items() if op in name), 0.0) * np.abs(middle[known]) + XLA_FLUSHES.get(name, 0.0)
        allowed = 2 * radius[known] + own
        bad = ~(gap <= allowed)
        if bad.any():
            first = int(np.argmax(bad))
            self.outside.append(f"{name} draw {draw} output {k}: {int(bad.sum())} of {bad.size} elements, the first {middle[known][first]!r} beside "
                                f"{got[known][first]!r}, radius {radius[known][first]:.3g}")
        row = self.families.setdefault(family_of(name), [[], 0, 0, 0.0])
        size = np.abs(middle[known])
        relative = radius[known][size > 0] / size[size > 0]
        row[0].append(relative)
        row[1] += middle.size
        row[2] += int((~np.isfinite(radius)).sum())
        row[3] = max([row[3], *(gap[allowed > own] / (allowed - own)[allowed > own] * 2).tolist()]) if not np.any(own) else row[3]

    def table(self):
        import numpy as np
        lines = ["| family | elements | without a radius | median relative radius | largest | largest share of the radius |", "|---|---|---|---|---|---|"]
        for family, (parts, elements, unknown, share) in sorted(self.families.items()):
            all = np.concatenate(parts) if parts else np.zeros(0)
            middle, largest = (np.median(all), np.max(all)) if all.size else (0.0, 0.0)
            lines.append(f"| {family} | {elements} | {unknown} | {middle:.1e} | {largest:.1e} | {share:.2f} |")
        return "\n".join(lines)


FAMILIES = {"pairs": r"\.(sequential|distributed)$", "random": r"^random_", "products": r"dot|convolution", "reductions": r"reduce|all_|scatter|cumulative|sort",
            "functions": r"^(acos|asin|atan|cbrt|ceil|cos|erf|exp|floor|log|power|rsqrt|round|sign|sin|sqrt|tan|tanh|divide|remainder)"}


def family_of(name):
    return next((family for family, pattern in FAMILIES.items() if re.search(pattern, name)), "other")


def compared(tensors):
    """Finite output elements of a module, and all of them."""
    import numpy as np
    outputs = [v for k, v in tensors.items() if k.startswith("out.")]
    return sum(int(np.isfinite(v).sum()) for v in outputs), sum(v.size for v in outputs)


def operators_of(text):
    return set(re.findall(r"= (?:\([^=]*\)|\S+) ([a-z][a-z0-9-]*)\(", text))


def run_module(replay, xla, path, ranks, radii):
    """(verdict, worst error or message) of one module."""
    name = os.path.basename(path)[:-4]
    text = open(path).read()
    original = os.path.join(os.path.dirname(path), "../modules", name + ".hlo")
    run = open(original).read() if name.startswith("complex_") else text  # complex: before they became pairs
    tensors = replay.read_safetensors(path[:-4] + ".safetensors")
    try:
        program = xla.compiled(run, ranks)
        got = program(replay.leaves(tensors, "in", text))
        for draw in range(sum(key.endswith(".middle.0") for key in tensors)):
            for k, leaf in enumerate(program(replay.leaves(tensors, f"{draw}.in", text))):
                radii.add(name, draw, k, tensors[f"{draw}.middle.{k}"], tensors.get(f"{draw}.radius.{k}"), leaf)
        errors = [worst_error(tensors[f"out.{k}"], leaf) for k, leaf in enumerate(got)]
    except Exception as error:  # XLA's own message is the finding
        message = str(error).splitlines()[0]
        if name in NOT_RUN and NOT_RUN[name] in message:
            return "not run", message
        return "failed", message[:300]
    error = max(errors, default=0.0)
    if name in NOT_RUN:
        return "failed", "runs in XLA: remove it from NOT_RUN"
    return ("passed", error) if error < BOUND else ("failed", f"worst relative errors {errors}")


def write_table(folder, rows):
    """rows: {operator: [instances, elements, worst error]} of the random instances."""
    with open(os.path.join(folder, "table.md"), "w") as f:
        f.write("| operator | instances | elements | worst error |\n|---|---|---|---|\n")
        for op, (instances, elements, error) in sorted(rows.items()):
            f.write(f"| {op} | {instances} | {elements} | {error:.1g} |\n")


def main(folder):
    replay = load_replay()
    files = sorted(glob.glob(folder + "/*.hlo"))
    ranks = {f: ranks_of(f[:-4] + ".safetensors") for f in files}
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={max(ranks.values(), default=1)} --xla_backend_optimization_level=0"
    os.environ["JAX_PLATFORMS"] = "cpu"
    xla = replay.Xla()
    count = {"passed": 0, "failed": 0, "not run": 0}
    worst, finite, elements, known, table, radii = [], 0, 0, set(), {}, Radii()
    for path in files:
        verdict, detail = run_module(replay, xla, path, ranks[path], radii)
        count[verdict] += 1
        name = os.path.basename(path)[:-4]
        if verdict == "passed":
            worst.append((detail, name))
            original = os.path.join(folder, "../modules", name + ".hlo")  # before custom calls are written out
            known |= operators_of(open(original if os.path.exists(original) else path).read())
            part = compared(replay.read_safetensors(path[:-4] + ".safetensors"))
            finite, elements = finite + part[0], elements + part[1]
            if name.startswith("random_"):
                row = table.setdefault(name.split("_")[1], [0, 0, 0.0])
                outputs = sum(key.startswith("out.") for key in replay.read_safetensors(path[:-4] + ".safetensors"))
                row[:] = [row[0] + outputs, row[1] + part[1], max(row[2], detail)]
        else:
            print(f"{'FAIL' if verdict == 'failed' else 'not run'} {name}: {detail}")
    for error, name in sorted(worst, reverse=True)[:5]:
        print(f"worst error {error:.3g} in {name}")
    print(f"{elements} elements compared, {finite} of them finite; operators: {len(known)}")
    listed = os.path.join(folder, "operators.txt")
    if os.path.exists(listed) and not table:
        print("operators without a module that XLA ran:", " ".join(sorted(set(open(listed).read().split()) - known)) or "none")
    if table:
        write_table(folder, table)
        print(f"{len(table)} operators, at least {min(row[0] for row in table.values())} random instances each: {folder}/table.md")
    if radii.families:
        print(radii.table())
        print("\n".join("OUTSIDE " + line for line in radii.outside) or "no element outside of twice its radius")
        count["failed"] += len(radii.outside)
    print(f"{count['passed']} passed, {count['failed']} failed, {count['not run']} not run")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
