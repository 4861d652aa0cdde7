#!/usr/bin/env python3
"""Twin test of shape reduction: programs captured by JAX at two sizes each; the large pair reduced to the small sizes must
be the small capture, line by line. usage: twin.py GG_HARNESS FOLDER; prints one line a program and the exceptions.

An exception is a line that differs for a reason stated in EXCEPTIONS; anything else fails. Exit 77 without JAX."""
import json
import os
import re
import shutil
import subprocess
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
DUMP = os.path.join(sys.argv[2] if len(sys.argv) > 2 else ".", "dump")
os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
                           f" --xla_dump_to={DUMP} --xla_dump_hlo_as_text --xla_dump_hlo_pass_re=spmd-partitioning")
try:
    import jax
    import jax.numpy as jnp
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
except ImportError:
    print("skipped: jax is not installed")
    sys.exit(77)
import numpy as np

# Why a line may differ: (pattern of the reduced line, reason). Float literals are kept (docs/shape-reduction.md).
EXCEPTIONS = [
    (r"^names, ", "the tracer named a broadcast after another user of the same shape"),
    (r"f(32|64)\[\](\{\})? constant\(", "a float literal made of a size is kept"),
]


def rms_norm(x, w):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * w


def rope(x):
    length, half = x.shape[1], x.shape[-1] // 2
    freq = 1.0 / (10000.0 ** (jnp.arange(half, dtype=jnp.float32) / 8.0))
    angle = jnp.arange(length, dtype=jnp.float32)[:, None] * freq[None]
    c, s = jnp.cos(angle)[None, :, None], jnp.sin(angle)[None, :, None]
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


def attention(x, wq, wk, wv, wo):
    q, k, v = (jnp.einsum("bld,dhk->blhk", x, w) for w in (wq, wk, wv))
    q, k = rope(q), rope(k)
    scores = jnp.einsum("bqhk,bshk->bhqs", q, k) * 0.25
    mask = jnp.arange(x.shape[1])[:, None] >= jnp.arange(x.shape[1])[None]
    weights = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), -1)
    return jnp.einsum("bhqs,bshk,hkd->bqd", weights, v, wo)


def f32(*dims):
    return jax.ShapeDtypeStruct(dims, jnp.float32)


def i32(*dims):
    return jax.ShapeDtypeStruct(dims, jnp.int32)


# Each program: sizes -> (function, argument shapes, input specs, output specs). b, l, d, f, h, k, v: batch, length, width,
# hidden, heads, head width, vocabulary.
def mlp(z):
    return (lambda x, a, b: jax.nn.silu(x @ a) @ b,
            [f32(z["b"], z["d"]), f32(z["d"], z["f"]), f32(z["f"], z["d"])],
            [P("dp"), P(None, "tp"), P("tp")], P("dp"))


def mlp_grad(z):
    def loss(a, b, x):
        return jnp.mean((jax.nn.gelu(x @ a) @ b) ** 2)
    return (lambda a, b, x: jax.grad(loss, (0, 1))(a, b, x),
            [f32(z["d"], z["f"]), f32(z["f"], z["d"]), f32(z["b"], z["d"])],
            [P(None, "tp"), P("tp"), P("dp")], (P(None, "tp"), P("tp")))


def block(z):
    shape = (z["d"], z["h"], z["k"])
    def f(x, wq, wk, wv, wo, n):
        return x + attention(rms_norm(x, n), wq, wk, wv, wo)
    return (f, [f32(z["b"], z["l"], z["d"]), f32(*shape), f32(*shape), f32(*shape), f32(z["h"], z["k"], z["d"]), f32(z["d"])],
            [P("dp"), P(None, "tp"), P(None, "tp"), P(None, "tp"), P("tp"), P()], P("dp"))


def embedding(z):
    def f(table, ids, out):
        return jnp.take(table, ids, axis=0) @ out
    return (f, [f32(z["v"], z["d"]), i32(z["b"], z["l"]), f32(z["d"], z["v"])],
            [P("tp"), P("dp"), P(None, "tp")], P("dp", None, "tp"))


def cross_entropy(z):
    def f(x, w, ids):
        logits = x @ w
        picked = jnp.take_along_axis(logits, ids[..., None], -1)[..., 0]
        return jax.nn.logsumexp(logits, -1) - picked
    return (f, [f32(z["b"], z["l"], z["d"]), f32(z["d"], z["v"]), i32(z["b"], z["l"])],
            [P("dp"), P(None, "tp"), P("dp")], P("dp"))


