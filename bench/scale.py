#!/usr/bin/env python3
"""Cost against layers, ranks, hidden size and trip count: makes Llama train steps (forward, backward, AdamW) under FSDP x TP with
JAX and XLA's partitioner at any size, times `gg-harness prove` on them, prints a table and draws it.

usage: .venv/bin/python bench/scale.py make FOLDER [--layers N] [--fsdp N] [--tp N] [--hidden N] [--scan]
       .venv/bin/python bench/scale.py run GG_HARNESS WORK_FOLDER [--svg FILE] [SERIES...]      (series: layers ranks hidden trips)

Nothing is run by XLA, and its compiler is stopped as soon as the partitioner has written its module: sizes cost nothing.
Each time is the smallest processor time of three whole processes, from text to the checked verdict. --svg needs matplotlib.
"""
import argparse
import glob
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

SERIES = {
    "layers": [dict(layers=n) for n in (1, 2, 4, 8, 16, 32, 64, 126)],
    "ranks": [dict(fsdp=f, tp=t) for f, t in ((4, 2), (8, 2), (8, 4), (16, 4), (16, 8), (32, 8), (64, 8), (128, 8))],
    "hidden": [dict(hidden=1024 * n) for n in (1, 2, 4, 8, 16, 32, 64)],
    "trips": [dict(layers=n, scan=True) for n in (3, 10, 30, 100, 300, 1000)],
}
BASE = dict(layers=4, fsdp=4, tp=2, hidden=4096, scan=False)


def step(layers, hidden, scan):
    """The train step and its arguments as (shape, placement); `hidden` is the width, heads are 128 wide."""
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.sharding import PartitionSpec as P
    d, heads, width, ff, vocabulary, length, batch = hidden, hidden // 128, 128, 4 * hidden, 32768, 512, 1024

    def rms(x, g):
        return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * g

    def layer(h, w):
        g1, wq, wk, wv, wo, g2, w1, w3, w2 = w
        x = rms(h, g1)
        q, k, v = (jnp.einsum("bsd,dhk->bshk", x, m) for m in (wq, wk, wv))
        s = jnp.einsum("bqhk,bthk->bhqt", q, k) * width**-0.5
        s = jnp.where(jnp.tril(jnp.ones((length, length), bool)), s, -1e9)
        h = h + jnp.einsum("bhqt,bthk,hkd->bqd", jax.nn.softmax(s, -1), v, wo)
        x = rms(h, g2)
        return h + (jax.nn.silu(x @ w1) * (x @ w3)) @ w2

    def loss(weights, ids):
        table, *stack = weights
        h = jax.nn.one_hot(ids, vocabulary) @ table
        if scan:
            h, _ = lax.scan(lambda h, w: (layer(h, w), None), h, tuple(stack))
        else:
            for i in range(layers):
                h = layer(h, stack[9 * i:9 * i + 9])
        logp = jax.nn.log_softmax(h @ table.T, -1)
        return -jnp.mean(jnp.sum(logp * jax.nn.one_hot(ids, vocabulary), -1))

    def adamw(w, m, v, g):
        m, v = 0.9 * m + 0.1 * g, 0.95 * v + 0.05 * g * g
        return w - 3e-4 * (m / (jnp.sqrt(v) + 1e-8) + 0.1 * w), m, v

    def train(w, m, v, ids):
        value, g = jax.value_and_grad(loss)(w, ids)
        new = [adamw(*leaf) for leaf in zip(w, m, v, g)]
        return [n[0] for n in new], [n[1] for n in new], [n[2] for n in new], value

    one = [((d,), P()), *[((d, heads, width), P("fsdp", "tp"))] * 3, ((heads, width, d), P("tp", None, "fsdp")), ((d,), P()),
           *[((d, ff), P("fsdp", "tp"))] * 2, ((ff, d), P("tp", "fsdp"))]
    stack = [((layers, *s), P(None, *p)) for s, p in one] if scan else one * layers
    weights = [((vocabulary, d), P("tp", "fsdp")), *stack]
    return train, weights, ((batch, length), P("fsdp"))


