#!/usr/bin/env python3
"""The first ten minutes of a JAX user: real programs run with the flag line of the README, then gg-harness on the dump; and
every way to end up without a pair. Runs with any JAX from 0.4.38 on; a dump whose XLA flag the release does not know is left
out, and said. usage: dumps.py GG_HARNESS FOLDER [NAME...]; closing line: N passed, M failed"""
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICES = "--xla_force_host_platform_device_count=8"
FLAGS = "--xla_dump_hlo_as_text --xla_dump_large_constants --xla_dump_hlo_pass_re=spmd"
OLD = int(version("jaxlib").split(".")[1]) < 5
# name: (script, XLA flags beside --xla_dump_to, environment)
DUMPS = {
    "train": ("train.py", f"{DEVICES} {FLAGS}", {}),
    "train_gspmd": ("train.py", f"{DEVICES} {FLAGS}", {"JAX_USE_SHARDY_PARTITIONER": "false"}),
    "dropout": ("small.py dropout", f"{DEVICES} {FLAGS}", {"JAX_THREEFRY_PARTITIONABLE": "false"}),
    "plain": ("small.py plain", f"{DEVICES} {FLAGS}", {}),
    "gspmd": ("small.py plain", f"{DEVICES} {FLAGS}", {"JAX_USE_SHARDY_PARTITIONER": "false"}),
    "keep": ("small.py plain", f"{DEVICES} {FLAGS} --xla_keep_shardings_after_spmd=true", {}),
    "one_device": ("small.py plain", FLAGS, {}),
    "no_passes": ("small.py plain", f"{DEVICES} --xla_dump_hlo_as_text", {}),
    "binary": ("small.py plain", f"{DEVICES} --xla_dump_hlo_as_proto --xla_dump_hlo_pass_re=spmd", {}),
    "elided": ("small.py plain", f"{DEVICES} --xla_dump_hlo_as_text --xla_dump_hlo_pass_re=spmd", {}),
    "cache_fill": ("small.py plain", f"{DEVICES} {FLAGS}", {"CACHE": "1"}),
    "cached": ("small.py plain", f"{DEVICES} {FLAGS}", {"CACHE": "1"}),
    "hosts/host0": ("plain", "", {}),  # every host writes the same: copies
    "hosts/host1": ("plain", "", {}),
    "passes": ("small.py plain", f"{DEVICES} --xla_dump_hlo_as_text --xla_dump_large_constants --xla_dump_hlo_pass_re=.*", {}),
    "mlp": ("small.py mlp", f"{DEVICES} {FLAGS}", {}),
    "mlp_without_psum": ("small.py mlp_without_psum", f"{DEVICES} {FLAGS}", {}),
}
# dump, exit codes, arguments ({before}, {after}, {input}: files of the largest module), texts that must appear
CASES = [
    ("train", (0, 2), "check --xla-dump {dump}", ["claim=partitioner", "module=jit_train_step", "undefined=0/"]),
    ("train", (0, 2), "run {before} {after}", ["claim=partitioner", "undefined=0/"]),
    ("train", (0,), "relation --xla-dump {dump} --as pspec", ["P('dp', None)", "P('tp', None)", '"next"']),
    ("train", (0,), "run --xla-dump {dump} --require agrees --range s['step']=0:100", ["given"]),
    ("train", (1,), "run {before} {broken} --witness {tmp}/broken.witness", ["refuted", "next s['v']"]),
    ("train_gspmd", (0,), "relation --xla-dump {dump} --as pspec", ["axis_0", '"next"']),  # GSPMD's dump names no axes
    ("train_gspmd", (2,), "run --xla-dump {dump}", ["reason=agrees-only", "module=jit_train_step", "undefined=0/"]),
    # jaxlib before 0.5: the partitioner adds the halves of the random bits up over all partitions, copies included; JAX
    # itself shows it (tests/frontdoor/small.py prints how many elements differ).
    ("dropout", (1,) if OLD else (0, 2), "check --xla-dump {dump} --module jit_mask --witness {tmp}/dropout.witness",
     ["wrong replica groups: %all-reduce"] if OLD else ["module=jit_mask"]),
    ("plain", (0, 2), "check --xla-dump {dump}", ["claim=partitioner", "module=jit__lambda"]),
    ("plain", (0, 2), "check --xla-dump {dump} --all-modules", ["modules=1"]),
    ("plain", (3,), "check --xla-dump {dump} --module nothere", ["[GG-X007]"]),
    ("plain", (3,), "check {input} {after}", ["[GG-"]),
    ("gspmd", (0, 2), "check --xla-dump {dump}", ["module=jit__lambda"]),
    ("keep", (0, 2), "check --xla-dump {dump}", ["module=jit__lambda"]),
    ("one_device", (3,), "check --xla-dump {dump}", ["[GG-X004]", "xla_force_host_platform_device_count"]),
    ("no_passes", (3,), "check --xla-dump {dump}", ["[GG-X002]", "--xla_dump_hlo_pass_re=spmd"]),
    ("binary", (3,), "check --xla-dump {dump}", ["[GG-X006]", "--xla_dump_hlo_as_text"]),
    ("elided", (3,), "check --xla-dump {dump}", ["[GG-P005]", "xla_dump_large_constants"]),
    ("cached", (3,), "check --xla-dump {dump}", ["[GG-X00", "JAX_ENABLE_COMPILATION_CACHE=false"]),
    ("hosts", (3,), "check --xla-dump {dump}", ["[GG-X005]", "host0"]),
    ("passes", (0,), "passes {dump} --require agrees", ["claim=pass reason=agrees-only", "not-compared=0"]),
    ("mlp", (0, 2), "check --xla-dump {dump}", ["claim=partitioner", "manual-regions=1"]),
    ("mlp", (2,), "check --replicas {before}", ["violated=0"]),
    ("mlp_without_psum", (1,), "check --xla-dump {dump} --witness {tmp}/mlp.witness", ["varies over", "missing reduction after %dot"]),
    ("mlp_without_psum", (1,), "check --replicas {before}", ["missing reduction after %dot"]),
]


