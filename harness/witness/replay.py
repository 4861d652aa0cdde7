#!/usr/bin/env python3
"""Replays a gg-harness witness with JAX alone: runs both programs through XLA's CPU client in float64 on the stored
inputs and prints the difference. Needs numpy, jax and jaxlib; no part of gg-harness.

usage: python replay.py [WITNESS ...]        (default: the folder of this file)
       python replay.py --device cpu|gpu [WITNESS ...]
exit code: 0 if every witness shows a difference, 1 if one does not, 3 if it cannot be run

--device: kernel or program? Both programs in their own types, by XLA's kernels of that device, and the error of each output
in roundings (units in the last place of its type) against the stored exact run. Programs that need more devices than there
are, and witnesses without an exact run, are counted as skipped. Exit code: 0 if something was compared, 3 if nothing.
"""
import json
import os
import re
import struct
import subprocess
import sys

AS_WRITTEN = "--xla_disable_hlo_passes=algsimp"
TESTED = "0.10.2"  # jaxlib whose private names are used below


def read_safetensors(path):
    import numpy as np
    with open(path, "rb") as f:
        data = f.read()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    kinds = {"F64": np.float64, "I64": np.int64}
    return {name: np.frombuffer(data, kinds[t["dtype"]], (t["data_offsets"][1] - t["data_offsets"][0]) // 8,
                                8 + size + t["data_offsets"][0]).reshape(t["shape"]) for name, t in header.items()}


def largest_rank_count(folders):
    return max([json.load(open(f + "/difference.json"))["ranks"] for f in folders] or [1])


class Xla:
    """XLA's client of a platform on a module given as HLO text with N replicas."""

    def __init__(self, platform="cpu"):
        import jax
        jax.config.update("jax_enable_x64", True)
        from jax._src import compiler, xla_bridge
        from jaxlib import _hlo, _jax
        self.jax, self.compiler, self.hlo, self.private = jax, compiler, _hlo, _jax
        self.platform = platform
        self.backend = xla_bridge.get_backend(platform)

    def run(self, text, replicas, inputs):
        """inputs: one array a parameter leaf, [replicas, ...]. Result: the same for the output leaves."""
        return self.compiled(text, replicas)(inputs)

    def compiled(self, text, replicas):
        import numpy as np
        module = self.hlo.hlo_module_from_text(text)
        computation = self.hlo.XlaComputation(module.as_serialized_hlo_module_proto())
        mlir = self.private.mlir.xla_computation_to_mlir_module(computation)
        devices = self.jax.devices(self.platform)[:replicas]
        options = self.compiler.get_compile_options(num_replicas=replicas, num_partitions=1,
                                                    device_assignment=np.arange(replicas).reshape(replicas, 1))
        program = self.backend.compile_and_load(mlir, self.private.DeviceList(tuple(devices)), options)

        def execute(inputs):
            arguments = []
            for value in inputs:
                parts = [self.jax.device_put(value[r], devices[r]) for r in range(replicas)]
                arguments.append(self.join(parts, devices))
            results = program.execute_sharded(arguments).disassemble_into_single_device_arrays()
            return [np.stack([np.asarray(part) for part in leaf]) for leaf in results]
        return execute

    def join(self, parts, devices):
        """One array whose shard on device r is parts[r]."""
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec
        mesh = Mesh(np.array(devices), ("d",))
        shape = parts[0].shape
        if not shape:
            return self.jax.make_array_from_single_device_arrays((), NamedSharding(mesh, PartitionSpec()), parts)
        whole = (shape[0] * len(devices),) + shape[1:]
        return self.jax.make_array_from_single_device_arrays(whole, NamedSharding(mesh, PartitionSpec("d")), parts)


def parameter_types(text):
    """Element types of the entry parameters, from the header's entry_computation_layout."""
    layout = text.split("entry_computation_layout={", 1)[1].split("->", 1)[0]
    return re.findall(r"\b(pred|[su]\d+|f\d\w*|bf16)\[", layout)


