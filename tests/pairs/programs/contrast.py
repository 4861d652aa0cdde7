"""SigLIP's loss over all pairs of two batches that are spread over the ranks: each pair by itself, with a sign that says whether its rows belong together."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, Arg, pair, rotate

DP = [["dp", 4]]


def signs(a, b, s, bias):
    logits = jnp.exp(s) * a @ b.T + bias
    return -jnp.sum(jax.nn.log_sigmoid((2 * jnp.eye(8) - 1) * logits)) / 8


ROWS, NUMBER = Arg((8, 4), P("dp")), Arg((), P(), F32)
INPUTS = [ROWS, ROWS, NUMBER, NUMBER]


# --- the other batch is gathered; the sign of each pair is chosen by its place ---
def signs_gathered_dp(defect):
    def run(a, b, s, bias):
        logits = jnp.exp(s) * a @ lax.all_gather(b, "dp", tiled=True).T + bias
        row = jnp.arange(2)[:, None] + (0 if defect == "own-offset" else 2 * lax.axis_index("dp"))
        sign = jnp.where(row == jnp.arange(8)[None], 1.0, -2.0 if defect == "others-twice" else -1.0)
        return lax.psum(-jnp.sum(jax.nn.log_sigmoid(sign * logits)), "dp") / 8
    return run


pair("contrast-signs-gathered", DP, signs, signs_gathered_dp, INPUTS, [P()],
     {"own-offset": "rows count from each rank's own first one", "others-twice": "what does not belong together is twice as far"})


# --- blocks of the other batch go round; pairs belong together in the own block alone ---
def signs_ring_dp(defect):
    def run(a, b, s, bias):
        scaled, total = jnp.exp(s) * a, 0.0
        for k in range(3 if defect == "round-short" else 4):
            own = k == 0 or defect == "all-own"
            sign = 2 * jnp.eye(2) - 1 if own else -1.0
            total = total - jnp.sum(jax.nn.log_sigmoid(sign * (scaled @ b.T + bias)))
            b = rotate(b, "dp")
        return lax.psum(total, "dp") / 8
    return run


pair("contrast-signs-ring", DP, signs, signs_ring_dp, INPUTS, [P()],
     {"round-short": "the last block is left out", "all-own": "in each block pairs on the diagonal belong together"})


# --- CLIP: rows and columns of the scaled cosines, each against its own place; the gradient of the weights of texts, whose features are normalised (as torch
# does it), where ranks gather both features and send back what others have of theirs ---
def softmax_less(z, own):
    e = jnp.exp(z - jnp.max(z, -1, keepdims=True))
    return e / jnp.sum(e, -1, keepdims=True) - own


def length(t):
    return jnp.sqrt(jnp.sum(t * t, -1, keepdims=True))


def unit(t):
    return t / jnp.maximum(length(t), 1e-12)


def through_unit(t, g):
    """The gradient of t, of that of unit(t)."""
    n = length(t)
    m = jnp.maximum(n, 1e-12)
    along = jnp.where(n > 1e-12, jnp.sum(-g * (t / m / m), -1, keepdims=True), 0)
    return g / m + along * jnp.where(n == 0, 0, t / n)


def clip(a, y, w, s):
    t = y @ w.T
    a, b = unit(a), unit(t)
    scaled = jnp.exp(s) * a
    z = scaled @ b.T
    d = softmax_less(z, jnp.eye(8)) + softmax_less(z.T, jnp.eye(8)).T
    return through_unit(t, d.T @ scaled).T @ y


def clip_dp(defect):
    def run(a, y, w, s):
        n = a.shape[0]
        row = jnp.arange(n)[:, None] + (0 if defect == "own-offset" else n * lax.axis_index("dp"))
        own = (row == jnp.arange(8)[None]).astype(F32)
        t = y @ w.T
        a, b = unit(a), unit(t)
        scaled = jnp.exp(s) * a
        images, texts = lax.all_gather(a, "dp", tiled=True), lax.all_gather(b, "dp", tiled=True)
        rows = softmax_less(scaled @ texts.T, own)
        columns = softmax_less(jnp.exp(s) * b @ images.T, own)
        others = lax.psum_scatter(rows.T @ (a if defect == "not-scaled" else scaled), "dp", tiled=True)
        g = jnp.exp(s) * (columns @ images) + (0 if defect == "not-sent-back" else others)
        return lax.psum(through_unit(b if defect == "of-unit" else t, g).T @ y, "dp")
    return run


pair("contrast-clip", DP, clip, clip_dp, [ROWS, ROWS, Arg((4, 4)), NUMBER], [P()],
     {"own-offset": "rows count from each rank's own first one", "not-scaled": "what others have of a text is not scaled",
      "not-sent-back": "what others have of a text is left out", "of-unit": "the features are taken for those before they are normalised"})
