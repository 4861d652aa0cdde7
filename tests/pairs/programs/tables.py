"""Tables of floats that one program multiplies while it runs and the other before: one is a multiple of the other."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P
import numpy as np

from .base import Arg, pair

X4, BY_COLUMN = [["x", 4]], P(None, "x")

# --- lattice velocities and weights of a gas in one dimension: constants times 3 are folded outside of shard_map ---
SPEED, WEIGHT = np.float32([-1, 0, 1]), np.float32([1 / 6, 2 / 3, 1 / 6])


def collision(speed, weight, three):
    def step(f):
        density = jnp.sum(f, 0)
        flow = (f[2] - f[0]) / density
        along = speed[:, None] * flow
        rest = weight[:, None] * density * (1 + (three * speed[:, None]) * flow + 4.5 * along * along - 1.5 * flow * flow)
        return f + 0.5 * (rest - f)
    return step


def collision_by_columns(defect):
    three = 2.0 if defect == "twice" else 3.0
    speed = {"backwards": SPEED[::-1], "other-table": np.float32([-1, 0, 2])}.get(defect, SPEED)

    def step(f):
        c = jnp.asarray(speed)
        return collision(c, jnp.asarray(WEIGHT), three)(f)
    return step


pair("table-lattice", X4, lambda f: collision(SPEED, WEIGHT, np.float32(3))(f), collision_by_columns,
     [Arg((3, 8), BY_COLUMN, range=(0.1, 1))], [BY_COLUMN],
     {"twice": "the velocities times 2 instead of times 3", "backwards": "the velocities in the other order", "other-table": "one velocity is 2"})

# --- a filter of two dimensions: the sequential program has minus twice its transpose ---
FILTER = np.float32([[1, 2, 0.5], [-0.25, 0, 3], [5, -1, 1]])


def filtered(x):
    return jnp.einsum("ij,jn->in", jnp.asarray(-2 * FILTER.T), x)


def filtered_by_columns(defect):
    table = {"not-turned": FILTER.T, "rounded": np.float32(0.7) * FILTER}.get(defect, FILTER)
    times = {"sign": 2.0, "rounded": -2 / 0.7}.get(defect, -2.0)

    def local(x):
        if defect == "last-element":
            return jnp.einsum("ji,jn->in", jnp.asarray(FILTER + np.float32([[0, 0, 0], [0, 0, 0], [0, 0, 0.0625]])) * times, x)
        return jnp.einsum("ji,jn->in", jnp.asarray(table), x) * times
    return local


pair("table-turned", X4, filtered, filtered_by_columns, [Arg((3, 8), BY_COLUMN)], [BY_COLUMN],
     {"not-turned": "the filter is not transposed", "sign": "times 2 instead of -2", "last-element": "one element of nine differs"})

# --- weights of a lattice of two dimensions, times 3 before and while it runs: thirds that each was rounded from ---
LATTICE = np.float32([4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36])


def weighted(x):
    return jnp.asarray(np.float32([4 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 12, 1 / 12, 1 / 12, 1 / 12]))[:, None] * x


def weighted_by_columns(defect):
    table = {"corners": np.roll(LATTICE, 1), "sixth": np.where(LATTICE < 0.1, np.float32(1 / 35), LATTICE)}.get(defect, LATTICE)
    return lambda x: (2.5 if defect == "times" else 3.0) * (jnp.asarray(table)[:, None] * x)


pair("table-thirds", X4, weighted, weighted_by_columns, [Arg((9, 8), BY_COLUMN)], [BY_COLUMN],
     {"corners": "the weights one place on", "sixth": "one part in 35 at the corners", "times": "times 2.5"})