def scanned(z):
    def f(x, ws):
        return jax.lax.scan(lambda y, w: (jnp.tanh(y @ w), None), x, ws)[0]
    return (f, [f32(z["b"], z["d"]), f32(z["n"], z["d"], z["d"])], [P("dp"), P(None, None, "tp")], P("dp"))


def layer_norm(z):
    def f(x, w):
        m = jnp.mean(x, -1, keepdims=True)
        return (x - m) * jax.lax.rsqrt(jnp.mean((x - m) ** 2, -1, keepdims=True) + 1e-6) @ w
    return (f, [f32(z["b"], z["l"], z["d"]), f32(z["d"], z["f"])], [P("dp", "tp"), P(None, "tp")], P("dp", None, "tp"))


def shifted(z):
    def f(ids, table):
        return jnp.sum(table[ids[:, 1:]] - table[ids[:, :-1]], 1)
    return (f, [i32(z["b"], z["l"]), f32(z["v"], z["d"])], [P("dp"), P(None, "tp")], P("dp", "tp"))


def cumulative(z):
    return (lambda x: jnp.cumsum(x, 1) / (1 + jnp.arange(x.shape[1], dtype=jnp.float32))[None, :, None],
            [f32(z["b"], z["l"], z["d"])], [P("dp", None, "tp")], P("dp", None, "tp"))


def fsdp(z):
    def f(a, b, x):
        return jax.grad(lambda p: jnp.sum(jnp.tanh(x @ p[0]) @ p[1]))((a, b))
    return (f, [f32(z["d"], z["f"]), f32(z["f"], z["d"]), f32(z["b"], z["d"])],
            [P("dp", "tp"), P("tp", "dp"), P("dp")], (P("dp", "tp"), P("tp", "dp")))


PROGRAMS = [mlp, mlp_grad, block, embedding, cross_entropy, scanned, layer_norm, shifted, cumulative, fsdp]
LARGE = dict(b=1024, l=2048, d=4096, f=14336, h=32, k=128, v=32000, n=24)
# Small sizes that are all different, and large enough for the shapes to be partitioned in the same way.
SMALL = [dict(b=16, l=24, d=64, f=160, h=8, k=12, v=176, n=3), dict(b=24, l=20, d=40, f=112, h=12, k=28, v=144, n=5),
         dict(b=8, l=36, d=88, f=208, h=20, k=16, v=240, n=7)]


def entry(spec, rank):
    items = list(spec) + [None] * (rank - len(spec))
    return [[] if a is None else [a] if isinstance(a, str) else list(a) for a in items]


def capture(folder, name, program, sizes):
    f, args, in_specs, out_specs = program(sizes)
    f.__name__ = name
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("dp", "tp"))
    shard = lambda s: jax.tree.map(lambda p: NamedSharding(mesh, p), s, is_leaf=lambda p: isinstance(p, P))
    before = set(os.listdir(DUMP))
    jax.jit(f, in_shardings=shard(tuple(in_specs)), out_shardings=shard(out_specs)).lower(*args).compile()
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


def main():
    program, folder = sys.argv[1], sys.argv[2]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(DUMP)
    failed = total = equal = 0
    for make in PROGRAMS:
        large = os.path.join(folder, make.__name__ + "-large")
        capture(large, make.__name__ + "_large", make, LARGE)
        for k, sizes in enumerate(SMALL):
            small = os.path.join(folder, f"{make.__name__}-small{k}")
            capture(small, f"{make.__name__}_large", make, sizes)
            run = subprocess.run([program, "reduce", "--shapes", large, "--like", small, "-o", small + "-reduced"],
                                 capture_output=True, text=True)
            lines = re.findall(r"^different (.*)$", run.stdout, re.M)
            unexplained = [l for l in lines if not any(re.search(p, l) for p, _ in EXCEPTIONS)]
            same = re.search(r"(\d+) of (\d+) lines", run.stdout)
            verdicts = [subprocess.run([program, "run", c, "--seeds", "1", "-q"], capture_output=True,
                                       text=True).stdout.split("assumptions")[0] for c in (small, small + "-reduced")]
            right = run.returncode == 0 and same and not unexplained and verdicts[0] == verdicts[1]
            total += 1
            failed += 0 if right else 1
            equal += 1 if right and not lines else 0
            print(f"{'ok    ' if right else 'FAILED'} {make.__name__}-{k}: {same.group(0) if same else run.stderr.strip()[-200:]}, "
                  f"{len(lines)} exceptions")
            for line in unexplained[:3]:
                print("   ", line)
            if verdicts[0] != verdicts[1]:
                print("    verdicts:", *verdicts)
    print(f"{total - failed} of {total} twins, {equal} without exceptions")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
