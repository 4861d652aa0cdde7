"""Defects of one operator, size or block, which `check` names rather than copy the sequential computation (expect.json: code, culprit), and beside each one that looks alike and is another."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, gather, pair, rotate

N = 4
TP, TWO = [["tp", N]], [["tp", 2]]
ROWS = P("tp")
total = lambda x: lax.psum(jnp.sum(x), "tp")


# --- the smaller one of two for the larger one ---------------------------------------------------------------------------
def surrogate(logp, old, advantage):
    ratio = jnp.exp(logp - old)
    return jnp.mean(jnp.maximum(-advantage * ratio, -advantage * jnp.clip(ratio, 0.8, 1.2)))


def surrogate_tp(defect):
    def run(logp, old, advantage):
        ratio = jnp.exp(logp - old)
        best = jnp.minimum if defect == "smaller" else jnp.maximum
        loss = best(-advantage * ratio, -advantage * jnp.clip(ratio, 0.8, 1.2))
        return jnp.mean(loss) if defect == "own-rows" else lax.pmean(jnp.mean(loss), "tp")
    return run


pair("blamed-surrogate", TP, surrogate, surrogate_tp, [Arg((8, 3), ROWS)] * 3, [P()],
     {"smaller": "the smaller of the two losses is taken", "own-rows": "the mean is that of the rank's own rows"})


# --- sizes of the rank's own part -------------------------------------------------------------------------------------------
def running_variance(x, kept):
    n = x.shape[0]
    return 0.9 * kept + 0.1 * x.var(0) * n / (n - 1)


def running_variance_tp(defect):
    def run(x, kept):
        mean = lax.pmean(x.mean(0), "tp")
        var = lax.pmean((x * x).mean(0), "tp") - mean * mean
        n = x.shape[0] * (1 if defect == "own-count" else N)
        return 0.9 * kept + 0.1 * (var if defect == "of-all" else var * n / (n - 1))
    return run


pair("blamed-variance", TP, running_variance, running_variance_tp, [Arg((8, 3), ROWS), Arg((3,))], [P()],
     {"own-count": "n / (n - 1) is that of the rank's own rows", "of-all": "the variance is not corrected by n / (n - 1)"})


def covariance(x):
    x = x - x.mean(0)
    return jnp.sum((x.T @ x / (x.shape[0] - 1)) ** 2)


def covariance_tp(defect):
    def run(x):
        n, rows = x.shape[0] * N, x.shape[0]
        x = x - lax.pmean(x.mean(0), "tp")
        c = lax.pmean(x.T @ x / (rows - 1), "tp") if defect == "own-count" else lax.psum(x.T @ x, "tp") / (n if defect == "of-all" else n - 1)
        return jnp.sum(c ** 2)
    return run


pair("blamed-covariance", TP, covariance, covariance_tp, [Arg((8, 3), ROWS)], [P()],
     {"own-count": "each rank divides by one less than its own rows, then the mean is taken", "of-all": "the sum is divided by the rows, not by one less"})


# --- a product whose summands travel around a ring --------------------------------------------------------------------------
def product(x, w):
    return x @ w


def product_ring(defect):
    def run(x, w):
        rank, n = lax.axis_index("tp"), x.shape[0] // N
        acc = jnp.zeros((n, w.shape[1]))
        for step in range(N):
            k = (rank - step + (0 if defect == "block-before" else N - 1)) % N
            acc = acc + lax.dynamic_slice(x, (k * n, 0), (n, x.shape[1])) @ w
            if step < N - 1:
                acc = rotate(acc, "tp", -1 if defect == "sent-back" else 1)
        return acc
    return run


pair("blamed-ring-product", TP, product, product_ring, [Arg((8, 8), P(None, "tp")), Arg((8, 3), ROWS)], [ROWS],
     {"block-before": "each step takes the block before the one that its sum ends at", "sent-back": "the sums travel the other way round"})


# --- the token before, across shards of a sequence ---------------------------------------------------------------------------
def token_shift(x, mix, w):
    before = jnp.concatenate([jnp.zeros((1, x.shape[1])), x[:-1]])
    return jnp.tanh((x * mix + before * (1 - mix)) @ w)


def token_shift_sp(defect):
    def run(x, mix, w):
        edge = lax.ppermute(x[-1:], "tp", [(i, i + 1) for i in range(N - 1)] + ([(N - 1, 0)] if defect == "wrapped" else []))
        before = jnp.concatenate([jnp.zeros((1, x.shape[1])) if defect == "zeros" else edge, x[:-1]])
        return jnp.tanh((x * mix + before * (1 - mix)) @ w)
    return run


pair("blamed-token-shift", TP, token_shift, token_shift_sp, [Arg((8, 3), ROWS), Arg((3,)), Arg((3, 4))], [ROWS],
     {"zeros": "zeros stand where the last token of the shard before belongs", "wrapped": "the first shard reads the last token of all"})


# --- a function left out -----------------------------------------------------------------------------------------------------
def majority(w, g):
    return w - 0.01 * jnp.sign(jnp.sum(jnp.sign(g), 0))


def majority_dp(defect):
    def run(w, g):
        if defect == "of-the-sum":
            return w - 0.01 * jnp.sign(lax.psum(g[0], "tp"))
        votes = lax.psum(jnp.sign(g[0]), "tp")
        return w - 0.01 * (votes if defect == "votes" else jnp.sign(votes))
    return run


pair("blamed-majority", TP, majority, majority_dp, [Arg((5,)), Arg((4, 5), ROWS)], [P()],
     {"of-the-sum": "ranks send gradients, not their signs", "votes": "the number of votes is not reduced to its sign"})


# --- comparisons with NaN ----------------------------------------------------------------------------------------------------
def chosen(x, a, b):
    return jnp.where(jnp.sqrt(x) > 0.5, a, b)


def chosen_tp(defect):
    def run(x, a, b):
        root = jnp.sqrt(x)
        if defect == "turned":
            return jnp.where(root <= 0.5, b, a)
        return jnp.where(root > (0.9 if defect == "other-bound" else 0.5), a, b)
    return run


pair("blamed-chosen", TP, chosen, chosen_tp, [Arg((8,), ROWS)] * 3, [ROWS],
     {"turned": "the negated comparison is false of NaN too", "other-bound": "the bound is another number"})


def any_above(x):
    return jnp.where(jnp.max(jnp.log(x)) > -1, 2.0, 1.0), jnp.sum(x)


def any_above_tp(defect):
    def run(x):
        some = lax.psum(jnp.sum(jnp.log(x) > -1), "tp") > 0 if defect == "counted" else jnp.max(gather(jnp.log(x), "tp")) > -1
        return jnp.where(some, 2.0, 1.0), jnp.sum(x) if defect == "own-sum" else total(x)
    return run


pair("blamed-any-above", TP, any_above, any_above_tp, [Arg((8,), ROWS)], [P(), P()],
     {"counted": "one that is above is found beside NaN, which the maximum hands on", "own-sum": "the sum is that of the rank's own elements"})


# --- running softmax whose sums are not rescaled, written out ----------------------------------------------------------------
def attention(q, k, v):
    return jax.nn.softmax(q @ k.T * 0.5, -1) @ v


def attention_ring(defect):
    def run(q, k, v):
        m, l, o = jnp.full((q.shape[0], 1), -1e30), jnp.zeros((q.shape[0], 1)), jnp.zeros_like(q)
        for step in range(N):
            s = q @ k.T * (1.0 if defect == "not-scaled" else 0.5)
            now = jnp.maximum(m, s.max(-1, keepdims=True))
            p, old = jnp.exp(s - now), 1.0 if defect == "not-rescaled" else jnp.exp(m - now)
            l, o, m = l * old + p.sum(-1, keepdims=True), o * old + p @ v, now
            if step < N - 1:
                k, v = rotate(k, "tp"), rotate(v, "tp")
        return o / l
    return run


pair("blamed-online-softmax", TP, attention, attention_ring, [Arg((8, 3), ROWS)] * 3, [ROWS],
     {"not-rescaled": "sums stay under the maximum of the step that added to them", "not-scaled": "scores are not multiplied by a half"})


# --- heads that are repeated, and sequences that are exchanged for heads -----------------------------------------------------
def heads(q, k):
    return jnp.einsum("nhe,mhe->nhm", q, jnp.repeat(k, 2, 1))


def heads_exchanged(defect):
    def run(q, k):
        k = jnp.tile(k, (1, 2, 1)) if defect == "tiled" else jnp.repeat(k, 2, 1)
        q, k = (lax.all_to_all(t, "tp", 1, 0, tiled=True) for t in (q, k))
        if defect == "keys-turned":
            k = k[::-1]
        return lax.all_to_all(jnp.einsum("nhe,mhe->nhm", q, k), "tp", 0, 1, tiled=True)
    return run


pair("blamed-repeated-heads", TP, heads, heads_exchanged, [Arg((8, 4, 3), ROWS), Arg((8, 2, 3), ROWS)], [ROWS],
     {"tiled": "all heads of keys stand behind each other once more, not each beside its copy", "keys-turned": "the keys stand in the inverse order"})


def grouped(q, k, v):
    p = jax.nn.softmax(jnp.einsum("hne,hme->hnm", q, jnp.repeat(k, 2, 0)), -1)
    return jnp.einsum("hnm,hme->hne", p, jnp.repeat(v, 2, 0))


def grouped_tp(defect):
    def mine(t, how):
        return lax.dynamic_slice_in_dim(how(gather(t, "tp")), lax.axis_index("tp") * 2, 2, 0)

    def run(q, k, v):
        beside, behind = lambda t: jnp.repeat(t, 2, 0), lambda t: jnp.tile(t, (2, 1, 1))
        p = jax.nn.softmax(jnp.einsum("hne,hme->hnm", q, mine(k, behind if defect == "tiled" else beside)), -1)
        return jnp.einsum("hnm,hme->hne", p, mine(v, behind if defect in ("tiled", "values-tiled") else (lambda t: beside(jnp.roll(t, 1, 0))) if defect == "values-turned" else beside))
    return run


pair("blamed-grouped-heads", TP, grouped, grouped_tp, [Arg((8, 3, 2), ROWS)] + [Arg((4, 3, 2), ROWS)] * 2, [ROWS],
     {"tiled": "all heads of keys and values stand behind each other once more, not each beside its copy", "values-tiled": "those of values do",
      "values-turned": "the values are those of the head before"})


def periodic(x, t):
    return x * jnp.tile(t, (3, 1))


def periodic_tp(defect):
    def run(x, t):
        rows = jnp.repeat(t, 3, 0) if defect == "repeated" else jnp.tile(t, (3, 1))
        return x * lax.dynamic_slice_in_dim(rows, lax.axis_index("tp") * len(x), len(x), 0)
    return run


pair("blamed-periodic", TP, periodic, periodic_tp, [Arg((12, 3), ROWS), Arg((4, 3))], [ROWS],
     {"repeated": "each row stands beside its copies, where all rows follow each other again"})


def normed(x, w):
    return jnp.einsum("nhe,hef->nhf", x / jnp.sqrt(jnp.sum(x * x, 0, keepdims=True)), w)


def normed_exchanged(defect):
    def run(x, w):
        n, h, e = x.shape
        blocks = x.reshape(2, n, h // 2, e) if defect == "not-transposed" else x.reshape(n, 2, h // 2, e).transpose(1, 0, 2, 3)
        mine = lax.all_to_all(blocks, "tp", 0, 0).reshape(2 * n, h // 2, e)
        mine = mine / jnp.sqrt(jnp.sum(mine * mine, 0, keepdims=True))
        mine = jnp.einsum("nhe,hef->nhf", mine, w)
        back = lax.all_to_all(mine.reshape(2, n, h // 2, e), "tp", 0, 0)
        return back.transpose(1, 2, 0, 3).reshape(n, h, e) if defect == "heads-minor" else back.transpose(1, 0, 2, 3).reshape(n, h, e)
    return run


pair("blamed-sequence-exchange", TWO, normed, normed_exchanged, [Arg((6, 4, 3), ROWS), Arg((4, 3, 3), ROWS)], [ROWS],
     {"not-transposed": "what is sent is cut along the sequence, not along the heads", "heads-minor": "heads of the ranks come back in turn"})


# --- weights of the two best experts -----------------------------------------------------------------------------------------
def routed(x, router, w):
    best, at = lax.top_k(x @ router, 2)
    return jnp.einsum("ne,nd,edf->nf", jnp.sum(jax.nn.one_hot(at, 4) * jax.nn.softmax(best, -1)[..., None], 1), x, w)


def routed_ep(defect):
    def run(x, router, w):
        logits = x @ router
        best, at = lax.top_k(logits, 2)
        gates = jnp.take_along_axis(jax.nn.softmax(logits, -1), at, -1) if defect == "of-all-experts" else jax.nn.softmax(best, -1)
        own = at if defect == "no-offset" else at - lax.axis_index("tp") * 2
        return lax.psum(jnp.einsum("ne,nd,edf->nf", jnp.sum(jax.nn.one_hot(own, 2) * gates[..., None], 1), x, w), "tp")
    return run


pair("blamed-two-experts", TWO, routed, routed_ep, [Arg((6, 3)), Arg((3, 4)), Arg((4, 3, 2), ROWS)], [P()],
     {"of-all-experts": "the softmax is over all experts, not over the two best ones", "no-offset": "numbers of experts are not those of the rank's own"})


# --- a bag of rows that lie on other ranks -----------------------------------------------------------------------------------
def bag(table, ids, weights):
    return jax.grad(lambda t: jnp.mean((t[ids] * weights[..., None]).sum(1) ** 2))(table)


def bag_rows(defect):
    def run(table, ids, weights):
        n = table.shape[0]
        local = ids - lax.axis_index("tp") * n
        inside = (local >= 0) & (local < n)
        w = weights if defect == "foreign-rows" else weights * inside
        local = jnp.clip(local, 0, n - 1)
        y = lax.psum((table[local] * w[..., None]).sum(1), "tp")
        g = 2 * y / y.size * (2 if defect == "twice" else 1)
        return jnp.zeros_like(table).at[local].add(g[:, None] * w[..., None])
    return run


pair("blamed-bag", TWO, bag, bag_rows, [Arg((8, 3), ROWS), Arg((4, 3), P(), I32, (0, 8)), Arg((4, 3))], [ROWS],
     {"foreign-rows": "rows of other ranks are looked up at the edge of the own ones", "twice": "the gradient is that of twice the loss"})


# --- a mean of what counts, by the number of all ------------------------------------------------------------------------------
def mean_valid(x, w, labels):
    valid = labels >= 0
    per = jax.nn.logsumexp(x @ w, -1)
    return jnp.sum(jnp.where(valid, per, 0)) / jnp.maximum(jnp.sum(valid), 1)


def mean_valid_tp(defect):
    def run(x, w, labels):
        valid = labels >= 0
        logits = x @ w
        m = lax.pmax(jnp.max(logits, -1), "tp")
        per = m + jnp.log(lax.psum(jnp.sum(jnp.exp(logits - m[:, None]), -1), "tp"))
        count = len(labels) if defect == "all-labels" else jnp.maximum(jnp.sum(valid), 1)
        return jnp.sum(per if defect == "not-masked" else jnp.where(valid, per, 0)) / count
    return run


pair("blamed-valid-count", TWO, mean_valid, mean_valid_tp, [Arg((5, 4)), Arg((4, 6), P(None, "tp")), Arg((5,), P(), I32, (-2, 6))], [P()],
     {"all-labels": "the sum of what counts is divided by the number of all", "not-masked": "what does not count is added too"})


# --- labels of a rank's own rows ----------------------------------------------------------------------------------------------
def contrast(a, b):
    logp = jax.nn.log_softmax(a @ b.T, -1)
    at = jnp.arange(a.shape[0])
    return -jnp.mean(jnp.sum(jnp.where(at[:, None] == at[None], logp, 0), -1))


def contrast_dp(defect):
    def run(a, b):
        every = gather(b, "tp")
        logp = jax.nn.log_softmax(a @ every.T, -1)
        own = jnp.arange(a.shape[0]) + (0 if defect == "no-offset" else lax.axis_index("tp") * a.shape[0])
        at = jnp.arange(every.shape[0])
        per = jnp.sum(jnp.where(own[:, None] == at[None], logp, 0), -1)
        return jnp.mean(per) * -1 if defect == "own-mean" else -lax.pmean(jnp.mean(per), "tp")
    return run


pair("blamed-labels", TP, contrast, contrast_dp, [Arg((8, 3), ROWS)] * 2, [P()],
     {"no-offset": "the labels are those of the first rank's rows", "own-mean": "the mean is that of the rank's own rows"})
