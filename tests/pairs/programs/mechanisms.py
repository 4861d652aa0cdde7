"""What proofs of loops over data, joins of tuples, symmetric values and functions of whole arrays rest on, by itself."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, block, gather, pair

DP, TP = [["dp", 2]], [["tp", 4]]
ROWS = Arg((8, 4), P("dp"))


# --- loops whose number of iterations is data ---
def until_small(x, largest=jnp.max, step=lambda x: x * 0.97):
    return lax.while_loop(lambda x: largest(jnp.abs(x)) > 0.1, step, x)


def until_small_dp(defect):
    def run(x):
        top = jnp.max if defect == "local-condition" else lambda v: lax.pmax(jnp.max(v), "dp")
        return until_small(x, top) * (0.97 if defect == "ahead" else 1)
    return run


def counted(x, n):
    return lax.fori_loop(0, n, lambda i, x: jnp.tanh(x) + i.astype(jnp.float32), x)


def counted_dp(defect):
    late = 1 if defect == "one-short" else 0
    return lambda x, n: counted(x, n - late)


def power(w, v):
    """Power iteration; w is split by rows, the vector is whole."""
    def step(s):
        u = w @ s[0]
        u = u / jnp.max(jnp.abs(u))
        return u, s[0], s[2] + 1
    return lax.while_loop(lambda s: (jnp.max(jnp.abs(s[0] - s[1])) > 1e-2) & (s[2] < 20), step, (v, jnp.zeros_like(v), 0))[0]


def power_tp(defect):
    def run(w, v):
        def step(s):
            u = w @ s[0]
            top = jnp.max(jnp.abs(u))
            u = gather(u / (top if defect == "own-scale" else lax.pmax(top, "tp")), "tp")
            return u, s[0], s[2] + 1
        return lax.while_loop(lambda s: (jnp.max(jnp.abs(s[0] - s[1])) > 1e-2) & (s[2] < 20), step, (v, jnp.zeros_like(v), 0))[0]
    return run


pair("while-until-small", DP, until_small, until_small_dp, [ROWS], [P("dp")],
     {"local-condition": "each rank stops when its own rows are small", "ahead": "the result is one step ahead"})
pair("while-traced-count", DP, counted, counted_dp, [ROWS, Arg((), P(), jnp.int32, (2, 6))], [P("dp")],
     {"one-short": "one iteration less"})
pair("while-power-iteration", TP, power, power_tp, [Arg((8, 8), P("tp"), range=(0, 1)), Arg((8,), range=(0.5, 1))], [P()],
     {"own-scale": "each rank scales by the maximum of its own rows"})


# --- joins of tuples: argmax with its index ---
def best(x):
    return jnp.argmax(x, -1)


def joined(v, i, better):
    """The best of (value, index) over the gathered parts; ties go to the lower index."""
    def pick(a, b):
        take = better(a[0], b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
        return jnp.where(take, a[0], b[0]), jnp.where(take, a[1], b[1])
    least = -jnp.inf if better is jnp.greater else jnp.inf
    return lax.reduce((lax.all_gather(v, "tp"), lax.all_gather(i, "tp")), (jnp.float32(least), jnp.int32(0)), pick, (0,))


def best_tp(defect, better=jnp.greater, arg=jnp.argmax, top=jnp.max):
    def run(x):
        offset = 0 if defect == "no-offset" else lax.axis_index("tp") * x.shape[-1]
        return joined(top(x, -1) if defect == "values-apart" else local_best(x, offset, better)[0], local_best(x, offset, better)[1], better)[1]
    return run


def local_best(x, offset, better):
    i = lax.broadcasted_iota(jnp.int32, x.shape, x.ndim - 1) + offset
    def pick(a, b):
        take = better(a[0], b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
        return jnp.where(take, a[0], b[0]), jnp.where(take, a[1], b[1])
    least = -jnp.inf if better is jnp.greater else jnp.inf
    return lax.reduce((x, i), (jnp.float32(least), jnp.int32(0)), pick, (x.ndim - 1,))


def whole_best(x):
    return local_best(x, 0, jnp.greater)[1]


def whole_least(x):
    return local_best(x, 0, jnp.less)[1]


def picked(x, w):
    return w[whole_best(x)]


def picked_tp(defect):
    def run(x, w):
        i = best_tp("no-offset" if defect == "no-offset" else "")(x)
        return w[jnp.minimum(i + 1, len(w) - 1)] if defect == "next-row" else w[i]
    return run


COLUMNS = Arg((6, 16), P(None, "tp"))
pair("argmax-index", TP, whole_best, best_tp, [COLUMNS], [P()], {"no-offset": "indices count from each rank's own first column"})
pair("argmin-index", TP, whole_least, lambda defect: best_tp(defect, jnp.less), [COLUMNS], [P()],
     {"no-offset": "indices count from each rank's own first column"})
pair("argmax-annotated", [["dp", 2], ["tp", 4]], best, lambda defect: (lambda x: jnp.argmax(x[:, ::-1] if defect == "reversed" else x, -1)),
     [Arg((8, 64), P("dp", "tp"))], [P("dp")], {"reversed": "columns in the other order"}, annotated=True)
pair("argmax-lookup", TP, picked, picked_tp, [COLUMNS, Arg((16, 3))], [P()],
     {"no-offset": "indices count from each rank's own first column", "next-row": "the row after the best one"})


# --- the best of noise: logarithms of numbers up to 1 ---
def noisy(x, u):
    return x - jnp.log(-jnp.log(u))


def sample(make):
    return lambda x, u: whole_best(make(x, u))


def sample_tp(make):
    def dist(defect):
        best = best_tp("no-offset" if defect == "no-offset" else "")
        def run(x, u):
            return best(make(x, u[:, ::-1] if defect == "reversed" else u))
        return run
    return dist


NOISE = {"no-offset": "indices count from each rank's own first column", "reversed": "each rank draws its noise in the other order"}
UNIT = Arg((6, 16), P(None, "tp"), range=(0.0, 1.0))
pair("noise-gumbel", TP, sample(noisy), sample_tp(noisy), [COLUMNS, UNIT], [P()], NOISE)
pair("noise-scaled", TP, sample(lambda x, u: noisy(x, 0.25 + 0.75 * u)), sample_tp(lambda x, u: noisy(x, 0.25 + 0.75 * u)), [COLUMNS, UNIT], [P()], NOISE)
pair("noise-clipped", TP, sample(lambda x, u: noisy(x, jnp.maximum(u, 1e-3))), sample_tp(lambda x, u: noisy(x, jnp.maximum(u, 1e-3))),
     [COLUMNS, Arg((6, 16), P(None, "tp"), range=(-1.0, 1.0))], [P()], NOISE)
pair("noise-logistic", TP, sample(lambda x, u: noisy(x, jax.nn.sigmoid(u))), sample_tp(lambda x, u: noisy(x, jax.nn.sigmoid(u))),
     [COLUMNS, COLUMNS], [P()], NOISE)


# --- interleaved values: sums of padded ones, as associative scans write them ---
def linear(p, q):
    return p[0] * q[0], q[0] * p[1] + q[1]


def scan_of(change=lambda a, b: (a, b), combine=linear, **more):
    return lambda a, b: lax.associative_scan(combine, change(a, b), axis=1, **more)[1]


def annotated_scan(defects, combine=linear):
    return lambda defect: scan_of(defects[defect], combine) if defect else scan_of(combine=combine)


def spread(even, odd):
    zero, n = jnp.float32(0), even.ndim - 1
    return (lax.pad(even, zero, [(0, 0, 0)] * n + [(0, 1, 1)]) + lax.pad(odd, zero, [(0, 0, 0)] * n + [(1, 0, 1)]))


def butterfly(w, x):
    y = spread(x[:, 0::2] + x[:, 1::2], x[:, 0::2] - x[:, 1::2])
    return jnp.tanh(y[:, 0:1] * w[:, 2:3] + y[:, 1:2])


def butterfly_swapped(w, x):
    y = spread(x[:, 0::2] - x[:, 1::2], x[:, 0::2] + x[:, 1::2])
    return jnp.tanh(y[:, 0:1] * w[:, 2:3] + y[:, 1:2])


SCANS = {"rolled": lambda a, b: (a, jnp.roll(b, 1, 1)), "factors-rolled": lambda a, b: (jnp.roll(a, 1, 1), b)}
SCANS_SAY = {"rolled": "summands of the place before", "factors-rolled": "factors of the place before"}
LARGEST = lambda p, q: (p[0] * q[0], jnp.maximum(q[0] * p[1], q[1]))
LARGEST_SCANS = {"rolled": SCANS["rolled"]}
for name, devices, length, combine, wrong in (("", 8, 16, linear, SCANS), ("-four", 4, 8, linear, SCANS), ("-largest", 4, 8, LARGEST, LARGEST_SCANS)):
    pair("interleaved-scan" + name, [["sp", devices]], scan_of(combine=combine), annotated_scan(wrong, combine),
         [Arg((4, length), P(None, "sp")), Arg((4, length), P(None, "sp"))], [P(None, "sp")], {k: SCANS_SAY[k] for k in wrong}, annotated=True)
pair("interleaved-butterfly", [["sp", 4]], butterfly, lambda defect: butterfly_swapped if defect else butterfly,
     [Arg((4, 8), P(None, "sp")), Arg((4, 8), P(None, "sp"))], [P()], {"swapped": "differences at even places"}, annotated=True)


# --- total orders of numbers whose zeros and NaNs are canonical, outside of sorts ---
def found(x, v):
    return jnp.searchsorted(x, v)


def found_dp(defect):
    return lambda x, v: jnp.searchsorted(x, v, side="right" if defect == "right" else "left") if defect != "minus" else jnp.searchsorted(x, -v)


SORTED = Arg((16,), P(), range=(-1.0, 1.0))
pair("found-place", [["dp", 4]], found, found_dp, [SORTED, Arg((8,), P("dp"))], [P("dp")],
     {"minus": "places of the negated values"}, annotated=True)
pair("found-after", [["dp", 4]], lambda x, v: jnp.searchsorted(x, v, side="right"),
     lambda defect: (lambda x, v: jnp.searchsorted(x + 0.25 if defect else x, v, side="right")), [SORTED, Arg((8, 2), P("dp"))], [P("dp")],
     {"moved": "places among other values"}, annotated=True)
pair("found-bucket", [["dp", 4]], lambda x, v: jnp.bincount(jnp.digitize(v, x), length=17),
     lambda defect: (lambda x, v: jnp.bincount(jnp.digitize(v, x, right=False) + (1 if defect else 0), length=17)), [SORTED, Arg((8,), P("dp"))], [P()],
     {"next": "each value counts in the bucket after its own"}, annotated=True)
pair("found-value", [["dp", 4]], lambda x, y, v: jnp.interp(v, x, y), lambda defect: (lambda x, y, v: jnp.interp(v, x, y[::-1] if defect else y)),
     [SORTED, Arg((16,)), Arg((8,), P("dp"))], [P("dp")], {"reversed": "values in the other order"}, annotated=True)


# --- values that are their own transposes ---
def gram(x, y):
    a = x @ x.T
    return a @ a @ y


def gram_dp(defect):
    def run(x, y):
        whole = gather(x, "dp")
        mine = (whole if defect != "local" else jnp.tile(x, (2, 1))) @ x.T  # a column block, read as rows below
        a = gather(mine.T, "dp")
        return block(a @ a, "dp") @ y
    return run


def newton_schulz(g):
    a = g @ g.T
    return (1.5 * jnp.eye(len(g)) - 0.5 * a) @ g


def newton_schulz_tp(defect):
    def run(g):
        a = lax.psum(g @ g.T, "tp")
        b = 1.5 * jnp.eye(len(g)) - 0.5 * (g @ g.T if defect == "own-columns" else a).T
        return b @ g
    return run


def transform(x):
    k = jnp.arange(8.0)
    return x @ jnp.cos(0.7853982 * k[:, None] * k[None, :])


def transform_dp(defect):
    def run(x):
        k = jnp.arange(8.0)
        c = jnp.cos(0.7853982 * k[:, None] * (k[None, :] + (1.0 if defect == "shifted" else 0.0)))
        return x @ c.T
    return run


def mixed(x, y, z):
    """Not symmetric: x y^T; its transpose is another matrix."""
    return (x @ y.T) @ z


def mixed_dp(defect):
    def run(x, y, z):
        a = gather(x, "dp") @ gather(y, "dp").T
        return block(a.T if defect == "transposed" else a, "dp") @ z
    return run


pair("symmetric-gram", DP, gram, gram_dp, [Arg((8, 3), P("dp")), Arg((8, 4))], [P("dp")], {"local": "each rank multiplies its own rows only"})
pair("symmetric-newton-schulz", TP, newton_schulz, newton_schulz_tp, [Arg((4, 8), P(None, "tp"))], [P(None, "tp")],
     {"own-columns": "the product is not summed over ranks"})
pair("symmetric-table", DP, transform, transform_dp, [Arg((4, 8), P("dp"))], [P("dp")], {"shifted": "frequencies are one further"})
pair("symmetric-not", DP, mixed, mixed_dp, [Arg((8, 3), P("dp")), Arg((8, 3), P("dp")), Arg((8, 4))], [P("dp")],
     {"transposed": "a product of two matrices read as its transpose"})


# --- functions of whole arrays ---
def pooled(x):
    return jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") ** 2))(x)


def pooled_dp(defect):
    def run(x):
        if defect == "overlapping":
            return jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), "VALID") ** 2))(x)
        return pooled(x)
    return run


def pooled_by(window, stride, padding):
    return jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (1, window, 1), (1, stride, 1), padding) ** 2))


def bits(key, x):
    return x * (lax.rng_bit_generator(key.astype(jnp.uint32), (8, 4), jnp.uint32)[1] % 2).astype(jnp.float32)


def bits_dp(defect):
    def run(key, x):
        shape = x.shape if defect == "local-shape" else (8, 4)
        b = (lax.rng_bit_generator(key.astype(jnp.uint32), shape, jnp.uint32)[1] % 2).astype(jnp.float32)
        return x * (b if defect == "local-shape" else block(b, "dp"))
    return run


pair("whole-max-pool-gradient", DP, pooled, pooled_dp, [Arg((4, 4, 4, 2), P("dp"))], [P("dp")],
     {"overlapping": "windows overlap"})
pair("whole-max-pool-padded", DP, pooled_by(3, 2, "SAME"), lambda defect: pooled_by(3, 2, "VALID" if defect == "unpadded" else "SAME"),
     [Arg((4, 8, 3), P("dp"))], [P("dp")], {"unpadded": "the last window is dropped"})
pair("whole-max-pool-channels", DP, pooled_by(2, 1, "VALID"), lambda defect: pooled_by(3 if defect == "wider" else 2, 1, "VALID"),
     [Arg((3, 8, 4), P(None, None, "dp"))], [P(None, None, "dp")], {"wider": "windows are one wider"})
pair("whole-random-bits", DP, bits, bits_dp, [Arg((4,), P(), jnp.int32, (0, 1000)), Arg((8, 4), P("dp"))], [P("dp")],
     {"local-shape": "each rank draws the bits of its own shape"})
