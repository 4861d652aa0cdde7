#!/usr/bin/env python3
"""Compares our runtime with XLA's CPU client: runs every NAME.hlo of a folder that run_modules wrote and demands that
each output agrees to 1e-12 of the tensor's largest magnitude (integers exactly).

usage: compare.py FOLDER   (in the environment of scripts/requirements.txt); closing line: N passed, M failed, K skipped
"""
import glob
import importlib.util
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BOUND = 1e-12


def load_replay():
    spec = importlib.util.spec_from_file_location("replay", os.path.join(HERE, "../../harness/replay.py"))
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


def main(folder):
    replay = load_replay()
    files = sorted(glob.glob(folder + "/*.hlo"))
    ranks = {f: ranks_of(f[:-4] + ".safetensors") for f in files}
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={max(ranks.values(), default=1)}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    xla = replay.Xla()
    passed, failed, worst = 0, 0, (0.0, "")
    for path in files:
        text = open(path).read()
        tensors = replay.read_safetensors(path[:-4] + ".safetensors")
        try:
            got = xla.run(text, ranks[path], replay.leaves(tensors, "in", text))
            errors = [worst_error(tensors[f"out.{k}"], leaf) for k, leaf in enumerate(got)]
        except Exception as error:  # XLA's own message is the finding
            print(f"FAIL {os.path.basename(path)}: {str(error).splitlines()[0][:300]}")
            failed += 1
            continue
        error = max(errors, default=0.0)
        worst = max(worst, (error if error != float("inf") else 0.0, os.path.basename(path)))
        if error < BOUND:
            passed += 1
        else:
            print(f"FAIL {os.path.basename(path)}: worst relative errors {errors}")
            failed += 1
    print(f"largest passing or finite error {worst[0]:.3g} in {worst[1]}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
