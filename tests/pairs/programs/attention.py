"""Attention under context and tensor parallelism: rings as scanned loops, zig-zag, gathered keys, Ulysses, QK norm."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, View, gather, pair, rms, rotate

N = 4  # ranks of cp
CP = [["cp", N]]


def attention(q, k, v, mask=None):
    """Heads, sequence, features; `mask` says which keys a query sees."""
    s = jnp.einsum("hqd,hkd->hqk", q, k) / 2.0
    s = s if mask is None else jnp.where(mask, s, -1e9)
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(s, -1), v)


def causal(queries, keys):
    return queries[:, None] >= keys[None, :]


def full_attention(q, k, v):
    return attention(q, k, v)


def causal_attention(q, k, v):
    at = jnp.arange(q.shape[1])
    return attention(q, k, v, causal(at, at))


# --- ring attention: keys and values go around, the running maximum and sums stay -------------------------------------
def ring(q, k, v, mask_of, by=1, rescale=True, rounds=N):
    """`mask_of(t)`: the mask of the block that this rank holds after t rotations, or None."""
    def scores(k, t):
        s, mask = jnp.einsum("hqd,hkd->hqk", q, k) / 2.0, mask_of(t)
        return s if mask is None else jnp.where(mask, s, -1e9)

    def step(carry, t):
        k, v, m, l, o = carry
        s = scores(k, t)
        new = jnp.maximum(m, jnp.max(s, -1, keepdims=True))
        p = jnp.exp(s - new)
        c = jnp.exp(m - new) if rescale else 1.0
        l, o = c * l + jnp.sum(p, -1, keepdims=True), c * o + jnp.einsum("hqk,hkd->hqd", p, v)
        return (rotate(k, "cp", by), rotate(v, "cp", by), new, l, o), None

    start = (k, v, jnp.full((*q.shape[:2], 1), -jnp.inf), jnp.zeros((*q.shape[:2], 1)), jnp.zeros_like(q))
    _, _, _, l, o = lax.scan(step, start, jnp.arange(rounds))[0]
    return o / l


def ring_full(defect):
    rounds = N - 1 if defect == "one-round-short" else N
    return lambda q, k, v: ring(q, k, v, lambda t: None, rescale=defect != "no-rescale", rounds=rounds)


def ring_causal(defect):
    def step(q, k, v):
        at, me = jnp.arange(q.shape[1]), lax.axis_index("cp")
        owner = (lambda t: me) if defect == "local-mask" else lambda t: (me - t) % N
        return ring(q, k, v, lambda t: causal(me * len(at) + at, owner(t) * len(at) + at),
                    by=-1 if defect == "wrong-direction" else 1)
    return step


SEQ = P(None, "cp")
RING_IN = [Arg((2, 16, 4), SEQ)] * 3
pair("ring-scan", CP, full_attention, ring_full, RING_IN, [SEQ],
     {"no-rescale": "sums of earlier blocks keep the old maximum",
      "one-round-short": "each rank misses its neighbour's block"})
pair("ring-scan-causal", CP, causal_attention, ring_causal, RING_IN, [SEQ],
     {"local-mask": "the mask takes the keys' positions in the block for those in the sequence",
      "wrong-direction": "blocks travel the other way than the mask supposes"})

# --- zig-zag: rank r holds the chunks r and 2N-1-r, so that a causal mask gives every rank the same work --------------
CHUNK = 2  # tokens; 2N chunks
ZIGZAG_HLO = f"""HloModule zigzag, num_partitions={N}

