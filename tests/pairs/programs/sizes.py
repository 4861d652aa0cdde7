"""Programs whose proof holds at every size, each captured at two sizes: attention with grouped queries, cross entropy over a
sharded vocabulary, a gradient under FSDP, an AdamW step on shards, one step of ring attention."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, I32, Arg, pair, rotate


# --- attention with grouped queries: q heads and their key heads are sharded together --------------------------------
def grouped_attention(x, wq, wk, wv, wo):
    """x [batch, sequence, hidden]; wq [hidden, keys, group, width]; wk, wv [hidden, keys, width]; wo [keys, group, width, hidden]."""
    q, k, v = (jnp.einsum("bsh,hkgd->bskgd", x, wq), jnp.einsum("bsh,hkd->bskd", x, wk), jnp.einsum("bsh,hkd->bskd", x, wv))
    scores = jnp.einsum("bqkgd,bskd->bkgqs", q, k) * 0.5
    at = jnp.arange(x.shape[1])
    scores = jnp.where(at[:, None] >= at[None, :], scores, -1e9)
    return jnp.einsum("bkgqs,bskd,kgdh->bqh", jax.nn.softmax(scores, -1), v, wo)


def grouped(name, tp, batch, sequence, hidden, keys, group, width):
    def dist(defect):
        def step(x, *w):
            y = grouped_attention(x, *w)
            return y if defect == "not-summed" else lax.psum(y, "tp")
        return step

    head = P(None, "tp")
    pair(name, [["dp", 2], ["tp", tp]], grouped_attention, dist,
         [Arg((batch, sequence, hidden), P("dp")), Arg((hidden, keys, group, width), head), Arg((hidden, keys, width), head),
          Arg((hidden, keys, width), head), Arg((keys, group, width, hidden), P("tp"))],
         [P("dp")], {"not-summed": "the output projection's partial sums stay on their ranks"})


grouped("sizes-grouped-attention", 2, 6, 5, 7, 4, 3, 2)
grouped("sizes-grouped-attention-larger", 4, 4, 6, 5, 8, 3, 7)


# --- cross entropy over a sharded vocabulary -------------------------------------------------------------------------
def cross_entropy(x, w, labels):
    """x [tokens, hidden], w [hidden, vocabulary], labels [tokens]."""
    logits = x @ w
    picked = jnp.take_along_axis(logits, labels[:, None], -1, mode="clip")[:, 0]
    return jnp.sum(jax.nn.logsumexp(logits, -1) - picked)


def vocabulary(name, tp, tokens, hidden, words):
    def dist(defect):
        def step(x, w, labels):
            logits, own = x @ w, words // tp
            top = jnp.max(logits, -1)
            top = top if defect == "own-maximum" else lax.pmax(top, "tp")
            total = lax.psum(jnp.sum(jnp.exp(logits - top[:, None]), -1), "tp")
            place = labels - lax.axis_index("tp") * own
            here = (place >= 0) & (place < own)
            picked = jnp.take_along_axis(logits, jnp.clip(place, 0, own - 1)[:, None], -1, mode="clip")[:, 0]
            picked = picked if defect == "not-masked" else jnp.where(here, picked, 0.0)
            return lax.psum(jnp.sum(top + jnp.log(total) - lax.psum(picked, "tp")), "dp")
        return step

    pair(name, [["dp", 2], ["tp", tp]], cross_entropy, dist,
         [Arg((tokens, hidden), P("dp")), Arg((hidden, words), P(None, "tp")), Arg((tokens,), P("dp"), I32, (0, words))], [P()],
         {"own-maximum": "exponentials are taken against each rank's maximum", "not-masked": "ranks without the label add a logit"})


vocabulary("sizes-cross-entropy", 2, 6, 5, 14)
vocabulary("sizes-cross-entropy-larger", 4, 10, 7, 44)


# --- a gradient under FSDP: weights gathered, gradients scattered ----------------------------------------------------
def two_layers(w1, w2, x, y):
    return jnp.sum((jnp.tanh(x @ w1) @ w2 - y) ** 2)


def fsdp(name, ranks, batch, hidden, width):
    def dist(defect):
        def step(w1, w2, x, y):
            whole = [lax.all_gather(w, "fsdp", axis=0, tiled=True) for w in (w1, w2)]
            grads = jax.grad(two_layers, (0, 1))(*whole, x, y)
            if defect == "averaged":
                grads = [g / ranks for g in grads]
            return tuple(lax.psum_scatter(g, "fsdp", scatter_dimension=0, tiled=True) for g in grads)
        return step

    rows = P("fsdp")
    pair(name, [["fsdp", ranks]], jax.grad(two_layers, (0, 1)), dist,
         [Arg((hidden, width), rows), Arg((width, hidden), rows), Arg((batch, hidden), rows), Arg((batch, hidden), rows)],
         [rows, rows], {"averaged": "gradients of a sum are averaged over the ranks"})


fsdp("sizes-fsdp", 2, 6, 10, 14)
fsdp("sizes-fsdp-larger", 4, 12, 28, 20)


# --- an AdamW step on shards -----------------------------------------------------------------------------------------
def adamw(w, m, v, g, t):
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    correct = lambda x, b: x / (1 - jnp.power(b, t))
    return w - 0.01 * (correct(m, 0.9) / (jnp.sqrt(correct(v, 0.99)) + 1e-8) + 0.1 * w), m, v


def optimizer(name, fsdp_ranks, tp, rows, columns):
    def dist(defect):
        def step(w, m, v, g, t):
            g = g if defect == "own-gradient" else lax.psum(g, "dp")
            return adamw(w, m, v, g, t)
        return step

    block = P("fsdp", "tp")
    pair(name, [["dp", 2], ["fsdp", fsdp_ranks], ["tp", tp]], lambda w, m, v, g, t: adamw(w, m, v, jnp.sum(g, 0), t),
         lambda defect: (lambda w, m, v, g, t: dist(defect)(w, m, v, jnp.sum(g, 0), t)),
         [Arg((rows, columns), block), Arg((rows, columns), block), Arg((rows, columns), block, F32, (0.1, 1.0)),
          Arg((2 * 2, rows, columns), P("dp", "fsdp", "tp")), Arg((), P(), F32, (1.0, 10.0))],
         [block, block, block], {"own-gradient": "each replica steps with its own gradient"})


optimizer("sizes-adamw", 2, 2, 6, 10)
optimizer("sizes-adamw-larger", 2, 2, 10, 14)


# --- one step of ring attention: the neighbour's keys, running maximum and sums --------------------------------------
def from_neighbour(x):
    """Block i - 1 at place i, around the ring."""
    blocks = x.shape[0]
    return x[(jnp.arange(blocks) + blocks - 1) % blocks]


def ring_step(q, k, v, m, l, o, roll=from_neighbour):
    """Blocks first: q, k, v [blocks, length, width]; m, l [blocks, length]; o [blocks, length, width]."""
    k, v = roll(k), roll(v)
    s = jnp.einsum("nqd,nkd->nqk", q, k)
    new = jnp.maximum(m, jnp.max(s, -1))
    p, c = jnp.exp(s - new[..., None]), jnp.exp(m - new)
    return k, v, new, c * l + jnp.sum(p, -1), c[..., None] * o + jnp.einsum("nqk,nkd->nqd", p, v)


def ring(name, ranks, length, width):
    def dist(defect):
        by = -1 if defect == "other-way" else 1
        return lambda *a: ring_step(*a, roll=lambda x: rotate(x, "cp", by))

    block, row = Arg((ranks, length, width), P("cp")), Arg((ranks, length), P("cp"))
    pair(name, [["cp", ranks]], ring_step, dist, [block, block, block, row, row, block], [P("cp")] * 5,
         {"other-way": "blocks come from the other neighbour"})


ring("sizes-ring-step", 4, 3, 5)
ring("sizes-ring-step-larger", 8, 5, 7)
