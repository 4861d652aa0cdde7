"""150 further functions of jax.lax, jax.numpy, jax.scipy, jax.nn, optax and flax.linen, for programs.py --further: chosen by name from
the libraries' tables of contents before any of them was tried, so that their share says something of functions nobody looked at (one was exchanged, which XLA does not compile)."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import jax.scipy as jsp
import optax
from jax import lax

F = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.float32)
I = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.int32)
B = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.bool_)
X = F(8, 16)
TREE = {"w": F(16, 32), "b": F(32)}
IMAGE = F(2, 8, 8, 4)


def stepped(optimizer):
    """One update of an optimizer on a small tree: its state, gradients and parameters are inputs."""
    state = jax.eval_shape(optimizer.init, TREE)
    def step(params, grads, state):
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state
    return step, (TREE, TREE, state)


def applied(module, *args, **kwargs):
    """A module applied to its inputs, the variables being inputs too."""
    key = jax.random.PRNGKey(0)
    variables = jax.eval_shape(lambda *a: module.init(key, *a, **kwargs), *args)
    return (lambda variables, *a: module.apply(variables, *a, **kwargs)), (variables, *args)


def trained(module, *args):
    """The gradient of the sum of squares of a module's output by its variables."""
    fn, inputs = applied(module, *args)
    return (lambda variables, *a: jax.grad(lambda v: jnp.sum(fn(v, *a) ** 2))(variables)), inputs


