"""Twin programs: layers, losses, gradients and optimizers of dense models."""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from parts import f32, i32, rms_norm


def mlp(z):
    return (lambda x, a, b: jax.nn.silu(x @ a) @ b,
            [f32(z["b"], z["d"]), f32(z["d"], z["f"]), f32(z["f"], z["d"])],
            [P("dp"), P(None, "tp"), P("tp")], P("dp"))


def mlp_grad(z):
    def loss(a, b, x):
        return jnp.mean((jax.nn.gelu(x @ a) @ b) ** 2)
    return (lambda a, b, x: jax.grad(loss, (0, 1))(a, b, x),
            [f32(z["d"], z["f"]), f32(z["f"], z["d"]), f32(z["b"], z["d"])],
            [P(None, "tp"), P("tp"), P("dp")], (P(None, "tp"), P("tp")))


def swiglu_fused(z):
    def f(x, w, o):
        gate, up = jnp.split(x @ w, 2, -1)
        return (jax.nn.silu(gate) * up) @ o
    return (f, [f32(z["b"], z["d"]), f32(z["d"], 2 * z["f"]), f32(z["f"], z["d"])],
            [P("dp"), P(None, "tp"), P("tp")], P("dp"))


def lora(z):
    return (lambda x, w, a, b: x @ w + (x @ a) @ b * 0.125,
            [f32(z["b"], z["l"], z["d"]), f32(z["d"], z["f"]), f32(z["d"], z["q"]), f32(z["q"], z["f"])],
            [P("dp"), P(None, "tp"), P(), P(None, "tp")], P("dp", None, "tp"))


def cross_entropy(z):
    def f(x, w, ids):
        logits = x @ w
        picked = jnp.take_along_axis(logits, ids[..., None], -1)[..., 0]
        return jax.nn.logsumexp(logits, -1) - picked
    return (f, [f32(z["b"], z["l"], z["d"]), f32(z["d"], z["v"]), i32(z["b"], z["l"])],
            [P("dp"), P(None, "tp"), P("dp")], P("dp"))


def smoothed_loss(z):
    def f(x, w, ids):
        logp = jax.nn.log_softmax(x @ w, -1)
        hot = jax.nn.one_hot(ids, w.shape[1])
        return -jnp.sum(jnp.sum(logp * (0.9 * hot + 0.1 / w.shape[1]), -1))
    return (f, [f32(z["b"], z["d"]), f32(z["d"], z["v"]), i32(z["b"])], [P("dp"), P(None, "tp"), P("dp")], P())


def contrastive(z):
    def f(a, b):
        logits = a @ b.T
        labels = jnp.arange(a.shape[0])
        return jnp.sum(jax.nn.logsumexp(logits, 1) - jnp.take_along_axis(logits, labels[:, None], 1)[:, 0])
    return (f, [f32(z["b"], z["d"]), f32(z["b"], z["d"])], [P("dp"), P("dp")], P())


def loss_grad(z):
    def loss(w, x, ids):
        logits = x @ w
        return jnp.sum(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, ids[:, None], -1)[:, 0])
    return (lambda w, x, ids: jax.grad(loss)(w, x, ids), [f32(z["d"], z["v"]), f32(z["b"], z["d"]), i32(z["b"])],
            [P(None, "tp"), P("dp"), P("dp")], P(None, "tp"))


def scanned(z):
    def f(x, ws):
        return jax.lax.scan(lambda y, w: (jnp.tanh(y @ w), None), x, ws)[0]
    return (f, [f32(z["b"], z["d"]), f32(z["n"], z["d"], z["d"])], [P("dp"), P(None, None, "tp")], P("dp"))


def scanned_grad(z):
    def loss(ws, x):
        step = jax.checkpoint(lambda y, w: (y + jnp.tanh(rms_norm(y, 1.0) @ w), None))
        return jnp.sum(jax.lax.scan(step, x, ws)[0] ** 2)
    return (lambda ws, x: jax.grad(loss)(ws, x), [f32(z["n"], z["d"], z["d"]), f32(z["b"], z["d"])],
            [P(None, None, "tp"), P("dp")], P(None, None, "tp"))


def layer_norm(z):
    def f(x, w):
        m = jnp.mean(x, -1, keepdims=True)
        return (x - m) * jax.lax.rsqrt(jnp.mean((x - m) ** 2, -1, keepdims=True) + 1e-6) @ w
    return (f, [f32(z["b"], z["l"], z["d"]), f32(z["d"], z["f"])], [P("dp", "tp"), P(None, "tp")], P("dp", None, "tp"))


