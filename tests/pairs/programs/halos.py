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
    return lax.ppermute(lax.slice_in_dim(x, x.shape[axis] - 1, x.shape[axis], axis=axis), "sp", [(i, i + 1) for i in range(3)])


def behind(x, axis):
    """The first row of the rank behind; zeros on the last."""
    return lax.ppermute(lax.slice_in_dim(x, 0, 1, axis=axis), "sp", [(i + 1, i) for i in range(3)])


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
