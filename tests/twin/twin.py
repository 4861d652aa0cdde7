#!/usr/bin/env python3
"""Twin test of shape reduction: programs captured by JAX at two sizes each; the large pair reduced to the small sizes, float
literals rewritten, must be the small capture, line by line; with float literals kept it must run to the same verdict. usage: twin.py GG_HARNESS FOLDER [--every N] [--sizes N] [--check] [PROGRAM...]; prints one line a
twin and the exceptions. --every: each Nth program only; --sizes: how many small sizes; --check: also the verdict of `check` on the large pair, run at
reduced shapes, against that on the small one.

An exception is a line that differs for a reason stated in EXCEPTIONS; anything else fails. Exit 77 without JAX."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("harness")
parser.add_argument("folder")
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--sizes", type=int, default=1)
parser.add_argument("--check", action="store_true")
parser.add_argument("programs", nargs="*")
OPTIONS = parser.parse_intermixed_args()

os.environ.setdefault("JAX_PLATFORMS", "cpu")
DUMP = os.path.join(OPTIONS.folder, "dump")
os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
                           " --xla_backend_optimization_level=0"  # nothing is run: only what the partitioner leaves is of interest
                           f" --xla_dump_to={DUMP} --xla_dump_hlo_as_text --xla_dump_hlo_pass_re=spmd-partitioning")
try:
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
except ImportError:
    print("skipped: jax is not installed")
    sys.exit(77)
import numpy as np

import dense
import spatial
import tokens

# Why a line may differ: (programs, pattern of the reduced line, reason).
EXCEPTIONS = [
    (r".*", r"^names, ", "the tracer names a broadcast of a constant after its user or after itself; nothing else differs"),
]
# Programs of which a size stays: what `reduce` says of it, and why. Their lines are not compared, their verdicts are.
KEPT = {
    "capacity_experts": ("size 2047: a window that does not divide its dimension",
                         "a prefix sum over a sharded dimension: the partitioner pads by one less than the dimension"),
    "joined_shards": ("size 18432: borders across grains",
                      "the border between the joined parts is no multiple of the new shards: no common grains"),
}
# Proved at small sizes only: the proof of a convolution over a sharded dimension ends in a step that has no lemma at large ones;
# the ticks of a pipeline are unrolled as long as they are few.
PROVED_WHEN_SMALL = {"convolution", "pipeline"}
PROGRAMS = dense.PROGRAMS + tokens.PROGRAMS + spatial.PROGRAMS
LARGE = dict(b=1024, l=2048, d=4096, f=14336, h=32, k=128, v=32000, n=24, g=16, q=6, e=64, c=192, s=448, w=320, o=384,
             a=80, m=40)
# Small sizes that are all different, and large enough for the shapes to be partitioned in the same way.
SMALL = [dict(b=16, l=24, d=64, f=160, h=8, k=12, v=176, n=3, g=6, q=5, e=32, c=20, s=40, w=28, o=36, a=9, m=7),
         dict(b=24, l=56, d=40, f=112, h=12, k=28, v=144, n=5, g=14, q=3, e=16, c=10, s=48, w=36, o=44, a=11, m=9),
         dict(b=40, l=72, d=88, f=208, h=20, k=16, v=240, n=7, g=10, q=4, e=24, c=14, s=56, w=44, o=18, a=13, m=6)]


def entry(spec, rank):
    items = list(spec) + [None] * (rank - len(spec))
    return [[] if a is None else [a] if isinstance(a, str) else list(a) for a in items]


def capture(folder, name, program, sizes):
    f, args, in_specs, out_specs, *manual = program(sizes)
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("dp", "tp"))
    distributed = f
    if manual:
        distributed = jax.shard_map(manual[0], mesh=mesh, in_specs=tuple(in_specs), out_specs=out_specs, check_vma=False)
    f.__name__ = distributed.__name__ = name
    shard = lambda s: jax.tree.map(lambda p: NamedSharding(mesh, p), s, is_leaf=lambda p: isinstance(p, P))
    before = set(os.listdir(DUMP))
    jax.jit(distributed, in_shardings=shard(tuple(in_specs)), out_shardings=shard(out_specs)).lower(*args).compile()
    sequential = jax.jit(f).lower(*args).compiler_ir(dialect="hlo").as_hlo_text()
    texts = sorted(n for n in set(os.listdir(DUMP)) - before if f"jit_{name}." in n and "after_spmd-partitioning" in n)
    os.makedirs(folder, exist_ok=True)
    open(os.path.join(folder, "sequential.hlo"), "w").write(sequential)
    open(os.path.join(folder, "distributed.hlo"), "w").write(open(os.path.join(DUMP, texts[-1])).read())
    outs = jax.tree.leaves(jax.eval_shape(f, *args))
    specs = out_specs if isinstance(out_specs, tuple) and not isinstance(out_specs, P) else (out_specs,)
    relation = {"mesh": [["dp", 4], ["tp", 2]],
                "inputs": [entry(s, len(a.shape)) for s, a in zip(in_specs, args)],
                "outputs": [entry(s, len(o.shape)) for s, o in zip(specs, outs)]}
    json.dump(relation, open(os.path.join(folder, "relation.json"), "w"))


def texts_of(folder):
    """Every file of a pair."""
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


def harness(*arguments):
    return subprocess.run([OPTIONS.harness, *arguments], capture_output=True, text=True)


def verdict(*arguments):
    """The verdict, why, and on how many elements: all of the line that does not depend on time."""
    line = harness(*arguments, "-q").stdout.strip()
    return " ".join(w for w in line.split() if w.split("=")[0] in ("proved", "refuted", "unknown", "reason", "undefined")) or "none"


def twin(name, large, small, reduced):
    """Lines that no exception explains, and the summary."""
    run = harness("reduce", "--shapes", large, "--like", small, "--floats", "rewrite", "-o", reduced)
    kept = reduced + "-kept"
    harness("reduce", "--shapes", large, "--like", small, "-o", kept)
    lines = re.findall(r"^different (.*\n.*)$", run.stdout, re.M)
    unexplained = [l for l in lines if not any(re.fullmatch(who, name) and re.search(p, l) for who, p, _ in EXCEPTIONS)]
    same = re.search(r"(\d+) of (\d+) lines", run.stdout)
    if name in KEPT:
        unexplained = [] if f"kept {KEPT[name][0]}" in run.stdout else [f"not kept: {KEPT[name][0]}"]
    if run.returncode != 0 or not same:
        unexplained.append(run.stderr.strip()[-300:] or run.stdout.strip())
    if unexplained:
        unexplained = re.findall(r"^kept .*$", run.stdout, re.M) + unexplained
    small_run = verdict("run", small, "--seeds", "1")
    others = [reduced, kept] if lines or name in KEPT else [kept]  # the same lines as the small pair run as it does
    if not lines and not unexplained and name not in KEPT and texts_of(reduced) == texts_of(kept):
        others = []  # no literal was rewritten: the kept one has the same lines too
    pairs = [(small_run, verdict("run", case, "--seeds", "1")) for case in others] or [(small_run, small_run)]
    if OPTIONS.check:
        checked = verdict("check", small).split()[0], verdict("check", large, "--run-shapes", "reduced").split()[0]
        if name not in PROVED_WHEN_SMALL or checked != ("proved", "unknown"):
            pairs.append(checked)
    if name in KEPT:  # other sizes: other numbers of elements
        pairs = [tuple(v.split(" undefined=")[0] for v in pair) for pair in pairs]
    for a, b in pairs:
        if a != b or "unknown" not in small_run:
            unexplained.append(f"verdicts: {a} | {b}")
    verdicts = dict.fromkeys(a for a, _ in pairs)
    return unexplained, len(lines), f"{same.group(0) if same else 'no lines'}, {len(lines)} exceptions, {'; '.join(verdicts)}"


def main():
    folder = OPTIONS.folder
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(DUMP)
    failed = total = equal = 0
    for make in PROGRAMS[::OPTIONS.every]:
        name = make.__name__
        if OPTIONS.programs and name not in OPTIONS.programs:
            continue
        large = os.path.join(folder, name + "-large")
        capture(large, name + "_large", make, LARGE)
        for k, sizes in enumerate(SMALL[:OPTIONS.sizes]):
            small = os.path.join(folder, f"{name}-small{k}")
            capture(small, name + "_large", make, sizes)
            unexplained, exceptions, summary = twin(name, large, small, small + "-reduced")
            total += 1
            failed += 1 if unexplained else 0
            equal += 1 if not unexplained and exceptions == 0 else 0
            print(f"{'FAILED' if unexplained else 'ok    '} {name}-{k}: {summary}", flush=True)
            for line in unexplained[:6]:
                print("   ", line)
    print(f"{total - failed} of {total} twins, {equal} without exceptions")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
