"""Attention in windows that are shifted, and experts chosen from the best group: sequential values that are read by digits of their places."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

TP = [["tp", 2]]


# --- shifted windows: rolled, cut, attended, put together, rolled back -------------------------------------------------
def cut(x, w):
    b, h, v, c = x.shape
    return x.reshape(b, h // w, w, v // w, w, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, w * w, c)


def together(y, w, h, v):
    b = y.shape[0] // (h // w * (v // w))
    return y.reshape(b, h // w, v // w, w, w, -1).transpose(0, 1, 3, 2, 4, 5).reshape(b, h, v, -1)


def shifted(x, wq, shift=2, back=2, w=4):
    y = cut(jnp.roll(x, (-shift, -shift), (1, 2)), w)
    a = jax.nn.softmax(jnp.einsum("bnc,bmc->bnm", y @ wq, y), -1)
    return x + jnp.roll(together(jnp.einsum("bnm,bmc->bnc", a, y), w, *x.shape[1:3]), (shift, back), (1, 2))


def shifted_tp(defect):
    if defect == "back-by-one-less":
        return lambda x, wq: shifted(x, wq, back=1)
    if defect == "not-shifted":
        return lambda x, wq: shifted(x, wq, 0, 0)
    if defect == "windows-in-another-order":
        return lambda x, wq: shifted(x.swapaxes(1, 2), wq)
    return shifted


pair("windows-shifted", TP, shifted, shifted_tp, [Arg((4, 8, 8, 2), P("tp")), Arg((2, 2))], [P("tp")],
     {"back-by-one-less": "columns are rolled back by one place less", "not-shifted": "windows are not shifted",
      "windows-in-another-order": "rows are taken for columns"})


# --- the same under Swin's mask: which parts of the picture a window holds, by a table of parts that no input reaches -------
def parts(h, shift, w):
    whole = jnp.zeros((1, h, h, 1))
    cuts = (slice(0, h - w), slice(h - w, h - shift), slice(h - shift, h))
    for n, (rows, columns) in enumerate((a, b) for a in cuts for b in cuts):
        whole = whole.at[:, rows, columns, :].set(float(n))
    return cut(whole, w)[..., 0]


def masked(m, other=-100.0):
    gap = m[:, None, :] - m[:, :, None]
    gap = jnp.where(gap != 0, other, gap)
    return jnp.where(gap == 0, 0.0, gap)


def window_mask(x, mask=masked):
    return x + mask(parts(8, 2, 4))


def window_mask_tp(defect):
    if defect == "own-part-is-masked":
        return lambda x: window_mask(x, lambda m: -100.0 - masked(m))
    if defect == "mask-by-order":
        return lambda x: window_mask(x, lambda m: jnp.where(m[:, None, :] > m[:, :, None], -100.0, 0.0))
    if defect == "parts-of-another-shift":
        return lambda x: x + masked(parts(8, 1, 4))
    return window_mask


pair("windows-mask", TP, window_mask, window_mask_tp, [Arg((4, 4, 16, 16), P("tp"))], [P("tp")],
     {"own-part-is-masked": "what is of one part is masked, and the rest is not", "mask-by-order": "what is of an earlier part is not masked",
      "parts-of-another-shift": "parts are those of windows shifted by one place"})


def masked_attention(x, wq, mask=masked):
    y = cut(jnp.roll(x, (-2, -2), (1, 2)), 4)
    scores = (jnp.einsum("bnc,bmc->bnm", y @ wq, y).reshape(-1, 4, 16, 16) + mask(parts(8, 2, 4))).reshape(-1, 16, 16)
    a = jax.nn.softmax(scores, -1)
    return x + jnp.roll(together(jnp.einsum("bnm,bmc->bnc", a, y), 4, *x.shape[1:3]), (2, 2), (1, 2))


def masked_attention_tp(defect):
    if defect == "mask-transposed-by-order":
        return lambda x, wq: masked_attention(x, wq, lambda m: jnp.where(m[:, None, :] < m[:, :, None], -100.0, 0.0))
    if defect == "mask-of-opposite-sign":
        return lambda x, wq: masked_attention(x, wq, lambda m: -masked(m))
    return masked_attention


pair("windows-masked", TP, masked_attention, masked_attention_tp, [Arg((4, 8, 8, 2), P("tp")), Arg((2, 2))], [P("tp")],
     {"mask-transposed-by-order": "what is of an earlier part alone is masked", "mask-of-opposite-sign": "the mask is added with the opposite sign"})


# --- the best experts of the best group (DeepSeek-V3), scores and biases of experts in shards -------------------------------
def routed(s, bias, group=None, weighed=None):
    scored = s + bias
    best = jnp.argmax(jnp.sum(lax.top_k(scored.reshape(-1, 2, 4), 2)[0], -1), -1) if group is None else group(scored)
    inside = jnp.arange(8) // 4 == best[:, None]
    places = lax.top_k(jnp.where(inside, scored, -jnp.inf), 2)[1]
    gates = jnp.take_along_axis(s if weighed is None else weighed(scored), places, 1)
    return gates / gates.sum(-1, keepdims=True), places


def routed_tp(defect):
    def run(s, bias):
        s, bias = lax.all_gather(s, "tp", axis=1, tiled=True), lax.all_gather(bias, "tp", tiled=True)
        if defect == "group-by-one":
            return routed(s, bias, lambda x: jnp.argmax(lax.top_k(x.reshape(-1, 2, 4), 1)[0][..., 0], -1))
        if defect == "gates-with-bias":
            return routed(s, bias, weighed=lambda x: x)
        if defect == "without-bias":
            return routed(s, 0 * bias)
        return routed(s, bias)
    return run


pair("experts-of-best-group", TP, routed, routed_tp, [Arg((4, 8), P(None, "tp"), range=(0.1, 1)), Arg((8,), P("tp"), range=(-1, 1))], [P(), P()],
     {"group-by-one": "the group is chosen by its best expert alone", "gates-with-bias": "gates are scores with the bias", "without-bias": "the bias is not added"})


# --- rows by a digit of their number: every second of a place that data tell ------------------------------------------------
def interleaved(x, k):
    return jnp.where(jnp.arange(8) // 2 % 2 == k[:, None], x, 0.0), jnp.where(jnp.arange(8) // 4 == k[:, None], x, 1.0)


def interleaved_tp(defect):
    def run(x, k):
        places = lax.axis_index("tp") * x.shape[1] + jnp.arange(x.shape[1])
        digit = places // 2 % 2 if defect != "lower-digit" else places % 2
        high = places // 4 if defect != "own-places" else jnp.arange(x.shape[1]) // 4
        return jnp.where(digit == k[:, None], x, 0.0), jnp.where(high == k[:, None], x, 1.0)
    return run


pair("digits-of-data", TP, interleaved, interleaved_tp, [Arg((4, 8), P(None, "tp")), Arg((4,), P(), jnp.int32, (0, 2))], [P(None, "tp"), P(None, "tp")],
     {"lower-digit": "the lowest digit of the place is compared", "own-places": "places of the rank's own part are compared"})
