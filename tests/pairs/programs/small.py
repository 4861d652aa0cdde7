"""Single steps of larger pairs by themselves: a sum over a scan that is split over ranks, and a padded table's softmax,
maximum and lookup."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P
import numpy as np

from .base import Arg, View, pair


# --- a sum that a scan accumulates, over a batch that dp splits ---
def squares(x):
    return lax.scan(lambda total, batch: (total + jnp.sum(batch * batch, 0), None), jnp.zeros(3), x)[0]


def squares_dp(defect):
    return lambda x: (lax.pmean if defect == "mean" else lax.psum)(squares(x), "dp")


pair("loop-sum", [["dp", 2]], squares, squares_dp, [Arg((4, 4, 3), P(None, "dp"))], [P()],
     {"mean": "a mean over ranks instead of the sum"})

# --- a table of 3 rows on 2 ranks, padded to 4 rows ---
TP, ROWS = [["tp", 2]], 3
TABLE = Arg((ROWS, 3), P("tp"), view=View([{"axes": ["tp"], "pad": 4}, []], lambda w: np.pad(w, [(0, 1), (0, 0)])))
TOKENS = Arg((8, 3))


def real_rows(w):
    return lax.axis_index("tp") * len(w) + jnp.arange(len(w)) < ROWS


def logits_tp(w, x, fill):
    """Logits of this rank's rows, `fill` for the padding."""
    return jnp.where(real_rows(w), x @ w.T, fill)


def maximum(w, x):
    return jnp.max(x @ w.T, -1)


def maximum_tp(defect):
    fill = 0.0 if defect == "zero-fill" else -jnp.inf
    return lambda w, x: lax.pmax(jnp.max(logits_tp(w, x, fill), -1), "tp")


def exponentials(w, x):
    return jnp.sum(jnp.exp(x @ w.T), -1)


def exponentials_tp(defect):
    def total(w, x):
        if defect == "masked-before":
            e = jnp.exp(logits_tp(w, x, 0.0))
        else:
            e = jnp.where(real_rows(w), jnp.exp(x @ w.T), 0.0)
        return lax.psum(jnp.sum(e, -1), "tp")
    return total


def logsumexp(w, x):
    return jax.nn.logsumexp(x @ w.T, -1)


def logsumexp_tp(defect):
    def total(w, x):
        s = logits_tp(w, x, -jnp.inf)
        top = jnp.max(s, -1)
        top = top if defect == "local-maximum" else lax.pmax(top, "tp")
        return top + jnp.log(lax.psum(jnp.sum(jnp.exp(s - top[:, None]), -1), "tp"))
    return total


def lookup(w, x, ids):
    return jnp.take_along_axis(x @ w.T, ids[:, None], 1)[:, 0]


def lookup_tp(defect):
    def picked(w, x, ids):
        local = ids if defect == "no-offset" else ids - lax.axis_index("tp") * len(w)
        here = (local >= 0) & (local < len(w))
        mine = jnp.take_along_axis(x @ w.T, jnp.clip(local, 0, len(w) - 1)[:, None], 1)[:, 0]
        return lax.psum(jnp.where(here, mine, 0.0), "tp")
    return picked


pair("padded-maximum", TP, maximum, maximum_tp, [TABLE, TOKENS], [P()],
     {"zero-fill": "logits of the padding are zero, which may be the largest"})
pair("padded-exponentials", TP, exponentials, exponentials_tp, [TABLE, TOKENS], [P()],
     {"masked-before": "logits of the padding are zero, whose exponential is one"})
pair("padded-logsumexp", TP, logsumexp, logsumexp_tp, [TABLE, TOKENS], [P()],
     {"local-maximum": "each rank subtracts its own maximum"})
pair("padded-lookup", TP, lookup, lookup_tp, [TABLE, TOKENS, Arg((8,), P(), jnp.int32, (0, ROWS))], [P()],
     {"no-offset": "rows are looked up without the shard's offset"})
