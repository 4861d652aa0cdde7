"""Quotients and remainders of integers by a constant, as jnp.floor_divide, `//` and `%` lower them (a truncated quotient, signs, a selection), against
shifts, masks and truncated remainders of the ranks."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, I32, pair

X4, BY = [["x", 4]], P("x")

# --- rows of a table by the low bits of any integers, and the high bits of them ---


def hashed(ids, w):
    return w[ids % 8] * (ids // 8).astype(jnp.float32)[:, None]


def hashed_by_rows(defect):
    def local(ids, w):
        low = {"truncated": jnp.abs(lax.rem(ids, 8)), "seven": ids & 6}.get(defect, ids & 7)
        high = {"truncated-high": lax.div(ids, jnp.int32(8)), "one-less": ids >> 2}.get(defect, ids >> 3)
        return w[low] * high.astype(jnp.float32)[:, None]
    return local


pair("quotient-hash", X4, hashed, hashed_by_rows, [Arg((16,), BY, I32, (-1000, 1000)), Arg((8, 2))], [BY],
     {"truncated": "the remainder's magnitude, for negative numbers another one", "seven": "a mask without the lowest bit",
      "truncated-high": "a quotient towards zero", "one-less": "a quarter instead of an eighth"})

# --- the same by a number that is no power of two, selections written by hand ---


def bucketed(ids):
    return jnp.floor_divide(ids, 6), jnp.remainder(ids, 6)


def bucketed_by_rows(defect):
    def local(ids):
        q, r = lax.div(ids, jnp.int32(6)), lax.rem(ids, jnp.int32(6))
        low = jnp.where(r <= 0 if defect == "zero-too" else r < 0, r + (5 if defect == "five" else 6), r)
        high = jnp.where(ids < 0 if defect == "exact-too" else (ids < 0) & (r != 0), q - 1, q)
        return high, low
    return local


pair("quotient-by-hand", X4, bucketed, bucketed_by_rows, [Arg((16,), BY, I32, (-100, 100))], [BY, BY],
     {"zero-too": "a remainder of 0 becomes 6", "five": "5 is added instead of 6", "exact-too": "multiples below zero get one quotient less"},
     shown={0: [-6, 12, -36]})

# --- by a number below zero ---


def downwards(ids):
    return ids // -5, ids % -5


def downwards_by_rows(defect):
    def local(ids):
        q, r = lax.div(ids, jnp.int32(-5)), lax.rem(ids, jnp.int32(-5))
        low = jnp.where(r < 0 if defect == "other-sign" else r > 0, r - 5, r)
        high = jnp.where((r != 0) & (ids < 0 if defect == "towards" else ids > 0), q - 1, q)
        return high if defect != "quotient-of-five" else -(ids // 5), low
    return local


pair("quotient-below", X4, downwards, downwards_by_rows, [Arg((16,), BY, I32, (-100, 100))], [BY, BY],
     {"other-sign": "remainders above zero", "towards": "one less where numbers are below zero", "quotient-of-five": "minus the quotient by five"})

# --- distances between positions, before and after, in blocks of four ---


def distances(x):
    p = jnp.arange(16)
    d = p[None, :] - p[:, None]
    return x * (d // 4).astype(jnp.float32) + (d % 4).astype(jnp.float32)


def distances_by_rows(defect):
    def local(x):
        p = jnp.arange(16)
        d = p[None, :] - (4 * lax.axis_index("x") + jnp.arange(4))[:, None]
        q = lax.div(d, jnp.int32(4)) if defect == "towards-zero" else d >> (1 if defect == "halves" else 2)
        r = lax.rem(d, jnp.int32(4)) if defect == "signed" else d & 3
        return x * q.astype(jnp.float32) + r.astype(jnp.float32)
    return local


pair("quotient-distance", X4, distances, distances_by_rows, [Arg((16, 16), P("x"))], [P("x")],
     {"towards-zero": "distances before are divided towards zero", "halves": "blocks of two", "signed": "remainders with the sign of the distance"})

# --- a ring buffer: where token `n + i` is written and read ---


def ring(n, x):
    at = (n + jnp.arange(8)) % 16
    return jnp.zeros((16, 4)).at[at].set(x), (n + jnp.arange(8)) // 16


def ring_by_columns(defect):
    def local(n, x):
        at = n + jnp.arange(8)
        slot = at & (15 if defect != "eight" else 7)
        turn = (at + 1 if defect == "late" else at) >> 4
        return jnp.zeros((16, 1)).at[slot].set(x), turn
    return local


pair("quotient-ring", X4, ring, ring_by_columns, [Arg((), P(), I32, (0, 1000)), Arg((8, 4), P(None, "x"))], [P(None, "x"), P()],
     {"eight": "a ring of eight places", "late": "turns begin one place early"}, shown={0: [12, 25]})
