"""Programs along a sharded sequence: cumulative sums, a state-space scan, convolution with a halo, shifted tokens."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, gather, pair, rotate

N = 4
SP = [["sp", N]]


# --- cumulative sum: local sum plus the totals of the ranks before ----------------------------------------------------
def cumsum(x):
    return jnp.cumsum(x, 0)


def cumsum_sp(defect):
    def step(x):
        total = lax.all_gather(jnp.sum(x, 0), "sp")
        ranks, me = jnp.arange(N)[:, None], lax.axis_index("sp")
        before = ranks <= me if defect == "own-total" else ranks < me
        return jnp.cumsum(x, 0) + jnp.sum(jnp.where(before, total, 0.0), 0)
    return step


pair("cumsum-shard", SP, cumsum, cumsum_sp, [Arg((16, 3), P("sp"))], [P("sp")],
     {"own-total": "the rank's own total is part of what came before it"})


# --- the same of integers: places in a list of what is chosen, minus one where nothing is ---
def counted(chosen):
    return jnp.cumsum(chosen, 0) * chosen - 1


def counted_sp(defect):
    def step(chosen):
        total = lax.all_gather(jnp.sum(chosen, 0), "sp")
        ranks, me = jnp.arange(N)[:, None], lax.axis_index("sp")
        before = ranks <= me if defect == "own-total" else ranks < me
        return (jnp.cumsum(chosen, 0) + jnp.sum(jnp.where(before, total, 0), 0)) * chosen - 1
    return step


pair("cumsum-counted", SP, counted, counted_sp, [Arg((8, 3), P("sp"), jnp.int32, (0, 2))], [P("sp")],
     {"own-total": "each rank adds its own total as well"})



# --- state-space scan: h' = a h + b x over time; each rank scans its part and corrects it by what came before ---------
def scan_states(a, x, start):
    def step(h, ax):
        h = ax[0] * h + ax[1]
        return h, h
    return lax.scan(step, start, (a, x))[1]


def states(a, x):
    return scan_states(a, x, jnp.zeros_like(x[0]))


def states_sp(defect):
    def step(a, x):
        local = scan_states(a, x, jnp.zeros_like(x[0]))
        decay = jnp.cumprod(a, 0)
        ends, decays = lax.all_gather(local[-1], "sp"), lax.all_gather(decay[-1], "sp")
        enter = jnp.zeros_like(x[0])
        for r in range(N):  # the state with which this rank begins
            inside = r <= lax.axis_index("sp") if defect == "one-too-many" else r < lax.axis_index("sp")
            enter = jnp.where(inside, enter + ends[r] if defect == "no-decay" else decays[r] * enter + ends[r], enter)
        return local + decay * enter
    return step


def states_handed_on(defect):
    """Each rank waits for the state of the one before: N rounds of the scan, of which round r is rank r's."""
    def step(a, x):
        enter, result = jnp.zeros_like(x[0]), jnp.zeros_like(x)
        for r in range(N):
            h = scan_states(a, x, enter)
            result = jnp.where(lax.axis_index("sp") == r, h, result)
            end = h[0] if defect == "first-state" else h[-1]
            enter = lax.ppermute(end, "sp", [(i, i + 1) for i in range(N - 1)])
        return result
    return step


SSM_IN = [Arg((8, 3), P("sp"), range=(0.25, 1.0)), Arg((8, 3), P("sp"))]
pair("state-space-scan", SP, states, states_sp, SSM_IN, [P("sp")],
     {"no-decay": "states of earlier ranks do not decay over the ranks between",
      "one-too-many": "the rank's own last state is part of what it begins with"})
pair("state-space-handed-on", SP, states, states_handed_on, SSM_IN, [P("sp")],
     {"first-state": "the first state of a rank is handed on, not the last"})


# --- causal convolution over time (as in a state-space block) and a centred one, with halos ---------------------------
def conv(x, w, padding):
    return lax.conv_general_dilated(x, w, (1,), [padding], dimension_numbers=("NWC", "WIO", "NWC"))


def from_rank(x, by):
    """What the rank `by` before this one holds; zeros where there is none."""
    return lax.ppermute(x, "sp", [(i, i + by) for i in range(N) if 0 <= i + by < N])


def conv_causal(x, w):
    return conv(x, w, (2, 0))


def conv_causal_sp(defect):
    def step(x, w):
        if defect == "around":
            return conv(jnp.concatenate([rotate(x[:, -2:], "sp"), x], 1), w, (0, 0))
        return conv(jnp.concatenate([from_rank(x[:, :2] if defect == "wrong-end" else x[:, -2:], 1), x], 1), w, (0, 0))
    return step


def conv_centred(x, w):
    return conv(x, w, (1, 1))


def conv_centred_sp(defect):
    def step(x, w):
        left, right = from_rank(x[:, -1:], 1), from_rank(x[:, :1], -1)
        left, right = (right, left) if defect == "swapped" else (left, right)
        return conv(jnp.concatenate([left, x, right], 1), w, (0, 0))
    return step


CONV_IN = [Arg((2, 12, 3), P(None, "sp")), Arg((3, 3, 4))]
pair("halo-conv-causal", SP, conv_causal, conv_causal_sp, CONV_IN, [P(None, "sp")],
     {"around": "the last rank's halo goes around to the first",
      "wrong-end": "the halo is the begin of the neighbour's shard"})
pair("halo-conv-centred", SP, conv_centred, conv_centred_sp, CONV_IN, [P(None, "sp")],
     {"swapped": "halos stand on the wrong sides"})


# --- token shift: next-token loss, whose targets cross the border of shards -------------------------------------------
def shifted_loss(x, w, ids):
    logp = jax.nn.log_softmax(x @ w, -1)
    target = jnp.concatenate([ids[1:], jnp.zeros(1, ids.dtype)])
    picked = jnp.take_along_axis(logp, target[:, None], 1)[:, 0]
    return -jnp.sum(jnp.where(jnp.arange(len(ids)) < len(ids) - 1, picked, 0.0)) / (len(ids) - 1)


def shifted_loss_sp(defect):
    def step(x, w, ids):
        logp = jax.nn.log_softmax(x @ w, -1)
        border = ids[:1] if defect == "local-shift" else from_rank(ids[:1], -1)
        picked = jnp.take_along_axis(logp, jnp.concatenate([ids[1:], border])[:, None], 1)[:, 0]
        at = jnp.arange(len(ids)) + (0 if defect == "local-mask" else lax.axis_index("sp") * len(ids))
        last = N * len(ids) - 1
        return -lax.psum(jnp.sum(jnp.where(at < last, picked, 0.0)), "sp") / last
    return step


pair("token-shift-loss", SP, shifted_loss, shifted_loss_sp,
     [Arg((12, 5), P("sp")), Arg((5, 7)), Arg((12,), P("sp"), jnp.int32, (0, 7))], [P()],
     {"local-shift": "the target of a shard's last token is the shard's own first",
      "local-mask": "the last token is found by the index in the shard"})
