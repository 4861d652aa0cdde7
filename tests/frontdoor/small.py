#!/usr/bin/env python3
"""Small programs for dumps. usage: XLA_FLAGS=... python small.py [plain | mlp | mlp_without_psum | dropout]"""
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

count = len(jax.devices())
mesh = Mesh(np.array(jax.devices()).reshape((2, count // 2) if count > 1 else (1, 1)), ("dp", "tp"))
put = lambda x, *spec: jax.device_put(x, NamedSharding(mesh, P(*spec)))
ones = lambda *dims: np.ones(dims, np.float32)


def plain():
    table = np.arange(64, dtype=np.float32).reshape(8, 8)  # large enough to be elided
    return jax.jit(lambda x, w: jnp.sum((x @ w) * table, 0))(put(ones(8, 4), "dp"), put(ones(4, 8), None, "tp"))


def mlp(reduce=True):
    def part(x, w1, w2):
        y = jnp.tanh(x @ w1) @ w2
        return lax.psum(y, "tp") if reduce else y
    specs = {"mesh": mesh, "in_specs": (P("dp", None), P(None, "tp"), P("tp", None)), "out_specs": P("dp", None)}
    if hasattr(jax, "shard_map"):
        f = jax.shard_map(part, **specs, check_vma=False)
    else:  # before jax 0.6
        from jax.experimental.shard_map import shard_map
        f = shard_map(part, **specs, check_rep=False)
    return jax.jit(f)(put(ones(8, 4), "dp"), put(ones(4, 16), None, "tp"), put(ones(16, 4), "tp"))


def dropout():
    def mask(key, w):
        return jnp.where(jax.random.bernoulli(key, 0.9, (4, 8, 32)), 1.0, 0.0) @ w
    key, w = jax.random.PRNGKey(0), np.eye(32, dtype=np.float32)
    alone = jax.jit(mask)(key, w)
    there = jax.jit(mask, out_shardings=NamedSharding(mesh, P("dp", None, "tp")))(key, put(w, "tp"))
    print(np.sum(np.asarray(alone) != np.asarray(there)), "of", alone.size, "elements differ from one device's")
    return there


if __name__ == "__main__":
    which = sys.argv[1] if len(sys.argv) > 1 else "plain"
    print({"plain": plain, "mlp": mlp, "mlp_without_psum": lambda: mlp(False), "dropout": dropout}[which]().shape)
