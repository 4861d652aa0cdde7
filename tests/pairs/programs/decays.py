"""Decays by powers of one number: the sequential program has the power of a distance, the ranks have powers of parts of it, which they multiply."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

X4, BY = [["x", 4]], P("x")


def within(n):
    """2^-(i - j) for places i at or behind j."""
    d = jnp.arange(n)[:, None] - jnp.arange(n)[None]
    return jnp.where(d >= 0, jnp.exp2(-1.0 * d), 0.0)


def of_ranks_before(states, steps, defect):
    """What the ranks before this one have at their ends, each with the decay of the ranks between."""
    me, rank = lax.axis_index("x"), jnp.arange(4)
    between = me - rank if defect == "one-rank-more" else me - 1 - rank
    weights = jnp.where(rank < me, jnp.exp2(-1.0 * steps * between), 0.0)
    return jnp.einsum("r,r...->...", weights, lax.all_gather(states, "x"))


# --- retention: attention whose weights decay with the distance ---
def retention(q, k, v):
    return (q @ k.T * within(len(q))) @ v


def retention_by_rows(defect):
    def local(q, k, v):
        n = len(q)
        t = jnp.arange(n)
        to_end = jnp.exp2(-(n - 1.0 - t)) if defect != "no-decay-inside" else jnp.ones(n)
        before = of_ranks_before((k * to_end[:, None]).T @ v, n, defect)
        return retention(q, k, v) + (q * jnp.exp2(-(t + (0.0 if defect == "off-by-one" else 1.0)))[:, None]) @ before
    return local


pair("decay-retention", X4, retention, retention_by_rows, [Arg((8, 2), BY), Arg((8, 2), BY), Arg((8, 2), BY)], [BY],
     {"off-by-one": "the state before is taken as the place's own", "one-rank-more": "one more shard lies between", "no-decay-inside": "within a shard nothing decays"})


# --- an average that forgets ---
def forgetting(x):
    return within(len(x)) @ x


def forgetting_by_rows(defect):
    def local(x):
        n = len(x)
        t = jnp.arange(n)
        own = forgetting(x)
        before = of_ranks_before(own[-1], n - 1 if defect == "shorter" else n, defect)
        return own + jnp.exp2(-(t + (0.0 if defect == "off-by-one" else 1.0)))[:, None] * before[None]
    return local


pair("decay-average", X4, forgetting, forgetting_by_rows, [Arg((12, 2), BY)], [BY],
     {"off-by-one": "the state before is taken as the place's own", "one-rank-more": "one more shard lies between", "shorter": "shards count as one place shorter"})
