"""Features and weights over their lengths, so that a row of zeros is no number: softmaxes and losses over a vocabulary that ranks share."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, pair

TP = [["tp", 4]]
ROWS, WIDTH, WORDS = 4, 3, 8
INPUTS = [Arg((ROWS, WIDTH)), Arg((WIDTH, WORDS), P(None, "tp")), Arg((ROWS,), dtype=I32, range=(0, WORDS))]
ZERO_ROW = [0] * WIDTH + [1, 2, 3] + [1] * WIDTH + [2] * WIDTH  # of the features
ZERO_WORD = [0, 1, 2, 3, 4, 5, 6, 7] * WIDTH  # of the weights


def unit(x, axis):
    return x / jnp.linalg.norm(x, axis=axis, keepdims=True)


def place(y, n):
    return y - lax.axis_index("tp") * n


def log_sum(z, defect=""):
    """The logarithm of the sum of all ranks' exponentials, by the largest logit."""
    most = jnp.max(z, -1)
    if defect != "own-maximum":
        most = lax.pmax(most, "tp")
    total = lax.psum(jnp.sum(jnp.exp(z - most[:, None]), -1), "tp")
    return jnp.log(total) + (0 if defect == "maximum-left-out" else most)


# --- a head whose logits are cosines; the target's logit is picked by a product with its place -------------------------------
def head(x, w, y):
    z = unit(x, -1) @ unit(w, 0)
    return jnp.mean(jax.nn.logsumexp(z, -1) - jnp.take_along_axis(z, y[:, None], 1)[:, 0])


def head_tp(defect):
    def run(x, w, y):
        z = unit(x, -1) @ unit(w, 1 if defect == "words-over-ranks-columns" else 0)
        own = jax.nn.one_hot(y if defect == "no-offset" else place(y, w.shape[1]), w.shape[1])
        return jnp.mean(log_sum(z, defect) - lax.psum(jnp.sum(z * own, -1), "tp"))
    return run


pair("normalised-head", TP, head, head_tp, INPUTS, [P()],
     {"own-maximum": "each rank takes its own largest logit", "maximum-left-out": "the largest logit is not put back",
      "no-offset": "labels count from each rank's own first word", "words-over-ranks-columns": "weights have unit length along the rank's words"})


# --- the target's cosine is less by a margin, all are scaled (CosFace) --------------------------------------------------------
def margin(x, w, y):
    z = 8 * (unit(x, -1) @ unit(w, 0) - 0.25 * jax.nn.one_hot(y, WORDS))
    return jnp.mean(jax.nn.logsumexp(z, -1) - jnp.take_along_axis(z, y[:, None], 1)[:, 0])


def margin_tp(defect):
    def run(x, w, y):
        n = w.shape[1]
        own = jax.nn.one_hot(place(y, n), n)
        less = {"no-margin": 0, "all-less": 0.25, "own-place-less": 0.25 * jax.nn.one_hot(y, n)}.get(defect, 0.25 * own)
        z = 8 * (unit(x, -1) @ unit(w, 0) - less)
        return jnp.mean(log_sum(z) - lax.psum(jnp.sum(z * own, -1), "tp"))
    return run


pair("normalised-margin", TP, margin, margin_tp, INPUTS, [P()],
     {"no-margin": "the target's cosine is not less", "own-place-less": "the margin is taken where the rank's own word has the target's number"})


# --- logarithms of the sums themselves, of each row, and the largest logit where it is a number ---------------------------------
def sums(x, w):
    z = unit(x, -1) @ unit(w, 0)
    most = jnp.max(z, -1)
    return jax.nn.logsumexp(z, -1), jnp.where(jnp.isfinite(most), most, 0)


def sums_tp(defect):
    def run(x, w):
        z = unit(x, -1) @ unit(w, 0)
        most = lax.pmax(jnp.max(z, -1), "tp")
        if defect != "not-asked":
            most = jnp.where(jnp.isfinite(most), most, 1 if defect == "one-where-none" else 0)
        return log_sum(z, defect), most
    return run


pair("normalised-sums", TP, sums, sums_tp, INPUTS[:2], [P(), P()],
     {"not-asked": "a row of zeros is no number where the sequential program has 0", "one-where-none": "a row of zeros has 1",
      "own-maximum": "each rank takes its own largest logit"}, shown={0: ZERO_ROW})


# --- the target's logit alone, beside which nothing is NaN ---------------------------------------------------------------------
def target(x, w, y):
    z = unit(x, -1) @ unit(w, 0)
    return jnp.take_along_axis(z, y[:, None], 1)[:, 0]


def target_tp(defect):
    def run(x, w, y):
        n = w.shape[1]
        z = unit(x, -1) @ unit(w, 0)
        hit = jnp.arange(n) == (y if defect == "no-offset" else place(y, n))[:, None]
        return lax.psum(jnp.sum(z * jnp.exp(jnp.where(hit, 0, -jnp.inf)) if defect == "times-place" else jnp.where(hit, z, 0), -1), "tp")
    return run


pair("normalised-target", TP, target, target_tp, INPUTS, [P()],
     {"times-place": "a word of zeros makes each row's sum of products no number", "no-offset": "labels count from each rank's own first word"},
     shown={1: ZERO_WORD})


# --- the gradients of features and weights, by hand on the ranks ---
def gradients(x, w, y):
    return jax.grad(head, (0, 1))(x, w, y)


def through_unit(t, g, axis):
    return jax.vjp(lambda t: unit(t, axis), t)[1](g)[0]


def gradients_tp(defect):
    def run(x, w, y):
        a, b = unit(x, -1), unit(w, 0)
        z = a @ b
        own = jax.nn.one_hot(place(y, w.shape[1]), w.shape[1])
        most = jnp.max(z, -1)
        if defect != "own-maximum":
            most = lax.pmax(most, "tp")
        e = jnp.exp(z - most[:, None])
        d = (e / lax.psum(jnp.sum(e, -1), "tp")[:, None] - own) / (1 if defect == "summed" else ROWS)
        back = d @ b.T
        return through_unit(x, back if defect == "own-part" else lax.psum(back, "tp"), -1), through_unit(w, a.T @ d, 0)
    return run


pair("normalised-gradients", TP, gradients, gradients_tp, INPUTS, [P(), P(None, "tp")],
     {"own-part": "the features' gradient is of the rank's own words alone", "summed": "gradients of a sum of losses, not of their mean",
      "own-maximum": "each rank takes its own largest logit"})
