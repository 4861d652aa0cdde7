"""Selections by comparisons, written in other ways in shards: relu, leaky relu, clips, magnitudes."""
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

TP = [["tp", 4]]
X, Y = Arg((8, 3), P("tp")), Arg((8, 3), P("tp"))


# --- a step behind a leaky relu, with its gradient: the other branch first --------------------------------------------
def leaky(x, g):
    return jnp.where(x > 0, x, 0.1 * x), jnp.where(x > 0, g, 0.1 * g)


def leaky_tp(defect):
    def step(x, g):
        below = x < 0 if defect == "branch-turned" else x <= 0
        kept = jnp.where(below, g, 0.1 * g) if defect == "branch-turned" else jnp.where(below, 0.1 * g, g)
        return jnp.where(x <= 0, 0.1 * x, x), kept
    return step


pair("leaky-relu-turned", TP, leaky, leaky_tp, [X, Y], [P("tp"), P("tp")], {"branch-turned": "the gradient has the slope of the other side"})


# --- maxima, minima and magnitudes by selections -------------------------------------------------------------------
def bounded(x, y):
    return jnp.maximum(x, 0), jnp.minimum(x, y), jnp.abs(x), 2 * jnp.maximum(x, y)


def bounded_tp(defect):
    def step(x, y):
        relu = jnp.where(x > 1 if defect == "above-one" else x > 0, x, 0)
        return relu, jnp.where(x > y if defect == "larger" else x < y, x, y), jnp.where(x < 0, -x, 2 * x if defect == "doubled" else x), jnp.where(x >= y, 2 * x, 2 * y)
    return step


pair("extrema-selected", TP, bounded, bounded_tp, [X, Y], [P("tp")] * 4,
     {"above-one": "what lies between 0 and 1 is lost", "larger": "the larger of the two", "doubled": "numbers above zero are doubled"})


# --- relu's gradient by what relu gave, as torch saves it -------------------------------------------------------------
def relu_step(x, g):
    return jnp.where(x > 0, g, 0)


def relu_step_tp(defect):
    def step(x, g):
        saved = jnp.maximum(x, -1.0 if defect == "other-bound" else 0.0)
        return jnp.where(saved > (-0.5 if defect == "other-bound" else 0), g, 0)
    return step


pair("relu-saved", TP, relu_step, relu_step_tp, [X, Y], [P("tp")], {"other-bound": "gradients from -0.5 on"})
