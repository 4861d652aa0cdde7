"""What the twin programs share: argument shapes, and the pieces of models that several of them have.

A program maps sizes to (function, arguments, input specs, output specs) and, where its ranks are programmed by hand, the
function of one rank under shard_map as a fifth item."""
import jax
import jax.numpy as jnp


def f32(*dims):
    return jax.ShapeDtypeStruct(dims, jnp.float32)


def i32(*dims):
    return jax.ShapeDtypeStruct(dims, jnp.int32)


def u32(*dims):
    return jax.ShapeDtypeStruct(dims, jnp.uint32)


def rms_norm(x, w):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * w


def layer_norm(x, w, b):
    m = jnp.mean(x, -1, keepdims=True)
    return (x - m) * jax.lax.rsqrt(jnp.mean((x - m) ** 2, -1, keepdims=True) + 1e-6) * w + b


def rope(x):
    length, half = x.shape[1], x.shape[-1] // 2
    freq = 1.0 / (10000.0 ** (jnp.arange(half, dtype=jnp.float32) / 8.0))
    angle = jnp.arange(length, dtype=jnp.float32)[:, None] * freq[None]
    c, s = jnp.cos(angle)[None, :, None], jnp.sin(angle)[None, :, None]
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


def causal(length):
    return jnp.arange(length)[:, None] >= jnp.arange(length)[None]


def attention(x, wq, wk, wv, wo):
    q, k, v = (jnp.einsum("bld,dhk->blhk", x, w) for w in (wq, wk, wv))
    q, k = rope(q), rope(k)
    scores = jnp.einsum("bqhk,bshk->bhqs", q, k) * 0.25
    weights = jax.nn.softmax(jnp.where(causal(x.shape[1]), scores, -jnp.inf), -1)
    return jnp.einsum("bhqs,bshk,hkd->bqd", weights, v, wo)
