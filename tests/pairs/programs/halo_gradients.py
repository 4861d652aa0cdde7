"""Gradients of layers that read rows of their neighbours: what is computed of a halo belongs to the rank that it came from."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair
from .halos import convolved

SP = [["sp", 4]]


def shifted(x, by, around=False):
    """The value of the rank `by` before; zeros where there is none."""
    ranks = range(4) if around else [r for r in range(4) if 0 <= r + by < 4]
    return lax.ppermute(x, "sp", [(r, (r + by) % 4) for r in ranks])


# --- Mamba's causal convolution of each channel, of width 4 ---
def taps(rows, w, length):
    return sum(rows[k:k + length] * w[k] for k in range(4))


def causal(x, w):
    return jax.nn.silu(taps(jnp.pad(x, ((3, 0), (0, 0))), w, len(x)))


def causal_gradient(x, w):
    return jax.grad(lambda x, w: (causal(x, w) ** 2).sum(), (0, 1))(x, w)


def causal_sp(defect):
    def run(x, w):
        def own(rows, w):
            return (jax.nn.silu(taps(rows, w, len(x))) ** 2).sum()

        rows = jnp.concatenate([shifted(x[-3:], 1), x])
        dx, dw = jax.grad(own, (0, 1))(rows, w)
        back, dx = dx[:3], dx[3:]
        if defect == "ahead":
            back = shifted(back, 1)
        elif defect != "not-sent":
            back = shifted(back, -1, around=defect == "around")
        else:
            back = jnp.zeros_like(back)
        before = len(x) - 3 - {"first-places": len(x) - 3, "one-early": 1}.get(defect, 0)
        at = (before, len(x) - 3 - before)
        return dx + jnp.pad(back, (at, (0, 0))), lax.psum(dw, "sp")
    return run


pair("halo-gradient-causal", SP, causal_gradient, causal_sp, [Arg((16, 3), P("sp")), Arg((4, 3))], [P("sp"), P()],
     {"not-sent": "the gradient of the halo is dropped", "ahead": "the gradient of the halo goes to the rank behind",
      "around": "the first rank's, of zeros, is sent to the last one", "first-places": "it is added to the first places",
      "one-early": "it is added one place early"})


# --- two convolutions of an image whose rows are split, a halo at both ends of each: the weights' gradients, and the image's ---
def layers(x, v, w):
    return convolved(jax.nn.relu(convolved(x, v, (1, 1))), w, (1, 1))


def layers_gradient(x, v, w):
    return jax.grad(lambda *a: (layers(*a) ** 2).sum(), (0, 1, 2))(x, v, w)


def layers_sp(defect):
    @jax.custom_vjp
    def haloed(x):
        return jnp.concatenate([shifted(x[:, -1:], 1), x, shifted(x[:, :1], -1)], 1)

    def back(_, g):
        above, own, below = g[:, :1], g[:, 1:-1], g[:, -1:]
        if defect == "exchanged":
            above, below = below, above
        own = own.at[:, -1:].add(shifted(above, -1))
        return (own if defect == "one-sided" else own.at[:, 2 if defect == "third-row" else 0].add(shifted(below, 1)[:, 0]),)

    haloed.defvjp(lambda x: (haloed(x), None), back)

    def run(x, v, w):
        def loss(x, v, w):
            y = jax.nn.relu(convolved(haloed(x), v, (0, 0)))
            if defect == "halo-of-first-layer":
                return (convolved(jnp.concatenate([haloed(x)[:, :1], y, haloed(x)[:, -1:]], 1), w, (0, 0)) ** 2).sum()
            return (convolved(haloed(y), w, (0, 0)) ** 2).sum()
        dx, dv, dw = jax.grad(loss, (0, 1, 2))(x, v, w)
        return dx, lax.psum(dv, "sp"), dw if defect == "not-summed" else lax.psum(dw, "sp")
    return run


FILTER = Arg((3, 3, 2, 2))
pair("halo-gradient-layers", SP, layers_gradient, layers_sp, [Arg((1, 16, 4, 2), P(None, "sp")), FILTER, FILTER], [P(None, "sp"), P(), P()],
     {"one-sided": "the gradient of the halo below is not sent back", "exchanged": "the gradients of the two halos are exchanged",
      "third-row": "the gradient of the halo below is added to the third row", "not-summed": "the second filter's gradient is not summed",
      "halo-of-first-layer": "the second layer gets the halo of the first one"})