def dump(name, tmp):
    """Runs the script of a dump; False where this release of XLA does not know its flags."""
    folder = os.path.join(tmp, name)
    script, flags, environment = DUMPS[name]
    if script in DUMPS:
        if not os.path.isdir(os.path.join(tmp, script)):
            dump(script, tmp)
        shutil.copytree(os.path.join(tmp, script), folder)
        return True
    env = dict(os.environ, JAX_PLATFORMS="cpu", JAX_THREEFRY_PARTITIONABLE="true", JAX_USE_SHARDY_PARTITIONER="true",
               XLA_FLAGS=f"--xla_dump_to={folder} --xla_backend_optimization_level=0 {flags}")  # the partitioner comes before what that turns off
    if environment.get("CACHE"):
        env.update(JAX_COMPILATION_CACHE_DIR=os.path.join(tmp, "cache"), JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0",
                   JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="-1")
    env.update({k: v for k, v in environment.items() if k != "CACHE"})
    run = subprocess.run([sys.executable, *[os.path.join(HERE, script.split()[0]), *script.split()[1:]]], env=env,
                         capture_output=True, text=True)
    if re.search("Unknown flags? in XLA_FLAGS", run.stderr):
        return False
    if run.returncode != 0:
        raise RuntimeError(f"{name}: {run.stderr[-2000:]}")
    return True


def files_of(folder):
    """Texts before and after partitioning of the largest module, its input; the text after with a broken update."""
    found = {}
    if not os.path.isdir(folder):  # nothing was compiled
        return {}
    names = sorted(os.listdir(folder), key=lambda n: os.path.getsize(os.path.join(folder, n)))
    for name in names:
        for key, pattern in (("before", r"before_spmd-partitioning\.txt$"), ("after", r"after_spmd-partitioning\..*txt$"),
                             ("input", r"before_optimizations\.txt$")):
            if re.search(pattern, name):
                found[key] = os.path.join(folder, name)
    if "after" in found and "train" in folder:
        found["broken"] = os.path.join(folder, "broken.txt")
        with open(found["after"]) as f:
            text = f.read()
        # The second moment: 0.95 v + 0.05 g g; here rank 3 takes 0.94.
        broken, count = re.subn(
            r"  (%?[\w.\-]+) = f32\[\] constant\(0\.95\)([^\n]*)\n",
            "  %wrong.rank = u32[] partition-id()\n  %wrong.three = u32[] constant(3)\n"
            "  %wrong.here = pred[] compare(%wrong.rank, %wrong.three), direction=EQ\n"
            "  %wrong.yes = f32[] constant(0.94)\n  %wrong.no = f32[] constant(0.95)\n"
            "  \\1 = f32[] select(%wrong.here, %wrong.yes, %wrong.no)\\2\n", text, count=1)
        assert count == 1, "no 0.95 in the step"
        with open(found["broken"], "w") as f:
            f.write(broken)
    return found


def main(harness, tmp, names):
    shutil.rmtree(tmp, ignore_errors=True)
    os.makedirs(tmp)
    passed = failed = 0
    made, unknown = set(), set()
    for name, codes, arguments, texts in CASES:
        if names and name not in names:
            continue
        for source in DUMPS:
            wanted = source == name or source.startswith(name + "/") or (name == "cached" and source == "cache_fill")
            if wanted and source not in made:
                made.add(source)
                if not dump(source, tmp):
                    unknown.add(source)
                    print(f"left out {source}: this XLA does not know its flags")
        if name in unknown:
            continue
        folder = os.path.join(tmp, name)
        places = {"dump": folder, "tmp": tmp, **files_of(folder)}
        run = subprocess.run([harness, *[part.format(**places) for part in arguments.split()]], capture_output=True, text=True,
                             cwd=tmp, timeout=300)
        missing = [text for text in texts if text not in run.stdout + run.stderr]
        if run.returncode in codes and not missing:
            passed += 1
            print(f"ok {name}: {arguments}: {(run.stdout.strip().splitlines() or [''])[-1][:160]}")
        else:
            failed += 1
            print(f"FAIL {name}: {arguments}: exit {run.returncode}, missing {missing}\n{run.stdout[-1500:]}{run.stderr[-1500:]}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]))