def leaves(tensors, prefix, text):
    import ml_dtypes
    import numpy as np
    names = {"pred": np.bool_, "f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
    types = parameter_types(text)
    result = []
    for k, t in enumerate(types):
        kind = names.get(t) or np.dtype(("int" if t[0] == "s" else "uint") + t[1:])
        result.append(tensors[f"{prefix}.{k}"].astype(kind))
    return result


COMBINE = {"sum": "sum", "avg": "mean", "max": "max", "min": "min", "mul": "prod"}


def expectation(xla, folder, k, claim, tensors, expected, actual):
    """(wanted, got, which elements are compared) of output k, all of shape [ranks, local dims...]."""
    import numpy as np
    got = actual[k].astype(np.float64)
    if "module" in claim:  # a program says what each rank holds of the sequential outputs
        text = open(f"{folder}/xla/{claim['module']}").read()
        taken = [k] if len(parameter_types(text)) == 1 else range(len(expected))
        ranks = got.shape[0]
        want = xla.run(text, ranks, [np.repeat(expected[j], ranks, axis=0) for j in taken])[0].astype(np.float64)
        return want, got, np.ones(got.shape, bool)
    source = tensors[f"source.{k}"]
    compared = source >= 0
    want = np.asarray(expected[k][0]).reshape(-1).astype(np.float64)
    want = want[np.where(compared, source, 0)] if want.size else np.zeros(got.shape)
    if f"terms.{k}" in tensors:  # partial values: what several ranks hold is combined
        got = getattr(np, COMBINE[claim["combine"]])(got.reshape(-1)[tensors[f"terms.{k}"]], axis=-1)
    return want, got, compared


def replay(xla, folder, difference):
    """Prints what differs; True if something does."""
    import numpy as np
    tensors = read_safetensors(folder + "/inputs.safetensors")
    texts = {side: open(f"{folder}/xla/{side}.hlo").read() for side in ("sequential", "distributed")}
    ranks = difference["ranks"]
    expected = xla.run(texts["sequential"], 1, [x[None] for x in leaves(tensors, "sequential", texts["sequential"])])
    actual = xla.run(texts["distributed"], ranks, leaves(tensors, "distributed", texts["distributed"]))
    differs = False
    for name, claim in sorted(difference["claims"].items(), key=lambda item: int(item[0])):
        want, got, compared = expectation(xla, folder, int(name), claim, tensors, expected, actual)
        compared = compared & np.isfinite(want)
        scale = max(1e-300, float(np.max(np.abs(want[compared]), initial=0.0)))
        with np.errstate(invalid="ignore"):
            error = np.where(compared, np.abs(got - want), 0.0)
        error = np.where(np.isnan(error), np.inf, error)
        worst = np.unravel_index(int(np.argmax(error)), error.shape) if error.size else ()
        wrong = error > 2.0 ** -40 * scale
        print(f"output {name}: {int(wrong.sum())} of {int(compared.sum())} elements differ"
              + (f"; largest at rank {worst[0]}, element {list(map(int, worst[1:]))}: sequential {float(want[worst])!r}, "
                 f"distributed {float(got[worst])!r}" if wrong.any() else ""))
        differs |= bool(wrong.any())
    return differs


def why_not(folder, difference):
    """What is known of XLA where it shows no difference: its CPU client keeps no NaN in maxima and minima over ranks."""
    nan = any("nan" in (d["sequential"], d["distributed"]) for d in difference["differences"])
    text = open(folder + "/xla/distributed.hlo").read()
    over_ranks = re.findall(r" (?:all-reduce|reduce-scatter)\(.*?to_apply=%?([\w.-]+)", text)
    regions = [text.split(f"%{name} (", 1)[-1].split("\n}", 1)[0] for name in over_ranks]
    if not nan or not any(re.search(r" (maximum|minimum)\(", region) for region in regions):
        return ""
    return (": the witness differs by a NaN that passes through a maximum or minimum over ranks, and XLA's CPU client drops it there "
            "(the largest of 1 and NaN is 1), other than the operator's definition")


def roundings(got, high, low):
    """Errors in units in the last place of got's type at the exact values high + low; infinite where got is not finite."""
    import numpy as np
    if got.dtype.kind not in "fV" and str(got.dtype) not in ("bfloat16",):
        return np.where(got.astype(np.int64) == high, 0.0, np.inf)
    import ml_dtypes
    kind = ml_dtypes.finfo(got.dtype)
    exponent = np.maximum(np.frexp(np.where(high == 0, 1e-300, high))[1] - 1, kind.minexp)
    unit = np.ldexp(1.0, exponent - kind.nmant)
    value = got.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(value), np.abs((value - high) - low) / unit, np.inf)