def norm_grad(z):
    def loss(w, x):
        return jnp.sum(jnp.tanh(rms_norm(x, w)))
    return (lambda w, x: jax.grad(loss, (0, 1))(w, x), [f32(z["d"]), f32(z["b"], z["l"], z["d"])],
            [P(), P("dp", "tp")], (P(), P("dp", "tp")))


def batch_norm(z):
    def f(x, scale, shift):
        m = jnp.mean(x, (0, 1, 2))
        var = jnp.mean((x - m) ** 2, (0, 1, 2))
        return (x - m) * jax.lax.rsqrt(var + 1e-5) * scale + shift
    return (f, [f32(z["b"], z["s"], z["w"], z["c"]), f32(z["c"]), f32(z["c"])], [P("dp", None, None, "tp"), P("tp"), P("tp")],
            P("dp", None, None, "tp"))


def group_norm(z):
    def f(x, scale):
        y = x.reshape(x.shape[0], x.shape[1], z["g"], z["q"])
        m = jnp.mean(y, (1, 3), keepdims=True)
        return ((y - m) * jax.lax.rsqrt(jnp.mean((y - m) ** 2, (1, 3), keepdims=True) + 1e-5) * scale).reshape(x.shape)
    return (f, [f32(z["b"], z["s"], z["g"] * z["q"]), f32(z["g"], z["q"])], [P("dp", None, "tp"), P("tp")], P("dp", None, "tp"))


def fsdp(z):
    def f(a, b, x):
        return jax.grad(lambda p: jnp.sum(jnp.tanh(x @ p[0]) @ p[1]))((a, b))
    return (f, [f32(z["d"], z["f"]), f32(z["f"], z["d"]), f32(z["b"], z["d"])],
            [P("dp", "tp"), P("tp", "dp"), P("dp")], (P("dp", "tp"), P("tp", "dp")))


def adamw(z):
    def f(p, m, v, g, step):
        t = (step + 1).astype(jnp.float32)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        up = (m / (1 - 0.9 ** t)) / (jnp.sqrt(v / (1 - 0.999 ** t)) + 1e-8) + 0.1 * p
        return p - 0.01 * up, m, v
    one = P("dp", "tp")
    return f, [f32(z["d"], z["f"])] * 4 + [i32()], [one] * 4 + [P()], (one, one, one)


def clipped(z):
    def f(a, b):
        norm = jnp.sqrt(jnp.sum(a * a) + jnp.sum(b * b))
        scale = jnp.minimum(1.0, 1.0 / norm)
        return a * scale, b * scale
    return f, [f32(z["d"], z["f"]), f32(z["v"], z["d"])], [P("dp", "tp"), P("tp", "dp")], (P("dp", "tp"), P("tp", "dp"))


def accumulated(z):
    def f(w, xs):
        def step(total, x):
            return total + jax.grad(lambda p: jnp.mean(jnp.tanh(x @ p) ** 2))(w), None
        total = jax.lax.scan(step, jnp.zeros_like(w), xs)[0]
        return w - 0.1 * total / xs.shape[0]
    return f, [f32(z["d"], z["f"]), f32(z["n"], z["b"], z["d"])], [P(None, "tp"), P(None, "dp")], P(None, "tp")


def mixed_precision(z):
    def f(x, a, b):
        x, a, b = (t.astype(jnp.bfloat16) for t in (x, a, b))
        return (jax.nn.relu(x @ a) @ b).astype(jnp.float32)
    return (f, [f32(z["b"], z["d"]), f32(z["d"], z["f"]), f32(z["f"], z["d"])],
            [P("dp"), P(None, "tp"), P("tp")], P("dp"))


def recurrence(z):
    def f(a, x):
        def step(h, both):
            h = jax.nn.sigmoid(both[0]) * h + both[1]
            return h, h
        return jax.lax.scan(step, jnp.zeros_like(x[0]), (a, x))[1]
    return f, [f32(z["l"], z["b"], z["d"])] * 2, [P(None, "dp", "tp")] * 2, P(None, "dp", "tp")


PROGRAMS = [mlp, mlp_grad, swiglu_fused, lora, cross_entropy, smoothed_loss, contrastive, loss_grad, scanned, scanned_grad,
            layer_norm, norm_grad, batch_norm, group_norm, fsdp, adamw, clipped, accumulated, mixed_precision, recurrence]