LAX = {
    "select_n": (lambda i, x, y: lax.select_n(i, x, y), (B(8, 16), X, X)),
    "collapse": (lambda x: lax.collapse(x, 0, 2), (F(4, 2, 8),)),
    "expand_dims": (lambda x: lax.expand_dims(x, (1,)), (X,)),
    "full_like": (lambda x: lax.full_like(x, 3.0) + x, (X,)),
    "batch_matmul": (lax.batch_matmul, (F(4, 8, 16), F(4, 16, 8))),
    "dot_general": (lambda x, y: lax.dot_general(x, y, (((0,), (1,)), ((2,), (0,)))), (F(8, 4, 2), F(2, 8, 16))),
    "conv_transpose": (lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"), (IMAGE, F(3, 3, 4, 8))),
    "conv_dilated": (lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", rhs_dilation=(2, 2)), (F(2, 4, 8, 8), F(8, 4, 3, 3))),
    "conv_groups": (lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", feature_group_count=4), (F(2, 8, 8, 8), F(8, 2, 3, 3))),
    "reduce_mul": (lambda x: lax.reduce(x, 1.0, lax.mul, (0,)), (X,)),
    "reduce_and": (lambda x: lax.reduce(x, True, lax.bitwise_and, (1,)), (B(8, 16),)),
    "reduce_window_sum": (lambda x: lax.reduce_window(x, 0.0, lax.add, (3, 1), (2, 1), "SAME"), (X,)),
    "dynamic_index": (lambda x, i: lax.dynamic_index_in_dim(x, i, 0, keepdims=False), (X, I())),
    "dynamic_slice_in_dim": (lambda x, i: lax.dynamic_slice_in_dim(x, i, 4, 1), (X, I())),
    "dynamic_update_index": (lambda x, y, i: lax.dynamic_update_index_in_dim(x, y, i, 0), (X, F(16), I())),
    "slice_in_dim": (lambda x: lax.slice_in_dim(x, 2, 14, 3, 1), (X,)),
    "sort_three": (lambda x, y, z: lax.sort((x, y, z), num_keys=2, dimension=0), (I(8, 16), X, X)),
    "approx_max_k": (lambda x: lax.approx_max_k(x, 2), (X,)),
    "igamma": (lambda x, y: lax.igamma(jnp.abs(x) + 1, jnp.abs(y)), (X, X)),
    "bessel_i0e": (lax.bessel_i0e, (X,)),
    "bessel_i1e": (lax.bessel_i1e, (X,)),
    "polygamma": (lambda x: lax.polygamma(jnp.float32(1), jnp.abs(x) + 1), (X,)),
    "betainc": (lambda x: lax.betainc(jnp.float32(2), jnp.float32(3), jax.nn.sigmoid(x)), (X,)),
    "cumsum_reverse": (lambda x: lax.cumsum(x, 0, reverse=True), (X,)),
    "associative_max": (lambda x: lax.associative_scan(jnp.maximum, x, axis=1), (X,)),
    "associative_linear": (lambda a, b: lax.associative_scan(lambda l, r: (l[0] * r[0], l[1] * r[0] + r[1]), (a, b), axis=1), (X, X)),
    "scan_reverse": (lambda x: lax.scan(lambda c, r: (0.5 * c + r, c), jnp.zeros(16), x, reverse=True), (X,)),
    "scan_carry_pair": (lambda x: lax.scan(lambda c, r: ((c[0] + r, jnp.maximum(c[1], r)), c[0] * c[1]), (jnp.zeros(16), jnp.zeros(16)), x), (X,)),
    "nested_loops": (lambda x: lax.fori_loop(0, 2, lambda i, y: lax.fori_loop(0, 3, lambda j, z: jnp.sin(z) + i, y), x), (X,)),
    "while_data": (lambda x: lax.while_loop(lambda s: jnp.max(jnp.abs(s)) > 0.1, lambda s: s / 2, x), (X,)),
    "cond_pair": (lambda x, y: lax.cond(jnp.sum(x) > 0, lambda a, b: (a, b), lambda a, b: (b, a), x, y), (X, X)),
    "scatter_add": (lambda x, i, u: x.at[:, i].add(u), (X, I(4), F(8, 4))),
}

NUMPY = {
    "average": (lambda x, w: jnp.average(x, axis=0, weights=jnp.abs(w) + 1), (X, F(8))),
    "ptp": (lambda x: jnp.ptp(x, axis=1), (X,)),
    "nansum": (lambda x: jnp.nansum(x, axis=0), (X,)),
    "nanmean": (lambda x: jnp.nanmean(x, axis=1), (X,)),
    "nanmax": (lambda x: jnp.nanmax(x, axis=0), (X,)),
    "count_nonzero": (lambda x: jnp.count_nonzero(x > 0, axis=0), (X,)),
    "cumprod_axis": (lambda x: jnp.cumprod(x, axis=0), (X,)),
    "ediff1d": (jnp.ediff1d, (F(16),)),
    "gradient": (lambda x: jnp.gradient(x, axis=0), (X,)),
    "trapezoid": (lambda x: jnp.trapezoid(x, axis=1), (X,)),
    "flip": (lambda x: jnp.flip(x, 0), (X,)),
    "rot90": (jnp.rot90, (X,)),
    "moveaxis": (lambda x: jnp.moveaxis(x, 0, 2), (F(4, 8, 2),)),
    "swapaxes": (lambda x: jnp.swapaxes(x, 0, 2), (F(4, 8, 2),)),
    "hstack": (lambda x, y: jnp.hstack([x, y]), (X, F(8, 8))),
    "vstack": (lambda x, y: jnp.vstack([x, y]), (X, X)),
    "dstack": (lambda x, y: jnp.dstack([x, y]), (X, X)),
    "split": (lambda x: jnp.split(x, 4, axis=1), (X,)),
    "array_split": (lambda x: jnp.array_split(x, 3, axis=0), (X,)),
    "append": (lambda x, y: jnp.append(x, y, axis=0), (X, F(4, 16))),
    "insert": (lambda x: jnp.insert(x, 2, 0.0, axis=0), (X,)),
    "delete": (lambda x: jnp.delete(x, 3, axis=1), (X,)),
    "pad_edge": (lambda x: jnp.pad(x, ((1, 1), (0, 0)), mode="edge"), (X,)),
    "pad_reflect": (lambda x: jnp.pad(x, ((0, 0), (2, 2)), mode="reflect"), (X,)),
    "pad_wrap": (lambda x: jnp.pad(x, ((2, 2), (0, 0)), mode="wrap"), (X,)),
    "roll_both": (lambda x: jnp.roll(x, (1, -3), (0, 1)), (X,)),
    "triu": (lambda x: jnp.triu(x, 2), (F(16, 16),)),
    "tri_mask": (lambda x: jnp.where(jnp.tri(16, dtype=bool), x, -jnp.inf), (F(16, 16),)),
    "eye_add": (lambda x: x + 2 * jnp.eye(16), (F(16, 16),)),
    "diagonal": (lambda x: jnp.diagonal(x, 1), (F(16, 16),)),
    "diag_make": (jnp.diag, (F(16),)),
    "meshgrid": (lambda x, y: jnp.meshgrid(x, y), (F(8), F(16))),
    "inner": (jnp.inner, (X, F(4, 16))),
    "vdot": (jnp.vdot, (X, X)),
    "tensordot": (lambda x, y: jnp.tensordot(x, y, axes=([1], [0])), (F(4, 8, 2), F(8, 16))),
    "einsum_three": (lambda x, y, z: jnp.einsum("ij,jk,kl->il", x, y, z), (X, F(16, 8), F(8, 4))),
    "matrix_power": (lambda x: jnp.linalg.matrix_power(x, 3), (F(8, 8),)),
    "multi_dot": (lambda x, y, z: jnp.linalg.multi_dot([x, y, z]), (X, F(16, 8), F(8, 4))),
    "norm_rows": (lambda x: jnp.linalg.norm(x, ord=1, axis=1), (X,)),
    "corrcoef": (jnp.corrcoef, (X,)),
    "maximum_reduceat": (lambda x: jnp.maximum.reduce(x, axis=1), (X,)),
    "heaviside": (jnp.heaviside, (X, X)),
    "copysign": (jnp.copysign, (X, X)),
    "fmod": (lambda x, y: jnp.fmod(x, jnp.abs(y) + 1), (X, X)),
    "float_power": (lambda x: jnp.float_power(jnp.abs(x), 1.5), (X,)),
    "ldexp": (lambda x, i: jnp.ldexp(x, i), (X, I(8, 16))),
    "deg2rad": (jnp.deg2rad, (X,)),
    "isclose": (jnp.isclose, (X, X)),
    "digitize": (lambda x: jnp.digitize(x, jnp.array([-1.0, 0.0, 1.0])), (X,)),
    "argsort_rows": (lambda x: jnp.argsort(x, axis=1), (X,)),
    "quantile": (lambda x: jnp.quantile(x, 0.5, axis=0), (X,)),
    "unwrap": (lambda x: jnp.unwrap(x, axis=1), (X,)),
    "choose": (lambda i, x, y: jnp.choose(i, [x, y], mode="clip"), (I(8, 16), X, X)),
    "piecewise": (lambda x: jnp.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v ** 2]), (X,)),
    "select_list": (lambda x: jnp.select([x < -1, x > 1], [x, x ** 2], 0.0), (X,)),
    "apply_along": (lambda x: jnp.apply_along_axis(lambda r: r / jnp.sum(jnp.abs(r)), 1, x), (X,)),
}

SCIPY = {
    "logsumexp_b": (lambda x, b: jsp.special.logsumexp(x, axis=1, b=jnp.abs(b)), (X, X)),
    "xlogy": (lambda x, y: jsp.special.xlogy(x, jnp.abs(y) + 1), (X, X)),
    "entr": (lambda x: jsp.special.entr(jnp.abs(x)), (X,)),
    "kl_div": (lambda x, y: jsp.special.kl_div(jnp.abs(x) + 1, jnp.abs(y) + 1), (X, X)),
    "logit": (lambda x: jsp.special.logit(jax.nn.sigmoid(x)), (X,)),
    "ndtr": (jsp.special.ndtr, (X,)),
    "gammaln": (lambda x: jsp.special.gammaln(jnp.abs(x) + 1), (X,)),
    "i0": (jsp.special.i0, (X,)),
    "norm_logpdf": (jsp.stats.norm.logpdf, (X,)),
    "laplace_pdf": (jsp.stats.laplace.pdf, (X,)),
    "beta_logpdf": (lambda x: jsp.stats.beta.logpdf(jax.nn.sigmoid(x), 2.0, 3.0), (X,)),
    "multivariate_normal": (lambda x, m: jsp.stats.multivariate_normal.logpdf(x, m, jnp.eye(16)), (X, F(16))),
    "expm": (lambda x: jsp.linalg.expm(x, max_squarings=4), (F(8, 8),)),
    "cho_solve": (lambda x, b: jsp.linalg.cho_solve((jnp.linalg.cholesky(x @ x.T + 8 * jnp.eye(8)), True), b), (F(8, 8), F(8, 4))),
    "block_diag": (jsp.linalg.block_diag, (F(4, 8), F(4, 8))),
    "toeplitz": (jsp.linalg.toeplitz, (F(8),)),
    "convolve2d": (lambda x, k: jsp.signal.convolve2d(x, k, mode="same"), (X, F(3, 3))),
    "map_coordinates": (lambda x, c: jsp.ndimage.map_coordinates(x, [c, c], order=1), (X, F(8))),
}

NN = {
    "relu6": (jax.nn.relu6, (X,)),
    "celu": (jax.nn.celu, (X,)),
    "selu": (jax.nn.selu, (X,)),
    "glu": (jax.nn.glu, (X,)),
    "hard_swish": (jax.nn.hard_swish, (X,)),
    "hard_tanh": (jax.nn.hard_tanh, (X,)),
    "leaky_relu": (jax.nn.leaky_relu, (X,)),
    "mish": (jax.nn.mish, (X,)),
    "soft_sign": (jax.nn.soft_sign, (X,)),
    "sparse_plus": (jax.nn.sparse_plus, (X,)),
    "squareplus": (jax.nn.squareplus, (X,)),
    "standardize": (jax.nn.standardize, (X,)),
    "log_sigmoid": (jax.nn.log_sigmoid, (X,)),
    "gelu_exact": (lambda x: jax.nn.gelu(x, approximate=False), (X,)),
    "softmax_where": (lambda x, m: jax.nn.softmax(x, axis=0, where=m), (X, B(8, 16))),
    "one_hot_dot": (lambda i, w: jax.nn.one_hot(i, 16) @ w, (I(8), F(16, 8))),
    "attention_bias": (lambda q, k, v, b: jax.nn.dot_product_attention(q, k, v, bias=b), (F(2, 8, 4, 8), F(2, 8, 4, 8), F(2, 8, 4, 8), F(2, 4, 8, 8))),
    "attention_grouped": (jax.nn.dot_product_attention, (F(2, 8, 4, 8), F(2, 8, 2, 8), F(2, 8, 2, 8))),
}

OPTAX = {
    "sgd_momentum": stepped(optax.sgd(0.1, momentum=0.9, nesterov=True)),
    "adam": stepped(optax.adam(1e-3)),
    "adamw_optax": stepped(optax.adamw(1e-3)),
    "rmsprop": stepped(optax.rmsprop(1e-3)),
    "adagrad": stepped(optax.adagrad(1e-2)),
    "lamb": stepped(optax.lamb(1e-3)),
    "lion": stepped(optax.lion(1e-4)),
    "adafactor": stepped(optax.adafactor(1e-3)),
    "clip_global": stepped(optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.1))),
    "cosine_schedule": stepped(optax.adam(optax.cosine_decay_schedule(1e-3, 100))),
    "multi_steps": stepped(optax.MultiSteps(optax.sgd(0.1), 4)),
    "softmax_xent": (lambda x, y: jnp.mean(optax.softmax_cross_entropy(x, jax.nn.softmax(y))), (X, X)),
    "softmax_xent_int": (lambda x, i: jnp.mean(optax.softmax_cross_entropy_with_integer_labels(x, i)), (X, I(8))),
    "huber": (lambda x, y: jnp.mean(optax.huber_loss(x, y)), (X, X)),
    "sigmoid_bce": (lambda x, y: jnp.mean(optax.sigmoid_binary_cross_entropy(x, jax.nn.sigmoid(y))), (X, X)),
}

LINEN = {
    "dense": applied(nn.Dense(32), X),
    "dense_grad": trained(nn.Dense(32), X),
    "layer_norm_linen": applied(nn.LayerNorm(), X),
    "rms_norm": trained(nn.RMSNorm(), X),
    "group_norm": trained(nn.GroupNorm(num_groups=2), IMAGE),
    "conv_linen": trained(nn.Conv(8, (3, 3)), IMAGE),
    "embed": trained(nn.Embed(16, 8), I(8)),
    "self_attention": applied(nn.MultiHeadDotProductAttention(num_heads=4), F(2, 8, 16)),
    "lstm_cell": applied(nn.RNN(nn.LSTMCell(16)), F(2, 8, 8)),
    "max_pool": (lambda x: nn.max_pool(x, (2, 2), strides=(2, 2)), (IMAGE,)),
    "avg_pool_linen": (lambda x: nn.avg_pool(x, (2, 2), strides=(2, 2)), (IMAGE,)),
}

FURTHER = {**LAX, **NUMPY, **SCIPY, **NN, **OPTAX, **LINEN}
assert len(FURTHER) == 150, len(FURTHER)
