"""Experts and stages: gradients of a mixture of experts under EP x TP, pipelines as a scan with collective-permute."""
import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, copy_to, pair, reduce_from

E, EP = 4, 2  # experts, ranks of ep
MOE = [["ep", EP], ["tp", 2]]


# --- mixture of experts, top-1, one-hot dispatch; tokens and experts are sharded over ep, the hidden dimension over tp 
def route(x, wr):
    """Per token: one-hot choice of the expert, and the probability of each."""
    p = jax.nn.softmax(x @ wr, -1)
    return jax.nn.one_hot(jnp.argmax(p, -1), E), p


def experts(tokens, w1, w2, act=jnp.tanh):
    """tokens: expert, slot, feature."""
    return jnp.einsum("ecf,efd->ecd", act(jnp.einsum("ecd,edf->ecf", tokens, w1)), w2)


def balance(p, count):
    """Auxiliary loss: square of the mean probability of each expert, from the sum over tokens."""
    return jnp.sum((p / count) ** 2)


def moe_grads(wr, w1, w2, x, act=jnp.tanh):
    def loss(wr, w1, w2):
        chosen, p = route(x, wr)
        out = jnp.einsum("te,etd->td", chosen * p, experts(jnp.broadcast_to(x, (E, *x.shape)), w1, w2, act))
        return jnp.sum(out ** 2) / x.size + 0.125 * balance(jnp.sum(p, 0), len(x))
    return jax.value_and_grad(loss, (0, 1, 2))(wr, w1, w2)


def moe_grads_ep_tp(defect, act=jnp.tanh):
    def local_experts(slots, w1, w2):
        if defect == "hidden-left-partial":
            return experts(copy_to(slots, "tp"), w1, w2, act)
        return reduce_from(experts(copy_to(slots, "tp"), w1, w2, act), "tp")

    def step(wr, w1, w2, x):
        def loss(wr, w1, w2):
            chosen, p = route(x, wr)  # every token has a slot of its own with each expert: none is dropped
            sent = jnp.roll(chosen, 1, -1) if defect == "next-expert" else p if defect == "sent-everywhere" else chosen
            slots = lax.all_to_all(jnp.einsum("te,td->etd", sent, x), "ep", 0, 1, tiled=True)
            out = lax.all_to_all(local_experts(slots, w1, w2), "ep", 1, 0, tiled=True)
            out, total = jnp.einsum("te,etd->td", chosen * p, out), jnp.sum(p, 0)
            if defect == "local-balance":
                aux = 0.125 * balance(total, len(x)) / EP
            else:
                aux = 0.125 * balance(reduce_from(total, "ep"), len(x) * EP)
            return jnp.sum(out ** 2) / (x.size * EP) + aux, aux
        (value, aux), (gr, g1, g2) = jax.value_and_grad(loss, (0, 1, 2), has_aux=True)(wr, w1, w2)
        value = lax.psum(value - aux, "ep") + (lax.psum(aux, "ep") if defect == "local-balance" else aux)
        if defect != "router-not-summed":
            gr = lax.psum(gr, ("ep", "tp") if defect == "router-summed-twice" else "ep")
        if defect == "experts-summed":
            g1, g2 = lax.psum((g1, g2), "ep")
        return value, gr, g1, g2
    return step


MOE_IN = [Arg((6, E)), Arg((E, 6, 4), P("ep", None, "tp")), Arg((E, 4, 6), P("ep", "tp")), Arg((4, 6), P("ep"))]
pair("moe-grad-ep-tp", MOE, moe_grads, moe_grads_ep_tp, MOE_IN, [P(), P(), P("ep", None, "tp"), P("ep", "tp")],
     {"router-not-summed": "the router's gradient is not summed over ep",
      "router-summed-twice": "the router's gradient is summed over tp too, whose ranks have the same",
      "hidden-left-partial": "the sum of the experts' results over tp is missing",
      "next-expert": "a token is sent to the expert after its own",
      "sent-everywhere": "a token is sent to all experts, weighted, and weighted again",
      "experts-summed": "gradients of experts are summed over ep, whose ranks have different experts",
      "local-balance": "the auxiliary loss is taken over each rank's tokens by themselves"})
pair("moe-grad-silu-ep-tp", MOE, functools.partial(moe_grads, act=jax.nn.silu), functools.partial(moe_grads_ep_tp, act=jax.nn.silu),
     MOE_IN, [P(), P(), P("ep", None, "tp"), P("ep", "tp")],
     {"next-expert": "a token is sent to the expert after its own",
      "experts-summed": "gradients of experts are summed over ep, whose ranks have different experts"})


# --- forward, top-2 by rounds of argmax; the mask of dispatch is derived from the weights of combine (Flaxformer) -----
def combine_weights(x, wr):
    p = jax.nn.softmax(x @ wr, -1)
    first = jax.nn.one_hot(jnp.argmax(p, -1), E)
    second = jax.nn.one_hot(jnp.argmax(p * (1 - first), -1), E)
    both = p * (first + second)
    return both / jnp.sum(both, -1, keepdims=True)


def moe_top2(wr, w1, w2, x):
    return jnp.einsum("te,etd->td", combine_weights(x, wr), experts(jnp.broadcast_to(x, (E, *x.shape)), w1, w2))


