"""Synchronised batch norm: two formulas of the variance, running statistics, and the gradient."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

# --- batch norm over the whole batch, with running statistics ---------------------------------------------------------
def batch_norm(x, g, b, mean, var):
    mu = jnp.mean(x, 0)
    v = jnp.mean((x - mu) ** 2, 0)
    return (x - mu) * lax.rsqrt(v + 1e-3) * g + b, 0.875 * mean + 0.125 * mu, 0.875 * var + 0.125 * v


def batch_norm_dp(defect):
    def step(x, g, b, mean, var):
        mu = lax.pmean(jnp.mean(x, 0), "dp")
        if defect == "mean-of-variances":
            v = lax.pmean(jnp.var(x, 0), "dp")
        elif defect == "local-square":
            v = jnp.mean(x * x, 0) - mu * mu
        else:
            v = lax.pmean(jnp.mean(x * x, 0), "dp") - mu * mu
        return (x - mu) * lax.rsqrt(v + 1e-3) * g + b, 0.875 * mean + 0.125 * mu, 0.875 * var + 0.125 * v
    return step


def batch_norm_dp_centred(defect):
    def step(x, g, b, mean, var):
        mu = lax.pmean(jnp.mean(x, 0), "dp")
        centre = jnp.mean(x, 0) if defect == "local-centre" else mu
        v = lax.pmean(jnp.mean((x - centre) ** 2, 0), "dp")
        return (x - mu) * lax.rsqrt(v + 1e-3) * g + b, 0.875 * mean + 0.125 * mu, 0.875 * var + 0.125 * v
    return step


BN_IN = [Arg((8, 5), P("dp")), Arg((5,)), Arg((5,)), Arg((5,)), Arg((5,))]
pair("sync-batch-norm", [["dp", 4]], batch_norm, batch_norm_dp, BN_IN, [P("dp"), P(), P()],
     {"mean-of-variances": "the mean of per-rank variances lacks the spread of the means",
      "local-square": "the mean of squares is not reduced"}, next={"1": 3, "2": 4})
pair("sync-batch-norm-centred", [["dp", 4]], batch_norm, batch_norm_dp_centred, BN_IN, [P("dp"), P(), P()],
     {"local-centre": "the variance is taken around each rank's own mean"}, next={"1": 3, "2": 4})


# --- gradient of batch norm: the sums of the forward pass are sums of gradients backwards -----------------------------
def batch_norm_grad(x, g, b):
    def loss(x, g, b):
        y = batch_norm(x, g, b, 0.0, 0.0)[0]
        return jnp.sum(y * y * y)
    return jax.grad(loss, (0, 1, 2))(x, g, b)


def batch_norm_grad_dp(defect):
    def mean(a):
        a = lax.pmean(a, "dp")
        return lax.stop_gradient(a) if defect == "statistics-held" else a

    def grads(x, g, b):
        def loss(x, g, b):
            mu = mean(jnp.mean(x, 0))
            v = mean(jnp.mean((x - mu) ** 2, 0))
            y = (x - mu) * lax.rsqrt(v + 1e-3) * g + b
            return jnp.sum(y * y * y)
        dx, dg, db = jax.grad(loss, (0, 1, 2))(x, g, b)
        return dx, (dg if defect == "scale-not-summed" else lax.psum(dg, "dp")), lax.psum(db, "dp")
    return grads


pair("sync-batch-norm-grad", [["dp", 4]], batch_norm_grad, batch_norm_grad_dp, BN_IN[:3], [P("dp"), P(), P()],
     {"scale-not-summed": "the gradient of the scale is not summed over dp",
      "statistics-held": "no gradient flows through the statistics"})
