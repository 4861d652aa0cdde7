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

# --- rows of a table by the remainder as C programs write it, and quotients by complements ---


def rows(ids, w):
    return w[ids % 6] * (ids // 6).astype(jnp.float32)[:, None]


def rows_by_rows(defect):
    def local(ids, w):
        six = jnp.int32(7 if defect == "other-modulus" else 6)
        low = lax.rem(lax.rem(ids, six) + (5 if defect == "five" else 6), jnp.int32(6))
        down = -(lax.div(~ids, jnp.int32(6))) if defect == "negated" else ~lax.div(~ids, jnp.int32(6))
        below = ids <= -6 if defect == "below-six" else ids < 0
        return w[low] * jnp.where(below, down, lax.div(ids, jnp.int32(6))).astype(jnp.float32)[:, None]
    return local


pair("quotient-complement", X4, rows, rows_by_rows, [Arg((16,), BY, I32), Arg((6, 2))], [BY],
     {"other-modulus": "the inner remainder is one by 7", "five": "5 is added instead of 6", "negated": "a negative for the complement",
      "below-six": "numbers above -6 are divided towards zero"}, shown={0: [-1, -6, -7, -13]})

# --- what a remainder leaves, divided; multiples cut off by shifts and masks; any integer of the type ---


def cut_off(ids):
    return ids // 8, ids & -8, 4 - ids


def cut_off_by_rows(defect):
    def local(ids):
        rest = lax.rem(ids, jnp.int32(8)) if defect == "towards-zero" else ids % 8
        masked = ids & -6 if defect == "minus-six" else (ids >> (2 if defect == "fours" else 3)) << (2 if defect == "fours" else 3)
        return lax.div(ids - rest, jnp.int32(8)), masked, ~ids + (4 if defect == "four" else 5)
    return local


pair("quotient-cut-off", X4, cut_off, cut_off_by_rows, [Arg((16,), BY, I32)], [BY, BY, BY],
     {"towards-zero": "the remainder towards zero", "minus-six": "a mask that is no power of two", "fours": "multiples of four", "four": "4 is added to the complement"},
     shown={0: [-5, -1, 7, 12]})

# --- quotients towards plus infinity ---


def pages(lengths):
    return -(-lengths // 16), -(-lengths // 2)


def pages_by_rows(defect):
    def local(lengths):
        sixteen = (lengths + (16 if defect == "one-more" else 15)) // 16
        two = jnp.where(lengths > 0, lax.div(lengths + 1, jnp.int32(2)), lax.div(lengths - 1 if defect == "away-from-zero" else lengths, jnp.int32(2)))
        return sixteen, two
    return local


pair("quotient-ceiling", X4, pages, pages_by_rows, [Arg((16,), BY, I32, (-1000, 1000))], [BY, BY],
     {"one-more": "16 tokens fill two pages", "away-from-zero": "below zero away from zero"}, shown={0: [16, 32, -3, 0]})

# --- where what a remainder leaves is not of the type: by five at the least number of all ---


def fifths(ids):
    return ids // 5


def fifths_by_rows(defect):
    def local(ids):
        if defect == "leaves-the-type":
            return lax.div(ids - ids % 5, jnp.int32(5))
        size = jnp.int32(-5 if defect == "minus-five" else 5)
        return jnp.where(ids < 0, ~lax.div(~ids, size), lax.div(ids, size))
    return local


pair("quotient-fifths", X4, fifths, fifths_by_rows, [Arg((16,), BY, I32)], [BY],
     {"leaves-the-type": "the least number of the type less what is left wraps", "minus-five": "a divisor below zero"}, shown={0: [-2147483648, -2147483646, -7, 12]})

# --- of numbers that lie below zero by their range ---


def blocks(lengths):
    return (lengths + 3) // 4, lengths % 4


def blocks_by_rows(defect):
    def local(lengths):
        up = -lax.div(-lengths - (4 if defect == "one-more" else 0 if defect == "whole-alone" else 3), jnp.int32(4))
        rest = lax.rem(lax.rem(-lengths, jnp.int32(6 if defect == "six" else 8)) - 8, jnp.int32(-4))
        return up, rest if defect == "below" else -rest
    return local


pair("quotient-from-below", X4, blocks, blocks_by_rows, [Arg((16,), BY, I32, (0, 100))], [BY, BY],
     {"one-more": "four fill two blocks", "whole-alone": "a block that is not full does not count", "six": "the inner remainder is one by 6", "below": "remainders below zero"})

# --- by minus one ---


def turned(ids):
    return -ids, 3 - ids


def turned_by_rows(defect):
    def local(ids):
        minus = jnp.int32(-2 if defect == "two" else -1)
        return lax.div(ids, minus), lax.rem(ids, jnp.int32(3 if defect == "rest" else -1)) + (3 - ids)
    return local


pair("quotient-turned", X4, turned, turned_by_rows, [Arg((16,), BY, I32)], [BY, BY],
     {"two": "by minus two", "rest": "a remainder by three is left"}, shown={0: [7, -1, 2, 5]})

# --- quotients upwards of what is never negative, with the correction of what is ---


def stages(ids):
    return jnp.floor_divide(lax.rem(ids, jnp.int32(10)) + 15, 16)


def stages_by_rows(defect):
    def local(ids):
        one = lax.rem(ids, jnp.int32(12 if defect == "twelve" else 10)) + (16 if defect == "one-more" else 15)
        return lax.div(one, jnp.int32(16))
    return local


pair("quotient-stages", X4, stages, stages_by_rows, [Arg((16,), BY, I32)], [BY],
     {"one-more": "0 fills a stage", "twelve": "remainders by twelve"}, shown={0: [10, 20, -10, 0]})
