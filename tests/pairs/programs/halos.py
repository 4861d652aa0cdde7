"""Layers one after the other, each with the rows of its neighbours: convolutions, and attention in a window."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

SP = [["sp", 4]]


def convolved(x, w, rows):
    return lax.conv_general_dilated(x, w, (1, 1), (rows, (1, 1)), dimension_numbers=("NHWC", "HWIO", "NHWC"))


def before(x, axis):
    """The last row of the rank before; zeros on the first."""
    return lax.ppermute(lax.slice_in_dim(x, x.shape[axis] - 1, x.shape[axis], axis=axis), "sp", [(i, i + 1) for i in range(lax.axis_size("sp") - 1)])


def behind(x, axis):
    """The first row of the rank behind; zeros on the last."""
    return lax.ppermute(lax.slice_in_dim(x, 0, 1, axis=axis), "sp", [(i + 1, i) for i in range(lax.axis_size("sp") - 1)])


# --- two convolutions, each with its own halo, and what is between them ---
def two_layers(x, v, w):
    return convolved(jnp.tanh(convolved(x, v, (1, 1))), w, (1, 1))


def two_layers_sp(defect):
    def layer(x, w, halo):
        return convolved(jnp.concatenate([before(halo, 1), x, behind(halo, 1)], 1), w, (0, 0))

    def run(x, v, w):
        y = layer(x, v, x)
        if defect == "halo-before-function":
            return layer(jnp.tanh(y), w, y)
        if defect == "halo-of-first-layer":
            return layer(jnp.tanh(y), w, x)
        return layer(jnp.tanh(y), w, jnp.tanh(y))
    return run


FILTER = Arg((3, 3, 2, 2))
pair("halos-two-layers", SP, two_layers, two_layers_sp, [Arg((1, 8, 4, 2), P(None, "sp")), FILTER, FILTER], [P(None, "sp")],
     {"halo-before-function": "the second layer's halo is exchanged before the function between the layers",
      "halo-of-first-layer": "the second layer gets the halo of the first one"})


# --- attention to three places, the own one and the two before: keys and values of the rank before come along ---
def window(q, k, v):
    place = jnp.arange(8)
    near = (place[:, None] >= place[None]) & (place[:, None] - place[None] < 3)
    return jax.nn.softmax(jnp.where(near, q @ k.T, -1e30)) @ v


def window_sp(defect):
    def run(q, k, v):
        rank = lax.axis_index("sp")
        shift = [(i, i + 1) for i in range(3)]
        k, v = (jnp.concatenate([lax.ppermute(x, "sp", shift), x]) for x in (k, v))
        row, column = jnp.arange(2) + 2 * rank, jnp.arange(4) + 2 * rank - 2
        near = (row[:, None] >= column[None]) & (row[:, None] - column[None] < (4 if defect == "one-more" else 3))
        if defect != "zeros-attended":
            near = near & (column[None] >= 0)
        return jax.nn.softmax(jnp.where(near, q @ k.T, -1e30)) @ v
    return run


ROWS = Arg((8, 4), P("sp"))
pair("halos-window-attention", SP, window, window_sp, [ROWS] * 3, [P("sp")],
     {"one-more": "one place more is attended to", "zeros-attended": "the first rank attends to the zeros before its rows"})


# --- rows that are doubled before a convolution, and halved by one, as a U-Net has it ---
def doubled(x):
    return jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)


def with_halo(x, defect):
    top = jnp.zeros_like(x[:, :1]) if defect == "no-row-before" else before(x, 1)
    return jnp.concatenate([top, x, behind(x, 1)], 1)


def enlarged(x, w):
    return convolved(doubled(x), w, (1, 1))


def enlarged_sp(defect):
    def run(x, w):
        larger = jnp.concatenate([x, x], 1) if defect == "rows-repeated" else jnp.repeat(x, 2, 1)
        return convolved(with_halo(jnp.repeat(larger, 2, 2), defect), w, (0, 0))
    return run


ENLARGED = {"rows-repeated": "the rows of a shard come twice one after the other", "no-row-before": "the row before a shard is missing"}
pair("halos-enlarged", [["sp", 2]], enlarged, enlarged_sp, [Arg((1, 4, 2, 2), P(None, "sp")), FILTER], [P(None, "sp")], ENLARGED)


def down(x, w, rows):
    return lax.conv_general_dilated(x, w, (2, 2), (rows, (0, 1)), dimension_numbers=("NHWC", "HWIO", "NHWC"))


def net(x, v, w):
    return enlarged(jax.nn.silu(down(x, v, (0, 1))), w)


def net_sp(defect):
    def run(x, v, w):
        behind_it = jnp.zeros_like(x[:, :1]) if defect == "no-row-behind" else behind(x, 1)
        return enlarged_sp(defect)(jax.nn.silu(down(jnp.concatenate([x, behind_it], 1), v, (0, 0))), w)
    return run


pair("halos-down-and-up", [["sp", 2]], net, net_sp, [Arg((1, 8, 4, 2), P(None, "sp")), FILTER, FILTER], [P(None, "sp")],
     {**ENLARGED, "no-row-behind": "the row behind a shard is missing where rows are halved"})
