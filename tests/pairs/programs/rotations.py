"""Rows in shards that are rotated by a number of the data: a slice of the array beside itself, or each row looked up by a remainder."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, gather, pair

SP = [["sp", 4]]
ROWS, BY = Arg((16, 3), P("sp")), Arg((), P(), I32, (0, 16))
OTHER_WAY, OWN = "rows are rotated the other way", "places count from each rank's own first row"


def first_row(x, defect):
    return 0 if defect == "own-places" else lax.axis_index("sp") * x.shape[0]


# --- jnp.roll, beside a slice of three copies and beside remainders -----------------------------------------------------------
def rolled(x, by):
    return jnp.roll(x, by, 0)


def rolled_copies(defect):
    def run(x, by):
        whole = gather(x, "sp")
        start = (by if defect == "other-way" else len(whole) - by) % len(whole)
        return lax.dynamic_slice_in_dim(jnp.concatenate([whole] * 3), start + first_row(x, defect), len(x))
    return run


def rolled_remainder(defect):
    def run(x, by):
        whole, place = gather(x, "sp"), first_row(x, defect) + jnp.arange(len(x))
        return whole[(place + by if defect == "other-way" else place - by) % len(whole)]
    return run


pair("rotated-copies", SP, rolled, rolled_copies, [ROWS, BY], [P("sp")], {"other-way": OTHER_WAY, "own-places": OWN})
pair("rotated-remainder", SP, rolled, rolled_remainder, [ROWS, BY], [P("sp")], {"other-way": OTHER_WAY, "own-places": OWN})


# --- a window that begins anywhere in a ring, in both spellings; a function of its rows --------------------------------------
def window(x, at):
    return jax.nn.silu(lax.dynamic_slice_in_dim(jnp.concatenate([x, x]), at, len(x)))


def window_remainder(defect):
    def run(x, at):
        whole, place = gather(x, "sp"), at + first_row(x, defect) + jnp.arange(len(x))
        return jax.nn.silu(whole[jnp.minimum(place, 15) if defect == "not-around" else place % 16])
    return run


pair("rotated-window", SP, window, window_remainder, [ROWS, BY], [P("sp")], {"own-places": OWN, "not-around": "rows behind the last one are the last one"})
