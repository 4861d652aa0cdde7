#!/usr/bin/env python3
"""Pairs whose certificate the checker refused at first, though the search believed in it: the two sides were one value in two spellings.
XLA's partitioner makes the distributed program; `Agreement.NoCertificateIsRefused` of tests/unit/harness holds that the first certificate of each is accepted.

usage: make_cases.py FOLDER     (in the environment of scripts/requirements.txt)
"""
import json
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../harness/capture"))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples"))

import gg_jax
import make_pairs
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("a", "b"))


def array(spec, *dims):
    return jax.ShapeDtypeStruct(dims, jnp.float32, sharding=NamedSharding(MESH, spec))


def conv(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), "SAME")


CASES = {
    # a halo whose rows are cases by the rank, and which the sums over the window cut in pieces
    "halo-columns": (conv, array(P(None, None, None, "b"), 2, 2, 6, 8), array(P("a"), 2, 2, 3, 3)),
    "halo-rows": (conv, array(P(None, None, "b", None), 2, 3, 16, 4), array(P(), 2, 3, 3, 3)),
    # an equality of digits of the row and of the column
    "diagonal": (lambda x: x + 3 * jnp.eye(16), array(P("a", "b"), 16, 16)),
    # a remainder that puts an index beyond the end
    "without-one": (lambda x: jnp.delete(x, 3, axis=1), array(P("a", "b"), 4, 16)),
    # of two ranks the one that is not the first is the second
    "four-parts": (lambda x: jnp.split(x, 4, axis=1), array(P(None, "a"), 4, 8)),
    "maxima-before": (lambda x: lax.associative_scan(jnp.maximum, x, axis=1), array(P("a", "b"), 4, 16)),
}


def main(folder):
    for name, (fn, *args) in CASES.items():
        case = os.path.join(folder, name)
        gg_jax.capture(fn, args, folder=case)
        for program in ("sequential", "distributed"):
            path = os.path.join(case, program + ".hlo")
            with open(path) as file:
                text = make_pairs.anonymous(file.read())
            with open(path, "w") as file:
                file.write(text)
        with open(os.path.join(case, "expect.json"), "w") as file:
            file.write(json.dumps({"verdict": "proved", "bug": None}, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