// Rank r holds the chunks r and {2 * N - 1}-r of {2 * N}.
ENTRY %main (x: f32[2,16,4]) -> f32[2,4,4] {{
  %x = f32[2,16,4] parameter(0)
  %zero = u32[] constant(0)
  %rank = u32[] partition-id()
  %last = u32[] constant({2 * N - 1})
  %mirror = u32[] subtract(%last, %rank)
  %chunk = u32[] constant({CHUNK})
  %first = u32[] multiply(%rank, %chunk)
  %second = u32[] multiply(%mirror, %chunk)
  %a = f32[2,{CHUNK},4] dynamic-slice(%x, %zero, %first, %zero), dynamic_slice_sizes={{2,{CHUNK},4}}
  %b = f32[2,{CHUNK},4] dynamic-slice(%x, %zero, %second, %zero), dynamic_slice_sizes={{2,{CHUNK},4}}
  ROOT %r = f32[2,{2 * CHUNK},4] concatenate(%a, %b), dimensions={{1}}
}}
"""


def zigzag_order(x):
    """The whole sequence in the order in which the ranks hold it."""
    parts = [x[:, c * CHUNK:(c + 1) * CHUNK] for r in range(N) for c in (r, 2 * N - 1 - r)]
    return jnp.concatenate(parts, 1)


ZIGZAG = View({"hlo": "zigzag.hlo"}, zigzag_order, {"zigzag.hlo": ZIGZAG_HLO})


def zigzag_positions(rank):
    at = jnp.arange(CHUNK)
    return jnp.concatenate([rank * CHUNK + at, (2 * N - 1 - rank) * CHUNK + at])


def zigzag_ring(defect):
    def step(q, k, v):
        me, length = lax.axis_index("cp"), q.shape[1]
        mine = me * length + jnp.arange(length) if defect == "contiguous-queries" else zigzag_positions(me)
        owner = (lambda t: (me + t) % N) if defect == "wrong-owner" else lambda t: (me - t) % N
        return ring(q, k, v, lambda t: causal(mine, zigzag_positions(owner(t))))
    return step


def zigzag_gathered(defect):
    def step(q, k, v):
        k, v = gather(k, "cp", 1), gather(v, "cp", 1)
        keys = jnp.concatenate([zigzag_positions(r) for r in range(N)])
        mask = causal(zigzag_positions(lax.axis_index("cp")), jnp.arange(16) if defect == "keys-in-order" else keys)
        return attention(q, k, v, mask)
    return step


def zigzag_sorted(defect):
    """The gathered keys are put back into the order of the sequence first, as Llama 3 does."""
    order = [c for r in range(N) for c in (r, 2 * N - 1 - r)]
    back = [order.index(c) for c in range(2 * N)]

    def whole(x):
        x = gather(x, "cp", 1).reshape(2, 2 * N, CHUNK, 4)
        return x[:, jnp.array(order if defect == "permuted-twice" else back)].reshape(2, 16, 4)

    def step(q, k, v):
        return attention(q, whole(k), whole(v), causal(zigzag_positions(lax.axis_index("cp")), jnp.arange(16)))
    return step


ZIGZAG_IN = [Arg((2, 16, 4), SEQ, view=ZIGZAG)] * 3
pair("zigzag-ring", CP, causal_attention, zigzag_ring, ZIGZAG_IN, [(SEQ, ZIGZAG)],
     {"contiguous-queries": "queries are masked as if the shard were contiguous",
      "wrong-owner": "the mask of a block belongs to the rank on the other side"})
pair("zigzag-gathered", CP, causal_attention, zigzag_gathered, ZIGZAG_IN, [(SEQ, ZIGZAG)],
     {"keys-in-order": "gathered keys are masked as if they were in the order of the sequence"})
pair("zigzag-sorted-keys", CP, causal_attention, zigzag_sorted, ZIGZAG_IN, [(SEQ, ZIGZAG)],
     {"permuted-twice": "gathered chunks are permuted once more, not put back"})


# --- Ulysses: all-to-all from sequence shards to head shards and back -------------------------------------------------
def ulysses(defect):
    def heads(x):
        return lax.all_to_all(x, "cp", 0, 1, tiled=True)

    def step(q, k, v):
        at = jnp.arange(16)
        values = jnp.tile(v[:2], (1, N, 1)) if defect == "values-not-exchanged" else heads(v)
        o = attention(heads(q), heads(k), values, causal(at, at))
        if defect == "heads-interleaved":
            return lax.all_to_all(o, "cp", 1, 0, tiled=True).reshape(N, 2, 4, 4).swapaxes(0, 1).reshape(8, 4, 4)
        return lax.all_to_all(o, "cp", 1, 0, tiled=True)
    return step


pair("ulysses", CP, causal_attention, ulysses, [Arg((8, 16, 4), SEQ)] * 3, [SEQ],
     {"heads-interleaved": "heads come back with the rank as the minor digit",
      "values-not-exchanged": "values are the rank's own shard, repeated"})


# --- QK norm over all heads, which tp shards --------------------------------------------------------------------------
def qk_norm_scores(x, wq, wk, gq, gk):
    q, k = rms(x @ wq, gq), rms(x @ wk, gk)
    s = jnp.einsum("qhd,khd->hqk", q.reshape(len(x), -1, 4), k.reshape(len(x), -1, 4))
    return jax.nn.softmax(s / 2.0, -1)


def qk_norm_scores_tp(defect):
    def norm(x, g):
        square = jnp.sum(x * x, -1, keepdims=True)
        if defect == "local-heads":
            return x * lax.rsqrt(square / x.shape[-1] + 1e-6) * g
        count = x.shape[-1] if defect == "local-count" else x.shape[-1] * lax.axis_size("tp")
        return x * lax.rsqrt(lax.psum(square, "tp") / count + 1e-6) * g

    def step(x, wq, wk, gq, gk):
        q, k = norm(x @ wq, gq), norm(x @ wk, gk)
        s = jnp.einsum("qhd,khd->hqk", q.reshape(len(x), -1, 4), k.reshape(len(x), -1, 4))
        return jax.nn.softmax(s / 2.0, -1)
    return step


COLUMNS = P(None, "tp")
pair("qk-norm-heads", [["tp", 4]], qk_norm_scores, qk_norm_scores_tp,
     [Arg((6, 8)), Arg((8, 32), COLUMNS), Arg((8, 32), COLUMNS), Arg((32,), P("tp")), Arg((32,), P("tp"))], [P("tp")],
     {"local-heads": "the norm runs over the local heads only",
      "local-count": "the sum over all heads is divided by the local count"})


# --- ids that may be any integer: what is looked up is zero outside of the table, and so are the scores -----------------
def mass(count):
    def run(ids, w):
        hot = jax.nn.one_hot(ids, 16)
        x, at = hot @ w, jnp.arange(ids.shape[1])
        s = jnp.where(causal(at, at), jnp.einsum("bqd,bkd->bqk", x, x), -1e9)
        e = jnp.exp(s - jnp.max(s, -1, keepdims=True))
        o = jnp.einsum("bqk,bkd->bqd", e / jnp.sum(e, -1, keepdims=True), x)
        return jnp.sum(hot, -1) / jnp.sum(jnp.exp(o), -1) / count
    return run


pair("lookup-anywhere", [["dp", 2]], mass(1), lambda defect: mass(2 if defect else 1),
     [Arg((4, 6), P("dp"), I32), Arg((16, 8))], [P("dp")],
     {"mean": "each rank divides by the number of ranks"})


# --- blocks that are merged one by one, each with the logarithm of its sum: the published update of rings of flash attention -----
def one_head(q, k, v):
    return jax.nn.softmax(q @ k.T / 2, -1) @ v


def merged(n, update):
    def of(defect):
        def run(q, k, v):
            out = lse = None
            for step in range(n):
                s = q @ k.T / 2
                most = jnp.max(s, -1, keepdims=True)
                e = jnp.exp(s - most)
                total = jnp.sum(e, -1, keepdims=True)
                own, own_lse = (e / total) @ v, most + (0 if defect == "maximum-for-sum" else jnp.log(total))
                out, lse = (own, own_lse) if out is None else update(out, lse, own, own_lse, defect)
                k = rotate(k, "cp")
                v = v if defect == "values-stay" else rotate(v, "cp")
            return out
        return run
    return of


def by_sigmoids(out, lse, own, own_lse, defect):
    weight = jax.nn.sigmoid(lse - own_lse if defect == "turned" else own_lse - lse)
    out = out - weight * (out - own)
    return out, lse if defect == "not-updated" else lse - jax.nn.log_sigmoid(lse - own_lse)


def by_logaddexp(out, lse, own, own_lse, defect):
    both = jnp.logaddexp(lse, own_lse)
    first = jnp.exp((own_lse if defect == "turned" else lse) - both)
    return first * out + jnp.exp(own_lse - both) * own, own_lse if defect == "not-updated" else both


ROWS = [Arg((8, 3), P("cp"))] * 3
WRONG = {"values-stay": "values are not passed on with their keys", "turned": "the weights of the two are exchanged",
         "maximum-for-sum": "the maximum stands for the logarithm of the sum"}
pair("ring-merged-two", [["cp", 2]], one_head, merged(2, by_sigmoids), ROWS, [P("cp")], WRONG)
pair("ring-merged-sigmoids", CP, one_head, merged(4, by_sigmoids), ROWS, [P("cp")], {**WRONG, "not-updated": "the logarithm of the first block's sum stays that of all"})
pair("ring-merged-logaddexp", CP, one_head, merged(4, by_logaddexp), ROWS, [P("cp")], {**WRONG, "not-updated": "the logarithm of the last block's sum is taken for that of all"})


# --- masked by a product with the mask behind the exponential, over the largest of all scores, where the sequential program masks before ----------------
def masked_before(q, k, v, m):
    z = jnp.where(m > 0, q @ k.T, -jnp.inf)
    e = jnp.exp(z - jnp.max(z, -1, keepdims=True))
    return (e / jnp.sum(e, -1, keepdims=True)) @ v


def masked_behind_tp(defect):
    def run(q, k, v, m):
        z = q @ k.T
        most = lax.pmax(jnp.max(z, -1, keepdims=True), "tp")
        e = jnp.exp(z - (jnp.max(z, -1, keepdims=True) if defect == "own-maximum" else most))
        e = e * (m >= -0.5 if defect == "other-bound" else m > 0)
        total = lax.psum(jnp.sum(jnp.exp(z - most) if defect == "total-of-all" else e, -1, keepdims=True), "tp")
        return lax.psum(e @ v, "tp") / total
    return run


pair("masked-behind", [["tp", 4]], masked_before, masked_behind_tp,
     [Arg((3, 4)), Arg((8, 4), P("tp")), Arg((8, 4), P("tp")), Arg((3, 8), P(None, "tp"))], [P()],
     {"own-maximum": "each rank takes its own largest score", "total-of-all": "what is masked counts in the divisor", "other-bound": "the mask has another bound"})


# --- the same of keys that are padded, by their integers ---
pair("masked-behind-padding", [["tp", 4]], lambda q, k, v, y: masked_before(q, k, v, (y >= 0)[None] * 1.0),
     lambda defect: lambda q, k, v, y: masked_behind_tp(defect)(q, k, v, ((y > 0 if defect == "none-of-zero" else y >= 0)[None]) * 1.0),
     [Arg((3, 4)), Arg((8, 4), P("tp")), Arg((8, 4), P("tp")), Arg((8,), P("tp"), I32, (-4, 9))], [P()],
     {"own-maximum": "each rank takes its own largest score", "total-of-all": "padded keys count in the divisor", "none-of-zero": "the integer 0 counts as padding"})