def moe_top2_ep_tp(defect):
    def step(wr, w1, w2, x):
        combine = combine_weights(x, wr)
        slots = jnp.einsum("te,td->etd", (combine > 0).astype(x.dtype), x)
        slots = experts(lax.all_to_all(slots, "ep", 0, 1, tiled=True), w1, w2)
        if defect == "not-exchanged-back":
            out = lax.all_gather(slots, "ep", tiled=True)[:, :len(x)]
        else:
            out = lax.all_to_all(slots, "ep", 1, 0, tiled=True)
        out = jnp.einsum("te,etd->td", combine, out)
        return out if defect == "hidden-left-partial" else lax.psum(out, "tp")
    return step


pair("moe-dispatch-from-combine", MOE, moe_top2, moe_top2_ep_tp, MOE_IN, [P("ep")],
     {"not-exchanged-back": "results are gathered, not exchanged: every rank takes those of the first rank's tokens",
      "hidden-left-partial": "the sum over tp is missing"})

# --- pipeline: each rank of pp has one stage; a scan over ticks, activations go on by collective-permute --------------
STAGES, MICRO = 4, 4
PP = [["pp", STAGES]]


def stage(h, w):
    return h + jnp.tanh(h @ w)


def layers(w, x):
    """All microbatches through all stages, which are scanned."""
    return lax.scan(lambda h, w: (stage(h, w), None), x, w)[0]


def pipeline(w, x, defect=""):
    """w: this rank's stage; x: all microbatches on every rank."""
    me = lax.axis_index("pp")
    late = 1 if defect == "off-by-one" else 0
    way = [(i, i - 1) for i in range(1, STAGES)] if defect == "backwards" else [(i, i + 1) for i in range(STAGES - 1)]

    def tick(carry, t):
        arriving, done = carry
        h = jnp.where(me == 0, x[jnp.clip(t, 0, MICRO - 1)], arriving)
        h = stage(h, w[0])
        slot = t - (STAGES - 1) + late
        kept = lax.dynamic_update_index_in_dim(done, h, jnp.clip(slot, 0, MICRO - 1), 0)
        done = jnp.where((slot >= 0) & (slot < MICRO), kept, done)
        return (lax.ppermute(h, "pp", way), done), None

    ticks = MICRO + STAGES - (2 if defect == "one-tick-short" else 1)
    (_, done), _ = lax.scan(tick, (jnp.zeros_like(x[0]), jnp.zeros_like(x)), jnp.arange(ticks))
    return done if defect == "all-stages" else jnp.where(me == STAGES - 1, done, 0.0)


def pipeline_forward(defect):
    return lambda w, x: lax.psum(pipeline(w, x, defect), "pp")


def layers_grad(w, x, y):
    return jax.value_and_grad(lambda w: jnp.mean((layers(w, x) - y) ** 2))(w)


def pipeline_grad(defect):
    def step(w, x, y):
        def loss(w):
            last = lax.axis_index("pp") == STAGES - 1
            square = (pipeline(w, x) - y) ** 2
            square = square if defect == "every-rank-counts" else jnp.where(last, square, 0.0)
            return jnp.sum(square) / y.size
        value, g = jax.value_and_grad(loss)(w)
        return lax.psum(value, "pp"), (lax.pmean(g, "pp") if defect == "stages-averaged" else g)
    return step


PIPE_IN = [Arg((STAGES, 3, 3), P("pp")), Arg((MICRO, 2, 3))]
pair("pipeline-scan", PP, layers, pipeline_forward, PIPE_IN, [P()],
     {"off-by-one": "results are stored one microbatch early",
      "backwards": "activations travel to the stage before",
      "one-tick-short": "the loop ends before the last microbatch leaves the last stage",
      "all-stages": "what other stages computed is summed too"})
pair("pipeline-scan-grad", PP, layers_grad, pipeline_grad, PIPE_IN + [Arg((MICRO, 2, 3))], [P(), P("pp")],
     {"every-rank-counts": "ranks without the last stage compare zeros with the targets",
      "stages-averaged": "gradients of different stages are averaged as if they were replicas"})


# --- a sum over ranks by exchanges between pairs of ranks; each rank adds its own value and its partner's -------------
def product(x, w):
    return jnp.tanh(x @ w)


def product_exchanged(defect):
    def run(x, w):
        y = x @ w
        for bit in (1, 2):
            partner = [(k, (k + 1) % 4 if defect == "shifted" and bit == 2 else k ^ bit) for k in range(4)]
            other = lax.ppermute(y, "tp", partner)
            y = y - other if defect == "subtracted" and bit == 2 else y + other
        return jnp.tanh(y)
    return run


pair("exchanged-sum", [["tp", 4]], product, product_exchanged, [Arg((3, 8), P(None, "tp")), Arg((8, 2), P("tp"))], [P()],
     {"shifted": "in the second exchange ranks get their left neighbour's value, not their partner's", "subtracted": "the partner's value is subtracted"})


# --- halves that two ranks exchange: an output is compared block by block with cases of the whole ---
def beside_other(x):
    return x + jnp.concatenate([x[3:], x[:3]])


def beside_other_dp(defect):
    return lambda x: x + (x if defect == "own" else lax.ppermute(x, "dp", [(0, 1), (1, 0)]))


def other_first(x):
    return jnp.concatenate([x[3:], x[:3]])


def other_first_dp(defect):
    return lambda x: x[::-1] if defect == "reversed" else lax.ppermute(x, "dp", [(0, 1), (1, 0)])


pair("halves-beside", [["dp", 2]], beside_other, beside_other_dp, [Arg((6, 2), P("dp"))], [P("dp")], {"own": "each rank adds its own half"})
pair("halves-swapped", [["dp", 2]], other_first, other_first_dp, [Arg((6, 2), P("dp"))], [P("dp")], {"reversed": "each rank turns its own half round"})
