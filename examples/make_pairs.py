#!/usr/bin/env python3
"""Makes the pairs of this folder with JAX: sequential.hlo (as traced), distributed.hlo (XLA's module right after
spmd-partitioning, 8 ranks), relation.json and expect.json.

usage: .venv/bin/python examples/make_pairs.py [--out FOLDER] [NAME...]

Each program is written twice, as a framework author would: `seq` for one device, `dist` with shard_map over the mesh
(dp=2, tp=4), or `seq` alone with sharding annotations, which XLA's partitioner distributes. The defects are reported
ones; the reference stands in expect.json.
"""
import argparse
import glob
import json
import os
import re
import shutil
import sys
import tempfile

DUMP = tempfile.mkdtemp()
os.environ["XLA_FLAGS"] = (
    "--xla_force_host_platform_device_count=8 --xla_dump_to=" + DUMP + " --xla_dump_hlo_as_text "
    "--xla_dump_large_constants --xla_dump_hlo_pass_re=spmd")
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("dp", "tp"))


def rms(x, g):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g


# --- tensor-parallel gated MLP: column-parallel, then row-parallel, one all-reduce -----------------------------------
def mlp(x, w1, w2, w3):
    return (jax.nn.silu(x @ w1) * (x @ w2)) @ w3


def mlp_tp(x, w1, w2, w3):
    return lax.psum(mlp(x, w1, w2, w3), "tp")



def mlp_contracted(x, w1, w2):
    return jax.nn.silu(x @ w1) @ w2


def mlp_contracted_tp(x, w1, w2):
    return jax.nn.silu(lax.psum(x @ w1, "tp")) @ w2


def mlp_contracted_tp_late(x, w1, w2):
    return lax.psum(jax.nn.silu(x @ w1) @ w2, "tp")


# --- sequence parallelism (norm on sequence shards, column-parallel weight): gradient of the norm's weight -----------
def norm_grads(x, g, w):
    return jax.grad(lambda g, w: jnp.sum(jnp.sin(rms(x, g) @ w)), (0, 1))(g, w)


def norm_grads_sp(reduce):
    def step(x, g, w):
        def loss(g, w):
            h = lax.all_gather(rms(x, g), "tp", axis=1, tiled=True)
            return jnp.sum(jnp.sin(h @ w))
        dg, dw = jax.grad(loss, (0, 1))(g, w)
        dg = lax.psum(dg, "dp")
        dw = lax.psum(dw, "dp")
        return (lax.psum(dg, "tp") if reduce else dg), dw
    return step


# --- data parallelism: mean loss over unequal token counts -----------------------------------------------------------
def masked_loss(w, x, t, m):
    return jax.grad(lambda w: jnp.sum(m * (x @ w - t) ** 2) / jnp.sum(m))(w)


def masked_loss_dp(w, x, t, m):
    return lax.psum(jax.grad(lambda w: jnp.sum(m * (x @ w - t) ** 2))(w), "dp") / lax.psum(jnp.sum(m), "dp")


def masked_loss_dp_mean_of_means(w, x, t, m):
    return lax.pmean(jax.grad(lambda w: jnp.sum(m * (x @ w - t) ** 2) / jnp.sum(m))(w), "dp")


# --- vocabulary-parallel embedding ------------------------------------------------------------------------------------
def embed(w, ids):
    return w[ids]


def embed_tp(mask):
    def step(w, ids):
        n = w.shape[0]
        local = ids - lax.axis_index("tp") * n
        inside = (local >= 0) & (local < n)
        rows = w[jnp.clip(local, 0, n - 1)]
        return lax.psum(jnp.where(inside[..., None], rows, 0.0) if mask else rows, "tp")
    return step


# --- mixed precision: f32 weights, bf16 compute, gradients summed in bf16 over the data-parallel ranks -------------------
def bf16_step(w1, w2, x, y):
    def loss(w):
        o = jax.nn.relu(x @ w[0].astype(BF16)) @ w[1].astype(BF16)
        return jnp.mean((o - y).astype(F32) ** 2)
    l, (g1, g2) = jax.value_and_grad(loss)((w1, w2))
    return w1 - 0.125 * g1, w2 - 0.125 * g2, l


