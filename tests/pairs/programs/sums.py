"""Sums of many values in another order: a norm over all parameters, experts one after the other, microbatches written out."""
import functools

import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

PARAMETERS, EXPERTS = 36, 20


# --- clipping by the global norm: every second gradient is in shards, whose squares are added over ranks first --------
def clipped(gradients, total):
    return tuple(g * jnp.minimum(1.0, lax.rsqrt(total + 1e-6)) for g in gradients[:2])


def clip(*gradients):
    return clipped(gradients, functools.reduce(jnp.add, [jnp.sum(g * g) for g in gradients]))


def clip_tp(defect):
    def step(*gradients):
        squares = [jnp.sum(g * g) for g in gradients]
        whole = functools.reduce(jnp.add, squares[1::2])
        parts = functools.reduce(jnp.add, squares[::2])
        if defect == "one-counted":  # among those in shards
            parts, whole = functools.reduce(jnp.add, [squares[3], *squares[::2]]), functools.reduce(jnp.add, [squares[1], *squares[5::2]])
        if defect == "one-not-reduced":
            parts, whole = functools.reduce(jnp.add, squares[2::2]), functools.reduce(jnp.add, [squares[1], squares[0], *squares[3::2]])
        total = lax.psum(parts + whole, "tp") if defect == "replicated-counted" else lax.psum(parts, "tp") + whole
        return clipped(gradients, total - squares[1] if defect == "one-left-out" else total)
    return step


pair("global-norm", [["tp", 2]], clip, clip_tp, [Arg((4, 2), P() if k % 2 else P("tp")) for k in range(PARAMETERS)], [P("tp"), P()],
     {"replicated-counted": "gradients that every rank holds whole count once a rank", "one-left-out": "one gradient is not in the norm",
      "one-counted": "one gradient that every rank holds whole is added to those in shards", "one-not-reduced": "one gradient in shards is added to those that every rank holds"})


# --- AdamW's first step under such a norm, a norm a parameter first: of the first gradient, a table's, only few rows are not zero ------------
MOMENTS = 14


def scattered(y):
    return jnp.zeros((8, 2)).at[jnp.arange(3)].add(y.sum(0))


def padded(y):
    return jnp.concatenate([y.sum(0), jnp.zeros((5, 2))])


def first_step(g, norms):
    g = g * jnp.minimum(1.0, 0.1 / (1e-6 + jnp.sqrt(jnp.sum(norms))))
    return 0.1 * g / (jnp.sqrt(0.001 * g * g / 0.001) + 0.5)


def gradients_of(table, y, rows):
    return [table(y * y)] + [r.sum(0) for r in rows]


def steps(table):
    def step(y, *rows):
        gradients = gradients_of(table, y, rows)
        return first_step(gradients[1], jnp.stack([jnp.sqrt(jnp.sum(g * g)) for g in gradients]) ** 2)
    return step


def steps_fsdp(table, defect):
    def step(y, *rows):
        parts = [lax.psum_scatter(g, "dp", scatter_dimension=0, tiled=True) for g in gradients_of(table, y, rows)]
        norms = [jnp.sqrt(jnp.sum(g * g)) for g in parts]
        if defect == "first-row-left-out":
            norms[0] = jnp.sqrt(jnp.sum(parts[0][1:] ** 2))
        if defect == "table-counted-twice":
            norms[0] = norms[0] * 2
        return first_step(parts[1], lax.psum(jnp.stack(norms) ** 2, "dp"))
    return step


for name, table in (("positions", scattered), ("rows", padded)):
    pair(f"global-norm-of-{name}", [["dp", 2]], steps(table), functools.partial(steps_fsdp, table), [Arg((4, 3, 2), P("dp"))] + [Arg((4, 4 + 2 * (k % 3)), P("dp")) for k in range(MOMENTS)], [P("dp")],
         {"first-row-left-out": "the first row of each rank's part of the table is not in the norm", "table-counted-twice": "the table's norm counts twice"})


# --- experts one after the other, as a loop of a script is traced: each rank has its own ------------------------------
def experts(x, gate, w):
    return functools.reduce(jnp.add, [gate[:, e, None] * jnp.tanh(x @ w[e]) for e in range(EXPERTS)])


def experts_ep(defect):
    def step(x, gate, w):
        own = w.shape[0]
        first = lax.axis_index("ep") * own
        mine = lax.dynamic_slice_in_dim(gate, first + (1 if defect == "next-gate" else 0), own, 1)
        parts = [mine[:, 0 if (e, defect) == (1, "gate-of-another") else e, None] * jnp.tanh(x @ w[e]) for e in range(own - 1 if defect == "last-left-out" else own)]
        return lax.psum(functools.reduce(jnp.add, parts), "ep")
    return step


def experts_by_start(defect):
    def step(x, gate, w):
        own = w.shape[0]
        first = lax.axis_index("ep") * own
        start = [first if (e, defect) == (1, "gate-of-another") else first + e for e in range(own)]
        return lax.psum(functools.reduce(jnp.add, [lax.dynamic_slice_in_dim(gate, start[e], 1, 1) * jnp.tanh(x @ w[e]) for e in range(own)]), "ep")
    return step


pair("experts-by-start", [["ep", 4]], experts, experts_by_start, [Arg((3, 4)), Arg((3, EXPERTS)), Arg((EXPERTS, 4, 2), P("ep"))], [P()],
     {"gate-of-another": "each rank's second expert has the gate of its first"})
pair("experts-written-out", [["ep", 4]], experts, experts_ep, [Arg((3, 4)), Arg((3, EXPERTS)), Arg((EXPERTS, 4, 2), P("ep"))], [P()],
     {"last-left-out": "the last expert of each rank is left out", "next-gate": "gates are those of the experts one place on",
      "gate-of-another": "each rank's second expert has the gate of its first"})
