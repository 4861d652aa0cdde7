"""Causal convolutions over time that XLA's partitioner splits, one above the other: it pads to unequal shards, exchanges their edges and slices at a rank's own
place, so that each layer's input is put together of what it has itself, what its neighbours send and zeros."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

X4, BY_TIME = [["x", 4]], P(None, "x", None)


def causal(dilations, kernel, early=0, residual=True):
    """`early`: so many places of the future are seen; of each layer, or of the last one alone."""
    def run(x, w):
        for k, step in enumerate(dilations):
            left = step * (kernel - 1)
            seen = early if k == len(dilations) - 1 or early > 0 else 0
            padded = jnp.pad(x, ((0, 0), (left - abs(seen), abs(seen)), (0, 0)))
            y = jnp.tanh(lax.conv_general_dilated(padded, w[k], (1,), "VALID", rhs_dilation=(step,), dimension_numbers=("NTC", "TIO", "NTC")))
            x = x + y if residual else y
        return x
    return run


for name, dilations, kernel, residual in [("causal-plain", (1, 1, 1, 1), 3, False), ("causal-dilated", (1, 2, 4), 2, True)]:
    pair(name, X4, causal(dilations, kernel, 0, residual),
         lambda defect, d=dilations, k=kernel, r=residual: causal(d, k, {"ahead": 1, "last-ahead": -1}.get(defect, 0), r != (defect == "residual")),
         [Arg((1, 32, 3), BY_TIME), Arg((len(dilations), kernel, 3, 3))], [BY_TIME],
         {"ahead": "each layer sees one place of the future", "last-ahead": "the last layer sees one place of the future", "residual": "what a layer gets is added, or not, to what it gives"}, annotated=True)
