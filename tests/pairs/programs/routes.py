"""Tokens that are routed to experts on other ranks: each expert has a number of slots for the tokens of a rank, an all-to-all takes them there and another one back.
The sequential program routes the tokens of each rank by themselves, or asks every token's expert without slots."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, I32, Arg, pair

EP, N, EXPERTS = [["ep", 4]], 4, 8
LAYER = [Arg((16, 3), P("ep")), Arg((3, EXPERTS)), Arg((EXPERTS, 3, 5), P("ep"))]
NOT_BACK = "what the experts return stays where they are"


def own(x):
    """The tokens of each rank."""
    return x.reshape(N, -1, x.shape[1])


def experts(slots, w):
    """[group, expert, slot] through its expert."""
    return jax.nn.relu(jnp.einsum("gecd,edf->gecf", slots, w))


def exchanged(slots, w, back=True):
    """[expert, slot] of a rank's tokens, to the ranks of the experts and back."""
    h = experts(lax.all_to_all(slots.reshape(N, -1, *slots.shape[1:]), "ep", 0, 0), w)
    h = lax.all_to_all(h, "ep", 0, 0) if back else h
    return h.reshape(slots.shape[0], slots.shape[1], -1)


# --- slots that are written and read by their numbers; a token that finds none is left out ----------------------------------
def numbered(x, router, capacity, keep_all=False):
    e = jnp.argmax(x @ router, -1)
    chosen = jax.nn.one_hot(e, EXPERTS, dtype=I32)
    at = jnp.sum(jnp.cumsum(chosen, 0) * chosen, -1) - 1
    kept = at < capacity
    place = jnp.where(kept, e * capacity + at, EXPERTS * capacity)
    slots = jnp.zeros((EXPERTS * capacity, x.shape[1])).at[place].set(x, mode="drop").reshape(EXPERTS, capacity, -1)

    def back(h):
        rows = h.reshape(EXPERTS * capacity, -1)[jnp.clip(place, 0, EXPERTS * capacity - 1)]
        return rows if keep_all else jnp.where(kept[:, None], rows, 0)
    return slots, back


def numbered_layer(x, router, w):
    routed = [numbered(own(x)[r], router, 1) for r in range(N)]
    h = experts(jnp.stack([slots for slots, _ in routed]), w)
    return jnp.concatenate([back(h[r]) for r, (_, back) in enumerate(routed)])


def numbered_ep(defect):
    def run(x, router, w):
        slots, back = numbered(x, router, 1, keep_all=defect == "left-out-kept")
        return back(exchanged(slots, w, back=defect != "not-back"))
    return run


pair("routed-numbered", EP, numbered_layer, numbered_ep, LAYER, [P("ep")],
     {"not-back": NOT_BACK, "left-out-kept": "a token without a slot gets what another token's expert returned"})


# --- slots as masks; the two best experts, whose second choices come after all first ones -----------------------------------
def masks(x, router, defect=""):
    best, at = lax.top_k(jax.nn.softmax(x @ router, -1), 2)
    first, second = (jax.nn.one_hot(at[..., k], EXPERTS) for k in (0, 1))
    before = (0, 0 if defect == "second-from-zero" else jnp.sum(first, -2, keepdims=True))
    mask = weights = 0
    for k, chosen in enumerate((first, second)):
        slot = jnp.sum((jnp.cumsum(chosen, -2) - chosen + before[k]) * chosen, -1).astype(I32)
        placed = chosen[..., None] * jax.nn.one_hot(slot, 2)[..., None, :]
        mask += placed
        weights += placed * (best[..., 0 if defect == "first-weights" else k] / jnp.sum(best, -1))[..., None, None]
    return mask, weights


def masked_layer(x, router, w):
    mask, weights = masks(own(x), router)
    h = experts(jnp.einsum("gtec,gtd->gecd", mask, own(x)), w)
    return jnp.einsum("gtec,gecf->gtf", weights, h).reshape(len(x), -1)


def masked_ep(defect):
    def run(x, router, w):
        mask, weights = masks(x, router, defect)
        return jnp.einsum("tec,ecf->tf", weights, exchanged(jnp.einsum("tec,td->ecd", mask, x), w))
    return run


pair("routed-two-best", EP, masked_layer, masked_ep, LAYER, [P("ep")],
     {"second-from-zero": "second choices take the slots of first ones", "first-weights": "the second expert has the weight of the first"})


# --- the second expert is the best without the first; gradients ---------------------------------------------------------------
def without_first(x, router, defect=""):
    p = jax.nn.softmax(x @ router, -1)
    first = jax.nn.one_hot(jnp.argmax(p, -1), EXPERTS)
    second = jax.nn.one_hot(jnp.argmax(p if defect == "first-again" else jnp.where(first > 0, -jnp.inf, p), -1), EXPERTS)
    total = jnp.sum(p * (first + second), -1)
    weights = 0
    for chosen, taken in ((first, 0), (second, jnp.sum(first, -2, keepdims=True))):
        slot = jnp.sum((jnp.cumsum(chosen, -2) - chosen + taken) * chosen, -1).astype(I32)
        weights += (jnp.sum(p * chosen, -1) / total)[..., None, None] * chosen[..., None] * jax.nn.one_hot(slot, 3)[..., None, :]
    return weights


def without_first_layer(x, router, w):
    weights = jnp.stack([without_first(own(x)[r], router) for r in range(N)])
    h = experts(jnp.einsum("gtec,gtd->gecd", (weights > 0).astype(F32), own(x)), w)
    return jnp.einsum("gtec,gecf->gtf", weights, h).reshape(len(x), -1)


def without_first_ep(defect):
    def run(x, router, w):
        weights = without_first(x, router, defect)
        h = exchanged(jnp.einsum("tec,td->ecd", (weights > 0).astype(F32), x), w, back=defect != "not-back")
        return jnp.einsum("tec,ecf->tf", weights, h)
    return run


pair("routed-second", EP, without_first_layer, without_first_ep, LAYER, [P("ep")],
     {"first-again": "the second expert is the first one again", "not-back": NOT_BACK})


# --- as many slots as tokens: no token is left out, and every token's expert may be asked by itself -----------------------------
def asked(x, router, w):
    p = jax.nn.softmax(x @ router, -1)
    chosen = jax.nn.one_hot(jnp.argmax(p, -1), EXPERTS)
    return jnp.einsum("te,tef->tf", chosen, jax.nn.relu(jnp.einsum("td,edf->tef", x, w))) * jnp.max(p, -1)[:, None]


def asked_ep(defect):
    def run(x, router, w):
        p = jax.nn.softmax(x @ router, -1)
        chosen = jax.nn.one_hot(jnp.argmax(p, -1), EXPERTS)
        counted = jnp.cumsum(chosen, 0) * chosen
        slot = (jnp.sum(counted, -1) - 1).astype(I32) if defect != "counted-over-all" else (jnp.sum(jnp.cumsum(chosen, 0), -1) - 1).astype(I32) % 2
        mask = chosen[:, :, None] * jax.nn.one_hot(slot, 1 if defect == "one-slot" else 4)[:, None]
        h = exchanged(jnp.einsum("tec,td->ecd", mask, x), w)
        return jnp.einsum("tec,ecf->tf", mask, h) * jnp.max(p, -1)[:, None]
    return run


pair("routed-asked", EP, asked, asked_ep, LAYER, [P("ep")],
     {"one-slot": "an expert has one slot for the tokens of a rank", "counted-over-all": "two tokens of an expert may get one slot"})
