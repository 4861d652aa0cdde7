#!/usr/bin/env python3
"""Makes the pairs of this folder with JAX: for each program of programs/ the right pair, and a folder for each defect.

usage: .venv/bin/python tests/pairs/make_pairs.py [--out FOLDER] [NAME...]     (NAME: a pair; its defects come with it)

The truth of a pair is measured, not asserted: both functions run under JAX on random inputs, and every shard of every
device is compared. A right pair whose values differ, or a defect that makes no difference, is an error here; only
defects that are an edit of the partitioned text (`edits`) are not run here. `xfail`, `today` (what the prover says,
written by limits.py), `code` and `culprit` (what `check` has to say) of an existing expect.json are kept.
"""
import argparse
import importlib
import importlib.util
import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("example_pairs", os.path.join(HERE, "../../examples/make_pairs.py"))
example_pairs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example_pairs)  # sets XLA's flags, then imports JAX
sys.path.insert(0, HERE)

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding

from programs.base import PAIRS, View

for module in sorted(name[:-3] for name in os.listdir(os.path.join(HERE, "programs")) if name.endswith(".py") and name not in ("__init__.py", "base.py")):
    importlib.import_module("programs." + module)

SAME, DIFFERENT = 1e-4, 1e-3  # relative to the largest magnitude; between the two the truth is not clear
ROUNDING = 1e-5  # below it a largest magnitude is that of rounding alone


def outputs_of(pair):
    return [o if isinstance(o, tuple) and isinstance(o[-1], View) else (o, None) for o in pair.outputs]


def draw(arg, rng):
    if np.issubdtype(arg.dtype, np.integer):
        return np.asarray(rng.integers(*(arg.range or (-4, 20)), arg.shape), arg.dtype)
    return np.asarray(rng.uniform(*(arg.range or (-1, 1)), arg.shape), np.float32)


def distributed(pair, defect, mesh):
    """The distributed function, its argument placements and its output shardings (None under shard_map)."""
    specs = tuple(a.spec for a in pair.inputs)
    out = tuple(o for o, _ in outputs_of(pair))
    out = out[0] if len(out) == 1 else out
    fn = pair.dist("" if defect in pair.edits else defect)
    if pair.annotated:
        return fn, jax.tree.map(lambda p: NamedSharding(mesh, p), out, is_leaf=lambda p: isinstance(p, jax.P))
    return jax.shard_map(fn, mesh=mesh, in_specs=specs, out_specs=out, check_vma=False), None


def difference(pair, fn, shardings, mesh):
    """The largest relative difference of any shard on any device, over two draws, or one for each number that shows a defect."""
    worst, rng = 0.0, np.random.default_rng(7)
    for k in range(max([2, *map(len, pair.shown.values())])):
        values = [draw(a, rng) for a in pair.inputs]
        for which, numbers in pair.shown.items():
            plain = values[which].reshape(-1)
            first = (numbers[k:] + numbers[:k])[:len(plain)]
            values[which] = np.asarray([*first, *plain[len(first):]], plain.dtype).reshape(values[which].shape)
        whole = jax.tree.leaves(jax.jit(pair.seq)(*values))
        parts = [a.view.apply(v) if a.view else v for a, v in zip(pair.inputs, values)]
        parts = [jax.device_put(v, NamedSharding(mesh, a.spec)) for a, v in zip(pair.inputs, parts)]
        got = jax.tree.leaves(jax.jit(fn, out_shardings=shardings)(*parts))
        for want, have, (_, view) in zip(whole, got, outputs_of(pair)):
            want = np.asarray(view.apply(np.asarray(want)) if view else want)
            assert want.shape == have.shape, (want.shape, have.shape)
            for shard in have.addressable_shards:
                claimed = np.isfinite(want[shard.index])  # nothing is claimed elsewhere
                gap = np.abs(np.asarray(shard.data) - want[shard.index])[claimed].max(initial=0)
                worst = max(worst, float(np.nan_to_num(gap / max(np.abs(want[np.isfinite(want)]).max(initial=0), ROUNDING), nan=np.inf)))
    return worst


def relation(pair, ranks_of):
    placed = [a.view.placement if a.view else example_pairs.entry(a.spec, len(a.shape)) for a in pair.inputs]
    made = [v.placement if v else example_pairs.entry(p, rank) for (p, v), rank in zip(outputs_of(pair), ranks_of)]
    result = {"mesh": pair.mesh, "inputs": placed, "outputs": made,
              "ranges": {str(i): list(a.range) for i, a in enumerate(pair.inputs) if a.range}}
    if pair.next:
        result["next"] = pair.next
    return result


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def make(pair, defect, root):
    axes, sizes = zip(*pair.mesh)
    mesh = Mesh(np.array(jax.devices()[:int(np.prod(sizes))]).reshape(sizes), axes)
    folder = os.path.join(root, pair.name + ("-" + defect if defect else ""))
    os.makedirs(folder, exist_ok=True)
    plain = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in pair.inputs]
    fn, shardings = distributed(pair, defect, mesh)
    shapes = [a.view.apply(np.zeros(a.shape, np.int8)).shape if a.view else a.shape for a in pair.inputs]
    args = [jax.ShapeDtypeStruct(s, a.dtype, sharding=NamedSharding(mesh, a.spec)) for s, a in zip(shapes, pair.inputs)]
    jax.set_mesh(mesh)  # for constraints inside annotated programs
    jax.clear_caches()  # a module that is in the cache is not dumped
    text = example_pairs.partitioned_text(fn, args, shardings)
    if defect not in pair.edits:
        worst = difference(pair, fn, shardings, mesh)
        if not (worst > DIFFERENT if defect else worst < SAME):
            raise SystemExit(f"{folder}: the programs differ by {worst}")
    if defect in pair.edits:
        old, new = pair.edits[defect]
        if text.count(old) != 1:
            raise SystemExit(f"{folder}: {text.count(old)} times {old}")
        text = text.replace(old, new)
    write(folder + "/sequential.hlo", example_pairs.anonymous(jax.jit(pair.seq).lower(*plain).as_text(dialect="hlo")))
    write(folder + "/distributed.hlo", example_pairs.anonymous(text))
    leaves = jax.tree.leaves(jax.eval_shape(pair.seq, *plain))
    rows = [f' "{k}": {json.dumps(v)}' for k, v in relation(pair, [len(x.shape) for x in leaves]).items()]
    write(folder + "/relation.json", "{\n" + ",\n".join(rows) + "\n}\n")
    for view in [a.view for a in pair.inputs] + [v for _, v in outputs_of(pair)]:
        for name, content in (view.files if view else {}).items():
            write(os.path.join(folder, name), content)
    expect = {"verdict": "refuted" if defect else "proved", "bug": pair.defects[defect] if defect else None}
    if os.path.exists(folder + "/expect.json"):
        old = json.load(open(folder + "/expect.json"))
        expect.update({k: old[k] for k in ("xfail", "today", "code", "culprit") if k in old})
    write(folder + "/expect.json", json.dumps(expect, indent=1) + "\n")
    print(os.path.basename(folder), file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", default=HERE)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for wanted in PAIRS:
        if not options.names or wanted.name in options.names:
            for bad in ["", *wanted.defects]:
                make(wanted, bad, options.out)
    shutil.rmtree(example_pairs.DUMP, ignore_errors=True)
