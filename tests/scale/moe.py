#!/usr/bin/env python3
"""A train step as large as a mixture of 671 billion parameters: 61 layers scanned, latent attention, 256 experts of which 8 take a token and
one takes all, partitioned by XLA over 16 x 8 devices. Captured without a number in memory, then decided by `check`.

usage: moe.py GG_HARNESS FOLDER [--layers N] [--experts N] [--width N] [--seconds S]    (in the environment of scripts/requirements.txt)
"""
import argparse
import os
import subprocess
import sys
import time

DP, EP = 16, 8
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DP * EP}"
os.environ["JAX_PLATFORMS"] = "cpu"
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../harness/capture"))


def program(layers, experts, d, mesh):
    """(step, arguments as (shape, spec)): x, y and parameters of all layers, stacked."""
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.sharding import NamedSharding, PartitionSpec as P
    heads, head, latent, wide, chosen, groups, tokens, room = d // 56, 128, d // 14, 2 * d // 7, 8, DP, 64, 4
    shapes = {
        "s1": ((d,), P()), "s2": ((d,), P()),
        "q": ((d, heads, head), P("dp", "ep")), "down": ((d, latent), P("dp")),
        "k": ((latent, heads, head), P(None, "ep")), "v": ((latent, heads, head), P(None, "ep")), "o": ((heads, head, d), P("ep", None, "dp")),
        "route": ((d, experts), P()),
        "e1": ((experts, d, wide), P("ep", "dp")), "e2": ((experts, d, wide), P("ep", "dp")), "e3": ((experts, wide, d), P("ep", None, "dp")),
        "f1": ((d, wide), P("dp", "ep")), "f3": ((wide, d), P("ep", "dp")),
    }

    def norm(x, scale):
        return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale

    def attention(p, h):
        q, c = jnp.einsum("gsd,dhc->gshc", h, p["q"]), h @ p["down"]
        k, v = (jnp.einsum("gsl,lhc->gshc", c, p[n]) for n in "kv")
        scores = jnp.einsum("gqhc,gkhc->ghqk", q, k) * head ** -0.5
        scores = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), scores, -1e9)
        return jnp.einsum("gqhc,hcd->gqd", jnp.einsum("ghqk,gkhc->gqhc", jax.nn.softmax(scores, -1), v), p["o"])

    def mixture(p, h):
        score = jax.nn.sigmoid(h @ p["route"])
        least = lax.stop_gradient(jnp.sort(score, -1)[..., -chosen:-chosen + 1])
        taken = (score >= least).astype(h.dtype)
        weight = score * taken / jnp.sum(score * taken, -1, keepdims=True)
        place = jnp.cumsum(taken, 1) * taken - 1
        dispatch = (place[..., None] == jnp.arange(room, dtype=h.dtype)).astype(h.dtype)
        x = jnp.einsum("gsd,gsec->egcd", h, dispatch)
        x = lax.with_sharding_constraint(x, NamedSharding(mesh, P("ep", "dp")))
        y = jax.nn.silu(jnp.einsum("egcd,edf->egcf", x, p["e1"])) * jnp.einsum("egcd,edf->egcf", x, p["e2"])
        y = jnp.einsum("egcf,efd->egcd", y, p["e3"])
        return jnp.einsum("egcd,gsec,gse->gsd", y, dispatch, weight) + jax.nn.silu(h @ p["f1"]) @ p["f3"]

    def loss(params, x, y):
        def layer(h, p):
            h = h + attention(p, norm(h, p["s1"]))
            return h + mixture(p, norm(h, p["s2"])), None
        h, _ = lax.scan(layer, x, params)
        return jnp.mean((h - y) ** 2)

    def step(params, x, y):
        value, gradients = jax.value_and_grad(loss)(params, x, y)
        return value, jax.tree.map(lambda p, g: p - 1e-3 * g, params, gradients)

    arguments = ({name: ((layers, *shape), P(None, *spec)) for name, (shape, spec) in shapes.items()},
                 ((groups, tokens, d), P("dp")), ((groups, tokens, d), P("dp")))
    return step, arguments


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program"), parser.add_argument("folder")
    parser.add_argument("--layers", type=int, default=61)
    parser.add_argument("--experts", type=int, default=256)
    parser.add_argument("--width", type=int, default=7168)
    parser.add_argument("--seconds", type=float, default=0, help="more fails")
    options = parser.parse_args()
    try:
        import jax
    except ImportError:
        print("skipped: no jax here (scripts/venv.sh)")
        return 77
    if not os.path.exists(options.folder + "/distributed.hlo"):
        import gg_jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec
        mesh = Mesh(np.array(jax.devices()).reshape(DP, EP), ("dp", "ep"))
        step, arguments = program(options.layers, options.experts, options.width, mesh)
        leaf = lambda a: isinstance(a, tuple) and len(a) == 2 and isinstance(a[1], PartitionSpec)
        args = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a[0], np.float32, sharding=NamedSharding(mesh, a[1])), arguments, is_leaf=leaf)
        print(f"{sum(int(np.prod(a.shape)) for a in jax.tree.leaves(args[0])) / 1e9:.0f}e9 parameters")
        gg_jax.capture(step, args, folder=options.folder)
    begin = time.monotonic()
    run = subprocess.run([options.program, "check", options.folder, "--witness", options.folder + "/witness"], capture_output=True, text=True)
    seconds = time.monotonic() - begin
    print(run.stdout[-1500:] + run.stderr[-500:])
    print(f"exit code {run.returncode}, {seconds:.2f} s")
    return 0 if run.returncode == 0 and (options.seconds == 0 or seconds <= options.seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
