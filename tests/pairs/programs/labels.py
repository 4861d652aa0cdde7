"""Gradients of a loss whose labels are the next token, none behind the last one, as libraries write them out: by the picked label, and the sum of what was picked."""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from .base import Arg, I32, pair

D2, BY = [["d", 2]], P("d")
NONE = -100


def gradient(logits, ids, keep=None, pad=NONE):
    """Of the mean over the tokens that have a label."""
    labels = jnp.concatenate([ids[:, 1:], jnp.full((ids.shape[0], 1), pad, jnp.int32)], 1)
    some = labels != NONE
    picked = (jnp.arange(logits.shape[-1]) == jnp.where(some, labels, 0)[..., None]) & some[..., None]
    g = jnp.where(picked, -1.0 / (keep or jnp.sum(some).astype(jnp.float32)), 0.0)
    return g - jnp.exp(jax.nn.log_softmax(logits)) * jnp.sum(g, -1, keepdims=True)


def gradient_by_rows(defect):
    def local(logits, ids):
        g = gradient(logits, ids, pad=0 if defect == "zero-is-a-label" else NONE)
        return g if defect == "sum" else g * (0.25 if defect == "twice" else 0.5)
    return local


pair("labels-next", D2, gradient, gradient_by_rows, [Arg((4, 6, 8), BY), Arg((4, 6), BY, I32, (0, 8))], [BY],
     {"zero-is-a-label": "the last token has a label too", "sum": "not the mean over ranks", "twice": "the mean over ranks twice"})


# --- the same of logits that need not be finite: a token without a label has nothing times a weight, in any multiple ---
def warm(logits, ids, warmth):
    return gradient(logits / warmth[..., None], ids)


def warm_by_rows(defect):
    def local(logits, ids, warmth):
        g = gradient(logits * warmth[..., None] if defect == "colder" else logits / warmth[..., None], ids, pad=0 if defect == "zero-is-a-label" else NONE)
        return g if defect == "sum" else g * 0.5
    return local


pair("labels-warm", D2, warm, warm_by_rows, [Arg((4, 6, 8), BY), Arg((4, 6), BY, I32, (0, 8)), Arg((4, 6), BY)], [BY],
     {"zero-is-a-label": "the last token has a label too", "sum": "not the mean over ranks", "colder": "a product instead of a quotient"})


# --- the same, summed for a bias, which the ranks share ---
def bias(logits, ids):
    return jnp.sum(gradient(logits, ids), (0, 1))


def bias_by_rows(defect):
    def local(logits, ids):
        g = jnp.sum(gradient(logits, ids), (0, 1))
        return jax.lax.psum(g, "d") if defect == "sum" else g if defect == "own" else jax.lax.pmean(g, "d")
    return local


pair("labels-bias", D2, bias, bias_by_rows, [Arg((4, 6, 8), BY), Arg((4, 6), BY, I32, (0, 8))], [P()], {"sum": "not the mean over ranks", "own": "every rank keeps its own"})


# --- the loss itself, over a norm and a head whose gradients the ranks share ---
def head_loss(p, x, ids, pad):
    gain, head = p
    y = x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * gain
    labels = jnp.concatenate([ids[:, 1:], jnp.full((ids.shape[0], 1), pad, jnp.int32)], 1)
    some = labels != NONE
    logp = jax.nn.log_softmax(y @ head)
    return -jnp.sum(jnp.where(some, jnp.take_along_axis(logp, jnp.where(some, labels, 0)[..., None], -1)[..., 0], 0.0)) / jnp.sum(some)


def head_step(x, gain, head, ids, pad=NONE):
    loss, grads = jax.value_and_grad(head_loss)((gain, head), x, ids, pad)
    return (loss, *grads)


def head_step_by_rows(defect):
    def local(x, gain, head, ids):
        out = head_step(x, gain, head, ids, 0 if defect == "zero-is-a-label" else NONE)
        return tuple(jax.lax.psum(t, "d") / (1 if defect == "sum" else 2) if k == 1 else jax.lax.pmean(t, "d") for k, t in enumerate(out))
    return local


pair("labels-head", D2, head_step, head_step_by_rows, [Arg((4, 6, 4), BY), Arg((4,)), Arg((4, 8)), Arg((4, 6), BY, I32, (0, 8))], [P(), P(), P()],
     {"zero-is-a-label": "the last token has a label too", "sum": "the gradient of the gain is a sum where a mean is right"})
