"""Causal filters written as sums of shifted rows, all of them over one halo of the rank before."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair


def later(x, k):
    """Rows k places on; zeros come first."""
    return jnp.pad(x, ((k, 0),) + ((0, 0),) * (x.ndim - 1))[:x.shape[0]]


def with_halo(x, rows, defect=""):
    n = lax.axis_size("sp")
    pairs = [(i, (i + 1) % n) for i in range(n if defect == "around" else n - 1)]
    return jnp.concatenate([lax.ppermute(x[:rows] if defect == "first-rows" else x[-rows:], "sp", pairs), x])


HALO = {"around": "the first rank gets the last one's rows", "first-rows": "the first rows of the rank before come over"}


# --- two shifts of many places, added ---
def two_shifts(x):
    return later(x, 1) + later(x, 2)


def two_shifts_sp(defect):
    def run(x):
        rows, n = with_halo(x, 2, defect), x.shape[0]
        return rows[1:1 + n] + rows[1 if defect == "one-place" else 0:][:n]
    return run


pair("taps-two-shifts", [["sp", 2]], two_shifts, two_shifts_sp, [Arg((256, 2), P("sp"))], [P("sp")], {**HALO, "one-place": "both rows are one place away"})


# --- a filter of four taps, and what a layer does with it ---
def filtered(x, w, v):
    return x + jax.nn.silu(sum(w[k] * later(x, k) for k in range(4))) @ v


def filtered_sp(defect):
    def run(x, w, v):
        rows, n = with_halo(x, 3, defect), x.shape[0]
        taps = w[::-1] if defect == "taps-turned" else w
        return x + jax.nn.silu(sum(taps[k] * rows[3 - k:3 - k + n] for k in range(4))) @ v
    return run


pair("taps-layer", [["sp", 4]], filtered, filtered_sp, [Arg((32, 3), P("sp")), Arg((4, 3)), Arg((3, 3))], [P("sp")], {**HALO, "taps-turned": "the last tap comes first"})


# --- differences of the first and second order, into one sum ---
def differences(x):
    first = x - later(x, 1)
    return first * first + (x - 2 * later(x, 1) + later(x, 2)) ** 2


def differences_sp(defect):
    def run(x):
        rows, n = with_halo(x, 2, defect), x.shape[0]
        a, b = rows[1:1 + n], rows[:n]
        return (x - a) ** 2 + (x - (a if defect == "once" else 2 * a) + b) ** 2
    return run


pair("taps-differences", [["sp", 4]], differences, differences_sp, [Arg((16,), P("sp"))], [P("sp")], {**HALO, "once": "the row before is taken once"})
