#!/usr/bin/env python3
"""An AdamW train step of a small causal transformer, as a user would write it: token ids, labels, a loss mask, a step
counter, a PRNG key for dropout, bf16 compute, donated state, parameters sharded over (dp, tp). Nothing here knows of
gg-harness: it is run with the flag line of the README and leaves XLA's dump.

usage: XLA_FLAGS="--xla_force_host_platform_device_count=8 --xla_dump_to=D ..." python train.py [--devices N]
"""
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

VOCAB, WIDTH, HEADS, HIDDEN, LAYERS, BATCH, LENGTH = 32, 16, 4, 32, 2, 4, 8
RATE, BETA1, BETA2, EPS, DECAY = 1e-3, 0.9, 0.95, 1e-8, 0.1


def init():
    def weight(*dims):
        return np.random.default_rng(len(dims) + sum(dims)).normal(0, 0.1, dims).astype(np.float32)
    layer = lambda: {"norm1": np.ones(WIDTH, np.float32), "wqkv": weight(WIDTH, 3, HEADS, WIDTH // HEADS),
                     "wo": weight(HEADS, WIDTH // HEADS, WIDTH), "norm2": np.ones(WIDTH, np.float32),
                     "w1": weight(WIDTH, HIDDEN), "w2": weight(HIDDEN, WIDTH)}
    return {"emb": weight(VOCAB, WIDTH), "layers": [layer() for _ in range(LAYERS)], "head": weight(WIDTH, VOCAB)}


SPECS = {"emb": P("tp", None), "head": P(None, "tp"),
         "layers": [{"norm1": P(), "wqkv": P(None, None, "tp", None), "wo": P("tp", None, None), "norm2": P(),
                     "w1": P(None, "tp"), "w2": P("tp", None)} for _ in range(LAYERS)]}


def norm(x, g):
    y = x.astype(jnp.float32)
    return (y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-5) * g).astype(jnp.bfloat16)


def forward(p, tokens, key):
    p = jax.tree.map(lambda w: w.astype(jnp.bfloat16), p)
    x = p["emb"][tokens]
    for k, layer in enumerate(p["layers"]):
        h = norm(x, layer["norm1"])
        q, kk, v = jnp.moveaxis(jnp.einsum("bsd,dthe->bsthe", h, layer["wqkv"]), 2, 0)
        scores = jnp.einsum("bqhe,bkhe->bhqk", q, kk).astype(jnp.float32) / np.sqrt(WIDTH // HEADS)
        causal = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
        weights = jax.nn.softmax(jnp.where(causal, scores, -1e30), -1).astype(jnp.bfloat16)
        x = x + jnp.einsum("bhqk,bkhe,hed->bqd", weights, v, layer["wo"])
        h = norm(x, layer["norm2"])
        keep = jax.random.bernoulli(jax.random.fold_in(key, k), 0.9, (BATCH, LENGTH, HIDDEN))
        x = x + jnp.where(keep, jax.nn.gelu(h @ layer["w1"]) / 0.9, 0).astype(jnp.bfloat16) @ layer["w2"]
    return x @ p["head"]


def loss_of(p, batch, key):
    logits = forward(p, batch["tokens"], key).astype(jnp.float32)
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), batch["labels"][..., None], -1)[..., 0]
    return -jnp.sum(picked * batch["mask"]) / jnp.maximum(jnp.sum(batch["mask"]), 1)


def train_step(s, batch):
    key = jax.random.fold_in(s["key"], s["step"])
    loss, grads = jax.value_and_grad(loss_of)(s["p"], batch, key)
    size = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
    grads = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / (size + 1e-6)), grads)
    step = s["step"] + 1
    m = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, s["m"], grads)
    v = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, s["v"], grads)
    def update(p, m, v):
        m = m / (1 - BETA1 ** step.astype(jnp.float32))
        v = v / (1 - BETA2 ** step.astype(jnp.float32))
        return p - RATE * (m / (jnp.sqrt(v) + EPS) + DECAY * p)
    p = jax.tree.map(update, s["p"], m, v)
    return {"p": p, "m": m, "v": v, "step": step, "key": s["key"]}, {"loss": loss, "norm": size}


def main():
    count = len(jax.devices())
    mesh = Mesh(np.array(jax.devices()).reshape((count // 4, 4) if count >= 4 else (1, count)), ("dp", "tp"))
    put = lambda x, spec: jax.device_put(x, NamedSharding(mesh, spec))
    params = jax.tree.map(put, init(), SPECS)
    zeros = lambda: jax.tree.map(jnp.zeros_like, params)
    state = {"p": params, "m": zeros(), "v": zeros(), "step": put(np.int32(0), P()), "key": put(jax.random.PRNGKey(0), P())}
    rng = np.random.default_rng(0)
    batch = {"tokens": put(rng.integers(0, VOCAB, (BATCH, LENGTH), np.int32), P("dp", None)),
             "labels": put(rng.integers(0, VOCAB, (BATCH, LENGTH), np.int32), P("dp", None)),
             "mask": put(np.ones((BATCH, LENGTH), np.float32), P("dp", None))}
    step = jax.jit(train_step, donate_argnums=0)
    for _ in range(2):
        state, metrics = step(state, batch)
    print("loss", float(metrics["loss"]))


if __name__ == "__main__":
    sys.exit(main())
