"""Divisions, logarithms and roots that are guarded where their argument is zero: by one selection around them, and by two, the inner one of what they are taken of
(which JAX recommends, as gradients go through both branches)."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

X4 = [["x", 4]]
BY = P("x")
ROW = Arg((16,), BY)


# --- quotients ---
def ratio(x, g):
    return jnp.where(g == 0, 0.0, x / g)


def ratio_twice(defect):
    def local(x, g):
        none = g == 0
        safe = jnp.where(g < 0 if defect == "below" else none, 1.0, g)
        return x / safe if defect == "inside-alone" else jnp.where(none, 1.0 if defect == "one" else 0.0, x / safe)
    return local


pair("safe-quotient", X4, ratio, ratio_twice, [ROW, ROW], [BY],
     {"below": "divisors below zero are replaced", "inside-alone": "there is no selection around the quotient", "one": "1 where the divisor is 0"}, shown={1: [0.0, -0.5, 0.0, 0.7]})


# --- an entropy with weights: the inner selection alone is enough ---
def entropy(w, p):
    return -jnp.sum(jnp.where(p > 0, w * jnp.log(p), 0.0))


def entropy_twice(defect):
    def local(w, p):
        safe = jnp.where(p > (0.5 if defect == "half" else 0), p, 2.0 if defect == "two" else 1.0)
        return -lax.psum(jnp.sum(w * jnp.log(safe)), "x")
    return local


pair("safe-entropy", X4, entropy, entropy_twice, [ROW, ROW], [P()],
     {"half": "what is at most a half does not count", "two": "log 2 where there should be nothing"}, shown={1: [0.0, 0.25, 0.75, 0.0]})


# --- a mean over what counts: outside a selection, inside a divisor that is one at least ---
def masked(x, m):
    n = jnp.sum(m, 1)
    return jnp.where(n > 0, jnp.sum(x * m, 1) / n, 0.0)


def masked_twice(defect):
    def local(x, m):
        n, total = lax.psum(jnp.sum(m, 1), "x"), lax.psum(jnp.sum(x * m, 1), "x")
        some = n > (1 if defect == "more-than-one" else 0)
        return jnp.where(some, total / jnp.where(some, n if defect != "own" else jnp.sum(m, 1), 1), 0.0)
    return local


pair("safe-mean", X4, masked, masked_twice, [Arg((6, 8), P(None, "x")), Arg((6, 8), P(None, "x"))], [P()],
     {"more-than-one": "where the weights are one or less there is nothing", "own": "divided by the weights of the own columns"})


# --- its gradient, where the sequential program has the two selections, the shards the gradient by hand ---
def slope(g, c):
    return jax.grad(lambda g: jnp.sum(c * jnp.where(g > 0, jnp.log(jnp.where(g > 0, g, 1.0)), 1.0)))(g)


def slope_by_hand(defect):
    def local(g, c):
        return jnp.where(g >= 0.5 if defect == "from-half" else g > 0, c / g, 1.0 if defect == "one" else 0.0)
    return local


pair("safe-slope", X4, slope, slope_by_hand, [ROW, ROW], [BY], {"from-half": "below a half there is no slope", "one": "a slope of 1 where there is none"})


# --- the other way round: the shards guard what comes of it ---
def spread(w, p):
    return jnp.sum(w * jnp.log(jnp.where(p > 0, p, 1.0)) ** 2), w * jnp.sqrt(jnp.where(p > 0.25, p, 0.0))


def spread_outside(defect):
    def local(w, p):
        none = 1.0 if defect == "one" else 0.0
        total = lax.psum(jnp.sum(jnp.where(p > 0, w * jnp.log(p) ** 2, none)), "x")
        return total, jnp.where(p > (0 if defect == "from-zero" else 0.25), w * jnp.sqrt(p), 0.0)
    return local


pair("safe-spread", X4, spread, spread_outside, [ROW, ROW], [P(), BY], {"one": "1 for what is not above zero", "from-zero": "roots of what is below a quarter too"}, shown={1: [0.0, 0.2, 0.0, 0.7]})


# --- the slope of a quotient, guarded inside and outside, with two numbers for what is not divided by ---
def inverse_slope(x, y):
    safe = jnp.where(y > 0, y, 1.0)
    return jnp.where(y > 0, -(1.0 / (safe * safe) * jnp.where(y > 0, x, 0.0)), 0.0)


def inverse_slope_by_two(defect):
    def local(x, y):
        some = y > (0.5 if defect == "half" else 0)
        safe = jnp.where(some, y, 2.0)
        below = safe * safe * safe if defect == "cubed" else safe * safe
        return jnp.where(some, (1.0 if defect == "sign" else -1.0) * (jnp.where(some, 1.0, 0.0) * (1.0 / below) * x), 0.0)
    return local


pair("safe-inverse", X4, inverse_slope, inverse_slope_by_two, [ROW, ROW], [BY],
     {"cubed": "the third power", "half": "nothing up to a half", "sign": "the other sign"}, shown={1: [0.25, -0.5, 0.75, 0.7]})


# --- what a selection leaves of a root's slope: nothing, where it is a number ---
def rooted(x, s):
    return x * jnp.where(s > 0, 1.0, 0.0) * (0.5 / jnp.sqrt(s))


def rooted_selected(defect):
    def local(x, s):
        taken = (s > (0.5 if defect == "half" else 0)) | (s + 1 > 1.5 if defect == "half" else x > 0)
        kept = x * jnp.where(s > 0, 1.0, 0.0) * ((1.0 if defect == "twice" else 0.5) / jnp.sqrt(jnp.where(taken, s, 1.0)))
        return jnp.where(taken, kept, 0.0)
    return local


pair("safe-rooted", X4, rooted, rooted_selected, [ROW, Arg((16,), BY, range=(0, 1))], [BY], {"half": "nothing up to a half", "twice": "twice the slope"})