def bf16_step_tp(w1, w2, x, y):
    b1, b2 = w1.astype(BF16), w2.astype(BF16)
    z = x @ b1
    h = jax.nn.relu(z)
    e = (lax.psum(h @ b2, "tp") - y).astype(F32)
    n = 2 * e.size  # elements on both dp ranks
    d = (2 * e / n).astype(BF16)
    g2 = lax.psum(h.T @ d, "dp")
    g1 = lax.psum(x.T @ jnp.where(z > 0, d @ b2.T, 0), "dp")
    return w1 - 0.125 * g1.astype(F32), w2 - 0.125 * g2.astype(F32), lax.psum(jnp.sum(e * e), "dp") / n


# --- a llama block, partitioned by XLA from annotations ---------------------------------------------------------------
def block(p, x):
    h = rms(x, p["g1"])
    q, k, v = (jnp.einsum("bsd,dhk->bshk", h, p[n]) for n in ("wq", "wk", "wv"))
    s = jnp.einsum("bqhk,bthk->bhqt", q, k) / np.sqrt(q.shape[-1]).astype(np.float32)
    s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -1e9)
    a = jnp.einsum("bhqt,bthk->bqhk", jax.nn.softmax(s, -1), v)
    x = x + jnp.einsum("bshk,hkd->bsd", a, p["wo"])
    return x + mlp(rms(x, p["g2"]), p["w1"], p["w2"], p["w3"])


def block_step(p, x):
    return jax.value_and_grad(lambda p: jnp.mean(block(p, x) ** 2))(p)


BLOCK = {"g1": ((16,), P()), "g2": ((16,), P()), "w1": ((16, 32), P(None, "tp")), "w2": ((16, 32), P(None, "tp")),
         "w3": ((32, 16), P("tp", None)), "wk": ((16, 4, 4), P(None, "tp")), "wo": ((4, 4, 16), P("tp")),
         "wq": ((16, 4, 4), P(None, "tp")), "wv": ((16, 4, 4), P(None, "tp"))}

F32, BF16, I32 = jnp.float32, jnp.bfloat16, jnp.int32
MLP_IN = [((8, 16), F32, P("dp")), ((16, 32), F32, P(None, "tp")), ((16, 32), F32, P(None, "tp")),
          ((32, 16), F32, P("tp"))]
CONTRACTED_IN = [((8, 16), F32, P("dp", "tp")), ((16, 32), F32, P("tp")), ((32, 16), F32, P())]
NORM_IN = [((4, 8, 16), F32, P("dp", "tp")), ((16,), F32, P()), ((16, 12), F32, P(None, "tp"))]
LOSS_IN = [((12, 3), F32, P()), ((8, 12), F32, P("dp")), ((8, 3), F32, P("dp")), ((8, 1), F32, P("dp"))]
BF16_IN = [((16, 32), F32, P(None, "tp")), ((32, 16), F32, P("tp")), ((8, 16), BF16, P("dp")), ((8, 16), BF16, P("dp"))]
EMBED_IN = [((32, 16), F32, P("tp")), ((4, 6), I32, P("dp"))]

# name: (sequential, distributed or None, inputs, output specs, ranges, defect or None, reference)
PAIRS = {
    "tp-mlp": (mlp, mlp_tp, MLP_IN, [P("dp")], {}, None, ""),
    "mlp-late-reduce": (mlp_contracted, mlp_contracted_tp_late, CONTRACTED_IN, [P("dp")], {},
                        "partial sums consumed by silu: the all-reduce over tp comes too late",
                        "bugs of category 'missing collective', pytorch/pytorch#165962"),
    "mlp-contracted": (mlp_contracted, mlp_contracted_tp, CONTRACTED_IN, [P("dp")], {}, None, ""),
    "sp-norm-grad": (norm_grads, norm_grads_sp(True), NORM_IN, [P(), P(None, "tp")], {}, None, ""),
    "sp-norm-grad-unreduced": (norm_grads, norm_grads_sp(False), NORM_IN, [P(), P(None, "tp")], {},
                               "gradient of the norm's weight is not summed over the sequence shards",
                               "NVIDIA/Megatron-LM#1446, EleutherAI/gpt-neox#1257"),
    "masked-loss-grad": (masked_loss, masked_loss_dp, LOSS_IN, [P()], {"3": [0.0, 1.0]}, None, ""),
    "masked-loss-grad-mean-of-means": (masked_loss, masked_loss_dp_mean_of_means, LOSS_IN, [P()], {"3": [0.0, 1.0]},
                                       "mean of per-rank means with unequal token counts",
                                       "huggingface/transformers#34191"),
    "vocab-embedding": (embed, embed_tp(True), EMBED_IN, [P("dp")], {"1": [0, 32]}, None, ""),
    "vocab-embedding-unmasked": (embed, embed_tp(False), EMBED_IN, [P("dp")], {"1": [0, 32]},
                                 "rows of tokens outside the local vocabulary are not masked", ""),
    "bf16-train-step": (bf16_step, bf16_step_tp, BF16_IN, [P(None, "tp"), P("tp"), P()], {}, None, ""),
    "llama-block-step": (block_step, None, None, None, {}, None, ""),
}

