"""Linear attention and state spaces along a sequence in shards: each rank from a state of zero, corrected by the state that it is entered with."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

N = 4
SP = [["sp", N]]
QKV = [Arg((16, 3), P("sp")), Arg((16, 3), P("sp")), Arg((16, 2), P("sp"))]


def me():
    return lax.axis_index("sp")


# --- causal linear attention: the states of the ranks before, added ---------------------------------------------------
def linear(q, k, v):
    return jnp.tril(q @ k.T) @ v


def linear_sp(defect):
    def step(q, k, v):
        state = lax.all_gather(jnp.einsum("sk,sv->kv", k, v), "sp")
        before = jnp.arange(N) <= me() if defect == "own-state" else jnp.arange(N) < me()
        enter = jnp.sum(jnp.where(before[:, None, None], state, 0.0), 0)
        return (q @ k.T if defect == "unmasked" else jnp.tril(q @ k.T)) @ v + q @ enter
    return step


pair("linear-attention", SP, linear, linear_sp, QKV, [P("sp")],
     {"own-state": "the rank's own state is part of what it is entered with", "unmasked": "tokens of the own shard see later ones"})


# --- state-space duality (Mamba-2): decays are exponentials of differences of one running sum --------------------------
def decays(log_decay):
    total = jnp.cumsum(log_decay)
    inside = jnp.tril(jnp.ones((log_decay.shape[0],) * 2, bool))
    return jnp.where(inside, jnp.exp(total[:, None] - total[None]), 0.0)


def duality(log_decay, q, k, v):
    return ((q @ k.T) * decays(log_decay)) @ v


def duality_sp(defect):
    def step(log_decay, q, k, v):
        total = jnp.cumsum(log_decay)
        end = total if defect == "undecayed-state" else total[-1] - total
        state = lax.all_gather(jnp.einsum("sk,sv,s->kv", k, v, jnp.exp(end)), "sp")
        ends = jnp.cumsum(lax.all_gather(total[-1], "sp"))
        before = jnp.where(me() > 0, ends[jnp.maximum(me() - 1, 0)], 0.0)
        weight = jnp.where(jnp.arange(N) < me(), jnp.exp(before - ends), 0.0)
        enter = jnp.einsum("r,rkv->kv", weight, state)
        since = total - log_decay if defect == "one-step-short" else total
        return duality(log_decay, q, k, v) + jnp.exp(since)[:, None] * (q @ enter)
    return step


pair("state-space-duality", SP, duality, duality_sp, [Arg((16,), P("sp"), range=(-1.0, 0.0)), *QKV], [P("sp")],
     {"one-step-short": "the entering state lacks the decay of the token itself", "undecayed-state": "states decay from the rank's begin, not to its end"})


# --- a running sum that an exponential is made of: survival along time, the hazard of what is before the shard; more
# places than are written out
def survival(hazard):
    return jnp.exp(-jnp.cumsum(hazard, 0))


def survival_sp(defect):
    def step(hazard):
        total = lax.all_gather(jnp.sum(hazard, 0), "sp")
        before = jnp.arange(N) <= me() if defect == "own-shard" else jnp.arange(N) < me()
        return survival(hazard) * jnp.exp(-jnp.sum(jnp.where(before[:, None], total, 0.0), 0))
    return step


pair("running-exponential", SP, survival, survival_sp, [Arg((96, 2), P("sp"), range=(0.0, 1.0))], [P("sp")],
     {"own-shard": "the rank's own shard counts twice"})


# --- recurrences h = a h + b as associative scans: recursive halves, put together from even and odd places ----------------
def compose(first, then):
    return first[0] * then[0], first[1] * then[0] + then[1]


def halves(a, b):
    return lax.associative_scan(compose, (a, b))


def recurrence(a, b):
    def step(h, x):
        h = x[0] * h + x[1]
        return h, h
    return lax.scan(step, jnp.zeros(b.shape[1:]), (a, b))[1]


def halves_sp(defect):
    def step(a, b):
        factor, own = halves(a, b)
        factors, ends = lax.all_gather(factor[-1], "sp"), lax.all_gather(own[-1], "sp")
        enter = jnp.zeros(b.shape[1:])
        for r in range(N - 1):
            before = r <= me() if defect == "own-shard" else r < me()
            enter = jnp.where(before, enter * (1.0 if defect == "undecayed" else factors[r]) + ends[r], enter)
        if defect == "one-step-short":
            factor = jnp.concatenate([jnp.ones_like(factor[:1]), factor[:-1]])
        return factor * enter + own
    return step


STEPS = {"own-shard": "the rank's own shard is part of what it is entered with", "undecayed": "what comes from far ranks does not decay on the way",
         "one-step-short": "the entering state lacks the decay of the token itself"}


def channels(n):
    return [Arg((n, 2), P("sp")), Arg((n, 2), P("sp"))]


pair("recurrence-halves", SP, lambda a, b: halves(a, b)[1], halves_sp, channels(64), [P("sp")], STEPS)
pair("recurrence-steps-halves", SP, recurrence, halves_sp, channels(32), [P("sp")], STEPS)


# --- their gradients, by autodiff of the halves, and what XLA's partitioner makes of a whole sequence
def halves_gradient(a, b, w):
    return jax.grad(lambda a, b: jnp.sum(halves(a, b)[1] * w), (0, 1))(a, b)


def halves_gradient_sp(defect):
    def step(a, b, w):
        return jax.grad(lambda a, b: jnp.sum(halves_sp(defect)(a, b) * w), (0, 1))(a, b)
    return step


pair("recurrence-halves-gradient", SP, halves_gradient, halves_gradient_sp, [*channels(16), Arg((16, 2), P("sp"))], [P("sp"), P("sp")], STEPS)
pair("recurrence-halves-annotated", SP, halves_gradient, lambda defect: halves_gradient, [*channels(32), Arg((32, 2), P("sp"))], [P("sp"), P("sp")],
     {"backwards": "a gradient goes to the rank after", "lost": "the last rank gets no factor of the next level", "short": "a gradient of the last rank is lost"},
     annotated=True,
     edits={"backwards": ("channel_id=39, source_target_pairs={{1,0},{2,1}}", "channel_id=39, source_target_pairs={{0,1},{1,2}}"),
            "lost": ("channel_id=17, source_target_pairs={{1,0},{2,1},{3,2}}", "channel_id=17, source_target_pairs={{1,0},{2,1}}"),
            "short": ("channel_id=43, source_target_pairs={{1,0},{2,1},{3,2}}", "channel_id=43, source_target_pairs={{1,0},{2,1}}")})


# --- the gradient of weights that the factors and what is added are made of: a sum over all places of what each place's gradient is
def halves_weights(x, wa, wb, w):
    return jax.grad(lambda wa, wb: jnp.sum(halves(jnp.tanh(x @ wa), x @ wb)[1] * w), (0, 1))(wa, wb)


def halves_weights_batch(x, wa, wb, w):
    def loss(wa, wb):
        return jnp.sum(jax.vmap(lambda x: halves(jnp.tanh(x @ wa), x @ wb)[1])(x) * w)
    return jax.grad(loss, (0, 1))(wa, wb)


def weights(*batch):
    place = P(*["dp"] * len(batch), "sp")
    return [Arg((*batch, 16, 3), place), Arg((3, 2)), Arg((3, 2)), Arg((*batch, 16, 2), place)]


GRADIENT_LOST = {"backwards": "what the last place of a shard sends back goes to the rank before", "lost": "the last rank gets nothing of it"}


def turned(channel, pairs, kept):
    """A permute against its direction, and without its last pair."""
    def text(list_):
        return f"channel_id={channel}, source_target_pairs={{" + ",".join(f"{{{a},{b}}}" for a, b in list_) + "}"
    return {"backwards": (text(pairs), text([(b, a) for a, b in pairs])), "lost": (text(pairs), text(pairs[:kept]))}


pair("recurrence-halves-weights-annotated", SP, halves_weights, lambda defect: halves_weights, weights(), [P(), P()], GRADIENT_LOST, annotated=True,
     edits=turned(54, [(0, 1), (1, 2), (2, 3)], 2))
pair("recurrence-halves-batch-annotated", [["dp", 2], *SP], halves_weights_batch, lambda defect: halves_weights_batch, weights(4), [P(), P()], GRADIENT_LOST,
     annotated=True, edits=turned(55, [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7)], 5))


# --- running sums over shards: a rank begins with the sum of the last places of those before it -------------------------------------
def before(last, defect):
    """The sum over the ranks before."""
    everywhere = lax.all_gather(last, "sp")
    if defect == "second-before":
        return jnp.einsum("r,r...->...", (jnp.arange(N) < me() - 1).astype(last.dtype), everywhere)
    counts = jnp.arange(N) <= me() if defect == "own-too" else jnp.arange(N) < me()
    return jnp.einsum("r,r...->...", counts.astype(last.dtype), everywhere)


def running(k, v):
    return jnp.cumsum(k[:, :, None] * v[:, None], 0)


def running_sp(defect):
    def step(k, v):
        own = running(k, v)
        return own + before(own[0 if defect == "first-place" else -1], defect)
    return step


LAST = {"own-too": "the rank's own sum is part of what it begins with", "first-place": "the first place of a rank is taken for its last",
        "second-before": "the sum of the rank next before it is left out"}
pair("running-from-last", SP, running, running_sp, QKV[1:], [P("sp")], LAST)


# --- the same of causal linear attention that divides by the sum of what it weighs by ---
def divided(q, k, v, states=running, sums=lambda k: jnp.cumsum(k, 0)):
    return jnp.einsum("sk,skv->sv", q, states(k, v)) / jnp.einsum("sk,sk->s", q, sums(k))[:, None]


def divided_sp(defect):
    def sums(k):
        own = jnp.cumsum(k, 0)
        return own if defect == "own-divisor" else own + before(own[-1], "")
    return lambda q, k, v: divided(q, k, v, running_sp(defect), sums)


pair("running-divided", SP, divided, divided_sp, [Arg((16, 3), P("sp"), range=(0.1, 1)), Arg((16, 3), P("sp"), range=(0.1, 1)), QKV[2]], [P("sp")],
     LAST | {"own-divisor": "each rank divides by its own sum alone"})
