"""Whole train steps, partitioned by XLA from annotations or by hand, and scans against unrolled programs."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, gather, pair, rms

# --- a scanned llama with AdamW, weights over fsdp and tp; XLA partitions it ------------------------------------------
LAYERS, D, HEADS, K, FF, TOKENS, VOCABULARY = 3, 8, 4, 4, 16, 6, 12


def llama_layer(h, w):
    g1, wq, wk, wv, wo, g2, w1, w3, w2 = w
    x = rms(h, g1)
    q, k, v = (jnp.einsum("bsd,dhk->bshk", x, m) for m in (wq, wk, wv))
    s = jnp.einsum("bqhk,bthk->bhqt", q, k) / 2.0
    s = jnp.where(jnp.tril(jnp.ones((TOKENS, TOKENS), bool)), s, -1e9)
    h = h + jnp.einsum("bhqt,bthk,hkd->bqd", jax.nn.softmax(s, -1), v, wo)
    x = rms(h, g2)
    return h + (jax.nn.silu(x @ w1) * (x @ w3)) @ w2


def llama_loss(weights, ids):
    table, *layers = weights
    h = jax.nn.one_hot(ids, VOCABULARY) @ table
    h, _ = lax.scan(lambda h, w: (llama_layer(h, w), None), h, tuple(layers))
    logp = jax.nn.log_softmax(h @ table.T, -1)
    return -jnp.mean(jnp.take_along_axis(logp[:, :-1], ids[:, 1:, None], -1))


def adamw(w, m, v, g):
    m, v = 0.875 * m + 0.125 * g, 0.96875 * v + 0.03125 * g * g
    return w - 0.0625 * (m / (jnp.sqrt(v) + 1e-3) + 0.125 * w), m, v


def llama_step(*args):
    """10 weights, 10 first and 10 second moments, tokens -> the same renewed, and the loss."""
    w, m, v, ids = args[:10], args[10:20], args[20:30], args[30]
    loss, g = jax.value_and_grad(llama_loss)(w, ids)
    new = [adamw(*leaf) for leaf in zip(w, m, v, g)]
    return *(n[0] for n in new), *(n[1] for n in new), *(n[2] for n in new), loss


LLAMA = [((VOCABULARY, D), P("tp", "fsdp")), ((LAYERS, D), P()), *[((LAYERS, D, HEADS, K), P(None, "fsdp", "tp"))] * 3,
         ((LAYERS, HEADS, K, D), P(None, "tp", None, "fsdp")), ((LAYERS, D), P()),
         *[((LAYERS, D, FF), P(None, "fsdp", "tp"))] * 2, ((LAYERS, FF, D), P(None, "tp", "fsdp"))]
LLAMA_IN = [Arg(s, p) for s, p in LLAMA] * 2 + [Arg(s, p, range=(0.0, 1.0)) for s, p in LLAMA]
IDS = Arg((4, TOKENS), P("fsdp"), jnp.int32, (0, VOCABULARY))
FSDP_TP = [["fsdp", 2], ["tp", 2]]
pair("llama-scan-adamw-annotated", FSDP_TP, llama_step, lambda _: llama_step, [*LLAMA_IN, IDS],
     [p for _, p in LLAMA] * 3 + [P()],
     {"backward-over-fsdp": "a partial gradient inside the loop over layers is summed over fsdp instead of tp",
      "blocks-swapped": "the table of offsets of a weight's blocks is written the other way round"},
     annotated=True, next={str(i): i for i in range(30)},
     edits={"backward-over-fsdp": ("channel_id=15, replica_groups={{0,1},{2,3}}",
                                   "channel_id=15, replica_groups={{0,2},{1,3}}"),
            "blocks-swapped": ("constant({0, 4})", "constant({4, 0})")})


# --- a scan over layers against the unrolled program, in both directions ----------------------------------------------
def mlp_scanned(w1, w2, x):
    return lax.scan(lambda h, w: (h + jnp.tanh(h @ w[0]) @ w[1], None), x, (w1, w2))[0]


def mlp_unrolled(w1, w2, x):
    for a, b in zip(w1, w2):
        x = x + jnp.tanh(x @ a) @ b
    return x


def mlp_scanned_tp(defect):
    def step(w1, w2, x):
        def layer(h, w):
            return h + lax.psum(jnp.tanh(h @ w[0]) @ w[1], "tp"), None
        if defect == "reversed":
            return lax.scan(layer, x, (w1, w2), reverse=True)[0]
        return lax.scan(layer, x, (w1[:-1], w2[:-1]) if defect == "one-layer-short" else (w1, w2))[0]
    return step


def mlp_unrolled_tp(defect):
    def step(w1, w2, x):
        for i, (a, b) in enumerate(zip(w1, w2)):
            last = defect == "last-not-summed" and i == len(w1) - 1
            y = jnp.tanh(x @ a) @ b
            x = x + (y * lax.axis_size("tp") if last else lax.psum(y, "tp"))
        return x
    return step


TP = [["tp", 4]]
MLP_IN = [Arg((5, 4, 8), P(None, None, "tp")), Arg((5, 8, 4), P(None, "tp")), Arg((3, 4))]
pair("unrolled-against-scan", TP, mlp_unrolled, mlp_scanned_tp, MLP_IN, [P()],
     {"reversed": "layers are scanned from the last to the first", "one-layer-short": "the scan stops one layer early"})
pair("scan-against-unrolled", TP, mlp_scanned, mlp_unrolled_tp, MLP_IN, [P()],
     {"last-not-summed": "the last layer's partial sum is scaled by the number of ranks, not summed"})


# --- sequence parallelism between scanned layers: norms on shards of the sequence, gathered in front of each matmul ---
def norm_layers(g, w1, w2, x):
    def loss(g, w1, w2):
        h, _ = lax.scan(lambda h, w: (h + jnp.tanh(rms(h, w[0]) @ w[1]) @ w[2], None), x, (g, w1, w2))
        return jnp.sum(h * h)
    return jax.value_and_grad(loss, (0, 1, 2))(g, w1, w2)


def norm_layers_sp(defect):
    def step(g, w1, w2, x):
        def layer(h, w):
            y = gather(rms(h, w[0]), "tp")
            y = jnp.tanh(y @ w[1]) @ w[2]
            return h + lax.psum_scatter(y, "tp", scatter_dimension=0, tiled=True), None

        def loss(g, w1, w2):
            h, _ = lax.scan(layer, x, (g, w1, w2))
            return jnp.sum(h * h)
        value, (dg, d1, d2) = jax.value_and_grad(loss, (0, 1, 2))(g, w1, w2)
        dg = dg if defect == "norms-not-summed" else lax.psum(dg, "tp")
        return lax.psum(value, "tp"), dg, d1, d2
    return step


SP_IN = [Arg((3, 4)), Arg((3, 4, 8), P(None, None, "tp")), Arg((3, 8, 4), P(None, "tp")), Arg((8, 4), P("tp"))]
pair("sequence-parallel-scan", TP, norm_layers, norm_layers_sp, SP_IN, [P(), P(), P(None, None, "tp"), P(None, "tp")],
     {"norms-not-summed": "gradients of the norms' weights are not summed over the shards of the sequence"})