def measure(xla, folder, difference):
    """Prints the errors of both programs on the device; how many outputs were compared."""
    import numpy as np
    if not os.path.exists(folder + "/exact.safetensors"):
        print("skipped: the witness has no exact run")
        return 0
    tensors, exact = read_safetensors(folder + "/inputs.safetensors"), read_safetensors(folder + "/exact.safetensors")
    compared = 0
    for side, ranks in (("sequential", 1), ("distributed", difference["ranks"])):
        here = len(xla.jax.devices(xla.platform))
        if ranks > here:
            print(f"skipped: the {side} program needs {ranks} devices, here are {here}")
            continue
        text = open(f"{folder}/xla/{side}.own.hlo").read()
        inputs = leaves(tensors, side, text)
        results = xla.run(text, ranks, [x[None] for x in inputs] if side == "sequential" else inputs)
        for k, got in enumerate(results):
            high = exact[f"{side}.{k}"].reshape(got.shape)
            low = exact[f"{side}.{k}.low"].reshape(got.shape) if f"{side}.{k}.low" in exact else np.zeros(got.shape)
            defined = np.isfinite(high.astype(np.float64))
            error = np.where(defined, roundings(got, high, low), 0.0)
            worst = np.unravel_index(int(np.argmax(error)), error.shape) if error.size else ()
            where = f" at rank {worst[0]}, element {list(map(int, worst[1:]))}" if error.size else ""
            print(f"{side} output {k}: {got.dtype}, largest error {float(np.max(error, initial=0.0)):.3g} roundings{where}")
            compared += 1
    return compared


def measure_all(folders, platform):
    if platform == "cpu":
        flags = f" --xla_force_host_platform_device_count={largest_rank_count(folders)}"
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + flags
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        xla = Xla(platform)
    except (ImportError, AttributeError, RuntimeError) as error:
        print(f"replay.py: {error}; it is tested with jaxlib {TESTED}", file=sys.stderr)
        return 3
    compared = 0
    for folder in folders:
        print(os.path.basename(os.path.abspath(folder)))
        compared += measure(xla, folder, json.load(open(folder + "/difference.json")))
    return 0 if compared else 3


def main(folders):
    # XLA reads this once, before jax is imported.
    count, flags = largest_rank_count(folders), os.environ.get("XLA_FLAGS", "")
    os.environ["XLA_FLAGS"] = flags + f" --xla_force_host_platform_device_count={count}"
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        xla = Xla()
    except (ImportError, AttributeError) as error:
        print(f"replay.py: {error}; it is tested with jaxlib {TESTED}: pip install jax=={TESTED} jaxlib=={TESTED}",
              file=sys.stderr)
        return 3
    code, again = 0, []
    for folder in folders:
        print(os.path.basename(os.path.abspath(folder)))
        difference = json.load(open(folder + "/difference.json"))
        if difference.get("mismatch"):
            print("the ranks do not reach the same collectives: the program would hang, so XLA is not started")
            continue
        if not replay(xla, folder, difference):
            reason = why_not(folder, difference)
            print("no difference" + reason)
            if reason or AS_WRITTEN in flags:
                code = 1
            else:
                again.append(folder)
    if again:
        print("once more without XLA's algebraic simplifier, which takes squares and magnitudes of integers as not negative also where they wrap:", flush=True)
        env = {**os.environ, "XLA_FLAGS": f"{flags} {AS_WRITTEN}"}
        code = max(code, subprocess.run([sys.executable, __file__, *again], env=env).returncode)
    return code


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--device":
        sys.exit(measure_all(sys.argv[3:] or [os.path.dirname(os.path.abspath(__file__))], sys.argv[2]))
    sys.exit(main(sys.argv[1:] or [os.path.dirname(os.path.abspath(__file__))]))
