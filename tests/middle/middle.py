#!/usr/bin/env python3
"""Pairs at middle size: programs of families.py before and after XLA's partitioner, and one-instruction defects of each, decided by
`check`. Whether a defect that is not refuted changes an output at all is measured without us: XLA runs both programs in f64 on one draw. A right
pair that is refuted fails, a defect that is proved although XLA's outputs differ, and one that stays unknown so if it is not in KNOWN; shares and
seconds are printed.

usage: middle.py GG_HARNESS WRITE_MUTANTS FOLDER [--most N] [--jobs N] [NAME...]    (in the environment of scripts/requirements.txt)
"""
import argparse
import concurrent.futures
import os
import statistics
import subprocess
import sys
import time

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../harness/capture"), os.path.join(HERE, "../xla")]
SAME = 1e-9  # of the largest magnitude: what the order of sums changes in f64
# Defects that change an output in f64 and are not refuted, and why.
KNOWN = {f"{family}/2": "a softmax of x + 1e9: the same over the reals, an overflow in f64" for family in ("gpt-forward", "gpt-wide-forward")}


def capture(name, folder):
    """Done once: the texts of a family do not change."""
    if os.path.exists(folder + "/distributed.hlo"):
        return
    import gg_jax
    import jax
    import numpy as np
    from families import program
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("dp", "tp"))
    fn, arguments = program(name)
    leaf = lambda a: isinstance(a, tuple) and len(a) == 2 and isinstance(a[1], PartitionSpec)
    args = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a[0], np.float32, sharding=NamedSharding(mesh, a[1])), arguments, is_leaf=leaf)
    gg_jax.capture(fn, args, folder=folder)


def check(program, case, seconds):
    begin = time.monotonic()
    try:
        run = subprocess.run([program, "check", case, "-q", "--witness", case + "/witness", "--seeds", "3"], capture_output=True, text=True, timeout=seconds)
        code, line = run.returncode, (run.stdout.strip().split("\n") or [""])[-1] or run.stderr.strip()[:200]
    except subprocess.TimeoutExpired:
        code, line = 99, f"more than {seconds} s"
    return code, line, time.monotonic() - begin


def change(family, case):
    """The largest difference that XLA in f64 shows between the outputs of the right program and of the defect, as a share of the largest magnitude."""
    from compare import load_replay, worst_error
    replay = load_replay()
    xla, tensors = replay.Xla(), replay.read_safetensors(family + "/inputs.safetensors")
    texts = [open(f"{folder}/xla.hlo").read() for folder in (family, case)]
    want, got = ([leaf for leaf in xla.compiled(text, 8)(replay.leaves(tensors, "in", text))] for text in texts)
    import numpy as np
    return max(worst_error(a if a.dtype == np.int64 else a.astype(np.float64), b) for a, b in zip(want, got))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program"), parser.add_argument("mutants"), parser.add_argument("folder"), parser.add_argument("names", nargs="*")
    parser.add_argument("--most", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    try:
        from families import FAMILIES
    except ImportError:
        print("skipped: no jax here (scripts/venv.sh)")
        return 77
    right, wrong = [], []
    for name in options.names or FAMILIES:
        folder = os.path.join(options.folder, name)
        capture(name, folder + "/right")
        right.append(folder + "/right")
        made = subprocess.run([options.mutants, folder + "/right", folder, str(options.most)], capture_output=True, text=True)
        for line in made.stdout.splitlines():
            if " ill-typed " not in line:
                number, what = line.split(" ", 1)
                wrong.append((f"{folder}/{number}", what))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda case: check(options.program, case, 300), right + [case for case, _ in wrong]))
    texts = ["right"] * len(right) + [what for _, what in wrong]
    failed, taken, same, known = 0, [], 0, 0
    for case, text, (code, line, seconds) in zip(right + [case for case, _ in wrong], texts, results):
        taken.append(seconds)
        good = code in (0, 2) if text == "right" else code in (0, 1, 2)
        if text != "right" and good and code != 1:
            size = change(os.path.dirname(case), case)
            harmless, named = size <= SAME, os.path.relpath(case, options.folder) in KNOWN
            same, known = same + harmless, known + (named and not harmless)
            good = harmless or (named and code == 2)
            line = f"XLA in f64 changes by {size:.1e}; {line}"
        failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {code} {seconds:6.2f} s {os.path.relpath(case, options.folder)} ({text}): {line}")
    codes = [code for code, _, _ in results]
    print(f"{len(right)} right pairs: {codes[:len(right)].count(0)} proved, {codes[:len(right)].count(1)} refuted; {len(wrong)} defects: "
          f"{codes[len(right):].count(1)} refuted, {codes[len(right):].count(0)} proved (harmless), {codes[len(right):].count(2)} unknown; "
          f"of those not refuted {same} change no output in XLA's f64 ({SAME}), {known} are known gaps; median {statistics.median(taken):.2f} s, slowest {max(taken):.2f} s")
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