# Outputs that are inputs of the next step.
NEXT = {"bf16-train-step": {"0": 0, "1": 1}}


def struct(shape, dtype, spec=None):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=None if spec is None else NamedSharding(MESH, spec))


def partitioned_text(fn, args, out):
    """The module right after spmd-partitioning, from XLA's dump."""
    shutil.rmtree(DUMP, ignore_errors=True)
    os.makedirs(DUMP)
    jax.jit(fn, out_shardings=out).lower(*args).compile()
    files = [f for f in glob.glob(DUMP + "/*after_spmd-partitioning*.txt")]
    return open(max(files, key=os.path.getsize)).read()


def entry(spec, rank):
    axes = [[] if s is None else [s] if isinstance(s, str) else list(s) for s in tuple(spec)]
    return axes + [[]] * (rank - len(axes))


def anonymous(text):
    """Keeps line numbers, drops folders of the machine that made the dump."""
    return re.sub(r'"[^"\n]*/([^"/\n]+\.py)"', r'"\1"', text)


def make(name, out_root):
    seq, dist, inputs, outs, ranges, defect, reference = PAIRS[name]
    if dist is None:
        keys = sorted(BLOCK)
        flat_in = [(BLOCK[k][0], F32, BLOCK[k][1]) for k in keys] + [((4, 8, 16), F32, P("dp"))]
        params = lambda f: {k: f(*BLOCK[k]) for k in keys}
        seq_args = (params(lambda s, p: struct(s, F32)), struct((4, 8, 16), F32))
        dist_args = (params(lambda s, p: struct(s, F32, p)), struct((4, 8, 16), F32, P("dp")))
        shardings = (NamedSharding(MESH, P()), params(lambda s, p: NamedSharding(MESH, p)))
        flat_out = [P()] + [BLOCK[k][1] for k in keys]
        dist = seq
    else:
        flat_in, flat_out = inputs, outs
        seq_args = [struct(s, t) for s, t, _ in inputs]
        dist_args = [struct(s, t, p) for s, t, p in inputs]
        shardings = None
        specs = outs[0] if len(outs) == 1 else tuple(outs)
        dist = jax.shard_map(dist, mesh=MESH, in_specs=tuple(p for _, _, p in inputs), out_specs=specs, check_vma=False)
    lowered = jax.jit(seq).lower(*seq_args)
    folder = os.path.join(out_root, name)
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/sequential.hlo", "w") as f:
        f.write(anonymous(lowered.as_text(dialect="hlo")))
    with open(folder + "/distributed.hlo", "w") as f:
        f.write(anonymous(partitioned_text(dist, dist_args, shardings)))
    leaves = jax.tree.leaves(jax.eval_shape(seq, *seq_args))
    relation = {"mesh": [["dp", 2], ["tp", 4]], "inputs": [entry(p, len(s)) for s, _, p in flat_in],
                "outputs": [entry(p, len(leaf.shape)) for p, leaf in zip(flat_out, leaves)], "ranges": ranges}
    if name in NEXT:
        relation["next"] = NEXT[name]
    with open(folder + "/relation.json", "w") as f:
        rows = ",\n".join(f' "{k}": {json.dumps(v)}' for k, v in relation.items())
        f.write("{\n" + rows + "\n}\n")
    expect = {"verdict": "refuted" if defect else "proved", "bug": defect, "reference": reference or None}
    with open(folder + "/expect.json", "w") as f:
        f.write(json.dumps(expect, indent=1) + "\n")
    print(name, file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for pair in options.names or PAIRS:
        make(pair, options.out)
    shutil.rmtree(DUMP, ignore_errors=True)