def compile_step(options):
    """In a process of its own: writes sequential.hlo and relation.json, then lets XLA partition (its dump is awaited outside)."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
    mesh = Mesh(np.array(jax.devices()).reshape(options.fsdp, options.tp), ("fsdp", "tp"))
    train, weights, ids = step(options.layers, options.hidden, options.scan)

    def arguments(place):
        def at(shape, spec, dtype):
            return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, spec) if place else None)
        state = [[at(s, p, jnp.float32) for s, p in weights] for _ in range(3)]
        return *state, at(*ids, jnp.int32)

    def placement(shape, spec):
        axes = [[a] if a else [] for a in spec]
        return axes + [[]] * (len(shape) - len(axes))

    with open(options.folder + "/sequential.hlo", "w") as f:
        f.write(jax.jit(train).lower(*arguments(False)).as_text(dialect="hlo"))
    placed, count = [placement(s, p) for s, p in weights] * 3, 3 * len(weights)
    relation = {"mesh": [["fsdp", options.fsdp], ["tp", options.tp]], "inputs": [*placed, placement(*ids)], "outputs": [*placed, []],
                "ranges": {**{str(k): [0, 1] for k in range(2 * len(weights), count)}, str(count): [0, weights[0][0][0]]}, "next": {str(k): k for k in range(count)}}
    with open(options.folder + "/relation.json", "w") as f:
        json.dump(relation, f)
    sharded = [NamedSharding(mesh, p) for _, p in weights]
    jax.jit(train, out_shardings=(sharded, sharded, sharded, NamedSharding(mesh, P()))).lower(*arguments(True)).compile()


def make(options):
    """Writes the case folder; XLA's process ends with the partitioner's dump."""
    os.makedirs(options.folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as dump:
        flags = (f"--xla_force_host_platform_device_count={options.fsdp * options.tp} --xla_dump_to={dump} --xla_dump_hlo_as_text "
                 "--xla_dump_large_constants --xla_dump_hlo_pass_re=spmd")
        child = subprocess.Popen([sys.executable, __file__, "compile", options.folder, *size_flags(vars(options))],
                                 env={**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"})
        text = ""
        while not text.endswith("}\n\n"):  # the entry computation, the last one, is complete
            if child.poll() not in (None, 0):
                raise SystemExit("XLA's process failed")
            time.sleep(0.2)
            found = glob.glob(dump + "/*after_spmd-partitioning*.txt")
            if found:
                with open(found[0]) as f:
                    text = f.read()
        child.kill()
        child.wait()
        with open(options.folder + "/distributed.hlo", "w") as f:
            f.write(text)


def size_flags(sizes):
    flags = [f"--{k}={sizes[k]}" for k in ("layers", "fsdp", "tp", "hidden")]
    return flags + (["--scan"] if sizes["scan"] else [])


def measure(harness, folder):
    """Processor seconds: other work on the machine counts little."""
    best = None
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([harness, "prove", folder, "-q"], capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode != 0:
            raise SystemExit(f"{folder}: {done.stdout}{done.stderr}")
        best = min(best or seconds, seconds)
    return best


def run(options):
    rows = []
    for series in options.series or list(SERIES):
        print(f"\n| {series} | instructions a side | text MB | prove, processor s |\n|---|---|---|---|")
        for point in SERIES[series]:
            sizes = {**BASE, **point}
            ranks = sizes["fsdp"] * sizes["tp"]
            folder = f"{options.folder}/{sizes['layers']}-{ranks}-{sizes['hidden']}{'-scan' if sizes['scan'] else ''}"
            if not os.path.exists(folder + "/distributed.hlo"):
                make(argparse.Namespace(folder=folder, **sizes))
            text = open(folder + "/sequential.hlo").read() + open(folder + "/distributed.hlo").read()
            seconds = measure(options.harness, folder)
            value = {"layers": sizes["layers"], "trips": sizes["layers"], "ranks": ranks, "hidden": sizes["hidden"]}[series]
            rows.append((series, value, seconds))
            print(f"| {value} | {text.count(' = ') // 2} | {len(text) / 1e6:.2f} | {seconds:.3f} |", flush=True)
    if options.svg:
        draw(rows, options.svg)


def draw(rows, path):
    """One panel a series, both axes logarithmic: a line of slope one is linear."""
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    matplotlib.rcParams["svg.hashsalt"] = "scale"
    names = list(dict.fromkeys(r[0] for r in rows))
    figure, panels = plt.subplots(1, len(names), figsize=(3.2 * len(names), 3), sharey=True, squeeze=False)
    titles = {"layers": "layers, unrolled", "ranks": "ranks", "hidden": "hidden size", "trips": "layers, scanned"}
    for panel, name in zip(panels[0], names):
        points = [(v, s) for n, v, s in rows if n == name]
        panel.loglog(*zip(*points), "o-", color="#1f6feb")
        if name == "layers":
            panel.loglog([v for v, _ in points], [v * points[-1][1] / points[-1][0] for v, _ in points], ":", color="gray", label="linear")
            panel.legend()
        panel.set_xlabel(titles[name])
        panel.grid(True, which="major", alpha=0.3)
    panels[0][0].set_ylabel("prove, processor seconds")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(required=True)
    for name, action in (("make", make), ("compile", compile_step)):
        command = commands.add_parser(name)
        command.add_argument("folder")
        for size in ("layers", "fsdp", "tp", "hidden"):
            command.add_argument("--" + size, type=int, default=BASE[size])
        command.add_argument("--scan", action="store_true")
        command.set_defaults(action=action)
    command = commands.add_parser("run")
    command.add_argument("harness")
    command.add_argument("folder")
    command.add_argument("series", nargs="*")
    command.add_argument("--svg")
    command.set_defaults(action=run)
    chosen = parser.parse_args()
    chosen.action(chosen)
